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
from demopack.domain.geometry import Rect
from models.vision.found import Found
from models.vision.fusion import CONTROLS, LINE_TYPES, MARKS, ROWS
from models.vision.reading.gray import Gray
from models.vision.reading.lines import AIR, split_line
from models.vision.rules import found_by_rule

__all__ = ["join_pieces", "join_words"]

_SAME_ROW = 0.8
"""Share of the lower of two pieces that lies at the height of the other."""
_HIGHER = 1.5
"""A line is at most so much higher than the lower one of its pieces, which has no descenders."""
_SPACE, _WIDE = 0.8, 1.9
"""Widest space, in letters of the longer word: where letters differ in width, and where they do not."""
_BEARING, _OFF = 0.6, 0.1
"""Of a letter's width: blank at the two ends of a word, at most; and what a box may be too wide."""
_LETTERS, _UNITS = 3, frozenset("%€$£")
_RULE = 3
"""Steps of brightness between a line and what it divides, at least."""
_HOME = 0.6
"""Share of a word that lies in what it belongs to."""


def join_pieces(gray: Gray, boxes: Sequence[Rect], *, links: Sequence[Rect] = ()) -> list[Rect]:
    """The boxes, those that overlap in one row as one.

    Args:
        gray: the whole picture.
        boxes: tight boxes around ink, with ``AIR``.
        links: where links were seen; a link within a sentence is a line of its own.
    """
    alone = [box for box in boxes if any(link.contains(box.center) for link in links)]
    left = sorted((box for box in boxes if box not in alone), key=lambda box: (box.x1, box.y1))
    known = set(left)
    while left:
        one = left.pop(0)
        other = next((box for box in left if box.x1 < one.x2 - 2 * AIR and _in_row(one, box)), None)
        if other is None:
            alone += [one] if one in known else split_line(gray, one) or [one]
        else:
            left.remove(other)
            left.insert(0, one.union(other))
    return sorted(alone, key=lambda box: (box.y1, box.x1))


def _in_row(a: Rect, b: Rect) -> bool:
    low = min(a.height, b.height)
    shared = min(a.y2, b.y2) - max(a.y1, b.y1)
    return shared >= _SAME_ROW * low and max(a.y2, b.y2) - min(a.y1, b.y1) <= _HIGHER * low


def join_words(gray: Gray, lines: Sequence[Found], detections: Sequence[Found]) -> tuple[list[Found], list[Found]]:
    """The lines, neighbours that are no further apart than words as one; and the detections, those of words as one.

    Args:
        gray: the whole picture.
        lines: what was read, boxes with ``AIR``.
        detections: what was detected; what lies between two words, or around one of them alone, keeps them apart.
    """
    homes = [one for one in detections if one.type in CONTROLS | ROWS | MARKS or one.type in ("icon", "hyperlink")]
    left = sorted((line for line in lines if line.type in LINE_TYPES and line.text), key=lambda line: line.box.x1)
    rest = [line for line in lines if line.type not in LINE_TYPES or not line.text]
    joined: list[Found] = []
    while left:
        one = left.pop(0)
        near = (word for word in left if _is_next(one, word) and _at_home(one.box, word.box, homes))
        other = next((word for word in near if not _is_ruled(gray, one.box, word.box)), None)
        if other is None:
            joined.append(one)
        else:
            left.remove(other)
            left.insert(0, _both(one, other))
    new = [line for line in joined if line not in lines]
    return [*joined, *rest], _redetected(detections, new)


def _is_next(one: Found, word: Found) -> bool:
    """Whether a word stands behind another, a space away."""
    gap = word.box.x1 - one.box.x2 + 2 * AIR
    if gap < 0 or one.type != word.type or not _in_row(one.box, word.box):
        return False
    longer = one if len(one.text or "") >= len(word.text or "") else word
    letter = (longer.box.width - 2 * AIR) / max(1.0, len(longer.text or "") - _BEARING / 2)
    return gap <= _SPACE * letter or (gap <= _WIDE * letter and _is_typed(one, word))


def _is_typed(one: Found, word: Found) -> bool:
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
        if not letters - _BEARING <= (part.box.width - 2 * AIR) / pitch <= letters + _OFF:
            return False
    return True


def _is_ruled(gray: Gray, one: Rect, word: Rect) -> bool:
    """Whether a line runs down between two words, however faint: they stand in two cells."""
    start, end = one.x2 - AIR - 2, word.x1 + AIR + 2
    part = gray[min(one.y1, word.y1) : max(one.y2, word.y2), max(0, start) : end]
    if part.shape[1] < 5:
        return False
    middle, before, behind = part[:, 2:-2], part[:, :-4], part[:, 4:]
    lighter = np.minimum(middle - before, middle - behind).min(axis=0)
    darker = np.minimum(before - middle, behind - middle).min(axis=0)
    return bool(max(lighter.max(), darker.max()) >= _RULE)


def _at_home(one: Rect, word: Rect, homes: Sequence[Found]) -> bool:
    """Whether nothing was detected between two words, nor around one of them alone."""
    blank = Rect(one.x2, min(one.y1, word.y1), max(one.x2 + 1, word.x1), max(one.y2, word.y2))
    for home in homes:
        if (_share(one, home.box) > _HOME) != (_share(word, home.box) > _HOME):
            return False
        if (home.type in MARKS or home.type == "icon") and blank.contains(home.box.center):
            return False
    return True


def _share(inner: Rect, outer: Rect) -> float:
    common = inner.intersection(outer)
    return 0.0 if common is None else common.area / inner.area


def _both(one: Found, word: Found) -> Found:
    text, sure = f"{one.text} {word.text}", min(one.confidence, word.confidence)
    return dataclasses.replace(one, box=one.box.union(word.box), text=text, confidence=sure)


def _redetected(detections: Sequence[Found], lines: Sequence[Found]) -> list[Found]:
    """The detections, those of the words of a line as one of the line, of the type that most of it was taken for."""
    left = list(detections)
    for line in lines:
        words = [one for one in left if one.type in LINE_TYPES and _share(one.box, line.box) > _HOME]
        if not words:
            continue
        widths: dict[ElementType, int] = {}
        for word in words:
            widths[word.type] = widths.get(word.type, 0) + word.box.width
        left = [one for one in left if one not in words]
        if sum(widths.values()) < _HOME * line.box.width:
            continue
        kind = max(widths, key=lambda name: widths[name])
        sure = max(word.confidence for word in words)
        left.append(found_by_rule("joined_words", type=kind, box=line.box, begun_with=sure))
    return left
