"""What the icon network looks at: the icon in a square of a fixed size, its colours told from its ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

__all__ = ["SIDE", "Bytes", "Floats", "cut_icons", "to_input"]

Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Floats: TypeAlias = "npt.NDArray[np.float32]"

SIDE: Final = 40
"""Pixels of the square that the network sees."""
_AIR_SHARE, _AIR = 0.1, 2
"""How much wider than the box the square is: a share of the box, and pixels."""
_LEAST_CONTRAST = 12.0
"""Differences of grey levels that are not stretched further: below, there is noise only."""


def cut_icons(image: RgbImage, boxes: Sequence[Rect], *, wider: float = 1.0) -> Bytes:
    """The surroundings of some boxes, each in a square at the same number of pixels.

    Args:
        image: shape (height, width, 3), uint8. What would lie outside it repeats its edge.
        boxes: in pixels of the picture; they may reach beyond it.
        wider: how many times wider the squares are than what the network sees; their pixels grow with it.

    Returns:
        Shape (n, side, side, 3), uint8, with ``side`` = ``wider`` times :data:`SIDE`.
    """
    side = round(SIDE * wider)
    squares = np.empty((len(boxes), side, side, 3), dtype=np.uint8)
    height, width = image.shape[:2]
    for number, box in enumerate(boxes):
        reach = wider * (max(box.width, box.height) * (1 + _AIR_SHARE) + _AIR)
        x1, y1 = (box.x1 + box.x2 - reach) / 2, (box.y1 + box.y2 - reach) / 2
        left, top = int(np.floor(x1)), int(np.floor(y1))
        right, bottom = int(np.ceil(x1 + reach)), int(np.ceil(y1 + reach))
        rows = np.clip(np.arange(top, bottom), 0, height - 1)
        columns = np.clip(np.arange(left, right), 0, width - 1)
        part = Image.fromarray(np.ascontiguousarray(image[rows[:, None], columns]))
        within = (x1 - left, y1 - top, x1 - left + reach, y1 - top + reach)
        squares[number] = np.asarray(part.resize((side, side), Image.Resampling.BILINEAR, box=within))
    return squares


def to_input(squares: Bytes) -> Floats:
    """What the network is given: how each pixel differs from the icon's ground, as strongly as on any other icon.

    Pale, greyed and dark drawings look alike then; what the ground is does not matter.

    Args:
        squares: shape (n, side, side, 3), uint8.

    Returns:
        Shape (n, 3, side, side), about -1..1.
    """
    pixels = squares.astype(np.float32)
    edge = np.concatenate((pixels[:, 0], pixels[:, -1], pixels[:, 1:-1, 0], pixels[:, 1:-1, -1]), axis=1)
    differences = pixels - np.median(edge, axis=1)[:, None, None, :]
    strongest = np.abs(differences).reshape(len(squares), -1).max(axis=1, initial=_LEAST_CONTRAST)
    scaled = differences / strongest[:, None, None, None]
    return np.ascontiguousarray(scaled.transpose(0, 3, 1, 2), dtype=np.float32)
