from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from demopack.domain.actions import ACTION_TYPES, LLMResponse, ScrollAction, WaitAction, parse_response
from demopack.errors import ActionError
from tests.support.strategies import responses

# The three examples of the schema document, as their text stands there.
EXAMPLES = {
    "click a tracked element": """{
  "reasoning": "Clicking the tracked login button (track_id 'btn_login_0').",
  "action": {
    "action_type": "click",
    "target": {"track_id": "btn_login_0", "text": "Login"},
    "parameters": {}
  },
  "is_goal_complete": false
}""",
    "type by text match": """{
  "reasoning": "Typing username 'testuser' into the 'Username' field.",
  "action": {
    "action_type": "type",
    "target": {"text": "Username"},
    "parameters": {"text_to_type": "testuser"}
  },
  "is_goal_complete": false
}""",
    "finish the task": """{
  "reasoning": "Login successful, goal complete.",
  "action": {"action_type": "finish_goal", "target": null, "parameters": {}},
  "is_goal_complete": true
}""",
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_every_example_of_the_schema_document_parses_and_dumps_back_equal(text: str) -> None:
    response = parse_response(text)
    assert response.to_wire() == json.loads(text)
    # Byte-compatible: the same keys in the same order.
    assert response.to_json_text() == json.dumps(json.loads(text))


@given(responses())
def test_the_wire_form_survives_json(response: LLMResponse) -> None:
    assert parse_response(response.to_json_text()) == response
    assert parse_response(response.to_wire()).to_wire() == response.to_wire()


def answer(action_type: str, target: object = None, complete: object = False, **parameters: Any) -> dict[str, Any]:
    action = {"action_type": action_type, "target": target, "parameters": parameters}
    return {"reasoning": "r", "action": action, "is_goal_complete": complete}


AT = {"text": "OK"}
MALFORMED: dict[str, tuple[Any, str, str]] = {
    "not json": ("{", "not_json", ""),
    "a list": ("[]", "not_an_object", ""),
    "no reasoning": ({"action": {"action_type": "hover", "target": AT}}, "missing_field", "reasoning"),
    "no action": ({"reasoning": ""}, "missing_field", "action"),
    "a stranger's field": ({**answer("click", AT), "confidence": 1}, "unknown_field", "confidence"),
    "reasoning is a number": ({**answer("click", AT), "reasoning": 3}, "wrong_type", "reasoning"),
    "unknown action": (answer("tap", AT), "unknown_action", "action.action_type"),
    "click without target": (answer("click"), "click_without_target", "action.target"),
    "hover without target": (answer("hover"), "hover_without_target", "action.target"),
    "drag without target": (answer("drag", end_target=AT), "drag_without_target", "action.target"),
    "wait with target": (answer("wait", AT, wait_duration_s=1), "target_not_allowed", "action.target"),
    "finish with target": (answer("finish_goal", AT, complete=True), "target_not_allowed", "action.target"),
    "launch with target": (answer("launch", AT, app="x"), "target_not_allowed", "action.target"),
    "empty target": (answer("click", {}), "empty_target", "target"),
    "element before the first": (answer("click", {"element_id": 0}), "bad_element_id", "action.target.element_id"),
    "element of a negative number": (answer("type", {"element_id": -4}), "bad_element_id", "action.target.element_id"),
    "empty text": (answer("click", {"text": ""}), "empty_text", "action.target.text"),
    "empty text beside more": (answer("click", {"element_id": 3, "text": ""}), "empty_text", "action.target.text"),
    "empty track": (answer("click", {"track_id": ""}), "empty_text", "action.target.track_id"),
    "bbox left of the frame": (answer("click", {"bbox": [-0.1, 0, 0.1, 0.1]}), "bbox_out_of_range", "target.bbox"),
    "bbox past the frame": (answer("click", {"bbox": [0.9, 0, 0.2, 0.1]}), "bbox_out_of_range", "target.bbox"),
    "bbox in pixels": (answer("click", {"bbox": [10, 20, 30, 40]}), "bbox_out_of_range", "target.bbox"),
    "bbox of three": (answer("click", {"bbox": [0, 0, 1]}), "bbox_malformed", "target.bbox"),
    "bbox of words": (answer("click", {"bbox": ["a", 0, 0, 0]}), "bbox_malformed", "target.bbox"),
    "bbox not finite": (answer("click", {"bbox": [float("nan"), 0, 0, 0]}), "bbox_malformed", "target.bbox"),
    "type without text": (answer("type", AT), "type_without_text", "action.parameters.text_to_type"),
    "key without key": (answer("press_key"), "press_key_without_key", "action.parameters.key_info"),
    "unknown key": (answer("press_key", key_info="Ctrl+Banana"), "unknown_key", "action.parameters.key_info"),
    "empty key": (answer("press_key", key_info=""), "unknown_key", "action.parameters.key_info"),
    "scroll nowhere": (answer("scroll"), "scroll_without_direction", "action.parameters.scroll_direction"),
    "scroll with a sign": (
        answer("scroll", scroll_direction="down", scroll_steps=-3),
        "bad_parameter",
        "action.parameters.scroll_steps",
    ),
    "wait no time": (answer("wait", wait_duration_s=0), "bad_parameter", "action.parameters.wait_duration_s"),
    "wait without end": (
        answer("wait", wait_duration_s=float("inf")),
        "bad_parameter",
        "action.parameters.wait_duration_s",
    ),
    "wait of no number": (
        answer("wait", wait_duration_s=float("nan")),
        "bad_parameter",
        "action.parameters.wait_duration_s",
    ),
    "hold without end": (answer("click", AT, hold_s=float("inf")), "bad_parameter", "action.parameters.hold_s"),
    "drag to nowhere": (answer("drag", AT), "drag_without_end", "action.parameters.end_target"),
    "drag to an empty target": (answer("drag", AT, end_target={}), "empty_target", "target"),
    "drag to the element before the first": (
        answer("drag", AT, end_target={"element_id": 0}),
        "bad_element_id",
        "action.parameters.end_target.element_id",
    ),
    "drag to an empty text": (
        answer("drag", AT, end_target={"text": ""}),
        "empty_text",
        "action.parameters.end_target.text",
    ),
    "drag to a stranger's field": (
        answer("drag", AT, end_target={"id": 3}),
        "unknown_field",
        "action.parameters.end_target.id",
    ),
    "drag path off the screen": (
        answer("drag", AT, end_target=AT, path=[[2, 0]]),
        "path_out_of_range",
        "action.parameters.path",
    ),
    "launch nothing": (answer("launch"), "launch_without_app", "action.parameters.app"),
    "extract without saying what": (
        answer("extract_data"),
        "extract_data_without_description",
        "action.parameters.description",
    ),
    "unknown parameter": (answer("click", AT, force=1), "unknown_parameter", "action.parameters.force"),
    "unknown click": (answer("click", AT, click_type="soft"), "bad_parameter", "action.parameters.click_type"),
    "unknown modifier": (answer("click", AT, modifiers=["fn"]), "bad_parameter", "action.parameters.modifiers.0"),
    "complete and failed": (
        answer("finish_goal", complete=True, status="failure"),
        "goal_flag_mismatch",
        "is_goal_complete",
    ),
}


@pytest.mark.parametrize(("data", "code", "field"), MALFORMED.values(), ids=MALFORMED.keys())
def test_each_malformed_class_has_its_own_error(data: Any, code: str, field: str) -> None:
    with pytest.raises(ActionError) as caught:
        parse_response(data)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert caught.value.user_message.endswith(".")


def test_defaults_are_left_out_of_the_wire_form() -> None:
    click = parse_response(answer("click", AT, click_type="single", modifiers=[]))
    assert click.action.parameters == {}
    scroll = parse_response(answer("scroll", scroll_direction="down", scroll_steps=1))
    assert scroll.action.parameters == {"scroll_direction": "down", "scroll_steps": 1}


def test_what_was_not_said_stays_unsaid_and_still_has_a_value() -> None:
    scroll = parse_response(answer("scroll", scroll_direction="down")).action
    assert isinstance(scroll, ScrollAction)
    assert (scroll.parameters, scroll.scroll_steps) == ({"scroll_direction": "down"}, 1)
    wait = parse_response(answer("wait", wait_duration_s=None)).action
    assert isinstance(wait, WaitAction)
    assert (wait.parameters, wait.wait_duration_s, wait.unsaid) == ({}, 1.0, ("wait_duration_s",))
    assert wait.replace(target=None).parameters == {}
    assert wait.replace(wait_duration_s=1.0).parameters == {"wait_duration_s": 1.0}
    assert WaitAction(wait_duration_s=1.0).parameters == {"wait_duration_s": 1.0}


def test_a_response_of_an_action_has_the_flag_that_follows() -> None:
    click = parse_response(answer("click", AT, complete=True))
    assert not click.flag_follows
    assert [(one.action.action_type, one.is_goal_complete) for one in click.normal()] == [
        ("click", False),
        ("finish_goal", True),
    ]
    stuck = parse_response(answer("finish_goal"))
    assert [one.to_wire() for one in stuck.normal()] == [answer("finish_goal", status="failure")]
    done = parse_response(answer("finish_goal", complete=True))
    assert done.normal() == (done,)


def test_modifiers_are_put_in_one_order() -> None:
    parsed = parse_response(answer("click", AT, modifiers=["shift", "CTRL"]))
    assert parsed.action.parameters == {"modifiers": ["ctrl", "shift"]}


def test_a_failed_demo_ends_without_completing_the_goal() -> None:
    failed = parse_response(answer("finish_goal", status="failure"))
    assert failed.is_goal_complete is False


def test_the_vocabulary_is_the_original_seven_and_three_more() -> None:
    assert set(ACTION_TYPES) - {"drag", "launch", "extract_data"} == {
        "click", "type", "scroll", "press_key", "wait", "finish_goal", "hover",
    }  # fmt: skip


def test_keys_in_a_list_are_told_how_they_are_written() -> None:
    action = {"action_type": "press_key", "target": None, "parameters": {"key_info": ["Ctrl", "S"]}}
    with pytest.raises(ActionError) as caught:
        parse_response({"reasoning": "", "action": action, "is_goal_complete": False})
    assert caught.value.field == "action.parameters.key_info"
    assert "key_info of press_key" in str(caught.value)
    assert 'for instance "Ctrl+S"' in str(caught.value)
