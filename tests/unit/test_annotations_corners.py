"""Corners of formats that only the other programs themselves showed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from demopack.annotations.merging import DemoMerge
from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationOptions,
    DecodeContext,
    DecodedBox,
    FormatCapabilities,
)
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.codecs.output import Output
from demopack.domain.elements import ATTRIBUTES, ELEMENT_TYPES, Element
from demopack.domain.geometry import Rect, Size
from demopack.errors import BadInputError
from tests.support.annotations import FRAME, joined, read, through

_PLACE: dict[str, Any] = {"x": 10, "y": 10, "width": 50, "height": 20, "rotation": 0}


def _result(kind: str, key: str = "r", **value: Any) -> dict[str, Any]:
    control = {"textarea": "text", "choices": "states"}.get(kind, "label")
    return {"id": key, "type": kind, "from_name": control, "to_name": "image", "original_width": FRAME.width,
            "original_height": FRAME.height, "value": value}  # fmt: skip


def _task(*annotations: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    made = [{"id": n, "result": result} for n, result in enumerate(annotations)]
    return {"id": 1, "data": {"image": "a.png"}, "annotations": made, **fields}


def _studio(tmp_path: Path, task: dict[str, Any]) -> tuple[list[Element], set[str]]:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([task]), encoding="utf-8")
    (picture,), reading = read(FORMATS["label-studio"], path)
    return joined(FORMATS["label-studio"], picture).added, {item.code for item in reading.left_out.items()}


# Label Studio -----------------------------------------------------------------------------------------------------


def test_its_own_export_names_predictions_by_number_only(tmp_path: Path) -> None:
    task = _task([_result("rectanglelabels", **_PLACE, rectanglelabels=["icon"])], predictions=[7], drafts=[3])
    found, left = _studio(tmp_path, task)
    assert ([e.type for e in found], left) == (["icon"], {"predictions", "drafts"})


def test_a_place_and_a_label_in_two_results_are_one_box(tmp_path: Path) -> None:
    results = [
        _result("rectangle", **_PLACE),
        _result("labels", **_PLACE, labels=["Button", "Big"]),
        _result("textarea", **_PLACE, text=["Go"]),
        {**_result("textarea", **_PLACE, text=["really"]), "from_name": "note"},
        _result("choices", **_PLACE, choices=["checked", "blue"]),
        _result("choices", "whole picture", choices=["not disabled"]),
        {"type": "relation", "from_id": "r", "to_id": "r", "direction": "right"},
    ]
    (found,), left = _studio(tmp_path, _task(results))
    assert (found.type, found.box, found.text, found.states) == (
        "button", Rect(32, 20, 192, 60), "Go", {"checked": True},
    )  # fmt: skip
    assert left == {"labels", "text", "choice blue", "whole", "result relation"}


def test_an_ellipse_becomes_the_box_around_it_and_a_note_is_counted(tmp_path: Path) -> None:
    round_ = _result("ellipselabels", x=50, y=50, radiusX=10, radiusY=20, rotation=0, ellipselabels=["icon"])
    (found,), left = _studio(tmp_path, _task([{**round_, "meta": {"text": ["look here"]}}]))
    assert (found.box, left) == (Rect(128, 60, 192, 140), {"note"})


def test_suggestions_that_were_accepted_in_another_annotation_come_with_the_first(tmp_path: Path) -> None:
    mine = Element(uid="mine", frame=FRAME.id, type="button", box=Rect(10, 10, 60, 40), review="approved")
    guess = mine.changed(uid="guess", box=Rect(100, 10, 160, 40), source="detector", review="unreviewed")
    through(FORMATS["label-studio"], [mine, guess], tmp_path)
    (task,) = json.loads((tmp_path / "tasks.json").read_text())
    accepted: list[Any] = [{**row, "id": f"copy of {row['id']}"} for row in task["predictions"][0]["result"]]
    place: dict[str, Any] = {
        "x": 3.125,
        "y": 5,
        "width": 15.625,
        "height": 15,
    }  # where the first annotation has one already
    stranger = _result("rectanglelabels", "s", **place, rectanglelabels=["icon"])
    further = {"id": 2, "result": [*accepted, stranger]}
    found, left = _studio(tmp_path, {**task, "annotations": [*task["annotations"], further], "predictions": [1]})
    assert [(e.uid, e.box, e.review) for e in found] == [
        ("mine", mine.box, "approved"), ("guess", guess.box, "approved"),
    ]  # fmt: skip
    assert left == {"second", "predictions"}
    _, left = _studio(tmp_path, {**task, "annotations": [*task["annotations"], {"id": 2, "result": [stranger]}]})
    assert left == {"second"}


def test_the_short_form_says_what_to_export_instead(tmp_path: Path) -> None:
    path = tmp_path / "min.json"
    path.write_text(json.dumps([{"image": "a.png", "id": 1, "annotator": 1, "annotation_id": 1}]))
    assert detect_format(path).name == "label-studio"
    with pytest.raises(BadInputError) as error:
        read(FORMATS["label-studio"], path)
    assert "not as “JSON-MIN”" in str(error.value.hint)


# The others -------------------------------------------------------------------------------------------------------


def test_anylabeling_says_text_where_others_say_description(tmp_path: Path) -> None:
    shape = {"label": "button", "text": "Go", "points": [[1, 1], [9, 9]], "shape_type": "rectangle"}
    (tmp_path / "a.json").write_text(json.dumps({"shapes": [shape], "text": "of the picture", "imagePath": "a.png"}))
    (picture,), reading = read(FORMATS["labelme"], tmp_path)
    assert picture.boxes[0].fields["text"] == "Go"
    assert [item.code for item in reading.left_out.items()] == ["picture text"]


@pytest.mark.parametrize(("status", "before", "after"), [
    ("pending", "rejected", "unreviewed"), ("pending", "approved", "approved"), ("missed", "unreviewed", "approved"),
    ("false_positive", "approved", "rejected"), (None, "rejected", "rejected"),
])  # fmt: skip
def test_a_word_about_one_box_comes_after_what_it_was_exported_with(
    tmp_path: Path, status: str | None, before: Any, after: str
) -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(1, 2, 30, 40), review=before)
    through(FORMATS["x-anylabeling"], [mine], tmp_path)
    file = next(tmp_path.glob("*.json"))
    data = json.loads(file.read_text())
    assert data["shapes"][0].get("review_status") == ("false_positive" if before == "rejected" else None)
    assert data["checked"] is (before != "unreviewed")
    data["shapes"][0] |= {"review_status": status} if status else {}
    file.write_text(json.dumps({**data, "checked": False}))
    (picture,), _ = read(FORMATS["x-anylabeling"], file)
    assert picture.boxes[0].fields.get("review", "unreviewed") == after


def test_a_doubtful_element_leaves_its_picture_unchecked() -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(1, 2, 30, 40), review="doubtful")
    out = AnnotatedPicture(name="a.png", frame=FRAME.id, size=FRAME.size, demo="d", elements=(mine,))
    assert not out.checked


def test_coco_boxes_that_were_turned_become_the_box_around_them(tmp_path: Path) -> None:
    row = {"image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 10], "attributes": {"rotation": 90.0}}
    data = {"images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 1, "name": "icon"}]}
    (tmp_path / "x.json").write_text(json.dumps({**data, "annotations": [row]}))
    (picture,), reading = read(FORMATS["coco"], tmp_path)
    assert picture.boxes[0].box(FRAME.size) == Rect(15, 5, 25, 25)
    assert [item.code for item in reading.lost.items()] == ["shape"]


def test_key_points_after_a_yolo_box_are_no_outline(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.2 0.2 0.1 0.1 2 0.9 0.9 2\n")
    (tmp_path / "pose.yaml").write_text("names: {0: icon}\nkpt_shape: [2, 3]\n")
    (picture,), reading = read(FORMATS["yolo"], tmp_path)
    assert picture.boxes[0].box(FRAME.size) == Rect(128, 80, 192, 120)
    assert [item.code for item in reading.left_out.items()] == ["keypoints"]


def test_texts_beside_yolo_labels_are_no_labels(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("icon\n")
    (tmp_path / "README.txt").write_text("Drawn by Ada")
    (tmp_path / "a.txt").write_text("0 0.5 0.5 0.2 0.2")
    pictures, _ = read(FORMATS["yolo"], tmp_path)
    assert [picture.name for picture in pictures] == ["a.png"]


@pytest.mark.parametrize(("tag", "box"), [
    ('<mask label="icon" rle="325, 3, 317, 2" left="0" top="0" width="320" height="200"/>', Rect(5, 1, 8, 3)),
    ('<mask label="icon" rle="3, 5" left="10" top="20" width="4" height="2"/>', Rect(10, 20, 14, 22)),
    ('<ellipse label="icon" cx="50" cy="40" rx="10" ry="5"/>', Rect(40, 35, 60, 45)),
    ('<ellipse label="icon" cx="50" cy="40" rx="10" ry="5" rotation="90"/>', Rect(45, 30, 55, 50)),
    ('<mask label="icon" rle="4" left="0" top="0" width="2" height="2"/>', None),
    ('<polyline label="icon" points="1,1;9,9"/>', None),
])  # fmt: skip
def test_cvat_shapes_with_an_area_become_the_box_around_them(tmp_path: Path, tag: str, box: Rect | None) -> None:
    (tmp_path / "a.xml").write_text(f'<annotations><image id="0" name="a.png">{tag}</image></annotations>')
    (picture,), reading = read(FORMATS["cvat"], tmp_path)
    assert [one.box(FRAME.size) for one in picture.boxes] == ([] if box is None else [box])
    tally = reading.left_out if box is None else reading.lost
    assert [item.count for item in tally.items()] == [1]


@pytest.mark.parametrize(("sizes", "said"), [
    ([Size(320, 200), Size(320, 200)], [("320", "200")]), ([Size(320, 200), Size(9, 9)], []),
])  # fmt: skip
def test_tracks_say_how_large_their_pictures_are(tmp_path: Path, sizes: list[Size], said: list[Any]) -> None:
    pictures = [
        AnnotatedPicture(name=f"{number}.png", frame=f"f{number}", size=size, demo="d", elements=())
        for number, size in enumerate(sizes)
    ]
    FORMATS["cvat-video"].encode(pictures, Output(tmp_path), AnnotationOptions())
    found = ET.parse(tmp_path / "annotations.xml").getroot().findall("meta/task/original_size")
    assert [(one.findtext("width"), one.findtext("height")) for one in found] == said


@pytest.mark.parametrize("name", ["cvat", "cvat-video"])
def test_cvats_set_up_declares_whatever_a_box_may_say(tmp_path: Path, name: str) -> None:
    every = [
        Element(uid=f"u{number}", frame=FRAME.id, type=kind, box=Rect(0, 0, 9, 9), text="x", subtype="y", source="ocr",
                states=dict.fromkeys(ATTRIBUTES[kind].states, True), confidence=0.5, review="approved", track_id="t",
                parent="p")
        for number, kind in enumerate(ELEMENT_TYPES)
    ]  # fmt: skip
    through(FORMATS[name], every, tmp_path)
    assert detect_format(tmp_path).name == name
    labels = json.loads((tmp_path / "labels.json").read_text())
    declared = {label["name"]: {one["name"]: one for one in label["attributes"]} for label in labels}
    root = ET.parse(tmp_path / "annotations.xml").getroot()
    owners = [(one.get("label"), box) for one in root.iter("track") for box in one.iter("box")]
    owners += [(box.get("label"), box) for box in root.findall("image/box")]
    assert {label for label, _ in owners} == set(declared) == set(ELEMENT_TYPES)
    for label, box in owners:
        for said in box.findall("attribute"):
            rule = declared[str(label)][str(said.get("name"))]
            assert rule["input_type"] == "text" or said.text in rule["values"]
            assert rule["default_value"] in rule["values"]


def test_a_score_that_a_program_dropped_is_not_taken_away(tmp_path: Path) -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(1, 2, 30, 40), source="detector", confidence=0.5)
    through(FORMATS["coco"], [mine], tmp_path)
    file = next((tmp_path / "annotations").glob("instances_*.json"))  # the only name that Datumaro finds
    data = json.loads(file.read_text())
    del data["annotations"][0]["score"]
    file.write_text(json.dumps(data))
    (picture,), _ = read(FORMATS["coco"], tmp_path)
    assert joined(FORMATS["coco"], picture, [mine]).same == 1


# Pictures ---------------------------------------------------------------------------------------------------------


def test_a_picture_is_found_in_its_part_of_the_set_or_not_at_all(tmp_path: Path) -> None:
    for part in ("train", "val"):
        (tmp_path / "images" / part / "sub").mkdir(parents=True)
        (tmp_path / "images" / part / "sub" / "a.png").touch()
    (tmp_path / "images" / "val" / "b.png").touch()
    context = DecodeContext(path=tmp_path)

    def find(name: str, side: str = "") -> str:
        found = context.picture(name, tmp_path, side=side)
        return "" if found is None else found.relative_to(tmp_path / "images").as_posix()

    assert find("sub\\a.png", "val") == "val/sub/a.png"
    assert find("a.png", "train") == "train/sub/a.png"
    assert find("sub/a.png") == ""  # either could be meant
    assert find("else/b.png", "train") == "val/b.png"
    assert DecodeContext(path=tmp_path / "x.json").picture("b.png", tmp_path) is None


def test_two_pictures_with_the_same_pixels_are_one_frame_and_nothing_is_silent() -> None:
    def box(edges: tuple[int, int, int, int], **fields: Any) -> DecodedBox:
        return DecodedBox(fields={"type": "icon", **fields}, edges=edges)

    here = Element(uid="h", frame=FRAME.id, type="icon", box=Rect(200, 100, 230, 130))
    compared = DemoMerge(capabilities=FormatCapabilities(), taken=lambda _: False)
    first = [box((0, 0, 20, 20)), box((50, 50, 90, 90))]
    again = [box((0, 0, 20, 20)), box((50, 50, 90, 90), type="button"), box((100, 0, 120, 20))]
    compared.merge(FRAME, [here], first)
    done = compared.merge(FRAME, [here], again, where="b.json")
    assert [(e.type, e.box.x1) for e in done.added] == [("icon", 0), ("icon", 50), ("icon", 100)]
    assert (done.changed, done.kept, done.same, done.only_here) == ([], [], 0, 1)
    assert [(item.code, item.count) for item in compared.left_out.items()] == [("twice", 1)]


def test_a_file_beside_others_does_not_look_through_the_disk(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    (tmp_path / "annotations").mkdir()
    assert DecodeContext(path=tmp_path / "x.json").root is None
    assert DecodeContext(path=tmp_path / "annotations" / "x.json").root == tmp_path
