"""Comparison of two screenshots: whether they show the same screen, and where they differ. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.pixels.changes import changed_pixels
from demopack.pixels.colours import commonest_colour, differs
from demopack.pixels.masks import Mask, crop, group_boxes

_TOLERANCE: Final = 8  # of 255, per channel: dithering and sub-pixel text must not count
_SCALED_TOLERANCE: Final = 48  # a patch that was resized never has the same edges
_CELL: Final = 8
_MAX_BOXES: Final = 20
_CARET_WIDTH: Final = 4
_CARET_HEIGHT: Final = 64
_PATCH_MARGIN: Final = 12
_PATCH_LEAST: Final = 48
_PATCH_MOST: Final = 400
_BLUR_PX: Final = 3  # boxes that were found in pictures, or told in a program's own units, are no more exact
_MAX_POINTS: Final = 4000
_SAME_SHAPES: Final = 0.85
"""Correlation from which on two pictures show the same letters, light on dark or dark on light."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameComparison:
    """How much of two pictures is equal.

    Attributes:
        share: of the pixels that are equal, 0..1; 0 for pictures of different sizes.
        boxes: where they differ, largest first, at most 20; the whole picture for different sizes.
    """

    share: float
    boxes: tuple[Rect, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs but a blinking text cursor: at most two thin upright strokes."""
        return len(self.boxes) <= 2 and all(_is_caret(box) for box in self.boxes)


def _is_caret(box: Rect) -> bool:
    return box.width <= _CARET_WIDTH and box.height <= _CARET_HEIGHT


def compare(recorded: RgbImage, live: RgbImage, *, ignore: Sequence[Rect] = ()) -> FrameComparison:
    """Compare two pictures of shape (height, width, 3), uint8, pixel by pixel with a small tolerance.

    Args:
        recorded: the recorded picture.
        live: the live one.
        ignore: parts of the recorded picture that count as equal, for instance because they were painted over.
    """
    if recorded.shape != live.shape:
        return FrameComparison(share=0.0, boxes=(Rect(0, 0, live.shape[1], live.shape[0]),))
    if np.array_equal(recorded, live):
        return FrameComparison(share=1.0, boxes=())
    mask = changed_pixels(recorded, live, tolerance=_TOLERANCE)
    for box in ignore:
        mask[max(0, box.y1) : max(0, box.y2), max(0, box.x1) : max(0, box.x2)] = False
    share = 1.0 - float(np.count_nonzero(mask)) / mask.size
    boxes = sorted(group_boxes(mask, tile=_CELL), key=lambda box: -box.area)
    return FrameComparison(share=share, boxes=tuple(boxes[:_MAX_BOXES]))


def looks_alike(recorded: RgbImage, live: RgbImage, box: Rect, *, at: Point | None = None) -> float:
    """How much a place looks as recorded, 0..1: the share of equal pixels, the common background left out.

    Most of a button is plain; what it says is a few pixels. So only those count that differ from the background, which
    is the most frequent colour, on either picture. Two plain places are alike.

    Args:
        recorded: the recorded picture.
        live: the live one; may have another size, then the place is scaled.
        box: pixels of the recorded picture; may be a point. A margin is added.
        at: the middle of the place on the live picture; None where it has not moved.
    """
    height, width = recorded.shape[:2]
    center = box.center
    half_w = min(max(box.width // 2 + _PATCH_MARGIN, _PATCH_LEAST // 2), _PATCH_MOST // 2)
    half_h = min(max(box.height // 2 + _PATCH_MARGIN, _PATCH_LEAST // 2), _PATCH_MOST // 2)
    x1, x2 = max(0, center.x - half_w), min(width, center.x + half_w)
    y1, y2 = max(0, center.y - half_h), min(height, center.y + half_h)
    if x1 >= x2 or y1 >= y2:
        return 0.0
    patch = recorded[y1:y2, x1:x2]
    fx, fy = live.shape[1] / width, live.shape[0] / height
    dx = 0.0 if at is None else at.x - center.x * fx
    dy = 0.0 if at is None else at.y - center.y * fy
    left, right, top, bottom = (round(v) for v in (x1 * fx + dx, x2 * fx + dx, y1 * fy + dy, y2 * fy + dy))
    there = live[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
    tolerance = _TOLERANCE
    if there.shape != patch.shape:
        if 0 in there.shape or recorded.shape == live.shape:
            return 0.0  # partly off the screen
        resized = Image.fromarray(there).resize((x2 - x1, y2 - y1), Image.Resampling.BOX)
        there, tolerance = np.asarray(resized, dtype=np.uint8), _SCALED_TOLERANCE
    return _share_alike(patch, there, tolerance=tolerance)[0]


def area_alike(
    recorded: RgbImage, live: RgbImage, area: Rect, *, dx: int = 0, dy: int = 0, ignore: Sequence[Rect] = ()
) -> tuple[float, int]:
    """How much an area of any size looks as recorded on a live picture of the same scale; see :func:`looks_alike`.

    Args:
        recorded: the recorded picture.
        live: the live one; may be larger or smaller.
        area: pixels of the recorded picture; what of it lies outside either picture is left out.
        dx: how far the area has moved to the right since then, in pixels.
        dy: the same, downwards.
        ignore: parts of the recorded picture that do not count, for instance because they were painted over.

    Returns:
        The share, 0..1, and how many pixels it was made of: those that differ from the background. 0 and 0 where the
        area is on neither picture.
    """
    x1, y1 = max(area.x1, 0, -dx), max(area.y1, 0, -dy)
    x2 = min(area.x2, recorded.shape[1], live.shape[1] - dx)
    y2 = min(area.y2, recorded.shape[0], live.shape[0] - dy)
    if x1 >= x2 or y1 >= y2:
        return 0.0, 0
    patch, there = recorded[y1:y2, x1:x2], live[y1 + dy : y2 + dy, x1 + dx : x2 + dx]
    counted = np.ones(patch.shape[:2], dtype=np.bool_)
    for box in ignore:
        counted[max(0, box.y1 - y1) : max(0, box.y2 - y1), max(0, box.x1 - x1) : max(0, box.x2 - x1)] = False
    return _share_alike(patch, there, tolerance=_TOLERANCE, counted=counted)


def exact_move(recorded: RgbImage, live: RgbImage, box: Rect, *, dx: int, dy: int) -> tuple[int, int]:
    """How far a place has moved, to the pixel, where two boxes of it tell that only about.

    Letters are strokes of one or two pixels: with a move that is one pixel wrong, nothing looks as recorded any more.

    Args:
        recorded: the recorded picture.
        live: a live one of the same scale; may be larger or smaller.
        box: of the place, pixels of the recorded picture; a margin is added.
        dx: about how far it has moved to the right since then, in pixels.
        dy: the same, downwards.

    Returns:
        The nearest move, at most 3 pixels from the given one, with which most of what is drawn there agrees.
    """
    around = box.grown(_PATCH_MARGIN)
    # What lies outside the live picture with one of the moves has to be left out with all of them.
    seen = Rect(_BLUR_PX - dx, _BLUR_PX - dy, live.shape[1] - _BLUR_PX - dx, live.shape[0] - _BLUR_PX - dy)
    inside = Rect(0, 0, recorded.shape[1], recorded.shape[0]).intersection(seen)
    area = None if inside is None else around.intersection(inside)
    if area is None:
        return dx, dy
    patch = crop(recorded, area)
    ys, xs = np.nonzero(differs(patch, commonest_colour(patch), tolerance=_TOLERANCE))
    some = slice(None, None, len(ys) // _MAX_POINTS + 1)
    ys, xs = ys[some] + area.y1, xs[some] + area.x1
    drawn = recorded[ys, xs]

    def agreeing(move: tuple[int, int]) -> int:
        there = live[ys + move[1], xs + move[0]]
        return int(np.count_nonzero(~differs(drawn, there, tolerance=_TOLERANCE)))

    near = range(-_BLUR_PX, _BLUR_PX + 1)
    moves = sorted(((dx + x, dy + y) for x in near for y in near), key=lambda m: abs(m[0] - dx) + abs(m[1] - dy))
    return max(moves, key=agreeing)


def same_shapes_move(recorded: RgbImage, live: RgbImage, box: Rect, *, dx: int, dy: int) -> tuple[int, int] | None:
    """How far a place has moved, to the pixel, where it may have other colours now; None where other shapes are there.

    Args:
        recorded: the recorded picture.
        live: a live one of the same scale.
        box: of the place, pixels of the recorded picture.
        dx: about how far it has moved to the right since then, in pixels.
        dy: the same, downwards.
    """
    seen = Rect(0, 0, live.shape[1], live.shape[0])
    wanted = _contrast(crop(recorded, box))
    near = range(-_BLUR_PX, _BLUR_PX + 1)
    best, move = 0.0, (dx, dy)
    for by in ((dx + x, dy + y) for x in near for y in near):
        there = box.moved(*by)
        if not seen.encloses(there):
            continue
        found = _contrast(crop(live, there))
        both = float(np.sqrt((wanted**2).sum() * (found**2).sum()))
        share = float((wanted * found).sum()) / both if both and wanted.shape == found.shape else 0.0
        if share > best:
            best, move = share, by
    return move if best >= _SAME_SHAPES else None


def _contrast(patch: RgbImage) -> npt.NDArray[np.float64]:
    """How far each pixel is from the background, whatever its colour is, 0..255."""
    away: npt.NDArray[np.float64] = np.abs(patch.astype(np.float64) - commonest_colour(patch)).max(axis=2)
    return away


def effect_alike(
    before: RgbImage,
    after: RgbImage,
    live: RgbImage,
    *,
    within: Rect | None = None,
    moved: Sequence[tuple[int, int]] = ((0, 0),),
    ignore: Sequence[Rect] = (),
) -> float | None:
    """How much of what a step changed in the recording looks now as it did then, 0..1; None where it changed nothing.

    A text cursor that blinks is no change. Larger changes count more, so a clock that goes on beside a dialog that
    opens says little.

    Args:
        before: the recorded picture before the step.
        after: the recorded picture after it.
        live: the screen after the step was performed again.
        within: the recorded window: changes outside count only where there are none inside.
        moved: how far things may have moved to the right and down since; the best of these counts.
        ignore: parts of the recorded pictures that do not count.
    """
    changes = [box for box in changed_boxes(before, after) if not any(part.encloses(box) for part in ignore)]
    inside = [part for box in changes if (part := box if within is None else box.intersection(within)) is not None]
    boxes = inside or changes
    if not boxes:
        return None
    whole = sum(box.area for box in boxes)
    return max(
        sum(area_alike(after, live, box, dx=dx, dy=dy, ignore=ignore)[0] * box.area for box in boxes) / whole
        for dx, dy in moved
    )


def change_alike(
    before: RgbImage, after: RgbImage, live: RgbImage, area: Rect, *, dx: int = 0, dy: int = 0
) -> float | None:
    """Share of the pixels of a small area which a step changed that look now as they did then.

    Args:
        before: the recorded picture before the step.
        after: the recorded picture after it, of the same size.
        live: the screen now.
        area: pixels of the recorded pictures.
        dx: how far the area has moved to the right since then.
        dy: the same, downwards.

    Returns:
        None where nothing changed there, or nothing of the area is on the live screen.
    """
    x1, y1 = max(area.x1, 0, -dx), max(area.y1, 0, -dy)
    x2 = min(area.x2, after.shape[1], live.shape[1] - dx)
    y2 = min(area.y2, after.shape[0], live.shape[0] - dy)
    if before.shape != after.shape or x1 >= x2 or y1 >= y2:
        return None
    then, there = after[y1:y2, x1:x2], live[y1 + dy : y2 + dy, x1 + dx : x2 + dx]
    changed = differs(before[y1:y2, x1:x2], then, tolerance=_TOLERANCE)
    count = int(np.count_nonzero(changed))
    return 1.0 - int(np.count_nonzero(differs(then, there, tolerance=_TOLERANCE) & changed)) / count if count else None


def changed_boxes(before: RgbImage, after: RgbImage) -> list[Rect]:
    """Where two recorded pictures of one size differ, blinking text cursors aside; nothing for different sizes."""
    if before.shape != after.shape:
        return []
    return [box for box in compare(before, after).boxes if not _is_caret(box)]


def _share_alike(patch: RgbImage, there: RgbImage, *, tolerance: int, counted: Mask | None = None) -> tuple[float, int]:
    """How many pixels differ from the background on either picture, and before it the share of these that are equal."""
    background = commonest_colour(patch)
    foreground = differs(patch, background, tolerance=tolerance) | differs(there, background, tolerance=tolerance)
    if counted is not None:
        foreground &= counted
    drawn = int(np.count_nonzero(foreground))
    differing = int(np.count_nonzero(differs(patch, there, tolerance=tolerance) & foreground))
    return (1.0 - differing / drawn if drawn else 1.0), drawn
