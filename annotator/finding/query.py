"""A search as a tree: words, ``key:value``, quotes, patterns, ``not`` or ``-``, ``or``, parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from annotator.words import tr
from demopack.errors import BadInputError

TermKind = Literal["word", "quoted", "pattern"]


@dataclass(frozen=True, slots=True)
class QuerySpan:
    """A piece of what was typed: from the first character up to, and without, the last."""

    start: int
    end: int


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
    span: QuerySpan
    value_span: QuerySpan


@dataclass(frozen=True, slots=True)
class Not:
    """What does not fit."""

    node: Node


@dataclass(frozen=True, slots=True)
class AllOf:
    """What fits every part; everything fits no parts."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """What fits one part at least."""

    nodes: tuple[Node, ...]


Node: TypeAlias = Term | Not | AllOf | AnyOf

EVERYTHING = AllOf(())


class QueryError(BadInputError):
    """A search that cannot be understood.

    Attributes:
        span: which part of it.
        unfinished: whether it is merely not written to its end yet, as while it is typed.
    """

    def __init__(self, message: str, span: QuerySpan, *, hint: str = "", unfinished: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.span = span
        self.unfinished = unfinished


TokenKind = Literal["term", "not", "or", "and", "(", ")"]

_KEY: Final = re.compile(r"([A-Za-z_]+):")
_BARE_WORD: Final = re.compile(r"[^\s()]+")
_VALUE: Final = re.compile(
    r""""(?P<straight>[^"]*)" | “(?P<curly>[^”]*)” | „(?P<low>[^“”]*)[“”] | /(?P<pattern>(?:\\.|[^\\/])*)/
    | (?P<word>[^\s()]+)""",
    re.VERBOSE | re.DOTALL,
)
_WORDS: Final[dict[str, TokenKind]] = {"or": "or", "|": "or", "and": "and", "&": "and", "not": "not"}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece; ``term`` only where it is something to look for."""

    kind: TokenKind
    span: QuerySpan
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
            yield Token("(" if char == "(" else ")", QuerySpan(at, at + 1))
            at += 1
        elif char == "-" and at + 1 < len(text) and not text[at + 1].isspace():
            yield Token("not", QuerySpan(at, at + 1))
            at += 1
        else:
            token = _operator(text, at) or _term(text, at)
            yield token
            at = token.span.end


def _operator(text: str, at: int) -> Token | None:
    bare = _BARE_WORD.match(text, at)
    if bare is None or (kind := _WORDS.get(bare.group().casefold())) is None:
        return None
    return Token(kind, QuerySpan(at, bare.end()))


def _term(text: str, start: int) -> Token:
    key = _KEY.match(text, start)
    at = start if key is None else key.end()
    if key is not None and (at == len(text) or text[at].isspace() or text[at] in "()"):
        name = key.group(1)
        raise QueryError(
            tr("“{name}:” needs a value after the colon.").format(name=name),
            QuerySpan(start, at),
            unfinished=at == len(text.rstrip()),
        )
    value, kind, end = _value(text, at)
    term = Term(
        key="" if key is None else key.group(1).casefold(),
        value=value,
        kind=kind,
        span=QuerySpan(start, end),
        value_span=QuerySpan(at, end),
    )
    return Token("term", term.span, term)


def _value(text: str, at: int) -> tuple[str, TermKind, int]:
    """What stands there, how it was written, and where it ends."""
    found = _VALUE.match(text, at)
    kind = None if found is None else found.lastgroup
    if found is None or kind is None or (kind == "word" and text[at] in '"“„/'):
        words = tr("This pattern has no closing slash.") if text[at] == "/" else tr("This quote has no end.")
        raise QueryError(words, QuerySpan(at, len(text)), unfinished=True)
    if kind == "pattern":
        return found[kind].replace("\\/", "/"), "pattern", found.end()
    return found[kind], "word" if kind == "word" else "quoted", found.end()


_MAX_DEPTH = 40


def parse_query(text: str) -> Node:
    """The tree of a search; everything fits an empty one.

    Words side by side must all fit; ``or`` binds weaker than that, ``not`` stronger.

    Raises:
        QueryError: it cannot be understood; the error says where.
    """
    reader = _Reader(list(tokens(text)), len(text))
    if not reader.left():
        return EVERYTHING
    node = reader.any_of(0)
    if reader.left():
        raise QueryError(tr("This parenthesis was never opened."), reader.next.span)
    return node


def terms_of(node: Node) -> list[Term]:
    """Everything that is looked for, from left to right."""
    if isinstance(node, Term):
        return [node]
    if isinstance(node, Not):
        return terms_of(node.node)
    return [term for part in node.nodes for term in terms_of(part)]


class _Reader:
    """Goes over the pieces once."""

    def __init__(self, pieces: list[Token], length: int) -> None:
        self._pieces = pieces
        self._at = 0
        self._length = length

    def left(self) -> bool:
        return self._at < len(self._pieces)

    @property
    def next(self) -> Token:
        return self._pieces[self._at]

    def _is(self, *kinds: str) -> bool:
        return self.left() and self.next.kind in kinds

    def _take(self) -> Token:
        self._at += 1
        return self._pieces[self._at - 1]

    def any_of(self, depth: int) -> Node:
        nodes = [self._all_of(depth)]
        while self._is("or"):
            operator = self._take()
            if not self.left() or self._is("or", ")"):
                raise self._lacking(operator)
            nodes.append(self._all_of(depth))
        return nodes[0] if len(nodes) == 1 else AnyOf(tuple(nodes))

    def _all_of(self, depth: int) -> Node:
        nodes: list[Node] = []
        while self.left() and not self._is("or", ")"):
            if self._is("and"):
                operator = self._take()
                if not nodes or not self.left() or self._is("or", ")"):
                    raise self._lacking(operator)
                continue
            nodes.append(self._one(depth))
        if not nodes:
            raise self._lacking(self.next)
        return nodes[0] if len(nodes) == 1 else AllOf(tuple(nodes))

    def _one(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise QueryError(tr("This is nested too deeply."), self.next.span)
        token = self._take()
        if token.kind == "not":
            if not self.left() or self._is("or", "and", ")"):
                raise self._lacking(token)
            return Not(self._one(depth + 1))
        if token.kind == "(":
            return self._group(token, depth)
        if token.term is None:
            raise self._lacking(token)
        return token.term

    def _group(self, opened: Token, depth: int) -> Node:
        if self._is(")"):
            raise QueryError(
                tr("There is nothing between these parentheses."), QuerySpan(opened.span.start, self.next.span.end)
            )
        if not self.left():
            raise QueryError(tr("This parenthesis is not closed."), opened.span, unfinished=True)
        node = self.any_of(depth + 1)
        if not self.left():
            raise QueryError(tr("This parenthesis is not closed."), opened.span, unfinished=True)
        self._take()
        return node

    def _lacking(self, token: Token) -> QueryError:
        if token.kind == ")":
            return QueryError(tr("This parenthesis was never opened."), token.span)
        words = {"not": tr("“not” needs something after it."), "or": tr("“or” needs something on both sides.")}
        last = token.span.end == self._pieces[-1].span.end
        message = words.get(token.kind, tr("“and” needs something on both sides."))
        return QueryError(message, token.span, unfinished=last and self._at > 1)
