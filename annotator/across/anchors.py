"""A piece of a picture by which a place is found again, kept as a number: no pixel of it is stored.

Two windows of equal pixels have equal numbers wherever they lie, and the numbers of all windows of a picture come from
a few sums over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from annotator.across.pixels import Codes, cut, find_piece
from demopack.domain.elements import Box, Element, ElementType
from demopack.domain.records import Record

__all__ = ["Anchor", "anchors_for", "find_anchor"]

_Numbers = npt.NDArray[np.uint64]

_ACROSS, _DOWN = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_MASK = 2**64 - 1
_MOST = 3
_TRIED = 24
_UNSTEADY: Final[frozenset[ElementType]] = frozenset({
    "input_field", "text_area", "dropdown", "spinner", "slider", "checkbox", "radio", "toggle", "scrollbar",
    "scrollbar_thumb", "image", "window", "dialog",
})  # fmt: skip
"""Types that look otherwise the next time, or are too large to be found whole."""


class Anchor(Record):
    """A piece of a picture that looked like no other part of it.

    Attributes:
        box: where it lay.
        digest: a number made of its pixels, in hex.
    """

    box: Box
    digest: str


def anchors_for(codes: Codes, elements: Sequence[Element]) -> tuple[Anchor, ...]:
    """Pieces by which the place of some elements can be found again: the most telling of them that occur once.

    Args:
        codes: the picture.
        elements: on it.
    """
    steady = [e for e in elements if e.type not in _UNSTEADY and e.box.width >= 12 and e.box.height >= 8]
    telling = sorted(steady, key=lambda e: (-_drawn(cut(codes, e.box)), e.uid))[:_TRIED]
    chosen = [e for e in telling if len(find_piece(codes, cut(codes, e.box))) == 1][:_MOST]
    return tuple(Anchor(box=e.box, digest=_digest(cut(codes, e.box))) for e in chosen)


def find_anchor(codes: Codes, anchor: Anchor) -> list[tuple[int, int]]:
    """Where a piece lies on a picture: the left and top edges of each place, from the top.

    Raises:
        ValueError: the digest is no number.
    """
    height, width = codes.shape
    if anchor.box.width > width or anchor.box.height > height:
        return []
    numbers = _windows(codes, anchor.box.width, anchor.box.height)
    ys, xs = np.nonzero(numbers == np.uint64(int(anchor.digest, 16)))
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _drawn(piece: Codes) -> int:
    """How much is drawn on a piece: pixels that differ from the one beside them."""
    return int((piece[:, 1:] != piece[:, :-1]).sum())


def _digest(piece: Codes) -> str:
    return f"{int(_windows(piece, piece.shape[1], piece.shape[0])[0, 0]):016x}"


def _windows(codes: Codes, width: int, height: int) -> _Numbers:
    """The number of every window of a size; shape (rows, columns) of their upper left corners."""
    mixed = codes.astype(np.uint64) + np.uint64(1)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    mixed ^= mixed >> np.uint64(29)
    rows = _sums(mixed, width, _ACROSS)
    return _sums(rows.T, height, _DOWN).T


def _sums(numbers: _Numbers, length: int, base: int) -> _Numbers:
    """Weighted sums over stretches of a row, the same wherever the stretch begins; wraps around on purpose."""
    count = numbers.shape[1]
    powers, inverse = _powers(base, count), _powers(pow(base, -1, 2**64), count)
    total = np.zeros((numbers.shape[0], count + 1), dtype=np.uint64)
    np.cumsum(numbers * powers[None, :], axis=1, out=total[:, 1:])
    return (total[:, length:] - total[:, : count + 1 - length]) * inverse[None, : count + 1 - length]


@cache
def _powers(base: int, count: int) -> _Numbers:
    powers = np.full(count, base & _MASK, dtype=np.uint64)
    powers[0] = 1
    return np.multiply.accumulate(powers)
