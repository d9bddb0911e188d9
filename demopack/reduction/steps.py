"""Steps of gestures and the screens around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.domain.actions import (
    Action,
    ClickAction,
    DragAction,
    FinishGoalAction,
    HoverAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
    WaitAction,
)
from demopack.domain.binding import point_target
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, to_fraction
from demopack.domain.records import new_id
from demopack.domain.screenshots import Snapshot
from demopack.domain.steps import CaptureQuality, PathPoint, Pointer, Step
from demopack.reduction.gestures import Gesture

_MAX_POINTS = 32
_STRAIGHT_PX = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingStep:
    """A gesture with its two snapshots.

    Attributes:
        gesture: what was done.
        before: the screen before; None when there was no snapshot yet.
        changed_before_event: whether a grab that began before the first event already showed something else.
        after: the screen after; None when there was no snapshot between the last event and the next input.
        settled: whether it had come to rest; None without ``after``.
        last_ns: time of the last event.
        until_ns: until when news about the gesture may come: a moment after its last event, or the next input if that
            came sooner; what a program tells about its fields arrives late. 0: up to the last event.
    """

    gesture: Gesture
    before: Snapshot | None
    changed_before_event: bool | None
    after: Snapshot | None
    settled: bool | None
    last_ns: int
    until_ns: int = 0


def frame_of(snapshot: Snapshot, stored_id: str) -> Frame:
    """The reference to a stored picture, with the times of this look at it."""
    screenshot = snapshot.screenshot
    return Frame(
        id=stored_id,
        width=screenshot.size.width,
        height=screenshot.size.height,
        origin_x=screenshot.space.origin_x,
        origin_y=screenshot.space.origin_y,
        pixels_per_unit=screenshot.space.pixels_per_unit,
        scale_factor=screenshot.scale_factor,
        grab_started_ns=snapshot.started_ns,
        grab_ended_ns=snapshot.ended_ns,
        monitors=screenshot.monitors,
    )


def build_step(pending: PendingStep, *, position: int, before: Frame | None, after: Frame | None, basis: Frame) -> Step:
    """The step of a gesture.

    Args:
        pending: the gesture, and when its frames were taken.
        position: of the step in its demo.
        before: the stored before-frame.
        after: the stored after-frame.
        basis: the frame in whose pixels positions are expressed: ``before`` wherever there is one.
    """
    gesture = pending.gesture
    start_ns = gesture.start.t_ns
    pointer = None if gesture.kind in {"type", "press_key", "wait"} else _pointer(gesture, basis)
    return Step(
        id=new_id("step"),
        position=position,
        action=_action(gesture, pointer, basis),
        pointer=pointer,
        before=before,
        after=after,
        started_ns=start_ns,
        ended_ns=max(start_ns, pending.last_ns),
        quality=CaptureQuality(
            # A wait begins with the event before it, and its first frame is the one that came of that.
            frame_age_ms=None if pending.before is None else _ms(max(0, start_ns - pending.before.ended_ns)),
            changed_before_event=pending.changed_before_event,
            settled=pending.settled,
            settle_ms=None if pending.after is None else _ms(pending.after.ended_ns - pending.last_ns),
        ),
        events=gesture.events,
        window=None if pending.before is None else pending.before.window,
    )


def finish_step(final: Frame, *, position: int, outcome: Literal["success", "failure"], now_ns: int) -> Step:
    """The last step of a demo: the person said that the task was done, or given up."""
    return Step(
        id=new_id("step"),
        position=position,
        action=FinishGoalAction(status=outcome),
        before=final,
        started_ns=now_ns,
        ended_ns=now_ns,
        quality=CaptureQuality(frame_age_ms=_ms(max(0, now_ns - final.grab_ended_ns))),
    )


def _action(gesture: Gesture, pointer: Pointer | None, basis: Frame) -> Action:
    if gesture.kind == "type":
        return TypeAction(text_to_type=gesture.text)
    if gesture.kind == "press_key":
        return PressKeyAction(key_info=gesture.key_info, presses=gesture.presses)
    if gesture.kind == "wait":
        return WaitAction(wait_duration_s=gesture.duration_s)
    assert pointer is not None
    target = point_target(Point(pointer.x, pointer.y), basis)
    if gesture.kind == "hover":
        return HoverAction(target=target, duration_s=gesture.duration_s)
    held = gesture.modifiers
    if gesture.kind == "click":
        return ClickAction(target=target, click_type=gesture.click_type, modifiers=held, hold_s=gesture.hold_s)
    if gesture.kind == "scroll":
        return ScrollAction(
            target=target, scroll_direction=gesture.direction, scroll_steps=gesture.steps, modifiers=held
        )
    assert pointer.end_x is not None
    assert pointer.end_y is not None
    assert gesture.button in ("left", "right", "middle")  # those at the side are keys
    # The two ends are targets; only what lies between them is a way.
    path = tuple(to_fraction(Point(p.x, p.y), basis.size) for p in pointer.path[1:-1])
    end = point_target(Point(pointer.end_x, pointer.end_y), basis)
    return DragAction(target=target, end_target=end, path=path, button=gesture.button, modifiers=held)


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


def _ms(nanoseconds: int) -> float:
    return round(nanoseconds / 1e6, 3)
