"""Finds secrets and personal data in a text: patterns with checksums, no model, no network, linear time.

``recognise`` is called for every typed text while recording, so it imports nothing heavy and never blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from demopack.domain.words import EMAIL
from demopack.redaction.checked_numbers import cards, ibans, ips, phones
from demopack.redaction.credentials import assignments, tokens
from demopack.redaction.matches import PLACEHOLDER, Match, Span, without_overlaps
from demopack.redaction.randomness import keys, lone_password

_USER_PATH = re.compile(
    r"(?:(?<![\w.])/(?:home|Users)/|%2F(?:home|Users)%2F|[A-Za-z]:[\\/]{1,4}(?:Users|Documents and Settings)[\\/]{1,4})"
    r"([\w][\w.@+-]{0,60})",
    re.IGNORECASE,
)
_NOBODY = frozenset({"shared", "public", "default", "linuxbrew", "user", "username", "guest", "name", "all", "me"})


def _emails(text: str) -> Iterator[Span]:
    for found in EMAIL.finditer(text) if "@" in text else ():
        yield "email", found.start(), found.end()


def _user_paths(text: str) -> Iterator[Span]:
    """The user's name alone, so that the path stays readable."""
    for found in _USER_PATH.finditer(text):
        # After %2F the next one ends the name; \w would run on into the letters of the escape.
        name = found.group(1).rstrip(".-+@")
        if name.lower() not in _NOBODY:
            yield "user_path", found.start(1), found.start(1) + len(name)


_RECOGNISERS: Final[tuple[Callable[[str], Iterator[Span]], ...]] = (
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
    found = [span for recogniser in _RECOGNISERS for span in recogniser(plain)] if len(plain) > 2 else []
    if not found:
        return []
    # Where the characters that are seen lie in the text itself.
    places: Sequence[int] = range(len(text))
    if plain != text:
        places = [place for place, char in enumerate(text) if not _INVISIBLE.match(char)]
    matches: list[Match] = []
    for kind, first, after in without_overlaps(found, plain):
        start, end = places[first], places[after - 1] + 1
        matches.append(Match(kind=kind, start=start, end=end, value=text[start:end]))
    return matches


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
    whole = any(written[start:end] == text and end == len(written) - 1 for _, start, end in assignments(written))
    return [Match(kind="password_like", start=0, end=len(text), value=text)] if whole else found
