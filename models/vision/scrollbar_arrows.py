"""Finds scroll bars by their pixels: two arrows that look away from each other, and a thumb on a track between them.

Bars of pages are as faint as the page itself, and most of what a detector sees of them is an arrow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.pixels.colours import edges_of
from demopack.pixels.masks import Mask, components, crop, runs
from models.vision.detection import Detection
from models.vision.rules import found_by_rule

_ARROW_PX: Final = (5, 28)
"""Pixels across which an arrow lies, at scales of 1 and 2; along its bar it may be half of that."""
_ARROW_EDGE: Final = 24
"""Steps between an arrow and its ground."""
_INK: Final = 30
_AIR_PX: Final = 1
"""Pixels around an arrow in which nothing is drawn."""
_STEP: Final = 6
"""Steps between a track and its page, which may be few."""
_TIP_PX: Final = 4
_MIN_SPREAD_PX: Final = 3
"""By how much the foot of an arrow is wider than its tip."""
_MIN_LENGTH: Final = 3.0
"""Of what lies between the arrows, in thicknesses of the bar."""
_MIN_RUN_PX: Final = 3
_MAX_RUNS: Final = 8
_MIN_LEVELS_SHARE: Final = 0.75
"""Of what lies between the arrows: the share of track and thumb together."""
_ROUND_PX: Final = 8
"""What the round ends of a thumb take of that."""
_EDGE_SHARE: Final = 0.9
"""Of a bar's length, along which its edge is drawn."""
_THICK: Final = (1.2, 3.2)
"""Thickness of a bar, in widths of its arrows."""
_USUAL_THICKNESS: Final = 1.7
"""The same, where no edge is drawn."""
_Look = Literal["first", "last"]


class _Arrow(NamedTuple):
    box: Rect
    look: _Look


def find_scrollbars(image: RgbImage) -> list[Detection]:
    """The scroll bars on a picture that have an arrow at both ends; upright ones first.

    Args:
        image: shape (height, width, 3), uint8.
    """
    signs = _lone_signs(edges_of(image, tolerance=_ARROW_EDGE))
    found: list[Rect] = []
    turned = np.asarray(image.transpose(1, 0, 2))
    for picture, boxes, upright in ((image, signs, True), (turned, [_turned(box) for box in signs], False)):
        for bar in _upright(picture, boxes):
            box = bar if upright else _turned(bar)
            if all(box.intersection(other) is None for other in found):
                found.append(box)
    return [found_by_rule("scrollbar_arrows", type="scrollbar", box=box) for box in found]


def is_plain_bar(one: Detection) -> bool:
    """Whether it was found here, or by its thumb: nobody need look at it again."""
    return any(said.rule in {"scrollbar_arrows", "scrollbar_thumb"} for said in one.evidence)


def _turned(box: Rect) -> Rect:
    return Rect(box.y1, box.x1, box.y2, box.x2)


def _lone_signs(edges: Mask) -> list[Rect]:
    """Small things with nothing around them."""
    boxes = components(edges, corners=True).boxes
    least, most = _ARROW_PX
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    small = (
        (np.minimum(wide, high) >= least // 2) & (np.maximum(wide, high) >= least) & (np.maximum(wide, high) <= most)
    )
    boxes = boxes[small]
    sums = np.pad(edges.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32), ((1, 0), (1, 0)))

    def drawn(air: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        x1, y1 = np.maximum(boxes[:, 0] - air, 0), np.maximum(boxes[:, 1] - air, 0)
        x2, y2 = np.minimum(boxes[:, 2] + air, edges.shape[1]), np.minimum(boxes[:, 3] + air, edges.shape[0])
        return np.asarray(sums[y2, x2] - sums[y1, x2] - sums[y2, x1] + sums[y1, x1])

    # An edge belongs to the pixel before it: a sign begins one pixel later than its edges do.
    return [Rect(x1 + 1, y1 + 1, x2, y2) for x1, y1, x2, y2 in boxes[drawn(0) == drawn(_AIR_PX)].tolist()]


def _upright(image: RgbImage, signs: list[Rect]) -> Iterator[Rect]:
    """Upright bars, the longest first."""
    by_middle: defaultdict[int, list[_Arrow]] = defaultdict(list)
    for box in signs:
        look = _look_of(image, box)
        if look is not None:
            by_middle[box.x1 + box.x2].append(_Arrow(box, look))
    bars: list[Rect] = []
    for middle, arrows in by_middle.items():
        others = [one.box for near in (middle - 1, middle, middle + 1) for one in by_middle.get(near, ())
                  if one.look == "last"]  # fmt: skip
        for first in (one.box for one in arrows if one.look == "first"):
            pairs = (_bar(image, first, last) for last in others if _are_alike(first, last))
            bars += [bar for bar in pairs if bar is not None]
    yield from sorted(bars, key=lambda bar: -bar.area)


def _are_alike(first: Rect, last: Rect) -> bool:
    return (
        last.y1 - first.y2 >= _MIN_LENGTH * first.width
        and abs(first.width - last.width) <= 1
        and abs(first.height - last.height) <= 1
    )


def _look_of(image: RgbImage, box: Rect) -> _Look | None:
    """Which end of a bar an arrow would stand at: one that points upwards at the first; None for another sign."""
    if box.width < _ARROW_PX[0] or box.height > box.width or not (box.x1 and box.y1):
        return None
    part = crop(image, Rect(box.x1 - 1, box.y1 - 1, box.x2 + 1, box.y2 + 1)).astype(np.int16)
    ink = np.abs(part - part[0, 0]).max(axis=2) > _INK
    rows = ink[ink.any(axis=1)]
    if len(rows) < _MIN_RUN_PX:
        return None
    starts, ends = rows.argmax(axis=1), rows.shape[1] - rows[:, ::-1].argmax(axis=1)
    if np.abs(starts + ends - rows.shape[1]).max() > _MIN_SPREAD_PX:
        return None  # it leans to a side
    spread = ends - starts
    steps = np.diff(spread)
    for look, grows, tip, foot in (
        ("first", steps >= 0, spread[0], spread[-1]),
        ("last", steps <= 0, spread[-1], spread[0]),
    ):
        if grows.all() and tip <= _TIP_PX and foot >= tip + _MIN_SPREAD_PX:
            return "first" if look == "first" else "last"
    return None


def _bar(image: RgbImage, first: Rect, last: Rect) -> Rect | None:
    """The bar between two arrows, with them; None where neither a thumb nor the edges of a track are there."""
    middle = first.center.x
    between = crop(image, Rect(0, first.y2 + 1, image.shape[1], last.y1 - 1)).astype(np.int16)
    core = between[:, middle - 1 : middle + 2]
    track = between[np.abs(core - core[0, 1]).max(axis=(1, 2)) <= _STEP]  # beside a thumb its own edges run
    left, right = (_side(track, middle, first.width, towards) for towards in (-1, 1))
    has_edges = left is not None and right is not None and len(track) == len(between)
    if not has_edges and not _has_thumb(core):
        return None
    known = [side for side in (left, right) if side is not None]
    half = min(known) if known else _USUAL_THICKNESS * first.width / 2
    x1 = middle - left if left is not None else round(middle - half)
    x2 = middle + right if right is not None else round(middle + half)
    if not _THICK[0] * first.width <= x2 - x1 <= _THICK[1] * first.width:
        return None
    y1, y2 = (round((end.y1 + end.y2) / 2 + sign * (x2 - x1) / 2) for end, sign in ((first, -1), (last, 1)))
    return Rect(x1, y1, x2, y2).clamped(Size(image.shape[1], image.shape[0]))


def _has_thumb(core: np.ndarray[tuple[int, int, int], np.dtype[np.int16]]) -> bool:
    """Whether there are two colours along a bar, one of them in one piece."""
    changes = np.abs(np.diff(core, axis=0)).max(axis=(1, 2)) > _STEP
    pieces = [(a, b + 1) for a, b in runs(~changes) if b + 1 - a >= _MIN_RUN_PX]
    if not 2 <= len(pieces) <= _MAX_RUNS:
        return False
    levels: list[tuple[np.ndarray[tuple[int], np.dtype[np.float64]], list[tuple[int, int]]]] = []
    for a, b in pieces:
        colour = np.median(core[a:b, 1], axis=0)
        same = next((places for known, places in levels if np.abs(known - colour).max() <= _STEP), None)
        if same is None:
            levels.append((colour, [(a, b)]))
        else:
            same.append((a, b))
    sizes = sorted((sum(b - a for a, b in places) for _, places in levels), reverse=True)
    return len(levels) > 1 and sum(sizes[:2]) >= _MIN_LEVELS_SHARE * len(core) - _ROUND_PX


def _side(
    track: np.ndarray[tuple[int, int, int], np.dtype[np.int16]], middle: int, width: int, towards: int
) -> int | None:
    """How far from its middle a bar ends at one side; None where no edge runs along it."""
    for off in range(width // 2 + 1, round(_THICK[1] * width / 2) + 1):
        x = middle + towards * off
        if not 0 < x < track.shape[1]:
            return off
        if (np.abs(track[:, x] - track[:, x - 1]).max(axis=1) > _STEP).mean() >= _EDGE_SHARE:
            return off
    return None
