"""What an icon stands for, by what its program calls it."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final[tuple[tuple[str, str], ...]] = (
    (r"zoom in|enlarge|larger", "zoom_in"),
    (r"zoom out|smaller", "zoom_out"),
    (r"undo", "undo"),
    (r"redo", "redo"),
    (r"cut", "cut"),
    (r"copy", "copy"),
    (r"paste", "paste"),
    (r"save", "save"),
    (r"open|load", "open"),
    (r"print", "print"),
    (r"new|create", "new"),
    (r"find|search|replace", "search"),
    (r"preferences|settings|options|configure|properties", "settings"),
    (r"close", "close"),
    (r"home", "home"),
    (r"go back|back", "back"),
    (r"go forward|forward", "forward"),
    (r"reload|refresh|rescan|update", "refresh"),
    (r"parent|up", "up"),
    (r"down", "down"),
    (r"next", "next"),
    (r"previous|prev", "previous"),
    (r"delete|trash|erase", "delete"),
    (r"add|append|insert|plus", "add"),
    (r"remove|minus|clear", "remove"),
    (r"edit|rename", "edit"),
    (r"play|start|resume|run|execute", "play"),
    (r"pause", "pause"),
    (r"stop|cancel", "stop"),
    (r"help", "help"),
    (r"about|info|details|information", "info"),
    (r"menu", "menu"),
    (r"sort", "sort"),
    (r"filter", "filter"),
    (r"lock", "lock"),
    (r"unlock", "unlock"),
    (r"folder", "folder"),
    (r"download", "download"),
    (r"upload|export", "upload"),
    (r"minimi[sz]e", "minimize"),
    (r"maximi[sz]e", "maximize"),
    (r"bookmark", "bookmark"),
    (r"user|account", "user"),
    (r"calendar|date", "calendar"),
    (r"link", "link"),
    (r"image|picture", "image"),
)  # fmt: skip
_PATTERNS: Final = tuple((re.compile(rf"\b(?:{words})\b"), subtype) for words, subtype in _WORDS)


def subtype_of(name: str) -> str | None:
    """The subtype in the words of the format; None when the name says nothing."""
    words = name.lower().replace("_", " ").replace("-", " ")
    return next((subtype for pattern, subtype in _PATTERNS if pattern.search(words)), None)
