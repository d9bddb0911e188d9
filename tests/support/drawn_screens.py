"""Small screens with truth, drawn with rectangles and words: enough to learn from in seconds, without any program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from demopack.domain.geometry import Rect
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet, SourceName, Split


def draw_set(folder: Path, *, train: int, val: int, size: tuple[int, int] = (160, 120)) -> Path:
    """A set with so many screens of each side; equal arguments, equal sets."""
    home = LabelledScreenSet(folder)
    for number in range(train + val):
        side: Split = "train" if number < train else "val"
        source: SourceName = "miniwob" if number % 2 else "qt"
        image, elements = draw_screen(number, size)
        screen = LabelledScreen(
            name=f"s{number}", source=source, group=f"g{number % 3}", side=side, seed=number,
            width=size[0], height=size[1], elements=tuple(elements),
        )  # fmt: skip
        home.put(screen, image)
    return folder


def draw_screen(
    seed: int, size: tuple[int, int]
) -> tuple[np.ndarray[tuple[int, int, int], np.dtype[np.uint8]], list[GroundTruth]]:
    """One picture and its truth: blue buttons, outlined check boxes, no two touching."""
    random = np.random.default_rng(seed)
    picture = Image.new("RGB", size, (235, 235, 235))
    pen = ImageDraw.Draw(picture)
    elements: list[GroundTruth] = []
    for _ in range(8):
        ticks = random.random() < 0.4
        width, height = (13, 13) if ticks else (int(random.integers(30, 60)), int(random.integers(14, 24)))
        x, y = int(random.integers(0, size[0] - width)), int(random.integers(0, size[1] - height))
        box = Rect(x, y, x + width, y + height)
        if any(Rect(x - 3, y - 3, box.x2 + 3, box.y2 + 3).intersection(other.box) for other in elements if x > 3 < y):
            continue
        if any(box.intersection(other.box) for other in elements):
            continue
        fill = (255, 255, 255) if ticks else (50, 90, 200)
        pen.rectangle((x, y, box.x2 - 1, box.y2 - 1), fill=fill, outline=(20, 20, 20))
        elements.append(GroundTruth(type="checkbox" if ticks else "button", box=box))
    return np.asarray(picture, dtype=np.uint8), elements
