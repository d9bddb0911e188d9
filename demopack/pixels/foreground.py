"""Where the pixels of a line or an icon really are: one rule for all sources, so that their boxes agree."""

from __future__ import annotations

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size

MARGIN = 2
"""Pixels of air on each side of the ink: a box drawn by a person is not tighter."""
_INK = 24
"""Steps of a channel between a pixel and the ground it stands on."""


def foreground_box(image: RgbImage, rough: Rect, *, margin: int = MARGIN) -> Rect | None:
    """The box of everything in ``rough`` that differs from its ground, with a margin; None when nothing does.

    The ground is the most common colour of the region's rim, or of the whole region where the rim is mixed. The margin
    is cut at the picture's edges.

    Args:
        image: shape (height, width, 3), uint8.
        rough: a region that holds the line or icon and nothing else; parts outside the picture are ignored.
        margin: pixels on each side.
    """
    size = Size(image.shape[1], image.shape[0])
    region = rough.clamped(size)
    if region.area == 0:
        return None
    part = image[region.y1 : region.y2, region.x1 : region.x2].astype(np.int16)
    ground = _ground(part)
    ink = np.abs(part - ground).max(axis=2) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return None
    return Rect(
        max(0, region.x1 + int(columns[0]) - margin),
        max(0, region.y1 + int(rows[0]) - margin),
        min(size.width, region.x1 + int(columns[-1]) + 1 + margin),
        min(size.height, region.y1 + int(rows[-1]) + 1 + margin),
    )


def _ground(part: np.ndarray[tuple[int, int, int], np.dtype[np.int16]]) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    colour, share = _commonest(rim)
    if share < 0.5:
        colour, _ = _commonest(part.reshape(-1, 3))
    return colour


def _commonest(
    pixels: np.ndarray[tuple[int, int], np.dtype[np.int16]],
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int16]], float]:
    keys = (pixels[:, 0].astype(np.int32) << 16) | (pixels[:, 1].astype(np.int32) << 8) | pixels[:, 2]
    values, counts = np.unique(keys, return_counts=True)
    best = int(values[counts.argmax()])
    colour = np.array([best >> 16, (best >> 8) & 255, best & 255], dtype=np.int16)
    return colour, float(counts.max()) / len(pixels)
