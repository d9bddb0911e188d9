"""Hypothesis strategies for the contract's values."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from demopack.domain.actions import Action, ActionTarget, LLMResponse, parse_action
from demopack.domain.geometry import Rect, Size, to_norm_xywh
from demopack.domain.keys import NAMED_KEYS, join_keys

TEXT = st.text(max_size=40)
SAID = st.text(min_size=1, max_size=40)
MODIFIERS = st.lists(st.sampled_from(["ctrl", "alt", "shift", "meta"]), unique=True, max_size=4)


@st.composite
def sizes(draw: st.DrawFn) -> Size:
    return Size(draw(st.integers(1, 16384)), draw(st.integers(1, 16384)))


@st.composite
def rects(draw: st.DrawFn, size: Size) -> Rect:
    x1, x2 = sorted(draw(st.tuples(st.integers(0, size.width), st.integers(0, size.width))))
    y1, y2 = sorted(draw(st.tuples(st.integers(0, size.height), st.integers(0, size.height))))
    return Rect(x1, y1, x2, y2)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[float, float, float, float]:
    size = draw(sizes())
    return to_norm_xywh(draw(rects(size)), size)


@st.composite
def targets(draw: st.DrawFn) -> ActionTarget:
    fields = {"track_id": SAID, "element_id": st.integers(1, 9999), "text": SAID, "bbox": boxes()}
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), min_size=1, unique=True))
    return ActionTarget(**{name: draw(fields[name]) for name in chosen})


SECONDS = st.floats(0.001, 1e6, allow_nan=False)
FRACTION = st.floats(0, 1, allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)

PARAMETERS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "click": st.fixed_dictionaries(
        {},
        optional={
            "click_type": st.sampled_from(["single", "double", "triple", "right", "middle"]),
            "modifiers": MODIFIERS,
        },
    ),
    "type": st.fixed_dictionaries({"text_to_type": TEXT}, optional={"submit": st.booleans()}),
    "press_key": st.fixed_dictionaries(
        {"key_info": st.lists(st.sampled_from([*NAMED_KEYS, "A", "é", "中"]), min_size=1, unique=True).map(join_keys)}
    ),
    "scroll": st.fixed_dictionaries(
        {"scroll_direction": st.sampled_from(["up", "down", "left", "right"])},
        optional={"scroll_steps": st.integers(1, 999), "modifiers": MODIFIERS},
    ),
    "hover": st.fixed_dictionaries({}, optional={"duration_s": SECONDS}),
    "wait": st.fixed_dictionaries({}, optional={"wait_duration_s": SECONDS}),
    "drag": st.fixed_dictionaries(
        {"end_target": targets().map(ActionTarget.to_wire)},
        optional={
            "path": st.lists(st.tuples(FRACTION, FRACTION), max_size=4),
            "button": st.sampled_from(["left", "right", "middle"]),
            "modifiers": MODIFIERS,
        },
    ),
    "launch": st.fixed_dictionaries({"app": st.text(min_size=1, max_size=20)}),
    "extract_data": st.fixed_dictionaries(
        {"description": st.text(min_size=1, max_size=20)}, optional={"data": JSON.filter(lambda v: v is not None)}
    ),
    "finish_goal": st.fixed_dictionaries({}, optional={"status": st.sampled_from(["success", "failure"])}),
}


@st.composite
def actions(draw: st.DrawFn) -> Action:
    kind = draw(st.sampled_from(sorted(PARAMETERS)))
    target = None
    if kind in {"click", "hover", "drag"}:
        target = draw(targets())
    elif kind not in {"wait", "finish_goal", "launch"}:
        target = draw(st.none() | targets())
    return parse_action({"action_type": kind, "target": target, "parameters": draw(PARAMETERS[kind])})


@st.composite
def responses(draw: st.DrawFn) -> LLMResponse:
    action = draw(actions())
    flag = draw(st.just(action.completes_goal) | st.booleans()) and not action.gives_up
    return LLMResponse(reasoning=draw(st.text(max_size=60)), action=action, is_goal_complete=flag)
