"""Follows elements over the frames of a demo: which element on this frame is one that was seen before.

Three passes, the surest first, each an assignment of least total cost: the same thing in the same place; the same text
elsewhere; nearly the same box. Costs are always finite, so one new element cannot spoil the others, and an element
that was not seen for a while is matched like any other, because the caller passes the latest sighting of every track.
"""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect, iou
from models.vision.assignment import assign

__all__ = ["assign_tracks"]

_IMPOSSIBLE = 1e6
_SAME_PX = 2
_BY_PLACE: frozenset[ElementType] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "toggle", "scrollbar", "scrollbar_up_button",
    "scrollbar_down_button", "scrollbar_left_button", "scrollbar_right_button", "scrollbar_thumb", "resize_handle",
    "image", "icon", "shape", "window", "dialog", "toolbar", "other",
})  # fmt: skip
"""Types whose text may change while they stay the same thing; the others are what is written on them."""
_PREFIX: dict[ElementType, str] = {
    "button": "btn", "hyperlink": "link", "tabled_text": "cell", "draggable_text": "drag_text", "input_field": "input",
    "text_area": "area", "menu_item": "menuitem", "list_item": "item", "tree_item": "tree", "other": "element",
}  # fmt: skip

_Cost = Callable[[Element, Element], float]


def assign_tracks(known: Sequence[Element], found: Sequence[Element]) -> list[Element]:
    """The found elements, each with a track id.

    Args:
        known: the latest sighting of every track of the demo so far, each with its ``track_id``.
        found: the elements of one frame; those that have a track id keep it.

    Returns:
        ``found`` in its order. An element that matches no track gets a new id, unique among all that are given.
    """
    taken = {element.track_id for element in found if element.track_id is not None}
    old = [element for element in known if element.track_id is not None and element.track_id not in taken]
    track: dict[int, str] = {}
    for cost in (_same_place, _same_text, _similar_box):
        gone = set(track.values())
        free_old = [element for element in old if element.track_id not in gone]
        free_new = [i for i, element in enumerate(found) if element.track_id is None and i not in track]
        for i, match in _assign(free_old, [found[i] for i in free_new], cost):
            track[free_new[i]] = match.track_id or ""
    used = {element.track_id for element in known if element.track_id is not None} | taken
    result: list[Element] = []
    for i, element in enumerate(found):
        if element.track_id is not None:
            result.append(element)
            continue
        key = track.get(i) or _new_track(element, used)
        used.add(key)
        result.append(element.model_copy(update={"track_id": key}))
    return result


def _assign(old: Sequence[Element], new: Sequence[Element], cost: _Cost) -> list[tuple[int, Element]]:
    """Pairs (position in ``new``, element of ``old``) of least total cost, the possible ones only."""
    pairs: list[tuple[int, Element]] = []
    for kind in {element.type for element in new}:
        rows = [i for i, element in enumerate(new) if element.type == kind]
        columns = [element for element in old if element.type == kind]
        if not columns:
            continue
        costs = np.array([[cost(new[i], other) for other in columns] for i in rows])
        if costs.min() >= _IMPOSSIBLE:
            continue
        pairs += [(rows[r], columns[c]) for r, c in assign(costs) if costs[r, c] < _IMPOSSIBLE]
    return pairs


def _same_place(new: Element, old: Element) -> float:
    if _key(new.text) != _key(old.text):
        return _IMPOSSIBLE
    return _place_cost(new.box, old.box)


def _place_cost(a: Rect, b: Rect) -> float:
    shift = max(abs(a.x1 - b.x1), abs(a.y1 - b.y1), abs(a.x2 - b.x2), abs(a.y2 - b.y2))
    overlap = iou(a, b)
    return 1 - overlap if shift <= _SAME_PX or overlap >= 0.8 else _IMPOSSIBLE


def _same_text(new: Element, old: Element) -> float:
    key = _key(new.text)
    if not key or key != _key(old.text):
        return _IMPOSSIBLE
    return _distance(new.box, old.box)


def _similar_box(new: Element, old: Element) -> float:
    a, b = new.box, old.box
    overlap = iou(a, b)
    near = _distance(a, b) <= max(a.width, a.height) / 2 and _size_difference(a, b) <= 0.3
    if overlap < 0.5 and not near:
        return _IMPOSSIBLE
    likeness = difflib.SequenceMatcher(None, _key(new.text), _key(old.text)).ratio()
    if new.type not in _BY_PLACE and likeness < 0.6:
        return _IMPOSSIBLE
    return (1 - overlap) + (1 - likeness)


def _distance(a: Rect, b: Rect) -> float:
    """Between the middles, in pixels."""
    return math.hypot(a.x1 + a.x2 - b.x1 - b.x2, a.y1 + a.y2 - b.y1 - b.y2) / 2


def _size_difference(a: Rect, b: Rect) -> float:
    """The larger relative difference of width and height, 0..1."""
    return max(abs(a.width - b.width) / max(1, a.width, b.width), abs(a.height - b.height) / max(1, a.height, b.height))


@lru_cache(maxsize=65_536)
def _key(text: str | None) -> str:
    """Text as it is compared: OCR wavers in spaces, case and dots."""
    if not text:
        return ""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if c.isalnum())
    return plain or text.strip()


def _new_track(element: Element, used: set[str]) -> str:
    """A readable id that is not used yet, for instance ``btn_login_0``."""
    words = unicodedata.normalize("NFKD", (element.text or element.subtype or "").casefold())
    kept = "".join(c if c.isalnum() else " " for c in words if not unicodedata.combining(c)).split()
    slug = "_".join(kept)[:24].strip("_")
    stem = "_".join(part for part in (_PREFIX.get(element.type, element.type), slug) if part)
    number = 0
    while f"{stem}_{number}" in used:
        number += 1
    return f"{stem}_{number}"
