"""Every form of the earlier plans, and every row of the vocabulary map, reads as native."""

from __future__ import annotations

from typing import Any

import pytest

from demopack.codecs.llmresponse import response_from_any
from demopack.errors import ActionError

PLAN_FIELDS: dict[str, Any] = {"element_id": None, "text_to_type": None, "key_info": None, "is_goal_complete": False}


def plan(action: str, **fields: Any) -> dict[str, Any]:
    return {"reasoning": "Scroll down to see more.", "action": action, **PLAN_FIELDS, **fields}


def decision(action_type: str, *, target: int | None = None, complete: bool = False, **p: Any) -> dict[str, Any]:
    return {
        "analysis_reasoning": "r",
        "action_type": action_type,
        "target_element_id": target,
        "parameters": p,
        "is_goal_complete": complete,
    }


def extended(action_type: str, **p: Any) -> dict[str, Any]:
    action = {"action_type": action_type, "target": {"text": "OK"}, "parameters": p}
    return {"reasoning": "r", "action": action, "is_goal_complete": False}


CASES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "plan click": (plan("click", element_id=3), "click", {}),
    "plan type": (plan("type", element_id=3, text_to_type=""), "type", {"text_to_type": ""}),
    "plan key": (plan("press_key", key_info="Ctrl+S"), "press_key", {"key_info": "Ctrl+S"}),
    "plan scroll": (plan("scroll"), "scroll", {"scroll_direction": "down", "scroll_steps": 3}),
    "plan done": (plan("click", is_goal_complete=True), "finish_goal", {}),
    "decision click": (decision("click", target=1, click_type="double"), "click", {"click_type": "double"}),
    "decision type": (decision("type", target=1, text_to_type="hi"), "type", {"text_to_type": "hi"}),
    "decision key": (decision("press_key", key_info="cmd-space"), "press_key", {"key_info": "Meta+Space"}),
    "decision wait": (decision("wait", wait_duration_s=1.5), "wait", {"wait_duration_s": 1.5}),
    "decision scroll": (
        decision("scroll", scroll_direction="up", scroll_steps=2),
        "scroll",
        {"scroll_direction": "up", "scroll_steps": 2},
    ),
    "decision finished": (decision("finish", complete=True), "finish_goal", {}),
    "decision stuck": (decision("finish"), "finish_goal", {"status": "failure"}),
    "combined answer": (
        {"screen_analysis": {"reasoning": "r"}, "action_decision": decision("click", target=2)},
        "click",
        {},
    ),
    "logged step": (
        {"step_index": 0, "goal": "g", "llm_decision": None, "raw_llm_action_plan": plan("click", element_id=1)},
        "click",
        {},
    ),
    "double_click": (extended("double_click"), "click", {"click_type": "double"}),
    "triple_click": (extended("triple_click"), "click", {"click_type": "triple"}),
    "right_click": (extended("right_click"), "click", {"click_type": "right"}),
    "click_count 3": (extended("click", click_count=3), "click", {"click_type": "triple"}),
    "modifiers": (extended("click", modifiers=["ctrl"]), "click", {"modifiers": ["ctrl"]}),
    "drag": (
        extended("drag", end_target={"text": "Bin"}, button="left"),
        "drag",
        {"end_target": {"text": "Bin"}},
    ),
    "hover": (extended("hover"), "hover", {}),
    "key": (
        {
            "reasoning": "r",
            "action": {"action_type": "press_key", "target": None, "parameters": {"key_info": "Ctrl+A"}},
            "is_goal_complete": False,
        },
        "press_key",
        {"key_info": "Ctrl+A"},
    ),
}


@pytest.mark.parametrize(("data", "kind", "parameters"), CASES.values(), ids=CASES.keys())
def test_earlier_forms_read_as_native(data: dict[str, Any], kind: str, parameters: dict[str, Any]) -> None:
    response = response_from_any(data)
    assert response.action.action_type == kind
    assert response.action.parameters == parameters


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"thought": "?"}, "unknown_form"),
        ({**plan("scroll"), "reasoning": "somewhere"}, "scroll_without_direction"),
        ({**plan("scroll"), "reasoning": "up or down"}, "scroll_without_direction"),
        (plan("click"), "click_without_target"),
        (decision("click", target=0), "bad_element_id"),
        (extended("click", click_count=7), "bad_parameter"),
        ({"action": "click", "is_goal_complete": True}, "click_without_target"),
        ({"action": "type", "is_goal_complete": True}, "type_without_text"),
        ({"action": "press_key", "is_goal_complete": True}, "press_key_without_key"),
        ({"action": "hoover", "is_goal_complete": True}, "unknown_action"),
        (plan("click", is_goal_complete="maybe"), "wrong_type"),
        ({"action": "wait", "is_goal_complete": "maybe"}, "wrong_type"),
        (
            {"analysis_reasoning": "r", "action_type": "click", "parameters": {}, "is_goal_complete": True},
            "click_without_target",
        ),
        ({**decision("click"), "is_goal_complete": "maybe"}, "wrong_type"),
    ],
)
def test_what_cannot_be_read_says_why(data: dict[str, Any], code: str) -> None:
    with pytest.raises(ActionError) as caught:
        response_from_any(data)
    assert caught.value.code == code


def test_a_bare_word_of_an_action_may_end_the_task() -> None:
    for kind, form in (("finish_goal", {"action": "finish_goal"}), ("wait", {"action": "wait"})):
        response = response_from_any({**form, "is_goal_complete": True})
        assert (response.action.action_type, response.is_goal_complete) == (kind, True)


@pytest.mark.parametrize("kind", [["click"], {"name": "click"}, 3, None])
@pytest.mark.parametrize("form", [extended, decision])
def test_an_action_type_that_is_no_word_is_refused(form: Any, kind: Any) -> None:
    with pytest.raises(ActionError, match="not a word") as caught:
        response_from_any(form(kind))
    assert (caught.value.code, caught.value.field) == ("unknown_action", "action.action_type")


def test_parameters_and_counts_of_another_kind_are_refused() -> None:
    with pytest.raises(ActionError, match="parameters is list, not an object"):
        response_from_any({**decision("wait"), "parameters": ["fast"]})
    with pytest.raises(ActionError, match="is not 1, 2 or 3"):
        response_from_any(extended("click", click_count=[2]))
