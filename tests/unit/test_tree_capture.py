"""When windows are read, and which of the trees are proved to belong to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.trees import TreeNode, WindowTree
from demopack.settings import PrivacySettings
from recorder.backends.base import AccessSource, SeenWindow, WindowReading
from recorder.privacy.blocked import BlockList
from recorder.screen.snapshots import SnapshotRing
from recorder.tree_capture import TreeCapture

MS = 1_000_000
S = 1_000 * MS
WINDOW = SeenWindow(title="Notes", app="notes", box=Rect(0, 0, 40, 40), process=7)
VAULT = SeenWindow(title="Vault", app="keepass", box=Rect(0, 0, 64, 48), process=8)
CARET, CLOCK = Rect(10, 10, 11, 20), Rect(50, 2, 60, 8)


class TellingAccess(AccessSource):
    """Notes what it is told to read; the test says what was read when."""

    def __init__(self) -> None:
        self.looks: list[tuple[list[str], list[Sequence[Rect] | None]]] = []
        self.read: list[WindowReading] = []
        self.told_ns = 0
        self.is_cut = False

    @property
    def available(self) -> bool:
        return True

    @property
    def news_ns(self) -> int:
        return self.told_ns

    @property
    def can_read_on(self) -> bool:
        return self.is_cut

    def read_trees(self, stack: Sequence[SeenWindow], *, changed: Sequence[Sequence[Rect] | None]) -> None:
        self.looks.append(([window.title for window in stack], list(changed)))

    def trees_before(self, t_ns: int) -> tuple[WindowReading, ...]:
        return tuple(one for one in self.read if one.ended_ns < t_ns)


def picture(*boxes: Rect, at_ms: float, stack: Sequence[SeenWindow] = (WINDOW,)) -> Snapshot:
    """A black screen of 64 x 48, grabbed within a millisecond, with white boxes on it."""
    pixels = np.zeros((48, 64, 4), dtype=np.uint8)
    for box in boxes:
        pixels[box.y1 : box.y2, box.x1 : box.x2] = 255
    started, ended = round(at_ms * MS), round((at_ms + 1) * MS)
    shot = Screenshot(image=pixels[:, :, 2::-1], started_ns=started, ended_ns=ended, raw=bytearray(pixels.tobytes()))
    return Snapshot(started_ns=started, ended_ns=ended, screenshot=shot, stack=tuple(stack))


def reading(started_ms: float, ended_ms: float) -> WindowReading:
    tree = WindowTree(app="notes", title="Notes", box=WINDOW.box, nodes=(TreeNode(role="frame"),))
    return WindowReading(tree=tree, started_ns=round(started_ms * MS), ended_ns=round(ended_ms * MS))


def watched(*shots: Snapshot) -> tuple[SnapshotRing, TellingAccess, TreeCapture]:
    ring, access = SnapshotRing(), TellingAccess()
    for shot in shots:
        ring.add(shot)
    return ring, access, TreeCapture(access, ring, blocked=BlockList(PrivacySettings(blocked_apps=("keepass",))))


def proof(read: WindowReading, before: Snapshot, *shots: Snapshot) -> tuple[Rect, ...] | None:
    """What the capture says changed between the reading and the picture ``before``, one of the shots."""
    ring, access, capture = watched(*shots)
    access.read.append(read)
    stored = next(one for one in ring.after(0) if one.started_ns == before.started_ns)
    ((_, changed),) = capture.readings(stored, 10 * S)
    return changed


# Proof ----------------------------------------------------------------------------------------------------------------


def test_a_tree_read_between_two_equal_pictures_is_proved() -> None:
    before = picture(at_ms=300)
    assert proof(reading(110, 150), before, picture(at_ms=100), picture(at_ms=200), before) == ()


def test_a_change_of_the_window_while_it_was_read_makes_stale_what_it_touches() -> None:
    before = picture(at_ms=300)
    changed = proof(reading(110, 150), before, picture(CARET, at_ms=100), picture(at_ms=200), before)
    assert changed is not None
    assert len(changed) == 1
    assert changed[0].encloses(CARET)
    assert changed[0].area < 8 * CARET.area, "and nothing else"


def test_a_change_that_came_and_went_is_seen_as_well() -> None:
    before = picture(at_ms=300)
    assert proof(reading(110, 150), before, picture(at_ms=100), picture(CARET, at_ms=200), before)


def test_a_clock_elsewhere_on_the_screen_makes_nothing_stale() -> None:
    before = picture(CLOCK, at_ms=300)
    assert proof(reading(110, 150), before, picture(at_ms=100), picture(at_ms=200), before) == ()


def test_what_did_not_change_is_proved_where_all_else_of_the_window_did() -> None:
    page = Rect(0, 0, 40, 30)
    before = picture(page, at_ms=300)
    changed = proof(reading(110, 150), before, picture(at_ms=100), picture(at_ms=200), before)
    assert changed is not None
    assert changed[0].encloses(page)
    assert not any(box.contains(Point(20, 35)) for box in changed)


def test_what_changed_is_known_long_after_the_pictures_have_gone() -> None:
    ring = SnapshotRing(min_pictures=2, max_bytes=1)
    blinking = [picture(*[CARET] * (n % 2), at_ms=100 + 500 * n) for n in range(100)]
    for shot in blinking:
        ring.add(shot)
    access = TellingAccess()
    access.read.append(reading(620, 650))
    capture = TreeCapture(access, ring, blocked=BlockList(PrivacySettings()))
    newest = ring.newest
    assert newest is not None
    assert ring.before(600 * MS) is None, "that picture has gone"
    ((_, changed),) = capture.readings(newest, 100 * S)
    assert changed is not None
    assert all(box.area < 8 * CARET.area for box in changed)
    access.read[0] = reading(20, 60)  # before anything was watched
    ((_, unknown),) = capture.readings(newest, 100 * S)
    assert unknown is None


@pytest.mark.parametrize("started_ms", [20.0, 90.0])
def test_without_a_picture_from_before_the_reading_nothing_is_proved(started_ms: float) -> None:
    before = picture(at_ms=300)
    assert proof(reading(started_ms, 150), before, picture(at_ms=100), picture(at_ms=200), before) is None


def test_without_a_picture_from_after_the_reading_nothing_is_proved() -> None:
    before = picture(at_ms=200)
    assert proof(reading(110, 350), before, picture(at_ms=100), before) is None
    later = picture(at_ms=400)
    assert proof(reading(110, 350), before, picture(at_ms=100), before, later) == ()


def test_what_was_read_after_the_first_event_does_not_count() -> None:
    ring, access, capture = watched(picture(at_ms=100), picture(at_ms=200))
    access.read.append(reading(150, 190))
    newest = ring.newest
    assert newest is not None
    assert capture.readings(newest, 180 * MS) == []


def test_only_what_was_read_anew_is_compared_and_after_a_failed_grab_all_of_it() -> None:
    ring, elsewhere = SnapshotRing(), Rect(30, 30, 36, 36)
    ring.add(picture(at_ms=100))
    later = picture(CARET, at_ms=200)
    ring.add(replace(later, screenshot=replace(later.screenshot, read=CARET.grown(2))))
    (box,) = ring.drawn(since_ns=150 * MS, until_ns=300 * MS) or []
    assert box.encloses(CARET)
    ring.cancel()  # that grab had taken in what changed elsewhere, and nobody has seen it
    last = picture(CARET, elsewhere, at_ms=400)
    ring.add(replace(last, screenshot=replace(last.screenshot, read=CARET)))
    (box,) = ring.drawn(since_ns=350 * MS, until_ns=500 * MS) or []
    assert box.encloses(elsewhere)


# When windows are read ------------------------------------------------------------------------------------------------


def press(at_ms: float) -> InputEvent:
    return InputEvent(t_ns=round(at_ms * MS), kind="down", x=5, y=5, button="left")


def test_windows_are_read_once_the_screen_rests_after_an_input_and_then_not_again() -> None:
    ring, access, capture = watched(picture(at_ms=100))
    capture.poll(2 * S)
    assert len(access.looks) == 1, "as it begins"
    capture.poll(3 * S)
    assert len(access.looks) == 1, "nothing has happened"
    capture.note(press(4_000))
    assert capture.is_waiting
    capture.poll(4_050 * MS)
    assert len(access.looks) == 1, "it may still change"
    ring.add(picture(CARET, at_ms=4_100))
    capture.poll(4_150 * MS)
    assert len(access.looks) == 1, "it did"
    capture.poll(4_400 * MS)
    titles, (changes,) = access.looks[-1]
    assert (len(access.looks), titles) == (2, ["Notes"])
    assert changes is not None
    assert len(changes) == 1
    assert changes[0].encloses(CARET)
    assert not capture.is_waiting


@pytest.mark.parametrize("see_through", [False, True])
def test_what_changes_in_a_window_above_is_no_reason_to_ask_the_one_below_again(see_through: bool) -> None:
    dialog = SeenWindow(title="Find", app="notes", box=Rect(8, 8, 30, 30), process=7, number=3, see_through=see_through)
    stack = (dialog, WINDOW)
    ring, access, capture = watched(picture(at_ms=0, stack=stack))
    capture.poll(500 * MS)
    ring.add(picture(CARET, at_ms=1_000, stack=stack))
    capture.note(press(990))
    capture.poll(1_500 * MS)
    ring.add(picture(CARET, Rect(34, 34, 38, 38), at_ms=2_000, stack=stack))
    capture.note(press(1_990))
    capture.poll(2_500 * MS)
    ring.add(picture(at_ms=3_000))
    capture.note(press(2_990))
    capture.poll(3_500 * MS)
    (_, [_, first]), (_, [_, inside]), (_, [_, outside]), (_, [gone]) = access.looks
    assert first is None
    assert inside is not None
    assert bool(inside) is see_through
    assert outside
    assert any(box.encloses(CARET) for box in gone or ()), "what it hid may be other than it was"


def test_a_tree_that_was_cut_off_is_gone_on_with_while_the_screen_rests() -> None:
    ring, access, capture = watched(picture(at_ms=100))
    capture.poll(2 * S)
    access.is_cut = True
    capture.poll(3 * S)
    assert access.looks[1:] == [(["Notes"], [()])]
    ring.add(picture(CARET, at_ms=3_100))
    capture.poll(3_150 * MS)
    assert len(access.looks) == 2, "not while something changes"


def test_a_screen_that_never_rests_is_read_all_the_same() -> None:
    ring, access, capture = watched(picture(at_ms=100))
    capture.poll(2 * S)
    capture.note(press(3_000))
    for at_ms in range(3_000, 5_000, 50):
        ring.add(picture(*[CARET] * (at_ms // 50 % 2), at_ms=at_ms))
        capture.poll(at_ms * MS + MS)
    assert len(access.looks) == 2


def test_what_a_program_tells_is_a_reason_to_read_and_a_moved_pointer_is_none() -> None:
    _, access, capture = watched(picture(at_ms=100))
    capture.poll(2 * S)
    capture.note(InputEvent(t_ns=3 * S, kind="move", x=5, y=5))
    capture.poll(4 * S)
    assert len(access.looks) == 1
    access.told_ns = 5 * S
    capture.poll(6 * S)
    assert access.looks[1:] == [(["Notes"], [()])], "its pixels are as they were"


def test_a_blocked_window_is_not_read() -> None:
    ring, access, capture = watched()
    ring.add(picture(at_ms=100, stack=(VAULT, WINDOW)))
    capture.poll(2 * S)
    assert [titles for titles, _ in access.looks] == [["Notes"]]


def test_a_picture_of_another_size_proves_nothing() -> None:
    before = picture(at_ms=300)
    small = before.screenshot.image[:40]
    shot = replace(before.screenshot, image=small, raw=None)
    other = replace(before, screenshot=shot)
    assert proof(reading(110, 150), other, picture(at_ms=100), picture(at_ms=200), other) is None
