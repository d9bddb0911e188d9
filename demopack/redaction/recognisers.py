"""Finds secrets and personal data in a text: patterns with checksums, no model, no network, linear time.

``recognise`` is called for every typed text while recording, so it imports nothing heavy and never blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from demopack.redaction.checked_numbers import cards, ibans, ips, phones
from demopack.redaction.credentials import assignments, tokens
from demopack.redaction.matches import PLACEHOLDER, Match, without_overlaps
from demopack.redaction.randomness import keys, lone_password

_EMAIL = re.compile(
    r"(?<![\w.%+-])[\w%+-][\w.%+-]{0,63}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}[^\W\d_]{2,24}(?![\w-])"
)
_USER_PATH = re.compile(
    r"(?:(?<![\w.])/(?:home|Users)/|%2F(?:home|Users)%2F|[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4})"
    r"([\w][\w.@+-]{0,60})",
    re.IGNORECASE,
)
_NOBODY = frozenset({"shared", "public", "default", "linuxbrew", "user", "username", "guest", "name", "all", "me"})


def _emails(text: str) -> Iterator[Match]:
    if "@" in text:
        for found in _EMAIL.finditer(text):
            yield Match(kind="email", start=found.start(), end=found.end(), value=found.group())


def _user_paths(text: str) -> Iterator[Match]:
    """The user's name alone, so that the path stays readable."""
    for found in _USER_PATH.finditer(text):
        name = found.group(1).rstrip(".-+@")
        # After %2F the next one ends the name; \w would run on into the letters of the escape.
        if name.lower() not in _NOBODY:
            yield Match(kind="user_path", start=found.start(1), end=found.start(1) + len(name), value=name)


_RECOGNISERS: Final[tuple[Callable[[str], Iterator[Match]], ...]] = (
    tokens, ibans, cards, _emails, keys, assignments, phones, _user_paths, ips, lone_password,
)  # fmt: skip


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
"""Characters that nobody sees, and that would tear a value apart."""


def recognise(text: str) -> list[Match]:
    """Everything private in a text, in its order, without overlaps; of two candidates the most specific counts.

    ``maybe_password`` is found only where it is the whole text: it is meant for text that somebody typed. Placeholders
    are never found again.

    Args:
        text: of any length; the time grows in proportion to it.
    """
    plain = _INVISIBLE.sub("", text)
    found = [match for recogniser in _RECOGNISERS for match in recogniser(plain)] if len(plain) > 2 else []
    if not found:
        return []
    matches = without_overlaps(found, plain)
    return matches if plain == text else _put_back(matches, text)


def _put_back(matches: list[Match], text: str) -> list[Match]:
    """Matches in a text without its invisible characters, as they lie in the text itself."""
    places = [place for place, char in enumerate(text) if not _INVISIBLE.match(char)]
    spans = [(match, places[match.start], places[match.end - 1] + 1) for match in matches]
    return [replace(match, start=start, end=end, value=text[start:end]) for match, start, end in spans]


def recognise_named(name: str, text: str) -> list[Match]:
    """As :func:`recognise` for the value of a field: what a field called ``password`` holds is one, whatever it is.

    Args:
        name: of the field, for instance ``api_key``.
        text: its value.
    """
    found = recognise(text)
    if found or not 3 <= len(text) <= 200 or PLACEHOLDER.search(text):
        return found
    written = f'{name}="{text}"'
    whole = any(match.value == text and match.end == len(written) - 1 for match in assignments(written))
    return [Match(kind="password_like", start=0, end=len(text), value=text)] if whole else found
