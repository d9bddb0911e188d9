"""Annotations as other programs' own loaders read them: the same boxes under the same names."""

from __future__ import annotations

import contextlib
import importlib
import io
from pathlib import Path
from typing import Any

import pytest

from demopack.annotations.export import export_annotations
from demopack.annotations.importing import merge_with_demo, read_annotations
from demopack.codecs.boxes.catalogue import FORMATS
from demopack.domain.demos import Demo
from demopack.store import Library
from tests.support.demos import sample_demo

Truth = dict[str, list[tuple[str, tuple[int, int, int, int]]]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, Path]:
    folder = tmp_path_factory.mktemp("annotations")
    with Library.open(folder / "library") as library:
        key = sample_demo(library)
        for name in ("coco", "yolo"):
            export_annotations(library, [key], FORMATS[name], folder / name)
        return library.demo(key), folder


@pytest.fixture(autouse=True)
def _no_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars start a thread that stays."""
    tqdm = pytest.importorskip("tqdm", reason="part of the loaders")
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)


def _truth(demo: Demo) -> Truth:
    """Beginning of the frame's id -> type and box of what was not rejected."""
    return {
        frame.id[:8]: sorted(
            (e.type, (e.box.x1, e.box.y1, e.box.x2, e.box.y2))
            for e in demo.elements.get(frame.id, ())
            if e.review != "rejected"
        )
        for frame in demo.frames()
    }


def test_pycocotools_reads_the_same_boxes_with_their_attributes(sample: tuple[Demo, Path]) -> None:
    pytest.importorskip("pycocotools", reason="this loader is not installed")
    coco_class: Any = importlib.import_module("pycocotools.coco").COCO
    demo, folder = sample
    with contextlib.redirect_stdout(io.StringIO()):
        coco = coco_class(str(folder / "coco" / "annotations" / "instances_default.json"))
    names = {row["id"]: row["name"] for row in coco.loadCats(coco.getCatIds())}
    found: Truth = {}
    for image in coco.loadImgs(coco.getImgIds()):
        assert (folder / "coco" / "images" / image["file_name"]).is_file()
        rows = coco.loadAnns(coco.getAnnIds(imgIds=image["id"]))
        found[image["file_name"][-12:-4]] = sorted((names[row["category_id"]], _corners(row["bbox"])) for row in rows)
    assert found == _truth(demo)
    states = [row["attributes"]["checked"] for row in coco.anns.values() if "checked" in row["attributes"]]
    assert True in states
    assert False in states


def _corners(box: list[float]) -> tuple[int, int, int, int]:
    x, y, width, height = map(int, box)
    return (x, y, x + width, y + height)


def test_supervision_reads_the_same_boxes_of_our_yolo(sample: tuple[Demo, Path]) -> None:
    supervision: Any = pytest.importorskip("supervision", reason="this loader is not installed")
    demo, folder = sample
    yolo = folder / "yolo"
    data = supervision.DetectionDataset.from_yolo(
        images_directory_path=str(yolo / "images" / "train"),
        annotations_directory_path=str(yolo / "labels" / "train"),
        data_yaml_path=str(yolo / "data.yaml"),
    )
    found: Truth = {}
    for path, _, detections in data:
        boxes = zip(detections.class_id.tolist(), detections.xyxy.round().astype(int).tolist(), strict=True)
        found[Path(path).stem[-8:]] = sorted((data.classes[number], tuple(box)) for number, box in boxes)
    assert found == {key: rows for key, rows in _truth(demo).items() if key in found}
    assert len(found) == len(demo.parsed)


def test_what_supervision_writes_of_ours_changes_nothing_here(sample: tuple[Demo, Path], tmp_path: Path) -> None:
    supervision: Any = pytest.importorskip("supervision", reason="this loader is not installed")
    demo, folder = sample
    coco = folder / "coco"
    data = supervision.DetectionDataset.from_coco(
        images_directory_path=str(coco / "images"),
        annotations_path=str(coco / "annotations" / "instances_default.json"),
    )
    data.as_coco(str(tmp_path / "coco" / "images"), str(tmp_path / "coco" / "annotations.json"))
    data.as_yolo(
        str(tmp_path / "yolo" / "images"), str(tmp_path / "yolo" / "labels"), str(tmp_path / "yolo" / "data.yaml")
    )
    for name in ("coco", "yolo"):
        _, report = merge_with_demo(read_annotations(tmp_path / name), demo)
        told = (report.format, report.added, report.changed, report.kept, report.only_here, report.unknown)
        assert told == (name, 0, 0, 0, 0, {})
        assert report.same == sum(map(len, _truth(demo).values()))
