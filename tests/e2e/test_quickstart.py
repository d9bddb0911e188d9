"""``demopack quickstart`` as a stranger runs it: one command, judged by what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from demopack.pack import check_pack, open_pack
from demopack.store import Library

STEPS = (
    "click the name field", "type the name", "press Tab", "type the e-mail address", "open the list of cities",
    "choose Seoul", "choose Ceramics", "drag the slider to 7", "choose Afternoon", "tick the newsletter",
    "press Ctrl+U", "scroll down", "click the notes", "type a note", "click Submit", "finish",
)  # fmt: skip
"""What the scripted person does."""

pytestmark = pytest.mark.e2e


def quickstart(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "demopack", "quickstart", *options], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_one_command_records_packs_and_replays_a_demo(tmp_path: Path) -> None:
    out = tmp_path / "out"
    # Twice as fast as a person: the pace is not what is tested here.
    finished = quickstart("--out", str(out), "--json", "--speed", "2")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    report: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert json.loads(finished.stdout) == report
    assert report["ok"] is True
    assert report["faults"] == []
    _was_done_twice(report)
    # Every step was recorded, and nothing else.
    assert len(report["steps"]) == len(STEPS), report["steps"]
    assert "Typed “zoe@example.org”" in "\n".join(report["steps"])
    _is_whole(out, report["demo_id"])


def _was_done_twice(report: dict[str, Any]) -> None:
    """The practice app itself says so."""
    for state in (report["state_recorded"], report["state_replayed"]):
        assert state["submitted"] is True
        assert state["fields"]["name"] == "Zoë Müller"
        assert state["fields"]["experience"] == 7
    assert report["state_recorded"]["submissions"] == report["state_replayed"]["submissions"]


def _is_whole(out: Path, demo_id: str) -> None:
    """The pack is, and the library holds the same demo."""
    assert [f for f in check_pack(out / "pack") if f.severity == "error"] == []
    assert (out / "pack" / "index.html").stat().st_size > 0
    with open_pack(out / "pack") as pack, Library.open(out / "library", create=False) as library:
        assert [demo.head.id for demo in pack.whole_demos()] == [demo_id]
        assert next(pack.whole_demos()).steps == library.demo(demo_id).steps
        assert all(step.rationale is not None for step in next(pack.whole_demos()).steps)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ctrl_c_in_the_middle_leaves_everything_whole(tmp_path: Path, number: signal.Signals) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "demopack", "quickstart", "--out", str(out)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, process_group=0
    ) as running:
        state = out / "practice" / "recorded" / "practice-state.json"
        deadline = time.monotonic() + 60
        while not (state.exists() and "Zoë" in state.read_text(encoding="utf-8")):
            assert time.monotonic() < deadline, "the person has not typed"
            threading.Event().wait(0.05)
        # A terminal tells every program of the command, not only the first.
        os.killpg(running.pid, number)
        _, said = running.communicate(timeout=30)
    assert running.returncode == 130, said
    assert said == "Cancelled; what was finished before is kept.\n"
    assert json.loads((out / "report.json").read_text(encoding="utf-8"))["ok"] is False
    assert json.loads(state.read_text(encoding="utf-8"))["closed"] is True
    with Library.open(out / "library", create=False) as library:
        (summary,) = library.demos()
    assert summary.head.status == "complete"
    assert summary.head.outcome is None


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    finished = quickstart("--out", str(tmp_path))
    assert finished.returncode == 1
    assert "nothing was touched" in finished.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
