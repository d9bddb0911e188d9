"""The screen that a prompt shows and an answer is about: the same value goes into the builder and into the parser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from demopack.domain.actions import ActionTarget
from demopack.domain.elements import Element, State
from demopack.domain.geometry import Point, Rect, Size, to_norm_xywh
from demopack.errors import ActionError
from demopack.pack.formats.acts import act_of
from demopack.pack.rows import ElementRow, StepRow
from demopack.pack.stream import DemoRows

__all__ = ["Held", "Listed", "Scene", "Space", "listed", "listed_rows", "scene_before"]

Space = Literal["pixels", "thousand", "fraction"]
"""How a dialect writes places: pixels of the picture that was sent, a grid of 1000 by 1000, or fractions 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An element as a prompt lists it.

    Attributes:
        number: by which an answer refers to it, from 1.
        type: what it is.
        box: in pixels of the picture.
        text: what is written on it.
        subtype: of icons and shapes.
        states: as far as they can be seen.
        track_id: the same element on other pictures of the demo.
        uid: its identity; empty where it has none.
    """

    number: int
    type: str
    box: Rect
    text: str | None = None
    subtype: str | None = None
    states: Mapping[State, bool] = field(default_factory=dict[State, bool])
    track_id: str | None = None
    uid: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A drag that has begun and not ended.

    Attributes:
        start: where the button went down, in pixels of the picture.
        way: where the pointer has been since then.
    """

    start: Point
    way: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The screen now.

    Attributes:
        size: of the picture that is sent, in pixels; needed to read coordinates.
        elements: what is on it; empty where nobody has looked.
        window: the window that fractions are meant for (UFO), in pixels of the picture; None for the whole picture.
        image: path or id of the picture, for the caller to send along; empty without one.
        space: how the model writes places; None for the dialect's own way.
        held: a drag that earlier answers began.
    """

    size: Size | None = None
    elements: Sequence[Listed] = ()
    window: Rect | None = None
    image: str = ""
    space: Space | None = None
    held: Held | None = None

    def element(self, number: int, *, field_name: str) -> Listed | None:
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

    def target(self, element: Listed) -> ActionTarget:
        """All that identifies an element of this screen."""
        box = None if self.size is None else to_norm_xywh(element.box.clamped(self.size), self.size)
        return ActionTarget(track_id=element.track_id, element_id=element.number, text=element.text or None, bbox=box)


def _numbers(elements: Sequence[Listed]) -> str:
    numbers = sorted(item.number for item in elements)
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers[:40])


def listed(elements: Iterable[Element]) -> tuple[Listed, ...]:
    """Elements in reading order, numbered from 1."""
    return tuple(
        Listed(
            number=number,
            type=element.type,
            box=element.box,
            text=element.text,
            subtype=element.subtype,
            states={**element.states},
            track_id=element.track_id,
            uid=element.uid,
        )
        for number, element in enumerate(elements, start=1)
    )


def listed_rows(rows: Iterable[ElementRow]) -> tuple[Listed, ...]:
    """Elements of a pack with the numbers that they have there; rejected ones are left out."""
    return tuple(
        Listed(
            number=row.element_id,
            type=row.type,
            box=Rect(*row.box),
            text=row.text,
            subtype=row.subtype,
            states={**row.states},
            track_id=row.track_id,
            uid=row.uid,
        )
        for row in rows
        if row.element_id is not None
    )


def scene_before(step: StepRow, demo: DemoRows) -> Scene:
    """The screen that a recorded step was done on."""
    size = None if step.image_size is None else Size(step.image_size[0], step.image_size[1])
    return Scene(
        size=size, elements=listed_rows(demo.on(step)), window=act_of(step, demo).window, image=step.image or ""
    )
