"""Matches that a recogniser found in a text, and which of several overlapping findings counts."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

Kind = Literal[
    "token", "iban", "card", "email", "key", "password_like", "phone", "user_path", "ip", "maybe_password", "text"
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Every kind, the most specific first: of two overlapping matches the one that stands further left here counts.

No recogniser finds a ``text``: it is whatever a person named, for instance somebody's name."""

SECRET_KINDS: Final[frozenset[Kind]] = frozenset({"token", "iban", "card", "key", "password_like"})
"""Whoever reads one of these can use it. ``maybe_password`` is a guess about a lone word, and no secret by itself."""

PLACEHOLDER: Final = re.compile(r"<[a-z_]{2,20}:[\w .-]{1,40}>")
"""What stands for a value that was hidden: ``<email:1>``, or ``<secret:name>`` as the recorder writes it."""

_RANK: Final = {kind: rank for rank, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One find.

    Attributes:
        kind: what it is.
        start: first character, counted from 0.
        end: the character after the last one.
        value: the text between them.
    """

    kind: Kind
    start: int
    end: int
    value: str


def without_overlaps(found: Iterable[Match], text: str) -> list[Match]:
    """The matches that count, in the order of the text: the most specific kind first, then the longest.

    What touches a placeholder is dropped: that has been hidden already.
    """
    starts: list[int] = []
    ends: list[int] = []
    for hidden in PLACEHOLDER.finditer(text):
        starts.append(hidden.start())
        ends.append(hidden.end())
    kept: list[Match] = []
    for match in sorted(found, key=lambda m: (_RANK[m.kind], m.start - m.end, m.start)):
        place = bisect.bisect_left(starts, match.start)
        free = (place == 0 or ends[place - 1] <= match.start) and (place == len(starts) or match.end <= starts[place])
        if free:
            starts.insert(place, match.start)
            ends.insert(place, match.end)
            kept.append(match)
    return sorted(kept, key=lambda m: m.start)
