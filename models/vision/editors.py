"""Finds text areas set in a typewriter's face: editors of code and of plain text, consoles.

Where six lines or more stand on one grid of letters, as close below each other as in a text, on one background that
holds little else, that background is a text area, whatever a detector took its lines for. Numbers of lines at its left
belong to it, see ``docs/formats/screens.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, iou
from demopack.domain.overlap import as_rect
from demopack.pixels.drawn import part_of
from demopack.pixels.masks import size_of
from models.vision.detection import Detection
from models.vision.fusion import LINE_TYPES, ROWS, in_reading_order
from models.vision.reading.text_lines import TEXT_MARGIN_PX, is_coloured, text_colour, underlines
from models.vision.rules import found_by_rule
from models.vision.shapes import even_regions

_MIN_LINES = 6
"""Lines on one grid."""
_MIN_LETTERS = 8
"""Letters of a line that tell their width."""
_MAX_WIDTH_OFF, _MIN_ALIKE_SHARE = 0.04, 0.75
"""How far the letters of lines differ in width, and the share of the lines of which it is so."""
_MAX_PITCH = 1.2
"""Distance of lines in a text, in heights of a line, at most."""
_MIN_LINK_LINES = 2
"""Links from which on a text is a page's, not an editor's."""
_MIN_COLOURED_SHARE, _LIGHT = 0.8, 128
"""Share of coloured lines from which on a text is a list of links; brightness of its background."""
_MAX_FOREIGN = 0.35
"""Things of other kinds on a text's background for each of its lines, at most."""
_MIN_NUMBERS, _MARGIN_HEIGHTS = 3, 4
"""Numbers of lines, at least, and how far before a text they begin, in heights of a line."""
_SEEN_IOU = 0.5
_PART_SHARE = 0.2
_INSIDE_SHARE = 0.6
_PIECES: frozenset[ElementType] = frozenset({"icon", "menu_item", "other", "radio", "checkbox"})
_TAKEN = LINE_TYPES | ROWS | _PIECES
"""What pieces of text are taken for."""

_Labels = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class EditorSplit:
    """Editors, and what is left without them.

    Attributes:
        lines: without those that are the contents of an editor.
        detections: likewise.
        found: the editors with their text.
    """

    lines: list[Detection]
    detections: list[Detection]
    found: list[Detection]


def take_editors(
    image: RgbImage, lines: Sequence[Detection], detections: Sequence[Detection], *, whole: bool = True
) -> EditorSplit:
    """Take the lines that are contents of an editor, and give the editor instead.

    Args:
        image: shape (height, width, 3), uint8.
        lines: what was read, pixels of the picture.
        detections: what was detected.
        whole: whether the picture is the whole screen; of a part, editors that its edges cut are left alone.
    """
    long = [line for line in lines if line.type in LINE_TYPES and len(line.text or "") >= _MIN_LETTERS]
    if len(long) < _MIN_LINES:
        return EditorSplit(list(lines), list(detections), [])
    regions, size = even_regions(image), size_of(image)
    backgrounds = [_background(regions.labels, line.box) for line in long]
    left, seen, found = list(lines), list(detections), list[Detection]()
    for background in sorted(set(backgrounds) - {0}):
        own = [line for line, place in zip(long, backgrounds, strict=True) if place == background]
        box = as_rect(regions.boxes[background - 1])
        pane = Rect(box.x1 - 1, box.y1 - 1, box.x2 + 2, box.y2 + 2).clamped(size)
        cut = pane.x1 <= 0 or pane.y1 <= 0 or pane.x2 >= size.width or pane.y2 >= size.height
        if len(own) < _MIN_LINES or not _is_typed(own) or not _is_text(own) or (cut and not whole):
            continue
        # Key words of a program are coloured as links are: what looks like an editor otherwise is one.
        is_seen = any(one.type == "text_area" and iou(one.box, pane) >= _SEEN_IOU for one in detections)
        is_seen = is_seen or bool(_numbers(left, pane, own))
        linked = [one for one in left if one.type == "hyperlink" and pane.contains(one.box.center) and not is_seen]
        if max(len(linked), sum(bool(underlines(image, one.box)) for one in own)) >= _MIN_LINK_LINES:
            continue  # a list of files, a signature on a page: its links are for clicking
        if _is_coloured_list(image, own):
            continue
        pieces = _pieces([*left, *seen], own, pane, regions.labels, background)
        if pieces is None:
            continue
        numbers = _numbers(left, pane, own)
        words = [one for one in left if id(one) in pieces and one.type in LINE_TYPES and one not in numbers]
        text = " ".join(line.text or "" for line in in_reading_order(words))
        box = Rect(min([pane.x1, *(one.box.x1 for one in numbers)]), pane.y1, pane.x2, pane.y2)
        found.append(found_by_rule("code_editor", type="text_area", box=box, text=text))
        left = [one for one in left if id(one) not in pieces or one in linked]
        seen = [one for one in seen if id(one) not in pieces]
        # What was taken for a text area, and is this one or lies in it.
        seen = [one for one in seen if one.type != "text_area" or one.box.share_in(pane) < _INSIDE_SHARE]
    return EditorSplit(left, seen, found)


def _is_coloured_list(image: RgbImage, lines: Sequence[Detection]) -> bool:
    """Whether nearly all lines on a light background have a colour: links below each other, and no text."""
    coloured = sum(is_coloured(text_colour(image, line.box)) for line in lines)
    light = float(np.median([np.median(part_of(image, line.box)) for line in lines])) > _LIGHT
    return light and coloured >= _MIN_COLOURED_SHARE * len(lines)


def _pieces(
    everything: Sequence[Detection], lines: Sequence[Detection], pane: Rect, labels: _Labels, background: int
) -> frozenset[int] | None:
    """Ids of what is text of an editor; None where too much else stands on the same background.

    Args:
        everything: what was read and detected.
        lines: on one grid, those of the editor.
        pane: around the region that they stand on.
        labels: the regions of the picture.
        background: which of them it is.
    """
    low = [one for one in everything if one.box.height <= 3 * lines[0].box.height]
    pieces = {id(one) for one in low if any(one.box.contains(line.box.center) for line in lines)}
    inside = [one for one in everything if id(one) in pieces or pane.contains(one.box.center)]
    on_it = [one for one in inside if id(one) in pieces or _lies_on(one, labels, background)]
    if sum(one.type not in _TAKEN for one in on_it) > _MAX_FOREIGN * len(lines):
        return None
    numbers = _numbers(everything, pane, lines)
    # Numbers of lines, and what was taken for one.
    beside = [
        one
        for one in everything
        if any(one.box.contains(n.box.center) and one.box.height <= 2 * n.box.height for n in numbers)
    ]
    return frozenset(id(one) for one in (*on_it, *beside) if one.type in _TAKEN)


def _lies_on(one: Detection, labels: _Labels, background: int) -> bool:
    """Whether something stands on a region; beside a line of text another one, or a margin, may lie as close."""
    around = _around(labels, one.box)
    return (_PART_SHARE if one.type in LINE_TYPES else 0.5) * len(around) <= around.count(background)


def _is_typed(lines: Sequence[Detection]) -> bool:
    """Whether the letters of most lines have one width."""
    widths = np.array([(line.box.width - 2 * TEXT_MARGIN_PX) / (len(line.text or "") - 0.3) for line in lines])
    pitch = float(np.median(widths))
    alike = int(np.count_nonzero(np.abs(widths - pitch) <= _MAX_WIDTH_OFF * pitch))
    return alike >= max(_MIN_LINES, _MIN_ALIKE_SHARE * len(lines))


def _is_text(lines: Sequence[Detection]) -> bool:
    """Whether lines stand as close as in a text, most of them right below each other."""
    height = float(np.median([line.box.height for line in lines]))
    steps = np.diff(np.unique([line.box.center.y for line in lines]))
    steps = steps[steps > 0.5 * height]
    return bool(steps.size >= _MIN_LINES - 2 and np.median(steps) <= _MAX_PITCH * height)


def _background(labels: _Labels, box: Rect) -> int:
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


def _numbers(everything: Sequence[Detection], pane: Rect, lines: Sequence[Detection]) -> list[Detection]:
    """Numbers of lines: at least three figures below each other right before an editor, or right in it."""
    reach = _MARGIN_HEIGHTS * lines[0].box.height
    found = [
        line
        for line in everything
        if (line.text or "").strip().isdecimal()
        and pane.x1 - reach <= line.box.x1 < pane.x1 + reach
        and pane.y1 <= line.box.center.y < pane.y2
    ]
    return found if len(found) >= _MIN_NUMBERS else []
