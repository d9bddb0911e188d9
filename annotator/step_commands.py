"""What a person says about one step: action, target, rationale, approval; see :mod:`annotator.commands`.

Which steps there are: :mod:`annotator.step_commands_order`; what they begin and end with:
:mod:`annotator.step_commands_shape`; the demo as a whole: :mod:`annotator.step_commands_demo`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from annotator.commands import changed_to, make_edit
from annotator.document import Document
from annotator.step_order import numbered, outcome_changes
from annotator.step_words import describe_action, name_element
from annotator.words import tr
from demopack.domain.actions import ActionTarget, AgentAction, parse_action
from demopack.domain.binding import point_target, target_of
from demopack.domain.edits import Edit
from demopack.domain.elements import Review
from demopack.domain.geometry import Point
from demopack.domain.provenance import by_human
from demopack.domain.rationale import Rationale
from demopack.domain.staleness import basis_on
from demopack.domain.steps import Step
from demopack.errors import BadInputError

__all__ = [
    "ActionName",
    "BindTarget",
    "ReviewStep",
    "SetAction",
    "SetRationale",
    "SetTask",
    "action_of_type",
    "with_parameter",
]


_TARGETS: Final[Mapping[tuple[bool, bool], str]] = {
    (True, False): tr("Clear the target of {step}"),
    (True, True): tr("Clear the end target of {step}"),
    (False, False): tr("Make {element} the target of {step}"),
    (False, True): tr("Make {element} the end target of {step}"),
}
"""By "none any more" and "the end"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BindTarget:
    """The element that a step was done to, chosen by hand; None for none.

    Attributes:
        step_id: which step.
        uid: an element on the step's before-frame.
        end: choose where a drag ends instead of where it starts.
    """

    step_id: str
    uid: str | None
    end: bool = False

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None:
            return None
        element = document.element(self.uid)
        if element is not None and (step.before is None or element.frame != step.before.id):
            raise BadInputError(
                tr("That element is on another picture than the one this step was done on."),
                hint=tr("Show the picture before the step, and choose there."),
            )
        name = "end_uid" if self.end else "target_uid"
        if getattr(step, name) == self.uid:
            return None
        label = _TARGETS[element is None, self.end].format(
            element="" if element is None else name_element(element), step=numbered(document, step)
        )
        update: dict[str, Any] = {name: self.uid}
        if not self.end:
            update["alternatives"] = tuple(uid for uid in step.alternatives if uid != self.uid)
        return make_edit(label, [changed_to(step, step.model_copy(update=update))])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAction:
    """What a step did."""

    step_id: str
    action: AgentAction
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or step.action == self.action:
            return None
        update: dict[str, Any] = {"action": self.action}
        if self.action.target is None and self.action.action_type in {"wait", "finish_goal", "launch"}:
            update |= {"target_uid": None, "end_uid": None, "alternatives": ()}
        elif self.action.action_type != "drag":
            update["end_uid"] = None
        label = tr("Change {step} to “{action}”").format(
            step=numbered(document, step), action=describe_action(self.action)
        )
        changes = [changed_to(step, step.model_copy(update=update)), *outcome_changes(document, step, self.action)]
        return make_edit(label, changes, merge_key=self.merge_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRationale:
    """A person's own wording of why a step was taken; the model's fields stay beside it. Empty clears the wording."""

    step_id: str
    text: str
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or self.text == ("" if step.rationale is None else step.rationale.reasoning):
            return None
        elements = () if step.before is None else document.elements(step.before.id)
        new = self._worded(step.rationale, basis_on(step, task=document.head.task, elements=elements))
        if new == step.rationale:
            return None
        words = tr("Write the rationale of {step}") if self.text else tr("Clear the rationale of {step}")
        label = words.format(step=numbered(document, step))
        changes = [changed_to(step, step.model_copy(update={"rationale": new}))]
        return make_edit(label, changes, merge_key=self.merge_key)

    def _worded(self, old: Rationale | None, basis: str) -> Rationale | None:
        if old is None:
            return Rationale(text=self.text, basis=basis, provenance=by_human()) if self.text else None
        fields = (old.observation, old.thought, old.expected_effect, old.actual_effect, old.plan, old.hindsight)
        if not self.text and not any(fields):
            return None
        # Who words it anew looks at the step as it is now.
        return old.model_copy(update={"text": self.text, "basis": basis, "provenance": by_human()})


_VERBS: Final[Mapping[Review, str]] = {
    "approved": tr("Approve {step}"),
    "rejected": tr("Reject {step}"),
    "doubtful": tr("Doubt {step}"),
    "unreviewed": tr("Take back the review of {step}"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStep:
    """What a person says about a step."""

    step_id: str
    review: Review

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or step.review == self.review:
            return None
        label = _VERBS[self.review].format(step=numbered(document, step))
        changes = [changed_to(step, step.model_copy(update={"review": self.review}))]
        return make_edit(label, changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTask:
    """What the person set out to do."""

    text: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        text = " ".join(self.text.split())
        if text == document.head.task:
            return None
        head = document.head.model_copy(update={"task": text})
        return make_edit(tr("Reword the task"), [changed_to(document.head, head)])


ActionName = Literal[
    "click", "type", "scroll", "press_key", "wait", "finish_goal", "hover", "drag", "launch", "extract_data"
]

_STARTING: dict[str, dict[str, Any]] = {
    "type": {"text_to_type": ""},
    "scroll": {"scroll_direction": "down", "scroll_steps": 1},
    "press_key": {"key_info": "Enter"},
    "wait": {"wait_duration_s": 1.0},
    "launch": {"app": "app"},
    "extract_data": {"description": "text"},
}


def action_of_type(step: Step, document: Document, action_type: ActionName) -> AgentAction:
    """The step's action turned into another type; parameters that both have are kept, the rest starts plain.

    Raises:
        BadInputError: the new type needs a target and the step has neither element, target nor pointer.
    """
    target = _target(step, document)
    kept = {
        name: value
        for name, value in step.action.parameters.items()
        if name == "modifiers" and action_type in {"click", "scroll", "drag"}
    }
    parameters = {**_STARTING.get(action_type, {}), **kept}
    if action_type in {"wait", "finish_goal", "launch"}:
        return AgentAction(action_type=action_type, target=None, parameters=parameters)
    if action_type in {"click", "hover", "drag"} and target is None:
        raise BadInputError(
            tr("A {action} needs a target, and this step has none.").format(action=action_type),
            hint=tr("Select an element on the picture, press Use as target, and try again."),
        )
    if action_type == "drag" and target is not None:
        parameters["end_target"] = target.to_wire()
    return AgentAction(action_type=action_type, target=target, parameters=parameters)


def with_parameter(action: AgentAction, name: str, value: object) -> AgentAction:
    """The action with one parameter set; None takes it out.

    Raises:
        ActionError: the value does not fit; the sentence says why.
    """
    parameters = {key: old for key, old in action.parameters.items() if key != name}
    if value is not None:
        parameters[name] = value
    return parse_action({**action.to_wire(), "parameters": parameters})


def _target(step: Step, document: Document) -> ActionTarget | None:
    if step.action.target is not None:
        return step.action.target
    element = document.element(step.target_uid)
    if step.before is None:
        return None
    if element is not None:
        return target_of(element, document.ordered(step.before.id), step.before)
    if step.pointer is not None:
        return point_target(Point(step.pointer.x, step.pointer.y), step.before)
    return None
