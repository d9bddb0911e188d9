"""What the kinds are called, for people."""

from __future__ import annotations

from typing import Final

from demopack.domain.demos import Demo
from demopack.redaction.matches import Kind
from demopack.redaction.scan import Found

__all__ = ["KIND_WORDS", "kind_words", "masked", "places_text", "unread_pictures"]

KIND_WORDS: Final[dict[Kind, tuple[str, str]]] = {
    "token": ("token", "tokens"),
    "iban": ("bank account", "bank accounts"),
    "card": ("payment card", "payment cards"),
    "email": ("e-mail address", "e-mail addresses"),
    "key": ("key", "keys"),
    "password_like": ("password", "passwords"),
    "phone": ("telephone number", "telephone numbers"),
    "user_path": ("user name", "user names"),
    "ip": ("internet address", "internet addresses"),
    "maybe_password": ("possible password", "possible passwords"),
    "text": ("text", "texts"),
}
"""One of them, and several."""


def kind_words(kind: Kind, number: int) -> str:
    """``2 e-mail addresses``."""
    return f"{number} {KIND_WORDS[kind][number != 1]}"


def masked(value: str) -> str:
    """A value that can be recognised by whoever knows it, and used by nobody."""
    return "•••" if len(value) < 8 else f"{value[:2]}•••{value[-1]}"


def places_text(found: Found, *, limit: int = 3) -> str:
    """``step 3, typed text; the task; and 4 more places``."""
    words = list(dict.fromkeys(place.where for place in found.places))
    more = len(words) - limit
    shown = "; ".join(words[:limit])
    return shown if more <= 0 else f"{shown}; and {more} more {'place' if more == 1 else 'places'}"


def unread_pictures(demo: Demo) -> int:
    """How many pictures nobody has looked through yet: what they show is neither found nor painted over."""
    return sum(frame.id not in demo.parsed and not demo.elements.get(frame.id) for frame in demo.frames())
