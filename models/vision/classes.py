"""The classes of our detectors: one for each element type that a picture shows.

Parts of scroll bars are no classes: they are found inside the scroll bar, by its pixels. The order is the order of the
outputs of every model of ours, so a new class is added at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from demopack.domain.elements import ELEMENT_TYPES, ElementType

__all__ = ["AGNOSTIC", "CLASSES", "CLASS_OF", "type_of"]

CLASSES: Final[tuple[ElementType, ...]] = (
    "text", "hyperlink", "tabled_text", "draggable_text",
    "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider",
    "resize_handle", "scrollbar", "shape", "icon", "image",
    "menu", "menu_item", "tab", "list_item", "tree_item", "window", "dialog", "toolbar",
)  # fmt: skip
CLASS_OF: Final[Mapping[ElementType, int]] = {name: number for number, name in enumerate(CLASSES)}

AGNOSTIC: Final = ("element",)
"""The classes of a model that finds boxes without saying what they are; its finds are ``other``."""


def type_of(name: str) -> ElementType:
    """The element type that a class of a model means; ``other`` for a word outside the vocabulary."""
    word = name.strip().lower().replace(" ", "_").replace("-", "_")
    for known in ELEMENT_TYPES:
        if known == word:
            return known
    return "other"
