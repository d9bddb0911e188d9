"""Takes closed shapes for widgets where their geometry is clear, and for boxes of unknown type where it is not.

Measured on Qt screens and MiniWoB++ pages of known truth; see ``docs/adr/0003-vision-worker.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from models.vision.found import Found
from models.vision.reading.gray import Gray
from models.vision.rules import RuleName, found_by_rule
from models.vision.shapes.closed import Shape

__all__ = ["widgets"]

_INK = 32
_TOUCH = 2
"""Shapes this close share a border: cells of a table, tabs, rows."""


def widgets(gray: Gray, shapes: Sequence[Shape], lines: Sequence[Found]) -> list[Found]:
    """One proposal for each shape; the lines are only looked at.

    Args:
        gray: the whole picture.
        shapes: marks without letters, and frames.
        lines: the text that was read.
    """
    frames = [shape.box for shape in shapes if shape.kind == "frame"]
    rounds = [shape.box for shape in shapes if shape.kind == "round"]
    found: list[Found] = []
    for shape in shapes:
        if shape.kind == "frame":
            found.append(_frame(gray, shape, frames, lines))
        else:
            mark = _mark(shape, rounds, lines)
            found.extend([] if mark is None else [mark])
    return found


def _mark(shape: Shape, rounds: Sequence[Rect], lines: Sequence[Found]) -> Found | None:
    """A box to tick or a round button with its label.

    Without a label a square is just a box; a circle is a round button when another of its size stands in its row or
    column, and nothing when it stands alone.
    """
    box = shape.box
    labels = [line for line in lines if _labels(line.box, box)]
    label = min(labels, key=lambda line: line.box.x1).text if labels else None
    if not labels and shape.kind == "square":
        return found_by_rule("closed_shape", type="other", box=box)
    if not labels and not any(_in_line(box, other) for other in rounds):
        return None
    kind: ElementType = "radio" if shape.kind == "round" else "checkbox"
    rule: RuleName = "labelled_mark" if labels else "row_of_circles"
    return found_by_rule(rule, type=kind, box=box, text=label, states={"checked": shape.filled})


def _in_line(box: Rect, other: Rect) -> bool:
    same_size = abs(box.width - other.width) <= 1 and abs(box.height - other.height) <= 1
    return box != other and same_size and (abs(box.y1 - other.y1) <= 1 or abs(box.x1 - other.x1) <= 1)


def _labels(line: Rect, mark: Rect) -> bool:
    middle = abs(line.y1 + line.y2 - mark.y1 - mark.y2) / 2
    return -4 <= line.x1 - mark.x2 <= 1.5 * mark.width and middle <= 0.5 * mark.height


def _frame(gray: Gray, shape: Shape, frames: Sequence[Rect], lines: Sequence[Found]) -> Found:
    box = shape.box
    inside = [line for line in lines if _mostly_in(line.box, box)]
    kind: ElementType = "other"
    if not _shares_border(box, frames) and len(inside) <= 1 and box.height >= 14:
        line = inside[0].box if inside else None
        if line is not None and _centred(line, box):
            kind = "button"
        elif shape.outlined and box.width >= 2.2 * box.height and (line is None or _at_left(line, box)):
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


def _at_left(line: Rect, box: Rect) -> bool:
    return line.x1 - box.x1 <= max(16, 0.4 * box.height) and box.height <= 3.2 * line.height


def _has_arrow(gray: Gray, box: Rect, line: Rect | None) -> bool:
    """Whether a small sign stands alone at the right end, half-way up: the arrow of a drop-down list."""
    left = max(box.x2 - round(1.4 * box.height), box.x1 + 4 if line is None else line.x2)
    zone = gray[box.y1 + 4 : box.y2 - 4, left : box.x2 - 3]
    if zone.shape[0] < 4 or zone.shape[1] < 4:
        return False
    ink = np.abs(zone - np.median(zone, axis=1, keepdims=True)) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return False
    width, height = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    middle = abs((rows[0] + rows[-1]) / 2 - (zone.shape[0] - 1) / 2)
    return 4 <= width <= 0.7 * box.height and 2 <= height <= 0.5 * box.height and middle <= 0.12 * box.height


def _has_arrows(gray: Gray, box: Rect, line: Rect | None) -> bool:
    """Whether two small signs of one size stand above each other at the right end: a field that counts up and down."""
    left = max(box.x2 - round(1.2 * box.height), box.x1 + 4 if line is None else line.x2)
    middle = (box.y1 + box.y2) // 2
    halves = gray[box.y1 + 3 : middle, left : box.x2 - 3], gray[middle : box.y2 - 3, left : box.x2 - 3]
    sizes = [_sign(half) for half in halves]
    if sizes[0] is None or sizes[1] is None:
        return False
    same = abs(sizes[0].width - sizes[1].width) <= 2 and abs(sizes[0].height - sizes[1].height) <= 2
    return same and abs(sizes[0].x1 - sizes[1].x1) <= 2


def _sign(zone: Gray) -> Rect | None:
    """The box of the one small sign in a zone; None when there is none, or more than one."""
    if zone.shape[0] < 4 or zone.shape[1] < 4:
        return None
    ink = np.abs(zone - np.median(zone, axis=1, keepdims=True)) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if rows.size < 2 or columns.size < 3 or int(columns[-1] - columns[0]) + 1 != columns.size:
        return None
    box = Rect(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return box if box.width <= 14 and box.height <= 0.8 * zone.shape[0] else None


def _shares_border(box: Rect, frames: Sequence[Rect]) -> bool:
    """Whether another frame of about the same height stands beside it, or one of the same width above or below."""
    for other in frames:
        if other == box:
            continue
        side = min(abs(other.x1 - box.x2), abs(other.x2 - box.x1)) <= _TOUCH
        same_row = abs(other.y1 - box.y1) <= _TOUCH and abs(other.y2 - box.y2) <= _TOUCH
        stacked = min(abs(other.y1 - box.y2), abs(other.y2 - box.y1)) <= _TOUCH
        same_column = abs(other.x1 - box.x1) <= _TOUCH and abs(other.x2 - box.x2) <= _TOUCH
        if (side and same_row) or (stacked and same_column):
            return True
    return False


def _mostly_in(inner: Rect, outer: Rect) -> bool:
    common = inner.intersection(outer)
    return common is not None and common.area >= 0.75 * inner.area
