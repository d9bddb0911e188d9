"""How names are quoted in this room, so that they can be told from everything else that is said."""

from __future__ import annotations

import re

from demopack.domain.words import shorten

__all__ = ["plain", "quote", "quoted_names"]

_QUOTED = re.compile(r"“([^“”]*)”")
_MARKS = str.maketrans({"“": "'", "”": "'"})


def quote(text: str, *, limit: int = 40) -> str:
    """Text in the quotes that this room uses for names, and for nothing else; on one line, shortened."""
    return f"“{plain(text, limit=limit)}”"


def quoted_names(text: str) -> list[str]:
    """What stands in quotes, in order."""
    return _QUOTED.findall(text)


def plain(text: str, *, limit: int) -> str:
    """Text as it stands between the quotes: on one line, its own quotes replaced, shortened."""
    return shorten(text.translate(_MARKS), limit)
