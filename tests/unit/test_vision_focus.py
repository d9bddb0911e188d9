from __future__ import annotations

from collections.abc import Sequence

from demopack.domain.actions import ActionTarget, DragAction
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, Pointer, Step
from models.vision.step_binding import bind_steps
from tests.support.small_demos import click_step, key_step, type_step

A, B = (Frame(id=letter * 64, width=320, height=200) for letter in "ab")
NAME, PASSWORD = Rect(100, 10, 300, 30), Rect(100, 50, 300, 70)


def fields(frame: Frame) -> list[Element]:
    return [
        Element(uid=f"name_{frame.id[0]}", frame=frame.id, type="input_field", box=NAME, track_id="input_0"),
        Element(uid=f"pass_{frame.id[0]}", frame=frame.id, type="input_field", box=PASSWORD, track_id="input_1"),
        Element(uid=f"label_{frame.id[0]}", frame=frame.id, type="text", box=Rect(10, 10, 80, 30), track_id="text_0"),
    ]


def bound(
    steps: Sequence[Step], *, changes: Sequence[Rect] | None = None, fixed: frozenset[str] = frozenset()
) -> list[str | None]:
    done = bind_steps(steps, {f.id: fields(f) for f in (A, B)}, fixed=fixed, changes=lambda _: changes)
    return [step.target_uid for step in done]


def test_typing_goes_where_the_last_click_went_on_its_own_frame() -> None:
    steps = [click_step(0, A, B, Point(150, 20)), type_step(1, B, B, "anna"), type_step(2, B, B, "!")]
    assert bound(steps) == ["name_a", "name_b", "name_b"]


def test_typing_after_a_click_on_nothing_goes_nowhere() -> None:
    assert bound([click_step(0, A, B, Point(5, 190)), type_step(1, B, B, "anna")]) == [None, None]


def test_after_tab_the_changed_place_tells() -> None:
    steps = [click_step(0, A, B, Point(150, 20)), key_step(1, B, "Tab"), type_step(2, B, B, "secret")]
    assert bound(steps) == ["name_a", "name_b", None]
    assert bound(steps, changes=[Rect(104, 54, 140, 66)]) == ["name_a", "name_b", "pass_b"]


def test_text_that_appears_elsewhere_belongs_there() -> None:
    # A click on the label puts the focus into the field beside it.
    steps = [click_step(0, A, B, Point(20, 20)), type_step(1, B, B, "anna")]
    assert bound(steps, changes=[Rect(104, 14, 140, 26)]) == ["label_a", "name_b"]


def test_editing_keys_go_to_the_field_and_short_cuts_do_not() -> None:
    click = click_step(0, A, B, Point(150, 20))
    for key, expected in [("Enter", "name_b"), ("Ctrl+A", "name_b"), ("Ctrl+S", None), ("F5", None), ("Escape", None)]:
        assert bound([click, key_step(1, B, key)]) == ["name_a", expected], key


def test_a_visible_focus_wins() -> None:
    here = fields(A)
    here[1] = here[1].changed(states={"focused": True})
    steps = [click_step(0, A, A, Point(150, 20)), type_step(1, A, A, "x")]
    done = bind_steps(steps, {A.id: here}, fixed=frozenset(), changes=lambda _: None)
    assert done[1].target_uid == "pass_a"


def test_a_window_that_has_the_input_is_nothing_that_a_key_went_to() -> None:
    window = Element(uid="w", frame=A.id, type="window", box=Rect(0, 0, 400, 300), states={"focused": True})
    steps = [key_step(0, A, "Ctrl+S"), type_step(1, A, A, "x")]
    done = bind_steps(steps, {A.id: [window, *fields(A)]}, fixed=frozenset(), changes=lambda _: None)
    assert [step.target_uid for step in done] == [None, None]


def test_what_had_the_input_as_a_step_began_wins_over_the_states_of_its_picture() -> None:
    # The click changed nothing that could be seen: both steps begin on one picture.
    told = AccessibleElement(role="text", name="Password", box=PASSWORD)
    here = fields(A)
    here[0] = here[0].changed(states={"focused": True})
    here[1] = here[1].but(evidence=(Evidence(source="accessibility", text="Password"),))

    def target(element: AccessibleElement, *elements: Element) -> str | None:
        steps = [type_step(0, A, A, "x").but(focused=element)]
        return bind_steps(steps, {A.id: elements or here}, fixed=frozenset(), changes=lambda _: None)[0].target_uid

    assert target(told) == "pass_a"
    # What was told was elsewhere before the screen scrolled, or is of another kind.
    assert target(told.but(name="Street")) == "name_a"
    assert target(told.but(role="check box")) == "name_a"
    assert target(told.but(box=PASSWORD.moved(0, 60))) == "name_a"
    assert target(told, here[0], here[1].but(review="rejected")) == "name_a"


def test_a_tab_that_tells_of_the_input_has_it_only_where_nothing_in_its_page_does() -> None:
    # Qt says of the tab that is shown that it has the input, whatever has it in its page.
    tab = Element(uid="tab_a", frame=A.id, type="tab", box=Rect(0, 80, 60, 100), text="Page")
    told = AccessibleElement(role="page tab", name="Page", box=tab.box)

    def bound_to(step: Step, *here: Element) -> str | None:
        clicked = click_step(0, A, A, Point(150, 20))
        done = bind_steps([clicked, step.but(focused=told)], {A.id: here}, fixed=frozenset(), changes=lambda _: None)
        return done[1].target_uid

    name, password, label = fields(A)
    assert bound_to(type_step(1, A, A, "anna"), name, password, label, tab) == "name_a"
    assert bound_to(key_step(1, A, "Enter"), name, password, label, tab) == "name_a"
    focused = password.changed(states={"focused": True})
    assert bound_to(type_step(1, A, A, "anna"), name, focused, label, tab) == "pass_a"
    assert bound_to(type_step(1, A, A, "anna"), tab) is None
    assert bound_to(key_step(1, A, "ArrowRight"), tab) == "tab_a"


def test_keys_go_to_the_area_that_had_the_input() -> None:
    area = Element(uid="area", frame=A.id, type="other", subtype="canvas", box=Rect(0, 0, 300, 200))
    step = key_step(0, A, "Escape").but(focused=AccessibleElement(role="frame", name="page 1", box=area.box))
    done = bind_steps([step], {A.id: [*fields(A), area]}, fixed=frozenset(), changes=lambda _: None)
    assert done[0].target_uid == "area"


def test_what_is_typed_goes_to_the_cell_or_to_the_document_that_the_program_says() -> None:
    cell = Element(uid="cell", frame=A.id, type="tabled_text", box=Rect(100, 100, 180, 120), text="D11")
    paper = Element(uid="paper", frame=A.id, type="text_area", box=Rect(0, 90, 300, 200))
    in_cell = AccessibleElement(role="panel", name="Cell D11", box=Rect(101, 100, 179, 119), states=("editable",))
    line = AccessibleElement(role="paragraph", value="Dear", box=Rect(20, 100, 280, 120), states=("editable",))

    def target(told: AccessibleElement, *here: Element) -> str | None:
        steps = [type_step(0, A, A, "x").but(focused=told)]
        return bind_steps(steps, {A.id: here}, fixed=frozenset(), changes=lambda _: None)[0].target_uid

    assert target(in_cell, *fields(A), cell) == "cell"
    assert target(line, *fields(A), paper) == "paper"
    assert target(line.but(states=()), *fields(A), paper) is None
    assert target(in_cell.but(box=Rect(0, 0, 300, 200)), *fields(A), cell) is None

    keys = [click_step(0, A, A, Point(140, 110)), key_step(1, A, "Delete")]
    done = bind_steps(keys, {A.id: [cell]}, fixed=frozenset(), changes=lambda _: None)
    assert [one.target_uid for one in done] == ["cell", "cell"]


def test_keys_go_to_the_menu_that_is_open_whatever_is_said_to_have_the_input() -> None:
    menu = Element(uid="menu", frame=A.id, type="menu", box=Rect(0, 0, 40, 20), text="File", states={"expanded": True})
    row = Element(uid="row", frame=A.id, type="menu_item", box=Rect(0, 20, 90, 40), text="New", source="accessibility")
    told = AccessibleElement(role="text", name="", box=NAME)

    def target(*here: Element) -> str | None:
        steps = [key_step(0, A, "Escape").but(focused=told)]
        return bind_steps(steps, {A.id: [*fields(A), *here]}, fixed=frozenset(), changes=lambda _: None)[0].target_uid

    assert target(menu, row) == "menu"
    assert target(menu, row.changed(states={"highlighted": True})) == "row"
    assert target(row) is None  # of what pops up under the pointer nobody tells what it belongs to
    assert target(menu) == "name_a"
    assert target(menu, row.but(source="detector")) == "name_a"


def test_a_key_goes_nowhere_where_the_input_is_said_to_be_in_a_menu_or_in_something_that_is_not_seen() -> None:
    here = fields(A)
    here[0] = here[0].changed(states={"focused": True})

    def target(told: AccessibleElement, key: str = "Escape") -> str | None:
        step = key_step(0, A, key).but(focused=told)
        return bind_steps([step], {A.id: here}, fixed=frozenset(), changes=lambda _: None)[0].target_uid

    assert target(AccessibleElement(role="menu", box=Rect(200, 60, 300, 160))) is None
    assert target(AccessibleElement(role="table cell", name="Nina", box=Rect(200, 60, 300, 80))) is None
    assert target(AccessibleElement(role="tree", box=Rect(200, 60, 300, 160))) is None
    assert target(AccessibleElement(role="page tab", name="Page", box=Rect(200, 60, 300, 80))) == "name_a"
    assert target(AccessibleElement(role="panel", box=Rect(200, 60, 300, 80))) == "name_a"
    assert target(AccessibleElement(role="combo box", box=NAME.grown(3))) == "name_a"


def test_drags_bind_both_ends() -> None:
    drag = Step(
        id="step_0",
        position=0,
        action=DragAction(
            target=click_step(0, A, None, Point(150, 20)).action.target,
            end_target=ActionTarget(bbox=[0.5, 0.3, 0.0, 0.0]),
        ),
        pointer=Pointer(x=150, y=20, end_x=150, end_y=60),
        before=A,
    )
    done = bind_steps([drag], {A.id: fields(A)}, fixed=frozenset(), changes=lambda _: None)[0]
    assert (done.target_uid, done.end_uid) == ("name_a", "pass_a")


def test_fixed_steps_and_unparsed_frames_stay_as_they_are() -> None:
    step = click_step(0, A, B, Point(150, 20)).model_copy(update={"target_uid": "label_a"})
    assert bound([step], fixed=frozenset({"step_0"})) == ["label_a"]
    assert bind_steps([step], {}, fixed=frozenset(), changes=lambda _: None) == [step]


def test_what_is_typed_goes_to_the_field_and_not_to_what_pops_up_below_it() -> None:
    row = Element(uid="row_a", frame=A.id, type="list_item", box=Rect(100, 32, 300, 48), text="anna")
    told = AccessibleElement(role="table cell", name="anna", box=row.box)
    listed = AccessibleElement(role="list item", name="anna", box=row.box)

    def bound_to(step: Step, *here: Element) -> str | None:
        clicked = click_step(0, A, A, Point(150, 20))
        return bind_steps([clicked, step], {A.id: here}, fixed=frozenset(), changes=lambda _: None)[1].target_uid

    for focused in (told, listed):
        assert bound_to(type_step(1, A, A, "an").but(focused=focused), *fields(A), row) == "name_a"
    # In a list alone what is typed finds a row.
    assert bound_to(type_step(1, A, A, "an").but(focused=listed), row) == "row_a"
    assert bound_to(key_step(1, A, "ArrowDown").but(focused=listed), *fields(A), row) == "row_a"


def test_what_is_typed_into_a_field_outside_the_picture_goes_to_no_other() -> None:
    told = AccessibleElement(role="text", name="Find", box=Rect(100, 210, 300, 230))
    keys = [step.but(focused=told) for step in (type_step(1, B, B, "an"), key_step(2, B, "Enter"))]
    assert bound([click_step(0, A, B, Point(150, 20)), *keys]) == ["name_a", None, None]
    # A field that the picture shows to have taken the text has taken it, wherever its program thinks that it is.
    assert bound([click_step(0, A, B, Point(150, 20)), keys[0]], changes=[Rect(104, 54, 140, 66)])[1] == "pass_b"


def test_keys_go_on_in_the_field_that_filters_a_list_whatever_row_is_said_to_have_the_input() -> None:
    told = AccessibleElement(role="table cell", name="Wasser", box=Rect(10, 100, 300, 120))
    row = Element(uid="row", frame=B.id, type="tabled_text", box=Rect(10, 100, 300, 120), text="Wasser", track_id="r")

    def after(*keys: str) -> list[str | None]:
        steps = [click_step(0, A, B, Point(150, 20)), type_step(1, B, B, "wa")]
        steps += [key_step(n, B, key).but(focused=told) for n, key in enumerate(keys, start=2)]
        found = {A.id: fields(A), B.id: [*fields(B), row]}
        return [step.target_uid for step in bind_steps(steps, found, fixed=frozenset(), changes=lambda _: None)][2:]

    assert after("Ctrl+A", "Delete") == ["name_b", "name_b"]
    assert after("ArrowDown", "Delete") == ["row", "row"], "the row has been gone to"
