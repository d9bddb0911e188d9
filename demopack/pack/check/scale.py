"""Rules about coordinates as a whole: boxes on their pictures, the scale of the numbers, x and y exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from demopack.domain.geometry import Point, Rect, Size
from demopack.pack.check.lines import Line
from demopack.pack.findings import Finding
from demopack.pack.manifest import STEPS
from demopack.pack.rules import RULES

__all__ = ["Pointers", "Scale", "box_problem"]

_FEW = 5
_MOST = 0.9
_KEPT = 1000
_BOXES = 20


def box_problem(box: Sequence[float] | None, size: Sequence[float], *, may_be_point: bool) -> str | None:
    """What is wrong with a box ``[x1, y1, x2, y2]`` on a picture, as the end of a sentence; None for a good one."""
    if box is None:
        return None
    x1, y1, x2, y2 = box
    if x1 < 0 or y1 < 0 or x2 > size[0] or y2 > size[1]:
        return f"{list(box)} leaves the picture of {size[0]} x {size[1]} pixels"
    if x1 > x2 or y1 > y2:
        return f"{list(box)} has its corners swapped"
    if not may_be_point and (x1 == x2 or y1 == y2):
        return f"{list(box)} has no area"
    return None


@dataclass(slots=True)
class Pointers:
    """Remembers where pointers missed their targets, and whether they would hit with x and y exchanged."""

    _all: int = 0
    _turned: int = 0
    _missed: list[Finding] = field(default_factory=list[Finding])
    _misses: int = 0

    def add(self, line: Line, name: str, at: tuple[int, int], box: list[int] | None) -> bool:
        """Look at one pointer; returns whether it lies in its box."""
        if box is None:
            return True
        size = line.data["image_size"]
        self._all += 1
        if _inside(at, box, size):
            return True
        self._misses += 1
        self._turned += _inside((at[1], at[0]), box, size)
        if len(self._missed) < _KEPT:
            message = f"The pointer {at} is not in the {name}'s box {box}."
            self._missed.append(RULES["G05"].broken(STEPS, line.number, message))
        return False

    def findings(self) -> Iterator[Finding]:
        """G06 where nearly all pointers fit the other way round, else G05 for each that missed."""
        if self._all >= _FEW and self._turned >= _MOST * self._all:
            message = f"{self._turned} of {self._all} pointers lie in their boxes only with x and y exchanged."
            yield RULES["G06"].broken(STEPS, None, message)
        else:
            yield from self._missed


def _inside(at: tuple[int, int], box: list[int], size: list[int]) -> bool:
    # A press on another monitor is recorded as it was, and its target moved to the picture's edge.
    point = Rect.at_point(Point(*at)).clamped(Size(size[0], size[1]))
    return box[0] <= point.x1 <= box[2] and box[1] <= point.y1 <= box[3]


@dataclass(slots=True)
class Scale:
    """Remembers how far the numbers of the boxes reach."""

    _boxes: int = 0
    _right: float = 0.0
    _bottom: float = 0.0
    _width: float = float("inf")
    _height: float = float("inf")

    def add(self, box: Sequence[float], size: Sequence[float]) -> None:
        """Look at one box ``[x1, y1, x2, y2]`` and the size of its picture."""
        self._boxes += 1
        self._right, self._bottom = max(self._right, box[2]), max(self._bottom, box[3])
        self._width, self._height = min(self._width, size[0]), min(self._height, size[1])

    def findings(self, file: str) -> Iterator[Finding]:
        """G04 where the numbers look like another scale."""
        far = max(self._right, self._bottom)
        if self._boxes >= _FEW and far <= 1:
            yield RULES["G04"].broken(file, None, f"All {self._boxes} boxes lie between 0 and 1.")
        elif self._boxes >= _BOXES and self._width > 1100 and 950 <= self._right <= 1000 and self._bottom <= 1000:
            message = f"No box reaches further than {far:.0f} on pictures that are {self._width:.0f} wide."
            yield RULES["G04"].broken(file, None, message)
