"""Differences between two pictures of one screen, and what moved between them: scrolling, a list that grew.

Content is known to have moved up, down or sideways by its rows or columns of pixels. The changed area is cut into
strips, because a scroll bar or a second pane beside the content stays where it is. Each strip votes by the lines of
pixels that look like no other line of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import COLOUR_BITS, Screenshot, colours_of
from demopack.pixels.colours import Codes, differs
from demopack.pixels.masks import Mask, crop, group_boxes, runs

_TILE_PX: Final = 8
"""Changes that lie this close are one."""
_TOLERANCE: Final = 12
"""Steps of a channel up to which a difference is noise of blending."""
_STRIP_PX: Final = 48
"""Pixels across: narrower strips have too many equal lines, wider ones reach into the next pane."""
_MIN_SIDE_PX: Final = 40
_MIN_LINES: Final = 8
_MIN_SHARE: Final = 0.2
"""Of the telling lines of a strip, so many have to have moved alike."""
_MAX_SHIFTS: Final = 3
"""In one strip: what lies above and below an opened part moves differently."""

_STEP_PX: Final = 8
"""Pixels by which what moved is followed to its edge."""
_ALONG_SHARE: Final = 0.98
"""Of what changed beside a move, so much has to be explained by it."""

_MIDDLE_SHARE: Final = 0.15
"""Of an area's width on each side that has no say in its vertical shift: a scroll bar stays where it is."""
_MIN_AREA_LINES, _MIN_AREA_SHARE = 12, 0.3

_Hashes = npt.NDArray[np.uint64]


def changed_pixels(before: RgbImage, after: RgbImage, *, tolerance: int) -> Mask:
    """Where any channel of two pictures of one shape differs by more than the tolerance, 0..255."""
    height, width = before.shape[:2]
    changed = np.zeros((height, width), dtype=np.bool_)
    if not changed.size:
        return changed
    # Most rows of most screens are the same: those are found by their bytes, and only the others are looked at.
    rows = np.flatnonzero((before.reshape(height, -1) != after.reshape(height, -1)).any(axis=1))
    if rows.size:
        part = slice(int(rows[0]), int(rows[-1]) + 1)
        changed[part] = differs(before[part], after[part], tolerance=tolerance)
    return changed


def changed_boxes(before: RgbImage, after: RgbImage, *, limit: int = 12) -> tuple[Rect, ...] | None:
    """The boxes in which two pictures differ, largest first; None when their sizes differ.

    Tiles of 8 pixels that touch, also at a corner, form one region; the box around it is tight to the pixel. When there
    are more than ``limit`` regions the smallest are left out.

    Args:
        before: shape (height, width, 3), uint8.
        after: as ``before``.
        limit: most boxes to return.
    """
    if before.shape != after.shape:
        return None
    boxes = group_boxes(changed_pixels(before, after, tolerance=_TOLERANCE), tile=_TILE_PX)
    return tuple(sorted(boxes, key=lambda box: (-box.area, box.y1, box.x1))[:limit])


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """An area of the new picture whose content lay elsewhere on the old one.

    Attributes:
        area: pixels of the new picture.
        dx: how far it moved to the right.
        dy: how far it moved down.
    """

    area: Rect
    dx: int
    dy: int


def moves_in(old: Codes, new: Codes, area: Rect) -> list[Move]:
    """What moved within an area, up or down, or else sideways; empty when nothing did, or when nothing tells.

    Args:
        old: the picture before.
        new: the picture after, of the same size.
        area: where they differ.
    """
    before, after = crop(old, area), crop(new, area)
    found = _vertical_moves(before, after, area)
    if not found:
        across = _vertical_moves(before.T, after.T, _turned(area))
        found = [Move(area=_turned(move.area), dx=move.dy, dy=move.dx) for move in across]
    return _together(found)


def vertical_shift(old: Codes, new: Codes) -> int:
    """By how many rows the content of an area moved down (up: negative); 0 when it did not, or when nothing tells.

    Rows that look like another row of their own picture (blank ones) do not vote.

    Args:
        old: the area before.
        new: the same area afterwards.
    """
    width = old.shape[1]
    side = round(width * _MIDDLE_SHARE)
    middle = slice(side, max(side + 1, width - side))
    votes, telling = _votes(*(_lines(part[:, middle], [0, -1])[:, 0] for part in (old, new)))
    if votes.total() < _MIN_AREA_LINES:
        return 0
    shift, count = votes.most_common(1)[0]
    return shift if count >= _MIN_AREA_LINES and count >= _MIN_AREA_SHARE * telling else 0


def _vertical_moves(before: Codes, after: Codes, area: Rect) -> list[Move]:
    """The strips of an area, one above the other's rows, in which lines moved up or down."""
    height, width = before.shape
    count = max(1, round(width / _STRIP_PX))
    edges = [round(i * width / count) for i in range(count + 1)]
    old, new = _lines(before, edges), _lines(after, edges)
    found: list[Move] = []
    for i in range(count):
        for shift, top, bottom in _shifts(old[:, i], new[:, i]):
            strip = Rect(edges[i], max(top, 0), edges[i + 1], min(bottom, height))
            found.append(Move(area=strip.moved(area.x1, area.y1), dx=0, dy=shift))
    return found


def _lines(part: Codes, edges: list[int]) -> _Hashes:
    """One number for each row of each strip, shape (height, strips); equal rows have equal numbers."""
    # Wraps around on purpose: it is a hash.
    weighted = part.astype(np.uint64) * _weights(part.shape[1])[None, :]
    return np.asarray(np.add.reduceat(weighted, edges[:-1], axis=1))


@cache
def _weights(width: int) -> _Hashes:
    weights = np.random.default_rng(1).integers(1, 2**63, width, dtype=np.uint64)
    return weights | np.uint64(1)


def _shifts(old: _Hashes, new: _Hashes) -> list[tuple[int, int, int]]:
    """By how much lines of one strip moved, and between which rows of the new one: shift, top, bottom."""
    votes, telling = _votes(old, new)
    found: list[tuple[int, int, int]] = []
    for shift, count in votes.most_common(_MAX_SHIFTS):
        if shift == 0 or count < _MIN_LINES or count < _MIN_SHARE * telling:
            continue
        low, high = max(0, shift), min(len(new), len(new) + shift)
        same = np.flatnonzero(new[low:high] == old[low - shift : high - shift]) + low
        top, bottom = _longest(same)
        found.append((shift, top, bottom))
    return found


def _votes(old: _Hashes, new: _Hashes) -> tuple[Counter[int], int]:
    """How many telling lines moved how far, and how many telling lines are new."""
    where, wanted = _telling(old), _telling(new)
    return Counter(wanted[key] - where[key] for key in where.keys() & wanted.keys()), len(wanted)


def _longest(rows: npt.NDArray[np.intp]) -> tuple[int, int]:
    """The stretch with the most of these rows, small gaps (a row that changed) allowed."""
    cuts = np.flatnonzero(np.diff(rows) > 2 * _STRIP_PX) + 1
    parts = np.split(rows, cuts)
    best = max(parts, key=len)
    return int(best[0]), int(best[-1]) + 1


def _telling(hashes: _Hashes) -> dict[int, int]:
    """Row numbers by hash, of the rows that look like no other."""
    values, first, counts = np.unique(hashes, return_index=True, return_counts=True)
    once = counts == 1
    return dict(zip(values[once].tolist(), first[once].tolist(), strict=True))


def _together(moves: list[Move]) -> list[Move]:
    """What moved alike at the same height as one: between its strips lie others that have nothing to tell, or bars."""
    done: list[Move] = []
    for move in moves:
        beside = [m for m in done if (m.dx, m.dy) == (move.dx, move.dy) and _beside(m, move)]
        for other in beside:
            done.remove(other)
            move = Move(area=move.area.union(other.area), dx=move.dx, dy=move.dy)
        done.append(move)
    # A ring of focus that went to the next field is no scrolling.
    return [move for move in done if min(move.area.width, move.area.height) >= _MIN_SIDE_PX]


def _beside(a: Move, b: Move) -> bool:
    """Whether two lie side by side (above each other where they moved sideways), mostly at the same height."""
    one, other = (m.area if m.dx == 0 else _turned(m.area) for m in (a, b))
    shared = min(one.y2, other.y2) - max(one.y1, other.y1)
    return 2 * shared >= max(one.height, other.height)


def _turned(box: Rect) -> Rect:
    return Rect(box.y1, box.x1, box.y2, box.x2)


def widened(old: Codes, new: Codes, move: Move, *, area: Rect, differs: Mask) -> Move:
    """A move with what lies beside it and moved along without telling: blank parts, borders; a scroll bar did not.

    Args:
        old: the picture before.
        new: the picture after.
        move: as its telling strips have it.
        area: how far it may reach.
        differs: what is still to be explained; shape of the pictures.
    """
    box = move.area
    upright = move.dx == 0
    low, high = (box.x1, box.x2) if upright else (box.y1, box.y2)
    first, last = (area.x1, area.x2) if upright else (area.y1, area.y2)

    def part(a: int, b: int) -> Rect:
        return Rect(a, box.y1, b, box.y2) if upright else Rect(box.x1, a, box.x2, b)

    def fits(beside: Rect) -> bool:
        changed = crop(differs, beside)
        why = explained(old, new, Move(area=beside, dx=move.dx, dy=move.dy)) & changed
        return int(why.sum()) >= _ALONG_SHARE * int(changed.sum())

    while high < last and fits(part(high, min(high + _STEP_PX, last))):
        high = min(high + _STEP_PX, last)
    while low > first and fits(part(max(low - _STEP_PX, first), low)):
        low = max(low - _STEP_PX, first)
    return Move(area=part(low, high), dx=move.dx, dy=move.dy)


def explained(old: Codes, new: Codes, move: Move) -> Mask:
    """Which pixels of a move's area show what lay elsewhere before; shape of the area."""
    height, width = old.shape
    area = move.area
    source = area.moved(-move.dx, -move.dy)
    here = np.zeros((area.height, area.width), dtype=np.bool_)
    inside = source.intersection(Rect(0, 0, width, height))
    if inside is None:
        return here
    target = inside.moved(move.dx, move.dy)
    rows = slice(target.y1 - area.y1, target.y2 - area.y1)
    columns = slice(target.x1 - area.x1, target.x2 - area.x1)
    here[rows, columns] = crop(new, target) == crop(old, inside)
    return here


def differences(a: Screenshot, b: Screenshot) -> list[Rect] | None:
    """Where a grab differs from the one before it, boxes of the virtual desktop; None where they cannot be compared.

    Args:
        a: the grab before.
        b: the grab.
    """
    if a is b or (a.raw is not None and a.raw is b.raw):
        return []
    if a.space != b.space or a.size != b.size:
        return None
    part = Rect(0, 0, b.size.width, b.size.height) if b.read is None else b.read
    one, other = crop(colours_of(a), part), crop(colours_of(b), part)
    found: list[Rect] = []
    for top, bottom in runs((one != other).any(axis=1), step=_TILE_PX):
        drawn = (one[top:bottom] ^ other[top:bottom]) & COLOUR_BITS != 0
        for left, right in runs(drawn.any(axis=0), step=_TILE_PX):
            first, last = Point(part.x1 + left, part.y1 + top), Point(part.x1 + right, part.y1 + bottom)
            found.append(Rect.spanning(a.space.to_desktop(first), a.space.to_desktop(last)).grown(1))
    return found
