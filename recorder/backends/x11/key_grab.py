"""Grab of hot-keys from every other program on X11, so that F11 does not also make a browser go full-screen.

A grabbed key goes to us alone; RECORD, which stands before all grabs, still tells of it, and so the hot-key is found
where all input is read. Nothing is done here with the keys themselves.
"""

from __future__ import annotations

import contextlib
import itertools
import select
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from demopack.domain.keys import MODIFIERS, parse_key_info
from demopack.errors import ActionError
from recorder.backends import has_x11
from recorder.backends.x11.keymap import keysyms_of
from recorder.backends.x11.xlib import connection_lost, cut, open_display, xlib

_CALM_S = 0.3  # a layout comes as a burst of changes, and so does a program that types unusual characters
_TRY_AGAIN_S = 1.0  # whoever holds a key may hold it for a moment only
_LOCKS = ("CapsLock", "NumLock", "ScrollLock")
_Combination: TypeAlias = tuple[int, int]  # key code and modifiers; the locks come on top


class KeyGrab:
    """Holds keys back on a connection and in a thread of its own, until it is closed.

    Where keys cannot be held back (no X11) it holds nothing.

    Attributes:
        taken: keys, as they were written, that another program holds; it reacts to them until it lets go.
    """

    def __init__(self, bindings: Mapping[str, str], display: str | None = None) -> None:
        """Hold the keys back from now on.

        Args:
            bindings: meaning to key text, as for :class:`recorder.hotkeys.HotkeyDetector`; empty and unknown texts are
                left out.
            display: an X server other than the one in ``DISPLAY``.

        Raises:
            CaptureError: the X server cannot be reached.
        """
        self.taken: list[str] = []
        self._keys = tuple(dict.fromkeys(text for text in bindings.values() if text))
        self._held: dict[str, frozenset[_Combination]] = {}
        self._masks: dict[str, int] = {}
        self._thread: threading.Thread | None = None
        if has_x11():
            self._connection: Any = open_display(display)
            self._grab_all()
            self._thread = threading.Thread(target=self._run, name="key-grab", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let go of the keys and end the thread; calling it twice is harmless."""
        if self._thread is not None:
            # The server lets go of the keys with the connection.
            cut(self._connection)
            self._thread.join(5)

    def _run(self) -> None:
        """Throw away what the grabs deliver, and follow the keyboard map, until the connection is cut."""
        stale = False
        with contextlib.suppress(*connection_lost()):
            while True:
                while self._connection.pending_events():
                    event = self._connection.next_event()
                    if event.type == xlib("X").MappingNotify:
                        self._connection.refresh_keyboard_mapping(event)
                        stale = True
                pause = _CALM_S if stale else _TRY_AGAIN_S if self.taken else None
                if not select.select([self._connection], [], [], pause)[0]:
                    stale = False
                    self._grab_all()

    # Grabbing ---------------------------------------------------------------------------------------------------

    def _grab_all(self) -> None:
        """Bring the grabs in line with the keyboard map, and try again for keys that another program held."""
        x, root = xlib("X"), self._connection.screen().root
        masks = self._read_masks()
        wanted = {key: frozenset(self._combinations(key, masks)) for key in self._keys}
        missing: Sequence[str] = self.taken
        if (wanted, masks) != (self._held, self._masks):
            root.ungrab_key(x.AnyKey, x.AnyModifier)
            self._held, self._masks = wanted, masks
            missing = self._keys
        taken: list[str] = []
        for key in missing:
            refused = [one for one in sorted(wanted[key]) if not self._grab(*one)]
            if refused:
                taken.append(key)
        self.taken = taken

    def _read_masks(self) -> dict[str, int]:
        """The bit of each modifier; 0 for one that no key of this keyboard has."""
        rows: list[list[int]] = self._connection.get_modifier_mapping()
        found: dict[str, int] = {}
        for name in (*MODIFIERS, *_LOCKS):
            codes = {code for keysym in keysyms_of(name) for code in self._codes(keysym)}
            found[name] = next((1 << bit for bit, row in enumerate(rows) if codes & set(row)), 0)
        return found

    def _codes(self, keysym: int) -> list[int]:
        return [int(code) for code, _ in self._connection.keysym_to_keycodes(keysym)]

    def _combinations(self, key: str, masks: Mapping[str, int]) -> Iterator[_Combination]:
        try:
            *modifiers, last = parse_key_info(key)
        except ActionError:
            return
        if last in masks or not all(masks.get(name, 0) for name in modifiers):
            return
        mask = sum(masks[name] for name in modifiers)
        for code in {code for keysym in keysyms_of(last) for code in self._codes(keysym)}:
            yield code, mask

    def _grab(self, code: int, mask: int) -> bool:
        """Whether the key is ours now, whatever locks are on."""
        x, error = xlib("X"), xlib("error")
        locks = sorted({self._masks[name] for name in _LOCKS} - {0})
        refused = error.CatchError(error.BadAccess)
        for count in range(len(locks) + 1):
            for some in itertools.combinations(locks, count):
                self._connection.screen().root.grab_key(
                    code, mask | sum(some), 0, x.GrabModeAsync, x.GrabModeAsync, onerror=refused
                )
        self._connection.sync()
        return refused.get_error() is None
