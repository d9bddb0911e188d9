"""Input on X11 through the XTEST extension, and what it goes to: the window with the server's own input focus."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from typing import Any, Final

from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError, ReplayError
from player.backends.base import InputCheck, Performer, nothing_to_check
from player.backends.x11_keys import (
    CAPS_LOCK,
    SHIFT,
    SIGNS,
    KeyTable,
    SpareKeys,
    Stroke,
    key_keysym,
    keysym_name,
    text_keysyms,
)
from recorder.backends.x11.ping import PingMessages
from recorder.backends.x11.windows import app_of, box_of
from recorder.backends.x11.xlib import open_display, property_of, title_of, xlib

_BUTTONS: Final[dict[Button, int]] = {"left": 1, "middle": 2, "right": 3}
_WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
_DEEPEST: Final = 32  # windows inside each other, from what has the focus up to the root
_LOCK_MASK: Final = 1 << 1
_WITHOUT_ANSWER_S: Final = 0.06  # for programs that do not know the ping
_POLL_S: Final = 0.002
_ANSWER_S: Final = 2.0


class X11Performer(Performer):
    """One connection to an X server. What has the focus it asks the server: a window manager's news may be late.

    A spare key keeps the character it was lent until the end, or until it is needed for another one: programs read the
    keyboard mapping when they get round to it, so a mapping that is taken back at once is a lost character.

    Args:
        display: for instance ``:0``; None takes ``$DISPLAY``.

    Raises:
        CaptureError: there is no X server, or it has no XTEST.
    """

    sees_keys = True
    sees_focus = True

    def __init__(self, display: str | None = None) -> None:
        self._display = open_display(display)
        if not self._display.has_extension("XTEST"):
            self._display.close()
            raise CaptureError(
                "This X server does not let programs press keys: it has no XTEST extension.",
                hint="Replay on another display.",
            )
        self._x = xlib("X")
        self._gone: type[Exception] = xlib("error").XError
        self._root = self._display.screen().root
        self._pings = PingMessages(self._display)
        self._pings.listen(on=True)
        self._ping_number = 0
        self._named: dict[str, list[int]] = {}
        self._down: list[int] = []
        self._buttons: set[Button] = set()
        self._original: dict[int, tuple[int, ...]] = {}
        self._names: dict[int, str] = {}
        self._spare = SpareKeys(())
        self._closed = False
        self._renew()

    # Pointer ----------------------------------------------------------------------------------------------------

    def position(self) -> Point:
        """Where the pointer is on the virtual desktop."""
        answer = self._root.query_pointer()
        return Point(answer.root_x, answer.root_y)

    def move(self, x: int, y: int) -> None:
        """Put the pointer there at once."""
        self._fake(self._x.MotionNotify, x=x, y=y)

    def press(self, button: Button) -> None:
        """Press a mouse button."""
        self._buttons.add(button)
        self._fake(self._x.ButtonPress, _button_number(button))

    def release(self, button: Button) -> None:
        """Release a mouse button."""
        self._fake(self._x.ButtonRelease, _button_number(button))
        self._buttons.discard(button)

    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        """Turn the wheel: X has a button for each direction."""
        for amount, plus, minus in ((dy, "up", "down"), (dx, "right", "left")):
            for _ in range(abs(amount)):
                check()
                number = _WHEEL[plus if amount > 0 else minus]
                self._fake(self._x.ButtonPress, number)
                self._fake(self._x.ButtonRelease, number)

    def foreign_buttons(self) -> frozenset[str]:
        """Mouse buttons that a person or another program holds down."""
        mask = self._root.query_pointer().mask
        return frozenset(
            name for name, number in _BUTTONS.items() if mask & 1 << 7 + number and name not in self._buttons
        )

    # What has the focus -----------------------------------------------------------------------------------------

    def focus_number(self) -> int:
        """The X11 number of what has the input focus; 0 and 1 are nothing, and whatever lies under the pointer."""
        focus = self._display.get_input_focus().focus
        return int(focus) if isinstance(focus, int) else int(focus.id)

    def window_number(self) -> int:
        """The X11 number of the program's window around it; 0 where nothing has the focus."""
        with contextlib.suppress(self._gone):
            client, _ = self._client()
            return 0 if client is None else int(client.id)
        return 0

    def focused_window(self) -> WindowInfo | None:
        """The program's window around what has the input focus; None where nothing has it."""
        with contextlib.suppress(self._gone):
            client, frame = self._client()
            if client is not None:
                return WindowInfo(
                    title=title_of(self._display, client),
                    app=app_of(client.get_wm_class()),
                    box=box_of(frame.get_geometry()),
                )
        return None

    def _client(self) -> tuple[Any, Any]:
        """The program's window, and the outermost window around it: the frame of the window manager, if there is one.

        The program's window is the one that the window manager marked; where it marked none, it is the outermost.
        """
        window = self._display.get_input_focus().focus
        if isinstance(window, int) or window.id == self._root.id:
            return None, None
        client = None
        for _ in range(_DEEPEST):
            if client is None and property_of(self._display, window, "WM_STATE") is not None:
                client = window
            parent = window.query_tree().parent
            if isinstance(parent, int) or parent.id == self._root.id:
                break
            window = parent
        return client or window, window

    # Single keys ----------------------------------------------------------------------------------------------

    def key_down(self, name: str) -> None:
        """Press a key; a sign that needs Shift under this layout gets it."""
        if name in self._named:
            return
        keycodes = self._keycodes(name)
        self._named[name] = []
        for keycode in keycodes:
            if keycode not in self._down:
                self._named[name].append(keycode)
                self._press(keycode)

    def key_up(self, name: str) -> None:
        """Release a key."""
        for keycode in reversed(self._named.pop(name, [])):
            self._release(keycode)

    def foreign_keys(self) -> frozenset[str]:
        """Keys that a person or another program holds down."""
        down = self._display.query_keymap()
        if not any(down):
            return frozenset()
        return frozenset(
            name
            for keycode, name in self._names.items()
            if keycode not in self._down and down[keycode >> 3] & (1 << (keycode & 7))
        )

    # The end ----------------------------------------------------------------------------------------------------

    def release_all(self) -> None:
        """Let go of everything that is down."""
        self._named.clear()
        for keycode in reversed(self._down.copy()):
            self._release(keycode)
        for button in tuple(self._buttons):
            self.release(button)

    def close(self) -> None:
        """Let go of everything, give the spare keys back, and disconnect."""
        if self._closed:
            return
        self._closed = True
        try:
            self.release_all()
            self._restore()
        finally:
            self._display.close()

    def _restore(self) -> None:
        """Give the spare keys back."""
        if not self._original:
            return
        self._wait_until_read()
        table = self._read()
        # A layout that was loaded meanwhile has given its keys back already.
        lent = [keycode for keycode, keysym in self._spare.lent().items() if table.row(keycode)[0] == keysym]
        if lent:
            self._write({keycode: self._original[keycode] for keycode in lent}, around=lent)
            self._display.sync()
        self._original.clear()

    # Text -----------------------------------------------------------------------------------------------------

    def type_text(self, text: str, *, interval_s: float = 0.0, check: InputCheck = nothing_to_check) -> None:
        """Type text; returns when the program that has the input has read it, as far as that can be told."""
        keysyms = text_keysyms(text)
        if not keysyms:
            return
        with self._without_caps_lock():
            table = self._renew()
            for chunk in self._chunks(keysyms, table):
                self._map([keysym for keysym in chunk if table.stroke(keysym) is None])
                for keysym in chunk:
                    check()
                    self._stroke(table.stroke(keysym) or Stroke(self._spare.keycode(keysym) or 0))
                    if interval_s > 0:
                        time.sleep(interval_s)
        self._wait_until_read()

    def lend_keys(self, text: str) -> None:
        """Lend keys to the characters of a text that the layout lacks; each change of it is told to every program."""
        table = self._renew()
        self._map([keysym for keysym in text_keysyms(text) if table.stroke(keysym) is None])

    @contextlib.contextmanager
    def character(self, char: str) -> Generator[None]:
        """Hold down the keys that type one character, at the caller's pace."""
        (keysym,) = text_keysyms(char)
        table = self._renew()
        if table.stroke(keysym) is None:
            self._map([keysym])
        with self._pressed(table.stroke(keysym) or Stroke(self._spare.keycode(keysym) or 0)):
            yield

    def _chunks(self, keysyms: Sequence[int], table: KeyTable) -> Iterator[list[int]]:
        """Runs that need no more spare keys than there are."""
        chunk: list[int] = []
        foreign: set[int] = set()
        for keysym in keysyms:
            if table.stroke(keysym) is None and keysym not in foreign:
                if len(foreign) == self._spare.size and chunk:
                    yield chunk
                    chunk, foreign = [], set()
                foreign.add(keysym)
            chunk.append(keysym)
        yield chunk

    def _map(self, keysyms: Sequence[int]) -> None:
        """Lend keys, and wait until the mapping is in force where the text goes."""
        changed, evicted = self._spare.lend(keysyms)
        if not changed:
            return
        if evicted:
            # What was typed with the old meaning must have been read before the key changes it.
            self._wait_until_read()
        for keycode in changed:
            self._original.setdefault(keycode, self._table.row(keycode))
        # Both levels: neither Shift nor the server's guess at a capital letter can change the character.
        self._write({keycode: (keysym, keysym) for keycode, keysym in self._spare.lent().items()}, around=changed)
        self._display.sync()
        self._wait_until_read()

    def _write(self, rows: Mapping[int, tuple[int, ...]], *, around: Collection[int]) -> None:
        """Map spare keys, in one request; keys between that are not in ``rows`` keep what they have."""
        first, last = min(around), max(around)
        width = len(self._table.row(first))
        block = [rows.get(keycode, self._table.row(keycode)) for keycode in range(first, last + 1)]
        self._display.change_keyboard_mapping(first, [(*row, *(0,) * (width - len(row))) for row in block])

    @contextlib.contextmanager
    def _without_caps_lock(self) -> Generator[None]:
        """Caps Lock off for the time being: it would turn letters into capitals."""
        caps = self._table.any_key(CAPS_LOCK)
        if caps is None or not self._root.query_pointer().mask & _LOCK_MASK:
            yield
            return
        self._stroke(Stroke(caps))
        try:
            yield
        finally:
            self._stroke(Stroke(caps))

    # Inside ---------------------------------------------------------------------------------------------------

    def _read(self) -> KeyTable:
        """The keyboard mapping as it is now; a person may have switched the layout."""
        info = self._display.display.info
        first, count = info.min_keycode, info.max_keycode - info.min_keycode + 1
        rows = [tuple(int(k) for k in row) for row in self._display.get_keyboard_mapping(first, count)]
        modifiers = {int(code) for codes in self._display.get_modifier_mapping() for code in codes if code}
        names = {keycode: keysym_name(row[0]) for keycode, row in enumerate(rows, start=first)}
        self._names = {keycode: name for keycode, name in names.items() if name is not None}
        group = (self._root.query_pointer().mask >> 13) & 3
        self._table = KeyTable(rows, first=first, modifiers=modifiers, group=group)
        return self._table

    def _renew(self) -> KeyTable:
        """Read the mapping; forget the loans when another layout has been loaded since."""
        table = self._read()
        lent = self._spare.lent()
        if not lent or any(table.row(keycode)[0] != keysym for keycode, keysym in lent.items()):
            self._spare = SpareKeys(table.spare())
            self._original.clear()
        return table

    def _keycodes(self, name: str) -> list[int]:
        """The keys to press for one name, Shift first where a sign needs it."""
        table = self._renew()
        keysym = key_keysym(name)
        if keysym in SIGNS:
            stroke = table.stroke(keysym)
            shift = table.any_key(SHIFT)
            if stroke is not None and stroke.shift and shift is not None:
                return [shift, stroke.keycode]
        keycode = table.any_key(keysym)
        if keycode is None:
            self._map([keysym])
            keycode = self._spare.keycode(keysym)
        return [] if keycode is None else [keycode]

    def _wait_until_read(self) -> None:
        """Wait until the program that has the input has read everything so far, two seconds at most.

        A program reads its events in order, so its answer to a ping comes after all input sent before. One without the
        protocol gets a short moment instead.
        """
        window = self._pings.focused()
        if not window:
            time.sleep(_WITHOUT_ANSWER_S)
            return
        self._ping_number += 1
        self._pings.ping(window, self._ping_number)
        deadline = time.monotonic() + _ANSWER_S
        while time.monotonic() < deadline and self._ping_number not in self._pings.answers():
            time.sleep(_POLL_S)

    def _stroke(self, stroke: Stroke) -> None:
        with self._pressed(stroke):
            pass

    @contextlib.contextmanager
    def _pressed(self, stroke: Stroke) -> Generator[None]:
        shift = self._table.any_key(SHIFT) if stroke.shift else None
        pressed = [keycode for keycode in (shift, stroke.keycode) if keycode is not None]
        try:
            for keycode in pressed:
                self._press(keycode)
            yield
        finally:
            for keycode in reversed(pressed):
                self._release(keycode)

    def _press(self, keycode: int) -> None:
        self._down.append(keycode)
        self._fake(self._x.KeyPress, keycode)

    def _release(self, keycode: int) -> None:
        if keycode in self._down:
            self._fake(self._x.KeyRelease, keycode)
            self._down.remove(keycode)

    def _fake(self, kind: int, detail: int = 0, *, x: int = 0, y: int = 0) -> None:
        xlib("ext.xtest").fake_input(self._display, kind, detail=detail, x=x, y=y)
        # One round trip: when this returns, the server has taken the input in.
        self._display.sync()


def _button_number(button: Button) -> int:
    number = _BUTTONS.get(button)
    if number is None:
        raise ReplayError(f"There is no mouse button {button} to press.", hint="Correct the step's button.")
    return number
