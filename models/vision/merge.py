"""Joins what was read with what was detected into one list of proposals without doubles.

Text inside a widget that owns its text (a button, a field) becomes that widget's text and is no element of its own, so
that a click on the words of a button binds to the button. Text inside anything else (a pane, a box of unknown type)
stays an element. A box to tick takes the text of its label, which stays an element, too: a click on it is another.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from demopack.domain.elements import ElementType
from demopack.domain.geometry import Rect, iou
from models.vision.found import Found

__all__ = ["OWNS_TEXT", "merge", "unite_overlapping"]

OWNS_TEXT: frozenset[ElementType] = frozenset({
    "button", "hyperlink", "tab", "menu", "menu_item", "list_item", "tree_item", "dropdown", "input_field", "spinner",
    "tabled_text", "draggable_text", "text",
})  # fmt: skip
"""Types whose text lies inside their box."""
_INSIDE = 0.75
"""Share of a line that must lie in a widget to be its text."""


def merge(lines: Sequence[Found], detections: Sequence[Found], *, double_iou: float = 0.7) -> list[Found]:
    """Every detection with the text inside it, and every line that belongs to none.

    Args:
        lines: text that was read.
        detections: widgets; their own text, if any, is kept where nothing was read inside.
        double_iou: of two detections that overlap more, the surer stays; a type says more than ``other``.
    """
    kept = _without_doubles(detections, double_iou)
    owned: dict[int, list[Found]] = {}
    free: list[Found] = []
    for line in lines:
        owner = _owner(line, kept)
        if owner is None:
            free.append(line)
        else:
            owned.setdefault(owner, []).append(line)
    result = [_with_text(found, owned.get(i, [])) for i, found in enumerate(kept)]
    return result + free


def unite_overlapping(detections: Sequence[Found], *, merge_iou: float) -> list[Found]:
    """Detections of one type that overlap more than ``merge_iou`` joined into the box around them (CAAP's rule)."""
    united: list[Found] = []
    for found in sorted(detections, key=lambda f: -f.confidence):
        for i, other in enumerate(united):
            if other.type == found.type and iou(other.box, found.box) > merge_iou:
                united[i] = dataclasses.replace(other, box=other.box.union(found.box))
                break
        else:
            united.append(found)
    return united


def _without_doubles(detections: Sequence[Found], double_iou: float) -> list[Found]:
    kept: list[Found] = []
    for found in sorted(detections, key=lambda f: (f.type == "other", -f.confidence, f.box.y1, f.box.x1)):
        if all(iou(found.box, other.box) <= double_iou for other in kept):
            kept.append(found)
    return kept


def _owner(line: Found, widgets: Sequence[Found]) -> int | None:
    """The smallest widget around a line, if it is one that owns its text."""
    around = [i for i, widget in enumerate(widgets) if _mostly_in(line.box, widget.box)]
    if not around:
        return None
    smallest = min(around, key=lambda i: widgets[i].box.area)
    return smallest if widgets[smallest].type in OWNS_TEXT else None


def _mostly_in(inner: Rect, outer: Rect) -> bool:
    common = inner.intersection(outer)
    return common is not None and common.area >= _INSIDE * inner.area


def _with_text(found: Found, lines: Sequence[Found]) -> Found:
    if not lines:
        return found
    ordered = sorted(lines, key=lambda line: (round(line.box.center.y / max(1, line.box.height)), line.box.x1))
    return dataclasses.replace(found, text=" ".join(line.text or "" for line in ordered))
