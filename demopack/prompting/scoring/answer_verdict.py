"""Judges one action against one recorded step (object, operation, status): by identity, box, or a point in the box."""

from __future__ import annotations

import contextlib
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.codecs.element_words import control_beside
from demopack.domain.actions import Action, ActionTarget, LLMResponse
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect, Size, from_norm_xywh, iou
from demopack.errors import GeometryError

_MIN_SAME_IOU: Final = 0.5
"""Boxes that overlap this much (intersection over union) mean one thing."""
_MAX_POINT_DISTANCE_SHARE: Final = 0.02
"""A recorded point without an element is met within this part of the picture's diagonal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTarget:
    """What an answer is aimed at, as far as it says; or what it is right to aim at.

    Attributes:
        uid: the element on this picture; empty where the answer names none that is there.
        track_id: the element over the pictures of the demo; empty where unknown.
        box: in pixels; of size zero for a point; None where the answer gives no place.
    """

    uid: str = ""
    track_id: str = ""
    box: Rect | None = None


def answer_target(
    target: ActionTarget | None, elements: Sequence[NumberedElement], size: Size | None
) -> AnswerTarget | None:
    """What a target means on a picture, in the contract's order of trust; None without a target."""
    if target is None:
        return None
    element = _element(target, elements)
    if element is not None:
        return AnswerTarget(uid=element.uid, track_id=element.track_id or "", box=element.box)
    box = None
    if target.bbox is not None and size is not None:
        with contextlib.suppress(GeometryError):
            box = from_norm_xywh(target.bbox, size)
    return AnswerTarget(track_id=target.track_id or "", box=box)


def _element(target: ActionTarget, elements: Sequence[NumberedElement]) -> NumberedElement | None:
    tracked = [row for row in elements if row.track_id is not None and row.track_id == target.track_id]
    meant = tracked or [row for row in elements if row.number == target.element_id]
    if meant:
        return meant[0]
    if target.text is not None and target.bbox is None:
        named = [row for row in elements if (row.text or "").strip() == target.text.strip()]
        return named[0] if len(named) == 1 else None
    return None


def acceptable_targets(
    target: ActionTarget | None,
    uid: str | None,
    alternatives: Sequence[ActionTarget],
    elements: Sequence[NumberedElement],
    size: Size | None,
) -> list[AnswerTarget]:
    """Everything that is right to aim at, each with its box: the recorded target and what was named beside it.

    Where that is the label of a radio button, check box or switch, the control itself is as right.

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
        aims[0] = AnswerTarget(uid=own.uid, track_id=own.track_id or "", box=own.box)
    control = None if own is None else control_beside(own, elements)
    if control is not None:
        aims.append(AnswerTarget(uid=control.uid, track_id=control.track_id or "", box=control.box))
    return [aim for aim in aims if aim is not None and aim.box is not None and size is not None]


def hits(aim: AnswerTarget | None, goals: Sequence[AnswerTarget], size: Size | None) -> bool:
    """Whether an answer's aim is one of the goals on a picture of this size."""
    return aim is not None and any(_hits(aim, goal, size) for goal in goals)


def _hits(aim: AnswerTarget, goal: AnswerTarget, size: Size | None) -> bool:
    if (aim.uid and aim.uid == goal.uid) or (aim.track_id and aim.track_id == goal.track_id):
        return True
    if aim.box is None or goal.box is None or size is None:
        return False
    x, y = (aim.box.x1 + aim.box.x2) / 2, (aim.box.y1 + aim.box.y2) / 2
    if goal.box.area == 0:
        reach = _MAX_POINT_DISTANCE_SHARE * math.hypot(size.width, size.height)
        return math.hypot(x - goal.box.x1, y - goal.box.y1) <= reach
    inside = goal.box.x1 <= x <= goal.box.x2 and goal.box.y1 <= y <= goal.box.y2
    # A box around the whole window has its middle somewhere too; only one that is not much larger can mean the goal.
    return inside and (aim.box.area <= goal.box.area or iou(aim.box, goal.box) >= _MIN_SAME_IOU)


_NEEDS_OBJECT: Final = frozenset({"click", "hover", "drag"})


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerVerdict:
    """What is right about one action.

    Attributes:
        object: the target is an acceptable one; None where the action has none to be judged.
        kind: the action is of the right type.
        operation: type and arguments are right.
        aim: what it was aimed at; None without a target.
        inside: a given place lies in the box of an acceptable target; None where either gives no place.
    """

    object: bool | None
    kind: bool
    operation: bool
    aim: AnswerTarget | None
    inside: bool | None

    @property
    def right(self) -> bool:
        """Object and operation are right."""
        return self.object is not False and self.operation


def judge_action(
    action: Action, truth: ExpectedAction, *, aim: AnswerTarget | None = None, end: AnswerTarget | None = None
) -> AnswerVerdict:
    """Hold an action against what was recorded.

    Args:
        action: the model's.
        truth: what was recorded.
        aim: what its target means, where that was found out on another picture.
        end: the same for the end of a drag.
    """
    aim = aim or answer_target(action.target, truth.elements, truth.size)
    end = end or answer_target(action.end, truth.elements, truth.size)
    kind = action.action_type == truth.action.action_type
    place = None if aim is None or aim.box is None or not truth.goals else AnswerTarget(box=aim.box)
    return AnswerVerdict(
        object=_object(action, truth, aim, end),
        kind=kind,
        operation=kind and _arguments(action) == _arguments(truth.action),
        aim=aim,
        inside=None if place is None else hits(place, truth.goals, truth.size),
    )


def _object(action: Action, truth: ExpectedAction, aim: AnswerTarget | None, end: AnswerTarget | None) -> bool | None:
    recorded = truth.action.action_type
    if recorded in _NEEDS_OBJECT:
        return hits(aim, truth.goals, truth.size) and (recorded != "drag" or hits(end, truth.ends, truth.size))
    if recorded == "type" and truth.goals and aim is not None and action.action_type == "type":
        # Who types without saying where types into the field that has the cursor: that is judged by the step before.
        return hits(aim, truth.goals, truth.size)
    return None


def status_of(responses: Sequence[LLMResponse]) -> str:
    """What an answer says about the task: ``continue``, ``success`` or ``failure``."""
    for response in responses:
        if response.action.action_type == "finish_goal":
            return "success" if response.is_goal_complete else "failure"
    return "continue"


def _arguments(action: Action) -> tuple[object, ...]:
    """The parameters that have to be right.

    How far a scroll or a wait goes, and what is done with data that was read, is not for one recording to say.
    """
    match action.action_type:
        case "click":
            return action.click_type, action.modifiers
        case "type":
            return unicodedata.normalize("NFC", action.text_to_type).strip(), action.submit
        case "press_key":
            return action.key_info, action.presses
        case "scroll":
            return action.scroll_direction, action.modifiers
        case "drag":
            return action.button, action.modifiers
        case "launch":
            return (action.app.strip().casefold(),)
        case "finish_goal":
            return (action.status,)
        case _:
            return ()
