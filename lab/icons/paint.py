"""Shows drawings as programs do: in any size and colour, greyed, on any ground, in buttons, beside other things."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

from demopack.domain.geometry import Rect
from lab.icons.drawings import Rasters
from lab.icons.pool import WIDER
from models.vision.icons import Bytes, cut_icons

_SIZES: Final = (12, 14, 15, 16, 16, 16, 17, 18, 18, 20, 20, 22, 22, 24, 24, 24, 26, 28, 32, 32, 36, 40, 48, 56, 64)
_AIR = 2
_LEAST_CONTRAST = 60.0
"""Between drawing and ground, 0..255, of what is not greyed."""


def paint_all(rasters: Rasters, *, looks: int, seed: int) -> Bytes:
    """Every drawing in several looks: those of the first, those of the second, and so on.

    Returns:
        Shape (n, 60, 60, 3), uint8.
    """
    rng = np.random.default_rng(seed)
    squares = [paint(rasters, number, rng) for number in range(len(rasters.meanings)) for _ in range(looks)]
    return np.stack(squares)


def paint(rasters: Rasters, number: int, rng: np.random.Generator) -> Bytes:
    """One look of a drawing, shape (60, 60, 3), uint8."""
    size = int(rng.choice(_SIZES))
    ground = _ground(rng)
    side = 4 * size + 60
    scene = Image.new("RGB", (side, side), tuple(int(value) for value in ground))
    left = (side - size) // 2 + int(rng.integers(-1, 2))
    top = (side - size) // 2 + int(rng.integers(-1, 2))
    frame = None
    if rng.random() < 0.3:
        frame, ground = _frame(scene, Rect(left, top, left + size, top + size), ground, rng)
    if rng.random() < 0.35:
        _neighbours(scene, rasters, Rect(left, top, left + size, top + size), ground, rng)
    picture = _picture(rasters, number, size, ground, rng)
    scene.paste(picture, (left, top), picture)
    if rng.random() < 0.12:
        scene = scene.filter(ImageFilter.GaussianBlur(float(rng.uniform(0.3, 0.9))))
    ink = picture.getchannel("A").point([255 if value > 40 else 0 for value in range(256)]).getbbox() or (
        0,
        0,
        size,
        size,
    )
    box = frame or Rect(left + ink[0] - _AIR, top + ink[1] - _AIR, left + ink[2] + _AIR, top + ink[3] + _AIR)
    squares = cut_icons(np.asarray(scene), [box], wider=WIDER)
    return squares.reshape(squares.shape[1:])


def _ground(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """A ground's colour: mostly light or dark and plain."""
    kind = rng.random()
    if kind < 0.5:
        return np.clip(rng.uniform(215, 256) + rng.normal(0, 4, 3), 0, 255)
    if kind < 0.8:
        return np.clip(rng.uniform(15, 75) + rng.normal(0, 8, 3), 0, 255)
    return rng.uniform(0, 256, 3)


def _ink(ground: npt.NDArray[np.float64], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """A colour that can be seen there: mostly black, white or grey."""
    for _ in range(20):
        colour = rng.uniform(0, 256, 3) if rng.random() < 0.45 else np.full(3, rng.choice([0, 30, 60, 90, 200, 255]))
        if np.abs(colour - ground).mean() > _LEAST_CONTRAST:
            return np.asarray(colour, dtype=np.float64)
    return np.full(3, 0.0 if ground.mean() > 127 else 255.0)


def _picture(
    rasters: Rasters, number: int, size: int, ground: npt.NDArray[np.float64], rng: np.random.Generator
) -> Image.Image:
    """The drawing at its size, coloured, perhaps greyed, slightly turned or stretched."""
    drawing = Image.fromarray(rasters.pixels[number], "RGBA")
    if rng.random() < 0.15:
        drawing = drawing.rotate(float(rng.normal(0, 4)), resample=Image.Resampling.BILINEAR)
    scaled = drawing.resize((size, size), Image.Resampling.BOX if size < 36 else Image.Resampling.LANCZOS)
    if not rasters.coloured[number]:
        alpha = scaled.getchannel("A")
        scaled = Image.new("RGBA", (size, size), tuple(int(value) for value in (*_ink(ground, rng), 255)))
        scaled.putalpha(alpha)
    if rng.random() < 0.2:
        strength = float(rng.uniform(0.25, 0.8))
        scaled.putalpha(scaled.getchannel("A").point([round(strength * value) for value in range(256)]))
    return scaled


def _frame(
    scene: Image.Image, icon: Rect, ground: npt.NDArray[np.float64], rng: np.random.Generator
) -> tuple[Rect, npt.NDArray[np.float64]]:
    """A button or a badge around an icon: its box, and the ground that the icon stands on then."""
    air = int(rng.integers(3, 4 + icon.width // 2))
    wide = air + (int(rng.integers(0, 7)) if rng.random() < 0.3 else 0)
    box = Rect(icon.x1 - wide, icon.y1 - air, icon.x2 + wide, icon.y2 + air)
    inside = _ground(rng) if rng.random() < 0.5 else np.clip(ground + rng.uniform(-25, 25), 0, 255)
    line = np.clip(inside + rng.choice([-1, 1]) * rng.uniform(20, 90), 0, 255)
    drawn = ImageDraw.Draw(scene)
    fill = tuple(int(value) for value in inside)
    outline = tuple(int(value) for value in line) if rng.random() < 0.7 else fill
    corners = (box.x1, box.y1, box.x2 - 1, box.y2 - 1)
    if rng.random() < 0.3 and wide == air:
        drawn.ellipse(corners, fill=fill, outline=outline)
    else:
        drawn.rounded_rectangle(corners, radius=float(rng.choice([0, 2, 4, 6, 10])), fill=fill, outline=outline)
    return box, inside


def _neighbours(
    scene: Image.Image, rasters: Rasters, icon: Rect, ground: npt.NDArray[np.float64], rng: np.random.Generator
) -> None:
    """Other icons, edges and lines around an icon, which the square around a narrow one takes in."""
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if rng.random() < 0.4:
            continue
        gap = icon.width + int(rng.integers(3, 14))
        if rng.random() < 0.6:
            other = _picture(rasters, int(rng.integers(len(rasters.meanings))), icon.width, ground, rng)
            scene.paste(other, (icon.x1 + dx * gap, icon.y1 + dy * gap), other)
        else:
            colour = tuple(int(value) for value in _ink(ground, rng))
            x, y = icon.center.x + dx * gap, icon.center.y + dy * gap
            along = icon.width * 2
            corners = (x - along * abs(dy), y - along * abs(dx), x + along * abs(dy), y + along * abs(dx))
            ImageDraw.Draw(scene).line(corners, fill=colour, width=int(rng.integers(1, 3)))
