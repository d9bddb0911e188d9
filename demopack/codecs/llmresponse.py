"""Other written forms of an LLMResponse: the strict form, a one-line notation, and what came before the contract.

**Strict**, for structured output: every key of an action is there, null where the native form leaves one out.

**Notation**: optional lines ``# reasoning``, then one call such as ``click(track_id="btn_login_0")``. Arguments are
keywords: the fields of the target, then the parameters by their contract names; values are JSON (``true``, ``false``,
``null`` and Python's spellings alike), and ``end_target=target(text="Bin")`` names the end of a drag.
``is_goal_complete`` follows from the action; where it does not, it is one more argument.

**Earlier forms**, only read: the flat plan (``action``, ``element_id``, ``text_to_type``, ``key_info``), the decision
with ``analysis_reasoning`` and ``target_element_id`` (its ``finish`` included; also inside a combined answer or a
logged step), and the extended literals ``double_click``, ``triple_click``, ``right_click``, ``middle_click`` and
``click{click_count}``, which are lowered into parameters.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from typing import Any, cast

from demopack.codecs.decoded import DecodedAnswer, target_of_number
from demopack.codecs.json_answers import as_object, first_call, object_in_answer, words_of
from demopack.codecs.llmresponse_schema import strict_parameter_names
from demopack.codecs.observation import Observation
from demopack.domain.actions import (
    ACTION_TYPES,
    Action,
    ActionTarget,
    DragAction,
    ExtractDataAction,
    LLMResponse,
    parse_action,
    parse_response,
)
from demopack.errors import ActionError


def to_strict(response: LLMResponse) -> dict[str, Any]:
    """The strict form of a response; ``data`` of extract_data becomes JSON text unless it is text already.

    It parses as native, and is written back equal.
    """
    action = response.action
    given = action.parameters
    if isinstance(action, DragAction):
        given["end_target"] = action.end_target.model_dump(mode="json")
    if isinstance(action, ExtractDataAction) and not isinstance(action.data, (str, type(None))):
        given["data"] = json.dumps(action.data, ensure_ascii=False)
    return {
        "reasoning": response.reasoning,
        "action": {
            "action_type": action.action_type,
            "target": None if action.target is None else action.target.model_dump(mode="json"),
            "parameters": {name: given.get(name) for name in strict_parameter_names(type(action))},
        },
        "is_goal_complete": response.is_goal_complete,
    }


_TARGET_FIELDS = ("track_id", "element_id", "text", "bbox")
_FLAG = "is_goal_complete"
_NAMES = {"true": True, "false": False, "null": None}


def format_action(action: Action) -> str:
    """One call, for instance ``type(text="Name", text_to_type="Ada")``."""
    return _call(action, {})


def format_response(response: LLMResponse) -> str:
    """The reasoning as comment lines above the call."""
    lines = [f"# {line}" for line in response.reasoning.split("\n")] if response.reasoning else []
    flag = {} if response.flag_follows else {_FLAG: response.is_goal_complete}
    return "\n".join([*lines, _call(response.action, flag)])


def _call(action: Action, more: dict[str, Any]) -> str:
    parts: list[str] = []
    if action.target is not None:
        parts += _pairs(action.target.to_wire())
    for name, value in {**action.parameters, **more}.items():
        if name == "end_target":
            parts.append(f"end_target=target({', '.join(_pairs(value))})")
        else:
            parts += _pairs({name: value})
    return f"{action.action_type}({', '.join(parts)})"


def _pairs(values: dict[str, Any]) -> list[str]:
    return [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def parse_dsl_action(text: str) -> Action:
    """Read one call.

    Raises:
        ActionError: (``dsl_syntax``) this is not one call with keyword arguments; otherwise as the contract says.
    """
    return parse_action(_wire_of(text))


def _wire_of(text: str) -> dict[str, Any]:
    """The wire form of a call; every argument that is no field of a target is a parameter."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # Python says so of what is nested too deep
        raise _wrong(text, "it cannot be read") from error
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise _wrong(text, "it is not a call")
    target: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    for name, node in _keywords(call, text):
        if name == "end_target" and isinstance(node, ast.Call):
            parameters[name] = {key: _value(value, text) for key, value in _keywords(node, text)}
        elif name in _TARGET_FIELDS:
            target[name] = _value(node, text)
        else:
            parameters[name] = _value(node, text)
    return {"action_type": call.func.id, "target": target or None, "parameters": parameters}


def parse_dsl_response(text: str) -> LLMResponse:
    """Read comment lines (the reasoning) and one call.

    Raises:
        ActionError: as :func:`parse_dsl_action`.
    """
    lines = text.split("\n")
    count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    reasoning = "\n".join(line[1:].removeprefix(" ") for line in lines[:count])
    wire = _wire_of("\n".join(lines[count:]))
    flag = wire["parameters"].pop(_FLAG, None)
    action = parse_action(wire)
    complete = action.completes_goal if flag is None else flag
    return parse_response({"reasoning": reasoning, "action": action, _FLAG: complete})


def _wrong(text: str, why: str) -> ActionError:
    return ActionError(
        f"This line is not an action: {why}.",
        code="dsl_syntax",
        field="",
        details=text,
        hint='Write for instance click(text="Submit").',
    )


def _keywords(call: ast.Call, text: str) -> list[tuple[str, ast.expr]]:
    if call.args:
        raise _wrong(text, "an argument has no name")
    pairs = [(keyword.arg, keyword.value) for keyword in call.keywords]
    if any(name is None for name, _ in pairs):
        raise _wrong(text, "** is not allowed")
    return [(str(name), value) for name, value in pairs]


class _JsonNames(ast.NodeTransformer):
    """Reads JSON's ``true``, ``false`` and ``null`` as Python's."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(_NAMES[node.id]) if node.id in _NAMES else node


def _value(node: ast.expr, text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return ast.literal_eval(_JsonNames().visit(node))
    except (ValueError, TypeError, MemoryError, RecursionError) as error:
        raise _wrong(text, "a value is not JSON") from error


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
                f"click_count {count!r} is not 1, 2 or 3.", "bad_parameter", "action.parameters.click_count"
            )
        parameters["click_type"] = _COUNTS[count]
    return {**data, "action": {**action, "parameters": parameters}}


def _parameters(holder: dict[str, Any]) -> dict[str, Any]:
    """A copy of what stands under ``parameters``; nothing, null and an empty list are none."""
    given: object = holder.get("parameters") or {}
    if not isinstance(given, dict):
        raise ActionError(f"parameters is {type(given).__name__}, not an object.", "wrong_type", "action.parameters")
    return dict(cast("dict[str, Any]", given))


def _native(
    reasoning: str,
    kind: object,
    parameters: Mapping[str, Any],
    *,
    element_id: int | None = None,
    complete: object = False,
) -> dict[str, Any]:
    target = None if element_id is None else {"element_id": element_id}
    action = {"action_type": kind, "target": target, "parameters": parameters}
    return _lowered({"reasoning": reasoning, "action": action, "is_goal_complete": complete})


def _from_plan(data: dict[str, Any]) -> dict[str, Any]:
    """The flat plan; its reading order is skipped where the goal is complete, so the rest may be anything.

    A bare word is none: without the plan's own key it has to be an action that can be done.
    """
    reasoning, complete = str(data.get("reasoning", "")), data.get(_FLAG) or False
    if complete and "element_id" in data:
        return _native(reasoning, "finish_goal", {}, complete=complete)
    kind = str(data["action"])
    fields = {"type": ("text_to_type",), "press_key": ("key_info",)}.get(kind, ())
    parameters = {name: data.get(name) for name in fields}
    if kind == "scroll":
        parameters = _scroll_from_words(reasoning)
    return _native(reasoning, kind, parameters, element_id=data.get("element_id"), complete=complete)


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
    complete = data.get(_FLAG) or False
    parameters = _parameters(data)
    if kind == "finish" or (complete and "target_element_id" in data):
        kind = "finish_goal"
        parameters = {} if complete else {"status": "failure"}
    element = data.get("target_element_id") if kind not in ("finish_goal", "wait") else None
    return _native(str(data["analysis_reasoning"]), kind, parameters, element_id=element, complete=complete)


_DSL = re.compile(rf"(?:#[^\n]*\n\s*)*(?:{'|'.join(ACTION_TYPES)})\(")

_CALL = re.compile(r"[A-Za-z_]\w*\(\s*(?:\w+\s*=|\))")
"""A call with named arguments or none, whatever its name: a wrong name is told as that, and not as a lack of JSON."""


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """Read an LLMResponse.

    Mended silently by a note: code fences, words around the JSON, a missing ``is_goal_complete`` or ``parameters``.
    Where the observation has elements, a target that is only a number gets the rest of what identifies the element.
    An answer whose flag does not follow from its action is read in its normal form (:meth:`LLMResponse.normal`).

    Raises:
        ActionError: it breaks the contract; ``code`` and ``field`` say how.
    """
    stripped = answer.strip() if isinstance(answer, str) else ""
    if stripped.endswith(")") and (_DSL.match(stripped) or ("{" not in stripped and _CALL.match(stripped))):
        response, notes = parse_dsl_response(stripped), ["The one-line notation was read."]
    else:
        data, notes = object_in_answer(answer)
        response = response_from_any(_completed(_from_call(data), notes))
    if not response.flag_follows:
        kind = response.action.action_type
        done = f"The answer says with its {kind} that the task is done: finish_goal was read after it."
        notes.append(
            done if response.is_goal_complete else "finish_goal without is_goal_complete was read as giving up."
        )
    return DecodedAnswer(responses=_filled(response, observation).normal(), notes=tuple(notes))


def _from_call(data: dict[str, Any]) -> dict[str, Any]:
    """A call of one of our own functions as the answer that the model would have written."""
    call = first_call(data)
    if call is None:
        return data
    parameters = dict(call.arguments)
    target = parameters.pop("target", None)
    action = {"action_type": call.name, "target": target, "parameters": parameters}
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


def _filled(response: LLMResponse, observation: Observation) -> LLMResponse:
    action = response.action.replace(target=_found(response.action.target, observation, "action.target.element_id"))
    if isinstance(action, DragAction):
        action = action.replace(end_target=_found(action.end_target, observation, "action.end_target.element_id"))
    return response.model_copy(update={"action": action})


def _found(target: ActionTarget | None, observation: Observation, field_name: str) -> ActionTarget | None:
    """The target; one that is only a number with the rest of what identifies the element."""
    if target is None or target.element_id is None or not observation.elements:
        return target
    if target.track_id is None and target.text is None and target.bbox is None:
        return target_of_number(target.element_id, observation, field_name=field_name)
    observation.element(target.element_id, field_name=field_name)
    return target
