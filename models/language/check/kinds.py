"""The words with which people call kinds of elements, and the types that each may mean."""

from __future__ import annotations

import re
from typing import Final

from demopack.domain.elements import Element, ElementType
from models.language.phrases import kind_word

Types = frozenset[ElementType]

_BUTTONS: Final[Types] = frozenset({
    "button", "icon", "image", "toggle", "menu", "tab", "scrollbar_up_button", "scrollbar_down_button",
    "scrollbar_left_button", "scrollbar_right_button", "dropdown", "shape",
})  # fmt: skip
_FIELDS: Final[Types] = frozenset({"input_field", "text_area", "spinner", "dropdown"})
_ENTRIES: Final[Types] = frozenset({
    "list_item", "tree_item", "menu_item", "menu", "tabled_text", "radio", "checkbox", "text", "hyperlink", "dropdown",
    "tab", "button", "draggable_text", "toggle", "icon", "image",
})  # fmt: skip
_BARS: Final[Types] = frozenset({
    "scrollbar", "scrollbar_thumb", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
    "scrollbar_right_button",
})  # fmt: skip
_LISTS: Final[Types] = frozenset({"dropdown", "input_field", "list_item"})
_BOXES: Final[Types] = _FIELDS | frozenset[ElementType](
    {"checkbox", "toggle", "other", "shape", "image", "button", "radio"}
)
_MARKS: Final[Types] = frozenset({"checkbox", "toggle"})
_ANY: Final[Types] = frozenset()

_KINDS: Final[dict[str, Types]] = {
    "radio button": frozenset({"radio"}), "radio option": frozenset({"radio"}), "radio": frozenset({"radio"}),
    "check box": _MARKS, "checkbox": _MARKS, "check-box": _MARKS, "tick box": _MARKS, "tickbox": _MARKS,
    "toggle": _MARKS, "switch": _MARKS,
    "drop-down list": _LISTS, "dropdown list": _LISTS, "drop-down menu": _LISTS, "dropdown menu": _LISTS,
    "drop-down": _LISTS, "dropdown": _LISTS, "combo box": _LISTS, "combobox": _LISTS, "select box": _LISTS,
    "input field": _FIELDS, "text field": _FIELDS, "text box": _FIELDS, "textbox": _FIELDS, "entry field": _FIELDS,
    "edit field": _FIELDS, "search field": _FIELDS, "search box": _FIELDS, "input box": _FIELDS, "input": _FIELDS,
    "text area": _FIELDS, "textarea": _FIELDS, "number field": _FIELDS, "spinner": _FIELDS, "spin box": _FIELDS,
    "field": _FIELDS, "scroll bar": _BARS, "scrollbar": _BARS, "slider": frozenset({"slider", "shape", "other"}),
    "menu item": _ENTRIES, "menu entry": _ENTRIES, "list entry": _ENTRIES, "list item": _ENTRIES,
    "tree entry": _ENTRIES, "entry": _ENTRIES, "item": _ENTRIES, "option": _ENTRIES, "choice": _ENTRIES,
    "table cell": _ENTRIES, "cell": _ENTRIES, "row": _ENTRIES,
    "menu": frozenset({"menu", "menu_item", "dropdown", "button", "list_item"}),
    "tab": frozenset({"tab"}), "link": frozenset({"hyperlink", "text", "tab", "menu_item"}),
    "hyperlink": frozenset({"hyperlink"}), "icon": frozenset({"icon", "button", "image", "shape"}),
    "image": frozenset({"image", "icon", "shape"}), "picture": frozenset({"image", "icon", "shape"}),
    "button": _BUTTONS, "box": _BOXES,
    "resize handle": frozenset({"resize_handle", "slider", "scrollbar_thumb"}),
    # Anything may be called so, but the words before them name something.
    "label": _ANY, "heading": _ANY, "text": _ANY, "title": _ANY, "message": _ANY, "banner": _ANY, "window": _ANY,
    "dialog": _ANY, "dialogue": _ANY, "form": _ANY, "page": _ANY, "section": _ANY, "panel": _ANY, "list": _ANY,
    "table": _ANY, "column": _ANY, "toolbar": _ANY, "bar": _ANY, "area": _ANY, "control": _ANY, "element": _ANY,
}  # fmt: skip

_UNKNOWN: Final[Types] = frozenset({"text", "other"})
KIND: Final = "|".join(
    re.escape(word).replace(r"\ ", r"\s+").replace(r"\-", "-") for word in sorted(_KINDS, key=len, reverse=True)
)
"""A regular expression of every kind word in the singular, longest first; to be used without regard to case."""


def types_of(kind: str) -> Types:
    """The types that a kind word may mean; empty when it may mean any."""
    return _KINDS.get(" ".join(kind.casefold().split()), _ANY)


def fits(element: Element, kind: str) -> bool:
    """Whether an element may be called by this kind word.

    What a program took for a mere text may be the words of anything: it was read, and no more is known of it.
    """
    types = types_of(kind)
    if types is _MARKS and "checked" in element.states and element.type not in {"radio", "tab"}:
        return True
    if not types or element.type in types or kind_word(element) == " ".join(kind.casefold().split()):
        return True
    return (
        element.type in _UNKNOWN and element.source not in {"human", "accessibility"} and element.review != "approved"
    )
