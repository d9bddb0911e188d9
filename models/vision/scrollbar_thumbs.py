"""Finds scroll bars without arrows by their pixels: a thumb of one colour in the middle of a track of another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.vision.detection import Detection
from models.vision.rules import found_by_rule

_THICK: Final = (3, 16)
"""Pixels across a thumb, at scales of 1 and 2."""
_AIR: Final = (1, 8)
"""Pixels of track on both sides of a thumb."""
_ROW_STEP: Final = 4
"""Every so manieth row is looked at: a thumb goes through many."""
_MIN_THUMB_PX: Final = 24
_MIN_LENGTH: Final = 4.0
"""Of a bar, in its thicknesses."""
_MIN_STEP: Final = 20
"""Steps of a channel between thumb and track."""
_FLAT: Final = 3
"""Steps within a track or a thumb."""
_ALONG: Final = 0.97
"""Share of a bar's length along which its edge is drawn at one side at least."""
_Colours = npt.NDArray[np.int32]


def find_thumbs(image: RgbImage) -> list[Detection]:
    """The scroll bars on a picture that are a thumb on a track; upright ones first.

    Args:
        image: shape (height, width, 3), uint8.
    """
    found: list[Rect] = []
    turned = np.ascontiguousarray(image.transpose(1, 0, 2))
    for picture, upright in ((image, True), (turned, False)):
        for bar in _upright(picture):
            box = bar if upright else Rect(bar.y1, bar.x1, bar.y2, bar.x2)
            if all(box.intersection(other) is None for other in found):
                found.append(box)
    return [found_by_rule("scrollbar_thumb", type="scrollbar", box=box) for box in found]


def _upright(image: RgbImage) -> Iterator[Rect]:
    """Upright bars, the longest first."""
    bars = [bar for thumb in _thumbs(image) if (bar := _around(image, thumb)) is not None]
    yield from sorted(bars, key=lambda bar: -bar.area)


def _thumbs(image: RgbImage) -> Iterator[Rect]:
    """Upright strips of one colour; their ends are known to ``_ROW_STEP`` pixels."""
    wide = image[::_ROW_STEP].astype(np.int32)
    keys: _Colours = wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]
    height, width = keys.shape
    edges = np.ones((height, width + 1), dtype=np.bool_)
    edges[:, 1:-1] = keys[:, 1:] != keys[:, :-1]
    rows, starts = np.nonzero(edges)
    inside = rows[1:] == rows[:-1]
    rows, first, last = rows[:-1][inside], starts[:-1][inside], starts[1:][inside]
    thick = last - first
    kept = (thick >= _THICK[0]) & (thick <= _THICK[1])
    rows, first, last = rows[kept], first[kept], last[kept]
    colour = keys[rows, first]
    order = np.lexsort((rows, colour, last, first))
    rows, first, last, colour = rows[order], first[order], last[order], colour[order]
    goes_on = (
        (rows[1:] == rows[:-1] + 1) & (first[1:] == first[:-1]) & (last[1:] == last[:-1]) & (colour[1:] == colour[:-1])
    )
    if not len(rows):
        return
    begins = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    ends = np.append(begins[1:], len(rows))
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        if (end - begin - 1) * _ROW_STEP >= _MIN_THUMB_PX:
            top, bottom = int(rows[begin]) * _ROW_STEP, int(rows[end - 1]) * _ROW_STEP + 1
            yield Rect(int(first[begin]), top, int(last[begin]), bottom)


def _around(image: RgbImage, thumb: Rect) -> Rect | None:
    """The bar that a strip is the thumb of; None where it is none."""
    if thumb.height < 2 * thumb.width:
        return None
    middle = image[thumb.center.y].astype(np.int16)
    left, right = (_air(middle, thumb, towards) for towards in (-1, 1))
    if left is None or right is None or abs(left - right) > max(1, thumb.width // 4):
        return None
    x1, x2 = thumb.x1 - left, thumb.x2 + right
    track = middle[thumb.x1 - 1]
    strip = image[:, x1:x2].astype(np.int16)
    beside = np.abs(np.concatenate([strip[:, :left], strip[:, -right:]], axis=1) - track).max(axis=(1, 2)) <= _FLAT
    top = _last_of(beside[: thumb.center.y][::-1])
    bottom = _last_of(beside[thumb.center.y :])
    y1, y2 = thumb.center.y - top, thumb.center.y + bottom
    if y2 - y1 < _MIN_LENGTH * (x2 - x1):
        return None
    # Above and below the thumb there is nothing but track, and its round ends.
    drawn = np.flatnonzero(np.abs(strip[y1:y2, left:-right] - track).max(axis=(1, 2)) > _FLAT)
    is_whole = drawn.size == drawn[-1] - drawn[0] + 1
    above, below = int(drawn[0]), y2 - y1 - 1 - int(drawn[-1])
    if not is_whole or (max(above, below) < (x2 - x1) // 2 and not (above and below)):
        return None
    return Rect(x1, y1, x2, y2) if _has_edge(image, Rect(x1, y1, x2, y2)) else None


def _air(row: npt.NDArray[np.int16], thumb: Rect, towards: int) -> int | None:
    """How wide the track is beside a thumb; None where there is none."""
    at = thumb.x1 - 1 if towards < 0 else thumb.x2
    if not 0 <= at < len(row):
        return None
    track = row[at]
    if np.abs(track - row[thumb.center.x]).max() < _MIN_STEP:
        return None
    for off in range(1, _AIR[1] + 2):
        x = at + towards * off
        if not 0 <= x < len(row) or np.abs(row[x] - track).max() > _FLAT:
            return off if _AIR[0] <= off <= _AIR[1] else None
    return None


def _last_of(same: npt.NDArray[np.bool_]) -> int:
    """How many of these are true before the first that is not."""
    return len(same) if same.all() else int(same.argmin())


def _has_edge(image: RgbImage, bar: Rect) -> bool:
    """Whether the track is set off along one of its sides, as from the page beside it."""
    for inner, outer in ((bar.x1, bar.x1 - 1), (bar.x2 - 1, bar.x2)):
        if not 0 <= outer < image.shape[1]:
            return True
        step = np.abs(image[bar.y1 : bar.y2, inner].astype(np.int16) - image[bar.y1 : bar.y2, outer]).max(axis=1)
        if (step > _FLAT).mean() >= _ALONG:
            return True
    return False
