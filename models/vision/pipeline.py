"""Everything that happens to one picture inside the worker: looks again only where it differs from the last ones.

A worker remembers the last pictures with what was found on them. Where the next picture of the same size differs, the
difference is widened to the elements it touches; what scrolled is recognised by its pixels and moved along.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou, join_close, overlap_of_smaller
from demopack.domain.marks import owned_labels
from demopack.pixels.changes import changed_pixels, vertical_shift
from demopack.pixels.colours import codes_of
from demopack.pixels.masks import Mask, crop, size_of, tile_boxes, tiles_of
from demopack.settings import VisionSettings
from models.registry import is_off
from models.vision.describer import open_describer
from models.vision.detection import Detection
from models.vision.detector import open_detector
from models.vision.duplicates import without_duplicates, without_pages
from models.vision.fusion import CONTROLS, LINE_TYPES, Rules, with_labels
from models.vision.icons import IconNamer, open_icon_namer
from models.vision.reading.text_reader import open_text_reader
from models.vision.screen_parser import ScreenParser

_AROUND: frozenset[ElementType] = frozenset({"window", "dialog", "toolbar", "image", "other"})
"""Types that stay what they are when something inside them changes."""
_TILE_PX = 16
"""Changes that lie this close belong together."""
_MAX_LOOKED_SHARE = 0.6
"""Share of a picture; when more than this, surroundings included, has to be looked at again, all of it is."""
_AIR_PX = 4
"""A change this close to an element may belong to it: a focus ring, a shadow."""
_MIN_REDRAWN_SIDES = 2
"""Of what stays when something inside it changes: sides that are drawn anew where it was moved or resized."""
_MAX_REMEMBERED = 3
_MAX_BYTES = 64 * 2**20
"""Pictures that are remembered, and their size together; a very large one is not kept at all."""
_SCROLL_GAP_PX = 48
_MIN_SCROLL_PX = 96
"""Sides of a changed area in pixels that are worth searching for scrolled content."""


class UpdatePlan(NamedTuple):
    """What to do about a picture.

    Attributes:
        kept: known already, and nothing of it changed.
        gone: something changed in or beside these.
        areas: where to look again; they do not overlap.
        changed: the pixels that changed; what lies elsewhere is no new element.
    """

    kept: tuple[Detection, ...]
    gone: tuple[Detection, ...]
    areas: tuple[Rect, ...]
    changed: Mask

    def concerns(self, one: Detection) -> bool:
        """Whether an element lies where pixels changed, or is one that may have."""
        near = bool(crop(self.changed, _with_air(one, size_of(self.changed))).any())
        return near or any(_same(one, other) for other in self.gone)

    def unchanged(self) -> list[Detection]:
        """Of what is gone, that of which no pixel changed: only beside it something did."""
        return [one for one in self.gone if not crop(self.changed, one.box).any()]


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
        return UpdatePlan(tuple(found), (), (), differs)
    kept = list(found)
    # The lines of a list change one by one, but scroll together.
    for area in join_close(tile_boxes(tiles_of(differs, _TILE_PX), _TILE_PX, size), gap=_SCROLL_GAP_PX):
        if min(area.width, area.height) >= _MIN_SCROLL_PX:
            kept = _scrolled(old, new, kept, area, differs)
    gone = _touched(kept, differs)
    # Whole elements: none that changed is cut by an area.
    again = [kept[i].box.grown(_AIR_PX).clamped(size) for i in sorted(gone)]
    areas = join_close([*tile_boxes(tiles_of(differs, _TILE_PX), _TILE_PX, size), *again], gap=_AIR_PX)
    looked = sum(_with_context(area, size).area for area in _together(areas, size))
    if looked > _MAX_LOOKED_SHARE * size.width * size.height:
        return None
    left = tuple(one for i, one in enumerate(kept) if i not in gone)
    return UpdatePlan(left, tuple(kept[i] for i in sorted(gone)), tuple(areas), differs)


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
        there, was = one.box.moved(0, shift), crop(old, one.box)
        if area.intersection(one.box) is None or one.type in _AROUND or np.array_equal(was, crop(new, one.box)):
            result.append(one)
        elif area.encloses(one.box) and area.encloses(there) and np.array_equal(was, crop(new, there)):
            result.append(one.moved(0, shift))
        else:
            # It left the area in part or changed as well. Where it is now, as far as it is seen, is looked at again.
            again += [box for box in (there.intersection(area),) if box is not None]
    differs[moved] &= ~explained
    for box in again:
        crop(differs, box)[:] = True
    return result


def _touched(found: Sequence[Detection], differs: Mask) -> set[int]:
    """The places of elements that a change concerns; a mark and its label are one."""
    size = size_of(differs)
    touched = {
        i
        for i, one in enumerate(found)
        if (_is_redrawn(one.box, differs) if one.type in _AROUND else crop(differs, _with_air(one, size)).any())
    }
    for mark, lines in owned_labels(found).items():
        if touched.intersection(whole := (mark, *lines)):
            touched.update(whole)
    return touched


def _with_air(one: Detection, size: Size) -> Rect:
    """An element with the pixels around it that may be its own: beside a line, of its next word."""
    beside = max(_AIR_PX, one.box.height) if one.type in LINE_TYPES else _AIR_PX
    box = one.box
    return Rect(box.x1 - beside, box.y1 - _AIR_PX, box.x2 + beside, box.y2 + _AIR_PX).clamped(size)


def _is_redrawn(box: Rect, differs: Mask) -> bool:
    """Whether most of what lies in a box changed, or so many of its sides that it is another one."""
    size = size_of(differs)
    if crop(differs, box).mean() > 0.5:
        return True
    sides = (
        Rect(box.x1, box.y1 - _AIR_PX, box.x2, box.y1 + _AIR_PX),
        Rect(box.x1, box.y2 - _AIR_PX, box.x2, box.y2 + _AIR_PX),
        Rect(box.x1 - _AIR_PX, box.y1, box.x1 + _AIR_PX, box.y2),
        Rect(box.x2 - _AIR_PX, box.y1, box.x2 + _AIR_PX, box.y2),
    )
    changed = [crop(differs, side.clamped(size)).any(axis=int(i > 1)) for i, side in enumerate(sides)]
    return sum(bool(side.size) and bool(side.mean() > 0.5) for side in changed) >= _MIN_REDRAWN_SIDES


_CONTEXT_PX = 96
"""Pixels around a changed area that the models see as well; what only lies there is not read."""
_MIN_TIME_SHARE = 0.2
"""Of the time for describing a whole picture, for the smallest change."""
_DUPLICATE_IOU = 0.6
"""What is seen again and overlaps what is kept by more (IoU) is that."""
_INSIDE_SHARE = 0.8
"""Of the smaller one, for two of one type."""


class Pipeline:
    """Elements of pictures, one after the other; looks only at what changed since the last ones where that is set."""

    def __init__(self, looker: ScreenParser, *, incremental: bool, icons: IconNamer | None = None) -> None:
        self._looker = looker
        self._icons = icons
        # The last pictures and what was found on them.
        self._last: deque[tuple[RgbImage, tuple[Detection, ...]]] = deque(maxlen=_MAX_REMEMBERED if incremental else 0)

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Detection]:
        """Proposals for a picture of shape (height, width, 3), uint8; what lies near these points first."""
        plans = [made for old, known in self._last if (made := plan(old, known, image)) is not None]
        if plans:
            # After the picture that is most like it.
            found = self._changed(image, min(plans, key=lambda one: sum(area.area for area in one.areas)), near)
        else:
            seen = self._looker.see(image, screen=size_of(image))
            found = self._named(image, self._looker.describe(image, seen, near))
        found = without_duplicates(found)
        # One order whatever was looked at first, so that equal results are equal lists.
        found.sort(key=lambda one: (one.box.y1, one.box.x1, one.box.y2, one.box.x2, one.type))
        self._last.append((image, tuple(found)))
        while sum(old.nbytes for old, _ in self._last) > _MAX_BYTES:
            self._last.popleft()
        return found

    def find(self, image: RgbImage, near: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
        """The same as plain JSON, for the worker to answer with; marks and their labels are one."""
        return [one.to_json() for one in with_labels(self(image, [Point(*at) for at in near]))]

    def _changed(self, image: RgbImage, plan: UpdatePlan, near: Sequence[Point]) -> list[Detection]:
        fresh: list[Detection] = []
        for area in _together(plan.areas, size_of(image)):
            # What two looks see, because it lies in one area and near the other, is found by the one of its own area.
            seen = [one for one in self._look_at(image, area) if _belongs(one, area)]
            seen = [one for one in seen if any(_belongs(one, other) for other in plan.areas)]
            fresh += [one for one in seen if plan.concerns(one) and not any(_same(one, other) for other in fresh)]
        # A part of a page may look like one control.
        fresh = without_pages(fresh, plan.kept)
        # What a second look misses is still there where all its pixels are.
        missed = [one for one in plan.unchanged() if all(one.box.intersection(new.box) is None for new in fresh)]
        kept = [one for one in (*plan.kept, *missed) if not any(_is_part(one, other) for other in fresh)]
        fresh = [one for one in fresh if not any(_same(one, other) for other in kept)]
        changed = sum(area.area for area in plan.areas) / (image.shape[0] * image.shape[1])
        described = self._looker.describe(image, fresh, near, share=min(1.0, max(_MIN_TIME_SHARE, changed)))
        return kept + self._named(image, described)

    def _named(self, image: RgbImage, found: list[Detection]) -> list[Detection]:
        return found if self._icons is None else self._icons.name(image, found)

    def _look_at(self, image: RgbImage, area: Rect) -> list[Detection]:
        """What lies in an area; things that only begin there are known from before."""
        screen = size_of(image)
        part = _with_context(area, screen)
        within = area.moved(-part.x1, -part.y1)
        looked = self._looker.see(crop(image, part), screen=screen, within=within)
        seen = (one.moved(part.x1, part.y1) for one in looked)
        return [one for one in seen if not _cut(one.box, part, screen)]


def _with_context(area: Rect, screen: Size) -> Rect:
    return area.grown(_CONTEXT_PX).clamped(screen)


def _together(areas: Sequence[Rect], screen: Size) -> list[Rect]:
    """The areas, those that cost less in one look than in two as one."""
    left = list(areas)
    for one, other in itertools.combinations(areas, 2):
        both = one.union(other)
        if _with_context(both, screen).area <= _with_context(one, screen).area + _with_context(other, screen).area:
            return _together([*(area for area in left if area not in (one, other)), both], screen)
    return left


def _same(one: Detection, other: Detection) -> bool:
    """Whether what is seen again is what was kept, or a line or box within it."""
    inside = overlap_of_smaller(one.box, other.box) >= _INSIDE_SHARE
    alike = one.type == other.type or (one.type in LINE_TYPES and other.type in LINE_TYPES)
    return iou(one.box, other.box) > _DUPLICATE_IOU or (inside and alike)


def _is_part(line: Detection, whole: Detection) -> bool:
    """Whether a line is the words of a control, or the beginning of a line, that stands there now."""
    if line.type not in LINE_TYPES or line.box.share_in(whole.box) < _INSIDE_SHARE:
        return False
    return whole.type in CONTROLS or (whole.type in LINE_TYPES and whole.box.area > line.box.area)


def _belongs(one: Detection, area: Rect) -> bool:
    """Whether an element is one of an area: it lies in it, or is a control in which the change lies."""
    return area.contains(one.box.center) or (one.type not in _AROUND and one.box.contains(area.center))


def _cut(box: Rect, part: Rect, screen: Size) -> bool:
    """Whether a box ends where the picture was cut, and not the screen."""
    left, top = 0 < part.x1 >= box.x1, 0 < part.y1 >= box.y1
    right, bottom = screen.width > part.x2 <= box.x2, screen.height > part.y2 <= box.y2
    return left or top or right or bottom


def build(options: dict[str, Any]) -> Pipeline:
    """The pipeline of these options: ``VisionSettings`` as JSON and ``threads``.

    Raises:
        ModelError: a library or a model cannot be used.
    """
    settings = VisionSettings.model_validate({name: value for name, value in options.items() if name != "threads"})
    threads = int(options["threads"])
    detector = None if is_off("detector", settings.detector) else open_detector(settings, threads=threads)
    reader = open_text_reader(settings, threads=threads) if settings.ocr else None
    describer = None if is_off("describer", settings.describer) else open_describer(settings, threads=threads)
    looker = ScreenParser(
        detector=None if detector is None else detector.detect,
        reader=reader,
        describer=describer,
        rules=Rules.model_validate({} if describer is None else describer.options),
        describe_s=settings.describe_s,
        with_shapes=detector is None or bool(detector.options.get("with_shapes", True)),
    )
    icons = None if is_off("icons", settings.icons) else open_icon_namer(settings, threads=threads)
    incremental = settings.incremental and (detector is None or detector.sees_parts)
    return Pipeline(looker, incremental=incremental, icons=icons)
