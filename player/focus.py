"""Whether a step for the keyboard needs a click first, so that its target has the input. Pure."""

from __future__ import annotations

from demopack.domain.geometry import Rect, from_norm_xywh
from player.recorded import Aim, Plan

__all__ = ["KEYBOARD", "Focus"]

KEYBOARD = frozenset({"type", "press_key"})
"""Actions whose keys go wherever the focus is."""
_MOVES_FOCUS = frozenset({"click", "drag", "launch"})


class Focus:
    """Remembers what the steps performed so far did to the input focus.

    A replay does what the person did, so the focus is where theirs was; a click too many would lose a selection or
    close a pop-up. Only where the last click went elsewhere, and the screen does not look as recorded either, or where
    nothing has been performed yet, is the target clicked first.
    """

    def __init__(self) -> None:
        self._last: Plan | None = None
        self._any = False

    def performed(self, plan: Plan) -> None:
        """A step has been performed."""
        self._any = True
        if plan.action.action_type in _MOVES_FOCUS or plan.action.action_type in KEYBOARD:
            self._last = plan

    def needs_click(self, plan: Plan, *, same_screen: bool) -> bool:
        """Whether the target of a ``type`` or ``press_key`` step has to be clicked first."""
        if plan.aim is None or plan.action.action_type not in KEYBOARD or same_screen:
            return False
        if self._last is None:
            return True
        if self._last.action.action_type != "click":
            return False  # keys and drags move the focus in ways that only the program knows
        return not _same_target(self._last, plan)


def _same_target(clicked: Plan, plan: Plan) -> bool:
    if clicked.aim is None or plan.aim is None:
        return False
    one, other = clicked.aim.target, plan.aim.target
    if one.track_id is not None and one.track_id == other.track_id:
        return True
    a, b = _box(clicked.aim), _box(plan.aim)
    # A click on a field's label or inside the field: the boxes touch.
    return a is not None and b is not None and (b.contains(a.center) or a.contains(b.center))


def _box(aim: Aim) -> Rect | None:
    if aim.target.bbox is None or aim.recorded is None:
        return None
    return from_norm_xywh(aim.target.bbox, aim.recorded.size)
