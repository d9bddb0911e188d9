"""What the kinds are called, for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def places_text(found: Found, *, limit: int = 4) -> str:
    """``the task; typed text (step 2); window title (steps 1-4); 3 pictures``."""
    steps: dict[str, list[int]] = {}
    pictures: set[str] = set()
    for place in found.places:
        in_step = _IN_STEP.fullmatch(place.where)
        if in_step is not None:
            steps.setdefault(in_step[2], []).append(int(in_step[1]))
        elif place.element is not None and place.frame is not None:
            pictures.add(place.frame)
        else:
            steps.setdefault(place.where, [])
    words = [f"{what} ({_numbers(numbers)})" if numbers else what for what, numbers in steps.items()]
    if pictures:
        words.insert(min(len(words), limit - 1), "1 picture" if len(pictures) == 1 else f"{len(pictures)} pictures")
    more = len(words) - limit
    shown = "; ".join(words[:limit])
    return shown if more <= 0 else f"{shown}; and {more} more {'place' if more == 1 else 'places'}"


_IN_STEP = re.compile(r"step ([0-9]+), (.*)")


def _numbers(numbers: Sequence[int]) -> str:
    """``step 2``, ``steps 1, 3-5``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    several = len(parts) > 1 or len(runs[0]) > 1
    return f"{'steps' if several else 'step'} {', '.join(parts)}"


def unread_pictures(demo: Demo) -> int:
    """How many pictures nobody has looked through yet: what they show is neither found nor painted over."""
    return sum(frame.id not in demo.parsed and not demo.elements.get(frame.id) for frame in demo.frames())
