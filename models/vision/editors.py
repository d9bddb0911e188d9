"""Finds text areas set in a typewriter's face: editors of code and of plain text, consoles.

Where six lines or more stand on one grid of letters, as close below each other as in a text, on one ground that holds
little else, that ground is a text area, whatever a detector took its lines for. Numbers of lines at its left belong
to it, see ``docs/formats/screens.md``.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from models.vision.blocks import Blocks, rows_of
from models.vision.found import Found
from models.vision.fusion import LINE_TYPES, ROWS
from models.vision.reading.lines import AIR
from models.vision.rules import found_by_rule
from models.vision.shapes.closed import pixel_edges

__all__ = ["take_editors"]

_LEAST = 6
"""Lines on one grid."""
_LETTERS = 8
"""Letters of a line that tell their width."""
_ALIKE, _MOST = 0.04, 0.75
"""How far the letters of lines differ in width, and the share of the lines of which it is so."""
_CLOSE = 1.2
"""Distance of lines in a text, in heights of a line, at most."""
_FOREIGN = 0.35
"""Things of other kinds on a text's ground for each of its lines, at most."""
_NUMBERS, _MARGIN = 3, 4
"""Numbers of lines, at least, and how far before a text they begin, in heights of a line."""
_PART = 0.2
_INSIDE = 0.6
_PIECES: frozenset[ElementType] = frozenset({"icon", "menu_item", "other", "radio", "checkbox"})
_TAKEN = LINE_TYPES | ROWS | _PIECES
"""What pieces of text are taken for."""

_Labels = npt.NDArray[np.int32]


def take_editors(image: RgbImage, lines: Sequence[Found], detections: Sequence[Found], *, whole: bool = True) -> Blocks:
    """Take the lines that are contents of an editor, and give the editor instead.

    Args:
        image: shape (height, width, 3), uint8.
        lines: what was read, pixels of the picture.
        detections: what was detected.
        whole: whether the picture is the whole screen; of a part, editors that its edges cut are left alone.
    """
    long = [line for line in lines if line.type in LINE_TYPES and len(line.text or "") >= _LETTERS]
    if len(long) < _LEAST:
        return Blocks(list(lines), list(detections), [])
    cv2: Any = importlib.import_module("cv2")
    flat = (~pixel_edges(image)).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    size = Size(image.shape[1], image.shape[0])
    grounds = [_ground(labels, line.box) for line in long]
    left, seen, found = list(lines), list(detections), list[Found]()
    for ground in sorted(set(grounds) - {0}):
        own = [line for line, place in zip(long, grounds, strict=True) if place == ground]
        x, y, width, height = (int(value) for value in stats[ground, :4])
        pane = Rect(x - 1, y - 1, x + width + 2, y + height + 2).clamped(size)
        cut = pane.x1 <= 0 or pane.y1 <= 0 or pane.x2 >= size.width or pane.y2 >= size.height
        if len(own) < _LEAST or not _is_typed(own) or not _is_text(own) or (cut and not whole):
            continue
        editor = _Editor(labels, ground, pane, own)
        pieces = editor.pieces([*left, *seen])
        if pieces is None:
            continue
        found.append(editor.found(left, pieces))
        left = [one for one in left if id(one) not in pieces]
        seen = [one for one in seen if id(one) not in pieces and not _is_part_of(one, pane)]
    return Blocks(left, seen, found)


@dataclass(frozen=True, slots=True)
class _Editor:
    """Lines on one grid, and the region that they stand on."""

    labels: _Labels
    ground: int
    pane: Rect
    lines: Sequence[Found]

    def pieces(self, everything: Sequence[Found]) -> frozenset[int] | None:
        """Ids of what is text of this; None where too much else stands on the same ground."""
        on_it = [
            one
            for one in everything
            if _is_piece(one, self.lines) or (self.pane.contains(one.box.center) and self._lies_on(one))
        ]
        if sum(one.type not in _TAKEN for one in on_it) > _FOREIGN * len(self.lines):
            return None
        numbers = _numbers(everything, self.pane, reach=_MARGIN * self.lines[0].box.height)
        beside = [one for one in everything if _is_number(one, numbers)]
        return frozenset(id(one) for one in (*on_it, *beside) if one.type in _TAKEN)

    def found(self, lines: Sequence[Found], pieces: frozenset[int]) -> Found:
        """The text area, with what is written in it but the numbers of its lines."""
        numbers = _numbers(lines, self.pane, reach=_MARGIN * self.lines[0].box.height)
        words = [one for one in lines if id(one) in pieces and one.type in LINE_TYPES and one not in numbers]
        text = " ".join(line.text or "" for row in rows_of(words) for line in row)
        left = min([self.pane.x1, *(one.box.x1 for one in numbers)])
        box = Rect(left, self.pane.y1, self.pane.x2, self.pane.y2)
        return found_by_rule("code_editor", type="text_area", box=box, text=text)

    def _lies_on(self, one: Found) -> bool:
        """Whether something stands on the region; beside a line of text another one, or a margin, may lie as close."""
        around = _around(self.labels, one.box)
        return (_PART if one.type in LINE_TYPES else 0.5) * len(around) <= around.count(self.ground)


def _is_typed(lines: Sequence[Found]) -> bool:
    """Whether the letters of most lines have one width."""
    widths = np.array([(line.box.width - 2 * AIR) / (len(line.text or "") - 0.3) for line in lines])
    pitch = float(np.median(widths))
    alike = int(np.count_nonzero(np.abs(widths - pitch) <= _ALIKE * pitch))
    return alike >= max(_LEAST, _MOST * len(lines))


def _is_text(lines: Sequence[Found]) -> bool:
    """Whether lines stand as close as in a text, most of them right below each other."""
    height = float(np.median([line.box.height for line in lines]))
    steps = np.diff(np.unique([line.box.center.y for line in lines]))
    steps = steps[steps > 0.5 * height]
    return bool(steps.size >= _LEAST - 2 and np.median(steps) <= _CLOSE * height)


def _is_part_of(one: Found, pane: Rect) -> bool:
    """Whether something was taken for a text area that is, or lies in, a pane that is one."""
    common = one.box.intersection(pane)
    return one.type == "text_area" and common is not None and common.area >= _INSIDE * one.box.area


def _is_piece(one: Found, lines: Sequence[Found]) -> bool:
    """Whether something is no higher than a few of the lines and lies on one of them."""
    return one.box.height <= 3 * lines[0].box.height and any(one.box.contains(line.box.center) for line in lines)


def _ground(labels: _Labels, box: Rect) -> int:
    """The region that lies around a box, by the most of what lies around it; 0 for none."""
    around = _around(labels, box)
    best = max(set(around), key=around.count)
    return best if 2 * around.count(best) >= len(around) else 0


def _around(labels: _Labels, box: Rect) -> list[int]:
    """The regions at the two ends of a box, at three heights."""
    height, width = labels.shape
    rows = (max(0, box.y1 - 1), (box.y1 + box.y2) // 2, min(height - 1, box.y2))
    columns = [x for i in (1, 3, 5) for x in (box.x1 - i, box.x2 + i - 1) if 0 <= x < width]
    return [int(labels[y, x]) for y in rows for x in columns]


def _numbers(lines: Sequence[Found], pane: Rect, *, reach: int) -> list[Found]:
    """Numbers of lines: at least three figures below each other right before an editor, or right in it."""
    found = [
        line
        for line in lines
        if (line.text or "").strip().isdecimal()
        and pane.x1 - reach <= line.box.x1 < pane.x1 + reach
        and pane.y1 <= line.box.center.y < pane.y2
    ]
    return found if len(found) >= _NUMBERS else []


def _is_number(one: Found, numbers: Sequence[Found]) -> bool:
    """Whether something is a number of a line, or was taken for one."""
    return any(one.box.contains(number.box.center) and one.box.height <= 2 * number.box.height for number in numbers)
