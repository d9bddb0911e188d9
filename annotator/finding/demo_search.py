"""The library's search: its keys, and the search language put to the summaries of demos."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias

from annotator.finding.query import AnyOf, Node, Not, QueryError, QuerySpan, Term, parse_query
from annotator.finding.values import SearchKey, as_bounds, as_choices, as_text_test, unknown_key
from annotator.words import tr
from demopack.domain.actions import ACTION_TYPES
from demopack.domain.demos import DemoSummary
from demopack.domain.elements import ELEMENT_TYPES

DemoQuestion: TypeAlias = Callable[[DemoSummary], bool]
"""Whether a demo fits."""

_IS: Final[Mapping[str, DemoQuestion]] = {
    "complete": lambda s: s.head.status == "complete",
    "partial": lambda s: s.head.status == "partial",
    "recording": lambda s: s.head.status == "recording",
    "failed": lambda s: s.head.outcome == "failure",
    "approved": lambda s: s.steps > 0 and s.approved == s.steps,
    "reviewed": lambda s: s.elements > 0 and s.elements_approved == s.elements,
    "accepted": lambda s: s.head.accepted,
    "take": lambda s: bool(s.head.take_of),
    "damaged": lambda s: bool(s.damage),
}
_HAS: Final[Mapping[str, DemoQuestion]] = {
    "rationale": lambda s: s.steps > 0 and s.rationales == s.steps,
    "elements": lambda s: s.elements > 0,
    "doubts": lambda s: s.doubtful + s.elements_doubtful > 0,
    "rejected": lambda s: s.elements_rejected > 0,
}
_REVIEW: Final[Mapping[str, DemoQuestion]] = {
    "todo": lambda s: s.approved + s.doubtful < s.steps or s.elements_approved + s.elements_doubtful < s.elements,
    "doubtful": lambda s: s.doubtful + s.elements_doubtful > 0,
    "approved": lambda s: s.steps > 0 and s.approved == s.steps and s.elements_approved == s.elements,
    "rejected": lambda s: s.elements_rejected > 0,
}
_DATE: Final = re.compile(r"(<=|>=|<|>|=)?(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def demo_text(term: Term) -> DemoQuestion:
    """A word alone: in task, application or id."""
    fits = as_text_test(term)
    return lambda s: fits(s.head.task.casefold()) or fits(s.head.app.casefold()) or fits(s.head.id.casefold())


def for_elements_only(term: Term) -> QueryError | None:
    """Says that a key is about elements; None where it is unknown there too."""
    # Imported here: it brings numpy along, without which the first window stands sooner.
    from annotator.finding.element_keys import ELEMENT_KEYS

    if term.key not in ELEMENT_KEYS:
        return None
    span = QuerySpan(term.span.start, term.value_span.start)
    return QueryError(tr("“{key}:” looks at single elements. Open a demo to use it there.").format(key=term.key), span)


def _within(read: Callable[[DemoSummary], str]) -> Callable[[Term], DemoQuestion]:
    def make(term: Term) -> DemoQuestion:
        fits = as_text_test(term)
        return lambda s: fits(read(s).casefold())

    return make


def _one_of(questions: Mapping[str, DemoQuestion]) -> Callable[[Term], DemoQuestion]:
    def make(term: Term) -> DemoQuestion:
        chosen = [questions[name] for name in as_choices(term, tuple(questions))]
        return lambda s: any(question(s) for question in chosen)

    return make


def _number(read: Callable[[DemoSummary], float], example: str) -> Callable[[Term], DemoQuestion]:
    def make(term: Term) -> DemoQuestion:
        bounds = as_bounds(term, example=example)
        return lambda s: bounds.holds(read(s))

    return make


def _share(term: Term) -> DemoQuestion:
    """As a number of steps, or as a share of them where a per cent sign stands there."""
    bounds = as_bounds(term, example="<50%")
    if "%" in term.value:
        return lambda s: s.steps > 0 and bounds.holds(s.approved / s.steps)
    return lambda s: bounds.holds(s.approved)


def _among(known: tuple[str, ...], read: Callable[[DemoSummary], tuple[str, ...]]) -> Callable[[Term], DemoQuestion]:
    def make(term: Term) -> DemoQuestion:
        chosen = frozenset(as_choices(term, known))
        return lambda s: not chosen.isdisjoint(read(s))

    return make


def _date(term: Term) -> DemoQuestion:
    found = _DATE.fullmatch(term.value)
    start, end = (None, None) if found is None else _days(found)
    if found is None or start is None or end is None:
        unfinished = re.fullmatch(r"[<>=]{0,2}\d{0,3}|.*-", term.value) is not None
        raise QueryError(
            tr("“{key}:” wants a day, month or year such as 2026-05-31 or >=2026-05, not “{value}”.").format(
                key=term.key, value=term.value
            ),
            term.value_span,
            unfinished=unfinished,
        )
    questions: dict[str, DemoQuestion] = {
        "<": lambda s: s.head.created_at < start,
        "<=": lambda s: s.head.created_at < end,
        ">": lambda s: s.head.created_at >= end,
        ">=": lambda s: s.head.created_at >= start,
    }
    return questions.get(found.group(1) or "", lambda s: start <= s.head.created_at < end)


def _days(found: re.Match[str]) -> tuple[datetime | None, datetime | None]:
    """When the day, month or year begins, here, and when the next one does."""
    year, month, day = (None if part is None else int(part) for part in found.group(2, 3, 4))
    try:
        start = datetime(year or 0, month or 1, day or 1).astimezone()
        if day is not None:
            end = datetime.fromordinal(start.toordinal() + 1).astimezone()
        elif month is not None:
            end = datetime((year or 0) + month // 12, month % 12 + 1, 1).astimezone()
        else:
            end = datetime((year or 0) + 1, 1, 1).astimezone()
        return start.astimezone(UTC), end.astimezone(UTC)
    except (ValueError, OverflowError):
        return None, None


DEMO_KEYS: Final[Mapping[str, SearchKey[Callable[[Term], DemoQuestion]]]] = {
    "app": SearchKey(tr("The main application"), _within(lambda s: s.head.app), example="mail"),
    "task": SearchKey(tr("What was to be done"), _within(lambda s: s.head.task), example='"log in"'),
    "id": SearchKey(tr("The demo's identity"), _within(lambda s: s.head.id), example="demo_5a"),
    "is": SearchKey(tr("What the demo is"), _one_of(_IS), values=tuple(_IS)),
    "has": SearchKey(tr("What the demo has"), _one_of(_HAS), values=tuple(_HAS)),
    "review": SearchKey(tr("How far the review is"), _one_of(_REVIEW), values=tuple(_REVIEW)),
    "steps": SearchKey(tr("How many steps"), _number(lambda s: s.steps, ">10"), example=">10"),
    "approved": SearchKey(tr("How many steps are approved"), _share, example="<50%"),
    "elements": SearchKey(tr("How many elements"), _number(lambda s: s.elements, ">100"), example=">100"),
    "action": SearchKey(tr("Something that was done"), _among(ACTION_TYPES, lambda s: s.actions), values=ACTION_TYPES),
    "type": SearchKey(
        tr("A type of element on its screens"),
        _among(ELEMENT_TYPES, lambda s: s.types),
        values=ELEMENT_TYPES,
    ),
    "date": SearchKey(tr("When it was recorded"), _date, example=">=2026-05"),
}


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
