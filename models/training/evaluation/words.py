"""How far a text that was read is from the one that stands there."""

from __future__ import annotations

import unicodedata

__all__ = ["distance", "plain"]


def plain(text: str | None) -> str:
    """Composed characters (NFC), every run of white space one space, none at the ends; None is no text."""
    return " ".join(unicodedata.normalize("NFC", text or "").split())


def distance(first: str, second: str) -> int:
    """Characters to insert, drop or replace (Levenshtein); symmetric."""
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    if len(first) < len(second):
        first, second = second, first
    row = list(range(len(second) + 1))
    for i, char in enumerate(first, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(second, start=1):
            least = min(row[j], row[j - 1]) + 1
            diagonal, row[j] = row[j], min(least, diagonal + (char != other))
    return row[-1]
