"""Coordinates: the numbers in which a vocabulary writes places on a picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from demopack.codecs.observation import Observation
from demopack.domain.geometry import Point, Rect, Size, to_grid

_PATCH: Final = 28
"""Qwen2.5-VL and its kin resize a picture so that both of its sides are multiples of this."""
_MOST_PIXELS: Final = 16384 * _PATCH**2


@dataclass(frozen=True, slots=True, kw_only=True)
class CoordinateGrid:
    """Numbers for places.

    Attributes:
        words: what they are, for people.
        told: what they are, for models.
        tells_extent: whether models are told the extent, too: it is another one for each size of picture.
        extent: width and height of a picture of this size in these numbers.
        top: the largest of them; None for the extent.
    """

    words: str
    told: str
    tells_extent: bool
    extent: Callable[[Size], Size]
    top: int | None = None

    def place(self, point: Point, size: Size) -> tuple[int, int]:
        """A point of a picture of this size, given in pixels."""
        return to_grid(point, size, self.extent(size), top=self.top)

    def corners(self, box: Rect, size: Size) -> list[int]:
        """``[left, top, right, bottom]`` of a box of a picture of this size, given in pixels."""
        extent = self.extent(size)
        first, last = (to_grid(at, size, extent, top=self.top) for at in (Point(box.x1, box.y1), Point(box.x2, box.y2)))
        return [*first, *last]

    def told_of(self, size: Size | None) -> str:
        """What a model is told of the numbers on a picture of this size; where nobody knows it, it is left out."""
        extent = "" if size is None else " x ".join(map(str, self.extent(size)))
        return self.told + (f", {extent}" if extent and self.tells_extent else "")

    def measured(self, observation: Observation) -> Observation:
        """The screen as large as a model sees it that writes places in its pixels.

        A screen that says itself how the model writes places stays as it is.
        """
        if observation.space is not None:
            return observation
        size = None if observation.size is None else self.extent(observation.size)
        return replace(observation, size=size, space="pixels")


def _resized(least: int) -> Callable[[Size], Size]:
    """How large Qwen2.5-VL's processor makes a picture, which has ``least`` pixels at least afterwards.

    Halves are rounded to the even number, as Python does it: 1022 pixels are 36.5 patches and become 36.
    """

    def resized(size: Size) -> Size:
        width, height = (max(_PATCH, round(side / _PATCH) * _PATCH) for side in size)
        if width * height > _MOST_PIXELS:
            shrink = math.sqrt(size.width * size.height / _MOST_PIXELS)
            width, height = (math.floor(side / shrink / _PATCH) * _PATCH for side in size)
        elif width * height < least:
            grow = math.sqrt(least / (size.width * size.height))
            width, height = (math.ceil(side * grow / _PATCH) * _PATCH for side in size)
        return Size(width, height)

    return resized


def _thousand(_: Size) -> Size:
    return Size(1000, 1000)


PIXELS: Final = CoordinateGrid(
    words="whole pixels of the picture",
    told="pixels of the picture",
    tells_extent=True,
    extent=lambda size: size,
)
THOUSAND: Final = CoordinateGrid(
    words="0 to 1000 of width and height",
    told="numbers from 0 to 1000 over the picture's width and height",
    tells_extent=False,
    extent=_thousand,
)
BELOW_THOUSAND: Final = replace(
    THOUSAND,
    words="0 to 999 of width and height",
    told="numbers from 0 to 999 over the picture's width and height",
    top=999,
)
TARS_PIXELS: Final = CoordinateGrid(
    words="whole pixels of the picture, resized to multiples of 28",
    told="pixels of the picture as you see it",
    tells_extent=True,
    extent=_resized(100 * _PATCH**2),
)
"""UI-TARS 1.5, as its package resizes a picture."""
QWEN_PIXELS: Final = replace(TARS_PIXELS, extent=_resized(4 * _PATCH**2))
"""Qwen2.5-VL, as its processor resizes a picture by default."""
