from __future__ import annotations

from datetime import UTC, datetime

from demopack.domain.actions import ClickAction, DragAction, ScrollAction, TypeAction, WaitAction
from demopack.domain.binding import bind, point_target, response_of
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.steps import Pointer, Step
from demopack.domain.words import describe_action

FRAME = Frame(id="f", width=200, height=100)


def element(uid: str, box: list[int], **fields: object) -> Element:
    return Element.model_validate({"uid": uid, "frame": "f", "type": "button", "box": box, **fields})


LABEL = element("label", [0, 0, 100, 10], type="text", text="Name")
BUTTON = element("button", [20, 50, 80, 70], text="Submit", track_id="btn_submit_0")
SLIDER = element("slider", [100, 80, 200, 100], type="slider")
ALL = (BUTTON, LABEL, SLIDER)


def click(x: int, y: int) -> Step:
    action = ClickAction(target=point_target(Point(x, y), FRAME))
    return Step(id="s", position=0, action=action, before=FRAME, pointer=Pointer(x=x, y=y))


def drag(x: int, y: int, end_x: int, end_y: int) -> Step:
    end = point_target(Point(end_x, end_y), FRAME)
    action = DragAction(target=point_target(Point(x, y), FRAME), end_target=end)
    return Step(id="s", position=0, action=action, before=FRAME, pointer=Pointer(x=x, y=y, end_x=end_x, end_y=end_y))


def demo(step: Step) -> Demo:
    head = DemoHead(id="d", created_at=datetime.now(tz=UTC))
    return Demo(head=head, steps=(step,), elements={"f": ALL}, parsed=frozenset({"f"}))


def test_a_click_names_all_that_identifies_its_element() -> None:
    step = bind(click(30, 60), ALL)
    assert response_of(step, demo(step)).action.to_wire()["target"] == {
        "track_id": "btn_submit_0",
        "element_id": 2,
        "text": "Submit",
        "bbox": [0.1, 0.5, 0.3, 0.2],
    }
    assert describe_action(step.action, BUTTON) == "Clicked “Submit” (button)"


def test_a_click_that_hits_nothing_says_so_and_keeps_its_point() -> None:
    step = bind(click(150, 20), ALL)
    assert step.target_uid is None
    assert "no_element" in step.doubts(parsed=True)
    assert "no_element" not in step.doubts(parsed=False)
    assert response_of(step, demo(step)).action.to_wire()["target"] == {"bbox": [0.75, 0.2, 0, 0]}


def test_the_wheel_works_on_the_list_and_not_on_the_row_under_it() -> None:
    row, area = element("row", [0, 40, 200, 60], type="list_item"), element("area", [0, 20, 200, 100], type="other")
    scroll = click(30, 55).but(action=ScrollAction(scroll_direction="down"))
    assert bind(scroll, [area, row]).target_uid == "area"
    assert bind(scroll, [row]).target_uid == "row"
    assert bind(click(30, 55), [area, row]).target_uid == "row"


def test_a_drag_between_elements_names_both() -> None:
    step = bind(drag(10, 5, 60, 60), ALL)
    wire = response_of(step, demo(step)).action.to_wire()
    assert wire["target"]["text"] == "Name"
    assert wire["parameters"]["end_target"]["text"] == "Submit"
    assert describe_action(step.action, LABEL, BUTTON) == "Dragged “Name” (text) to “Submit” (button)"


def test_a_drag_inside_one_element_is_about_its_two_points() -> None:
    step = bind(drag(110, 90, 190, 90), ALL)
    assert (step.target_uid, step.end_uid) == ("slider", "slider")
    wire = response_of(step, demo(step)).action.to_wire()
    assert wire["target"] == {"bbox": [0.55, 0.9, 0, 0]}
    assert wire["parameters"]["end_target"] == {"bbox": [0.95, 0.9, 0, 0]}


def test_typing_belongs_to_the_one_focused_element() -> None:
    action = TypeAction(text_to_type="Ada")
    step = Step(id="s", position=0, action=action, before=FRAME)
    focused = element("field", [0, 20, 100, 40], type="input_field", states={"focused": True})
    assert bind(step, [*ALL, focused]).target_uid == "field"
    assert bind(step, ALL).target_uid is None


def test_editing_the_element_changes_what_the_step_says() -> None:
    step = bind(click(30, 60), ALL)
    renamed = Demo(head=demo(step).head, steps=(step,), elements={"f": (BUTTON.changed(text="Send"),)})
    target = response_of(step, renamed).action.target
    assert target is not None
    assert target.text == "Send"


def test_an_action_without_a_place_keeps_none_even_where_an_element_was_bound() -> None:
    waits = click(30, 60).model_copy(update={"target_uid": "button", "action": WaitAction(wait_duration_s=1)})
    assert response_of(waits, demo(waits)).action.target is None
