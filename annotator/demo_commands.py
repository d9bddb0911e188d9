"""Commands on a demo's outcome and acceptance, and on notes and variables of steps; see :mod:`annotator.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from annotator.commands import make_edit
from annotator.document import Document
from annotator.step_order import changed, edit_step, finish_of
from annotator.words import tr
from demopack.domain.actions import FinishGoalAction
from demopack.domain.edits import Change, Edit
from demopack.domain.records import new_id
from demopack.domain.steps import POSITION_GAP, Step
from demopack.domain.words import shorten
from demopack.errors import BadInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNote:
    """A person's remark on a step; empty takes it away."""

    step_id: str
    text: str
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        text = self.text.strip()
        label = tr("Write the note on {step}") if text else tr("Remove the note on {step}")
        return edit_step(document, self.step_id, {"note": text}, label, merge_key=self.merge_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVariable:
    """The name of the variable whose value a typed text is; empty for a text that is always the same."""

    step_id: str
    name: str
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        name = self.name.strip().removeprefix("{").removesuffix("}").strip()
        if step is None or step.variable == name:
            return None
        if name and step.action.action_type != "type":
            raise BadInputError(
                tr("Only typed text can be a variable."), hint=tr("Choose a step in which something is typed.")
            )
        if name and not name.isidentifier():
            raise BadInputError(
                tr("“{name}” cannot be the name of a variable.").format(name=shorten(name)),
                hint=tr("Use letters, digits and underscores, and begin with a letter, for instance customer_name."),
            )
        variable = tr("Make the text of {step} the variable {{{name}}}")
        label = variable if name else tr("Make the text of {step} a fixed text")
        return edit_step(document, step.id, {"variable": name}, label, words={"name": name}, merge_key=self.merge_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutcome:
    """Whether the task was done: in the head, and as the last step; None leaves it open, without such a step.

    Attributes:
        outcome: how it ended.
        reason: why it failed; only for a failure.
    """

    outcome: Literal["success", "failure"] | None
    reason: str = ""

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        old = document.head
        reason = " ".join(self.reason.split()) if self.outcome == "failure" else ""
        head = old.model_copy(update={"outcome": self.outcome, "outcome_reason": reason})
        changes = [*self._step_changes(document), *changed(old, head)]
        words = {"success": tr("Mark the task as finished"), "failure": tr("Mark the task as failed")}
        because = f": {shorten(reason)}" if reason else ""
        return make_edit(words.get(self.outcome or "", "Leave open whether the task was done") + because, changes)

    def _step_changes(self, document: Document) -> list[Change]:
        finish = finish_of(document)
        if self.outcome is None:
            return [] if finish is None else [Change.between(finish, None)]
        action = FinishGoalAction(status=self.outcome)
        if finish is not None:
            update = {"action": action, "rationale": None, "review": "unreviewed"}
            return [] if finish.action == action else [Change.between(finish, finish.model_copy(update=update))]
        last = document.steps[-1] if document.steps else None
        shown = document.head.final_frame or (last and (last.after or last.before))
        position = POSITION_GAP if last is None else last.position + POSITION_GAP
        return [Change.between(None, Step(id=new_id("step"), position=position, action=action, before=shown))]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptDemo:
    """A person has looked at the recording and takes it, or takes that back."""

    accepted: bool = True

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        head = document.head
        label = tr("Accept the recording") if self.accepted else tr("Take back that the recording was accepted")
        return make_edit(label, changed(head, head.model_copy(update={"accepted": self.accepted})))
