"""Finds the words that stand beside an element which has none: its label to the left, or above."""

from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.geometry import Rect
from demopack.pack.rows import ElementRow

__all__ = ["label_of"]

_WORDS = frozenset({"text", "tabled_text", "hyperlink", "draggable_text"})
_LEFT, _ABOVE = 12, 2
"""How far a label may be, in heights of the element or of its own line, whichever is less."""


def label_of(element: ElementRow, elements: Sequence[ElementRow]) -> str:
    """The text of the nearest label: beside the element on its own row, or right above it; empty for none."""
    box = Rect(*element.box)
    best: tuple[int, str] | None = None
    for other in elements:
        if other.type not in _WORDS or not other.text or other.uid == element.uid:
            continue
        distance = _distance(box, Rect(*other.box))
        if distance is not None and (best is None or distance < best[0]):
            best = (distance, " ".join(other.text.split()))
    return "" if best is None else best[1]


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
