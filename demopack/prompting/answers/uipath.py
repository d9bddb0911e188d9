"""UiPath's planner answers: sections, memory operations, and one action whose target is described in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from demopack.domain.actions import AgentAction
from demopack.errors import ActionError
from demopack.prompting.answers.calls import calls_of, words_of
from demopack.prompting.answers.described import Grounder, by_words
from demopack.prompting.answers.key_names import key_parts, keys_text
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import ParsedAnswer, answer_of, number_in, unknown_action
from demopack.prompting.scene import Scene
from demopack.prompting.uipath.memory import checked_operations
from demopack.prompting.uipath.registry import DEFAULT_REGISTRY, SECTIONS

__all__ = ["from_uipath"]

_DEFAULT_NOTCHES: Final = 3
_DEFAULT_WAIT: Final = 1.0
_WHOLE = re.compile(r"\b(?:the|main|whole|web) ?page\b|\bthe (?:screen|window|document)\b", re.IGNORECASE)
_CLICKS: Final = {"click": "single", "right_click": "right", "double_click": "double", "triple_click": "triple"}


def from_uipath(answer: str | dict[str, Any], scene: Scene, *, ground: Grounder = by_words) -> ParsedAnswer:
    """Read a planner answer, or its bare action.

    Args:
        answer: JSON text, the object, or a message with a function call.
        scene: the screen it is about.
        ground: finds the described target on the screen.

    Raises:
        ActionError: the action is unknown, a parameter is missing, or its target cannot be found.
    """
    value, notes = loose_json(answer) if isinstance(answer, str) else (answer, [])
    data = _from_call(as_object(value, "The answer"))
    action = data.get("action", data)
    if not isinstance(action, dict) or "type" not in action:
        raise ActionError(
            "The answer has no action with a type.",
            code="missing_field",
            field="action.type",
            hint='Give "action": {"type": …, "description": …, "parameters": {…}}.',
        )
    inner = as_object(action, "The action")
    kind = _kind(str(inner["type"]), notes)
    parameters = as_object(inner.get("parameters") or {}, "parameters")
    DEFAULT_REGISTRY.check(kind, parameters, optional=True)
    description = str(inner.get("description") or data.get("action_description") or "")
    native = _MAKERS[kind](kind, description, parameters, _Context(scene, ground, notes))
    memory = checked_operations(data.get(SECTIONS["memory"].key) or [])
    return ParsedAnswer(
        responses=(answer_of(native, reasoning=str(data.get(SECTIONS["thought"].key) or "")),),
        notes=tuple(notes),
        sections={
            section.key: data[section.key]
            for name, section in SECTIONS.items()
            if name != "memory" and section.key in data
        },
        memory=tuple(memory),
    )


def _from_call(data: dict[str, Any]) -> dict[str, Any]:
    """A function call of our own definitions as the object that the planner would have written."""
    if not any(key in data for key in ("tool_calls", "function_call", "content", "output", "arguments", "input")):
        return data
    calls = calls_of(data)
    if not calls:
        return data
    arguments = dict(calls[0].arguments)
    description = arguments.pop("description", "")
    if calls[0].name == "extract_data":
        # The registry's own parameter has the same name as the target's description.
        arguments["description"] = description
    return {
        SECTIONS["thought"].key: words_of(data),
        "action": {"type": calls[0].name, "description": description, "parameters": arguments},
    }


class _Context:
    """What every maker needs beside its own parameters."""

    def __init__(self, scene: Scene, ground: Grounder, notes: list[str]) -> None:
        self.scene = scene
        self.notes = notes
        self._ground = ground

    def target(self, description: str) -> dict[str, Any]:
        """The described target in wire form."""
        if not description.strip():
            raise ActionError(
                "The action does not say what it is done to.",
                code="missing_field",
                field="action.description",
                hint="Describe the element in one sentence.",
            )
        if not self.scene.elements:
            self.notes.append("There is no element list: the target is still only words.")
        return self._ground(description, self.scene).to_wire()


def _kind(written: str, notes: list[str]) -> str:
    """The registry's name for what was written; the aliases that the original corrects, and the clash in its enum."""
    name = written.strip().lower().replace(" ", "_").replace("-", "_")
    alias = _ALIASES.get(name)
    if alias is None and name not in _MAKERS:
        alias = next((kind for word, kind in (("scroll", "scroll"), ("wait", "wait")) if word in name), None)
    if alias is not None:
        notes.append(f"{written} was read as {alias}.")
        name = alias
    if name not in _MAKERS:
        raise unknown_action(written, tuple(_MAKERS), field_name="action.type")
    return name


_ALIASES: Final = {
    "press": "key_press",
    "press_key": "key_press",
    "keypress": "key_press",
    "move_mouse": "mouse_move",
    "hover": "mouse_move",
    "type_text": "type",
    "type_into": "type",
    "left_click": "click",
    "finish_goal": "finish",
}


def _need(parameters: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - any JSON value
    if parameters.get(name) is None:
        raise ActionError(
            f"The parameter {name} is missing.",
            code="missing_argument",
            field=f"action.parameters.{name}",
            hint=f"Give {name} a value.",
        )
    return parameters[name]


def _click(kind: str, description: str, _parameters: dict[str, Any], context: _Context) -> AgentAction:
    click = {} if kind == "click" else {"click_type": _CLICKS[kind]}
    return AgentAction.model_validate(
        {"action_type": "click", "target": context.target(description), "parameters": click}
    )


def _type(_kind: str, _description: str, parameters: dict[str, Any], _context: _Context) -> AgentAction:
    return AgentAction(action_type="type", parameters={"text_to_type": str(_need(parameters, "text"))})


def _scroll(_kind: str, description: str, parameters: dict[str, Any], context: _Context) -> AgentAction:
    direction = str(_need(parameters, "direction")).strip().lower()
    if parameters.get("distance") is None:
        context.notes.append(f"The distance was missing; {_DEFAULT_NOTCHES} wheel clicks are assumed.")
    steps = max(1, round(abs(number_in(parameters, "distance", default=_DEFAULT_NOTCHES))))
    target = _scrolled(str(parameters.get("element_description") or description), context)
    return AgentAction.model_validate(
        {
            "action_type": "scroll",
            "target": target,
            "parameters": {"scroll_direction": direction, "scroll_steps": steps},
        }
    )


def _scrolled(words: str, context: _Context) -> dict[str, Any] | None:
    """What is scrolled; None for the screen as a whole, which often is called the main page."""
    if not _WHOLE.search(words):
        try:
            return context.target(words)
        except ActionError as error:
            if error.code not in {"not_grounded", "missing_field"}:
                raise
    context.notes.append("What is scrolled is no element; the screen as a whole is meant.")
    return None


def _drag(_kind: str, _description: str, parameters: dict[str, Any], context: _Context) -> AgentAction:
    start = context.target(str(_need(parameters, "start_description")))
    end = context.target(str(_need(parameters, "end_description")))
    return AgentAction.model_validate({"action_type": "drag", "target": start, "parameters": {"end_target": end}})


def _hover(_kind: str, description: str, _parameters: dict[str, Any], context: _Context) -> AgentAction:
    return AgentAction.model_validate({"action_type": "hover", "target": context.target(description), "parameters": {}})


def _key(_kind: str, _description: str, parameters: dict[str, Any], _context: _Context) -> AgentAction:
    written = str(_need(parameters, "key"))
    if "click" in written.lower():
        raise ActionError(
            f"{written!r} is a key and a click.",
            code="bad_parameter",
            field="action.parameters.key",
            hint="Press the key and click in two actions.",
        )
    return AgentAction(action_type="press_key", parameters={"key_info": keys_text(key_parts(written))})


def _extract(_kind: str, description: str, parameters: dict[str, Any], context: _Context) -> AgentAction:
    given: dict[str, Any] = {"description": str(parameters.get("description") or description)}
    if parameters.get("data") is None:
        context.notes.append("The answer does not say which data it read.")
    else:
        given["data"] = parameters["data"]
    return AgentAction(action_type="extract_data", parameters=given)


def _wait(_kind: str, _description: str, _parameters: dict[str, Any], context: _Context) -> AgentAction:
    context.notes.append(f"UiPath's wait has no duration; {_DEFAULT_WAIT:g} s is assumed.")
    return AgentAction(action_type="wait", parameters={"wait_duration_s": _DEFAULT_WAIT})


def _finish(_kind: str, _description: str, parameters: dict[str, Any], _context: _Context) -> AgentAction:
    status = str(_need(parameters, "status")).strip().lower()
    return AgentAction(action_type="finish_goal", parameters={"status": status})


_MAKERS: Final[dict[str, Callable[[str, str, dict[str, Any], _Context], AgentAction]]] = {
    "click": _click,
    "right_click": _click,
    "double_click": _click,
    "triple_click": _click,
    "type": _type,
    "scroll": _scroll,
    "drag": _drag,
    "mouse_move": _hover,
    "key_press": _key,
    "extract_data": _extract,
    "wait": _wait,
    "finish": _finish,
}
