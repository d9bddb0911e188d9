"""A dozen icons drawn with a pen, as nobody's set has them, and screens with truth that show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet, Split

Colour = tuple[int, int, int]
_Pen = Callable[[Sequence[tuple[float, float]]], None]

_LINES: Final[Mapping[str, Sequence[Sequence[tuple[float, float]]]]] = {
    "close": [[(0.1, 0.1), (0.9, 0.9)], [(0.9, 0.1), (0.1, 0.9)]],
    "add": [[(0.5, 0.05), (0.5, 0.95)], [(0.05, 0.5), (0.95, 0.5)]],
    "menu": [[(0.05, 0.2), (0.95, 0.2)], [(0.05, 0.5), (0.95, 0.5)], [(0.05, 0.8), (0.95, 0.8)]],
    "down": [[(0.1, 0.3), (0.5, 0.7), (0.9, 0.3)]],
    "up": [[(0.1, 0.7), (0.5, 0.3), (0.9, 0.7)]],
    "left": [[(0.7, 0.1), (0.3, 0.5), (0.7, 0.9)]],
    "right": [[(0.3, 0.1), (0.7, 0.5), (0.3, 0.9)]],
    "back": [[(0.95, 0.5), (0.05, 0.5)], [(0.45, 0.1), (0.05, 0.5), (0.45, 0.9)]],
    "forward": [[(0.05, 0.5), (0.95, 0.5)], [(0.55, 0.1), (0.95, 0.5), (0.55, 0.9)]],
    "mail": [
        [(0.05, 0.2), (0.95, 0.2), (0.95, 0.8), (0.05, 0.8), (0.05, 0.2), (0.5, 0.55), (0.95, 0.2)],
    ],
    "home": [[(0.02, 0.5), (0.5, 0.05), (0.98, 0.5)], [(0.15, 0.4), (0.15, 0.95), (0.85, 0.95), (0.85, 0.4)]],
    "chart": [[(0.2, 0.95), (0.2, 0.5)], [(0.5, 0.95), (0.5, 0.1)], [(0.8, 0.95), (0.8, 0.35)]],
    "search": [[(0.65, 0.65), (0.95, 0.95)]],
    "file": [[(0.2, 0.05), (0.6, 0.05), (0.85, 0.3), (0.85, 0.95), (0.2, 0.95), (0.2, 0.05)]],
    "folder": [[(0.05, 0.9), (0.05, 0.15), (0.4, 0.15), (0.5, 0.3), (0.95, 0.3), (0.95, 0.9), (0.05, 0.9)]],
}
ICONS: Final = tuple(_LINES)


def draw_icon(
    image: Image.Image, meaning: str, *, at: tuple[int, int], size: int, colour: Colour, width: int = 2
) -> Rect:
    """Draw one; returns its box: the ink with two pixels of air."""
    pen = ImageDraw.Draw(image)
    for line in _LINES[meaning]:
        pen.line([(at[0] + x * size, at[1] + y * size) for x, y in line], fill=colour, width=width, joint="curve")
    if meaning == "search":
        corners = (at[0] + 0.05 * size, at[1] + 0.05 * size, at[0] + 0.7 * size, at[1] + 0.7 * size)
        pen.ellipse(corners, outline=colour, width=width)
    within = image.crop((at[0] - 2, at[1] - 2, at[0] + size + 4, at[1] + size + 4))
    pixels = np.asarray(within).astype(int)
    ink = (np.abs(pixels - np.array(colour)).sum(axis=2) < 60).nonzero()
    x, y = at[0] - 2, at[1] - 2
    return Rect(
        x + int(ink[1].min()) - 2, y + int(ink[0].min()) - 2, x + int(ink[1].max()) + 3, y + int(ink[0].max()) + 3
    )


def draw_icon_set(folder: Path, *, train: int, val: int, meanings: Sequence[str]) -> Path:
    """A set of screens full of icons; equal arguments, equal sets."""
    home = LabelledScreenSet(folder)
    for number in range(train + val):
        image, elements = _screen(number, meanings)
        side: Split = "train" if number < train else "val"
        home.put(
            LabelledScreen(
                name=f"i{number}", source="qt", group=f"g{number % 2}", side=side, seed=number,
                width=image.shape[1], height=image.shape[0], elements=tuple(elements),
            ),
            image,
        )  # fmt: skip
    return folder


def _screen(seed: int, meanings: Sequence[str]) -> tuple[RgbImage, list[GroundTruth]]:
    rng = np.random.default_rng(seed)
    picture = Image.new("RGB", (240, 160), (240, 240, 240))
    elements: list[GroundTruth] = []
    for row in range(3):
        for column in range(5):
            meaning = meanings[int(rng.integers(len(meanings)))]
            at = (10 + 46 * column + int(rng.integers(0, 6)), 10 + 50 * row + int(rng.integers(0, 6)))
            box = draw_icon(picture, meaning, at=at, size=int(rng.integers(14, 28)), colour=(30, 30, 30))
            elements.append(GroundTruth(type="icon", box=box, subtype=meaning))
    return np.asarray(picture, dtype=np.uint8), elements
