"""What we write for other programs, read by their own loaders."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from lab.formats.coco import write_coco
from lab.formats.pix2struct import write_pix2struct
from lab.formats.ultralytics_writer import write_ultralytics
from models.vision.detector import CLASSES
from tests.support.truths import put_screen, screen, truth

LABELS = (truth("button", (3, 5, 40, 21), text="OK"), truth("icon", (50, 5, 66, 21), subtype="search"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put_screen(tmp_path / "set", screen(*LABELS, name="a", side="train"))
    put_screen(tmp_path / "set", screen(name="empty", side="train"))
    put_screen(tmp_path / "set", screen(LABELS[1], name="v", side="val", seed=2, width=333, height=127))
    return tmp_path / "set"


def test_ultralytics_loads_every_picture_with_its_boxes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ultralytics.data.dataset import YOLODataset
    from ultralytics.data.utils import check_det_dataset

    write_ultralytics([folder], tmp_path / "data")
    # From anywhere: a pack that only loads beside itself cannot be moved.
    monkeypatch.chdir(tmp_path)
    data = check_det_dataset(str(tmp_path / "data" / "data.yaml"), autodownload=False)
    assert list(data["names"].values()) == list(CLASSES)
    loaded = {}
    for side in ("train", "val"):
        dataset = YOLODataset(img_path=data[side], data=data, task="detect", augment=False, imgsz=128)
        loaded.update({Path(row["im_file"]).stem: row for row in dataset.labels})
    assert sorted(loaded) == ["web@page@a", "web@page@empty", "web@page@v"]
    assert len(loaded["web@page@empty"]["bboxes"]) == 0
    for name, size, elements in (("a", (100, 80), LABELS), ("v", (333, 127), LABELS[1:])):
        row = loaded[f"web@page@{name}"]
        centre, sides = row["bboxes"][:, :2] * size, row["bboxes"][:, 2:] * size
        found = np.concatenate([centre - sides / 2, centre + sides / 2], axis=1)
        true = [[e.box.x1, e.box.y1, e.box.x2, e.box.y2] for e in elements]
        assert sorted(found.tolist()) == [pytest.approx(box, abs=0.5) for box in sorted(true)]
        assert sorted(CLASSES[int(number)] for (number,) in row["cls"]) == sorted(e.type for e in elements)


def test_coco_tools_find_the_truth_perfect(folder: Path, tmp_path: Path) -> None:
    from faster_coco_eval import COCO, COCOeval_faster

    write_coco([folder], tmp_path / "coco")
    path = tmp_path / "coco" / "annotations" / "instances_train.json"
    truths = COCO(str(path))
    rows = json.loads(path.read_text(encoding="utf-8"))["annotations"]
    names = {row["id"]: row["name"] for row in truths.loadCats(truths.getCatIds())}
    assert sorted(names[row["category_id"]] for row in rows) == ["button", "icon"]
    judge = COCOeval_faster(truths, truths.loadRes([{**row, "score": 1.0} for row in rows]), "bbox")
    judge.run()
    assert judge.stats[0] == pytest.approx(1.0)


def test_the_image_processor_of_pix2struct_takes_the_views_as_they_are(folder: Path, tmp_path: Path) -> None:
    from transformers import Pix2StructImageProcessor

    write_pix2struct([folder], tmp_path / "data", patches=24)
    processor = Pix2StructImageProcessor(is_vqa=False)
    rows = [json.loads(line) for line in (tmp_path / "data/train/metadata.jsonl").read_text("utf-8").splitlines()]
    with Image.open(tmp_path / "data" / "train" / rows[0]["file_name"]) as view:
        made = processor(view.convert("RGB"), max_patches=24, return_tensors="np")
        grid = (view.height // 16, view.width // 16)
    patches = made["flattened_patches"][0]
    assert patches.shape == (24, 770)
    # Every patch is one of ours: nothing was scaled or cut.
    assert (patches[:, 0].max(), patches[:, 1].max()) == grid
    assert made["attention_mask"].sum() == 24
