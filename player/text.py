"""How alike two labels are. Pure."""

from __future__ import annotations

import difflib
import unicodedata
from typing import Final

__all__ = ["SAME", "likeness", "plain"]

SAME: Final = 0.95
"""Likeness from which labels differ only in case and white space."""
_FLOOR: Final = 0.8
_SHORTEST_FUZZY: Final = 4  # "On" and "Or" are half alike and mean different things


def plain(text: str) -> str:
    """Compatibility forms unified, case folded, white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def likeness(a: str, b: str) -> float:
    """1 for equal labels, 0.95 for equal but for case and white space, 0.76 to 0.95 for alike ones, 0 for others."""
    if a == b:
        return 1.0
    left, right = plain(a), plain(b)
    if left == right:
        return SAME
    # OCR splits and joins words; without spaces such labels are equal.
    left, right = left.replace(" ", ""), right.replace(" ", "")
    if left == right:
        return SAME
    if min(len(left), len(right)) < _SHORTEST_FUZZY or _digits(left) != _digits(right):
        return 0.0
    ratio = difflib.SequenceMatcher(None, left, right, autojunk=False).ratio()
    return ratio * SAME if ratio >= _FLOOR else 0.0


def _digits(text: str) -> str:
    """Numbers tell labels apart that look alike otherwise: "Item 12" is not "Item 13"."""
    return "".join(c for c in text if c.isdigit())
