"""Keys and wheels of Windows and macOS, through pynput's own back ends for these systems.

Each row says what a person does, in the words of ``tests.support.win32_system`` and ``darwin_system``, and the gestures
that come of it.
"""

# ruff: noqa: RUF001 - the characters of keyboards
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from demopack.domain.events import InputEvent
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import GestureThresholds
from recorder.backends.pynput_hooks import SurrogateJoiner, WheelSum, compose
from recorder.backends.pynput_input import PynputInput
from recorder.hotkeys import HotkeyDetector
from tests.support import darwin_system, win32_system
from tests.support.darwin_system import DarwinSystem
from tests.support.notation import render
from tests.support.win32_system import Win32System

INSTALL: dict[str, Callable[..., Any]] = {"win32": win32_system.install, "darwin": darwin_system.install}


def watched(system: Win32System | DarwinSystem, play: Callable[[], object]) -> list[InputEvent]:
    """The events that arrive while the test plays the person."""
    events: list[InputEvent] = []
    source = PynputInput()
    source.start(events.append)
    try:
        system.wait_for_hooks()
        play()
        system.settle()
        assert source.error is None
        assert source.unreadable == 0
    finally:
        source.stop()
    return events


def gestures(events: Iterable[InputEvent]) -> list[str]:
    return [render(gesture) for gesture in reduce_all(events, GestureThresholds())]


WINDOWS = [
    # Text
    ("us", "Shift+h e Shift+1", ['type "He!"']),
    ("us", "Caps a Shift+b Caps c", ['type "Abc"']),
    ("de", "ü Shift+ö ß Shift+ß z", ['type "üÖß?z"']),
    ("fr", "a é Shift+é ù Shift+à", ['type "aé2ù0"']),
    ("ru", "п р Shift+и", ['type "прИ"']),
    ("us", "a Space b", ['type "a b"']),
    # AltGr
    ("de", "RAlt+q RAlt+7 RAlt+e RAlt+ß", ['type "@{€\\"']),
    ("fr", "RAlt+à RAlt+( RAlt+e RAlt+=", ['type "@[€}"']),
    ("de", "Ctrl+Alt+q", ['type "@"']),  # to Windows the same
    ("de", "RAlt+r", []),  # no third level
    ("us", "RAlt+a", ["key Alt+A"]),
    ("us", "RAlt+Tab", ["key Alt+Tab"]),
    ("us", "RAlt", ["key Alt"]),
    # Dead keys
    ("de", "^ e", ['type "ê"']),
    ("de", "´ Shift+e", ['type "É"']),
    ("de", "Shift+´ a", ['type "à"']),
    ("de", "^ Space", ['type "^"']),
    ("de", "^ ^", ['type "^^"']),
    ("de", "^ x", ['type "^x"']),
    ("fr", "^ o t e", ['type "ôte"']),
    ("fr", "Shift+^ i", ['type "ï"']),
    ("fr", "RAlt+é n", ['type "ñ"']),
    # Combinations
    ("us", "Ctrl+c Ctrl+Shift+t", ["key Ctrl+C", "key Ctrl+Shift+T"]),
    ("us", "Ctrl+= Ctrl+- Ctrl+, Ctrl+.", ["key Ctrl+=", "key Ctrl+-", "key Ctrl+,", "key Ctrl+."]),
    ("us", "Ctrl+[ Ctrl+] Ctrl+;", ["key Ctrl+[", "key Ctrl+]", "key Ctrl+;"]),
    ("us", "Ctrl+/ Ctrl+' Ctrl+` Ctrl+\\", ["key Ctrl+/", "key Ctrl+'", "key Ctrl+`", "key Ctrl+\\"]),
    ("de", "Ctrl+plus Ctrl+- Ctrl+# Ctrl+ü", ["key Ctrl+Plus", "key Ctrl+-", "key Ctrl+#", "key Ctrl+Ü"]),
    ("de", "Ctrl+^", ["key Ctrl+^"]),
    ("fr", "Ctrl+; Ctrl+! Ctrl+&", ["key Ctrl+;", "key Ctrl+!", "key Ctrl+1"]),
    ("us", "Ctrl+5", ["key Ctrl+5"]),
    ("ru", "Ctrl+с", ["key Ctrl+C"]),
    ("us", "Win+r Alt+f", ["key Meta+R", "key Alt+F"]),
    ("us", "Shift+Tab Ctrl+Enter Ctrl+Left", ["key Shift+Tab", "key Ctrl+Enter", "key Ctrl+ArrowLeft"]),
    ("de", "Ctrl+Alt+r", ["key Ctrl+Alt+R"]),
    # Number pad and keys without a character
    ("us", "Num1 Num2 Num. Num5", ['type "12.5"']),
    ("de", "Num3 Num. Num5 Num* Num2 Num- Num1", ['type "3,5*2-1"']),
    ("us", "Num8 Num/ Num4 Numplus Num0", ['type "8/4+0"']),
    ("us", "Ctrl+Num0 Ctrl+Numplus Ctrl+Num-", ["key Ctrl+0", "key Ctrl+Plus", "key Ctrl+-"]),
    ("us", "NumEnter Ins Del", ["key Enter", "key Insert", "key Delete"]),
    ("us", "a Clear Browser b", ['type "ab"']),
    ("us", "NumLock Num5 NumLock", ['type "5"']),
]

MAC = [
    # Text
    ("us", "Shift+h e Shift+1", ['type "He!"']),
    ("us", "Caps a Shift+b Caps c", ['type "ABc"']),
    ("de", "ü Shift+ö ß Shift+ß z", ['type "üÖß?z"']),
    ("fr", "a é Shift+é ù Shift+à", ['type "aé2ù0"']),
    ("ru", "п р Shift+и", ['type "прИ"']),
    # Option
    ("de", "Option+l", ['type "@"']),
    ("de", "Option+5 Option+6 Option+7 Option+8 Option+9", ['type "[]|{}"']),
    ("de", "Option+Shift+7", ['type "\\"']),
    ("de", "a ROption+l b Option+e", ['type "a@b€"']),
    ("fr", "Shift+( Option+( Option+Shift+(", ['type "5{["']),
    ("us", "Option+8 Shift+Option+8 Option+p", ['type "•°π"']),
    ("us", "Option+Left Option", ["key Alt+ArrowLeft", "key Alt"]),
    ("us", "Option+Back Option+Space", ["key Alt+Backspace", "key Space"]),
    # Dead keys
    ("de", "^ e", ['type "ê"']),
    ("de", "´ Shift+e", ['type "É"']),
    ("de", "Option+u Shift+o", ['type "Ö"']),
    ("de", "^ Space a", ['type "^a"']),
    ("de", "^ x", ['type "^x"']),
    ("us", "Option+e e Option+n n", ['type "éñ"']),
    ("us", "Option+i u Option+` a", ['type "ûà"']),
    ("fr", "^ o t e Shift+^ i", ['type "ôteï"']),
    # Combinations
    ("us", "Cmd+c Cmd+Shift+z", ["key Meta+C", "key Shift+Meta+Z"]),
    ("us", "Cmd+= Cmd+- Cmd+, Cmd+[", ["key Meta+=", "key Meta+-", "key Meta+,", "key Meta+["]),
    ("de", "Cmd+plus Cmd+- Cmd+ü", ["key Meta+Plus", "key Meta+-", "key Meta+Ü"]),
    ("us", "Ctrl+a Ctrl+- Ctrl+5", ["key Ctrl+A", "key Ctrl+-", "key Ctrl+5"]),
    ("de", "Ctrl+- Ctrl+ö", ["key Ctrl+-", "key Ctrl+Ö"]),
    ("ru", "Cmd+с Ctrl+с", ["key Meta+C", "key Ctrl+C"]),
    ("us", "Cmd+Option+i", ["key Alt+Meta+I"]),
    ("us", "Shift+Tab Ctrl+Tab", ["key Shift+Tab", "key Ctrl+Tab"]),
    # Number pad and keys that Apple's keyboards have not
    ("us", "Num1 Num. Num5 Numplus Num2 Num=", ['type "1.5+2="']),
    ("us", "NumEnter Help Menu", ["key Enter", "key Insert", "key Menu"]),
    ("us", "a Clear Eisu b", ['type "ab"']),
    ("us", "Cmd+Numplus Cmd+Num0", ["key Meta+Plus", "key Meta+0"]),
    ("us", "Fn VolumeUp", ["key VolumeUp"]),
]


@pytest.mark.parametrize("shared", [False, True], ids=["dead keys each", "dead keys shared"])
@pytest.mark.parametrize(("layout", "words", "expected"), WINDOWS)
def test_a_key_of_windows(
    monkeypatch: pytest.MonkeyPatch, layout: str, words: str, expected: list[str], shared: bool
) -> None:
    system = win32_system.install(monkeypatch, layout)
    system.shares_dead_keys = shared
    events = watched(system, lambda: system.keys(words))
    assert gestures(events) == expected
    assert sorted(event.key for event in events if event.kind == "key_down") == sorted(
        event.key for event in events if event.kind == "key_up"
    ), "each key that went down comes up under the same name"


@pytest.mark.parametrize("dead_keys", ["silent", "composed", "spacing"])
@pytest.mark.parametrize(("layout", "words", "expected"), MAC)
def test_a_key_of_a_mac(
    monkeypatch: pytest.MonkeyPatch, layout: str, words: str, expected: list[str], dead_keys: str
) -> None:
    system = darwin_system.install(monkeypatch, layout)
    system.dead_keys = dead_keys
    events = watched(system, lambda: system.keys(words))
    assert gestures(events) == expected
    assert sorted(event.key for event in events if event.kind == "key_down") == sorted(
        event.key for event in events if event.kind == "key_up"
    )


def test_dead_keys_of_the_program_in_front_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    system = win32_system.install(monkeypatch, "de")
    before: list[int] = []

    def play() -> None:
        before.append(system.wrote_dead_keys)  # pynput's own table is made when a listener is
        system.keys("^ e ^ x Ctrl+^")

    watched(system, play)
    assert before == [system.wrote_dead_keys]


def test_the_layout_of_the_window_in_front_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    system = win32_system.install(monkeypatch, "us")

    def play() -> None:
        system.keys("y ;")
        system.layout = win32_system.LAYOUTS["de"]
        system.keys("z ö")

    assert gestures(watched(system, play)) == ['type "y;zö"']


@pytest.mark.parametrize("platform", INSTALL)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("😀", ['type "😀"']),
        ("zhōng中😀é", ['type "zhōng中😀é"']),
        ("a\ud83db", ['type "ab"']),
        ("\udc00", []),
    ],
)
def test_characters_without_a_key(
    monkeypatch: pytest.MonkeyPatch, platform: str, text: str, expected: list[str]
) -> None:
    system = INSTALL[platform](monkeypatch)

    def play() -> None:
        for char in text:
            system.packet(char)

    events = watched(system, play)
    assert gestures(events) == expected
    for event in events:
        f"{event.key}{event.char}".encode()  # nothing that cannot be stored


def test_an_emoji_while_ctrl_is_held_is_still_text(monkeypatch: pytest.MonkeyPatch) -> None:
    system = win32_system.install(monkeypatch)

    def play() -> None:
        system.key("Ctrl", pressed=True)
        system.packet("😀")
        system.key("Ctrl", pressed=False)

    assert gestures(watched(system, play)) == ['type "😀"']


def test_a_layout_that_is_switched_to_in_mid_recording_counts_on_a_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    system = darwin_system.install(monkeypatch, "de")

    def switch() -> None:
        system.keys("x")
        system.layout = darwin_system.LAYOUTS["us"]
        system.keys("= 1")
        # The main thread comes to it.
        system.main_blocks.get(timeout=20)()
        system.keys("Cmd+=")

    assert gestures(watched(system, switch)) == ['type "x=1"', "key Meta+="]


def test_a_character_in_two_events_of_a_mac_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    system = darwin_system.install(monkeypatch)

    def play() -> None:
        system.packet("\ud83d")
        system.packet("\ude00")

    assert gestures(watched(system, play)) == ['type "😀"']


def test_a_modifier_of_the_other_side_stays_down(monkeypatch: pytest.MonkeyPatch) -> None:
    system = darwin_system.install(monkeypatch)

    def play() -> None:
        for name, pressed in (("Shift", True), ("RShift", True), ("Shift", False), ("RShift", False)):
            system.key(name, pressed=pressed)

    events = watched(system, play)
    assert [event.kind for event in events] == ["key_down", "key_down", "key_up", "key_up"]


@pytest.mark.parametrize(("platform", "modifier", "lone"), [("win32", "Win", "Meta"), ("darwin", "Cmd", "Meta")])
@pytest.mark.parametrize("by_mouse", [False, True])
def test_a_modifier_that_came_up_behind_the_lock_screen_is_up(
    monkeypatch: pytest.MonkeyPatch, platform: str, modifier: str, lone: str, by_mouse: bool
) -> None:
    system = INSTALL[platform](monkeypatch)

    def play() -> None:
        system.key(modifier, pressed=True)
        system.lock()
        if by_mouse:
            left = {"win32": 1, "darwin": 0}[platform]
            system.button(left, pressed=True)
            system.button(left, pressed=False)
        system.keys("a")

    click = ["click 0,0"] if by_mouse else []
    assert gestures(watched(system, play)) == [f"key {lone}", *click, 'type "a"']


@pytest.mark.parametrize("key", ["q", "e", "r", "7"])
def test_a_hot_key_fires_although_altgr_gives_its_key_a_third_character(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    system = win32_system.install(monkeypatch, "de")
    events = watched(system, lambda: system.keys(f"Ctrl+Alt+{key} a"))
    detector = HotkeyDetector({"start_stop": f"Ctrl+Alt+{key.upper()}"})
    fed = [detector.feed(event) for event in events]
    assert [meaning for meaning, _ in fed if meaning] == ["start_stop"]
    left = [event for event, (_, is_hotkey) in zip(events, fed, strict=True) if not is_hotkey]
    assert gestures(left) == ['type "a"']


@pytest.mark.parametrize("delta", [3, 30, 120, 240])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("sideways", [False, True])
def test_a_wheel_of_windows_turns_as_far_in_both_directions(
    monkeypatch: pytest.MonkeyPatch, delta: int, sign: int, sideways: bool
) -> None:
    system = win32_system.install(monkeypatch)

    def play() -> None:
        for _ in range(720 // delta):
            system.wheel(sign * delta, sideways=sideways)

    events = watched(system, play)
    assert sum(event.dx if sideways else event.dy for event in events) == sign * 6
    assert sum(event.dy if sideways else event.dx for event in events) == 0
    word = ("right" if sign > 0 else "left") if sideways else ("up" if sign > 0 else "down")
    assert gestures(events) == [f"scroll {word} 6 @0,0"]


@pytest.mark.parametrize(("part", "continuous"), [(3, False), (30, False), (120, False), (3, True), (30, True)])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("sideways", [False, True])
def test_a_wheel_of_a_mac_turns_as_far_in_both_directions(
    monkeypatch: pytest.MonkeyPatch, part: int, sign: int, continuous: bool, sideways: bool
) -> None:
    """A part of a line in 120; where it is none, the event's whole lines are 0."""
    system = darwin_system.install(monkeypatch)

    def play() -> None:
        for _ in range(720 // part):
            fixed = sign * (part * 65536 // 120)
            system.wheel(lines=sign * (part // 120), fixed=fixed, continuous=continuous, sideways=sideways)

    events = watched(system, play)
    # A Mac counts up and to the left.
    assert sum(event.dx if sideways else event.dy for event in events) == sign * (-6 if sideways else 6)


def test_an_accelerated_notch_of_a_mac_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    system = darwin_system.install(monkeypatch)

    def play() -> None:
        for _ in range(3):
            system.wheel(lines=1, fixed=6554, points=1)

    events = watched(system, play)
    assert gestures(events) == ["scroll up 3 @0,0"]


def test_a_touch_pad_that_tells_only_points_scrolls(monkeypatch: pytest.MonkeyPatch) -> None:
    system = darwin_system.install(monkeypatch)

    def play() -> None:
        for _ in range(10):
            system.wheel(points=-2, continuous=True)

    events = watched(system, play)
    assert gestures(events) == ["scroll down 2 @0,0"]


def test_a_notch_counts_when_it_begins_and_a_rest_is_forgotten() -> None:
    wheel = WheelSum(120)
    assert [wheel.add(30, 0) for _ in range(5)] == [1, 0, 0, 0, 1]
    assert wheel.add(-30, 0) == -1, "the other direction begins anew"
    assert wheel.add(-30, 2_000_000_000) == -1, "and so does a turn after a pause"
    assert wheel.add(0, 2_000_000_000) == 0
    trembling = WheelSum(120)
    assert [trembling.add(3 if n % 2 else -3, 0) for n in range(6)] == [0] * 6


def test_halves_and_accents() -> None:
    joiner = SurrogateJoiner()
    assert [joiner.join(text) for text in ("\ud83d", "\ude00", "a\ud83d", "b", "\ude00")] == ["", "😀", "a", "b", ""]
    assert [compose(*pair) for pair in ("¨u", "~n", "'c", "¸s", "°a", "ˇc", '"o', "´x", "^ ")] == [
        "ü", "ñ", "ç", "ş", "å", "č", "ö", "´x", "^",
    ]  # fmt: skip
