"""The recording desktop in a real Wayland session, whose devices are those of the outermost X server."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from demopack.processes import end_process
from demopack.replacing import scratch_folder
from tests.support.compositor import NestedPerson, WaylandSession, missing_programs
from tests.support.stage_script import TEXTS, burners, perform_on, sixty

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason=missing_programs()),
]

_UNUSUAL = "".join(sorted({char for text in TEXTS for char in text if not char.isascii()}))


@pytest.fixture
def session() -> Generator[WaylandSession]:
    # Addresses of sockets may not be longer than about a hundred characters.
    with scratch_folder(Path("/tmp")) as folder, WaylandSession(folder, characters=_UNUSUAL) as started:  # noqa: S108
        yield started


@contextlib.contextmanager
def desktop(session: WaylandSession, *options: str) -> Generator[str]:
    """``demopack desktop`` in a terminal of the session; its X server."""
    command = [sys.executable, "-m", "demopack", "desktop", "--json", *options]
    process = subprocess.Popen(command, env=session.environment(), stdout=subprocess.PIPE, process_group=0)
    assert process.stdout is not None
    try:
        told = json.loads(process.stdout.readline())
        assert told["event"] == "open"
        assert told["notes"] == []
        yield told["display"]
    finally:
        assert end_process(process, seconds=20) == 0
        process.stdout.close()


@pytest.mark.parametrize("load", [0, os.cpu_count() or 2], ids=["quiet", "loaded"])
def test_sixty_actions_are_recorded_exactly(session: WaylandSession, tmp_path: Path, load: int) -> None:
    with desktop(session, "--size", "1200x760") as display:
        with contextlib.closing(NestedPerson(session, display)) as person, burners(load):
            verdict = perform_on(tmp_path / "library", sixty(), display, person)
    assert verdict.wrong_steps + verdict.wrong_frames == []
    assert len(verdict.demo.steps) == 61
