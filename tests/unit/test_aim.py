"""Whether a click and its element fit together, and which steps an edit of boxes took along."""

from __future__ import annotations

import pytest

from annotator.attributes.target_check import check_target, distance, followed_words
from annotator.box_commands import SetBoxes
from annotator.commands import Command, DeleteElements, MoveElements
from annotator.document import Document
from demopack.domain.actions import ClickAction, DragAction, TypeAction
from demopack.domain.binding import bind, point_target
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.steps import Pointer, Step
from tests.support.demos import demo_head
from tests.support.editing import element

FRAME = Frame(id="f", width=400, height=300)
SAVE = element("save", (20, 20, 80, 40), text="Save")
CANCEL = element("cancel", (90, 20, 150, 40), text="Cancel")
PANEL = element("panel", (0, 0, 300, 200), type="dialog")


def click(x: int, y: int, *elements: Element) -> Step:
    action = ClickAction(target=point_target(Point(x, y), FRAME))
    return bind(Step(id="s", position=0, action=action, before=FRAME, pointer=Pointer(x=x, y=y)), elements)


def said(step: Step, *elements: Element) -> tuple[str, list[str]]:
    aim = check_target(step, elements)
    return aim.trouble, [one.uid for one in aim.offers]


def test_a_click_on_one_element_in_its_containers_is_no_trouble() -> None:
    assert said(click(30, 30, SAVE, PANEL, CANCEL), SAVE, PANEL, CANCEL) == ("", [])


def test_a_click_beside_all_elements_offers_the_nearest() -> None:
    assert said(click(84, 30, SAVE, CANCEL), SAVE, CANCEL) == ("none", ["save", "cancel"])
    assert said(click(390, 290, SAVE, CANCEL), SAVE, CANCEL) == ("none", [])


def test_boxes_that_cross_each_other_leave_open_which_is_meant() -> None:
    menu = element("menu", (60, 10, 200, 35), type="menu")
    assert said(click(70, 30, SAVE, menu, PANEL), SAVE, menu, PANEL) == ("several", ["menu"])


def test_the_same_thing_twice_is_trouble_and_what_is_around_it_is_offered_too() -> None:
    twice = element("twice", (21, 20, 80, 40), type="text", text="Save")
    field = element("field", (18, 10, 90, 50), type="input_field")
    step = click(30, 30, SAVE, twice, field, PANEL)
    assert step.target_uid == "twice"
    assert said(step, SAVE, twice, field, PANEL) == ("several", ["save", "field"])


def test_a_chosen_target_that_does_not_lie_under_the_spot_is_told() -> None:
    step = click(30, 30, SAVE, CANCEL).model_copy(update={"target_uid": "cancel"})
    assert said(step, SAVE, CANCEL) == ("elsewhere", ["save"])
    assert said(step.model_copy(update={"target_uid": None}), SAVE, CANCEL) == ("several", ["save"])


def test_rejected_elements_do_not_count() -> None:
    gone = SAVE.changed(review="rejected")
    assert said(click(30, 30, gone, CANCEL), gone, CANCEL) == ("none", ["cancel"])
    assert said(click(30, 30, gone), gone) == ("", []), "nothing was looked for, so nothing is missed"


def test_steps_without_a_spot_are_never_in_trouble() -> None:
    typed = TypeAction(text_to_type="a")
    assert said(click(300, 250).model_copy(update={"action": typed}), SAVE) == ("", [])
    assert said(click(300, 250).model_copy(update={"pointer": None}), SAVE) == ("", [])
    assert check_target(click(30, 30, SAVE), [SAVE], end=True).trouble == ""


def test_both_ends_of_a_drag_are_looked_at() -> None:
    end = point_target(Point(390, 290), FRAME)
    action = DragAction(target=point_target(Point(30, 30), FRAME), end_target=end)
    pointer = Pointer(x=30, y=30, end_x=390, end_y=290)
    step = bind(Step(id="s", position=0, action=action, before=FRAME, pointer=pointer), [SAVE, CANCEL])
    assert (check_target(step, [SAVE]).trouble, check_target(step, [SAVE], end=True).trouble) == ("", "none")


@pytest.mark.parametrize(("at", "far"), [((5, 5), 0), ((9, 9), 0), ((12, 5), 3), ((13, 13), 32**0.5), ((0, -2), 2)])
def test_how_far_a_spot_is_from_a_box(at: tuple[int, int], far: float) -> None:
    assert distance(Rect(0, 0, 10, 10), Point(*at)) == pytest.approx(far)


# What an edit of boxes took along ----------------------------------------------------------------------------------


def told(command: Command, *steps: Step) -> str:
    numbered = tuple(one.model_copy(update={"id": f"s{i}", "position": i}) for i, one in enumerate(steps))
    demo = Demo(head=demo_head("d"), steps=numbered, elements={"f": (CANCEL, PANEL, SAVE)}, parsed=frozenset({"f"}))
    document = Document(demo)
    edit = command.edit(document)
    assert edit is not None
    document.apply(edit.changes)
    return followed_words(edit, document)


def move(uid: str, dx: int) -> Command:
    return MoveElements(uids=(uid,), dx=dx, dy=0, frame_size=Size(400, 300))


ALL = (CANCEL, PANEL, SAVE)


def test_moving_a_target_tells_which_step_follows() -> None:
    assert told(move("save", 5), click(30, 30, *ALL)) == "The target of step 1 moved along."
    assert told(move("save", 5), click(100, 30, *ALL)) == "", "no step is about that box"
    assert told(move("save", 100), click(30, 30, *ALL)) == "Step 1 is now: Clicked the dialog."


def test_steps_that_lose_their_target_say_so() -> None:
    assert told(DeleteElements(uids=("save", "panel")), click(30, 30, *ALL)) == "Step 1 hits no element now."
    assert told(SetBoxes(boxes={"cancel": Rect(20, 20, 50, 40)}), click(30, 30, *ALL)) == (
        "Step 1 is now: Clicked “Cancel” (button)."
    )


def test_many_steps_are_counted() -> None:
    assert told(move("save", 5), *[click(30, 30, *ALL)] * 3) == "3 steps follow this change."
    assert told(move("save", 5), *[click(30, 30, *ALL)] * 2) == (
        "The target of step 1 moved along. The target of step 2 moved along."
    )
