"""An action with its places in pixels of a picture, ready to be encoded in any vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from demopack.codecs.coordinates import CoordinateGrid
from demopack.domain.actions import Action, ScrollAction
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size


class NotExpressibleError(Exception):
    """Raised by an encoder whose vocabulary cannot express an action; its arguments are codes of losses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedAction:
    """One action and where it lies on the picture.

    Attributes:
        action: in the contract's form.
        at: where the pointer acted, or would have to; None for the keyboard, or when nobody knows.
        to: where a drag ends.
        way: a drag's points from start to end.
        size: of the picture; None without one.
        target: the element it was done to.
        end: the element a drag ended on.
        target_text: what the target says, also where no element is known.
        reported: what the system's accessibility interface calls the target; empty when it does not.
        elements: on the picture, for vocabularies that describe a target by what is around it.
        window: the window that had the input, in pixels of the picture; None when unknown.
    """

    action: Action
    at: Point | None = None
    to: Point | None = None
    way: tuple[Point, ...] = ()
    size: Size | None = None
    target: NumberedElement | None = None
    end: NumberedElement | None = None
    target_text: str = ""
    reported: str = ""
    elements: Sequence[NumberedElement] = field(default=(), compare=False, repr=False)
    window: Rect | None = None

    @property
    def point(self) -> Point:
        """Where the pointer acted.

        Raises:
            NotExpressibleError: (``no_place``) nobody knows.
        """
        return _known(self.at)

    @property
    def end_point(self) -> Point:
        """Where a drag ends.

        Raises:
            NotExpressibleError: (``no_place``) nobody knows.
        """
        return _known(self.to)

    @property
    def drag_way(self) -> tuple[Point, ...]:
        """A drag's points, two at least.

        Raises:
            NotExpressibleError: (``no_place``) nobody knows.
        """
        if len(self.way) < 2:
            raise NotExpressibleError("no_place")
        return self.way

    @property
    def point_or_middle(self) -> Point:
        """Where the pointer acted, else the middle of the picture, for actions that mean the screen as a whole.

        Raises:
            NotExpressibleError: (``no_place``) there is no picture either.
        """
        if self.at is not None or self.size is None:
            return self.point
        return Point(self.size.width // 2, self.size.height // 2)

    def written(self, point: Point, coordinates: CoordinateGrid) -> tuple[int, int]:
        """A point in the numbers of a vocabulary.

        Raises:
            NotExpressibleError: (``no_place``) the size of the picture is not known.
        """
        if self.size is None:
            raise NotExpressibleError("no_place")
        return coordinates.place(point, self.size)


def _known(point: Point | None) -> Point:
    if point is None:
        raise NotExpressibleError("no_place")
    return point


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedAction:
    """An action in one vocabulary.

    Attributes:
        calls: plain JSON objects or strings, in order; empty where the vocabulary has no word for it.
        losses: codes of :data:`demopack.codecs.losses.LOSS_WORDS`.
    """

    calls: tuple[Any, ...] = ()
    losses: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing could be said."""
        return not self.calls


def encoded(*calls: Any, losses: tuple[str, ...] = ()) -> EncodedAction:  # noqa: ANN401 - JSON objects or strings
    """These calls, in order."""
    return EncodedAction(calls=calls, losses=losses)


def repeated(call: Any, times: int, loss: str) -> EncodedAction:  # noqa: ANN401 - a JSON object or string
    """The same call some times over; more than once is a loss."""
    return EncodedAction(calls=(call,) * times, losses=(loss,) if times > 1 else ())


def scroll_notches(action: ScrollAction, *, positive: Literal["up", "down"]) -> tuple[int, int]:
    """Wheel notches across and along; to the right is positive, and so is the named direction."""
    sign = 1 if action.scroll_direction in {positive, "right"} else -1
    far = sign * action.scroll_steps
    return (far, 0) if action.scroll_direction in {"left", "right"} else (0, far)
