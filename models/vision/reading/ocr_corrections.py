"""What OCR gets wrong on screens, told by characters and pixels.

It reads icons as Chinese characters, joins the close cross of a tab to its title, and reads neighbours in a row as one
line. Measured on windows of Qt and GTK and on web pages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

_ICONS = {
    "\u2261": "menu", "\u2630": "menu", "\u4e09": "menu", "\u00d7": "close", "\u2715": "close", "\u2716": "close",
    "\u2605": "star", "\u2606": "star", "\u2665": "like", "\u2661": "like", "\u25b2": "up", "\u25b3": "up",
    "\u25bc": "down", "\u25bd": "down", "\u25b6": "play", "\u25c0": "back", "\u2190": "back", "\u2192": "forward",
    "\u2191": "up", "\u2193": "down",
}  # fmt: skip
"""What some signs stand for; the others are icons without a name."""
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


def icon_name(text: str) -> str | None:
    """The subtype of an icon that was read as a character; None where that does not tell."""
    return _ICONS.get(text.strip())


def sign_ends(text: str) -> tuple[int, int]:
    """How many characters at the beginning and at the end of a reading are icons beside the words."""
    plain = text.replace(" ", "")
    first = next((i for i, letter in enumerate(plain) if not _is_sign(letter)), len(plain))
    last = next((i for i, letter in enumerate(reversed(plain)) if not _is_sign(letter)), len(plain))
    return first, last if first < len(plain) else 0
