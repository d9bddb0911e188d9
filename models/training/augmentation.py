"""Variations of pictures that do not change what they show, as screens vary: colours, sharpness, noise, compression.

The detector's are of crops of screens, the describer's of views of one element, whose outline varies, too. No flips or
rotations.
"""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

from demopack.domain.frames import RgbImage
from models.vision.patches import DARKNESS, PATCH, Bytes, PatchGeometry, highlight

_SHUFFLED, _COLOURED, _INVERTED = 0.2, 0.6, 0.08
_DARKNESS_RANGE = 10
_PLAIN_SHARE = 0.5
"""Share of views that get neither blur nor noise."""


def augmented(cuts: PatchGeometry, rng: np.random.Generator) -> Bytes:
    """Masked views with everything varied, shape (n, patches * 768), uint8."""
    pixels = _recoloured(cuts.pixels, rng)
    for i in range(len(pixels)):
        if rng.random() >= _PLAIN_SHARE:
            columns, rows = cuts.grids[i]
            view = pixels[i].reshape(rows * PATCH, columns * PATCH, 3)
            pixels[i] = _disturbed(view, rng).reshape(-1)
    darkness = DARKNESS + rng.integers(-_DARKNESS_RANGE, _DARKNESS_RANGE + 1, len(pixels))
    shift = rng.integers(-1, 2, cuts.boxes.shape).astype(np.int32)
    # A thin element would vanish if both its edges moved inwards.
    small = (cuts.boxes[:, 2:] - cuts.boxes[:, :2]).min(axis=1) < 8
    shift[small] = 0
    return highlight(PatchGeometry(pixels, cuts.grids, cuts.boxes + shift), darkness=darkness)


def _recoloured(pixels: Bytes, rng: np.random.Generator) -> Bytes:
    """Channels exchanged, colours inverted, brightness and contrast changed: one table of bytes for each channel."""
    n = len(pixels)
    levels = np.arange(256, dtype=np.float32)
    coloured = rng.random(n) < _COLOURED
    gain = np.where(coloured[:, None], rng.uniform(0.7, 1.15, (n, 1)) * rng.uniform(0.92, 1.08, (n, 3)), 1.0)
    offset = np.where(coloured[:, None], rng.uniform(-15, 15, (n, 1)) + rng.uniform(-5, 5, (n, 3)), 0.0)
    tables = np.clip((levels - 128) * gain[..., None] + 128 + offset[..., None], 0, 255).astype(np.uint8)
    inverted = rng.random(n) < _INVERTED
    tables[inverted] = 255 - tables[inverted]
    shuffled = rng.random(n) < _SHUFFLED
    out = np.empty_like(pixels)
    for i in range(n):
        order = rng.permutation(3) if shuffled[i] else np.arange(3)
        view, target = pixels[i].reshape(-1, 3), out[i].reshape(-1, 3)
        for channel in range(3):
            target[:, channel] = tables[i, channel][view[:, order[channel]]]
    return out


def _smoothed(view: Bytes, sigma: float) -> npt.NDArray[np.float32]:
    tail = float(np.exp(-0.5 / sigma**2))
    middle, side = np.float32(1 / (1 + 2 * tail)), np.float32(tail / (1 + 2 * tail))
    padded = np.pad(view.astype(np.float32), ((1, 1), (1, 1), (0, 0)), mode="edge")
    across = middle * padded[:, 1:-1] + side * (padded[:, :-2] + padded[:, 2:])
    smooth = middle * across[1:-1] + side * (across[:-2] + across[2:])
    return smooth.astype(np.float32, copy=False)


def _disturbed(view: Bytes, rng: np.random.Generator) -> Bytes:
    """A view blurred, sharpened, salted, grained or compressed."""
    match int(rng.integers(5)):
        case 0:
            return _bytes(_smoothed(view, rng.uniform(0.3, 0.7)))
        case 1:
            return _bytes(view + rng.uniform(0.3, 1.0) * (view - _smoothed(view, 0.8)))
        case 2:
            salted, pixels = view.copy(), view.shape[0] * view.shape[1]
            some = rng.integers(0, pixels, int(pixels * rng.uniform(0, 0.02)))
            salted.reshape(-1, 3)[some] = rng.choice(np.array([0, 255], dtype=np.uint8), (len(some), 1))
            return salted
        case 3:
            grain = rng.standard_normal(view.shape, dtype=np.float32)
            return _bytes(view + grain * np.float32(rng.uniform(1, 6)))
        case _:
            return _jpeg(view, int(rng.integers(50, 96)))


def _bytes(values: npt.NDArray[np.floating]) -> Bytes:
    rounded: Bytes = np.clip(np.rint(values), 0, 255).astype(np.uint8)
    return rounded


def scale_of(random: np.random.Generator) -> float:
    """The factor by which a crop is enlarged: 1 mostly, else 0.8 to 1.25."""
    if random.random() < 0.65:
        return 1.0
    return float(np.power(1.25, random.uniform(-1, 1)))


def recolour(image: RgbImage, random: np.random.Generator) -> RgbImage:
    """Other brightness, contrast and tint on three of four; now and then swapped channels, grey, or inverted."""
    if random.random() < 0.25:
        return image
    values = np.arange(256, dtype=np.float32) / 255
    # Squeezed, never cut off: light grey on white must stay apart.
    low, high = random.uniform(0, 0.2), random.uniform(0.75, 1)
    gamma = np.exp(random.uniform(-0.35, 0.35))
    curves = np.stack([low + (high * random.uniform(0.9, 1) - low) * values**gamma for _ in range(3)])
    if random.random() < 0.12:
        curves = 1 - curves
    table = (curves * 255).clip(0, 255).astype(np.uint8)
    kind = random.random()
    if kind < 0.15:
        image = image[:, :, random.permutation(3)]
    elif kind < 0.2:
        gray = image.mean(axis=2, keepdims=True).astype(np.uint8)
        image = np.repeat(gray, 3, axis=2)
    return np.stack([table[channel][image[:, :, channel]] for channel in range(3)], axis=2)


def roughen(image: RgbImage, random: np.random.Generator) -> RgbImage:
    """Traces of compression, noise or a soft lens, on about a third of the crops."""
    kind = random.random()
    if kind < 0.15:
        return _jpeg(image, int(random.integers(35, 95)))
    if kind < 0.25:
        noise = random.normal(0, random.uniform(1, 8), image.shape)
        return (image + noise).clip(0, 255).astype(np.uint8)
    if kind < 0.32:
        soft = Image.fromarray(np.ascontiguousarray(image)).filter(ImageFilter.GaussianBlur(random.uniform(0.3, 0.8)))
        return np.asarray(soft, dtype=np.uint8)
    return image


def _jpeg(image: RgbImage, quality: int) -> RgbImage:
    data = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image)).save(data, "JPEG", quality=quality)
    with Image.open(data) as opened:
        return np.asarray(opened, dtype=np.uint8)
