"""The recording desktop in a real Wayland session, whose devices are those of the outermost X server."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from demopack.processes import end_process
from demopack.replacing import scratch_folder
from demopack.settings import PrivacySettings
from demopack.store import Library
from tests.support.compositor import NestedPerson, WaylandSession, missing_programs
from tests.support.desktop_programs import until
from tests.support.leaks import traces
from tests.support.record_command import RecordCommand
from tests.support.recording_desktops import copy_text, is_shown, open_in_desktop, pasted, screen_size, xdotool_in
from tests.support.stage import Stage
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
    with scratch_folder(Path("/tmp")) as folder, WaylandSession(folder, characters=_UNUSUAL) as started:
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
    with (
        desktop(session, "--size", "1200x760", "--no-panel") as display,
        NestedPerson(session, display) as person,
        burners(load),
    ):
        verdict = perform_on(tmp_path / "library", sixty(), display, person)
    assert verdict.wrong_steps + verdict.wrong_frames == []
    assert len(verdict.demo.steps) == 61


def test_what_was_recorded_there_is_performed_there(session: WaylandSession, tmp_path: Path) -> None:
    with desktop(session, "--size", "1200x760", "--no-panel") as display:
        with NestedPerson(session, display) as person:
            demo = perform_on(tmp_path / "library", sixty()[:20], display, person).demo
        with Stage(display):
            command = [sys.executable, "-m", "demopack", "replay", demo.head.id, "--desktop", "--yes", "--json"]
            done = subprocess.run(
                [*command, "--library", str(tmp_path / "library")],
                env=session.environment(),
                capture_output=True,
                check=False,
            )
    report = json.loads(done.stdout)
    assert (done.returncode, report["as_recorded"], report["total"]) == (0, True, 21), report
    assert all(step["performed"] and step["matched_after"] for step in report["steps"])


def count_steps(told: list[dict[str, Any]]) -> int:
    return sum(one["event"] == "step" for one in told)


SECRET = "Tr0ub4dor-Hirsch"


def test_a_form_is_filled_while_the_desktop_changes_and_then_breaks_off(
    session: WaylandSession, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    with RecordCommand(session, library, privacy=PrivacySettings(), options=["--desktop"]) as recording:
        display = open_in_desktop(
            session, "zenity", "--forms", "--title=Form", "--add-entry=Name", "--add-password=Pin"
        )
        with NestedPerson(session, display) as person:
            until(lambda: is_shown("Form", display), "the form is not open")
            person.type("jane")
            person.key("tab")
            recording.wait_for(lambda told: count_steps(told) >= 2)
            person.type(SECRET)
            person.key("tab")
            recording.wait_for(lambda told: count_steps(told) >= 4)

            # The clipboard is one for both, in every form.
            inside = {**session.environment(), "DISPLAY": display}
            copy_text("from the session: äöü", session.environment())
            until(lambda: pasted(inside) == "from the session: äöü", "the session's text is not there")
            copy_text("from the desktop: 中文", inside)
            until(lambda: pasted(session.environment()) == "from the desktop: 中文", "the desktop's text is not there")

            window = xdotool_in(session.environment(), "search", "--name", "recording desktop").split()[-1]
            xdotool_in(session.environment(), "windowsize", window, "1360", "850")
            until(lambda: screen_size(display) == (1360, 850), "the desktop keeps its size")
            # In the part that came.
            person.click(1320, 805)
            recording.wait_for(lambda told: count_steps(told) >= 5)
        session.kill()
        code, problem = recording.broken_off()
    assert code == 1
    assert "The recording desktop was closed, or the session that it is a window of has ended." in problem
    assert "Everything recorded up to then is saved." in problem
    assert recording.told[-1]["event"] == "done"
    with Library.open(library) as opened:
        demo = opened.demo(recording.told[-1]["demo"])
        typed = [s.action.parameters["text_to_type"] for s in demo.steps if s.action.action_type == "type"]
        assert typed == ["jane", "<secret:password>"]
        sizes = {(f.width, f.height) for s in demo.steps if (f := s.before) is not None}
        assert (1360, 850) in sizes
        assert len(sizes) == 2
        places = [(s.pointer.x, s.pointer.y) for s in demo.steps if s.pointer is not None]
        assert places[-1] == (1320, 805)
    assert traces(library, SECRET) == []


def test_elsewhere_in_the_session_nothing_is_recorded_and_the_way_is_said(
    session: WaylandSession, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "demopack", "record", "--task", "x", "--seconds", "5", "--library", str(tmp_path)]
    # Programs that were started elsewhere may know of nothing but the X server.
    for unset in ({}, {"WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": ""}):
        environment = {**session.environment(), **unset}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "This is a Wayland session" in done.stderr
        assert "demopack record --desktop" in done.stderr
