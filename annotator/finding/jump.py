"""Shows the frame that an element lies on, wherever in the demo it is."""

from __future__ import annotations

from annotator.view_state import ViewState

__all__ = ["show_frame"]


def show_frame(view: ViewState, frame_id: str) -> bool:
    """Go to a frame; False where nothing in the demo shows it.

    Where several steps show it, the current one is kept if it is among them; otherwise a step that begins on it is
    chosen before one that ends on it.
    """
    if view.frame is not None and view.frame.id == frame_id:
        return True
    steps = view.document.steps
    begins = [place for place, step in enumerate(steps) if step.before is not None and step.before.id == frame_id]
    ends = [place for place, step in enumerate(steps) if step.after is not None and step.after.id == frame_id]
    if begins or ends:
        chosen = begins or ends
        here = view.index in chosen
        view.go_to(view.index if here else chosen[0])
        view.set_side("before" if begins else "after")
        return True
    frame = view.document.frame(frame_id)
    if frame is not None:
        view.peek(frame)
    return frame is not None
