"""The ring of recent looks at the screen."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from demopack.clock import now_ns
from demopack.domain.screenshots import Screenshot, same_pixels
from recorder.screen.snapshots import SnapshotRing
from tests.support.sources import HEIGHT, WIDTH, grab, seen

MS = 1_000_000
BYTES = WIDTH * HEIGHT * 4


def ring_of(looks: Sequence[tuple[int, float]]) -> SnapshotRing:
    """A ring of (colour, start in ms); each grab takes 1 ms."""
    ring = SnapshotRing()
    for colour, start in looks:
        ring.add(seen(grab(colour, start_ms=start)))
    return ring


def test_equal_grabs_share_one_picture_but_keep_their_times() -> None:
    ring = ring_of([(1, 0), (1, 100), (2, 200), (2, 300), (1, 400)])
    assert (ring.grabbed, ring.kept) == (5, 3)
    looks = ring.after(0)
    assert looks[0].screenshot is looks[1].screenshot
    assert looks[1].ended_ns == 101 * MS
    assert looks[4].screenshot is not looks[0].screenshot


def test_before_is_the_newest_look_that_had_ended() -> None:
    ring = ring_of([(1, 0), (1, 100), (2, 200)])
    look = ring.before(201 * MS)
    assert look is not None
    assert look.ended_ns == 101 * MS, "a grab that ends with the event may show its effect"
    look = ring.before(201 * MS + 1)
    assert look is not None
    assert look.ended_ns == 201 * MS
    assert ring.before(1 * MS) is None


def test_a_confirmed_frame_is_as_young_as_its_last_confirmation() -> None:
    ring = ring_of([(1, 0), (1, 100), (1, 200)])
    look = ring.before(250 * MS)
    assert look is not None
    assert look.ended_ns == 201 * MS
    assert look.screenshot.started_ns == 0


def test_straddling_looks_began_before_and_ended_after() -> None:
    ring = SnapshotRing()
    ring.add(seen(grab(1, start_ms=0, end_ms=10)))
    ring.add(seen(grab(2, start_ms=20, end_ms=40)))
    ring.add(seen(grab(2, start_ms=50, end_ms=60)))
    assert [look.started_ns for look in ring.straddling(30 * MS)] == [20 * MS]
    assert ring.straddling(45 * MS) == []
    assert [look.started_ns for look in ring.after(30 * MS)] == [50 * MS]
    assert ring.after(30 * MS, until_ns=60 * MS) == []


def test_pictures_are_bounded_and_the_newest_stay() -> None:
    ring = SnapshotRing(max_bytes=5 * BYTES, min_pictures=2)
    for n in range(50):
        ring.add(seen(grab(n, start_ms=10 * n)))
    assert [int(look.screenshot.image[0, 0, 0]) for look in ring.after(0)] == [45, 46, 47, 48, 49]


def test_a_large_screen_keeps_a_few_pictures_all_the_same() -> None:
    ring = SnapshotRing(max_bytes=1, min_pictures=4)
    for n in range(10):
        ring.add(seen(grab(n, start_ms=10 * n)))
    assert len(ring.after(0)) == 4


def test_looks_are_bounded_even_if_nothing_changes() -> None:
    ring = SnapshotRing(max_snapshots=8)
    for n in range(100):
        ring.add(seen(grab(1, start_ms=10 * n)))
    assert len(ring.after(0)) == 8
    assert ring.kept == 1
    # The count of pictures survived the forgetting: the bound on them still holds.
    for n in range(100):
        ring.add(seen(grab(n % 2, start_ms=1000 + 10 * n)))
    assert len(ring.after(0)) == 8


def test_a_grab_under_way_is_waited_for() -> None:
    ring = ring_of([(1, 0)])
    ring.begin()
    asked, answers = threading.Event(), list[int]()
    event_ns = now_ns()

    def ask() -> None:
        asked.set()
        ring.wait_before(event_ns, timeout_s=20)
        look = ring.before(event_ns)
        answers.append(-1 if look is None else int(look.screenshot.image[0, 0, 0]))

    thread = threading.Thread(target=ask)
    thread.start()
    assert asked.wait(20)
    late = grab(2)
    ring.add(seen(Screenshot(image=late.image, started_ns=event_ns - 2, ended_ns=event_ns - 1, raw=late.raw)))
    thread.join(20)
    assert answers == [2]


def test_a_failed_or_stuck_grab_does_not_hold_anybody_up() -> None:
    ring = ring_of([(1, 0)])
    ring.begin()
    ring.wait_before(now_ns(), timeout_s=0.01)
    ring.cancel()
    ring.wait_before(now_ns(), timeout_s=60)


def test_a_grab_that_began_after_the_event_is_not_waited_for() -> None:
    ring = ring_of([(1, 0)])
    event_ns = now_ns()
    ring.begin()
    ring.wait_before(event_ns, timeout_s=60)


@pytest.mark.parametrize("raw", [True, False])
def test_same_pixels(raw: bool) -> None:
    a, b = grab(5, raw=raw), grab(5, raw=raw)
    assert same_pixels(a, b)
    assert not same_pixels(a, grab(6, raw=raw))


def test_the_byte_without_meaning_does_not_count() -> None:
    a, b = grab(5), grab(5)
    assert isinstance(b.raw, bytearray)
    b.raw[3] ^= 0xFF
    assert same_pixels(a, b)
    b.raw[4] ^= 1
    assert not same_pixels(a, b)


def test_another_size_is_another_picture() -> None:
    a = grab(0)
    smaller = Screenshot(image=np.zeros((HEIGHT, WIDTH - 1, 3), dtype=np.uint8), started_ns=0, ended_ns=1)
    assert not same_pixels(a, smaller)
