"""Menus and panels that a program draws inside its own window, on top of what is there: they cover it like a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from demopack.domain.geometry import Rect
from lab.screens.apps.desktop_state import Moment, Node, Window


def with_overlays(
    moment: Moment, window_of: Callable[[tuple[Window, ...], Rect], int | None]
) -> tuple[tuple[Window, ...], Mapping[int, Rect]]:
    """The windows with these among them, topmost first; and their boxes by ``id`` of the element.

    Args:
        moment: what was seen and told.
        window_of: tells which window has a box.
    """
    windows = moment.windows
    boxes: dict[int, Rect] = {}
    for top in (top for program in moment.programs for top in program.children if top.shown):
        for node in _on_top(top):
            number = None if top.box is None else window_of(windows, top.box)
            if number is None or node.box is None:
                continue
            boxes[id(node)] = node.box
            cover = Window(kind="popup", box=node.box, frame=node.box)
            windows = (*windows[:number], cover, *windows[number:])
    return windows, boxes


def _on_top(top: Node) -> list[Node]:
    """Parts of a window that lie on another part."""
    parts = [(child, child.box) for child in top.children if child.shown and child.box is not None]
    return [
        node
        for node, box in parts
        if any(
            other is not node
            and below.area > 2 * box.area
            and (common := below.intersection(box)) is not None
            and common.area > 0.7 * box.area
            for other, below in parts
        )
    ]
