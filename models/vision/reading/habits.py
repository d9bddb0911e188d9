"""What OCR gets wrong on screens, told by characters and pixels.

It reads icons as Chinese characters, joins the close cross of a tab to its title, and reads neighbours in a row as one
line. Measured on windows of Qt and GTK and on web pages.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np

from demopack.domain.geometry import Rect
from models.vision.reading.gray import Gray
from models.vision.reading.lines import split_line

__all__ = ["close_cross", "cut_at_borders", "icon_name", "is_rule", "is_sign", "mended", "sign_ends", "writes_chinese"]

_INK = 40
_NEARLY_ALL = 0.8
"""Share of a line's width within an element that makes the line its text."""
_ICONS = {
    "\u2261": "menu", "\u2630": "menu", "\u4e09": "menu", "\u00d7": "close", "\u2715": "close", "\u2716": "close",
    "\u2605": "star", "\u2606": "star", "\u2665": "like", "\u2661": "like", "\u25b2": "up", "\u25b3": "up",
    "\u25bc": "down", "\u25bd": "down", "\u25b6": "play", "\u25c0": "back", "\u2190": "back", "\u2192": "forward",
    "\u2191": "up", "\u2193": "down",
}  # fmt: skip
"""What some signs stand for; the others are icons without a name."""
_LONE_L = re.compile(r"(?<![^\s\"'(])(?<!\d )l(?=\s\S|'(?:m|d|ll|ve)\b)")
_RULE = re.compile(r"[-_\u2013\u2014=~.\u00b7\u2026\s]{4,}")
_WORDLESS = frozenset({"So"})


def _is_sign(letter: str) -> bool:
    """Whether a character is one that icons are read as: an ideograph, a figure, an arrow."""
    if letter in _ICONS or unicodedata.category(letter) in _WORDLESS:
        return True
    return "\u2190" <= letter <= "\u21ff" or _is_chinese(letter)


def _is_chinese(letter: str) -> bool:
    return "\u2e80" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" or "\uf900" <= letter <= "\ufaff"


def writes_chinese(readings: Iterable[tuple[str, float]]) -> bool:
    """Whether a screen is written in Chinese, Japanese or Korean, so that ideographs are what they seem.

    Args:
        readings: texts and how sure they are.
    """
    long = [text for text, sure in readings if sure >= 0.8 and sum(map(_is_chinese, text)) >= 3]
    return len(long) >= 3


def is_sign(text: str) -> bool:
    """Whether nothing of a reading is a word: all of it are characters that icons are read as."""
    return bool(text) and all(_is_sign(letter) or letter.isspace() for letter in text)


def is_rule(text: str) -> bool:
    """Whether a reading is nothing but strokes and dots: the line under a row, a ruler."""
    return _RULE.fullmatch(text) is not None


def mended(text: str) -> str:
    """A reading in which the word I, taken for a small letter l, is itself again; after a number it is a litre."""
    return _LONE_L.sub("I", text)


def icon_name(text: str) -> str | None:
    """The subtype of an icon that was read as a character; None where that does not tell."""
    return _ICONS.get(text.strip())


def sign_ends(text: str) -> tuple[int, int]:
    """How many characters at the beginning and at the end of a reading are icons beside the words."""
    plain = text.replace(" ", "")
    first = next((i for i, letter in enumerate(plain) if not _is_sign(letter)), len(plain))
    last = next((i for i, letter in enumerate(reversed(plain)) if not _is_sign(letter)), len(plain))
    return first, last if first < len(plain) else 0


def cut_at_borders(gray: Gray, line: Rect, elements: Sequence[Rect]) -> list[Rect]:
    """A line that runs over the edges of elements, cut there: the words of a menu bar, titles of tabs.

    Found edges are off by a few pixels: an element that holds nearly all of a line does not cut it, and a cut goes
    through the nearest blank.

    Args:
        gray: the whole picture.
        line: a tight box around text.
        elements: boxes of things that own their text, side by side at most.
    """
    middle = (line.y1 + line.y2) // 2
    edges: set[int] = set()
    for box in elements:
        over = min(line.x2, box.x2) - max(line.x1, box.x1)
        if box.y1 <= middle < box.y2 and 0 < over < _NEARLY_ALL * line.width:
            edges |= {x for x in (box.x1, box.x2) if line.x1 + 3 < x < line.x2 - 3}
    cuts = {cut for x in edges for cut in [_blank_near(gray, line, x)] if cut is not None}
    if not cuts:
        return [line]
    ends = [line.x1, *sorted(cuts), line.x2]
    parts: list[Rect] = []
    for start, end in itertools.pairwise(ends):
        if end - start >= 3:
            # An edge belongs to nobody: its pixels would be read as a letter.
            parts += split_line(gray, Rect(start + (start in cuts), line.y1, end - (end in cuts), line.y2))
    return parts or [line]


def _blank_near(gray: Gray, line: Rect, x: int) -> int | None:
    """The column beside an edge at which nothing is written; the edge itself where it is drawn as a line."""
    reach = max(2, line.height // 3)
    low, high = max(line.x1 + 2, x - reach), min(line.x2 - 2, x + reach + 1)
    part = gray[line.y1 : line.y2, low:high]
    spread = part.max(axis=0) - part.min(axis=0)
    blank = np.flatnonzero(spread <= _INK)
    if not blank.size:
        return None
    return low + int(blank[np.abs(blank + low - x).argmin()])


def close_cross(gray: Gray, line: Rect, *, gap: float) -> tuple[Rect, Rect] | None:
    """The title and the close cross behind it, where a line ends with one.

    Args:
        gray: the whole picture.
        line: a tight box around text.
        gap: blank before the cross, as a share of the line's height; a letter x has less before it.
    """
    parts = split_line(gray, line, gap=gap)
    if len(parts) < 2:
        return None
    title, last = parts[0], parts[-1]
    for part in parts[1:-1]:
        title = title.union(part)
    return (title, last) if _is_cross(gray, last) else None


def _is_cross(gray: Gray, box: Rect) -> bool:
    """Whether the ink in a box is two diagonals and nothing else."""
    part = gray[box.y1 : box.y2, box.x1 : box.x2]
    ground = np.median(np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]]))
    ink = np.abs(part - ground) > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not rows.size:
        return False
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = ink.shape
    if not 5 <= height <= 20 or abs(height - width) > 2:
        return False
    y, x = np.mgrid[:height, :width]
    across = x / (width - 1) * (height - 1)
    falling, rising = np.abs(y - across), np.abs(y - (height - 1 - across))
    on = (falling <= 0.6) & ink, (rising <= 0.6) & ink
    whole = all(line.any(axis=0).mean() >= 0.8 for line in on)
    beside = ink & (np.minimum(falling, rising) > 2.2)
    return whole and float(beside.sum()) <= 0.04 * ink.size
