"""Types, states and actions as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.words import tr
from demopack.domain.steps import Step

__all__ = ["beside_step", "moments_of", "type_word"]

_WORDS: Final[Mapping[str, str]] = {
    "text": tr("text"),
    "hyperlink": tr("hyperlink"),
    "tabled_text": tr("tabled text"),
    "draggable_text": tr("draggable text"),
    "button": tr("button"),
    "radio": tr("radio"),
    "checkbox": tr("checkbox"),
    "toggle": tr("toggle"),
    "dropdown": tr("dropdown"),
    "input_field": tr("input field"),
    "text_area": tr("text area"),
    "spinner": tr("spinner"),
    "slider": tr("slider"),
    "resize_handle": tr("resize handle"),
    "scrollbar": tr("scrollbar"),
    "scrollbar_up_button": tr("scrollbar up button"),
    "scrollbar_down_button": tr("scrollbar down button"),
    "scrollbar_left_button": tr("scrollbar left button"),
    "scrollbar_right_button": tr("scrollbar right button"),
    "scrollbar_thumb": tr("scrollbar thumb"),
    "shape": tr("shape"),
    "icon": tr("icon"),
    "image": tr("image"),
    "menu": tr("menu"),
    "menu_item": tr("menu item"),
    "tab": tr("tab"),
    "list_item": tr("list item"),
    "tree_item": tr("tree item"),
    "window": tr("window"),
    "dialog": tr("dialog"),
    "toolbar": tr("toolbar"),
    "other": tr("other"),
    "checked": tr("checked"),
    "focused": tr("focused"),
    "highlighted": tr("highlighted"),
    "disabled": tr("disabled"),
    "expanded": tr("expanded"),
    "detector": tr("detector"),
    "describer": tr("describer"),
    "icons": tr("network for icons"),
    "single": tr("single"),
    "double": tr("double"),
    "triple": tr("triple"),
    "right": tr("right"),
    "middle": tr("middle"),
    "left": tr("left"),
    "up": tr("up"),
    "down": tr("down"),
    "success": tr("finished"),
    "failure": tr("failed"),
    "click": tr("click"),
    "type": tr("type"),
    "press_key": tr("press key"),
    "scroll": tr("scroll"),
    "hover": tr("hover"),
    "wait": tr("wait"),
    "drag": tr("drag"),
    "launch": tr("launch"),
    "extract_data": tr("extract data"),
    "finish_goal": tr("finish goal"),
}


def type_word(kind: str) -> str:
    """A type, state, action or choice in the user's language; anything else as it is, with blanks."""
    return _WORDS.get(kind) or kind.replace("_", " ")


def beside_step(side: str, step: int | str) -> str:
    """Where a picture stands: before or after a step."""
    return (tr("before step {step}") if side == "before" else tr("after step {step}")).format(step=step)


def moments_of(steps: Sequence[Step], frame_id: str) -> str:
    """Which moments a frame shows, for instance ``after step 3 and before step 4``; empty for none."""
    found: list[str] = []
    for number, step in enumerate(steps, start=1):
        for side, frame in (("before", step.before), ("after", step.after)):
            if frame is not None and frame.id == frame_id:
                found.append(beside_step(side, number))
    return tr(" and ").join(found)
