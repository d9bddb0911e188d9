"""The thread that looks: only when something has changed, at once, and never so that anybody waits for it."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from demopack.clock import now_ns
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from demopack.settings import RecorderSettings
from recorder.backends.base import ScreenLostError, WindowSource
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from tests.support.sources import HandScreen
from tests.support.telling_screen import TellingScreen

SETTINGS = RecorderSettings(frame_interval_ms=20, idle_interval_ms=50)
SLOW = RecorderSettings(frame_interval_ms=20).model_copy(update={"idle_interval_ms": 600_000})


def until(condition: Callable[[], object], *, timeout_s: float = 20) -> None:
    pause, deadline = threading.Event(), time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        pause.wait(0.002)


@contextmanager
def running(
    screen: TellingScreen | HandScreen, *, settings: RecorderSettings = SETTINGS
) -> Generator[tuple[Grabber, SnapshotRing]]:
    ring = SnapshotRing()
    grabber = Grabber(screen=screen, windows=WindowSource(), ring=ring, settings=settings)
    grabber.start()
    try:
        yield grabber, ring
    finally:
        grabber.stop()
        screen.close()


def shown(ring: SnapshotRing) -> int:
    assert ring.newest is not None
    return int(ring.newest.screenshot.image[0, 0, 0])


def test_nothing_is_grabbed_while_nothing_changes() -> None:
    screen = TellingScreen()
    with running(screen) as (_, ring):
        until(lambda: ring.confirmed >= 5)
        assert screen.grabs == 1
        looks = ring.after(0)
        assert len({id(look.screenshot) for look in looks}) == 1
        assert all(a.ended_ns <= b.started_ns for a, b in itertools.pairwise(looks))
        assert ring.changed_between(looks[0].started_ns, looks[-1].started_ns) is False


def test_a_change_wakes_it_at_once_and_its_time_is_known() -> None:
    screen = TellingScreen()
    with running(screen, settings=SLOW) as (_, ring):
        looked = ring.newest
        assert looked is not None
        changed = screen.show(7)
        until(lambda: shown(ring) == 7)  # it would have slept for ten minutes
        assert ring.changed_between(looked.started_ns, changed - 2_000_000) in {False, None}
        assert ring.changed_between(looked.started_ns, changed + 2_000_000) is True


def test_a_repaint_that_shows_the_same_is_no_change() -> None:
    screen = TellingScreen()
    with running(screen) as (_, ring):
        first = ring.newest
        assert first is not None
        screen.repaint()
        screen.wait_for_grabs(2)
        until(lambda: ring.confirmed >= 2)
        newest = ring.newest
        assert newest is not None
        assert newest.screenshot is first.screenshot
        assert ring.changed_between(first.started_ns, newest.started_ns) is False


def test_a_screen_that_hides_changes_is_not_trusted_any_more() -> None:
    screen = TellingScreen(announces=False)
    with running(screen) as (grabber, ring):
        until(lambda: ring.confirmed)
        screen.show(9)
        grabber.poke(acts=True)  # until its word has proved right, every look after an input is a grab
        until(lambda: shown(ring) == 9)
        screen.show(8)  # the first may have been a window of ours that came
        grabber.poke(acts=True)
        until(lambda: shown(ring) == 8)
        until(lambda: not grabber._trust.holds)
        before = screen.grabs
        screen.show(10)
        until(lambda: shown(ring) == 10)
        screen.wait_for_grabs(before + 3)


def test_a_screen_that_tells_nothing_is_grabbed_regularly() -> None:
    screen = HandScreen()
    with running(screen) as (grabber, ring):
        until(lambda: screen.grabs >= 4)
        assert ring.confirmed == 0
        assert grabber._trust.holds


def test_a_hanging_screen_is_told_and_not_waited_for() -> None:
    screen = TellingScreen()
    with running(screen) as (grabber, ring):
        until(lambda: ring.confirmed)
        assert (grabber.error, grabber.failing_since_ns) == (None, 0)
        hung = now_ns()
        screen.let_go.clear()
        until(lambda: grabber.error is not None, timeout_s=20)
        assert "does not answer" in str(grabber.error)
        assert grabber.failing_since_ns <= hung + 500_000_000
        assert not grabber.lost
        grabber.stop()  # the screen is let go only after that
        screen.let_go.set()
        until(lambda: not grabber._thread.is_alive())


def test_a_screen_that_answers_again_is_well_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.screen.grabber._HUNG_NS", 50_000_000)
    monkeypatch.setattr("recorder.screen.grabber._RETRY_NS", 20_000_000)
    screen = TellingScreen()
    with running(screen) as (grabber, _):
        screen.let_go.clear()
        until(lambda: grabber.error is not None)
        screen.let_go.set()
        until(lambda: grabber.error is None)
        screen.error = CaptureError("The screen cannot be read.")
        until(lambda: grabber.error is not None)
        first = grabber.failing_since_ns
        until(lambda: grabber.error is screen.error)
        assert 0 < grabber.failing_since_ns == first
        screen.error = None
        until(lambda: grabber.error is None)
        assert grabber.failing_since_ns == 0


def test_a_screen_that_has_gone_for_good_is_told_so() -> None:
    screen = TellingScreen()
    with running(screen) as (grabber, _):
        screen.error = ScreenLostError("The screen has gone.")
        screen.repaint()
        until(lambda: grabber.lost)
        assert grabber.error is screen.error


def test_a_fault_of_our_own_is_not_silent() -> None:
    class Broken(TellingScreen):
        def grab(self) -> Screenshot:
            if self.grabs:
                raise KeyError("a bug")
            return super().grab()

    screen = Broken()
    with running(screen) as (grabber, _):
        screen.show(3)
        until(lambda: grabber.error is not None)
        assert "fault in demopack" in str(grabber.error)
        until(lambda: not grabber._thread.is_alive())


@pytest.mark.parametrize("hangs", [False, True])
def test_a_screen_that_cannot_be_read_does_not_start(hangs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recorder.screen.grabber._START_S", 0.05)
    monkeypatch.setattr("recorder.screen.grabber._STOP_S", 0.01)
    screen = TellingScreen()
    screen.error = CaptureError("The screen cannot be read.")
    if hangs:
        screen.let_go.clear()
    grabber = Grabber(screen=screen, windows=WindowSource(), ring=SnapshotRing(), settings=SETTINGS)
    with pytest.raises(CaptureError, match="does not answer" if hangs else "cannot be read"):
        grabber.start()
    screen.let_go.set()
    until(lambda: not grabber._thread.is_alive())
    screen.close()


def test_stopping_what_never_started_is_harmless() -> None:
    screen = TellingScreen()
    Grabber(screen=screen, windows=WindowSource(), ring=SnapshotRing(), settings=SETTINGS).stop()
    screen.close()


def test_stopping_takes_a_last_look() -> None:
    screen = TellingScreen(announces=False)
    with running(screen, settings=SLOW) as (grabber, ring):
        before = ring.newest
        assert before is not None
        grabber.stop()
        after = ring.newest
        assert after is not None
        assert after.started_ns > before.started_ns
        grabber.poke(acts=True)
        grabber.stop()
