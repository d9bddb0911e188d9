"""A demo with every kind of action that formats treat differently, on small plain pictures."""

from __future__ import annotations

from typing import Any

from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from demopack.store import Library
from tests.support.demos import DemoBuilder, demo_head
from tests.support.pictures import noise_image

_AT, _TO = Point(25, 14), Point(50, 40)
_STEPS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("click", {"at": _AT, "parameters": {"click_type": "double"}}),
    ("click", {"at": Point(5, 40), "parameters": {"click_type": "triple"}}),
    ("click", {"at": _AT, "parameters": {"click_type": "right", "modifiers": ["ctrl", "shift"]}}),
    ("click", {"at": Point(6, 41), "parameters": {"click_type": "middle"}}),
    ("click", {"at": Point(7, 42), "parameters": {"hold_s": 1.5}}),
    ("type", {"parameters": {"text_to_type": "Grüße, “Ada” \\ 'x'+^%~(){}", "submit": True}}),
    ("press_key", {"parameters": {"key_info": "Ctrl+Shift+T"}}),
    ("press_key", {"parameters": {"key_info": "Backspace", "presses": 3}}),
    ("scroll", {"at": _AT, "parameters": {"scroll_direction": "left", "scroll_steps": 2}}),
    (
        "scroll",
        {"at": Point(40, 30), "parameters": {"scroll_direction": "up", "scroll_steps": 5, "modifiers": ["ctrl"]}},
    ),
    ("hover", {"at": Point(9, 9), "parameters": {"duration_s": 1.25}}),
    ("wait", {"parameters": {"wait_duration_s": 2.5}}),
    ("drag", {"at": Point(4, 30), "to": _TO, "parameters": {"button": "right", "modifiers": ["alt"]}}),
    ("launch", {"parameters": {"app": "calc"}}),
    ("extract_data", {"parameters": {"description": "the sum", "data": "42"}}),
    ("finish_goal", {"parameters": {"status": "failure"}}),
)


def kinds_demo(library: Library, *, demo_id: str = "demo_00000000aa") -> str:
    """Sixteen steps, each on its own picture of 64 x 48 with one button; returns the demo's id."""
    b = DemoBuilder(library=library, demo_id=demo_id)
    for number, (kind, given) in enumerate(_STEPS):
        frame = b.frame(noise_image(64, 48, seed=700 + number))
        button = Element(
            uid=f"{demo_id}_{number}", frame=frame.id, type="button", box=Rect(20, 10, 30, 20), text="Run",
            source="detector", confidence=0.75, track_id="run_0", states={"disabled": False},
        )  # fmt: skip
        b.parse(frame, [button])
        b.step(kind, frame, None, thought=f"Reason {number}.", **{**given, "parameters": dict(given["parameters"])})
        if number:
            b.steps[-2] = b.steps[-2].model_copy(update={"after": frame})
    return b.store(demo_head(demo_id, task="Do everything once", outcome="failure", outcome_reason="It was a test."))
