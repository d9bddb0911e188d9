"""Pictures as one number a pixel, where they differ, and where a piece of one lies in another. Pure numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size

__all__ = ["TILE", "Codes", "Mask", "boxes_of", "codes_of", "cut", "cut_mask", "find_piece", "joined", "size_of"]

Codes: TypeAlias = npt.NDArray[np.uint32]
"""A picture of shape (height, width): red, green and blue of a pixel in one number."""
Mask: TypeAlias = npt.NDArray[np.bool_]

TILE: Final = 16
"""Pixels: changes that lie this close belong together."""
_PROBES = 24
_CANDIDATES = 20_000


def codes_of(image: RgbImage) -> Codes:
    """The picture with one number a pixel, so that comparing costs a third."""
    codes = image[..., 0].astype(np.uint32)
    codes <<= np.uint32(8)
    codes |= image[..., 1]
    codes <<= np.uint32(8)
    codes |= image[..., 2]
    return codes


def size_of(codes: Codes) -> Size:
    """Width and height."""
    return Size(codes.shape[1], codes.shape[0])


def cut(codes: Codes, box: Rect) -> Codes:
    """The part of a picture in a box that lies on it; a view, not a copy."""
    return codes[box.y1 : box.y2, box.x1 : box.x2]


def cut_mask(mask: Mask, box: Rect) -> Mask:
    """As :func:`cut`, of a mask."""
    return mask[box.y1 : box.y2, box.x1 : box.x2]


def boxes_of(mask: Mask, *, tile: int = TILE) -> list[Rect]:
    """A box, tight to the pixel, around each group of marked pixels that lie in tiles that touch, from the top."""
    height, width = mask.shape
    rows = np.flatnonzero(mask.any(axis=1))
    if rows.size == 0:
        return []
    padded = np.zeros((-(-height // tile) * tile, -(-width // tile) * tile), dtype=np.bool_)
    padded[:height, :width] = mask
    shape = (padded.shape[0] // tile, tile, padded.shape[1] // tile, tile)
    tiles: Mask = np.asarray(padded.reshape(shape).any(axis=(1, 3)))
    boxes = [_tight(mask, group, tile) for group in _groups(tiles)]
    return sorted(boxes, key=lambda box: (box.y1, box.x1))


def _groups(tiles: Mask) -> list[Rect]:
    """The tiles around each group that touches, also at a corner, in tiles."""
    left = {(int(row), int(column)) for row, column in np.argwhere(tiles)}
    groups: list[Rect] = []
    while left:
        stack = [left.pop()]
        top, low, first, last = stack[0][0], stack[0][0], stack[0][1], stack[0][1]
        while stack:
            row, column = stack.pop()
            top, low, first, last = min(top, row), max(low, row), min(first, column), max(last, column)
            near = {(row + dy, column + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & left
            left -= near
            stack.extend(near)
        groups.append(Rect(first, top, last + 1, low + 1))
    return groups


def _tight(mask: Mask, tiles: Rect, tile: int) -> Rect:
    top, left = tiles.y1 * tile, tiles.x1 * tile
    part = mask[top : tiles.y2 * tile, left : tiles.x2 * tile]
    ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    return Rect(left + int(xs[0]), top + int(ys[0]), left + int(xs[-1]) + 1, top + int(ys[-1]) + 1)


def joined(boxes: Sequence[Rect], *, gap: int) -> list[Rect]:
    """The boxes, those that overlap or are less than ``gap`` pixels apart as one, from the top."""
    left = list(boxes)
    done: list[Rect] = []
    while left:
        one = left.pop()
        near = Rect(one.x1 - gap, one.y1 - gap, one.x2 + gap, one.y2 + gap)
        close = [other for other in left if near.intersection(other) is not None]
        if not close:
            done.append(one)
            continue
        for other in close:
            left.remove(other)
            one = one.union(other)
        left.append(one)
    return sorted(done, key=lambda box: (box.y1, box.x1))


def find_piece(codes: Codes, piece: Codes, *, limit: int = 2) -> list[tuple[int, int]]:
    """Where a piece lies in a picture, pixel by pixel the same: its left and top edges, at most ``limit`` of them.

    A piece of one colour is found nowhere: it says nothing.

    Args:
        codes: the picture.
        piece: what to look for; not larger than the picture.
        limit: enough is enough; two already tell that a piece is not the only one.
    """
    height, width = piece.shape
    if height > codes.shape[0] or width > codes.shape[1] or not piece.size or not (piece != piece[0, 0]).any():
        return []
    values, first, counts = np.unique(piece, return_index=True, return_counts=True)
    # The colour that is rarest in the piece; with luck it is rare in the picture too.
    at = int(first[int(np.argmin(counts))])
    dy, dx = divmod(at, width)
    room = codes[dy : codes.shape[0] - height + dy + 1, dx : codes.shape[1] - width + dx + 1]
    ys, xs = np.nonzero(room == piece[dy, dx])
    if ys.size > _CANDIDATES:
        return []
    for y, x in _probes(piece, values):
        keep = codes[ys + y, xs + x] == piece[y, x]
        ys, xs = ys[keep], xs[keep]
    found: list[tuple[int, int]] = []
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        if np.array_equal(codes[y : y + height, x : x + width], piece):
            found.append((x, y))
            if len(found) == limit:
                break
    return found


def _probes(piece: Codes, values: Codes) -> list[tuple[int, int]]:
    """Places in a piece that tell most: spread over it, not of its commonest colour where there are others."""
    ground = np.bincount(np.searchsorted(values, piece.ravel())).argmax()
    drawn = np.flatnonzero(piece.ravel() != values[ground])
    picks = drawn[np.linspace(0, drawn.size - 1, min(_PROBES, drawn.size)).astype(np.intp)]
    return [divmod(int(pick), piece.shape[1]) for pick in picks]
