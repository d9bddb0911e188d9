"""Keys of a search: how their values are read, with errors that say where, and what can be written at the cursor."""

from __future__ import annotations

import difflib
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from annotator.finding.query import CombinedTest, Query, QueryError, Term, Test, ValueTest, parse_query
from annotator.words import tr
from models.language.check.text_spans import TextSpan

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchKey(Generic[T]):
    """What may stand before a colon in a search.

    Attributes:
        words: what it looks at, for the completion.
        make: what fits a term; raises ``QueryError`` for a value that it cannot read.
        values: the words that may follow; empty where anything may.
        example: a value, where ``values`` is empty.
    """

    words: str
    make: Callable[[Term], Test[T]]
    values: tuple[str, ...] = ()
    example: str = ""


def understood(
    text: str,
    keys: Mapping[str, SearchKey[T]],
    free: Callable[[Term], Test[T]],
    *,
    elsewhere: Mapping[str, str] = MappingProxyType({}),
) -> Query[T]:
    """Make a search of what was typed.

    Args:
        text: what was typed.
        keys: what may stand before a colon.
        free: what fits a word without a key.
        elsewhere: what to say about keys that belong to another search.

    Raises:
        QueryError: it cannot be understood; the error says where.
    """

    def make(term: Term) -> Test[T]:
        if not term.key:
            return free(term)
        if term.key in keys:
            return keys[term.key].make(term)
        near = _nearest(term.key, tuple(keys))
        more = tr(" Did you mean “{near}:”?") if near else tr(" Put it in quotes to look for it as a text.")
        words = elsewhere.get(term.key) or tr("There is no key “{key}:”.{more}")
        told = words.format(key=term.key, more=more.format(near=near))
        raise QueryError(told, TextSpan(term.span.start, term.value_span.start))

    return parse_query(text, make)


def _nearest(word: str, known: Sequence[str]) -> str:
    """The known word that was probably meant; empty when none is near."""
    found = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return found[0] if found else ""


# Choices ----------------------------------------------------------------------------------------------------------


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
            near = _nearest(plain, known)
            more = tr(" Did you mean “{near}”?") if near else tr(" There are: {join}.")
            words = tr("“{key}:” knows no “{strip}”.{more}").format(
                key=term.key, strip=word.strip(), more=more.format(near=near, join=", ".join(known))
            )
            unfinished = any(one.startswith(plain) for one in known)
            raise QueryError(words, TextSpan(at, at + len(word)), unfinished=unfinished)
        at += len(word) + 1
    return tuple(found)


def label_key(words: str, known: tuple[str, ...], read: Callable[[T], Iterable[str]]) -> SearchKey[T]:
    """A key whose values are words; one of those that are named must be among those that are read."""

    def said(subject: T) -> tuple[str, ...]:
        return tuple(read(subject))

    def make(term: Term) -> Test[T]:
        chosen = frozenset(as_choices(term, known))
        return ValueTest(said, lambda labels: not chosen.isdisjoint(labels))

    return SearchKey(words, make, values=known)


def choice_key(words: str, tests: Mapping[str, Test[T]]) -> SearchKey[T]:
    """A key whose values are words; one of those that are named must fit."""

    def make(term: Term) -> Test[T]:
        chosen = [tests[name] for name in as_choices(term, tuple(tests))]
        return chosen[0] if len(chosen) == 1 else CombinedTest("any", tuple(chosen))

    return SearchKey(words, make, values=tuple(tests))


# Numbers ----------------------------------------------------------------------------------------------------------

_NUMBER: Final = r"(\d+(?:\.\d+)?|\.\d+)\s*(%?)"
_COMPARED: Final = re.compile(rf"(<=|>=|<|>|=)?{_NUMBER}")
_BETWEEN: Final = re.compile(rf"{_NUMBER}(?:-|\.\.|…){_NUMBER}")
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def as_number_test(term: Term, *, example: str, slack: float = 0.0) -> Test[float]:
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
        return lambda value: low <= value <= high
    compared = _COMPARED.fullmatch(text)
    if compared is None:
        words = tr("“{key}:” wants a number such as {example}, not “{value}”.")
        told = words.format(key=term.key, example=example, value=term.value)
        unfinished = text in {"<", ">", "<=", ">=", "="} or text.endswith(("-", ".", "…"))
        raise QueryError(told, term.value_span, unfinished=unfinished)
    number = float(compared.group(2)) / (100 if compared.group(3) else 1)
    fits = _COMPARISONS.get(compared.group(1) or "")
    if fits is None:
        return lambda value: number - slack <= value <= number + slack
    return lambda value: fits(value, number)


def number_key(words: str, read: Callable[[T], float], example: str) -> SearchKey[T]:
    """A key whose values are numbers."""

    def make(term: Term) -> Test[T]:
        return ValueTest(read, as_number_test(term, example=example))

    return SearchKey(words, make, example=example)


# Texts and patterns -----------------------------------------------------------------------------------------------

MAX_OPEN_REPETITIONS: Final = 3
"""Repetitions without an end in one pattern; each multiplies the time by the length of the text."""

_MAX_COUNTED_REPETITIONS: Final = 8
"""A repetition up to so many times is counted out; one that goes further is as good as without an end."""
_MAX_TEXT_LENGTHS: Final[Mapping[int, int]] = {2: 1_000, 3: 250}
"""Letters of a text that a pattern with so many repetitions looks at, so that no text takes seconds."""

_ONE_LETTER: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\}|@", re.DOTALL)
_TIMES: Final = r"([*+?]|\{\d*,?\d*\})[?+]?"
_INNERMOST_GROUP: Final = re.compile(
    rf"\((?:\?(?:P?<[=!]|P<\w+>|P[=>]|[^()\s:=!>]*[:=!>])?)?(?P<body>[^()]*)\)(?:{_TIMES})?"
)


def open_repetitions(pattern: str) -> int | None:
    """How many repetitions without an end a readable pattern has; None where one lies within another.

    Such a one, and alternatives that are repeated, may take time that doubles with each letter of a text.
    """
    plain = _ONE_LETTER.sub("x", pattern)
    while (group := _INNERMOST_GROUP.search(plain)) is not None:
        body, times = group["body"], _max_times(group[2] or "?")
        inside, either = _in_any_branch(body), "|" in body or "@" in body
        endless = times > _MAX_COUNTED_REPETITIONS
        if endless and (inside or either):
            return None
        worth = 1 if endless else min(inside * int(times), 99)
        # In its place: as many open repetitions as it is worth, and a mark for alternatives.
        plain = plain[: group.start()] + "x" + "x*" * worth + "@" * either + plain[group.end() :]
    return _in_any_branch(plain)


def _in_any_branch(body: str) -> int:
    """Open repetitions in that alternative that has most of them; there are no groups in it."""
    return max(
        sum(_max_times(times) > _MAX_COUNTED_REPETITIONS for times in re.findall(_TIMES, branch))
        for branch in body.split("|")
    )


def _max_times(times: str) -> float:
    """How often something may be repeated."""
    if times in "*+?":
        return 1 if times == "?" else math.inf
    low, comma, high = times[1:-1].partition(",")
    return float((high or math.inf) if comma else low)


def one_line(text: str) -> str:
    """A text casefolded and on one line."""
    return " ".join(text.casefold().split())


def as_text_test(term: Term, *, fold: Callable[[str], str] = str.casefold) -> Test[str]:
    """Whether a text holds the value, capital letters or not; whether a pattern is found in it.

    Of very long texts a pattern with several repetitions sees the beginning only.

    Args:
        term: the value.
        fold: makes the value like the texts that it is looked for in, without capital letters.

    Raises:
        QueryError: the pattern is none, or could take for ever.
    """
    if term.kind != "pattern":
        wanted = fold(term.value)
        return lambda text: wanted in text
    try:
        search = re.compile(term.value, re.IGNORECASE).search
    except re.error as error:
        at = term.value_span.start + 1 + (error.pos or 0)
        told = tr("This pattern cannot be read: {msg}.").format(msg=error.msg)
        raise QueryError(told, TextSpan(at, at + 1)) from error
    found = open_repetitions(term.value)
    if found is None or found > MAX_OPEN_REPETITIONS:
        words = tr("This pattern has {found} parts that repeat without an end; {most} are possible.")
        if found is None:
            words = tr("This pattern repeats something that repeats already, which could take for ever.")
        raise QueryError(words.format(found=found, most=MAX_OPEN_REPETITIONS), term.value_span)
    room = _MAX_TEXT_LENGTHS.get(found)

    @cache  # each text is asked about once: many elements say the same
    def holds(text: str) -> bool:
        return search(text[:room]) is not None

    return holds


def text_key(words: str, read: Callable[[T], str], example: str) -> SearchKey[T]:
    """A key whose values are texts, or parts of them."""

    def make(term: Term) -> Test[T]:
        fits = as_text_test(term)
        return lambda subject: fits(read(subject).casefold())

    return SearchKey(words, make, example=example)


# Completion -------------------------------------------------------------------------------------------------------

_MAX_OFFERED: Final = 40
_WORD: Final = re.compile(r"[^\s()]*\Z")
_KEY: Final = re.compile(r"(-?)([A-Za-z_]+):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing that can be written.

    Attributes:
        text: what is put in the place.
        words: what it means; may be empty.
    """

    text: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What can be written instead of the characters from ``start`` to ``end``."""

    start: int
    end: int
    offered: tuple[CompletionItem, ...] = ()


def completion_at(text: str, cursor: int, keys: Mapping[str, SearchKey[T]], *, texts: Sequence[str] = ()) -> Completion:
    """What fits the word before the cursor.

    Args:
        text: the search.
        cursor: where the user writes.
        keys: what may stand before a colon.
        texts: values for ``text:``, for instance those on the picture.
    """
    found = _WORD.search(text[:cursor])
    word = "" if found is None else found.group()
    start = cursor - len(word)
    key = _KEY.fullmatch(word)
    within = text[:start].count('"') % 2 or text[:start].count("/") % 2  # a quote or a pattern
    if within or (key is None and word[:1] in {'"', "/", "“", "„"}):
        return Completion(start=cursor, end=cursor)
    if key is None:
        minus, begun = ("-", word[1:]) if word.startswith("-") else ("", word)
        fitting = [(name, one) for name, one in keys.items() if name.startswith(begun.casefold())]
        words = tr("{words}, for instance {example}")
        offered = tuple(
            CompletionItem(
                f"{minus}{name}:", words.format(words=one.words, example=one.example) if one.example else one.words
            )
            for name, one in fitting
        )
        return Completion(start=start, end=cursor, offered=offered)
    name, written = key.group(2).casefold(), key.group(3)
    if name == "text":
        begun = written.strip('"').casefold()
        near = sorted({text for text in texts if text and begun in text.casefold()}, key=str.casefold)
        values = [f'"{text}"' for text in near[:_MAX_OFFERED] if '"' not in text]
    else:
        written = written.rpartition(",")[2]
        last, known = written.casefold(), keys[name].values if name in keys else ()
        begins = [value for value in known if value.startswith(last)]
        holding = [value for value in known if last and last in value and value not in begins]
        values = [value for value in begins + holding if value != last]
    items = tuple(CompletionItem(value) for value in values[:_MAX_OFFERED])
    return Completion(start=cursor - len(written), end=cursor, offered=items)
