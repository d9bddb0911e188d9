"""The UiPath planner's actions for OSWorld: targets are named in words, a grounding model finds them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from demopack.codecs.base import Codec
from demopack.codecs.decoded import DecodedAnswer, unknown_action
from demopack.codecs.described_targets import Grounder, target_in_words
from demopack.codecs.json_answers import as_object, first_call, object_in_answer, words_of
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.codecs.target_words import part_words, target_words, way_within
from demopack.codecs.uipath_registry import (
    ACTIONS,
    SECTIONS,
    ActionDefinition,
    ActionRegistry,
    checked_operations,
    filled,
)
from demopack.domain import actions
from demopack.domain.keys import spell
from demopack.errors import ActionError

_CLICKS = {
    "single": ("click", "Click"), "double": ("double_click", "Double click"),
    "triple": ("triple_click", "Triple click"), "right": ("right_click", "Right click"),
}  # fmt: skip


def _call(kind: str, description: str, /, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"type": kind, "description": description, **({"parameters": parameters} if parameters else {})}


def told_target(placed: PlacedAction) -> str:
    """What an action is done to, in words."""
    text, reported = placed.target_text, placed.reported
    return target_words(placed.target, placed.at, placed.elements, placed.size, text=text, reported=reported)


def _drag(placed: PlacedAction) -> dict[str, Any]:
    start, target = told_target(placed), placed.target
    if target is None or target != placed.end or placed.at is None or placed.to is None:
        end = target_words(placed.end, placed.to, placed.elements, placed.size)
        return _call("drag", f"Drag {start} to {end}.", start_description=start, end_description=end)
    words = f"Drag {start} {way_within(target.box, placed.at, placed.to)}."
    first, last = (f"{part_words(at, target.box)} of {start}" for at in (placed.at, placed.to))
    return _call("drag", words, start_description=first, end_description=last)


def _encode(placed: PlacedAction) -> EncodedAction:
    is_named = placed.target is not None or bool(placed.target_text)
    match placed.action:
        case actions.ClickAction(click_type=kind) if kind in _CLICKS:
            name, verb = _CLICKS[kind]
            return encoded(_call(name, f"{verb} {told_target(placed)}."))
        case actions.TypeAction(text_to_type=text) as action:
            where = f" into {told_target(placed)}" if is_named else ""
            enter = [_call("key_press", "Press Enter to confirm the text.", key="Enter")] if action.submit else []
            return encoded(_call("type", f"Type '{text}'{where}.", text=text), *enter)
        case actions.PressKeyAction() as action:
            return _encode_keys(action)
        case actions.ScrollAction() as action:
            what = told_target(placed) if is_named else "the main page"
            given = {"element_description": what, "direction": action.scroll_direction, "distance": action.scroll_steps}
            return encoded(_call("scroll", f"Scroll {what} {action.scroll_direction}.", **given))
        case actions.DragAction():
            return encoded(_drag(placed))
        case actions.HoverAction():
            return encoded(_call("mouse_move", f"Move the mouse to {told_target(placed)}."))
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


_WHOLE = re.compile(r"\b(?:the|main|whole|web) ?page\b|\bthe (?:screen|window|document)\b", re.IGNORECASE)


def decode(
    answer: str | dict[str, Any],
    observation: Observation,
    *,
    registry: ActionRegistry = ACTIONS,
    ground: Grounder = target_in_words,
) -> DecodedAnswer:
    """Read a planner answer, or its bare action.

    Args:
        answer: JSON text, the object, or a message with a function call.
        observation: the screen it is about.
        registry: the actions that the planner was offered.
        ground: finds the described targets; by their words unless given.

    Raises:
        ActionError: the action is unknown, a parameter is missing or wrong, or its target cannot be found.
    """
    data, notes = object_in_answer(answer)
    data = _from_call(data, registry)
    action = data.get("action", data)
    if not isinstance(action, dict) or "type" not in action:
        raise ActionError(
            "The answer has no action with a type.",
            code="missing_field",
            field="action.type",
            hint='Give "action": {"type": …, "description": …, "parameters": {…}}.',
        )
    inner = as_object(action, "The action")
    definition = registry[_kind(str(inner["type"]), registry, notes)]
    description = str(inner.get("description") or data.get("action_description") or "")
    given = definition.read(as_object(inner.get("parameters") or {}, "parameters"), notes)
    call = _Call(description=description, values=given, observation=observation, notes=notes, ground=ground)
    native = call.native(definition)
    memory = checked_operations(data.get("update_memory") or [])
    thought = str(data.get("thought") or "")
    return DecodedAnswer(
        responses=() if native is None else (actions.LLMResponse.of(native, reasoning=thought),),
        notes=tuple(notes),
        sections={key: data[key] for key in SECTIONS if key != "update_memory" and key in data},
        memory=tuple(memory),
        calls=() if native is not None else (_call(definition.type, description, **given),),
    )


def _from_call(data: dict[str, Any], registry: ActionRegistry) -> dict[str, Any]:
    """A function call of our own definitions as the object that the planner would have written."""
    call = first_call(data)
    if call is None:
        return data
    arguments = dict(call.arguments)
    description = arguments.pop("description", "")
    own = registry.get(call.name)
    if own is not None and any(parameter.name == "description" for parameter in own.parameters):
        # The action's own parameter has the same name as the target's description.
        arguments["description"] = description
    return {
        "thought": words_of(data),
        "action": {"type": call.name, "description": description, "parameters": arguments},
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """An action as it was answered, and what is needed to find out what it means."""

    description: str
    values: dict[str, Any]
    observation: Observation
    notes: list[str]
    ground: Grounder

    def native(self, definition: ActionDefinition) -> actions.Action | None:
        """The contract's action that the definition names; None where it names none."""
        if definition.means is None:
            return None
        kind = definition.means["action_type"]
        found: dict[str, Any] = filled(definition.means, {"description": self.description, **self.values})
        parameters = found.get("parameters", {})
        if "scroll_steps" in parameters:
            parameters["scroll_steps"] = max(1, abs(parameters["scroll_steps"]))
        if "end_target" in parameters:
            parameters["end_target"] = self._target(parameters["end_target"])
        target = None
        if "target" in definition.means:
            words = str(found.get("target") or self.description)
            target = self._target(words) if kind in actions.NEEDS_TARGET else self._target_or_screen(words)
        return actions.parse_action({"action_type": kind, "target": target, "parameters": parameters})

    def _target(self, description: str) -> actions.ActionTarget:
        """The described target."""
        if not description.strip():
            raise ActionError(
                "The action does not say what it is done to.",
                code="missing_field",
                field="action.description",
                hint="Describe the element in one sentence.",
            )
        target = self.ground(description, self.observation)
        if not self.observation.elements and target.bbox is None:
            self.notes.append("There is no element list: the target is still only words.")
        return target

    def _target_or_screen(self, words: str) -> actions.ActionTarget | None:
        """The described target; None for the screen as a whole, which often is called the main page."""
        if not _WHOLE.search(words):
            try:
                return self._target(words)
            except ActionError as error:
                if error.code not in {"not_grounded", "missing_field"}:
                    raise
        self.notes.append("No element is meant; the screen as a whole is.")
        return None


def _kind(written: str, registry: ActionRegistry, notes: list[str]) -> str:
    """The registry's name for what was written; the aliases that the original corrects, and the clash in its enum."""
    name = written.strip().lower().replace(" ", "_").replace("-", "_")
    if name in registry or written in registry:
        return name if name in registry else written
    alias = _ALIASES.get(name) or next((word for word in ("scroll", "wait") if word in name), None)
    if alias is None or alias not in registry:
        raise unknown_action(written, tuple(registry), field_name="action.type")
    notes.append(f"{written} was read as {alias}.")
    return alias


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


CODEC: Final = Codec(
    name="uipath",
    title="UiPath planner",
    places="a description of the element",
    encoder=_encode,
    unsaid={"target", "modifiers", "hold", "submit", "drag_button", "drag_path", "hover_seconds", "wait_seconds"},
    decode=decode,
)


def codec_with(registry: ActionRegistry = ACTIONS, *, ground: Grounder = target_in_words) -> Codec:
    """The codec of a planner that was offered other actions, or that has a grounder, for ``decode_answer``."""
    return replace(CODEC, decode=partial(decode, registry=registry, ground=ground))
