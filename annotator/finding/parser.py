"""Understands a search: words, ``key:value``, quotes, patterns, ``not`` or ``-``, ``or``, parentheses."""

from __future__ import annotations

from annotator.finding.lexer import Token, tokens
from annotator.finding.query import EVERYTHING, AllOf, AnyOf, Node, Not, QueryError, Span, Term
from annotator.words import tr

__all__ = ["parse_query", "terms_of"]

_DEEPEST = 40


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
        if depth > _DEEPEST:
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
                tr("There is nothing between these parentheses."), Span(opened.span.start, self.next.span.end)
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
