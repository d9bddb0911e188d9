"""From a gesture with its looks to a step record."""

from __future__ import annotations

import math

import numpy as np
import pytest

from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import ScreenSpace
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.steps import PathPoint, Step, WindowInfo
from demopack.reduction.fold import reduce_all
from demopack.reduction.gestures import Gesture, GestureKind, GestureThresholds
from demopack.reduction.steps import PendingStep, build_step, finish_step, frame_of, simplify
from tests.support.notation import parse_events

BASE_NS = 1_000_000_000


def look(
    *, ended_ns: int = BASE_NS, origin: tuple[int, int] = (0, 0), scale: float = 1.0, pixels: float = 1.0
) -> Snapshot:
    image = np.zeros((800, 1280, 3), dtype=np.uint8)
    taken = Screenshot(
        image=image,
        started_ns=0,
        ended_ns=1,
        space=ScreenSpace(origin_x=origin[0], origin_y=origin[1], pixels_per_unit=pixels),
        scale_factor=scale,
    )
    window = WindowInfo(title="Notes", app="notes")
    return Snapshot(started_ns=ended_ns - 5, ended_ns=ended_ns, screenshot=taken, window=window)


def step_of(events: str, before: Snapshot | None = None) -> Step:
    (gesture,) = reduce_all(parse_events(events), GestureThresholds())
    before = before or look()
    after = look(ended_ns=gesture.events[-1].t_ns + 30_000_000)
    draft = PendingStep(
        gesture=gesture,
        before=before,
        changed_before_event=False,
        after=after,
        settled=True,
        last_ns=gesture.events[-1].t_ns,
    )
    frame = frame_of(before, "b" * 64)
    return build_step(draft, position=7, before=frame, after=frame_of(after, "a" * 64), basis=frame)


@pytest.mark.parametrize(
    ("events", "kind", "parameters"),
    [
        ("(640,400) L", "click", {}),
        ("(640,400) L L", "click", {"click_type": "double"}),
        ("(640,400) +Ctrl R -Ctrl", "click", {"click_type": "right", "modifiers": ["ctrl"]}),
        ("(640,400) L+ ~1.2s L-", "click", {"hold_s": 1.2}),
        ("(640,400) R+ ~1.2s R-", "click", {"click_type": "right", "hold_s": 1.2}),
        ("(640,400) w-3", "scroll", {"scroll_direction": "down", "scroll_steps": 3}),
        ("(640,400) w+1", "scroll", {"scroll_direction": "up", "scroll_steps": 1}),
    ],
)
def test_pointer_actions_aim_at_the_point(events: str, kind: str, parameters: dict[str, object]) -> None:
    step = step_of(events)
    assert step.action.to_wire() == {
        "action_type": kind,
        "target": {"bbox": [0.5, 0.5, 0.0, 0.0]},
        "parameters": parameters,
    }
    assert step.pointer is not None
    assert (step.pointer.x, step.pointer.y, step.pointer.end_x) == (640, 400, None)


@pytest.mark.parametrize(
    ("events", "kind", "parameters"),
    [
        ('"a b"', "type", {"text_to_type": "a b"}),
        ("Enter", "press_key", {"key_info": "Enter"}),
        ("+Tab +Tab +Tab -Tab", "press_key", {"key_info": "Tab", "presses": 3}),
        ("B", "press_key", {"key_info": "Alt+ArrowLeft"}),
        ("+Ctrl +Shift t -Shift -Ctrl", "press_key", {"key_info": "Ctrl+Shift+T"}),
    ],
)
def test_keys_have_no_pointer(events: str, kind: str, parameters: dict[str, object]) -> None:
    step = step_of(events)
    assert step.action.to_wire() == {"action_type": kind, "target": None, "parameters": parameters}
    assert step.pointer is None


@pytest.mark.parametrize(
    ("kind", "target", "parameters"),
    [
        ("hover", {"bbox": [0.5, 0.5, 0.0, 0.0]}, {"duration_s": 0.6}),
        ("wait", None, {"wait_duration_s": 0.6}),
    ],
)
def test_what_happens_without_any_event(kind: GestureKind, target: object, parameters: dict[str, object]) -> None:
    start = InputEvent(t_ns=BASE_NS - 10_000_000, kind="move", x=640, y=400)
    gesture = Gesture(kind=kind, first=3, last=3, start=start, events=(), x=640, y=400, duration_s=0.6)
    before = look()
    draft = PendingStep(
        gesture=gesture,
        before=before,
        changed_before_event=False,
        after=before,
        settled=True,
        last_ns=BASE_NS + 600_000_000,
    )
    step = build_step(draft, position=7, before=None, after=None, basis=frame_of(before, "b" * 64))
    assert step.action.to_wire() == {"action_type": kind, "target": target, "parameters": parameters}
    assert (step.pointer is None) == (kind == "wait")
    assert (step.started_ns, step.ended_ns) == (start.t_ns, BASE_NS + 600_000_000)
    assert step.quality.frame_age_ms == 0, "a wait begins before its first frame"


def test_times_quality_window_and_events_are_in_the_record() -> None:
    step = step_of("(1,2) +Ctrl L -Ctrl")
    assert step.started_ns == step.events[1].t_ns, "the press, not the modifier"
    assert step.ended_ns == step.events[-1].t_ns
    assert step.quality.frame_age_ms == (step.started_ns - BASE_NS) / 1e6
    assert step.quality.settle_ms == 30
    assert step.window is not None
    assert step.window.title == "Notes"
    assert [event.kind for event in step.events] == ["key_down", "down", "up"]
    assert step.position == 7


def test_a_straight_drag_has_no_way_and_a_bent_one_has_its_bends() -> None:
    straight = step_of("(128,80) L+ (256,160) (384,240) (640,400) L-")
    assert straight.action.parameters == {"end_target": {"bbox": [0.5, 0.5, 0.0, 0.0]}}
    bent = step_of("(128,80) L+ (128,240) (128,400) (640,400) L-")
    assert bent.action.path == ((0.1, 0.5),)
    assert bent.pointer is not None
    assert [(p.x, p.y) for p in bent.pointer.path] == [(128, 80), (128, 400), (640, 400)]
    assert (bent.pointer.end_x, bent.pointer.end_y) == (640, 400)


def test_a_second_monitor_to_the_left_has_negative_positions() -> None:
    step = step_of("(-640,100) L", before=look(origin=(-1280, -300)))
    assert step.pointer is not None
    assert (step.pointer.x, step.pointer.y) == (640, 400)


def test_positions_in_points_become_pixels() -> None:
    step = step_of("(320,200) L", before=look(pixels=2.0))
    assert step.pointer is not None
    assert (step.pointer.x, step.pointer.y) == (640, 400)


@pytest.mark.parametrize("scale", [1.25, 1.5, 2.0])
def test_how_large_programs_draw_moves_nothing(scale: float) -> None:
    step = step_of("(640,400) L+ (700,500) L-", before=look(scale=scale))
    assert step.before is not None
    assert step.before.scale_factor == scale
    assert step.pointer is not None
    assert (step.pointer.x, step.pointer.y, step.pointer.end_x, step.pointer.end_y) == (640, 400, 700, 500)
    assert step.doubts(parsed=False) == []


def test_a_click_off_the_frame_is_moved_to_its_edge_in_the_target_only() -> None:
    step = step_of("(1300,900) L")
    assert step.pointer is not None
    assert (step.pointer.x, step.pointer.y) == (1300, 900)
    assert step.action.target is not None
    assert step.action.target.bbox == (1.0, 1.0, 0.0, 0.0)


def test_an_unknown_key_shows_as_a_doubt() -> None:
    assert step_of('"ab" =').doubts(parsed=False) == ["unknown_text"]


def test_the_end() -> None:
    final = Frame(id="f" * 64, width=1280, height=800, grab_ended_ns=500)
    done = finish_step(final, position=9, outcome="success", now_ns=1_000_500)
    assert done.action.to_wire() == {"action_type": "finish_goal", "target": None, "parameters": {}}
    assert done.before == final
    assert done.quality.frame_age_ms == 1.0
    failed = finish_step(final, position=9, outcome="failure", now_ns=600)
    assert failed.action.parameters == {"status": "failure"}


def test_simplify_keeps_the_ends_and_at_most_32_points() -> None:
    spiral = [
        PathPoint(x=round(600 + t * math.cos(t / 9)), y=round(400 + t * math.sin(t / 9)), t_ms=float(t))
        for t in range(400)
    ]
    kept = simplify(spiral)
    assert 8 < len(kept) <= 32
    assert kept[0] == spiral[0]
    assert kept[-1] == spiral[-1]
    assert simplify(spiral[:1]) == spiral[:1]
    still = [PathPoint(x=5, y=5, t_ms=float(t)) for t in range(9)]
    assert simplify(still) == [still[0], still[-1]]
