"""Tells the buttons of a window's title bar from what looks just like them: a dash and an empty square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from models.vision.icons.cutting import Floats

__all__ = ["settle"]

Flags: TypeAlias = "npt.NDArray[np.bool_]"

_ALIKE: Final = (("minimize", "remove"), ("maximize", "stop"))
"""What a drawing means on a title bar, and what the same one means elsewhere."""
_CLOSE: Final = "close"
_ON_BARS, _ELSEWHERE = 0.8, 0.4
"""How likely the first of two such meanings is there, where the drawing tells nothing."""
_LEAST_CLOSE, _LEAST_ALIKE = 0.3, 0.5
_MOST: Final = 4
"""Buttons of a title bar, with the one that closes."""
_GAP: Final = 2.5
"""Widest gap between two of them, in heights of the larger one."""


def settle(likely: Floats, boxes: Sequence[Rect], classes: Sequence[str]) -> Floats:
    """The same chances, but those of meanings that look alike shared out anew, by what stands beside an icon.

    Args:
        likely: shape (n, classes).
        boxes: of the icons, n of them.
        classes: what the columns mean.
    """
    known = {name: number for number, name in enumerate(classes)}
    pairs = [(known[bar], known[other]) for bar, other in _ALIKE if bar in known and other in known]
    if _CLOSE not in known or not pairs or not len(likely):
        return likely
    settled = likely.copy()
    on_bars = _on_bars(likely, boxes, known[_CLOSE], pairs)
    for bar, other in pairs:
        share = np.where(on_bars, _ON_BARS, _ELSEWHERE).astype(np.float32)
        # The drawing still speaks: only what it leaves open is decided by the place.
        here, elsewhere = likely[:, bar] * share, likely[:, other] * (1 - share)
        scale = (likely[:, bar] + likely[:, other]) / np.maximum(here + elsewhere, 1e-9)
        settled[:, bar], settled[:, other] = here * scale, elsewhere * scale
    return settled


def _on_bars(likely: Floats, boxes: Sequence[Rect], close: int, pairs: Sequence[tuple[int, int]]) -> Flags:
    """Which icons stand in a short row with one that closes, and nothing else."""
    fits: Flags = likely[:, close] >= _LEAST_CLOSE
    for bar, other in pairs:
        fits = fits | (likely[:, bar] + likely[:, other] >= _LEAST_ALIKE)
    on_bars = np.zeros(len(boxes), dtype=np.bool_)
    for row in _rows(boxes):
        closes = any(likely[number, close] >= _LEAST_CLOSE for number in row)
        if closes and 2 <= len(row) <= _MOST and all(fits[number] for number in row):
            on_bars[row] = True
    return on_bars


def _rows(boxes: Sequence[Rect]) -> list[list[int]]:
    """Icons that follow each other at one height, without wide gaps."""
    rows: list[list[int]] = []
    for number in sorted(range(len(boxes)), key=lambda n: boxes[n].x1):
        box = boxes[number]
        for row in rows:
            last = boxes[row[-1]]
            tall = max(last.height, box.height, last.width, box.width)
            level = abs((last.y1 + last.y2) - (box.y1 + box.y2)) <= tall
            if level and 0 <= box.x1 - last.x2 + 2 <= _GAP * tall:
                row.append(number)
                break
        else:
            rows.append([number])
    return rows
