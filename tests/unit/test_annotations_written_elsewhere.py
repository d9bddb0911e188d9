"""Files that other programs' own writers made: every box, word and state arrives, and the rest is counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demopack.annotations.merging import DemoMerge, FrameMerge
from demopack.codecs.boxes.base import DecodeContext, DecodedPicture, FormatCapabilities
from demopack.codecs.boxes.catalogue import FORMATS, detect_format
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError

Told = tuple[str, tuple[int, int, int, int], dict[str, Any]]

_DATA = Path(__file__).parents[1] / "data" / "annotations"
_SAVE: Told = ("button", (6, 5, 40, 20), {"text": "Save", "states": {"focused": True, "disabled": False}})
_SIGN: Told = ("checkbox", (50, 6, 61, 17), {"text": "Größe 📐 שלום", "states": {"checked": True}})
_COMBO: Told = ("dropdown", (6, 28, 96, 57), {})
_SPARK: Told = ("other", (8, 30, 30, 51), {"subtype": "Sparkline"})
_PLAIN: list[Told] = [("button", (6, 5, 40, 19), {}), ("checkbox", (50, 6, 61, 17), {}), _COMBO]
_BARE = ("x-anylabeling-4.2.1-", "label-studio")
"""Written without their pictures."""
_APPROVED: dict[str, Any] = {"review": "approved"}

_LABELME: list[Told] = [
    ("button", (6, 5, 40, 20), {**_SAVE[2], "track_id": "group_1"}),
    _SIGN,
    _COMBO,
    _SPARK,
    ("icon", (65, 35, 75, 45), {}),
    ("text", (1, 58, 90, 62), {}),
    ("icon", (60, 20, 75, 29), {}),
    ("image", (10, 30, 30, 50), {}),
]
_X_ANY_BARE: list[Told] = [
    ("button", (6, 5, 40, 20), {**_SAVE[2], "track_id": "group_1", "source": "detector", "confidence": 0.875}),
    _SIGN,
    _COMBO,
    ("icon", (70, 40, 73, 44), {"review": "rejected"}),
    _SPARK,
    ("icon", (65, 35, 75, 45), {}),
    ("text", (1, 58, 90, 62), {}),
    ("icon", (79, 20, 90, 30), {}),
    ("other", (10, 30, 30, 50), {"subtype": "rotation_icon"}),
    ("image", (60, 36, 84, 56), {}),
]
_X_ANY: list[Told] = [(kind, box, {**_APPROVED, **more}) for kind, box, more in _X_ANY_BARE]
_X_LOST = {"flat", "group", "attribute theme", "difficult", "kie_linking", "picture tags", "picture description"}
_LABELME_LOST = {"flat", "group", "flag blurry", "picture flag done"}
_SURE: Told = ("button", (6, 5, 40, 20), {**_SAVE[2], "source": "detector", "confidence": 0.875})
_SURE_ONLY_FOCUSED: Told = ("button", _SURE[1], {**_SURE[2], "states": {"focused": True}})

# Folder, format, pictures with what is on them in the file's order, what is left out, what is taken less exactly.
_CASES: list[tuple[str, str, dict[str, list[Told]], set[str], set[str]]] = [
    ("labelme-6.3.1", "labelme", {"screen.png": _LABELME}, _LABELME_LOST, {"shape", "label", "cut"}),
    ("labelme-7.9.1/screen.json", "labelme", {"screen.png": _LABELME}, {*_LABELME_LOST, "locked"},
     {"shape", "label", "cut"}),
    ("labelme-7.9.1/inside.json", "labelme", {"screen.png": _LABELME[:1]}, set(), set()),
    ("x-anylabeling-4.2.1", "x-anylabeling",
     {"failed.png": [("button", (6, 5, 40, 19), {"source": "detector", "confidence": 0.25, "review": "doubtful"})],
      "screen.png": _X_ANY}, _X_LOST, {"shape", "label"}),
    ("x-anylabeling-4.2.1-coco", "coco",
     {"failed.png": _PLAIN[:1], "screen.png": [("button", (6, 5, 40, 20), {}), _PLAIN[1],
      ("dropdown", (6, 28, 95, 57), {}), ("icon", (70, 40, 73, 44), {})]}, {"ignore"}, set()),
    ("x-anylabeling-4.2.1-yolo", "yolo",
     {"failed.png": _PLAIN[:1], "screen.png": [_PLAIN[0], _PLAIN[1],
      ("dropdown", (6, 28, 95, 57), {}), ("icon", (70, 40, 73, 44), {})]}, set(), set()),
    ("datumaro-1.13.12-coco_instances", "coco", {"screen.png": [_SIGN, _COMBO, _SPARK, _SURE], "empty.png": []},
     {"attribute occluded", "attribute theme", "crowd"}, {"label"}),
    ("datumaro-1.13.12-cvat", "cvat",
     {"screen.png": [_SAVE, _SIGN, _COMBO, _SPARK, ("icon", (70, 40, 81, 45), {}), ("icon", (9, 31, 31, 49), {})],
      "empty.png": []},
     {"attribute occluded", "attribute score", "attribute theme", "shape points", "shape tag"}, {"shape", "label"}),
    ("datumaro-1.13.12-yolo", "yolo", {"screen.png": _PLAIN, "empty.png": []}, set(), set()),
    ("datumaro-1.13.12-yolo_ultralytics", "yolo", {"screen.png": _PLAIN, "empty.png": []}, set(), set()),
    ("fiftyone-1.22.1-coco", "coco", {"screen.png": [_SURE_ONLY_FOCUSED, _SIGN, _COMBO]}, {"attribute theme"}, set()),
    ("fiftyone-1.22.1-cvat", "cvat",
     {"screen.png": [("button", (6, 5, 40, 20), {"text": "Save", "states": {"focused": True}}), _SIGN, _COMBO]},
     {"attribute theme"}, set()),
    ("fiftyone-1.22.1-yolo", "yolo", {"screen.png": _PLAIN}, set(), set()),
    ("label-studio-1.23.2/ocr.json", "label-studio",
     {"demo_mini--0001-b5e0d810.png": [("text", (6, 5, 40, 19), {"text": "Save Größe"}),
                                       ("button", (58, 38, 74, 50), {})]}, {"choice good"}, {"shape"}),
    ("labelimg-1.8.6", "yolo", {"screen.png": [*_PLAIN[:2], ("dropdown", (6, 28, 96, 56), {})]}, set(), set()),
    ("ultralytics-8.4.190", "yolo",
     {"screen.png": [("button", (6, 5, 40, 19), {"source": "detector", "confidence": 0.875}),
                     ("checkbox", (50, 6, 61, 17), {"source": "detector", "confidence": 0.5})]}, set(), set()),
]  # fmt: skip


def _read(where: str) -> tuple[str, list[DecodedPicture], DecodeContext]:
    form = detect_format(_DATA / where)
    reading = DecodeContext(path=_DATA / where)
    return form.name, list(form.decode(reading)), reading


def _put(picture: DecodedPicture, reading: DecodeContext, existing: tuple[Element, ...] = ()) -> FrameMerge:
    frame = Frame(id=picture.frame or "cd" * 32, width=96, height=64)
    return DemoMerge(
        capabilities=FormatCapabilities(), taken=lambda _: False, left_out=reading.left_out, lost=reading.lost
    ).merge(frame, existing, picture.boxes)


def _plain(element: Element) -> Told:
    told: dict[str, Any] = {"text": element.text, "subtype": element.subtype, "states": dict(element.states)}
    told |= {"source": element.source, "confidence": element.confidence, "review": element.review}
    usual = {"source": "human", "review": "unreviewed"}
    told["track_id"] = element.track_id
    box = element.box
    kept = {name: value for name, value in told.items() if value not in (None, {}, usual.get(name))}
    return element.type, (box.x1, box.y1, box.x2, box.y2), kept


@pytest.mark.parametrize(("where", "form", "pictures", "left", "lost"), _CASES, ids=[case[0] for case in _CASES])
def test_what_their_writers_wrote_arrives(
    where: str, form: str, pictures: dict[str, list[Told]], left: set[str], lost: set[str]
) -> None:
    name, read, reading = _read(where)
    assert name == form
    assert {one.name: [_plain(e) for e in _put(one, reading).added] for one in read} == pictures
    assert {item.code for item in reading.left_out.items()} == left
    assert {item.code for item in reading.lost.items()} == lost


@pytest.mark.parametrize("where", [case[0] for case in _CASES if not case[0].startswith(_BARE)])
def test_their_pictures_are_found_wherever_the_program_puts_them(where: str) -> None:
    _, read, _ = _read(where)
    assert [one.name for one in read if one.file is None] == []
    assert [one.file.name for one in read if one.file is not None] == [one.name for one in read]


def _ours() -> tuple[Element, ...]:
    frame = _read("x-anylabeling-4.2.1-corrected")[1][0].frame

    def one(uid: str, kind: Any, box: tuple[int, int, int, int], **more: Any) -> Element:
        return Element(uid=f"el_{uid}", frame=frame, type=kind, box=Rect(*box), **more)

    return (
        one("a", "button", (6, 5, 40, 19), text="Save", source="detector", confidence=0.5, states={"disabled": False}),
        one("b", "checkbox", (50, 6, 61, 17), source="detector", confidence=0.9, review="approved",
            states={"checked": False}),
        one("c", "input_field", (6, 28, 84, 56), source="ocr", confidence=0.75),
        one("d", "icon", (70, 40, 80, 50), subtype="send"),
        one("e", "text", (10, 30, 30, 36), text="Größe", source="ocr", confidence=0.6, track_id="t"),
        one("f", "image", (60, 20, 75, 29), source="detector", confidence=0.3, review="rejected"),
    )  # fmt: skip


def test_what_was_corrected_in_x_anylabeling_comes_back_as_it_was_meant() -> None:
    name, (picture,), reading = _read("x-anylabeling-4.2.1-corrected")
    assert name == "x-anylabeling"
    done = _put(picture, reading, _ours())
    mine = {element.uid: element for element in _ours()}
    assert {old.uid: new for old, new in done.changed} == {
        "el_a": mine["el_a"].changed(box=Rect(9, 7, 43, 21), review="approved"),  # moved
        "el_c": mine["el_c"].changed(type="text_area", text="Neu", review="approved"),  # called otherwise
        "el_e": mine["el_e"].changed(review="approved"),  # the picture was checked, and it was there
    }
    # What a person had said here stays, and is reported.
    assert {old.uid: new.review for old, new in done.kept} == {
        "el_b": "rejected",  # a false positive
        "el_d": "approved",
        "el_f": "approved",  # missed
    }
    # A copy of a box is somebody's own box, and no second suggestion; the other one was drawn.
    assert [_plain(element) for element in done.added] == [
        ("icon", (68, 38, 78, 48), {"subtype": "send", "review": "approved"}),
        ("slider", (20, 57, 44, 62), {"review": "approved"}),
    ]
    assert (done.only_here, reading.left_out.items(), reading.lost.items()) == (0, [], [])


def test_what_was_accepted_in_label_studio_comes_back_although_it_is_another_annotation_there() -> None:
    name, (picture,), reading = _read("label-studio-1.23.2/corrected.json")
    assert name == "label-studio"
    mine = {element.uid: element for element in _ours()}
    del mine["el_f"]  # rejected, so it had stayed here
    done = _put(picture, reading, tuple(mine.values()))
    assert {old.uid: new for old, new in done.changed} == {
        # Called otherwise; accepted as they were.
        "el_a": mine["el_a"].changed(type="checkbox", review="approved"),
        "el_c": mine["el_c"].changed(review="approved"),
        "el_e": mine["el_e"].changed(review="approved"),
    }
    assert (done.same, done.kept, done.only_here) == (2, [], 0)
    assert [_plain(element) for element in done.added] == [("slider", (20, 57, 44, 61), {})]
    assert reading.left_out.items() == []  # the export has predictions by number only, but that one was accepted


def test_label_studios_short_form_names_the_way_out() -> None:
    with pytest.raises(BadInputError) as error:
        _read("label-studio-1.23.2/short.json")
    assert "not as “JSON-MIN”" in str(error.value.hint)


def test_classes_that_labelimg_wrote_anew_are_refused_beside_ours(tmp_path: Path) -> None:
    for file in (_DATA / "labelimg-1.8.6").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "data.yaml").write_text("names: [text, button, checkbox]\n")
    with pytest.raises(BadInputError, match="could mean two things"):
        list(FORMATS["yolo"].decode(DecodeContext(path=tmp_path)))
