"""Template matching: where a piece of a picture lies in another, pixel by pixel the same."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.pixels.colours import Codes

_PROBE_COUNT: Final = 24
_MAX_CANDIDATES: Final = 20_000
_ACROSS, _DOWN = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_MASK: Final = 2**64 - 1

_Numbers = npt.NDArray[np.uint64]


def find_piece(codes: Codes, piece: Codes) -> list[tuple[int, int]]:
    """Where a piece lies in a picture, pixel by pixel the same: its left and top edges.

    At most two places: these already tell that it is not the only one.

    A piece of one colour is found nowhere: it says nothing.

    Args:
        codes: the picture.
        piece: what to look for; not larger than the picture.
    """
    height, width = piece.shape
    if height > codes.shape[0] or width > codes.shape[1] or not piece.size or not (piece != piece[0, 0]).any():
        return []
    values, first, counts = np.unique(piece, return_index=True, return_counts=True)
    # The colour that is rarest in the piece; with luck it is rare in the picture too.
    at = int(first[int(np.argmin(counts))])
    dy, dx = divmod(at, width)
    room = codes[dy : codes.shape[0] - height + dy + 1, dx : codes.shape[1] - width + dx + 1]
    ys, xs = np.nonzero(room == piece[dy, dx])
    if ys.size > _MAX_CANDIDATES:
        return []
    for y, x in _probes(piece, values):
        keep = codes[ys + y, xs + x] == piece[y, x]
        ys, xs = ys[keep], xs[keep]
    found: list[tuple[int, int]] = []
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        if np.array_equal(codes[y : y + height, x : x + width], piece):
            found.append((x, y))
            if len(found) == 2:
                break
    return found


def _probes(piece: Codes, values: Codes) -> list[tuple[int, int]]:
    """Places in a piece that tell most: spread over it, not of its commonest colour where there are others."""
    background = np.bincount(np.searchsorted(values, piece.ravel())).argmax()
    drawn = np.flatnonzero(piece.ravel() != values[background])
    picks = drawn[np.linspace(0, drawn.size - 1, min(_PROBE_COUNT, drawn.size)).astype(np.intp)]
    return [divmod(int(pick), piece.shape[1]) for pick in picks]


def window_numbers(codes: Codes, width: int, height: int) -> _Numbers:
    """A number of the pixels of every window of a size; shape (rows, columns) of their upper left corners.

    Two windows of equal pixels have equal numbers wherever they lie; the numbers of all windows come from a few sums.
    """
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
