"""Hot-keys, the queue between hook and session, and what is done to the recorder's own windows."""

from __future__ import annotations

import pytest

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.settings import HotkeySettings
from recorder.hotkeys import HotkeyDetector, HotkeyListener, recording_hotkeys
from recorder.intake import EventQueue
from recorder.orders import Order
from recorder.reduction.notation import parse_events
from recorder.screen.frames import Look, Picture
from recorder.swallow import Swallower, on_own_window
from tests.support.sources import HandInput, grab


def fed(detector: HotkeyDetector, events: str) -> list[tuple[str | None, bool]]:
    return [detector.feed(event) for event in parse_events(events)]


def test_a_hotkey_fires_once_and_swallows_its_last_key() -> None:
    detector = HotkeyDetector(recording_hotkeys(HotkeySettings()))
    assert fed(detector, "+Ctrl +Alt +r +r -r -Alt -Ctrl") == [
        (None, False),
        (None, False),
        ("start_stop", True),
        (None, True),
        (None, True),
        (None, False),
        (None, False),
    ]


def test_a_hotkey_without_modifiers() -> None:
    detector = HotkeyDetector({"pause": "F8"})
    assert fed(detector, "F8 F9") == [("pause", True), (None, True), (None, False), (None, False)]


@pytest.mark.parametrize("events", ["r", "+Ctrl r -Ctrl", "+Ctrl +Alt +Shift r", "+Ctrl +Alt t"])
def test_other_keys_are_no_hotkey(events: str) -> None:
    assert not any(meaning or own for meaning, own in fed(HotkeyDetector({"go": "Ctrl+Alt+R"}), events))


def test_a_hotkey_works_whatever_the_key_types() -> None:
    assert ("go", True) in fed(HotkeyDetector({"go": "Ctrl+Alt+R"}), "+Ctrl +Alt +r=® -r -Alt -Ctrl")


def test_an_empty_text_switches_a_hotkey_off_and_a_wrong_one_is_named() -> None:
    assert fed(HotkeyDetector({"pause": ""}), "F8") == [(None, False), (None, False)]
    with pytest.raises(BadInputError, match="'Foo'"):
        HotkeyDetector({"pause": "Foo"})


def test_the_listener_tells_of_hotkeys() -> None:
    heard = list[str]()
    source = HandInput()
    listener = HotkeyListener({"pause": "F8"}, heard.append, inputs=source)
    listener.start()
    source.give(parse_events("F9 F8"))
    listener.stop()
    assert heard == ["pause"]
    assert source.stopped


def test_a_full_queue_drops_and_counts_events_but_no_orders() -> None:
    queue = EventQueue(limit=2)
    events = parse_events("L L")
    for event in events:
        queue.put(event)
    stop = Order(kind="stop", t_ns=5)
    queue.order(stop)
    assert queue.take(0) == [events[0], events[1], stop]
    assert (queue.seen, queue.dropped) == (4, 2)
    assert queue.take(0) == []


def kept(events: list[InputEvent], look: Look | None) -> list[str]:
    own = Swallower(on_own_window)
    return [event.kind for event in events if not own.hides(event, look)]


def look(*, own: tuple[Rect, ...] = (), own_active: bool = False) -> Look:
    return Look(started_ns=0, ended_ns=1, picture=Picture(grab=grab(0)), own=own, own_active=own_active)


PANEL = Rect(10, 10, 20, 20)


def test_what_is_done_to_our_own_window_is_dropped_whole() -> None:
    events = parse_events("(15,15) L+ (50,50) L- (15,15) w-1")
    assert kept(events, look(own=(PANEL,))) == ["move", "move", "move"]


def test_a_drag_that_ends_on_our_window_is_kept() -> None:
    events = parse_events("(50,50) L+ (15,15) L- (50,50) w+1")
    assert kept(events, look(own=(PANEL,))) == ["move", "down", "move", "up", "move", "scroll"]
    assert kept(parse_events("(15,15) L"), None) == ["move", "down", "up"]


def test_keys_typed_into_our_own_window_are_dropped_with_their_releases() -> None:
    own = Swallower(on_own_window)
    down, up, next_down, next_up = parse_events("a b")
    assert own.hides(down, look(own_active=True))
    assert own.hides(up, look()), "its press was dropped"
    assert not own.hides(next_down, look())
    assert not own.hides(next_up, look(own_active=True)), "its press was kept"
