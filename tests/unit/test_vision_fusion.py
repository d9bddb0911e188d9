from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from models.vision.description import Description
from models.vision.detection import Detection, to_element
from models.vision.fusion import Rules, describe_all, fuse, label_of

BUTTON = Rect(10, 10, 110, 40)


def line(box: Rect, text: str, sure: float = 0.95) -> Detection:
    return Detection(type="text", box=box, source="ocr", confidence=sure, text=text)


def seen(kind: Any, box: Rect, sure: float = 0.9, **more: Any) -> Detection:
    return Detection(type=kind, box=box, source="detector", confidence=sure, **more)


def shown(found: list[Detection]) -> list[tuple[str, str | None]]:
    return [(f.type, f.text) for f in found]


def test_a_button_takes_its_words_and_keeps_who_said_what() -> None:
    (one,) = fuse([line(Rect(30, 15, 80, 33), "Save")], [seen("button", BUTTON)])
    assert (one.type, one.text, one.box, one.source) == ("button", "Save", BUTTON, "detector")
    assert [(e.source, e.type, e.text, e.box) for e in one.evidence] == [
        ("detector", "button", None, BUTTON),
        ("ocr", None, "Save", Rect(30, 15, 80, 33)),
    ]


def test_a_detected_line_takes_the_box_of_its_ink_and_is_cut_where_labels_were_joined() -> None:
    bar = seen("text", Rect(0, 0, 200, 22))
    words = [line(Rect(4, 4, 30, 18), "File"), line(Rect(60, 4, 90, 18), "Edit")]
    found = fuse(words, [bar])
    assert [(f.type, f.text, f.box) for f in found] == [("text", "File", words[0].box), ("text", "Edit", words[1].box)]
    assert found[0].evidence[0].box == bar.box


def test_a_detected_line_that_nobody_can_read_is_trusted_less_and_a_part_of_a_read_one_is_gone() -> None:
    (left,) = fuse([], [seen("text", Rect(0, 0, 60, 14), 0.8)])
    assert (left.text, left.confidence) == (None, pytest.approx(0.4))
    whole, part = seen("text", Rect(0, 0, 100, 14)), seen("hyperlink", Rect(0, 0, 50, 14), 0.5)
    assert shown(fuse([line(Rect(0, 0, 100, 14), "a long line")], [whole, part])) == [("text", "a long line")]


def test_words_that_were_detected_inside_a_control_are_no_elements() -> None:
    assert shown(
        fuse([line(Rect(30, 15, 80, 33), "Save")], [seen("button", BUTTON), seen("text", Rect(28, 14, 82, 34))])
    ) == [("button", "Save")]


def test_a_region_around_links_deletes_none_of_them() -> None:
    links = [line(Rect(20, 20 * i, 90, 20 * i + 14), f"Page {i}") for i in range(1, 4)]
    links = [dataclasses.replace(one, type="hyperlink") for one in links]
    detected = [seen("hyperlink", one.box) for one in links]
    found = fuse(links, [seen("text_area", Rect(10, 10, 300, 90)), *detected])
    assert shown(found) == [("hyperlink", "Page 1"), ("hyperlink", "Page 2"), ("hyperlink", "Page 3")]


def test_a_link_in_a_row_is_an_element_of_its_own() -> None:
    row, link = seen("list_item", Rect(0, 0, 300, 24)), line(Rect(10, 4, 80, 18), "Next page")
    link = dataclasses.replace(link, type="hyperlink")
    assert shown(fuse([link], [row])) == [("list_item", None), ("hyperlink", "Next page")]


def test_a_row_owns_one_label_but_not_two() -> None:
    row = seen("list_item", Rect(0, 0, 300, 24))
    name, date = line(Rect(10, 4, 80, 18), "Report"), line(Rect(220, 4, 280, 18), "Monday")
    assert shown(fuse([name], [row])) == [("list_item", "Report")]
    assert shown(fuse([name, date], [row])) == [("list_item", None), ("text", "Report"), ("text", "Monday")]


def test_an_icon_that_was_read_as_letters_stays_an_icon() -> None:
    icon = seen("icon", Rect(10, 10, 30, 30))
    assert shown(fuse([line(Rect(11, 11, 29, 29), "O")], [icon])) == [("icon", "O")]
    assert to_element(fuse([line(Rect(11, 11, 29, 29), "O")], [icon])[0].to_json(), frame_id="f").text is None
    sign = Detection(type="icon", box=Rect(12, 12, 28, 28), source="ocr", confidence=0.4, subtype="menu")
    assert fuse([sign], [icon]) == [icon]
    assert shown(fuse([line(Rect(11, 11, 29, 29), "7")], [icon])) == [("text", "7")]
    assert fuse([sign], []) == [sign]


def test_a_box_to_tick_takes_its_label_and_leaves_it_where_it_is() -> None:
    mark = seen("checkbox", Rect(10, 10, 24, 24))
    label = line(Rect(30, 10, 90, 24), "I agree")
    assert shown(fuse([label, line(Rect(30, 40, 90, 54), "Other")], [mark])) == [
        ("checkbox", "I agree"),
        ("text", "I agree"),
        ("text", "Other"),
    ]
    assert label_of(mark.box, [line(Rect(60, 10, 90, 24), "far")], reach=21) is None


def test_two_lines_of_a_control_are_read_in_order() -> None:
    area = seen("text_area", Rect(0, 0, 200, 100))
    words = [
        line(Rect(60, 30, 90, 42), "fox"),
        line(Rect(4, 8, 60, 20), "The quick"),
        line(Rect(4, 31, 50, 43), "brown"),
    ]
    assert shown(fuse(words, [area])) == [("text_area", "The quick brown fox")]


@pytest.mark.parametrize(
    ("read", "number"),
    [("0.500\u4e00\u5341", "0.500"), ("400 ms", "400 ms"), ("12 - +", "12"), ("-5", "-5"), ("+", "+")],
)
def test_the_signs_of_a_number_field_are_no_part_of_the_number(read: str, number: str) -> None:
    (field,) = described(seen("input_field", BUTTON, text=read), Description(type="spinner", type_confidence=0.95))
    assert (field.type, field.text) == ("spinner", number)


def described(found: Detection, said: Description | None, *, reads: bool = False, **rules: float) -> list[Detection]:
    return describe_all([found], [said], rules=Rules(**rules), reads=reads)


def test_a_sure_describer_decides_the_type_and_an_unsure_one_is_only_noted() -> None:
    button = seen("button", BUTTON)
    (sure,) = described(button, Description(type="tab", type_confidence=0.95))
    (unsure,) = described(button, Description(type="tab", type_confidence=0.5))
    assert (sure.type, unsure.type) == ("tab", "button")
    assert sure.confidence == button.confidence, "the describer's type is taken: nobody disputes it"
    assert unsure.confidence == pytest.approx(0.8 * button.confidence)
    read = dataclasses.replace(line(Rect(30, 15, 80, 33), "Save"), was_read=True)
    (other,) = described(read, Description(type="tabled_text", type_confidence=0.95))
    assert (other.type, other.confidence) == ("tabled_text", pytest.approx(0.8 * read.confidence))
    assert unsure.evidence[-1].type == "tab"
    (box,) = described(seen("other", BUTTON), Description(type="button", type_confidence=0.5))
    assert (box.type, box.confidence) == ("button", 0.9), "any type says more than none"


def test_a_word_that_was_surely_read_is_taken_for_no_picture() -> None:
    icon = Description(type="icon", type_confidence=0.99)
    for sure, text, kind in ((0.95, "next", "text"), (0.95, "x", "icon"), (0.6, "next", "icon")):
        (found,) = fuse([dataclasses.replace(line(Rect(10, 4, 50, 18), text, sure), was_read=True)], [])
        assert described(found, icon)[0].type == kind


def test_states_and_subtypes_come_from_the_describer_where_it_is_sure() -> None:
    said = Description(
        type="icon", subtype="search", states={"checked": True, "disabled": False}, state_confidence={"checked": 0.3}
    )
    (one,) = described(seen("icon", BUTTON), said)
    assert (one.subtype, one.states) == ("search", {"disabled": False})


def test_a_state_that_holds_needs_more_than_a_bare_majority() -> None:
    said = Description(type="checkbox", states={"checked": True}, state_confidence={"checked": 0.7})
    (unsure,) = described(seen("checkbox", BUTTON), said)
    assert unsure.states["checked"] is False
    (sure,) = described(seen("checkbox", BUTTON), dataclasses.replace(said, state_confidence={"checked": 0.85}))
    assert sure.states["checked"] is True


def test_texts_are_believed_as_the_card_says() -> None:
    read = fuse([line(Rect(30, 15, 80, 33), "5ave")], [seen("button", BUTTON)])[0]
    said = Description(type="button", text="Save")
    assert described(read, said)[0].text == "5ave"
    assert described(read, said, reads=True)[0].text == "Save"
    assert [e.text for e in described(read, said)[0].evidence] == [None, "5ave", "Save"]


def test_what_the_describer_takes_for_nothing_goes_unless_it_was_read() -> None:
    nothing = Description(type=None, type_confidence=0.95)
    assert described(seen("icon", BUTTON), nothing) == []
    (read,) = described(line(BUTTON, "Save"), nothing)
    assert read.confidence < 0.6
    assert described(seen("icon", BUTTON), Description(type=None, type_confidence=0.5))[0].confidence < 0.9
    assert described(seen("icon", BUTTON), None) == [seen("icon", BUTTON)]


def test_a_card_may_state_the_rules() -> None:
    assert Rules.model_validate({"type_at": 0.7, "patches": 96}) == Rules(type_at=0.7)


def test_evidence_survives_the_way_between_processes() -> None:
    one = fuse([line(Rect(30, 15, 80, 33), "Save")], [seen("button", BUTTON)])[0]
    element = to_element(one.to_json(), frame_id="f")
    assert isinstance(element, Element)
    assert element.evidence == one.evidence


def test_a_line_that_nobody_could_read_needs_a_sure_detector() -> None:
    sure, unsure = seen("text", Rect(0, 0, 80, 14), 0.6), seen("text", Rect(0, 40, 80, 54), 0.45)
    assert [one.box for one in fuse([], [sure, unsure])] == [sure.box]


def test_a_state_that_can_always_be_seen_is_no_where_nobody_is_sure_of_it() -> None:
    said = Description(type="checkbox", states={"focused": True}, state_confidence={"focused": 0.95})
    (told,) = described(seen("checkbox", BUTTON), said)
    assert told.states == {"checked": False, "disabled": False, "focused": True}


def test_a_state_that_is_seldom_seen_is_left_out_until_it_is_told() -> None:
    (plain,) = described(seen("button", BUTTON), Description(type="button"))
    assert plain.states == {"disabled": False, "focused": False}
    pressed = Description(type="button", states={"checked": True}, state_confidence={"checked": 0.9})
    (told,) = described(seen("button", BUTTON), pressed)
    assert told.states["checked"] is True


def test_what_was_not_described_keeps_its_states() -> None:
    (left,) = described(seen("checkbox", BUTTON), None)
    assert left.states == {}
