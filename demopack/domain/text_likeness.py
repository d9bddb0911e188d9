"""Likeness of short texts, most of which were read off a picture: plain forms, edits, and shares of equal letters."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

SAME_LABEL: Final = 0.95
"""Likeness of labels from which they differ only in case and white space."""
_SAME_BUT_MARKS: Final = 0.9
_MARKS: Final = re.compile(r"[&_](?=\w)|[.:*]+$")
_MIN_RATIO: Final = 0.8
_MIN_LENGTH: Final = 4
"""Letters; "On" and "Or" are half alike and mean different things."""


def plain_text(text: str | None) -> str:
    """Compatibility forms unified, case folded, white space collapsed; empty for None."""
    return " ".join(unicodedata.normalize("NFKC", text or "").casefold().split())


def letters_in(text: str | None) -> str:
    """Letters and digits only, compatibility forms unified, case folded; empty for None."""
    return "".join(c for c in unicodedata.normalize("NFKC", (text or "").casefold()) if c.isalnum())


def digits_in(text: str) -> str:
    """The digits. Numbers tell labels apart that look alike otherwise: "Item 12" is not "Item 13"."""
    return "".join(c for c in text if c.isdigit())


def ratio(a: str, b: str) -> float:
    """The share of letters that stand in both texts in the same order, 0..1."""
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio()


def edit_distance(a: Sequence[str], b: Sequence[str], *, limit: int | None = None) -> int:
    """Fewest letters to insert, delete or replace (Levenshtein); more than a limit is given as ``limit + 1``."""
    if limit is not None and abs(len(a) - len(b)) > limit:
        return limit + 1
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != other))
        if limit is not None and min(row) > limit:
            return limit + 1
    return row[-1]


def same_name(a: str, b: str) -> float:
    """1 for equal names, 0.95 but for case and white space, 0.9 but for marks that are drawn with them, 0 for others.

    Such marks are the sign of a mnemonic ("&Save", "_Save"), and dots, a colon or a star at the end ("Save…", "Name:").
    """
    if a == b:
        return 1.0
    left, right = ("".join(plain_text(text).split()) for text in (a, b))
    if left == right:
        return SAME_LABEL
    left, right = (_MARKS.sub("", text) for text in (left, right))
    return _SAME_BUT_MARKS if left and left == right else 0.0


def label_likeness(a: str, b: str) -> float:
    """1 for equal labels, 0.95 for equal but for case and white space, 0.76 to 0.95 for alike ones, 0 for others."""
    if a == b:
        return 1.0
    left, right = plain_text(a), plain_text(b)
    if left == right:
        return SAME_LABEL
    # OCR splits and joins words; without spaces such labels are equal.
    left, right = left.replace(" ", ""), right.replace(" ", "")
    if left == right:
        return SAME_LABEL
    if min(len(left), len(right)) < _MIN_LENGTH or digits_in(left) != digits_in(right):
        return 0.0
    share = ratio(left, right)
    return share * SAME_LABEL if share >= _MIN_RATIO else 0.0
