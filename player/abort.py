"""Stopping of a replay by a person: the hot-key, or the pointer pushed into a corner of the screen.

The player gives way as well: while a person holds a key or a button, or moves the pointer, nothing is performed.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.keys import MODIFIERS, normalise_key, parse_key_info
from demopack.errors import ActionError, CancelledError, ReplayError
from demopack.jobs import CancelToken, JobControl
from player.backends.base import Performer
from recorder.backends.base import InputSource

_SLICE_S: Final = 0.01
_REST_S: Final = 0.3  # a pointer that did not move for so long has been let go
_PATIENCE_S: Final = 30.0
_NEAR_PX: Final = 3


class AbortMonitor:
    """Asked before every single input and during every wait.

    The player says where it puts the pointer (:meth:`expect`); only a pointer that is elsewhere was moved by a person.
    Where the performer can tell which keys are down, no hook is needed; ``inputs`` adds one, which also notices what
    happens while an element finder works.

    Args:
        performer: what the player acts through.
        token: cancelled on abort.
        bounds: the desktop, in pixels.
        hotkey: for instance ``Ctrl+Alt+Escape``.
        corner_px: how close to a corner counts.
        inputs: a hook of its own; None does without. The gate starts and stops it.

    Attributes:
        reason: why the replay was stopped, in words; empty while it was not, or when someone else cancelled it.
    """

    def __init__(
        self,
        performer: Performer,
        *,
        token: CancelToken,
        bounds: Rect,
        hotkey: str,
        corner_px: int,
        inputs: InputSource | None = None,
    ) -> None:
        self.reason = ""
        self._performer = performer
        self._token = token
        self._bounds = bounds
        self._hotkey = frozenset(parse_key_info(hotkey))
        self._hotkey_words = hotkey
        self._corner_px = corner_px
        self._inputs = inputs
        self._pressed: set[str] = set()
        # Several moves may be on their way through the hook; each of them is the player's own.
        self._own: deque[Point] = deque([performer.position()], maxlen=256)

    def __enter__(self) -> AbortMonitor:
        if self._inputs is not None:
            self._inputs.start(self.on_event)
        return self

    def __exit__(self, *_: object) -> None:
        if self._inputs is not None:
            self._inputs.stop()

    def watched(self, control: JobControl) -> JobControl:
        """The same control for work that only waits: its token looks out for the person at every safe point."""
        return JobControl(token=_MonitoredToken(self._token, self), report=control.report)

    @property
    def hotkey(self) -> frozenset[str]:
        """The keys that stop everything, by their canonical names."""
        return self._hotkey

    def expect(self, point: Point) -> None:
        """The player is about to put the pointer there."""
        self._own.append(point)

    def check(self) -> None:
        """Return when the next input may be performed; waits while a person is at the keys or the pointer.

        Raises:
            CancelledError: the replay was stopped.
            ReplayError: a key or button has been held down for half a minute.
        """
        self._look()
        at, own = self._performer.position(), self._own[-1]
        if abs(at.x - own.x) <= _NEAR_PX and abs(at.y - own.y) <= _NEAR_PX and not self._held():
            return
        deadline = now_ns() + int(_PATIENCE_S * 1e9)
        rested_since, last = now_ns(), self._performer.position()
        while True:
            self._pause(_SLICE_S)
            position = self._performer.position()
            if position != last:
                rested_since, last = now_ns(), position
            if not self._held() and now_ns() - rested_since > _REST_S * 1e9:
                self._own.append(position)
                return
            if now_ns() > deadline:
                held = ", ".join(sorted(self._held())) or "the pointer"
                self._token.cancel()  # whoever is at work here wants no other row of a table done either
                raise ReplayError(
                    f"The replay gave way to a person, but {held} did not come to rest.",
                    hint="Let go of keyboard and mouse and start it again.",
                )

    def wait(self, seconds: float) -> None:
        """Wait, and stop at once when asked to.

        Raises:
            CancelledError: the replay was stopped.
        """
        end = now_ns() + int(seconds * 1e9)
        self._look()
        while (left := (end - now_ns()) / 1e9) > 0:
            self._pause(min(left, _SLICE_S))

    def on_event(self, event: InputEvent) -> None:
        """Take one raw event from a hook; called in the hook's thread.

        What a program has injected is left out, for it is mostly the player itself. A person at the far end of a
        remote control still stops the replay with the pointer in a corner.
        """
        if event.injected:
            return
        if event.kind == "key_down":
            self._pressed.add(_canonical(event.key))
            self._look_at_keys(frozenset(self._pressed))
        elif event.kind == "key_up":
            self._pressed.discard(_canonical(event.key))
        elif event.kind == "move":
            self._look_at_pointer(Point(event.x, event.y))

    def _pause(self, seconds: float) -> None:
        self._token.wait(seconds)
        self._look()

    def _look(self) -> None:
        """One look at everything that stops it."""
        self._look_at_keys(self._performer.foreign_keys())
        self._look_at_pointer(self._performer.position())
        if self._token.cancelled:
            raise CancelledError(f"It was stopped{f' by {self.reason}' if self.reason else ''}.")

    def _look_at_keys(self, down: frozenset[str]) -> None:
        if self._hotkey <= down:
            self._stop(f"the hot-key {self._hotkey_words}")

    def _look_at_pointer(self, point: Point) -> None:
        bounds = self._bounds
        near_x = min(point.x - bounds.x1, bounds.x2 - 1 - point.x) < self._corner_px
        near_y = min(point.y - bounds.y1, bounds.y2 - 1 - point.y) < self._corner_px
        if near_x and near_y and point not in tuple(self._own):
            self._stop("the pointer in a corner of the screen")

    def _stop(self, reason: str) -> None:
        if not self._token.cancelled:
            self.reason = reason
            self._token.cancel()

    def _held(self) -> frozenset[str]:
        """What a person holds: modifiers would change the player's own keys, buttons its pointer."""
        return (self._performer.foreign_keys() & frozenset(MODIFIERS)) | self._performer.foreign_buttons()


class _MonitoredToken(CancelToken):
    """A token that asks the gate when it is asked itself, in the thread that asks."""

    def __init__(self, token: CancelToken, gate: AbortMonitor) -> None:
        super().__init__()
        self._token = token
        self._gate = gate

    def cancel(self) -> None:
        self._token.cancel()

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled

    def check(self) -> None:
        self._gate.wait(0)

    def wait(self, seconds: float) -> bool:
        try:
            self._gate.wait(seconds)
        except CancelledError:
            return True
        return False


def _canonical(name: str) -> str:
    try:
        return normalise_key(name)
    except ActionError:
        return name
