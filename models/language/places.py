"""Says where something is on the screen, as a person would: ``in the upper left``, ``below “User name”``."""

from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, Size
from models.language.quoting import quote

__all__ = ["HOLDS_VALUE", "beside", "kind_word", "name", "place"]

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
_FAR = 220
_NEAR = 48


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
        near = [(gap, label) for label in labels if (gap := _gap(element.box, label.box, side)) is not None]
        if near:
            label = min(near, key=lambda pair: pair[0])[1]
            return f"{side} {quote(label.text or '')}"
    return ""


def _is_label(label: Element, element: Element) -> bool:
    text = (label.text or "").strip()
    if label.type in HOLDS_VALUE:
        return False
    if label.review == "rejected" or not any(c.isalpha() for c in text) or len(text) > 40:
        return False
    return text != (element.text or "").strip() and not element.box.encloses(label.box)


def _gap(box: Rect, label: Rect, side: str) -> int | None:
    """Pixels from the label to the box on that side of it; None when the label lies elsewhere or too far."""
    if side == "below":
        shared = min(box.x2, label.x2) - max(box.x1, label.x1)
        gap, limit, enough = box.y1 - label.y2, _NEAR, shared * 3 > min(box.width, label.width)
    else:
        shared = min(box.y2, label.y2) - max(box.y1, label.y1)
        gap = box.x1 - label.x2 if side == "right of" else label.x1 - box.x2
        limit, enough = _FAR, shared * 2 > min(box.height, label.height)
    return gap if enough and -4 <= gap <= limit else None
