"""Gestures made of single inputs, each of them watched; nothing stays pressed."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Generator, Sequence
from typing import Final, Protocol

from demopack.clock import now_ns
from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.errors import ReplayError
from demopack.settings import PlayerSettings
from player.backends.base import Performer
from player.motion import TICK_S, eased_path

__all__ = ["Guard", "Hands", "Watch", "nothing_to_guard"]

Guard = Callable[[int], None]
"""Called before each key with the number of keys sent so far; raises to stop there."""

_HOLD_S: Final = 0.03  # programs that look at buttons now and then must see a press
_BETWEEN_CLICKS_S: Final = 0.06
_NOT_DOUBLE_S: Final = 0.65  # longer than any toolkit's double-click time
_NOT_DOUBLE_PX: Final = 12
_DRAG_REST_S: Final = 0.08
_NOTCH_S: Final = 0.02
_TRIES: Final = 3


def nothing_to_guard(_sent: int) -> None:
    """The guard of keys that may go anywhere."""


class Watch(Protocol):
    """What the hands need of :class:`player.abort.AbortWatch`."""

    def check(self) -> None:
        """Return when the next input may be performed."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait, and stop at once when asked to."""
        ...

    def expect(self, point: Point) -> None:
        """The pointer is about to be put there."""
        ...


class Hands:
    """Moves, clicks, drags, scrolls and types as a person would, only faster. Positions are desktop pixels.

    Every method raises ``CancelledError`` when the replay is stopped, and ``ReplayError`` when the input is not
    possible; whatever was pressed is released first.
    """

    def __init__(self, performer: Performer, *, watch: Watch, settings: PlayerSettings) -> None:
        self._performer = performer
        self._watch = watch
        self._settings = settings
        self._last_click: tuple[int, Point] | None = None

    def go(self, point: Point) -> None:
        """Bring the pointer there on a short eased way.

        Raises:
            ReplayError: the pointer does not get there, for instance because the point lies outside the screen.
        """
        for _ in range(_TRIES):
            for way_point in eased_path(self._performer.position(), point, px_s=self._settings.pointer_px_s):
                self._move(way_point)
                self._watch.wait(TICK_S)
            self._watch.check()
            if self._performer.position() == point:
                return
        raise ReplayError(
            f"The pointer could not be brought to ({point.x}, {point.y}).",
            details=f"It stays at {self._performer.position()}.",
            hint="Leave the mouse alone during the replay, and use a screen of the recorded size.",
        )

    def click(
        self,
        point: Point,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        hold_s: float | None = None,
    ) -> None:
        """Click once or several times in quick succession; ``hold_s`` keeps the button down for so long."""
        self.go(point)
        self._wait_out_double_click(point)
        with self._holding(modifiers):
            for i in range(count):
                if i:
                    self._watch.wait(_BETWEEN_CLICKS_S)
                with self._pressed(button):
                    self._watch.wait(hold_s or _HOLD_S)
        self._last_click = (now_ns(), point)

    def drag(self, points: Sequence[Point], *, button: Button = "left", modifiers: Sequence[str] = ()) -> None:
        """Press at the first point, move through the others, release at the last."""
        self.go(points[0])
        self._wait_out_double_click(points[0])
        with self._holding(modifiers), self._pressed(button):
            self._watch.wait(_DRAG_REST_S)
            at = points[0]
            for corner in points[1:]:
                for way_point in eased_path(at, corner, px_s=self._settings.pointer_px_s / 2):
                    self._move(way_point)
                    self._watch.wait(TICK_S)
                at = corner
            # What is dragged onto must notice before it is dropped.
            self._watch.wait(_DRAG_REST_S)
            self._watch.check()
        self._last_click = (now_ns(), points[0])

    def scroll(self, *, dx: int = 0, dy: int = 0, modifiers: Sequence[str] = ()) -> None:
        """Turn the wheel where the pointer is; positive ``dy`` is up."""
        with self._holding(modifiers):
            for _ in range(max(abs(dx), abs(dy))):
                self._performer.scroll(dx=_sign(dx), dy=_sign(dy), check=self._watch.check)
                self._watch.wait(_NOTCH_S)

    def chord(self, names: Sequence[str], *, times: int = 1, guard: Guard = nothing_to_guard) -> None:
        """Press keys one after the other, release them in the opposite order; ``times`` over.

        ``guard`` is called before each time with the number of times so far, and raises to stop there.
        """
        for sent in range(times):
            self._watch.check()
            guard(sent)
            with self._holding(names):
                self._watch.wait(_HOLD_S)

    def type_text(self, text: str, *, guard: Guard = nothing_to_guard) -> None:
        """Type text into whatever has the input.

        ``guard`` is called before each character with the number of characters so far, and raises to stop there.
        """
        interval_s = self._settings.typing_interval_ms / 1000
        sent = itertools.count()

        def check() -> None:
            self._watch.check()
            guard(next(sent))

        self._performer.type_text(text, interval_s=interval_s, check=check)

    def rest(self, seconds: float) -> None:
        """Leave the pointer where it is."""
        self._watch.wait(seconds)

    def let_go(self) -> None:
        """Release everything; for the end of a replay, whatever way it ended."""
        self._performer.release_all()

    def _move(self, point: Point) -> None:
        self._watch.check()
        self._watch.expect(point)
        self._performer.move(point.x, point.y)

    def _wait_out_double_click(self, point: Point) -> None:
        """A click soon after another one at the same place would make a double click of two single ones."""
        if self._last_click is None:
            return
        when, where = self._last_click
        if abs(where.x - point.x) <= _NOT_DOUBLE_PX and abs(where.y - point.y) <= _NOT_DOUBLE_PX:
            self._watch.wait(_NOT_DOUBLE_S - (now_ns() - when) / 1e9)

    @contextlib.contextmanager
    def _pressed(self, button: Button) -> Generator[None]:
        self._watch.check()
        try:
            self._performer.press(button)
            yield
        finally:
            self._performer.release(button)

    @contextlib.contextmanager
    def _holding(self, names: Sequence[str]) -> Generator[None]:
        """Keys held down meanwhile, canonical names or the contract's lower-case modifiers."""
        held: list[str] = []
        try:
            for name in names:
                self._watch.check()
                held.append(_canonical(name))
                self._performer.key_down(held[-1])
            yield
        finally:
            for name in reversed(held):
                self._performer.key_up(name)


def _canonical(name: str) -> str:
    return name if len(name) == 1 else name[:1].upper() + name[1:]


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
