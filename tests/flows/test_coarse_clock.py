"""The recorder's own tests once more, with the clocks that Windows has before Python 3.13; see ``coarse_clock``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = "tests.support.coarse_clock"
RECORDER_TESTS = (
    "unit/test_pairing.py", "unit/test_recorder_cadence.py", "unit/test_recorder_changes.py",
    "unit/test_recorder_context.py", "unit/test_recorder_frames.py", "unit/test_recorder_grabber.py",
    "unit/test_recorder_health.py", "unit/test_recorder_steps.py", "unit/test_reduction.py", "unit/test_settle.py",
    "unit/test_idling.py", "unit/test_forgetting.py", "unit/test_hotkeys.py", "unit/test_event_filter.py",
    "unit/test_text_hold.py", "flows/test_recording_session.py", "flows/test_recording_orders.py",
    "flows/test_recording_losses.py", "flows/test_forgetting_while_recording.py",
)  # fmt: skip
SYSTEM_TESTS = (
    "flows/test_other_systems.py", "flows/test_element_access.py", "flows/test_locked_screen.py",
    "unit/test_pynput_input.py", "unit/test_pynput_keys.py", "unit/test_native_windows.py",
)  # fmt: skip

STEPS = """
import time
import tests.support.coarse_clock as coarse
from demopack.clock import now_ns

seen, fine = set(), set()
while len(seen) < 4:
    seen.add(time.monotonic_ns())
    fine.add(now_ns())
assert all(tick % coarse.TICK_NS == 0 for tick in seen)
assert round(time.monotonic() * 1e9) % coarse.TICK_NS == 0
assert time.thread_time_ns() % coarse.TICK_NS == 0
assert len(fine) > 2 * len(seen), "what is compared has a clock that does not step"
"""


def test_the_clocks_step_and_the_one_that_is_compared_does_not() -> None:
    done = subprocess.run([sys.executable, "-c", STEPS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("files", [RECORDER_TESTS, SYSTEM_TESTS], ids=["recorder", "systems"])
def test_the_recorder_holds_its_promises_on_a_clock_that_steps(files: tuple[str, ...]) -> None:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:xdist", "-p", "no:cacheprovider",
         *(f"tests/{name}" for name in files)],
        cwd=ROOT, env=kept, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    passed = int(done.stdout.rpartition(" passed")[0].split()[-1])
    assert passed > 250
