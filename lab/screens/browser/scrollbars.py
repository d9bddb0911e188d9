"""The parts of a scroll bar, measured on the picture: the page tells where the bar is, not what is drawn in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from demopack.pixels.masks import runs

_SMALLEST = 4
_STEP = 12
"""Steps of a channel between the track and what stands on it: thumbs are pale."""
_WHOLE = 0.95
_ARROW_MOST = 0.75
"""An arrow is shorter than this share of the bar's thickness; a thumb is longer."""


@dataclass(frozen=True, slots=True)
class BarParts:
    """Typed boxes of what is drawn in a bar; none where nothing stands out from the track."""

    parts: tuple[tuple[ElementType, Rect], ...]

    @property
    def thumb(self) -> Rect | None:
        """Where the thumb is; None when there is nothing to scroll."""
        return next((box for kind, box in self.parts if kind == "scrollbar_thumb"), None)


def bar_parts(image: RgbImage, bar: Rect, *, upright: bool, part: float = 0.0, at: float = 0.0) -> BarParts:
    """Thumb and buttons of a scroll bar.

    Args:
        image: shape (height, width, 3), uint8.
        bar: the whole track, inside the picture.
        upright: whether it runs from top to bottom.
        part: the share of the content that is in view; 0 where it is not known.
        at: how far it is scrolled, 0..1.
    """
    pixels = image[bar.y1 : bar.y2, bar.x1 : bar.x2].astype(np.int16)
    along = pixels if upright else pixels.transpose(1, 0, 2)
    length, thick = along.shape[:2]
    if min(length, thick) < _SMALLEST:
        return BarParts(())
    # A short bar shares what it has among its buttons.
    button = min(thick, length // 2)
    drawn = np.abs(along - _ground(along, part, at)).max(axis=2) > _STEP
    # What runs along the whole bar is the field's border or focus ring, drawn over it.
    drawn[:, drawn.mean(axis=0) > _WHOLE] = False
    rows = drawn[:, thick // 3 : max(thick // 3 + 1, thick - thick // 3)].any(axis=1)
    stretches = [(start, stop) for start, stop in runs(rows) if stop - start >= 2]
    arrow = _ARROW_MOST * thick
    first = [r for r in stretches if r[1] <= button + 2 and r[1] - r[0] <= arrow]
    last = [r for r in stretches if r[0] >= length - button - 2 and r[1] - r[0] <= arrow]
    parts: list[tuple[ElementType, Rect]] = []
    if first and last:
        parts.append(("scrollbar_up_button" if upright else "scrollbar_left_button", _box(bar, 0, button, upright)))
        end: ElementType = "scrollbar_down_button" if upright else "scrollbar_right_button"
        parts.append((end, _box(bar, length - button, length, upright)))
        stretches = [r for r in stretches if r not in (first[0], last[-1])]
    if stretches:
        start, stop = max(stretches, key=lambda r: r[1] - r[0])
        across = np.flatnonzero(drawn[start:stop].any(axis=0))
        thumb = _box(bar, start, stop, upright)
        parts.append(("scrollbar_thumb", _narrowed(thumb, int(across[0]), int(across[-1]) + 1, upright)))
    return BarParts(tuple(parts))


def _ground(
    along: np.ndarray[tuple[int, int, int], np.dtype[np.int16]], part: float, at: float
) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    # Between the thumb and the content the track can be seen along the whole length; the outer side may bear a ring.
    # A thumb as wide as its track leaves no such place, so where it must be is left out.
    length = along.shape[0]
    start = round(at * (1 - part) * length)
    kept = np.ones(length, dtype=np.bool_)
    kept[max(0, start - 2) : start + round(part * length) + 2] = False
    rim = along[kept, 1] if kept.sum() >= _SMALLEST else along[:, 1]
    values, counts = np.unique(rim, axis=0, return_counts=True)
    ground: np.ndarray[tuple[int], np.dtype[np.int16]] = values[counts.argmax()]
    return ground


def _box(bar: Rect, start: int, stop: int, upright: bool) -> Rect:  # noqa: FBT001 - one axis or the other
    if upright:
        return Rect(bar.x1, bar.y1 + start, bar.x2, bar.y1 + stop)
    return Rect(bar.x1 + start, bar.y1, bar.x1 + stop, bar.y2)


def _narrowed(box: Rect, start: int, stop: int, upright: bool) -> Rect:  # noqa: FBT001 - one axis or the other
    if upright:
        return Rect(box.x1 + start, box.y1, box.x1 + stop, box.y2)
    return Rect(box.x1, box.y1 + start, box.x2, box.y1 + stop)
