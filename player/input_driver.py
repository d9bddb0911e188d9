"""Gestures made of single inputs, each of them watched; nothing stays pressed."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Generator, Sequence
from typing import Final

from demopack.clock import now_ns
from demopack.domain.actions import (
    Action,
    ClickAction,
    DragAction,
    HoverAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
)
from demopack.domain.elements import ElementType
from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.keys import parse_key_info
from demopack.errors import ReplayError
from demopack.settings import PlayerSettings
from player.abort import AbortMonitor
from player.backends.base import Performer

KeyGuard = Callable[[int], None]
"""Called before each key with the number of keys sent so far; raises to stop there."""

_HOLD_S: Final = 0.03  # programs that look at buttons now and then must see a press
_BETWEEN_CLICKS_S: Final = 0.06
_NOT_DOUBLE_S: Final = 0.65  # longer than any toolkit's double-click time
_NOT_DOUBLE_PX: Final = 12
_DRAG_REST_S: Final = 0.08
_NOTCH_S: Final = 0.02
_TRIES: Final = 3


def no_guard(_sent: int) -> None:
    """The guard of keys that may go anywhere."""


class InputDriver:
    """Moves, clicks, drags, scrolls and types as a person would, only faster. Positions are desktop pixels.

    Every method raises ``CancelledError`` when the replay is stopped, and ``ReplayError`` when the input is not
    possible; whatever was pressed is released first.
    """

    def __init__(
        self,
        performer: Performer,
        *,
        gate: AbortMonitor,
        settings: PlayerSettings,
        make_room: Callable[[Point], None] = lambda _: None,
    ) -> None:
        """Take the parts; ``make_room`` is called with each place where something is done, before it is."""
        self._performer = performer
        self._make_room = make_room
        self._gate = gate
        self._settings = settings
        self._last_click: tuple[int, Point] | None = None

    def move_to(self, point: Point, *, at_once: bool = False) -> None:
        """Bring the pointer there on a short eased way, or ``at_once``: what lies between opens where it passes over.

        Raises:
            ReplayError: the pointer does not get there, for instance because the point lies outside the screen.
        """
        self._make_room(point)
        for _ in range(_TRIES):
            here, px_s = self._performer.position(), self._settings.pointer_px_s
            for way_point in [point] if at_once else eased_path(here, point, px_s=px_s):
                self._move(way_point)
                self._gate.wait(TICK_S)
            self._gate.check()
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
        at_once: bool = False,
    ) -> None:
        """Click once or several times in quick succession; ``hold_s`` keeps the button down for so long."""
        self.move_to(point, at_once=at_once)
        self._wait_out_double_click(point)
        with self._holding(modifiers):
            for i in range(count):
                if i:
                    self._gate.wait(_BETWEEN_CLICKS_S)
                with self._pressed(button):
                    self._gate.wait(hold_s or _HOLD_S)
        self._last_click = (now_ns(), point)

    def drag(self, points: Sequence[Point], *, button: Button = "left", modifiers: Sequence[str] = ()) -> None:
        """Press at the first point, move through the others, release at the last."""
        self.move_to(points[0])
        self._wait_out_double_click(points[0])
        with self._holding(modifiers), self._pressed(button):
            self._gate.wait(_DRAG_REST_S)
            at = points[0]
            for corner in points[1:]:
                self._make_room(corner)
                for way_point in eased_path(at, corner, px_s=self._settings.pointer_px_s / 2):
                    self._move(way_point)
                    self._gate.wait(TICK_S)
                at = corner
            # What is dragged onto must notice before it is dropped.
            self._gate.wait(_DRAG_REST_S)
            self._gate.check()
        self._last_click = (now_ns(), points[0])

    def scroll(self, *, dx: int = 0, dy: int = 0, modifiers: Sequence[str] = ()) -> None:
        """Turn the wheel where the pointer is; positive ``dy`` is up."""
        with self._holding(modifiers):
            for _ in range(max(abs(dx), abs(dy))):
                self._performer.scroll(dx=_sign(dx), dy=_sign(dy), check=self._gate.check)
                self._gate.wait(_NOTCH_S)

    def press_keys(self, names: Sequence[str], *, times: int = 1, guard: KeyGuard = no_guard) -> None:
        """Press keys one after the other, release them in the opposite order; ``times`` over.

        ``guard`` is called before each time with the number of times so far, and raises to stop there.
        """
        for sent in range(times):
            self._gate.check()
            guard(sent)
            with self._holding(names):
                self._gate.wait(_HOLD_S)

    def type_text(self, text: str, *, guard: KeyGuard = no_guard) -> None:
        """Type text into whatever has the input.

        ``guard`` is called before each character with the number of characters so far, and raises to stop there.
        """
        interval_s = self._settings.typing_interval_ms / 1000
        sent = itertools.count()

        def check() -> None:
            self._gate.check()
            guard(next(sent))

        self._performer.type_text(text, interval_s=interval_s, check=check)

    def hover(self, point: Point, seconds: float) -> None:
        """Leave the pointer there for so long."""
        self.move_to(point)
        self._gate.wait(seconds)

    def _move(self, point: Point) -> None:
        self._gate.check()
        self._gate.expect(point)
        self._performer.move(point.x, point.y)

    def _wait_out_double_click(self, point: Point) -> None:
        """A click soon after another one at the same place would make a double click of two single ones."""
        if self._last_click is None:
            return
        when, where = self._last_click
        if abs(where.x - point.x) <= _NOT_DOUBLE_PX and abs(where.y - point.y) <= _NOT_DOUBLE_PX:
            self._gate.wait(_NOT_DOUBLE_S - (now_ns() - when) / 1e9)

    @contextlib.contextmanager
    def _pressed(self, button: Button) -> Generator[None]:
        self._gate.check()
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
                self._gate.check()
                held.append(name if len(name) == 1 else name[:1].upper() + name[1:])
                self._performer.key_down(held[-1])
            yield
        finally:
            for name in reversed(held):
                self._performer.key_up(name)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


TICK_S: Final = 0.008
"""Time between two points of a way; screens and mice tick about as fast."""
_SHORTEST_S: Final = 0.04
_LONGEST_S: Final = 0.8


def eased_path(start: Point, end: Point, *, px_s: float) -> list[Point]:
    """Points from ``start`` (left out) to ``end`` (always the last), slow at both ends, one per ``TICK_S``.

    Args:
        start: where the pointer is.
        end: where it goes.
        px_s: mean speed in pixels per second; long ways are sped up so that none takes longer than 0.8 s.
    """
    distance = math.hypot(end.x - start.x, end.y - start.y)
    if distance == 0:
        return [end]
    seconds = min(max(distance / px_s, _SHORTEST_S), _LONGEST_S)
    count = max(2, round(seconds / TICK_S))
    points: list[Point] = []
    for i in range(1, count + 1):
        t = i / count
        part = t * t * (3 - 2 * t)
        point = Point(round(start.x + (end.x - start.x) * part), round(start.y + (end.y - start.y) * part))
        if not points or point != points[-1]:
            points.append(point)
    if points[-1] != end:
        points.append(end)
    return points


def through(points: Sequence[Point], start: Point, end: Point) -> list[Point]:
    """A recorded way, shifted so that it leads from ``start`` to ``end``.

    The first point moves by as much as ``start`` differs from it, the last by as much as ``end`` does, those between
    by something between; so a drag keeps its shape when its target or its goal has moved.
    """
    if len(points) < 2:
        return [start, end]
    first, last = points[0], points[-1]
    count = len(points) - 1
    moved: list[Point] = []
    for i, point in enumerate(points):
        t = i / count
        dx = (start.x - first.x) * (1 - t) + (end.x - last.x) * t
        dy = (start.y - first.y) * (1 - t) + (end.y - last.y) * t
        moved.append(Point(round(point.x + dx), round(point.y + dy)))
    return moved


_CLICKS: Final[dict[str, tuple[Button, int]]] = {
    "single": ("left", 1),
    "double": ("left", 2),
    "triple": ("left", 3),
    "right": ("right", 1),
    "middle": ("middle", 1),
}
_WHEEL: Final = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
_DWELL_S: Final = 0.8  # longer than tool-tips and hover menus wait
MENU_TYPES: Final[frozenset[ElementType]] = frozenset({"menu", "menu_item"})
"""Elements that the pointer reaches at once: on its way through a menu bar it would open other menus."""


def perform(
    action: Action,
    driver: InputDriver,
    *,
    start: Point | None = None,
    end: Point | None = None,
    way: Sequence[Point] = (),
    guard: KeyGuard = no_guard,
    at_once: bool = False,
) -> None:
    """Perform one action; ``wait``, ``launch``, ``extract_data`` and ``finish_goal`` have no gesture.

    Args:
        action: what to do.
        driver: performs the gestures.
        start: where, on the desktop; None leaves the pointer and the focus where they are.
        end: where a drag ends, on the desktop.
        way: a drag's recorded way on the desktop, its first and last point included.
        guard: called before each key that is sent.
        at_once: whether the pointer goes there without passing over what lies between.

    Raises:
        CancelledError: the replay was stopped.
        ReplayError: an input is not possible.
    """
    match action:
        case ClickAction() as click if start is not None:
            button, count = _CLICKS[click.click_type]
            driver.click(
                start, button=button, count=count, modifiers=click.modifiers, hold_s=click.hold_s, at_once=at_once
            )
        case DragAction() as drag if start is not None and end is not None:
            driver.drag(through(way, start, end), button=drag.button, modifiers=drag.modifiers)
        case HoverAction() as hover if start is not None:
            driver.hover(start, hover.duration_s or _DWELL_S)
        case ScrollAction() as scroll:
            if start is not None:
                driver.move_to(start)
            dx, dy = _WHEEL[scroll.scroll_direction]
            driver.scroll(dx=dx * scroll.scroll_steps, dy=dy * scroll.scroll_steps, modifiers=scroll.modifiers)
        case TypeAction() | PressKeyAction() as keys:
            if start is not None:
                driver.click(start)
            if isinstance(keys, TypeAction):
                driver.type_text(keys.text_to_type + ("\n" if keys.submit else ""), guard=guard)
            else:
                driver.press_keys(parse_key_info(keys.key_info), times=keys.presses, guard=guard)
        case _:
            return
