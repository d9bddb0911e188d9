"""Cuts what was typed into words, quotes, patterns, parentheses and operators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from annotator.finding.query import QueryError, Span, Term, TermKind
from annotator.words import tr

__all__ = ["Token", "TokenKind", "tokens"]

TokenKind = Literal["term", "not", "or", "and", "(", ")"]

_KEY: Final = re.compile(r"([A-Za-z_]+):")
_BARE: Final = re.compile(r"[^\s()]+")
_CLOSING: Final = {'"': '"', "“": "”", "„": "“”"}
_WORDS: Final[dict[str, TokenKind]] = {"or": "or", "|": "or", "and": "and", "&": "and", "not": "not"}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece; ``term`` only where it is something to look for."""

    kind: TokenKind
    span: Span
    term: Term | None = None


def tokens(text: str) -> Iterator[Token]:
    """The pieces from left to right.

    Raises:
        QueryError: a quote or pattern without an end, or a key without a value.
    """
    at = 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            at += 1
        elif char in "()":
            yield Token("(" if char == "(" else ")", Span(at, at + 1))
            at += 1
        elif char == "-" and at + 1 < len(text) and not text[at + 1].isspace():
            yield Token("not", Span(at, at + 1))
            at += 1
        else:
            token = _operator(text, at) or _term(text, at)
            yield token
            at = token.span.end


def _operator(text: str, at: int) -> Token | None:
    bare = _BARE.match(text, at)
    if bare is None or (kind := _WORDS.get(bare.group().casefold())) is None:
        return None
    return Token(kind, Span(at, bare.end()))


def _term(text: str, start: int) -> Token:
    key = _KEY.match(text, start)
    at = start if key is None else key.end()
    if key is not None and (at == len(text) or text[at].isspace() or text[at] in "()"):
        name = key.group(1)
        raise QueryError(
            tr("“{name}:” needs a value after the colon.").format(name=name),
            Span(start, at),
            unfinished=at == len(text.rstrip()),
        )
    value, kind, end = _value(text, at)
    term = Term(
        key="" if key is None else key.group(1).casefold(),
        value=value,
        kind=kind,
        span=Span(start, end),
        value_span=Span(at, end),
    )
    return Token("term", term.span, term)


def _value(text: str, at: int) -> tuple[str, TermKind, int]:
    """What stands there, how it was written, and where it ends."""
    if text[at] in _CLOSING:
        end = next((i for i in range(at + 1, len(text)) if text[i] in _CLOSING[text[at]]), None)
        if end is None:
            raise QueryError(tr("This quote has no end."), Span(at, len(text)), unfinished=True)
        return text[at + 1 : end], "quoted", end + 1
    if text[at] == "/":
        end = _end_of_pattern(text, at)
        return text[at + 1 : end].replace("\\/", "/"), "pattern", end + 1
    bare = _BARE.match(text, at)
    # There is no white space and no parenthesis at this place, so there is a word.
    end = len(text) if bare is None else bare.end()
    return text[at:end], "word", end


def _end_of_pattern(text: str, at: int) -> int:
    i = at + 1
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == "/":
            return i
        i += 1
    raise QueryError(tr("This pattern has no closing slash."), Span(at, len(text)), unfinished=True)
