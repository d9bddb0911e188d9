"""A search as a tree, each part with its place in what was typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from demopack.errors import BadInputError

__all__ = ["EVERYTHING", "AllOf", "AnyOf", "Node", "Not", "QueryError", "Span", "Term", "TermKind"]

TermKind = Literal["word", "quoted", "pattern"]


@dataclass(frozen=True, slots=True)
class Span:
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
    span: Span
    value_span: Span


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

    def __init__(self, message: str, span: Span, *, hint: str = "", unfinished: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.span = span
        self.unfinished = unfinished
