"""What the rules for controls share."""

from __future__ import annotations

from demopack.domain.elements import State
from demopack.domain.geometry import Rect
from lab.screens.apps.desktop_state import Node


def active(node: Node) -> dict[State, bool]:
    """States of what takes the input: a ring or a caret is drawn for these."""
    focused = "focused" in node.states or any("focused" in child.states for child in node.walk())
    return {"focused": focused, "disabled": disabled(node)}


def disabled(node: Node) -> bool:
    """Whether it is drawn as one that cannot be used: GTK says sensitive, Qt both."""
    return "sensitive" not in node.states and "enabled" not in node.states


def grown(box: Rect, by: int) -> Rect:
    """A box with so many pixels more on each side."""
    return Rect(box.x1 - by, box.y1 - by, box.x2 + by, box.y2 + by)


def inside(box: Rect, by: int = 3) -> Rect:
    """A box without its border, as far as it is large enough."""
    if box.width <= 2 * by + 2 or box.height <= 2 * by + 2:
        return box
    return Rect(box.x1 + by, box.y1 + by, box.x2 - by, box.y2 - by)


def texts_of(node: Node) -> list[str | None]:
    """What may be written on an element: its own name and text, and those of the labels in it."""
    told = [node.name, node.text]
    for child in node.walk():
        if child is not node and child.role in {"label", "text", "static"}:
            told += [child.text, child.name]
    return told
