"""Input of Windows and macOS through pynput. X11 has a source of its own, see ``docs/adr/0005-x11-input.md``."""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from demopack.domain.events import InputEvent
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.base import InputSource
from recorder.backends.pynput_darwin import DarwinHooks
from recorder.backends.pynput_hooks import EventReader, SystemHooks
from recorder.backends.pynput_win32 import Win32Hooks

_log = logging.getLogger(__name__)

_HOOKS: Final[dict[str, Callable[[Any, Any], SystemHooks]]] = {"win32": Win32Hooks, "darwin": DarwinHooks}
"""By the name of pynput's back end: the rules of one system never read the keys of another."""
_JOIN_S: Final = 5


class PynputInput(InputSource):
    """Listens through pynput's two hooks; each event is read in the hook, and stamped with the system's time for it."""

    def __init__(self) -> None:
        try:
            keyboard: Any = importlib.import_module("pynput.keyboard")
            mouse: Any = importlib.import_module("pynput.mouse")
            back_end = str(keyboard.Listener.__module__).rpartition("._")[2]
            self._hooks = _HOOKS[back_end](keyboard, mouse)
        except (ImportError, LookupError, AttributeError, OSError) as error:
            raise _unwatchable(error) from error
        self._callback: Callable[[InputEvent], None] | None = None
        self._listeners: list[Any] = []
        self._fault: Exception | None = None
        self._error: CaptureError | None = None
        self._order = threading.Lock()
        self._last_ns = 0

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        """See :class:`InputSource`."""
        self._callback, self._fault, self._error = callback, None, None
        try:
            self._hooks.prepare()
            for listener in self._hooks.listeners(self._deliver):
                listener.start()
                self._listeners.append(listener)
                listener.wait()
                if listener.failure is not None:
                    raise listener.failure
                # macOS starts the hook even without permission, and then delivers nothing at all.
                refused = self._hooks.refusal(listener)
                if refused is not None:
                    raise refused
        except BaseException as error:
            self.stop()
            if isinstance(error, CaptureError) or not isinstance(error, Exception):
                raise
            raise _unwatchable(error) from error

    @property
    def error(self) -> CaptureError | None:
        """See :class:`InputSource`. The system may end a hook, a fault of pynput's ends it, and so does one of ours."""
        if self._error is not None:
            return self._error
        fault = self._fault or next((each.failure for each in self._listeners if each.failure is not None), None)
        if fault is None and all(listener.is_alive() for listener in self._listeners):
            return None
        return CaptureError(
            "Keyboard and mouse can no longer be watched.",
            details="pynput's hook has ended" if fault is None else f"{type(fault).__name__}: {fault}",
            hint=f"Everything up to now is kept. {self._hooks.way_out}",
        )

    @property
    def problems(self) -> list[str]:
        """See :class:`InputSource`."""
        if not self._listeners:
            return []
        try:
            return self._hooks.problems()
        except Exception:  # noqa: BLE001 - a question to the system that it does not know costs no recording
            _log.info("The system could not be asked about its input.", exc_info=True)
            return []

    def stop(self) -> None:
        """See :class:`InputSource`. What ended a hook before stays in :attr:`error`."""
        self._error = self.error
        listeners, self._listeners = self._listeners, []
        for listener in listeners:
            _quietly(listener.stop)
        for listener in listeners:
            _quietly(listener.join, _JOIN_S)

    def timings(self) -> OsTimings:
        """See :class:`InputSource`."""
        return self._hooks.timings()

    def _deliver(self, read: EventReader, *message: object) -> None:
        """Read one message of a hook and hand its events on, in the order of their times. Never raises."""
        if self._fault is not None or self._callback is None:
            return
        with self._order:
            try:
                events = read(*message)
            except Exception:  # noqa: BLE001 - counted, and told
                # One that nobody understands must not cost all that follow.
                _log.info("An input event could not be read.", exc_info=True)
                self.unreadable += 1
                return
            try:
                for event in events:
                    self._last_ns = max(self._last_ns, event.t_ns)
                    self._callback(event if event.t_ns == self._last_ns else replace(event, t_ns=self._last_ns))
            except Exception as error:  # noqa: BLE001 - told by ``error``; the hook itself must go on until it is stopped
                _log.info("An input event could not be handed on.", exc_info=True)
                self._fault = error


def _unwatchable(error: Exception) -> CaptureError:
    return CaptureError(
        "Keyboard and mouse cannot be watched in this session.",
        details=f"{type(error).__name__}: {error}",
        hint="Start demopack inside a desktop session.",
    )


def _quietly(end: Callable[..., object], *arguments: float) -> None:
    try:
        end(*arguments)
    except Exception:  # noqa: BLE001 - pynput keeps what went wrong in a hook, and raises it when that is joined
        _log.info("A hook of pynput's ended with an error.", exc_info=True)


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
