"""Icons that get their name as soon as they are drawn: which ones, and where nothing is changed."""

from __future__ import annotations

from typing import Any

from annotator.attributes.element_attributes import SetAttribute
from annotator.attributes.text_updates import FollowName, ReadableEdit, icons_to_name, texts_to_read
from annotator.box_commands import PasteElements, SetBoxes, SplitElement
from annotator.commands import AddElement, Command
from annotator.document import Document
from demopack.domain.demos import Demo
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size
from tests.support import editing
from tests.support.demos import demo_head

SIZE = Size(800, 600)
SMALL, LARGE = Rect(10, 10, 26, 26), Rect(6, 6, 60, 30)


def icon(uid: str = "a", *, box: Rect = SMALL, kind: str = "icon", **fields: Any) -> Element:
    made: dict[str, Any] = {"source": "human", "review": "approved", "text": None, "confidence": None, **fields}
    return editing.element(uid, type=kind, **made).changed(box=box).cleaned()


def document(*elements: Element) -> Document:
    return Document(Demo(head=demo_head("d"), steps=(), elements={"f": elements}, parsed=frozenset({"f"})))


def done(doc: Document, command: Command) -> Edit:
    edit = command.edit(doc)
    assert edit is not None
    doc.apply(edit.changes)
    return edit


def named(doc: Document, command: Command) -> list[str]:
    return sorted(one.uid for one in icons_to_name(done(doc, command)))


def test_drawn_and_cut_icons_and_what_becomes_one_are_named() -> None:
    assert named(document(), AddElement(element=icon())) == ["a"]
    assert named(document(), AddElement(element=icon(subtype="save"))) == [], "it has a name"
    assert named(document(), AddElement(element=icon(kind="button"))) == []
    assert named(document(icon(kind="button")), SetAttribute(uids=("a",), name="type", value="icon")) == ["a"]
    assert (
        named(document(icon(kind="shape", subtype="line")), SetAttribute(uids=("a",), name="type", value="icon")) == []
    ), "it keeps its word"
    cut = SplitElement(uid="a", across="x", cuts=((30, 34),), new_uids=("b",))
    assert named(document(icon(box=LARGE)), cut) == ["a", "b"]
    assert named(document(icon(box=LARGE, subtype="save")), cut) == [], "both have the name of the whole"


def test_other_edits_leave_icons_as_they_are() -> None:
    assert named(document(icon()), SetBoxes(boxes={"a": LARGE})) == []
    assert named(document(), PasteElements(elements=(icon(),))) == []
    assert named(document(icon()), SetAttribute(uids=("a",), name="type", value="button")) == []


def test_an_icon_that_the_next_click_makes_larger_is_looked_at_again() -> None:
    widen = SetBoxes(boxes={"a": LARGE}, frame_size=SIZE, what="draw", merge_key="draw-a")
    doc = document(icon(subtype="save"))
    assert named(doc, widen) == ["a"]
    seen = doc.elements("f")[0]
    edit = done(doc, FollowName(names={"a": None}, seen={"a": seen}, drawn=True, merge_key="draw-a"))
    assert doc.elements("f")[0].subtype is None
    assert edit.label == "Draw a box (icon)"


def test_what_becomes_an_icon_is_one_entry_with_its_name() -> None:
    doc = document(icon(kind="scrollbar_thumb"))
    command = ReadableEdit(command=SetAttribute(uids=("a",), name="type", value="icon"), key="read-1")
    edit = done(doc, command)
    assert (edit.merge_key, texts_to_read(edit)) == ("read-1", ())
    edit = done(doc, FollowName(names={"a": "save"}, seen={"a": doc.elements("f")[0]}, merge_key="read-1"))
    assert (edit.label, edit.merge_key) == ("Name the icon “save”, by its looks", "read-1")


def test_a_name_is_part_of_the_drawing() -> None:
    seen = icon()
    doc = document(seen)
    edit = done(doc, FollowName(names={"a": "save"}, seen={"a": seen}, drawn=True, merge_key="draw-a"))
    assert (edit.label, edit.merge_key) == ("Draw a box (icon): “save”, by its looks", "draw-a")
    assert doc.elements("f") == (seen.changed(subtype="save"),)
    assert icons_to_name(edit) == (), "writing a name asks for no other"


def test_nothing_is_named_over_what_happened_meanwhile() -> None:
    seen = icon()

    def tried(now: Element, name: str | None = "save", *, drawn: bool = True) -> Edit | None:
        return FollowName(names={"a": name}, seen={"a": seen}, drawn=drawn).edit(document(now))

    assert tried(seen) is not None
    assert tried(seen.changed(subtype="open")) is None, "a person was quicker"
    assert tried(seen.changed(box=LARGE)) is None
    assert tried(seen.changed(type="button")) is None
    assert tried(seen.changed(review="rejected")) is None
    assert tried(seen, None) is None
    assert tried(seen.changed(uid="b")) is None
    assert FollowName(names={"a": "save"}).edit(document(icon(subtype="open"))) is None
    assert FollowName(names={"a": None}).edit(document(icon(subtype="open"))) is None


def test_several_icons_are_one_edit() -> None:
    edit = FollowName(names={"a": "save", "b": "open", "c": None}).edit(document(icon("a"), icon("b"), icon("c")))
    assert edit is not None
    assert (edit.label, len(edit.changes)) == ("Name 2 icons by their looks", 2)
