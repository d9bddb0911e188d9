"""Commands on the extent of steps: split, merge, other pictures; see :mod:`annotator.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from annotator.binding import implied
from annotator.commands import make_edit
from annotator.document import Document
from annotator.step_order import numbered, placed
from annotator.step_shape import merged, split
from annotator.words import tr
from demopack.domain.actions import Action, ActionTarget
from demopack.domain.binding import point_target
from demopack.domain.edits import Change, Edit
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.steps import Pointer, Step
from demopack.errors import BadInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitStep:
    """One step cut into two.

    Attributes:
        step_id: which.
        at: how many characters, clicks, notches or presses the first part gets.
        new_id: of the second part, chosen beforehand so that it can be shown.
        between: the screen at the cut, where one is known, for instance from the film.
    """

    step_id: str
    at: int
    new_id: str
    between: Frame | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None or document.step(self.new_id) is not None:
            return None
        first, second = split(step, self.at, new_id=self.new_id, between=self.between)
        if self.between is not None and (step.before is None or self.between.id != step.before.id):
            second = implied(second, document.elements(self.between.id))
        index = document.index_of(step.id) or 0
        wanted = [*document.steps[:index], first, second, *document.steps[index + 1 :]]
        return make_edit(
            tr("Split {step}").format(step=numbered(document, step)), placed(document, wanted, {second.id})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeSteps:
    """Neighbours that belong together made one: typings, scrolls, presses of a key, clicks at one place."""

    step_ids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        places = sorted(i for i, step in enumerate(document.steps) if step.id in set(self.step_ids))
        if not places:
            return None
        if places != list(range(places[0], places[-1] + 1)):
            raise BadInputError(
                tr("These steps cannot be made one: others lie between them."),
                hint=tr("Select steps that follow each other."),
            )
        steps = document.steps[places[0] : places[-1] + 1]
        one = merged(steps, document.element)
        wanted = [*document.steps[: places[0]], one, *document.steps[places[-1] + 1 :]]
        label = tr("Merge steps {value} to {value2}").format(value=places[0] + 1, value2=places[-1] + 1)
        return make_edit(label, placed(document, wanted, set()))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceFrame:
    """Another picture of the screen before or after a step; the step is bound to what lies under its pointer there.

    Attributes:
        step_id: which step.
        side: which of its pictures.
        frame: the other picture, of this demo or its film.
    """

    step_id: str
    side: Literal["before", "after"]
    frame: Frame

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        step = document.step(self.step_id)
        if step is None:
            return None
        old = step.before if self.side == "before" else step.after
        if old is not None and old.id == self.frame.id:
            return None
        new = self._with_before(step, document) if self.side == "before" else self._with_after(step)
        label = (
            tr("Use another picture before {step}") if self.side == "before" else tr("Use another picture after {step}")
        ).format(step=numbered(document, step))
        return make_edit(label, [Change.between(step, new)])

    def _with_after(self, step: Step) -> Step:
        quality = step.quality.model_copy(update={"settled": None, "settle_ms": None})
        return step.model_copy(update={"after": self.frame, "quality": quality})

    def _with_before(self, step: Step, document: Document) -> Step:
        frame, age = self.frame, None
        if step.started_ns and frame.grab_ended_ns > step.started_ns:
            # It shows how the screen looked, but was taken later: as a picture before the step it has no time.
            frame = frame.model_copy(update={"grab_started_ns": 0, "grab_ended_ns": 0})
        elif step.started_ns and frame.grab_ended_ns:
            age = (step.started_ns - frame.grab_ended_ns) / 1e6
        quality = step.quality.model_copy(update={"frame_age_ms": age, "changed_before_event": None})
        update: dict[str, Any] = {"before": frame, "quality": quality}
        pointer = _on(step.pointer, step.before, frame)
        if pointer is not None and pointer != step.pointer:
            update["pointer"] = pointer
        if pointer is not None and step.before is not None and step.before.size != frame.size:
            update["action"] = _aimed(step.action, pointer, frame)
        return implied(step.model_copy(update=update), document.elements(frame.id))


def _on(pointer: Pointer | None, old: Frame | None, new: Frame) -> Pointer | None:
    """The pointer in pixels of another picture of the same desktop.

    Raises:
        BadInputError: that picture does not show the place.
    """
    if pointer is None or old is None:
        return pointer
    x, y = _pixel(pointer.x, pointer.y, old, new)
    if not (0 <= x < new.width and 0 <= y < new.height):
        raise BadInputError(
            tr("That picture does not show the place where the pointer acted."),
            hint=tr("Choose one of the same screen."),
        )
    if pointer.end_x is None or pointer.end_y is None:
        return pointer.model_copy(update={"x": x, "y": y})
    end_x, end_y = _pixel(pointer.end_x, pointer.end_y, old, new)
    way = [(point, _pixel(point.x, point.y, old, new)) for point in pointer.path]
    path = tuple(point.model_copy(update={"x": px, "y": py}) for point, (px, py) in way)
    return pointer.model_copy(update={"x": x, "y": y, "end_x": end_x, "end_y": end_y, "path": path})


def _pixel(x: int, y: int, old: Frame, new: Frame) -> tuple[int, int]:
    at = old.space.pixel_on(new.space, Point(x, y))
    return at.x, at.y


def _aimed(action: Action, pointer: Pointer, frame: Frame) -> Action:
    """The action with its written targets as fractions of a picture of another size."""
    found: dict[str, ActionTarget] = {}
    if action.target is not None:
        found["target"] = point_target(Point(pointer.x, pointer.y), frame)
    if pointer.end_x is not None and pointer.end_y is not None and action.end is not None:
        found["end_target"] = point_target(Point(pointer.end_x, pointer.end_y), frame)
    return action.replace(**found)
