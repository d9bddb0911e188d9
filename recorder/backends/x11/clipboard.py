"""Clipboard of an X11 desktop: XFixes tells when it has a new owner, who is then asked for the text."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from demopack.errors import CaptureError
from recorder.backends.x11.xlib import ServerClock, cut, open_display, server_errors, xlib

_MAX_BYTES = 100_000
_KEPT = 500
_NEW_OWNER = 1  # XFixesSetSelectionOwnerNotifyMask
_ATOMS = ("CLIPBOARD", "UTF8_STRING", "TARGETS", "DEMOPACK_CLIPBOARD", "x-kde-passwordManagerHint")


@dataclass(slots=True)
class _Text:
    t_ns: int
    text: str | None = None


class X11Clipboard:
    """Follows the texts on the clipboard, in a thread of its own. Opened only where the person asked for it.

    It never waits for the program that owns the clipboard: its answer is an event like any other.
    """

    def __init__(self, *, display: str | None = None) -> None:
        """Nothing is opened before :meth:`start`; ``display`` is an X server other than the one in ``DISPLAY``."""
        self._name = display
        self._lock = threading.Lock()
        self._texts: deque[_Text] = deque(maxlen=_KEPT)
        self._asked: _Text | None = None
        self._display: Any = None
        self._window: Any = None
        self._clock = ServerClock()
        self._atoms: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, name="clipboard", daemon=True)
        self._ended = False

    def start(self) -> None:
        """Begin to follow; returns at once. Never raises: where the clipboard cannot be read there are no texts."""
        self._thread.start()

    def stop(self) -> None:
        """Stop and join the thread; calling it twice is harmless."""
        self._ended = True
        if self._display is not None:
            cut(self._display)
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def put_between(self, started_ns: int, ended_ns: int) -> str | None:
        """The text that was put there last between the two, monotonic nanoseconds; since 0: that was there at the end.

        None when there was none, when it was too long, or when its program marked it as a secret.
        """
        with self._lock:
            known = [each for each in self._texts if started_ns <= each.t_ns <= ended_ns]
            return known[-1].text if known else None

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        with contextlib.suppress(CaptureError, *server_errors()):
            self._display = open_display(self._name)
            try:
                # A stop before this line has found no connection to cut; one after it ends the waiting.
                if not self._ended and self._prepare():
                    self._follow()
            finally:
                self._display.close()

    def _prepare(self) -> bool:
        x = xlib("X")
        if not self._display.has_extension("XFIXES"):
            return False
        self._clock = ServerClock.measured(self._display)
        self._display.xfixes_query_version()
        self._atoms = {name: self._display.intern_atom(name) for name in _ATOMS}
        root = self._display.screen().root
        self._window = root.create_window(-1, -1, 1, 1, 0, x.CopyFromParent)
        self._display.xfixes_select_selection_input(self._window, self._atoms["CLIPBOARD"], _NEW_OWNER)
        # What is there already counts as having been there always.
        self._ask(t_ns=0)
        self._display.flush()
        return True

    def _follow(self) -> None:
        while True:
            event = self._display.next_event()
            if event.type == xlib("X").SelectionNotify:
                self._answered(event)
            elif hasattr(event, "selection_timestamp"):
                self._ask(t_ns=self._clock.to_ns(event.timestamp, time.monotonic_ns()))

    def _ask(self, *, t_ns: int) -> None:
        self._asked = _Text(t_ns)
        with self._lock:
            self._texts.append(self._asked)
        self._convert("TARGETS")

    def _convert(self, target: str) -> None:
        """Ask the owner to write the clipboard into a property of our window."""
        self._window.convert_selection(
            self._atoms["CLIPBOARD"], self._atoms[target], self._atoms["DEMOPACK_CLIPBOARD"], xlib("X").CurrentTime
        )

    def _answered(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        asked = self._asked
        if not event.property or asked is None:
            return
        found = self._window.get_property(event.property, xlib("X").AnyPropertyType, 0, _MAX_BYTES // 4, delete=True)
        if found is None:
            return
        if event.target == self._atoms["TARGETS"]:
            offered = set(found.value)
            # Password managers mark what they put there.
            if self._atoms["UTF8_STRING"] in offered and self._atoms["x-kde-passwordManagerHint"] not in offered:
                self._convert("UTF8_STRING")
            return
        # A longer text comes in parts, under another type, or leaves something over; it is not kept.
        if found.property_type == self._atoms["UTF8_STRING"] and not found.bytes_after:
            value = found.value if isinstance(found.value, bytes) else str(found.value).encode()
            with self._lock:
                asked.text = value.decode("utf-8", errors="replace")
