"""Elements and actions in the user's language, as whole sentences: words of other languages stand in another order.

In English these are the words of :mod:`demopack.domain.words`, which also go into prompts and packs and are never
translated there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from annotator.type_words import type_word
from annotator.words import capital, is_translated, key_words, tr
from demopack.domain.actions import AgentAction
from demopack.domain.elements import Element
from demopack.domain.steps import Doubt
from demopack.domain.words import DOUBT_WORDS, SHOT_WORDS, shorten
from demopack.domain.words import describe_action as _describe
from demopack.domain.words import name_element as _name

__all__ = ["describe_action", "doubt_words", "name_element"]


def name_element(element: Element) -> str:
    """For instance ``“Submit” (button)`` or ``the slider``."""
    if not is_translated():
        return _name(element)
    kind = tr("element") if element.type == "other" else type_word(element.type)
    if element.text:
        return tr("“{text}” ({kind})").format(text=shorten(element.text), kind=kind)
    if element.subtype:
        return tr("the {subtype} {kind}").format(subtype=element.subtype, kind=kind)
    return tr("the {kind}").format(kind=kind)


def doubt_words(doubt: Doubt) -> str:
    """Why a step should be looked at."""
    return _DOUBTS[doubt] if is_translated() else DOUBT_WORDS[doubt]


def describe_action(action: AgentAction, element: Element | None = None, end: Element | None = None) -> str:
    """What was done, one short sentence without a full stop.

    Args:
        action: what was done.
        element: the element it was done to, when known.
        end: the element a drag ended on, when known.
    """
    if not is_translated():
        return _describe(action, element, end)
    where = _where(action, element)
    words = _SENTENCES[action.action_type](action.parameters, where)
    if action.action_type == "drag":
        target = "" if action.end_target is None else (action.end_target.text or "")
        to = name_element(end) if end is not None else (f"“{shorten(target)}”" if target else "")
        if to:
            words = tr("Dragged {where} to {end}").format(where=where, end=to)
    held = "+".join(key_words(key) for key in action.parameters.get("modifiers", ()))
    words = tr("{words}, with {keys} held").format(words=words, keys=held) if held else words
    return capital(words)


def _where(action: AgentAction, element: Element | None) -> str:
    if element is not None:
        return name_element(element)
    if action.target is not None and action.target.text:
        return f"“{shorten(action.target.text)}”"
    return tr("a spot") if action.action_type in {"click", "drag", "hover"} else ""


def _click(p: dict[str, Any], where: str) -> str:
    if p.get("hold_s") is not None:
        return tr("Held for {seconds:g} s {where}").format(where=where, seconds=p["hold_s"])
    return _CLICKS[p.get("click_type", "single")].format(where=where)


def _type(p: dict[str, Any], where: str) -> str:
    text = shorten(p["text_to_type"])
    if where:
        said = tr("Typed “{text}” and Enter in {where}") if p.get("submit") else tr("Typed “{text}” in {where}")
        return said.format(text=text, where=where)
    return (tr("Typed “{text}” and Enter") if p.get("submit") else tr("Typed “{text}”")).format(text=text)


def _press(p: dict[str, Any], where: str) -> str:
    times = p.get("presses", 1)
    said = tr("Pressed {key} {times} times") if times > 1 else tr("Pressed {key}")
    if where:
        said = tr("Pressed {key} {times} times in {where}") if times > 1 else tr("Pressed {key} in {where}")
    return said.format(key=key_words(p["key_info"]), times=times, where=where)


def _scroll(p: dict[str, Any], where: str) -> str:
    way = _WAYS.get(p["scroll_direction"], p["scroll_direction"])
    said = tr("Scrolled {way} by {steps} in {where}") if where else tr("Scrolled {way} by {steps}")
    return said.format(way=way, steps=p["scroll_steps"], where=where)


def _extract(p: dict[str, Any], where: str) -> str:
    if p["description"] == SHOT_WORDS:
        return tr("Kept a picture")
    what = shorten(p["description"])
    return (tr("Read {what} from {where}") if where else tr("Read {what}")).format(what=what, where=where)


_CLICKS: Final[Mapping[str, str]] = {
    "single": tr("Clicked {where}"),
    "double": tr("Double-clicked {where}"),
    "triple": tr("Triple-clicked {where}"),
    "right": tr("Right-clicked {where}"),
    "middle": tr("Middle-clicked {where}"),
}
_WAYS: Final[Mapping[str, str]] = {"up": tr("up"), "down": tr("down"), "left": tr("left"), "right": tr("right")}
_SENTENCES: Final[Mapping[str, Callable[[dict[str, Any], str], str]]] = {
    "click": _click,
    "type": _type,
    "press_key": _press,
    "scroll": _scroll,
    "hover": lambda _, where: tr("Pointed at {where}").format(where=where),
    "wait": lambda p, _: tr("Waited {seconds:g} s").format(seconds=p["wait_duration_s"]),
    "drag": lambda _, where: tr("Dragged {where}").format(where=where),
    "launch": lambda p, _: tr("Started {app}").format(app=p["app"]),
    "extract_data": _extract,
    "finish_goal": lambda p, _: tr("Gave up") if p.get("status") == "failure" else tr("Finished the task"),
}
_DOUBTS: Final[Mapping[Doubt, str]] = {
    "no_element": tr("The pointer hit no element."),
    "stale_frame": tr("The picture before this step is old."),
    "changed_before_event": tr("The screen changed between the picture and the action."),
    "not_settled": tr("The screen was still changing when the next step began."),
    "no_before": tr("There is no picture of the screen before this step."),
    "no_after": tr("There is no picture of the screen after this step."),
    "unknown_text": tr("A key was pressed whose text is unknown."),
    "off_element": tr("The pointer was not on the element that the program says was under it."),
    "not_responding": tr("The program did not respond when this was done."),
    "fields_unknown": tr("Not all fields of the window could be asked for: look whether a secret can be seen."),
}
