"""The library's search: its keys, and the search language put to the summaries of demos."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, TypeAlias

from annotator.finding.element_search import ELEMENT_KEYS
from annotator.finding.query import QueryError, Term, Test
from annotator.finding.search_keys import (
    SearchKey,
    as_number_test,
    as_text_test,
    choice_key,
    label_key,
    number_key,
    text_key,
    understood,
)
from annotator.words import tr
from demopack.domain.actions import ACTION_TYPES
from demopack.domain.demos import DemoSummary
from demopack.domain.elements import ELEMENT_TYPES

DemoQuestion: TypeAlias = Test[DemoSummary]

_IS: Final[Mapping[str, DemoQuestion]] = {
    "complete": lambda s: s.head.status == "complete",
    "partial": lambda s: s.head.status == "partial",
    "recording": lambda s: s.head.status == "recording",
    "failed": lambda s: s.head.outcome == "failure",
    "approved": lambda s: s.steps > 0 and s.approved == s.steps,
    "reviewed": lambda s: s.elements > 0 and s.elements_approved == s.elements,
    "accepted": lambda s: s.head.accepted,
    "verified": lambda s: s.verified,
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


def _free_text(term: Term) -> DemoQuestion:
    """A word alone: in task, application or id."""
    fits = as_text_test(term)
    return lambda s: fits(s.head.task.casefold()) or fits(s.head.app.casefold()) or fits(s.head.id.casefold())


def _share(term: Term) -> DemoQuestion:
    """As a number of steps, or as a share of them where a per cent sign stands there."""
    fits = as_number_test(term, example="<50%")
    if "%" in term.value:
        return lambda s: s.steps > 0 and fits(s.approved / s.steps)
    return lambda s: fits(s.approved)


def _date(term: Term) -> DemoQuestion:
    days = _days(term.value)
    if days is None:
        unfinished = re.fullmatch(r"[<>=]{0,2}\d{0,3}|.*-", term.value) is not None
        words = tr("“{key}:” wants a day, month or year such as 2026-05-31 or >=2026-05, not “{value}”.")
        raise QueryError(words.format(key=term.key, value=term.value), term.value_span, unfinished=unfinished)
    sign, start, end = days
    questions: dict[str, DemoQuestion] = {
        "<": lambda s: s.head.created_at < start,
        "<=": lambda s: s.head.created_at < end,
        ">": lambda s: s.head.created_at >= end,
        ">=": lambda s: s.head.created_at >= start,
    }
    return questions.get(sign, lambda s: start <= s.head.created_at < end)


def _days(value: str) -> tuple[str, datetime, datetime] | None:
    """The sign before it, when the day, month or year begins, here, and when the next one does; None for no date."""
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    year, month, day = (None if part is None else int(part) for part in found.group(2, 3, 4))
    try:
        start = datetime(year or 0, month or 1, day or 1).astimezone()
        if day is not None:
            end = datetime.fromordinal(start.toordinal() + 1).astimezone()
        elif month is not None:
            end = datetime(start.year + month // 12, month % 12 + 1, 1).astimezone()
        else:
            end = datetime(start.year + 1, 1, 1).astimezone()
        return found.group(1) or "", start.astimezone(UTC), end.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


DEMO_KEYS: Final[Mapping[str, SearchKey[DemoSummary]]] = {
    "app": text_key(tr("The main application"), lambda s: s.head.app, example="mail"),
    "task": text_key(tr("What was to be done"), lambda s: s.head.task, example='"log in"'),
    "id": text_key(tr("The demo's identity"), lambda s: s.head.id, example="demo_5a"),
    "is": choice_key(tr("What the demo is"), _IS),
    "has": choice_key(tr("What the demo has"), _HAS),
    "review": choice_key(tr("How far the review is"), _REVIEW),
    "steps": number_key(tr("How many steps"), lambda s: s.steps, example=">10"),
    "approved": SearchKey(tr("How many steps are approved"), _share, example="<50%"),
    "elements": number_key(tr("How many elements"), lambda s: s.elements, example=">100"),
    "action": label_key(tr("Something that was done"), ACTION_TYPES, lambda s: s.actions),
    "type": label_key(tr("A type of element on its screens"), ELEMENT_TYPES, lambda s: s.types),
    "date": SearchKey(tr("When it was recorded"), _date, example=">=2026-05"),
}


SEARCH_HELP = tr(
    "Words are looked for in task and application. Also app:name, is:partial, review:todo, steps:>10, date:2026-05 and "
    "more: begin to type a key to see them. “or”, parentheses, /patterns/, and a minus for “not” work too."
)


def demo_search(text: str) -> DemoQuestion:
    """A search as a question about one demo.

    Raises:
        QueryError: it cannot be understood; the error says where.
    """
    elsewhere = tr("“{key}:” looks at single elements. Open a demo to use it there.")
    return understood(text, DEMO_KEYS, _free_text, elsewhere=dict.fromkeys(ELEMENT_KEYS, elsewhere)).fits
