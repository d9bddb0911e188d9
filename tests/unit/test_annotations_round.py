"""What goes out and comes in unchanged is equal, in every format, as far as the format says that it carries it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from demopack.annotations.merging import DemoMerge
from demopack.codecs.boxes.base import ALWAYS, EVERYTHING, FIELDS, DecodedBox, ExportLosses
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from tests.support.annotations import FRAME, carried, elements, joined, through

RICH = [form for form in FORMATS.values() if form.capabilities.fields == EVERYTHING]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=7, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(found=elements())
def test_unchanged_is_equal(name: str, found: tuple[Element, ...]) -> None:
    form = FORMATS[name]
    out = carried(form, found)
    with tempfile.TemporaryDirectory() as folder:
        pictures = through(form, out, Path(folder))
    boxes = [box for picture in pictures for box in picture.boxes]
    assert len(boxes) == len(out)
    if form in RICH:
        # Into an empty frame: everything comes, identities too.
        added = [e for picture in pictures for e in joined(form, picture).added]
        assert sorted(added, key=lambda e: e.uid) == sorted(out, key=lambda e: e.uid)
        # Onto itself: nothing is different.
        for picture in pictures:
            again = joined(form, picture, out)
            assert (again.added, again.changed, again.kept, again.same) == ([], [], [], len(out))
    elif name == "yolo":
        assert [(b.fields["type"], b.box(FRAME.size)) for b in boxes] == [(e.type, e.box) for e in out]
    else:
        found_again = [(b.fields.get("text", ""), b.box(FRAME.size)) for b in boxes]
        assert found_again == [(e.text or "", e.box) for e in out]


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_declared_lost_is_counted(name: str) -> None:
    form = FORMATS[name]
    full = Element(
        uid="a", frame=FRAME.id, type="icon", box=Rect(300, 10, 330, 20), text="x", subtype="send", source="ocr",
        mark_box=Rect(300, 10, 310, 20), placeholder="p",
        states={"checked": True}, confidence=0.5, review="approved", track_id="t", parent="b",
    )  # fmt: skip
    lost = ExportLosses()
    flat = full.changed(uid="b", box=Rect(5, 5, 5, 9), review="unreviewed")
    gone = full.changed(uid="c", review="rejected")
    kept = form.capabilities.encodable([full, flat, gone], FRAME.size, "p", lost)
    assert [e.box for e in kept] == [Rect(300, 10, 320, 20)]
    declared = {loss.code for loss in form.capabilities.losses if loss.code != "control"}
    assert {item.code for item in lost.lost.items()} == declared | {"cut"}
    assert {item.code: item.count for item in lost.left_out.items()} == {"no_area": 1, "rejected": 1}


def test_every_field_of_an_element_is_carried_or_told_as_lost() -> None:
    told = {*FIELDS, *(loss.code for loss in ALWAYS)}
    assert Element.model_fields.keys() - {"frame", "box"} - told == set()


@pytest.mark.parametrize("form", RICH, ids=lambda form: form.name)
def test_a_correction_made_elsewhere_arrives_and_is_approved(form: object, tmp_path: Path) -> None:
    assert form in RICH
    mine = Element(uid="a", frame=FRAME.id, type="button", box=Rect(1, 2, 30, 40), text="Go", source="detector",
                   confidence=0.25, track_id="t")  # fmt: skip
    moved = mine.changed(box=Rect(200, 100, 230, 140), text="Went")
    (picture,) = through(form, [moved], tmp_path)  # type: ignore[arg-type]
    done = joined(form, picture, [mine])  # type: ignore[arg-type]
    assert done.changed == [(mine, moved.changed(review="approved"))]


def test_an_identity_that_is_in_use_gets_another_and_parents_follow(tmp_path: Path) -> None:
    inside = Element(uid="in", frame=FRAME.id, type="icon", box=Rect(5, 5, 9, 9), parent="out")
    outside = Element(uid="out", frame=FRAME.id, type="button", box=Rect(0, 0, 40, 40))
    (picture,) = through(RICH[0], [inside, outside], tmp_path)
    done = DemoMerge(capabilities=RICH[0].capabilities, taken={"out"}.__contains__).merge(FRAME, (), picture.boxes)
    found = {element.type: element for element in done.added}
    assert found["icon"].uid == "in"
    assert found["button"].uid != "out"
    assert found["icon"].parent == found["button"].uid
    # Found again by its place, an element is called what it is called here.
    mine = outside.changed(uid="mine", source="detector")
    again = DemoMerge(capabilities=RICH[0].capabilities, taken=lambda _: False).merge(FRAME, [mine], picture.boxes)
    assert [element.parent for element in again.added] == ["mine"]


def test_what_was_rejected_is_remembered_but_never_preferred() -> None:
    shown = Element(uid="s", frame=FRAME.id, type="icon", box=Rect(0, 0, 20, 20), review="approved")
    gone = Element(uid="g", frame=FRAME.id, type="button", box=Rect(0, 0, 21, 20), source="ocr", review="rejected")
    box = DecodedBox(fields={"type": "icon"}, edges=(0, 0, 21, 20))
    done = DemoMerge(capabilities=RICH[0].capabilities, taken=lambda _: False).merge(FRAME, [gone, shown], [box])
    assert [old.uid for old, _ in done.kept] == ["s"]
    alone = DemoMerge(capabilities=RICH[0].capabilities, taken=lambda _: False).merge(FRAME, [gone], [box])
    assert ([old.uid for old, _ in alone.kept], alone.added, alone.only_here) == (["g"], [], 0)


@pytest.mark.parametrize("form", RICH, ids=lambda form: form.name)
def test_what_a_person_made_stays_unless_asked(form: object, tmp_path: Path) -> None:
    mine = Element(uid="a", frame=FRAME.id, type="button", box=Rect(1, 2, 30, 40), text="Mine", review="approved")
    other = mine.changed(text="Theirs")
    (picture,) = through(form, [other], tmp_path)  # type: ignore[arg-type]
    assert joined(form, picture, [mine]).kept == [(mine, other)]  # type: ignore[arg-type]
    assert joined(form, picture, [mine], theirs=True).changed == [(mine, other)]  # type: ignore[arg-type]
