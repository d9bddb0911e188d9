"""One look at a picture or a part of it: what is there, where, and what is written on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou
from models.vision.blocks import take_blocks
from models.vision.containers import on_edges
from models.vision.decoration import without_decoration
from models.vision.description import DescriberPort
from models.vision.detector import DetectorPort
from models.vision.editors import take_editors
from models.vision.found import Found
from models.vision.fusion import (
    CONTROLS,
    LINE_TYPES,
    PARTS,
    ROUND_OR_SQUARE,
    ROWS,
    Rules,
    describe_all,
    fuse,
    said_by,
)
from models.vision.reading.gray import Gray, to_gray
from models.vision.reading.joining import join_pieces, join_words
from models.vision.reading.lines import AIR, lines_inside
from models.vision.reading.text import TextReader
from models.vision.reading.unexplained import unexplained_areas
from models.vision.reading.whole import whole_lines
from models.vision.rules import outline
from models.vision.scrollbars import split_scrollbar
from models.vision.shapes.closed import Shape, find_shapes
from models.vision.shapes.marks import clip_to_frames, separate_marks
from models.vision.shapes.widgets import widgets

__all__ = ["Looker", "moved"]

_CLEAR = 0.55
"""Least confidence of a closed shape that is looked for beside a detector."""
_SAME_MARK = 0.5
"""Least overlap (IoU) of a detected mark with the outline that it is."""
_EDGE = 4
"""Pixels that a detected edge is off."""


class Looker:
    """The models and what is done with them; each of them may be missing."""

    def __init__(
        self,
        *,
        detector: DetectorPort | None,
        reader: TextReader | None,
        describer: DescriberPort | None,
        rules: Rules,
        describe_s: float,
        with_shapes: bool = False,
    ) -> None:
        """Use these models.

        Args:
            detector: finds elements; closed shapes are looked for where it is None.
            reader: reads text.
            describer: says what an element is.
            rules: who is believed.
            describe_s: seconds that describing may take on one picture.
            with_shapes: look for closed shapes where the detector saw no control, too.
        """
        self._detector = detector
        self._reader = reader
        self._describer = describer
        self._rules = rules
        self._describe_s = describe_s
        self._with_shapes = with_shapes

    def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Found]:
        """The elements on a picture, not described.

        Args:
            image: shape (height, width, 3), uint8.
            screen: size of the whole screen, where the picture is a part of it.
            within: the part of the picture that counts; what lies around it only helps, and is not read.
        """
        gray = to_gray(image)
        if self._detector is None:
            found = self._by_shape(image, gray, screen)
        else:
            found = self._by_detector(image, gray, self._detector, screen, within)
        bars = [part for one in found if one.type == "scrollbar" for part in split_scrollbar(gray, one)]
        return [one for one in found if one.type not in PARTS] + bars

    def describe(
        self, image: RgbImage, found: Sequence[Found], near: Sequence[Point], *, share: float = 1.0
    ) -> list[Found]:
        """The elements with what the describer says about them, as far as there is time.

        Args:
            image: the whole picture.
            found: what :meth:`see` saw.
            near: points around which to begin.
            share: of the time that a whole picture has.
        """
        if self._describer is None or not found:
            return without_decoration(found)
        asked = [one for one in found if one.type not in PARTS]
        said = self._describer.describe(image, [one.box for one in asked], limit_s=self._describe_s * share, near=near)
        parts = [one for one in found if one.type in PARTS]
        described = describe_all(asked, said, rules=self._rules, reads=self._describer.reads_text)
        return without_decoration(described) + parts

    def _by_shape(self, image: RgbImage, gray: Gray, screen: Size) -> list[Found]:
        shapes = find_shapes(image, screen_width=screen.width)
        frames = [shape for shape in shapes if shape.kind == "frame"]
        marks = [shape for shape in shapes if shape.kind != "frame"]
        lines: list[Found] = []
        if self._reader is not None:
            boxes, marks = separate_marks(gray, self._reader.boxes(image, gray, None, screen), marks)
            boxes = clip_to_frames(gray, boxes, [shape.box for shape in frames])
            lines = self._reader.lines(image, gray, boxes, borders=_borders(frames))
        return fuse(lines, widgets(gray, [*frames, *marks], [line for line in lines if line.type == "text"]))

    def _by_detector(
        self, image: RgbImage, gray: Gray, detector: DetectorPort, screen: Size, within: Rect | None
    ) -> list[Found]:
        detections = on_edges(gray, detector.detect(image))
        if self._reader is None:
            return fuse([], detections)
        size = Size(image.shape[1], image.shape[0])
        boxes: list[Rect] = []
        for one in detections:
            if one.type in LINE_TYPES:
                boxes += whole_lines(gray, one, detections, size)
            elif one.type in CONTROLS | ROWS:
                boxes += lines_inside(gray, one.box)
        if within is not None:
            boxes = [box for box in boxes if box.intersection(within) is not None]
        areas = unexplained_areas(gray, detections, within=within)
        boxes += self._reader.boxes(image, gray, areas, screen) if areas else []
        owners = [one.box for one in detections if one.type in CONTROLS]
        tabs = [one.box for one in detections if one.type == "tab"]
        shapes = find_shapes(image, screen_width=screen.width) if self._with_shapes else []
        marks = [shape for shape in shapes if shape.kind != "frame"]
        frames = [shape for shape in shapes if shape.kind == "frame"]
        boxes, marks = separate_marks(gray, _distinct(boxes), marks)
        links = [one.box for one in detections if one.type == "hyperlink"]
        boxes = _distinct(clip_to_frames(gray, boxes, [shape.box for shape in frames]))
        boxes = join_pieces(gray, boxes, links=links)
        lines = self._reader.lines(image, gray, boxes, borders=owners, tabs=tabs)
        lines, detections = join_words(gray, lines, detections)
        clear = _clear(gray, [*frames, *marks], lines)
        seen = _by_outline(_marked(detections, marks), clear)
        if not self._with_shapes:
            return fuse(lines, seen)
        editors = take_editors(image, lines, seen, whole=size == screen)
        blocks = take_blocks(image, editors.lines, editors.detections, whole=size == screen)
        # What lies over an editor is not its text, though it lies within its box.
        return [*fuse(blocks.lines, [*blocks.detections, *blocks.found]), *editors.found]


def _clear(gray: Gray, shapes: Sequence[Shape], lines: Sequence[Found]) -> list[Found]:
    """Closed shapes that are clearly controls."""
    found = widgets(gray, shapes, [line for line in lines if line.type == "text"])
    return [one for one in found if one.type != "other" and one.confidence >= _CLEAR]


def _marked(detections: Sequence[Found], marks: Sequence[Shape]) -> list[Found]:
    """The detections, boxes to tick and round buttons told apart by their outlines, which say it better than a look."""
    told: list[Found] = []
    for one in detections:
        mark = max(marks, key=lambda shape: iou(shape.box, one.box), default=None)
        if one.type in ROUND_OR_SQUARE and mark is not None and iou(mark.box, one.box) > _SAME_MARK:
            kind: ElementType = "radio" if mark.kind == "round" else "checkbox"
            said = (*(one.evidence or (said_by(one),)), outline(kind, mark.box))
            one = dataclasses.replace(one, type=kind, evidence=said)
        told.append(one)
    return told


def _by_outline(detections: Sequence[Found], clear: Sequence[Found]) -> list[Found]:
    """The detections, and clear controls where none was seen, or only an end of one."""
    kept = list(detections)
    for shape in clear:
        rest = [one for one in kept if one.type in LINE_TYPES or not _is_end_of(one.box, shape.box)]
        if not any(_same(shape.box, one.box) for one in rest if one.type not in LINE_TYPES):
            kept = [*rest, shape]
    return kept


def _is_end_of(part: Rect, whole: Rect) -> bool:
    """Whether a box is one end of another: three of its sides are the other's."""
    pairs = ((part.x1, whole.x1), (part.y1, whole.y1), (part.x2, whole.x2), (part.y2, whole.y2))
    shared = sum(abs(a - b) <= _EDGE for a, b in pairs)
    return shared >= 3 and 2 * part.area < whole.area


def _borders(frames: Sequence[Shape]) -> list[Rect]:
    """Frames that stand beside each other: cells, tabs, buttons in a row."""
    return [frame.box for frame in frames if frame.outlined]


def _same(a: Rect, b: Rect) -> bool:
    common = a.intersection(b)
    return common is not None and common.area > 0.4 * min(a.area, b.area) and b.area <= 4 * a.area


def _distinct(boxes: Sequence[Rect]) -> list[Rect]:
    """The boxes, of those that share most of the smaller one only the largest: one line is read once.

    A box over two lines that are known one by one is none.
    """
    if not boxes:
        return []
    order = sorted(dict.fromkeys(boxes), key=lambda box: (-box.area, box.y1, box.x1))
    edges = np.array([[b.x1, b.y1, b.x2, b.y2] for b in order], dtype=np.int64)
    kept: list[int] = []
    for i, box in enumerate(order):
        if _is_stack(box, edges):
            continue
        others = edges[kept]
        width = np.minimum(others[:, 2], box.x2) - np.maximum(others[:, 0], box.x1)
        height = np.minimum(others[:, 3], box.y2) - np.maximum(others[:, 1], box.y1)
        shared = width.clip(0) * height.clip(0)
        if not (shared > 0.6 * box.area).any():
            kept.append(i)
    return sorted((order[i] for i in kept), key=lambda box: (box.y1, box.x1))


def _is_stack(box: Rect, edges: npt.NDArray[np.int64]) -> bool:
    """Whether a box holds lines, one below the other, that are boxes themselves and fill most of its height."""
    height = box.y2 - box.y1
    inside = edges[
        (edges[:, 0] >= box.x1 - AIR) & (edges[:, 2] <= box.x2 + AIR) & (edges[:, 1] >= box.y1 - AIR)
        & (edges[:, 3] <= box.y2 + AIR) & (edges[:, 3] - edges[:, 1] <= 0.75 * height)
    ]  # fmt: skip
    if len(inside) < 2:
        return False
    first, last = inside[inside[:, 1].argmin()], inside[inside[:, 3].argmax()]
    # The tail of a letter reaches into the line below, but not to its middle.
    apart = last[1] + last[3] >= 2 * (first[3] - AIR)
    return bool(apart and first[1] <= box.y1 + 0.25 * height and last[3] >= box.y2 - 0.25 * height)


def moved(found: Found, dx: int, dy: int) -> Found:
    """The same find on a picture whose origin lies elsewhere, evidence included."""
    evidence = tuple(e if e.box is None else e.model_copy(update={"box": e.box.moved(dx, dy)}) for e in found.evidence)
    return dataclasses.replace(found, box=found.box.moved(dx, dy), evidence=evidence)
