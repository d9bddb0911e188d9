"""Looks again only where a screen has changed, and keeps everything else exactly as it was.

A worker remembers the last pictures with what was found on them. Where the next picture of the same size differs, the
difference is widened to whole elements; what scrolled is recognised by its pixels and moved along.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, join_close
from demopack.pixels.changes import changed_pixels, vertical_shift
from demopack.pixels.colours import codes_of
from demopack.pixels.masks import Mask, crop, size_of, tile_boxes, tiles_of
from models.vision.detection import Detection

_AROUND: frozenset[ElementType] = frozenset({"window", "dialog", "toolbar", "image", "other"})
"""Types that stay what they are when something inside them changes."""
_TILE_PX = 16
"""Changes that lie this close belong together."""
_MAX_CHANGED_SHARE = 0.4
"""Share of a picture; when more than this has to be looked at again, all of it is."""
_AIR_PX = 4
"""A change this close to an element may belong to it: a focus ring, a shadow."""
_MAX_REMEMBERED = 3
_MAX_BYTES = 64 * 2**20
_SCROLL_GAP_PX = 48
_MIN_SCROLL_PX = 96
"""Sides of a changed area in pixels that are worth searching for scrolled content."""


class UpdatePlan(NamedTuple):
    """What to do about a picture: ``kept`` is known already; ``areas``, which do not overlap, are looked at again."""

    kept: tuple[Detection, ...]
    areas: tuple[Rect, ...]


class LastDetections:
    """The last few pictures of a session and what was found on them."""

    def __init__(self) -> None:
        self._seen: deque[tuple[RgbImage, tuple[Detection, ...]]] = deque(maxlen=_MAX_REMEMBERED)

    def put(self, image: RgbImage, found: Sequence[Detection]) -> None:
        """Remember a picture; the oldest ones are forgotten, and very large ones are not kept at all."""
        self._seen.append((image, tuple(found)))
        while self._seen and sum(one.nbytes for one, _ in self._seen) > _MAX_BYTES:
            self._seen.popleft()

    def plan(self, image: RgbImage) -> UpdatePlan | None:
        """How to look at a picture after the one that is most like it; None when all of it must be looked at."""
        plans = [plan(old, found, image) for old, found in self._seen]
        usable = [one for one in plans if one is not None]
        return min(usable, key=lambda one: sum(area.area for area in one.areas), default=None)


def plan(old: RgbImage, found: Sequence[Detection], new: RgbImage) -> UpdatePlan | None:
    """What of an old picture's elements still holds on a new one, and where to look again.

    Args:
        old: shape (height, width, 3), uint8.
        found: the elements on it.
        new: the next picture.

    Returns:
        None where the pictures have different sizes or too much has changed.
    """
    if old.shape != new.shape:
        return None
    size = size_of(new)
    differs = changed_pixels(old, new, tolerance=0)
    if not differs.any():
        return UpdatePlan(tuple(found), ())
    kept = list(found)
    # The lines of a list change one by one, but scroll together.
    for area in join_close(tile_boxes(tiles_of(differs, _TILE_PX), _TILE_PX, size), gap=_SCROLL_GAP_PX):
        if min(area.width, area.height) >= _MIN_SCROLL_PX:
            kept = _scrolled(old, new, kept, area, differs)
    areas = _whole_elements(list(tile_boxes(tiles_of(differs, _TILE_PX), _TILE_PX, size)), kept, size)
    if sum(area.area for area in areas) > _MAX_CHANGED_SHARE * size.width * size.height:
        return None
    return UpdatePlan(tuple(one for one in kept if not any(_touches(one, area) for area in areas)), tuple(areas))


def _scrolled(old: RgbImage, new: RgbImage, found: Sequence[Detection], area: Rect, differs: Mask) -> list[Detection]:
    """The elements, those in a scrolled area moved along; what is explained by that is cleared in ``differs``."""
    shift = vertical_shift(codes_of(crop(old, area)), codes_of(crop(new, area)))
    if shift == 0:
        return list(found)
    low, high = max(area.y1, area.y1 + shift), min(area.y2, area.y2 + shift)
    moved = (slice(low, high), slice(area.x1, area.x2))
    source = (slice(low - shift, high - shift), slice(area.x1, area.x2))
    explained: Mask = np.asarray((new[moved] == old[source]).all(axis=2))
    result: list[Detection] = []
    again: list[Rect] = []
    for one in found:
        there = one.box.moved(0, shift)
        if area.intersection(one.box) is None or one.type in _AROUND or _same(old, one.box, new, one.box):
            result.append(one)
        elif area.encloses(one.box) and area.encloses(there) and _same(old, one.box, new, there):
            result.append(one.moved(0, shift))
        else:
            # It left the area in part or changed as well. Where it is now, as far as it is seen, is looked at again.
            again += [box for box in (there.intersection(area),) if box is not None]
    differs[moved] &= ~explained
    for box in again:
        crop(differs, box)[:] = True
    return result


def _same(old: RgbImage, a: Rect, new: RgbImage, b: Rect) -> bool:
    return np.array_equal(crop(old, a), crop(new, b))


def _touches(one: Detection, area: Rect) -> bool:
    """Whether a change in an area may concern an element."""
    if one.box.grown(_AIR_PX).intersection(area) is None:
        return False
    return one.type not in _AROUND or not one.box.encloses(area) or 2 * area.area > one.box.area


def _whole_elements(areas: list[Rect], found: Sequence[Detection], size: Size) -> list[Rect]:
    """The areas grown until no element is cut by them, those that overlap joined."""
    while True:
        grown: list[Rect] = []
        for area in areas:
            for one in found:
                if _touches(one, area):
                    area = area.union(one.box.grown(_AIR_PX).clamped(size))
            grown.append(area)
        joined = join_close(grown, gap=_TILE_PX)
        if joined == areas:
            return joined
        areas = joined
