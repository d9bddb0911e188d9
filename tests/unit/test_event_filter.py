"""Input that is meant for our own windows leaves nothing, however old the last snapshot is."""

from __future__ import annotations

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Snapshot
from demopack.settings import RecorderSettings
from recorder.event_filter import EventFilter, OwnWindows, on_own_window
from recorder.screen.grabber import Grabber
from recorder.screen.snapshots import SnapshotRing
from tests.support.notation import parse_events
from tests.support.sources import HandScreen, HandWindows, grab


def kept(events: list[InputEvent], look: Snapshot | None) -> list[str]:
    own = EventFilter(on_own_window(OwnWindows()))
    return [event.kind for event in events if not own.hides(event, look)]


def look(*, own: tuple[Rect, ...] = (), own_active: bool = False, ended_ns: int = 1) -> Snapshot:
    return Snapshot(started_ns=0, ended_ns=ended_ns, screenshot=grab(0), own=own, own_active=own_active)


PANEL = Rect(10, 10, 20, 20)


def test_what_is_done_to_our_own_window_is_dropped_whole() -> None:
    events = parse_events("(15,15) L+ (50,50) L- (15,15) w-1")
    assert kept(events, look(own=(PANEL,))) == ["move", "move", "move"]


def test_a_drag_that_ends_on_our_window_is_kept() -> None:
    events = parse_events("(50,50) L+ (15,15) L- (50,50) w+1")
    assert kept(events, look(own=(PANEL,))) == ["move", "down", "move", "up", "move", "scroll"]
    assert kept(parse_events("(15,15) L"), None) == ["move", "down", "up"]


def test_keys_typed_into_our_own_window_are_dropped_with_their_releases() -> None:
    own = EventFilter(on_own_window(OwnWindows()))
    down, up, next_down, next_up = parse_events("a b")
    assert own.hides(down, look(own_active=True))
    assert own.hides(up, look()), "its press was dropped"
    assert not own.hides(next_down, look())
    assert not own.hides(next_up, look(own_active=True)), "its press was kept"


def test_what_is_typed_while_our_window_has_the_input_is_ours() -> None:
    own = OwnWindows()
    assert own.had_input(100, seen_ns=90) is None  # nobody told anything
    own.begin_input(200)
    own.begin_input(250)  # it had it already
    assert own.had_input(199, seen_ns=90) is None
    assert own.had_input(200, seen_ns=90) is True
    own.end_input(300)
    own.end_input(350)
    assert own.had_input(299, seen_ns=90) is True
    assert own.had_input(300, seen_ns=90) is False  # the look still saw our window
    assert own.had_input(310, seen_ns=305) is None  # this one is new enough
    own.begin_input(400)
    assert own.had_input(500, seen_ns=450) is True
    assert own.had_input(399, seen_ns=390) is None


def key(t_ns: int) -> InputEvent:
    return InputEvent(t_ns=t_ns, kind="key_down", key="T", char="t")


def test_an_old_look_does_not_decide() -> None:
    own = OwnWindows()
    outside = on_own_window(own)
    own.begin_input(1000)
    own.end_input(2000)
    assert outside(key(1500), look(own_active=False, ended_ns=900))
    assert not outside(key(2100), look(own_active=True, ended_ns=1900))
    # Any other window of ours is seen as before.
    assert outside(key(3000), look(own_active=True, ended_ns=2900))
    assert not outside(key(3000), look(own_active=False, ended_ns=2900))


def test_a_place_in_another_programs_window_is_ours_while_it_is_told() -> None:
    own = OwnWindows()
    own.dock("tray", Rect(10, 10, 30, 30))
    assert own.docked == (Rect(10, 10, 30, 30),)
    own.dock("tray", Rect(50, 10, 70, 30))
    assert own.docked == (Rect(50, 10, 70, 30),)
    own.dock("tray", None)
    own.dock("tray", None)
    assert own.docked == ()


def test_a_snapshot_knows_the_docked_places() -> None:
    own, ring = OwnWindows(), SnapshotRing()
    own.dock("tray", PANEL)
    grabber = Grabber(screen=HandScreen(), windows=HandWindows(), ring=ring, settings=RecorderSettings(), own=own)
    grabber.start()
    grabber.stop()
    newest = ring.newest
    assert newest is not None
    assert newest.own == (PANEL,)


def test_a_click_on_a_menu_that_has_gone_since_and_was_in_no_snapshot_is_ours() -> None:
    own = OwnWindows()
    outside = on_own_window(own)
    before_ns = now_ns()
    own.dock("menu", PANEL)
    while_ns = now_ns()
    own.dock("menu", PANEL.moved(100, 0))
    own.dock("menu", None)
    after_ns = now_ns()

    def click(t_ns: int) -> InputEvent:
        return InputEvent(t_ns=t_ns, kind="down", x=15, y=15, button="left")

    assert outside(click(while_ns), look())
    assert outside(click(while_ns), None)
    assert not outside(click(before_ns - 1), look())
    assert not outside(click(after_ns), look()), "by then it lies in another program's window"
