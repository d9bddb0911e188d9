"""What the scripts that drive other annotation programs share: a picture full of boxes, its file, and a clock of CPU.

They run with the Python that has the program, so nothing of ours is imported here, and only the standard library and
Pillow are.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

WIDTH, HEIGHT = 1920, 1080
WINDOW = (1600, 1000)


def put_files(folder: Path, boxes: int, *, corners: int = 2, name: str = "") -> Path:
    """A picture and labelme's own file about it.

    Args:
        folder: where to.
        boxes: how many.
        corners: points of a rectangle: labelme has two, X-AnyLabeling four.
        name: of the files; their number of boxes when empty.
    """
    from PIL import Image, ImageDraw

    dice, image, stem = Random(1), Image.new("RGB", (WIDTH, HEIGHT), (245, 245, 245)), name or str(boxes)
    pen, shapes = ImageDraw.Draw(image), list[dict[str, Any]]()
    for number in range(boxes):
        x, y = dice.randrange(WIDTH - 180), dice.randrange(HEIGHT - 60)
        right, bottom = x + dice.randrange(16, 160), y + dice.randrange(12, 40)
        pen.rectangle([(x, y), (right, bottom)], fill=(dice.randrange(120, 255), 180, 200))
        ends = [[x, y], [right, bottom]] if corners == 2 else [[x, y], [right, y], [right, bottom], [x, bottom]]
        shape: dict[str, Any] = {"label": f"kind{number % 8}", "points": ends, "shape_type": "rectangle", "flags": {}}
        shapes.append({**shape, "group_id": None, "description": ""})
    image.save(folder / f"{stem}.png")
    told: dict[str, Any] = {
        "version": "5.0.0",
        "flags": {},
        "shapes": shapes,
        "imagePath": f"{stem}.png",
        "imageData": None,
    }
    file = folder / f"{stem}.json"
    file.write_text(json.dumps({**told, "imageHeight": HEIGHT, "imageWidth": WIDTH}))
    return file


def repeats_of(boxes: int) -> int:
    """How often something is measured; slow things less often."""
    return 15 if boxes < 5000 else 6


def cpu_ms(work: Callable[[], object], repeats: int) -> float:
    """The median."""
    times: list[float] = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


def body_of(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The middle of a box, away from its corners."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
