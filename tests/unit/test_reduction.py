"""The fold from events to gestures, case by case, in the notation of ``tests.support.notation``."""

from __future__ import annotations

import pytest

from demopack.reduction.fold import flush_all, flush_due, forget_lone, reduce, reduce_all
from demopack.reduction.gestures import GestureThresholds
from demopack.reduction.state import ReductionState
from tests.support.notation import parse_events, render

CASES = {
    "single click": ("(10,20) L", ["click 10,20"]),
    "double click": ("(1,1) L L", ["double 1,1"]),
    "triple click": ("(1,1) L L L", ["triple 1,1"]),
    "four clicks are three and one": ("L L L L", ["triple 0,0", "click 0,0"]),
    "slow clicks stay single": ("L ~500ms L", ["click 0,0", "click 0,0"]),
    "just quick enough": ("L ~460ms L", ["double 0,0"]),
    "apart clicks stay single": ("(0,0) L (6,0) L", ["click 0,0", "click 6,0"]),
    "a trembling hand still double-clicks": ("(0,0) L (3,4) L", ["double 0,0"]),
    "right clicks do not add up": ("R R", ["right 0,0", "right 0,0"]),
    "middle click": ("M", ["middle 0,0"]),
    "left then right": ("L R", ["click 0,0", "right 0,0"]),
    "long press": ("(7,8) L+ ~790ms L-", ["click 7,8 for 0.8s"]),
    "long right press": ("R+ ~1.23s R-", ["right 0,0 for 1.2s"]),
    "just not long": ("L+ ~780ms L-", ["click 0,0"]),
    "long press with a trembling hand": ("(7,8) L+ (10,9) ~1s (7,9) L-", ["click 7,8 for 1.0s"]),
    "a long press that moves is a drag": ("L+ ~1s (50,0) ~1s L-", ["drag 0,0>50,0"]),
    "long press after a click": ("L L+ ~1s L-", ["click 0,0", "click 0,0 for 1.0s"]),
    "click after a long press": ("L+ ~1s L- L", ["click 0,0 for 1.0s", "click 0,0"]),
    "ctrl long press": ("+Ctrl L+ ~1s L- -Ctrl", ["ctrl+click 0,0 for 1.0s"]),
    "side buttons are keys": ("B F", ["key Alt+ArrowLeft", "key Alt+ArrowRight"]),
    "side buttons end a text": ('"ab" B "c"', ['type "ab"', "key Alt+ArrowLeft", 'type "c"']),
    "nobody knows another button": ("X", []),
    "side button ends a text": ('"ab" X "c"', ['type "ab"', 'type "c"']),
    "ctrl click": ("+Ctrl L -Ctrl", ["ctrl+click 0,0"]),
    "ctrl shift click": ("+Shift +Ctrl L -Ctrl -Shift", ["ctrl+shift+click 0,0"]),
    "modifiers tell clicks apart": ("L +Ctrl L -Ctrl", ["click 0,0", "ctrl+click 0,0"]),
    "meta click": ("+Meta L -Meta", ["meta+click 0,0"]),
    "drag": ("(5,5) L+ (50,60) L-", ["drag 5,5>50,60"]),
    "a short way is a click": ("(5,5) L+ (10,11) L-", ["click 5,5"]),
    "a circle is a drag": ("(5,5) L+ (40,5) (40,40) (5,5) L-", ["drag 5,5>5,5"]),
    "a wobble is a click": ("(5,5) L+ (20,5) (5,5) L-", ["click 5,5"]),
    "shift drag": ("+Shift (5,5) L+ (50,60) L- -Shift", ["shift+drag 5,5>50,60"]),
    "right drag": ("(5,5) R+ (50,60) R-", ["right-drag 5,5>50,60"]),
    "click then drag": ("(5,5) L L+ (50,60) L-", ["click 5,5", "drag 5,5>50,60"]),
    "double click after a drag": ("L+ (50,60) L- ~600ms L L", ["drag 0,0>50,60", "double 50,60"]),
    "a key during a drag": ("L+ (50,60) Escape L-", ["key Escape", "drag 0,0>50,60"]),
    "a release without a press": ("L-", []),
    "scroll run": ("(7,8) w-3", ["scroll down 3 @7,8"]),
    "scroll turns": ("w-3 w+1", ["scroll down 3 @0,0", "scroll up 1 @0,0"]),
    "scroll sideways": ("h+2 h-1", ["scroll right 2 @0,0", "scroll left 1 @0,0"]),
    "scroll pause": ("w-1 ~1s w-1", ["scroll down 1 @0,0", "scroll down 1 @0,0"]),
    "scroll elsewhere": ("w-1 (0,60) w-1", ["scroll down 1 @0,0", "scroll down 1 @0,60"]),
    "scroll with a moving hand": ("w-1 (0,9) w-1", ["scroll down 2 @0,0"]),
    "ctrl scroll": ("+Ctrl w-2 -Ctrl w-1", ["ctrl+scroll down 2 @0,0", "scroll down 1 @0,0"]),
    "text": ('"hello world"', ['type "hello world"']),
    "text with shift": ("+Shift +h=H -h -Shift i", ['type "Hi"']),
    "text with AltGr": ("+AltGr +q=@ -q -AltGr a", ['type "@a"']),
    "text under another layout": ("d=в l=д", ['type "вд"']),
    "accent": ("Dead e=é x", ['type "éx"']),
    "accent first counts from the dead key": ("Dead e=é", ['type "é"']),
    "composed": ("Dead o= c=©", ['type "©"']),
    "overlapping keys": ("+a +b -a +c -b -c", ['type "abc"']),
    "enter before the last key is up": ("+a +Enter -a -Enter", ['type "a"', "key Enter"]),
    "held character repeats": ("+a +a +a -a", ['type "aaa"']),
    "backspace": ('"helo" Backspace "lo"', ['type "hello"']),
    "everything taken back": ('"ab" Backspace Backspace', []),
    "more taken back than typed": ('"a" Backspace Backspace', ["key Backspace"]),
    "backspace alone": ("Backspace", ["key Backspace"]),
    "ctrl backspace is a command": ('"ab" +Ctrl Backspace -Ctrl', ['type "ab"', "key Ctrl+Backspace"]),
    "pause ends a text": ('"ab" ~5.1s "cd"', ['type "ab"', 'type "cd"']),
    "thinking does not": ('"ab" ~4s "cd"', ['type "abcd"']),
    "a click ends a text": ('"ab" L "cd"', ['type "ab"', "click 0,0", 'type "cd"']),
    "a move does not": ('"ab" (5,5) "cd"', ['type "abcd"']),
    "enter": ('"ab" Enter', ['type "ab"', "key Enter"]),
    "tab, escape, arrows": ("Tab Escape ArrowUp", ["key Tab", "key Escape", "key ArrowUp"]),
    "shift tab": ("+Shift Tab -Shift", ["key Shift+Tab"]),
    "function key": ("F5", ["key F5"]),
    "held arrow repeats": ("+ArrowDown +ArrowDown +ArrowDown -ArrowDown", ["key ArrowDown x3"]),
    "keys pressed one by one": ("ArrowDown ArrowDown", ["key ArrowDown", "key ArrowDown"]),
    "a held combination repeats": ("+Ctrl +z +z +z -z -Ctrl", ["key Ctrl+Z x3"]),
    "a held key ends when another comes": ("+Tab +Tab +Enter -Tab -Enter", ["key Tab x2", "key Enter"]),
    "a held key that loses its modifier": ("+Ctrl +z +z -Ctrl +z -z", ["key Ctrl+Z x2", 'type "z"']),
    "a held key from within a text": ('"ab" +Enter +Enter -Enter "c"', ['type "ab"', "key Enter x2", 'type "c"']),
    "held backspace in a text": ('"hello" +Backspace +Backspace -Backspace "p"', ['type "help"']),
    "held backspace beyond a text": (
        '"ab" +Backspace +Backspace +Backspace +Backspace -Backspace',
        ["key Backspace x2"],
    ),
    "held space is text": ("+Space +Space +Space -Space", ['type "   "']),
    "arrows end a text": ('"ab" ArrowLeft "c"', ['type "ab"', "key ArrowLeft", 'type "c"']),
    "delete ends a text": ('"ab" Home Delete "c"', ['type "ab"', "key Home", "key Delete", 'type "c"']),
    "everything taken back, then more": ('"ab" Backspace Backspace "c"', ['type "c"']),
    "space alone is the key": ("Space", ["key Space"]),
    "two spaces are text": ("Space Space", ['type "  "']),
    "unknown key": ("a = b", ['type "a\ufffdb"']),
    "copy": ("+Ctrl c -Ctrl", ["key Ctrl+C"]),
    "modifier let go first": ("+Ctrl +c -Ctrl -c", ["key Ctrl+C"]),
    "two copies": ("+Ctrl c v -Ctrl", ["key Ctrl+C", "key Ctrl+V"]),
    "three modifiers in any order": ("+Shift +Alt +Ctrl t -Ctrl -Alt -Shift", ["key Ctrl+Alt+Shift+T"]),
    "ctrl plus": ("+Ctrl +=+ -Ctrl", ["key Ctrl+Plus"]),
    "alt tab": ("+Alt Tab -Alt", ["key Alt+Tab"]),
    "alt alone": ("+Alt -Alt", ["key Alt"]),
    "meta alone": ("+Meta -Meta", ["key Meta"]),
    "alt drag is not alt": ("+Alt L+ (50,50) L- -Alt", ["alt+drag 0,0>50,50"]),
    "shift alone is nothing": ("+Shift -Shift", []),
    "ctrl alone is nothing": ("+Ctrl -Ctrl", []),
    "a held modifier repeats": ("+Ctrl +Ctrl +Ctrl c -Ctrl", ["key Ctrl+C"]),
    "caps lock shows in the text": ('CapsLock "AB"', ['type "AB"']),
    "AltGr that is Ctrl and Alt": ("+Ctrl +AltGr e=€ -AltGr -Ctrl", ['type "€"']),
}


@pytest.mark.parametrize(("events", "expected"), CASES.values(), ids=CASES.keys())
def test_events_become_gestures(events: str, expected: list[str]) -> None:
    assert [render(g) for g in reduce_all(parse_events(events), GestureThresholds())] == expected


def test_a_click_waits_for_a_second_one_and_then_goes_out() -> None:
    constants = GestureThresholds()
    state = ReductionState()
    for event in parse_events("L", start_ns=0):
        state, gestures = reduce(state, event, constants)
        assert not gestures
    assert flush_due(state, 500_000_000, constants) == (state, [])
    state, gestures = flush_due(state, 511_000_000, constants)
    assert [render(g) for g in gestures] == ["click 0,0"]
    assert flush_all(state)[1] == []


def test_an_open_second_press_keeps_the_click_back() -> None:
    constants, state = GestureThresholds(), ReductionState()
    for event in parse_events("L L+", start_ns=0):
        state, _ = reduce(state, event, constants)
    assert flush_due(state, 60_000_000_000, constants) == (state, [])


def test_gestures_know_their_first_and_last_event() -> None:
    events = parse_events('(1,1) +Ctrl L -Ctrl "ab" Enter')
    click, text, enter = reduce_all(events, GestureThresholds())
    assert (events[click.first], events[click.last]) == (events[2], events[3])
    assert click.start == events[2]
    assert click.events == (events[1], events[2], events[3])
    assert (text.first, text.last) == (5, 8)
    assert (enter.first, enter.last) == (9, 10)


def test_an_accented_text_begins_with_its_dead_key() -> None:
    events = parse_events("Dead e=é")
    (text,) = reduce_all(events, GestureThresholds())
    assert text.start == events[0]


def test_the_way_of_a_drag_is_kept_at_125_points_a_second() -> None:
    way = " ".join(f"({x},0)" for x in range(0, 400, 20))
    events = parse_events(f"L+ {way} L-")
    (drag,) = reduce_all(events, GestureThresholds())
    assert drag.events == tuple(events)
    hurried = [*events[:1], *(e for e in events[1:-1] for _ in range(8)), events[-1]]
    (drag,) = reduce_all(hurried, GestureThresholds())
    assert drag.events == tuple(events)


def test_modifiers_of_a_hotkey_are_no_gesture() -> None:
    constants, state = GestureThresholds(), ReductionState()
    (down, up) = parse_events("+Alt -Alt")
    state, _ = reduce(state, down, constants)
    state, gestures = reduce(forget_lone(state), up, constants)
    assert gestures == []
    assert flush_all(state)[1] == []


def test_the_fold_does_not_depend_on_when_it_is_asked() -> None:
    constants = GestureThresholds()
    for text, expected in CASES.values():
        state, found = ReductionState(), []
        for event in parse_events(text):
            state, early = flush_due(state, event.t_ns - 1, constants)
            state, gestures = reduce(state, event, constants)
            found += early + gestures
        found += flush_all(state)[1]
        assert [render(g) for g in found] == expected, text
