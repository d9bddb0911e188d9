"""Boxes are placed by numbers, split, merged, tightened and pasted; each is one edit that undo takes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.box_commands import (
    MergeElements,
    PasteElements,
    SetBoxes,
    SplitElement,
    boxes_from_json,
    boxes_to_json,
    split_words,
    to_paste,
)
from annotator.commands import Command
from annotator.document import Document
from annotator.editing import EditSession
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect, Size
from demopack.store import Library
from tests.support.editing import SAMPLE, HandStore, element, sample_library


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


@pytest.fixture
def size(session: EditSession) -> Size:
    frame = session.document.steps[0].before
    assert frame is not None
    return frame.size


def on_first(document: Document) -> tuple[Element, ...]:
    frame = document.steps[0].before
    assert frame is not None
    return document.elements(frame.id)


def named(document: Document, text: str) -> Element:
    return next(e for e in on_first(document) if e.text == text)


def done(session: EditSession, command: Command) -> list[str]:
    """Labels of the edits that a command made: none or one; and undo brings everything back."""
    before = session.document.demo()
    labels: list[str] = []
    session.edited.connect(lambda edit, _: labels.append(edit.label))
    session.do(command)
    after = session.document.demo()
    if labels:
        session.undo()
        assert session.document.demo() == before
        session.redo()
        assert session.document.demo() == after
    return labels[:1]


def test_several_boxes_change_in_one_edit_and_empty_ones_do_not(session: EditSession, size: Size) -> None:
    save, cancel = named(session.document, "Save customer"), named(session.document, "Cancel")
    boxes = {save.uid: Rect(1, 1, 9, 9), cancel.uid: Rect(-5, -5, 20, 30), "nobody": Rect(0, 0, 1, 1)}
    assert done(session, SetBoxes(boxes=boxes, frame_size=size, what="tighten")) == ["Tighten 2 elements"]
    assert named(session.document, "Cancel").box == Rect(0, 0, 20, 30)
    assert done(session, SetBoxes(boxes={save.uid: Rect(-9, -9, -1, -1)}, frame_size=size)) == []


def test_a_box_is_split_and_its_words_with_it(session: EditSession) -> None:
    save = named(session.document, "Save customer")
    cut = save.box.x1 + save.box.width // 3
    command = SplitElement(uid=save.uid, across="x", cuts=((cut, cut + 4),), new_uids=("el_new",))
    assert done(session, command) == ["Split “Save customer” (button) into 2"]
    left, right = session.document.element(save.uid), session.document.element("el_new")
    assert left is not None
    assert right is not None
    assert (left.text, right.text) == ("Save", "customer")
    assert (left.box.x2, right.box.x1, right.box.x2) == (cut, cut + 4, save.box.x2)
    assert (right.source, right.review, right.type, right.states) == ("human", "approved", save.type, save.states)


def test_a_cut_outside_splits_nothing(session: EditSession) -> None:
    save = named(session.document, "Save customer")
    for at in (save.box.y1, save.box.y2, 0):
        assert done(session, SplitElement(uid=save.uid, across="y", cuts=((at, at),), new_uids=("n",))) == []


def test_words_go_to_the_part_in_which_they_lie() -> None:
    assert split_words("one two three four", [0.5]) == ["one two", "three four"]
    assert split_words("one two three four", [0.2, 0.9]) == ["one", "two three four", ""]
    assert split_words("", [0.5]) == ["", ""]
    assert split_words("a a a a", [0.25, 0.5, 0.75]) == ["a", "a", "a", "a"]


def test_boxes_merge_into_one_and_what_was_found_is_remembered(session: EditSession) -> None:
    save, cancel = named(session.document, "Save customer"), named(session.document, "Cancel")
    assert done(session, MergeElements(uids=(cancel.uid, save.uid))) == [
        "Merge 2 boxes into “Save customer Cancel” (button)"
    ]
    merged, gone = session.document.element(save.uid), session.document.element(cancel.uid)
    assert merged is not None
    assert gone is not None
    assert (merged.box, merged.text, merged.review) == (
        save.box.union(cancel.box),
        "Save customer Cancel",
        "approved",
    )
    assert gone.review == "rejected"


def test_one_box_is_nothing_to_merge(session: EditSession) -> None:
    save = named(session.document, "Save customer")
    assert done(session, MergeElements(uids=(save.uid, "nobody"))) == []


def test_states_stay_where_they_agree_and_the_target_survives(session: EditSession) -> None:
    document = session.document
    frame = document.steps[0].before
    assert frame is not None
    fields = {"frame": frame.id, "type": "checkbox"}
    a = element("el_a", (600, 500, 620, 520), states={"checked": True, "disabled": False}, text="Yes", **fields)
    b = element("el_b", (630, 500, 690, 520), states={"checked": False, "disabled": False}, text="Yes", **fields)
    session.do(PasteElements(elements=(a, b)))
    done(session, MergeElements(uids=("el_b", "el_a")))
    merged = document.element("el_a")
    assert merged is not None
    assert (merged.states, merged.text) == ({"disabled": False}, "Yes Yes")
    assert document.element("el_b") is None
    target = document.element(document.steps[0].target_uid)
    assert target is not None
    done(session, MergeElements(uids=("el_a", target.uid)))
    assert document.element(target.uid) is not None


def test_text_inside_is_not_repeated(session: EditSession) -> None:
    save = named(session.document, "Save customer")
    inside = save.box
    word = element("el_w", (inside.x1 + 2, inside.y1 + 2, inside.x1 + 30, inside.y2 - 2), frame=save.frame, text="Save")
    session.do(PasteElements(elements=(word,)))
    done(session, MergeElements(uids=(save.uid, "el_w")))
    assert named(session.document, "Save customer").box == save.box


def test_copied_boxes_come_back_on_another_frame_in_their_place(session: EditSession, size: Size) -> None:
    document = session.document
    other = document.steps[1].before
    save = named(document, "Save customer")
    assert other is not None
    copied = boxes_from_json(boxes_to_json([save]))
    (new,) = to_paste(copied, frame_id=other.id, size=size, here=())
    assert (new.box, new.text, new.source, new.review, new.frame) == (
        save.box, "Save customer", "human", "approved", other.id,
    )  # fmt: skip
    assert done(session, PasteElements(elements=(new,))) == ["Paste “Save customer” (button)"]
    assert done(session, PasteElements(elements=(new,))) == []


def test_where_the_same_box_lies_already_a_copy_lies_beside_it() -> None:
    here = element("el_1", (0, 0, 20, 10))
    (new,) = to_paste(boxes_from_json(boxes_to_json([here])), frame_id="f", size=Size(100, 100), here=[here])
    assert new.box == here.box.moved(8, 8)
    (again,) = to_paste(boxes_from_json(boxes_to_json([here])), frame_id="f", size=Size(100, 100), here=[here, new])
    assert again.box == here.box.moved(16, 16)


def test_boxes_from_a_larger_frame_are_moved_onto_a_smaller_one() -> None:
    far = element("el_1", (900, 700, 960, 740))
    (new,) = to_paste([far], frame_id="f", size=Size(400, 300), here=())
    assert new.box == Rect(340, 260, 400, 300)
    assert to_paste([], frame_id="f", size=Size(400, 300), here=()) == ()


@pytest.mark.parametrize(
    "text", ["", "hello", "[1]", '{"demopack_boxes": 1}', '{"demopack_boxes": 1, "boxes": [{"type": "ufo"}]}', "{"]
)
def test_anything_else_on_the_clipboard_is_no_boxes(text: str) -> None:
    assert boxes_from_json(text) == []
