"""Values of a search: choices, numbers with their bounds, texts and patterns, with errors that say where."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from annotator.finding.query import QueryError, QuerySpan, Term
from annotator.words import tr

MAX_OPEN_REPETITIONS: Final = 3
"""Repetitions without an end in one pattern; each multiplies the time by the length of the text."""

_MAX_COUNTED_REPETITIONS: Final = 8
"""A repetition up to so many times is counted out; one that goes further is as good as without an end."""
_MAX_TEXT_LENGTHS: Final[dict[int, int]] = {2: 1_000, 3: 250}

_PATTERN_TOKEN: Final = re.compile(
    r"""\\. | \[\^?\]?(?:\\.|[^\]\\])*\] | (?P<open>\((?:\?(?:P?<[=!]|P<\w+>|P[=>]|[^)\s:=!>]*[:=!>])?)?)
    | (?P<close>\)) | (?P<either>\|) | (?P<times>[*+?]|\{\d*,?\d*\})[?+]? | .""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class _Part:
    """A group, or one character.

    Attributes:
        open: repetitions without an end, in that of its alternatives that has most of them.
        branch: those of the alternative that is read just now.
        either: whether there are alternatives in it.
    """

    open: int = 0
    branch: int = 0
    either: bool = False

    def end_branch(self) -> None:
        self.open, self.branch = max(self.open, self.branch), 0


def open_repetitions(pattern: str) -> int | None:
    """How many repetitions without an end a readable pattern has; None where one lies within another.

    Such a one, and alternatives that are repeated, may take time that doubles with each letter of a text.
    """
    groups, last = [_Part()], _Part()
    for found in _PATTERN_TOKEN.finditer(pattern):
        here = groups[-1]
        most = _most(found["times"]) if found["times"] else 0
        if found["open"]:
            groups.append(_Part())
            last = _Part()
        elif found["close"] and len(groups) > 1:
            last = groups.pop()
            last.end_branch()
            groups[-1].branch += last.open
            groups[-1].either |= last.either
        elif found["either"]:
            here.end_branch()
            here.either, last = True, _Part()
        elif most > _MAX_COUNTED_REPETITIONS:
            if last.open or last.either:
                return None
            here.branch += 1
        elif found["times"]:
            here.branch += last.open * max(most - 1, 0)
        else:
            last = _Part()
    groups[0].end_branch()
    return groups[0].open


def _most(times: str) -> int:
    """How often something may be repeated."""
    if times in "*+?":
        return 1 if times == "?" else _MAX_COUNTED_REPETITIONS + 1
    low, comma, high = times[1:-1].partition(",")
    if not low and not comma:
        return 1  # an empty pair of braces is text
    return int((high or _MAX_COUNTED_REPETITIONS + 1) if comma else low)


def room_for(repetitions: int) -> int | None:
    """How many letters of a text are looked at, so that no text takes seconds; None for all."""
    return _MAX_TEXT_LENGTHS.get(repetitions)


_Make_co = TypeVar("_Make_co", covariant=True)


@dataclass(frozen=True, slots=True)
class SearchKey(Generic[_Make_co]):
    """What may stand before a colon in a search.

    Attributes:
        words: what it looks at, for the completion.
        make: makes the question of a term; raises ``QueryError`` for a value that it cannot read.
        values: the words that may follow; empty where anything may.
        example: a value, where ``values`` is empty.
    """

    words: str
    make: _Make_co
    values: tuple[str, ...] = ()
    example: str = ""


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

    def holds(self, value: Any) -> Any:  # noqa: ANN401 - a number and a bool, or an array of each
        """Whether a number is within, or which of an array of numbers; what is no number never is."""
        above = value > self.low if self.low_open else value >= self.low
        return above & (value < self.high if self.high_open else value <= self.high)


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
    span = QuerySpan(term.span.start, term.value_span.start)
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
            raise _no_choice(term, word, plain, known, QuerySpan(at, at + len(word)))
        at += len(word) + 1
    return tuple(found)


def _no_choice(term: Term, word: str, plain: str, known: Sequence[str], span: QuerySpan) -> QueryError:
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
                tr("This pattern cannot be read: {msg}.").format(msg=error.msg), QuerySpan(at, at + 1)
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
    if found > MAX_OPEN_REPETITIONS:
        raise QueryError(
            tr("This pattern has {found} parts that repeat without an end; {most} are possible.").format(
                found=found, most=MAX_OPEN_REPETITIONS
            ),
            term.value_span,
        )
    return found
