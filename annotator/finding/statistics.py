"""Figures about a demo or a library: how many of what, how far the review is, how often the finders were right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from annotator.finding.review import ReviewProgress, library_progress, progress_from
from annotator.suggestions.decisions import Decision, decisions
from annotator.words import tr
from demopack.domain.demos import Demo
from demopack.domain.elements import ELEMENT_TYPES, STATES
from demopack.jobs import JobControl, Progress
from demopack.store import Library, LogLine
from demopack.store.listing import DemoCounts

PAUSE_S: Final = 60.0
"""Who does nothing for longer has done something else; the time between two edits then does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceCounts:
    """What people made of the suggestions of one source, or of one type.

    Attributes:
        accepted: as they were suggested.
        fixed: accepted after a correction.
        rejected: nothing was there.
        missed: drawn by a person, because nothing was suggested, not counting copies on other pictures; 0 where it is
            about one source.
    """

    accepted: int = 0
    fixed: int = 0
    rejected: int = 0
    missed: int = 0

    @property
    def decided(self) -> int:
        """How many suggestions were decided about."""
        return self.accepted + self.fixed + self.rejected

    @property
    def share(self) -> float | None:
        """How many of them were right as they were, 0..1; None before anything was decided."""
        return self.accepted / self.decided if self.decided else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTime:
    """How long people worked, by the times of their edits.

    Attributes:
        seconds: between edits that lie less than ``PAUSE_S`` apart.
        edits: how many.
        sittings: runs of edits without a longer pause.
    """

    seconds: float = 0.0
    edits: int = 0
    sittings: int = 0

    @property
    def words(self) -> str:
        """For instance ``1 h 05 min``, ``12 min`` or ``40 s``."""
        whole = round(self.seconds)
        if whole < 60:
            return f"{whole} s"
        hours, minutes = divmod(whole // 60, 60)
        words = tr("{value} h {value2:02} min") if hours else tr("{minutes} min")
        return words.format(value=hours, value2=minutes, minutes=minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """Everything that the statistics page shows.

    Attributes:
        demos: how many; 1 for an open one.
        steps: how far their review is.
        elements: likewise.
        types: by type, those that occur, in the vocabulary's order.
        sources: by source.
        states: by state, those that occur: on how many elements it holds, and on how many it does not.
        actions: kinds of action and how many steps, the commonest first.
        by_source: what became of suggestions, by who made them.
        by_type: likewise, by the type that was suggested.
        fields: what was corrected, the commonest first.
        time: how long people worked.
    """

    demos: int
    steps: ReviewProgress
    elements: ReviewProgress
    types: Mapping[str, ReviewProgress]
    sources: Mapping[str, ReviewProgress]
    states: Mapping[str, tuple[int, int]]
    actions: Mapping[str, int]
    by_source: Mapping[str, AcceptanceCounts]
    by_type: Mapping[str, AcceptanceCounts]
    fields: Mapping[str, int]
    time: ReviewTime


def counts_of(demo: Demo) -> tuple[DemoCounts, ReviewProgress]:
    """How many of everything a demo has, and how far the review of its steps is."""
    elements = [e for found in demo.elements.values() for e in found]
    by_kind = Counter((e.type, e.source, e.review) for e in elements)
    drawn = {(e.type, e.track_id or e.uid) for e in elements if e.source == "human" and e.review != "rejected"}
    states = Counter((s, v) for e in elements if e.review != "rejected" for s, v in e.states.items())
    actions = Counter(step.action.action_type for step in demo.steps)
    reviews = Counter(step.review for step in demo.steps)
    counts = DemoCounts(
        elements=tuple((*key, count) for key, count in by_kind.items()),
        drawn=tuple(Counter(kind for kind, _ in drawn).items()),
        states=tuple((*key, count) for key, count in states.items()),
        actions=tuple(actions.items()),
    )
    return counts, progress_from(reviews)


def review_time(lines: Iterable[LogLine]) -> ReviewTime:
    """How long a person worked on one demo.

    Args:
        lines: its log, oldest first; what programs wrote is passed over.
    """
    # Only a person takes something back, so these lines need no name.
    moments = [line.at for line in lines if line.op != "do" or line.kind == "human"]
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
    # A clock that was set back makes a gap below nothing; it counts for nothing.
    worked = [gap for gap in gaps if 0 <= gap < PAUSE_S]
    sittings = 1 + sum(gap >= PAUSE_S for gap in gaps) if moments else 0
    return ReviewTime(seconds=sum(worked), edits=len(moments), sittings=sittings)


def statistics(
    counts: Collection[DemoCounts], *, steps: ReviewProgress, made: Sequence[Decision], time: ReviewTime
) -> Statistics:
    """Figures from what was counted and decided.

    Args:
        counts: of each demo.
        steps: how far the review of all their steps is.
        made: what people decided.
        time: how long they worked.
    """
    types: dict[str, Counter[str]] = {}
    sources: dict[str, Counter[str]] = {}
    drawn: Counter[str] = Counter()
    states: Counter[tuple[str, bool]] = Counter()
    actions: Counter[str] = Counter()
    for one in counts:
        for kind, source, review, number in one.elements:
            types.setdefault(kind, Counter())[review] += number
            sources.setdefault(source, Counter())[review] += number
        drawn.update(dict(one.drawn))
        for state, value, number in one.states:
            states[state, value] += number
        actions.update(dict(one.actions))
    there = {state for state, _ in states}
    fixed = Counter(name for decision in made if decision.verdict == "fixed" for name in decision.changed)
    by_type = _agreement(made, lambda decision: decision.suggested.type, missed=drawn)
    progress: dict[str, ReviewProgress] = {kind: progress_from(types[kind]) for kind in ELEMENT_TYPES if kind in types}
    return Statistics(
        demos=len(counts),
        steps=steps,
        elements=progress_from(sum(types.values(), Counter[str]())),
        types=progress,
        sources={source: progress_from(reviews) for source, reviews in sources.items()},
        states={one: (states[one, True], states[one, False]) for one in STATES if one in there},
        actions=dict(actions.most_common()),
        by_source=_agreement(made, lambda decision: decision.source, missed=Counter()),
        by_type={kind: by_type[kind] for kind in ELEMENT_TYPES if kind in by_type},
        fields=dict(fixed.most_common()),
        time=time,
    )


def _agreement(
    made: Iterable[Decision], name: Callable[[Decision], str], *, missed: Mapping[str, int]
) -> dict[str, AcceptanceCounts]:
    verdicts: dict[str, Counter[str]] = {key: Counter() for key, number in missed.items() if number}
    for decision in made:
        verdicts.setdefault(name(decision), Counter())[decision.verdict] += 1
    return {key: AcceptanceCounts(**found, missed=missed.get(key, 0)) for key, found in verdicts.items()}


def demo_work(library: Library, demo_id: str) -> tuple[list[Decision], ReviewTime]:
    """What people decided about the suggestions of a demo, and how long they worked on it."""
    lines = library.log.lines(demo_id)
    made = decisions(demo_id, library.log.entries(demo_id)) if any(line.kind == "human" for line in lines) else []
    return made, review_time(lines)


def library_statistics(library: Library, *, control: JobControl) -> Statistics:
    """The figures of every demo that is not deleted, together.

    Raises:
        CancelledError: it was cancelled.
    """
    summaries = library.demos()
    counts = library.counts()
    work: list[tuple[list[Decision], ReviewTime]] = []
    for number, summary in enumerate(summaries):
        control.token.check()
        if number % 20 == 0:
            control.report(Progress(done=number, total=len(summaries), text=tr("Reading what was decided")))
        work.append(demo_work(library, summary.head.id))
    control.report(Progress(done=len(summaries), total=len(summaries), text=tr("Statistics")))
    times = [time for _, time in work]
    return statistics(
        [counts.get(summary.head.id, DemoCounts()) for summary in summaries],
        steps=library_progress(summaries),
        made=[decision for made, _ in work for decision in made],
        time=ReviewTime(
            seconds=sum(time.seconds for time in times),
            edits=sum(time.edits for time in times),
            sittings=sum(time.sittings for time in times),
        ),
    )
