"""Boxes and points: integer pixels of a stored frame are the truth, everything else is derived.

``Rect`` is ``[x1, y1, x2, y2]`` with ``x1 <= x2`` and ``y1 <= y2``; ``x2`` and ``y2`` are exclusive edges, so the
width is ``x2 - x1``. A rectangle of size zero is a point (a click where no element lies).

Integer boxes survive the way into fractions and back exactly for any frame up to 16384 pixels wide.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from demopack.errors import GeometryError

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom of a box, not rounded; in pixels or in fractions, as the user says."""
NormBox = tuple[float, float, float, float]
"""``(x, y, w, h)`` as fractions 0..1 of the frame, the form of ``ActionTarget.bbox``."""


class Size(NamedTuple):
    """Width and height of a frame in pixels."""

    width: int
    height: int


# Type checkers keep the fields of boxes and points as they are: what Python itself freezes takes three times as long to
# make, and there are hundreds of thousands.


@dataclass(slots=True, unsafe_hash=True)
class Point:
    """A pixel position on a frame; may lie outside it on a multi-monitor desktop."""

    x: Final[int]
    y: Final[int]


@dataclass(slots=True, unsafe_hash=True)
class Rect:
    """An axis-parallel box in integer pixels, right and bottom edges exclusive."""

    x1: Final[int]
    y1: Final[int]
    x2: Final[int]
    y2: Final[int]

    def __post_init__(self) -> None:
        if self.x1 > self.x2 or self.y1 > self.y2:
            raise GeometryError(
                f"The box [{self.x1}, {self.y1}, {self.x2}, {self.y2}] has its corners swapped.",
                hint="Give left, top, right, bottom.",
            )

    @classmethod
    def at_point(cls, point: Point) -> Rect:
        """The box of size zero at a point."""
        return cls(point.x, point.y, point.x, point.y)

    @classmethod
    def spanning(cls, a: Point, b: Point) -> Rect:
        """The box between two opposite corners, in any order."""
        return cls(min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))

    @property
    def corners(self) -> list[int]:
        """``[x1, y1, x2, y2]``, as boxes are stored."""
        return [self.x1, self.y1, self.x2, self.y2]

    @property
    def width(self) -> int:
        """Pixels from the left to the right edge."""
        return self.x2 - self.x1

    @property
    def height(self) -> int:
        """Pixels from the top to the bottom edge."""
        return self.y2 - self.y1

    @property
    def area(self) -> int:
        """Covered pixels; 0 for a point or a line."""
        return self.width * self.height

    @property
    def center(self) -> Point:
        """The middle, halves rounded to even as in the CAAP notation."""
        return Point(round((self.x1 + self.x2) / 2), round((self.y1 + self.y2) / 2))

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside (left and top edges count, right and bottom do not)."""
        return self.x1 <= point.x < self.x2 and self.y1 <= point.y < self.y2

    def encloses(self, other: Rect) -> bool:
        """Whether the other box lies wholly inside this one (equal boxes enclose each other)."""
        return self.x1 <= other.x1 and self.y1 <= other.y1 and self.x2 >= other.x2 and self.y2 >= other.y2

    def intersection(self, other: Rect) -> Rect | None:
        """The common part, or None when the boxes share no pixel."""
        if other.x2 <= self.x1 or self.x2 <= other.x1 or other.y2 <= self.y1 or self.y2 <= other.y1:
            return None  # most pairs of a screen, told apart at the least price
        x1, y1 = max(self.x1, other.x1), max(self.y1, other.y1)
        x2, y2 = min(self.x2, other.x2), min(self.y2, other.y2)
        return Rect(x1, y1, x2, y2) if x1 < x2 and y1 < y2 else None

    def union(self, other: Rect) -> Rect:
        """The smallest box around both."""
        return Rect(min(self.x1, other.x1), min(self.y1, other.y1), max(self.x2, other.x2), max(self.y2, other.y2))

    def moved(self, dx: int, dy: int) -> Rect:
        """The same box elsewhere."""
        return Rect(self.x1 + dx, self.y1 + dy, self.x2 + dx, self.y2 + dy)

    def scaled(self, factor: float) -> Rect:
        """The box where each unit has become so many, counted from the origin; rounded."""
        return Rect(*(round(edge * factor) for edge in self.corners))

    def clamped(self, size: Size) -> Rect:
        """The part of the box that lies on a frame of this size; a point outside is moved to the nearest edge."""
        x1, x2 = (min(max(v, 0), size.width) for v in (self.x1, self.x2))
        y1, y2 = (min(max(v, 0), size.height) for v in (self.y1, self.y2))
        return Rect(x1, y1, x2, y2)

    def grown(self, pixels: int) -> Rect:
        """The box with so many pixels more on each side."""
        return Rect(self.x1 - pixels, self.y1 - pixels, self.x2 + pixels, self.y2 + pixels)

    def share_in(self, other: Rect) -> float:
        """The part of this box's area that lies in another box, 0..1; 0 for a box without area."""
        common = self.intersection(other)
        return 0.0 if common is None else common.area / self.area

    @property
    def turned(self) -> Rect:
        """With x and y exchanged: what is to be done along both axes is done along one of them."""
        return Rect(self.y1, self.x1, self.y2, self.x2)

    def inside(self, size: Size) -> bool:
        """Whether the whole box lies on a frame of this size."""
        return self.x1 >= 0 and self.y1 >= 0 and self.x2 <= size.width and self.y2 <= size.height


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSpace:
    """How positions on the virtual desktop and pixels of one picture of it belong together.

    Events, windows and what accessibility tells are counted in *desktop units*; a picture has pixels. Whoever takes the
    picture says how many pixels a unit has, and nothing else converts between the two. The unit of each system is what
    its hooks and its windows are counted in:

    - **X11**: physical pixels. A desktop whose programs draw larger (``Xft.dpi``, ``GDK_SCALE``) has no other units.
    - **Windows**: physical pixels, as the process is aware of each monitor's scale (``demopack_cli.dpi_awareness``).
    - **macOS**: points. A Retina monitor has two pixels a point in each direction, a plain one has one.

    Attributes:
        origin_x: left edge of the picture on the virtual desktop, desktop units.
        origin_y: top edge of the picture there.
        pixels_per_unit: 1 on X11 and Windows; on macOS that of the monitor with most pixels a point that the picture
            shows, as what lies on the others is enlarged to it.
    """

    origin_x: int = 0
    origin_y: int = 0
    pixels_per_unit: float = 1.0

    def to_pixel(self, x: float, y: float) -> Point:
        """The pixel of the picture at a position of the virtual desktop; may lie outside the picture."""
        return Point(
            round((x - self.origin_x) * self.pixels_per_unit), round((y - self.origin_y) * self.pixels_per_unit)
        )

    def to_desktop(self, pixel: Point) -> Point:
        """The position on the virtual desktop that holds a pixel of the picture."""
        return Point(
            self.origin_x + math.floor(pixel.x / self.pixels_per_unit),
            self.origin_y + math.floor(pixel.y / self.pixels_per_unit),
        )

    def pixel_on(self, other: ScreenSpace, pixel: Point) -> Point:
        """The pixel of another picture that shows the same position as a pixel of this one."""
        scale = self.pixels_per_unit
        return other.to_pixel(pixel.x / scale + self.origin_x, pixel.y / scale + self.origin_y)

    def to_pixels(self, box: Rect) -> Rect:
        """A box of the virtual desktop in pixels of the picture, each edge on the outer side; it may lie outside."""
        scale = self.pixels_per_unit
        return Rect(
            math.floor((box.x1 - self.origin_x) * scale),
            math.floor((box.y1 - self.origin_y) * scale),
            math.ceil((box.x2 - self.origin_x) * scale),
            math.ceil((box.y2 - self.origin_y) * scale),
        )

    def desktop_box(self, size: Size) -> Rect:
        """What a picture of this size shows of the virtual desktop."""
        return Rect(
            self.origin_x,
            self.origin_y,
            self.origin_x + math.ceil(size.width / self.pixels_per_unit),
            self.origin_y + math.ceil(size.height / self.pixels_per_unit),
        )


def iou(a: Rect, b: Rect) -> float:
    """Intersection over union, 0..1; 0 when either box has no area."""
    common = a.intersection(b)
    if common is None:
        return 0.0
    return common.area / (a.area + b.area - common.area)


def outermost(boxes: Iterable[Rect]) -> list[Rect]:
    """The boxes that lie in no other one, each once, from the top."""
    found = set(boxes)
    outer = [box for box in found if not any(other != box and other.encloses(box) for other in found)]
    return sorted(outer, key=lambda box: (box.y1, box.x1, box.y2, box.x2))


def overlap_of_smaller(a: Rect, b: Rect) -> float:
    """The part of the smaller box's area that lies in the larger one, 0..1; 0 when either has no area."""
    return max(a.share_in(b), b.share_in(a))


def join_close(boxes: Iterable[Rect], *, gap: int = 0) -> list[Rect]:
    """The boxes, those that overlap or are less than ``gap`` pixels apart as one, from the top."""
    left = list(boxes)
    done: list[Rect] = []
    while left:
        one = left.pop()
        near = one.grown(gap)
        close = [other for other in left if near.intersection(other) is not None]
        if not close:
            done.append(one)
            continue
        for other in close:
            left.remove(other)
            one = one.union(other)
        left.append(one)
    return sorted(done, key=lambda box: (box.y1, box.x1, box.y2, box.x2))


def _check_frame(size: Size) -> None:
    if size.width <= 0 or size.height <= 0:
        raise GeometryError(f"A frame of {size.width} x {size.height} pixels has no coordinates.")


def _check_on_frame(rect: Rect, size: Size) -> None:
    _check_frame(size)
    if not rect.inside(size):
        raise GeometryError(
            f"The box [{rect.x1}, {rect.y1}, {rect.x2}, {rect.y2}] lies outside its frame of "
            f"{size.width} x {size.height} pixels.",
            hint="Clip the box to the frame.",
        )


def to_norm_xywh(rect: Rect, size: Size) -> NormBox:
    """``[x, y, w, h]`` as fractions 0..1 of the frame (LLMResponse).

    Six decimals; still exact to a tenth of a pixel on a frame of 16384 pixels.

    Raises:
        GeometryError: the box does not lie on the frame.
    """
    x1, y1, x2, y2, (width, height) = rect.x1, rect.y1, rect.x2, rect.y2, size
    # Packs have hundreds of thousands of boxes: what is wrong is told apart only where something is.
    if x1 < 0 or y1 < 0 or x2 > width or y2 > height or not width or not height:
        _check_on_frame(rect, size)
    x, y = round(x1 / width, 6), round(y1 / height, 6)
    w, h = (x2 - x1) / width, (y2 - y1) / height
    # The far edge is rounded like the near one, so x + w never passes 1 by more than float noise.
    return (x, y, round(min(1 - x, w), 6), round(min(1 - y, h), 6))


def from_norm_xywh(box: NormBox, size: Size) -> Rect:
    """Pixels of a normalised box, each edge to the nearest pixel.

    Raises:
        GeometryError: a value is not finite, negative, or the box leaves the frame.
    """
    _check_frame(size)
    if not all(math.isfinite(v) for v in box) or min(box) < 0 or box[0] + box[2] > 1.00001 or box[1] + box[3] > 1.00001:
        raise GeometryError(
            f"The normalised box {list(box)} is not within 0..1.",
            hint="Divide pixels by the frame's width and height.",
        )
    x, y, w, h = box
    return Rect(
        round(x * size.width),
        round(y * size.height),
        round((x + w) * size.width),
        round((y + h) * size.height),
    ).clamped(size)


def to_fraction(point: Point, size: Size) -> tuple[float, float]:
    """A point as fractions 0..1 of the frame, to six decimals; one beside the frame is moved to its edge."""
    x, y = (round(min(1.0, max(0.0, at / of)), 6) for at, of in zip((point.x, point.y), size, strict=True))
    return (x, y)


def caap_notation(rect: Rect) -> str:
    """CAAP's coordinates, ``X: c [l-r], Y: c [t-b]``; centres are rounded half to even, as in the paper's figures."""
    center = rect.center
    return f"X: {center.x} [{rect.x1}-{rect.x2}], Y: {center.y} [{rect.y1}-{rect.y2}]"


def to_yolo(rect: Rect, size: Size) -> NormBox:
    """``(cx, cy, w, h)`` as fractions 0..1 (Ultralytics label files).

    Raises:
        GeometryError: the box does not lie on the frame.
    """
    _check_on_frame(rect, size)
    return (
        (rect.x1 + rect.x2) / 2 / size.width,
        (rect.y1 + rect.y2) / 2 / size.height,
        rect.width / size.width,
        rect.height / size.height,
    )


def to_coco(rect: Rect) -> tuple[int, int, int, int]:
    """``[x, y, width, height]`` in pixels (COCO)."""
    return (rect.x1, rect.y1, rect.width, rect.height)


def to_thousand(point: Point, size: Size, *, top: int = 1000) -> tuple[int, int]:
    """A point on the 0..1000 grid of the Qwen, Gemini and OS-Atlas families.

    Args:
        point: pixels on the frame.
        size: the frame.
        top: the largest value that the consumer accepts; some say 999.
    """
    return to_grid(point, size, Size(1000, 1000), top=top)


def to_grid(point: Point, size: Size, grid: Size, *, top: int | None = None) -> tuple[int, int]:
    """A point on a grid that is laid over the frame.

    Args:
        point: pixels on the frame.
        size: the frame.
        grid: how large the frame is on the grid.
        top: the largest value that the consumer accepts; None for the grid's width and height.
    """
    _check_frame(size)
    x, y = round(point.x / size.width * grid.width), round(point.y / size.height * grid.height)
    right, bottom = (grid.width, grid.height) if top is None else (top, top)
    if 0 <= x <= right and 0 <= y <= bottom:  # almost always; the list of a picture's elements has hundreds
        return x, y
    return min(right, max(0, x)), min(bottom, max(0, y))


def to_window_fraction(point: Point, window: Rect) -> tuple[float, float]:
    """A point as a fraction of a window (UFO's coordinates); outside the window it is below 0 or above 1.

    Raises:
        GeometryError: the window has no area.
    """
    if window.area == 0:
        raise GeometryError("A window without area has no fractions.")
    return ((point.x - window.x1) / window.width, (point.y - window.y1) / window.height)


def from_window_fraction(fraction: tuple[float, float], window: Rect) -> Point:
    """The pixel at a fraction of a window."""
    return Point(round(window.x1 + fraction[0] * window.width), round(window.y1 + fraction[1] * window.height))


def subtract(box: Rect, covers: Iterable[Rect]) -> list[Rect]:
    """What can be seen of a box when others lie on it, as disjoint boxes."""
    left = [box]
    for cover in covers:
        left = [part for rest in left for part in _cut(rest, cover)]
    return left


def _cut(box: Rect, cover: Rect) -> list[Rect]:
    common = box.intersection(cover)
    if common is None:
        return [box]
    parts = [
        Rect(box.x1, box.y1, box.x2, common.y1),
        Rect(box.x1, common.y2, box.x2, box.y2),
        Rect(box.x1, common.y1, common.x1, common.y2),
        Rect(common.x2, common.y1, box.x2, common.y2),
    ]
    return [part for part in parts if part.area]


def bounds_of_points(points: Iterable[Sequence[float]]) -> Edges:
    """The bounding box of points; there is at least one."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def bounds_of_rotated(edges: Edges, degrees: float) -> Edges:
    """The bounding box of a box that is rotated about its centre by some degrees; in pixels."""
    x1, y1, x2, y2 = edges
    cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    width, height = abs(x2 - x1), abs(y2 - y1)
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    half_width, half_height = (width * cos + height * sin) / 2, (width * sin + height * cos) / 2
    return (cx - half_width, cy - half_height, cx + half_width, cy + half_height)
