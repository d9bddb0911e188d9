"""Where a recorded target is by what its program reports: its role and its name, without looking for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, iou
from demopack.domain.roles import TYPES_OF_ROLES, reported_target
from demopack.domain.steps import AccessibleElement, Step
from demopack.domain.text_likeness import label_likeness, plain_text
from demopack.domain.trees import TreeNode, TreeReading, WindowTree
from models.vision.reports.elements import ReportedElement, reported_elements
from models.vision.reports.places import TreePlaces
from models.vision.reports.pointed import MAX_SCREEN_SHARE, box_on_frame
from player.focus_match import title_agrees
from player.node_match import match_node, node_of

_MIN_OVERLAP: Final = 0.5
_SAME_BOX: Final = 0.7
_ONE_KIND: Final[tuple[frozenset[ElementType], ...]] = (
    frozenset({"menu", "menu_item"}),
    frozenset({"input_field", "text_area"}),
    frozenset({"list_item", "tree_item", "tabled_text"}),
)
"""Types that one role may become, by what lies around it."""
_KEYBOARD: Final = frozenset({"type", "press_key"})
_SCROLLING: Final = frozenset({
    "document web", "document frame", "scroll pane", "viewport", "table", "tree", "tree table", "list", "list box",
    "layered pane",
})  # fmt: skip
_WINDOWS: Final = frozenset({"frame", "window", "dialog", "application"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTarget:
    """What a program reported about a target when it was recorded.

    Attributes:
        type: what it was.
        name: what it was called.
        box: where it lay on the recorded frame, pixels.
        app: the program.
        title: of its window.
        role: in the words of the accessibility interface.
        tree: of its window, as it was recorded; None where none was.
        node: of that tree that it was; None where none is known to be it.
        row_text: what has to stand in its row now; empty where any may.
    """

    type: ElementType
    name: str
    box: Rect
    app: str
    title: str
    role: str = ""
    tree: WindowTree | None = None
    node: int | None = None
    row_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenTarget:
    """A target that is reported, but scrolled out of sight.

    Attributes:
        box: where it would be, pixels of the live frame.
        within: what can be seen of what it is scrolled in, likewise.
    """

    box: Rect
    within: Rect


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPlace:
    """Where a target is reported to be: ``box`` in pixels of the live frame, ``node`` as it is told, if it is one."""

    box: Rect
    node: TreeNode | None = None


def recorded_report(
    step: Step, element: Element | None, trees: Mapping[str, WindowTree] | None = None
) -> ReportedTarget | None:
    """What was reported about what a step acted on; None where nothing was, or not about what it is said to act on.

    Args:
        step: any; of one for the keyboard, what had the focus.
        element: what it acts on, as models and persons say; None where nobody does.
        trees: the accessibility trees of the recording.
    """
    by_keys = step.action.action_type in _KEYBOARD
    told, frame = step.focused if by_keys else step.pointed, step.before
    if frame is None or step.window is None or (not by_keys and step.pointer is None):
        return None
    found = None if told is None else _recorded_node(step, told, trees or {})
    if element is not None and (found is None or found[0].nodes[found[1]].role not in TYPES_OF_ROLES):
        # What lies under the pointer was not told, or only what lies around it; but its window's tree knows more.
        found = _node_of_element(step, element, frame, trees or {}) or found
    named = None if by_keys else reported_target(step)
    if found is not None:
        node = found[0].nodes[found[1]]
        told = AccessibleElement(role=node.role, name=node.name, box=node.box)
        named = None
    if told is None or (found is None and named is None):
        return None
    box = box_on_frame(told, frame, most=1.0 if found is not None else MAX_SCREEN_SHARE)
    if box is None:
        return None
    # A place that the pointer was not in was told wrongly, and would be again.
    at = step.pointer
    if not by_keys and at is not None and not (box.x1 <= at.x < box.x2 and box.y1 <= at.y < box.y2):
        return None
    if element is not None:
        common = element.box.intersection(box)
        if common is None or common.area < _MIN_OVERLAP * min(element.box.area, box.area):
            return None
        if element.source == "human" and element.text and not label_likeness(element.text, told.name):
            return None
    return ReportedTarget(
        type=TYPES_OF_ROLES.get(told.role, "other") if named is None else named.type,
        name=told.name,
        box=box,
        app=step.window.app,
        title=step.window.title if found is None else found[0].title or step.window.title,
        role=told.role,
        tree=None if found is None else found[0],
        node=None if found is None else found[1],
    )


def _recorded_node(
    step: Step, told: AccessibleElement, trees: Mapping[str, WindowTree]
) -> tuple[WindowTree, int] | None:
    """The node of a recorded tree that an element is; None where it is not in one, or is a window."""
    if told.role in _WINDOWS:
        return None
    for reading in step.trees:
        tree = trees.get(reading.tree)
        if tree is not None and (index := node_of(tree, told)) is not None and tree.nodes[index].parent is not None:
            return tree, index
    return None


def _node_of_element(
    step: Step, element: Element, frame: Frame, trees: Mapping[str, WindowTree]
) -> tuple[WindowTree, int] | None:
    """The innermost node of a recorded tree that lies where an element does and is called so, if it has a name."""
    name = plain_text(element.text)
    for reading in step.trees:
        tree = trees.get(reading.tree)
        for index in reversed(range(1, 0 if tree is None else len(tree.nodes))):
            assert tree is not None
            node = tree.nodes[index]
            if node.box is None or iou(frame.space.to_pixels(node.box), element.box) < _SAME_BOX:
                continue
            kind = TYPES_OF_ROLES.get(node.role)
            alike = kind == element.type or any({kind, element.type} <= kinds for kinds in _ONE_KIND)
            if (alike and plain_text(node.name or node.value) == name) or (kind is None and not name):
                return tree, index
    return None


def find_reported(
    target: ReportedTarget, reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame
) -> ReportedPlace | str:
    """Where the one element that is a target lies in a window of its title, or why there is not one.

    Args:
        target: as recorded.
        reports: what was read just now of the windows on the frame, topmost first.
        frame: what is on the screen.
    """
    there = [place for place, (_, tree) in enumerate(reports) if _is_window(tree, target)]
    if not there:
        return "its program reports no such window now"
    if target.tree is not None and target.node is not None:
        return _find_node(target.tree, target.node, reports, there, frame, row_text=target.row_text)
    windows = {_box_of(reports[place][1], frame) for place in there}
    reported = reported_elements(reports, frame)
    found = [one.box for one in reported if one.window in windows and one.box is not None and _is_it(one, target)]
    if len(found) == 1:
        return ReportedPlace(box=found[0])
    return f"{len(found) or 'no'} elements are a {target.type} called “{target.name}”"


def _is_window(tree: WindowTree, target: ReportedTarget) -> bool:
    return (
        bool(tree.nodes)
        and tree.boxes == "pixels"
        and tree.app == target.app
        and title_agrees(target.title, tree.title, app=target.app) != "unlike"
    )


def _find_node(
    recorded: WindowTree,
    node: int,
    reports: Sequence[tuple[TreeReading, WindowTree]],
    there: Sequence[int],
    frame: Frame,
    *,
    row_text: str = "",
) -> ReportedPlace | str:
    found: list[ReportedPlace] = []
    why: list[str] = []
    for place in there:
        live = reports[place][1]
        if live.is_title_bar != recorded.is_title_bar:
            continue
        above = [(one.box, not one.nodes and one.app == live.app) for _, one in reports[:place] if one.box is not None]
        places = TreePlaces(live, frame, above)
        index = match_node(recorded, node, live, is_seen=partial(_is_seen, places), row_text=row_text)
        if isinstance(index, str):
            why.append(index)
        elif (box := places.seen(index)) is not None:
            found.append(ReportedPlace(box=box, node=live.nodes[index]))
    if len(found) == 1:
        return found[0]
    return why[0] if why and not found else f"{len(found)} windows have it"


def _is_seen(places: TreePlaces, index: int) -> bool:
    return places.seen(index) is not None


def find_hidden(
    target: ReportedTarget, reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame
) -> HiddenTarget | None:
    """The one target that is reported, but lies outside of what can be seen of the page or list around it.

    None where it is in sight, where there is no such one, or where nothing around it is scrolled. Arguments as of
    :func:`find_reported`.
    """
    found: list[HiddenTarget] = []
    for place, (_, live) in enumerate(reports):
        if not _is_window(live, target) or target.tree is None or target.node is None or live.is_title_bar:
            continue
        above = [(one.box, not one.nodes and one.app == live.app) for _, one in reports[:place] if one.box is not None]
        places = TreePlaces(live, frame, above)
        index = match_node(target.tree, target.node, live, row_text=target.row_text)
        box = None if isinstance(index, str) else live.nodes[index].box
        if isinstance(index, str) or box is None or places.seen(index) is not None:
            continue
        around = (i for i in live.ancestors(index) if live.nodes[i].role in _SCROLLING)
        within = next((seen for i in around if (seen := places.seen(i)) is not None), None)
        there = frame.space.to_pixels(box)
        if within is not None and not within.contains(there.center):
            found.append(HiddenTarget(box=there, within=within))
    return found[0] if len(found) == 1 else None


def find_around(target: ReportedTarget, reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame) -> Rect | None:
    """What can be seen of the page or list in which a target was; None where it was in none, or that is not there.

    Browsers report nothing of what is scrolled out of sight. Arguments as of :func:`find_reported`.
    """
    if target.tree is None or target.node is None:
        return None
    nodes = target.tree.nodes
    around = next((i for i in target.tree.ancestors(target.node) if nodes[i].role in _SCROLLING), None)
    there = [place for place, (_, tree) in enumerate(reports) if _is_window(tree, target)]
    found = None if around is None else _find_node(target.tree, around, reports, there, frame)
    return found.box if isinstance(found, ReportedPlace) else None


def _box_of(tree: WindowTree, frame: Frame) -> Rect | None:
    whole = Rect(0, 0, frame.width, frame.height)
    return None if tree.box is None else frame.space.to_pixels(tree.box).intersection(whole)


def _is_it(one: ReportedElement, target: ReportedTarget) -> bool:
    alike = one.type == target.type or any({one.type, target.type} <= kinds for kinds in _ONE_KIND)
    return alike and plain_text(one.name) == plain_text(target.name)
