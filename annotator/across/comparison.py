"""Two pictures of one demo side by side: what is equal, what moved, and which regions changed otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from annotator.across.pixels import Codes, Mask, boxes_of, codes_of, joined
from annotator.across.shifts import Move, explained, moves_in, widened
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect

__all__ = ["Comparison", "compare"]

_ROUNDS = 2
_GAP = 48
"""Pixels: the lines of a list change one by one, but scroll together."""
_LEAST_SIDE = 40
"""Smaller areas are not searched for content that moved."""
_REGION_GAP = 12
_MOST_REGIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What became of an old picture on a new one.

    Attributes:
        old: the pixels before, cut to the size that both have.
        new: the pixels after.
        differs: where they differ, whatever the reason; shape of both.
        moves: areas of the new picture whose content lay elsewhere on the old one.
        regions: what changed and did not merely move: here somebody has to look. From the top.
    """

    old: Codes
    new: Codes
    differs: Mask
    moves: tuple[Move, ...]
    regions: tuple[Rect, ...]

    @property
    def same(self) -> bool:
        """Whether nothing at all changed."""
        return not self.differs.any()


def compare(old: RgbImage, new: RgbImage) -> Comparison:
    """Compare two pictures pixel by pixel. What one of them has beyond the other's edges counts as changed.

    Args:
        old: shape (height, width, 3), uint8.
        new: as ``old``.
    """
    height, width = min(old.shape[0], new.shape[0]), min(old.shape[1], new.shape[1])
    before, after = codes_of(old[:height, :width]), codes_of(new[:height, :width])
    differs: Mask = np.asarray(before != after)
    left = differs.copy()
    moves: list[Move] = []
    for _ in range(_ROUNDS):
        found = _moves(before, after, left)
        if not found:
            break
        moves += found
    regions = joined([*boxes_of(left), *_uncovered(moves, left)], gap=_REGION_GAP)
    regions += _beyond(new.shape[1], new.shape[0], width, height)
    # Of very many only the large ones: nobody looks at hundreds of specks one by one.
    kept = sorted(regions, key=lambda box: -box.area)[:_MOST_REGIONS]
    kept.sort(key=lambda box: (box.y1, box.x1))
    return Comparison(old=before, new=after, differs=differs, moves=tuple(moves), regions=tuple(kept))


def _moves(before: Codes, after: Codes, left: Mask) -> list[Move]:
    """What moved in the areas that still differ; what that explains is cleared."""
    found: list[Move] = []
    for area in joined(boxes_of(left), gap=_GAP):
        if min(area.width, area.height) < _LEAST_SIDE:
            continue
        for narrow in moves_in(before, after, area):
            move = widened(before, after, narrow, area=area, differs=left)
            here = left[move.area.y1 : move.area.y2, move.area.x1 : move.area.x2]
            why = explained(before, after, move) & here
            if why.any():
                here &= ~why
                found.append(move)
    return found


def _uncovered(moves: Iterable[Move], left: Mask) -> list[Rect]:
    """What scrolling brought into view: the stretch behind what moved, if anything new shows there.

    Its controls may look like those that were there before, and are others. Columns that scrolled together are one.
    """
    whole = Rect(0, 0, left.shape[1], left.shape[0])
    found: dict[tuple[int, int, int], Rect] = {}
    for move in moves:
        behind = _behind(move).intersection(whole)
        here = None if behind is None else left[behind.y1 : behind.y2, behind.x1 : behind.x2]
        if behind is None or here is None or not here.any():
            continue
        ys, xs = np.flatnonzero(here.any(axis=1)), np.flatnonzero(here.any(axis=0))
        rows = (behind.y1 + int(ys[0]), behind.y1 + int(ys[-1]) + 1) if move.dy else (behind.y1, behind.y2)
        columns = (behind.x1 + int(xs[0]), behind.x1 + int(xs[-1]) + 1) if move.dx else (behind.x1, behind.x2)
        new = Rect(columns[0], rows[0], columns[1], rows[1])
        key = (move.dx, move.dy, behind.y1 if move.dy else behind.x1)
        found[key] = found[key].union(new) if key in found else new
    return list(found.values())


def _behind(move: Move) -> Rect:
    """The stretch from which a move came away, as long as the move was."""
    area = move.area
    if move.dy:
        y1, y2 = (area.y2, area.y2 - move.dy) if move.dy < 0 else (area.y1 - move.dy, area.y1)
        return Rect(area.x1, y1, area.x2, y2)
    x1, x2 = (area.x2, area.x2 - move.dx) if move.dx < 0 else (area.x1 - move.dx, area.x1)
    return Rect(x1, area.y1, x2, area.y2)


def _beyond(new_width: int, new_height: int, width: int, height: int) -> list[Rect]:
    """The parts of the new picture that the old one does not reach."""
    parts = [Rect(width, 0, new_width, new_height), Rect(0, height, width, new_height)]
    return [part for part in parts if part.area]
