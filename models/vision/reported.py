"""What programs reported about their windows (accessibility trees), as elements of a picture.

Roles, states and boxes are taken as they were reported; what is hidden, cut off or covered is left out. Whether pixels
agree is not asked here: see :mod:`.report_joining`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from demopack.domain.elements import ATTRIBUTES, ElementType, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.steps import AccessibleElement
from demopack.domain.trees import TreeNode, TreeReading, WindowTree

_STATES_OF: Final[Mapping[str, State]] = {
    "checked": "checked", "pressed": "checked", "focused": "focused", "expanded": "expanded", "selected": "highlighted",
}  # fmt: skip
CONTAINERS: Final[frozenset[ElementType]] = frozenset({"toolbar", "dialog", "list_item", "tree_item"})
"""Types in which further elements lie."""
AROUND: Final[frozenset[ElementType]] = frozenset({"window", "dialog", "toolbar"})
"""Types that say nothing of where in them something is."""
_WORDS: Final[frozenset[ElementType]] = frozenset({"text", "hyperlink", "tabled_text"})
FIELDS: Final[frozenset[ElementType]] = frozenset({"input_field", "text_area", "dropdown", "spinner"})
"""Types whose text is their value."""
REPORTED_CONFIDENCE: Final = 0.9
"""How sure accessibility is; programs do tell nonsense at times."""
_CLIPPING: Final = frozenset({
    "dialog", "frame", "internal frame", "scroll pane", "viewport", "window", "document frame", "document web",
    "document text", "table", "tree", "tree table", "list", "list box",
})  # fmt: skip
_ANYWHERE: Final = frozenset({"menu bar", "menu", "popup menu", "combo box", "list item", "unknown", "application"})
"""What is in these may be drawn outside them."""
_POPPING_UP: Final = frozenset({"menu", "popup menu", "combo box", "tool tip"})
_OPENED: Final = frozenset({"menu", "popup menu", "menu item", "check menu item", "radio menu item"})
"""What a menu shows once it is open."""
_PAGES: Final = frozenset({"document web", "document frame", "document text", "html container"})
_LISTS: Final = frozenset({"list", "list box", "menu", "popup menu", "window"})
"""What drops down from a control is no part of it."""
_TABLES: Final = frozenset({"table", "tree", "tree table", "list", "list box"})
_CELLS: Final = frozenset({"table cell", "list item", "tree item", "table row", "icon"})
_PARTS_OF_ROWS: Final = frozenset({"table cell", "tree item"})
_HEADERS: Final = frozenset({"column header", "table column header"})
_TREES: Final = frozenset({"tree", "tree table"})
_GROUNDS: Final = frozenset({
    "canvas", "drawing area", "filler", "panel", "layered pane", "viewport", "scroll pane", "frame", "unknown",
})  # fmt: skip
"""Roles of what a program draws itself, where nothing but scroll bars is reported in it."""
_AREA_PX: Final = 48
"""Least side of such an area."""
_TAKES_WORDS: Final = frozenset({"editable", "focusable"})
"""States of a text that is a field, if one that nobody may change now."""
_MOST_CHANGED: Final = 0.25
"""Share of an element that may look otherwise, as where a caret blinks or a letter is added."""
_ROWS_OF_MENU: Final = frozenset({"push button", "check box", "radio button"})
_LINE_SHARE: Final = 0.8
"""Width of a row of a popover's menu, as a share of the popover's."""
_TAB_PX: Final = 4
_LEAST_GAP: Final = 12
"""Padding of a tab that stands alone, in its program's units."""
_LEAST_PX: Final = 3
_LEAST_SEEN: Final = 0.35
"""Share of an element's height or width that must be seen."""
_ICON_PX: Final = 64
_ROW_SLACK_PX: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedElement:
    """One element as its program reported it.

    Attributes:
        type: what it is.
        box: what can be seen of it, pixels of the frame; None where the program knows no places.
        name: what it is called; empty when it has no name. Mostly what is drawn on it, but not always.
        text: what is written in it as far as that is reported: the value of a field, otherwise the name.
        placeholder: what an empty field shows.
        states: that were reported as true, and as false where that is plain.
        stale: whether it may have changed since: then pixels have to agree.
        is_filled: whether it holds what nobody reported, as a terminal does, or a log of Qt.
        unsure: whether only what is drawn there says that it is one, as of a cell that may hold a box to tick.
        acts: whether it is a picture that can be clicked, as a link without words is.
        secure: whether it is a field for a secret.
        window: what can be seen of its window at most, pixels of the frame; None when unknown.
    """

    type: ElementType
    box: Rect | None
    name: str
    text: str
    placeholder: str
    states: Mapping[State, bool]
    stale: bool
    is_filled: bool = False
    unsure: bool = False
    acts: bool = False
    secure: bool
    window: Rect | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedArea:
    """A list, or a ground on which a program draws by itself: an element only where a step acted on nothing else.

    Attributes:
        kind: ``canvas``, ``list``, ``table``, ``tree`` or ``page``; ``scroll area`` of what is only there to scroll
            what is in it.
        box: what can be seen of it, pixels of the frame.
        has_input: whether it had the input.
        stale: whether another one may be there by now; what is drawn on it may have changed.
        window: as of an element.
    """

    kind: str
    box: Rect
    has_input: bool
    stale: bool
    window: Rect | None


def reported_elements(
    reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame, *, pointed: Sequence[AccessibleElement] = ()
) -> list[ReportedElement]:
    """The elements of the windows on a frame, in the order of their trees.

    Args:
        reports: what was read of the windows on the frame, topmost first.
        frame: the picture.
        pointed: what was told under the pointer as steps on the frame began: it was there.
    """
    return [one for window in _windows(reports, frame, pointed) for one in window.elements()]


def reported_areas(
    reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame, *, pointed: Sequence[AccessibleElement] = ()
) -> list[ReportedArea]:
    """The areas of the windows on a frame; the arguments are those of :func:`reported_elements`."""
    return [one for window in _windows(reports, frame, pointed) for one in window.areas()]


def _windows(
    reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame, pointed: Sequence[AccessibleElement]
) -> Iterator[_Window]:
    for place, (reading, tree) in enumerate(reports):
        above = [(other.box, _is_popup(other, tree)) for _, other in reports[:place] if other.box is not None]
        yield _Window(reading, tree, frame, above, pointed)


def _is_popup(other: WindowTree, tree: WindowTree) -> bool:
    """Whether a window above may be a menu or a list of this one: those have no tree of their own."""
    return not other.nodes and other.app == tree.app


class _Window:
    """The elements of one tree."""

    def __init__(
        self,
        reading: TreeReading,
        tree: WindowTree,
        frame: Frame,
        above: Sequence[tuple[Rect, bool]],
        pointed: Sequence[AccessibleElement],
    ) -> None:
        self._reading = reading
        self._tree = tree
        self._frame = frame
        self._above = above
        self._children = tree.children()
        self._space = frame.space
        self._cuts: list[Rect | None] = []
        self._in_rows: set[int] = set()
        self._is_gtk = tree.toolkit.lower().startswith("gtk")
        self._is_qt = tree.toolkit.lower().startswith("qt")
        told = {(one.role, one.box) for one in pointed if one.box is not None}
        self._confirmed = [node.box for node in tree.nodes if node.box is not None and (node.role, node.box) in told]
        self._has_typed_into = self._is_qt and any(
            {"focused", "editable"} <= set(node.states) and node.role in {"text", "entry"} for node in tree.nodes
        )
        self._popovers = list(self._found_popovers())
        self._menu_rows = {index for popover, box in self._popovers for index in self._rows_of_menu(popover, box)}
        for index in range(len(tree.nodes)):
            self._cuts.append(self._cut(index))

    def elements(self) -> Iterator[ReportedElement]:
        """As they are reported, containers before what is in them."""
        nodes = self._tree.nodes
        leaves: set[int] = set()
        for index, node in enumerate(nodes):
            if self._is_part(index, leaves):
                leaves.add(index)
                continue
            if node.role in _TABLES:
                yield from self._rows(index)
            kind = self._kind(index)
            if kind is None:
                continue
            opens = kind == "menu" or (kind == "menu_item" and node.role == "menu")
            if kind not in CONTAINERS and not opens and not self._is_group(index):
                leaves.add(index)
            made = self._element(index, kind, self._part_seen(index))
            if made is not None:
                yield made

    def areas(self) -> Iterator[ReportedArea]:
        """Those that are large enough to be acted on, outer ones first."""
        nodes = self._tree.nodes
        for index, node in enumerate(nodes):
            kind = self._kind_of_area(index)
            box = None if kind is None else self._part_seen(index)
            if kind is None or box is None or min(box.width, box.height) < _AREA_PX:
                continue
            same = [node, *(one for i in self._tree.ancestors(index) if (one := nodes[i]).box == node.box)]
            yield ReportedArea(
                kind=kind,
                box=box,
                has_input=any("focused" in one.states for one in same),
                stale=self._is_stale(node.box) and not self._reading.proved,
                window=self._on_frame(self._tree.box),
            )

    def _kind_of_area(self, index: int) -> str | None:
        """What it is, if it is one; a panel that holds more than scroll bars is none."""
        nodes, role = self._tree.nodes, self._tree.nodes[index].role
        if role in _TABLES:
            return next(word for word in ("list", "tree", "table") if word in role)
        if role == "document web":
            return "page"
        below = [box for i in self._children[index] if nodes[i].role != "scroll bar" and (box := nodes[i].box)]
        if role in _GROUNDS and not below:
            return "canvas"
        return (
            "scroll area" if role == "scroll pane" or (role in _GROUNDS and self._is_overfull(index, below)) else None
        )

    def _is_overfull(self, index: int, below: Sequence[Rect]) -> bool:
        """Whether what is in it is larger than it, and is scrolled."""
        own = self._tree.nodes[index].box
        return own is not None and any(
            box.width > own.width + _AREA_PX or box.height > own.height + _AREA_PX for box in below
        )

    def _is_part(self, index: int, leaves: Set[int]) -> bool:
        """Whether it is a part of a control: its arrow, its label; not what a tab, an expander or an area holds."""
        node = self._tree.nodes[index]
        if node.parent is None or node.parent not in leaves or node.role in _LISTS or node.role == "scroll bar":
            return False
        outer = self._own_box(node.parent)
        if outer is None and self._tree.nodes[node.parent].role == "page tab":
            return False  # of a notebook that shows no tabs
        return node.box is None or outer is None or node.box.intersection(outer) is not None

    # What it is --------------------------------------------------------------------------------------------------

    def _kind(self, index: int) -> ElementType | None:
        node = self._tree.nodes[index]
        kind = self._type_of_role(index)
        if index in self._in_rows or (kind == "list_item" and self._is_in_page(index)):
            return None
        if kind in {"menu", "menu_item"}:
            return self._kind_of_menu(index, kind)
        if index in self._menu_rows:
            return "menu_item"
        if self._is_button(index, kind):
            return "button"
        if kind == "input_field" or self._is_text_to_read(index):
            return self._kind_of_field(index)
        if node.role == "toggle button" and "checkable" in node.states and self._is_in_page(index):
            return "toggle"  # a page's buttons that stay down are pressed, its switches checked
        if kind in {"icon", "image"} and node.box is not None:
            return "icon" if max(node.box.width, node.box.height) <= _ICON_PX else "image"
        if kind in _WORDS and any(self._tree.nodes[child].role in TYPES_OF_ROLES for child in self._children[index]):
            # A paragraph or a cell with links, boxes to tick and the like in it: these are the elements.
            return None if kind != "hyperlink" else kind
        if kind == "text" and any(self._tree.nodes[i].role == "table cell" for i in self._tree.ancestors(index)):
            return "tabled_text"
        return kind

    def _is_button(self, index: int, kind: ElementType | None) -> bool:
        """Whether it is about as high as wide, and not what it is called.

        Qt calls a button of a bar that stays down a box to tick, and GTK one that opens a slider, as that of a volume,
        a slider.
        """
        nodes, box = self._tree.nodes, self._tree.nodes[index].box
        if box is None or kind not in {"checkbox", "slider"} or not _is_compact(box):
            return False
        in_bar = self._is_qt and any(nodes[i].role == "tool bar" for i in self._tree.ancestors(index))
        return in_bar if kind == "checkbox" else nodes[index].role == "slider"

    def _kind_of_menu(self, index: int, kind: ElementType) -> ElementType | None:
        parent = self._tree.nodes[index].parent
        above = "" if parent is None else self._tree.nodes[parent].role
        if above == "menu bar":
            return "menu"
        is_panel = kind == "menu" and above in {"", "combo box", "window", "frame", "application"}
        return None if is_panel and not self._tree.nodes[index].name else "menu_item"

    def _kind_of_field(self, index: int) -> ElementType:
        node = self._tree.nodes[index]
        if "multi line" in node.states:
            return "text_area"
        return "text" if node.role in {"text", "label"} and not _TAKES_WORDS & set(node.states) else "input_field"

    def _type_of_role(self, index: int) -> ElementType | None:
        """What its role says; the header of a column sorts the rows, that on a page is a cell of words."""
        role = self._tree.nodes[index].role
        return "button" if role in _HEADERS and not self._is_in_page(index) else TYPES_OF_ROLES.get(role)

    def _is_text_to_read(self, index: int) -> bool:
        """Whether it is an area of text that nobody can change, which Qt calls a label."""
        node = self._tree.nodes[index]
        return self._is_qt and node.role == "label" and {"focusable", "multi line"} <= set(node.states)

    def _is_in_page(self, index: int) -> bool:
        return any(self._tree.nodes[i].role in _PAGES for i in self._tree.ancestors(index))

    def _element(self, index: int, kind: ElementType, box: Rect | None) -> ReportedElement | None:
        node = self._tree.nodes[index]
        if box is None and self._tree.boxes == "pixels":
            return None
        is_field = kind in FIELDS
        name = "" if _WIDGET.fullmatch(node.name) else node.name
        text = _written(node.value or self._parts(index) if is_field else name or node.value)
        acts = kind == "hyperlink" and not text
        if kind in _WORDS and not text:
            if kind != "hyperlink" or box is None or max(box.width, box.height) > _ICON_PX:
                return None
            kind = "icon"
        return ReportedElement(
            type=kind,
            box=box,
            name=_one_line(name),
            text="" if node.secure else text,
            placeholder=node.placeholder if is_field and not node.value else "",
            states=self._states(index, kind),
            stale=self._is_stale(node.box),
            is_filled=node.role == "terminal" or (node.role == "label" and kind == "text_area"),
            acts=acts,
            secure=node.secure,
            window=self._on_frame(self._tree.box),
        )

    def _states(self, index: int, kind: ElementType) -> dict[State, bool]:
        """The states of a node, with what its neighbours say of them."""
        node, found = self._tree.nodes[index], _states(self._tree.nodes[index], kind)
        below = [self._tree.nodes[child].role in _OPENED for child in self._children[index]]
        if self._has_typed_into and kind not in FIELDS and "focused" in found:
            found["focused"] = False  # whoever passes the input on to a field has it as well, as Qt says
        if index in self._menu_rows:
            found["highlighted"] = bool({"armed", "selected"} & set(node.states))  # the input is not drawn there
        if kind == "menu":
            found["expanded"] = found.get("expanded", False) or any(below)
        if node.role == "page tab" and self._is_qt:
            above = None if node.parent is None else self._tree.nodes[node.parent]
            found["focused"] = above is not None and {"focused"} <= set(above.states) and found["checked"]
        return found

    def _parts(self, index: int) -> str:
        """What the parts of a date show, from left to right; each is a field of its own."""
        nodes = self._tree.nodes
        if nodes[index].role != "date editor":
            return ""
        words: list[str] = []
        below = list(self._children[index])
        while below:
            one = below.pop(0)
            below[:0] = self._children[one]
            if nodes[one].role in {"spin button", "static"}:
                words.append(nodes[one].value or nodes[one].name if nodes[one].role == "static" else nodes[one].value)
        return "".join(words)

    def _is_stale(self, box: Rect | None) -> bool:
        """Whether it may be gone: nothing proves that it was there, or much of it looked otherwise."""
        changed = self._reading.changed
        if box is not None and any(box.encloses(part) for part in self._confirmed):
            return False  # asked a moment later, the program said the same
        return not self._reading.proved or (
            box is not None and sum(box.share_in(part) for part in changed) > _MOST_CHANGED
        )

    # Rows --------------------------------------------------------------------------------------------------------

    def _rows(self, index: int) -> Iterator[ReportedElement]:
        """The rows of a list, tree or table, and the cells of those that have several."""
        nodes = self._tree.nodes
        children = (i for i in self._children[index] if nodes[i].role in _CELLS and nodes[i].box is not None)
        # What nobody can choose on a page are the cells of a table of words, or the points of a list.
        in_page = self._is_in_page(index)
        cells = [i for i in children if not in_page or {"selectable", "focusable"} & set(nodes[i].states)]
        self._in_rows.update(cells, *map(self._parts_of_cell, cells))
        table = nodes[index]
        whole_rows = [[i] for i in cells if nodes[i].role not in _PARTS_OF_ROWS]
        rows = whole_rows + self._by_height([i for i in cells if nodes[i].role in _PARTS_OF_ROWS])
        in_tree = table.role in _TREES and self._has_branches(cells, rows)
        if self._is_grid(index, rows):
            yield from self._cells([i for row in rows for i in row], self._cuts[index])
            return
        for row in rows:
            boxes = [box for i in row if (box := self._own_box(i)) is not None]
            if nodes[row[0]].role not in _PARTS_OF_ROWS or table.box is None:
                left, right = min(box.x1 for box in boxes), max(box.x2 for box in boxes)
            else:
                left, right = table.box.x1, table.box.x2
            whole = Rect(left, min(box.y1 for box in boxes), right, max(box.y2 for box in boxes))
            seen = self._visible(whole, self._cuts[index], of=index)
            if seen is None:
                continue
            inside = [i for cell in row for i in self._parts_of_cell(cell) if _text_of(nodes[i]) or self._children[i]]
            kind: ElementType = "tree_item" if in_tree or nodes[row[0]].role == "tree item" else "list_item"
            shown: dict[State, bool] = {"highlighted": False, "disabled": False}
            for i in row:
                for state, value in _states(nodes[i], kind).items():
                    if value or state == "expanded":
                        shown[state] = value or shown.get(state, False)
            single = self._label_of(inside[0]) if len(inside) == 1 else ""
            shown_cells = [i for i in inside if i in row and self._is_cell_seen(i, self._cuts[index])]
            words = single or " ".join(_text_of(nodes[i]) for i in shown_cells)
            yield ReportedElement(
                type=kind,
                box=seen,
                name=_one_line(single),
                text=_one_line(words),
                placeholder="",
                states={state: value for state, value in shown.items() if state in ATTRIBUTES[kind].states},
                stale=self._is_stale(whole),
                secure=False,
                window=self._on_frame(self._tree.box),
            )
            if len(inside) > 1:
                yield from self._cells(inside, self._cuts[index])
            first = next((words for i in inside if (words := _text_of(nodes[i]))), "")
            ticks = (self._tick(i, self._cuts[index], name=_one_line(_text_of(nodes[i]) or first)) for i in row)
            yield from (one for one in ticks if one is not None)

    def _is_grid(self, index: int, rows: Sequence[Sequence[int]]) -> bool:
        """Whether its cells are chosen one by one, as those of a sheet or of a board of letters; GTK chooses rows."""
        nodes = self._tree.nodes
        if self._is_gtk or nodes[index].role != "table" or not any(len(row) > 1 for row in rows):
            return False
        chosen = [sum("selected" in nodes[i].states for i in row) / len(row) for row in rows if len(row) > 1]
        if any(chosen):
            return all(share < 1 for share in chosen)
        return not any(nodes[i].role in _HEADERS for i in self._children[index])

    def _has_branches(self, cells: Sequence[int], rows: Sequence[Sequence[int]]) -> bool:
        """Whether a tree looks like one: toolkits make lists with them as well."""
        nodes = self._tree.nodes
        if any({"expandable", "expanded"} & set(nodes[i].states) for i in cells):
            return True
        return len({box.x1 for row in rows if (box := nodes[row[0]].box) is not None}) > 1

    def _label_of(self, index: int) -> str:
        """What is written on a row: its own name, or the only label in it."""
        nodes = self._tree.nodes
        own = _text_of(nodes[index])
        if own or nodes[index].role != "list item":
            return own
        below, labels = list(self._children[index]), list[str]()
        while below:
            one = below.pop()
            below += self._children[one]
            if nodes[one].role in {"label", "static"} and _text_of(nodes[one]):
                labels.append(_text_of(nodes[one]))
        return labels[0] if len(labels) == 1 else ""

    def _tick(self, cell: int, cut: Rect | None, *, name: str) -> ReportedElement | None:
        """The box to tick of a cell: Qt says that it can be ticked, GTK tells nothing but a cell without words."""
        node = self._tree.nodes[cell]
        is_bare = node.role == "table cell" and not _text_of(node) and not self._children[cell]
        is_told = "checkable" in node.states
        if node.box is None or not (is_told or (self._is_gtk and is_bare)):
            return None
        box = self._visible(node.box, cut, of=cell)
        if box is None:
            return None
        return ReportedElement(
            type="checkbox",
            box=box,
            name=name,
            text=name,
            placeholder="",
            states={"checked": "checked" in node.states} if is_told else {},
            stale=self._is_stale(node.box),
            unsure=True,
            secure=False,
            window=self._on_frame(self._tree.box),
        )

    def _parts_of_cell(self, index: int) -> list[int]:
        """The cells that a cell is made of, as one with an icon and a text is; itself where it is one."""
        parts = [i for i in self._children[index] if self._tree.nodes[i].role == "table cell"]
        return [one for part in parts for one in self._parts_of_cell(part)] or [index]

    def _cells(self, row: Sequence[int], cut: Rect | None) -> Iterator[ReportedElement]:
        for i in row:
            node = self._tree.nodes[i]
            box = None if node.box is None else self._visible(node.box, cut, of=i)
            made = self._element(i, "tabled_text", box) if _text_of(node) and not self._children[i] else None
            if made is not None and box is not None:
                yield made

    def _is_cell_seen(self, cell: int, cut: Rect | None) -> bool:
        box = self._tree.nodes[cell].box
        return box is not None and self._visible(box, cut, of=cell) is not None

    def _by_height(self, cells: Sequence[int]) -> list[list[int]]:
        """Cells whose middles are at the same height, from top to bottom, each row from left to right."""
        placed = [(box.y1 + box.y2, box.x1, i) for i in cells if (box := self._own_box(i)) is not None]
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

    def _own_box(self, index: int) -> Rect | None:
        """The box of a node; of a branch, an expander or a group that holds what it opens, its own row alone."""
        nodes = self._tree.nodes
        node = nodes[index]
        box = node.box
        if box is not None and node.role == "page tab" and self._is_gtk:
            return self._tab_around(index, box)
        if box is None or not (node.role == "tree item" or self._is_expander(index) or self._is_group(index)):
            return box
        below = list(self._children[index])
        tops: list[int] = []
        while below:
            one = below.pop()
            twig = nodes[one].box
            if node.role == "tree item" and nodes[one].role != "tree item":
                below += self._children[one]
            elif twig is not None and box.y1 < twig.y1 < box.y2:
                tops.append(twig.y1)
        return Rect(box.x1, box.y1, box.x2, min([box.y2, *tops]))

    def _tab_around(self, index: int, label: Rect) -> Rect:
        """The whole tab of a notebook of GTK, which tells where its label is.

        The padding along its row is half of what is between two labels; across, a tab reaches from the edge of the
        notebook to the page that is shown.
        """
        nodes, parent = self._tree.nodes, self._tree.nodes[index].parent
        book = None if parent is None else nodes[parent].box
        if parent is None or book is None:
            return label
        tabs = [i for i in self._children[parent] if nodes[i].role == "page tab"]
        others = [box for i in tabs if i != index and (box := nodes[i].box) is not None]
        pages = [box for i in tabs for child in self._children[i] if (box := nodes[child].box) is not None]
        page = max(pages, key=lambda one: one.area, default=None)
        upright = page is not None and (page.x1 >= label.x2 or page.x2 <= label.x1)
        if upright and page is not None:
            start, end = _padded(label.y1, label.y2, [(one.y1, one.y2) for one in others])
            x1, x2 = (book.x1, page.x1) if page.x1 >= label.x2 else (page.x2, book.x2)
            around = Rect(x1, start, x2, end)
        else:
            start, end = _padded(label.x1, label.x2, [(one.x1, one.x2) for one in others])
            y1, y2 = label.y1 - _TAB_PX, label.y2 + _TAB_PX
            if page is not None:
                y1, y2 = (book.y1, page.y1) if page.y1 >= label.y2 else (page.y2, book.y2)
            around = Rect(start, y1, end, y2)
        inside = around.intersection(book)
        return inside if inside is not None and inside.encloses(label) else label

    def _is_expander(self, index: int) -> bool:
        """Whether it is a row of GTK that shows or hides what stands below it."""
        node = self._tree.nodes[index]
        return node.role == "toggle button" and "expandable" in node.states

    def _is_group(self, index: int) -> bool:
        """Whether it is the title of a group, with a box to tick, and has the controls of the group in it, as in Qt."""
        nodes = self._tree.nodes
        return nodes[index].role == "check box" and any(
            nodes[i].role in TYPES_OF_ROLES or self._children[i] for i in self._children[index]
        )

    # What can be seen --------------------------------------------------------------------------------------------

    def _cut(self, index: int) -> Rect | None:
        """Within which box of the desktop what is in a node can be seen; None for any."""
        node = self._tree.nodes[index]
        outer = self._tree.box if node.parent is None else self._cuts[node.parent]
        if node.role in _POPPING_UP and node.parent is not None:
            return None
        cuts = node.role in _CLIPPING or (self._is_qt and node.role not in _ANYWHERE)
        if not cuts or node.box is None or not node.box.area:
            return outer
        return node.box if outer is None else (outer.intersection(node.box) or Rect(0, 0, 0, 0))

    def _part_seen(self, index: int) -> Rect | None:
        node, box = self._tree.nodes[index], self._own_box(index)
        if box is None or self._tree.boxes != "pixels":
            return None
        cut = None if node.parent is None else self._cuts[node.parent]
        return self._visible(box, cut, of=index)

    def _found_popovers(self) -> Iterator[tuple[int, Rect]]:
        """What GTK shows above the rest of its own window, without the shadow and the arrow around it."""
        for index, node in enumerate(self._tree.nodes):
            if self._is_gtk and node.role == "panel" and "modal" in node.states and node.parent is not None:
                inner = next((box for i in self._children[index] if (box := self._tree.nodes[i].box)), node.box)
                if inner is not None:
                    yield index, inner

    def _rows_of_menu(self, popover: int, box: Rect) -> list[int]:
        """The buttons that fill the lines of a popover, as those of a menu do; GTK makes its menus so."""
        rows = [
            index
            for index, node in enumerate(self._tree.nodes)
            if node.role in _ROWS_OF_MENU
            and node.name
            and node.box is not None
            and node.box.width >= _LINE_SHARE * box.width
            and popover in self._tree.ancestors(index)
        ]
        return rows if len(rows) > 1 else []

    def _pops_up(self, index: int) -> bool:
        """Whether it may be drawn in a window of its own, as the entries of menus and drop-down lists are."""
        nodes = self._tree.nodes
        node = nodes[index]
        stays = node.role == "combo box" or (node.parent is not None and nodes[node.parent].role == "menu bar")
        own = node.role in _POPPING_UP and not stays
        return own or any(nodes[i].role in _POPPING_UP for i in self._tree.ancestors(index))

    def _visible(self, box: Rect, cut: Rect | None, *, of: int) -> Rect | None:
        """The part of a box of the desktop that can be seen, pixels of the frame; None for too little of it.

        Args:
            box: of a node, or of a row of some.
            cut: within which it can be seen.
            of: the node, or the table of the row.
        """
        popping = self._pops_up(of)
        if box.width < _LEAST_PX or box.height < _LEAST_PX:
            return None
        part: Rect | None = box if cut is None else box.intersection(cut)
        for popover, over in self._popovers:
            if part is not None and of != popover and popover not in self._tree.ancestors(of):
                part = _uncovered(part, over)
        for window, is_popup in self._above:
            if part is None:
                return None
            if popping and is_popup and window.contains(part.center):
                part = part.intersection(window)
                break
            part = _uncovered(part, window)
        on_frame = self._on_frame(part)
        if on_frame is None:
            return None
        whole = self._space.to_pixels(box)
        seen = on_frame.width >= _LEAST_SEEN * whole.width or on_frame.width >= _ICON_PX
        if not seen or on_frame.height < _LEAST_SEEN * whole.height or min(on_frame.width, on_frame.height) < _LEAST_PX:
            return None
        return on_frame

    def _on_frame(self, box: Rect | None) -> Rect | None:
        whole = Rect(0, 0, self._frame.width, self._frame.height)
        return None if box is None else self._space.to_pixels(box).intersection(whole)


def _padded(start: int, end: int, others: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """From where to where a tab reaches whose label does from ``start`` to ``end``."""
    before = [start - theirs for _, theirs in others if theirs <= start]
    after = [theirs - end for theirs, _ in others if theirs >= end]
    gaps = [min(gaps) // 2 for gaps in (before, after) if gaps]
    return start - (min(before) // 2 if before else min([*gaps, _LEAST_GAP])), end + (
        min(after) // 2 if after else min([*gaps, _LEAST_GAP])
    )


def _is_compact(box: Rect) -> bool:
    """Whether it is about as high as wide."""
    return max(box.width, box.height) < 2 * min(box.width, box.height)


def _uncovered(box: Rect, window: Rect) -> Rect | None:
    """What a window that lies above leaves of a box: its largest side; all where it hides a corner or a hole."""
    common = box.intersection(window)
    if common is None:
        return box
    if common.width < box.width and common.height < box.height and 2 * common.area < box.area:
        return box
    sides = [
        Rect(box.x1, box.y1, box.x2, common.y1),
        Rect(box.x1, common.y2, box.x2, box.y2),
        Rect(box.x1, box.y1, common.x1, box.y2),
        Rect(common.x2, box.y1, box.x2, box.y2),
    ]
    best = max(sides, key=lambda side: side.area)
    return best if best.area else None


def _one_line(text: str) -> str:
    return " ".join(_written(text).split())


def _text_of(node: TreeNode) -> str:
    return _written(node.name or node.value)


_WIDGET: Final = re.compile(
    "(tool|toggle|check|radio|menu|spin|combo)?(button|item|label|entry|image|box|view)_?[0-9]+"
)
"""What a designer of windows calls a widget that nobody gave a name."""
_NO_LETTERS: Final = re.compile("[\ue000-\uf8ff]")
"""Where fonts of icons have their pictures."""


def _written(text: str) -> str:
    """What a person can read of a text."""
    return _NO_LETTERS.sub("", text).strip()


_TOLD_FALSE: Final[frozenset[State]] = frozenset({"checked", "focused", "highlighted"})
"""States that a toolkit which tells them at all leaves out where they do not hold."""
_CHECKABLE: Final = frozenset({
    "check box", "radio button", "switch", "toggle button", "check menu item", "radio menu item", "page tab",
})  # fmt: skip


def _states(node: TreeNode, kind: ElementType) -> dict[State, bool]:
    """The states of a node that its type may have; what is not plain is left out."""
    said = set(node.states)
    found: dict[State, bool] = {}
    for word, state in _STATES_OF.items():
        if word in said:
            found[state] = True
    if node.role == "page tab":
        found["checked"] = bool({"selected", "focused"} & said)  # Qt says "focused" of the tab that is shown
    elif node.role in _CHECKABLE or "checkable" in said:
        found["checked"] = bool({"checked", "pressed"} & said)
    if "expandable" in said or node.role in {"combo box", "menu"}:
        found["expanded"] = "expanded" in said
    if kind == "menu_item":
        found["highlighted"] = bool({"selected", "focused", "armed"} & said)
    found["disabled"] = not {"enabled", "sensitive"} & said
    for state in _TOLD_FALSE - {"checked"}:
        found.setdefault(state, False)
    return {state: value for state, value in found.items() if state in ATTRIBUTES[kind].states}
