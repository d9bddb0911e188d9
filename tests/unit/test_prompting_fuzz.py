"""Whatever a model writes: it is read, or refused by name with a way out; never anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from demopack.codecs.catalogue import ANSWER_DIALECTS, decode_answer, feedback
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.json_answers import loose_json
from demopack.codecs.observation import Observation
from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Rect, Size
from demopack.errors import ActionError

SCENE = Observation(
    size=Size(100, 50),
    elements=(NumberedElement(number=1, uid="e1", frame="f", type="button", box=Rect(1, 1, 9, 9), text="Go"),),
)
KEYS = st.sampled_from([
    "action", "action_type", "type", "name", "arguments", "input", "args", "parameters", "content",
    "tool_calls", "output", "target", "element_id", "bbox", "text", "description", "function", "Function",
    "Args", "control_label", "ControlText", "status", "plan", "x", "y", "coordinate", "path", "keys", "key",
    "actions", "parts", "function_call", "update_memory", "direction", "distance", "reasoning",
    "is_goal_complete", "scroll_y", "wheel_dist", "message", "repeat",
])  # fmt: skip
WORDS = st.sampled_from([
    "click", "left_click", "type", "scroll", "drag", "key", "wait", "click_input", "keyboard_input", "computer",
    "finish", "message", "computer_call", "tool_use", "wheel_mouse_input", "CLICK", "SCROLL", "hover",
    "press_key", "terminate", "down", "success", "^", "{ENTER}", "element_1", "1", "NaN", "-inf", "1e400", "🦉",
])  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-3, 10**12) | st.floats() | WORDS | st.text(max_size=6)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=14
)
HEADS = [
    "pyautogui.click", "click", "drag", "Action: scroll", "pyautogui.write", "hotkey", "time.sleep",
    "pyautogui.moveTo", "pyautogui.dragTo", "pyautogui.mouseUp", "type", "press", "wait",
    "Action_2=(Action: functions.click_element, Argument: ", "Action_3=(Action: drag_mouse_move, ",
]  # fmt: skip
TAILS = [
    "(", "(x=1, y=2)", "(start_box='(1,2)')", "('a', 'b')", "(None)", "(1e400, 2)", "([1], {})", ")", "(key=5)",
    "{element_id: 1})", "Argument: {x: 3, y: 4})", "(-3)", "(clicks=3)", "(status=[])",
]  # fmt: skip
CALLS = st.tuples(st.sampled_from(HEADS), st.sampled_from(TAILS)).map("".join)
CODE = st.lists(CALLS, max_size=4).map("\n".join)


def holds(answer: Any, dialect: str) -> None:
    refusal: ActionError | None = None
    parsed: DecodedAnswer | None = None
    try:
        parsed = decode_answer(answer, dialect=dialect, observation=SCENE)
    except ActionError as error:
        refusal = error
    if refusal is not None:
        assert refusal.code
        assert feedback(refusal, dialect=dialect)
    if parsed is not None:
        assert parsed.responses or parsed.held is not None
        for response in parsed.responses:
            json.dumps(response.to_wire(), allow_nan=False)


@pytest.mark.parametrize("dialect", ANSWER_DIALECTS)
@settings(max_examples=10, deadline=None)
@given(value=st.dictionaries(KEYS, VALUES, max_size=6))
@example(value={"action": {"type": "key_press", "description": "x", "parameters": {"key": " "}}})
@example(value={"function": "keyboard_input", "args": {"keys": "{ENTER 999999999}"}})
def test_any_object_is_read_or_refused(dialect: str, value: dict[str, Any]) -> None:
    holds(value, dialect)
    holds(json.dumps(value), dialect)


@pytest.mark.parametrize("dialect", ANSWER_DIALECTS)
@settings(max_examples=10, deadline=None)
@given(text=CODE | st.text(max_size=40))
@example(text="time.sleep(1e400)")
@example(text="(" * 5000)
@example(text="[" * 5000)
@example(text='{"a":' * 5000)
def test_any_text_is_read_or_refused(dialect: str, text: str) -> None:
    holds(text, dialect)


def test_an_answer_that_is_too_long_is_refused_before_it_is_searched() -> None:
    with pytest.raises(ActionError) as caught:
        loose_json("x" * 200_001)
    assert caught.value.code == "answer_too_long"
