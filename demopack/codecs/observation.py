"""Observation: the screen that a prompt shows and an answer is about, given to builder and parser alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.errors import ActionError

CoordinateSpace = Literal["pixels", "thousand", "fraction"]
"""How a dialect writes places: pixels of the picture that was sent, a grid of 1000 by 1000, or fractions 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDrag:
    """A drag that has begun and not ended.

    Attributes:
        start: where the button went down, in pixels of the picture.
        way: where the pointer has been since then.
    """

    start: Point
    way: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The screen now.

    Attributes:
        size: of the picture that is sent, in pixels; needed to read coordinates.
        elements: what is on it; empty where nobody has looked.
        window: the window that fractions are meant for (UFO), in pixels of the picture; None for the whole picture.
        image: path or id of the picture, for the caller to send along; empty without one.
        space: how the model writes places; None for the dialect's own way.
        held: a drag that earlier answers began.
        pointer: where it was left, as fractions 0..1 of the picture; None when nobody knows.
    """

    size: Size | None = None
    elements: Sequence[NumberedElement] = ()
    window: Rect | None = None
    image: str = ""
    space: CoordinateSpace | None = None
    held: HeldDrag | None = None
    pointer: tuple[float, float] | None = None

    def element(self, number: int, *, field_name: str) -> NumberedElement | None:
        """The element with this number; None where no list was given.

        Raises:
            ActionError: (``no_such_element``) the list has no such number.
        """
        found = next((item for item in self.elements if item.number == number), None)
        if found is None and self.elements:
            raise ActionError(
                f"There is no element {number} on the current screen.",
                code="no_such_element",
                field=field_name,
                hint=f"The list has the numbers {_numbers(self.elements)}.",
            )
        return found

    def target(self, element: NumberedElement) -> ActionTarget:
        """All that identifies an element of this screen."""
        box = None if self.size is None else to_norm_xywh(element.box.clamped(self.size), self.size)
        return ActionTarget(track_id=element.track_id, element_id=element.number, text=element.text or None, bbox=box)


def _numbers(elements: Sequence[NumberedElement]) -> str:
    numbers = sorted(item.number for item in elements)
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers[:40])
