"""Phrases about elements, places, reasons and plans, as a person would say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from demopack.domain.actions import NEEDS_TARGET, Action, ActionTarget
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, Size, from_norm_xywh
from demopack.domain.ports import StepBrief, StepContext
from demopack.domain.words import SHOT_WORDS, shorten

_MARKS = str.maketrans({"“": "'", "”": "'"})


def quote(text: str, *, limit: int = 40) -> str:
    """Text in the quotes that this room uses for names, and for nothing else; on one line, shortened."""
    return f"“{plain(text, limit=limit)}”"


def plain(text: str, *, limit: int) -> str:
    """Text as it stands between the quotes: on one line, its own quotes replaced, shortened."""
    return shorten(text.translate(_MARKS), limit)


_PLACES = (
    ("in the upper left", "at the top", "in the upper right"),
    ("on the left", "in the middle of the screen", "on the right"),
    ("in the lower left", "at the bottom", "in the lower right"),
)
_KINDS: dict[ElementType, str] = {
    "input_field": "input field", "text_area": "text area", "checkbox": "check box", "radio": "radio button",
    "dropdown": "drop-down list", "hyperlink": "link", "list_item": "list entry", "tree_item": "tree entry",
    "menu_item": "menu item", "tabled_text": "table cell", "scrollbar_up_button": "scroll bar's up button",
    "scrollbar_down_button": "scroll bar's down button", "scrollbar_left_button": "scroll bar's left button",
    "scrollbar_right_button": "scroll bar's right button", "scrollbar_thumb": "scroll bar's handle",
    "scrollbar": "scroll bar", "resize_handle": "resize handle", "draggable_text": "text", "other": "box",
    "spinner": "number field",
}  # fmt: skip
_LABEL_RIGHT: frozenset[ElementType] = frozenset({"checkbox", "radio", "toggle"})
HOLDS_VALUE: frozenset[ElementType] = frozenset({"input_field", "text_area", "spinner", "dropdown"})
"""Types whose text is what was put into them; a person calls them by the label beside them."""
_REACH: Final = {"right of": (220, 2), "left of": (220, 2), "below": (48, 3)}
"""For each side of a label: pixels away at most, and of which part of the smaller side they share more."""


def box_of(target: ActionTarget | None, size: Size | None) -> Rect | None:
    """Where an action is aimed at, in pixels; None where that or the frame's size is unknown."""
    return None if target is None or target.bbox is None or size is None else from_norm_xywh(target.bbox, size)


def place(box: Rect, size: Size | None) -> str:
    """Where a box lies on a grid of three by three; empty when the frame's size is unknown."""
    if size is None:
        return ""
    column = min(2, max(0, (box.x1 + box.x2) * 3 // (2 * size.width)))
    row = min(2, max(0, (box.y1 + box.y2) * 3 // (2 * size.height)))
    return _PLACES[row][column]


def kind_word(element: Element) -> str:
    """The type in words, for instance ``check box``."""
    return _KINDS.get(element.type, element.type.replace("_", " "))


def name(element: Element, elements: Sequence[Element]) -> str:
    """How a person would call an element: ``the button “OK”``, ``“Inbox”``, ``the input field right of “Name”``."""
    kind = kind_word(element)
    if element.type in HOLDS_VALUE:
        where = beside(element, elements)
        if where:
            return f"the {kind} {where}"
    if (element.text or "").strip():
        quoted = quote(element.text or "")
        return quoted if element.type == "text" else f"the {kind} {quoted}"
    if element.subtype:
        kind = f"{element.subtype} {kind}"
    where = beside(element, elements)
    return f"the {kind} {where}" if where else f"the {kind}"


def beside(element: Element, elements: Sequence[Element]) -> str:
    """The nearest label as a landmark, for instance ``right of “Name”``; empty when none is near."""
    labels = [e for e in elements if e.uid != element.uid and _is_label(e, element)]
    sides = ("left of", "right of", "below") if element.type in _LABEL_RIGHT else ("right of", "below", "left of")
    for side in sides:
        most, part = _REACH[side]
        gaps = [(gap_to(element.box, label.box, side, part=part), label) for label in labels]
        near = [(gap, label) for gap, label in gaps if gap is not None and -4 <= gap <= most]
        if near:
            label = min(near, key=lambda pair: pair[0])[1]
            return f"{side} {quote(label.text or '')}"
    return ""


def _is_label(label: Element, element: Element) -> bool:
    text = (label.text or "").strip()
    if label.type in HOLDS_VALUE or label.review == "rejected" or not any(map(str.isalpha, text)) or len(text) > 40:
        return False
    return text != (element.text or "").strip() and not element.box.encloses(label.box)


def gap_to(box: Rect, label: Rect, side: str, *, part: int = 2) -> int | None:
    """Pixels from a label to the box on that side of it; None when they do not stand in one row or column.

    Args:
        box: of the element.
        label: of the label.
        side: ``right of`` the label, ``left of`` it or ``below`` it.
        part: they must share more than one such part of the smaller one's width or height.
    """
    if side == "below":
        shared, least = min(box.x2, label.x2) - max(box.x1, label.x1), min(box.width, label.width)
        gap = box.y1 - label.y2
    else:
        shared, least = min(box.y2, label.y2) - max(box.y1, label.y1), min(box.height, label.height)
        gap = box.x1 - label.x2 if side == "right of" else label.x1 - box.x2
    return gap if shared * part > least else None


_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_EMPTY: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "by", "do", "for", "from", "go", "i", "in", "into", "is", "it",
    "its", "me", "my", "of", "off", "on", "onto", "or", "our", "please", "so", "that", "the", "then", "there",
    "this", "to", "up", "us", "use", "using", "was", "we", "with", "you", "your", "click", "press", "open",
    "select", "choose", "enter", "type", "find",
})  # fmt: skip
_CONFIRM: Final = frozenset({
    "ok", "submit", "save", "apply", "send", "done", "finish", "yes", "confirm", "login", "log in", "sign in", "search",
    "next", "continue", "save changes", "create", "add", "go", "accept", "start", "run", "export", "import", "print",
})  # fmt: skip
_DISMISS: Final = frozenset({"cancel", "close", "x", "no", "not now", "skip", "dismiss", "later", "back"})


def named_in_task(text: str | None, task: str) -> str | None:
    """The element's text as it stands in the task, whole words only; None when it does not.

    Very short or wordless texts (``3``, ``x``) count only when the task has them as words of their own.
    """
    words = _WORD.findall((text or "").casefold())
    if not words or all(word in _EMPTY for word in words):
        return None
    found = re.search(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, words)) + r"(?![^\W_])", task, re.IGNORECASE)
    return found.group(0) if found else None


def common_words(text: str | None, task: str) -> list[str]:
    """Words of the task that the element's text has, too, without the ones that say nothing; as in the task."""
    words = {word for word in _WORD.findall((text or "").casefold()) if word not in _EMPTY and len(word) > 2}
    seen: dict[str, str] = {}
    for word in _WORD.findall(task):
        if word.casefold() in words:
            seen.setdefault(word.casefold(), word)
    return list(seen.values())


def purpose(element: Element, task: str) -> str:
    """Why this element, as a clause without a full stop; empty when nothing but the order of steps tells."""
    named = named_in_task(element.text, task)
    if named is not None:
        same = " ".join(named.casefold().split()) == " ".join((element.text or "").casefold().split())
        return "the task asks for it by name" if same else f"the task names {quote(named)}"
    shared = common_words(element.text, task)
    if shared:
        return f"it is about {' and '.join(quote(word) for word in shared[:2])}, which the task asks for"
    label = " ".join((element.text or "").casefold().split()).strip(".!… ")
    if label in _CONFIRM:
        return "it confirms what has been set up so far"
    if label in _DISMISS:
        return "it leaves this view without doing more here"
    return _BY_TYPE.get(element.type, "")


_BY_TYPE: Final[dict[str, str]] = {
    "input_field": "it has to have the focus before anything can be typed into it",
    "text_area": "it has to have the focus before anything can be typed into it",
    "spinner": "its value has to be set",
    "dropdown": "its choices have to be shown before one can be picked",
    "checkbox": "this option has to be switched",
    "radio": "this choice has to be made",
    "toggle": "this option has to be switched",
    "menu": "the command that is needed has to be looked for in it",
    "tab": "what is needed lies on another page",
    "scrollbar": "the part that is needed is out of view",
}


OF_A_MISTAKE: Final = re.compile(
    r"\b(?:mistake\w*|mistook|wrong\w*|by\s+accident|accidental\w*|unneeded|needless\w*|instead\s+of)\b", re.IGNORECASE
)
"""A sentence with such a word speaks of the wrong step, where it stands in the reason of the step after it."""
_VERBS: Final[dict[str, tuple[str, str]]] = {
    "type": ("Type", "typed"), "press_key": ("Press", "pressed"), "scroll": ("Scroll", "scrolled"),
    "hover": ("Point at", "pointed at"), "drag": ("Drag", "dragged"), "launch": ("Start", "started"),
    "wait": ("Wait until the screen comes to rest", "waited"), "extract_data": ("Note down", "noted down"),
    "finish_goal": ("", "stopped"),
}  # fmt: skip
"""The imperative and the past tense of each action but a click."""
CLICK_VERBS: Final = {
    "single": "click", "double": "double-click", "triple": "triple-click", "right": "right-click",
    "middle": "middle-click",
}  # fmt: skip
_SETS_NOTHING_RIGHT: Final = frozenset({"wait", "finish_goal"})


def recovering(context: StepContext) -> str:
    """One sentence that says what went wrong and that it is set right; empty where the step before was no lesson.

    It knows the screen before this step alone: what went wrong could be seen on it.
    """
    mistake = context.mistake
    if mistake is None:
        return ""
    action = mistake.action
    if action.action_type == "click":
        did = f"{CLICK_VERBS[action.click_type]}ed"
    else:
        did = f"{_VERBS[action.action_type][1]} {said_of(action)}".rstrip()
    if action.action_type in NEEDS_TARGET:
        # By its own text alone: what kind of thing it was, the screen of this step may not tell any more.
        texts = (mistake.target and mistake.target.text, action.target and action.target.text)
        text = next((text for text in texts if text and text.strip()), "")
        did = f"{did} {quote(text) if text else 'something else'}"
    then = "" if context.action.action_type in _SETS_NOTHING_RIGHT else ", and I set that right now"
    return f"In the last step I {did} by mistake{then}."


def said_of(action: Action) -> str:
    """What is typed, pressed, started or noted down, or the way that is scrolled; empty for other actions."""
    match action.action_type:
        case "type":
            return quote(action.text_to_type) if action.text_to_type.strip() else "a space"
        case "press_key":
            return action.key_info
        case "scroll":
            return action.scroll_direction
        case "launch":
            return quote(action.app)
        case "extract_data":
            return quote(action.description)
        case _:
            return ""


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
    texts += [target.text for target in (mistake.action.target, mistake.action.end) if target is not None]
    texts += [value for value in mistake.action.parameters.values() if isinstance(value, str)]
    return [text for text in texts if text is not None and text.strip()]


def plan_of(coming: Sequence[StepBrief]) -> tuple[str, ...]:
    """One imperative for each coming step, for instance ``Click the button “OK”.``; ends and shots are left out."""
    return tuple(f"{imperative}." for brief in coming if (imperative := _imperative(brief)))


def _imperative(brief: StepBrief) -> str:
    action = brief.action
    called, end = (
        "" if element is None else name(element, brief.before) for element in (brief.target, brief.end_target)
    )
    verb = (
        CLICK_VERBS[action.click_type].capitalize() if action.action_type == "click" else _VERBS[action.action_type][0]
    )
    match action.action_type:
        case "click" | "hover":
            return f"{verb} {called or 'the right spot'}"
        case "type":
            return f"{verb} {said_of(action)}{f' into {called}' if called else ''}"
        case "drag":
            uids = {element.uid for element in (brief.target, brief.end_target) if element is not None}
            within = not end or (brief.target is not None and len(uids) == 1)
            return f"{verb} {called or 'what is there'}{'' if within else f' onto {end}'}"
        case "extract_data" if action.description == SHOT_WORDS:
            return ""
        case _:
            return f"{verb} {said_of(action)}".rstrip()
