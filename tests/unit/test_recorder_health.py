"""What a recording says about itself while it runs."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import cast

import pytest

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.errors import CaptureError
from recorder.backends.base import AccessSource
from recorder.health import Health
from recorder.privacy.text_hold import TextHold
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from recorder.sources import EventQueue
from tests.support.notation import parse_events
from tests.support.sources import HandInput, grab, seen


class _Pictures:
    """Stands for the grabber."""

    error: CaptureError | None = None
    failing_since_ns = 0
    lost = False


class Watched:
    """A recording's counters under a clock that the test turns, in seconds."""

    def __init__(self, folder: Path, *, min_free_bytes: int = 0, limit: int = 100) -> None:
        self.now = 1000.0
        self.ring = SnapshotRing()
        self.queue = EventQueue(limit=limit)
        self.pictures = _Pictures()
        self.inputs = HandInput()
        self.health = Health(
            folder,
            ring=self.ring,
            queue=self.queue,
            grabber=cast("Grabber", self.pictures),
            inputs=self.inputs,
            hold=TextHold(AccessSource(), told=False),
            min_free_bytes=min_free_bytes,
            clock=lambda: self.now,
        )
        self.look()

    def look(self) -> None:
        ms = self.now * 1000
        self.ring.add(seen(grab(1, start_ms=ms, end_ms=ms + 1)))

    def event(self) -> None:
        self.queue.put(InputEvent(t_ns=now_ns(), kind="move"))

    def after(self, seconds: float, *, watching: bool = True) -> list[str]:
        self.now += seconds
        self.ended_by = self.health.check(watching=watching)
        return self.health.problems

    @property
    def must_pause(self) -> bool:
        return bool(self.health.disk)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_all_is_well(watched: Watched) -> None:
    watched.event()
    assert watched.after(0.2) == []
    watched.look()
    assert watched.after(5) == [], "a screen at rest is no reason to worry"
    assert not watched.must_pause


def test_input_without_pictures_is_told_within_a_second(watched: Watched) -> None:
    waited = 0.0
    watched.event()
    while not watched.after(0.05):
        waited += 0.05
        assert waited < 0.9
    assert watched.health.problems == ["Your input arrives, but no pictures of the screen do."]
    watched.look()
    assert watched.after(0.2) == []


def test_a_known_reason_says_more(watched: Watched) -> None:
    watched.event()
    watched.pictures.error = CaptureError("No pictures arrive.", hint="Unlock the screen.")
    watched.pictures.failing_since_ns = round(watched.now * 1e9)
    assert watched.after(0.2) == ["No pictures arrive. Unlock the screen."]
    assert watched.ended_by is None, "it may come back"
    watched.after(10)
    assert watched.ended_by is watched.pictures.error


def test_input_that_has_ended_is_told_before_it_ends_the_recording(watched: Watched) -> None:
    watched.event()
    watched.look()
    watched.inputs.failure = CaptureError("The hook has ended.")
    assert watched.after(0.2) == ["The hook has ended."]
    assert watched.ended_by is None
    watched.after(0.6)
    assert watched.ended_by is watched.inputs.failure


def test_what_keeps_input_away_is_told_and_does_not_end_the_recording(watched: Watched) -> None:
    watched.event()
    watched.look()
    watched.inputs.troubles = ["A program keeps all keys to itself."]
    assert watched.after(0.2) == ["A program keeps all keys to itself."]
    watched.look()
    watched.after(60)
    assert watched.ended_by is None
    watched.inputs.failure = CaptureError("The hook has ended.")
    assert watched.after(0.2) == ["The hook has ended."], "the better reason"


def test_a_pause_is_not_looked_at(watched: Watched) -> None:
    watched.event()
    watched.after(0.2, watching=False)
    assert watched.after(3, watching=False) == []


def test_lost_events_are_told(tmp_path: Path) -> None:
    watched = Watched(tmp_path, limit=1)
    watched.event()
    watched.event()
    watched.look()
    assert watched.after(0.2) == ["1 input event was lost because this machine is too busy."]


def test_no_input_at_all_is_told_after_a_while(watched: Watched) -> None:
    assert watched.after(59) == []
    (problem,) = watched.after(2)
    assert problem.startswith("No input has been seen yet.")


def test_a_full_disk_pauses(tmp_path: Path) -> None:
    watched = Watched(tmp_path, min_free_bytes=1 << 62)
    (problem,) = watched.after(0.2)
    assert "almost full" in problem
    assert str(tmp_path) in problem
    assert watched.must_pause


def test_a_disk_that_fills_up_is_noticed_within_a_second(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched.after(0.2) == []
    monkeypatch.setattr(watched.health, "_min_free", 1 << 62)
    watched.after(1.0)
    assert watched.must_pause


def test_a_drive_that_was_removed_pauses(tmp_path: Path) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    watched = Watched(folder)
    watched.after(0.2)
    shutil.rmtree(folder)
    (problem,) = watched.after(1.0)
    assert "cannot be reached" in problem
    assert watched.must_pause


def test_a_full_queue_drops_and_counts_events_but_no_orders() -> None:
    queue = EventQueue(limit=2)
    events = parse_events("L L")
    for event in events:
        queue.put(event)
    queue.put_command(None)
    assert queue.take(0) == [events[0], events[1], None]
    assert (queue.seen, queue.dropped) == (4, 2)
    assert queue.take(0) == []
