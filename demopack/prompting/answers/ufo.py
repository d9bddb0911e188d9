"""LAM's and UFO's answers: the seven keys, a function on a control that is named by label and text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from demopack.domain.actions import ActionTarget, AgentAction
from demopack.domain.geometry import Rect, from_window_fraction
from demopack.errors import ActionError
from demopack.prompting.answers.calls import calls_of, words_of
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import (
    ParsedAnswer,
    answer_of,
    number_in,
    target_at,
    target_of_number,
    unknown_action,
)
from demopack.prompting.answers.sendkeys import sent_keys
from demopack.prompting.scene import Scene

__all__ = ["UFO_FUNCTIONS", "canonical_keys", "from_ufo"]

_KEYS: Final = {
    "controllabel": "control_label",
    "controlname": "control_name",
    "controltext": "control_name",
    "subtask": "subtask",
    "step": "step",
    "function": "function",
    "args": "args",
    "status": "status",
    "plan": "plan",
    "thought": "thought",
    "observation": "observation",
    "comment": "comment",
    "success": "success",
    "matchedcontroltext": "matched_control_text",
}
_HELD: Final = {"control": "ctrl", "ctrl": "ctrl", "shift": "shift", "menu": "alt", "alt": "alt", "lwin": "meta"}
_END: Final = {"FINISH": True, "FAIL": False, "ERROR": False}


def canonical_keys(data: dict[str, Any]) -> dict[str, Any]:
    """The answer with LAM's names for its keys, however they are written: ControlText, controlText, control_text."""
    return {_KEYS.get(re.sub(r"[^a-z]", "", key.lower()), key): value for key, value in data.items()}


def from_ufo(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
    """Read LAM's seven keys, or one step of a UFO plan.

    A status that ends the task together with a function becomes two responses: the action, then the end.

    Raises:
        ActionError: the function is unknown, has no counterpart here, or an argument is missing.
    """
    value, notes = loose_json(answer) if isinstance(answer, str) else (answer, [])
    data = canonical_keys(_from_call(as_object(value, "The answer")))
    if "function" not in data:
        raise ActionError(
            "The answer has no function.",
            code="missing_field",
            field="function",
            hint="Name the function, or leave it empty when the request is fulfilled.",
        )
    function = str(data["function"] or "").strip()
    name, _, rest = function.partition("(")
    if rest:
        notes.append("What follows the function's name was left out; args counts.")
    thought = str(data.get("thought") or data.get("subtask") or data.get("step") or "")
    actions: list[AgentAction] = []
    if name:
        maker = _MAKERS.get(name)
        if maker is None:
            raise _unusable(name)
        args = as_object(data.get("args") or {}, "args")
        actions.append(maker(args, data, _Context(scene, notes)))
    end = _END.get(str(data.get("status") or "CONTINUE").strip().upper())
    if end is not None or not name:
        actions.append(
            AgentAction(action_type="finish_goal", parameters={} if end is not False else {"status": "failure"})
        )
    if end is None and not name:
        notes.append("An answer without a function ends the task.")
    return ParsedAnswer(
        responses=tuple(answer_of(action, reasoning=thought if i == 0 else "") for i, action in enumerate(actions)),
        notes=tuple(notes),
        sections={key: data[key] for key in ("observation", "plan", "comment", "status") if data.get(key)},
    )


def _from_call(data: dict[str, Any]) -> dict[str, Any]:
    if not any(key in data for key in ("tool_calls", "function_call", "output", "arguments", "input")):
        return data
    calls = calls_of(data)
    if not calls:
        return data
    given = dict(calls[0].arguments)
    named: dict[str, Any] = {key: given.pop(key) for key in ("control_label", "control_name") if key in given}
    return {"thought": words_of(data), "function": calls[0].name, "args": given, **named}


def _unusable(name: str) -> ActionError:
    if name not in _WITHOUT:
        return unknown_action(name, UFO_FUNCTIONS, field_name="function")
    return ActionError(
        f"{name} works on the document, not on the screen; there is no action for it.",
        code="not_expressible",
        field="function",
        hint="Use clicks, drags and keys on controls that can be seen.",
    )


class _Context:
    """What the makers need beside arguments and keys."""

    def __init__(self, scene: Scene, notes: list[str]) -> None:
        self.scene = scene
        self.notes = notes

    def control(self, data: Mapping[str, Any]) -> ActionTarget | None:
        """The control by its label; without one by its text; None without either."""
        label = str(data.get("control_label") or "").strip()
        text = str(data.get("control_name") or data.get("matched_control_text") or "").strip()
        if label:
            target = target_of_number(label, self.scene, field_name="control_label")
            if text and not target.text:
                return target.model_copy(update={"text": text})
            if text and target.text and target.text.casefold() != text.casefold():
                self.notes.append(f"Control {label} says “{target.text}”, not “{text}”; the label counts.")
            return target
        return self._by_text(text) if text else None

    def _by_text(self, text: str) -> ActionTarget:
        found = [item for item in self.scene.elements if (item.text or "").casefold() == text.casefold()]
        if len(found) == 1:
            return self.scene.target(found[0])
        if self.scene.elements and not found:
            raise ActionError(
                f"There is no control with the text “{text}” on the current screen.",
                code="no_such_element",
                field="control_name",
                hint="Use a control of the list, with its label.",
            )
        return ActionTarget(text=text)

    def needed(self, data: Mapping[str, Any]) -> ActionTarget:
        """The control.

        Raises:
            ActionError: (``missing_argument``) none is named.
        """
        target = self.control(data)
        if target is None:
            raise ActionError(
                "The function needs a control.",
                code="missing_argument",
                field="control_label",
                hint="Give the label and the text of a control of the list.",
            )
        return target

    def point(self, x: float, y: float) -> ActionTarget:
        """A place in fractions of the window."""
        size, window = self.scene.size, self.scene.window
        if window is None or size is None:
            return target_at(x, y, self.scene, space="fraction", field_name="x, y")
        at = from_window_fraction((x, y), Rect(window.x1, window.y1, window.x2, window.y2))
        return target_at(at.x / size.width, at.y / size.height, self.scene, space="fraction", field_name="x, y")


def _click_kind(args: Mapping[str, Any]) -> dict[str, Any]:
    button = str(args.get("button") or "left").lower()
    kind = "double" if args.get("double") in {True, "true", "True"} else {"left": "single"}.get(button, button)
    held = _HELD.get(str(args.get("pressed") or "").lower())
    found: dict[str, Any] = {} if kind == "single" else {"click_type": kind}
    return {**found, "modifiers": [held]} if held else found


def _click(args: dict[str, Any], data: dict[str, Any], context: _Context) -> AgentAction:
    return AgentAction(action_type="click", target=context.needed(data), parameters=_click_kind(args))


def _click_at(args: dict[str, Any], _data: dict[str, Any], context: _Context) -> AgentAction:
    target = context.point(number_in(args, "x"), number_in(args, "y"))
    return AgentAction(action_type="click", target=target, parameters=_click_kind(args))


def _drag(args: dict[str, Any], _data: dict[str, Any], context: _Context) -> AgentAction:
    start = context.point(number_in(args, "start_x"), number_in(args, "start_y"))
    end = context.point(number_in(args, "end_x"), number_in(args, "end_y"))
    parameters: dict[str, Any] = {"end_target": end.to_wire()}
    if str(args.get("button") or "left") != "left":
        parameters["button"] = str(args["button"])
    held = _HELD.get(str(args.get("key_hold") or "").lower())
    if held:
        parameters["modifiers"] = [held]
    return AgentAction(action_type="drag", target=start, parameters=parameters)


def _set_text(args: dict[str, Any], data: dict[str, Any], context: _Context) -> AgentAction:
    if args.get("text") is None:
        number_in(args, "text")
    if args.get("clear_current_text"):
        context.notes.append("Clearing the field first is not part of the action: select all before typing.")
    return AgentAction(action_type="type", target=context.control(data), parameters={"text_to_type": str(args["text"])})


def _keyboard(args: dict[str, Any], data: dict[str, Any], context: _Context) -> AgentAction:
    written = args.get("keys", args.get("text"))
    if written is None:
        number_in(args, "keys")
    kind, parameters, notes = sent_keys(str(written))
    context.notes.extend(notes)
    return AgentAction.model_validate(
        {"action_type": kind, "target": _wire(context.control(data)), "parameters": parameters}
    )


def _wire(target: ActionTarget | None) -> dict[str, Any] | None:
    return None if target is None else target.to_wire()


def _wheel(args: dict[str, Any], data: dict[str, Any], context: _Context) -> AgentAction:
    far = number_in(args, "wheel_dist")
    given = {"scroll_direction": "up" if far > 0 else "down", "scroll_steps": max(1, round(abs(far)))}
    return AgentAction(action_type="scroll", target=context.control(data), parameters=given)


def _read_off(args: dict[str, Any], data: dict[str, Any], context: _Context) -> AgentAction:
    text = args.get("text")
    about = str(data.get("subtask") or data.get("thought") or "the text of the control")
    return AgentAction(
        action_type="extract_data",
        target=context.control(data),
        parameters={"description": about, **({} if text is None else {"data": text})},
    )


def _wait(args: dict[str, Any], _data: dict[str, Any], context: _Context) -> AgentAction:
    if args.get("seconds") is None:
        context.notes.append("The wait has no duration; 1 second is assumed.")
    return AgentAction(action_type="wait", parameters={"wait_duration_s": number_in(args, "seconds", default=1.0)})


_Maker = Callable[[dict[str, Any], dict[str, Any], _Context], AgentAction]
_MAKERS: Final[Mapping[str, _Maker]] = {
    "click_input": _click,
    "click_on_coordinates": _click_at,
    "drag_on_coordinates": _drag,
    "set_edit_text": _set_text,
    "keyboard_input": _keyboard,
    "type_keys": _keyboard,
    "wheel_mouse_input": _wheel,
    "texts": _read_off,
    "summary": _read_off,
    "wait": _wait,
}
UFO_FUNCTIONS: Final[tuple[str, ...]] = tuple(_MAKERS)
"""The functions that have a counterpart here."""
_WITHOUT: Final = frozenset({"annotation", "select_text", "select_table", "insert_table", "set_font", "save_as"})
"""Functions of the Word API and of UFO itself that act on no control."""
