"""Reads what came before the contract, and the wider literals that some tools emit.

Accepted beside the native form: the flat plan (``action``, ``element_id``, ``text_to_type``, ``key_info``), the
decision with ``analysis_reasoning`` and ``target_element_id`` (its ``finish`` included; also inside a combined answer
or a logged step), and the extended literals
``double_click``, ``triple_click``, ``right_click``, ``middle_click`` and ``click{click_count}``, which are lowered into
parameters. Writing is always native.
"""

from __future__ import annotations

from typing import Any, cast

from demopack.domain.actions import LLMResponse, parse_response
from demopack.errors import ActionError

__all__ = ["response_from_any"]

_CLICKS = {
    "double_click": "double",
    "triple_click": "triple",
    "right_click": "right",
    "middle_click": "middle",
}
# A combined answer, and the two spellings inside a logged step; the first that is filled holds the action.
_WRAPPERS = ("action_decision", "llm_decision", "raw_llm_action_plan")
_COUNTS = {1: "single", 2: "double", 3: "triple"}


def response_from_any(data: dict[str, Any]) -> LLMResponse:
    """One response from any of the known forms.

    Raises:
        ActionError: (``unknown_form``) none of them, or as the contract says.
    """
    for wrapper in _WRAPPERS:
        if isinstance(data.get(wrapper), dict):
            return response_from_any(data[wrapper])
    if isinstance(data.get("action"), dict):
        return parse_response(_lowered(data))
    if "analysis_reasoning" in data:
        return parse_response(_from_decision(data))
    if isinstance(data.get("action"), str):
        return parse_response(_from_plan(data))
    raise ActionError(
        "This is none of the known forms of an action.",
        code="unknown_form",
        field="action",
        hint="Give an object with reasoning, action and is_goal_complete.",
    )


def _lowered(data: dict[str, Any]) -> dict[str, Any]:
    action = dict(data["action"])
    parameters = _parameters(action)
    kind = action.get("action_type")
    if not isinstance(kind, str) and "action_type" in action:
        raise ActionError(
            f"action_type is {kind!r}, not a word.",
            code="unknown_action",
            field="action.action_type",
            hint="Name exactly one action as a text, for instance “click”.",
        )
    if kind in _CLICKS:
        action["action_type"] = "click"
        parameters["click_type"] = _CLICKS[kind]
    count = parameters.pop("click_count", None)
    if count is not None:
        if not isinstance(count, int) or count not in _COUNTS:
            raise ActionError(
                f"click_count {count!r} is not 1, 2 or 3.",
                code="bad_parameter",
                field="action.parameters.click_count",
            )
        parameters["click_type"] = _COUNTS[count]
    return {**data, "action": {**action, "parameters": parameters}}


def _parameters(holder: dict[str, Any]) -> dict[str, Any]:
    """A copy of what stands under ``parameters``; nothing, null and an empty list are none."""
    given: object = holder.get("parameters") or {}
    if not isinstance(given, dict):
        raise ActionError(
            f"parameters is {type(given).__name__}, not an object.", code="wrong_type", field="action.parameters"
        )
    return dict(cast("dict[str, Any]", given))


def _native(
    *, reasoning: str, kind: object, element_id: int | None, parameters: dict[str, Any], complete: bool
) -> dict[str, Any]:
    target = None if element_id is None else {"element_id": element_id}
    return _lowered(
        {
            "reasoning": reasoning,
            "action": {"action_type": kind, "target": target, "parameters": parameters},
            "is_goal_complete": complete,
        }
    )


def _from_plan(data: dict[str, Any]) -> dict[str, Any]:
    """The flat plan; its reading order is skipped where the goal is complete, so the rest may be anything."""
    reasoning = str(data.get("reasoning", ""))
    if data.get("is_goal_complete"):
        return _native(reasoning=reasoning, kind="finish_goal", element_id=None, parameters={}, complete=True)
    kind = str(data["action"])
    fields = {"type": ("text_to_type",), "press_key": ("key_info",)}.get(kind, ())
    parameters = {name: data.get(name) for name in fields}
    if kind == "scroll":
        parameters = _scroll_from_words(reasoning)
    return _native(
        reasoning=reasoning,
        kind=kind,
        element_id=data.get("element_id"),
        parameters=parameters,
        complete=False,
    )


def _scroll_from_words(reasoning: str) -> dict[str, Any]:
    """The flat plan has no direction: its executor looked for the word in the reasoning and scrolled three notches."""
    words = reasoning.lower()
    found = [word for word in ("down", "up", "left", "right") if word in words]
    if len(found) != 1:
        raise ActionError(
            "The scroll does not say in which direction.",
            code="scroll_without_direction",
            field="reasoning",
            hint="Name exactly one of up, down, left, right.",
        )
    return {"scroll_direction": found[0], "scroll_steps": 3}


def _from_decision(data: dict[str, Any]) -> dict[str, Any]:
    kind = data.get("action_type")
    complete = bool(data.get("is_goal_complete", False))
    parameters = _parameters(data)
    if kind == "finish" or complete:
        kind = "finish_goal"
        parameters = {} if complete else {"status": "failure"}
    element = data.get("target_element_id") if kind not in ("finish_goal", "wait") else None
    return _native(
        reasoning=str(data["analysis_reasoning"]),
        kind=kind,
        element_id=element,
        parameters=parameters,
        complete=complete,
    )
