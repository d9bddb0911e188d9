"""Input of Windows and macOS through pynput. X11 has a source of its own, see ``docs/adr/0005-x11-input.md``."""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from demopack.domain.events import Button, EventKind, InputEvent
from demopack.domain.keys import NAMED_KEYS
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.base import InputSource

_log = logging.getLogger(__name__)

_BUTTONS: dict[str, Button] = {"left": "left", "middle": "middle", "right": "right", "x1": "back", "x2": "forward"}
_SIDES = ("_l", "_r")
_ALLOW = "Allow it under System Settings, Privacy & Security, Accessibility and Input Monitoring, then start it again."


class PynputInput(InputSource):
    """Listens through pynput's two hooks and stamps each event when it arrives."""

    def __init__(self) -> None:
        try:
            self._keyboard: Any = importlib.import_module("pynput.keyboard")
            self._mouse: Any = importlib.import_module("pynput.mouse")
        except ImportError as error:
            raise CaptureError(
                "Keyboard and mouse cannot be watched in this session.",
                details=str(error),
                hint="Start demopack inside a desktop session.",
            ) from error
        self._names = {key.pynput: key.name for key in NAMED_KEYS.values()}
        self._callback: Callable[[InputEvent], None] | None = None
        self._listeners: list[Any] = []
        self._fault: Exception | None = None
        self._at = (0, 0)

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        """See :class:`InputSource`."""
        self._callback = callback
        for listener in (
            self._mouse.Listener(on_move=self._on_move, on_click=self._on_click, on_scroll=self._on_scroll),
            self._keyboard.Listener(
                on_press=partial(self._on_key, "key_down"), on_release=partial(self._on_key, "key_up")
            ),
        ):
            listener.start()
            self._listeners.append(listener)
            listener.wait()
            # macOS starts the hook even without permission, and then delivers nothing at all.
            if getattr(listener, "IS_TRUSTED", True) is False:
                self.stop()
                raise CaptureError("macOS does not let this program watch keyboard and mouse.", hint=_ALLOW)

    @property
    def error(self) -> CaptureError | None:
        """See :class:`InputSource`. The system may end a hook, and so does an event that pynput cannot read."""
        if all(listener.is_alive() for listener in self._listeners):
            return None
        return CaptureError(
            "Keyboard and mouse can no longer be watched.",
            details="pynput's hook has ended"
            if self._fault is None
            else f"{type(self._fault).__name__}: {self._fault}",
            hint=f"Everything up to now is kept. {_ALLOW if sys.platform == 'darwin' else 'Start a new recording.'}",
        )

    def stop(self) -> None:
        """See :class:`InputSource`."""
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            _quietly(listener.stop)
        for listener in listeners:
            _quietly(listener.join, 5)

    def timings(self) -> OsTimings:
        """Windows tells its double-click and drag constants; macOS does not through this door."""
        import ctypes

        windows: Any = getattr(ctypes, "windll", None)  # there on Windows alone
        if windows is None:
            return OsTimings()
        user32 = windows.user32
        return OsTimings(
            double_click_ms=int(user32.GetDoubleClickTime()),
            double_click_px=int(user32.GetSystemMetrics(36)),
            drag_px=int(user32.GetSystemMetrics(68)),
        )

    def _emit(self, kind: EventKind, **fields: Any) -> None:  # noqa: ANN401 - of an input event
        """Hand on an event of now; whatever happens there ends the hook, and must be known when it has."""
        if self._callback is None:
            return
        x, y = self._at
        try:
            self._callback(InputEvent(t_ns=time.monotonic_ns(), kind=kind, x=x, y=y, **fields))
        except Exception as error:
            self._fault = error
            raise

    def _on_move(self, x: float, y: float, *_: object) -> None:
        self._at = (round(x), round(y))
        self._emit("move")

    def _on_click(self, x: float, y: float, button: Any, pressed: bool, *_: object) -> None:  # noqa: ANN401, FBT001
        self._at = (round(x), round(y))
        self._emit("down" if pressed else "up", button=_BUTTONS.get(button.name, "other"))

    def _on_scroll(self, x: float, y: float, dx: float, dy: float, *_: object) -> None:
        self._at = (round(x), round(y))
        # Fine wheels and touch pads send fractions; a notch that is under way counts as one.
        self._emit("scroll", dx=_notches(dx), dy=_notches(dy))

    def _on_key(self, kind: EventKind, key: Any, *_: object) -> None:  # noqa: ANN401 - an untyped library
        try:
            name, char = self._read(key)
        except Exception:  # noqa: BLE001 - counted, and told
            # One that nobody understands must not cost all that follow.
            _log.info("A key could not be read.", exc_info=True)
            self.unreadable += 1
        else:
            self._emit(kind, key=name, char=char if kind == "key_down" else "")

    def _read(self, key: Any) -> tuple[str, str]:  # noqa: ANN401 - an untyped library
        """The canonical name and the text of one of pynput's keys."""
        if key is None:
            return "", ""
        name: str | None = getattr(key, "name", None)
        if name is not None:
            for side in _SIDES:
                name = name.removesuffix(side)
            # A key that pynput knows by name and our table does not, brightness for instance, types nothing.
            known = self._names.get(name, "Dead")
            return known, " " if known == "Space" else ""
        char: str = key.char or ""
        # Windows delivers characters outside the basic plane in two halves.
        if getattr(key, "is_dead", False) or any("\ud800" <= half <= "\udfff" for half in char):
            return "Dead", ""
        if len(char) == 1 and 1 <= ord(char) <= 26:
            # With Ctrl held, Windows reports the control character of a letter.
            return chr(ord(char) + 96), ""
        code: int | None = getattr(key, "vk", None)
        if not char and code is not None and (48 <= code <= 57 or 65 <= code <= 90):
            return chr(code).lower(), ""
        return (char.lower() if len(char.lower()) == 1 else char), char if char.isprintable() else ""


def _quietly(end: Callable[..., object], *arguments: float) -> None:
    try:
        end(*arguments)
    except Exception:  # noqa: BLE001 - pynput keeps what went wrong in a hook, and raises it when that is joined
        _log.info("A hook of pynput's ended with an error.", exc_info=True)


def _notches(amount: float) -> int:
    whole = round(amount)
    if whole or not amount:
        return whole
    return 1 if amount > 0 else -1


def nudge() -> None:
    """Move the pointer by one pixel and back.

    Raises:
        CaptureError: the system does not let programs move the pointer.
    """
    try:
        mouse: Any = importlib.import_module("pynput.mouse")
        hand = mouse.Controller()
        hand.move(1, 0)
        hand.move(-1, 0)
    except (ImportError, OSError) as error:
        raise CaptureError(
            "The pointer cannot be moved to try the input out.",
            details=str(error),
            hint="Allow demopack (or the terminal) to control this computer in the system's privacy settings.",
        ) from error
