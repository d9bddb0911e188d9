"""Where a recorded target is by what its program reports: its role and its name, without looking for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.roles import reported_target
from demopack.domain.steps import Step
from demopack.domain.text_likeness import label_likeness, plain_text
from demopack.domain.trees import TreeReading, WindowTree
from models.vision.reports.elements import ReportedElement, reported_elements
from models.vision.reports.pointed import box_on_frame
from player.focus_match import title_agrees

_MIN_OVERLAP: Final = 0.5
_ONE_KIND: Final[tuple[frozenset[ElementType], ...]] = (
    frozenset({"menu", "menu_item"}),
    frozenset({"input_field", "text_area"}),
    frozenset({"list_item", "tree_item", "tabled_text"}),
)
"""Types that one role may become, by what lies around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedTarget:
    """What a program reported about a target when it was recorded.

    Attributes:
        type: what it was.
        name: what it was called.
        box: where it lay on the recorded frame, pixels.
        app: the program.
        title: of its window.
    """

    type: ElementType
    name: str
    box: Rect
    app: str
    title: str


def recorded_report(step: Step, element: Element | None) -> ReportedTarget | None:
    """What was reported about what a step pointed at; None where nothing was, or not about what it is said to act on.

    Args:
        step: any.
        element: what it acts on, as models and persons say; None where nobody does.
    """
    told, named, frame, pointer = step.pointed, reported_target(step), step.before, step.pointer
    if told is None or named is None or frame is None or pointer is None or step.window is None:
        return None
    box = box_on_frame(told, frame)
    # A place that the pointer was not in was told wrongly, and would be again.
    if box is None or not (box.x1 <= pointer.x < box.x2 and box.y1 <= pointer.y < box.y2):
        return None
    if element is not None:
        common = element.box.intersection(box)
        if common is None or common.area < _MIN_OVERLAP * min(element.box.area, box.area):
            return None
        if element.source == "human" and element.text and not label_likeness(element.text, told.name):
            return None
    return ReportedTarget(type=named.type, name=told.name, box=box, app=step.window.app, title=step.window.title)


def find_reported(
    target: ReportedTarget, reports: Sequence[tuple[TreeReading, WindowTree]], frame: Frame
) -> Rect | str:
    """Where the one element with a target's role and name lies in a window of its title, or why there is not one.

    Args:
        target: as recorded.
        reports: what was read just now of the windows on the frame, topmost first.
        frame: what is on the screen.

    Returns:
        Pixels of the frame.
    """
    windows = {
        _box_of(tree, frame)
        for _, tree in reports
        if tree.nodes
        and tree.boxes == "pixels"
        and tree.app == target.app
        and title_agrees(target.title, tree.title, app=target.app) != "unlike"
    }
    if not windows:
        return "its program reports no such window now"
    reported = reported_elements(reports, frame)
    found = [one.box for one in reported if one.window in windows and one.box is not None and _is_it(one, target)]
    if len(found) == 1:
        return found[0]
    return f"{len(found) or 'no'} elements are a {target.type} called “{target.name}”"


def _box_of(tree: WindowTree, frame: Frame) -> Rect | None:
    whole = Rect(0, 0, frame.width, frame.height)
    return None if tree.box is None else frame.space.to_pixels(tree.box).intersection(whole)


def _is_it(one: ReportedElement, target: ReportedTarget) -> bool:
    alike = one.type == target.type or any({one.type, target.type} <= kinds for kinds in _ONE_KIND)
    return alike and plain_text(one.name) == plain_text(target.name)
