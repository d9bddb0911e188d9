"""The rows and the cells that a program reported of a list, a tree or a table.

Toolkits report cells alone, rows alone, or rows with cells; which of them a person chooses is told here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from demopack.domain.elements import ATTRIBUTES, AreaKind, ElementType, State
from demopack.domain.geometry import Rect, iou
from demopack.domain.trees import WindowTree
from models.vision.reports.nodes import one_line, states_of, text_of
from models.vision.reports.places import TreePlaces

TABLES: Final[Mapping[str, AreaKind]] = {
    "table": "table", "tree": "tree", "tree table": "tree", "list": "list", "list box": "list",
}  # fmt: skip
"""Roles of what has rows, and what that is as an area."""
HEADERS: Final = frozenset({"column header", "table column header"})
"""Roles of what stands above a column."""
_CELLS: Final = frozenset({"table cell", "list item", "tree item", "table row", "icon"})
_PARTS_OF_ROWS: Final = frozenset({"table cell", "tree item"})
_TREES: Final = frozenset({"tree", "tree table"})
_GAP_PX: Final = 4
_INDENT_PX: Final = 32
"""Of twigs, in a tree of GTK: as far as no first cell of a list is from its edge."""
_TOOLS: Final = frozenset({"push button", "toggle button", "radio button", "check box"})
_SAME_PLACE: Final = 0.8
"""Overlap (IoU) from which on a button fills the row that holds it."""
_ROW_SLACK_PX: Final = 6
_LETTER_PX: Final = 3
"""No letter is narrower, on average."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRow:
    """One row.

    Attributes:
        type: ``list_item`` or ``tree_item``.
        box: the whole of it, pixels of the desktop.
        name: what it is called, where one of its cells alone says something.
        text: what is written in what can be seen of it.
        states: those of any of its cells.
        cells: nodes that were reported as its cells; itself where it was reported as a row.
        parts: those of which a person sees anything: they have words, or something in them.
    """

    type: ElementType
    box: Rect
    name: str
    text: str
    states: dict[State, bool]
    cells: Sequence[int]
    parts: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTable:
    """What is chosen in a list, a tree or a table: rows, or cells.

    Attributes:
        nodes: all that are rows or cells of it.
        rows: from top to bottom; none where cells are chosen one by one.
        cells: those that are chosen one by one.
    """

    nodes: frozenset[int]
    rows: Sequence[ReportedRow]
    cells: Sequence[int]


def table_of(index: int, tree: WindowTree, places: TreePlaces, *, is_in_page: bool) -> ReportedTable:
    """The rows of a node that may have some.

    Args:
        index: of the node.
        tree: of its window.
        places: of the tree's nodes.
        is_in_page: whether it stands on a page: what nobody can choose there are the cells of a table of words, or the
            points of a list.
    """
    return _Table(index, tree, places).read(is_in_page=is_in_page)


def is_in_sheet(index: int, tree: WindowTree) -> bool:
    """Whether a node is a part of a spreadsheet: its cells are called by their places, and most of them are empty."""
    return any(tree.nodes[i].role == "document spreadsheet" for i in tree.ancestors(index))


def is_place_of_tool(index: int, tree: WindowTree, children: Sequence[Sequence[int]]) -> bool:
    """Whether a row is nothing but the place of a button in a box that flows."""
    node, inside = tree.nodes[index], [tree.nodes[i] for i in children[index]]
    if node.name or node.box is None or len(inside) != 1 or inside[0].box is None:
        return False
    is_compact = max(node.box.width, node.box.height) < 2 * min(node.box.width, node.box.height)
    return is_compact and inside[0].role in _TOOLS and iou(node.box, inside[0].box) >= _SAME_PLACE


def _without_gaps(rows: Sequence[ReportedRow]) -> list[ReportedRow]:
    """Rows that touch: GTK does not count the air between two to either, but a click there chooses one of them."""
    closed = list(rows)
    for place, (upper, lower) in enumerate(pairwise(rows)):
        gap = lower.box.y1 - upper.box.y2
        if 0 < gap <= _GAP_PX and upper.box.x1 == lower.box.x1:
            middle = upper.box.y2 + gap // 2
            own, after = closed[place], closed[place + 1]
            closed[place] = replace(own, box=Rect(own.box.x1, own.box.y1, own.box.x2, middle))
            closed[place + 1] = replace(after, box=Rect(after.box.x1, middle, after.box.x2, after.box.y2))
    return closed


class _Table:
    def __init__(self, index: int, tree: WindowTree, places: TreePlaces) -> None:
        self._index = index
        self._node = tree.nodes[index]
        self._tree = tree
        self._nodes = tree.nodes
        self._children = places.children
        self._places = places
        self._is_gtk = tree.toolkit.lower().startswith("gtk")

    def read(self, *, is_in_page: bool) -> ReportedTable:
        nodes = self._nodes
        children = [i for i in self._children[self._index] if nodes[i].role in _CELLS and nodes[i].box is not None]
        children = [i for i in children if not is_place_of_tool(i, self._tree, self._children)]
        cells = [i for i in children if not is_in_page or {"selectable", "focusable"} & set(nodes[i].states)]
        known = frozenset(cells).union(*map(self._parts_of_cell, cells))
        whole_rows = [[i] for i in cells if nodes[i].role not in _PARTS_OF_ROWS]
        rows = whole_rows + self._by_height([i for i in cells if nodes[i].role in _PARTS_OF_ROWS])
        if self._is_grid(rows):
            return ReportedTable(nodes=known, rows=(), cells=[i for row in rows for i in row])
        in_tree = self._node.role in _TREES and self._has_branches(cells, rows)
        shown = _without_gaps([self._row(row, in_tree=in_tree) for row in rows])
        return ReportedTable(nodes=known, rows=shown, cells=())

    def _row(self, row: Sequence[int], *, in_tree: bool) -> ReportedRow:
        nodes, table = self._nodes, self._node
        boxes = [box for i in row if (box := self._places.own_box(i)) is not None]
        left, right = min(box.x1 for box in boxes), max(box.x2 for box in boxes)
        if nodes[row[0]].role in _PARTS_OF_ROWS and table.box is not None:
            left, right = table.box.x1, table.box.x2
        kind: ElementType = "tree_item" if in_tree or nodes[row[0]].role == "tree item" else "list_item"
        parts = [i for cell in row for i in self._parts_of_cell(cell) if text_of(nodes[i]) or self._children[i]]
        parts = [i for i in parts if not self._is_named_like_another(i, parts)]
        single = self._label_of(parts[0]) if len(parts) == 1 else ""
        seen = (text_of(nodes[i]) for i in parts if self._is_seen(i))
        return ReportedRow(
            type=kind,
            box=Rect(left, min(box.y1 for box in boxes), right, max(box.y2 for box in boxes)),
            name=one_line(single),
            text=one_line(single or " ".join(seen)),
            states=self._states(row, kind),
            cells=row,
            parts=parts,
        )

    def _is_named_like_another(self, cell: int, parts: Sequence[int]) -> bool:
        """Whether a cell that has no room for its words has those of another: it shows a picture."""
        box, name = self._nodes[cell].box, text_of(self._nodes[cell])
        narrow = box is not None and box.width < _LETTER_PX * len(name)
        return narrow and any(one != cell and text_of(self._nodes[one]) == name for one in parts)

    def _states(self, row: Sequence[int], kind: ElementType) -> dict[State, bool]:
        shown: dict[State, bool] = {"highlighted": False, "disabled": False}
        for i in row:
            for state, value in states_of(self._nodes[i], kind).items():
                if value or state == "expanded":
                    shown[state] = value or shown.get(state, False)
        return {state: value for state, value in shown.items() if state in ATTRIBUTES[kind].states}

    def _is_grid(self, rows: Sequence[Sequence[int]]) -> bool:
        """Whether its cells are chosen one by one, as those of a sheet or of a board of letters; GTK chooses rows."""
        nodes = self._nodes
        if is_in_sheet(self._index, self._tree):
            return True
        if self._is_gtk or self._node.role != "table" or not any(len(row) > 1 for row in rows):
            return False
        chosen = [sum("selected" in nodes[i].states for i in row) / len(row) for row in rows if len(row) > 1]
        if any(chosen):
            return all(share < 1 for share in chosen)
        return not any(nodes[i].role in HEADERS for i in self._children[self._index])

    def _has_branches(self, cells: Sequence[int], rows: Sequence[Sequence[int]]) -> bool:
        """Whether a tree looks like one: toolkits make lists with them as well."""
        nodes = self._nodes
        if any({"expandable", "expanded"} & set(nodes[i].states) for i in cells):
            return True
        lefts = {box.x1 for row in rows if (box := nodes[row[0]].box) is not None}
        if self._is_gtk and lefts and self._node.box is not None and min(lefts) - self._node.box.x1 >= _INDENT_PX:
            return True  # only twigs of one branch are in sight
        return len(lefts) > 1

    def _label_of(self, index: int) -> str:
        """What is written on a row: its own name, or the only label in it."""
        nodes = self._nodes
        own = text_of(nodes[index])
        if own or nodes[index].role != "list item":
            return own
        below, labels = list(self._children[index]), list[str]()
        while below:
            one = below.pop()
            below += self._children[one]
            if nodes[one].role in {"label", "static"} and text_of(nodes[one]):
                labels.append(text_of(nodes[one]))
        return labels[0] if len(labels) == 1 else ""

    def _parts_of_cell(self, index: int) -> list[int]:
        """The cells that a cell is made of, as one with an icon and a text is; itself where it is one."""
        parts = [i for i in self._children[index] if self._nodes[i].role == "table cell"]
        return [one for part in parts for one in self._parts_of_cell(part)] or [index]

    def _is_seen(self, cell: int) -> bool:
        box = self._nodes[cell].box
        return box is not None and self._places.part_seen(box, of=cell, within=self._index) is not None

    def _by_height(self, cells: Sequence[int]) -> list[list[int]]:
        """Cells whose middles are at the same height, from top to bottom, each row from left to right."""
        placed = [(box.y1 + box.y2, box.x1, i) for i in cells if (box := self._places.own_box(i)) is not None]
        rows: list[list[int]] = []
        height: float | None = None
        for middle, _, i in sorted(placed):
            if height is not None and middle - height <= _ROW_SLACK_PX:
                rows[-1].append(i)
            else:
                rows.append([i])
                height = middle
        lefts = {i: left for _, left, i in placed}
        return [sorted(row, key=lefts.__getitem__) for row in rows]
