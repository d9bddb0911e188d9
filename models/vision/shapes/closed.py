"""Finds closed frames and evenly filled areas on a screenshot: fields, buttons, boxes to tick, cells.

Programs draw most of their widgets as an outlined or filled rectangle. Where neighbouring pixels differ runs an edge;
the regions between edges whose sides are straight are such widgets, seen without any model.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size

__all__ = ["Shape", "find_shapes", "pixel_edges"]

_EDGE = 6
"""Steps of a channel that make an edge: above the gradients of themes, below the borders of dark ones."""
_MIN, _MAX_HEIGHT = 7, 72
"""Pixels. Lower shapes are letters; higher ones are panes, whose middle nobody clicks."""
_MARK = 30
"""Largest side of a box to tick or a round button, in pixels; fits pictures of up to twice the usual density."""
_WIDEST = 0.8
"""Wider shapes, as a share of the picture, are bars and panes."""

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One closed shape.

    Attributes:
        kind: ``frame`` for a rectangle, ``square`` for a small one with equal sides, ``round`` for a small circle.
        box: its outer edge.
        filled: whether there is something inside: a tick, a dot, text.
        outlined: whether a line runs around it that differs from inside and outside; always so for marks.
    """

    kind: Literal["frame", "square", "round"]
    box: Rect
    filled: bool
    outlined: bool = True


def find_shapes(image: RgbImage, *, screen_width: int | None = None) -> list[Shape]:
    """Every closed shape of the size of a widget, each once, in no particular order.

    Args:
        image: shape (height, width, 3), uint8.
        screen_width: of the whole screen in pixels, where the picture is a part of it.
    """
    edges = pixel_edges(image)
    size = Size(image.shape[1], image.shape[0])
    widest = _WIDEST * (screen_width or size.width)
    found: dict[Rect, Shape] = {}
    for shape in (*_regions(image, ~edges, size, widest), *_outlines(edges, size)):
        if not any(_same(shape.box, other) for other in found):
            found[shape.box] = shape
    return list(found.values())


def pixel_edges(image: RgbImage) -> _Mask:
    """Pixels that differ from their right or lower neighbour."""
    edges = np.zeros(image.shape[:2], dtype=np.bool_)
    for channel in (np.ascontiguousarray(image[:, :, i]) for i in range(3)):
        edges[:, :-1] |= _steps(channel[:, 1:], channel[:, :-1]) > _EDGE
        edges[:-1] |= _steps(channel[1:], channel[:-1]) > _EDGE
    return edges


def _steps(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """How far values are apart, without widening them."""
    return np.maximum(a, b) - np.minimum(a, b)


def _components(mask: _Mask, connectivity: Literal[4, 8]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Connected parts: a label for each pixel, and per label x, y, width, height, pixels; label 0 is the rest."""
    cv2: Any = importlib.import_module("cv2")
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=connectivity)
    return labels, stats


def _candidates(
    stats: npt.NDArray[np.int32], *, widest: float, largest: int
) -> Iterator[tuple[int, int, int, int, int]]:
    """Label, x, y, width and height of the parts that have the size of a widget."""
    width, height, count = stats[:, 2], stats[:, 3], stats[:, 4]
    fits = (width >= _MIN) & (height >= _MIN) & (height <= largest) & (width <= widest)
    fits &= count * 3 >= np.minimum(width, height) * 2
    fits[0] = False
    for label in np.flatnonzero(fits):
        x, y, w, h = (int(v) for v in stats[label, :4])
        yield int(label), x, y, w, h


def _regions(image: RgbImage, flat: _Mask, size: Size, widest: float) -> Iterator[Shape]:
    """Shapes whose inside is one even region."""
    labels, stats = _components(flat, 4)
    for label, x, y, w, h in _candidates(stats, widest=widest, largest=_MAX_HEIGHT):
        inside = labels[y : y + h, x : x + w] == label
        share = float(inside.mean())
        sides = (inside[0].mean(), inside[-1].mean(), inside[:, 0].mean(), inside[:, -1].mean())
        small = abs(w - h) <= 2 and max(w, h) <= _MARK
        # A line of the border on each side, and the pixel that the edge itself took on the right and below.
        outer = Rect(x - 1, y - 1, x + w + 2, y + h + 2).clamped(size)
        if share > 0.3 and min(sides) >= 0.55 and sum(sides) > 3:
            if small and min(w, h) < 9:
                continue
            kind: Literal["square", "frame"] = "square" if small else "frame"
            lined = _has_line(image, Rect(x, y, x + w, y + h))
            yield Shape(kind=kind, box=outer, filled=share < 0.97, outlined=lined)


def _has_line(image: RgbImage, inside: Rect) -> bool:
    """Whether the pixels just above the inside differ from those below and above them, along most of its width."""
    if inside.y1 < 3:
        return False
    middle = slice(inside.x1 + inside.width // 8, inside.x2 - inside.width // 8)
    rows = image[:, middle].astype(np.int16)
    best = 0.0
    # The line is one or two pixels strong.
    for above in (inside.y1 - 2, inside.y1 - 3):
        line, outside, content = rows[inside.y1 - 1], rows[max(0, above)], rows[inside.y1 + 1]
        differs = (np.abs(line - outside).max(axis=1) > _EDGE) & (np.abs(line - content).max(axis=1) > _EDGE)
        best = max(best, float(differs.mean()))
    return best > 0.7


def _outlines(edges: _Mask, size: Size) -> Iterator[Shape]:
    """Small squares and circles, known by their closed outline, whatever is inside."""
    labels, stats = _components(edges, 8)
    for label, x, y, w, h in _candidates(stats, widest=_MARK + 2, largest=_MARK + 2):
        if abs(w - h) > 2 or min(w, h) < 10:
            continue
        line = labels[y : y + h, x : x + w] == label
        # The edge lies on the pixel before a change: on the right and below that is one pixel inside.
        box = Rect(x, y, x + w + 1, y + h + 1).clamped(size)
        middle = line[h // 3 : h - h // 3, w // 3 : w - w // 3]
        if _straight(line):
            yield Shape(kind="square", box=box, filled=bool(middle.any()))
        elif _round(line):
            inner = edges[y + h // 3 : y + h - h // 3, x + w // 3 : x + w - w // 3]
            yield Shape(kind="round", box=box, filled=bool(inner.any()))


def _straight(line: _Mask) -> bool:
    """Whether an outline follows all four sides; it is one or two pixels strong, and its corners may be cut."""
    sides = (line[0] | line[1], line[-1] | line[-2], line[:, 0] | line[:, 1], line[:, -1] | line[:, -2])
    return min(float(side.mean()) for side in sides) >= 0.85


def _round(line: _Mask) -> bool:
    """Whether an outline is a closed circle with nothing outside it."""
    height, width = line.shape
    y, x = np.mgrid[:height, :width]
    away = np.hypot((x - (width - 1) / 2) * 2 / width, (y - (height - 1) / 2) * 2 / height)
    angle = np.arctan2(y - (height - 1) / 2, x - (width - 1) / 2)
    rim = line & (away > 0.72) & (away <= 1.06)
    # In each of 24 directions there must be some of the line near the rim, and none in the corners.
    directions = np.floor((angle + np.pi) / (2 * np.pi) * 24).astype(np.int64) % 24
    return len(np.unique(directions[rim])) == 24 and not bool((line & (away > 1.16)).any())


def _same(a: Rect, b: Rect) -> bool:
    return max(abs(a.x1 - b.x1), abs(a.y1 - b.y1), abs(a.x2 - b.x2), abs(a.y2 - b.y2)) <= 3
