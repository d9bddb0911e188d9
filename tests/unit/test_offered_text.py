"""What a text could be, whose text follows its box, types by letters, words that complete themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.attributes.keyboard_choice import completed, goes_on, types_by_letters
from annotator.attributes.text_updates import (
    FollowText,
    ReadableEdit,
    is_text_said,
    offered_text,
    same_foreground,
    texts_to_read,
)
from annotator.attributes.type_defaults import TypeDefaults
from annotator.box_commands import MergeElements, PasteElements, SetBoxes, SplitElement
from annotator.commands import AddElement, Command, MoveElements
from annotator.document import Document
from demopack.domain.demos import Demo
from demopack.domain.edits import Edit
from demopack.domain.elements import ELEMENT_TYPES, Element, Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size
from tests.support import editing
from tests.support.demos import demo_head

SIZE = Size(800, 600)
HUMAN: dict[str, Any] = {"source": "human", "review": "approved"}
FOUND: dict[str, Any] = {"source": "detector", "confidence": 0.7}


def element(uid: str = "e", *, box: Rect | None = None, **fields: Any) -> Element:
    one = editing.element(uid, **fields)
    return one if box is None else one.changed(box=box)


def at(x: int, y: int, *, w: int = 14, h: int = 14) -> Rect:
    return Rect(x, y, x + w, y + h)


def document(*elements: Element) -> Document:
    return Document(Demo(head=demo_head("d"), steps=(), elements={"f": elements}, parsed=frozenset({"f"})))


def done(doc: Document, command: Command) -> Edit:
    edit = command.edit(doc)
    assert edit is not None
    doc.apply(edit.changes)
    return edit


def read(doc: Document, command: Command) -> list[str]:
    return sorted(one.uid for one in texts_to_read(done(doc, command)))


# What is offered ----------------------------------------------------------------------------------------------------

BOX = element("box", type="checkbox", box=at(100, 100))


def label(uid: str, x: int, text: str | None, y: int = 98, **fields: Any) -> Element:
    return element(uid, type="text", box=Rect(x, y, x + 60, y + 17), text=text, **fields)


@pytest.mark.parametrize(
    ("others", "offer"),
    [
        ([label("r", 120, "News")], "News"),
        ([label("r", 130, "News"), label("l", 35, "Old")], "News"),
        ([label("r", 136, "News"), label("l", 35, "Old")], "Old"),
        ([label("r", 130, "News"), label("n", 118, "Near")], "Near"),
        ([label("far", 136, "News")], None),
        ([label("below", 120, "News", y=116)], None),
        ([label("gone", 120, "News", review="rejected")], None),
        ([label("empty", 120, None)], Rect(120, 98, 180, 115)),
        ([element("b", type="button", box=Rect(120, 98, 180, 115), text="Go")], None),
    ],
    ids=[
        "right",
        "both sides",
        "right is too far",
        "nearest",
        "too far",
        "another line",
        "rejected",
        "not read",
        "no text",
    ],
)
def test_a_mark_is_called_by_its_label(others: list[Element], offer: str | Rect | None) -> None:
    for kind in ("checkbox", "radio", "toggle"):
        assert offered_text(BOX.changed(type=kind), [BOX, *others]) == offer


def test_without_a_label_the_ink_beside_a_mark_is_read() -> None:
    image: RgbImage = np.full((600, 800, 3), 250, dtype=np.uint8)
    assert offered_text(BOX, [], image) is None
    for x in (119, 126, 133, 160):
        image[102:112, x : x + 4] = 0
    place = offered_text(BOX, [], image)
    assert isinstance(place, Rect)
    assert (place.x1, place.x2) == (117, 139), "a wide gap ends it"
    assert (place.y1 < 102, place.y2 > 112) == (True, True)
    wall = element("wall", type="button", box=Rect(125, 95, 200, 118))
    place = offered_text(BOX, [wall], image)
    assert isinstance(place, Rect)
    assert place.x2 <= 127, "what another element covers is not read"


def test_ink_to_the_left_is_read_where_none_is_to_the_right() -> None:
    image: RgbImage = np.full((600, 800, 3), 30, dtype=np.uint8)
    image[102:112, 60:90:3] = 220
    place = offered_text(BOX, [], image)
    assert isinstance(place, Rect)
    assert (place.x1, place.x2) == (58, 90)


def test_everything_else_is_read_in_its_box_where_it_may_have_a_text() -> None:
    assert offered_text(element("b", type="button"), []) == element().box
    assert offered_text(element("i", type="icon"), []) is None


def test_the_arrow_of_a_list_is_not_read_and_windows_are_not_read_at_all() -> None:
    for kind in ("dropdown", "spinner"):
        wide = element("d", type=kind, box=Rect(10, 10, 110, 34))
        assert offered_text(wide, []) == Rect(10, 10, 86, 34)
        assert offered_text(wide.changed(box=Rect(10, 10, 50, 34)), []) == Rect(10, 10, 50, 34)
    for kind in ("window", "dialog", "image", "slider"):
        assert offered_text(element("w", type=kind, box=Rect(10, 10, 110, 34)), []) is None


ROW = element("row", type="list_item", box=Rect(10, 10, 210, 34))


def test_a_row_in_which_others_have_the_words_has_none() -> None:
    inside = label("name", 40, "Ada", y=14)
    assert offered_text(ROW, [inside]) is None
    for other in (label("below", 40, "Ada", y=60), inside.changed(text=None), inside.changed(review="rejected")):
        assert offered_text(ROW, [other]) == ROW.box
    assert offered_text(ROW.changed(type="button"), [inside]) == ROW.box


def row(*ink: tuple[int, int, int]) -> RgbImage:
    """A row with ink in the middle: from, to, height."""
    image: RgbImage = np.full((60, 240, 3), 250, dtype=np.uint8)
    for start, end, tall in ink:
        image[22 - tall // 2 : 22 + tall // 2, start:end] = 10
    return image


@pytest.mark.parametrize(
    ("ink", "place"),
    [
        ([(14, 30, 16), (38, 46, 10), (48, 60, 10)], Rect(36, 10, 210, 34)),
        ([(14, 26, 10), (32, 60, 12)], Rect(10, 10, 210, 34)),
        ([(14, 90, 14), (98, 120, 10)], Rect(10, 10, 210, 34)),
        ([(14, 60, 10)], Rect(10, 10, 210, 34)),
        ([(14, 60, 10), (120, 160, 10)], None),
        ([], Rect(10, 10, 210, 34)),
    ],
    ids=["icon and words", "a short word", "a long word", "words", "columns", "nothing"],
)
def test_a_row_is_read_behind_its_icon_and_not_where_it_has_columns(
    ink: list[tuple[int, int, int]], place: Rect | None
) -> None:
    assert offered_text(ROW, [], row(*ink)) == place
    menu = ROW.changed(type="menu_item")
    assert offered_text(menu, [], row(*ink)) == (place or menu.box), "a menu's second column is its key"
    assert offered_text(ROW.changed(type="text"), [], row(*ink)) == ROW.box


@pytest.mark.parametrize(
    ("new", "same"),
    [
        (Rect(40, 20, 100, 40), True),
        (Rect(30, 16, 118, 44), True),
        (Rect(58, 20, 100, 40), False),
        (Rect(40, 20, 130, 40), False),
        (Rect(40, 26, 100, 40), False),
        (Rect(150, 60, 190, 80), False),
    ],
    ids=["tighter", "wider", "cut at the left", "another word", "cut at the top", "elsewhere"],
)
def test_a_box_that_only_lost_air_holds_the_same(new: Rect, same: bool) -> None:
    image: RgbImage = np.full((100, 200, 3), 250, dtype=np.uint8)
    image[24:36, 50:90] = 10
    image[24:36, 120:140] = 10
    assert same_foreground(image, Rect(36, 18, 110, 42), new) is same


# Whose text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (element(text="Save", **FOUND), False),
        (element(text="Save", **FOUND, review="approved"), True),
        (element(text="Save", **FOUND, review="approved", evidence=(Evidence(source="ocr", text="Save "),)), False),
        (element(text="Safe", **FOUND, review="approved", evidence=(Evidence(source="ocr", text="Save"),)), True),
        (element(text=None, **FOUND, review="approved", evidence=(Evidence(source="ocr", text="Save"),)), True),
        (element(text=None, **FOUND, review="approved"), False),
        (element(text=None, **HUMAN), False),
        (element(text="Save", **HUMAN), True),
        (element(text="Save", **HUMAN, evidence=(Evidence(source="ocr", text="Save"),)), False),
    ],
)
def test_a_person_said_what_no_source_said(one: Element, said: bool) -> None:
    assert is_text_said(one) is said


def test_boxes_that_are_drawn_or_changed_are_read() -> None:
    found = element("found", text="Sav", box=at(10, 10), **FOUND)
    typed = element("typed", text="Save", box=at(10, 60), **HUMAN)
    doc = document(found, typed, element("icon", type="icon", box=at(10, 90), **FOUND))
    assert read(doc, AddElement(element=element("new", box=at(90, 90), **HUMAN))) == ["new"]
    assert read(doc, AddElement(element=element("line", type="shape", box=at(90, 90), **HUMAN))) == []
    boxes = {"found": at(10, 10, w=40), "typed": at(10, 60, w=40), "icon": at(9, 90)}
    assert read(doc, SetBoxes(boxes=boxes, frame_size=SIZE)) == ["found"]
    assert read(doc, SetBoxes(boxes={"found": at(12, 10)})) == ["found"], "it is not the person's by that"
    assert read(doc, MoveElements(uids=("found",), dx=3, dy=0, frame_size=SIZE)) == ["found"]
    assert read(doc, SetAttribute(uids=("found",), name="review", value="doubtful")) == []
    done(doc, SetAttribute(uids=("found",), name="text", value="Save"))
    assert read(doc, MoveElements(uids=("found",), dx=3, dy=0, frame_size=SIZE)) == []


def test_what_becomes_a_text_is_read() -> None:
    doc = document(element("icon", type="icon", box=at(10, 90), **FOUND), element("b", box=at(10, 10), **FOUND))
    assert read(doc, SetAttribute(uids=("icon",), name="type", value="tabled_text")) == ["icon"]
    assert read(doc, SetAttribute(uids=("b",), name="type", value="text")) == [], "nothing was to be read on it before"


def test_parts_are_read_unless_a_person_wrote_on_one() -> None:
    whole = element("whole", text="Save all", box=at(10, 10, w=100), **FOUND)
    cut = SplitElement(uid="whole", across="x", cuts=((60, 62),), new_uids=("second",))
    doc = document(whole)
    assert read(doc, cut) == ["second", "whole"]
    assert read(doc, MergeElements(uids=("whole", "second"))) == []
    doc = document(element("whole", text="Save all", box=at(10, 10, w=100), **HUMAN))
    assert read(doc, cut) == []
    a, b = element("a", text="Save", box=at(10, 10), **FOUND), element("b", text="all", box=at(40, 10), **FOUND)
    assert read(document(a, b), MergeElements(uids=("a", "b"))) == ["a"]
    assert read(document(a, b.changed(**HUMAN, confidence=None)), MergeElements(uids=("a", "b"))) == []


def test_an_edit_after_which_texts_are_read_gets_a_key() -> None:
    doc = document(element("found", text="Sav", box=at(10, 10), **FOUND))

    def key(command: Command) -> str | None:
        edit = ReadableEdit(command=command, key="read-1").edit(doc)
        return None if edit is None else edit.merge_key

    assert key(SetBoxes(boxes={"found": at(12, 10)})) == "read-1"
    assert key(SetBoxes(boxes={"found": at(12, 10)}, merge_key="nudge")) == "nudge", "a gesture has its own"
    assert key(SetAttribute(uids=("found",), name="review", value="approved")) is None
    assert key(SetBoxes(boxes={"found": at(10, 10)})) is None
    new = element("new", box=at(40, 40), **HUMAN)
    assert key(PasteElements(elements=(new,))) is None, "what is pasted has the text that it has"


def test_an_edit_of_very_many_elements_is_not_read() -> None:
    many = [element(str(i), box=at(i * 10, 10), **FOUND) for i in range(61)]
    assert read(document(*many), MoveElements(uids=tuple(map(str, range(61))), dx=0, dy=5, frame_size=SIZE)) == []


# Writing it ---------------------------------------------------------------------------------------------------------


def test_what_was_read_is_written_and_remembered_as_read() -> None:
    new = element("new", box=at(10, 10), **HUMAN)
    doc = document(new)
    edit = done(doc, FollowText(texts={"new": "Save"}, seen={"new": new}, drawn=True, merge_key="draw-new"))
    (now,) = doc.elements("f")
    assert (now.text, now.evidence) == ("Save", (Evidence(source="ocr", box=new.box, text="Save"),))
    assert (edit.label, edit.merge_key) == ("Draw a box (button) with “Save”, as read", "draw-new")
    assert not is_text_said(now)
    assert read(doc, SetBoxes(boxes={"new": at(10, 10, w=40)})) == ["new"], "it follows the box once more"
    done(doc, FollowText(texts={"new": "Save all"}))
    assert [said.text for said in doc.elements("f")[0].evidence] == ["Save all"]


def test_a_finders_word_stays_beside_what_was_read() -> None:
    found = element("found", text="Sav", box=at(10, 10), **FOUND)
    doc = document(found)
    done(doc, SetBoxes(boxes={"found": at(10, 10, w=40)}))
    edit = done(doc, FollowText(texts={"found": "Save"}, seen={"found": doc.elements("f")[0]}))
    assert [(said.source, said.text) for said in doc.elements("f")[0].evidence] == [
        ("detector", "Sav"),
        ("ocr", "Save"),
    ]
    assert edit.label == "Write “Save” on “Sav” (button), as read"


def test_nothing_is_written_where_something_else_happened_meanwhile() -> None:
    seen = element("a", box=at(10, 10), **HUMAN)

    def tried(now: Element, text: str = "Save") -> Edit | None:
        return FollowText(texts={"a": text}, seen={"a": seen}).edit(document(now))

    assert tried(seen.changed(box=at(11, 10))) is None
    assert tried(seen.changed(text="Typed")) is None
    assert tried(seen.changed(review="rejected")) is None
    assert tried(seen.changed(type="icon")) is None
    assert tried(seen, "") is None
    assert tried(seen.changed(uid="b")) is None
    assert tried(seen.changed(type="text", states={"highlighted": False})) is not None
    two = [element(uid, box=at(10, 10), **HUMAN) for uid in ("a", "b")]
    edit = FollowText(texts={"a": "Save", "b": "Open"}).edit(document(*two))
    assert edit is not None
    assert (edit.label, len(edit.changes)) == ("Write what was read on 2 elements", 2)


# Letters ------------------------------------------------------------------------------------------------------------


def test_a_type_is_found_by_its_first_letters_the_most_used_first() -> None:
    by_use = TypeDefaults().types_by_use()
    assert set(types_by_letters("", by_use)) == set(ELEMENT_TYPES)
    assert types_by_letters("ch", by_use) == ("checkbox",)
    assert types_by_letters("te", by_use) == ("text", "text_area")
    assert types_by_letters("textA", by_use) == types_by_letters("text_a", by_use) == ("text_area",)
    used = TypeDefaults([element(type="text_area", **HUMAN)]).types_by_use()
    assert types_by_letters("te", used)[0] == "text_area"
    assert types_by_letters("it", by_use) == ("menu_item", "list_item", "tree_item"), (
        "a further word, where none begins"
    )
    assert types_by_letters("xq", by_use) == ()


def test_a_type_is_found_in_the_users_language_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def german(kind: str) -> str:
        return {"button": "Schaltfläche", "tab": "Reiter"}.get(kind, kind)

    monkeypatch.setattr("annotator.attributes.keyboard_choice.type_word", german)
    assert types_by_letters("schalt", ["text", "button"]) == ("button",)
    assert types_by_letters("bu", ["text", "button"]) == ("button",)
    assert types_by_letters("t", ["tab", "text", "button"]) == ("text", "tab"), "their own word comes first"


def test_letters_that_go_on_are_known() -> None:
    assert goes_on("sp", "spinner", "i")
    assert goes_on("tex", "text_area", "t")
    assert not goes_on("sp", "spinner", "x")


def test_a_word_is_completed_by_use_and_then_from_the_known_ones() -> None:
    words = TypeDefaults([element(type="icon", subtype="save as", **HUMAN)] * 2).subtypes("icon")
    assert completed("sa", words) == "save as"
    assert completed("ma", words) == "mail"
    assert completed("max", words) == "maximize"
    assert completed("MAX", words) == "maximize"
    assert completed("blob", words) == "blob"
    assert completed("", words) == ""
