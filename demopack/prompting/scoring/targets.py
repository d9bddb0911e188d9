"""Whether an answer's target is the recorded one: by identity, by box, or by a point in the box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.actions import ActionTarget
from demopack.domain.geometry import Rect, Size, from_norm_xywh, iou
from demopack.errors import GeometryError
from demopack.pack.rows import ElementRow

__all__ = ["Aim", "Goal", "aim_of", "goals_of", "hits"]

_SAME: Final = 0.5
"""Boxes that overlap this much (intersection over union) mean one thing."""
_NEAR: Final = 0.02
"""A recorded point without an element is met within this part of the picture's diagonal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What an answer is aimed at, as far as it says.

    Attributes:
        uid: the element on this picture; empty where the answer names none that is there.
        track_id: the element over the pictures of the demo; empty where unknown.
        box: in pixels; of size zero for a point; None where the answer gives no place.
    """

    uid: str = ""
    track_id: str = ""
    box: Rect | None = None

    @property
    def point(self) -> tuple[float, float] | None:
        """The middle of the box."""
        return None if self.box is None else ((self.box.x1 + self.box.x2) / 2, (self.box.y1 + self.box.y2) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What is right to aim at.

    Attributes:
        uid: the element; empty for a mere place.
        track_id: as in :class:`Aim`.
        box: in pixels of the picture; of size zero for a point.
        size: of the picture.
    """

    uid: str = ""
    track_id: str = ""
    box: Rect
    size: Size


def aim_of(target: ActionTarget | None, elements: Sequence[ElementRow], size: Size | None) -> Aim | None:
    """What a target means on a picture, in the contract's order of trust; None without a target."""
    if target is None:
        return None
    element = _element(target, elements)
    if element is not None:
        return Aim(uid=element.uid, track_id=element.track_id or "", box=Rect(*element.box))
    box = None
    if target.bbox is not None and size is not None:
        try:
            box = from_norm_xywh(target.bbox, size)
        except GeometryError:
            box = None
    return Aim(track_id=target.track_id or "", box=box)


def _element(target: ActionTarget, elements: Sequence[ElementRow]) -> ElementRow | None:
    if target.track_id is not None:
        found = next((row for row in elements if row.track_id == target.track_id), None)
        if found is not None:
            return found
    if target.element_id is not None:
        found = next((row for row in elements if row.element_id == target.element_id), None)
        if found is not None:
            return found
    if target.text is not None and target.bbox is None:
        named = [row for row in elements if (row.text or "").strip() == target.text.strip()]
        return named[0] if len(named) == 1 else None
    return None


def goals_of(
    target: ActionTarget | None,
    uid: str | None,
    alternatives: Sequence[ActionTarget],
    elements: Sequence[ElementRow],
    size: Size | None,
) -> list[Goal]:
    """Everything that is right to aim at: the recorded target and what was named beside it.

    Args:
        target: as recorded.
        uid: the element it was done to; None where it was a mere place.
        alternatives: further targets that are right.
        elements: of the picture.
        size: of the picture; None without one.
    """
    goals: list[Goal] = []
    by_uid: Mapping[str, ElementRow] = {row.uid: row for row in elements}
    own = by_uid.get(uid or "")
    for number, one in enumerate([target, *alternatives]):
        aim = aim_of(one, elements, size)
        if number == 0 and own is not None and (target is None or target.bbox is None or target.element_id is not None):
            aim = Aim(uid=own.uid, track_id=own.track_id or "", box=Rect(*own.box))
        if aim is not None and aim.box is not None and size is not None:
            goals.append(Goal(uid=aim.uid, track_id=aim.track_id, box=aim.box, size=size))
    return goals


def hits(aim: Aim | None, goals: Sequence[Goal]) -> bool:
    """Whether an answer's aim is one of the goals."""
    return aim is not None and any(_hits(aim, goal) for goal in goals)


def _hits(aim: Aim, goal: Goal) -> bool:
    if (aim.uid and aim.uid == goal.uid) or (aim.track_id and aim.track_id == goal.track_id):
        return True
    if aim.box is None or aim.point is None:
        return False
    x, y = aim.point
    if goal.box.area == 0:
        reach = _NEAR * math.hypot(goal.size.width, goal.size.height)
        return math.hypot(x - goal.box.x1, y - goal.box.y1) <= reach
    inside = goal.box.x1 <= x <= goal.box.x2 and goal.box.y1 <= y <= goal.box.y2
    # A box around the whole window has its middle somewhere too; only one that is not much larger can mean the goal.
    return inside and (aim.box.area <= goal.box.area or iou(aim.box, goal.box) >= _SAME)
