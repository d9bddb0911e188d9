"""Matching of a node of a recorded accessibility tree with a node of a live one. Pure.

Role and name come first. Nodes that share both, or have no name, are told apart by the row in which they stand, by the
label beside them, by what they lie in, and at last by their number among their like. Places on the screen never count.
Where a row is known by one text, as by the value of a variable, it is the row in which that stands now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from demopack.domain.text_likeness import plain_text
from demopack.domain.trees import TreeNode, WindowTree
from models.vision.reports.nodes import name_of

_ROWS: Final = frozenset({"table row", "list item", "tree item", "row"})
_FLAT_TABLES: Final = frozenset({"table", "tree", "tree table"})
_CELLS: Final = frozenset({"table cell", "tree item", "list item"})
_MANAGES: Final = "manages descendants"
_MENU_ITEMS: Final = frozenset({"menu item", "check menu item", "radio menu item"})
_PLACE: Final = re.compile("[A-Z]{1,3}[1-9][0-9]*")
"""What a cell of a sheet is called."""
_EDITORS: Final = frozenset({"panel", "paragraph"})
"""What LibreOffice opens over a cell: a panel that has its name, and in it what is written."""
_MARGIN: Final = 4
"""How far from the edge of its cell a text may begin, in pixels."""
_LABELS: Final = frozenset({"label", "static", "caption", "heading"})
_NAMED_BY_VALUE: Final = frozenset({"combo box"})
"""Roles whose name may be their value, as in GTK."""
_LABEL_HEIGHTS: Final = 2.5
"""How far above a field its label may stand, in heights of the label."""


def node_of(tree: WindowTree, told: AccessibleElement) -> int | None:
    """The innermost node of a tree that is an element which was told by itself; None where there is none."""
    name = plain_text(told.name)
    fitting = (
        index
        for index, node in enumerate(tree.nodes)
        if node.role == told.role and node.box == told.box and plain_text(node.name) == name
    )
    return max(fitting, default=None)


def seen_instead(
    told: AccessibleElement, trees: Iterable[WindowTree], *, other: AccessibleElement | None = None
) -> AccessibleElement:
    """The item that is seen to have the focus where a program told an element that does not say which; else that.

    Qt tells of a list with hidden columns, as file lists have, that the cell in any one of them has the focus; and of
    any list sometimes that the list has it, sometimes that its item has. LibreOffice tells that the whole sheet has it,
    or the cell, or the editor that the first key opens over the cell: as long as no editor is seen, all are the cell.

    Args:
        told: what was told to have the focus.
        trees: of the windows at that time.
        other: what it is to be compared with; a list is its item only where that is one. A sheet and a cell are the
            editor, or this is the cell, only where one of both is an editor.
    """
    if other is not None and told.app == other.app and (_is_editor(told) or _is_editor(other)):
        place = next((one for one in (told, other) if manages_cells(one) or one.role == "table cell"), None)
        if place is not None:
            cell = _cell_seen(told, trees, table=place if manages_cells(place) else None)
            return told if cell is None else _as_told(told, cell)
    is_hidden = told.box is None and "showing" not in told.states
    is_list = _MANAGES in told.states and other is not None and other.role in _CELLS
    if not is_hidden and not is_list:
        return told
    seen = [
        node
        for tree in trees
        if tree.app == told.app
        for node in tree.nodes
        if "focused" in node.states
        and node.box is not None
        and not node.secure
        and (node.role == told.role if is_hidden else node.role in _CELLS and _is_in(node.box, told.box))
    ]
    if len(seen) != 1:
        return told
    return _as_told(told, seen[0])


def _as_told(told: AccessibleElement, node: TreeNode) -> AccessibleElement:
    return told.but(role=node.role, name=node.name, value=node.value, box=node.box, states=node.states)


def _is_editor(one: AccessibleElement | TreeNode) -> bool:
    return one.role in _EDITORS and "editable" in one.states


def _cell_seen(
    told: AccessibleElement, trees: Iterable[WindowTree], *, table: AccessibleElement | None = None
) -> TreeNode | None:
    """The one cell of a sheet that is seen to have the focus, or its editor where that is seen.

    None where there is none, or where what was told is neither the sheet nor the cell nor the editor of this cell.
    """
    seen = [
        (tree, node)
        for tree in trees
        for index, node in enumerate(tree.nodes)
        if node.role in _CELLS
        and "focused" in node.states
        and node.box is not None
        and not node.secure
        and any(_is_around(tree.nodes[above], told, table) for above in tree.ancestors(index))
    ]
    if len(seen) != 1:
        return None
    tree, cell = seen[0]
    is_it = manages_cells(told) or _is_named_for(told, cell)
    editor = next((at for at, node in enumerate(tree.nodes) if _is_editor(node) and _is_named_for(node, cell)), None)
    if editor is None:
        return cell if is_it or _is_written_in(told, cell, tree) else None
    # What is written in it may be told to lie anywhere on its line.
    at = node_of(tree, told)
    return tree.nodes[editor] if is_it or (at is not None and editor in tree.ancestors(at)) else None


def manages_cells(told: AccessibleElement) -> bool:
    """Whether it is a table that makes up its cells as they are asked for, as sheets do."""
    return told.role == "table" and _MANAGES in told.states


def cell_in_use(table: AccessibleElement, trees: Iterable[WindowTree]) -> AccessibleElement | None:
    """The one cell of a sheet that is seen to have the focus, called by its place, as in ``B10``; None where none is.

    Cells that are called by what stands in them are other ones when that changes, and tell nothing here.
    """
    cell = _cell_seen(table, trees, table=table)
    name = "" if cell is None else " ".join(cell.name.split()[-1:])  # of its editor: "Cell B10"
    if cell is None or not _PLACE.fullmatch(name):
        return None
    return table.but(role="table cell", name=name, box=cell.box)


def goes_into_cell(told: AccessibleElement) -> bool:
    """Whether what is typed into it goes into a cell of a sheet: it is the sheet, a cell, or the editor of a cell."""
    is_cell = told.role == "table cell" or _is_editor(told)
    return manages_cells(told) or (is_cell and bool(_PLACE.fullmatch("".join(told.name.split()[-1:]))))


def text_held(told: AccessibleElement, trees: Iterable[WindowTree]) -> str | None:
    """What stands in an element into which a text goes: of a sheet, a cell and its editor, what stands in the cell.

    None where no one cell is known to be meant.
    """
    if not goes_into_cell(told):
        return told.value
    if manages_cells(told):
        cell = _cell_seen(told, trees, table=told)
        return None if cell is None or _is_editor(cell) else cell.value
    nodes = [node for tree in trees for node in tree.nodes if node.role in _CELLS and _is_named_for(told, node)]
    meant = [one for one in nodes if told.box is not None and _is_in(told.box, one.box)]
    return meant[0].value if len(meant) == 1 else None


def _is_called(node: TreeNode, told: AccessibleElement) -> bool:
    return (node.role, node.name) == (told.role, told.name)


def _is_around(node: TreeNode, told: AccessibleElement, table: AccessibleElement | None) -> bool:
    is_sheet = node.role == "table" and _MANAGES in node.states
    named = is_sheet if table is None else _is_called(node, table)
    return named and told.box is not None and _is_in(told.box, node.box)


def _is_written_in(told: AccessibleElement, cell: TreeNode, tree: WindowTree) -> bool:
    """Whether it is what is written in the editor of a cell, whose text begins in it.

    Numbers are told to lie at the far end of the editor's line, where they begin at no cell.
    """
    if told.role != "paragraph" or not _is_editor(told) or told.box is None or cell.box is None:
        return False
    left, line = told.box.x1, Rect(told.box.x1, cell.box.y1, told.box.x2, cell.box.y2)
    begins = any(
        node.role in _CELLS and node.box is not None and node != cell and 0 <= left - node.box.x1 <= _MARGIN
        for node in tree.nodes
    )
    return _is_in(told.box, cell.box) or (line.contains(told.box.center) and not begins)


def _is_named_for(told: AccessibleElement | TreeNode, cell: TreeNode) -> bool:
    """Whether it is called as a cell, an editor with another word before it, as in “Cell B10”."""
    return bool(cell.name) and told.name.split()[-1:] == [cell.name]


def _is_in(box: Rect, around: Rect | None) -> bool:
    return around is not None and around.contains(box.center)


def open_menu(
    item: AccessibleElement, trees: Iterable[WindowTree], *, menu: AccessibleElement
) -> AccessibleElement | None:
    """A menu of a menu bar in which an item is seen, as it lies there; None where that is not seen.

    Args:
        item: what has the focus at one time.
        trees: of the windows at that time, or at the other.
        menu: what has the focus at the other time.
    """
    if menu.role != "menu" or item.role not in _MENU_ITEMS:
        return None
    for tree in trees:
        for node in tree.nodes:
            if not _is_called(node, item) or node.box is None or "showing" not in node.states or node.parent is None:
                continue
            above = tree.nodes[node.parent]
            if _is_called(above, menu) and above.parent is not None and tree.nodes[above.parent].role == "menu bar":
                return _as_told(menu, above)
    return None


def item_under(told: AccessibleElement, trees: Iterable[WindowTree]) -> AccessibleElement | None:
    """The item of a list, or the cell of a table, over which a field lies that is in no tree; None where none is.

    Args:
        told: the field, as it was told by itself.
        trees: of the windows at that time.
    """
    if told.box is None or "editable" not in told.states:
        return None
    under = [
        node
        for tree in trees
        if tree.app == told.app
        for node in tree.nodes
        if node.role in _CELLS and node.box is not None and node.box.contains(told.box.center)
    ]
    if len(under) != 1:
        return None
    node = under[0]
    return AccessibleElement(role=node.role, name=node.name, box=node.box, states=node.states, app=told.app)


def holds_same(recorded: AccessibleElement, live: AccessibleElement) -> bool:
    """Whether a field that can be edited holds the text, if any, that another one did."""
    text = plain_text(recorded.value)
    return bool(text) and "editable" in live.states and plain_text(live.value) == text


def match_node(
    recorded: WindowTree,
    index: int,
    live: WindowTree,
    *,
    is_seen: Callable[[int], bool] = lambda _: True,
    row_text: str = "",
) -> int | str:
    """The one node of a live tree that is a node of a recorded one, or why there is none.

    Args:
        recorded: the tree of the recorded window.
        index: of the node in it.
        live: the tree of the window now.
        is_seen: whether a live node can be seen.
        row_text: what has to stand in its row now, instead of all that stood there in the recording; of nodes that are
            the only ones called so it need not.
    """
    node = recorded.nodes[index]
    wanted, now = _Context(recorded), _Context(live)
    name = wanted.name(index)
    what = f"a {node.role} called “{node.name}”" if name else f"a {node.role} without a name"
    like = [i for i in range(len(live.nodes)) if now.is_like(i, node.role, name) and is_seen(i)]
    if not like:
        return f"nothing is {what}"
    row, label = wanted.row(index), wanted.label(index)
    if name and len(like) == 1 and (wanted.is_alone(index) or not (row or row_text)):
        return like[0]
    if row_text:
        like = [i for i in like if plain_text(row_text) in now.beside(i)]
        return _of_same_number(like, wanted.twins(index), index, f"{what} and stand in a row of “{row_text}”")
    if row:
        like = [i for i in like if now.row(i) == row]
        if not like:
            return f"no {node.role} stands in the row of “{min(row, key=len)}”"
    elif label:
        like = [i for i in like if now.label(i) == label]
        if not like:
            return f"no {node.role} stands beside “{label}”"
    within = wanted.within(index)
    like = [i for i in like if now.within(i) == within]
    twins = [
        i
        for i in range(len(recorded.nodes))
        if wanted.is_like(i, node.role, name)
        and wanted.row(i) == row
        and (row or wanted.label(i) == label)
        and wanted.within(i) == within
        and recorded.nodes[i].box is not None
    ]
    if len(like) == 1 and (len(twins) == 1 or row or label):
        return like[0]
    return f"{len(like)} elements are {what}" if row and like else _of_same_number(like, twins, index, what)


def _of_same_number(like: Sequence[int], twins: Sequence[int], index: int, what: str) -> int | str:
    """The one of some live nodes whose number among them is that of a recorded node among its twins."""
    if len(like) == len(twins):
        return like[twins.index(index)]
    return f"{len(like) or 'no'} elements are {what}"


class _Context:
    """What stands around the nodes of a tree."""

    def __init__(self, tree: WindowTree) -> None:
        self._tree = tree
        self._children = tree.children()
        self._labels = [
            (box, name)
            for node in tree.nodes
            if _is_label(node) and (box := node.box) is not None and (name := plain_text(node.name or node.value))
        ]

    def name(self, index: int) -> str:
        """What it is called; nothing where the name may be its value."""
        node = self._tree.nodes[index]
        return "" if node.role in _NAMED_BY_VALUE else plain_text(name_of(node))

    def is_like(self, index: int, role: str, name: str) -> bool:
        return self._tree.nodes[index].role == role and self.name(index) == name

    def is_alone(self, index: int) -> bool:
        """Whether no other node has its role and its name."""
        role, name = self._tree.nodes[index].role, self.name(index)
        return not any(i != index and self.is_like(i, role, name) for i in range(len(self._tree.nodes)))

    def twins(self, index: int) -> list[int]:
        """The nodes of its role and name beside which the same is written, itself among them."""
        nodes, name, row = self._tree.nodes, self.name(index), self.beside(index)
        role = nodes[index].role
        return [
            i
            for i, node in enumerate(nodes)
            if self.is_like(i, role, name) and self.beside(i) == row and (i == index or node.box is not None)
        ]

    def row(self, index: int) -> frozenset[str]:
        """What else is written in the row of a list or table in which it stands; empty outside of rows."""
        return self._texts(self._in_row(index))

    def beside(self, index: int) -> frozenset[str]:
        """What else is written in its row; outside of rows, on its line: many pages make up their rows of any parts."""
        return self._texts(self._in_row(index) or self._on_line(index))

    def _in_row(self, index: int) -> list[int]:
        nodes = self._tree.nodes
        for above in self._tree.ancestors(index):
            if nodes[above].role in _ROWS:
                own = {index, *self._below(index)}
                return [i for i in self._below(above) if i not in own]
        parent = nodes[index].parent
        if parent is None or nodes[parent].role not in _FLAT_TABLES or nodes[index].role not in _CELLS:
            return []
        return self._level_with(index, (i for i in self._children[parent] if nodes[i].role in _CELLS))

    def _on_line(self, index: int) -> list[int]:
        own = {index, *self._below(index), *self._tree.ancestors(index)}
        return self._level_with(index, (i for i in range(len(self._tree.nodes)) if i not in own))

    def _level_with(self, index: int, others: Iterable[int]) -> list[int]:
        """Those of some other nodes at whose height the middle of a node is."""
        nodes = self._tree.nodes
        own = nodes[index].box
        if own is None:
            return []
        middle = own.center.y
        return [i for i in others if i != index and (box := nodes[i].box) is not None and box.y1 <= middle < box.y2]

    def _text(self, index: int) -> str:
        """What is written on a node; nothing of what is or lies in a field, where that changes."""
        nodes = self._tree.nodes
        is_in_field = any("editable" in nodes[i].states for i in (index, *self._tree.ancestors(index)))
        return "" if is_in_field else nodes[index].name or nodes[index].value

    def _texts(self, indices: Iterable[int]) -> frozenset[str]:
        return frozenset(text for i in indices if (text := plain_text(self._text(i))))

    def label(self, index: int) -> str:
        """The label nearest to it on its left, else above it."""
        node = self._tree.nodes[index]
        box = node.box
        if box is None or _is_label(node):
            return ""
        left = [(box.x1 - b.x2, name) for b, name in self._labels if b.x2 <= box.x1 + 2 and _share_line(b, box)]
        if left:
            return min(left)[1]
        above = [
            (box.y1 - b.y2, name)
            for b, name in self._labels
            if b.y2 <= box.y1 + 2 and b.x1 < box.x2 and box.x1 < b.x2 and box.y1 - b.y2 <= _LABEL_HEIGHTS * b.height
        ]
        return min(above)[1] if above else ""

    def within(self, index: int) -> tuple[tuple[str, str], ...]:
        """Roles and names of what it lies in, without the window, whose title is compared elsewhere, and rows."""
        nodes = self._tree.nodes
        around = [nodes[i] for i in self._tree.ancestors(index)]
        return tuple(
            (one.role, "" if one.role in _ROWS | _NAMED_BY_VALUE else plain_text(one.name)) for one in around[:-1]
        )

    def _below(self, index: int) -> Iterator[int]:
        for child in self._children[index]:
            yield child
            yield from self._below(child)


def _is_label(node: TreeNode) -> bool:
    return node.role in _LABELS and "editable" not in node.states


def _share_line(one: Rect, other: Rect) -> bool:
    """Whether two boxes stand beside each other; a label may stand at the top of a high field."""
    return one.y1 < other.y2 and other.y1 < one.y2
