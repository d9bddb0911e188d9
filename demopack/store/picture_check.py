"""Check of the pictures of a library: a sound file with sound records says nothing about them."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from demopack.domain.records import Record
from demopack.errors import DemopackError
from demopack.store.connection import Connection, open_database
from demopack.store.pictures import PictureStore
from demopack.store.timeline import pictures_shown

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FRAME_ID: Final = re.compile(rb'"([0-9a-f]{64})"')
_MAX_TILE_SIDE_PX: Final = 1024
"""Pixels; no demopack ever cut pictures into larger tiles."""


class UnreadablePictures(Record):
    """What a demo lacks.

    Attributes:
        demo: its id.
        pictures: how many that it shows cannot be read.
        steps: the numbers, from 1, of the steps that show them now; the timeline and the end of the demo have none.
    """

    demo: str
    pictures: int
    steps: tuple[int, ...] = ()


class PictureCheck(Record):
    """What was seen of the pictures.

    Attributes:
        checked: how many steps and timelines show.
        unreadable: of these, missing or damaged.
        every_pixel: whether each picture was held against its id; otherwise its tiles were unpacked, each once.
        demos: what is concerned.
    """

    checked: int
    unreadable: int
    every_pixel: bool = False
    demos: tuple[UnreadablePictures, ...] = ()


def check_pictures(
    folder: Path, *, every_pixel: bool = False, report: Callable[[int, int], None] = lambda _done, _of: None
) -> PictureCheck:
    """Look at every picture that a step or a timeline shows. Takes about as long as reading the file.

    Args:
        folder: of the library.
        every_pixel: also put each picture together and compare it with its id, which takes some 50 ms for each.
        report: is told how many of how many pictures are done, while each is put together.

    Raises:
        LibraryError: the library is damaged as a file.
    """
    connection = open_database(folder, create=False, timeout_s=10.0)
    try:
        with connection.reading() as db:
            shown = pictures_shown(db)
        wanted = set[str]().union(*shown.values())
        whole = _whole(connection, wanted)
        if every_pixel:
            whole = _compared(PictureStore(folder, connection), whole, report)
        with connection.reading() as db:
            spoilt = [
                UnreadablePictures(demo=demo, pictures=len(frames - whole), steps=_steps(db, demo, frames - whole))
                for demo, frames in shown.items()
                if frames - whole
            ]
    finally:
        connection.close()
    return PictureCheck(
        checked=len(wanted), unreadable=len(wanted - whole), every_pixel=every_pixel, demos=tuple(spoilt)
    )


def _steps(db: sqlite3.Connection, demo: str, frames: set[str]) -> tuple[int, ...]:
    query = "SELECT CAST(json AS BLOB) FROM entities WHERE demo = ? AND kind = 'step' ORDER BY position, key"
    rows = (set(_FRAME_ID.findall(data)) for (data,) in db.execute(query, (demo,)))
    wanted = {frame.encode() for frame in frames}
    return tuple(number for number, named in enumerate(rows, start=1) if named & wanted)


def _whole(connection: Connection, wanted: set[str]) -> set[str]:
    """Those that are there with all their tiles, each of which can be unpacked and has the right size."""
    found: set[str] = set()
    with connection.reading() as db:
        sizes = _tile_sizes(db)
        for key, *cut, packed in db.execute("SELECT CAST(id AS BLOB), width, height, side, tiles FROM frames"):
            frame = key.decode(errors="replace")
            if frame in wanted and _is_whole(cut, packed, sizes):
                found.add(frame)
    return found


def _compared(pictures: PictureStore, frames: set[str], report: Callable[[int, int], None]) -> set[str]:
    """Those whose pixels are what their id says."""
    right: set[str] = set()
    for number, frame in enumerate(sorted(frames), start=1):
        with contextlib.suppress(DemopackError):
            pictures.get_image(frame)
            right.add(frame)
        report(number, len(frames))
    return right


def _tile_sizes(db: sqlite3.Connection) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The ids of all tiles, ascending, and how many bytes of pixels are in each; 0 where it cannot be unpacked."""
    import numpy as np

    from demopack.store.tiles import unpacked_size

    (side,) = db.execute("SELECT max(side) FROM frames WHERE side BETWEEN 1 AND ?", (_MAX_TILE_SIDE_PX,)).fetchone()
    most = 3 * (side or 0) ** 2
    found = [(tile, unpacked_size(data, most)) for tile, data in db.execute("SELECT id, data FROM tiles ORDER BY id")]
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _is_whole(cut: list[int], packed: bytes, sizes: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]) -> bool:
    import numpy as np

    from demopack.store.tiles import Grid, unpack_ids

    width, height, side = cut
    if not (0 < side <= _MAX_TILE_SIDE_PX and 0 < width <= 1 << 20 and 0 < height <= 1 << 20):
        return False
    grid = Grid(width, height, side)
    try:
        ids = unpack_ids(packed, most=grid.across * grid.down)
    except ValueError:
        return False
    known, bytes_in = sizes
    if len(ids) != grid.across * grid.down or not len(known):
        return False
    heights, widths = (np.minimum(side, length - np.arange(0, length, side)) for length in (height, width))
    places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    wanted = 3 * np.outer(heights, widths).ravel()
    return bool(np.array_equal(known[places], ids) and np.array_equal(bytes_in[places], wanted))
