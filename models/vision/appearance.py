"""What an element looks like, in few numbers, so that it is known again where its text says nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect, Size

_SIDE_BLOCKS = 8
_FLAT_STEPS = 4.0
"""Steps of brightness below which a thumbnail shows nothing."""
_ROW_PX = 12
"""Pixels above and below an element; the whole width of the screen between tells it from its double in the next row."""
_COLOUR_STEPS = 60.0
"""Steps by which two mean colours differ for sure."""


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The look of one element.

    Attributes:
        thumb: brightness, shape (64,), mean 0, length 1; all zeros where the element is flat.
        colour: mean red, green, blue, 0..255.
        digest: of size and pixels: equal looks to the pixel have equal digests.
        around: of place and pixels of the element with its row: equal where neither it nor its neighbours moved.
    """

    thumb: npt.NDArray[np.float32]
    colour: npt.NDArray[np.float32]
    digest: bytes
    around: bytes


Descriptors: TypeAlias = Mapping[str, Descriptor]
"""Descriptors by the uid of the element."""


def descriptor_of(image: RgbImage, box: Rect) -> Descriptor | None:
    """The look of a box; None when it has no area on the picture.

    Args:
        image: shape (height, width, 3), uint8.
        box: in pixels of the picture.
    """
    box = box.clamped(Size(image.shape[1], image.shape[0]))
    if box.area == 0:
        return None
    part = image[box.y1 : box.y2, box.x1 : box.x2]
    row = Rect(0, max(0, box.y1 - _ROW_PX), image.shape[1], min(image.shape[0], box.y2 + _ROW_PX))
    gray = part.mean(axis=2, dtype=np.float32)
    thumb = _blocks(_blocks(gray).T).T.ravel()
    thumb = thumb - thumb.mean()
    length = float(np.linalg.norm(thumb))
    flat = length < _FLAT_STEPS * _SIDE_BLOCKS
    colour = part.reshape(-1, 3).mean(axis=0, dtype=np.float32)
    return Descriptor(
        np.zeros_like(thumb) if flat else thumb / length,
        colour,
        _digest(image, box),
        _digest(image, row, place=box),
    )


def _digest(image: RgbImage, box: Rect, *, place: Rect | None = None) -> bytes:
    digest = hashlib.blake2b(np.ascontiguousarray(image[box.y1 : box.y2, box.x1 : box.x2]).tobytes(), digest_size=12)
    digest.update(f"{box.width} {box.height} {place}".encode())
    return digest.digest()


def _blocks(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The rows of a picture joined into eight; rows of a lower one count more than once."""
    height = values.shape[0]
    starts = np.arange(_SIDE_BLOCKS) * height // _SIDE_BLOCKS
    if height < _SIDE_BLOCKS:
        return np.asarray(values[starts], dtype=np.float32)
    ends = np.append(starts[1:], height)
    sums = np.add.reduceat(values, starts, axis=0)
    return np.asarray(sums / (ends - starts)[:, None], dtype=np.float32)


def descriptors_of(image: RgbImage, elements: Iterable[Element]) -> dict[str, Descriptor]:
    """The looks of elements on their picture, by uid."""
    return {one.uid: look for one in elements if (look := descriptor_of(image, one.box)) is not None}


def dissimilarity(a: Descriptor, b: Descriptor) -> float:
    """How different two looks are: 0 for the same, 1 for nothing in common.

    A pattern counts more than its colour, because a selection or a pointer over it changes the colour only.
    """
    if a.digest == b.digest:
        return 0.0
    flat = not a.thumb.any(), not b.thumb.any()
    # A selection may turn dark on light into light on dark.
    pattern = float(flat[0] != flat[1]) if any(flat) else 1 - abs(float(a.thumb @ b.thumb))
    colour = min(1.0, float(np.abs(a.colour - b.colour).max()) / _COLOUR_STEPS)
    # Only the same pixels are no difference at all.
    return max(0.01, 0.7 * pattern + 0.3 * colour)
