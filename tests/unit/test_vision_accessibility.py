from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from demopack.domain.actions import TypeAction
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import AccessibleElement, Step
from models.vision.reports.pointed import join_accessibility
from tests.support.small_demos import click_step, key_step, type_step

FRAME = Frame(id="a" * 64, width=640, height=400)
BUTTON = Rect(100, 50, 180, 76)


def step(frame: Frame = FRAME, **told: Any) -> Step:
    return click_step(0, frame, None, Point(110, 60)).model_copy(update={"pointed": AccessibleElement(**told)})


def element(**fields: Any) -> Element:
    given = {"uid": "el_1", "frame": FRAME.id, "type": "other", "box": BUTTON, "source": "detector", **fields}
    return Element.model_validate({"confidence": 0.4, **given})


def test_a_plain_role_gives_an_unknown_box_its_type_and_name_and_is_kept_as_evidence() -> None:
    told = step(role="push button", name="Save", box=Rect(101, 50, 181, 77), states=("focused",))
    (joined,) = join_accessibility([element(text="5ave")], FRAME, [told])
    assert (joined.uid, joined.type, joined.box, joined.text) == ("el_1", "button", BUTTON, "Save")
    assert joined.states == {"focused": True}
    assert [(e.source, e.type, e.text) for e in joined.evidence] == [
        ("detector", "other", "5ave"),
        ("accessibility", "button", "Save"),
    ]


def test_told_twice_it_is_said_once() -> None:
    told = step(role="push button", name="Save", box=BUTTON)
    once = join_accessibility([element()], FRAME, [told])
    assert join_accessibility(once, FRAME, [told, told]) == once


def test_where_nothing_was_found_it_is_an_element_of_its_own() -> None:
    label = element(type="text", box=Rect(10, 300, 60, 314))
    joined = join_accessibility([label], FRAME, [step(role="check box", name="Send", box=BUTTON, states=("checked",))])
    assert joined[0] == label
    fresh = joined[1]
    assert (fresh.type, fresh.box, fresh.text, fresh.source) == ("checkbox", BUTTON, "Send", "accessibility")
    assert fresh.states == {"checked": True}


def test_words_in_a_field_of_which_nothing_was_found_are_its_own() -> None:
    area = Rect(100, 50, 400, 200)
    hint, icon = (
        element(type="text", text="Notes", box=Rect(104, 54, 150, 70)),
        element(type="icon", box=Rect(380, 54, 396, 70)),
    )
    told: dict[str, Any] = {"role": "text", "states": ("multi line",), "box": area}
    kept, empty = join_accessibility([hint, icon.but(uid="el_2")], FRAME, [step(**told)])
    assert (kept.type, empty.type, empty.text, empty.placeholder) == ("icon", "text_area", None, "Notes")
    (filled,) = join_accessibility([hint], FRAME, [step(value="Nodes", **told)])
    assert (filled.text, filled.placeholder) == ("Nodes", None)
    (secure,) = join_accessibility([hint], FRAME, [step(role="password text", box=area, secure=True)])
    assert (secure.text, secure.placeholder) == (None, None)
    assert join_accessibility([hint.but(review="approved")], FRAME, [step(**told)])[0].text == "Notes"


def test_what_says_nothing_about_the_picture_adds_nothing() -> None:
    for told in (
        step(role="panel", name="Form", box=BUTTON),
        step(role="push button", name="Far away", box=Rect(700, 50, 780, 70)),
        step(role="push button", name="No place"),
        step(role="list item", name="Whole screen", box=Rect(0, 0, 640, 400)),
        step(FRAME.model_copy(update={"id": "b" * 64}), role="push button", name="Other screen", box=BUTTON),
    ):
        assert join_accessibility([], FRAME, [told]) == []


def test_boxes_of_the_desktop_become_pixels_of_the_frame() -> None:
    frame = FRAME.model_copy(update={"origin_x": 100, "origin_y": 40, "pixels_per_unit": 2.0})
    (fresh,) = join_accessibility([], frame, [step(frame, role="push button", name="OK", box=Rect(110, 50, 150, 62))])
    assert fresh.box == Rect(20, 20, 100, 44)


def test_a_secret_is_never_told_and_a_person_is_never_overruled() -> None:
    secret = step(role="password text", name="Password", value="hunter2", secure=True, box=BUTTON)
    (fresh,) = join_accessibility([], FRAME, [secret])
    assert (fresh.type, fresh.text) == ("input_field", None)
    mine = element(type="slider", source="human", confidence=None)
    assert join_accessibility([mine], FRAME, [secret]) == [mine]


def test_text_of_several_lines_is_a_text_area() -> None:
    high = Rect(100, 50, 300, 100)
    for told, kind in (
        (step(role="text", box=BUTTON), "input_field"),
        (step(role="text", box=BUTTON, states=("multi line",)), "text_area"),
        (step(role="text", box=high), "text_area"),
        (step(role="entry", box=high), "input_field"),
    ):
        assert [one.type for one in join_accessibility([], FRAME, [told])] == [kind]
    assert join_accessibility([], FRAME, [step(role="filler", box=BUTTON)]) == []


def test_in_a_window_that_is_known_whole_only_what_was_pointed_at_adds_something() -> None:
    whole = [Rect(0, 0, 640, 400)]
    told = AccessibleElement(role="push button", name="Save", box=BUTTON)
    pointed, focused = step(role="push button", name="Save", box=BUTTON), click_step(0, FRAME, None, Point(9, 9))
    assert [one.text for one in join_accessibility([], FRAME, [pointed], known=whole)] == ["Save"]
    assert join_accessibility([], FRAME, [focused.but(focused=told)], known=whole) == []
    assert [one.text for one in join_accessibility([], FRAME, [focused.but(focused=told)])] == ["Save"]


def test_a_sign_on_a_control_that_nothing_else_found_is_a_part_of_it() -> None:
    sign, beside = (
        element(type="icon", box=Rect(130, 58, 140, 64)),
        element(uid="el_2", type="icon", box=Rect(190, 50, 200, 60)),
    )
    (kept, fresh) = join_accessibility([sign, beside], FRAME, [step(role="push button", name="=", box=BUTTON)])
    assert (kept, fresh.type, fresh.text) == (beside, "button", "=")
    mine = sign.but(source="human")
    assert mine in join_accessibility([mine], FRAME, [step(role="push button", name="=", box=BUTTON)])


def test_a_mark_and_its_label_are_one_wherever_the_program_tells_the_mark() -> None:
    mark = Rect(160, 50, 180, 76)
    switch = element(type="toggle", text="Dark mode", mark_box=mark)
    told = step(role="toggle button", name="Dark mode", box=Rect(161, 51, 181, 77), states=("checked",))
    (joined,) = join_accessibility([switch.but(source="accessibility")], FRAME, [told])
    assert (joined.type, joined.box) == ("toggle", BUTTON)
    (joined,) = join_accessibility([switch], FRAME, [step(role="check box", name="Dark mode", box=mark)])
    assert (joined.type, joined.mark_box) == ("checkbox", mark)


def test_what_its_window_told_of_it_elsewhere_is_the_same_thing() -> None:
    label = {"source": "accessibility", "type": "tab", "box": Rect(120, 55, 160, 70), "text": "Tags", "confidence": 0.9}
    tab = element(type="tab", text="Tags", source="accessibility", evidence=[label])
    assert join_accessibility([tab], FRAME, [step(role="page tab", name="Tags", box=label["box"])]) == [tab]


def test_a_cell_behind_what_is_shown_above_it_was_not_hit_and_a_field_that_was_typed_into_is_one() -> None:
    window = Rect(0, 0, 640, 400)
    shown = element(type="button", text="View All Files", source="accessibility")
    cell = step(role="table cell", name="ZIP", box=Rect(90, 52, 190, 70))
    assert join_accessibility([shown], FRAME, [cell], known=[window]) == [shown]
    field = AccessibleElement(role="text", name="", value="10", box=Rect(300, 200, 400, 224))
    typed = cell.model_copy(
        update={"pointed": None, "pointer": None, "focused": field, "action": TypeAction(text_to_type="4")}
    )
    assert [one.type for one in join_accessibility([shown], FRAME, [typed], known=[window])] == [
        "button",
        "input_field",
    ]


def test_a_switch_that_is_told_as_a_button_stays_one() -> None:
    found = element(type="toggle", text="News", mark_box=Rect(150, 54, 180, 72))
    told = step(role="toggle button", box=Rect(150, 54, 180, 72), states=("checked",))
    (joined,) = join_accessibility([found], FRAME, [told])
    assert (joined.type, joined.states.get("checked")) == ("toggle", True)
    (pressed,) = join_accessibility([element(type="icon")], FRAME, [step(role="toggle button", box=BUTTON)])
    assert pressed.type == "button"


def test_the_picture_of_what_can_be_chosen_in_a_list_is_no_box_to_tick() -> None:
    page = Rect(130, 30, 180, 100)
    told = step(role="list item", name="Facing Pages", box=page)
    seen = element(type="checkbox", box=Rect(140, 32, 170, 60))
    (joined,) = join_accessibility([seen], FRAME, [told])
    assert (joined.type, joined.text, joined.box) == ("list_item", "Facing Pages", page)
    row = step(role="list item", name="Facing Pages", box=Rect(100, 40, 300, 70))
    assert len(join_accessibility([seen], FRAME, [row])) == 2, "a row may have one"


def test_the_nameless_button_of_a_list_that_drops_down_is_the_list() -> None:
    found = element(type="dropdown", text="History")
    for told in (step(role="toggle button", box=BUTTON), step(role="toggle button", box=BUTTON, states=("focused",))):
        (joined,) = join_accessibility([found], FRAME, [told, told])
        assert (joined.type, joined.text) == ("dropdown", "History")
    (named,) = join_accessibility([found], FRAME, [step(role="toggle button", name="History", box=BUTTON)])
    assert named.type == "button"


def test_a_row_that_had_the_input_is_an_element_only_where_one_was_found() -> None:
    row = AccessibleElement(role="table cell", name="pi", box=BUTTON)
    typed = step(role="panel").but(action=TypeAction(text_to_type="p"), pointer=None, pointed=None, focused=row)
    assert join_accessibility([], FRAME, [typed]) == []
    (found,) = join_accessibility([element(type="list_item", text="p1")], FRAME, [typed])
    assert [one.text for one in found.evidence if one.source == "accessibility"] == ["pi"]
    (pointed,) = join_accessibility([], FRAME, [step(role="table cell", name="pi", box=BUTTON)])
    assert pointed.type == "tabled_text"


def test_what_is_written_in_is_a_field_also_where_its_role_says_nothing_of_it() -> None:
    cell = AccessibleElement(role="panel", name="Cell D11", box=BUTTON, states=("editable", "multi line"))
    typed = step(role="panel").but(action=TypeAction(text_to_type="12"), pointer=None, pointed=None, focused=cell)
    for told, kinds in [
        (cell, ["input_field"]),
        (cell.but(states=()), []),
        (cell.but(role="paragraph", name=""), ["text_area"]),
    ]:
        assert [one.type for one in join_accessibility([], FRAME, [typed.but(focused=told)])] == kinds


def test_a_cell_says_nothing_of_the_control_that_it_holds() -> None:
    cell = step(role="table cell", name="", box=BUTTON)
    named = step(role="table cell", name="Bob", box=BUTTON)
    assert [one.type for one in join_accessibility([element(type="button")], FRAME, [named])] == ["tabled_text"]
    for kind in ("dropdown", "checkbox", "input_field"):
        assert [one.type for one in join_accessibility([element(type=kind)], FRAME, [cell])] == [kind]
    assert [one.type for one in join_accessibility([element(type="icon")], FRAME, [cell])] == ["tabled_text"]


def test_a_field_that_took_a_key_is_one_also_where_its_window_was_read_before_it_opened() -> None:
    field = AccessibleElement(role="text", value="Blues", box=BUTTON, states=("editable",))
    entered = key_step(0, FRAME, "Enter").but(focused=field)
    whole = [Rect(0, 0, 640, 400)]
    (joined,) = join_accessibility([], FRAME, [entered], known=whole)
    assert (joined.type, joined.text) == ("input_field", "Blues")
    assert join_accessibility([], FRAME, [entered.but(focused=field.but(role="push button"))], known=whole) == []


def test_a_field_says_what_stood_in_it_as_the_step_began() -> None:
    known = element(type="text_area", text="Ann", source="accessibility")
    value = AccessibleElement(role="text", value="Anna", box=BUTTON, states=("editable", "multi line"))

    def text(told: AccessibleElement, shown: Element = known) -> str | None:
        entered = key_step(0, FRAME, "Enter").but(focused=told)
        return join_accessibility([shown], FRAME, [entered], known=[Rect(0, 0, 640, 400)])[0].text

    assert text(value) == "Anna"
    assert text(value.but(value="An")) == "An"
    assert text(value.but(value="")) == "Ann"
    assert text(value.but(secure=True)) == "Ann"
    assert text(value.but(box=BUTTON.moved(0, 100))) == "Ann"
    assert text(value, known.but(review="approved")) == "Ann"


def test_the_only_cell_of_a_reported_row_is_that_row() -> None:
    row = element(type="tree_item", text="Slashdot", source="accessibility", box=Rect(80, 50, 160, 76))
    cell = step(role="table cell", name="Slashdot", box=Rect(100, 50, 300, 76))
    assert join_accessibility([row], FRAME, [cell], known=[Rect(0, 0, 640, 400)]) == [row]
    several = row.but(text="Slashdot 12")
    assert len(join_accessibility([several], FRAME, [cell], known=[Rect(0, 0, 640, 400)])) == 2


def test_a_cell_that_was_found_without_words_has_those_that_were_told() -> None:
    cell = step(role="table cell", name="node14", box=BUTTON)
    (joined,) = join_accessibility([element(type="menu_item", text=None)], FRAME, [cell])
    assert (joined.type, joined.text) == ("tabled_text", "node14")


def test_what_a_list_shows_is_its_text_where_its_program_tells_none() -> None:
    words = element(type="tabled_text", text="words", box=Rect(104, 54, 140, 70), source="ocr")
    told = AccessibleElement(role="combo box", name="words", box=BUTTON)
    typed = type_step(0, FRAME, None, "letter").but(focused=told)
    (joined,) = join_accessibility([words], FRAME, [typed], known=[Rect(0, 0, 640, 400)])
    assert (joined.type, joined.text) == ("dropdown", "words")
    (secret,) = join_accessibility([words], FRAME, [typed.but(focused=told.but(secure=True))])
    assert secret.text is None


def test_the_entry_under_the_pointer_is_what_had_the_input_where_nothing_else_was_told() -> None:
    entry = AccessibleElement(role="menu item", name="New...", box=Rect(90, 40, 300, 80))
    seen = [element(type="radio", text="New..", box=Rect(95, 50, 200, 70))]
    clicked = click_step(0, FRAME, None, Point(110, 60)).but(focused=entry)
    known = [Rect(0, 0, 640, 400)]
    (told,) = join_accessibility(seen, FRAME, [clicked], known=known)
    assert (told.type, told.text, told.box) == ("menu_item", "New...", entry.box)
    behind = clicked.but(pointed=AccessibleElement(role="table", name="", box=Rect(0, 0, 300, 200)))
    assert [one.type for one in join_accessibility(seen, FRAME, [behind], known=known)] == ["menu_item"]
    other = clicked.but(pointed=AccessibleElement(role="push button", name="Save", box=Rect(95, 50, 200, 70)))
    assert "menu_item" not in {one.type for one in join_accessibility(seen, FRAME, [other], known=known)}
    elsewhere = click_step(0, FRAME, None, Point(400, 300)).but(focused=entry)
    assert join_accessibility(seen, FRAME, [elsewhere], known=known) == seen


def test_a_field_that_opened_in_a_row_is_an_element_beside_it() -> None:
    row = element(type="list_item", text="New folder", source="accessibility", box=Rect(80, 50, 260, 70))
    field = AccessibleElement(
        role="text", value="New folder", box=Rect(100, 50, 260, 70), states=("editable", "focused")
    )
    typed = type_step(0, FRAME, FRAME, "Herbs").but(focused=field)
    known = [Rect(0, 0, 640, 400)]
    joined = join_accessibility([row], FRAME, [typed], known=known)
    assert [(one.type, one.text) for one in joined] == [("list_item", "New folder"), ("input_field", "New folder")]
    told = row.but(type="input_field")
    assert join_accessibility([told], FRAME, [typed], known=known) == [told], "the field itself is known"


def test_a_control_that_has_the_input_after_a_click_is_what_was_clicked_where_only_its_page_was_told() -> None:
    page = AccessibleElement(role="filler", box=Rect(0, 0, 300, 200))
    field = AccessibleElement(role="text", name="Account:", value="Ada", box=BUTTON, states=("editable", "focused"))
    box = AccessibleElement(role="check box", name="Limit", box=BUTTON, states=("checked", "focused"))
    clicked = click_step(0, FRAME, FRAME, Point(110, 60)).but(pointed=page)
    seen = [element(type="checkbox", text="F□ M")]

    def told(after: AccessibleElement, changed: Rect, found: Sequence[Element] = ()) -> list[Element]:
        typed = type_step(1, FRAME, FRAME, "x").but(focused=after)
        joined = join_accessibility(found, FRAME, [clicked, typed.but(before=None)], changes=lambda _: [changed])
        return [one.but(uid="") for one in joined]

    (made,) = told(field, BUTTON.grown(2))
    assert (made.type, made.text, made.box, made.states) == ("input_field", "Ada", BUTTON, {})
    (ticked,) = told(box, BUTTON, seen)
    assert (ticked.type, ticked.text, ticked.states) == ("checkbox", "Limit", {}), "it was ticked by the click"
    assert told(field, Rect(50, 40, 400, 300)) == [], "it came up with a dialog"
    assert told(field.but(box=Rect(0, 100, 80, 120)), BUTTON) == [], "it is elsewhere"
    assert told(AccessibleElement(role="list item", name="Ada", box=BUTTON), BUTTON) == [], "a list that dropped down"


def test_a_click_on_the_words_of_a_row_is_one_on_the_row() -> None:
    row = element(type="list_item", text="Text", source="accessibility", box=Rect(90, 50, 260, 80))
    known = [Rect(0, 0, 640, 400)]
    for role, name, count in (("label", "Text", 1), ("icon", "", 1), ("label", "More", 2)):
        told = step(role=role, name=name, box=Rect(100, 55, 140, 75))
        assert len(join_accessibility([row], FRAME, [told], known=known)) == count
