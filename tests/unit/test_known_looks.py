"""Icons are known by their looks: what is learned, what gets a name, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.document import Document
from annotator.similar.known import (
    PROGRAM,
    KnownLooks,
    Name,
    NameKnown,
    learn_from,
    lesson_of,
    load_looks,
    looks_path,
    names_for,
    rebuilt,
    save_looks,
    thumbnail_of,
)
from demopack.domain.demos import Demo
from demopack.domain.elements import Element, Evidence
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from tests.support.demos import demo_head

CROSS, RING = Name("icon", "add"), Name("icon", "record")


def screen(shade: int = 240) -> RgbImage:
    return np.full((200, 400, 3), shade, dtype=np.uint8)


def draw(image: RgbImage, x: int, y: int, shape: str, *, ink: int = 20, by: int = 1) -> Rect:
    """A cross or a ring, ``by`` times as large; its box has 2 pixels of air."""
    size = 12 * by
    ground = int(image[0, 0, 0])
    part = image[y : y + size, x : x + size]
    if shape == "cross":
        part[size // 2 - by : size // 2 + by, :] = ink
        part[:, size // 2 - by : size // 2 + by] = ink
    else:
        part[:] = ink
        part[3 * by : -3 * by, 3 * by : -3 * by] = ground
    return Rect(x - 2, y - 2, x + size + 2, y + size + 2)


def icon(uid: str, box: Rect, **fields: Any) -> Element:
    known = {"source": "detector", "confidence": 0.8, **fields}
    return Element.model_validate({"uid": uid, "frame": "f", "type": "icon", "box": box, **known})


def learned(image: RgbImage) -> KnownLooks:
    looks = KnownLooks()
    named = [
        icon("a", draw(image, 10, 10, "cross"), subtype="add", review="approved"),
        icon("b", draw(image, 40, 10, "ring"), subtype="record", review="approved"),
    ]
    assert learn_from(looks, image, named)
    assert not learn_from(looks, image, named), "the same again is nothing new"
    return looks


def test_the_same_drawing_is_known_in_other_sizes_shades_and_boxes() -> None:
    looks = learned(screen())
    dark = screen(30)
    for uid, box, name in (
        ("1", draw(dark, 100, 20, "cross", ink=220, by=2), CROSS),
        ("2", draw(dark, 150, 20, "ring", ink=120), RING),
    ):
        for moved in (box, Rect(box.x1 + 1, box.y1, box.x2 + 2, box.y2 + 1)):
            assert names_for(looks, dark, [icon(uid, moved)]) == {uid: name}


def test_what_nobody_named_has_no_look_or_is_large_stays_nameless() -> None:
    image = screen()
    looks = learned(image)
    image[100:112, 100:102] = 20
    bar, empty, large = Rect(98, 98, 104, 114), Rect(200, 100, 216, 116), draw(image, 230, 100, "cross", by=6)
    assert names_for(looks, image, [icon("1", bar), icon("2", empty), icon("3", large)]) == {}
    assert thumbnail_of(image, empty) is None
    assert thumbnail_of(image, Rect(390, 190, 393, 193)) is None


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, CROSS),
        ({"review": "approved"}, None),
        ({"review": "doubtful"}, None),
        ({"source": "human", "confidence": None}, None),
        ({"subtype": "plus"}, None),
        ({"subtype": "plus", "confidence": 0.4}, CROSS),
        ({"type": "button"}, None),
        ({"type": "button", "confidence": 0.4}, CROSS),
    ],
)
def test_only_what_nobody_reviewed_and_what_is_open_or_unsure_gets_a_name(
    fields: dict[str, Any], name: Name | None
) -> None:
    image = screen()
    looks = learned(image)
    one = icon("1", draw(image, 100, 100, "cross"), **fields)
    assert names_for(looks, image, [one]).get("1") == name


def test_the_last_word_about_an_element_counts() -> None:
    image = screen()
    looks = learned(image)
    one = icon("a", draw(image, 10, 10, "cross"), subtype="plus", review="approved")
    other = icon("1", draw(image, 100, 100, "cross"))
    assert learn_from(looks, image, [one])
    assert names_for(looks, image, [other]) == {"1": Name("icon", "plus")}
    given = other.changed(subtype="add")
    assert names_for(looks, image, [given]) == {}
    assert names_for(looks, image, [given], ours={"1": CROSS}) == {"1": Name("icon", "plus")}
    looks.refused.add("1")
    assert names_for(looks, image, [other]) == {}


def test_what_is_called_in_two_ways_is_not_clear_until_one_is_used_more() -> None:
    image = screen()
    looks = learned(image)
    box = draw(image, 100, 60, "cross")
    learn_from(looks, image, [icon("c", box, subtype="plus", review="approved")])
    other = icon("1", draw(image, 100, 100, "cross"))
    assert names_for(looks, image, [other]) == {}
    learn_from(looks, image, [icon("d", box, subtype="plus", review="approved")])
    seen = names_for(looks, image, [other])
    assert seen in ({}, {"1": Name("icon", "plus")})
    for uid in "efg":
        learn_from(looks, image, [icon(uid, box, subtype="plus", review="approved")])
    looks.learn("a", *must(image, Rect(8, 8, 24, 24), Name("icon", "plus")))
    assert names_for(looks, image, [other]) == {"1": Name("icon", "plus")}


def must(image: RgbImage, box: Rect, name: Name) -> tuple[Any, Name]:
    found = thumbnail_of(image, box)
    assert found is not None
    return found, name


@pytest.mark.parametrize(
    ("fields", "lesson"),
    [
        ({"subtype": "add", "review": "approved"}, CROSS),
        ({"subtype": "add"}, None),
        ({"review": "approved"}, None),
        ({"type": "checkbox", "review": "approved"}, None),
        ({"type": "checkbox", "review": "approved", "evidence": (Evidence(source="detector", type="icon"),)},
         Name("checkbox", "")),
        ({"type": "checkbox", "review": "approved", "evidence": (Evidence(source="detector", type="checkbox"),)}, None),
    ],
)  # fmt: skip
def test_a_name_or_a_corrected_type_teaches(fields: dict[str, Any], lesson: Name | None) -> None:
    assert lesson_of(icon("a", Rect(0, 0, 16, 16), **fields)) == lesson


def test_a_table_is_kept_and_a_damaged_one_is_none(tmp_path: Path) -> None:
    image = screen()
    looks = learned(image)
    looks.refused.add("gone")
    path = looks_path(tmp_path)
    assert path != looks_path(tmp_path / "other")
    save_looks(looks, path)
    again = load_looks(path)
    assert again is not None
    assert (len(again), again.refused) == (2, {"gone"})
    other = icon("1", draw(image, 100, 100, "ring"))
    assert names_for(again, image, [other]) == {"1": RING}
    whole = json.loads(path.read_text())
    for damaged in (
        "{",
        "[]",
        '{"looks": 3}',
        json.dumps({**whole, "looks": [{**whole["looks"][0], "points": "AAAA"}]}),
    ):
        path.write_text(damaged)
        assert load_looks(path) is None
    assert load_looks(tmp_path / "none.json") is None


def test_a_table_is_made_anew_from_pictures_that_can_be_had() -> None:
    image = screen()
    named = icon("a", draw(image, 10, 10, "cross"), subtype="add", review="approved")
    asked: list[str] = []

    def pixels(frame_id: str) -> RgbImage | None:
        asked.append(frame_id)
        return image if frame_id == "f" else None

    looks = rebuilt([named, named.changed(uid="b", frame="lost"), named.changed(uid="c", subtype=None)], pixels)
    assert (len(looks), asked) == (1, ["f", "lost"])


def test_naming_is_one_edit_by_a_program_and_leaves_suggestions_open() -> None:
    one, two = icon("1", Rect(0, 0, 16, 16)), icon("2", Rect(30, 0, 46, 16), type="button", confidence=0.3)
    doc = Document(Demo(head=demo_head("d"), steps=(), elements={"f": (one, two)}, parsed=frozenset({"f"})))
    names = {"1": CROSS, "2": RING, "gone": RING}
    edit = NameKnown(names=names, seen={"1": one, "2": two}).edit(doc)
    assert edit is not None
    assert (edit.label, edit.provenance.kind, edit.provenance.name) == ("Known icons: 2 named", "template", PROGRAM)
    doc.apply(edit.changes)
    assert [(e.type, e.subtype, e.review) for e in doc.elements("f")] == [
        ("icon", "add", "unreviewed"), ("icon", "record", "unreviewed"),
    ]  # fmt: skip
    assert NameKnown(names=names, seen={"1": one, "2": two}).edit(doc) is None, "they changed meanwhile"
    alone = NameKnown(names={"1": RING}, seen={"1": doc.elements("f")[0]}).edit(doc)
    assert alone is not None
    assert alone.label == "Known icons: 1 named"
