"""Which steps there are, and in which order; see :mod:`annotator.commands`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.commands import changed_to, make_edit
from annotator.document import Document
from annotator.step_order import before_finish, finish_of, numbered, placed
from annotator.step_words import describe_action
from annotator.words import tr
from demopack.domain.actions import AgentAction
from demopack.domain.binding import bind
from demopack.domain.edits import Edit
from demopack.domain.frames import Frame
from demopack.domain.steps import Step
from demopack.errors import BadInputError

__all__ = ["DeleteSteps", "InsertStep", "MoveSteps"]


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
        changes = [changed_to(step, None) for step in steps]
        head = document.head
        if finish_of(document) in steps and (head.outcome is not None or head.outcome_reason):
            changes.append(changed_to(head, head.model_copy(update={"outcome": None, "outcome_reason": ""})))
        if len(steps) > 1:
            return make_edit(tr("Delete {steps} steps").format(steps=len(steps)), changes)
        step = steps[0]
        words = describe_action(step.action, document.element(step.target_uid), document.element(step.end_uid))
        return make_edit(
            tr("Delete {numbered}: {words}").format(numbered=numbered(document, step), words=words), changes
        )


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
        where = tr("before step {value}").format(value=len(head) + 1) if tail else tr("to the end")
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
    action: AgentAction
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
            value=index + 1, describe_action=describe_action(step.action, document.element(step.target_uid))
        )
        return make_edit(label, placed(document, [*steps[:index], step, *steps[index:]], {step.id}))
