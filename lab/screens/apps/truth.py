"""From what programs tell to what is true on the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from lab.screens.apps import bars, buttons, entries, fields, menus, rows, words
from lab.screens.apps.desktop_state import Moment, Node, Window
from lab.screens.apps.overlays import with_overlays
from lab.screens.apps.reading import TextFinder
from lab.screens.apps.rest import finish
from lab.screens.apps.sheet import Place, Sheet
from lab.screens.apps.tabs import with_drawn_tabs
from models.training.labelled_screens import GroundTruth

_TOPS = frozenset({"frame", "dialog", "window", "alert", "file chooser", "color chooser", "popup menu", "tool tip"})
_ANYWHERE = frozenset({"menu bar", "list item", "unknown", "application"})
"""What is in these may be drawn outside them."""
_ITEMS = frozenset({"menu item", "check menu item", "radio menu item", "menu", "tearoff menu item"})
_ROWS = frozenset({"table", "tree table", "tree", "list", "list box"})
_PICTURES = frozenset({"drawing area", "canvas", "unknown", "chart", "image", "icon"})
_TITLED = frozenset({"panel", "grouping", "status bar", "window", "internal frame", "filler", "frame", "unknown"})
_SLACK_PX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A picture on which every element is known; parts that are not were painted over."""

    image: RgbImage
    elements: tuple[GroundTruth, ...]
    doubts: tuple[str, ...]
    painted: float


def clean(moment: Moment, finder: TextFinder, *, titles: TextFinder, scale: int) -> Cleaned:
    """The truth of a screen.

    Args:
        moment: what was seen and told.
        finder: for texts in the programs' font.
        titles: for texts in the window manager's font.
        scale: pixels for each unit of the programs.
    """
    windows, covers = with_overlays(moment, _window_of)
    sheet = Sheet(picture=moment.image, windows=windows, finder=finder, titles=titles, scale=scale)
    bars.add_windows(sheet)
    walker = _Walker(sheet, covers)
    for program in moment.programs:
        for top in program.children:
            walker.top(top)
    image, painted = finish(sheet)
    return Cleaned(image=image, elements=tuple(sheet.elements), doubts=tuple(sheet.doubts), painted=painted)


class _Walker:
    def __init__(self, sheet: Sheet, covers: Mapping[int, Rect]) -> None:
        self._sheet = sheet
        self._covers = covers

    def top(self, node: Node) -> None:
        """A window of a program, if it is on the screen."""
        if node.box is None or "showing" not in node.states:
            return
        number = self._window(node.box)
        if number is not None:
            box = self._sheet.windows[number].box
            self._below(node, Place(number, box))

    def _window(self, box: Rect) -> int | None:
        return _window_of(self._sheet.windows, box)

    def _below(self, node: Node, place: Place, parents: tuple[str, ...] = ()) -> None:
        for child in node.children:
            inner = self._cover(child) or place
            self._one(child, inner, (*parents, node.role))

    def _cover(self, node: Node) -> Place | None:
        box = self._covers.get(id(node))
        if box is None:
            return None
        return Place(next(n for n, w in enumerate(self._sheet.windows) if w.kind == "popup" and w.box == box), box)

    def _one(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        if node.role in _ITEMS:
            self._menu(node, place, parents)
        elif ("showing" not in node.states and node.box is None) or (
            node.role in _TOPS and node.box is not None and parents and self._elsewhere(node, place, parents)
        ):
            return
        elif node.role in _ROWS:
            self._list(node, place, parents)
        elif node.role in _RULES and node.shown:
            self._control(node, place, parents)
        else:
            self._container(node, place, parents)

    def _elsewhere(self, node: Node, place: Place, parents: tuple[str, ...]) -> bool:
        """A window that counts as part of another one; whether that was all there is to do."""
        number = self._window(node.box) if node.box is not None else None
        if number is not None and number < place.window:
            self._below(node, Place(number, self._sheet.windows[number].box), parents)
            return True
        return node.role == "popup menu" and number is None

    def _control(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        if node.role == "text" and not _is_field(node):
            words.add_label(self._sheet, node, place)
            return
        if node.role in menus.PRESSED and self._sheet.windows[place.window].box in self._covers.values():
            menus.add_popover_row(self._sheet, node, place)
            return
        _RULES[node.role](self._sheet, node, place)
        if node.role == "page tab":
            self._below(node, place, parents)
        if node.role == "combo box":
            self._popped(node, place, parents)

    def _container(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        sheet = self._sheet
        if node.role == "tool bar":
            bars.add_toolbar(sheet, node, place)
        if node.role in _TITLED and node.name and node.box is not None:
            self._title(node, place)
        if not node.children:
            if node.shown and node.role in _PICTURES:
                fields.add_picture(sheet, node, place)
        elif node.role == "layered pane" and all(child.role == "icon" for child in node.children):
            entries.add_items(sheet, node, place)
        elif menus.is_popover(node):
            for child in node.children:
                menus.add_popover_row(sheet, child, place)
        else:
            self._inside(with_drawn_tabs(node) if node.role == "page tab list" else node, place, parents)

    def _inside(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        """What is in an element; what sticks out of it cannot be seen."""
        if node.box is not None and node.role not in _ANYWHERE:
            clip = node.box.intersection(place.clip)
            if clip is None:
                return
            place = Place(place.window, clip)
        self._below(node, place, parents)

    def _title(self, node: Node, place: Place) -> None:
        """The title of a group of controls, or a message: told as a name, drawn at the top or nowhere."""
        box = node.box
        if box is None or any(c.role == "label" and c.name == node.name for c in node.walk()):
            return
        high = 30 * self._sheet.scale
        seen = self._sheet.seen(Rect(box.x1, box.y1, box.x2, min(box.y2, box.y1 + high)), place)
        drawn = None if seen is None else self._sheet.first_found(seen.box, [node.name], more=True)
        if drawn is not None and not any(e.box.intersection(drawn[1]) for e in self._sheet.elements if e.leaf):
            where = drawn[1]
            rough = Rect(where.x1 - 2, where.y1 - 2, where.x2 + 2, where.y2 + 2)
            self._sheet.add_line("text", rough, drawn[0])

    def _list(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        if not node.shown:
            return
        kinds = {child.role for child in node.children}
        number = menus.popup_around(self._sheet, node.box) if node.box else None
        if number is not None and number < place.window:
            place = Place(number, self._sheet.windows[number].box)
            for child in node.children:
                if child.box is not None:
                    menus.add_item(self._sheet, child, place)
            return
        if kinds <= {"icon"} and kinds:
            entries.add_items(self._sheet, node, place)
            return
        if any(child.children for child in node.children if child.role == "list item"):
            self._box(node, place, parents)
            return
        rows.add_rows(self._sheet, node, place)
        others = [c for c in node.children if c.role not in rows.ROW_ROLES]
        for child in others:
            self._one(child, place, (*parents, node.role))

    def _box(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        """A list whose rows are made of other elements."""
        clip = (node.box or place.clip).intersection(place.clip)
        inner = place if clip is None else Place(place.window, clip)
        for child in node.children:
            if child.role != "list item" or not child.shown or not entries.add_box_row(self._sheet, child, inner):
                self._below(child, inner, (*parents, node.role))

    def _menu(self, node: Node, place: Place, parents: tuple[str, ...]) -> None:
        if not node.shown or node.box is None:
            return
        if parents and parents[-1] == "menu bar":
            opened = self._popped(node, place, parents)
            menus.add_entry(self._sheet, node, place, opened=opened)
            return
        number = menus.popup_around(self._sheet, node.box)
        if number is None:
            return
        inner = Place(number, self._sheet.windows[number].box)
        if node.role == "menu" and _same(self._sheet.windows[number].box, node.box):
            self._below(node, inner, parents)  # the panel of a menu itself
            return
        menus.add_item(self._sheet, node, inner)
        self._popped(node, place, parents)

    def _popped(self, node: Node, place: Place, parents: tuple[str, ...]) -> bool:
        """What has popped up from an element; whether anything has."""
        before = len(self._sheet.elements)
        for child in node.children:
            if child.role in _ITEMS or child.role in {"popup menu", "window", "list", "separator"}:
                self._one(child, place, (*parents, node.role))
        return len(self._sheet.elements) > before


def _is_field(node: Node) -> bool:
    return "editable" in node.states or "multi line" in node.states or node.role != "text"


def _window_of(windows: Sequence[Window], box: Rect) -> int | None:
    for number, window in enumerate(windows):
        if _same(window.box, box) or _same(window.frame, box) or _close(window, box):
            return number
    return None


def _same(a: Rect, b: Rect) -> bool:
    return all(abs(p - q) <= _SLACK_PX for p, q in ((a.x1, b.x1), (a.y1, b.y1), (a.x2, b.x2), (a.y2, b.y2)))


def _close(window: Window, box: Rect) -> bool:
    """Whether a box is a window's but for an invisible shadow around it."""
    return window.kind != "popup" and box.encloses(window.box) and box.width - window.box.width <= 120


_Rule = Callable[[Sheet, Node, Place], None]


def _link(sheet: Sheet, node: Node, place: Place) -> None:
    words.add_label(sheet, node, place, kind="hyperlink")


def _toggle(sheet: Sheet, node: Node, place: Place) -> None:
    buttons.add_button(sheet, node, place, checkable=True)


def _nothing(_: Sheet, __: Node, ___: Place) -> None:
    """Lines between things are no elements."""


_RULES: Final[dict[str, _Rule]] = {
    "push button": buttons.add_button,
    "push button menu": buttons.add_button,
    "toggle button": _toggle,
    "check box": buttons.add_check,
    "radio button": buttons.add_check,
    "label": words.add_label,
    "static": words.add_label,
    "heading": words.add_label,
    "paragraph": words.add_label,
    "caption": words.add_label,
    "link": _link,
    "text": fields.add_field,
    "entry": fields.add_field,
    "password text": fields.add_field,
    "editbar": fields.add_field,
    "terminal": fields.add_field,
    "combo box": fields.add_dropdown,
    "spin button": fields.add_spinner,
    "slider": fields.add_bar,
    "scroll bar": fields.add_bar,
    "progress bar": fields.add_bar,
    "level bar": fields.add_bar,
    "page tab": fields.add_tab,
    "image": fields.add_picture,
    "icon": fields.add_picture,
    "separator": _nothing,
}
