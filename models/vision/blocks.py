"""Finds text areas and lists that the detector passed over: by the lines in them, about which it was silent.

A detector that has learned what a text area is marks no single lines inside one; the same goes for the rows of a list.
So several lines of text, below each other in one evenly coloured pane, none of which was detected, say what the pane
is: lines set as close as in a paragraph are the contents of a text area, lines further apart are the rows of a list.
Measured on validation screens; see ``docs/adr/0018-parse-and-fusion.md``.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, iou
from models.vision.found import Found
from models.vision.fusion import LINE_TYPES, PARTS
from models.vision.rules import found_by_rule
from models.vision.shapes.closed import pixel_edges

__all__ = ["Blocks", "find_panes", "rows_of", "take_blocks"]

_LEAST_ROWS = 3
_MIN_WIDTH, _MIN_HEIGHT = 40, 24
"""Pixels of a pane."""
_EVEN = 0.3
"""Share of a pane that its own colour fills at least; the rest is text."""
_SEEN = 0.7
"""Detections in a pane for each of its silent lines, at most: with more, the detector did see what is there."""
_ALIGNED = 0.66
"""Share of the rows that begin at the same place."""
_PARAGRAPH = 1.05
"""Distance of lines in a text, in heights of a line, at most."""
_WRAPPED_PARAGRAPH = 1.3
"""The same where every line ends because the next word would not have fitted."""
_LIST = 2.2
"""Distance of rows in a list, in heights of a line, at most."""
_EVENLY = 0.45
"""Share of the distances between rows that are the same within two pixels."""
_SCROLL_BAR = 18
"""Pixels at the right that text may leave to a scroll bar."""
_INSIDE = 0.8


@dataclass(frozen=True, slots=True)
class Blocks:
    """What is left, and what was made of the rest.

    Attributes:
        lines: without those that are the contents of something found here.
        detections: likewise.
        found: text areas with their text, and rows of lists.
    """

    lines: list[Found]
    detections: list[Found]
    found: list[Found]


def take_blocks(image: RgbImage, lines: Sequence[Found], detections: Sequence[Found], *, whole: bool = True) -> Blocks:
    """Take the lines that are contents of a text area, or rows of a list, and give those instead.

    Args:
        image: shape (height, width, 3), uint8.
        lines: what was read, pixels of the picture.
        detections: what was detected.
        whole: whether the picture is the whole screen; of a part, panes that its edges cut are left alone.
    """
    silent = [line for line in lines if line.type in LINE_TYPES and line.text and not _was_seen(line, detections)]
    if len(silent) < _LEAST_ROWS:
        return Blocks(list(lines), list(detections), [])
    panes = find_panes(image)
    if not whole:
        size = Size(image.shape[1], image.shape[0])
        panes = [one for one in panes if one.x1 > 0 and one.y1 > 0 and one.x2 < size.width and one.y2 < size.height]
    left, seen, found = list(lines), list(detections), list[Found]()
    for pane, own in _by_pane(silent, panes):
        inside = [one for one in seen if _is_in(one.box, pane) and one.type not in PARTS | {"scrollbar"}]
        if len(inside) > _SEEN * len(own) or any(iou(one.box, pane) > 0.5 for one in seen if one.type != "window"):
            continue
        made = _made_of(pane, own, seen)
        if not made:
            continue
        found += made
        words = [one for one in inside if one.type in LINE_TYPES] if made[0].type == "text_area" else []
        left = [line for line in left if line not in own and not (words and _is_in(line.box, pane))]
        seen = [one for one in seen if one not in words]
    return Blocks(left, seen, found)


def find_panes(image: RgbImage) -> list[Rect]:
    """Evenly coloured rectangles with room for several lines, the smallest first; text on them is no hindrance."""
    cv2: Any = importlib.import_module("cv2")
    flat = (~pixel_edges(image)).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    width, height, count = stats[:, 2], stats[:, 3], stats[:, 4]
    large = (width >= _MIN_WIDTH) & (height >= _MIN_HEIGHT) & (count >= _EVEN * width * height)
    large[0] = False
    size = Size(image.shape[1], image.shape[0])
    panes: list[Rect] = []
    for label in np.flatnonzero(large):
        x, y, w, h = (int(v) for v in stats[label, :4])
        if _is_rectangle(labels[y : y + h, x : x + w] == label):
            panes.append(Rect(x - 1, y - 1, x + w + 2, y + h + 2).clamped(size))
    return sorted(panes, key=lambda pane: pane.area)


def _is_rectangle(inside: npt.NDArray[np.bool_]) -> bool:
    """Whether a region reaches its sides along most of their length; a line of text may be cut by one of them."""
    sides = sorted(float(side.mean()) for side in (inside[0], inside[-1], inside[:, 0], inside[:, -1]))
    return sum(sides) > 2.9 and sides[1] >= 0.5


def _was_seen(line: Found, detections: Sequence[Found]) -> bool:
    """Whether a detection says what a line is: a line itself, or a control or row around it."""
    return any(_is_in(line.box, one.box) and one.box.height <= 3 * line.box.height for one in detections)


def _is_in(inner: Rect, outer: Rect) -> bool:
    common = inner.intersection(outer)
    return common is not None and common.area >= _INSIDE * inner.area and inner.area < outer.area


def _by_pane(lines: Sequence[Found], panes: Sequence[Rect]) -> list[tuple[Rect, list[Found]]]:
    """The lines by the smallest pane around them."""
    own: dict[int, list[Found]] = {}
    for line in lines:
        around = next((i for i, pane in enumerate(panes) if _is_in(line.box, pane)), None)
        if around is not None:
            own.setdefault(around, []).append(line)
    return [(panes[i], found) for i, found in own.items() if len(found) >= _LEAST_ROWS]


def rows_of(lines: Sequence[Found]) -> list[list[Found]]:
    """Lines by rows from the top, each from the left."""
    rows: list[list[Found]] = []
    for line in sorted(lines, key=lambda one: one.box.center.y):
        if rows and line.box.center.y - rows[-1][0].box.center.y < 0.5 * line.box.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda one: one.box.x1) for row in rows]


def _made_of(pane: Rect, lines: Sequence[Found], detections: Sequence[Found]) -> list[Found]:
    """The text area, or the rows of a list; nothing where the lines stand in no such order."""
    rows = rows_of(lines)
    wrapped = _is_wrapped(pane, rows)
    if len(rows) < _LEAST_ROWS:
        return []
    height = float(np.median([line.box.height for line in lines]))
    starts = np.array([row[0].box.x1 for row in rows])
    if int(np.count_nonzero(np.abs(starts - np.median(starts)) <= 0.8 * height)) < _ALIGNED * len(rows):
        return []
    steps = np.diff([row[0].box.center.y for row in rows])
    pitch = float(np.median(steps))
    if pitch <= (_WRAPPED_PARAGRAPH if wrapped else _PARAGRAPH) * height:
        text = " ".join(line.text or "" for row in rows for line in row)
        return [found_by_rule("text_block", type="text_area", box=pane, text=text)]
    even = int(np.count_nonzero(np.abs(steps - pitch) <= 2))
    if pitch > _LIST * height or even < _EVENLY * len(steps) or len(lines) > 1.3 * len(rows):
        return []
    return _list_rows(pane, rows, pitch, detections)


def _is_wrapped(pane: Rect, rows: Sequence[Sequence[Found]]) -> bool:
    """Whether every row but the last ends because the first word of the next would not have fitted behind it."""
    if len(rows) < _LEAST_ROWS:
        return False
    margin = max(0, min(row[0].box.x1 for row in rows) - pane.x1)
    for row, after in itertools.pairwise(rows):
        text = after[0].text or " "
        letter = after[0].box.width / len(text)
        word = letter * (len(text.split(" ")[0]) + 1)
        if row[-1].box.x2 + word < pane.x2 - margin - _SCROLL_BAR:
            return False
    return True


def _list_rows(pane: Rect, rows: Sequence[Sequence[Found]], pitch: float, detections: Sequence[Found]) -> list[Found]:
    """One row for each, from edge to edge of its pane, but not under a scroll bar."""
    bars = [one.box for one in detections if one.type == "scrollbar" and _is_in(one.box, pane)]
    right = min((bar.x1 for bar in bars if bar.height > bar.width), default=pane.x2 - 1)
    made: list[Found] = []
    for row in rows:
        middle = row[0].box.center.y
        top, bottom = round(middle - pitch / 2), round(middle + pitch / 2)
        box = Rect(pane.x1 + 1, max(top, pane.y1), right, min(bottom, pane.y2))
        text = " ".join(line.text or "" for line in row)
        made.append(found_by_rule("list_rows", type="list_item", box=box, text=text))
    return made
