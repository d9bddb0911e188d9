"""Looks again only where a screen has changed, and keeps everything else exactly as it was.

A worker remembers the last pictures with what was found on them. Where the next picture of the same size differs, the
difference is widened to whole elements; what scrolled is recognised by its pixels and moved along.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.found import Found
from models.vision.shift import vertical_shift
from models.vision.tiles import TILE, boxes_of, tiles_of

__all__ = ["Memory", "Plan", "plan"]

_AROUND: frozenset[ElementType] = frozenset({"window", "dialog", "toolbar", "image", "other"})
"""Types that stay what they are when something inside them changes."""
_LARGEST = 0.4
"""Share of a picture; when more than this has to be looked at again, all of it is."""
_AIR = 4
"""A change this close to an element may belong to it: a focus ring, a shadow."""
_REMEMBERED = 3
_BYTES = 64 * 2**20
_LINES = 48
_SCROLLS = 96
"""Sides of a changed area in pixels that are worth searching for scrolled content."""

_Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a picture.

    Attributes:
        kept: elements that are known already.
        areas: where to look again; they do not overlap.
    """

    kept: tuple[Found, ...]
    areas: tuple[Rect, ...]


class Memory:
    """The last few pictures of a session and what was found on them."""

    def __init__(self) -> None:
        self._seen: deque[tuple[RgbImage, tuple[Found, ...]]] = deque(maxlen=_REMEMBERED)

    def put(self, image: RgbImage, found: Sequence[Found]) -> None:
        """Remember a picture; the oldest ones are forgotten, and very large ones are not kept at all."""
        self._seen.append((image, tuple(found)))
        while self._seen and sum(one.nbytes for one, _ in self._seen) > _BYTES:
            self._seen.popleft()

    def plan(self, image: RgbImage) -> Plan | None:
        """How to look at a picture after the one that is most like it; None when all of it must be looked at."""
        plans = [plan(old, found, image) for old, found in self._seen]
        usable = [one for one in plans if one is not None]
        return min(usable, key=lambda one: sum(area.area for area in one.areas), default=None)


def plan(old: RgbImage, found: Sequence[Found], new: RgbImage) -> Plan | None:
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
    size = Size(new.shape[1], new.shape[0])
    differs: _Mask = np.asarray((old != new).any(axis=2))
    if not differs.any():
        return Plan(tuple(found), ())
    kept = list(found)
    # The lines of a list change one by one, but scroll together.
    for area in _joined(boxes_of(tiles_of(differs), size), gap=_LINES):
        if min(area.width, area.height) >= _SCROLLS:
            kept = _scrolled(old, new, kept, area, differs)
    areas = _whole_elements(list(boxes_of(tiles_of(differs), size)), kept, size)
    if sum(area.area for area in areas) > _LARGEST * size.width * size.height:
        return None
    return Plan(tuple(one for one in kept if not any(_touches(one, area) for area in areas)), tuple(areas))


def _scrolled(old: RgbImage, new: RgbImage, found: Sequence[Found], area: Rect, differs: _Mask) -> list[Found]:
    """The elements, those in a scrolled area moved along; what is explained by that is cleared in ``differs``."""
    here = (slice(area.y1, area.y2), slice(area.x1, area.x2))
    shift = vertical_shift(old[here], new[here])
    if shift == 0:
        return list(found)
    low, high = max(area.y1, area.y1 + shift), min(area.y2, area.y2 + shift)
    moved = (slice(low, high), slice(area.x1, area.x2))
    source = (slice(low - shift, high - shift), slice(area.x1, area.x2))
    explained: _Mask = np.asarray((new[moved] == old[source]).all(axis=2))
    result: list[Found] = []
    again: list[Rect] = []
    for one in found:
        there = one.box.moved(0, shift)
        if area.intersection(one.box) is None or one.type in _AROUND or _same(old, one.box, new, one.box):
            result.append(one)
        elif area.encloses(one.box) and area.encloses(there) and _same(old, one.box, new, there):
            result.append(_moved(one, shift))
        else:
            # It left the area in part or changed as well. Where it is now, as far as it is seen, is looked at again.
            again += [box for box in (there.intersection(area),) if box is not None]
    differs[moved] &= ~explained
    for box in again:
        differs[box.y1 : box.y2, box.x1 : box.x2] = True
    return result


def _same(old: RgbImage, a: Rect, new: RgbImage, b: Rect) -> bool:
    return np.array_equal(old[a.y1 : a.y2, a.x1 : a.x2], new[b.y1 : b.y2, b.x1 : b.x2])


def _moved(one: Found, dy: int) -> Found:
    evidence = tuple(e if e.box is None else e.model_copy(update={"box": e.box.moved(0, dy)}) for e in one.evidence)
    return dataclasses.replace(one, box=one.box.moved(0, dy), evidence=evidence)


def _touches(one: Found, area: Rect) -> bool:
    """Whether a change in an area may concern an element."""
    box = Rect(one.box.x1 - _AIR, one.box.y1 - _AIR, one.box.x2 + _AIR, one.box.y2 + _AIR)
    if box.intersection(area) is None:
        return False
    return one.type not in _AROUND or not one.box.encloses(area) or 2 * area.area > one.box.area


def _whole_elements(areas: list[Rect], found: Sequence[Found], size: Size) -> list[Rect]:
    """The areas grown until no element is cut by them, those that overlap joined."""
    while True:
        grown: list[Rect] = []
        for area in areas:
            for one in found:
                if _touches(one, area):
                    box = one.box
                    area = area.union(Rect(box.x1 - _AIR, box.y1 - _AIR, box.x2 + _AIR, box.y2 + _AIR).clamped(size))
            grown.append(area)
        joined = _joined(grown)
        if joined == areas:
            return joined
        areas = joined


def _joined(areas: Sequence[Rect], *, gap: int = TILE) -> list[Rect]:
    """The areas, those that overlap or are less than ``gap`` pixels apart as one."""
    left = list(areas)
    joined: list[Rect] = []
    while left:
        one = left.pop()
        near = Rect(one.x1 - gap, one.y1 - gap, one.x2 + gap, one.y2 + gap)
        close = [other for other in left if near.intersection(other) is not None]
        if not close:
            joined.append(one)
            continue
        for other in close:
            left.remove(other)
            one = one.union(other)
        left.append(one)
    return sorted(joined, key=lambda area: (area.y1, area.x1, area.y2, area.x2))
