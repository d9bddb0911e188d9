"""All hot-keys: what they mean, which choices cannot be used, and that none of them ever becomes a step."""

from __future__ import annotations

import pytest

from demopack.errors import BadInputError
from demopack.reduction.gestures import GestureThresholds
from demopack.settings import HotkeySettings
from recorder.capture import Capture
from recorder.hotkeys import HotkeyDetector, HotkeyListener, find_conflicts, recording_hotkeys
from recorder.screen.snapshots import SnapshotRing
from tests.support.notation import parse_events, render
from tests.support.sources import HandInput

MEANINGS = ["start_stop", "pause", "shot", "variable", "note", "forget", "panic", "hold_text"]


def test_the_meanings() -> None:
    assert list(recording_hotkeys(HotkeySettings())) == MEANINGS


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
    capture = Capture(SnapshotRing(), thresholds=GestureThresholds(), settle_timeout_ms=0)
    detector = HotkeyDetector(recording_hotkeys(HotkeySettings()))
    meanings = [capture.take(event, detector, paused=False) for event in parse_events(events)]
    capture.flush(60_000_000_000)
    drafts = capture.poll(60_000_000_000)
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


def test_the_listener_tells_of_hotkeys(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = list[str]()
    source = HandInput()
    monkeypatch.setattr("recorder.hotkeys.open_input", lambda: source)
    listener = HotkeyListener({"pause": "F8"}, heard.append)
    listener.start()
    source.give(parse_events("F9 F8"))
    listener.stop()
    assert heard == ["pause"]
    assert source.stopped
