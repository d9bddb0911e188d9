"""Where what a program reported about a window can be seen.

Boxes are reported whole: of what is scrolled away, hidden by another window or below a popover, and of a branch with
all that it holds. Here they become what a person sees of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.trees import WindowTree

ICON_PX: Final = 64
"""Largest side of an icon; what is larger is a picture."""
_CLIPPING: Final = frozenset({
    "dialog", "frame", "internal frame", "scroll pane", "viewport", "window", "document frame", "document web",
    "document text", "table", "tree", "tree table", "list", "list box",
})  # fmt: skip
_ANYWHERE: Final = frozenset({"menu bar", "menu", "popup menu", "combo box", "list item", "unknown", "application"})
"""What is in these may be drawn outside them."""
_POPPING_UP: Final = frozenset({"menu", "popup menu", "combo box", "tool tip"})
_ENTRIES: Final = frozenset({"menu item", "check menu item", "radio menu item"})
_ROW_WIDTHS: Final = 1.5
"""Least width of a row in a menu, in its heights: a sign alone is none, however narrow its popover is."""
_ROWS_OF_MENU: Final = frozenset({"push button", "check box", "radio button"})
_LINE_SHARE: Final = 0.8
"""Width of a row of a popover's menu, as a share of the popover's."""
_TAB_PX: Final = 4
_LEAST_GAP: Final = 12
"""Padding of a tab that stands alone, in its program's units."""
_LEAST_PX: Final = 3
_LEAST_SEEN: Final = 0.35
"""Share of an element's height or width that must be seen."""


class TreePlaces:
    """What can be seen of the nodes of one tree.

    Attributes:
        children: the indices of the children of each node.
        menu_rows: buttons of popovers that are rows of a menu.
    """

    def __init__(self, tree: WindowTree, frame: Frame, above: Sequence[tuple[Rect, bool]]) -> None:
        """Begin.

        Args:
            tree: of the window.
            frame: the picture.
            above: boxes of windows that lie above it, pixels of the desktop, and whether each may be a menu or a list
                of this one.
        """
        self._tree = tree
        self._frame = frame
        self._above = above
        self._space = frame.space
        self._is_gtk = tree.toolkit.lower().startswith("gtk")
        self._is_qt = tree.toolkit.lower().startswith("qt")
        self.children = tree.children()
        self._popovers = list(self._found_popovers())
        self.menu_rows = {index for popover, box in self._popovers for index in self._rows_of_menu(popover, box)}
        self._cuts: list[Rect | None] = []
        for index in range(len(tree.nodes)):
            self._cuts.append(self._cut(index))

    def own_box(self, index: int) -> Rect | None:
        """The box of a node; of a branch, an expander or a group that holds what it opens, its own row alone."""
        nodes = self._tree.nodes
        node = nodes[index]
        box = node.box
        if box is not None and node.role == "page tab" and self._is_gtk:
            return self._tab_around(index, box)
        if box is None or not (node.role == "tree item" or self._is_expander(index) or self.is_group(index)):
            return box
        below = list(self.children[index])
        tops: list[int] = []
        while below:
            one = below.pop()
            twig = nodes[one].box
            if node.role == "tree item" and nodes[one].role != "tree item":
                below += self.children[one]
            elif twig is not None and box.y1 < twig.y1 < box.y2:
                tops.append(twig.y1)
        return Rect(box.x1, box.y1, box.x2, min([box.y2, *tops]))

    def seen(self, index: int) -> Rect | None:
        """The part of a node that can be seen, pixels of the frame; None for too little, or where no place is known."""
        node, box = self._tree.nodes[index], self.own_box(index)
        if box is None or self._tree.boxes != "pixels":
            return None
        return self.part_seen(box, of=index, within=node.parent)

    def part_seen(self, box: Rect, *, of: int, within: int | None) -> Rect | None:
        """The part of a box of the desktop that can be seen, pixels of the frame; None for too little of it.

        Args:
            box: of a node, or of a row of some.
            of: the node, or the table of the row.
            within: the node in which it lies; None for the window itself.
        """
        popping, cut = self._pops_up(of), None if within is None else self._cuts[within]
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
        on_frame = self.on_frame(part)
        if on_frame is None:
            return None
        whole = self._space.to_pixels(box)
        seen = on_frame.width >= _LEAST_SEEN * whole.width or on_frame.width >= ICON_PX
        if not seen or on_frame.height < _LEAST_SEEN * whole.height or min(on_frame.width, on_frame.height) < _LEAST_PX:
            return None
        return on_frame

    def on_frame(self, box: Rect | None) -> Rect | None:
        """A box of the desktop in pixels of the frame; None where nothing of it is there."""
        whole = Rect(0, 0, self._frame.width, self._frame.height)
        return None if box is None else self._space.to_pixels(box).intersection(whole)

    def is_group(self, index: int) -> bool:
        """Whether it is the title of a group, with a box to tick, and has the controls of the group in it, as in Qt."""
        nodes = self._tree.nodes
        return nodes[index].role == "check box" and any(
            nodes[i].role in TYPES_OF_ROLES or self.children[i] for i in self.children[index]
        )

    def _is_expander(self, index: int) -> bool:
        """Whether it is a row of GTK that shows or hides what stands below it."""
        node = self._tree.nodes[index]
        return node.role == "toggle button" and "expandable" in node.states

    def _tab_around(self, index: int, label: Rect) -> Rect:
        """The whole tab of a notebook of GTK, which tells where its label is.

        The padding along its row is half of what is between two labels; across, a tab reaches from the edge of the
        notebook to the page that is shown.
        """
        nodes, parent = self._tree.nodes, self._tree.nodes[index].parent
        book = None if parent is None else nodes[parent].box
        if parent is None or book is None:
            return label
        tabs = [i for i in self.children[parent] if nodes[i].role == "page tab"]
        others = [box for i in tabs if i != index and (box := nodes[i].box) is not None]
        pages = [box for i in tabs for child in self.children[i] if (box := nodes[child].box) is not None]
        page = max(pages, key=lambda one: one.area, default=None)
        upright = page is not None and (page.x1 >= label.x2 or page.x2 <= label.x1)
        if upright and page is not None:
            y1, y2 = _padded(label.y1, label.y2, [(one.y1, one.y2) for one in others])
            x1, x2 = (book.x1, page.x1) if page.x1 >= label.x2 else (page.x2, book.x2)
        else:
            x1, x2 = _padded(label.x1, label.x2, [(one.x1, one.x2) for one in others])
            y1, y2 = label.y1 - _TAB_PX, label.y2 + _TAB_PX
            if page is not None:
                y1, y2 = (book.y1, page.y1) if page.y1 >= label.y2 else (page.y2, book.y2)
        if x1 > x2 or y1 > y2:
            return label  # its page lies outside the notebook
        inside = Rect(x1, y1, x2, y2).intersection(book)
        return inside if inside is not None and inside.encloses(label) else label

    def _cut(self, index: int) -> Rect | None:
        """Within which box of the desktop what is in a node can be seen; None for any."""
        node = self._tree.nodes[index]
        outer = self._tree.box if node.parent is None else self._cuts[node.parent]
        if node.role in _POPPING_UP and node.parent is not None:
            return None
        if node.role == "menu bar" and (node.box is None or not node.box.area):
            return Rect(0, 0, 0, 0)  # LibreOffice tells its own bar, too, where GTK shows one
        cuts = node.role in _CLIPPING or (self._is_qt and node.role not in _ANYWHERE)
        if not cuts or node.box is None or not node.box.area:
            return outer
        return node.box if outer is None else (outer.intersection(node.box) or Rect(0, 0, 0, 0))

    def _found_popovers(self) -> Iterator[tuple[int, Rect]]:
        """What GTK shows above the rest of its own window, without the shadow and the arrow around it."""
        for index, node in enumerate(self._tree.nodes):
            if self._is_gtk and node.role == "panel" and "modal" in node.states and node.parent is not None:
                inner = next((box for i in self.children[index] if (box := self._tree.nodes[i].box)), node.box)
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
            and node.box.width >= max(_LINE_SHARE * box.width, _ROW_WIDTHS * node.box.height)
            and popover in self._tree.ancestors(index)
        ]
        return rows if len(rows) > 1 else []

    def _pops_up(self, index: int) -> bool:
        """Whether it may be drawn in a window of its own, as the entries of menus and drop-down lists are."""
        nodes = self._tree.nodes
        node = nodes[index]
        stays = node.role == "combo box" or (node.parent is not None and nodes[node.parent].role == "menu bar")
        # A button may open its entries without a menu around them.
        own = node.role in _POPPING_UP | _ENTRIES and not stays
        return own or any(nodes[i].role in _POPPING_UP for i in self._tree.ancestors(index))


def _padded(start: int, end: int, others: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """From where to where a tab reaches whose label does from ``start`` to ``end``."""
    before = [start - theirs for _, theirs in others if theirs <= start]
    after = [theirs - end for theirs, _ in others if theirs >= end]
    gaps = [min(gaps) // 2 for gaps in (before, after) if gaps]
    return start - (min(before) // 2 if before else min([*gaps, _LEAST_GAP])), end + (
        min(after) // 2 if after else min([*gaps, _LEAST_GAP])
    )


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
