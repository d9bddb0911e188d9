"""What a person types on a real X server, and how it is recorded: layouts, accents, locks, held and unknown keys."""

from __future__ import annotations

import ctypes
import subprocess
import threading
from collections.abc import Callable, Generator
from typing import Any

import pytest

from demopack.domain.events import InputEvent
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import Gesture, GestureThresholds
from recorder.backends import open_input
from recorder.backends.x11.keymap import KeyboardMap
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.injector import Injector
from tests.support.notation import render
from tests.support.x_servers import XServer

pytestmark = pytest.mark.e2e

_CORE_KEYBOARD = 0x100
# python-xlib knows these only in groups of its own.
_KEYSYMS = {
    "dead_acute": 0xFE51, "ISO_Level3_Shift": 0xFE03, "XF86MonBrightnessUp": 0x1008FF02,
}  # fmt: skip


@pytest.fixture(scope="module")
def screen() -> Generator[PrivateDisplay]:
    with PrivateDisplay(width=400, height=300, window_manager=False) as display:
        yield display


class Keyboard:
    """Somebody at the keys, and what the recorder hears of it."""

    def __init__(self, screen: PrivateDisplay, *layout: str) -> None:
        self.screen = screen
        self.layout("-option", "")
        self.layout(*(layout or ("us",)))
        self.person = Injector(screen.name, key_s=0.004, between_s=0.004)
        self._events: list[InputEvent] = []
        self._condition = threading.Condition()
        self._source = open_input(screen.name)
        self._source.start(self._hear)

    def __enter__(self) -> Keyboard:
        return self

    def __exit__(self, *_: object) -> None:
        self._source.stop()
        self.person.close()

    def _hear(self, event: InputEvent) -> None:
        with self._condition:
            self._events.append(event)
            self._condition.notify_all()

    def layout(self, *arguments: str) -> None:
        subprocess.run(["setxkbmap", *arguments], env=self.screen.environment(), check=True)

    def tap(self, *keys: str | int) -> None:
        """Keys by X11 name, with ``+`` together, or by key code."""
        for key in keys:
            codes = [key] if isinstance(key, int) else [self.code(name) for name in key.split("+")]
            for code in codes:
                self.person._fake(self.person._x.KeyPress, code)
            for code in reversed(codes):
                self.person._fake(self.person._x.KeyRelease, code)

    def hold(self, key: str, *, until: int) -> None:
        """Until the key has been heard so often."""
        code = self.code(key)
        with self._condition:
            before = sum(event.kind == "key_down" for event in self._events)
            self.person.repeats(True)
            self.person._fake(self.person._x.KeyPress, code)
            enough = self._condition.wait_for(
                lambda: sum(event.kind == "key_down" for event in self._events) >= before + until, timeout=20
            )
            self.person._fake(self.person._x.KeyRelease, code)
            self.person.repeats(False)
        assert enough

    def code(self, name: str) -> int:
        keysym = _KEYSYMS.get(name) or self.person._keysym(name)
        assert keysym, name
        # Each key is looked up anew: layouts come and go here.
        code = self._connection().keysym_to_keycode(keysym)
        assert code, name
        return int(code)

    def _connection(self) -> Any:
        connection = self.person._display
        first = connection.display.info.min_keycode
        connection._update_keymap(first, connection.display.info.max_keycode - first + 1)
        return connection

    def gestures(self) -> list[Gesture]:
        """What has been done; a last move shows that nothing is still on its way."""
        self.person.move(399, 299, steps=1)
        with self._condition:
            assert self._condition.wait_for(
                lambda: any(e.kind == "move" and (e.x, e.y) == (399, 299) for e in self._events), timeout=20
            )
            return reduce_all(self._events, GestureThresholds())

    def heard(self) -> list[str]:
        """The same, in the recorder's notation."""
        return [render(gesture) for gesture in self.gestures()]


@pytest.mark.parametrize(
    "text",
    [
        "two  spaces and a Tail ",
        "MiXeD & (shifted) ~!@#",
        "é ß 中文 Ω ñ",
        "smile 😀🏴 and \U0001d518",
        "¿¡ «quoted» … €",
    ],
)
def test_a_text_that_a_program_types(screen: PrivateDisplay, text: str) -> None:
    with Keyboard(screen) as keyboard:
        subprocess.run(["xdotool", "type", "--delay", "1", text], env=screen.environment(), check=True)
        assert keyboard.heard() == [f'type "{text}"']


def test_a_correction_in_mid_burst(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        keyboard.person.type("Strasse")
        keyboard.tap("BackSpace", "BackSpace", "BackSpace")
        keyboard.person.type("ße 中文")
        keyboard.tap("BackSpace")
        keyboard.person.type("国")
        assert keyboard.heard() == ['type "Straße 中国"']


def test_dead_keys(screen: PrivateDisplay) -> None:
    with Keyboard(screen, "us", "-variant", "intl") as keyboard:
        keyboard.tap(
            "c", "a", "f", "dead_acute", "e", "space", "Shift_L+dead_acute", "Shift_L+o", "dead_acute", "space"
        )
        assert keyboard.heard() == ["""type "café Ö'\""""]


def test_compose_sequences(screen: PrivateDisplay) -> None:
    with Keyboard(screen, "us", "-option", "compose:ralt") as keyboard:
        keyboard.tap("x", "Multi_key", "o", "c", "Multi_key", "apostrophe", "e", "Multi_key", "s", "s", "y")
        # A sequence that does not exist types nothing.
        keyboard.tap("Multi_key", "q", "z")
        assert keyboard.heard() == ['type "x©éßyz"']


def test_the_third_and_fourth_level(screen: PrivateDisplay) -> None:
    with Keyboard(screen, "de") as keyboard:
        keyboard.tap("a", "ISO_Level3_Shift+e", "ISO_Level3_Shift+q", "ISO_Level3_Shift+Shift_L+s", "b")
        assert keyboard.heard() == ['type "a€@ẞb"']


def test_caps_lock(screen: PrivateDisplay) -> None:
    with Keyboard(screen, "de") as keyboard:
        keyboard.tap("a", "Caps_Lock", "b", "Shift_L+c", "1", "odiaeresis", "Caps_Lock", "d")
        assert keyboard.heard() == ['type "aBc1Öd"']


def test_the_keypad_with_and_without_num_lock(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        keyboard.tap(
            "KP_End", "Num_Lock", "KP_End", "KP_Insert", "KP_Delete", "KP_Add", "KP_Enter", "Num_Lock", "KP_Up"
        )
        assert keyboard.heard() == ["key End", 'type "10.+"', "key Enter", "key ArrowUp"]


def test_another_layout_in_mid_word(screen: PrivateDisplay) -> None:
    with Keyboard(screen, "us") as keyboard:
        key = keyboard.code("y")
        found = ""
        for layout, char in (("de", "z"), ("us", "y"), ("fr", "y"), ("ru", "н"), ("gr", "\u03c5"), ("us", "y")):
            keyboard.tap(key)
            keyboard.layout(layout)
            keyboard.tap(key)
            found = found + found[-1:] + char if found else "y" + char
            keyboard.gestures()
        assert keyboard.heard() == [f'type "{found}"']


def test_another_group_in_mid_word(screen: PrivateDisplay) -> None:
    library = ctypes.CDLL("libX11.so.6")
    library.XOpenDisplay.restype = ctypes.c_void_p
    library.XkbLockGroup.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    library.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.XCloseDisplay.argtypes = [ctypes.c_void_p]
    with Keyboard(screen, "us,ru,gr,de") as keyboard:
        connection = library.XOpenDisplay(screen.name.encode())
        key = keyboard.code("y")
        # No pause at all: the group is a part of each event.
        for group in (0, 1, 2, 3, 0, 2, 1):
            library.XkbLockGroup(connection, _CORE_KEYBOARD, group)
            library.XSync(connection, 0)
            keyboard.tap(key)
        library.XkbLockGroup(connection, _CORE_KEYBOARD, 0)
        library.XCloseDisplay(connection)
        assert keyboard.heard() == ['type "yн\u03c5zy\u03c5н"']


def test_a_key_that_is_lent_a_character_and_taken_back(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        keyboard.person.type("a中b文c")
        keyboard.person.type("中")
        assert keyboard.heard() == ['type "a中b文c中"']


def test_keys_that_nobody_knows_stop_nothing(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        unused = keyboard.person._spare
        keyboard.tap("a", "XF86MonBrightnessUp", "b")
        keyboard.tap(unused, "c", "Control_L+c")
        assert keyboard.heard() == ['type "ab\ufffdc"', "key Ctrl+C"]


def test_held_keys(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        keyboard.hold("Down", until=4)
        keyboard.tap("Down", "Down")
        keyboard.hold("a", until=4)
        keyboard.tap("BackSpace", "BackSpace")
        keyboard.person.hold("ctrl")
        keyboard.hold("z", until=4)
        keyboard.person.let_go("ctrl")
        assert len(keyboard.heard()) == 5, keyboard.heard()
        down, one, two, text, undo = keyboard.gestures()
    assert (down.key_info, one.key_info, two.key_info, undo.key_info) == ("ArrowDown",) * 3 + ("Ctrl+Z",)
    assert down.presses >= 4
    assert (one.presses, two.presses) == (1, 1)
    assert undo.presses >= 4
    assert set(text.text) == {"a"}


def test_side_buttons_and_a_long_press(screen: PrivateDisplay) -> None:
    with Keyboard(screen) as keyboard:
        subprocess.run(["xdotool", "click", "8", "click", "9"], env=screen.environment(), check=True)
        keyboard.person.move(50, 60)
        keyboard.person.press()
        keyboard.person.wait(1.0)
        keyboard.person.release()
        back, forward, long = keyboard.gestures()
    assert (render(back), render(forward)) == ("key Alt+ArrowLeft", "key Alt+ArrowRight")
    assert (long.kind, long.click_type, long.x, long.y) == ("click", "single", 50, 60)
    assert long.hold_s is not None
    assert long.hold_s >= 1.0


@pytest.mark.parametrize("room", [0, 3, 200], ids=["nothing", "too short", "too long"])
def test_a_broken_request_of_another_program_costs_nothing(screen: PrivateDisplay, room: int) -> None:
    """The server refuses it; the hook hears it before."""
    from Xlib import display
    from Xlib.protocol import rq

    class Broken(rq.Request):  # type: ignore[misc]
        _request = rq.Struct(
            rq.Opcode(100), rq.Card8("count"), rq.RequestLength(), rq.Card8("first"), rq.Card8("width"), rq.Pad(2),
            rq.List("keysyms", rq.Card32Obj),
        )  # fmt: skip

    with Keyboard(screen) as keyboard:
        keyboard.person.type("ab")
        other = display.Display(screen.name)
        other.set_error_handler(lambda *_: None)
        code = keyboard.code("c")
        Broken(display=other.display, count=40, first=code, width=2, keysyms=[0x78] * room)
        other.sync()
        other.close()
        keyboard.person.type("cd")
        assert keyboard.heard() == ['type "abcd"']
        assert keyboard._source.error is None
        assert keyboard._source.unreadable == 0


def test_an_event_that_cannot_be_read_is_left_out_and_counted(
    screen: PrivateDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Keyboard(screen) as keyboard:
        read: Callable[..., tuple[str, str]] = keyboard._source._read_key  # type: ignore[attr-defined]
        bad = keyboard.code("b")

        def fail(keycode: int, state: int, *, pressed: bool) -> tuple[str, str]:
            if keycode == bad and pressed:
                raise ValueError("nobody knows this key")
            return read(keycode, state, pressed=pressed)

        monkeypatch.setattr(keyboard._source, "_read_key", fail)
        keyboard.person.type("abc")
        assert keyboard.heard() == ['type "ac"']
        assert (keyboard._source.unreadable, keyboard._source.error) == (1, None)


def test_the_hook_asks_the_server_nothing(screen: PrivateDisplay, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    read = KeyboardMap.read

    def noted(name: str) -> KeyboardMap:
        threads.append(threading.current_thread().name)
        return read(name)

    with Keyboard(screen, "us") as keyboard:
        monkeypatch.setattr(KeyboardMap, "read", noted)
        key = keyboard.code("y")
        keyboard.layout("de")
        keyboard.tap(key)
        assert keyboard.heard() == ['type "z"']
    assert set(threads) == {"x11-input reader"}


def test_a_source_that_dies_says_so() -> None:
    with XServer() as server:
        source = open_input(server.name)
        source.start(lambda _: None)
        assert source.error is None
        server.process.kill()
        until(lambda: source.error is not None, "nobody says that input has ended", timeout_s=5)
        assert "no longer be watched" in str(source.error)
        source.stop()


def test_a_callback_that_fails_ends_the_source(screen: PrivateDisplay) -> None:
    def fail(_: InputEvent) -> None:
        raise RuntimeError("the session")

    source = open_input(screen.name)
    source.start(fail)
    with Injector(screen.name) as person:
        person.move(50, 50, steps=1)
    until(lambda: source.error is not None, "nobody says that input has ended", timeout_s=5)
    assert source.error is not None
    assert "RuntimeError: the session" in (source.error.details or "")
    source.stop()
    source.stop()
