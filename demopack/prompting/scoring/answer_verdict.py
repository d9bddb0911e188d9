"""Judges one action against one recorded step (object, operation, status): by identity, name, box, or a point in it."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.codecs.expected_action import AnswerTarget, ExpectedAction, answer_target
from demopack.domain.actions import Action
from demopack.domain.geometry import Size, iou

_MIN_SAME_IOU: Final = 0.5
"""Boxes that overlap this much (intersection over union) mean one thing."""
_MAX_POINT_DISTANCE_SHARE: Final = 0.02
"""A recorded point (without an element, or where a drag ends on what it began on) is met within this part of the
picture's diagonal."""


def hits(aim: AnswerTarget | None, goals: Sequence[AnswerTarget], size: Size | None) -> bool:
    """Whether an answer's aim is one of the goals on a picture of this size."""
    return aim is not None and any(_hits(aim, goal, size) for goal in goals)


def _hits(aim: AnswerTarget, goal: AnswerTarget, size: Size | None) -> bool:
    if (aim.uid and aim.uid == goal.uid) or (aim.track_id and aim.track_id == goal.track_id):
        return True
    if aim.text and aim.text == goal.text:
        return True
    if aim.box is None or goal.box is None or size is None:
        return False
    x, y = (aim.box.x1 + aim.box.x2) / 2, (aim.box.y1 + aim.box.y2) / 2
    same = iou(aim.box, goal.box) >= _MIN_SAME_IOU
    if goal.at is not None or goal.box.area == 0:
        at = goal.at or goal.box.center
        reach = _MAX_POINT_DISTANCE_SHARE * math.hypot(size.width, size.height)
        # The element's own box says no more than its number: both name it.
        return same or math.hypot(x - at.x, y - at.y) <= reach
    inside = goal.box.x1 <= x <= goal.box.x2 and goal.box.y1 <= y <= goal.box.y2
    # A box around the whole window has its middle somewhere too; only one that is not much larger can mean the goal.
    return inside and (aim.box.area <= goal.box.area or same)


_NEEDS_OBJECT: Final = frozenset({"click", "hover", "drag"})


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
    place = None if aim is None or aim.box is None or not _have_place(truth.goals) else AnswerTarget(box=aim.box)
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
        # Nor can a mere place be held against a mere name.
        by_name = bool(aim.text or aim.track_id)
        return hits(aim, truth.goals, truth.size) if by_name or _have_place(truth.goals) else None
    return None


def _have_place(goals: Sequence[AnswerTarget]) -> bool:
    return any(goal.box is not None for goal in goals)


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
