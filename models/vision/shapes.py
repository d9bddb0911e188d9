"""Widgets without a trained model: closed shapes, boxes to tick and round buttons, and what their geometry tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from demopack.domain.elements import ElementType, State
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.overlap import as_rect
from demopack.pixels.colours import Gray, differs, edges_of
from demopack.pixels.masks import Components, Mask, components, crop, runs, size_of, tight_box
from models.vision.detection import Detection
from models.vision.fusion import label_of
from models.vision.reading.text_lines import EDGE_STEP, split_line
from models.vision.rules import found_by_rule

_EDGE_TOLERANCE = 6
"""Steps of a channel that make an edge: above the gradients of themes, below the borders of dark ones."""
_MIN_PX, _MAX_HEIGHT_PX = 7, 72
"""Pixels. Lower shapes are letters; higher ones are panes, whose middle nobody clicks."""
_MAX_MARK_PX = 30
"""Largest side of a box to tick or a round button, in pixels; fits pictures of up to twice the usual density."""
_MAX_WIDTH_SHARE = 0.8
"""Wider shapes, as a share of the picture, are bars and panes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One closed shape.

    Attributes:
        kind: ``frame`` for a rectangle, ``square`` for a small one with equal sides, ``round`` for a small circle.
        box: its outer edge.
        filled: whether there is something inside: a tick, a dot, text.
        outlined: whether a line runs around it that differs from inside and outside; always so for marks.
    """

    kind: Literal["frame", "square", "round"]
    box: Rect
    filled: bool
    outlined: bool = True


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
    for box, inside in _candidates(parts, widest=widest, largest=_MAX_HEIGHT_PX):
        w, h = box.width, box.height
        share = float(inside.mean())
        sides = (inside[0].mean(), inside[-1].mean(), inside[:, 0].mean(), inside[:, -1].mean())
        small = abs(w - h) <= 2 and max(w, h) <= _MAX_MARK_PX
        # A line of the border on each side, and the pixel that the edge itself took on the right and below.
        outer = Rect(box.x1 - 1, box.y1 - 1, box.x2 + 2, box.y2 + 2).clamped(size)
        if share > 0.3 and min(sides) >= 0.55 and sum(sides) > 3:
            if small and min(w, h) < 9:
                continue
            kind: Literal["square", "frame"] = "square" if small else "frame"
            lined = _has_line(image, box)
            yield Shape(kind=kind, box=outer, filled=share < 0.97, outlined=lined)


def _has_line(image: RgbImage, inside: Rect) -> bool:
    """Whether the pixels just above the inside differ from those below and above them, along most of its width."""
    if inside.y1 < 3:
        return False
    middle = slice(inside.x1 + inside.width // 8, inside.x2 - inside.width // 8)
    rows = image[:, middle]
    best = 0.0
    # The line is one or two pixels strong.
    for above in (inside.y1 - 2, inside.y1 - 3):
        line, outside, content = rows[inside.y1 - 1], rows[max(0, above)], rows[inside.y1 + 1]
        differing = differs(line, outside, tolerance=_EDGE_TOLERANCE) & differs(
            line, content, tolerance=_EDGE_TOLERANCE
        )
        best = max(best, float(differing.mean()))
    return best > 0.7


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
    for line in lines:
        around = [frame for frame in frames if frame.contains(line.center)]
        frame = min(around, key=lambda f: f.area, default=None)
        inner = None if frame is None or frame.encloses(line) else frame.grown(-2).intersection(line)
        # A line that crosses a frame for a good part of its length does not stand in it.
        if inner is None or inner.width < 0.7 * line.width:
            result.append(line)
        else:
            result.extend(split_line(gray, inner))
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
            if _has_arrows(gray, box, line):
                kind = "spinner"
            elif _has_arrow(gray, box, line):
                kind = "dropdown"
    text = inside[0].text if inside and kind != "other" else None
    return found_by_rule("closed_shape" if kind == "other" else "framed_control", type=kind, box=box, text=text)


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
