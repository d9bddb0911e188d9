"""The library's search: words, and a few words with a colon."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from demopack.domain.demos import DemoSummary

__all__ = ["SEARCH_HELP", "matching"]

SEARCH_HELP = (
    "Words are looked for in task and application. Also: app:name, is:complete, is:partial, is:failed, is:approved, "
    "is:accepted, is:take, has:rationale; a minus in front means “not”."
)

_FLAGS: dict[str, Callable[[DemoSummary], bool]] = {
    "is:complete": lambda s: s.head.status == "complete",
    "is:partial": lambda s: s.head.status == "partial",
    "is:recording": lambda s: s.head.status == "recording",
    "is:failed": lambda s: s.head.outcome == "failure",
    "is:approved": lambda s: s.steps > 0 and s.approved == s.steps,
    "is:accepted": lambda s: s.head.accepted,
    "is:take": lambda s: bool(s.head.take_of),
    "has:rationale": lambda s: s.steps > 0 and s.rationales == s.steps,
}


def _fits(summary: DemoSummary, word: str) -> bool:
    if word.startswith("-") and len(word) > 1:
        return not _fits(summary, word[1:])
    flag = _FLAGS.get(word)
    if flag is not None:
        return flag(summary)
    if word.startswith("app:"):
        return word[4:] in summary.head.app.casefold()
    return word in f"{summary.head.task} {summary.head.app} {summary.head.id}".casefold()


def matching(summaries: Iterable[DemoSummary], query: str) -> list[DemoSummary]:
    """The demos that fit every word of the query, in the order given; all for an empty query."""
    words = query.casefold().split()
    return [summary for summary in summaries if all(_fits(summary, word) for word in words)]
