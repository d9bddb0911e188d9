"""What programs reported about their windows (accessibility trees), as elements of a picture.

Roles, states and boxes are taken as they were reported; what is hidden, cut off or covered is left out. Whether pixels
agree is not asked here: see :mod:`.joining`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal

from demopack.domain.elements import AreaKind, ElementType, State
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.steps import AccessibleElement
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from models.vision.reports.nodes import name_of, one_line, states_of, text_of, written
from models.vision.reports.places import ICON_PX, TreePlaces
from models.vision.reports.rows import HEADERS, TABLES, is_in_sheet, is_place_of_tool, table_of

CONTAINERS: Final[frozenset[ElementType]] = frozenset({"toolbar", "dialog", "list_item", "tree_item"})
"""Types in which further elements lie."""
AROUND: Final[frozenset[ElementType]] = frozenset({"window", "dialog", "toolbar"})
"""Types that say nothing of where in them something is."""
_WORDS: Final[frozenset[ElementType]] = frozenset({"text", "hyperlink", "tabled_text"})
FIELDS: Final[frozenset[ElementType]] = frozenset({"input_field", "text_area", "dropdown", "spinner"})
"""Types whose text is their value."""
REPORTED_CONFIDENCE: Final = 0.9
"""How sure accessibility is; programs do tell nonsense at times."""
_LIT_UP: Final[frozenset[ElementType]] = frozenset({
    "button", "checkbox", "radio", "toggle", "tab", "menu", "menu_item",
})  # fmt: skip
"""Types that light up, all of them and nothing beside them, where the pointer is."""
_RIM_PX: Final = 2
"""Around a control that lights up: so far its light may reach."""
_DRAWN_ON_ROWS: Final[frozenset[ElementType]] = frozenset({"text", "icon", "image"})
"""Types of what a row shows: a click there chooses the row."""
_SPLITTER_PX: Final = 16
"""What is wider between the parts of a pane is no splitter."""
_TOOL_PX, _TOOLS_APART_PX = 22, 8
"""Least size of a tool's button, and what is between two of them at most."""
_IN_LINE_PX: Final = 4
_GRIP_PX: Final = 5
"""Around a splitter, which may be a single line: so far it can be dragged from, in GTK even a little further."""
_OPENED: Final = frozenset({"menu", "popup menu", "menu item", "check menu item", "radio menu item"})
"""What a menu shows once it is open."""
_PAGES: Final = frozenset({"document web", "document frame", "document text", "html container"})
_LISTS: Final = frozenset({"list", "list box", "menu", "popup menu", "window"})
"""What drops down from a control is no part of it."""
_GROUNDS: Final = frozenset({
    "canvas", "drawing area", "filler", "panel", "layered pane", "viewport", "scroll pane", "frame", "unknown",
})  # fmt: skip
"""Roles of what a program draws itself, where nothing but scroll bars is reported in it."""
_AREA_PX: Final = 48
"""Least side of such an area."""
_STRIP_PX: Final = 16
"""That of what a program surely draws itself, as a strip that shows where a document differs."""
_DRAWN: Final = frozenset({"canvas", "drawing area"})
_ENTRIES: Final = frozenset({"text", "entry"})
_LINES: Final = frozenset({"paragraph", "heading"})
_OVERFULL_PX: Final = 8
"""What is so much larger than what it lies in is scrolled there."""
_TAKES_WORDS: Final = frozenset({"editable", "focusable"})
"""States of a text that is a field, if one that nobody may change now."""
_MOST_CLICKED: Final = 80
"""More letters are a text, and no label."""
_MOST_CHANGED: Final = 0.25
"""Share of an element that may look otherwise, as where a caret blinks or a letter is added."""


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
        is_written: whether words can be written in it, so that there are none where none are reported.
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
    is_written: bool = False
    is_filled: bool = False
    unsure: bool = False
    acts: bool = False
    secure: bool
    window: Rect | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedArea:
    """A list, or a ground on which a program draws by itself: an element only where a step acted on nothing else.

    Attributes:
        kind: ``canvas``, ``list``, ``table``, ``tree``, ``page``, ``title bar``, ``cell`` (empty, of a sheet),
            ``scroll area``, which is only there to scroll what is in it, or ``splitter``, which can be dragged.
        name: what a cell is called, or the title of a window; empty of others.
        box: what can be seen of it, pixels of the frame.
        has_input: whether it had the input.
        stale: whether another one may be there by now; what is drawn on it may have changed.
        window: as of an element.
        covers: windows that lie above its own, pixels of the frame.
    """

    kind: AreaKind | Literal["cell", "splitter"]
    name: str
    box: Rect
    has_input: bool
    stale: bool
    window: Rect | None
    covers: tuple[Rect, ...] = ()


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
    found: list[ReportedArea] = []
    for place, window in enumerate(_windows(reports, frame, pointed)):
        above = [other.box for _, other in reports[:place] if other.box is not None]
        found += [replace(one, covers=tuple(map(frame.space.to_pixels, above))) for one in window.areas()]
    return found


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
        self._places = TreePlaces(tree, frame, above)
        self._children = self._places.children
        self._in_rows: set[int] = set()
        self._written_on: dict[int, str] = {}  # what is written on rows that are one node each
        self._is_gtk = tree.toolkit.lower().startswith("gtk")
        self._scale = max(1.0, frame.scale_factor or 1.0)
        self._is_qt = tree.toolkit.lower().startswith("qt")
        told = {(one.role, one.box) for one in pointed if one.box is not None}
        self._confirmed = [node.box for node in tree.nodes if node.box is not None and (node.role, node.box) in told]
        self._has_typed_into = self._is_qt and any(
            {"focused", "editable"} <= set(node.states) and node.role in {"text", "entry"} for node in tree.nodes
        )

    def elements(self) -> Iterator[ReportedElement]:
        """As they are reported, containers before what is in them."""
        nodes = self._tree.nodes
        leaves: set[int] = set()
        for index, node in enumerate(nodes):
            if self._is_part(index, leaves):
                leaves.add(index)
                continue
            if node.role in TABLES:
                yield from self._rows(index)
            kind = self._kind(index)
            if kind is None:
                continue
            opens = kind == "menu" or (kind == "menu_item" and node.role == "menu")
            holds = opens or self._places.is_group(index) or self._is_document(index)
            if kind not in CONTAINERS and not holds:
                leaves.add(index)
            made = self._element(index, kind, self._places.seen(index))
            if made is not None:
                yield made

    def areas(self) -> Iterator[ReportedArea]:
        """Those that are large enough to be acted on, outer ones first."""
        nodes = self._tree.nodes
        for index, node in enumerate(nodes):
            kind = self._kind_of_area(index)
            box = None if kind is None else self._places.seen(index)
            least = _STRIP_PX if node.role in _DRAWN or kind == "title bar" else _AREA_PX
            if kind is None or box is None or (kind != "cell" and min(box.width, box.height) < least):
                continue
            same = [node, *(one for i in self._tree.ancestors(index) if (one := nodes[i]).box == node.box)]
            yield ReportedArea(
                kind=kind,
                name=node.name if kind == "cell" else self._tree.title if kind == "title bar" else "",
                box=box,
                has_input=any("focused" in one.states for one in same),
                stale=self._is_stale(node.box) and not self._reading.proved,
                window=self._places.on_frame(self._tree.box),
            )
        for index, node in enumerate(nodes):
            if node.role == "split pane":
                yield from self._splitters(index)
            elif self._is_qt and node.role == "frame":
                yield from self._gaps_between_docks(index)

    def _splitters(self, index: int) -> Iterator[ReportedArea]:
        """What stands between the parts of a pane: Qt tells it without saying what it is, GTK leaves a gap."""
        nodes = self._tree.nodes
        parts = [(nodes[i], box) for i in self._children[index] if (box := nodes[i].box) is not None]
        told = [box for one, box in parts if one.role == "unknown" and min(box.width, box.height) <= _SPLITTER_PX]
        if not told and len(parts) == 2:
            gap = _between(parts[0][1], parts[1][1])
            told = [] if gap is None else [gap]
        for box in told:
            across, down = (_GRIP_PX, 0) if box.width < box.height else (0, _GRIP_PX)
            held = Rect(box.x1 - across, box.y1 - down, box.x2 + across, box.y2 + down)
            yield from self._splitter(index, held)

    def _gaps_between_docks(self, index: int) -> Iterator[ReportedArea]:
        """What stands between the docks of a window, and what they stand beside; Qt tells nothing of it."""
        nodes = self._tree.nodes
        docks = [box for i in self._children[index] if nodes[i].role == "frame" and (box := nodes[i].box) is not None]
        gaps = (_between(one, other) for one, other in combinations(docks, 2) if _are_in_line(one, other))
        for gap in gaps:
            if gap is not None and gap.area and not any(gap.intersection(dock) for dock in docks):
                yield from self._splitter(index, gap)

    def _splitter(self, index: int, held: Rect) -> Iterator[ReportedArea]:
        """A splitter that can be dragged by a box, as far as that can be seen."""
        seen = self._places.part_seen(held, of=index, within=index)
        if seen is not None:
            yield ReportedArea(
                kind="splitter",
                name="",
                box=seen,
                has_input=False,
                stale=not self._reading.proved,
                window=self._places.on_frame(self._tree.box),
            )

    def _kind_of_area(self, index: int) -> AreaKind | Literal["cell"] | None:
        """What it is, if it is one; a panel that holds more than scroll bars is none."""
        nodes, role = self._tree.nodes, self._tree.nodes[index].role
        if role == "table cell" and not nodes[index].value and is_in_sheet(index, self._tree):
            return "cell"
        if role == "title bar":
            return "title bar"
        if role in TABLES:
            return TABLES[role]
        if role in _PAGES and not self._is_document(index):
            return "page"
        if self._is_icon_view(index):
            return "list"
        below = [box for i in self._children[index] if nodes[i].role != "scroll bar" and (box := nodes[i].box)]
        if role in _GROUNDS and not below:
            return "canvas"
        return (
            "scroll area" if role == "scroll pane" or (role in _GROUNDS and self._is_overfull(index, below)) else None
        )

    def _is_icon_view(self, index: int | None) -> bool:
        """Whether it is GTK's list of pictures, each of which can be chosen."""
        if index is None or self._tree.nodes[index].role != "layered pane":
            return False
        inside = [self._tree.nodes[i] for i in self._children[index]]
        return bool(inside) and all(one.role == "icon" and "selectable" in one.states for one in inside)

    def _is_overfull(self, index: int, below: Sequence[Rect]) -> bool:
        """Whether what is in it is larger than it, and is scrolled."""
        own = self._tree.nodes[index].box
        return own is not None and any(
            box.width > own.width + _OVERFULL_PX or box.height > own.height + _OVERFULL_PX for box in below
        )

    def _is_part(self, index: int, leaves: Set[int]) -> bool:
        """Whether it is a part of a control: its arrow, its label; not what a tab, an expander or an area holds."""
        node = self._tree.nodes[index]
        if node.parent is None or node.parent not in leaves or node.role in _LISTS or node.role == "scroll bar":
            return False
        if node.role == "push button" and self._tree.nodes[node.parent].role in _ENTRIES:
            return False  # at its end, as one that empties it
        outer = self._places.own_box(node.parent)
        if outer is None and self._tree.nodes[node.parent].role == "page tab":
            return False  # of a notebook that shows no tabs
        return node.box is None or outer is None or node.box.intersection(outer) is not None

    # What it is --------------------------------------------------------------------------------------------------

    def _kind(self, index: int) -> ElementType | None:
        node = self._tree.nodes[index]
        kind = self._type_of_role(index)
        is_words = kind == "list_item" and (
            self._is_in_page(index) or is_place_of_tool(index, self._tree, self._children)
        )
        if is_words or index in self._in_rows or (kind in _DRAWN_ON_ROWS and self._is_on_row(index)):
            return None
        if kind in {"menu", "menu_item"}:
            return self._kind_of_menu(index, kind)
        if index in self._places.menu_rows:
            return "menu_item"
        if self._is_button(index, kind):
            return "button"
        if kind == "input_field" or self._is_text_to_read(index):
            return self._kind_of_field(index)
        if kind == "dropdown" and (entry := self._entry(index)) is not None and entry.box == node.box:
            return "input_field"  # its arrow is not shown
        if node.role == "toggle button" and "checkable" in node.states and self._is_in_page(index):
            return "toggle"  # a page's buttons that stay down are pressed, its switches checked
        if kind in {"icon", "image"} and node.box is not None:
            return "icon" if max(node.box.width, node.box.height) <= ICON_PX else "image"
        if self._is_document(index):
            return "text_area"
        return self._kind_of_words(index, kind) if kind in _WORDS else kind

    def _is_on_row(self, index: int) -> bool:
        """Whether it is what is written on a row, or its picture: a click on it chooses the row."""
        node = self._tree.nodes[index]
        row = next((words for i in self._tree.ancestors(index) if (words := self._written_on.get(i))), "")
        return bool(row) and (node.role in {"icon", "image"} or one_line(text_of(node)) == row)

    def _kind_of_words(self, index: int, kind: ElementType) -> ElementType | None:
        """Of a label, a cell or a link; None of what is a part of something else, or only holds other elements."""
        nodes, parent = self._tree.nodes, self._tree.nodes[index].parent
        if kind == "text" and parent is not None and self._is_document(parent):
            return None  # its paragraphs are what is written in it
        if any(nodes[child].role in TYPES_OF_ROLES for child in self._children[index]):
            # A paragraph or a cell with links, boxes to tick and the like in it: these are the elements.
            return None if kind != "hyperlink" else kind
        in_cell = any(nodes[i].role == "table cell" for i in self._tree.ancestors(index))
        return "tabled_text" if kind == "text" and (in_cell or is_in_sheet(index, self._tree)) else kind

    def _is_button(self, index: int, kind: ElementType | None) -> bool:
        """Whether it is about as high as wide, and not what it is called.

        Qt calls a button of a bar that stays down a box to tick, and GTK one that opens a slider, as that of a volume,
        a slider.
        """
        nodes, box = self._tree.nodes, self._tree.nodes[index].box
        if box is None or kind not in {"checkbox", "slider"} or not _is_compact(box):
            return False
        in_bar = self._is_qt and any(nodes[i].role == "tool bar" for i in self._tree.ancestors(index))
        if kind == "checkbox":
            return in_bar or (self._is_qt and not name_of(nodes[index]) and self._touches_another(index, box))
        return nodes[index].role == "slider"

    def _touches_another(self, index: int, box: Rect) -> bool:
        """Whether another of its kind and size stands right beside or below it, as in a box or a row of tools."""
        nodes, parent = self._tree.nodes, self._tree.nodes[index].parent
        same = (nodes[i] for i in (() if parent is None else self._children[parent]) if i != index)
        others = [one.box for one in same if one.role == nodes[index].role and one.box is not None]
        # Boxes to tick that have no words may stand that close to each other, but are smaller.
        most = _TOOLS_APART_PX if min(box.width, box.height) >= _TOOL_PX * self._scale else 1
        return any(_are_close(box, other, most=most) for other in others)

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
        if role == "push button" and "editable" in self._tree.nodes[index].states:
            return "input_field"  # KDE's field of a search
        if role == "icon" and self._is_icon_view(self._tree.nodes[index].parent):
            return "list_item"
        if role == "section" and self._words_to_click(index):
            return "hyperlink"
        return "button" if role in HEADERS and not self._is_in_page(index) else TYPES_OF_ROLES.get(role)

    def _words_to_click(self, index: int) -> str:
        """The words of a part of a page that can be clicked, where it holds nothing but these; empty for any other."""
        nodes, node = self._tree.nodes, self._tree.nodes[index]
        inside = [nodes[child] for child in self._children[index]]
        if "clickable" not in node.states or any(one.role != "static" for one in inside):
            return ""
        words = "".join(one.name for one in inside).strip()
        return words if len(words) <= _MOST_CLICKED else ""

    def _is_text_to_read(self, index: int) -> bool:
        """Whether it is an area of text that nobody can change, which Qt calls a label."""
        node = self._tree.nodes[index]
        return self._is_qt and node.role == "label" and {"focusable", "multi line"} <= set(node.states)

    def _is_document(self, index: int) -> bool:
        """Whether it is a document that is written in, as that of a word processor."""
        node = self._tree.nodes[index]
        return node.role == "document text" and "editable" in node.states

    def _is_in_page(self, index: int) -> bool:
        return any(self._tree.nodes[i].role in _PAGES for i in self._tree.ancestors(index))

    def _element(self, index: int, kind: ElementType, box: Rect | None) -> ReportedElement | None:
        node = self._tree.nodes[index]
        if box is None and self._tree.boxes == "pixels":
            return None
        is_field = kind in FIELDS
        name = name_of(node) or (self._label_below(index) if kind == "button" else self._words_to_click(index))
        entry = self._entry(index)
        value = node.value if entry is None else entry.value
        text = written(value or self._parts(index) if is_field else name or node.value)
        acts = kind == "hyperlink" and not text
        if kind in _WORDS and not text:
            if kind != "hyperlink" or box is None or max(box.width, box.height) > ICON_PX:
                return None
            kind = "icon"
        return ReportedElement(
            type=kind,
            box=box,
            name=one_line(name),
            text="" if node.secure else text,
            placeholder=node.placeholder if is_field and not node.value else "",
            states=self._states(index, kind),
            stale=self._is_stale(node.box, is_lit=kind in _LIT_UP),
            is_written=entry is not None,
            is_filled=node.role == "terminal" or (node.role == "label" and kind == "text_area"),
            acts=acts,
            secure=node.secure,
            window=self._places.on_frame(self._tree.box),
        )

    def _label_below(self, index: int) -> str:
        """What stands right below a button without a name, where nothing else is in what holds the two."""
        nodes, node = self._tree.nodes, self._tree.nodes[index]
        pair = () if node.parent is None else self._children[node.parent]
        labels = [nodes[i] for i in pair if nodes[i].role == "label"]
        if len(pair) != 2 or len(labels) != 1 or node.box is None or labels[0].box is None:
            return ""
        label = labels[0].box
        is_below = 0 <= label.y1 - node.box.y2 <= label.height and label.x1 < node.box.center.x < label.x2
        return labels[0].name if is_below else ""

    def _states(self, index: int, kind: ElementType) -> dict[State, bool]:
        """The states of a node, with what its neighbours say of them."""
        node, found = self._tree.nodes[index], states_of(self._tree.nodes[index], kind)
        below = [self._tree.nodes[child].role in _OPENED for child in self._children[index]]
        if self._has_typed_into and kind not in FIELDS and "focused" in found:
            found["focused"] = False  # whoever passes the input on to a field has it as well, as Qt says
        if index in self._places.menu_rows:
            found["highlighted"] = bool({"armed", "selected"} & set(node.states))  # the input is not drawn there
        if kind == "menu":
            found["expanded"] = found.get("expanded", False) or any(below)
        if node.role == "page tab" and self._is_qt:
            above = None if node.parent is None else self._tree.nodes[node.parent]
            found["focused"] = above is not None and {"focused"} <= set(above.states) and found["checked"]
        return found

    def _entry(self, index: int) -> TreeNode | None:
        """The field in a drop-down list in which words can be written."""
        nodes = self._tree.nodes
        if nodes[index].role != "combo box":
            return None
        fields = (nodes[i] for i in self._children[index] if nodes[i].role in _ENTRIES)
        return next((one for one in fields if "editable" in one.states), None)

    def _parts(self, index: int) -> str:
        """What the parts of a field show: the paragraphs of a document, or the fields of a date from left to right."""
        nodes = self._tree.nodes
        if self._is_document(index):
            return "\n".join(nodes[i].value or nodes[i].name for i in self._children[index] if nodes[i].role in _LINES)
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

    def _is_stale(self, box: Rect | None, *, is_lit: bool = False) -> bool:
        """Whether it may be gone: nothing proves that it was there, or much of it looked otherwise.

        Args:
            box: of the desktop.
            is_lit: whether it looks otherwise, and is the same, where the pointer is on it.
        """
        changed = self._reading.changed
        if box is not None and is_lit:
            changed = tuple(part for part in changed if not box.grown(_RIM_PX).encloses(part))
        if box is not None and any(box.encloses(part) for part in self._confirmed):
            return False  # asked a moment later, the program said the same
        return not self._reading.proved or (
            box is not None and sum(box.share_in(part) for part in changed) > _MOST_CHANGED
        )

    # Rows --------------------------------------------------------------------------------------------------------

    def _rows(self, index: int) -> Iterator[ReportedElement]:
        """The rows of a list, tree or table, the cells of those that have several, and what can be ticked in them."""
        nodes = self._tree.nodes
        table = table_of(index, self._tree, self._places, is_in_page=self._is_in_page(index))
        self._in_rows.update(table.nodes)
        yield from self._cells(table.cells, index)
        for row in table.rows:
            seen = self._places.part_seen(row.box, of=index, within=index)
            if seen is None:
                continue
            yield ReportedElement(
                type=row.type,
                box=seen,
                name=row.name,
                text=row.text,
                placeholder="",
                states=row.states,
                stale=self._is_stale(row.box),
                secure=False,
                window=self._places.on_frame(self._tree.box),
            )
            if len(row.cells) == 1 and row.text:
                self._written_on[row.cells[0]] = row.text
            if len(row.parts) > 1:
                yield from self._cells(row.parts, index)
            first = next((words for i in row.parts if (words := text_of(nodes[i]))), "")
            ticks = (self._tick(i, index, name=one_line(text_of(nodes[i]) or first)) for i in row.cells)
            yield from (one for one in ticks if one is not None)

    def _tick(self, cell: int, table: int, *, name: str) -> ReportedElement | None:
        """The box to tick of a cell: Qt says that it can be ticked, GTK tells nothing but a cell without words."""
        node = self._tree.nodes[cell]
        is_bare = node.role == "table cell" and not text_of(node) and not self._children[cell]
        is_told = bool({"checkable", "checked"} & set(node.states))  # Qt 5 says the second alone
        if node.box is None or not (is_told or (self._is_gtk and is_bare)):
            return None
        box = self._places.part_seen(node.box, of=cell, within=table)
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
            window=self._places.on_frame(self._tree.box),
        )

    def _cells(self, row: Sequence[int], table: int) -> Iterator[ReportedElement]:
        for i in row:
            node = self._tree.nodes[i]
            box = None if node.box is None else self._places.part_seen(node.box, of=i, within=table)
            in_sheet = is_in_sheet(i, self._tree)
            says = node.value if in_sheet else text_of(node)
            made = self._element(i, "tabled_text", box) if says and not self._children[i] else None
            if made is not None and box is not None:
                yield replace(made, name=one_line(says), text=says) if in_sheet else made


def _are_close(box: Rect, other: Rect, *, most: int) -> bool:
    """Whether two boxes of one size, but for a pixel, touch each other or stand side by side, so many pixels apart."""
    if max(abs(box.width - other.width), abs(box.height - other.height)) > 1:
        return False
    across, down = abs(box.x1 - other.x1), abs(box.y1 - other.y1)
    beside = down <= 1 and -1 <= across - box.width <= most
    return beside or (across <= 1 and abs(down - box.height) <= 1)


def _between(one: Rect, other: Rect) -> Rect | None:
    """The narrow gap between two boxes beside or below each other, where they stand as long as each other."""
    if one.x2 <= other.x1 or other.x2 <= one.x1:
        x1, x2 = sorted((one.x1, one.x2, other.x1, other.x2))[1:3]
        gap = Rect(x1, max(one.y1, other.y1), x2, max(one.y1, other.y1, min(one.y2, other.y2)))
    else:
        y1, y2 = sorted((one.y1, one.y2, other.y1, other.y2))[1:3]
        gap = Rect(max(one.x1, other.x1), y1, max(one.x1, other.x1, min(one.x2, other.x2)), y2)
    apart = one.intersection(other) is None
    return gap if apart and min(gap.width, gap.height) <= _SPLITTER_PX < max(gap.width, gap.height) else None


def _are_in_line(one: Rect, other: Rect) -> bool:
    """Whether two boxes begin and end at the same height, or at the same places across."""
    return max(abs(one.x1 - other.x1), abs(one.x2 - other.x2)) <= _IN_LINE_PX or (
        max(abs(one.y1 - other.y1), abs(one.y2 - other.y2)) <= _IN_LINE_PX
    )


def _is_compact(box: Rect) -> bool:
    """Whether it is about as high as wide."""
    return max(box.width, box.height) < 2 * min(box.width, box.height)
