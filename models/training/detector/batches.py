"""The batches of a training, by number of the step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from demopack.domain.frames import RgbImage
from models.training.detector.options import DetectorTraining
from models.training.detector.samples import Crop, Picture, Pictures, Pool

__all__ = ["Batch", "Batches"]

_SMALL = 0.6
"""Screens of at most this share of the smallest crop's area may fill what is left free in a crop."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Crops of one size.

    Attributes:
        images: shape (n, side, side, 3), uint8.
        boxes: shape (m, 4): centre, width, height as fractions of the side.
        classes: shape (m,).
        owners: shape (m,), the crop each box lies in.
    """

    images: RgbImage
    boxes: NDArray[np.float32]
    classes: NDArray[np.intp]
    owners: NDArray[np.intp]


class Batches:
    """Indexed by step, without end; equal screens, options and step give equal batches, in any process."""

    def __init__(self, pictures: list[Picture], options: DetectorTraining) -> None:
        self._sides = sorted(options.crops)
        shares = np.array([options.crops[side] for side in self._sides])
        self._ladder = shares.cumsum() / max(shares.sum(), 1e-9)
        self._pool = Pool(pictures, weights=options.weights, small=round(self._sides[0] ** 2 * _SMALL))
        self._options = options
        self._read = Pictures(megabytes=options.cache_mb)

    def __len__(self) -> int:
        return 2**31

    def __getitem__(self, step: int) -> Batch:
        options = self._options
        random = np.random.default_rng((options.seed, step))
        side = self._sides[min(int(np.searchsorted(self._ladder, random.random())), len(self._sides) - 1)]
        count = max(1, round(options.batch * (self._sides[0] / side) ** 2))
        return _joined([self._crop(step, slot, side) for slot in range(count)])

    def _crop(self, step: int, slot: int, side: int) -> Crop:
        seed = self._options.seed
        # Two neighbours look at one screen: decoding a picture costs as much as learning from a crop of it.
        first = self._pool.draw(np.random.default_rng((seed, step, slot // 2)))
        random = np.random.default_rng((seed, step, slot, 1))
        if slot % 2 and first.size[0] * first.size[1] <= 2 * side * side:
            first = self._pool.draw(random)
        return self._pool.crop(first, side, random, read=self._read, vary=self._options.augment)


def _joined(crops: list[Crop]) -> Batch:
    images: Any = np.stack([crop.image for crop in crops])
    side = images.shape[1]
    edges = np.concatenate([crop.boxes for crop in crops]) / np.float32(side)
    centres, sides = (edges[:, :2] + edges[:, 2:]) / 2, edges[:, 2:] - edges[:, :2]
    owners = np.repeat(np.arange(len(crops)), [len(crop.boxes) for crop in crops])
    classes = np.concatenate([crop.classes for crop in crops])
    return Batch(images, np.concatenate([centres, sides], axis=1).astype(np.float32), classes, owners)
