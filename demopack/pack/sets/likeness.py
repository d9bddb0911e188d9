"""Pictures that look alike: 256 bits of each, from which neighbour is brighter, and how many of them differ."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.errors import CorruptFrameError

__all__ = ["ALIKE", "alike", "print_of"]

ALIKE = 6
"""Bits of 256 that may differ; a moved pointer or a blinking cursor changes fewer, another dialog more."""

Print = npt.NDArray[np.uint64]
"""Four words of 64 bits."""


def print_of(data: bytes) -> Print:
    """The print of a picture file.

    Raises:
        CorruptFrameError: it cannot be decoded.
    """
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            small = picture.convert("L").resize((17, 16), Image.Resampling.BOX)
    except (OSError, SyntaxError, ValueError) as error:
        raise CorruptFrameError("A picture of the pack cannot be decoded.", details=str(error)) from error
    grey = np.asarray(small, dtype=np.int16)
    # A difference of one is noise of scaling, not something to see.
    bits = (grey[:, 1:] - grey[:, :-1]) > 1
    return np.packbits(bits).view(np.uint64)


def alike(one: Sequence[Print], other: Sequence[Print]) -> list[tuple[int, int]]:
    """Every pair of positions, one from each list, whose pictures look alike."""
    if not one or not other:
        return []
    right = np.stack(other)
    pairs: list[tuple[int, int]] = []
    for i, left in enumerate(one):
        differing = np.bitwise_count(right ^ left).sum(axis=1)
        pairs += [(i, int(j)) for j in np.flatnonzero(differing <= ALIKE)]
    return pairs
