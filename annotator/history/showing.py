"""Brings what was changed into view, also where it is gone."""

from __future__ import annotations

from annotator.history.changes import Changed
from annotator.view_state import ViewState
from demopack.domain.edits import Change

__all__ = ["show_change", "show_changed", "show_first"]


def show_first(view: ViewState, changes: tuple[Change, ...]) -> bool:
    """Show what the first change is about that is about something on a picture; False where there is none."""
    return any(show_change(view, change) for change in changes)


def show_change(view: ViewState, change: Change) -> bool:
    """Show what a change is about; False for the demo as a whole, and where nothing is left to show it on."""
    values = change.after or change.before or {}
    if change.kind == "element":
        return _show_element(view, change.key, str(values.get("frame", "")))
    if change.kind == "step":
        return _show_step(view, change.key, position=int(values.get("position", 0)))
    return change.kind == "parsed" and _show_frame(view, change.key)


def show_changed(view: ViewState, changed: Changed) -> bool:
    """As :meth:`show_change`, for a thing of the list of what changed."""
    if changed.kind == "element":
        return _show_element(view, changed.key, changed.frame)
    if changed.kind == "step":
        index = view.document.index_of(changed.key)
        return _go(view, max(changed.place - 1, 0) if index is None else index)
    return changed.kind == "parsed" and _show_frame(view, changed.key)


def _show_element(view: ViewState, uid: str, frame: str) -> bool:
    element = view.document.element(uid)
    if not _show_frame(view, frame if element is None else element.frame):
        return False
    view.select((uid,))
    return True


def _show_step(view: ViewState, step_id: str, *, position: int) -> bool:
    index = view.document.index_of(step_id)
    if index is None:
        # A step that is gone: where it was.
        index = sum(step.position < position for step in view.document.steps)
    return _go(view, index)


def _go(view: ViewState, index: int) -> bool:
    if not view.document.steps:
        return False
    view.peek(None)
    view.go_to(index)
    return True


def _show_frame(view: ViewState, frame_id: str) -> bool:
    """Show a picture: the current step's, or else the first step's that has it."""
    shown = view.frame
    if shown is not None and shown.id == frame_id:
        return True
    for side in ("before", "after"):
        for index, step in enumerate(view.document.steps):
            frame = step.before if side == "before" else step.after
            if frame is not None and frame.id == frame_id:
                _go(view, index)
                view.set_side(side)
                return True
    return False
