"""Places in a text, found again by the words around them. Pure.

A text is broken into other lines in a window of another width, and its letters have another size on another screen; so
neither an offset in pixels nor a share of the way leads to the same letter. The word does, and the share of that word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, Rect
from demopack.domain.text_likeness import plain_text, ratio
from demopack.pixels.colours import commonest_colour, differs
from demopack.pixels.masks import crop

_AROUND: Final = 3
"""Words on either side that tell where a word stands."""
_ALIKE: Final = 0.75
"""Share of equal letters from which on two readings are of one word."""
_INK_TOLERANCE: Final = 60  # of 255, per channel: the edges of letters are blurred
_FRAMED: Final[frozenset[ElementType]] = frozenset({"input_field", "text_area", "dropdown", "spinner", "button"})
"""Types that are more than the line that is written in them."""
_FRAME_SHARE: Final = 0.7
"""Share of a row or a column from which on it is a frame, not letters."""
_OTHER_INK: Final = 0.2
"""What else is drawn in a field of one line, as its handle, is less than this share of the line."""
_MOST_UNEVEN: Final = 1.8
"""Most that a word may be wider or narrower than its share of the letters says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadWord:
    """A word that was read; ``line`` is the number of its line, ``box`` in pixels of the picture."""

    text: str
    box: Rect
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPlace:
    """A place in a text.

    Attributes:
        word: the word at the place, or nearest to it on its line.
        share: of the word's width that lies before the place, 0..1.
        below: how far below the middle of its line the place is, pixels of its picture.
        before: the words before it, nearest last.
        after: the words after it, nearest first.
    """

    word: str
    share: float
    below: int
    before: tuple[str, ...]
    after: tuple[str, ...]


def read_words(lines: Sequence[Element], image: RgbImage) -> list[ReadWord]:
    """The words of lines that were read on a picture, line by line from the top.

    A word of a line may have been read by itself, as that of a button; then the line around it has been read without.
    """
    written: list[tuple[str, Rect]] = []
    for line in lines:
        if not line.text or not line.text.split():
            continue
        box = _line_in(line.box, image) if line.type in _FRAMED else line.box
        if line.type not in _FRAMED and _has_frame(line.box, image):
            box = _line_in(line.box, image) or line.box
        if box is not None:
            written.append((line.text, box))
    rows = _rows([box for _, box in written])
    found: list[ReadWord] = []
    for (text, box), row in zip(written, rows, strict=True):
        others = [other for _, other in written if other != box and box.x1 <= other.x1 and other.x2 <= box.x2]
        inner = [other for other in others if box.y1 <= other.center.y < box.y2]
        texts = text.split()
        for word, (x1, x2) in zip(texts, _spans(texts, box, image, without=inner), strict=False):
            found.append(ReadWord(text=word, box=Rect(x1, box.y1, x2, box.y2), line=row))
    return sorted(found, key=lambda word: (word.line, word.box.x1))


def _rows(boxes: Sequence[Rect]) -> list[int]:
    """The number of the line on which each box stands, from the top; some may stand on one beside each other."""
    numbers = [0] * len(boxes)
    number, line = -1, None
    for at in sorted(range(len(boxes)), key=lambda at: (boxes[at].center.y, boxes[at].x1)):
        if line is None or not (line.y1 <= boxes[at].center.y < line.y2 and boxes[at].y1 <= line.center.y):
            number, line = number + 1, boxes[at]
        numbers[at] = number
    return numbers


def _has_frame(box: Rect, image: RgbImage) -> bool:
    """Whether a line from side to side is drawn in a box, as the edge of a field is."""
    patch = crop(image, box)
    if not patch.size:
        return False
    ink = differs(patch, commonest_colour(patch), tolerance=_INK_TOLERANCE)
    return bool((ink.mean(axis=1) > _FRAME_SHARE).any())


def _line_in(box: Rect, image: RgbImage) -> Rect | None:
    """The one line that is written in a field with a frame around it; None where there are several, or none."""
    patch = crop(image, box)
    if not patch.size:
        return None
    ink = differs(patch, commonest_colour(patch), tolerance=_INK_TOLERANCE)
    ink[ink.mean(axis=1) > _FRAME_SHARE] = False
    ink[:, ink.mean(axis=0) > _FRAME_SHARE] = False
    rows = np.flatnonzero(ink.any(axis=1))
    if not len(rows):
        return None
    bands = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    inked = sorted(((int(ink[band[0] : band[-1] + 1].sum()), band) for band in bands), key=lambda one: -one[0])
    if len(inked) > 1 and inked[1][0] > _OTHER_INK * inked[0][0]:
        return None
    top, bottom = int(inked[0][1][0]), int(inked[0][1][-1]) + 1
    columns = np.flatnonzero(ink[top:bottom].any(axis=0))
    return Rect(box.x1 + int(columns[0]), box.y1 + top, box.x1 + int(columns[-1]) + 1, box.y1 + bottom)


def place_at(point: Point, words: Sequence[ReadWord]) -> TextPlace | None:
    """The place in a text at a point; None where no line is written at its height."""
    beside = [word for word in words if word.box.y1 <= point.y < word.box.y2]
    if not beside:
        return None
    word = min(beside, key=lambda one: max(one.box.x1 - point.x, point.x - one.box.x2, 0))
    at = words.index(word)
    share = (point.x - word.box.x1) / max(1, word.box.width)
    return TextPlace(
        word=word.text,
        share=min(max(share, 0.0), 1.0),
        below=point.y - word.box.center.y,
        before=tuple(one.text for one in words[max(0, at - _AROUND) : at]),
        after=tuple(one.text for one in words[at + 1 : at + 1 + _AROUND]),
    )


def find_place(place: TextPlace, words: Sequence[ReadWord]) -> Point | None:
    """Where a place in a text is among words that were read; None where that is not plain.

    A word that stands there once is it if a word beside it is the recorded one, too; of several, the one with the most
    such words around it.
    """
    rated = [(_agreeing(place, words, at), at) for at, word in enumerate(words) if _are_same(place.word, word.text)]
    best = max((score for score, _ in rated), default=-1)
    fitting = [words[at] for score, at in rated if score == best]
    if len(fitting) != 1 or (best == 0 and (place.before or place.after)):
        return None
    box = fitting[0].box
    return Point(box.x1 + round(place.share * box.width), box.center.y)


def _agreeing(place: TextPlace, words: Sequence[ReadWord], at: int) -> int:
    """How many words around one stand around the recorded one, up to the first other on either side."""
    before = [word.text for word in reversed(words[max(0, at - _AROUND) : at])]
    after = [word.text for word in words[at + 1 : at + 1 + _AROUND]]
    return _run(place.before[::-1], before) + _run(place.after, after)


def _run(recorded: Sequence[str], live: Sequence[str]) -> int:
    count = 0
    for one, other in zip(recorded, live, strict=False):
        if not _are_same(one, other):
            break
        count += 1
    return count


def _are_same(one: str, other: str) -> bool:
    left, right = plain_text(one), plain_text(other)
    if left == right:
        return True
    return (
        min(len(left), len(right)) > 3 and not any(c.isdigit() for c in left + right) and ratio(left, right) >= _ALIKE
    )


def _spans(words: Sequence[str], box: Rect, image: RgbImage, *, without: Sequence[Rect] = ()) -> list[tuple[int, int]]:
    """From where to where each word of a line reaches: the widest gaps are between words.

    Args:
        words: of the line, in their order.
        box: of the line.
        image: the picture.
        without: parts of the line in which other words stand; where the gaps do not tell then, nothing is returned.
    """
    patch = crop(image, box)
    letters = sum(len(word) for word in words) + len(words) - 1
    if patch.size and letters:
        columns = np.asarray(differs(patch, commonest_colour(patch), tolerance=_INK_TOLERANCE).any(axis=0))
        for other in without:
            columns[other.x1 - box.x1 : other.x2 - box.x1] = False
        inked = np.flatnonzero(columns)
        if len(inked):
            gaps = sorted(
                ((int(b - a), int(a), int(b)) for a, b in pairwise(inked) if b - a > 1), key=lambda gap: -gap[0]
            )[: len(words) - 1]
            starts = [int(inked[0]), *sorted(b for _, _, b in gaps)]
            ends = [*sorted(a + 1 for _, a, _ in gaps), int(inked[-1]) + 1]
            spans = [(box.x1 + start, box.x1 + end) for start, end in zip(starts, ends, strict=True)]
            width = ends[-1] - starts[0] - sum(other.width for other in without)
            if len(spans) == len(words) and _are_even(words, spans, width / letters):
                return spans
    if without:
        return []
    found: list[tuple[int, int]] = []
    at = 0
    for word in words:
        found.append((box.x1 + box.width * at // letters, box.x1 + box.width * (at + len(word)) // letters))
        at += len(word) + 1
    return found


def _are_even(words: Sequence[str], spans: Sequence[tuple[int, int]], letter_px: float) -> bool:
    return all(
        len(word) < 3 or len(word) * letter_px / _MOST_UNEVEN <= end - start <= len(word) * letter_px * _MOST_UNEVEN
        for word, (start, end) in zip(words, spans, strict=True)
    )
