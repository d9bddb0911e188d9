"""A picture as square tiles, each packed by itself: what two pictures have in common is stored once.

A packed tile is one byte that names the filter and the filtered pixels as a Zstandard frame. Text and flat areas pack
best as they are, photographs and gradients as differences from the pixel above; both are tried.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import zstandard

from demopack.domain.frames import RgbImage

SIDE: Final = 40
"""Pixels. Browsers scroll by 120 pixels a notch, so that tiles of 40 are found again after scrolling; see ADR-0008."""

_PLAIN, _ABOVE = 0, 1
_LEVEL = 1
_MAX_FILTERED_RATIO = 0.95  # a filter must save this much: taking it back costs time with every reading

TileIds: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Grid:
    """How a picture is cut: rows of tiles from the top left corner; those at the right and the bottom may be smaller.

    Attributes:
        width: of the picture, pixels.
        height: likewise.
        side: of a tile, pixels.
    """

    width: int
    height: int
    side: int = SIDE

    @property
    def across(self) -> int:
        """Tiles in a row."""
        return -(-self.width // self.side)

    @property
    def down(self) -> int:
        """Rows of tiles."""
        return -(-self.height // self.side)

    def row(self, image: RgbImage, number: int) -> RgbImage:
        """The pixels of one row of tiles."""
        return image[number * self.side : (number + 1) * self.side]

    def tiles(self, row: RgbImage) -> Iterator[RgbImage]:
        """The tiles of one row, from the left."""
        for x in range(0, self.width, self.side):
            yield row[:, x : x + self.side]


def tile_digest(tile: RgbImage) -> bytes:
    """What names the content of a tile, 16 bytes; tiles of different shapes never share one."""
    height, width = tile.shape[:2]
    salt = height.to_bytes(2, "big") + width.to_bytes(2, "big")
    return hashlib.blake2b(np.ascontiguousarray(tile).data, digest_size=16, salt=salt).digest()


def pack_tile(tile: RgbImage, packer: zstandard.ZstdCompressor) -> bytes:
    """A tile as bytes; see the module's description."""
    plain = packer.compress(tile.tobytes())
    differences = tile.copy()
    differences[1:] -= tile[:-1]
    above = packer.compress(differences.tobytes())
    if len(above) < _MAX_FILTERED_RATIO * len(plain):
        return bytes((_ABOVE,)) + above
    return bytes((_PLAIN,)) + plain


def new_packer() -> zstandard.ZstdCompressor:
    """A compressor for :func:`pack_tile`; not to be shared between threads."""
    # Neither size nor checksum: the picture's id is checked when it is read, and it covers every pixel.
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=False, write_content_size=False)


def pack_ids(ids: Sequence[int]) -> bytes:
    """The numbers of a picture's tiles, as differences: neighbours were often stored one after the other."""
    steps = np.diff(np.array(ids, dtype="<i8"), prepend=0).astype("<i8")
    # The bytes of equal weight side by side: nearly all of the upper ones are equal.
    return zstandard.ZstdCompressor(level=_LEVEL).compress(steps.view(np.uint8).reshape(-1, 8).T.tobytes())


def unpack_ids(data: bytes, *, most: int | None = None) -> TileIds:
    """As given to :func:`pack_ids`.

    Args:
        data: the bytes.
        most: how many there can be at most; None where that is not known.

    Raises:
        ValueError: the bytes are damaged, or they are more.
    """
    planes = np.frombuffer(_unpack(data, None if most is None else 8 * most), dtype=np.uint8).reshape(8, -1)
    return np.cumsum(np.ascontiguousarray(planes.T).view("<i8").ravel())


def unpack_picture(ids: TileIds, packed: Mapping[int, bytes], grid: Grid) -> RgbImage:
    """A picture from its tiles.

    Args:
        ids: of its tiles, row by row.
        packed: the tiles by id; each is unpacked once, however often it is shown.
        grid: how the picture was cut.

    Raises:
        KeyError: a tile is missing.
        ValueError: a tile is damaged.
    """
    if len(ids) != grid.across * grid.down:
        raise ValueError(f"{len(ids)} tiles instead of {grid.across * grid.down}")
    side = grid.side
    across, down = grid.width // side, grid.height // side  # tiles of full size
    table = ids.reshape(grid.down, grid.across)
    padded = np.empty((grid.down * side, grid.across * side, 3), dtype=np.uint8)
    cells = padded.reshape(grid.down, side, grid.across, 3 * side).swapaxes(1, 2)
    wanted, places = np.unique(table[:down, :across], return_inverse=True)
    if wanted.size:
        stack, at = _unpack_tiles([packed[key] for key in wanted.tolist()], side, side)
        cells[:down, :across] = stack[at[places.reshape(down, across)]]
    for y in range(grid.down):
        for x in range(across if y < down else 0, grid.across):
            height, width = min(side, grid.height - y * side), min(side, grid.width - x * side)
            cells[y, x, :height, : 3 * width] = _unpack_tiles([packed[int(table[y, x])]], height, width)[0][0]
    return np.ascontiguousarray(padded[: grid.height, : grid.width])


def _unpack_tiles(
    packed: Sequence[bytes], height: int, width: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.intp]]:
    """A stack of tiles of one shape, and their places in it: ``stack[places[n]]`` has shape (height, 3 * width)."""
    size = 3 * height * width
    unpack = zstandard.ZstdDecompressor().decompress
    # Those with a filter first, so that it is taken back from all of them at once and in place.
    plain = np.fromiter((tile[0] != _ABOVE for tile in packed), dtype=bool, count=len(packed))
    order: list[int] = np.argsort(plain, kind="stable").tolist()
    data = np.empty(size * len(packed), dtype=np.uint8)
    target = data.data
    try:
        for number, place in enumerate(order):
            target[number * size : (number + 1) * size] = unpack(memoryview(packed[place])[1:], size)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    stack = data.reshape(len(packed), height, 3 * width)
    filtered = stack[: len(packed) - int(plain.sum())]
    for y in range(1, height):  # row by row over all tiles: numpy's own running sum is five times slower
        filtered[:, y] += filtered[:, y - 1]
    return stack, np.argsort(order)


def unpacked_size(data: bytes, most: int) -> int:
    """How many bytes of pixels are in a tile; 0 where it cannot be unpacked or where there are more than ``most``."""
    try:
        return len(_unpack(memoryview(data)[1:], most))
    except ValueError:
        return 0


def _unpack(data: bytes | memoryview, most: int | None) -> bytes:
    try:
        # Room for as much as a frame promises is made at once.
        if most is not None and zstandard.frame_content_size(data) > most:
            raise ValueError(f"more than {most} bytes")
        return zstandard.ZstdDecompressor().decompress(data, most or 0)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
