"""All hot-keys: what they mean, which choices cannot be used, and that none of them ever becomes a step."""

from __future__ import annotations

import pytest

from demopack.settings import HotkeySettings
from recorder.capture import Capture
from recorder.hotkeys import HotkeyDetector, find_conflicts, idle_hotkeys, recording_hotkeys
from recorder.reduction.gestures import Constants
from recorder.reduction.notation import parse_events, render
from recorder.screen.frames import FrameRing

MEANINGS = ["start_stop", "pause", "shot", "variable", "note", "forget", "panic", "hold_text"]


def test_the_meanings() -> None:
    assert list(recording_hotkeys(HotkeySettings())) == MEANINGS
    assert idle_hotkeys(HotkeySettings()) == {"start_stop": "Ctrl+Alt+R"}


def test_the_defaults_can_be_used() -> None:
    assert find_conflicts(HotkeySettings()) == []


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({"shot": "F8"}, [("same", ("pause", "shot"))]),
        ({"shot": "alt+ctrl+r"}, [("same", ("start_stop", "shot"))]),
        ({"shot": "F8", "note": "F8"}, [("same", ("pause", "shot")), ("same", ("pause", "note"))]),
        ({"pause": "P"}, [("types", ("pause",))]),
        ({"pause": "Shift+P"}, [("types", ("pause",))]),
        ({"pause": "Space"}, [("types", ("pause",))]),
        ({"pause": "+"}, [("types", ("pause",))]),
        ({"pause": "Enter"}, [("needed", ("pause",))]),
        ({"pause": "Shift+ArrowDown"}, [("needed", ("pause",))]),
        ({"pause": "Ctrl+Enter"}, []),
        ({"pause": "Ctrl+P"}, []),
        ({"pause": "Shift+F8"}, []),
        ({"pause": "Ctrl"}, [("modifier", ("pause",))]),
        ({"pause": "Ctrl+Alt"}, [("modifier", ("pause",))]),
        ({"pause": "CapsLock"}, [("modifier", ("pause",))]),
        ({"pause": "Ctrl+A+B"}, [("modifier", ("pause",))]),
        ({"pause": "Foo"}, [("unknown", ("pause",))]),
        ({"pause": "", "shot": "  "}, []),
        ({"abort_replay": "Ctrl+Alt+R"}, [("same", ("start_stop", "abort_replay"))]),
        ({"abort_replay": "F8"}, []),
        ({"abort_replay": "Foo"}, [("unknown", ("abort_replay",))]),
    ],
)
def test_conflicts(choice: dict[str, str], expected: list[tuple[str, tuple[str, ...]]]) -> None:
    found = find_conflicts(HotkeySettings(**choice))
    assert [(conflict.kind, conflict.fields) for conflict in found] == expected
    for conflict in found:
        assert conflict.key
        assert conflict.message.endswith(".")


def test_a_conflict_reads_well() -> None:
    (same,) = find_conflicts(HotkeySettings(shot="F8"))
    assert same.message == "F8 is chosen twice: for “Pause” and for “Add a shot”."
    (types,) = find_conflicts(HotkeySettings(pause="p"))
    assert types.message == "P, for “Pause”, types a character."


def recorded(events: str) -> tuple[list[str], list[str]]:
    """Hot-keys and gestures that a recording makes of these events."""
    capture = Capture(FrameRing(), constants=Constants(), settle_timeout_ms=0)
    detector = HotkeyDetector(recording_hotkeys(HotkeySettings()))
    meanings = [capture.take(event, detector, paused=False) for event in parse_events(events)]
    drafts = capture.end(60_000_000_000)
    return [meaning for meaning in meanings if meaning], [render(draft.gesture) for draft in drafts]


@pytest.mark.parametrize("way", ["{m} +{k} -{k} {r}", "{m} +{k} +{k} +{k} {r} -{k}", "{m} +{k} -{k} +{k} -{k} {r}"])
@pytest.mark.parametrize(
    ("modifiers", "key", "meaning"),
    [
        ("Ctrl Alt", "r", "start_stop"),
        ("Alt Ctrl", "r", "start_stop"),
        ("", "F8", "pause"),
        ("", "F9", "shot"),
        ("", "F10", "variable"),
        ("", "F11", "note"),
        ("Ctrl Alt", "f", "forget"),
        ("Alt Ctrl", "p", "panic"),
    ],
)
def test_no_hotkey_leaves_a_step(way: str, modifiers: str, key: str, meaning: str) -> None:
    names = modifiers.split()
    pressed = " ".join(f"+{name}" for name in names)
    released = " ".join(f"-{name}" for name in names)
    meanings, gestures = recorded(f'"ab" {way.format(k=key, m=pressed, r=released)} "cd"')
    assert set(meanings) == {meaning}
    assert gestures == ['type "abcd"']


def test_keys_beside_a_hotkey_are_steps() -> None:
    meanings, gestures = recorded("+Shift F8 -Shift +Ctrl +Alt t -Alt -Ctrl F8")
    assert meanings == ["pause"]
    assert gestures == ["key Shift+F8", "key Ctrl+Alt+T"]
