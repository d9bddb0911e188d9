"""Order of steps: their positions, their times, and the step that ends a demo.

Positions are numbers with gaps, so that a step is put between two others without touching any other. Times must not run
backwards over a demo (rule S02 of the pack): a step that is moved to where its time does not fit loses it, which means
"nobody knows when"; what it was stays in its raw events and in the log.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from annotator.commands import make_edit
from annotator.document import Document
from annotator.step_words import words_of
from annotator.words import tr
from demopack.domain.actions import Action
from demopack.domain.binding import bind
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.frames import Frame
from demopack.domain.steps import POSITION_GAP, Step
from demopack.errors import BadInputError


def numbered(document: Document, step: Step) -> str:
    """For instance ``step 4``."""
    return tr("step {value}").format(value=(document.index_of(step.id) or 0) + 1)


def changed(old: Step | DemoHead, new: Step | DemoHead) -> list[Change]:
    """The change from one value to another of the same step or head; none where they are equal."""
    return [] if new == old else [Change.between(old, new)]


def edit_step(
    document: Document,
    step_id: str,
    update: Mapping[str, object],
    label: str,
    *,
    words: Mapping[str, object] | None = None,
    merge_key: str | None = None,
) -> Edit | None:
    """One edit of one step; None where it is gone, or has these values already.

    Args:
        document: what is edited.
        step_id: which step.
        update: new values by field.
        label: for the history; ``{step}`` becomes for instance ``step 4``.
        words: for what else stands in braces.
        merge_key: of the gesture.
    """
    step = document.step(step_id)
    if step is None:
        return None
    told = label.format(step=numbered(document, step), **(words or {}))
    return make_edit(told, changed(step, step.model_copy(update=update)), merge_key=merge_key)


def finish_of(document: Document) -> Step | None:
    """The last step, if it is the one that ends the task."""
    last = document.steps[-1] if document.steps else None
    return last if last is not None and last.action.action_type == "finish_goal" else None


def before_finish(document: Document, index: int) -> int:
    """The nearest place at which a step may stand: not behind the one that ends the task."""
    last = len(document.steps) - (finish_of(document) is not None)
    return min(max(index, 0), last)


def outcome_changes(document: Document, step: Step, action: Action) -> list[Change]:
    """What the head has to say when the last step gets this action: how a demo ends is said in both, or in neither."""
    if step != document.steps[-1] or "finish_goal" not in {step.action.action_type, action.action_type}:
        return []
    outcome = action.status if action.action_type == "finish_goal" else None
    head = document.head
    reason = head.outcome_reason if outcome == "failure" else ""
    return changed(head, head.model_copy(update={"outcome": outcome, "outcome_reason": reason}))


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
    gone = [Change.between(step, None) for step in document.steps if step.id not in kept]
    up: list[Change] = []
    down: list[Change] = []
    for step, position in zip(timed, _positions(timed, moved), strict=True):
        old = known.get(step.id)
        if step is old and step.position == position:
            continue
        new = step if step.position == position else step.model_copy(update={"position": position})
        if old != new:
            (up if old is not None and old.position < position else down).append(Change.between(old, new))
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
            result[i] = step.model_copy(update={"started_ns": 0, "ended_ns": 0})
    return result


def _positions(steps: Sequence[Step], moved: Collection[str]) -> list[int]:
    """Rising positions; those of the steps that stay are kept unless there is no room between them."""
    positions = [step.position for step in steps]
    for is_moved, places in groupby(range(len(steps)), key=lambda i: steps[i].id in moved):
        if not is_moved:
            continue
        run = list(places)
        low = positions[run[0] - 1] if run[0] else -1
        high = positions[run[-1] + 1] if run[-1] + 1 < len(steps) else None
        # Where there is no room they do not rise, and all are numbered anew.
        for k, i in enumerate(run, start=1):
            positions[i] = max(low, 0) + POSITION_GAP * k if high is None else low + (high - low) * k // (len(run) + 1)
    if all(a < b for a, b in pairwise(positions)) and min(positions, default=0) >= 0:
        return positions
    return [POSITION_GAP * (place + 1) for place in range(len(steps))]


def _found(document: Document, step_ids: Sequence[str]) -> list[Step]:
    """The steps that are still there, in the demo's order."""
    wanted = set(step_ids)
    return [step for step in document.steps if step.id in wanted]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteSteps:
    """Steps that are taken out; their pictures and elements stay for the steps that share them.

    With the step that ends the task goes what it said: whether the task was done is open again.
    """

    step_ids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        steps = _found(document, self.step_ids)
        if not steps:
            return None
        changes = [Change.between(step, None) for step in steps]
        head = document.head
        if finish_of(document) in steps:
            changes += changed(head, head.model_copy(update={"outcome": None, "outcome_reason": ""}))
        if len(steps) > 1:
            return make_edit(tr("Delete {steps} steps").format(steps=len(steps)), changes)
        step = steps[0]
        label = tr("Delete {step}: {words}")
        return make_edit(label.format(step=numbered(document, step), words=words_of(document, step)), changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSteps:
    """Steps that are put at another place, in their own order.

    Attributes:
        step_ids: which.
        index: of the step before which they go, counted as the steps stand now; their number for the end.
    """

    step_ids: tuple[str, ...]
    index: int

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        moving = _found(document, self.step_ids)
        if not moving:
            return None
        if finish_of(document) in moving:
            raise BadInputError(
                tr("The step that ends the task stays at the end."),
                hint=tr("Nothing was moved. Move the other steps instead."),
            )
        index = before_finish(document, self.index)
        ids = {step.id for step in moving}
        head = [step for step in document.steps[:index] if step.id not in ids]
        tail = [step for step in document.steps[index:] if step.id not in ids]
        wanted = [*head, *moving, *tail]
        if [step.id for step in wanted] == [step.id for step in document.steps]:
            return None
        what = numbered(document, moving[0]) if len(moving) == 1 else tr("{moving} steps").format(moving=len(moving))
        # All numbers are those of before, as that of the step that is moved.
        number = {step.id: place for place, step in enumerate(document.steps, start=1)}
        if not tail:
            where = tr("to the end")
        elif head and number[head[-1].id] > number[moving[-1].id]:
            where = tr("behind step {value}").format(value=number[head[-1].id])
        else:
            where = tr("before step {value}").format(value=number[tail[0].id])
        return make_edit(tr("Move {what} {where}").format(what=what, where=where), placed(document, wanted, ids))


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertStep:
    """A step that a person adds: a note or a shot (reading something off the screen), or any other action.

    Attributes:
        step_id: of the new step, chosen beforehand so that it can be shown.
        index: of the step before which it goes; never behind the one that ends the task.
        action: what it does.
        frame: the screen at that moment; by default what the step before it left behind.
        target_uid: the element on that picture that it is about; None for none.
        note: a remark.
    """

    step_id: str
    index: int
    action: Action
    frame: Frame | None = None
    target_uid: str | None = None
    note: str = ""

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        if document.step(self.step_id) is not None:
            return None
        if self.action.action_type == "finish_goal":
            raise BadInputError(
                tr("A demo has one end."), hint=tr("Say above the steps whether the task was finished or failed.")
            )
        index = before_finish(document, self.index)
        steps = document.steps
        earlier, later = steps[index - 1] if index else None, steps[index] if index < len(steps) else None
        frame = self.frame or (earlier and (earlier.after or earlier.before)) or (later and later.before)
        after = frame if self.action.action_type == "extract_data" else (later and later.before) or frame
        step = Step(
            id=self.step_id,
            position=0,
            action=self.action,
            before=frame,
            after=after,
            note=self.note,
            window=(later and later.window) or (earlier and earlier.window),
        )
        target = document.element(self.target_uid)
        if target is not None and frame is not None and target.frame == frame.id:
            step = step.model_copy(update={"target_uid": target.uid})
        elif frame is not None:
            step = bind(step, document.elements(frame.id))
        label = tr("Insert step {value}: {describe_action}").format(
            value=index + 1, describe_action=words_of(document, step)
        )
        return make_edit(label, placed(document, [*steps[:index], step, *steps[index:]], {step.id}))
