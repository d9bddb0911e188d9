"""One look at a picture or a part of it: what is there, where, and what is written on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou, overlap_of_smaller
from demopack.domain.overlap import Boxes, box_array, common_areas, enclosed
from demopack.pixels.colours import Gray, to_gray
from demopack.pixels.drawn import edges_of, sign_box
from demopack.pixels.foreground import foreground_box
from demopack.pixels.masks import crop, size_of
from models.vision.containers import on_edges, without_decoration
from models.vision.describer import Describer
from models.vision.detection import Detection
from models.vision.duplicates import without_pages
from models.vision.editors import take_editors
from models.vision.fusion import (
    CONTROLS,
    LINE_TYPES,
    PARTS,
    ROUND_OR_SQUARE,
    ROWS,
    Rules,
    describe_all,
    evidence_of,
    fuse,
)
from models.vision.reading.large_digits import large_digits
from models.vision.reading.line_joining import join_words, whole_lines
from models.vision.reading.text_lines import TEXT_MARGIN_PX, lines_inside, split_line
from models.vision.reading.text_reader import TextReader, unexplained_areas
from models.vision.rules import Switches, outline
from models.vision.scrollbar_arrows import find_scrollbars, is_plain_bar
from models.vision.scrollbar_thumbs import find_thumbs
from models.vision.scrollbars import split_scrollbar
from models.vision.shapes import Shape, clip_to_frames, find_shapes, large_controls, separate_marks, widgets
from models.vision.table_headers import is_header_cell, with_tables
from models.vision.text_areas import beside_handles, lines_in_areas, with_text_areas, without_parts

_MIN_SHAPE_CONFIDENCE = 0.55
"""Least confidence of a closed shape that is looked for beside a detector."""
_MIN_SAME_MARK_IOU = 0.5
"""Least overlap (IoU) of a detected mark with the outline that it is."""
_EDGE_TOLERANCE_PX = 4
"""Pixels that a detected edge is off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenParser:
    """The models and what is done with them; each of them may be missing.

    Attributes:
        detector: finds elements on a picture, see ``Detector.detect``; closed shapes are looked for where it is None.
        reader: reads text.
        describer: says what an element is.
        rules: who is believed.
        describe_s: seconds that describing may take on one picture.
        with_shapes: look for closed shapes where the detector saw no control, too.
    """

    detector: Callable[[RgbImage], list[Detection]] | None
    reader: TextReader | None
    describer: Describer | None
    rules: Rules
    describe_s: float
    with_shapes: bool = False

    def see(self, image: RgbImage, *, screen: Size, within: Rect | None = None) -> list[Detection]:
        """The elements on a picture, not described.

        Args:
            image: shape (height, width, 3), uint8.
            screen: size of the whole screen, where the picture is a part of it.
            within: the part of the picture that counts; what lies around it only helps, and is not read.
        """
        gray = to_gray(image)
        without = self.rules.without
        if self.detector is None:
            found = self._by_shape(image, gray, screen)
        else:
            found = self._by_detector(image, gray, self._detected(image, gray), screen, within)
        if "flat_signs" not in without:
            found = [_as_flat_as_drawn(image, one) for one in found]
        if "scrollbar_part" in without:
            return found
        bars = [part for one in found if one.type == "scrollbar" for part in split_scrollbar(gray, one)]
        return [one for one in found if one.type not in PARTS] + bars

    def _detected(self, image: RgbImage, gray: Gray) -> list[Detection]:
        """What the detector sees, with the scroll bars and the tables that are plain by their pixels."""
        detections = [] if self.detector is None else list(self.detector(image))
        bars = [] if "scrollbar_arrows" in self.rules.without else find_scrollbars(image)
        thumbs = [] if "scrollbar_thumb" in self.rules.without else find_thumbs(image)
        bars += [one for one in thumbs if not any(_is_of_bar(one, bar) for bar in bars)]
        detections = [one for one in detections if not any(_is_of_bar(one, bar) for bar in bars)] + bars
        return detections if "table_header" in self.rules.without else with_tables(gray, detections)

    def describe(
        self, image: RgbImage, found: Sequence[Detection], near: Sequence[Point], *, share: float = 1.0
    ) -> list[Detection]:
        """The elements with what the describer says about them, as far as there is time.

        Args:
            image: the whole picture.
            found: what :meth:`see` saw.
            near: points around which to begin.
            share: of the time that a whole picture has.
        """
        if self.describer is None or not found:
            return self._undecorated(found)
        plain = [one for one in found if one.type in PARTS or is_plain_bar(one) or is_header_cell(one)]
        asked = [one for one in found if one not in plain]
        said = self.describer.describe(image, [one.box for one in asked], limit_s=self.describe_s * share, near=near)
        described = describe_all(asked, said, rules=self.rules, reads=self.describer.reads_text)
        return self._undecorated(described) + plain

    def _undecorated(self, found: Sequence[Detection]) -> list[Detection]:
        return list(found) if "decoration" in self.rules.without else without_decoration(found)

    def _by_shape(self, image: RgbImage, gray: Gray, screen: Size) -> list[Detection]:
        frames, marks, _ = _shapes_on(image, screen)
        lines: list[Detection] = []
        if self.reader is not None:
            boxes, marks = separate_marks(gray, self.reader.ocr.boxes(image, gray, None, screen), marks)
            boxes = clip_to_frames(gray, boxes, [shape.box for shape in frames])
            lines = self.reader.lines(image, gray, boxes)
        return fuse(lines, widgets(gray, [*frames, *marks], [line for line in lines if line.type == "text"]))

    def _by_detector(
        self, image: RgbImage, gray: Gray, detections: list[Detection], screen: Size, within: Rect | None
    ) -> list[Detection]:
        without = self.rules.without
        if "container_edges" not in without:
            detections = on_edges(gray, detections)
        if self.reader is None:
            return fuse([], detections, without=without)
        frames, marks, large = _shapes_on(image, screen) if self.with_shapes else ([], [], [])
        corners = [one.box for one in (*frames, *large)]
        if "resize_corner" not in without:
            detections, _ = with_text_areas(gray, detections, [], corners)
        boxes, detections = self._read_boxes(image, gray, self.reader, detections, screen, within)
        if "mark_separation" not in without:
            boxes, marks = separate_marks(gray, boxes, marks)
        if "frame_clipping" not in without:
            boxes = _distinct(clip_to_frames(gray, boxes, [shape.box for shape in frames]), without)
        lines = self.reader.lines(image, gray, boxes)
        if "joined_words" not in without:
            lines, detections = join_words(gray, lines, detections)
        if "resize_corner" not in without:
            detections, lines = with_text_areas(gray, detections, lines, corners)
        drawn = widgets(gray, [*frames, *marks], [line for line in lines if line.type == "text"])
        # Closed shapes that are clearly controls.
        clear = [one for one in drawn if one.type != "other" and one.confidence >= _MIN_SHAPE_CONFIDENCE]
        clear = [one for one in clear if without.isdisjoint(said.rule for said in one.evidence)]
        seen = _by_outline(detections if "mark_outline" in without else _marked(detections, marks), clear)
        seen += [] if "framed_control" in without else large_controls(image, [*frames, *large], seen, lines)
        if "stacked_boxes" not in without:
            seen = without_pages(seen)
        if not self.with_shapes or "code_editor" in without:
            return fuse(lines, seen, without=without)
        own, free = lines_in_areas(seen, lines)
        split = take_editors(image, free, seen, whole=size_of(gray) == screen)
        # What lies over an editor is not its text, though it lies within its box.
        return [*fuse([*split.lines, *own], split.detections, without=without), *split.found]

    def _read_boxes(
        self,
        image: RgbImage,
        gray: Gray,
        reader: TextReader,
        detections: list[Detection],
        screen: Size,
        within: Rect | None,
    ) -> tuple[list[Rect], list[Detection]]:
        """Boxes around what is to be read, and the detections without the icons that are large digits."""
        without = self.rules.without
        digits = {} if "numbers_on_icons" in without else large_digits(image, reader.ocr, detections)
        detections = [one for place, one in enumerate(detections) if place not in digits]
        boxes = self._text_boxes(image, gray, reader, detections, screen, within)
        boxes = _distinct([*boxes, *digits.values()], without) if digits else boxes
        return boxes if "resize_corner" in without else beside_handles(gray, boxes, detections), detections

    def _text_boxes(
        self,
        image: RgbImage,
        gray: Gray,
        reader: TextReader,
        detections: Sequence[Detection],
        screen: Size,
        within: Rect | None,
    ) -> list[Rect]:
        """Boxes around what is to be read: detected lines, the words of controls, text that was not detected."""
        size, boxes, own = size_of(gray), list[Rect](), dict[Rect, list[Rect]]()
        plain = gray if "resize_corner" in self.rules.without else without_parts(gray, detections)
        for one in detections:
            if one.type in LINE_TYPES:
                whole = "line_ends" not in self.rules.without
                boxes += whole_lines(gray, one, detections, size) if whole else [one.box]
            elif one.type in CONTROLS | ROWS:
                lines = lines_inside(plain if one.type == "text_area" else gray, one.box)
                boxes += lines
                if one.type in CONTROLS:
                    own[one.box] = lines
        if within is not None:
            boxes = [box for box in boxes if box.intersection(within) is not None]
        areas = unexplained_areas(gray, detections, within=within)
        boxes += reader.ocr.boxes(image, gray, areas, screen) if areas else []
        if "control_words" not in self.rules.without:
            boxes = [part for box in boxes for part in _beside_controls(gray, box, own)]
        return _distinct([box for box in boxes if not _is_rule(gray, box)], self.rules.without)


_LEAST_SIGN_PX, _SMALL_SIGN_PX = 5, 24
_FRAME_EDGES = 3
_FLAT, _WIDE = 0.65, 0.7
"""Shares of a detected icon's two sides that the ink of a flat sign takes at most, and at least."""


def _as_flat_as_drawn(image: RgbImage, one: Detection) -> Detection:
    """An icon whose ink is flat, or free on a shaded ground, in the box of that: a detector has it too large."""
    low, high = sorted((one.box.width, one.box.height))
    if one.type != "icon" or low < _LEAST_SIGN_PX or high > _SMALL_SIGN_PX:
        return one
    ink = foreground_box(image, one.box)
    if ink is not None and one.box.encloses(ink):
        narrow, wide = sorted((ink.width / one.box.width, ink.height / one.box.height))
        if narrow <= _FLAT and wide >= _WIDE:
            return dataclasses.replace(one, box=ink)
    sign = sign_box(image, one.box)
    is_free = sign is not None and one.box.encloses(sign.grown(1)) and not _is_framed(image, one.box)
    return dataclasses.replace(one, box=sign) if sign is not None and is_free else one


def _is_framed(image: RgbImage, box: Rect) -> bool:
    """Whether the edges of a box are drawn, there or a little beside."""
    return any(edges_of(image, box.grown(by)) >= _FRAME_EDGES for by in (-2, -1, 0, 1, 2))


_MIN_SHARE_OF_BAR = 0.7


def _is_of_bar(one: Detection, bar: Detection) -> bool:
    """Whether what was detected is a scroll bar, or a part of it."""
    return one.box.share_in(bar.box) >= _MIN_SHARE_OF_BAR or (
        one.type == bar.type and one.box.intersection(bar.box) is not None
    )


_LONG = 4
"""Times its height that a line without letters is wide."""
_RULE_STROKES = 1.7
"""Pixels that are drawn in a column of a rule, dashed or not, or of the edges of a frame; of small letters more than 2,
measured on 400 lines of programs, pages and tasks."""
_DRAWN_SHARE = 0.4
"""Of the strongest contrast in a line, from which on a pixel is drawn."""


def _is_rule(gray: Gray, box: Rect) -> bool:
    """Whether a long line holds nothing but strokes along it."""
    if box.width <= _LONG * box.height:
        return False
    part = crop(gray, box)
    contrast = np.abs(part - np.median(part))
    drawn = contrast > _DRAWN_SHARE * contrast.max()
    return int(drawn.sum()) <= _RULE_STROKES * int(drawn.any(axis=0).sum())


def _shapes_on(image: RgbImage, screen: Size) -> tuple[list[Shape], list[Shape], list[Shape]]:
    """Frames, small squares and circles, and what is higher than most controls."""
    shapes = find_shapes(image, screen_width=screen.width)
    large = ("pane", "disc")
    marks = [one for one in shapes if one.kind not in ("frame", *large)]
    return [one for one in shapes if one.kind == "frame"], marks, [one for one in shapes if one.kind in large]


def _marked(detections: Sequence[Detection], marks: Sequence[Shape]) -> list[Detection]:
    """The detections, boxes to tick and round buttons told apart by their outlines, which say it better than a look."""
    told: list[Detection] = []
    for one in detections:
        mark = max(marks, key=lambda shape: iou(shape.box, one.box), default=None)
        if one.type in ROUND_OR_SQUARE and mark is not None and iou(mark.box, one.box) > _MIN_SAME_MARK_IOU:
            kind: ElementType = "radio" if mark.kind == "round" else "checkbox"
            one = dataclasses.replace(one, type=kind, evidence=(*evidence_of(one), outline(kind, mark.box)))
        told.append(one)
    return told


def _by_outline(detections: Sequence[Detection], clear: Sequence[Detection]) -> list[Detection]:
    """The detections, and clear controls where none was seen, or only an end of one."""
    kept = list(detections)
    for shape in clear:
        rest = [one for one in kept if one.type in LINE_TYPES or not _is_end_of(one.box, shape.box)]
        near = (one.box for one in rest if one.type not in LINE_TYPES and one.box.area <= 4 * shape.box.area)
        if not any(overlap_of_smaller(shape.box, box) > 0.4 for box in near):
            kept = [*rest, shape]
    return kept


def _is_end_of(part: Rect, whole: Rect) -> bool:
    """Whether a box is one end of another: three of its sides are the other's."""
    pairs = ((part.x1, whole.x1), (part.y1, whole.y1), (part.x2, whole.x2), (part.y2, whole.y2))
    shared = sum(abs(a - b) <= _EDGE_TOLERANCE_PX for a, b in pairs)
    return shared >= 3 and 2 * part.area < whole.area


_MIN_WORDS_SHARE = 0.6
"""Of a control's line, for another line to hold it."""
_MAX_OWN_SHARE = 0.75
"""Of a line that lies in a control: with more it is the control's own."""
_MIN_LABEL_GAP = 0.5
"""Blank beside a control's line, as a share of its height, that is no space between two words."""


def _beside_controls(gray: Gray, line: Rect, own: Mapping[Rect, Sequence[Rect]]) -> list[Rect]:
    """The parts of a line beside the controls whose words it joins: labels of a menu bar, of tabs, a button's.

    Args:
        gray: the whole picture.
        line: where text was seen.
        own: controls with the lines in them.
    """
    level = [
        (control, next(one for one in lines if _holds(line, one)))
        for control, lines in own.items()
        if line.share_in(control) < _MAX_OWN_SHARE and any(_holds(line, one) for one in lines)
    ]
    cuts = [(box.x1, box.x2) for box, words in level if len(level) > 1 or _stands_apart(gray, line, words)]
    if not cuts:
        return [line]
    parts: list[Rect] = []
    start = line.x1
    for low, high in [*sorted(cuts), (line.x2, line.x2)]:
        if low - start > 2 * TEXT_MARGIN_PX:
            parts += split_line(gray, Rect(start, line.y1, low, line.y2))
        start = max(start, high)
    return parts


def _holds(line: Rect, words: Rect) -> bool:
    common = line.intersection(words)
    tall = 2 * min(line.height, words.height) >= max(line.height, words.height)
    return tall and common is not None and common.area > _MIN_WORDS_SHARE * words.area


def _stands_apart(gray: Gray, line: Rect, words: Rect) -> bool:
    """Whether the blank between a control's words and the rest of a line is wider than a space."""
    gap = _MIN_LABEL_GAP * (words.height - 2 * TEXT_MARGIN_PX)
    parts = [one for one in split_line(gray, line, gap=_MIN_LABEL_GAP) if not one.share_in(words.grown(2)) > 0.5]
    beside = [max(one.x1 - words.x2, words.x1 - one.x2) + 2 * TEXT_MARGIN_PX for one in parts]
    return bool(beside) and min(beside) > gap


def _distinct(boxes: Sequence[Rect], without: Switches = frozenset()) -> list[Rect]:
    """The boxes, of those that share most of the smaller one only the largest: one line is read once.

    A box over two lines that are known one by one is none.
    """
    if not boxes:
        return []
    order = sorted(dict.fromkeys(boxes), key=lambda box: (-box.area, box.y1, box.x1))
    edges = box_array(order)
    kept: list[int] = []
    for i, box in enumerate(order):
        if "stacked_boxes" not in without and _is_stack(box, edges):
            continue
        if not (common_areas(edges[i : i + 1], edges[kept]) > 0.6 * box.area).any():
            kept.append(i)
    return sorted((order[i] for i in kept), key=lambda box: (box.y1, box.x1))


def _is_stack(box: Rect, edges: Boxes) -> bool:
    """Whether a box holds lines, one below the other, that are boxes themselves and fill most of its height."""
    height = box.height
    lower = edges[:, 3] - edges[:, 1] <= 0.75 * height
    inside = edges[enclosed(edges, box.grown(TEXT_MARGIN_PX)) & lower]
    if len(inside) < 2:
        return False
    first, last = inside[inside[:, 1].argmin()], inside[inside[:, 3].argmax()]
    # The tail of a letter reaches into the line below, but not to its middle.
    apart = last[1] + last[3] >= 2 * (first[3] - TEXT_MARGIN_PX)
    return bool(apart and first[1] <= box.y1 + 0.25 * height and last[3] >= box.y2 - 0.25 * height)
