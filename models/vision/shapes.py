"""Widgets without a trained model: closed shapes, boxes to tick and round buttons, and what their geometry tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from demopack.domain.elements import ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, iou
from demopack.domain.overlap import as_rect
from demopack.pixels.colours import Gray, differs, edges_of
from demopack.pixels.masks import Components, Mask, components, crop, runs, size_of, tight_box
from models.vision.detection import Detection
from models.vision.fusion import LINE_TYPES, label_of
from models.vision.reading.text_lines import EDGE_STEP, is_coloured, split_line
from models.vision.rules import found_by_rule

_EDGE_TOLERANCE = 6
"""Steps of a channel that make an edge: above the gradients of themes, below the borders of dark ones."""
_MIN_PX, _MAX_HEIGHT_PX = 7, 72
"""Pixels. Lower shapes are letters; higher ones are panes, whose middle nobody clicks."""
_MAX_PANE_PX = 300
"""The same of rectangles that hold one line or nothing, and of circles."""
_MAX_MARK_PX = 30
"""Largest side of a box to tick or a round button, in pixels; fits pictures of up to twice the usual density."""
_MOST_UNROUND = 1.5
"""Pixels in which a region is another than a circle, for each pixel of its width and height."""
_MAX_LINE_PX, _MAX_RING_PX = 2, 8
"""Strongest border and strongest ring around what has the input, in pixels."""
_MAX_WIDTH_SHARE = 0.8
"""Wider shapes, as a share of the picture, are bars and panes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One closed shape.

    Attributes:
        kind: ``frame`` for a rectangle, ``square`` for a small one with equal sides, ``round`` for a small circle,
            ``pane`` and ``disc`` for a rectangle and a circle that are higher than most controls.
        box: its outer edge.
        filled: whether there is something inside: a tick, a dot, text.
        outlined: whether a line runs around it that differs from inside and outside; always so for marks.
        ring: how much stronger that line is than a border, in pixels: a ring shows where the input goes.
    """

    kind: Literal["frame", "square", "round", "pane", "disc"]
    box: Rect
    filled: bool
    outlined: bool = True
    ring: int = 0


def find_shapes(image: RgbImage, *, screen_width: int | None = None) -> list[Shape]:
    """Every closed shape of the size of a widget, each once, in no particular order.

    Args:
        image: shape (height, width, 3), uint8.
        screen_width: of the whole screen in pixels, where the picture is a part of it.
    """
    edges, size = edges_of(image, tolerance=_EDGE_TOLERANCE), size_of(image)
    widest = _MAX_WIDTH_SHARE * (screen_width or size.width)
    found: dict[Rect, Shape] = {}
    for shape in (*_regions(image, components(~edges, corners=False), size, widest), *_outlines(edges, size)):
        if not any(_same(shape.box, other) for other in found):
            found[shape.box] = shape
    return list(found.values())


def even_regions(image: RgbImage) -> Components:
    """Connected pixels without an edge between them, over sides."""
    return components(~edges_of(image, tolerance=_EDGE_TOLERANCE), corners=False)


def _candidates(parts: Components, *, widest: float, largest: int) -> Iterator[tuple[Rect, Mask]]:
    """Box and pixels of the parts that have the size of a widget."""
    width, height = parts.boxes[:, 2] - parts.boxes[:, 0], parts.boxes[:, 3] - parts.boxes[:, 1]
    fits = (width >= _MIN_PX) & (height >= _MIN_PX) & (height <= largest) & (width <= widest)
    for place in np.flatnonzero(fits):
        box = as_rect(parts.boxes[place])
        pixels = crop(parts.labels, box) == place + 1
        if np.count_nonzero(pixels) * 3 >= min(box.width, box.height) * 2:
            yield box, pixels


def _regions(image: RgbImage, parts: Components, size: Size, widest: float) -> Iterator[Shape]:
    """Shapes whose inside is one even region."""
    for box, inside in _candidates(parts, widest=widest, largest=_MAX_PANE_PX):
        w, h = box.width, box.height
        share = float(inside.mean())
        sides = (inside[0].mean(), inside[-1].mean(), inside[:, 0].mean(), inside[:, -1].mean())
        small = abs(w - h) <= 2 and max(w, h) <= _MAX_MARK_PX
        # A ring around what has the input is no shape of its own.
        hollow = not inside[h // 4 : h - h // 4, w // 4 : w - w // 4].any()
        if share > 0.3 and min(sides) >= 0.55 and sum(sides) > 3 and not hollow:
            if small and min(w, h) < 9:
                continue
            kind: Literal["square", "frame", "pane"] = "pane" if h > _MAX_HEIGHT_PX else "frame"
            kind = "square" if small else kind
            line = _line_px(image, box)
            ring = line - 1 if line > _MAX_LINE_PX else 0
            outer = _outer(box, 1 + ring, size)
            yield Shape(kind=kind, box=outer, filled=share < 0.97, outlined=bool(line), ring=ring)
        elif max(w, h) > _MAX_MARK_PX and abs(w - h) <= 2 and _is_disc(inside):
            yield Shape(kind="disc", box=_outer(box, 1, size), filled=False, outlined=True)


def _outer(inside: Rect, line: int, size: Size) -> Rect:
    """The inside with the line around it, and the pixel that the edge itself took on the right and below."""
    return Rect(inside.x1 - line, inside.y1 - line, inside.x2 + line + 1, inside.y2 + line + 1).clamped(size)


def _is_disc(inside: Mask) -> bool:
    """Whether a region is a circle with all that is in it."""
    height, width = inside.shape
    y, x = np.mgrid[:height, :width]
    away = np.hypot((x - (width - 1) / 2) * 2 / width, (y - (height - 1) / 2) * 2 / height)
    return bool(np.count_nonzero(inside != (away <= 1.0)) <= _MOST_UNROUND * (width + height))


def _line_px(image: RgbImage, inside: Rect) -> int:
    """How strong the line above an inside is, in pixels; 0 where there is none along most of its width.

    Up to ``_MAX_LINE_PX`` it is a border, above that a ring that shows where the input goes: it runs on all sides.
    """
    if inside.y1 < 3:
        return 0
    middle = slice(inside.x1 + inside.width // 8, inside.x2 - inside.width // 8)
    rows = image[:, middle]
    line, content = rows[inside.y1 - 1], rows[inside.y1 + 1]
    off = differs(line, content, tolerance=_EDGE_TOLERANCE)
    for strong in range(1, min(_MAX_RING_PX, inside.y1 - 1) + 1):
        outside = rows[inside.y1 - 1 - strong]
        if (off & differs(line, outside, tolerance=_EDGE_TOLERANCE)).mean() > 0.7:
            return strong if strong <= _MAX_LINE_PX or _is_ring(image, inside, strong) else 0
    return 0


def _is_ring(image: RgbImage, inside: Rect, strong: int) -> bool:
    """Whether an inside has a line of one colour and strength on all four sides."""
    size = size_of(image)
    outer = _outer(inside, strong + 1, size)
    if outer.width < inside.width + 2 * strong + 3 or outer.height < inside.height + 2 * strong + 3:
        return False  # at the edge of the picture
    x, y = inside.center.x, inside.center.y
    colour = image[inside.y1 - 2, x]
    beyond = strong + 1
    sides = (
        (image[inside.y1 - strong : inside.y1 - 1, x], image[inside.y1 - beyond - 1, x]),
        (image[inside.y2 + 2 : inside.y2 + strong, x], image[inside.y2 + beyond + 1, x]),
        (image[y, inside.x1 - strong : inside.x1 - 1], image[y, inside.x1 - beyond - 1]),
        (image[y, inside.x2 + 2 : inside.x2 + strong], image[y, inside.x2 + beyond + 1]),
    )
    return all(
        not differs(line, np.broadcast_to(colour, line.shape), tolerance=3 * _EDGE_TOLERANCE).any()
        and differs(outside[None], colour[None], tolerance=_EDGE_TOLERANCE).all()
        for line, outside in sides
    )


def _outlines(edges: Mask, size: Size) -> Iterator[Shape]:
    """Small squares and circles, known by their closed outline, whatever is inside."""
    for tight, line in _candidates(components(edges, corners=True), widest=_MAX_MARK_PX + 2, largest=_MAX_MARK_PX + 2):
        w, h = tight.width, tight.height
        if abs(w - h) > 2 or min(w, h) < 10:
            continue
        # The edge lies on the pixel before a change: on the right and below that is one pixel inside.
        box = Rect(tight.x1, tight.y1, tight.x2 + 1, tight.y2 + 1).clamped(size)
        middle = line[h // 3 : h - h // 3, w // 3 : w - w // 3]
        if _straight(line):
            yield Shape(kind="square", box=box, filled=bool(middle.any()))
        elif _round(line):
            inner = crop(edges, tight)[h // 3 : h - h // 3, w // 3 : w - w // 3]
            yield Shape(kind="round", box=box, filled=bool(inner.any()))


def _straight(line: Mask) -> bool:
    """Whether an outline follows all four sides; it is one or two pixels strong, and its corners may be cut."""
    sides = (line[0] | line[1], line[-1] | line[-2], line[:, 0] | line[:, 1], line[:, -1] | line[:, -2])
    return min(float(side.mean()) for side in sides) >= 0.85


def _round(line: Mask) -> bool:
    """Whether an outline is a closed circle with nothing outside it."""
    height, width = line.shape
    y, x = np.mgrid[:height, :width]
    away = np.hypot((x - (width - 1) / 2) * 2 / width, (y - (height - 1) / 2) * 2 / height)
    angle = np.arctan2(y - (height - 1) / 2, x - (width - 1) / 2)
    rim = line & (away > 0.72) & (away <= 1.06)
    # In each of 24 directions there must be some of the line near the rim, and none in the corners.
    directions = np.floor((angle + np.pi) / (2 * np.pi) * 24).astype(np.int64) % 24
    return len(np.unique(directions[rim])) == 24 and not bool((line & (away > 1.16)).any())


def _same(a: Rect, b: Rect) -> bool:
    return max(abs(a.x1 - b.x1), abs(a.y1 - b.y1), abs(a.x2 - b.x2), abs(a.y2 - b.y2)) <= 3


_MARK_INSIDE_SHARE = 0.6
"""Share of a mark that must lie in a line to have been swallowed by it."""


def separate_marks(gray: Gray, lines: Sequence[Rect], marks: Sequence[Shape]) -> tuple[list[Rect], list[Shape]]:
    """The lines without the marks at their beginning, and the marks without letters.

    Args:
        gray: the whole picture.
        lines: tight boxes around text.
        marks: small squares and circles.
    """
    kept: list[Shape] = []
    cut = list(lines)
    for mark in marks:
        line = next((one for one in cut if mark.box.share_in(one) >= _MARK_INSIDE_SHARE), None)
        if line is None:
            kept.append(mark)
            cut = _beside(gray, cut, mark.box)
            continue
        rest = Rect(min(mark.box.x2 + 1, line.x2), line.y1, line.x2, line.y2)
        gap = _gap(gray, rest)
        at_start = mark.box.x1 - line.x1 <= max(5, round(0.4 * mark.box.height))
        if at_start and gap is not None and gap + 1 >= max(3, round(0.22 * mark.box.width)):
            kept.append(mark)
            place = cut.index(line)
            cut[place : place + 1] = split_line(gray, rest)
        elif gap is None and at_start and mark.kind == "square":
            kept.append(mark)
            cut.remove(line)
    return cut, kept


def _beside(gray: Gray, lines: Sequence[Rect], mark: Rect) -> list[Rect]:
    """The lines, those that begin on a mark beginning behind it: its border is no letter."""
    result: list[Rect] = []
    for line in lines:
        common = line.intersection(mark)
        if common is None or not mark.x1 < line.x1 < mark.x2 or 2 * common.height < min(line.height, mark.height):
            result.append(line)
        else:
            result += split_line(gray, Rect(min(mark.x2 + 1, line.x2), line.y1, line.x2, line.y2))
    return result


def clip_to_frames(gray: Gray, lines: Sequence[Rect], frames: Sequence[Rect]) -> list[Rect]:
    """The lines, none of them leaving the frame that it stands in: a border taken for foreground makes boxes too high.

    Args:
        gray: the whole picture.
        lines: boxes around text.
        frames: outer edges of fields, buttons and cells.
    """
    result: list[Rect] = []
    for line in _before_frames(gray, lines, frames):
        around = [frame for frame in frames if frame.contains(line.center)]
        frame = min(around, key=lambda f: f.area, default=None)
        inner = None if frame is None or frame.encloses(line) else frame.grown(-2).intersection(line)
        # A line that crosses a frame for a good part of its length does not stand in it.
        if inner is None or inner.width < 0.7 * line.width:
            result.append(line)
        else:
            result.extend(split_line(gray, inner))
    return result


def _before_frames(gray: Gray, lines: Sequence[Rect], frames: Sequence[Rect]) -> list[Rect]:
    """The lines, those that reach into a frame as high as they are ending where it begins, or beginning behind it."""
    result: list[Rect] = []
    for line in lines:
        low, high = line.x1, line.x2
        for frame in frames:
            common = frame.intersection(line)
            if common is None or frame.height < 0.8 * line.height or common.height < 0.6 * line.height:
                continue
            if line.x1 + line.height / 3 < frame.x1 < line.x2 <= frame.x2 + _TOUCH_PX:
                high = min(high, frame.x1 - 1)
            elif frame.x1 - _TOUCH_PX <= line.x1 < frame.x2 < line.x2 - line.height / 3:
                low = max(low, frame.x2 + 1)
        whole = (low, high) == (line.x1, line.x2) or high - low < line.height / 3
        result += [line] if whole else split_line(gray, Rect(low, line.y1, high, line.y2))
    return result


def _gap(gray: Gray, rest: Rect) -> int | None:
    """Blank columns at the left of a box; None when there is nothing but blank."""
    part = gray[rest.y1 : rest.y2, rest.x1 : rest.x2]
    if part.size == 0:
        return None
    foreground = np.flatnonzero((part.max(axis=0) - part.min(axis=0)) > EDGE_STEP)
    return int(foreground[0]) if foreground.size else None


_INSIDE_SHARE = 0.75
"""Share of a line that must lie in a shape to be its text."""
_LEAST_BLANK = 0.9
"""Share of an empty field that is its ground; a text cursor takes some of a small one."""
_TAKEN_IOU = 0.3
"""Overlap from which on a shape is one that was detected."""
_MIN_LARGE_PX = 36
"""Least side of a control that is hardly wider than high: less is a colour, a box to tick, a cell."""
_LEAST_OF_FIELD = 0.4
"""Height of large letters, in those of the field beside them."""
_TOUCH_PX = 2
"""Shapes this close share a border: cells of a table, tabs, rows."""


def widgets(gray: Gray, shapes: Sequence[Shape], lines: Sequence[Detection]) -> list[Detection]:
    """One proposal for each shape; the lines are only looked at.

    Args:
        gray: the whole picture.
        shapes: marks without letters, and frames.
        lines: the text that was read.
    """
    frames = [shape.box for shape in shapes if shape.kind == "frame"]
    rounds = [shape.box for shape in shapes if shape.kind == "round"]
    found: list[Detection] = []
    for shape in shapes:
        if shape.kind == "frame":
            found.append(_frame(gray, shape, frames, lines))
        else:
            mark = _mark(shape, rounds, lines)
            found.extend([] if mark is None else [mark])
    return found


def _mark(shape: Shape, rounds: Sequence[Rect], lines: Sequence[Detection]) -> Detection | None:
    """A box to tick or a round button with its label.

    Without a label a square is just a box; a circle is a round button when another of its size stands in its row or
    column, and nothing when it stands alone.
    """
    box = shape.box
    label = label_of(box, lines, reach=1.5 * box.width)
    states: dict[State, bool] = {"checked": shape.filled}
    if label is not None:
        kind: ElementType = "radio" if shape.kind == "round" else "checkbox"
        return found_by_rule("labelled_mark", type=kind, box=box, text=label.text, states=states)
    if shape.kind == "square":
        return found_by_rule("closed_shape", type="other", box=box)
    in_line = any(_in_line(box, other) for other in rounds)
    return found_by_rule("row_of_circles", type="radio", box=box, states=states) if in_line else None


def _in_line(box: Rect, other: Rect) -> bool:
    same_size = abs(box.width - other.width) <= 1 and abs(box.height - other.height) <= 1
    return box != other and same_size and (abs(box.y1 - other.y1) <= 1 or abs(box.x1 - other.x1) <= 1)


def _frame(gray: Gray, shape: Shape, frames: Sequence[Rect], lines: Sequence[Detection]) -> Detection:
    box = shape.box
    inside = [line for line in lines if line.box.share_in(box) >= _INSIDE_SHARE]
    kind: ElementType = "other"
    if not _shares_border(box, frames) and len(inside) <= 1 and box.height >= 14:
        line = inside[0].box if inside else None
        at_left = line and line.x1 - box.x1 <= max(16, 0.4 * box.height) and box.height <= 3.2 * line.height
        if line is not None and _centred(line, box):
            kind = "button"
        elif shape.outlined and box.width >= 2.2 * box.height and (line is None or at_left):
            kind = "input_field"
            within = box.grown(-shape.ring)
            if _has_arrows(gray, within, line):
                kind = "spinner"
            elif _has_arrow(gray, within, line):
                kind = "dropdown"
    text = inside[0].text if inside and kind != "other" else None
    return found_by_rule("closed_shape" if kind == "other" else "framed_control", type=kind, box=box, text=text)


def large_controls(
    image: RgbImage, shapes: Sequence[Shape], known: Sequence[Detection], lines: Sequence[Detection]
) -> list[Detection]:
    """Controls that are higher than most, where nothing but a line of text is known.

    A circle that is drawn as a line is a shape. A rectangle with a line around it is a button where one line of words
    stands in its middle, and a field where it is empty and stands behind letters that are as large.

    Args:
        image: shape (height, width, 3), uint8.
        shapes: frames, rectangles and circles.
        known: what was detected.
        lines: the text that was read.
    """
    panes = [shape.box for shape in shapes if shape.kind in ("frame", "pane")]
    found: list[Detection] = []
    for shape in shapes:
        box = shape.box
        if shape.kind not in ("frame", "pane", "disc") or min(box.width, box.height) < _MIN_LARGE_PX:
            continue
        others = (*known, *found)
        if any(one.box.share_in(box) >= _INSIDE_SHARE and one.type not in LINE_TYPES for one in others):
            continue
        if any(iou(one.box, box) > _TAKEN_IOU for one in others):
            continue
        inside = [line for line in lines if line.box.intersection(box) is not None]
        if shape.kind == "disc" and not inside and _is_outline(image, box):
            found.append(found_by_rule("framed_control", type="shape", box=box))
        elif shape.kind != "disc" and shape.outlined and not _shares_border(box, panes):
            if len(inside) == 1 and _in_middle(inside[0].box, box):
                found.append(found_by_rule("framed_control", type="button", box=box, text=inside[0].text))
            elif not inside and _is_blank(image, box) and any(_labels(line.box, box) for line in lines):
                found.append(found_by_rule("framed_control", type="input_field", box=box))
    return found


def _is_outline(image: RgbImage, disc: Rect) -> bool:
    """Whether a circle has the colour inside that is around it."""
    outer = disc.grown(2).clamped(size_of(image))
    corner, middle = image[outer.y1, outer.x1], image[disc.center.y, disc.center.x]
    return not differs(corner[None], middle[None], tolerance=_EDGE_TOLERANCE).any()


def _labels(line: Rect, box: Rect) -> bool:
    """Whether large letters stand right before a box, at its height."""
    level = abs(line.center.y - box.center.y) <= 0.25 * box.height
    return level and line.height >= _LEAST_OF_FIELD * box.height and 0 <= box.x1 - line.x2 <= box.height


def _is_blank(image: RgbImage, box: Rect) -> bool:
    """Whether a box holds nothing but a plain ground, and a text cursor at most."""
    part = crop(image, box.grown(-_MAX_RING_PX))
    if not part.size:
        return False
    ground = np.median(part.reshape(-1, 3), axis=0).astype(np.uint8)
    even = ~differs(part, np.broadcast_to(ground, part.shape), tolerance=_EDGE_TOLERANCE)
    return bool(even.mean() >= _LEAST_BLANK) and not is_coloured(ground.astype(np.float64))


def _in_middle(line: Rect, box: Rect) -> bool:
    return all(
        abs(low + high) <= max(6, 0.08 * side)
        for low, high, side in (
            (line.x1 - box.x1, line.x2 - box.x2, box.width),
            (line.y1 - box.y1, line.y2 - box.y2, box.height),
        )
    )


def _centred(line: Rect, box: Rect) -> bool:
    left, right = line.x1 - box.x1, box.x2 - line.x2
    return min(left, right) >= 2 and abs(left - right) <= max(6, 0.08 * box.width) and box.height <= 3.2 * line.height


def _has_arrow(gray: Gray, box: Rect, line: Rect | None) -> bool:
    """Whether a small sign stands alone at the right end, half-way up: the arrow of a drop-down list."""
    left = max(box.x2 - round(1.4 * box.height), box.x1 + 4 if line is None else line.x2)
    zone = gray[box.y1 + 4 : box.y2 - 4, left : box.x2 - 3]
    sign = tight_box(_foreground(zone))
    if sign is None:
        return False
    off = abs(sign.y1 + sign.y2 - zone.shape[0]) / 2
    return 4 <= sign.width <= 0.7 * box.height and 2 <= sign.height <= 0.5 * box.height and off <= 0.12 * box.height


def _has_arrows(gray: Gray, box: Rect, line: Rect | None) -> bool:
    """Whether two small signs of one size stand above each other at the right end: a field that counts up and down."""
    left = max(box.x2 - round(1.2 * box.height), box.x1 + 4 if line is None else line.x2)
    middle = (box.y1 + box.y2) // 2
    up = _sign(gray[box.y1 + 3 : middle, left : box.x2 - 3])
    down = _sign(gray[middle : box.y2 - 3, left : box.x2 - 3])
    if up is None or down is None:
        return False
    return max(abs(up.width - down.width), abs(up.height - down.height), abs(up.x1 - down.x1)) <= 2


def _sign(zone: Gray) -> Rect | None:
    """The box of the one small sign in a zone; None when there is none, or more than one."""
    foreground = _foreground(zone)
    box = tight_box(foreground)
    if box is None or np.count_nonzero(foreground.any(axis=1)) < 2 or len(runs(foreground.any(axis=0))) != 1:
        return None
    return box if 3 <= box.width <= 14 and box.height <= 0.8 * zone.shape[0] else None


def _foreground(zone: Gray) -> Mask:
    """What differs from the rest of its row; nothing in a zone that is too small to tell."""
    if min(zone.shape) < 4:
        return np.zeros(zone.shape, dtype=np.bool_)
    return np.asarray(np.abs(zone - np.median(zone, axis=1, keepdims=True)) > EDGE_STEP)


def _shares_border(box: Rect, frames: Sequence[Rect]) -> bool:
    """Whether another frame of about the same height stands beside it, or one of the same width above or below."""
    for other in frames:
        if other == box:
            continue
        side = min(abs(other.x1 - box.x2), abs(other.x2 - box.x1)) <= _TOUCH_PX
        same_row = abs(other.y1 - box.y1) <= _TOUCH_PX and abs(other.y2 - box.y2) <= _TOUCH_PX
        stacked = min(abs(other.y1 - box.y2), abs(other.y2 - box.y1)) <= _TOUCH_PX
        same_column = abs(other.x1 - box.x1) <= _TOUCH_PX and abs(other.x2 - box.x2) <= _TOUCH_PX
        if (side and same_row) or (stacked and same_column):
            return True
    return False
