"""Hovers: a pointer that rested made the screen change, by a menu that opened, a tooltip. Pure, over snapshots.

A change counts as the pointer's doing where it lies beside the pointer or in its row, has the size of a tooltip at
least, and came after the screen had answered whatever was done before. Three things are not worth a step: the thing
under the pointer that lights up, or that no longer does where the pointer came from; what closes when the pointer
leaves it; and what was in motion anyway. Pictures are compared by blocks of 16 x 16 pixels: coarse enough to be cheap
and to reason about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point, Rect
from demopack.domain.screenshots import COLOUR_BITS, Screenshot, Snapshot, colours_of

BLOCK = 16

Blocks: TypeAlias = npt.NDArray[np.bool_]
"""Rows and columns of blocks; true where something differs."""


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
    ours, theirs = colours_of(one), colours_of(two)
    columns = np.arange(0, part.width, BLOCK)
    for row in range(shape[0]):
        # Row by row of blocks: what is compared stays in the processor's cache.
        top, bottom = part.y1 + row * BLOCK, min(part.y1 + (row + 1) * BLOCK, part.y2)
        differing = ours[top:bottom, part.x1 : part.x2] ^ theirs[top:bottom, part.x1 : part.x2]
        any_row = np.bitwise_or.reduce(differing, axis=0) & COLOUR_BITS
        if any_row.any():
            found[row] = np.bitwise_or.reduceat(any_row, columns) != 0
    for own in (*a.own, *b.own):
        _clear(found, own, screenshot=one, part=part)
    return found


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


_REACH_X, _REACH_Y = 384, 320  # so far around the pointer its doing is looked for
_BESIDE_PX, _ROW_PX, _ROW_REACH_PX = 64, 16, 320
_GLOW_PX = 64  # higher than any line, button or item that only lights up
_MIN_BLOCKS = 6  # a text cursor has fewer, a tooltip with one word has more
_STAY_NS = 75_000_000
_LIT_NS = 250_000_000  # by then what lights up has lit up; a tooltip takes longer
_RUNS, _OLDS, _CALM = 6, 4, 8  # so many pictures are looked at: of the rest, from the way there, and from before


@dataclass(frozen=True, slots=True, kw_only=True)
class IdlePeriod:
    """A time in which nothing was done.

    Attributes:
        at: the move that ended where the pointer rested; of a rest after a click or a key, that event.
        since_ns: when it began.
        until_ns: when it ended.
        arrived: whether the pointer had come there just before; False when something else was done last.
        from_ns: when the pointer had begun to move; ``since_ns`` where it had not.
        from_x: where the pointer had been until then, pixels of the virtual desktop.
        from_y: as ``from_x``.
    """

    at: InputEvent
    since_ns: int
    until_ns: int
    arrived: bool
    from_ns: int
    from_x: int
    from_y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HoverChange:
    """What the screen showed before and after, and when it had changed.

    Attributes:
        before: the last look at the old.
        after: the first look at the new.
        settled: whether the new stayed.
    """

    before: Snapshot
    after: Snapshot
    settled: bool


def find_hover(
    period: IdlePeriod,
    calm: Sequence[Snapshot],
    coming: Sequence[Snapshot],
    during: Sequence[Snapshot],
    *,
    last: Snapshot | None,
    past: Sequence[Snapshot] = (),
) -> HoverChange | None:
    """What the resting pointer brought about.

    Args:
        period: when and where.
        calm: snapshots from the seconds before the pointer began to move, oldest first: they tell what moves by itself.
        coming: snapshots from while it moved.
        during: snapshots of the rest.
        last: the snapshot before the previous hover; what looks like that again was closed and not opened.
        past: snapshots from before the pointer moved, as far as there are any; where the pointer left something that
            then looks as it did once, that closed.

    Returns:
        The change; None when there was none that counts.
    """
    earlier = _distinct([*reversed(coming), *reversed(calm[-1:])])[:_OLDS]
    part = _around(period, during[-1]) if earlier and during else None
    if part is None:
        return None
    moving = _moving(calm, part)
    unlike = [snapshot for snapshot in (last, *calm[-1:]) if snapshot is not None]

    def accepts(old: Snapshot, new: Snapshot) -> bool:
        found = changed_blocks(old, new, crop=part) & ~moving
        for snapshot in unlike:  # what looks like this again was closed, or only lit up while the pointer passed
            if int(found.sum()) >= _MIN_BLOCKS:
                found &= changed_blocks(snapshot, new, crop=part)
        at, left = pointer_pixels(period, new)
        return int(found.sum()) >= _MIN_BLOCKS and any(
            patch.blocks >= _MIN_BLOCKS
            and not is_highlight(patch, (at, left))
            and _is_near(patch.box, at)
            and not _closed(patch.box, left, new, past)
            for patch in changed_regions(found, left=part.x1, top=part.y1)
        )

    lit = [snapshot for snapshot in during if snapshot.ended_ns < period.since_ns + _LIT_NS]
    for new, settled in reversed(_runs(during, part, moving)[-_RUNS:]):
        late = lit[-1] if lit and lit[-1].ended_ns < new.started_ns else None
        for old in earlier:
            if accepts(old, new) or (late is not None and accepts(late, new)):
                return HoverChange(before=old, after=new, settled=settled)
    return None


def _closed(box: Rect, left: Point, new: Snapshot, past: Sequence[Snapshot]) -> bool:
    """Whether the pointer was in something that is gone, so that it looks there as it did once."""
    crop = box.clamped(new.screenshot.size)
    return box.contains(left) and any(not changed_blocks(old, new, crop=crop).any() for old in past)


def pointer_pixels(period: IdlePeriod, snapshot: Snapshot) -> tuple[Point, Point]:
    """Where the pointer rested, and where it had been before, in pixels of the snapshot's picture."""
    to_pixel = snapshot.screenshot.space.to_pixel
    return to_pixel(period.at.x, period.at.y), to_pixel(period.from_x, period.from_y)


def is_highlight(patch: ChangedRegion, places: Sequence[Point]) -> bool:
    """Whether a change may be no more than a thing that lights up under the pointer; ``places``: where that was."""
    return patch.box.height <= _GLOW_PX and any(patch.box.contains(place) for place in places)


def _is_near(box: Rect, at: Point) -> bool:
    across = max(box.x1 - at.x, at.x - box.x2, 0)
    along = max(box.y1 - at.y, at.y - box.y2, 0)
    return max(across, along) <= _BESIDE_PX or (along <= _ROW_PX and across <= _ROW_REACH_PX)


def _around(period: IdlePeriod, snapshot: Snapshot) -> Rect | None:
    """The part of the picture around the pointer; None when the pointer is elsewhere, or on a window of ours."""
    at, (width, height) = pointer_pixels(period, snapshot)[0], snapshot.screenshot.size
    desktop = Point(period.at.x, period.at.y)
    if not Rect(0, 0, width, height).contains(at) or any(own.contains(desktop) for own in snapshot.own):
        return None
    left, top = max(0, at.x - _REACH_X) // BLOCK * BLOCK, max(0, at.y - _REACH_Y) // BLOCK * BLOCK
    return Rect(left, top, min(width, at.x + _REACH_X), min(height, at.y + _REACH_Y))


def _moving(calm: Sequence[Snapshot], part: Rect) -> Blocks:
    """What changed again and again before the pointer moved: animations, a clock, the text cursor.

    A tooltip that came and went has changed twice.
    """
    times = np.zeros((-(-part.height // BLOCK), -(-part.width // BLOCK)), dtype=np.uint8)
    for old, new in pairwise(calm[-_CALM:]):
        times += changed_blocks(old, new, crop=part)
    moving: Blocks = times > 2
    return moving


def _distinct(snapshots: Sequence[Snapshot]) -> list[Snapshot]:
    """The first look at each picture."""
    found: dict[int, Snapshot] = {}
    for snapshot in snapshots:
        found.setdefault(id(snapshot.screenshot), snapshot)
    return list(found.values())


def _runs(snapshots: Sequence[Snapshot], part: Rect, moving: Blocks) -> list[tuple[Snapshot, bool]]:
    """The first look at everything that this part of the screen showed, and whether that stayed for a moment.

    What did not stay is left out, but for the last one.
    """
    runs = [[snapshots[0]]]
    for old, new in pairwise(snapshots):
        if old.screenshot is new.screenshot or not (changed_blocks(old, new, crop=part) & ~moving).any():
            runs[-1].append(new)
        else:
            runs.append([new])
    judged = [(run[0], run[-1].ended_ns - run[0].started_ns >= _STAY_NS) for run in runs]
    return [run for run in judged if run[1]] or judged[-1:]
