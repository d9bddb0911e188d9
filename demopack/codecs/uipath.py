"""The UiPath planner's actions for OSWorld: targets are named in words, a grounding model finds them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from demopack.codecs.action_builder import key_parts, keys_text
from demopack.codecs.base import Codec
from demopack.codecs.decoded import DecodedAnswer, number_in, required, unknown_action
from demopack.codecs.described_targets import target_in_words
from demopack.codecs.element_words import element_words
from demopack.codecs.json_answers import as_object, first_call, object_in_answer, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.codecs.uipath_registry import ACTIONS, SECTIONS, checked_operations
from demopack.domain import actions
from demopack.domain.keys import spell
from demopack.errors import ActionError

_CLICKS = {
    "single": ("click", "Click"), "double": ("double_click", "Double click"),
    "triple": ("triple_click", "Triple click"), "right": ("right_click", "Right click"),
}  # fmt: skip


def _call(kind: str, description: str, /, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"type": kind, "description": description, **({"parameters": parameters} if parameters else {})}


def _target(placed: PlacedAction) -> str:
    return element_words(placed.target, placed.target_text, placed.at, label=placed.label)


def _encode(placed: PlacedAction) -> EncodedAction:
    is_named = placed.target is not None or bool(placed.target_text)
    match placed.action:
        case actions.ClickAction(click_type=kind) if kind in _CLICKS:
            name, verb = _CLICKS[kind]
            return encoded(_call(name, f"{verb} {_target(placed)}."))
        case actions.TypeAction(text_to_type=text) as action:
            where = f" into {_target(placed)}" if is_named else ""
            enter = [_call("key_press", "Press Enter to confirm the text.", key="Enter")] if action.submit else []
            return encoded(_call("type", f"Type '{text}'{where}.", text=text), *enter)
        case actions.PressKeyAction() as action:
            return _encode_keys(action)
        case actions.ScrollAction() as action:
            what = _target(placed) if is_named else "the main page"
            given = {"element_description": what, "direction": action.scroll_direction, "distance": action.scroll_steps}
            return encoded(_call("scroll", f"Scroll {what} {action.scroll_direction}.", **given))
        case actions.DragAction():
            start, end = _target(placed), element_words(placed.end, "", placed.to, label=placed.end_label)
            words = f"Drag {start} to {end}."
            return encoded(_call("drag", words, start_description=start, end_description=end))
        case actions.HoverAction():
            return encoded(_call("mouse_move", f"Move the mouse to {_target(placed)}."))
        case actions.WaitAction():
            return encoded(_call("wait", "Wait for the screen to change."))
        case actions.ExtractDataAction(description=about, data=data):
            return encoded(_call("extract_data", f"Extract from the screen: {about}.", description=about, data=data))
        case actions.FinishGoalAction() as action:
            words = "is completed" if action.status == "success" else "cannot be completed"
            return encoded(_call("finish", f"The task {words}.", status=action.status))
        case _:
            raise NotExpressibleError("no_word")


def _encode_keys(action: actions.PressKeyAction) -> EncodedAction:
    try:
        keys = " ".join(spell(name, "uipath") for name in action.keys)
    except ActionError:
        raise NotExpressibleError("no_word", "keys") from None
    return repeated(_call("key_press", f"Press '{keys}'.", key=keys), action.presses, "presses")


_DEFAULT_NOTCHES: Final = 3
_DEFAULT_WAIT: Final = 1.0
_WHOLE = re.compile(r"\b(?:the|main|whole|web) ?page\b|\bthe (?:screen|window|document)\b", re.IGNORECASE)


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """Read a planner answer, or its bare action.

    Args:
        answer: JSON text, the object, or a message with a function call.
        observation: the screen it is about.

    Raises:
        ActionError: the action is unknown, a parameter is missing, or its target cannot be found.
    """
    data, notes = object_in_answer(answer)
    data = _from_call(data)
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
    ACTIONS[kind].check(parameters)
    description = str(inner.get("description") or data.get("action_description") or "")
    call = _Call(description=description, parameters=parameters, observation=observation, notes=notes)
    native = _DECODERS[kind](call)
    memory = checked_operations(data.get("update_memory") or [])
    return DecodedAnswer(
        responses=(actions.LLMResponse.of(native, reasoning=str(data.get("thought") or "")),),
        notes=tuple(notes),
        sections={key: data[key] for key in SECTIONS if key != "update_memory" and key in data},
        memory=tuple(memory),
    )


def _from_call(data: dict[str, Any]) -> dict[str, Any]:
    """A function call of our own definitions as the object that the planner would have written."""
    call = first_call(data)
    if call is None:
        return data
    arguments = dict(call.arguments)
    description = arguments.pop("description", "")
    if call.name == "extract_data":
        # The registry's own parameter has the same name as the target's description.
        arguments["description"] = description
    return {
        "thought": words_of(data),
        "action": {"type": call.name, "description": description, "parameters": arguments},
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """An action as it was answered, and what its decoder needs beside it."""

    description: str
    parameters: dict[str, Any]
    observation: Observation
    notes: list[str]

    def text(self, name: str) -> str:
        """A parameter that must be there, as text."""
        return str(required(self.parameters, name, what="parameter", field_name=f"action.parameters.{name}"))

    def target(self, description: str) -> actions.ActionTarget:
        """The described target."""
        if not description.strip():
            raise ActionError(
                "The action does not say what it is done to.",
                code="missing_field",
                field="action.description",
                hint="Describe the element in one sentence.",
            )
        if not self.observation.elements:
            self.notes.append("There is no element list: the target is still only words.")
        return target_in_words(description, self.observation)


def _kind(written: str, notes: list[str]) -> str:
    """The registry's name for what was written; the aliases that the original corrects, and the clash in its enum."""
    name = written.strip().lower().replace(" ", "_").replace("-", "_")
    alias = _ALIASES.get(name)
    if alias is None and name not in _DECODERS:
        alias = next((kind for word, kind in (("scroll", "scroll"), ("wait", "wait")) if word in name), None)
    if alias is not None:
        notes.append(f"{written} was read as {alias}.")
        name = alias
    if name not in _DECODERS:
        raise unknown_action(written, tuple(_DECODERS), field_name="action.type")
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


def _read_scroll(call: _Call) -> actions.Action:
    direction = call.text("direction").strip().lower()
    if call.parameters.get("distance") is None:
        call.notes.append(f"The distance was missing; {_DEFAULT_NOTCHES} wheel clicks are assumed.")
    steps = max(1, round(abs(number_in(call.parameters, "distance", default=_DEFAULT_NOTCHES))))
    target = _scrolled(str(call.parameters.get("element_description") or call.description), call)
    way: dict[str, Any] = {"scroll_direction": direction}
    return actions.ScrollAction(target=target, scroll_steps=steps, **way)


def _scrolled(words: str, call: _Call) -> actions.ActionTarget | None:
    """The target that is scrolled; None for the screen as a whole, which often is called the main page."""
    if not _WHOLE.search(words):
        try:
            return call.target(words)
        except ActionError as error:
            if error.code not in {"not_grounded", "missing_field"}:
                raise
    call.notes.append("What is scrolled is no element; the screen as a whole is meant.")
    return None


def _read_drag(call: _Call) -> actions.Action:
    start = call.target(call.text("start_description"))
    return actions.DragAction(target=start, end_target=call.target(call.text("end_description")))


def _read_press(call: _Call) -> actions.Action:
    written = call.text("key")
    if "click" in written.lower():
        raise ActionError(
            f"{written!r} is a key and a click.",
            code="bad_parameter",
            field="action.parameters.key",
            hint="Press the key and click in two actions.",
        )
    return actions.PressKeyAction(key_info=keys_text(key_parts(written)))


def _read_extract(call: _Call) -> actions.Action:
    data = call.parameters.get("data")
    if data is None:
        call.notes.append("The answer does not say which data it read.")
    return actions.ExtractDataAction(description=str(call.parameters.get("description") or call.description), data=data)


def _read_wait(call: _Call) -> actions.Action:
    call.notes.append(f"UiPath's wait has no duration; {_DEFAULT_WAIT:g} s is assumed.")
    return actions.WaitAction(wait_duration_s=_DEFAULT_WAIT)


def _read_finish(call: _Call) -> actions.Action:
    status: dict[str, Any] = {"status": call.text("status").strip().lower()}
    return actions.FinishGoalAction(**status)


def _read_click(click_type: actions.ClickType) -> Callable[[_Call], actions.Action]:
    return lambda call: actions.ClickAction(target=call.target(call.description), click_type=click_type)


_DECODERS: Final[dict[str, Callable[[_Call], actions.Action]]] = {
    "click": _read_click("single"),
    "right_click": _read_click("right"),
    "double_click": _read_click("double"),
    "triple_click": _read_click("triple"),
    "type": lambda call: actions.TypeAction(text_to_type=call.text("text")),
    "scroll": _read_scroll,
    "drag": _read_drag,
    "mouse_move": lambda call: actions.HoverAction(target=call.target(call.description)),
    "key_press": _read_press,
    "extract_data": _read_extract,
    "wait": _read_wait,
    "finish": _read_finish,
}
CODEC: Final = Codec(
    name="uipath",
    title="UiPath planner",
    places="a description of the element",
    encoder=_encode,
    unsaid={"target", "modifiers", "hold", "submit", "drag_button", "drag_path", "hover_seconds", "wait_seconds"},
    decode=decode,
)
