"""A wrong step that was kept as a lesson: how the step after it speaks of what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from demopack.domain.ports import StepBrief, StepContext
from models.language.quoting import quote

__all__ = ["OF_A_MISTAKE", "mistake_told", "recovering", "words_of_mistake"]

OF_A_MISTAKE: Final = re.compile(
    r"\b(?:mistake\w*|mistook|wrong\w*|by\s+accident|accidental\w*|unneeded|needless\w*|instead\s+of)\b", re.IGNORECASE
)
"""A sentence with such a word speaks of the wrong step, where it stands in the reason of the step after it."""
_CLICKED: Final = {
    "single": "clicked", "double": "double-clicked", "triple": "triple-clicked", "right": "right-clicked",
    "middle": "middle-clicked",
}  # fmt: skip
_SAID: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "click": lambda given: _CLICKED[given.get("click_type", "single")],
    "type": lambda given: f"typed {quote(given['text_to_type'])}" if given["text_to_type"].strip() else "typed a space",
    "press_key": lambda given: f"pressed {given['key_info']}",
    "scroll": lambda given: f"scrolled {given['scroll_direction']}",
    "hover": lambda _: "pointed at",
    "drag": lambda _: "dragged",
    "wait": lambda _: "waited",
    "launch": lambda given: f"started {quote(given['app'])}",
    "extract_data": lambda given: f"noted down {quote(given['description'])}",
    "finish_goal": lambda _: "stopped",
}
_SETS_NOTHING_RIGHT: Final = frozenset({"wait", "finish_goal"})


def recovering(context: StepContext) -> str:
    """One sentence that says what went wrong and that it is set right; empty where the step before was no lesson.

    It knows the screen before this step alone: what went wrong could be seen on it.
    """
    mistake = context.mistake
    if mistake is None:
        return ""
    kind = mistake.action.action_type
    did = _SAID[kind](mistake.action.parameters)
    if kind in {"click", "drag", "hover"}:
        did = f"{did} {_named(mistake)}"
    then = "" if context.action.action_type in _SETS_NOTHING_RIGHT else ", and I set that right now"
    return f"In the last step I {did} by mistake{then}."


def _named(brief: StepBrief) -> str:
    """By its own text alone: what kind of thing it was, the screen of this step may not tell any more."""
    texts = (None if brief.target is None else brief.target.text, brief.action.target and brief.action.target.text)
    text = next((text for text in texts if text and text.strip()), "")
    return quote(text) if text else "something else"


def mistake_told(context: StepContext) -> str:
    """What a model is told of the mistake; empty where there was none."""
    mistake = context.mistake
    if mistake is None or mistake.verdict is None:
        return ""
    return " ".join(mistake.verdict.reflection.split()) or "It did not bring the task forward."


def words_of_mistake(context: StepContext) -> list[str]:
    """Texts that may be quoted because the step before, a lesson, had to do with them."""
    mistake = context.mistake
    if mistake is None:
        return []
    texts = [element.text for element in (mistake.target, mistake.end_target) if element is not None]
    texts += [target.text for target in (mistake.action.target, mistake.action.end_target) if target is not None]
    texts += [value for value in mistake.action.parameters.values() if isinstance(value, str)]
    return [text for text in texts if text is not None and text.strip()]
