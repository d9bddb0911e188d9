"""Reads the values of a search: choices, numbers with their bounds, texts and patterns; and says what is wrong."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from annotator.finding.patterns import MOST_OPEN, open_repetitions, room_for
from annotator.finding.query import QueryError, Span, Term
from annotator.words import tr

__all__ = ["Bounds", "as_bounds", "as_choices", "as_text_test", "nearest", "unknown_key"]

_NUMBER: Final = r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)"
_COMPARED: Final = re.compile(rf"(<=|>=|<|>|=)?{_NUMBER}")
_BETWEEN: Final = re.compile(rf"{_NUMBER}(?:-|\.\.|…){_NUMBER}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """From ``low`` to ``high``, both included unless they are open.

    Attributes:
        low: minus infinity for none.
        high: infinity for none.
        low_open: ``low`` itself is left out.
        high_open: likewise.
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number is within."""
        above = value > self.low if self.low_open else value >= self.low
        return above and (value < self.high if self.high_open else value <= self.high)


def nearest(word: str, known: Sequence[str]) -> str:
    """The known word that was probably meant; empty when none is near."""
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else ""


def unknown_key(term: Term, known: Sequence[str]) -> QueryError:
    """Says that there is no such key, and which one was probably meant."""
    near = nearest(term.key, known)
    more = (
        tr(" Did you mean “{near}:”?").format(near=near) if near else tr(" Put it in quotes to look for it as a text.")
    )
    span = Span(term.span.start, term.value_span.start)
    return QueryError(tr("There is no key “{key}:”.{more}").format(key=term.key, more=more), span)


def as_choices(term: Term, known: Sequence[str]) -> tuple[str, ...]:
    """Which of the known words were named, separated by commas.

    Raises:
        QueryError: one of them is not known.
    """
    found: list[str] = []
    at = term.value_span.start + (term.kind != "word")
    for word in term.value.split(","):
        plain = word.strip().casefold().replace(" ", "_").replace("-", "_")
        if plain in known:
            found.append(plain)
        elif word.strip() or not found:
            raise _no_choice(term, word, plain, known, Span(at, at + len(word)))
        at += len(word) + 1
    return tuple(found)


def _no_choice(term: Term, word: str, plain: str, known: Sequence[str], span: Span) -> QueryError:
    near = nearest(plain, known)
    begins = [one for one in known if one.startswith(plain)]
    more = (
        tr(" Did you mean “{near}”?").format(near=near)
        if near
        else tr(" There are: {join}.").format(join=", ".join(known))
    )
    return QueryError(
        tr("“{key}:” knows no “{strip}”.{more}").format(key=term.key, strip=word.strip(), more=more),
        span,
        unfinished=bool(begins),
    )


def as_bounds(term: Term, *, example: str, slack: float = 0.0) -> Bounds:
    """A number, a comparison or a range.

    Args:
        term: for instance ``<0.6``, ``>=3``, ``3-7``, ``60%``.
        example: what would be right, for the error.
        slack: how far from a plain number a value may be.

    Raises:
        QueryError: it is none of these.
    """
    text = term.value.replace(",", ".").strip()
    between = _BETWEEN.fullmatch(text)
    if between is not None:
        low, high = (float(n) / (100 if unit else 1) for n, unit in (between.group(1, 2), between.group(3, 4)))
        if low > high:
            raise QueryError(tr("This range ends before it begins: {value}.").format(value=term.value), term.value_span)
        return Bounds(low=low, high=high)
    compared = _COMPARED.fullmatch(text)
    if compared is None:
        unfinished = text in {"<", ">", "<=", ">=", "="} or text.endswith(("-", ".", "…"))
        raise QueryError(
            tr("“{key}:” wants a number such as {example}, not “{value}”.").format(
                key=term.key, example=example, value=term.value
            ),
            term.value_span,
            unfinished=unfinished,
        )
    number = float(compared.group(2)) / (100 if compared.group(3) else 1)
    return {
        "<": Bounds(high=number, high_open=True),
        "<=": Bounds(high=number),
        ">": Bounds(low=number, low_open=True),
        ">=": Bounds(low=number),
    }.get(compared.group(1) or "", Bounds(low=number - slack, high=number + slack))


def as_text_test(term: Term) -> Callable[[str], bool]:
    """Whether a text holds the value, capital letters or not; whether a pattern is found in it.

    The texts must be casefolded already. Of very long ones a pattern with several repetitions sees the beginning only.

    Raises:
        QueryError: the pattern is none, or could take for ever.
    """
    if term.kind == "pattern":
        try:
            search = re.compile(term.value, re.IGNORECASE).search
        except re.error as error:
            at = term.value_span.start + 1 + (error.pos or 0)
            raise QueryError(
                tr("This pattern cannot be read: {msg}.").format(msg=error.msg), Span(at, at + 1)
            ) from error
        room = room_for(_repetitions(term))
        return lambda text: search(text if room is None else text[:room]) is not None
    wanted = term.value.casefold()
    return lambda text: wanted in text


def _repetitions(term: Term) -> int:
    """How many repetitions without an end a pattern has.

    Raises:
        QueryError: so many, or in such a way, that it could take for ever.
    """
    found = open_repetitions(term.value)
    if found is None:
        raise QueryError(
            tr("This pattern repeats something that repeats already, which could take for ever."), term.value_span
        )
    if found > MOST_OPEN:
        raise QueryError(
            tr("This pattern has {found} parts that repeat without an end; {most} are possible.").format(
                found=found, most=MOST_OPEN
            ),
            term.value_span,
        )
    return found
