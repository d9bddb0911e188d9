"""The pieces that a picture falls into around a place: even grounds, and connected ink.

Where neighbouring pixels differ by more than a little runs an edge. Grounds are the connected areas without an edge;
ink is everything else, connected over corners, too. Near the place both are exact; far from it, where only panels and
windows are of interest, grounds are looked for in cells of 4 x 4 pixels, and their sides are then put on the edges.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from annotator.tighten import Image
from demopack.domain.geometry import Rect

__all__ = ["Boxes", "Mask", "Parts", "as_rect", "edges_of", "parts_around", "support"]

Mask = npt.NDArray[np.bool_]
Boxes = npt.NDArray[np.int64]
"""Shape (n, 4): x1 y1 x2 y2 in pixels of the frame, ends exclusive."""

_EDGE: Final = 4
"""Steps of a channel that make an edge: above the gradients of themes, below the faint outlines of dark ones."""
_REACH_Y: Final = 100
_REACH_X: Final = 960
"""Pixels around the place that are looked at exactly; rows and lines are wide and low, so it is wider than high."""
_CELL: Final = 4
_WITHIN: Final = 0.1
"""Of a side's length at each end that is not looked at: corners may be round."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What lies around one place.

    Attributes:
        edges: shape of the whole picture: pixels that differ from their right or lower neighbour.
        window: the part that was looked at exactly.
        grounds: boxes of even areas around the place, exact ones first.
        ink: boxes of all connected ink in the window.
        filled: pixels of each piece of ink.
    """

    edges: Mask
    window: Rect
    grounds: Boxes
    ink: Boxes
    filled: npt.NDArray[np.int64]


def as_rect(row: npt.NDArray[np.int64]) -> Rect:
    """One row of boxes as a box."""
    x1, y1, x2, y2 = (int(value) for value in row)
    return Rect(x1, y1, x2, y2)


def edges_of(image: Image) -> Mask:
    """Pixels that differ from their right or lower neighbour by more than a little, in any channel.

    Args:
        image: three or four channels; the fourth must be even, as that of a screenshot is.
    """
    height, width, channels = image.shape
    flat = np.ascontiguousarray(image).reshape(height, width * channels)
    edges = np.zeros((height, width), dtype=np.bool_)
    edges[:, :-1] = _any_channel(_stepped(flat[:, channels:], flat[:, :-channels]), channels)
    edges[:-1] |= _any_channel(_stepped(flat[1:], flat[:-1]), channels)
    return edges


def _stepped(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> Mask:
    """Over all channels at once, line by line: many times as fast as channel by channel."""
    found = np.maximum(a, b)
    found -= np.minimum(a, b)
    return np.asarray(found > _EDGE, dtype=np.bool_)


def _any_channel(stepped: Mask, channels: int) -> Mask:
    if channels == 4:
        return np.asarray(stepped.view(np.uint32) != 0, dtype=np.bool_)
    found = stepped[:, 0::channels].copy()
    for channel in range(1, channels):
        found |= stepped[:, channel::channels]
    return found


def parts_around(edges: Mask, x: int, y: int) -> Parts:
    """The pieces around a place of the picture.

    Args:
        edges: of the whole picture, from :func:`edges_of`.
        x: pixels of the frame, inside.
        y: as ``x``.
    """
    height, width = edges.shape
    window = Rect(max(x - _REACH_X, 0), max(y - _REACH_Y, 0), min(x + _REACH_X, width), min(y + _REACH_Y, height))
    part = edges[window.y1 : window.y2, window.x1 : window.x2]
    shift = np.array([window.x1, window.y1, window.x1, window.y1])
    flat, _ = _labelled(~part, corners=False)
    # The last pixel before an edge is told as an edge: the ground goes on to it.
    grounds = _around(flat + shift + (0, 0, 1, 1), x, y)
    whole = Rect(0, 0, width, height)
    inner = (window.x1 or -9, window.y1 or -9, window.x2 if window.x2 < width else width + 9)
    bottom = window.y2 if window.y2 < height else height + 9
    cut = (grounds[:, 0] <= inner[0]) | (grounds[:, 1] <= inner[1])
    cut |= (grounds[:, 2] >= inner[2]) | (grounds[:, 3] >= bottom)
    found = np.concatenate([grounds[~cut], _far(edges, x, y)])
    ink, filled = _labelled(part, corners=True)
    # In the same way an edge begins one pixel before the ink, on the left and above.
    boxes = ink + shift + (1, 1, 0, 0)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    clipped = np.clip(found, 0, (whole.x2, whole.y2, whole.x2, whole.y2))
    return Parts(edges=edges, window=window, grounds=clipped, ink=boxes, filled=filled)


def _far(edges: Mask, x: int, y: int) -> Boxes:
    """Large grounds, found in cells; sides lie on the nearest edges."""
    high, wide = edges.shape[0] // _CELL, edges.shape[1] // _CELL
    if not high or not wide:
        return np.zeros((0, 4), dtype=np.int64)
    # Four pixels of a line are one number of 32 bits, which is zero where none is an edge.
    lines = np.ascontiguousarray(edges[: high * _CELL, : wide * _CELL]).view(np.uint32) != 0
    cells = lines.reshape(high, _CELL, wide).any(axis=1)
    flat, _ = _labelled(~cells, corners=False)
    flat = _around(flat, x // _CELL, y // _CELL)
    flat = flat[(flat[:, 3] - flat[:, 1] >= 3) & (flat[:, 2] - flat[:, 0] >= 3)]
    return np.array([_onto_edges(edges, *(int(v) * _CELL for v in row)) for row in flat], dtype=np.int64).reshape(-1, 4)


def _onto_edges(edges: Mask, x1: int, y1: int, x2: int, y2: int) -> tuple[int, int, int, int]:
    """A box of cells, each side on the first line outwards that is an edge along most of it."""
    height, width = edges.shape
    turned = edges.T
    left = next((x for x in range(x1 - 1, max(x1 - _CELL - 1, -1), -1) if support(turned, x, y1, y2) > 0.4), x1 - 1)
    top = next((y for y in range(y1 - 1, max(y1 - _CELL - 1, -1), -1) if support(edges, y, x1, x2) > 0.4), y1 - 1)
    right = next((x for x in range(x2 - 1, min(x2 + _CELL, width)) if support(turned, x, y1, y2) > 0.4), x2 - 1)
    bottom = next((y for y in range(y2 - 1, min(y2 + _CELL, height)) if support(edges, y, x1, x2) > 0.4), y2 - 1)
    right = width - 1 if right >= width - _CELL else right
    bottom = height - 1 if bottom >= height - _CELL else bottom
    return left + 1, top + 1, right + 1, bottom + 1


def support(lines: Mask, at: int, low: int, high: int) -> float:
    """Share of a line from ``low`` to ``high`` that is edge, corners left out; 0 outside the picture."""
    if not 0 <= at < len(lines):
        return 0.0
    corner = int((high - low) * _WITHIN)
    part = lines[at, max(low + corner, 0) : high - corner]
    return float(np.count_nonzero(part)) / part.size if part.size else 0.0


def _around(boxes: Boxes, x: int, y: int) -> Boxes:
    inside = (boxes[:, 0] <= x) & (x < boxes[:, 2]) & (boxes[:, 1] <= y) & (y < boxes[:, 3])
    return boxes[inside]


def _labelled(mask: Mask, *, corners: bool) -> tuple[Boxes, npt.NDArray[np.int64]]:
    """Boxes of the connected parts of a mask, and how many pixels each has."""
    ndimage = _ndimage()
    labels, count = ndimage.label(mask, structure=np.ones((3, 3)) if corners else None)
    found = [(c.start, r.start, c.stop, r.stop) for r, c in ndimage.find_objects(labels)]
    filled = np.bincount(labels.ravel(), minlength=count + 1)[1:] if corners else np.zeros(0, dtype=np.int64)
    return np.array(found, dtype=np.int64).reshape(-1, 4), filled


@lru_cache(maxsize=1)
def _ndimage() -> Any:  # noqa: ANN401 - scipy has no types
    """By name and late: it takes longer to import than the window to open."""
    return importlib.import_module("scipy.ndimage")
