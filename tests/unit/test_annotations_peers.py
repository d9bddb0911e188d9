"""Files as the other programs write them, with the traps of each format, and what ours must look like to them."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from demopack.annotations.importing import read_annotations
from demopack.annotations.merging import match_elements
from demopack.annotations.picture_matching import load_picture, match_pictures
from demopack.codecs.boxes.base import DecodedPicture
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size
from demopack.errors import BadInputError
from tests.support.annotations import FRAME, joined, read, through
from tests.support.work import calls_made

W, H = FRAME.width, FRAME.height


def _png(path: Path, size: tuple[int, int] = (W, H)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, (9, 8, 7)).save(path)
    return path


def _labelme(shapes: list[Any], **fields: Any) -> dict[str, Any]:
    base = {"version": "5.4.1", "flags": {}, "shapes": shapes, "imagePath": "a.png", "imageData": None,
            "imageHeight": H, "imageWidth": W}  # fmt: skip
    return {**base, **fields}


def _shape(**fields: Any) -> dict[str, Any]:
    base = {"label": "button", "points": [[10.4, 10.6], [30, 20]], "group_id": None, "shape_type": "rectangle"}
    return {**base, **fields}


def _added(name: str, path: Path) -> tuple[list[Element], set[str], set[str]]:
    """The elements of a file, and the codes of what was left out or lost."""
    pictures, reading = read(FORMATS[name], path)
    found = [element for picture in pictures for element in joined(FORMATS[name], picture).added]
    return found, {i.code for i in reading.left_out.items()}, {i.code for i in reading.lost.items()}


def _write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


# labelme and X-AnyLabeling ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "box"),
    [
        (_shape(), Rect(10, 11, 30, 20)),
        (_shape(points=[[30, 20], [10, 11]]), Rect(10, 11, 30, 20)),  # any diagonal
        (_shape(points=[[30, 11], [10, 20]]), Rect(10, 11, 30, 20)),
        (_shape(points=[[10, 11], [30, 11], [30, 20], [10, 20]]), Rect(10, 11, 30, 20)),  # X-AnyLabeling's four
        (_shape(points=[[-5, -5], [30, 999]]), Rect(0, 0, 30, H)),  # beside the picture is allowed there
        (_shape(shape_type="polygon", points=[[1, 1], [9, 2], [5, 8.6]]), Rect(1, 1, 9, 9)),
        (_shape(shape_type="circle", points=[[50, 50], [53, 54]]), Rect(45, 45, 55, 55)),
        (_shape(shape_type="mask", points=[[3, 4], [20, 30]], mask="AAAA"), Rect(3, 4, 21, 31)),  # first and last pixel
        (_shape(shape_type="rotation", points=[[20, 10], [30, 20], [20, 30], [10, 20]]), Rect(10, 10, 30, 30)),
        (_shape(shape_type="oriented_rectangle", points=[[1, 2], [8, 2], [8, 7], [1, 7]]), Rect(1, 2, 8, 7)),
    ],
)
def test_labelme_shapes(tmp_path: Path, shape: dict[str, Any], box: Rect) -> None:
    (found,), _, _ = _added("labelme", _write(tmp_path / "a.json", _labelme([shape])))
    assert (found.box, found.source, found.review) == (box, "human", "unreviewed")


def test_what_labelme_may_leave_out_or_have_too_much_of(tmp_path: Path) -> None:
    shapes = [
        _shape(),  # no flags, no description: older versions
        _shape(
            flags={"checked": True, "disabled": False, "odd": True}, description="Héllo 👋", mask=None, other_key=[1]
        ),
        _shape(shape_type="point", points=[[4, 4]]),
        _shape(shape_type="line", points=[[4, 4], [9, 9]]),
        _shape(group_id=7, points=[[1, 1], [9, 9]], label="Strange Thing"),
        _shape(group_id=3, points=[[40, 40], [50, 50]]),
        _shape(group_id=3, points=[[60, 60], [70, 70]]),
    ]
    data = _labelme(shapes, imageData="not even base64", unknown={"kept": 1}, imagePath="..\\pictures\\a.png")
    found, left, lost = _added("labelme", _write(tmp_path / "a.json", data))
    assert [e.type for e in found] == ["button", "button", "other", "button", "button"]
    assert (found[1].states, found[1].text) == ({"checked": True, "disabled": False}, "Héllo 👋")
    assert (found[2].subtype, found[2].track_id) == ("Strange Thing", "group_7")
    assert [e.track_id for e in found[3:]] == [None, None]  # a group of several boxes is no track
    assert left == {"flat", "flag odd", "group"}
    assert lost == {"label"}


def test_x_anylabeling_attributes_and_review(tmp_path: Path) -> None:
    shape = _shape(
        points=[[10, 11], [30, 11], [30, 20], [10, 20]], score=0.83, difficult=False, kie_linking=[[1, 2]],
        attributes={"checked": "true", "focused": "false", "expanded": "", "subtype": "x", "colour": "red"},
        label="checkbox", description=None, direction=0.0, locked=False,
    )  # fmt: skip
    wrong = _shape(points=[[40, 40], [50, 50]], review_status="false_positive")
    path = _write(tmp_path / "a.json", _labelme([shape, wrong], checked=True, chat_history=[], tags=["t"]))
    assert detect_format(path).name == "x-anylabeling"
    found, left, _ = _added("x-anylabeling", path)
    assert (found[0].states, found[0].confidence, found[0].source) == (
        {"checked": True, "focused": False}, 0.83, "detector",
    )  # fmt: skip
    assert [e.review for e in found] == ["approved", "rejected"]
    assert found[0].subtype is None  # a check box has none
    assert left == {"attribute colour", "kie_linking", "picture tags"}


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (_shape(points=[[1, 1]]), None),
        (_shape(points=[[1, 1], [2, 2], [3, 3]]), "2 or 4 points, this has 3"),
        (_shape(points=[[1, 1], [2, float("nan")]]), r"points\[1\]” must be 2 numbers"),
        (_shape(points=7), "points” must be a list"),
        (_shape(group_id="a"), "group_id” must be a whole number"),
        (_shape(group_id=True), "group_id” must be a whole number"),
        ({"label": "x", "shape_type": "rectangle"}, "points” is missing"),
        ({"points": [[1, 1], [2, 2]], "shape_type": "rectangle"}, "label” is missing"),
    ],
)
def test_broken_shapes_are_named(tmp_path: Path, shape: dict[str, Any], words: str | None) -> None:
    path = _write(tmp_path / "a.json", _labelme([_shape(), shape]))
    if words is None:
        assert len(_added("labelme", path)[0]) == 1
        return
    with pytest.raises(BadInputError, match=words) as error:
        _added("labelme", path)
    assert "a.json" in str(error.value)
    assert "shapes[1]" in str(error.value)
    assert error.value.hint


def test_a_size_that_is_not_the_pictures_is_refused(tmp_path: Path) -> None:
    _png(tmp_path / "a.png")
    (picture,), _ = read(FORMATS["labelme"], _write(tmp_path / "a.json", _labelme([_shape()], imageHeight=H + 1)))
    with pytest.raises(BadInputError, match=f"says {W} x {H + 1} pixels, but a.png has {W} x {H}"):
        load_picture(picture)


def test_a_picture_inside_the_file_is_found_by_its_pixels(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (W, H), (9, 8, 7)).save(buffer, "PNG")
    data = _labelme([_shape()], imageData=base64.b64encode(buffer.getvalue()).decode())
    (picture,), _ = read(FORMATS["labelme"], _write(tmp_path / "a.json", data))
    from demopack.domain.frames import frame_id

    image = load_picture(picture)
    assert image is not None
    frame = Frame(id=frame_id(image), width=W, height=H)
    assert [f.id for f, _ in match_pictures([picture], [FRAME, frame])[0]] == [frame.id]


def test_ours_pass_labelmes_checks(tmp_path: Path) -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(1, 2, 3, 4), subtype="send", track_id="t",
                   states={"checked": False}, source="detector", confidence=0.5)  # fmt: skip
    for name, points in (("labelme", 2), ("x-anylabeling", 4)):
        through(FORMATS[name], [mine], tmp_path / name)
        data = json.loads(next((tmp_path / name).glob("*.json")).read_text(encoding="utf-8"))
        assert data["imageData"] is None
        assert (data["imageWidth"], data["imageHeight"]) == (W, H)
        assert "/" not in data["imagePath"]
        assert isinstance(data["version"], str)
        (shape,) = data["shapes"]
        assert len(shape["points"]) == points
        assert all(isinstance(value, bool) for value in shape["flags"].values())
        assert isinstance(shape["group_id"], int)
        assert isinstance(shape["description"], str)
    assert shape["points"] == [[1.0, 2.0], [3.0, 2.0], [3.0, 4.0], [1.0, 4.0]]
    assert shape["attributes"] == {"subtype": "send", "checked": "false"}
    assert shape["score"] == 0.5


# COCO -------------------------------------------------------------------------------------------------------------


def test_coco_as_it_is_in_the_wild(tmp_path: Path) -> None:
    data = {
        "images": [{"id": 0, "file_name": "sub/a.png", "width": W, "height": H}, {"id": 70, "file_name": "b.png"}],
        "categories": [{"id": 0, "name": "Button"}, {"id": 12, "name": "icon"}],
        "annotations": [
            {"image_id": 0, "category_id": 0, "bbox": [10.4, 10.6, 20, 9.4]},  # neither id nor area
            {"id": 5, "image_id": 0, "category_id": 12, "segmentation": [[1, 1, 9, 2, 5, 8]], "iscrowd": 0},
            {"id": 6, "image_id": 0, "category_id": 12, "bbox": [0, 0, 5, 5], "iscrowd": 1},
            {"id": 7, "image_id": 70, "category_id": 12, "segmentation": {"counts": "x", "size": [1, 1]}},
            {"id": 9, "image_id": 70, "category_id": 12, "bbox": [1, 1, 5, 5], "score": 0.25,
             "attributes": {"checked": True, "occluded": False, "rotation": 0.0, "states": {"disabled": False}}},
        ],
    }  # fmt: skip
    found, left, lost = _added("coco", _write(tmp_path / "x.json", data))
    assert [(e.type, e.box) for e in found] == [
        ("button", Rect(10, 11, 30, 20)), ("icon", Rect(1, 1, 9, 8)), ("icon", Rect(1, 1, 6, 6)),
    ]  # fmt: skip
    assert (found[2].states, found[2].confidence, found[2].source) == (
        {"checked": True, "disabled": False}, 0.25, "detector",
    )  # fmt: skip
    assert (left, lost) == ({"crowd", "mask"}, {"shape"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"image_id": 3}, "annotations\\[0\\]: There is no image 3"),
        ({"category_id": 3}, "There is no category 3"),
        ({"bbox": [1, 2, 3]}, "bbox” must be 4 numbers"),
        ({"bbox": [1, 2, -3, 4]}, "sizes of 0 or more"),
        ({"bbox": []}, "neither “bbox” nor a polygon"),
        ({"attributes": {"text": "x" * 3}, "bbox": [1e12, 0, 1, 1]}, "bbox” must be 4 numbers"),
    ],
)
def test_broken_coco_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    row = {"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], **change}
    data = {
        "images": [{"id": 1, "file_name": "a.png"}],
        "categories": [{"id": 1, "name": "icon"}],
        "annotations": [row],
    }
    with pytest.raises(BadInputError, match=words):
        _added("coco", _write(tmp_path / "x.json", data))


def test_a_list_of_results_says_what_it_needs(tmp_path: Path) -> None:
    path = _write(tmp_path / "x.json", [{"image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}])
    with pytest.raises(BadInputError, match="images and categories"):
        read_annotations(path, form="coco")
    with pytest.raises(BadInputError, match="no format that is known"):
        read_annotations(path)


# YOLO -------------------------------------------------------------------------------------------------------------


def _yolo(folder: Path, label: str, names: str = "names: [icon, button]\n") -> Path:
    _png(folder / "images" / "train" / "a.png")
    _write(folder / "labels" / "train" / "a.txt", label)
    _write(folder / "data.yaml", f"path: .\ntrain: images/train\nval: images/train\nnc: 2\n{names}")
    return folder


def test_yolo_lines(tmp_path: Path) -> None:
    lines = "1 0.5 0.5 0.25 0.1\n\n0 0.1 0.1 0.2 0.1 0.1 0.3\n1 0.5 0.5 0.25 0.1 0.75\n"
    found, _, lost = _added("yolo", _yolo(tmp_path, f"\ufeff{lines}"))
    assert [(e.type, e.box) for e in found] == [
        ("button", Rect(120, 90, 200, 110)), ("icon", Rect(32, 20, 64, 60)), ("button", Rect(120, 90, 200, 110)),
    ]  # fmt: skip
    assert found[2].confidence == 0.75
    assert lost == {"shape"}


def test_an_empty_label_file_is_a_picture_without_elements(tmp_path: Path) -> None:
    pictures, _ = read(FORMATS["yolo"], _yolo(tmp_path, ""))
    assert [(p.name, list(p.boxes)) for p in pictures] == [("a.png", [])]


def test_pictures_of_one_name_on_two_sides_are_not_mixed_up(tmp_path: Path) -> None:
    _yolo(tmp_path, "0 0.5 0.5 0.1 0.1")
    _png(tmp_path / "images" / "val" / "a.png", (10, 10))
    _write(tmp_path / "labels" / "val" / "a.txt", "1 0.5 0.5 0.2 0.2")
    pictures, _ = read(FORMATS["yolo"], tmp_path)
    assert [(p.file.parent.name, p.boxes[0].fields["type"]) for p in pictures if p.file is not None] == [
        ("train", "icon"), ("val", "button"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("2 0.5 0.5 0.1 0.1", "a.txt, line 1: There is no class 2; the list has 2"),
        ("-1 0.5 0.5 0.1 0.1", "no class -1"),
        ("0.5 0.5 0.5 0.1 0.1", "no class 0.5"),
        ("0 120 90 200 110", "outside 0..1"),
        ("0 0.5 0.5 0.1", "is no label"),
        ("icon 0.5 0.5 0.1 0.1", "is no label"),
        ("0 nan 0.5 0.1 0.1", "is no label"),
    ],
)
def test_broken_yolo_is_named(tmp_path: Path, label: str, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        _added("yolo", _yolo(tmp_path, label))


@pytest.mark.parametrize("names", ["names:\n  0: icon\n  2: button\n", "names: icon\n", ""])
def test_class_lists_with_gaps_are_refused(tmp_path: Path, names: str) -> None:
    with pytest.raises(BadInputError, match=r"data\.yaml: “names”"):
        _added("yolo", _yolo(tmp_path, "", names))


def test_class_lists_that_disagree_are_refused(tmp_path: Path) -> None:
    _write(_yolo(tmp_path, "") / "classes.txt", "button\nicon\n")
    with pytest.raises(BadInputError, match="could mean two things"):
        _added("yolo", tmp_path)


def test_our_yolo_numbers_are_the_places_of_the_types(tmp_path: Path) -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(0, 0, 32, 20))
    through(FORMATS["yolo"], [mine], tmp_path)
    label = next((tmp_path / "labels").rglob("*.txt")).read_text()
    assert label == f"{ELEMENT_TYPES.index('icon')} 0.05000000 0.05000000 0.10000000 0.10000000\n"
    assert (tmp_path / "classes.txt").read_text().split() == list(ELEMENT_TYPES)


# Everywhere -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["labelme", "coco", "label-studio", "omniparser"])
def test_what_is_not_json_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError, match=r"x\.json: The file is not JSON"):
        _added(name, _write(tmp_path / "x.json", "{"))


def test_pictures_of_another_size_are_passed_over_with_the_reason() -> None:
    name = f"d--0001-{FRAME.id[:8]}.png"
    same = DecodedPicture(name=name, size=FRAME.size)
    other = DecodedPicture(name=name, size=Size(1, 1))
    other_name = DecodedPicture(name="b.png", size=FRAME.size)
    matched, unknown = match_pictures([same, other, other_name], [FRAME])
    assert [p for _, p in matched] == [same]
    assert unknown == {
        name: f"the file says 1 x 1 pixels, the frame has {W} x {H}", "b.png": "no frame of the demo shows it",
    }  # fmt: skip


def test_halves_of_characters_do_not_reach_the_library(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(_labelme([_shape(description="\ud83d bad")])))
    (found,), _, _ = _added("labelme", path)
    assert found.text == "\N{REPLACEMENT CHARACTER} bad"


def test_the_work_of_finding_boxes_again_grows_no_faster_than_they_do() -> None:
    cells = [(x, y) for x in range(0, 800, 8) for y in range(0, 400, 8)]
    mine = [
        Element(uid=f"e{i}", frame=FRAME.id, type="icon", box=Rect(x, y, x + 6, y + 6))
        for i, (x, y) in enumerate(cells)
    ]
    again = [e.model_copy(update={"uid": f"x{e.uid}"}) for e in mine]
    assert match_elements(mine, again) == mine
    assert calls_made(lambda: match_elements(mine, again)) < 100 * len(mine)  # 41 for each were counted
