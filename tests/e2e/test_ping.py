"""Whether a program responds is known without accessibility: one that hangs, one that cannot say, one that is gone."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.settings import PrivacySettings
from recorder.backends import open_windows
from recorder.backends.x11.ping import X11Ping
from recorder.desktop.private_display import PrivateDesktop
from tests.support.colour_window import ColourWindow
from tests.support.desktop_programs import until, zenity
from tests.support.injector import Injector
from tests.support.leaks import recorded
from tests.support.record_command import RecordCommand

pytestmark = pytest.mark.e2e

_LATE_S = 0.5


@pytest.fixture(scope="module")
def desktop() -> Iterator[PrivateDesktop]:
    with PrivateDesktop(width=800, height=600) as started:
        yield started


@pytest.fixture
def pings(desktop: PrivateDesktop) -> Iterator[X11Ping]:
    source = X11Ping(display=desktop.name, late_s=_LATE_S)
    source.start()
    yield source
    source.stop()
    source.stop()


def _responded(pings: X11Ping, at: tuple[int, int] | None) -> bool | None:
    """Of an input just now, as soon as it is known where that went."""
    now = time.monotonic_ns()
    pings.ask(now, at)
    until(lambda: pings.responded(now, now) is not None, "nobody was asked")
    return pings.responded(now, now)


def _middle(desktop: PrivateDesktop) -> tuple[int, int]:
    """Of the window that has the input."""
    with contextlib.closing(open_windows(desktop.name)) as windows:
        active = windows.read().active
    assert active is not None
    assert active.box is not None
    return active.box.center.x, active.box.center.y


def test_a_program_that_hangs_is_known_by_key_and_press(desktop: PrivateDesktop, pings: X11Ping) -> None:
    with zenity(desktop, "--password", title="Hangs") as program:
        at = _middle(desktop)
        assert _responded(pings, None) is True
        assert _responded(pings, at) is True
        os.kill(program.process.pid, signal.SIGSTOP)
        try:
            until(lambda: _responded(pings, None) is False, "it seems to work")
            started = time.monotonic_ns()
            assert _responded(pings, at) is False
        finally:
            os.kill(program.process.pid, signal.SIGCONT)
        until(lambda: _responded(pings, None) is True, "it is not heard of again")
        assert pings.responded(started, started + 1) is not True, "what was then stays so"


def test_an_input_near_one_near_a_ping_is_known_of_too(desktop: PrivateDesktop, pings: X11Ping) -> None:
    with zenity(desktop, "--password", title="Works"):
        assert _responded(pings, None) is True
        sent = pings._pings[-1].sent_ns
        # Of the first, nobody is asked again; the second is not even taken as a question.
        for near_ms in (50, 100):
            t_ns = sent + near_ms * 1_000_000
            pings.ask(t_ns, None)
            until(lambda t=t_ns: pings.responded(t, t) is True, "nobody was asked")  # type: ignore[misc]


def test_a_program_without_the_protocol_is_not_judged(desktop: PrivateDesktop, pings: X11Ping) -> None:
    with ColourWindow(desktop.name, title="Mute", app="Mute", colour=(9, 9, 9), box=(0, 0, 800, 560)):
        now = time.monotonic_ns()
        pings.ask(now, (400, 300))
        pings.ask(now, None)
        assert pings.responded(now, time.monotonic_ns()) is None


def test_a_window_that_closes_is_no_window_that_hangs(desktop: PrivateDesktop, pings: X11Ping) -> None:
    with zenity(desktop, "--password", title="Closes") as program:
        at = _middle(desktop)
        assert _responded(pings, at) is True
        os.kill(program.process.pid, signal.SIGSTOP)
        now = time.monotonic_ns()
        pings.ask(now, at)
        os.kill(program.process.pid, signal.SIGKILL)
        program.process.wait(timeout=10)
    assert pings.responded(now, time.monotonic_ns()) is not False


def test_without_a_screen_there_are_no_answers() -> None:
    source = X11Ping(display=":229")
    source.start()
    source.ask(5, None)
    assert source.responded(0, 10) is None
    source.stop()


@pytest.mark.slow
def test_steps_into_a_window_that_hangs_are_in_doubt(desktop: PrivateDesktop, tmp_path: Path) -> None:
    folder = tmp_path / "library"
    with (
        zenity(desktop, "--entry", title="Hangs") as program,
        Injector(desktop.name) as person,
        RecordCommand(desktop, folder, privacy=PrivacySettings()) as record,
    ):
        person.type("fine")
        person.key("tab")
        record.wait_for(lambda _: len(record.steps) == 2)
        os.kill(program.process.pid, signal.SIGSTOP)
        try:
            person.key("tab")
            person.type("lost")
            person.key("tab")
            record.wait_for(lambda _: len(record.steps) >= 5)
        finally:
            os.kill(program.process.pid, signal.SIGCONT)
    steps = recorded(folder)[:-1]
    texts = [step.action.typed_text for step in steps]
    # Where the focus went nobody tells, so it counts as the worst that it may be.
    assert texts == ["fine", None, None, "<secret:password>", None]
    assert ["not_responding" in step.doubts(parsed=False) for step in steps] == [False, False, True, True, True]
