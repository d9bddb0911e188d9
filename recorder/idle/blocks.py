"""Changed blocks of 16 x 16 pixels between two pictures: coarse enough to be cheap and to reason about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Screenshot, Snapshot

BLOCK = 16

Blocks: TypeAlias = npt.NDArray[np.bool_]
"""Rows and columns of blocks; true where something differs."""

_Pixels: TypeAlias = npt.NDArray[np.uint32]
_COLOURS = np.uint32(0x00FFFFFF)  # the fourth byte has no meaning; some programs write it


@dataclass(frozen=True, slots=True)
class ChangedRegion:
    """Changed blocks that hang together.

    Attributes:
        box: around them, in pixels of the picture.
        blocks: how many they are.
    """

    box: Rect
    blocks: int


def changed_blocks(a: Snapshot, b: Snapshot, *, crop: Rect | None = None) -> Blocks:
    """Where two snapshots show something else; what our own windows show never counts.

    Args:
        a: the one.
        b: the other.
        crop: only this part of the picture, pixels; its corner must lie on a corner of a block.

    Returns:
        The blocks, from the corner of ``crop`` on. All are true where the two are not of one size.
    """
    one, two = a.screenshot, b.screenshot
    height, width = one.image.shape[:2]
    part = crop or Rect(0, 0, width, height)
    shape = (-(-part.height // BLOCK), -(-part.width // BLOCK))
    if one.image.shape != two.image.shape:
        return np.ones(shape, dtype=np.bool_)
    if a.screenshot is b.screenshot:
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
        _clear(found, own, screenshot=one, part=part)
    return found


def _pixels(screenshot: Screenshot) -> _Pixels:
    """The colours of a picture, one number for each pixel."""
    height, width = screenshot.image.shape[:2]
    if screenshot.raw is not None:
        whole: _Pixels = np.frombuffer(screenshot.raw, dtype="<u4").reshape(height, width)
        return whole
    colours = np.zeros((height, width, 4), dtype=np.uint8)
    colours[:, :, :3] = screenshot.image
    joined: _Pixels = colours.view("<u4")[:, :, 0]
    return joined


def _clear(blocks: Blocks, own: Rect, *, screenshot: Screenshot, part: Rect) -> None:
    box = screenshot.space.to_pixels(own).moved(-part.x1, -part.y1)
    if box.x2 <= 0 or box.y2 <= 0:
        return
    rows = slice(max(0, box.y1) // BLOCK, -(-box.y2 // BLOCK))
    blocks[rows, max(0, box.x1) // BLOCK : -(-box.x2 // BLOCK)] = False


def changed_regions(blocks: Blocks, *, left: int = 0, top: int = 0) -> list[ChangedRegion]:
    """Changed blocks grouped by touching each other, also over corner; ``left`` and ``top`` are those of the crop."""
    regions: list[ChangedRegion] = []
    # Not with scipy: a recording must not wait for its import.
    width = blocks.shape[1] + 1  # with a column in which nothing ever changes
    steps = (-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1)
    rest = {row * width + column for row, column in np.argwhere(blocks).tolist()}
    while rest:
        region = [rest.pop()]
        for number in region:  # grows while it is gone through
            near = [number + step for step in steps if number + step in rest]
            rest.difference_update(near)
            region.extend(near)
        rows, columns = [number // width for number in region], [number % width for number in region]
        box = Rect(min(columns), min(rows), max(columns) + 1, max(rows) + 1)
        pixels = Rect(box.x1 * BLOCK, box.y1 * BLOCK, box.x2 * BLOCK, box.y2 * BLOCK)
        regions.append(ChangedRegion(pixels.moved(left, top), len(region)))
    return regions
