"""The form, the keyboard mode, the digits and the habits: pure parts of setting attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.attributes.element_attributes import (
    MIXED,
    BoxField,
    FillStates,
    SetAttribute,
    attributes_of,
    box_with,
    number_of,
)
from annotator.attributes.keyboard_choice import (
    DIGITS,
    AttributeMode,
    Line,
    TypeDigits,
    command_of,
    load_digits,
    save_digits,
)
from annotator.attributes.type_defaults import START_STATES, TypeDefaults, read_reviewed
from annotator.document import Document
from annotator.editing import EditSession
from demopack.domain.demos import Demo
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element
from demopack.domain.geometry import Rect, Size
from demopack.store import Library
from tests.support.demos import demo_head
from tests.support.editing import SAMPLE, TINY, HandStore, element, sample_library

BOX = element("box", type="checkbox", states={"checked": True}, review="approved")
ROUND = element("round", type="radio", states={"checked": False, "focused": True}, source="detector", confidence=0.5)
LABEL = element("label", type="text", text="Name")
BAR = element("bar", type="scrollbar_thumb")
ICON = element("icon", type="icon", subtype="send")
USUAL: Any = {"checkbox": {"checked": False}, "button": {"disabled": False}}


def document(*elements: Element) -> Document:
    return Document(Demo(head=demo_head("d"), steps=(), elements={"f": elements}, parsed=frozenset({"f"})))


def done(doc: Document, command: Any) -> str:
    """Carry a command out; its label."""
    edit = command.edit(doc)
    doc.apply(edit.changes)
    return str(edit.label)


def names(*elements: Element) -> list[str]:
    return [one.name for one in attributes_of(elements)]


# The form -----------------------------------------------------------------------------------------------------------


def test_the_form_has_what_the_type_may_carry_and_nothing_else() -> None:
    for kind in ELEMENT_TYPES:
        may, found = ATTRIBUTES[kind], names(element(type=kind))
        said = tuple(name in found for name in ("text", "placeholder", "subtype"))
        assert said == (may.text, may.placeholder, may.subtype)
        assert {
            name for name in found if name not in {"type", "text", "placeholder", "subtype", "review"}
        } == may.states
        assert (found[0], found[-1]) == ("type", "review")
    assert attributes_of([]) == ()


def test_several_elements_have_one_form_and_say_where_they_differ() -> None:
    form = {one.name: one for one in attributes_of([BOX, ROUND, LABEL])}
    assert list(form) == ["type", "checked", "focused", "highlighted", "disabled", "review"]
    assert (form["type"].value, form["checked"].value, form["disabled"].value) == (MIXED, MIXED, None)
    assert (form["checked"].uids, form["highlighted"].uids) == (("box", "round"), ("label",))


# Commands -----------------------------------------------------------------------------------------------------------


def test_several_elements_are_changed_in_one_edit_and_the_others_stay() -> None:
    doc = document(BOX, ROUND, LABEL)
    edit = SetAttribute(uids=("box", "round", "label"), name="checked", value=True).edit(doc)
    assert edit is not None
    assert [change.key for change in edit.changes] == ["round"], "one is checked already, the other cannot be"
    assert SetAttribute(uids=("box",), name="checked", value=True).edit(doc) is None
    assert done(doc, SetAttribute(uids=("box", "round"), name="checked", value=None)) == (
        "Mark 2 elements as checked: not visible"
    )
    assert [e.states for e in doc.elements("f") if e.uid != "label"] == [{}, {"focused": True}]


def test_a_found_element_that_is_corrected_is_approved_and_remembers_what_was_suggested() -> None:
    doc = document(ROUND)
    done(doc, SetAttribute(uids=("round",), name="type", value="checkbox"))
    (now,) = doc.elements("f")
    assert (now.type, now.review, now.evidence[0].type) == ("checkbox", "approved", "radio")


def test_another_type_drops_what_it_cannot_carry() -> None:
    doc = document(BOX, ICON)
    assert done(doc, SetAttribute(uids=("box", "icon"), name="type", value="text")) == "Turn 2 elements into text"
    assert [(e.states, e.subtype) for e in doc.elements("f")] == [({}, None)] * 2


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("subtype", "search", "Set the subtype of the send icon to “search”"),
        ("subtype", "", "Clear the subtype of the send icon"),
        ("review", "doubtful", "Doubt the send icon"),
        ("checked", False, "Mark the send icon as not checked"),
    ],
)
def test_every_change_is_a_sentence(name: Any, value: Any, label: str) -> None:
    assert done(document(ICON), SetAttribute(uids=("icon",), name=name, value=value)) == label


def test_a_drawn_box_gets_the_usual_states_of_its_type_until_somebody_says_otherwise() -> None:
    doc = document(element("new", review="approved"))

    def turn(kind: str) -> dict[Any, bool]:
        done(doc, SetAttribute(uids=("new",), name="type", value=kind, usual=USUAL))
        return dict(doc.elements("f")[0].states)

    assert turn("checkbox") == {"checked": False}
    assert turn("button") == {"disabled": False}, "what was usual for a checkbox says nothing about a button"
    done(doc, SetAttribute(uids=("new",), name="disabled", value=True))
    assert turn("checkbox") == {"checked": False, "disabled": True}, "what a person said stays"
    assert FillStates(uid="gone", states={"checked": True}).edit(doc) is None
    done(doc, FillStates(uid="new", states={"focused": True, "disabled": False}))
    assert doc.elements("f")[0].states == {"checked": False, "focused": True, "disabled": True}
    assert FillStates(uid="new", states={"focused": False}).edit(doc) is None


@pytest.mark.parametrize(
    ("old", "states"),
    [
        (element(source="detector", confidence=0.9), {"checked": False}),
        (element(source="detector", confidence=0.9, states={"focused": True}), {"checked": False, "focused": True}),
        (element(source="detector", review="approved", states={"checked": True}), {"checked": True}),
        (element(type="other", review="approved", states={"focused": True}), {"checked": False, "focused": True}),
        (element(type="tab", source="detector", review="approved", states={"focused": True}), {"focused": True}),
        (element(type="tab", source="detector", states={"focused": True}), {"checked": False, "focused": True}),
        (element(type="tab", source="detector", review="approved"), {"checked": False}),
    ],
    ids=[
        "nothing said",
        "one said",
        "stays",
        "not usual before",
        "taken out by a person",
        "not looked at",
        "no states",
    ],
)
def test_another_type_gets_states_that_nobody_said_anything_about(old: Element, states: dict[str, bool]) -> None:
    doc = document(old)
    usual: Any = {**USUAL, "tab": {"checked": True}}
    done(doc, SetAttribute(uids=(old.uid,), name="type", value="checkbox", usual=usual))
    assert doc.elements("f")[0].states == states


def test_the_same_type_again_changes_nothing() -> None:
    assert (
        SetAttribute(uids=("round",), name="type", value="radio", usual={"radio": {"disabled": False}}).edit(
            document(ROUND)
        )
        is None
    )


# Habits -------------------------------------------------------------------------------------------------------------


def boxes(count: int, **fields: Any) -> list[Element]:
    return [element(f"e{i}", type="checkbox", review="approved", **fields) for i in range(count)]


def test_what_most_people_say_of_a_type_is_usual() -> None:
    defaults = TypeDefaults(
        [*boxes(7, states={"checked": False}), *boxes(3, states={"checked": True, "focused": True})]
    )
    assert defaults.usual_states("checkbox") == {"checked": False}
    assert defaults.all_usual_states()["checkbox"] == {"checked": False}
    assert defaults.usual_states("radio") == {"focused": False}, "as everywhere, before three were reviewed"
    defaults.add(boxes(9, states={"checked": True}))
    assert defaults.usual_states("checkbox") == {"checked": True}


def test_few_or_divided_or_unreviewed_elements_make_no_habit() -> None:
    assert TypeDefaults(boxes(2, states={"checked": False})).usual_states("checkbox") == {}
    divided = [*boxes(5, states={"checked": False}), *boxes(5, states={"checked": True})]
    assert TypeDefaults(divided).usual_states("checkbox") == {}
    unseen = [*boxes(9), *boxes(3, states={"checked": True})]
    assert TypeDefaults(unseen).usual_states("checkbox") == {}, "mostly it cannot be seen"
    suggested = [e.changed(review="unreviewed") for e in boxes(9, states={"checked": False})]
    assert TypeDefaults(suggested).usual_states("checkbox") == {}


def test_a_library_begins_with_what_is_usual_everywhere_and_goes_its_own_way_from_three_on() -> None:
    for kind, states in START_STATES.items():
        assert set(states) <= ATTRIBUTES[kind].states
        assert TypeDefaults().usual_states(kind) == states
    chosen = [element(f"t{i}", type="text", review="approved", states={"highlighted": True}) for i in range(3)]
    assert TypeDefaults(chosen[:2]).usual_states("text") == {"highlighted": False}
    assert TypeDefaults(chosen).usual_states("text") == {"highlighted": True}
    assert TypeDefaults([e.changed(states={}) for e in chosen]).usual_states("text") == {}


def test_subtypes_are_offered_by_use_and_the_list_is_open() -> None:
    icons = [
        element(f"i{i}", type="icon", subtype=word, review="approved") for i, word in enumerate(["gear"] * 3 + ["send"])
    ]
    assert TypeDefaults(icons).subtypes("icon")[:3] == ["gear", "send", "back"]
    assert TypeDefaults().subtypes("shape") == ["circle", "triangle", "rectangle", "point", "line"]
    assert TypeDefaults().subtypes("other") == []


def test_habits_are_read_from_the_library_and_only_from_reviewed_elements(tmp_path: Path) -> None:
    with Library.open(sample_library(tmp_path)) as library:
        session = EditSession(library, library.demo(SAMPLE), HandStore())
        before = read_reviewed(library, first=SAMPLE)
        assert all(e.review == "approved" for e in before)
        frame = next(iter(session.document.demo().elements))
        uid = next(e.uid for e in session.document.elements(frame) if e.review == "unreviewed")
        session.do(SetAttribute(uids=(uid,), name="review", value="approved"))
        assert len(read_reviewed(library, first=TINY)) == len(before) + 1, "also of the other demos"


# Digits -------------------------------------------------------------------------------------------------------------


def test_the_ten_most_used_types_have_digits() -> None:
    by_use = TypeDefaults([element(type="slider", review="approved")]).types_by_use()
    digits = TypeDigits().relearned(by_use)
    assert (digits.type_of("1"), digits.type_of("2"), digits.digit_of("slider")) == ("slider", "button", "1")
    assert len({digits.type_of(digit) for digit in DIGITS}) == 10
    assert (digits.digit_of("toolbar"), TypeDigits().type_of("1")) == ("", None)


def test_digits_stay_where_fingers_know_them() -> None:
    first = TypeDigits().relearned(TypeDefaults().types_by_use())
    used = [element(type="menu", review="approved")] * 3 + [element(type="text", review="approved")] * 9
    later = first.relearned(TypeDefaults(used).types_by_use())
    assert later.digit_of("text") == first.digit_of("text")
    assert later.digit_of("menu") == first.digit_of("dropdown"), "the newcomer gets the digit of the one that left"


def test_a_digit_can_be_fixed_and_set_free_again() -> None:
    first = TypeDigits().relearned(TypeDefaults().types_by_use())
    fixed = first.fix("1", "slider")
    assert (fixed.type_of("1"), fixed.relearned(TypeDefaults().types_by_use()).type_of("1")) == ("slider", "slider")
    swapped = first.fix("1", "text")
    assert (swapped.type_of("1"), swapped.type_of("2")) == ("text", "button"), "the two change places"
    again = fixed.fix("1", None).relearned(TypeDefaults().types_by_use())
    assert again.fixed == {}
    assert again.digit_of("button") == "1"


@pytest.fixture
def digits_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "new" / "settings.json"))
    return tmp_path / "new" / "type_digits.json"


def test_digits_are_kept_and_a_damaged_file_is_none(digits_file: Path) -> None:
    assert load_digits() == TypeDigits()
    digits = TypeDigits().relearned(TypeDefaults().types_by_use()).fix("3", "toolbar")
    save_digits(digits)
    assert load_digits() == digits
    for text in ("{", "[]", '{"fixed": 3, "learned": {"12": "button", "x": "button", "1": "no such type"}}'):
        digits_file.write_text(text, encoding="utf-8")
        assert load_digits() == TypeDigits()


def test_one_digit_that_is_not_known_costs_no_other(digits_file: Path) -> None:
    digits_file.parent.mkdir()
    digits_file.write_text(
        '{"schema_version": 1, "fixed": {"3": "toolbar", "4": "hologram", "x": "button"}, "learned": {}}',
        encoding="utf-8",
    )
    assert load_digits() == TypeDigits(fixed={"3": "toolbar"})


# The keyboard mode --------------------------------------------------------------------------------------------------


def lines(mode: AttributeMode, *elements: Element, guesses: Sequence[str] = ()) -> dict[str, Line]:
    digits = TypeDigits().relearned(TypeDefaults().types_by_use())
    return {one.name: one for one in mode.lines(elements, digits=digits, defaults=TypeDefaults(), guesses=guesses)}


def current(mode: AttributeMode, *elements: Element) -> str:
    return next(one.name for one in lines(mode, *elements).values() if one.current)


def test_the_mode_begins_at_the_first_state_and_walks_round() -> None:
    mode = AttributeMode()
    assert current(mode, BOX) == "checked"
    mode.move([BOX], 1)
    assert current(mode, BOX) == "focused"
    mode.move([BOX], -3)
    assert current(mode, BOX) == "type"
    mode.move([BOX], -1)
    assert current(mode, BOX) == "review"
    assert current(mode, BAR) == "review", "it stays on the attribute where the next element has it"
    mode.move([BAR], 1)
    assert current(mode, BAR) == "type"


def test_digits_give_values_and_say_which_is_taken() -> None:
    mode = AttributeMode()
    found = lines(mode, BOX)
    assert [(c.digit, c.words, c.taken) for c in found["checked"].choices] == [
        ("1", "yes", True), ("2", "no", False), ("3", "cannot be seen", False),
    ]  # fmt: skip
    command = command_of(tuple(found.values()), "2")
    assert command == SetAttribute(uids=("box",), name="checked", value=False)
    assert command_of(tuple(found.values()), "7") is None
    assert (found["text"].choices, found["type"].value) == ((), "checkbox")
    assert [c.digit for c in found["type"].choices if c.taken] == ["4"]
    assert lines(mode, ICON)["subtype"].choices[0].words == "back"


def test_what_an_icon_may_mean_comes_before_the_usual_words_each_once() -> None:
    usual = [choice.words for choice in lines(AttributeMode(), ICON)["subtype"].choices]
    assert len(usual) == 10
    line = lines(AttributeMode(), ICON, guesses=("anchor", usual[1]))["subtype"]
    assert [choice.words for choice in line.choices] == ["anchor", usual[1], usual[0], *usual[2:9]]
    assert "".join(choice.digit for choice in line.choices) == "1234567890"
    command = command_of((replace(line, current=True),), "1")
    assert command == SetAttribute(uids=line.uids, name="subtype", value="anchor")
    assert "subtype" not in lines(AttributeMode(), BOX, guesses=("anchor",))


def test_the_mode_speaks_of_several_elements_at_once() -> None:
    found = lines(AttributeMode(), BOX, ROUND, LABEL)
    assert (found["checked"].value, found["disabled"].value) == ("different", "cannot be seen (2 of 3)")
    assert (found["checked"].uids, "text" in found) == (("box", "round"), False)
    assert command_of(tuple(found.values()), "1") == SetAttribute(uids=("box", "round"), name="checked", value=True)
    assert command_of((), "1") is None


# The box in numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "box"),
    [
        ("x", 12, (12, 20, 42, 30)),
        ("x", -5, (0, 20, 30, 30)),
        ("x", 999, (70, 20, 100, 30)),
        ("y", 999, (10, 40, 40, 50)),
        ("w", 999, (10, 20, 100, 30)),
        ("w", 0, (10, 20, 11, 30)),
        ("h", 999, (10, 20, 40, 50)),
    ],
)
def test_what_is_typed_is_clamped_to_the_picture(field: BoxField, value: int, box: tuple[int, int, int, int]) -> None:
    got = box_with(Rect(10, 20, 40, 30), field, value, Size(100, 50))
    assert got == Rect(*box)
    assert [number_of(got, name) for name in ("x", "y", "w", "h")] == [box[0], box[1], box[2] - box[0], box[3] - box[1]]
