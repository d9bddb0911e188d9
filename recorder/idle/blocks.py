"""What differs between two pictures, in blocks of 16 x 16 pixels: coarse enough to be cheap and to reason about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from recorder.backends.base import Grab
from recorder.screen.frames import Look

__all__ = ["BLOCK", "Blocks", "Patch", "changed_blocks", "patches"]

BLOCK = 16

Blocks: TypeAlias = npt.NDArray[np.bool_]
"""Rows and columns of blocks; true where something differs."""

_Pixels: TypeAlias = npt.NDArray[np.uint32]
_COLOURS = np.uint32(0x00FFFFFF)  # the fourth byte has no meaning; some programs write it


@dataclass(frozen=True, slots=True)
class Patch:
    """Changed blocks that hang together.

    Attributes:
        box: around them, in pixels of the picture.
        blocks: how many they are.
    """

    box: Rect
    blocks: int


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
    found: Blocks = np.zeros(shape, dtype=np.bool_)
    ours, theirs = _pixels(one), _pixels(two)
    columns = np.arange(0, part.width, BLOCK)
    for row in range(shape[0]):
        # Row by row of blocks: what is compared stays in the processor's cache.
        top, bottom = part.y1 + row * BLOCK, min(part.y1 + (row + 1) * BLOCK, part.y2)
        differing = ours[top:bottom, part.x1 : part.x2] ^ theirs[top:bottom, part.x1 : part.x2]
        any_row = np.bitwise_or.reduce(differing, axis=0) & _COLOURS
        if any_row.any():
            found[row] = np.bitwise_or.reduceat(any_row, columns) != 0
    for own in (*a.own, *b.own):
        _clear(found, own, grab=one, part=part)
    return found


def _pixels(grab: Grab) -> _Pixels:
    """The colours of a picture, one number for each pixel."""
    height, width = grab.image.shape[:2]
    if grab.raw is not None:
        whole: _Pixels = np.frombuffer(grab.raw, dtype="<u4").reshape(height, width)
        return whole
    colours = np.zeros((height, width, 4), dtype=np.uint8)
    colours[:, :, :3] = grab.image
    joined: _Pixels = colours.view("<u4")[:, :, 0]
    return joined


def _clear(blocks: Blocks, own: Rect, *, grab: Grab, part: Rect) -> None:
    box = grab.space.to_pixels(own).moved(-part.x1, -part.y1)
    if box.x2 <= 0 or box.y2 <= 0:
        return
    rows = slice(max(0, box.y1) // BLOCK, -(-box.y2 // BLOCK))
    blocks[rows, max(0, box.x1) // BLOCK : -(-box.x2 // BLOCK)] = False


def patches(blocks: Blocks, *, left: int = 0, top: int = 0) -> list[Patch]:
    """Changed blocks grouped by touching each other, also over corner; ``left`` and ``top`` are those of the crop."""
    groups: list[_Group] = []
    above: list[tuple[int, int, _Group]] = []
    for row, line in enumerate(blocks):
        here: list[tuple[int, int, _Group]] = []
        for start, end in _runs(line):
            group = _Group(row, start, end)
            groups.append(group)
            for other_start, other_end, other in above:
                if other_start <= end and start <= other_end:
                    other.root().join(group.root())
            here.append((start, end, group))
        above = here
    return [
        Patch(
            Rect(
                left + group.left * BLOCK,
                top + group.top * BLOCK,
                left + group.right * BLOCK,
                top + group.bottom * BLOCK,
            ),
            group.blocks,
        )
        for group in groups
        if group.parent is None
    ]


def _runs(line: npt.NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Beginning and end of each stretch of changed blocks in a row."""
    edges = np.flatnonzero(np.diff(line.astype(np.int8), prepend=0, append=0))
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


class _Group:
    """Stretches that hang together; joined ones have a parent."""

    __slots__ = ("blocks", "bottom", "left", "parent", "right", "top")

    def __init__(self, row: int, start: int, end: int) -> None:
        self.parent: _Group | None = None
        self.left, self.right, self.top, self.bottom, self.blocks = start, end, row, row + 1, end - start

    def root(self) -> _Group:
        group = self
        while group.parent is not None:
            group = group.parent
        return group

    def join(self, other: _Group) -> None:
        if other is self:
            return
        other.parent = self
        self.left, self.right = min(self.left, other.left), max(self.right, other.right)
        self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
        self.blocks += other.blocks
