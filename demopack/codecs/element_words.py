"""Elements in words, for vocabularies that name targets by description, and the labels beside them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from demopack.domain.elements import NumberedElement
from demopack.domain.geometry import Point, Rect


def element_words(element: NumberedElement | None, text: str, at: Point | None, *, label: str = "") -> str:
    """An element in words, for vocabularies that name targets by description: ``the button "Save"``.

    Args:
        element: None where none is known.
        text: what the target says, where no element is known.
        at: where the pointer was.
        label: words beside an element that has none of its own.
    """
    if element is not None:
        kind = "element" if element.type == "other" else element.type.replace("_", " ")
        if element.text:
            return f'the {kind} "{" ".join(element.text.split())}"'
        named = f"the {element.subtype} {kind}" if element.subtype else f"the {kind}"
        return f'{named} beside "{label}"' if label else named
    if text:
        return f'the element "{" ".join(text.split())}"'
    return "the focused element" if at is None else f"the place at x={at.x}, y={at.y}"


_WORDS = frozenset({"text", "tabled_text", "hyperlink", "draggable_text"})
_LEFT, _ABOVE = 12, 2
"""How far a label may be, in heights of the element or of its own line, whichever is less."""


def label_of(element: NumberedElement | None, elements: Sequence[NumberedElement]) -> str:
    """The text of the nearest label of an element that has no text: beside it on its own row, or right above it."""
    if element is None or element.text:
        return ""
    labels = [other for other in elements if other.type in _WORDS and other.text and other.uid != element.uid]
    near = [(far, other.text or "") for other in labels if (far := _distance(element.box, other.box)) is not None]
    _, text = min(near, key=itemgetter(0), default=(0, ""))
    return " ".join(text.split())


def _distance(box: Rect, label: Rect) -> int | None:
    """Pixels from a label to what it may belong to; None where it cannot."""
    line = max(1, min(box.height, label.height))
    middle = label.y1 + label.height // 2
    if box.y1 <= middle < box.y2 and label.x2 <= box.x1 + line:
        gap = max(0, box.x1 - label.x2)
        return gap if gap <= _LEFT * line else None
    if label.x1 < box.x2 and box.x1 < label.x2 and label.y2 <= box.y1 + line // 2:
        gap = max(0, box.y1 - label.y2)
        return gap if gap <= _ABOVE * line else None
    return None
