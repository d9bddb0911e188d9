"""Rules about elements and coordinates: boxes, numbers, doubles, paint, the scale of the numbers, x and y exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from demopack.domain.geometry import Point, Rect, Size
from demopack.pack.check.lines import CheckedLine
from demopack.pack.manifest import STEPS
from demopack.pack.rules import RULES, Finding
from demopack.redaction.matches import PLACEHOLDER

_COVERED_SHARE = 0.9
"""Part of an element's box that must lie under the paint for its text to count as hidden."""


def check_boxes(elements: Sequence[CheckedLine]) -> Iterator[Finding]:
    """G01 for every element; G09 for doubles; A06 for tracks."""
    boxes: set[tuple[object, ...]] = set()
    tracks: set[tuple[str, str]] = set()
    for line in elements:
        row = line.data
        problem = box_problem(row["box"], row["image_size"], may_be_point=False)
        if problem is not None:
            yield line.broken("G01", f"box {problem}.")
        elif _pixels(row) != row["box"]:
            yield line.broken("G01", f"bbox {row['bbox']} is not the box {row['box']}.")
        if row["element_id"] is None:
            continue
        double = (row["frame"], row["type"], row["text"], *row["box"])
        if double in boxes:
            yield line.broken("G09", f"A {row['type']} stands at {row['box']} already.")
        boxes.add(double)
        if row["track_id"] is not None:
            track = (row["frame"], row["track_id"])
            if track in tracks:
                yield line.broken("A06", f"The track_id {row['track_id']} is on this picture already.")
            tracks.add(track)


def check_numbers(elements: Sequence[CheckedLine]) -> Iterator[Finding]:
    """A05 for the numbers of the elements, 1, 2, 3, ... on each picture."""
    numbers: dict[str, int] = {}
    for line in elements:
        row = line.data
        if row["element_id"] is not None:
            numbers[row["frame"]] = numbers.get(row["frame"], 0) + 1
            if row["element_id"] != numbers[row["frame"]]:
                yield line.broken("A05", f"element_id is {row['element_id']}, expected is {numbers[row['frame']]}.")


def check_covered(elements: Sequence[CheckedLine], covered: Mapping[str, Sequence[list[int]]]) -> Iterator[Finding]:
    """P05: what lies under the paint of a picture has no text.

    Args:
        elements: of one demo.
        covered: frame id -> boxes that were painted over.
    """
    for line in elements:
        row = line.data
        text = row["text"] or ""
        if row["frame"] not in covered or not text.strip() or PLACEHOLDER.search(text):
            continue
        if any(_inside(row["box"], box) >= _COVERED_SHARE for box in covered[row["frame"]]):
            yield line.broken("P05", f"The {row['type']} at {row['box']} was painted over, but its text is told.")


def is_covered(box: list[int], frame: dict[str, Any] | None) -> bool:
    """Whether most of a box was painted over on a frame; then nothing can be seen there, and nothing change."""
    return frame is not None and any(_inside(box, cover) >= _COVERED_SHARE for cover in frame.get("covered") or ())


def _inside(box: list[int], cover: list[int]) -> float:
    """The part of a box that lies in another, 0..1."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    width = min(box[2], cover[2]) - max(box[0], cover[0])
    height = min(box[3], cover[3]) - max(box[1], cover[1])
    return max(0, width) * max(0, height) / area if area > 0 else 0.0


def _pixels(row: dict[str, Any]) -> list[int]:
    """The bbox in pixels, as :func:`demopack.domain.geometry.from_norm_xywh` reads it; empty beyond 0..1."""
    x, y, w, h = row["bbox"]
    if min(x, y, w, h) < 0 or x + w > 1.00001 or y + h > 1.00001:
        return []
    # Written out, because a pack has hundreds of thousands of elements.
    width, height = row["image_size"]
    x2, y2 = min(round((x + w) * width), width), min(round((y + h) * height), height)
    return [min(round(x * width), width), min(round(y * height), height), x2, y2]


_MIN_PLACES = 5
_SWAPPED_SHARE = 0.9
_MAX_KEPT = 1000
_MIN_BOXES_OF_A_GRID = 20


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

    def add(self, line: CheckedLine, name: str, at: tuple[int, int], box: list[int] | None) -> bool:
        """Look at one pointer; returns whether it lies in its box."""
        if box is None:
            return True
        size = line.data["image_size"]
        self._all += 1
        if _in_box(at, box, size):
            return True
        self._misses += 1
        self._turned += _in_box((at[1], at[0]), box, size)
        if len(self._missed) < _MAX_KEPT:
            self._missed.append(line.broken("G05", f"The pointer {at} is not in the {name}'s box {box}."))
        return False

    def findings(self) -> Iterator[Finding]:
        """G06 where nearly all pointers fit the other way round, else G05 for each that missed."""
        if self._all >= _MIN_PLACES and self._turned >= _SWAPPED_SHARE * self._all:
            message = f"{self._turned} of {self._all} pointers lie in their boxes only with x and y exchanged."
            yield RULES["G06"].broken(STEPS, None, message)
        else:
            yield from self._missed


def _in_box(at: tuple[int, int], box: list[int], size: list[int]) -> bool:
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
        if self._boxes >= _MIN_PLACES and far <= 1:
            yield RULES["G04"].broken(file, None, f"All {self._boxes} boxes lie between 0 and 1.")
        elif (
            self._boxes >= _MIN_BOXES_OF_A_GRID
            and self._width > 1100
            and 950 <= self._right <= 1000
            and self._bottom <= 1000
        ):
            message = f"No box reaches further than {far:.0f} on pictures that are {self._width:.0f} wide."
            yield RULES["G04"].broken(file, None, message)
