"""Which icons each step learns from, and which ones tell how good the network is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.jobs import JobControl
from lab.icons.drawings import every_drawing, open_rasters
from lab.icons.options import IconTraining
from lab.icons.paint import paint_all
from lab.icons.pool import CLASSES, WIDER, Pool, has_pool, open_crops, open_pool, write_pool
from lab.icons.sets import SETS, VAL_SETS, has_set
from lab.screens.web.packages import Package
from models.registry import Lineage
from models.vision.icons import SIDE, Bytes

_SHARES: Final[Mapping[str, float]] = {"web": 0.4, "qt": 0.35, "apps": 0.2, "miniwob": 0.05, "library": 0.5}
_VAL_LOOKS = 2
_INNER = round((SIDE * WIDER - SIDE) / 2)


@dataclass(frozen=True, slots=True)
class Measured:
    """Icons that are never learned from.

    Attributes:
        squares: shape (n, 40, 40, 3), uint8, as the network sees them.
        meanings: shape (n,).
        kind: where they come from: a source of screens, or ``sets``.
    """

    squares: Bytes
    meanings: npt.NDArray[np.int64]
    kind: str


class Batches:
    """Draws icons for each step by chance: each source by its share, rare meanings more often than they come up."""

    def __init__(self, pools: Sequence[Pool], measured: Sequence[Measured], options: IconTraining) -> None:
        """Use these icons.

        Args:
            pools: the icons of screens, then drawings where there are some.
            measured: the icons that are only measured.
            options: of the training.
        """
        self.measured = tuple(measured)
        self.lineage: tuple[Lineage, ...] = pools[0].lineage
        self._pools = pools
        self._options = options
        self._sums = [np.cumsum(_weights(pool)) for pool in pools]

    def draw(self, step: int) -> tuple[Bytes, npt.NDArray[np.int64]]:
        """The icons of a step and what they mean; the same whenever it is asked."""
        rng = np.random.default_rng((self._options.seed, 1, step))
        drawn = round(self._options.batch * self._options.drawn) if len(self._pools) > 1 else 0
        squares: list[Bytes] = []
        meanings: list[npt.NDArray[np.int64]] = []
        for pool, sums, count in zip(self._pools, self._sums, (self._options.batch - drawn, drawn), strict=False):
            drawn_at = rng.random(count) * sums[-1]
            chosen = np.sort(np.asarray(np.searchsorted(sums, drawn_at, side="right"), dtype=np.int64))
            squares.append(np.asarray(pool.pixels[chosen]))
            meanings.append(pool.meanings[chosen])
        return np.concatenate(squares), np.concatenate(meanings)


def _weights(pool: Pool) -> npt.NDArray[np.float64]:
    """How likely each icon is drawn; never one that is for measuring."""
    weights = np.zeros(len(pool))
    learned = ~pool.validation
    shares = {pool.names.index(name): _SHARES[name] for name in pool.names if name in _SHARES}
    # Drawings have no shares: a set with more of them counts for more.
    parts = [(learned & (pool.kinds == kind), share) for kind, share in shares.items()] or [(learned, 1.0)]
    for own, share in parts:
        if own.any():
            often = np.bincount(pool.meanings[own], minlength=len(CLASSES))
            each = 1 / np.sqrt(often[pool.meanings[own]])
            weights[own] = share * each / each.sum()
    return weights


def open_batches(sets: Sequence[Path], folder: Path, options: IconTraining, control: JobControl) -> Batches:
    """Everything that a training needs: cut out, fetched and drawn where it is not there yet.

    Raises:
        BadInputError: there is nothing to learn from, or a set cannot be fetched.
        CancelledError: stopped by the user; the next call goes on.
        DiskFullError: something could not be kept.
    """
    crops = open_crops(sets, folder / "crops", control)
    pools, measured = [crops], _measured_crops(crops, options)
    if options.drawn:
        sets_at_hand = [one for one in SETS.values() if options.fetch or has_set(one)]
        pools.append(painted(sets_at_hand, folder / "drawn", looks=options.looks, seed=options.seed, control=control))
        unknown = [one for one in VAL_SETS.values() if options.fetch or has_set(one)]
        if unknown:
            held = painted(unknown, folder / "held", looks=_VAL_LOOKS, seed=options.seed, control=control, local=False)
            measured.append(Measured(central(held.pixels[:]), held.meanings, "sets"))
    return Batches(pools, measured, options)


def _measured_crops(crops: Pool, options: IconTraining) -> list[Measured]:
    measured: list[Measured] = []
    for kind, name in enumerate(crops.names):
        numbers = np.flatnonzero(crops.validation & (crops.kinds == kind))
        if not numbers.size:
            continue
        most = max(1, options.validate_samples // len(crops.names))
        if len(numbers) > most:
            numbers = np.sort(np.random.default_rng(options.seed).choice(numbers, most, replace=False))
        measured.append(Measured(central(crops.pixels[numbers]), crops.meanings[numbers], name))
    return measured


def central(squares: Bytes) -> Bytes:
    """What the network sees of squares that are kept, shape (n, 40, 40, 3)."""
    return np.ascontiguousarray(squares[:, _INNER : _INNER + SIDE, _INNER : _INNER + SIDE])


def painted(
    packages: Iterable[Package],
    folder: Path,
    *,
    looks: int,
    seed: int,
    control: JobControl,
    local: bool = True,
) -> Pool:
    """Drawings of sets in several looks, as they lie in the folder, or drawn now."""
    drawings = every_drawing(packages, local=local)
    rasters = open_rasters(drawings, folder / "shapes", control)
    key = f"{rasters.key}, {looks} looks, seed {seed}"
    if not has_pool(folder, key):
        write_pool(
            folder,
            key,
            paint_all(rasters, looks=looks, seed=seed),
            meanings=[meaning for meaning in rasters.meanings for _ in range(looks)],
            kinds=[kind for kind in rasters.kinds for _ in range(looks)],
        )
    return open_pool(folder)
