"""What is known about changes of the screen between two times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from demopack.domain.geometry import ScreenSpace
from recorder.screen.snapshots import ChangeLog, SnapshotRing
from tests.support.sources import grab, seen

MS = 1_000_000


def log_of(*spans: tuple[float, float, float]) -> ChangeLog:
    log = ChangeLog()
    for started, ended, changed in spans:
        log.add(round(started * MS), round(ended * MS), round(changed * MS))
    return log


@pytest.mark.parametrize(
    ("started", "ended", "expected"),
    [
        (0, 90, False),
        (10, 90, False),
        (0, 149, False),
        (0, 150, None),  # in the same millisecond
        (0, 151, True),
        (0, 300, True),
        (100, 160, True),
        (160, 190, None),  # only the first change of a span is known
        (200, 290, False),
        (160, 290, None),
        (200, 301, None),  # nobody has looked since
        (310, 320, None),
    ],
)
def test_what_a_log_knows(started: float, ended: float, expected: bool | None) -> None:
    log = log_of((0, 40, 0), (40, 100, 0), (100, 200, 150), (200, 300, 0))
    assert log.between(round(started * MS), round(ended * MS)) is expected


def test_a_gap_is_not_known() -> None:
    log = log_of((0, 100, 0), (120, 200, 0))
    assert log.between(50 * MS, 90 * MS) is False
    assert log.between(50 * MS, 150 * MS) is None
    assert log.between(110 * MS, 150 * MS) is None
    assert log.between(120 * MS, 150 * MS) is False


def test_a_change_behind_a_gap_is_certain_all_the_same() -> None:
    assert log_of((0, 100, 0), (120, 200, 140)).between(50 * MS, 150 * MS) is True


def test_nothing_is_known_of_nothing() -> None:
    assert ChangeLog().between(0, 1) is None


def test_quiet_hours_take_no_room_and_what_is_old_is_forgotten() -> None:
    log = ChangeLog(limit=4)
    for n in range(1000):
        log.add(n * MS, (n + 1) * MS, 0)
    assert log.between(0, 1000 * MS) is False
    for n in range(1000, 1004):
        log.add(n * MS, (n + 1) * MS, n * MS)
    assert log.between(0, 500 * MS) is None


def test_looks_tell_the_ring_what_changed() -> None:
    ring = SnapshotRing()
    ring.add(seen(replace(grab(1, start_ms=0), changed_ns=None)))
    assert ring.newest is not None
    ring.confirm(replace(ring.newest, started_ns=50 * MS, ended_ns=51 * MS))
    ring.add(seen(replace(grab(2, start_ms=100), changed_ns=80 * MS)))
    ring.add(seen(replace(grab(2, start_ms=200), changed_ns=150 * MS)))
    look = ring.before(75 * MS)
    assert look is not None
    assert (look.started_ns, look.ended_ns) == (50 * MS, 51 * MS)
    assert look.screenshot is ring.after(0)[0].screenshot
    assert ring.changed_between(look.started_ns, 75 * MS) is False
    assert ring.changed_between(look.started_ns, 90 * MS) is True
    assert ring.changed_between(100 * MS, 190 * MS) is False, "what is drawn anew and looks as before is no change"
    assert ring.changed_between(100 * MS, 230 * MS) is None
    assert (ring.grabbed, ring.confirmed, ring.kept) == (3, 1, 2)


def test_a_source_that_tells_nothing_leaves_it_open() -> None:
    ring = SnapshotRing()
    for n in range(3):
        ring.add(seen(grab(1, start_ms=100 * n)))
    assert ring.changed_between(0, 150 * MS) is None


def test_a_change_that_was_not_announced_leaves_it_open() -> None:
    ring = SnapshotRing()
    ring.add(seen(grab(1, start_ms=0)))
    ring.add(seen(replace(grab(2, start_ms=100), changed_ns=0)))
    assert ring.changed_between(0, 50 * MS) is None


def test_the_same_pixels_at_another_place_are_another_picture() -> None:
    ring = SnapshotRing()
    assert ring.add(seen(grab(1, start_ms=0)))
    assert ring.add(seen(replace(grab(1, start_ms=100), space=ScreenSpace(origin_x=10))))
    assert not ring.add(seen(replace(grab(1, start_ms=200), space=ScreenSpace(origin_x=10))))
    looks = ring.after(0)
    assert [look.screenshot.space.origin_x for look in looks] == [0, 10, 10]
