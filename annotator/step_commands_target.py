"""What a step was aimed at, more closely: further right targets, the exact spot; see :mod:`annotator.commands`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.binding import implied
from annotator.commands import changed_to, make_edit
from annotator.document import Document
from annotator.step_order import numbered
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.binding import point_target
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, from_norm_xywh
from demopack.domain.steps import Pointer, Step
from demopack.errors import BadInputError, GeometryError

__all__ = ["MarkAlternatives", "MovePointer", "spots_of"]


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
        chosen = [e for uid in self.uids if (e := document.element(uid)) is not None and e.review != "rejected"]
        if step is None or not chosen:
            return None
        if step.action.action_type in {"wait", "finish_goal", "launch"}:
            raise BadInputError(
                tr("This step has no target, so nothing else can be as right."),
                hint=tr("Alternatives belong to steps that act on an element."),
            )
        if step.before is None or any(element.frame != step.before.id for element in chosen):
            raise BadInputError(
                tr("That element is on another picture than the one this step was done on."),
                hint=tr("Show the picture before the step, and choose there."),
            )
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
        label = label.format(elements=names, step=numbered(document, step))
        return make_edit(label, [changed_to(step, step.model_copy(update={"alternatives": kept}))])


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
        if start is None or (self.end and step.action.action_type != "drag"):
            return None
        drag = step.action.action_type == "drag"
        pointer = _pointer(step.pointer, start, end if drag else None)
        action = _aimed(step.action, start, end if drag else None, frame)
        if pointer == step.pointer and action == step.action:
            return None
        new = self._bound(document, step, step.model_copy(update={"pointer": pointer, "action": action}))
        words = tr("Move the end of {step} to {x}, {y}") if self.end else tr("Move the spot of {step} to {x}, {y}")
        label = words.format(step=numbered(document, step), x=self.at.x, y=self.at.y)
        return make_edit(label, [changed_to(step, new)], merge_key=self.merge_key)

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
        return _middle(step.action.target, step.before), _middle(step.action.end_target, step.before)
    end = None if pointer.end_x is None or pointer.end_y is None else Point(pointer.end_x, pointer.end_y)
    return Point(pointer.x, pointer.y), end or _middle(step.action.end_target, step.before)


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


def _aimed(action: AgentAction, start: Point, end: Point | None, frame: Frame) -> AgentAction:
    """The action with its written targets at the spots; a bound element still wins over them on export."""
    wire = action.to_wire()
    wire["target"] = point_target(start, frame).to_wire()
    if end is not None and "end_target" in wire["parameters"]:
        wire["parameters"] = {**wire["parameters"], "end_target": point_target(end, frame).to_wire()}
    return AgentAction.model_validate(wire)
