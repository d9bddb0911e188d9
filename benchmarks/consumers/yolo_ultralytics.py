# /// script
# requires-python = ">=3.11"
# dependencies = ["ultralytics-opencv-headless>=8.4", "torch>=2.6", "torchvision>=0.21"]
# ///
"""``yolo`` in Ultralytics: its reader's boxes are the pack's, none is called corrupt, and one epoch trains."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from told import Told


def main() -> None:
    """Boxes picture by picture, then an epoch from another folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        os.environ["YOLO_CONFIG_DIR"] = folder
        os.chdir(folder)
        from ultralytics import YOLO
        from ultralytics.data.dataset import YOLODataset
        from ultralytics.data.utils import check_det_dataset

        told = Told.of("Ultralytics", ("ultralytics-opencv-headless", "torch"))
        data = check_det_dataset(str(told.folder / "data.yaml"), autodownload=False)
        read = YOLODataset(img_path=data["train"], data=data, task="detect", augment=False, imgsz=128)
        compare(told, data["names"], read.labels)
        trained = YOLO("yolo11n.yaml").train(
            data=str(told.folder / "data.yaml"), epochs=1, imgsz=64, batch=8, device="cpu", workers=0, plots=False,
            val=False, project=folder, verbose=False,
        )  # fmt: skip
        told.true("an epoch left weights", holds=bool(list(Path(folder).rglob("last.pt"))) or trained is not None)
    told.finish()


def compare(told: Told, names: dict[int, str], labels: list[dict[str, Any]]) -> None:
    """Pictures and boxes as Ultralytics has them."""
    frames = {frame["file"].replace("/", "--"): frame for frame in told.frames if frame["parsed"]}
    told.count(len(labels), len(frames), of=len(told.frames))
    for row in labels:
        what = Path(row["im_file"]).name
        frame = frames[what]
        height, width = row["shape"]
        found = sorted(
            (names[int(kind)], round((x - w / 2) * width, 2), round((y - h / 2) * height, 2),
             round((x + w / 2) * width, 2), round((y + h / 2) * height, 2))
            for (kind,), (x, y, w, h) in zip(row["cls"].tolist(), row["bboxes"].tolist(), strict=True)
        )  # fmt: skip
        known = unequal(frame["boxes"])
        told.same(f"{what}: its size", [width, height], frame["size"])
        told.same(f"{what}: boxes", len(found), len(known))
        for (kind, *edges), (known_kind, *known_edges) in zip(found, known, strict=False):
            told.same(f"{what}: type", kind, known_kind)
            told.place(f"{what}: box", edges, known_edges, within=0.01)


def unequal(boxes: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Type and edges, sorted, without those that say the same again: Ultralytics keeps one of each."""
    return sorted({(one["type"], *one["box"]) for one in boxes})


if __name__ == "__main__":
    main()
