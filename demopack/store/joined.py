"""What a demo has from the takes that were joined to it: its film; and which deleted demos are only such takes."""

from __future__ import annotations

from itertools import groupby

from demopack.domain.demos import Demo, DemoSummary
from demopack.domain.steps import Step
from demopack.store.film import FilmFrame
from demopack.store.library import Library
from demopack.store.takes import shifted

__all__ = ["film_of", "recently_deleted"]


def recently_deleted(library: Library) -> list[DemoSummary]:
    """The deleted demos, newest first, without the takes whose steps are in their demo."""
    deleted = library.demos(deleted=True, damaged=True)
    takes = [summary.head for summary in deleted if summary.head.take_of and not summary.damage]
    demos = {summary.head.id for summary in [*library.demos(deleted=True), *library.demos()]}
    steps = {of: _step_ids(library.demo(of)) for of in {head.take_of for head in takes} & demos}
    joined = {head.id for head in takes if steps.get(head.take_of, set()) & _step_ids(library.demo(head.id))}
    return [summary for summary in deleted if summary.head.id not in joined]


def film_of(library: Library, demo_id: str) -> list[FilmFrame]:
    """The film of a demo as it stands: where a take was joined, the take's film on the demo's clock.

    Films are no part of the log. Which of them is shown follows from the steps, so undoing a join shows the old film.
    """
    demo = library.demo(demo_id)
    films = {"": library.film(demo_id)}
    source = {step.id: "" for step in demo.steps}
    for take_id in _takes_joined(library, demo):
        take = library.demo(take_id)
        shift = _shift_of(demo, take)
        if shift is not None:
            films[take_id] = [
                FilmFrame(shown_ns=one.shown_ns + shift, frame=shifted(one.frame, shift) or one.frame)
                for one in library.film(take_id)
            ]
            source |= {step.id: take_id for step in take.steps if step.id in source}
    timed = [step for step in demo.steps if step.started_ns]
    runs = [(name, list(run)) for name, run in groupby(timed, key=lambda step: source[step.id])]
    shown: list[FilmFrame] = []
    for number, (name, run) in enumerate(runs):
        first = _begin(run[0]) if number else 0
        last = _end(run[-1]) if number + 1 < len(runs) else None
        shown += [one for one in films[name] if one.shown_ns >= first and (last is None or one.shown_ns <= last)]
    return shown if runs else films[""]


def _step_ids(demo: Demo) -> set[str]:
    return {step.id for step in demo.steps}


def _takes_joined(library: Library, demo: Demo) -> list[str]:
    """Takes of a demo whose steps are in it, oldest first."""
    ids = _step_ids(demo)
    takes = [summary.head.id for summary in library.demos(deleted=True) if summary.head.take_of == demo.head.id]
    return [take for take in reversed(takes) if ids & _step_ids(library.demo(take))]


def _shift_of(demo: Demo, take: Demo) -> int | None:
    """By how much the take's clock was moved when it was joined; None where no step tells."""
    starts = {step.id: step.started_ns for step in demo.steps if step.started_ns}
    return next((starts[s.id] - s.started_ns for s in take.steps if s.started_ns and s.id in starts), None)


def _begin(step: Step) -> int:
    return min(step.started_ns, (step.before and step.before.grab_started_ns) or step.started_ns)


def _end(step: Step) -> int:
    return max(step.ended_ns, (step.after and step.after.grab_ended_ns) or 0)
