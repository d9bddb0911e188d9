"""Two people on the same pictures: what differs, how far they agree, and what deciding does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.commands import make_edit
from annotator.document import Document
from annotator.second_annotator.agreement import agreement, kappa_of
from annotator.second_annotator.differences import Adjudicate, Difference, DifferenceTable, differences
from annotator.second_annotator.sources import SecondAnnotator, read_second_annotator
from demopack.annotations.export import export_annotations
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.pack.writer import export_pack
from demopack.store import Library
from demopack_cli.annotations import command
from tests.support.annotations import FRAME, elements
from tests.support.demos import CREATED_AT, tiny_demo
from tests.support.editing import TINY


def _one(uid: str, box: tuple[int, int, int, int], **fields: object) -> Element:
    return Element.model_validate({"uid": uid, "frame": FRAME.id, "type": "button", "box": Rect(*box), **fields})


MINE = (
    _one("a", (0, 0, 40, 20), text="Save"),
    _one("b", (50, 0, 90, 20), type="checkbox", states={"checked": True}),
    _one("c", (0, 50, 40, 70), source="detector", confidence=0.4),
    _one("d", (50, 50, 90, 70), source="detector", review="rejected"),
)
THEIRS = (
    _one("v", (1, 0, 40, 21), text="Safe"),
    _one("w", (50, 0, 90, 24), type="toggle", states={"checked": False}),
    _one("x", (50, 50, 90, 70)),
    _one("y", (200, 100, 240, 120), type="icon"),
)


def _document(found: tuple[Element, ...]) -> Document:
    head = DemoHead(id="d", created_at=CREATED_AT, final_frame=Frame(id=FRAME.id, width=320, height=200))
    return Document(Demo(head=head, steps=(), elements={FRAME.id: found}))


def _differ(mine: tuple[Element, ...], theirs: tuple[Element, ...]) -> list[Difference]:
    return differences({FRAME.id: mine}, {FRAME.id: theirs})


def test_every_kind_of_difference_is_found_once() -> None:
    found = [(one.kind, one.mine and one.mine.uid, one.theirs and one.theirs.uid) for one in _differ(MINE, THEIRS)]
    assert found == [
        ("text", "a", "v"),  # one pixel aside is the same place
        ("moved", "b", "w"),
        ("type", "b", "w"),
        ("states", "b", "w"),
        ("extra", "c", None),
        ("missing", "d", "x"),
        ("missing", None, "y"),
    ]


def test_each_is_told_in_a_sentence() -> None:
    assert [one.words for one in _differ(MINE, THEIRS)] == [
        "They read “Safe” on “Save” (button)",
        "They put the checkbox elsewhere: 50, 0, 40 x 24; you: 50, 0, 40 x 20",
        "They take the checkbox for toggle",
        "They see other states of the checkbox: not checked; you: checked",
        "Only you have the button",
        "You rejected the button, they did not",
        "Only they have the icon",
    ]


def test_what_the_source_does_not_tell_is_no_difference() -> None:
    told = differences({FRAME.id: MINE}, {FRAME.id: THEIRS}, told={"type"})
    assert [one.kind for one in told] == ["moved", "type", "extra", "missing", "missing"]


@settings(max_examples=20, deadline=None)
@given(elements(most=6))
def test_nobody_differs_from_themselves(found: tuple[Element, ...]) -> None:
    # Boxes may lie on each other; the identity tells them apart.
    assert _differ(found, found) == []
    said = agreement({FRAME.id: found}, {FRAME.id: found})
    assert (said.f1_50, said.f1_75) == (1.0, 1.0)


@settings(max_examples=20, deadline=None)
@given(elements(most=5), elements(most=5))
def test_taking_everything_leaves_no_difference(mine: tuple[Element, ...], theirs: tuple[Element, ...]) -> None:
    plain = tuple(e.cleaned() for e in theirs)
    document = _document(tuple(e.cleaned() for e in mine))
    other = tuple(e.model_copy(update={"uid": f"t{e.uid}"}) for e in plain)
    found = _differ(document.elements(FRAME.id), other)
    edit = Adjudicate(differences=found, choice="theirs").edit(document)
    if edit is not None:
        document.apply(edit.changes)
    here = [(e.box, e.type, e.text or "", e.states) for e in document.elements(FRAME.id) if e.review != "rejected"]
    wanted = [(e.box, e.type, e.text or "", e.states) for e in other if e.review != "rejected"]
    # Boxes that were the same place already keep the pixel that I drew.
    assert sorted((t, x, sorted(s.items())) for _, t, x, s in here) == sorted(
        (t, x, sorted(s.items())) for _, t, x, s in wanted
    )


@settings(max_examples=20, deadline=None)
@given(elements(most=5), elements(most=5))
def test_keeping_everything_settles_it(mine: tuple[Element, ...], theirs: tuple[Element, ...]) -> None:
    document = _document(tuple(e.cleaned() for e in mine))
    other = tuple(e.cleaned().model_copy(update={"uid": f"t{e.uid}"}) for e in theirs)
    found = _differ(document.elements(FRAME.id), other)
    before = [(e.uid, e.box, e.type) for e in document.ordered(FRAME.id)]
    edit = Adjudicate(differences=found, choice="mine").edit(document)
    assert (edit is None) == (not found)
    if edit is not None:
        document.apply(edit.changes)
    assert [(e.uid, e.box, e.type) for e in document.ordered(FRAME.id)] == before
    assert {one.kind for one in _differ(document.elements(FRAME.id), other)} <= {"missing", "extra", "moved"}


def test_one_kind_is_one_edit_with_a_sentence() -> None:
    document = _document(MINE)
    found = _differ(MINE, THEIRS)
    missing = [one for one in found if one.kind == "missing"]
    edit = Adjudicate(differences=missing, choice="theirs").edit(document)
    assert edit is not None
    assert edit.label == "Take their opinion on 2 things (only theirs)"
    document.apply(edit.changes)
    assert [one.kind for one in _differ(document.elements(FRAME.id), THEIRS)] == [
        "text", "moved", "type", "states", "extra",
    ]  # fmt: skip
    restored = document.element("d")
    assert restored is not None
    assert restored.review == "approved"
    document.apply([change.reversed() for change in reversed(edit.changes)])
    assert document.elements(FRAME.id) == MINE


def test_keeping_mine_is_remembered_and_asked_again_only_when_they_change_their_mind() -> None:
    document = _document(MINE)
    text = next(one for one in _differ(MINE, THEIRS) if one.kind == "text")
    extra = next(one for one in _differ(MINE, THEIRS) if one.kind == "extra")
    edit = Adjudicate(differences=[text, extra], choice="mine").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    kinds = [one.kind for one in _differ(document.elements(FRAME.id), THEIRS)]
    assert "text" not in kinds
    assert "extra" not in kinds
    kept = document.element("c")
    assert kept is not None
    assert kept.review == "approved"
    again = (THEIRS[0].changed(text="Saved"), *THEIRS[1:])
    assert "text" in [one.kind for one in _differ(document.elements(FRAME.id), again)]


def test_taking_an_extra_rejects_what_a_finder_found_and_removes_what_a_person_drew() -> None:
    drawn = (_one("p", (0, 0, 9, 9)), _one("q", (50, 50, 90, 90), source="ocr"))
    document = _document(drawn)
    edit = Adjudicate(differences=_differ(drawn, ()), choice="theirs").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert [(e.uid, e.review) for e in document.elements(FRAME.id)] == [("q", "rejected")]


def test_agreement_counts_boxes_and_attributes() -> None:
    said = agreement({FRAME.id: MINE}, {FRAME.id: THEIRS})
    # Three boxes of mine, four of theirs; two pairs by half, two by three quarters, one of the same type.
    assert (said.mine, said.theirs, said.f1_50, said.f1_75, said.f1_50_typed) == (3, 4, 0.5714, 0.5714, 0.2857)
    assert said.attributes["checked"].agree == 0.5
    assert said.attributes["type"].pairs == 2


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15, 0.4),  # the usual example
        ([("y", "y")] * 3, None),
        ([("y", "n")] * 3, 0.0),
        ([("y", "y"), ("n", "n")], 1.0),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], kappa: float | None) -> None:
    assert kappa_of(pairs).kappa == kappa


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=20))
def test_kappa_does_not_care_who_is_who(pairs: list[tuple[str, str]]) -> None:
    assert kappa_of(pairs) == kappa_of([(b, a) for a, b in pairs])


@settings(max_examples=30, deadline=None)
@given(elements(most=8), elements(most=8))
def test_pairs_that_overlap_are_those_of_the_plain_definition(a: tuple[Element, ...], b: tuple[Element, ...]) -> None:
    from demopack.annotations.merging import SAME_ELEMENT_IOU, overlapping_pairs
    from demopack.domain.geometry import iou

    plain = {(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if iou(x.box, y.box) > SAME_ELEMENT_IOU}
    assert {(i, j) for i, j, _ in overlapping_pairs(a, b)} == plain


def test_the_book_keeps_up_with_edits() -> None:
    document = _document(MINE)
    table = DifferenceTable(SecondAnnotator(name="x", elements={FRAME.id: THEIRS}), document.elements)
    assert table.counts() == {"text": 1, "moved": 1, "type": 1, "states": 1, "extra": 1, "missing": 2}
    assert table.agreement() == agreement({FRAME.id: MINE}, {FRAME.id: THEIRS})
    edit = Adjudicate(differences=table.all("missing"), choice="theirs").edit(document)
    assert edit is not None
    document.apply(edit.changes)
    assert table.refresh(FRAME.id)
    assert not table.refresh("another picture")
    assert table.all("missing") == []
    assert table.agreement().f1_50 > 0.8


# Sources ----------------------------------------------------------------------------------------------------------


def _two_libraries(folder: Path) -> Demo:
    for name in ("mine", "theirs"):
        with Library.open(folder / name) as library:
            tiny_demo(library, demo_id=TINY)
            demo = library.demo(TINY)
            if name == "theirs":
                (element,) = [e for found in demo.elements.values() for e in found]
                one = Difference(kind="text", frame=element.frame, mine=element, theirs=element.changed(text="Gone"))
                edit = Adjudicate(differences=[one], choice="theirs").edit(Document(demo))
                assert edit is not None
                library.commit(TINY, edit)
                export_pack(library, [TINY], folder / "pack")
                export_annotations(library, [TINY], FORMATS["coco"], folder / "coco")
                export_annotations(library, [TINY], FORMATS["yolo"], folder / "yolo")
    with Library.open(folder / "mine") as library:
        return library.demo(TINY)


def test_second_annotators_come_from_libraries_packs_and_files(tmp_path: Path) -> None:
    demo = _two_libraries(tmp_path)
    for source, kinds in (("theirs", ["text"]), ("pack", ["text"]), ("coco", ["text"]), ("yolo", [])):
        said = read_second_annotator(tmp_path / source, demo)
        found = differences(demo.elements, said.elements, told=said.told)
        assert [one.kind for one in found] == kinds, source
    with pytest.raises(BadInputError):
        read_second_annotator(tmp_path / "theirs", Demo(head=demo.head, steps=(), elements={}))


def test_the_command_tells_how_far_two_agree(tmp_path: Path) -> None:
    _two_libraries(tmp_path)
    where = ["compare", "last", str(tmp_path / "theirs"), "--library", str(tmp_path / "mine")]
    said = json.loads(CliRunner().invoke(command, [*where, "--json"]).output)
    assert said["agreement"]["f1_50"] == 1.0
    assert said["kinds"] == {"text": 1}
    told = CliRunner().invoke(command, where).output
    assert "They read “Gone” on “Go” (button)" in told
    assert "F1" in told
    assert "not compared" not in told


def test_the_command_tells_of_pictures_that_only_one_of_them_has(tmp_path: Path) -> None:
    demo = _two_libraries(tmp_path)
    other = next(frame.id for frame in demo.frames() if not demo.elements.get(frame.id))
    drawn = Element(uid="el_00000000ff", frame=other, type="button", box=Rect(1, 1, 9, 9), source="human")
    more = make_edit("Draw", [Change.between(None, drawn)])
    with Library.open(tmp_path / "mine") as library:
        assert more is not None
        library.commit(TINY, more)
    where = ["compare", "last", str(tmp_path / "yolo"), "--library", str(tmp_path / "mine")]
    assert "1 picture with elements not among theirs, and not compared." in CliRunner().invoke(command, where).output
