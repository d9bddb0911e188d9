"""Files of CVAT, Label Studio and OmniParser, with the traps of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from demopack.annotations.picture_matching import match_pictures
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect, Size
from demopack.errors import BadInputError
from tests.support.annotations import FRAME, joined, read, through

W, H = FRAME.width, FRAME.height
_KINDS: tuple[ElementType, ...] = ("text", "button", "icon", "image")


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


# CVAT -------------------------------------------------------------------------------------------------------------


def test_cvat_images(tmp_path: Path) -> None:
    text = f"""<?xml version="1.0" encoding="utf-8"?><annotations><version>1.1</version><meta/>
    <image id="0" name="task/a.png" width="{W}" height="{H}">
      <box label="checkbox" source="manual" occluded="0" xtl="10.40" ytl="10.60" xbr="30.0" ybr="20.0" z_order="0">
        <attribute name="checked">true</attribute><attribute name="disabled">__undefined__</attribute>
        <attribute name="text">A &amp; B</attribute><attribute name="brand">x</attribute></box>
      <box label="icon" source="auto" occluded="0" rotation="90" xtl="10" ytl="10" xbr="30" ybr="20" z_order="0"/>
      <polygon label="icon" occluded="0" points="1.0,1.0;9.0,2.0;5.0,8.0" z_order="0"/>
      <points label="icon" occluded="0" points="1.0,1.0" z_order="0"/>
      <mask label="icon" rle="1, 2" left="1" top="1" width="2" height="2" z_order="0"/>
    </image></annotations>"""
    found, left, lost = _added("cvat", _write(tmp_path / "a.xml", text))
    assert [(e.type, e.box, e.source) for e in found] == [
        ("checkbox", Rect(10, 11, 30, 20), "human"),
        ("icon", Rect(15, 5, 25, 25), "detector"),
        ("icon", Rect(1, 1, 9, 8), "human"),
        ("icon", Rect(1, 1, 3, 3), "human"),
    ]
    assert (found[0].states, found[0].text) == ({"checked": True}, "A & B")
    assert (left, lost) == ({"attribute brand", "shape points"}, {"shape"})


def _track(boxes: str) -> str:
    return f"""<annotations><version>1.1</version><meta><task><original_size><width>{W}</width><height>{H}</height>
    </original_size></task></meta><track id="4" label="button" source="manual">{boxes}</track></annotations>"""


def _frame_box(frame: int, left: int, *, outside: int = 0, keyframe: int = 1) -> str:
    return (
        f'<box frame="{frame}" outside="{outside}" occluded="0" keyframe="{keyframe}" xtl="{left}" ytl="5" '
        f'xbr="{left + 10}" ybr="15" z_order="0"/>'
    )


def test_cvat_tracks_move_between_key_frames_and_end_where_they_are_outside(tmp_path: Path) -> None:
    boxes = _frame_box(0, 10) + _frame_box(4, 50) + _frame_box(5, 50, outside=1) + _frame_box(8, 90, keyframe=0)
    pictures, _ = read(FORMATS["cvat-video"], _write(tmp_path / "a.xml", _track(boxes)))
    places = {p.number: [b.box(FRAME.size).x1 for b in p.boxes] for p in pictures}
    assert places == {0: [10], 1: [20], 2: [30], 3: [40], 4: [50], 8: [90]}
    frames = [Frame(id=f"{n:064x}", width=W, height=H) for n in range(9)]
    matched, _ = match_pictures(pictures, frames)
    assert [frame.id for frame, _ in matched] == [frames[n].id for n in (0, 1, 2, 3, 4, 8)]
    tracks = {e.track_id for p in pictures for e in joined(FORMATS["cvat-video"], p).added}
    assert tracks == {"track_4"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<annotations>", "not XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><annotations/>', "declares entities"),
        ("<root/>", "no CVAT XML"),
        (_track('<box frame="x" xtl="1" ytl="1" xbr="2" ybr="2"/>'), "frame” must be 1 numbers"),
        (_track('<box frame="1" xtl="1" ytl="1" xbr="2"/>'), "xtl, ytl, xbr, ybr” must be 4 numbers"),
        ('<annotations><image id="1" name="a.png"><box xtl="1" ytl="1" xbr="2" ybr="2"/></image></annotations>',
         "image a.png, box 0: “label” is missing"),
    ],
)  # fmt: skip
def test_broken_cvat_is_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        _added("cvat", _write(tmp_path / "a.xml", text))


def test_our_tracks_are_outside_where_the_element_is_gone(tmp_path: Path) -> None:
    from demopack.codecs.boxes.base import AnnotatedPicture, AnnotationOptions
    from demopack.codecs.output import Output

    mine = Element(uid="u", frame=FRAME.id, type="button", box=Rect(1, 2, 30, 40), track_id="t")
    pictures = [
        AnnotatedPicture(name=f"{number}.png", frame=f"f{number}", size=Size(W, H), demo="d", elements=shown)
        for number, shown in enumerate(((mine,), (), (mine,), (mine.changed(uid="v", box=Rect(5, 5, 9, 9)),)))
    ]
    FORMATS["cvat-video"].encode(pictures, Output(tmp_path), AnnotationOptions())
    (track,) = ET.parse(tmp_path / "annotations.xml").getroot().findall("track")
    seen = [(int(box.get("frame", "")), box.get("outside"), box.get("keyframe")) for box in track.findall("box")]
    assert seen == [(0, "0", "1"), (1, "1", "1"), (2, "0", "1"), (3, "0", "1")]


# Label Studio -----------------------------------------------------------------------------------------------------


def _result(**fields: Any) -> dict[str, Any]:
    place = {"x": 10, "y": 25.0, "width": 50, "height": 10, "rotation": 0}
    base = {"id": "r1", "type": "rectanglelabels", "from_name": "label", "to_name": "image", "original_width": W,
            "original_height": H, "image_rotation": 0, "value": {**place, "rectanglelabels": ["Button"]}}  # fmt: skip
    return {**base, **fields}


def test_label_studio_tasks(tmp_path: Path) -> None:
    text = _result(type="textarea", from_name="transcription", value={"text": ["Go", "on"]})
    choice = _result(type="choices", from_name="states", value={"choices": ["checked", "not disabled"]})
    turned = _result(id="r2", value={"x": 50, "y": 50, "width": 10, "height": 10, "rotation": 90,
                                     "rectanglelabels": ["icon"]})  # fmt: skip
    brush = _result(id="r3", type="brushlabels", value={"rle": []})
    copied = _result(id="other", score=0.5)  # the annotation began as a copy of the prediction
    fresh = _result(id="r9", score=0.5, value={"x": 0, "y": 0, "width": 10, "height": 10, "rectanglelabels": ["icon"]})
    task = {
        "id": 1,
        "data": {"image": "/data/upload/1/0a1b2c3d-a.png"},
        "annotations": [
            {"id": 1, "was_cancelled": True, "result": [_result(id="no")]},
            {"id": 2, "was_cancelled": False, "result": [_result(), text, choice, turned, brush]},
        ],
        "predictions": [{"model_version": "m", "result": [copied, fresh]}],
    }
    pictures, reading = read(FORMATS["label-studio"], _write(tmp_path / "x.json", [task]))
    assert (pictures[0].name, pictures[0].size) == ("a.png", Size(W, H))
    found = joined(FORMATS["label-studio"], pictures[0]).added
    assert [(e.type, e.box) for e in found] == [
        ("button", Rect(32, 50, 192, 70)),
        ("icon", Rect(140, 100, 160, 132)),  # about its corner, in pixels
        ("icon", Rect(0, 0, 32, 20)),
    ]
    assert (found[0].text, found[0].states) == ("Go\non", {"checked": True, "disabled": False})
    assert (found[2].source, found[2].confidence, found[0].source) == ("detector", 0.5, "human")
    assert {i.code for i in reading.left_out.items()} == {"cancelled", "result brushlabels"}


@pytest.mark.parametrize(
    ("task", "words"),
    [
        ({"id": 1, "image": "a.png", "label": []}, "not as “JSON-MIN”"),
        ({"data": {"n": 3}, "annotations": []}, "names no picture"),
        ({"data": {"image": "a.png"}, "annotations": [{"result": [_result(value={"x": 1, "y": 2})]}]}, "4 numbers"),
        ({"data": {"image": "a.png"}, "annotations": [{"result": 3}]}, "result” must be a list"),
    ],
)
def test_broken_label_studio_is_named(tmp_path: Path, task: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        _added("label-studio", _write(tmp_path / "x.json", [task]))


def test_label_studios_set_up_knows_every_name_that_the_tasks_use(tmp_path: Path) -> None:
    mine = Element(uid="u", frame=FRAME.id, type="icon", box=Rect(1, 2, 3, 4), subtype="send", text="x",
                   states={"checked": False}, review="approved")  # fmt: skip
    found = mine.changed(uid="v", source="detector", review="unreviewed", confidence=0.5)
    through(FORMATS["label-studio"], [mine, found], tmp_path)
    root = ET.parse(tmp_path / "labelling_config.xml").getroot()
    names = {one.get("name") for one in root.iter() if one.get("name")}
    (task,) = json.loads((tmp_path / "tasks.json").read_text())
    results = [r for part in ("annotations", "predictions") for one in task[part] for r in one["result"]]
    assert {r["from_name"] for r in results} | {r["to_name"] for r in results} <= names
    assert [r["id"] for r in task["predictions"][0]["result"]] == ["v", "v", "v", "v"]
    choices = {one.get("value") for one in root.iter("Choice")}
    assert {word for r in results if r["type"] == "choices" for word in r["value"]["choices"]} <= choices


# OmniParser -------------------------------------------------------------------------------------------------------


def test_omniparser_lists(tmp_path: Path) -> None:
    rows = [
        {"type": "text", "bbox": [0.1, 0.1, 0.2, 0.2], "interactivity": False, "content": "Hi",
         "source": "box_ocr_content_ocr"},
        {"type": "icon", "bbox": [0.5, 0.5, 0.6, 0.6], "interactivity": True, "content": "Save",
         "source": "box_yolo_content_ocr"},
        {"type": "icon", "bbox": [0.7, 0.7, 0.8, 0.8], "interactivity": True, "content": None,
         "source": "box_yolo_content_yolo"},
    ]  # fmt: skip
    _png(tmp_path / "a.png")
    path = _write(tmp_path / "a.json", rows)
    assert detect_format(path).name == "omniparser"
    found, _, lost = _added("omniparser", path)
    assert [(e.type, e.text, e.source) for e in found] == [
        ("text", "Hi", "ocr"), ("button", "Save", "detector"), ("icon", None, "detector"),
    ]  # fmt: skip
    assert (found[0].box, lost) == (Rect(32, 20, 64, 40), {"guess"})
    # Ours say what theirs would: what is written is text, what can be used is interactive.
    mine = [Element(uid=kind, frame=FRAME.id, type=kind, box=Rect(0, 0, 32, 20), text="x") for kind in _KINDS]
    through(FORMATS["omniparser"], mine, tmp_path / "ours")
    written = json.loads(next((tmp_path / "ours").glob("*.json")).read_text(encoding="utf-8"))
    assert [(row["type"], row["interactivity"]) for row in written] == [
        ("text", False), ("icon", True), ("icon", True), ("icon", False),
    ]  # fmt: skip
    assert written[0]["bbox"] == [0, 0, 0.1, 0.1]
    with pytest.raises(BadInputError, match=r"fractions from 0 to 1"):
        _added("omniparser", _write(tmp_path / "b.json", [{"type": "text", "bbox": [1, 2, 30, 40]}]))
