"""Whether an action and its element fit together: what lies under the pointer, and what else could have been meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect, iou
from demopack.domain.steps import Step

__all__ = ["Aim", "aim_of", "distance"]

_POINTED: Final = frozenset({"click", "hover", "drag", "scroll"})
_NEAR, _MOST = 60, 3
"""Pixels around a spot in which elements are offered, and how many of them."""
_SLACK = 3
"""Pixels by which an inner box may stick out of the box around it and still lie in it."""
_SAME = 0.8
"""Boxes that overlap more (intersection over union) are one thing that was marked twice."""
_WHOLE = 4.0
"""A box around the target that is larger than this many times it is its container, not its rival."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is to be said about one end of a step.

    Attributes:
        trouble: the spot hits no element; it hits several that cannot be told apart by size; the chosen element does
            not lie under the spot; empty when all is well.
        offers: what could be chosen instead, the likeliest first, the present target left out.
    """

    trouble: Literal["", "none", "several", "elsewhere"] = ""
    offers: tuple[Element, ...] = ()


def aim_of(step: Step, elements: Sequence[Element], *, end: bool = False) -> Aim:
    """How the spot of a step and the elements of its before-frame fit together.

    Args:
        step: a step without a pointer, or whose action has no place, is never in trouble.
        elements: of its before-frame.
        end: look at the end of a drag.
    """
    at = _spot(step, end=end)
    if at is None:
        return Aim()
    x, y = at.x, at.y
    # Thousands of elements, after each edit: only those under the spot are looked at closely.
    hit = [e for e in elements if (b := e.box).x1 <= x < b.x2 and b.y1 <= y < b.y2 and e.review != "rejected"]
    under = sorted(hit, key=lambda e: e.box.area)
    uid = step.end_uid if end else step.target_uid
    chosen = next((element for element in under if element.uid == uid), None)
    if chosen is None and uid is not None and any(e.uid == uid and e.review != "rejected" for e in elements):
        return Aim(trouble="elsewhere", offers=tuple(under[:_MOST]))
    if not under:
        return _missed(elements, at)
    if chosen is None:
        return Aim(trouble="several", offers=tuple(under[:_MOST]))
    rivals = [element for element in under if element is not chosen and _rival(element.box, chosen.box)]
    if not rivals:
        return Aim()
    # What lies around the target may be what was meant, once it is not clear anyway.
    around = [e for e in under if e not in rivals and e is not chosen and e.box.area <= _WHOLE * chosen.box.area]
    return Aim(trouble="several", offers=tuple([*rivals, *around][:_MOST]))


def _missed(elements: Sequence[Element], at: Point) -> Aim:
    kept = [element for element in elements if element.review != "rejected"]
    near = [(distance(e.box, at), e.box.area, i) for i, e in enumerate(kept)]
    offers = tuple(kept[i] for far, _, i in sorted(near)[:_MOST] if far <= _NEAR)
    return Aim(trouble="none", offers=offers) if kept else Aim()


def distance(box: Rect, at: Point) -> float:
    """Pixels from a position to the nearest one of a box; 0 inside."""
    dx = max(box.x1 - at.x, at.x - (box.x2 - 1), 0)
    dy = max(box.y1 - at.y, at.y - (box.y2 - 1), 0)
    return math.hypot(dx, dy)


def _spot(step: Step, *, end: bool) -> Point | None:
    pointer = step.pointer
    if pointer is None or step.before is None or step.action.action_type not in _POINTED:
        return None
    if not end:
        return Point(pointer.x, pointer.y)
    ends = step.action.action_type == "drag" and pointer.end_x is not None and pointer.end_y is not None
    return Point(pointer.end_x or 0, pointer.end_y or 0) if ends else None


def _rival(other: Rect, chosen: Rect) -> bool:
    """Whether two boxes under one spot leave open which is meant: nested ones do not, the inner one lies on top."""
    if iou(other, chosen) >= _SAME:
        return True
    outer, inner = (other, chosen) if other.area >= chosen.area else (chosen, other)
    nested = (
        outer.x1 - _SLACK <= inner.x1
        and outer.y1 - _SLACK <= inner.y1
        and inner.x2 <= outer.x2 + _SLACK
        and inner.y2 <= outer.y2 + _SLACK
    )
    return not nested
