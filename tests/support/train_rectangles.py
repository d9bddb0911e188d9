"""Trains the tiny detector in ``tests/data/rectangles.pt``: dark rectangles and light ones on a grey screen.

Run it from the checkout: ``python -m tests.support.train_rectangles``. Takes a few minutes on two cores. The class
names are ``button``, which is an element type, and ``blob``, which is none.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size, iou, to_yolo

SIZE = Size(160, 160)
NAMES = ("button", "blob")
_WEIGHTS = Path(__file__).resolve().parents[1] / "data" / "rectangles.pt"
_MODEL = """
nc: 2
depth_multiple: 1.0
width_multiple: 1.0
backbone:
  - [-1, 1, Conv, [8, 3, 2]]
  - [-1, 1, Conv, [16, 3, 2]]
  - [-1, 1, C2f, [16, True]]
  - [-1, 1, Conv, [24, 3, 2]]
  - [-1, 1, C2f, [24, True]]
  - [-1, 1, Conv, [32, 3, 2]]
  - [-1, 1, SPPF, [32, 5]]
head:
  - [-1, 1, nn.Upsample, [None, 2, nearest]]
  - [[-1, 4], 1, Concat, [1]]
  - [-1, 1, C2f, [24]]
  - [[9, 6], 1, Detect, [nc]]
"""


def scene(seed: int) -> tuple[RgbImage, list[tuple[str, Rect]]]:
    """A picture of 160 x 160 pixels and its truth: class name and box."""
    random = np.random.default_rng(seed)
    image = np.full((SIZE.height, SIZE.width, 3), int(random.integers(110, 150)), dtype=np.uint8)
    truth: list[tuple[str, Rect]] = []
    for _ in range(int(random.integers(2, 6))):
        width, height = int(random.integers(20, 60)), int(random.integers(14, 30))
        x, y = int(random.integers(2, SIZE.width - width - 2)), int(random.integers(2, SIZE.height - height - 2))
        box = Rect(x, y, x + width, y + height)
        roomy = Rect(max(0, x - 4), max(0, y - 4), x + width + 4, y + height + 4)
        if any(iou(roomy, other) > 0 for _, other in truth):
            continue
        kind = int(random.integers(0, 2))
        shade = int(random.integers(10, 60)) if kind == 0 else int(random.integers(200, 250))
        image[y : y + height, x : x + width] = shade
        truth.append((NAMES[kind], box))
    return image, truth


def _write_set(folder: Path, name: str, seeds: range) -> None:
    from PIL import Image

    for part in ("images", "labels"):
        (folder / part / name).mkdir(parents=True)
    for seed in seeds:
        image, truth = scene(seed)
        Image.fromarray(image).save(folder / "images" / name / f"{seed}.png")
        rows = [f"{NAMES.index(kind)} " + " ".join(f"{v:.6f}" for v in to_yolo(box, SIZE)) for kind, box in truth]
        (folder / "labels" / name / f"{seed}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


def _strip(best: Path, weights: Path) -> None:
    """Keep the model alone: a checkpoint also tells where and when it was made."""
    import torch

    checkpoint = torch.load(best, map_location="cpu", weights_only=False)
    model = checkpoint["model"]
    model.args = {"task": "detect", "imgsz": SIZE.width}
    model.yaml.pop("yaml_file", None)
    kept = {"model": model, "ema": None, "epoch": -1, "train_args": model.args}
    weights.parent.mkdir(parents=True, exist_ok=True)
    torch.save(kept, weights)


def main() -> None:
    """Train, strip the optimiser, write the weights."""
    os.environ["YOLO_OFFLINE"], os.environ["YOLO_AUTOINSTALL"] = "true", "False"
    import torch
    from ultralytics import YOLO

    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_set(folder, "train", range(1000, 1600))
        _write_set(folder, "val", range(2000, 2040))
        data: dict[str, Any] = {"path": str(folder), "train": "images/train", "val": "images/val"}
        lines = [f"{key}: {value}" for key, value in data.items()]
        lines += ["names:", *(f"  {i}: {n}" for i, n in enumerate(NAMES))]
        (folder / "data.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "rectangles.yaml").write_text(_MODEL, encoding="utf-8")
        model = YOLO(str(folder / "rectangles.yaml"), task="detect")
        epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 16
        model.train(
            data=str(folder / "data.yaml"), epochs=epochs, imgsz=160, batch=32, device="cpu", workers=0, seed=0,
            project=str(folder), name="run", plots=False, verbose=False, lr0=0.01, mosaic=0.0, hsv_v=0.1, fliplr=0.5,
            close_mosaic=0, amp=False, warmup_epochs=1, cache="ram",
        )  # fmt: skip
        _strip(folder / "run" / "weights" / "best.pt", _WEIGHTS)


if __name__ == "__main__":
    main()
