"""Writing and icons around a place: the thing, the word, the line, the block."""

from __future__ import annotations

import functools
import itertools
from typing import Final

import numpy as np

from annotator.snap.parts import PictureParts, is_outline
from demopack.domain.geometry import Rect
from demopack.domain.overlap import Boxes, as_rect, enclosed, meeting
from demopack.pixels.masks import Mask

MARGIN_PX: Final = 2
"""Pixels around foreground that belong to a box of it."""
_MAX_LETTER_PX: Final = 72
"""Pixels; larger pieces of foreground are frames and pictures."""
_MAX_ICON_PX: Final = 64
_AROUND_PX: Final = (300, 60)
_MIN_PIECES: Final = 8
"""Pieces around a place; among fewer nobody knows how high letters are there."""
_BRIDGE_SHARE: Final = 0.4
"""Of the foreground that a line of pixels has on the average; where two letters touch is less."""
_MAX_HOLLOW_PX: Final = 48
_MIN_FRAME_PX: Final = 12
_MAX_FILLED_SHARE: Final = 0.38
"""Pieces of at least so many pixels, of which at most so much is foreground, may be outlines."""
_WORD_GAP: Final = 0.3
_LINE_GAP: Final = 0.95
_LINE_GAP_PITCHES: Final = 1.7
_BLOCK_GAP: Final = 0.85


def letters_in(parts: PictureParts) -> Boxes:
    """Pieces of foreground that may be letters or parts of icons; outlines are not."""
    foreground = parts.foreground
    wide, high = foreground[:, 2] - foreground[:, 0], foreground[:, 3] - foreground[:, 1]
    fits = (high <= _MAX_LETTER_PX) & (wide <= 6 * _MAX_LETTER_PX) & ((wide <= _MAX_LETTER_PX) | (high >= 3))
    hollow = fits & (np.minimum(wide, high) >= _MIN_FRAME_PX) & (parts.filled < _MAX_FILLED_SHARE * wide * high)
    for place in np.flatnonzero(hollow):
        fits[place] = not is_outline(parts.edges, as_rect(foreground[place]))
    return foreground[fits]


def parted(edges: Mask, letters: Boxes, x: int, y: int) -> Boxes:
    """The letters, those around a place parted that hang together over two lines of close writing."""
    dx, dy = _AROUND_PX
    near = meeting(letters, Rect(x, y, x, y), dx=dx, dy=dy)
    tall, wide = letters[:, 3] - letters[:, 1], letters[:, 2] - letters[:, 0]
    if np.count_nonzero(near) < _MIN_PIECES:
        return letters
    usual = float(np.percentile(tall[near], 80))
    double = near & (tall > 1.6 * usual) & (tall <= 2.8 * usual) & (wide <= 4 * usual)
    pieces: list[tuple[int, int, int, int]] = []
    for place in np.flatnonzero(double):
        x1, y1, x2, y2 = (int(value) for value in letters[place])
        lines = np.count_nonzero(edges[y1 - 1 : y2, x1 - 1 : x2], axis=1)[1:]
        low, high = round(0.3 * len(lines)), round(0.75 * len(lines))
        if low >= high:
            continue
        cut = low + int(lines[low:high].argmin())
        if lines[cut] > _BRIDGE_SHARE * lines.mean():
            double[place] = False
            continue
        pieces += [(x1, y1, x2, y1 + cut), (x1, y1 + cut + 1, x2, y2)]
    return np.concatenate([letters[~double], np.array(pieces, dtype=np.int64).reshape(-1, 4)])


def is_hollow(shape: Rect, letters: Boxes) -> bool:
    """Whether a shape is what a letter leaves free inside: small, empty, and touched by foreground."""
    longest = max(shape.width, shape.height)
    if longest > _MAX_HOLLOW_PX or (shape.width > 1.4 * shape.height and longest > _MAX_HOLLOW_PX // 2):
        return False
    if len(within(letters, shape)):
        return False
    return bool(meeting(letters, shape, dx=1, dy=1).any())


def within(letters: Boxes, shape: Rect | None) -> Boxes:
    """Those in a shape, its own outline left out."""
    if shape is None:
        return letters
    wide, high = letters[:, 2] - letters[:, 0], letters[:, 3] - letters[:, 1]
    return letters[enclosed(letters, shape) & ~((wide >= shape.width - 2) & (high >= shape.height - 2))]


def seed_of(letters: Boxes, x: int, y: int) -> Rect | None:
    """The piece of foreground at the place, or so near to it that it is meant."""
    dx = np.maximum(np.maximum(letters[:, 0] - x, x - letters[:, 2] + 1), 0)
    dy = np.maximum(np.maximum(letters[:, 1] - y, y - letters[:, 3] + 1), 0)
    high = np.maximum(letters[:, 3] - letters[:, 1], 8)
    near = (dx <= high) & (dy <= np.maximum(high // 3, 3))
    if not near.any():
        return None
    places = np.flatnonzero(near)
    return as_rect(letters[places[np.argmin((dx + 2 * dy)[places])]])


def word_of(letters: Boxes, seed: Rect) -> Rect:
    """The letters that touch or nearly do."""
    return _chain(letters, seed, _WORD_GAP, least=3)


def line_of(letters: Boxes, seed: Rect) -> Rect:
    """The words of a line, as far as the gaps are those between words; marks and icons beside it are left out."""
    least = max(4, round(_LINE_GAP_PITCHES * _pitch(letters, seed)))
    whole = _chain(letters, seed, _LINE_GAP, least=least)
    words = _words_in(letters, whole)
    here = next((i for i, word in enumerate(words) if word.x1 <= seed.x1 and seed.x2 <= word.x2), 0)
    first, last = 0, len(words) - 1
    while first < last and _stands_out(letters, words[first], words[first + 1 : last + 1]):
        if first == here:
            return words[first]
        first += 1
    while first < last and _stands_out(letters, words[last], words[first:last]):
        if last == here:
            return words[last]
        last -= 1
    return functools.reduce(Rect.union, words[first : last + 1]) if words else whole


def _pitch(letters: Boxes, seed: Rect) -> float:
    """How far the letters of a typewriter are apart, in pixels; 0 where letters are not equally wide."""
    word = word_of(letters, seed)
    inside = within(letters, word)
    inside = inside[np.argsort(inside[:, 0])]
    if len(inside) < 3:
        return 0.0
    apart = np.diff((inside[:, 0] + inside[:, 2]) / 2)
    pitch = float(np.median(apart))
    even = np.abs(apart - pitch) <= max(0.15 * pitch, 1.0)
    return pitch if even.all() and pitch <= 1.2 * word.height else 0.0


def _words_in(letters: Boxes, line: Rect) -> list[Rect]:
    """The words of a line, from left to right."""
    middle = (letters[:, 1] + letters[:, 3]) // 2
    inside = letters[(letters[:, 0] >= line.x1) & (letters[:, 2] <= line.x2) & (line.y1 <= middle) & (middle < line.y2)]
    gap, found = max(3, round(line.height * _WORD_GAP)), list[Rect]()
    for row in inside[np.argsort(inside[:, 0])]:
        box = as_rect(row)
        if found and box.x1 - found[-1].x2 < gap:
            found[-1] = found[-1].union(box)
        else:
            found.append(box)
    return found


def _stands_out(letters: Boxes, word: Rect, others: list[Rect]) -> bool:
    """Whether what looks like the first or last word of a line is a mark, or an icon."""
    rest = functools.reduce(Rect.union, others)
    high = max(other.height for other in others)
    if not 0.6 * word.height <= word.width <= 2.2 * word.height:
        return False
    gap = max(rest.x1 - word.x2, word.x1 - rest.x2)
    between = [b.x1 - a.x2 for a, b in itertools.pairwise(others)]
    apart = gap > 1.3 * max(between) if between else gap > 0.45 * high
    if word.height > 1.15 * rest.height:
        return True
    whole = np.array([word.x1, word.y1, word.x2, word.y2])
    return apart and word.height >= 0.95 * rest.height and bool((letters == whole).all(axis=1).any())


def _chain(letters: Boxes, seed: Rect, share: float, *, least: int) -> Rect:
    """From the seed to both sides, while the next piece is near enough and stands on the same line."""
    tall = letters[:, 3] - letters[:, 1]
    box = core = seed
    for _ in range(200):
        high = max(core.height, 6)
        gap = max(least, round(high * share))
        beside = (letters[:, 2] > box.x1 - gap) & (letters[:, 0] < box.x2 + gap)
        shared = np.minimum(letters[:, 3], core.y2) - np.maximum(letters[:, 1], core.y1)
        level = beside & (shared >= np.maximum(np.minimum(tall, core.height) * 0.5, 1))
        level &= tall <= max(2.2 * core.height, 10)
        wider = _union(letters[level], core)
        # The dots of i, accents, and commas lie above or below what they belong to; they do not make the line higher,
        # or it would go on to the next one.
        over = (letters[:, 0] < box.x2) & (letters[:, 2] > box.x1) & (tall <= high // 2 + 1)
        over &= (letters[:, 3] > core.y1 - max(high // 4, 2)) & (letters[:, 1] < core.y2 + max(high // 5, 1))
        grown = _union(letters[over], box.union(wider))
        if grown == box and wider == core:
            break
        box, core = grown, wider
    return box


def thing_of(letters: Boxes, seed: Rect) -> Rect | None:
    """The parts of an icon: all that is near on all sides, up to the size of an icon; None where it is none."""
    box = seed
    for _ in range(20):
        gap = min(max(2, round(0.3 * max(box.width, box.height))), 5)
        grown = _union(letters[meeting(letters, box, dx=gap, dy=gap)], box)
        if grown == box:
            break
        box = grown
    if max(box.width, box.height) > _MAX_ICON_PX or max(box.width, box.height) > 2.5 * min(box.width, box.height):
        return None
    return box


def blocks_of(letters: Boxes, line: Rect) -> Rect:
    """The lines above and below that belong together with a line."""
    high = max(line.height, 6)
    box = line
    for _ in range(60):
        down, across = round(high * _BLOCK_GAP), round(high * _LINE_GAP)
        near = meeting(letters, box, dx=across, dy=down)
        grown = _union(letters[near & (letters[:, 3] - letters[:, 1] <= 2.2 * high)], box)
        if grown == box:
            break
        box = grown
    return box


def _union(boxes: Boxes, box: Rect) -> Rect:
    if not len(boxes):
        return box
    return box.union(as_rect(np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])))
