"""Reads the figures of a library from its store: demo after demo, so that it can be watched and cancelled."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.finding.review import library_progress
from annotator.finding.statistics import ReviewTime, Statistics, joined_counts, review_time, statistics
from annotator.suggestions.decisions import Decision, decisions
from annotator.words import tr
from demopack.domain.demos import DemoSummary
from demopack.jobs import JobControl, Progress
from demopack.store import Library

__all__ = ["demo_work", "library_statistics"]


def demo_work(library: Library, demo_id: str) -> tuple[list[Decision], ReviewTime]:
    """What people decided about the suggestions of a demo, and how long they worked on it."""
    lines = library.log.lines(demo_id)
    made = decisions(demo_id, library.history(demo_id)) if any(line.kind == "human" for line in lines) else []
    return made, review_time(lines)


def library_statistics(library: Library, *, control: JobControl) -> Statistics:
    """The figures of every demo that is not deleted, together.

    Raises:
        CancelledError: it was cancelled.
    """
    summaries: Sequence[DemoSummary] = library.demos()
    counts = library.counts()
    made: list[Decision] = []
    time = ReviewTime()
    for number, summary in enumerate(summaries):
        control.token.check()
        if number % 20 == 0:
            control.report(Progress(done=number, total=len(summaries), text=tr("Reading what was decided")))
        more, worked = demo_work(library, summary.head.id)
        made += more
        time += worked
    control.report(Progress(done=len(summaries), total=len(summaries), text=tr("Statistics")))
    steps, _ = library_progress(summaries)
    found = [counts[summary.head.id] for summary in summaries if summary.head.id in counts]
    return statistics(joined_counts(found), steps=steps, made=made, time=time, demos=len(summaries))
