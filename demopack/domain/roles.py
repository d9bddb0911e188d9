"""Roles of accessibility interfaces, in AT-SPI's words, as types of elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement, Step

TYPES_OF_ROLES: Final[Mapping[str, ElementType]] = {
    "push button": "button", "button": "button", "toggle button": "button", "split button": "button",
    "push button menu": "button",
    "check box": "checkbox", "radio button": "radio", "switch": "toggle",
    "combo box": "dropdown", "entry": "input_field", "text": "input_field", "password text": "input_field",
    "editbar": "input_field", "date editor": "input_field", "terminal": "text_area",
    "spin button": "spinner", "slider": "slider", "dial": "slider", "scroll bar": "scrollbar",
    "progress bar": "other", "level bar": "other",
    "label": "text", "static": "text", "heading": "text", "caption": "text", "paragraph": "text", "link": "hyperlink",
    "column header": "tabled_text", "table column header": "tabled_text", "row header": "tabled_text",
    "table row header": "tabled_text",
    "menu": "menu", "menu item": "menu_item", "check menu item": "menu_item", "radio menu item": "menu_item",
    "page tab": "tab", "list item": "list_item", "tree item": "tree_item", "table cell": "tabled_text",
    "icon": "icon", "image": "image", "tool bar": "toolbar", "dialog": "dialog", "alert": "dialog",
    "file chooser": "dialog", "color chooser": "dialog", "font chooser": "dialog",
}  # fmt: skip
"""Roles that say what a person sees; panels, fillers and frames do not."""
_FOR_KEYS: Final = frozenset({"type", "press_key"})


def reported_target(step: Step) -> Element | None:
    """What a step acted on, as far as its program told; it lies on no frame, and is for words alone.

    Of a field that is its label. None where nothing was told, or nothing that a person would name.
    """
    told, kind = _told(step)
    if told is None or kind is None or not _has_name(told, kind):
        return None
    return Element(
        uid="", frame="", type=kind, box=told.box or Rect(0, 0, 0, 0), text=told.name, source="accessibility"
    )


def reported_field(step: Step) -> Element | None:
    """The field without a name that a step acted on, on the picture before it; None where it was none."""
    told, kind = _told(step)
    if told is None or told.box is None or kind != "input_field" or told.name.strip() or step.before is None:
        return None
    box = step.before.space.to_pixels(told.box)
    return Element(uid="told", frame=step.before.id, type=kind, box=box, source="accessibility")


def _told(step: Step) -> tuple[AccessibleElement | None, ElementType | None]:
    """What a program told of what a step acted on, and its type."""
    told = step.focused if step.action.action_type in _FOR_KEYS else step.pointed
    return told, None if told is None else TYPES_OF_ROLES.get(told.role)


def _has_name(told: AccessibleElement, kind: ElementType) -> bool:
    return bool(told.name.strip()) and (kind != "text" or len(told.name) <= _MOST_LETTERS)


_MOST_LETTERS: Final = 80
"""A longer label is a text, not a name."""
