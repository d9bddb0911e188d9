"""The library's search: the language of :mod:`annotator.finding`, put to the summaries of demos."""

from __future__ import annotations

from collections.abc import Iterable

from annotator.finding.demo_keys import DEMO_KEYS, DemoQuestion, demo_text, for_elements_only
from annotator.finding.parser import parse_query
from annotator.finding.query import AnyOf, Node, Not, Term
from annotator.finding.values import unknown_key
from annotator.words import tr
from demopack.domain.demos import DemoSummary

__all__ = ["SEARCH_HELP", "demo_search", "matching"]

SEARCH_HELP = tr(
    "Words are looked for in task and application. Also app:name, is:partial, review:todo, steps:>10, date:2026-05 and "
    "more: begin to type a key to see them. “or”, parentheses, /patterns/, and a minus for “not” work too."
)


def demo_search(query: str) -> DemoQuestion:
    """A search as a question about one demo.

    Raises:
        QueryError: it cannot be understood; the error says where.
    """
    return _question(parse_query(query))


def matching(summaries: Iterable[DemoSummary], query: str) -> list[DemoSummary]:
    """The demos that fit a search, in the order given; all for an empty one.

    Raises:
        QueryError: it cannot be understood.
    """
    return list(filter(demo_search(query), summaries))


def _question(node: Node) -> DemoQuestion:
    if isinstance(node, Term):
        return _asked(node)
    if isinstance(node, Not):
        inner = _question(node.node)
        return lambda summary: not inner(summary)
    parts = tuple(_question(part) for part in node.nodes)
    if isinstance(node, AnyOf):
        return lambda summary: any(part(summary) for part in parts)
    return lambda summary: all(part(summary) for part in parts)


def _asked(term: Term) -> DemoQuestion:
    if not term.key:
        return demo_text(term)
    key = DEMO_KEYS.get(term.key)
    if key is None:
        raise for_elements_only(term) or unknown_key(term, tuple(DEMO_KEYS))
    return key.make(term)
