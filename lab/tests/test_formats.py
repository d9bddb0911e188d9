"""Sets in the forms of other programs and back, without those programs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from demopack.codecs.boxes.base import DecodedBox
from demopack.domain.geometry import Rect, Size, to_yolo
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import CancelToken, JobControl
from lab.formats.coco import read_coco, write_coco
from lab.formats.pix2struct import read_pix2struct, write_pix2struct
from lab.formats.ultralytics_writer import write_ultralytics
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet
from models.training.ultralytics_data import read_ultralytics
from tests.support.truths import put_screen, screen, truth

SCREENS = (
    screen(
        truth("button", (3, 5, 40, 21), text="Näh “x” text=1", states={"disabled": False, "focused": True}),
        truth("icon", (50, 5, 66, 21), subtype="search", states={"disabled": True}),
        truth("list_item", (0, 30, 100, 50), leaf=False),
        truth("text", (4, 33, 40, 47), text="Row"),
        name="a", variant={"theme": "dark"},
    ),
    screen(name="b_2", side="train", group="no-elements.1"),
    screen(truth("checkbox", (10, 10, 20, 20), states={"checked": True}), name="c", side="val", source="qt", seed=9),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for one in SCREENS:
        put_screen(tmp_path / "set", one)
    return tmp_path / "set"


def by_name(folder: Path) -> dict[str, LabelledScreen]:
    return {one.name: one for one in LabelledScreenSet(folder).screens()}


def same_pictures(a: Path, b: Path) -> bool:
    one, other = LabelledScreenSet(a), LabelledScreenSet(b)
    pairs = zip(one.screens(), other.screens(), strict=True)
    return all((one.image(x) == other.image(y)).all() for x, y in pairs)


def boxes(one: LabelledScreen) -> set[tuple[str, object]]:
    return {(element.type, element.box) for element in one.elements}


def test_coco_keeps_everything(folder: Path, tmp_path: Path) -> None:
    done = write_coco([folder], tmp_path / "coco")
    assert (done.screens, done.elements, done.left_out) == (3, 5, {})
    for side in ("train", "val", "test"):
        read_coco(
            tmp_path / "coco" / "annotations" / f"instances_{side}.json",
            tmp_path / "coco" / "images" / side,
            tmp_path / "back",
            side=side,
        )
    assert by_name(tmp_path / "back") == by_name(folder)
    assert same_pictures(folder, tmp_path / "back")
    data = json.loads((tmp_path / "coco" / "annotations" / "instances_test.json").read_text(encoding="utf-8"))
    first = data["annotations"][0]
    assert (first["bbox"], first["area"], first["iscrowd"], first["image_id"]) == ([3, 5, 37, 16], 592, 0, 1)
    assert min(row["id"] for row in data["categories"]) == 1


def test_ultralytics_keeps_boxes_and_types_to_the_pixel(folder: Path, tmp_path: Path) -> None:
    done = write_ultralytics([folder], tmp_path / "data")
    assert (done.screens, done.elements) == (3, 5)
    assert done.left_out["text: no place in this form"] == 2
    yaml = (tmp_path / "data" / "data.yaml").read_text(encoding="utf-8")
    assert "path:" not in yaml
    assert '  0: "text"\n' in yaml
    assert (tmp_path / "data" / "labels" / "train" / "web@no-elements.1@b_2.txt").read_text(encoding="utf-8") == ""
    back = read_ultralytics(tmp_path / "data", tmp_path / "back")
    assert (back.screens, back.elements, back.left_out) == (3, 5, {})
    before, after = by_name(folder), by_name(tmp_path / "back")
    assert {name: (boxes(one), one.side, one.group, one.source) for name, one in before.items()} == {
        name: (boxes(one), one.side, one.group, one.source) for name, one in after.items()
    }
    assert same_pictures(folder, tmp_path / "back")


def test_ultralytics_without_types_has_one_class(folder: Path, tmp_path: Path) -> None:
    write_ultralytics([folder], tmp_path / "data", sides=("test",), agnostic=True)
    lines = (tmp_path / "data" / "labels" / "test" / "web@page@a.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["0"] * 4
    back = read_ultralytics(tmp_path / "data" / "data.yaml", tmp_path / "back")
    assert back.left_out == {"class “element” is no element type of ours and became “other”": 4}


def test_what_ultralytics_would_drop_in_silence_is_left_out_and_counted(tmp_path: Path) -> None:
    twice = truth("text", (0, 0, 9, 9))
    thumb = truth("scrollbar_thumb", (90, 0, 99, 9))
    put_screen(tmp_path / "set", screen(twice, twice, thumb, name="a"))
    put_screen(tmp_path / "set", screen(name="tiny", width=9, height=40))
    done = write_ultralytics([tmp_path / "set"], tmp_path / "data")
    assert (done.screens, done.elements) == (1, 1)
    assert done.left_out == {
        "scrollbar_thumb: no class": 1, "the same class and box twice": 1, "screens smaller than 10 pixels": 1,
    }  # fmt: skip


def test_pix2struct_keeps_everything_with_a_view_for_each_element(folder: Path, tmp_path: Path) -> None:
    done = write_pix2struct([folder], tmp_path / "data", patches=24)
    assert (done.screens, done.elements) == (3, 5)
    lines = (tmp_path / "data" / "test" / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows[0]["text"] == "button focused=yes disabled=no text=Näh “x” text=1"
    assert rows[0]["box"] == [3, 5, 40, 21]
    for row in rows:
        with Image.open(tmp_path / "data" / "test" / row["file_name"]) as view:
            assert view.width * view.height == 24 * 256
            x1, y1, x2, y2 = row["view_box"]
            assert 0 <= x1 < x2 <= view.width
            assert 0 <= y1 < y2 <= view.height
    # What is inside the box is not darkened: the element is drawn in its own grey.
    with Image.open(tmp_path / "data" / "test" / rows[1]["file_name"]) as view:
        x1, y1, x2, y2 = rows[1]["view_box"]
        assert view.getpixel(((x1 + x2) // 2, (y1 + y2) // 2)) == (40, 40, 40)
    read_pix2struct(tmp_path / "data", tmp_path / "back")
    assert by_name(tmp_path / "back") == by_name(folder)
    assert same_pictures(folder, tmp_path / "back")


@settings(max_examples=20)
@given(
    st.integers(11, 3000), st.integers(11, 3000),
    st.lists(st.tuples(*(st.floats(0, 1, exclude_max=True) for _ in range(4))), min_size=1, max_size=5),
)  # fmt: skip
def test_boxes_of_any_screen_survive_the_fractions(width: int, height: int, corners: list[tuple[float, ...]]) -> None:
    size = Size(width, height)
    for x, y, w, h in corners:
        x1, y1 = int(x * width), int(y * height)
        box = Rect(x1, y1, x1 + 1 + int(w * (width - x1 - 1)), y1 + 1 + int(h * (height - y1 - 1)))
        cx, cy, wide, high = (float(f"{value:.8f}") for value in to_yolo(box, size))
        edges = (cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2)
        assert DecodedBox(fields={}, edges=edges, fractions=True).box(size) == box


def annotated(**fields: object) -> dict[str, object]:
    return {"annotations": [{"id": 5, "image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9], **fields}]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"annotations": 3}, "annotations” must be a list"),
        (annotated(category_id=9), "annotation 5: there is no category 9"),
        (annotated(bbox=[1, 1]), "annotation 5: bbox must be"),
        (annotated(attributes={"leaf": "x"}), "annotation 5: attributes.leaf"),
        ({"images": [{"id": 1, "file_name": "gone.png"}]}, "gone.png cannot be read"),
    ],
)
def test_wrong_coco_is_one_clear_error(tmp_path: Path, change: dict[str, object], said: str) -> None:
    Image.new("RGB", (20, 20)).save(tmp_path / "x.png")
    good = {"images": [{"id": 1, "file_name": "x.png"}], "annotations": [], "categories": [{"id": 1, "name": "icon"}]}
    (tmp_path / "a.json").write_text(json.dumps({**good, **change}), encoding="utf-8")
    with pytest.raises(BadInputError, match=said):
        read_coco(tmp_path / "a.json", tmp_path, tmp_path / "out", side="val")


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs and devices")
@pytest.mark.timeout(30)
def test_fifos_among_the_data_are_named_and_not_waited_for(folder: Path, tmp_path: Path) -> None:
    write_pix2struct([folder], tmp_path / "pix", patches=24)
    (tmp_path / "a.json").write_text(
        '{"images": [{"id": 1, "file_name": "pipe.png"}], "annotations": [], "categories": []}', encoding="utf-8"
    )
    reads: dict[Path, Callable[[Path], object]] = {
        tmp_path / "pipe.png": lambda out: read_coco(tmp_path / "a.json", tmp_path, out, side="val"),
        tmp_path / "b.json": lambda out: read_coco(tmp_path / "b.json", tmp_path, out, side="val"),
        tmp_path / "pix" / "test" / "metadata.jsonl": lambda out: read_pix2struct(tmp_path / "pix", out),
        next(folder.glob("*/*.png")): lambda out: write_coco([folder], out),
    }
    for number, (path, read) in enumerate(reads.items()):
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        with pytest.raises(BadInputError) as caught:
            read(tmp_path / f"out{number}")
        assert str(path) in str(caught.value)


def test_a_text_that_names_no_type_is_named_by_line(folder: Path, tmp_path: Path) -> None:
    write_pix2struct([folder], tmp_path / "data", patches=24)
    path = tmp_path / "data" / "test" / "metadata.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[2])
    path.write_text("\n".join([*lines[:2], json.dumps({**row, "text": "gizmo"})]), encoding="utf-8")
    with pytest.raises(BadInputError, match=r"metadata.jsonl, line 3: text: 'gizmo' names no element type"):
        read_pix2struct(tmp_path / "data", tmp_path / "back")
    with pytest.raises(BadInputError, match=r"holds no __screens__/SIDE/screens.jsonl"):
        read_pix2struct(tmp_path, tmp_path / "back2")


@pytest.mark.parametrize("write", [write_coco, write_ultralytics, write_pix2struct])
def test_writing_never_mixes_with_what_is_there(folder: Path, tmp_path: Path, write: object) -> None:
    assert callable(write)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(BadInputError, match="is there already"):
        write([folder], tmp_path / "out")
    with pytest.raises(BadInputError, match="no folder"):
        write([tmp_path / "gone"], tmp_path / "a")
    with pytest.raises(BadInputError, match="several of the sets"):
        write([folder, folder], tmp_path / "b")
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        write([folder], tmp_path / "c", control=JobControl(token=token))
    assert not list((tmp_path / "c").rglob("*.json*"))
