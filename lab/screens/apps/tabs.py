"""Tabs as they are drawn: GTK tells only where a tab's label is, and counts the page as its child."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from demopack.domain.geometry import Rect
from lab.screens.apps.desktop_state import Node


def with_drawn_tabs(book: Node) -> Node:
    """The same notebook with tabs that reach to their neighbours and to their page."""
    tabs = [child for child in book.children if child.role == "page tab" and child.shown]
    page = next((p for tab in tabs if (p := _page_of(tab)) is not None), None)
    if book.box is None or page is None or not tabs:
        return book
    boxes = [tab.box for tab in tabs if tab.box is not None]
    if any(page.intersection(box) for box in boxes):
        return book
    above, beside = boxes[0].y2 <= page.y1, boxes[0].x2 <= page.x1
    if above or boxes[0].y1 >= page.y2:
        first = boxes[0]
        # The page may keep a distance; a label has as much room above as below.
        low = book.box.y1 if above else max(page.y2, first.y1 - (book.box.y2 - first.y2))
        high = min(page.y1, first.y2 + first.y1 - book.box.y1) if above else book.box.y2
        drawn = [Rect(a, low, b, high) for a, b in _stretched([(b.x1, b.x2) for b in boxes], book.box.x1, book.box.x2)]
    else:
        low, high = (book.box.x1, page.x1) if beside else (page.x2, book.box.x2)
        drawn = [Rect(low, a, high, b) for a, b in _stretched([(b.y1, b.y2) for b in boxes], book.box.y1, book.box.y2)]
    by_tab = {id(tab): box for tab, box in zip(tabs, drawn, strict=True)}
    children = tuple(replace(child, box=by_tab.get(id(child), child.box)) for child in book.children)
    return replace(book, children=children)


def _page_of(tab: Node) -> Rect | None:
    """The page of the tab that is shown, if it counts as the tab's child."""
    boxes = [child.box for child in tab.children if child.shown and child.box is not None]
    inside = [box for box in boxes if tab.box is not None and box.area > 4 * tab.box.area]
    return inside[0] if inside else None


def _stretched(spans: Sequence[tuple[int, int]], least: int, most: int) -> list[tuple[int, int]]:
    """Spans that meet halfway; the outer ones reach as far out as the others reach in."""
    order = sorted(range(len(spans)), key=lambda i: spans[i][0])
    gaps = [spans[b][0] - spans[a][1] for a, b in pairwise(order)]
    rim = sorted(gaps)[len(gaps) // 2] // 2 if gaps else 14
    found = list(spans)
    for place, i in enumerate(order):
        start = spans[i][0] - (gaps[place - 1] // 2 if place else min(rim, spans[i][0] - least))
        last = place == len(order) - 1
        end = spans[i][1] + (min(rim, most - spans[i][1]) if last else gaps[place] - gaps[place] // 2)
        found[i] = (start, max(start + 1, end))
    return found
