"""Variations that screens really show: other colours, compression, noise, a little scale. No flips, no rotations."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageFilter

from demopack.domain.frames import RgbImage

__all__ = ["recolour", "roughen", "scale_of"]


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
        data = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(image)).save(data, "JPEG", quality=int(random.integers(35, 95)))
        with Image.open(data) as opened:
            return np.asarray(opened.convert("RGB"), dtype=np.uint8)
    if kind < 0.25:
        noise = random.normal(0, random.uniform(1, 8), image.shape)
        return (image + noise).clip(0, 255).astype(np.uint8)
    if kind < 0.32:
        soft = Image.fromarray(np.ascontiguousarray(image)).filter(ImageFilter.GaussianBlur(random.uniform(0.3, 0.8)))
        return np.asarray(soft, dtype=np.uint8)
    return image
