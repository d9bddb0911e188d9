"""What was found in the pixels of a window whose program reported all of it, and never said a word about that.

A model takes the title of a group for a link and a status bar for a field. Where a program that tells its controls
reports a label, or a panel with other controls in it, such a find is no control: its words are words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from demopack.domain.elements import ATTRIBUTES, Element, ElementType, State
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Point, Rect, Size, iou
from demopack.domain.marks import MARKS
from demopack.domain.roles import TYPES_OF_ROLES
from demopack.domain.text_likeness import letters_in
from demopack.domain.trees import TITLE_BAR, TreeNode, TreeReading, WindowTree
from models.vision.fusion import LINE_TYPES, ROWS
from models.vision.reading.text_lines import TEXT_MARGIN_PX, underlines

Holds = Literal["anything", "controls", "icons", "signs", "words"]
"""What nobody reported may be at a place beside words: anything; controls, but no icons; icons; those of which a model
is sure; nothing else."""

_TEXTS: Final = frozenset({"label", "static", "heading", "caption", "paragraph"})
_PICTURES: Final = frozenset({"image", "icon"})
_CONTROL_PX: Final = 48
"""Height from which a picture is a picture; in a lower one a control may be drawn."""
_FIELDS: Final = frozenset({"text", "entry"})
_ROWS: Final = frozenset({"table cell", "list item", "tree item", "table row"})
_BARS: Final = frozenset({"tool bar", "menu bar"})
_BARE: Final = frozenset({"filler", "panel", "viewport", "scroll pane", "separator"})
"""Roles of GTK that draw nothing of their own; but wx draws in panels with nothing in them."""
_HOLDERS: Final = _BARE | _BARS | {
    "frame", "dialog", "window", "split pane", "layered pane", "root pane", "section", "page tab",
    "page tab list", "grouping", "toggle button", "alert", "file chooser", "color chooser", "font chooser",
}  # fmt: skip
"""Roles that draw no control of their own beside those that are in them."""
CLAIMS: Final[frozenset[ElementType]] = frozenset({
    "button", "checkbox", "radio", "toggle", "input_field", "text_area", "dropdown", "spinner", "slider", "menu",
    "menu_item", "tab", "list_item", "tree_item", "hyperlink",
})  # fmt: skip
"""Types that a program which tells anything tells."""
_INSIDE: Final = 0.8
"""Share of a control that must lie in another to be in it."""
_SURE: Final = 0.5
_SURE_LOOK: Final = 0.8
_SAME_WINDOW, _SAME_PLACE = 0.7, 0.8
_ROW_STATES: Final[frozenset[State]] = ATTRIBUTES["list_item"].states
_PART: Final = 0.6
"""Share of an element, at most, that one inside it covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A part of the screen that lies on those before it.

    Attributes:
        box: pixels of the frame.
        holds: what may be there that nobody reported.
        window: what can be seen of its window at most, pixels of the frame; None when unknown.
        tells_menus: whether its program tells all menus that it has, as toolkits do, and pages do not.
    """

    box: Rect
    holds: Holds
    window: Rect | None
    tells_menus: bool = False


def grounds_of(reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame) -> list[Ground]:
    """The windows on a frame and their parts, what lies on top last.

    Args:
        reports: what was read of the windows on the frame, topmost first.
        frame: the picture.
    """
    return [ground for reading, tree in reversed(reports) for ground in _of_window(reading, tree, frame)]


def _of_window(reading: TreeReading, tree: WindowTree, frame: Frame) -> Iterator[Ground]:
    whole = Rect(0, 0, frame.width, frame.height)

    def on_frame(box: Rect | None) -> Rect | None:
        return None if box is None else frame.space.to_pixels(box).intersection(whole)

    window = on_frame(tree.box)
    is_told = reading.proved and tree.complete and tree.boxes == "pixels" and bool(tree.nodes)
    tells_menus = is_told and tree.toolkit.lower().startswith(("gtk", "qt"))
    if window is not None:
        yield Ground(box=window, holds="icons" if is_told else "anything", window=window, tells_menus=tells_menus)
    if not is_told:
        return
    for box, holds in _parts(tree):
        part = on_frame(box)
        part = part if part is None or window is None else part.intersection(window)
        if part is not None:
            yield Ground(box=part, holds=holds, window=window, tells_menus=tells_menus)
    for changed in reading.changed:
        part = on_frame(changed)
        if part is not None:
            yield Ground(box=part, holds="anything", window=window)


def _parts(tree: WindowTree) -> Iterator[tuple[Rect, Holds]]:
    """What may be in each node, as far as it can be seen."""
    children, seen, written = tree.children(), list[Rect | None](), set[int]()
    is_gtk = tree.toolkit.lower().startswith("gtk")
    for index, node in enumerate(tree.nodes):
        outer = None if node.parent is None else seen[node.parent]
        inner = node.box if node.box is None or outer is None else node.box.intersection(outer)
        # What is in a tab or a menu lies beside it.
        seen.append(outer if node.role in {"page tab", "menu", "combo box"} or inner is None else inner)
        if node.parent in written and node.role != "scroll bar":
            written.add(index)  # what a text lies on
            continue
        if inner is None:
            continue
        is_text = node.role in _FIELDS or (node.role in _TEXTS and not node.name)
        if is_text and "multi line" in node.states:  # which GTK says of its tabs as well
            written.add(index)
        if node.role == "page tab list" and not _has_page(index, tree, children):
            yield inner, "anything"  # what its page shows was not told, or not yet
            continue
        has_parts = any(tree.nodes[child].role in TYPES_OF_ROLES or children[child] for child in children[index])
        yield inner, _held(node, has_parts=has_parts, is_gtk=is_gtk)


def _has_page(index: int, tree: WindowTree, children: Sequence[Sequence[int]]) -> bool:
    """Whether anything of the page that tabs show is told."""
    below = (tree.nodes[one] for tab in children[index] for one in (tab, *children[tab]))
    return any(one.role not in {"page tab", "label"} and one.box is not None for one in below)


def _held(node: TreeNode, *, has_parts: bool, is_gtk: bool) -> Holds:
    role = node.role
    is_text = role in _FIELDS and "multi line" in node.states
    if role == TITLE_BAR and node.parent is None:
        return "words"
    if is_text or (role in _TEXTS and (node.name or "multi line" in node.states) and not has_parts):
        return "words"
    if role in _TEXTS or (role in _PICTURES and node.box is not None and node.box.height > _CONTROL_PX):
        return "icons"
    if role in _ROWS:
        return "controls"  # as a box to tick that a cell draws
    if role == "status bar" or (role in _HOLDERS and (has_parts or (is_gtk and role in _BARE - {"panel"}))):
        is_bare = role in _BARS or (is_gtk and node.parent is not None and role in _BARE)
        return "signs" if role in _BARS else "words" if is_bare else "icons"
    return "anything"


def without_unreported(
    elements: Sequence[Element], grounds: Sequence[Ground], told: Sequence[Element], image: RgbImage
) -> list[Element]:
    """The elements, without those that their program would have told and did not; their words stay.

    Args:
        elements: what was found and nobody reported.
        grounds: see :func:`grounds_of`, of windows whose boxes are believed.
        told: the elements that were reported.
        image: the frame's pixels, shape (height, width, 3), uint8.
    """
    controls = [one.box for one in told if one.type in CLAIMS]
    words = [one for one in told if one.type in LINE_TYPES]
    windows = [one for one in dict.fromkeys(ground.window for ground in grounds) if one is not None]
    return [
        left
        for one in elements
        if (left := _left_of(one, _ground_at(one.box.center, grounds), controls, words, windows, image)) is not None
    ]


def _ground_at(at: Point, grounds: Sequence[Ground]) -> Ground | None:
    return next((one for one in reversed(grounds) if one.box.contains(at)), None)


def _is_window(box: Rect, windows: Sequence[Rect]) -> bool:
    """Whether a window of the screen lies there."""
    return any(iou(box, one) >= _SAME_WINDOW for one in windows)


def _left_of(
    one: Element,
    ground: Ground | None,
    controls: Sequence[Rect],
    words: Sequence[Element],
    windows: Sequence[Rect],
    image: RgbImage,
) -> Element | None:
    """What an element is, as it lies on a ground; None for nothing."""
    if ground is None or one.source == "human" or one.review != "unreviewed":
        return one
    if one.type in CLAIMS and any(
        box.share_in(one.box) >= _INSIDE and box.area <= _PART * one.box.area for box in controls
    ):
        return None
    if one.type == "window" and one.source == "detector" and not _is_window(one.box, windows):
        return None
    if one.type in {"menu", "menu_item"} and ground.tells_menus and ground.holds in {"anything", "controls"}:
        kind: ElementType = "tree_item" if any(said.type == "tree_item" for said in one.evidence) else "list_item"
        return one.but(type=kind, states={name: value for name, value in one.states.items() if name in _ROW_STATES})
    if one.type == "scrollbar" and ground.holds == "words" and ground.box == ground.window:
        return None  # a title bar
    if one.type in MARKS and ground.tells_menus and ground.holds in {"anything", "controls"} and _is_picture(one):
        return None  # of a row
    if one.type == "icon":
        return one if ground.holds in {"anything", "icons"} or (ground.holds == "signs" and _is_sure(one)) else None
    if one.type == "hyperlink" and is_underlined(image, one.box):
        return one  # Qt never tells the links in its labels
    is_cell = one.type not in ROWS and ground.holds == "controls" and iou(one.box, ground.box) >= _SAME_PLACE
    if one.type in CLAIMS and (is_cell or ground.holds in {"icons", "signs", "words"}):
        is_told = any(said.box.share_in(one.box) >= _INSIDE and _is_same(said, one) for said in words)
        is_gone = is_told or not one.text
        return None if is_gone else one.but(type="text", subtype=None, states={}, placeholder=None, mark_box=None)
    return one


def _is_same(one: Element, other: Element) -> bool:
    return letters_in(one.text) == letters_in(other.text)


def _is_picture(mark: Element) -> bool:
    """Whether a box to tick was found by its edges alone, and looks like a picture."""
    looks = any(said.source == "describer" and said.type == "icon" and (said.confidence or 0.0) >= _SURE_LOOK
                for said in mark.evidence)  # fmt: skip
    return looks and not any(said.source == "detector" for said in mark.evidence)


def _is_sure(icon: Element) -> bool:
    """Whether it is no handle of a bar and no letter; those of a window that fills another stand in its menu bar."""
    compact = max(icon.box.width, icon.box.height) < 2 * min(icon.box.width, icon.box.height)
    return compact and icon.source == "detector" and (icon.confidence or 0.0) >= _SURE


def is_underlined(image: RgbImage, box: Rect) -> bool:
    """Whether a stroke runs below the letters in a box, which may be theirs alone or have some air around them.

    Args:
        image: shape (height, width, 3), uint8.
        box: inside the picture.
    """
    size = Size(image.shape[1], image.shape[0])
    return any(underlines(image, one) for one in (box, box.grown(TEXT_MARGIN_PX).clamped(size)))
