"""The language of searches: words, ``key:value``, quotes, patterns, ``not`` or ``-``, ``or``, parentheses."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast

from annotator.words import tr
from demopack.errors import BadInputError
from models.language.check.text_spans import TextSpan

T = TypeVar("T")
Test: TypeAlias = Callable[[T], bool]
"""Whether something fits."""


@dataclass(frozen=True, slots=True)
class ValueTest(Generic[T]):
    """A test of one value: among many subjects each value is asked about once.

    Attributes:
        read: the value of a subject; the same function for every search of its kind, since columns are kept by it.
        holds: whether a value fits.
    """

    read: Callable[[T], Hashable]
    holds: Callable[[Any], bool]

    def __call__(self, subject: T) -> bool:
        """Whether one subject fits."""
        return self.holds(self.read(subject))


@dataclass(frozen=True, slots=True)
class CombinedTest(Generic[T]):
    """Several tests, of which all must fit, any, or none."""

    how: Literal["all", "any", "none"]
    tests: tuple[Test[T], ...]

    def __call__(self, subject: T) -> bool:
        """Whether one subject fits."""
        every = self.how == "all"
        for test in self.tests:  # a generator would cost more than most tests
            if test(subject) != every:
                return self.how == "any"
        return self.how != "any"


TermKind = Literal["word", "quoted", "pattern"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One thing to look for.

    Attributes:
        key: before the colon, lower case; empty for a free word.
        value: after it, without quotes or slashes.
        kind: how the value was written.
        span: of the whole.
        value_span: of the value with its quotes or slashes.
    """

    key: str
    value: str
    kind: TermKind
    span: TextSpan
    value_span: TextSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Query(Generic[T]):
    """A search that was understood.

    Attributes:
        terms: everything that is looked for, from left to right.
        fits: whether something is found by it; everything is by an empty one.
    """

    terms: tuple[Term, ...]
    fits: Test[T]


class QueryError(BadInputError):
    """A search that cannot be understood.

    Attributes:
        span: which part of it.
        unfinished: whether it is merely not written to its end yet, as while it is typed.
    """

    def __init__(self, message: str, span: TextSpan, *, unfinished: bool = False) -> None:
        super().__init__(message)
        self.span = span
        self.unfinished = unfinished


_TOKEN: Final = re.compile(
    r"""(?P<open>\() | (?P<close>\)) | (?P<minus>-(?=\S))
    | (?P<or>(?:(?i:or)|\|)(?![^\s()])) | (?P<and>(?:(?i:and)|&)(?![^\s()])) | (?P<not>(?i:not)(?![^\s()]))
    | (?P<no_value>[A-Za-z_]+:(?![^\s()]))
    | (?:(?P<key>[A-Za-z_]+):)?
      (?: "(?P<straight>[^"]*)" | “(?P<curly>[^”]*)” | „(?P<low>[^“”]*)[“”] | /(?P<pattern>(?:\\.|[^\\/])*)/
      | (?P<no_end>["“„/]) | (?P<word>[^\s()]+))""",
    re.VERBOSE | re.DOTALL,
)
_KINDS: Final = {"minus": "not", "straight": "quoted", "curly": "quoted", "low": "quoted"}
_NOTHING_LEFT: Final = frozenset({"end", "or", "close"})


class _Token(NamedTuple):
    """One piece; ``term`` only where it is something to look for."""

    kind: str
    span: TextSpan
    term: Term | None = None


def _tokens(text: str) -> list[_Token]:
    """The pieces from left to right.

    Raises:
        QueryError: a quote or pattern without an end, or a key without a value.
    """
    found: list[_Token] = []
    for match in _TOKEN.finditer(text):
        name, span = str(match.lastgroup), TextSpan.of(match)
        kind = _KINDS.get(name, name)
        value_span = TextSpan(span.start if match["key"] is None else match.end("key") + 1, span.end)
        if name == "no_value":
            words = tr("“{name}:” needs a value after the colon.").format(name=match[name][:-1])
            raise QueryError(words, span, unfinished=span.end == len(text.rstrip()))
        if name == "no_end":
            words = tr("This pattern has no closing slash.") if match[name] == "/" else tr("This quote has no end.")
            raise QueryError(words, TextSpan(value_span.start, len(text)), unfinished=True)
        if kind not in {"word", "quoted", "pattern"}:
            found.append(_Token(kind, span))
            continue
        value = match[name].replace("\\/", "/") if kind == "pattern" else match[name]
        key = (match["key"] or "").casefold()
        term = Term(key=key, value=value, kind=cast("TermKind", kind), span=span, value_span=value_span)
        found.append(_Token("term", span, term))
    return found


_MAX_DEPTH: Final = 40


def parse_query(text: str, make: Callable[[Term], Test[T]]) -> Query[T]:
    """What a search means.

    Words side by side must all fit; ``or`` binds weaker than that, ``not`` stronger.

    Args:
        text: as it was typed.
        make: says what fits a term; raises ``QueryError`` where it cannot be understood.

    Raises:
        QueryError: it cannot be understood; the error says where.
    """
    tokens = _tokens(text)
    if not tokens:
        return Query(terms=(), fits=_anything)
    # What is wrong with its form is said before what is wrong with its values.
    _Parser[T](tokens, lambda _: _anything).whole()
    terms = tuple(token.term for token in tokens if token.term is not None)
    return Query(terms=terms, fits=_Parser(tokens, make).whole())


def _anything(_: object) -> bool:
    return True


class _Parser(Generic[T]):
    """Goes over the pieces once."""

    def __init__(self, tokens: list[_Token], make: Callable[[Term], Test[T]]) -> None:
        self._end = tokens[-1].span.end
        self._tokens = [*tokens, _Token("end", TextSpan(self._end, self._end))]
        self._at = 0
        self._make = make

    def whole(self) -> Test[T]:
        fits = self._any_of(0)
        if self._next.kind != "end":
            raise self._lacking(self._next)
        return fits

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _any_of(self, depth: int) -> Test[T]:
        tests = [self._all_of(depth)]
        while self._next.kind == "or":
            operator = self._take()
            if self._next.kind in _NOTHING_LEFT:
                raise self._lacking(operator)
            tests.append(self._all_of(depth))
        return tests[0] if len(tests) == 1 else CombinedTest("any", tuple(tests))

    def _all_of(self, depth: int) -> Test[T]:
        tests: list[Test[T]] = []
        while self._next.kind not in _NOTHING_LEFT:
            if self._next.kind != "and":
                tests.append(self._one(depth))
                continue
            operator = self._take()
            if not tests or self._next.kind in _NOTHING_LEFT:
                raise self._lacking(operator)
        if not tests:
            raise self._lacking(self._next)
        return tests[0] if len(tests) == 1 else CombinedTest("all", tuple(tests))

    def _one(self, depth: int) -> Test[T]:
        if depth > _MAX_DEPTH:
            raise QueryError(tr("This is nested too deeply."), self._next.span)
        token = self._take()
        if token.term is not None:
            return self._make(token.term)
        if token.kind == "not":
            if self._next.kind in {"and", *_NOTHING_LEFT}:
                raise self._lacking(token)
            return CombinedTest("none", (self._one(depth + 1),))
        if self._next.kind == "close":
            span = TextSpan(token.span.start, self._next.span.end)
            raise QueryError(tr("There is nothing between these parentheses."), span)
        group = None if self._next.kind == "end" else self._any_of(depth + 1)
        if group is None or self._take().kind == "end":
            raise QueryError(tr("This parenthesis is not closed."), token.span, unfinished=True)
        return group

    def _lacking(self, token: _Token) -> QueryError:
        if token.kind == "close":
            return QueryError(tr("This parenthesis was never opened."), token.span)
        words = {"not": tr("“not” needs something after it."), "or": tr("“or” needs something on both sides.")}
        message = words.get(token.kind, tr("“and” needs something on both sides."))
        return QueryError(message, token.span, unfinished=token.span.end == self._end and self._at > 1)
