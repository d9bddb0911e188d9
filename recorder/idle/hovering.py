"""Tells whether a pointer that rested made the screen change: a menu that opened, a tooltip. Pure, over looks.

A change counts as the pointer's doing where it lies beside the pointer or in its row, has the size of a tooltip at
least, and came after the screen had answered whatever was done before. Three things are not worth a step: the thing
under the pointer that lights up, or that no longer does where the pointer came from; what closes when the pointer
leaves it; and what was in motion anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from demopack.domain.geometry import Rect
from recorder.idle.blocks import BLOCK, Blocks, Patch, changed_blocks, patches
from recorder.idle.resting import Rest
from recorder.screen.frames import Look

__all__ = ["Change", "find_hover", "is_glow", "places_of"]

_REACH_X, _REACH_Y = 384, 320  # so far around the pointer its doing is looked for
_BESIDE_PX, _ROW_PX, _ROW_REACH_PX = 64, 16, 320
_GLOW_PX = 64  # higher than any line, button or item that only lights up
_LEAST_BLOCKS = 6  # a text cursor has fewer, a tooltip with one word has more
_STAY_NS = 75_000_000
_LIT_NS = 250_000_000  # by then what lights up has lit up; a tooltip takes longer
_RUNS, _OLDS, _CALM = 6, 4, 8  # so many pictures are looked at: of the rest, from the way there, and from before


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the screen showed before and after, and when it had changed.

    Attributes:
        before: the last look at the old.
        after: the first look at the new.
        settled: whether the new stayed.
    """

    before: Look
    after: Look
    settled: bool


def find_hover(
    rest: Rest,
    calm: Sequence[Look],
    coming: Sequence[Look],
    during: Sequence[Look],
    *,
    last: Look | None,
    past: Sequence[Look] = (),
) -> Change | None:
    """What the resting pointer brought about.

    Args:
        rest: when and where.
        calm: looks from the seconds before the pointer began to move, oldest first: they tell what moves by itself.
        coming: looks from while it moved.
        during: looks of the rest.
        last: the look before the previous hover; what looks like that again was closed and not opened.
        past: looks from before the pointer moved, as far as there are any; where the pointer left something that then
            looks as it did once, that closed.

    Returns:
        The change; None when there was none that counts.
    """
    earlier = _distinct([*reversed(coming), *reversed(calm[-1:])])[:_OLDS]
    part = _around(rest, during[-1]) if earlier and during else None
    if part is None:
        return None
    moving = _moving(calm, part)
    judge = _Judge(
        rest, part, moving=moving, unlike=[look for look in (last, *calm[-1:]) if look is not None], past=past
    )
    lit = [look for look in during if look.ended_ns < rest.since_ns + _LIT_NS]
    for new, settled in reversed(_runs(during, part, moving)[-_RUNS:]):
        late = lit[-1] if lit and lit[-1].ended_ns < new.started_ns else None
        for old in earlier:
            if judge.accepts(old, new) or (late is not None and judge.accepts(late, new)):
                return Change(before=old, after=new, settled=settled)
    return None


class _Judge:
    def __init__(self, rest: Rest, part: Rect, *, moving: Blocks, unlike: Sequence[Look], past: Sequence[Look]) -> None:
        """``unlike``: what looks like this again was closed, or only lit up while the pointer passed."""
        self._rest = rest
        self._part = part
        self._moving = moving
        self._unlike = unlike
        self._past = past

    def accepts(self, old: Look, new: Look) -> bool:
        found = changed_blocks(old, new, crop=self._part) & ~self._moving
        for look in self._unlike:
            if int(found.sum()) >= _LEAST_BLOCKS:
                found &= changed_blocks(look, new, crop=self._part)
        if int(found.sum()) < _LEAST_BLOCKS:
            return False
        places = places_of(self._rest, new)
        return any(
            patch.blocks >= _LEAST_BLOCKS
            and not is_glow(patch, places)
            and _is_near(patch.box, *places[0])
            and not self._closed(patch.box, places[1], new)
            for patch in patches(found, left=self._part.x1, top=self._part.y1)
        )

    def _closed(self, box: Rect, left: tuple[int, int], new: Look) -> bool:
        """Whether the pointer was in something that is gone, so that it looks there as it did once."""
        if not _holds(box, *left):
            return False
        height, width = new.picture.grab.image.shape[:2]
        crop = Rect(box.x1, box.y1, min(box.x2, width), min(box.y2, height))
        return any(not changed_blocks(old, new, crop=crop).any() for old in self._past)


def places_of(rest: Rest, look: Look) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the pointer rested, and where it had been before, in pixels of the look's picture."""
    return _pixel(rest.at.x, rest.at.y, look), _pixel(rest.from_x, rest.from_y, look)


def is_glow(patch: Patch, places: Sequence[tuple[int, int]]) -> bool:
    """Whether a change may be no more than a thing that lights up under the pointer; ``places``: where that was."""
    return patch.box.height <= _GLOW_PX and any(_holds(patch.box, x, y) for x, y in places)


def _holds(box: Rect, x: int, y: int) -> bool:
    return box.x1 <= x < box.x2 and box.y1 <= y < box.y2


def _is_near(box: Rect, x: int, y: int) -> bool:
    across = max(box.x1 - x, x - box.x2, 0)
    along = max(box.y1 - y, y - box.y2, 0)
    return max(across, along) <= _BESIDE_PX or (along <= _ROW_PX and across <= _ROW_REACH_PX)


def _pixel(x: int, y: int, look: Look) -> tuple[int, int]:
    pixel = look.picture.grab.space.to_pixel(x, y)
    return pixel.x, pixel.y


def _around(rest: Rest, look: Look) -> Rect | None:
    """The part of the picture around the pointer; None when the pointer is elsewhere, or on a window of ours."""
    height, width = look.picture.grab.image.shape[:2]
    x, y = _pixel(rest.at.x, rest.at.y, look)
    if not (0 <= x < width and 0 <= y < height):
        return None
    if any(own.x1 <= rest.at.x < own.x2 and own.y1 <= rest.at.y < own.y2 for own in look.own):
        return None
    left, top = max(0, x - _REACH_X) // BLOCK * BLOCK, max(0, y - _REACH_Y) // BLOCK * BLOCK
    return Rect(left, top, min(width, x + _REACH_X), min(height, y + _REACH_Y))


def _moving(calm: Sequence[Look], part: Rect) -> Blocks:
    """What changed again and again before the pointer moved: animations, a clock, the text cursor.

    A tooltip that came and went has changed twice.
    """
    times = np.zeros(_shape(part), dtype=np.uint8)
    for old, new in pairwise(calm[-_CALM:]):
        times += changed_blocks(old, new, crop=part)
    moving: Blocks = times > 2
    return moving


def _shape(part: Rect) -> tuple[int, int]:
    return -(-part.height // BLOCK), -(-part.width // BLOCK)


def _distinct(looks: Sequence[Look]) -> list[Look]:
    """The first look at each picture."""
    found: dict[int, Look] = {}
    for look in looks:
        found.setdefault(id(look.picture), look)
    return list(found.values())


def _runs(looks: Sequence[Look], part: Rect, moving: Blocks) -> list[tuple[Look, bool]]:
    """The first look at everything that this part of the screen showed, and whether that stayed for a moment.

    What did not stay is left out, but for the last one.
    """
    runs = [[looks[0]]]
    for old, new in pairwise(looks):
        if old.picture is new.picture or not (changed_blocks(old, new, crop=part) & ~moving).any():
            runs[-1].append(new)
        else:
            runs.append([new])
    judged = [(run[0], run[-1].ended_ns - run[0].started_ns >= _STAY_NS) for run in runs]
    return [run for run in judged if run[1]] or judged[-1:]
