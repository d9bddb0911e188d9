"""Everything that happens to one picture inside the worker."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou, overlap_of_smaller
from demopack.settings import VisionSettings
from models.vision.describer import open_describer
from models.vision.detection import Detection
from models.vision.detector import open_detector
from models.vision.fusion import LINE_TYPES, Rules
from models.vision.icons import IconNamer, open_icon_namer
from models.vision.incremental import LastDetections, UpdatePlan
from models.vision.model_choice import is_off
from models.vision.reading.ocr import OcrReader
from models.vision.reading.text_reader import TextReader
from models.vision.screen_parser import ScreenParser

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
        self._memory = LastDetections() if incremental else None

    def __call__(self, image: RgbImage, near: Sequence[Point] = ()) -> list[Detection]:
        """Proposals for a picture of shape (height, width, 3), uint8; what lies near these points first."""
        plan = None if self._memory is None else self._memory.plan(image)
        if plan is None:
            screen = Size(image.shape[1], image.shape[0])
            found = self._named(image, self._looker.describe(image, self._looker.see(image, screen=screen), near))
        else:
            found = self._changed(image, plan, near)
        # One order whatever was looked at first, so that equal results are equal lists.
        found.sort(key=lambda one: (one.box.y1, one.box.x1, one.box.y2, one.box.x2, one.type))
        if self._memory is not None:
            self._memory.put(image, found)
        return found

    def _changed(self, image: RgbImage, plan: UpdatePlan, near: Sequence[Point]) -> list[Detection]:
        kept, fresh = list(plan.kept), list[Detection]()
        screen = Size(image.shape[1], image.shape[0])
        for area in _together(plan.areas, screen):
            # What two looks see, because it lies in one area and near the other, is found by the one of its own area.
            seen = [one for one in self._look_at(image, area) if area.contains(one.box.center)]
            seen = [one for one in seen if any(other.contains(one.box.center) for other in plan.areas)]
            fresh += [one for one in seen if not any(_same(one, other) for other in (*kept, *fresh))]
        changed = sum(area.area for area in plan.areas) / (image.shape[0] * image.shape[1])
        described = self._looker.describe(image, fresh, near, share=min(1.0, max(_MIN_TIME_SHARE, changed)))
        return kept + self._named(image, described)

    def _named(self, image: RgbImage, found: list[Detection]) -> list[Detection]:
        return found if self._icons is None else self._icons.name(image, found)

    def _look_at(self, image: RgbImage, area: Rect) -> list[Detection]:
        """What lies in an area; things that only begin there are known from before."""
        screen = Size(image.shape[1], image.shape[0])
        part = _with_context(area, screen)
        crop = image[part.y1 : part.y2, part.x1 : part.x2]
        within = area.moved(-part.x1, -part.y1)
        seen = (one.moved(part.x1, part.y1) for one in self._looker.see(crop, screen=screen, within=within))
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
    reader = TextReader(OcrReader(threads=threads), min_confidence=settings.ocr_confidence) if settings.ocr else None
    describer = None if is_off("describer", settings.describer) else open_describer(settings, threads=threads)
    looker = ScreenParser(
        detector=None if detector is None else detector.detect,
        reader=reader,
        describer=describer,
        rules=Rules.of_card({} if describer is None else describer.options),
        describe_s=settings.describe_s,
        with_shapes=detector is None or bool(detector.options.get("with_shapes", True)),
    )
    icons = None if is_off("icons", settings.icons) else open_icon_namer(settings, threads=threads)
    incremental = settings.incremental and (detector is None or detector.sees_parts)
    return Pipeline(looker, incremental=incremental, icons=icons)
