"""What a step should do and what it did, told from the action and from the pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size, iou
from demopack.domain.ports import StepContext
from models.language.became import read_alike, told_changes
from models.language.grounding import quote
from models.language.places import place

__all__ = ["actual_effect", "expected_effect", "key_meaning"]

_BY_TYPE: Final[dict[str, str]] = {
    "input_field": "The field should get the focus.",
    "text_area": "The text area should get the focus.",
    "spinner": "Its value should change or get the focus.",
    "dropdown": "Its list of choices should open.",
    "radio": "This choice should be marked.",
    "menu": "The menu should open.",
    "tab": "Its page should come to the front.",
    "list_item": "The entry should be selected.",
    "tree_item": "The entry should be selected.",
    "hyperlink": "The page behind the link should open.",
}
_CLICKS: Final[dict[str, str]] = {
    "double": "It should open, or the word under the pointer should be selected.",
    "triple": "The whole line should be selected.",
    "right": "A context menu should open.",
    "middle": "It should open apart from this view, or be closed.",
}
_KEYS: Final[dict[str, tuple[str, str]]] = {
    "Enter": ("to confirm", "What was entered should be taken over."),
    "Tab": ("to go on to the next field", "The focus should move to the next field."),
    "Shift+Tab": ("to go back to the previous field", "The focus should move to the previous field."),
    "Escape": ("to leave this without taking anything over", "What is open should close."),
    "Backspace": ("to remove what stands before the cursor", "The text before the cursor should be gone."),
    "Delete": ("to remove what is selected", "What is selected should be gone."),
    "Ctrl+A": ("to select everything", "Everything should be selected."),
    "Ctrl+C": ("to copy what is selected", "The selection should be on the clipboard; the screen stays as it is."),
    "Ctrl+X": ("to cut what is selected", "The selection should be gone from here and on the clipboard."),
    "Ctrl+V": ("to paste what was copied", "The copied content should appear."),
    "Ctrl+Z": ("to take the last change back", "The last change should be undone."),
    "Ctrl+S": ("to save", "The work should be saved."),
    "Ctrl+F": ("to search here", "A search field should open."),
    "PageDown": ("to see what comes below", "The view should move down by a page."),
    "PageUp": ("to see what is above", "The view should move up by a page."),
    "Home": ("to go to the beginning", "The cursor or the view should be at the beginning."),
    "End": ("to go to the end", "The cursor or the view should be at the end."),
    "ArrowDown": ("to go one further down", "The next one below should be selected."),
    "ArrowUp": ("to go one further up", "The next one above should be selected."),
    "ArrowLeft": ("to go one to the left", "The cursor or the selection should move to the left."),
    "ArrowRight": ("to go one to the right", "The cursor or the selection should move to the right."),
    "Space": ("to switch what has the focus", "What has the focus should be switched or pressed."),
}


def key_meaning(key: str) -> str:
    """What a key is pressed for, as ``to ...``; empty when it depends on the program."""
    return _KEYS.get(key, ("", ""))[0]


def expected_effect(context: StepContext) -> str:
    """What the step should do; never what it did."""
    parameters = context.action.parameters
    kind = context.action.action_type
    if kind == "click":
        return _CLICKS.get(parameters.get("click_type", "single")) or _of_click(context.target)
    if kind == "press_key":
        return _KEYS.get(parameters["key_info"], ("", ""))[1]
    return _of(kind, parameters)


def _of_click(target: Element | None) -> str:
    if target is None:
        return ""
    if target.type in {"checkbox", "toggle"}:
        checked = target.states.get("checked")
        return {None: "Its mark should change.", True: "Its mark should go.", False: "It should be marked."}[checked]
    return _BY_TYPE.get(target.type, "")


def _of(kind: str, parameters: dict[str, Any]) -> str:
    if kind == "type":
        after = ", and Enter should take it over" if parameters.get("submit") else ""
        text = parameters["text_to_type"]
        return f"{quote(text)} should stand there{after}." if text.strip() else ""
    if kind == "scroll":
        return f"What lies further {parameters['scroll_direction']} should come into view."
    return {
        "hover": "A hint or a menu should show.",
        "drag": "It should follow the pointer and stay where it is let go.",
        "launch": "Its window should open.",
        "wait": "The screen should come to rest.",
    }.get(kind, "")


def actual_effect(context: StepContext) -> str:
    """What the after-frame shows; empty when there is nothing to compare."""
    if context.changed is None:
        return ""
    if not context.changed:
        return "The screen did not change."
    words = _extent(context.changed, context.size)
    new = _new_texts(context)
    if new:
        verb = "appeared" if len(new) > 1 or "," in words else "appeared there"
        words += f"; {_list(new)} {verb}"
    return " ".join([f"{words}.", *told_changes(context, known=new)])


def _extent(changed: Sequence[Rect], size: Size | None) -> str:
    if size is None:
        return "The screen changed"
    share = sum(box.area for box in changed) / (size.width * size.height)
    if share > 0.4:
        return "Most of the screen changed"
    where = place(changed[0], size)
    return f"The screen changed {where}" + (", and in other places" if len(changed) > 3 else "")


def _new_texts(context: StepContext) -> list[str]:
    """Texts of the after-screen that the before-screen has not, inside what changed, the largest first."""
    if context.after is None:
        return []
    old = Counter(" ".join((e.text or "").split()) for e in context.before)
    new: list[Element] = []
    for element in context.after:
        text = " ".join((element.text or "").split())
        if not text or element.review == "rejected":
            continue
        if old[text] > 0:
            old[text] -= 1
        elif any(c.isalnum() for c in text) and _is_new(element, context):
            new.append(element)
    new.sort(key=lambda e: -e.box.height)
    return [quote(e.text or "") for e in new[:3]]


def _is_new(element: Element, context: StepContext) -> bool:
    """Whether a text stands where the screen changed, and is not one that stood there before, read otherwise."""
    if not any(element.box.intersection(box) for box in context.changed or ()):
        return False
    text = element.text or ""
    return not any(
        other.text and iou(other.box, element.box) > 0.5 and read_alike(other.text, text) for other in context.before
    )


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
