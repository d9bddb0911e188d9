"""Sentences about what a step should do and what it did, told from the action and from the pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from demopack.domain.elements import Element, State
from demopack.domain.geometry import iou
from demopack.domain.ports import StepContext
from models.language.phrases import HOLDS_VALUE, name, place, quote

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
_ALWAYS: Final[dict[str, str]] = {
    "hover": "A hint or a menu should show.",
    "drag": "It should follow the pointer and stay where it is let go.",
    "launch": "Its window should open.",
    "wait": "The screen should come to rest.",
}
_MARKED: Final = {None: "Its mark should change.", True: "Its mark should go.", False: "It should be marked."}
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
    action = context.action
    match action.action_type:
        case "click":
            if action.click_type in _CLICKS or context.target is None:
                return _CLICKS.get(action.click_type, "")
            if context.target.type in {"checkbox", "toggle"}:
                return _MARKED[context.target.states.get("checked")]
            return _BY_TYPE.get(context.target.type, "")
        case "press_key":
            return _KEYS.get(action.key_info, ("", ""))[1]
        case "type":
            after = ", and Enter should take it over" if action.submit else ""
            return f"{quote(action.text_to_type)} should stand there{after}." if action.text_to_type.strip() else ""
        case "scroll":
            return f"What lies further {action.scroll_direction} should come into view."
        case other:
            return _ALWAYS.get(other, "")


def actual_effect(context: StepContext) -> str:
    """What the after-frame shows; empty when there is nothing to compare."""
    if context.changed is None:
        return ""
    if not context.changed:
        return "The screen did not change."
    size, first = context.size, context.changed[0]
    words = "The screen changed"
    if size is not None and sum(box.area for box in context.changed) / (size.width * size.height) > 0.4:
        words = "Most of the screen changed"
    elif size is not None:
        words = f"{words} {place(first, size)}{', and in other places' if len(context.changed) > 3 else ''}"
    new = _new_texts(context)
    if new:
        told = new[0] if len(new) == 1 else f"{', '.join(new[:-1])} and {new[-1]}"
        words += f"; {told} {'appeared' if len(new) > 1 or ',' in words else 'appeared there'}"
    return " ".join([f"{words}.", *_told_changes(context, known=new)])


def _new_texts(context: StepContext) -> list[str]:
    """Texts of the after-screen that the before-screen has not, inside what changed, the largest first."""
    old = Counter(_plain(e) for e in context.before)
    new: list[Element] = []
    for element in context.after or ():
        text = _plain(element)
        if not text or element.review == "rejected":
            continue
        if old[text] > 0:
            old[text] -= 1
        elif any(c.isalnum() for c in text) and _is_touched(element, context) and not _was_there(element, context):
            new.append(element)
    new.sort(key=lambda e: -e.box.height)
    return [quote(e.text or "") for e in new[:3]]


def _was_there(element: Element, context: StepContext) -> bool:
    """Whether a text is one that stood there before, read otherwise."""
    text = element.text or ""
    return any(
        other.text and iou(other.box, element.box) > 0.5 and _read_alike(other.text, text) for other in context.before
    )


def _is_touched(element: Element, context: StepContext) -> bool:
    return any(element.box.intersection(box) for box in context.changed or ())


_SAME: Final = 0.7
"""Share of the area that two boxes of one untracked element have in common."""
_ALIKE: Final = 0.75
"""Share of their letters that two readings of one text have in common."""
_MOST: Final = 2
_WORDS: Final[dict[tuple[State, bool], str]] = {
    ("checked", True): "is now checked",
    ("checked", False): "is no longer checked",
    ("expanded", True): "is now expanded",
    ("expanded", False): "is now collapsed",
    ("disabled", True): "is now disabled",
    ("disabled", False): "is now enabled",
    ("focused", True): "is now focused",
    ("highlighted", True): "is now highlighted",
}
"""What is worth telling; that something lost the focus is not."""


def _told_changes(context: StepContext, *, known: Sequence[str] = ()) -> list[str]:
    """One sentence for each element that is another one now, what was acted on first: at most two.

    Args:
        context: the step; empty without an after-screen and a difference.
        known: quoted texts that were told already.
    """
    # What was scrolled stands elsewhere now, and something like it may stand where it stood.
    if context.after is None or not context.changed or context.action.action_type == "scroll":
        return []
    target = context.target
    pairs = [(was, now) for was in context.before if (now := _same(was, context.after)) is not None]
    pairs.sort(key=lambda pair: target is None or pair[0].uid != target.uid)
    told = [_became(was, now, context.after, known) for was, now in pairs if _is_touched(now, context)]
    return [sentence for sentence in told if sentence][:_MOST]


def _same(was: Element, after: Sequence[Element]) -> Element | None:
    """The element on the screen after, told by its track, else by type and place."""
    if was.track_id is not None:
        tracked = [now for now in after if now.track_id == was.track_id][-1:]
        return next((now for now in tracked if now.type == was.type), None)
    same = [now for now in after if now.type == was.type and iou(now.box, was.box) >= _SAME]
    return same[0] if len(same) == 1 else None


def _became(was: Element, now: Element, after: Sequence[Element], known: Sequence[str]) -> str:
    called, value = name(now, after), quote(now.text or "")
    told: list[str] = []
    # A field that stands where it stood may hold the same value, read otherwise.
    filled = now.type in HOLDS_VALUE and _plain(was) and _plain(now) and iou(was.box, now.box) >= _SAME
    if filled and not _read_alike(_plain(was), _plain(now)) and value not in called and value not in known:
        told.append(f"now shows {value}")
    for (state, flag), words in _WORDS.items():
        if was.states.get(state) == (not flag) and now.states.get(state) == flag:
            told.append(words)
    return f"{called[0].upper()}{called[1:]} {' and '.join(told)}." if told else ""


def _read_alike(one: str, other: str) -> bool:
    """Whether two texts may be two readings of the same letters."""
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() >= _ALIKE


def _plain(element: Element) -> str:
    return " ".join((element.text or "").split())
