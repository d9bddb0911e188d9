"""Drops the pictures before the words of a control: they belong to it and are no elements of their own.

The folder before a branch of a tree, the tick of a menu entry, the picture on a button: what is clicked is the row,
see ``docs/formats/screens.md``. Rows of lists are left alone: theirs are often something to click.
"""

from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect
from models.vision.found import Found

__all__ = ["without_decoration"]

_OWNERS: frozenset[ElementType] = frozenset({"button", "menu_item", "tab", "tree_item"})
_PICTURES: frozenset[ElementType] = frozenset({"icon", "checkbox", "radio"})
_BEFORE = 4
"""Pixels that a picture may reach into the box of the words behind it."""
_SMALLER = 1.5
"""A control is at least so many times as large as a picture in it."""


def without_decoration(found: Sequence[Found]) -> list[Found]:
    """The elements, without icons and marks that stand before or between the words of a control.

    Args:
        found: what was fused: controls have their text.
    """
    owners = [(one, words) for one in found if one.type in _OWNERS for words in [_words(one)] if words is not None]
    return [one for one in found if one.type not in _PICTURES or not _is_decoration(one, owners)]


def _words(one: Found) -> Rect | None:
    """Where the text of a control was read."""
    return next((said.box for said in one.evidence if said.source == "ocr" and said.text), None)


def _is_decoration(one: Found, owners: Sequence[tuple[Found, Rect]]) -> bool:
    for owner, words in owners:
        larger = owner.box.area > _SMALLER * one.box.area
        ticked = owner.type == "tree_item" and one.type != "icon"
        if larger and not ticked and owner.box.contains(one.box.center) and one.box.x1 < words.x2 - _BEFORE:
            return True
    return False
