"""Says in the user's words what a step did: ``Clicked "Submit" (button)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demopack.domain.actions import AgentAction
from demopack.domain.elements import Element
from demopack.domain.steps import Doubt

__all__ = ["DOUBT_WORDS", "SHOT_WORDS", "counted", "describe_action", "name_element", "shorten"]

_CLICKS = {
    "single": "Clicked", "double": "Double-clicked", "triple": "Triple-clicked", "right": "Right-clicked",
    "middle": "Middle-clicked",
}  # fmt: skip

SHOT_WORDS = "Look at the screen"
"""What a shot asks for; a person may say it better."""

DOUBT_WORDS: dict[Doubt, str] = {
    "no_element": "The pointer hit no element.",
    "stale_frame": "The picture before this step is old.",
    "changed_before_event": "The screen changed between the picture and the action.",
    "not_settled": "The screen was still changing when the next step began.",
    "no_before": "There is no picture of the screen before this step.",
    "no_after": "There is no picture of the screen after this step.",
    "unknown_text": "A key was pressed whose text is unknown.",
    "off_element": "The pointer was not on the element that the program says was under it.",
    "not_responding": "The program did not respond when this was done.",
    "fields_unknown": "Not all fields of the window could be asked for: look whether a secret can be seen.",
}


def counted(number: int, thing: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def shorten(text: str, limit: int = 40) -> str:
    """One line of at most ``limit`` characters, an ellipsis where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def name_element(element: Element) -> str:
    """For instance ``"Submit" (button)`` or ``the slider``."""
    kind = "element" if element.type == "other" else element.type.replace("_", " ")
    if element.text:
        return f"“{shorten(element.text)}” ({kind})"
    if element.subtype:
        return f"the {element.subtype} {kind}"
    return f"the {kind}"


def describe_action(action: AgentAction, element: Element | None = None, end: Element | None = None) -> str:
    """One short sentence in the past tense, without a full stop.

    Args:
        action: what was done.
        element: the element it was done to, when known.
        end: the element a drag ended on, when known.
    """
    held = "+".join(m.capitalize() for m in action.parameters.get("modifiers", ()))
    verb = _VERBS[action.action_type](action.parameters)
    where = _where(action, element)
    words = f"{held}+{verb[0].lower()}{verb[1:]}" if held else verb
    if where and action.action_type in {"click", "drag", "hover"}:
        words += f" {where}"
    elif where:
        words += f" {'in' if action.action_type != 'extract_data' else 'from'} {where}"
    if action.action_type == "drag":
        target = action.end_target
        if end is not None:
            words += f" to {name_element(end)}"
        elif target is not None and target.text:
            words += f" to “{shorten(target.text)}”"
    return words


def _where(action: AgentAction, element: Element | None) -> str:
    if element is not None:
        return name_element(element)
    if action.target is not None and action.target.text:
        return f"“{shorten(action.target.text)}”"
    return "a spot" if action.action_type in {"click", "drag", "hover"} else ""


_VERBS: dict[str, Callable[[dict[str, Any]], str]] = {
    "click": lambda p: (
        _CLICKS[p.get("click_type", "single")] if p.get("hold_s") is None else f"Held for {p['hold_s']:g} s"
    ),
    "type": lambda p: f"Typed “{shorten(p['text_to_type'])}”" + (" and Enter" if p.get("submit") else ""),
    "press_key": lambda p: f"Pressed {p['key_info']}" + (f" {p['presses']} times" if p.get("presses", 1) > 1 else ""),
    "scroll": lambda p: f"Scrolled {p['scroll_direction']} by {p['scroll_steps']}",
    "hover": lambda _: "Pointed at",
    "wait": lambda p: f"Waited {p['wait_duration_s']:g} s",
    "drag": lambda _: "Dragged",
    "launch": lambda p: f"Started {p['app']}",
    "extract_data": lambda p: (
        "Kept a picture" if p["description"] == SHOT_WORDS else f"Read {shorten(p['description'])}"
    ),
    "finish_goal": lambda p: "Gave up" if p.get("status") == "failure" else "Finished the task",
}
