"""Kinds of private values, their places in a text, and which of several overlapping ones counts."""

from __future__ import annotations

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


Span = tuple[Kind, int, int]
"""What stands between two characters of a text, the second exclusive."""


def without_overlaps(found: Iterable[Span], text: str) -> list[Span]:
    """The spans that count, in the order of the text: the most specific kind first, then the longest.

    What touches a placeholder is dropped: that has been hidden already.
    """
    taken = bytearray(len(text))
    for hidden in PLACEHOLDER.finditer(text):
        taken[hidden.start() : hidden.end()] = b"\1" * len(hidden.group())
    kept: list[Span] = []
    for kind, start, end in sorted(found, key=lambda span: (_RANK[span[0]], span[1] - span[2], span[1])):
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            kept.append((kind, start, end))
    return sorted(kept, key=lambda span: span[1])
