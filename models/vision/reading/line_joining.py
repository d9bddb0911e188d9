"""Puts lines together that were found in pieces: halves of a long one, words of one that is widely set.

A detector sees no more than some hundred pixels at once, so it finds a long line in pieces that overlap; and where the
letters stand far apart, or all have one width, it takes every word for a line. How wide a space may be is told by the
letters: beside them, not beside the height, a typewriter's space is as wide as any other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect, Size
from demopack.domain.marks import MARKS
from demopack.pixels.colours import Gray
from models.vision.detection import Detection
from models.vision.fusion import CONTROLS, LINE_TYPES, ROWS, runs_leftwards
from models.vision.reading.text_lines import EDGE_STEP, SEPARATORS, TEXT_MARGIN_PX, split_line
from models.vision.rules import found_by_rule

_SAME_ROW_SHARE = 0.8
"""Share of the lower of two pieces that lies at the height of the other."""
_MAX_HIGHER = 1.5
"""A line is at most so much higher than the lower one of its pieces, which has no descenders."""
_SPACE, _WIDE = 0.8, 1.9
"""Widest space, in letters of the longer word: where letters differ in width, and where they do not."""
_BEARING, _OFF = 0.6, 0.1
"""Of a letter's width: blank at the two ends of a word, at most; and what a box may be too wide."""
_LETTERS, _UNITS = 3, frozenset("%€$£")
_RULE_STEP = 3
"""Steps of brightness between a line and what it divides, at least."""
_HOME_SHARE = 0.6
"""Share of a word that lies in what it belongs to."""


def join_words(
    gray: Gray, lines: Sequence[Detection], detections: Sequence[Detection]
) -> tuple[list[Detection], list[Detection]]:
    """The lines, neighbours that are no further apart than words as one; and the detections, those of words as one.

    Args:
        gray: the whole picture.
        lines: what was read, boxes with ``TEXT_MARGIN_PX``.
        detections: what was detected; what lies between two words, or around one of them alone, keeps them apart.
    """
    homes = [one for one in detections if one.type in CONTROLS | ROWS | MARKS or one.type in ("icon", "hyperlink")]
    left = sorted((line for line in lines if line.type in LINE_TYPES and line.text), key=lambda line: line.box.x1)
    rest = [line for line in lines if line.type not in LINE_TYPES or not line.text]
    joined: list[Detection] = []
    while left:
        one = left.pop(0)
        near = (word for word in left if _is_next(one, word) and _at_home(one.box, word.box, homes))
        other = next((word for word in near if not _is_ruled(gray, one.box, word.box)), None)
        if other is None:
            joined.append(one)
        else:
            left.remove(other)
            parts = [one.text or "", other.text or ""]
            # The word on the left is the later one where letters run leftwards.
            text = " ".join(reversed(parts) if runs_leftwards("".join(parts)) else parts)
            sure = min(one.confidence, other.confidence)
            left.insert(0, dataclasses.replace(one, box=one.box.union(other.box), text=text, confidence=sure))
    new = [line for line in joined if line not in lines]
    return [*joined, *rest], _redetected(detections, new)


def _is_next(one: Detection, word: Detection) -> bool:
    """Whether a word stands behind another, a space away."""
    gap = word.box.x1 - one.box.x2 + 2 * TEXT_MARGIN_PX
    a, b = one.box, word.box
    shared, height = min(a.y2, b.y2) - max(a.y1, b.y1), max(a.y2, b.y2) - min(a.y1, b.y1)
    low = min(a.height, b.height)
    if one.text in SEPARATORS or word.text in SEPARATORS:
        return False
    if gap < 0 or one.type != word.type or shared < _SAME_ROW_SHARE * low or height > _MAX_HIGHER * low:
        return False
    longer = one if len(one.text or "") >= len(word.text or "") else word
    letter = (longer.box.width - 2 * TEXT_MARGIN_PX) / max(1.0, len(longer.text or "") - _BEARING / 2)
    return gap <= _SPACE * letter or (gap <= _WIDE * letter and _is_typed(one, word))


def _is_typed(one: Detection, word: Detection) -> bool:
    """Whether two words stand as if every letter, and the space between them, had the same width."""
    words = f"{one.text} {word.text}".split()
    if word.text not in _UNITS:
        # Figures have one width in most fonts, and a lone sign is an arrow, or a cross.
        worded = any(sum(map(str.isalpha, each)) >= _LETTERS for each in words)
        if not worded or not all(any(map(str.isalnum, each)) for each in words):
            return False
    pitch = (word.box.x1 - one.box.x1) / (len(one.text or "") + 1)
    for part in (one, word):
        letters = len(part.text or "")
        if not letters - _BEARING <= (part.box.width - 2 * TEXT_MARGIN_PX) / pitch <= letters + _OFF:
            return False
    return True


def _is_ruled(gray: Gray, one: Rect, word: Rect) -> bool:
    """Whether a line runs down between two words, however faint: they stand in two cells."""
    start, end = one.x2 - TEXT_MARGIN_PX - 2, word.x1 + TEXT_MARGIN_PX + 2
    part = gray[min(one.y1, word.y1) : max(one.y2, word.y2), max(0, start) : end]
    if part.shape[1] < 5:
        return False
    middle, before, behind = part[:, 2:-2], part[:, :-4], part[:, 4:]
    lighter = np.minimum(middle - before, middle - behind).min(axis=0)
    darker = np.minimum(before - middle, behind - middle).min(axis=0)
    return bool(max(lighter.max(), darker.max()) >= _RULE_STEP)


def _at_home(one: Rect, word: Rect, homes: Sequence[Detection]) -> bool:
    """Whether nothing was detected between two words, nor around one of them alone."""
    blank = Rect(one.x2, min(one.y1, word.y1), max(one.x2 + 1, word.x1), max(one.y2, word.y2))
    for home in homes:
        if (one.share_in(home.box) > _HOME_SHARE) != (word.share_in(home.box) > _HOME_SHARE):
            return False
        if (home.type in MARKS or home.type == "icon") and blank.contains(home.box.center):
            return False
    return True


def _redetected(detections: Sequence[Detection], lines: Sequence[Detection]) -> list[Detection]:
    """The detections, those of the words of a line as one of the line, of the type that most of it was taken for."""
    left = list(detections)
    for line in lines:
        words = [one for one in left if one.type in LINE_TYPES and one.box.share_in(line.box) > _HOME_SHARE]
        if not words:
            continue
        widths: dict[ElementType, int] = {}
        for word in words:
            widths[word.type] = widths.get(word.type, 0) + word.box.width
        left = [one for one in left if one not in words]
        if sum(widths.values()) < _HOME_SHARE * line.box.width:
            continue
        kind = max(widths, key=lambda name: widths[name])
        sure = max(word.confidence for word in words)
        left.append(found_by_rule("joined_words", type=kind, box=line.box, begun_with=sure))
    return left


_SPACE_HEIGHTS = 0.5
"""Of a line's height: the widest blank to a word that the detection left out; a box to tick is further away."""
_REACH_HEIGHTS = 4
"""Times its height that a line is looked for beyond its end; further away other lines lie at other heights."""
_MAX_STEPS = 8
"""How often a line that goes on at the end of that is looked for once more."""
_MIN_LETTER_SHARE = 0.3
"""Share of the columns of a text in which an edge of a letter lies, at least."""


def whole_lines(gray: Gray, line: Detection, detections: Sequence[Detection], size: Size) -> list[Rect]:
    """The lines in a detected one, with letters that the detection left out at its ends.

    It ends before what else was detected beside it: the box before a label, the next cell.

    Args:
        gray: the whole picture.
        line: what was detected.
        detections: everything that was; the line is one of them.
        size: of the picture.
    """
    box = _beside_marks(line.box, detections)
    free = _free(box, line, detections, size)
    lines = _around(gray, box, free, size)
    reach = _REACH_HEIGHTS * box.height
    for _ in range(_MAX_STEPS):
        low, high = max(free[0], box.x1 - reach), min(free[1], box.x2 + reach)
        left = low > free[0] and any(one.x1 <= low + 1 for one in lines) and _has_letters(gray, box, low, box.x1)
        right = high < free[1] and any(one.x2 >= high - 1 for one in lines) and _has_letters(gray, box, box.x2, high)
        if not left and not right:
            break
        box = Rect(low if left else box.x1, box.y1, high if right else box.x2, box.y2)
        lines = _around(gray, box, free, size)
    return lines


def _has_letters(gray: Gray, line: Rect, start: int, end: int) -> bool:
    """Whether brightness changes along a row often enough for letters; on the stripes of a title bar it does not."""
    changes = np.abs(np.diff(gray[line.y1 : line.y2, start:end], axis=1)) > EDGE_STEP
    return bool(changes.any(axis=0).mean() >= _MIN_LETTER_SHARE)


def _free(box: Rect, line: Detection, detections: Sequence[Detection], size: Size) -> tuple[int, int]:
    """How far to the left and to the right nothing else was detected in a line's row."""
    low, high = 0, size.width
    for other in detections:
        if other is line or min(other.box.y2, box.y2) - max(other.box.y1, box.y1) <= 0 or other.box.encloses(box):
            continue
        if low < other.box.x2 <= box.x1 + 2:
            low = other.box.x2
        if box.x2 - 2 <= other.box.x1 < high:
            high = other.box.x1
    return low, high


def _around(gray: Gray, box: Rect, free: tuple[int, int], size: Size) -> list[Rect]:
    reach = _REACH_HEIGHTS * box.height
    low, high = max(free[0], box.x1 - reach), min(free[1], box.x2 + reach)
    wide = Rect(min(low, box.x1), box.y1 - 1, max(high, box.x2), box.y2 + 1).clamped(size)
    own = Rect(box.x1 + TEXT_MARGIN_PX, box.y1, max(box.x1 + TEXT_MARGIN_PX + 1, box.x2 - TEXT_MARGIN_PX), box.y2)
    return [_nearest(gray, part, own) for part in split_line(gray, wide) if part.x1 < own.x2 and part.x2 > own.x1]


def _beside_marks(box: Rect, detections: Sequence[Detection]) -> Rect:
    """A line's box without what it shares with a box to tick before it, whose edge would be read as a letter."""
    for other in detections:
        reaches_in = other.box.x1 < box.x1 < other.box.x2 + TEXT_MARGIN_PX <= box.x1 + box.height
        if other.type in MARKS and reaches_in and other.box.y1 < box.center.y < other.box.y2:
            box = Rect(min(other.box.x2 + TEXT_MARGIN_PX, box.x2 - 1), box.y1, box.x2, box.y2)
    return box


def _nearest(gray: Gray, line: Rect, own: Rect) -> Rect:
    """The part of a line that the detection saw, with the words that are no more than a space away from it."""
    seen = [part for part in split_line(gray, line, gap=_SPACE_HEIGHTS) if part.x1 < own.x2 and part.x2 > own.x1]
    if not seen:
        return line
    return Rect(seen[0].x1, line.y1, seen[-1].x2, line.y2)
