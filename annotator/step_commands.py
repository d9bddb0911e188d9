"""Commands about one step: action, target, rationale, approval, note, variable; and about the demo as a whole.

Which steps there are: :mod:`annotator.step_order`; what they begin and end with: :mod:`annotator.step_shape`. See
:mod:`annotator.commands`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from annotator.commands import implied, make_edit
from annotator.document import Document
from annotator.step_order import changed, edit_step, finish_of, numbered, outcome_changes
from annotator.step_words import describe_action, name_element
from annotator.words import tr
from demopack.domain.actions import (
    FORBIDS_TARGET,
    NEEDS_TARGET,
    Action,
    ActionTarget,
    ActionType,
    FinishGoalAction,
    parse_action,
)
from demopack.domain.binding import point_target, target_of
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element, Review
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, from_norm_xywh
from demopack.domain.provenance import by_human
from demopack.domain.rationale import Rationale
from demopack.domain.records import new_id
from demopack.domain.steps import POSITION_GAP, Pointer, Step
from demopack.domain.words import shorten
from demopack.errors import BadInputError, GeometryError


def _check_picture(step: Step, chosen: Sequence[Element]) -> None:
    if any(step.before is None or element.frame != step.before.id for element in chosen):
        raise BadInputError(
            tr("That element is on another picture than the one this step was done on."),
            hint=tr("Show the picture before the step, and choose there."),
        )


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
        _check_picture(step, [] if element is None else [element])
        name = "end_uid" if self.end else "target_uid"
        if getattr(step, name) == self.uid:
            return None
        update: dict[str, Any] = {name: self.uid}
        if not self.end:
            update["alternatives"] = tuple(uid for uid in step.alternatives if uid != self.uid)
        words = {"element": "" if element is None else name_element(element)}
        return edit_step(document, step.id, update, _TARGETS[element is None, self.end], words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAction:
    """What a step did."""

    step_id: str
    action: Action
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or step.action == self.action:
            return None
        update: dict[str, Any] = {"action": self.action}
        if self.action.action_type in FORBIDS_TARGET:
            update |= {"target_uid": None, "end_uid": None, "alternatives": ()}
        elif self.action.action_type != "drag":
            update["end_uid"] = None
        label = tr("Change {step} to “{action}”").format(
            step=numbered(document, step), action=describe_action(self.action)
        )
        changes = [Change.between(step, step.model_copy(update=update)), *outcome_changes(document, step, self.action)]
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
        new = self._worded(step.rationale, document.basis_of(step))
        label = tr("Write the rationale of {step}") if self.text else tr("Clear the rationale of {step}")
        return edit_step(document, step.id, {"rationale": new}, label, merge_key=self.merge_key)

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
        return edit_step(document, self.step_id, {"review": self.review}, _VERBS[self.review])


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTask:
    """What the person set out to do."""

    text: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        head = document.head.model_copy(update={"task": " ".join(self.text.split())})
        return make_edit(tr("Reword the task"), changed(document.head, head))


_STARTING: dict[str, dict[str, Any]] = {
    "type": {"text_to_type": ""},
    "scroll": {"scroll_direction": "down", "scroll_steps": 1},
    "press_key": {"key_info": "Enter"},
    "wait": {"wait_duration_s": 1.0},
    "launch": {"app": "app"},
    "extract_data": {"description": "text"},
}


def action_of_type(step: Step, document: Document, action_type: ActionType) -> Action:
    """The step's action turned into another type; parameters that both have are kept, the rest starts plain.

    Raises:
        BadInputError: the new type needs a target and the step has neither element, target nor pointer.
    """
    target = _target(step, document)
    parameters: dict[str, Any] = dict(_STARTING.get(action_type, {}))
    if action_type in {"click", "scroll", "drag"}:
        parameters["modifiers"] = step.action.held
    if action_type in FORBIDS_TARGET:
        target = None
    if action_type in NEEDS_TARGET and target is None:
        raise BadInputError(
            tr("A {action} needs a target, and this step has none.").format(action=action_type),
            hint=tr("Select an element on the picture, press Use as target, and try again."),
        )
    if action_type == "drag":
        parameters["end_target"] = target
    return parse_action({"action_type": action_type, "target": target, "parameters": parameters})


def _target(step: Step, document: Document) -> ActionTarget | None:
    if step.action.target is not None:
        return step.action.target
    element = document.element(step.target_uid)
    if step.before is None:
        return None
    if element is not None:
        return target_of(element, document.ordered(step.before.id), step.before)
    return None if step.pointer is None else point_target(step.pointer.at, step.before)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkAlternatives:
    """Elements that would have been as right as the step's target; those that are marked already are unmarked.

    Attributes:
        step_id: which step.
        uids: elements on its before-frame. When only some of them are marked, the rest is marked, too.
    """

    step_id: str
    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        chosen = [element for element in document.present(self.uids) if element.review != "rejected"]
        if step is None or not chosen:
            return None
        if step.action.action_type in FORBIDS_TARGET:
            raise BadInputError(
                tr("This step has no target, so nothing else can be as right."),
                hint=tr("Alternatives belong to steps that act on an element."),
            )
        _check_picture(step, chosen)
        wanted = [element for element in chosen if element.uid != step.target_uid]
        if not wanted:
            raise BadInputError(
                tr("That element is the step's target already."),
                hint=tr("Select another one that would be as right."),
            )
        return self._marked(document, step, wanted)

    def _marked(self, document: Document, step: Step, wanted: Sequence[Element]) -> Edit | None:
        marked = set(step.alternatives)
        names = name_element(wanted[0]) if len(wanted) == 1 else tr("{count} elements").format(count=len(wanted))
        new = [element.uid for element in wanted if element.uid not in marked]
        if new:
            kept, label = (*step.alternatives, *new), tr("Mark {elements} as right, too, in {step}")
        else:
            gone = {element.uid for element in wanted}
            kept = tuple(uid for uid in step.alternatives if uid not in gone)
            label = tr("Unmark {elements} as right in {step}")
        return edit_step(document, step.id, {"alternatives": kept}, label, words={"elements": names})


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePointer:
    """The exact spot where a step acted, or where its drag ended.

    The target follows the spot as it follows the recorded pointer: only where nobody chose another one.

    Attributes:
        step_id: which step.
        at: pixels of its before-frame.
        end: move the end of a drag.
        merge_key: of the gesture.
    """

    step_id: str
    at: Point
    end: bool = False
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or step.before is None:
            return None
        frame = step.before
        if not (0 <= self.at.x < frame.width and 0 <= self.at.y < frame.height):
            raise BadInputError(
                tr("{x}, {y} is not on the picture of {width} x {height} pixels.").format(
                    x=self.at.x, y=self.at.y, width=frame.width, height=frame.height
                ),
                hint=tr("The left upper corner is 0, 0."),
            )
        start, end = spots_of(step)
        start, end = (start, self.at) if self.end else (self.at, end)
        drag = step.action.action_type == "drag"
        if start is None or (self.end and not drag):
            return None
        pointer = _pointer(step.pointer, start, end if drag else None)
        action = aimed(step.action, start, end if drag else None, frame)
        if pointer == step.pointer and action == step.action:
            return None
        new = self._bound(document, step, step.model_copy(update={"pointer": pointer, "action": action}))
        words = tr("Move the end of {step} to {x}, {y}") if self.end else tr("Move the spot of {step} to {x}, {y}")
        label = words.format(step=numbered(document, step), x=self.at.x, y=self.at.y)
        return make_edit(label, [Change.between(step, new)], merge_key=self.merge_key)

    def _bound(self, document: Document, old: Step, new: Step) -> Step:
        elements = document.elements(new.before.id) if new.before is not None else ()
        free, bound = implied(old, elements), implied(new, elements)
        names = ("target_uid", "end_uid")
        # Each half for itself: a start that was chosen by hand stays while the end follows.
        kept = {name: getattr(old, name) for name in names if getattr(free, name) != getattr(old, name)}
        return bound.model_copy(update=kept)


def spots_of(step: Step) -> tuple[Point | None, Point | None]:
    """Where a step acted and where its drag ended, in pixels of its before-frame; None where that is not known.

    Without a pointer, for instance in a step that was written by hand, it is the middle of the written target.
    """
    pointer = step.pointer
    if pointer is None:
        return _middle(step.action.target, step.before), _middle(step.action.end, step.before)
    return pointer.at, pointer.end or _middle(step.action.end, step.before)


def _middle(target: ActionTarget | None, frame: Frame | None) -> Point | None:
    if target is None or target.bbox is None or frame is None:
        return None
    try:
        box: Rect = from_norm_xywh(target.bbox, frame.size)
    except GeometryError:
        return None
    return box.center


def _pointer(old: Pointer | None, start: Point, end: Point | None) -> Pointer:
    update: dict[str, Any] = {"x": start.x, "y": start.y}
    if end is not None:
        update |= {"end_x": end.x, "end_y": end.y}
    return Pointer(**update) if old is None else old.model_copy(update=update)


def aimed(action: Action, start: Point, end: Point | None, frame: Frame) -> Action:
    """The action with its written targets at the spots; a bound element still wins over them on export."""
    ends = {} if end is None or action.end is None else {"end_target": point_target(end, frame)}
    return action.replace(target=point_target(start, frame), **ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNote:
    """A person's remark on a step; empty takes it away."""

    step_id: str
    text: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        text = self.text.strip()
        label = tr("Write the note on {step}") if text else tr("Remove the note on {step}")
        return edit_step(document, self.step_id, {"note": text}, label)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVariable:
    """The name of the variable whose value a typed text is; empty for a text that is always the same."""

    step_id: str
    name: str

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
        return edit_step(document, step.id, {"variable": name}, label, words={"name": name})


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
        return make_edit(words.get(self.outcome or "", tr("Leave open whether the task was done")) + because, changes)

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
    """A person has looked at the recording and takes it."""

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        head = document.head
        return make_edit(tr("Accept the recording"), changed(head, head.model_copy(update={"accepted": True})))
