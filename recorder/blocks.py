"""What differs between two pictures, in blocks of 16 x 16 pixels: coarse enough to be cheap and to reason about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from recorder.backends.base import Grab
from recorder.frames import Look

__all__ = ["BLOCK", "Blocks", "Patch", "changed_blocks", "patches"]

BLOCK = 16

Blocks: TypeAlias = npt.NDArray[np.bool_]
"""Rows and columns of blocks; true where something differs."""

_Pixels: TypeAlias = npt.NDArray[np.uint32]


class Patch:
    """Changed blocks that hang together.

    Attributes:
        box: around them, in pixels of the picture.
        blocks: how many they are.
    """

    __slots__ = ("blocks", "box")

    def __init__(self, cells: Sequence[tuple[int, int]], *, left: int, top: int) -> None:
        rows, columns = [row for row, _ in cells], [column for _, column in cells]
        self.blocks = len(cells)
        self.box = Rect(
            left + min(columns) * BLOCK,
            top + min(rows) * BLOCK,
            left + (max(columns) + 1) * BLOCK,
            top + (max(rows) + 1) * BLOCK,
        )


def changed_blocks(a: Look, b: Look, *, crop: Rect | None = None) -> Blocks:
    """Where two looks show something else; what our own windows show never counts.

    Args:
        a: the one.
        b: the other.
        crop: only this part of the picture, pixels; its corner must lie on a corner of a block.

    Returns:
        The blocks, from the corner of ``crop`` on. All are true where the two are not of one size.
    """
    one, two = a.picture.grab, b.picture.grab
    height, width = one.image.shape[:2]
    part = crop or Rect(0, 0, width, height)
    shape = (-(-part.height // BLOCK), -(-part.width // BLOCK))
    if one.image.shape != two.image.shape:
        return np.ones(shape, dtype=np.bool_)
    if a.picture is b.picture:
        return np.zeros(shape, dtype=np.bool_)
    differing = np.bitwise_xor(_pixels(one, part), _pixels(two, part))
    rows = np.bitwise_or.reduceat(differing, np.arange(0, part.height, BLOCK), axis=0)
    found: Blocks = np.bitwise_or.reduceat(rows, np.arange(0, part.width, BLOCK), axis=1) != 0
    for own in (*a.own, *b.own):
        _clear(found, own, grab=one, part=part)
    return found


def _pixels(grab: Grab, part: Rect) -> _Pixels:
    """The colours of a part of a picture, one number for each pixel."""
    height, width = grab.image.shape[:2]
    rows, columns = slice(part.y1, part.y2), slice(part.x1, part.x2)
    if grab.raw is not None:
        whole = np.frombuffer(grab.raw, dtype="<u4").reshape(height, width)
        # The fourth byte has no meaning; some programs write it.
        plain: _Pixels = np.bitwise_and(whole[rows, columns], np.uint32(0x00FFFFFF))
        return plain
    colours = np.zeros((part.height, part.width, 4), dtype=np.uint8)
    colours[:, :, :3] = grab.image[rows, columns]
    joined: _Pixels = colours.view("<u4")[:, :, 0]
    return joined


def _clear(blocks: Blocks, own: Rect, *, grab: Grab, part: Rect) -> None:
    scale = grab.scale_factor
    left, top = ((own.x1 - grab.origin_x) * scale - part.x1, (own.y1 - grab.origin_y) * scale - part.y1)
    right, bottom = ((own.x2 - grab.origin_x) * scale - part.x1, (own.y2 - grab.origin_y) * scale - part.y1)
    if right <= 0 or bottom <= 0:
        return
    rows = slice(max(0, int(top)) // BLOCK, -(-int(bottom) // BLOCK))
    blocks[rows, max(0, int(left)) // BLOCK : -(-int(right) // BLOCK)] = False


def patches(blocks: Blocks, *, left: int = 0, top: int = 0) -> list[Patch]:
    """Changed blocks grouped by touching each other, also over corner; ``left`` and ``top`` are those of the crop."""
    rows, columns = np.nonzero(blocks)
    left_over = set(zip(rows.tolist(), columns.tolist(), strict=True))
    found: list[Patch] = []
    while left_over:
        cells = [left_over.pop()]
        for row, column in cells:
            near = left_over & set(_around(row, column))
            left_over -= near
            cells += near
        found.append(Patch(cells, left=left, top=top))
    return found


def _around(row: int, column: int) -> Iterable[tuple[int, int]]:
    return ((row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1))
