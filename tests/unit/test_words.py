from __future__ import annotations

from typing import Any, get_args

import pytest

from demopack.domain.actions import parse_action
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.steps import Doubt
from demopack.domain.words import DOUBT_WORDS, describe_action, name_element, shorten

FIELD = Element.model_validate({"uid": "e", "frame": "f", "type": "input_field", "box": [0, 0, 9, 9], "text": "Name"})
THING = Element.model_validate({"uid": "t", "frame": "f", "type": "other", "box": [0, 0, 9, 9]})
AT = {"bbox": [0.1, 0.1, 0, 0]}

CASES: list[tuple[dict[str, Any], Element | None, str]] = [
    ({"action_type": "click", "target": AT, "parameters": {"click_type": "right", "hold_s": 0.75}},
     FIELD, "Right-clicked “Name” (input field), held for 0.75 s"),
    ({"action_type": "click", "target": AT}, FIELD, "Clicked “Name” (input field)"),
    ({"action_type": "click", "target": AT}, THING, "Clicked the element"),
    ({"action_type": "click", "target": AT}, None, "Clicked a spot"),
    ({"action_type": "click", "target": {"text": "OK"}}, None, "Clicked “OK”"),
    (
        {"action_type": "click", "target": AT, "parameters": {"click_type": "double", "modifiers": ["ctrl"]}},
        FIELD,
        "Ctrl+double-clicked “Name” (input field)",
    ),
    ({"action_type": "type", "parameters": {"text_to_type": "Ada"}}, FIELD, "Typed “Ada” in “Name” (input field)"),
    ({"action_type": "type", "parameters": {"text_to_type": "x", "submit": True}}, None, "Typed “x” and Enter"),
    ({"action_type": "press_key", "parameters": {"key_info": "ctrl+s"}}, None, "Pressed Ctrl+S"),
    (
        {"action_type": "scroll", "parameters": {"scroll_direction": "down", "scroll_steps": 3}},
        None,
        "Scrolled down by 3",
    ),
    ({"action_type": "hover", "target": AT}, FIELD, "Pointed at “Name” (input field)"),
    ({"action_type": "wait", "parameters": {"wait_duration_s": 1.5}}, None, "Waited 1.5 s"),
    ({"action_type": "drag", "target": AT, "parameters": {"end_target": {"text": "Bin"}}}, FIELD,
     "Dragged “Name” (input field) to “Bin”"),
    ({"action_type": "launch", "parameters": {"app": "mail"}}, None, "Started mail"),
    ({"action_type": "extract_data", "parameters": {"description": "the price"}}, None, "Read the price"),
    ({"action_type": "finish_goal"}, None, "Finished the task"),
    ({"action_type": "finish_goal", "parameters": {"status": "failure"}}, None, "Gave up"),
]  # fmt: skip


@pytest.mark.parametrize(("action", "element", "words"), CASES, ids=[words for *_, words in CASES])
def test_every_action_has_words(action: dict[str, Any], element: Element | None, words: str) -> None:
    assert describe_action(parse_action(action), element) == words


def test_long_text_is_cut_to_one_line() -> None:
    assert shorten("a  b\nc") == "a b c"
    assert shorten("x" * 50) == "x" * 39 + "…"


def test_every_doubt_has_words() -> None:
    assert set(DOUBT_WORDS) == set(get_args(Doubt))


def test_an_area_is_called_what_it_is_and_a_drag_in_it_is_one() -> None:
    canvas = Element(uid="c", frame="f", type="other", subtype="canvas", box=Rect(0, 0, 90, 90))
    icon = Element(uid="i", frame="f", type="icon", subtype="close", box=Rect(0, 0, 9, 9))
    drag = parse_action({"action_type": "drag", "target": AT, "parameters": {"end_target": AT}})
    assert name_element(canvas) == "the canvas"
    assert name_element(canvas.but(subtype=None)) == "the element"
    assert name_element(icon) == "the close icon"
    assert describe_action(drag, canvas, canvas) == "Dragged in the canvas"
    assert describe_action(drag, icon, canvas) == "Dragged the close icon to the canvas"
