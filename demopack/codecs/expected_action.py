"""What is right at a recorded step: the action, everything that it may be aimed at, and what may be said of the task.

Its JSON form holds all that an answer is judged by, so that a reward function needs no pack::

    {"action": {...}, "size": [960, 600], "targets": [{"box": [40, 300, 160, 330], "element_id": 7}], "ends": [],
     "statuses": ["continue"], "elements": [{"element_id": 1, "type": "text", "box": [...], "text": "Name"}, ...]}

Boxes are ``[x1, y1, x2, y2]`` in pixels of the picture, right and bottom edges exclusive; one of size zero is a point.
A target without a place has null there and a ``track_id`` or a ``text``. The end of a drag that began in its box has
the recorded place ``at``, which alone is right, for an answer that gives a place.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from demopack.codecs.observation import Observation
from demopack.codecs.recorded_demo import RecordedDemo, RecordedStep
from demopack.domain.actions import Action, ActionTarget, LLMResponse, parse_action
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh
from demopack.domain.labels import control_beside
from demopack.errors import BadInputError, GeometryError
from demopack.json_lines import parse_object


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTarget:
    """What an answer is aimed at, as far as it says; or what it is right to aim at.

    Attributes:
        uid: the element on this picture; empty where the answer names none that is there.
        track_id: the element over the pictures of the demo; empty where unknown.
        text: that it names; what is right has one only where it has no place.
        box: in pixels; of size zero for a point; None where the answer gives no place.
        at: the place in the box that alone is right, for the end of a drag that began in that box.
    """

    uid: str = ""
    track_id: str = ""
    text: str = ""
    box: Rect | None = None
    at: Point | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedAction:
    """What was recorded at one step.

    Attributes:
        action: as recorded.
        goals: what is right to aim at; empty where the action has no place.
        ends: the same for the end of a drag.
        elements: of the picture.
        size: of the picture; None without one.
        statuses: what may be said about the task: ``continue``, ``success`` or ``failure``.
    """

    action: Action
    goals: Sequence[AnswerTarget]
    ends: Sequence[AnswerTarget]
    elements: Sequence[NumberedElement]
    size: Size | None
    statuses: frozenset[str]

    @property
    def observation(self) -> Observation:
        """The screen that the answer is about."""
        return Observation(size=self.size, elements=self.elements)

    def to_json_text(self) -> str:
        """The JSON form, on one line."""
        numbers = {element.uid: element.number for element in self.elements}
        row = {
            "action": self.action.to_wire(),
            "size": None if self.size is None else list(self.size),
            "targets": [_target_to_json(goal, numbers) for goal in self.goals],
            "ends": [_target_to_json(goal, numbers) for goal in self.ends],
            "statuses": sorted(self.statuses),
            "elements": [_element_to_json(element) for element in self.elements],
        }
        return json.dumps(row, ensure_ascii=False, allow_nan=False)


def parse_expected(text: str) -> ExpectedAction:
    """Read the JSON form.

    Raises:
        BadInputError: the text is something else.
    """
    try:
        row = parse_object(text)
        return ExpectedAction(
            action=parse_action(row["action"]),
            goals=[_target_of(one) for one in row["targets"]],
            ends=[_target_of(one) for one in row["ends"]],
            elements=[_element_of(one) for one in row["elements"]],
            size=None if row["size"] is None else Size(*_whole(row["size"])),
            statuses=frozenset(row["statuses"]),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, BadInputError) as error:
        raise BadInputError(
            "The ground truth is none that was exported from here.",
            details=f"{type(error).__name__}: {error}",
            hint="Give “reward_model.ground_truth” (or “answer”) of the format “rl” as it stands.",
        ) from error


def expected_action(demo: RecordedDemo, number: int, more: Sequence[ActionTarget] = ()) -> ExpectedAction:
    """What is right at a step of a demo.

    Args:
        demo: the demo.
        number: of the step, from 0.
        more: further targets that are right, beside those that the demo itself names.
    """
    step = demo.steps[number]
    action, elements, size = step.response.action, step.observation.elements, step.observation.size
    # Some vocabularies say with the last action that the task is done, others after it.
    statuses = {status_of([one.response]) for one in demo.steps[number : number + 2]}
    return ExpectedAction(
        action=action,
        goals=acceptable_targets(action.target, step.recorded.target_uid, [*step.alternatives, *more], elements, size),
        ends=_ends(step),
        elements=elements,
        size=size,
        statuses=frozenset(statuses),
    )


def _ends(step: RecordedStep) -> list[AnswerTarget]:
    """What is right for the end of a drag.

    Where it began on the element that it ends on (the bar of a slider, a canvas), the place on it is what matters.
    """
    elements, size, pointer = step.observation.elements, step.observation.size, step.recorded.pointer
    ends = acceptable_targets(step.response.action.end, step.recorded.end_uid, (), elements, size)
    box, at = ends[0].box if ends else None, None if pointer is None else pointer.end
    if box is not None and pointer is not None and at is not None and box.contains(pointer.at) and box.contains(at):
        ends[0] = replace(ends[0], at=at)
    return ends


def _target_to_json(goal: AnswerTarget, numbers: Mapping[str, int]) -> dict[str, Any]:
    at = None if goal.at is None else [goal.at.x, goal.at.y]
    named = {"at": at, "element_id": numbers.get(goal.uid), "track_id": goal.track_id, "text": goal.text}
    box = None if goal.box is None else goal.box.corners
    return {"box": box, **{name: value for name, value in named.items() if value}}


def _whole(values: Sequence[Any]) -> Sequence[int]:
    if not all(type(value) is int for value in values):
        raise ValueError("a place or a size is not in whole pixels")
    return values


def _target_of(row: Mapping[str, Any]) -> AnswerTarget:
    uid = str(row["element_id"]) if "element_id" in row else ""
    named = {name: row[name] for name in ("track_id", "text") if name in row}
    box = None if row["box"] is None else Rect(*_whole(row["box"]))
    if box is None and not named:
        raise ValueError("a target has neither place nor name")
    return AnswerTarget(uid=uid, box=box, at=Point(*_whole(row["at"])) if "at" in row else None, **named)


def _element_to_json(element: NumberedElement) -> dict[str, Any]:
    named = {"text": element.text, "subtype": element.subtype, "track_id": element.track_id}
    known = {name: value for name, value in named.items() if value}
    return {"element_id": element.number, "type": element.type, "box": element.box.corners, **known}


def _element_of(row: Mapping[str, Any]) -> NumberedElement:
    # An element's uid never leaves its library; on one picture its number is as good.
    number = row["element_id"]
    named = {name: row[name] for name in ("type", "box", "text", "subtype", "track_id") if name in row}
    return NumberedElement.model_validate({"uid": str(number), "frame": "", "number": number, **named})


def answer_target(
    target: ActionTarget | None, elements: Sequence[NumberedElement], size: Size | None
) -> AnswerTarget | None:
    """What a target means on a picture, in the contract's order of trust; None without a target."""
    if target is None:
        return None
    element, text = _element(target, elements), (target.text or "").strip()
    if element is not None:
        return replace(_aim_at(element), text=text)
    box = None
    if target.bbox is not None and size is not None:
        with contextlib.suppress(GeometryError):
            box = from_norm_xywh(target.bbox, size)
    return AnswerTarget(track_id=target.track_id or "", text=text, box=box)


def _aim_at(element: NumberedElement) -> AnswerTarget:
    return AnswerTarget(uid=element.uid, track_id=element.track_id or "", box=element.box)


def _named(text: str, elements: Sequence[NumberedElement]) -> list[NumberedElement]:
    return [row for row in elements if (row.text or "").strip() == text]


def _element(target: ActionTarget, elements: Sequence[NumberedElement]) -> NumberedElement | None:
    tracked = [row for row in elements if row.track_id is not None and row.track_id == target.track_id]
    meant = tracked or [row for row in elements if row.number == target.element_id]
    if meant:
        return meant[0]
    if target.text is not None and target.bbox is None:
        named = _named(target.text.strip(), elements)
        return named[0] if len(named) == 1 else None
    return None


def acceptable_targets(
    target: ActionTarget | None,
    uid: str | None,
    alternatives: Sequence[ActionTarget],
    elements: Sequence[NumberedElement],
    size: Size | None,
) -> list[AnswerTarget]:
    """Everything that is right to aim at: the recorded target and what was named beside it, each with its box.

    Where that is the label of a radio button, check box or switch, the control itself is as right. A target that has
    only a name, which no element or several have, is right by that name, and each of these elements is.

    Args:
        target: as recorded.
        uid: the element it was done to; None where it was a mere place.
        alternatives: further targets that are right.
        elements: of the picture.
        size: of the picture; None without one.
    """
    aims = [answer_target(one, elements, size) for one in (target, *alternatives)]
    own = next((row for row in elements if row.uid == uid), None)
    if own is not None and (target is None or target.bbox is None or target.element_id is not None):
        aims[0] = _aim_at(own)
    control = None if own is None else control_beside(own, elements)
    if control is not None:
        aims.append(_aim_at(control))
    goals: list[AnswerTarget] = []
    for aim in aims:
        if aim is not None and aim.box is not None and size is not None:
            goals.append(replace(aim, text=""))
        elif aim is not None and (aim.track_id or aim.text):
            goals += [aim, *(_aim_at(row) for row in _named(aim.text, elements) if aim.text)]
    return goals


def status_of(responses: Sequence[LLMResponse]) -> str:
    """What an answer says about the task: ``continue``, ``success`` or ``failure``."""
    for response in responses:
        if response.action.action_type == "finish_goal":
            return "success" if response.is_goal_complete else "failure"
    return "continue"
