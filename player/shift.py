"""Shift of things on a screen whose windows have been moved. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median_low
from typing import Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.text_likeness import plain_text

_NEAREST: Final = 5


class Shift:
    """Learns from labels that stand once on both screens how far their surroundings have moved.

    Args:
        recorded: elements of the recorded frame.
        fresh: elements of the live frame.
        scale: live pixels per recorded pixel, across and down.
    """

    def __init__(
        self, recorded: Sequence[Element], fresh: Sequence[Element], *, scale: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        self._scale = scale
        here, there = _labels(recorded), _labels(fresh)
        self._pairs = [(self.scaled(here[key].box), there[key].box) for key in here.keys() & there.keys()]

    @classmethod
    def between(cls, recorded: Sequence[Element], size: Size, fresh: Sequence[Element], live: Size) -> Shift:
        """For frames of given sizes."""
        return cls(recorded, fresh, scale=(live.width / size.width, live.height / size.height))

    def scaled(self, box: Rect) -> Rect:
        """A recorded box in live pixels, not moved yet."""
        fx, fy = self._scale
        return Rect(round(box.x1 * fx), round(box.y1 * fy), round(box.x2 * fx), round(box.y2 * fy))

    def offset(self, place: Point) -> tuple[int, int]:
        """How far the surroundings of a place have moved, to the right and down; nothing where no label tells.

        Args:
            place: in live pixels, not moved yet.
        """
        by_distance = sorted(
            self._pairs, key=lambda pair: (pair[0].center.x - place.x) ** 2 + (pair[0].center.y - place.y) ** 2
        )
        nearest = by_distance[:_NEAREST]
        if not nearest:
            return 0, 0
        # The left top corner: a label that has become longer still begins where it began.
        return (
            median_low(there.x1 - here.x1 for here, there in nearest),
            median_low(there.y1 - here.y1 for here, there in nearest),
        )

    def moved(self, box: Rect) -> Rect:
        """Where a recorded box should be on the live screen; its left top corner never leaves the screen."""
        there = self.scaled(box)
        dx, dy = self.offset(there.center)
        return there.moved(max(dx, -there.x1), max(dy, -there.y1))

    def expected(self, recorded: Sequence[Element]) -> list[Element]:
        """The recorded elements where they should be on the live screen."""
        return [element.model_copy(update={"box": self.moved(element.box)}) for element in recorded]


def _labels(elements: Sequence[Element]) -> dict[tuple[str, str], Element]:
    """Elements by type and text, those that stand there once."""
    keyed = [((e.type, plain_text(e.text)), e) for e in elements if e.text and e.review != "rejected"]
    count = Counter(key for key, _ in keyed)
    return {key: element for key, element in keyed if count[key] == 1}
