"""Which screen belongs before a gesture, and which after it."""

from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.events import InputEvent
from demopack.domain.screenshots import Snapshot
from demopack.reduction.fold import flush_all, reduce
from demopack.reduction.gestures import GestureThresholds
from demopack.reduction.state import ReductionState
from demopack.reduction.steps import PendingStep
from recorder.pairing import Pairer, find_settled
from recorder.screen.snapshots import SnapshotRing
from tests.support.sources import grab, seen

MS = 1_000_000


def colour(look: Snapshot | None) -> int | None:
    return None if look is None else int(look.screenshot.image[0, 0, 0])


class Bench:
    """A pairer with its ring and the reduction, driven by hand; times in milliseconds."""

    def __init__(self, *, ring: SnapshotRing | None = None, settle_timeout_ms: int = 3000) -> None:
        self.ring = ring or SnapshotRing()
        self.pairer = Pairer(self.ring, settle_timeout_ms=settle_timeout_ms)
        self.state = ReductionState()

    def looks(self, *looks: tuple[int, float]) -> None:
        for value, start in looks:
            self.ring.add(seen(grab(value, start_ms=start)))

    def event(self, t_ms: float, kind: str, **fields: object) -> None:
        event = InputEvent(t_ns=round(t_ms * MS), kind=kind, **fields)  # type: ignore[arg-type]
        self.pairer.observe(self.state.count, event)
        self.state, gestures = reduce(self.state, event, GestureThresholds())
        self.pairer.add(gestures, self.state)

    def click(self, t_ms: float) -> None:
        self.event(t_ms, "down", button="left")
        self.event(t_ms + 10, "up", button="left")

    def key(self, t_ms: float, name: str, char: str = "") -> None:
        self.event(t_ms, "key_down", key=name, char=char)
        self.event(t_ms + 10, "key_up", key=name)

    def end(self, t_ms: float) -> Sequence[PendingStep]:
        self.state, gestures = flush_all(self.state)
        self.pairer.add(gestures, self.state)
        self.pairer.cap(round(t_ms * MS))
        return self.pairer.poll(round(t_ms * MS))


def test_before_and_after_of_a_click() -> None:
    bench = Bench()
    bench.looks((1, 0), (1, 80))
    bench.click(100)
    bench.looks((1, 115), (2, 180), (2, 260), (3, 400))
    (draft,) = bench.end(500)
    assert (colour(draft.before), colour(draft.after)) == (1, 2)
    assert draft.before is not None
    assert draft.before.ended_ns == 81 * MS
    assert draft.settled is True
    assert draft.changed_before_event is False
    assert draft.last_ns == 110 * MS


def test_the_screen_before_is_held_however_long_the_gesture_takes() -> None:
    bench = Bench(ring=SnapshotRing(max_bytes=1, min_pictures=2))
    bench.looks((1, 0))
    bench.key(10, "a", "a")
    for n in range(2, 30):
        bench.looks((n, 50 * n))
        bench.key(50 * n + 10, "b", "b")
    (draft,) = bench.end(3000)
    assert colour(draft.before) == 1
    assert colour(draft.after) is None, "nothing was grabbed after the last key"


def test_the_next_input_ends_the_wait() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    bench.looks((2, 30), (3, 60))
    bench.key(100, "Tab")
    bench.looks((4, 120), (4, 200))
    enter, tab = bench.end(300)
    assert (colour(enter.after), enter.settled) == (3, False)
    assert (colour(tab.before), colour(tab.after), tab.settled) == (3, 4, True)


def test_a_screen_that_does_not_answer_is_waited_for_until_the_next_input() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    bench.looks((1, 30), (1, 110), (1, 190))
    assert bench.pairer.poll(300 * MS) == []
    bench.looks((2, 1000), (2, 1080), (2, 1160))
    (draft,) = bench.pairer.poll(2000 * MS)
    assert (colour(draft.after), draft.settled) == (2, True)


def test_a_screen_that_never_answers_is_settled_as_it_is() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    bench.looks((1, 30), (1, 110))
    (draft,) = bench.pairer.poll(3021 * MS)
    assert (colour(draft.after), draft.settled) == (1, True)


def test_a_screen_that_never_rests_is_not_settled() -> None:
    bench = Bench(settle_timeout_ms=500)
    bench.looks((0, 0))
    bench.key(10, "Enter")
    bench.looks(*((n, 20 * n) for n in range(2, 40)))
    (draft,) = bench.pairer.poll(1100 * MS)
    assert (colour(draft.after), draft.settled) == (39, False)


def test_an_event_that_reaches_us_late_takes_a_settled_frame_back() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    bench.looks((2, 30), (3, 60), (3, 140))
    assert bench.pairer.poll(150 * MS) == [], "an earlier event may still come"
    # It was pressed before the screen showed 3, and the server told us only now.
    bench.key(55, "Tab")
    enter, tab = bench.end(300)
    assert (colour(enter.after), enter.settled) == (2, False)
    assert (colour(tab.before), colour(tab.after)) == (2, 3)


def test_a_change_that_a_straddling_grab_shows_is_flagged() -> None:
    bench = Bench()
    bench.ring.add(seen(grab(1, start_ms=0)))
    bench.ring.add(seen(grab(2, start_ms=90, end_ms=110)))
    bench.key(100, "Enter")
    (draft,) = bench.end(300)
    assert colour(draft.before) == 1
    assert draft.changed_before_event is True


def test_without_any_later_grab_nothing_is_said_about_changes() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    (draft,) = bench.end(20)
    assert draft.changed_before_event is None
    assert draft.after is None


def test_a_double_click_has_the_frame_before_its_first_press() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.click(10)
    bench.looks((2, 40))
    bench.click(100)
    bench.looks((3, 130), (3, 230))
    (draft,) = bench.end(300)
    assert draft.gesture.click_type == "double"
    assert (colour(draft.before), colour(draft.after)) == (1, 3)


def test_a_lone_modifier_has_frames_too() -> None:
    bench = Bench()
    bench.looks((1, 0))
    down = InputEvent(t_ns=10 * MS, kind="key_down", key="Meta")
    bench.pairer.observe_modifier(bench.state.count, down)
    bench.state, _ = reduce(bench.state, down, GestureThresholds())
    bench.pairer.add([], bench.state)
    up = InputEvent(t_ns=60 * MS, kind="key_up", key="Meta")
    bench.state, gestures = reduce(bench.state, up, GestureThresholds())
    bench.pairer.add(gestures, bench.state)
    bench.looks((2, 100), (2, 180), (2, 260))
    (draft,) = bench.end(300)
    assert (colour(draft.before), colour(draft.after), draft.settled) == (1, 2, True)


def test_an_order_to_the_recorder_is_forgotten() -> None:
    bench = Bench()
    bench.looks((1, 0))
    bench.key(10, "Enter")
    bench.key(100, "Tab")
    bench.pairer.drop_key("Tab", since_ns=200 * MS)
    bench.pairer.drop_key("Tab", since_ns=50 * MS)
    assert [draft.gesture.key_info for draft in bench.end(300)] == ["Enter"]


def test_find_settled_wants_a_new_picture_that_stays() -> None:
    ring = SnapshotRing()
    for value, start in [(1, 0), (1, 100), (2, 200), (3, 220), (3, 240), (3, 300), (4, 400)]:
        ring.add(seen(grab(value, start_ms=start)))
    looks = ring.after(0)
    settled = find_settled(looks, reference=looks[0].screenshot)
    assert settled is not None
    assert settled.started_ns == 220 * MS
    assert find_settled(looks, reference=None) is looks[0]
    assert find_settled(looks[2:5], reference=None) is None
