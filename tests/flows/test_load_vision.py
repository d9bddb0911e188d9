"""Exports of pictures with boxes, read by the programs that train on them."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from demopack.domain.elements import ELEMENT_TYPES
from tests.support.exports import export, lines, make_pack


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(autouse=True)
def _no_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars start a thread that stays."""
    tqdm = pytest.importorskip("tqdm", reason="part of the loaders")
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)


def _truth(pack: Path) -> dict[str, list[tuple[str, list[int]]]]:
    """Picture -> type and box of every element, straight from the pack's table."""
    found: dict[str, list[tuple[str, list[int]]]] = {}
    for row in lines(pack / "elements.jsonl"):
        if row["element_id"] is not None:
            name = row["image"].removeprefix("frames/").replace("/", "--")
            found.setdefault(name, []).append((row["type"], row["box"]))
    return {name: sorted(rows) for name, rows in found.items()}


def _parsed(pack: Path) -> int:
    return sum(frame["parsed"] for demo in lines(pack / "demos.jsonl") for frame in demo["frames"])


@pytest.mark.parametrize("library", ["pycocotools", "faster_coco_eval"])
def test_truth_judged_by_itself_is_perfect(library: str, pack: Path, tmp_path: Path) -> None:
    judges = pytest.importorskip(library, reason="this judge is not installed")
    log = export(pack, "coco", tmp_path / "out")
    path = str(tmp_path / "out" / "annotations" / "instances.json")
    with contextlib.redirect_stdout(io.StringIO()):
        if library == "pycocotools":
            coco = pytest.importorskip("pycocotools.coco", reason="this judge is not installed").COCO
            judge_of = pytest.importorskip("pycocotools.cocoeval", reason="this judge is not installed").COCOeval
        else:
            coco, judge_of = judges.COCO, judges.COCOeval_faster
        truth = coco(path)
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["annotations"]
        judge = judge_of(truth, truth.loadRes([{**row, "score": 1.0} for row in rows]), "bbox")
        # A picture of this demo may show more elements than the usual hundred.
        judge.params.maxDets = [1, 10, 1000]
        judge.evaluate()
        judge.accumulate()
        precision = judge.eval["precision"][:, :, :, 0, -1]
    assert precision[precision > -1].min() == pytest.approx(1.0)
    assert len(truth.getImgIds()) == _parsed(pack) == log.rows_out
    assert len(rows) == sum(len(found) for found in _truth(pack).values())


def test_supervision_sees_the_same_boxes(pack: Path, tmp_path: Path) -> None:
    supervision = pytest.importorskip("supervision", reason="supervision is not installed")
    export(pack, "coco", tmp_path / "coco")
    export(pack, "yolo", tmp_path / "yolo")
    coco = supervision.DetectionDataset.from_coco(
        images_directory_path=str(tmp_path / "coco" / "images"),
        annotations_path=str(tmp_path / "coco" / "annotations" / "instances.json"),
    )
    yolo = supervision.DetectionDataset.from_yolo(
        images_directory_path=str(tmp_path / "yolo" / "images" / "train"),
        annotations_directory_path=str(tmp_path / "yolo" / "labels" / "train"),
        data_yaml_path=str(tmp_path / "yolo" / "data.yaml"),
    )
    for loaded in (coco, yolo):
        found = {
            Path(path).name: sorted(
                (loaded.classes[int(kind)], [round(float(v)) for v in box])
                for box, kind in zip(marked.xyxy, marked.class_id, strict=True)
            )
            for path, marked in loaded.annotations.items()
            if len(marked)
        }
        assert found == _truth(pack)


@pytest.fixture
def their_threads() -> Iterator[None]:
    """Ultralytics tells its threads to end, and does not wait until they have."""
    before = set(threading.enumerate())
    yield
    for thread in set(threading.enumerate()) - before:
        thread.join(timeout=60)


def test_ultralytics_loads_every_picture_with_every_box(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, their_threads: None
) -> None:
    loading = pytest.importorskip("ultralytics.data.dataset", reason="ultralytics is not installed")
    checking = pytest.importorskip("ultralytics.data.utils", reason="ultralytics is not installed")
    log = export(pack, "yolo", tmp_path / "out")
    monkeypatch.chdir(tmp_path)
    data = checking.check_det_dataset(str(tmp_path / "out" / "data.yaml"), autodownload=False)
    assert tuple(data["names"].values()) == ELEMENT_TYPES
    dataset = loading.YOLODataset(img_path=data["train"], data=data, task="detect", augment=False, imgsz=128)
    assert len(dataset.labels) == log.rows_out == _parsed(pack)
    truth = _truth(pack)
    for row in dataset.labels:
        height, width = row["shape"]
        boxes = row["bboxes"] * np.array([width, height, width, height])
        corners = np.concatenate([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], axis=1)
        found = sorted(
            (ELEMENT_TYPES[int(kind)], [round(float(v)) for v in box])
            for (kind,), box in zip(row["cls"], corners, strict=True)
        )
        assert found == truth.get(Path(row["im_file"]).name, [])


def test_ultralytics_asks_for_a_side_that_is_left_out(pack: Path, tmp_path: Path, their_threads: None) -> None:
    """Rather that than train on one side and tune on the test set."""
    checking = pytest.importorskip("ultralytics.data.utils", reason="ultralytics is not installed")
    (tmp_path / "SPLITS.json").write_text(json.dumps({"sides": {"train": [], "test": []}}))
    shutil.copytree(pack, tmp_path / "train")
    export(tmp_path / "train", "yolo", tmp_path / "out")
    with pytest.raises(SyntaxError, match="'val:' key missing"):
        checking.check_det_dataset(str(tmp_path / "out" / "data.yaml"), autodownload=False)


def test_pix2struct_learns_from_a_row(pack: Path, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from PIL import Image

    export(pack, "pix2struct", tmp_path / "out")
    row = lines(tmp_path / "out" / "train" / "metadata.jsonl")[0]
    processor = transformers.Pix2StructImageProcessor(is_vqa=False)
    with Image.open(tmp_path / "out" / "train" / row["file_name"]) as picture:
        given = processor(picture.convert("RGB"), max_patches=48, return_tensors="pt")
    assert given["flattened_patches"].shape == (1, 48, 770)
    torch.manual_seed(0)
    small = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "d_ff": 32, "d_kv": 16}
    text = {**small, "num_layers": 1, "num_heads": 2, "vocab_size": 300, "decoder_start_token_id": 0}
    config = transformers.Pix2StructConfig(text_config=text, vision_config={**small, "patch_embed_hidden_size": 768})
    model = transformers.Pix2StructForConditionalGeneration(config)
    labels = torch.tensor([[byte + 3 for byte in row["text"].encode()]])
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(3):
        loss = model(**given, labels=labels).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
