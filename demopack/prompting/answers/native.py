"""Answers in the contract's own form, its strict variant, its forerunners and its one-line notation."""

from __future__ import annotations

import re
from typing import Any, Final

from demopack.domain.actions import ACTION_TYPES, LLMResponse
from demopack.domain.dsl import parse_dsl_response
from demopack.domain.legacy import response_from_any
from demopack.prompting.answers.calls import calls_of, words_of
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import ParsedAnswer, target_of_number
from demopack.prompting.scene import Scene

__all__ = ["from_native"]

_CALLED: Final = ("tool_calls", "function_call", "content", "output", "arguments", "input")
_DSL = re.compile(rf"\A\s*(?:#[^\n]*\n)*\s*(?:{'|'.join(ACTION_TYPES)})\(.*\)\s*\Z", re.DOTALL)


def from_native(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
    """Read an LLMResponse.

    Mended silently by a note: code fences, words around the JSON, a missing ``is_goal_complete`` or ``parameters``.
    Where the scene has an element list, a target that is only a number gets the rest of what identifies the element.

    Raises:
        ActionError: it breaks the contract; ``code`` and ``field`` say how.
    """
    if isinstance(answer, str) and _DSL.match(answer):
        response, notes = parse_dsl_response(answer.strip()), ["The one-line notation was read."]
    else:
        value, notes = loose_json(answer) if isinstance(answer, str) else (answer, [])
        data = _from_call(as_object(value, "The answer"))
        response = response_from_any(_completed(data, notes))
    return ParsedAnswer(responses=(_filled(response, scene),), notes=tuple(notes))


def _from_call(data: dict[str, Any]) -> dict[str, Any]:
    """A call of one of our own functions as the answer that the model would have written."""
    calls = calls_of(data) if any(key in data for key in _CALLED) else []
    if not calls:
        return data
    parameters = dict(calls[0].arguments)
    target = parameters.pop("target", None)
    action = {"action_type": calls[0].name, "target": target, "parameters": parameters}
    return {"reasoning": words_of(data), "action": action}


def _completed(data: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    action = data.get("action")
    if "action_type" in data and action is None:
        action = {key: value for key, value in data.items() if key != "reasoning"}
        data = {"reasoning": str(data.get("reasoning", "")), "action": action}
        notes.append("A bare action was taken for the answer.")
    if not isinstance(action, dict):
        return data
    filled = dict(data)
    if "reasoning" not in filled:
        filled["reasoning"] = ""
        notes.append("The answer gives no reasoning.")
    inner = as_object(action, "The action")
    if filled.get("is_goal_complete") is None:
        status = as_object(inner.get("parameters") or {}, "parameters").get("status")
        filled["is_goal_complete"] = inner.get("action_type") == "finish_goal" and status in {None, "success"}
        notes.append("is_goal_complete was missing; it follows from the action.")
    target = inner.get("target")
    if isinstance(target, dict) and all(part is None for part in as_object(target, "The target").values()):
        inner["target"] = None
    filled["action"] = inner
    return filled


def _filled(response: LLMResponse, scene: Scene) -> LLMResponse:
    action = response.action
    wire = action.to_wire()
    changed = False
    for holder, key, target in (
        (wire, "target", action.target),
        (wire["parameters"], "end_target", action.end_target),
    ):
        if target is None or target.element_id is None or not scene.elements:
            continue
        if target.track_id is None and target.text is None and target.bbox is None:
            holder[key] = target_of_number(target.element_id, scene, field_name=f"action.{key}.element_id").to_wire()
            changed = True
        else:
            scene.element(target.element_id, field_name=f"action.{key}.element_id")
    return response if not changed else LLMResponse.model_validate({**response.to_wire(), "action": wire})
