"""Copying over a range, editing by track, and templates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.commands import DeleteElements, MoveElements
from annotator.document import Document
from annotator.propagate.comparison import compare, difference_words
from annotator.propagate.spreading import CopyOver, RemoveOver, frames_between, where_same, wherever
from annotator.propagate.templates import (
    Anchor,
    PlaceTemplate,
    TemplateStore,
    anchors_for,
    find_anchor,
    place_of,
    placed,
    template_of,
)
from annotator.propagate.tracks import OnAllPictures, TrackIndex
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect, Size
from demopack.domain.steps import Step
from demopack.errors import BadInputError, NewerVersionError
from demopack.jobs import JobControl
from demopack.pixels.colours import codes_of
from tests.support.across import Item, found, painted, rows
from tests.support.demos import demo_head

BUTTON = Item(text="Send", type="button", box=Rect(300, 120, 380, 150))
FIELD = Item(text="Name", type="input_field", box=Rect(300, 60, 560, 90), written="")
WAIT = {"action_type": "wait", "parameters": {"wait_duration_s": 1}}
SCREENS = {
    "a": [*rows(3), BUTTON],
    "b": [*rows(3), replace(BUTTON, fill=(200, 40, 40))],
    "c": [*rows(3), BUTTON, FIELD],
}


def read(name: str) -> RgbImage:
    return painted(SCREENS[name])


def frame(name: str, width: int = 640) -> Frame:
    return Frame(id=name, width=width, height=480)


def opened(elements: dict[str, list[Element]], names: str = "abca") -> Document:
    steps = [
        Step.model_validate({"id": f"s{i}", "position": i, "before": frame(name), "action": WAIT})
        for i, name in enumerate(names)
    ]
    here = {name: tuple(some) for name, some in elements.items()}
    return Document(Demo(head=demo_head("demo_0000000001"), steps=tuple(steps), elements=here))


def do(document: Document, command: Any) -> str | None:
    edit = command.edit(document)
    if edit is not None:
        document.apply(edit.changes)
    return None if edit is None else edit.label


def on(document: Document, name: str) -> dict[str, Element]:
    return {e.text or e.type: e for e in document.elements(name)}


# Over a range -----------------------------------------------------------------------------------------------------


def test_a_range_of_steps_is_its_pictures_each_once() -> None:
    document = opened({})
    assert [f.id for f in frames_between(document, 2, 4)] == ["b", "c", "a"]
    assert [f.id for f in frames_between(document, 3, 2)] == ["b", "c"]
    assert [f.id for f in frames_between(document, 1, 99)] == ["a", "b", "c"]


def test_only_pictures_that_show_the_same_in_its_place_are_meant() -> None:
    elements = found(SCREENS["a"], "a")
    where = where_same(elements, frame("a"), [frame("a"), frame("b"), frame("c")], read, JobControl())
    names = {e.uid: e.text for e in elements}
    assert {name: sorted(str(names[uid]) for uid in uids) for name, uids in where.items()} == {
        "a": ["Anna", "Budget", "Cargo", "Send"],
        "b": ["Anna", "Budget", "Cargo"],
        "c": ["Anna", "Budget", "Cargo", "Send"],
    }


def test_boxes_without_room_are_left_out_everywhere() -> None:
    elements = found([BUTTON], "a")
    assert wherever(elements, [frame("a"), frame("b", width=350)]) == {
        "a": frozenset({"a-Send"}),
        "b": frozenset(),
    }


def test_copied_boxes_are_the_same_elements_and_approved() -> None:
    document = opened({"a": found([BUTTON], "a", track_id=None)})
    uids = ("a-Send",)
    where = wherever(document.elements("a"), [frame("a"), frame("b"), frame("c")])
    assert do(document, CopyOver(uids=uids, where=where)) == "Copy “Send” (button) to 2 pictures"
    (here,), (there,) = document.elements("a"), document.elements("c")
    assert here.track_id == there.track_id == "button_send_0"
    assert (there.review, there.box, there.frame) == ("approved", BUTTON.box, "c")
    assert here.review == "unreviewed"
    assert do(document, CopyOver(uids=uids, where=where)) is None


def test_copying_leaves_alone_what_a_person_said_there() -> None:
    mine = found([BUTTON], "b", source="human", review="approved", text="Mine")
    document = opened({"a": found([BUTTON], "a"), "b": mine})
    assert do(document, CopyOver(uids=("a-Send",), where={"b": frozenset({"a-Send"})})) is None
    assert document.elements("b") == tuple(mine)


def test_removing_takes_the_track_and_what_lies_in_the_same_place() -> None:
    moved = found([replace(BUTTON, box=BUTTON.box.moved(9, 90))], "b")
    untracked = found([BUTTON], "c", track_id=None, source="human")
    document = opened({"a": found([BUTTON], "a"), "b": moved, "c": [*untracked, *found(rows(2), "c")]})
    where = dict.fromkeys("bc", frozenset({"a-Send"}))
    assert do(document, RemoveOver(uids=("a-Send",), where=where)) == "Remove “Send” (button) from 2 pictures"
    assert document.elements("b")[0].review == "rejected"
    assert set(on(document, "c")) == {"Anna", "Budget"}
    assert do(document, RemoveOver(uids=("a-Send",), where=where)) is None
    assert do(document, RemoveOver(uids=("gone",), where=where)) is None


# By track ---------------------------------------------------------------------------------------------------------


def tracked(**fields: object) -> Document:
    box = BUTTON.box
    return opened(
        {
            "a": found([BUTTON], "a", **fields),
            "b": found([replace(BUTTON, box=box.moved(0, 40))], "b", **fields),
            "c": found([BUTTON, *rows(2)], "c", **fields),
        }
    )


def everywhere(document: Document, command: Any) -> str | None:
    return do(document, OnAllPictures(command=command, about=frozenset({"a-Send", "a-Name"})))


def test_a_type_goes_to_all_pictures_in_one_edit() -> None:
    document = tracked()
    label = everywhere(document, SetAttribute(uids=("a-Send",), name="type", value="tab"))
    assert label == "Turn “Send” (button) into tab, on 2 more pictures"
    assert [on(document, name)["Send"].type for name in "abc"] == ["tab"] * 3
    assert [on(document, name)["Send"].review for name in "abc"] == ["approved"] * 3
    assert on(document, "c")["Anna"].review == "unreviewed"


def test_a_text_goes_to_all_but_fields_in_which_something_else_is_written() -> None:
    document = tracked()
    everywhere(document, SetAttribute(uids=("a-Send",), name="text", value="Post"))
    assert [set(on(document, name)) - {"Anna", "Budget"} for name in "abc"] == [{"Post"}] * 3
    fields = [found([FIELD], name, text=text) for name, text in (("a", "Ada"), ("b", "Ada"), ("c", "Bob"))]
    document = opened(dict(zip("abc", fields, strict=True)))
    everywhere(document, SetAttribute(uids=("a-Name",), name="text", value="Eve"))
    assert [document.elements(name)[0].text for name in "abc"] == ["Eve", "Eve", "Bob"]


def test_a_state_goes_to_those_that_had_the_old_value() -> None:
    document = tracked(states={"disabled": False})
    document.replace(on(document, "b")["Send"].changed(states={"disabled": True}))
    everywhere(document, SetAttribute(uids=("a-Send",), name="disabled", value=None))
    assert [on(document, name)["Send"].states for name in "abc"] == [{}, {"disabled": True}, {}]


def test_a_box_is_stretched_and_moved_by_as_much() -> None:
    document = tracked()
    box = BUTTON.box
    everywhere(document, SetBoxes(boxes={"a-Send": Rect(box.x1 - 2, box.y1, box.x2 + 3, box.y2)}))
    everywhere(document, MoveElements(uids=("a-Send",), dx=0, dy=-5, frame_size=Size(640, 480)))
    wider = Rect(box.x1 - 2, box.y1 - 5, box.x2 + 3, box.y2 - 5)
    assert [on(document, name)["Send"].box for name in "abc"] == [wider, wider.moved(0, 40), wider]
    tiny = Rect(box.x1, box.y1, box.x1 + 1, box.y1 + 1)
    document.replace(on(document, "b")["Send"].changed(box=tiny))
    everywhere(document, SetBoxes(boxes={"a-Send": Rect(box.x1 + 20, box.y1, box.x2, box.y2)}))
    assert on(document, "b")["Send"].box.area > 0


def test_a_deletion_goes_to_all_and_an_approval_stays_here() -> None:
    document = tracked()
    document.replace(on(document, "b")["Send"].changed(source="human"))
    assert (
        everywhere(document, SetAttribute(uids=("a-Send",), name="review", value="approved"))
        == "Approve “Send” (button)"
    )
    assert on(document, "c")["Send"].review == "unreviewed"
    before = document.demo()
    edit = OnAllPictures(command=DeleteElements(uids=("a-Send",)), about=frozenset({"a-Send"})).edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert [on(document, name).get("Send") and on(document, name)["Send"].review for name in "abc"] == [
        "rejected",
        None,
        "rejected",
    ]
    document.apply([change.reversed() for change in reversed(edit.changes)])
    assert document.demo() == before


def test_an_edit_of_more_than_what_is_meant_stays_on_its_picture() -> None:
    document = tracked()
    command = DeleteElements(uids=("c-Send", "c-Anna"))
    assert do(document, OnAllPictures(command=command, about=frozenset({"c-Send"}))) == "Delete 2 elements"
    assert on(document, "a")["Send"].review == "unreviewed"


def test_without_a_track_or_a_change_nothing_else_is_touched() -> None:
    document = tracked(track_id=None)
    assert (
        everywhere(document, SetAttribute(uids=("a-Send",), name="type", value="tab"))
        == "Turn “Send” (button) into tab"
    )
    assert everywhere(document, SetAttribute(uids=("a-Send",), name="type", value="tab")) is None
    assert on(document, "c")["Send"].type == "button"


def test_an_index_of_tracks_follows_the_document() -> None:
    document = tracked()
    index = TrackIndex(document)
    send = on(document, "a")["Send"]
    assert [e.frame for e in index.others(send)] == ["b", "c"]
    document.replace(on(document, "b")["Send"].changed(review="rejected"))
    assert [e.frame for e in index.others(send)] == ["c"]
    assert index.others(send.changed(track_id=None)) == []


# Templates --------------------------------------------------------------------------------------------------------


def test_a_template_finds_its_place_by_its_own_pieces_and_keeps_no_pixel() -> None:
    screen = [*rows(4), BUTTON, FIELD]
    template = template_of(" My  form ", found(screen, "a"), painted(screen))
    assert template.name == "My form"
    assert len(template.anchors) == 3
    moved = [replace(item, box=item.box.moved(21, 33)) for item in screen]
    assert place_of(template, painted(moved)) == (21, 33)
    assert place_of(template, painted([])) is None
    assert place_of(template, painted(screen, size=(60, 40))) is None
    assert [len(anchor.digest) for anchor in template.anchors] == [16] * 3


def test_a_piece_that_occurs_twice_is_no_anchor() -> None:
    twice = [BUTTON, replace(BUTTON, box=BUTTON.box.moved(0, 90))]
    codes = codes_of(painted(twice))
    assert anchors_for(codes, found([BUTTON], "a")) == ()
    (anchor,) = anchors_for(codes_of(painted([BUTTON])), found([BUTTON], "a"))
    assert find_anchor(codes, anchor) == [(300, 120), (300, 210)]
    assert find_anchor(codes, Anchor(box=BUTTON.box, digest="0" * 16)) == []


def test_placing_a_template_is_one_edit_of_approved_boxes() -> None:
    screen = [*rows(2), FIELD]
    template = template_of("Form", found(screen, "a", states={}), painted(screen))
    document = opened({"b": found(rows(1), "b", source="human", review="approved", text="Mine")})
    place = (0, 0)
    label = do(document, PlaceTemplate(template=template, place=place, frame=frame("b")))
    assert label == "Place 2 elements of the template “Form”"
    here = on(document, "b")
    assert set(here) == {"Mine", "Budget", "input_field"}
    assert (here["Budget"].review, here["Budget"].source) == ("approved", "human")
    assert do(document, PlaceTemplate(template=template, place=place, frame=frame("b"))) is None
    assert placed(template, place, frame("b", width=300)) == [item.box for item in rows(2)] + [None]


def test_templates_are_kept_renamed_and_deleted_in_the_library(tmp_path: Path) -> None:
    shelf = TemplateStore(tmp_path)
    assert shelf.load() == ([], [])
    screen = [*rows(2), BUTTON]
    one, two = (template_of(name, found(screen, "a"), painted(screen)) for name in ("zebra", "Ant"))
    shelf.save(one)
    shelf.save(two)
    assert shelf.load() == ([two, one], [])
    renamed = shelf.rename(one, " Aardvark ")
    assert (renamed.name, shelf.rename(renamed, " "), shelf.load()[0]) == ("Aardvark", renamed, [renamed, two])
    shelf.delete(two)
    assert shelf.load() == ([renamed], [])
    shelf.save(two)
    assert len(shelf.load()[0]) == 2


def test_a_template_that_cannot_be_read_is_named_and_costs_no_other(tmp_path: Path) -> None:
    shelf = TemplateStore(tmp_path)
    good = template_of("Good", found([BUTTON], "a"), painted([BUTTON]))
    shelf.save(good)
    (shelf.folder / "broken.json").write_text("{", encoding="utf-8")
    (shelf.folder / "wrong.json").write_text(json.dumps({**good.to_json(), "elements": [{"type": "box"}]}))
    (shelf.folder / "newer.json").write_text(json.dumps({**good.to_json(), "schema_version": 2}))
    templates, problems = shelf.load()
    assert templates == [good]
    assert [type(problem) for problem in problems] == [BadInputError, NewerVersionError, BadInputError]
    assert "elements.0.type" in problems[2].user_message
    assert all(str(shelf.folder) in problem.user_message for problem in problems)
    assert all(problem.hint for problem in problems)


# Words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([BUTTON], [BUTTON], "The two pictures are equal."),
        ([BUTTON], [], "1 region changed."),
        (
            rows(16, top=10),
            [replace(r, box=r.box.moved(0, 52)) for r in rows(16, top=10)],
            "moved down by 52 px.",
        ),
    ],
)
def test_what_differs_is_said_in_a_sentence(before: list[Item], after: list[Item], words: str) -> None:
    said = difference_words(compare(painted(before), painted(after)))
    assert said == words or said.endswith(words)
