"""Where steps stand: their places, their times, and the step that ends a demo.

Positions are numbers with gaps, so that a step is put between two others without touching any other. Times must not run
backwards over a demo (rule S02 of the pack): a step that is moved to where its time does not fit loses it, which means
"nobody knows when"; what it was stays in its raw events and in the log.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from annotator.commands import changed_to
from annotator.document import Document
from annotator.words import tr
from demopack.domain.actions import AgentAction
from demopack.domain.edits import Change
from demopack.domain.steps import Step

__all__ = ["GAP", "before_finish", "finish_of", "numbered", "outcome_changes", "placed", "without_time"]

GAP = 1024
"""Between the positions of two steps that are numbered anew."""


def numbered(document: Document, step: Step) -> str:
    """For instance ``step 4``."""
    return tr("step {value}").format(value=(document.index_of(step.id) or 0) + 1)


def finish_of(document: Document) -> Step | None:
    """The last step, if it is the one that ends the task."""
    last = document.steps[-1] if document.steps else None
    return last if last is not None and last.action.action_type == "finish_goal" else None


def before_finish(document: Document, index: int) -> int:
    """The nearest place at which a step may stand: not behind the one that ends the task."""
    last = len(document.steps) - (finish_of(document) is not None)
    return min(max(index, 0), last)


def outcome_changes(document: Document, step: Step, action: AgentAction) -> list[Change]:
    """What the head has to say when the last step gets this action: how a demo ends is said in both, or in neither."""
    if step != document.steps[-1] or "finish_goal" not in {step.action.action_type, action.action_type}:
        return []
    ends = action.action_type == "finish_goal"
    outcome = (action.parameters.get("status", "success")) if ends else None
    head = document.head
    reason = head.outcome_reason if outcome == "failure" else ""
    new = head.model_copy(update={"outcome": outcome, "outcome_reason": reason})
    return [] if new == head else [changed_to(head, new)]


def without_time(step: Step) -> Step:
    """The step with its times unknown; it is left alone where they are."""
    return step.model_copy(update={"started_ns": 0, "ended_ns": 0}) if step.started_ns else step


def placed(document: Document, wanted: Sequence[Step], moved: Collection[str]) -> list[Change]:
    """The changes that bring the document to the wanted steps in the wanted order.

    Args:
        document: as it stands.
        wanted: every step that is to be there, in order; new ones among them. Positions are found here.
        moved: ids of the new steps and of those at a new place; only these lose times that do not fit.
    """
    timed = _fitting(wanted, moved)
    kept = {step.id for step in wanted}
    known = {step.id: step for step in document.steps}
    gone = [changed_to(step, None) for step in document.steps if step.id not in kept]
    up: list[Change] = []
    down: list[Change] = []
    for step, position in zip(timed, _positions(timed, moved), strict=True):
        old = known.get(step.id)
        if step is old and step.position == position:
            continue
        new = step if step.position == position else step.model_copy(update={"position": position})
        if old != new:
            (up if old is not None and old.position < position else down).append(changed_to(old, new))
    # In this order no step that stays ever passes another one on its way to a new number.
    return [*gone, *reversed(up), *down]


def _fitting(wanted: Sequence[Step], moved: Collection[str]) -> list[Step]:
    """The steps, without the times of those that were moved and do not fit between their neighbours any more."""
    result = list(wanted)
    for i, step in enumerate(result):
        if step.id not in moved or not step.started_ns:
            continue
        earlier = max((s.started_ns for s in result[:i]), default=0)
        later = min((s.started_ns for s in result[i + 1 :] if s.started_ns and s.id not in moved), default=None)
        if step.started_ns < earlier or (later is not None and step.started_ns > later):
            result[i] = without_time(step)
    return result


def _positions(steps: Sequence[Step], moved: Collection[str]) -> list[int]:
    """Rising positions; those of the steps that stay are kept unless there is no room between them."""
    positions = [step.position for step in steps]
    i = 0
    while i < len(steps):
        if steps[i].id not in moved:
            i += 1
            continue
        end = i
        while end < len(steps) and steps[end].id in moved:
            end += 1
        low = positions[i - 1] if i else None
        high = positions[end] if end < len(steps) else None
        positions[i:end] = _between(low, high, end - i)
        i = end
    rising = all(a < b for a, b in pairwise(positions))
    if rising and min(positions, default=0) >= 0:
        return positions
    return [GAP * (place + 1) for place in range(len(steps))]


def _between(low: int | None, high: int | None, count: int) -> list[int]:
    """That many numbers between two others; where there is no room they do not rise, and all are numbered anew."""
    if high is None:
        start = 0 if low is None else low
        return [start + GAP * (k + 1) for k in range(count)]
    start = -1 if low is None else low
    return [start + (high - start) * (k + 1) // (count + 1) for k in range(count)]
