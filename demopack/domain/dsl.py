"""The optional one-line notation: ``click(track_id="btn_login_0")``; it compiles to the same models, loss-free.

Grammar: optional lines ``# reasoning``, then one call. Arguments are keywords: the fields of the target, then the
parameters by their contract names; values are JSON (``true``, ``false``, ``null`` and Python's spellings alike), and
``end_target=target(text="Bin")`` names the end of a drag. ``is_goal_complete`` follows from the action.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from demopack.domain.actions import AgentAction, LLMResponse, parse_action
from demopack.errors import ActionError

__all__ = ["format_action", "format_response", "parse_dsl_action", "parse_dsl_response"]

_TARGET_FIELDS = ("track_id", "element_id", "text", "bbox")
_NAMES = {"true": True, "false": False, "null": None}


def format_action(action: AgentAction) -> str:
    """One call, for instance ``type(text="Name", text_to_type="Ada")``."""
    parts: list[str] = []
    if action.target is not None:
        parts += _pairs(action.target.to_wire())
    for name, value in action.parameters.items():
        if name == "end_target":
            parts.append(f"end_target=target({', '.join(_pairs(value))})")
        else:
            parts += _pairs({name: value})
    return f"{action.action_type}({', '.join(parts)})"


def format_response(response: LLMResponse) -> str:
    """The reasoning as comment lines above the call."""
    lines = [f"# {line}" for line in response.reasoning.split("\n")] if response.reasoning else []
    return "\n".join([*lines, format_action(response.action)])


def _pairs(values: dict[str, Any]) -> list[str]:
    return [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def parse_dsl_action(text: str) -> AgentAction:
    """Read one call.

    Raises:
        ActionError: (``dsl_syntax``) this is not one call with keyword arguments; otherwise as the contract says.
    """
    call = _call(text)
    target: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    for name, node in _keywords(call, text):
        if name == "end_target" and isinstance(node, ast.Call):
            parameters[name] = {key: _value(value, text) for key, value in _keywords(node, text)}
        elif name in _TARGET_FIELDS:
            target[name] = _value(node, text)
        else:
            parameters[name] = _value(node, text)
    name_node = call.func
    action_type = name_node.id if isinstance(name_node, ast.Name) else ""
    return parse_action({"action_type": action_type, "target": target or None, "parameters": parameters})


def parse_dsl_response(text: str) -> LLMResponse:
    """Read comment lines (the reasoning) and one call.

    Raises:
        ActionError: as :func:`parse_dsl_action`.
    """
    lines = text.split("\n")
    count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    reasoning = "\n".join(line[1:].removeprefix(" ") for line in lines[:count])
    action = parse_dsl_action("\n".join(lines[count:]))
    complete = action.action_type == "finish_goal" and "status" not in action.parameters
    return LLMResponse(reasoning=reasoning, action=action, is_goal_complete=complete)


def _wrong(text: str, why: str) -> ActionError:
    return ActionError(
        f"This line is not an action: {why}.",
        code="dsl_syntax",
        field="",
        details=text,
        hint='Write for instance click(text="Submit").',
    )


def _call(text: str) -> ast.Call:
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise _wrong(text, "it cannot be read") from error
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise _wrong(text, "it is not a call")
    return node


def _keywords(call: ast.Call, text: str) -> list[tuple[str, ast.expr]]:
    if call.args:
        raise _wrong(text, "an argument has no name")
    pairs = [(keyword.arg, keyword.value) for keyword in call.keywords]
    if any(name is None for name, _ in pairs):
        raise _wrong(text, "** is not allowed")
    return [(str(name), value) for name, value in pairs]


def _value(node: ast.expr, text: str) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.List):
        return [_value(item, text) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {
            _value(key, text): _value(value, text)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError) as error:
        raise _wrong(text, "a value is not JSON") from error
