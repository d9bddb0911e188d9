"""The point of an element at which to click: free of everything that lies over it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Point, Rect, subtract

_CONTROLS: Final[frozenset[ElementType]] = frozenset({
    "hyperlink", "button", "radio", "checkbox", "toggle", "dropdown", "input_field", "text_area", "spinner", "slider",
    "resize_handle", "scrollbar", "scrollbar_up_button", "scrollbar_down_button", "scrollbar_left_button",
    "scrollbar_right_button", "scrollbar_thumb", "menu", "menu_item", "tab", "dialog", "draggable_text", "icon",
})  # fmt: skip
"""Types that take a click themselves, so that one on them is none on what lies beneath."""
_SAME: Final = 0.9
"""Share of a box from which another one on it stands for the same thing."""


def covers_of(target: Element, elements: Iterable[Element]) -> list[Rect]:
    """The boxes of controls that lie on an element and would get a click in its stead."""
    found: list[Rect] = []
    for one in elements:
        common = one.box.intersection(target.box)
        if one.uid == target.uid or one.type not in _CONTROLS or common is None or one.review == "rejected":
            continue
        holds_target = common.area >= _SAME * target.box.area
        if not holds_target and one.box.area < target.box.area:
            found.append(common)
    return found


def wanted_point(element: Element) -> Point:
    """Where an element is clicked when nothing else is known: its mark where it has one, else its middle.

    The box of a check box or radio button may reach far beyond its label, where programs take no click. Its mark is at
    the beginning of the line.
    """
    box = element.box
    if element.mark_box is not None:
        return element.mark_box.center
    if element.type in {"checkbox", "radio"} and box.width > box.height:
        return Point(box.x1 + box.height // 2, box.center.y)
    return _middle(box)


def clear_point(box: Rect, covers: Sequence[Rect], *, wanted: Point | None = None) -> Point | None:
    """A point of a box that no cover holds: the wanted one where it is free, else the middle of the largest free part.

    Args:
        box: of the element, pixels.
        covers: what lies over it.
        wanted: by default the middle.

    Returns:
        None where everything is covered.
    """
    wanted = wanted or _middle(box)
    if not any(cover.contains(wanted) for cover in covers):
        return wanted
    # Each free part is grown as far as what is free allows: two neighbours that subtraction has parted are one.
    parts = [_widest(part, covers, box) for part in subtract(box, covers)]
    best = max(parts, key=lambda part: (min(part.width, part.height), part.area), default=None)
    return None if best is None else _middle(best)


def _middle(box: Rect) -> Point:
    """A pixel of the box, even of one that is a single pixel wide."""
    return Point((box.x1 + box.x2 - 1) // 2, (box.y1 + box.y2 - 1) // 2)


def _widest(part: Rect, covers: Sequence[Rect], box: Rect) -> Rect:
    """The part, grown to the left and right, then up and down, until it meets a cover or the edge of the box."""
    across = [c for c in covers if c.y1 < part.y2 and part.y1 < c.y2]
    x1 = max((box.x1, *(c.x2 for c in across if c.x2 <= part.x1)))
    x2 = min((box.x2, *(c.x1 for c in across if c.x1 >= part.x2)))
    down = [c for c in covers if c.x1 < x2 and x1 < c.x2]
    y1 = max((box.y1, *(c.y2 for c in down if c.y2 <= part.y1)))
    y2 = min((box.y2, *(c.y1 for c in down if c.y1 >= part.y2)))
    return Rect(x1, y1, x2, y2)
