"""A server that dies or falls silent, a window that goes away: said fast and clearly, and nobody waits for it."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from demopack.domain.geometry import Rect
from demopack.settings import RecorderSettings
from demopack.store import Library
from recorder.area import CaptureArea
from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.base import ScreenLostError, WindowAwayError
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from recorder.session import RecordingSession
from tests.support.easel import Easel
from tests.support.injector import Injector
from tests.support.x_servers import XServer

pytestmark = pytest.mark.e2e


def until(condition: Callable[[], object], *, timeout_s: float = 20) -> None:
    """Wait for it."""
    pause, started = threading.Event(), time.monotonic()
    while not condition():
        assert time.monotonic() - started < timeout_s, "it did not happen"
        pause.wait(0.005)


@contextlib.contextmanager
def watching(server: XServer, *, area: str = "all") -> Generator[tuple[Grabber, SnapshotRing]]:
    screen = open_screen(server.name, area=CaptureArea.parse(area))
    windows = open_windows(server.name)
    ring = SnapshotRing()
    grabber = Grabber(screen=screen, windows=windows, ring=ring, settings=RecorderSettings())
    grabber.start()
    try:
        yield grabber, ring
    finally:
        grabber.stop()
        screen.close()
        windows.close()
        until(lambda: all(thread.name != "grabber" for thread in threading.enumerate()))


def test_a_killed_server_is_told_at_once() -> None:
    with XServer() as server, watching(server) as (grabber, ring):
        until(lambda: ring.confirmed)
        server.process.kill()
        until(lambda: grabber.lost)
        assert isinstance(grabber.error, ScreenLostError)
        assert "X server has ended" in str(grabber.error)
        assert ring.newest is not None


def test_a_silent_server_is_told_and_does_not_hold_anybody_up() -> None:
    with XServer() as server, watching(server) as (grabber, ring):
        until(lambda: ring.confirmed)
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            grabber.poke(acts=True)
            until(lambda: grabber.error is not None)
            assert "does not answer" in str(grabber.error)
            assert not grabber.lost
            grabber.stop()  # the server goes on only after that
        finally:
            os.kill(server.process.pid, signal.SIGCONT)


def test_closing_frees_a_thread_that_hangs() -> None:
    with XServer() as server:
        with watching(server) as (grabber, ring):
            until(lambda: ring.confirmed)
            os.kill(server.process.pid, signal.SIGSTOP)
            grabber.poke(acts=True)
            until(lambda: grabber.error is not None)
        # Everything was closed and the thread has ended, although the server still does not answer.
        os.kill(server.process.pid, signal.SIGCONT)


def test_a_window_that_goes_away_and_comes_back() -> None:
    with (
        XServer() as server,
        Easel(server.name) as easel,
        contextlib.ExitStack() as stack,
    ):
        sheet = easel.sheet(Rect(100, 100, 300, 250), 0x336699, title="Letter")
        grabber, ring = stack.enter_context(watching(server, area="window:Letter"))
        sheet.hide()
        until(lambda: isinstance(grabber.error, WindowAwayError))
        assert "“Letter” cannot be seen" in str(grabber.error)
        assert not grabber.lost
        seen = ring.grabbed
        sheet.show()
        until(lambda: grabber.error is None and ring.grabbed > seen)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["killed", "silent"])
def test_a_recording_ends_in_order_when_its_screen_does(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recorder.health._SCREEN_GONE_S", 1.5)
    with XServer() as server, Library.open(tmp_path / "library") as library, Easel(server.name) as easel:
        sheet = easel.sheet(Rect(0, 0, 640, 480), 0x336699)
        screen, windows = open_screen(server.name), open_windows(server.name)
        session = RecordingSession(
            library,
            settings=RecorderSettings(),
            task="until the end",
            screen=screen,
            windows=windows,
            inputs=open_input(server.name),
        )
        done: list[object] = []
        session.on_step = done.append
        session.start()
        if how == "killed":
            with Injector(server.name) as person:
                person.click(100, 100)
                sheet.paint(0x993366)
                until(lambda: done)
            server.process.kill()
        else:
            os.kill(server.process.pid, signal.SIGSTOP)
        try:
            until(
                lambda: any("X server" in p or "not answer" in p for p in session.health) or session.state == "stopped"
            )
            until(lambda: session.state == "stopped", timeout_s=15)
            assert session.error is not None
            assert ("X server has ended" if how == "killed" else "does not answer") in str(session.error)
            assert library.demo(session.demo_id).head.status == "partial"
            assert len(library.demo(session.demo_id).steps) == len(done)
        finally:
            if how == "silent":
                os.kill(server.process.pid, signal.SIGCONT)
            screen.close()
            windows.close()
