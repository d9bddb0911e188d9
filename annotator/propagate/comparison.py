"""Two pictures of one demo side by side: what is equal, what moved, and which regions changed otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from annotator.words import tr
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, join_close
from demopack.pixels.changes import Move, explained, moves_in, widened
from demopack.pixels.colours import Codes, codes_of
from demopack.pixels.masks import Mask, crop, group_boxes, tight_box

_MAX_ROUNDS = 2
_TILE_PX = 16
"""Changes that lie this close belong together."""
_MOVE_GAP_PX = 48
"""Pixels: the lines of a list change one by one, but scroll together."""
_MIN_SIDE_PX = 40
"""Smaller areas are not searched for content that moved."""
_REGION_GAP_PX = 12
_MAX_REGIONS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureComparison:
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


def compare(old: RgbImage, new: RgbImage) -> PictureComparison:
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
    for _ in range(_MAX_ROUNDS):
        found = _moves(before, after, left)
        if not found:
            break
        moves += found
    regions = join_close([*_groups(left), *_uncovered(moves, left)], gap=_REGION_GAP_PX)
    # The parts of the new picture that the old one does not reach.
    regions += [r for r in (Rect(width, 0, new.shape[1], new.shape[0]), Rect(0, height, width, new.shape[0])) if r.area]
    # Of very many only the large ones: nobody looks at hundreds of specks one by one.
    kept = sorted(regions, key=lambda box: -box.area)[:_MAX_REGIONS]
    kept.sort(key=lambda box: (box.y1, box.x1))
    return PictureComparison(old=before, new=after, differs=differs, moves=tuple(moves), regions=tuple(kept))


def _moves(before: Codes, after: Codes, left: Mask) -> list[Move]:
    """What moved in the areas that still differ; what that explains is cleared."""
    found: list[Move] = []
    for area in join_close(_groups(left), gap=_MOVE_GAP_PX):
        if min(area.width, area.height) < _MIN_SIDE_PX:
            continue
        for narrow in moves_in(before, after, area):
            move = widened(before, after, narrow, area=area, differs=left)
            here = crop(left, move.area)
            why = explained(before, after, move) & here
            if why.any():
                here &= ~why
                found.append(move)
    return found


def _groups(left: Mask) -> list[Rect]:
    return sorted(group_boxes(left, tile=_TILE_PX), key=lambda box: (box.y1, box.x1))


def _uncovered(moves: Iterable[Move], left: Mask) -> list[Rect]:
    """What scrolling brought into view: the stretch behind what moved, if anything new shows there.

    Its controls may look like those that were there before, and are others. Columns that scrolled together are one.
    """
    whole = Rect(0, 0, left.shape[1], left.shape[0])
    found: dict[tuple[int, int, int], Rect] = {}
    for move in moves:
        behind = _behind(move).intersection(whole)
        shown = None if behind is None else tight_box(crop(left, behind))
        if behind is None or shown is None:
            continue
        shown = shown.moved(behind.x1, behind.y1)
        x1, x2 = (shown.x1, shown.x2) if move.dx else (behind.x1, behind.x2)
        y1, y2 = (shown.y1, shown.y2) if move.dy else (behind.y1, behind.y2)
        new = Rect(x1, y1, x2, y2)
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


# In words -----------------------------------------------------------------------------------------------------------


def difference_words(comparison: PictureComparison) -> str:
    """What differs, for instance ``3 regions changed.``, and where something moved, the largest such area."""
    if comparison.same:
        return tr("The two pictures are equal.")
    said: list[str] = []
    count = len(comparison.regions)
    if count:
        said.append(tr("1 region changed.") if count == 1 else tr("{count} regions changed.").format(count=count))
    if comparison.moves:
        move = max(comparison.moves, key=lambda move: move.area.area)
        down = tr("An area moved down by {px} px.") if move.dy > 0 else tr("An area moved up by {px} px.")
        right, left = tr("An area moved to the right by {px} px."), tr("An area moved to the left by {px} px.")
        words = down if move.dy else right if move.dx > 0 else left
        said.append(words.format(px=abs(move.dy or move.dx)))
    return " ".join(said)
