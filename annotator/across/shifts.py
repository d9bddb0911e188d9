"""Recognises content that moved up, down or sideways by its rows or columns of pixels: scrolling, a list that grew.

The changed area is cut into strips, because a scroll bar or a second pane beside the content stays where it is. Each
strip votes by the lines of pixels that look like no other line of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from annotator.across.pixels import Codes, Mask, cut, cut_mask
from demopack.domain.geometry import Rect

__all__ = ["Move", "explained", "moves_in", "widened"]

_STRIP = 48
"""Pixels across: narrower strips have too many equal lines, wider ones reach into the next pane."""
_LEAST_SIDE = 40
_LEAST_LINES = 8
_LEAST_SHARE = 0.2
"""Of the telling lines of a strip, so many have to have moved alike."""
_MOST_SHIFTS = 3
"""In one strip: what lies above and below an opened part moves differently."""

_NARROW = 8
"""Pixels by which what moved is followed to its edge."""
_ALONG_SHARE = 0.98
"""Of what changed beside a move, so much has to be explained by it."""

_Hashes = npt.NDArray[np.uint64]


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
    before, after = cut(old, area), cut(new, area)
    found = [_placed(strip, area) for strip in _strips(before, after)]
    if not found:
        across = [_placed(strip, _turned(area)) for strip in _strips(before.T, after.T)]
        found = [Move(area=_turned(move.area), dx=move.dy, dy=move.dx) for move in across]
    return _together(found)


@dataclass(frozen=True, slots=True)
class _Strip:
    left: int
    right: int
    top: int
    bottom: int
    shift: int


def _placed(strip: _Strip, area: Rect) -> Move:
    box = Rect(strip.left, strip.top, strip.right, strip.bottom).moved(area.x1, area.y1)
    return Move(area=box, dx=0, dy=strip.shift)


def _strips(before: Codes, after: Codes) -> list[_Strip]:
    """The strips, one above the other's rows, in which lines moved up or down."""
    height, width = before.shape
    count = max(1, round(width / _STRIP))
    edges = [round(i * width / count) for i in range(count + 1)]
    old, new = _lines(before, edges), _lines(after, edges)
    found: list[_Strip] = []
    for i in range(count):
        for shift, top, bottom in _shifts(old[:, i], new[:, i]):
            found.append(_Strip(edges[i], edges[i + 1], max(top, 0), min(bottom, height), shift))
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
    where, wanted = _telling(old), _telling(new)
    common = where.keys() & wanted.keys()
    votes = Counter(wanted[key] - where[key] for key in common)
    found: list[tuple[int, int, int]] = []
    for shift, count in votes.most_common(_MOST_SHIFTS):
        if shift == 0 or count < _LEAST_LINES or count < _LEAST_SHARE * len(wanted):
            continue
        low, high = max(0, shift), min(len(new), len(new) + shift)
        same = np.flatnonzero(new[low:high] == old[low - shift : high - shift]) + low
        top, bottom = _longest(same)
        found.append((shift, top, bottom))
    return found


def _longest(rows: npt.NDArray[np.intp]) -> tuple[int, int]:
    """The stretch with the most of these rows, small gaps (a row that changed) allowed."""
    cuts = np.flatnonzero(np.diff(rows) > 2 * _STRIP) + 1
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
    return [move for move in done if min(move.area.width, move.area.height) >= _LEAST_SIDE]


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
        changed = cut_mask(differs, beside)
        why = explained(old, new, Move(area=beside, dx=move.dx, dy=move.dy)) & changed
        return int(why.sum()) >= _ALONG_SHARE * int(changed.sum())

    while high < last and fits(part(high, min(high + _NARROW, last))):
        high = min(high + _NARROW, last)
    while low > first and fits(part(max(low - _NARROW, first), low)):
        low = max(low - _NARROW, first)
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
    here[rows, columns] = cut(new, target) == cut(old, inside)
    return here
