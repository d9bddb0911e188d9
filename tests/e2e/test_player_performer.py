"""The X11 performer, judged by a real window's own state."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from demopack.errors import CaptureError, ReplayError
from player.backends.x11 import X11Performer
from recorder.desktop.private_display import PrivateDisplay
from tests.support.target_window import TargetWindow

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def display() -> Iterator[PrivateDisplay]:
    with PrivateDisplay() as screen:
        yield screen


@pytest.fixture(scope="module")
def window(display: PrivateDisplay) -> Iterator[TargetWindow]:
    with TargetWindow(display) as opened:
        yield opened


@pytest.fixture
def performer(display: PrivateDisplay, window: TargetWindow) -> Iterator[X11Performer]:
    with X11Performer(display.name) as opened:
        yield opened


def focus(window: TargetWindow, performer: X11Performer, name: str) -> None:
    presses = window.state["presses"]
    # Never twice at the same place: that would be a double click.
    box = window.place(name)
    performer.move(box.x1 + 8 + 16 * (presses % 8), box.center.y)
    performer.press("left")
    performer.release("left")
    window.wait_for(lambda s: s["focus"] == name and s["presses"] > presses)


def focus_empty(window: TargetWindow, performer: X11Performer, name: str) -> None:
    focus(window, performer, name)
    for chord in (["Ctrl", "A"], ["Delete"]):
        for key in chord:
            performer.key_down(key)
        for key in reversed(chord):
            performer.key_up(key)
    window.wait_for(lambda s: s[name] == "")


def many_signs() -> str:
    # Five times as many different signs as the keyboard has spare keys, each several times and far apart.
    signs = [chr(0x4E00 + n) for n in range(100)] * 3
    random.Random(7).shuffle(signs)
    return "".join(signs)


TEXTS = {
    "ascii": "The quick brown fox; 0123456789 ~`!@#$%^&*()_+-={}[]|\\:\";'<>?,./",
    "latin": "é ß ÄÖÜ ñ Ł ø € — “quoted” …",
    "scripts": "中文字 привет Ελλάδα 日本語 עברית",
    "emoji": "😀 🇫🇷 👩‍👧 done",
    "case": "aAaAbBcC" * 25,
    "doubles": "aabbccdd  ééé中中",
    "lines": "one\ntwo\n\tthree",
    "many signs": many_signs(),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_text_arrives_as_it_is(text: str, window: TargetWindow, performer: X11Performer) -> None:
    focus_empty(window, performer, "area")
    performer.type_text(text)
    # The performer waits until the program has read the text, so nothing more can come.
    assert window.wait_for(lambda s: len(s["area"]) >= len(text))["area"] == text


def test_caps_lock_does_not_change_the_text(window: TargetWindow, performer: X11Performer) -> None:
    focus_empty(window, performer, "field")
    performer.key_down("CapsLock")
    performer.key_up("CapsLock")
    performer.type_text("Éé aA")
    assert window.wait_for(lambda s: len(s["field"]) >= 5)["field"] == "Éé aA"
    performer.key_down("X")
    performer.key_up("X")
    assert window.wait_for(lambda s: len(s["field"]) >= 6)["field"] == "Éé aAX"  # Caps Lock is on again


def test_a_line_feed_is_enter(window: TargetWindow, performer: X11Performer) -> None:
    focus_empty(window, performer, "field")
    performer.type_text("name\n")
    window.wait_for(lambda s: "field submitted" in s["keys"])


def test_text_that_no_key_makes_is_refused_whole(window: TargetWindow, performer: X11Performer) -> None:
    focus_empty(window, performer, "field")
    with pytest.raises(ReplayError, match=r"U\+0007"):
        performer.type_text("ab\x07")
    performer.type_text("c")
    assert window.wait_for(lambda s: s["field"])["field"] == "c"


@pytest.mark.parametrize(
    ("names", "seen"),
    [
        (["Ctrl", "Shift", "T"], "ctrl+shift+T"),
        (["Alt", "F5"], "alt+F5"),
        (["Escape"], "Escape"),
        (["PageDown"], "PageDown"),
        (["Ctrl", "Plus"], "ctrl+shift+Plus"),
        (["Meta", "ArrowLeft"], "meta+Left"),
    ],
)
def test_keys_arrive_with_their_modifiers(
    names: list[str], seen: str, window: TargetWindow, performer: X11Performer
) -> None:
    focus(window, performer, "button")
    for name in names:
        performer.key_down(name)
    for name in reversed(names):
        performer.key_up(name)
    assert seen in window.wait_for(lambda s: seen in s["keys"])["keys"]


def test_the_pointer_clicks_drags_and_scrolls(window: TargetWindow, performer: X11Performer) -> None:
    pad = window.center("pad")
    performer.move(pad.x, pad.y)
    assert performer.position() == pad
    performer.key_down("Ctrl")
    performer.press("right")
    performer.release("right")
    performer.key_up("Ctrl")
    window.wait_for(lambda s: s["pad"] == ["ctrl+press+right", "ctrl+release+right"])
    rows = window.center("list")
    performer.move(rows.x, rows.y)
    performer.scroll(dy=-3)
    window.wait_for(lambda s: s["scroll"] == 9)  # three lines a notch
    performer.scroll(dy=1)
    window.wait_for(lambda s: s["scroll"] == 6)


def test_the_spare_keys_are_given_back(display: PrivateDisplay, window: TargetWindow) -> None:
    from Xlib import display as x

    connection = x.Display(display.name)
    try:
        before = connection.get_keyboard_mapping(8, 248)
        with X11Performer(display.name) as performer:
            focus_empty(window, performer, "field")
            performer.type_text("é中😀")
            window.wait_for(lambda s: s["field"] == "é中😀")
            assert connection.get_keyboard_mapping(8, 248) != before
        assert connection.get_keyboard_mapping(8, 248) == before
    finally:
        connection.close()


def test_held_keys_and_buttons_are_let_go(display: PrivateDisplay, window: TargetWindow) -> None:
    with X11Performer(display.name) as watcher:
        with X11Performer(display.name) as performer:
            performer.key_down("Shift")
            performer.key_down("K")
            performer.press("left")
            assert performer.foreign_keys() == frozenset()
            assert watcher.foreign_keys() == {"Shift", "K"}
            assert watcher.foreign_buttons() == {"left"}
        assert watcher.foreign_keys() == frozenset()
        assert watcher.foreign_buttons() == frozenset()


def test_another_layout_types_the_same(display: PrivateDisplay, window: TargetWindow, performer: X11Performer) -> None:
    for layout in ("de", "ru,us", "us"):
        subprocess.run(["setxkbmap", "-display", display.name, layout], check=True)
        focus_empty(window, performer, "area")
        text = f"{layout}: zY@é/Ж ok"
        performer.type_text(text)
        window.wait_for(lambda s, text=text: s["area"] == text)


# python-xlib leaves its sockets open when nobody answers.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_server_is_said_clearly() -> None:
    with pytest.raises(CaptureError, match="cannot be reached"):
        X11Performer(":987")
    gc.collect()


def test_the_adapter_for_other_systems_does_the_same(display: PrivateDisplay, window: TargetWindow) -> None:
    """pynput speaks to X11 too, so the adapter that Windows and macOS use can be tried here."""
    with X11Performer(display.name) as performer:
        focus_empty(window, performer, "field")
    pad = window.center("pad")
    program = f"""
from player.backends.pynput_performer import PynputPerformer
with PynputPerformer() as performer:
    performer.type_text("Ada é", interval_s=0.02)
    performer.key_down("Ctrl"); performer.key_down("F5"); performer.key_up("F5"); performer.key_up("Ctrl")
    performer.move({pad.x}, {pad.y})
    performer.press("right"); performer.release("right")
    assert (performer.position().x, performer.position().y) == ({pad.x}, {pad.y})
    performer.key_down("Shift")
"""
    pressed = len(window.state["pad"])
    subprocess.run([sys.executable, "-c", program], env=display.environment(), check=True, timeout=30)
    state = window.wait_for(lambda s: len(s["pad"]) >= pressed + 2)
    assert state["field"] == "Ada é"
    assert "ctrl+F5" in state["keys"]
    assert state["pad"][pressed:] == ["press+right", "release+right"]
    with X11Performer(display.name) as performer:
        assert performer.foreign_keys() == frozenset()
