"""From a gesture and its two frames to a step: pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from demopack.domain.actions import AgentAction
from demopack.domain.binding import point_target
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.records import new_id
from demopack.domain.steps import CaptureQuality, PathPoint, Pointer, Step
from recorder.pairing import Draft
from recorder.reduction.gestures import Gesture
from recorder.screen.frames import Look

__all__ = ["build_step", "finish_step", "frame_of", "simplify"]

_MAX_POINTS = 32
_STRAIGHT_PX = 3.0


def frame_of(look: Look, stored_id: str) -> Frame:
    """The reference to a stored picture, with the times of this look at it."""
    grab = look.picture.grab
    return Frame(
        id=stored_id,
        width=grab.size.width,
        height=grab.size.height,
        origin_x=grab.space.origin_x,
        origin_y=grab.space.origin_y,
        pixels_per_unit=grab.space.pixels_per_unit,
        scale_factor=grab.scale_factor,
        grab_started_ns=look.started_ns,
        grab_ended_ns=look.ended_ns,
        monitors=grab.monitors,
    )


def build_step(draft: Draft, *, position: int, before: Frame | None, after: Frame | None, basis: Frame) -> Step:
    """The step of a gesture.

    Args:
        draft: the gesture, and when its frames were taken.
        position: of the step in its demo.
        before: the stored before-frame.
        after: the stored after-frame.
        basis: the frame in whose pixels positions are expressed: ``before`` wherever there is one.
    """
    gesture = draft.gesture
    start_ns = gesture.start.t_ns
    pointer = None if gesture.kind in {"type", "press_key", "wait"} else _pointer(gesture, basis)
    return Step(
        id=new_id("step"),
        position=position,
        action=AgentAction.model_validate(_action(gesture, pointer, basis)),
        pointer=pointer,
        before=before,
        after=after,
        started_ns=start_ns,
        ended_ns=max(start_ns, draft.last_ns),
        quality=CaptureQuality(
            # A wait begins with the event before it, and its first frame is the one that came of that.
            frame_age_ms=None if draft.before is None else _ms(max(0, start_ns - draft.before.ended_ns)),
            changed_before_event=draft.changed_before_event,
            settled=draft.settled,
            settle_ms=None if draft.after is None else _ms(draft.after.ended_ns - draft.last_ns),
        ),
        events=gesture.events,
        window=None if draft.before is None else draft.before.window,
    )


def finish_step(final: Frame, *, position: int, outcome: Literal["success", "failure"], now_ns: int) -> Step:
    """The last step of a demo: the person said that the task was done, or given up."""
    parameters = {} if outcome == "success" else {"status": "failure"}
    return Step(
        id=new_id("step"),
        position=position,
        action=AgentAction(action_type="finish_goal", parameters=parameters),
        before=final,
        started_ns=now_ns,
        ended_ns=now_ns,
        quality=CaptureQuality(frame_age_ms=_ms(max(0, now_ns - final.grab_ended_ns))),
    )


def _action(gesture: Gesture, pointer: Pointer | None, basis: Frame) -> dict[str, Any]:
    wire: dict[str, Any] = {"action_type": gesture.kind, "target": None}
    if pointer is not None:
        wire["target"] = point_target(Point(pointer.x, pointer.y), basis).to_wire()
    if gesture.kind == "type":
        wire["parameters"] = {"text_to_type": gesture.text}
    elif gesture.kind == "press_key":
        wire["parameters"] = {"key_info": gesture.key_info, "presses": gesture.presses}
    elif gesture.kind == "hover":
        wire["parameters"] = {"duration_s": gesture.duration_s}
    elif gesture.kind == "wait":
        wire["parameters"] = {"wait_duration_s": gesture.duration_s}
    elif gesture.kind == "click":
        wire["parameters"] = {
            "click_type": gesture.click_type,
            "modifiers": list(gesture.modifiers),
            "hold_s": gesture.hold_s,
        }
    elif gesture.kind == "scroll":
        wire["parameters"] = {
            "scroll_direction": gesture.direction,
            "scroll_steps": gesture.steps,
            "modifiers": list(gesture.modifiers),
        }
    else:
        wire["parameters"] = _drag_parameters(gesture, pointer, basis)
    return wire


def _drag_parameters(gesture: Gesture, pointer: Pointer | None, basis: Frame) -> dict[str, Any]:
    assert pointer is not None
    assert pointer.end_x is not None
    assert pointer.end_y is not None
    # The two ends are targets; only what lies between them is a way.
    between = pointer.path[1:-1]
    return {
        "end_target": point_target(Point(pointer.end_x, pointer.end_y), basis).to_wire(),
        "path": [[_share(p.x, basis.width), _share(p.y, basis.height)] for p in between],
        "button": gesture.button,
        "modifiers": list(gesture.modifiers),
    }


def _pointer(gesture: Gesture, basis: Frame) -> Pointer:
    space = basis.space
    at = space.to_pixel(gesture.x, gesture.y)
    if gesture.kind != "drag":
        return Pointer(x=at.x, y=at.y)
    end = space.to_pixel(gesture.end_x, gesture.end_y)
    start_ns = gesture.start.t_ns
    way = [
        PathPoint(x=pixel.x, y=pixel.y, t_ms=_ms(event.t_ns - start_ns))
        for event in gesture.events
        if event.kind in {"down", "move", "up"}
        for pixel in (space.to_pixel(event.x, event.y),)
    ]
    return Pointer(x=at.x, y=at.y, end_x=end.x, end_y=end.y, path=tuple(simplify(way)))


def simplify(way: Sequence[PathPoint]) -> list[PathPoint]:
    """The way with only its bends: at most 32 points, first and last kept (Ramer, Douglas and Peucker)."""
    tolerance = _STRAIGHT_PX
    points = _bends(way, tolerance)
    while len(points) > _MAX_POINTS:
        tolerance *= 1.5
        points = _bends(way, tolerance)
    return points


def _bends(way: Sequence[PathPoint], tolerance: float) -> list[PathPoint]:
    if len(way) < 3:
        return list(way)
    keep = {0, len(way) - 1}
    spans = [(0, len(way) - 1)]
    while spans:
        first, last = spans.pop()
        if last - first < 2:
            continue
        far = max(range(first + 1, last), key=lambda i: _off(way[i], way[first], way[last]))
        if _off(way[far], way[first], way[last]) > tolerance:
            keep.add(far)
            spans += [(first, far), (far, last)]
    return [way[i] for i in sorted(keep)]


def _off(point: PathPoint, a: PathPoint, b: PathPoint) -> float:
    """Distance of a point from the stretch between two others, in pixels."""
    dx, dy = b.x - a.x, b.y - a.y
    length = dx * dx + dy * dy
    along = 0.0 if not length else ((point.x - a.x) * dx + (point.y - a.y) * dy) / length
    along = min(1.0, max(0.0, along))
    off_x, off_y = point.x - a.x - along * dx, point.y - a.y - along * dy
    return float((off_x * off_x + off_y * off_y) ** 0.5)


def _share(value: int, size: int) -> float:
    return round(min(1.0, max(0.0, value / size)), 6)


def _ms(nanoseconds: int) -> float:
    return round(nanoseconds / 1e6, 3)
