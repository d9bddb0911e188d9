"""What remains to be done, as short imperatives, from the actions that were recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.ports import StepBrief
from demopack.domain.words import SHOT_WORDS
from models.language.grounding import quote
from models.language.places import name

__all__ = ["plan_of"]

_CLICKS: Final = {
    "single": "Click", "double": "Double-click", "triple": "Triple-click", "right": "Right-click",
    "middle": "Middle-click",
}  # fmt: skip


def plan_of(coming: Sequence[StepBrief]) -> tuple[str, ...]:
    """One imperative for each coming step, for instance ``Click the button “OK”.``; ends and shots are left out."""
    words = (_WORDS[brief.action.action_type](brief) for brief in coming if brief.action.action_type in _WORDS)
    return tuple(f"{imperative}." for imperative in words if imperative)


def _called(element: Element | None, brief: StepBrief) -> str:
    return "" if element is None else name(element, brief.before)


def _parameters(brief: StepBrief) -> dict[str, Any]:
    return dict(brief.action.parameters)


def _click(brief: StepBrief) -> str:
    verb = _CLICKS[_parameters(brief).get("click_type", "single")]
    return f"{verb} {_called(brief.target, brief) or 'the right spot'}"


def _type(brief: StepBrief) -> str:
    text = str(_parameters(brief)["text_to_type"])
    where = f" into {_called(brief.target, brief)}" if brief.target is not None else ""
    return f"Type {quote(text) if text.strip() else 'a space'}{where}"


def _press(brief: StepBrief) -> str:
    return f"Press {_parameters(brief)['key_info']}"


def _scroll(brief: StepBrief) -> str:
    return f"Scroll {_parameters(brief)['scroll_direction']}"


def _drag(brief: StepBrief) -> str:
    what = _called(brief.target, brief) or "what is there"
    within = brief.end_target is None or (brief.target is not None and brief.end_target.uid == brief.target.uid)
    return f"Drag {what}" if within else f"Drag {what} onto {_called(brief.end_target, brief)}"


def _hover(brief: StepBrief) -> str:
    return f"Point at {_called(brief.target, brief) or 'the right spot'}"


def _wait(_: StepBrief) -> str:
    return "Wait until the screen comes to rest"


def _launch(brief: StepBrief) -> str:
    return f"Start {quote(str(_parameters(brief)['app']))}"


def _extract(brief: StepBrief) -> str:
    what = str(_parameters(brief)["description"])
    return "" if what == SHOT_WORDS else f"Note down {quote(what)}"


_WORDS: Final[dict[str, Callable[[StepBrief], str]]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "hover": _hover,
    "drag": _drag,
    "wait": _wait,
    "launch": _launch,
    "extract_data": _extract,
}
