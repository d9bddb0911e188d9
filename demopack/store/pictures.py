"""The pictures and trees of a library: tiles in its database, equal ones once. All is checked when it is read."""

from __future__ import annotations

import contextlib
import io
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from demopack.domain.trees import WindowTree, tree_bytes, tree_id
from demopack.errors import CorruptFrameError
from demopack.store.connection import Connection, explain
from demopack.store.erasing import count_erasure, finish_erasing
from demopack.store.schema import count_of_erasures
from demopack.store.timeline import Keyframe, read_timeline, timeline_only
from demopack.store.trees import erase_trees, insert_tree, read_tree

if TYPE_CHECKING:
    from demopack.domain.frames import RgbImage
    from demopack.store.schema import RowMarks
    from demopack.store.tiles import Grid, TileIds

_TILES_KNOWN: Final = 50_000  # digests in memory, about 6 MB
_PER_QUERY: Final = 20_000
_FRAME_ID: Final = re.compile("[0-9a-f]{64}")


@dataclass(slots=True, kw_only=True)
class _Known:
    """What was stored lately, so that equal tiles are found without asking the database.

    Attributes:
        erasures: of the database, at the time; after a further one tiles may be gone.
        rollbacks: of the connection, likewise.
        tiles: ids by digest.
        image: the picture that was stored last; None at first.
        ids: of its tiles.
    """

    erasures: str
    rollbacks: int
    tiles: dict[bytes, int] = field(default_factory=dict[bytes, int])
    image: RgbImage | None = None
    ids: list[int] = field(default_factory=list[int])


class PictureStore:
    """Stores and reads pictures and timelines; satisfies the ``FrameStore`` port. Safe between threads, processes.

    Attributes:
        folder: of the library.
        connection: to it, for the other modules of the store.
    """

    def __init__(self, folder: Path, connection: Connection) -> None:
        self.folder = folder
        self.connection = connection
        self._known: _Known | None = None

    def put_image(self, image: RgbImage) -> str:
        """Store a picture of shape (height, width, 3), uint8; returns its id. One that is there costs only its hash.

        Raises:
            DiskFullError: nothing was written.
            LibraryError: the library may not be written.
        """
        from demopack.domain.frames import frame_id

        key = frame_id(image)
        with self.connection.writing() as db:
            self.insert(db, key, image)
        return key

    def insert(self, db: sqlite3.Connection, key: str, image: RgbImage) -> int:
        """Store a picture under its id, as part of a transaction of the caller's; returns the bytes that it took."""
        from demopack.store.tiles import Grid, pack_ids

        if db.execute("SELECT 1 FROM frames WHERE id = ?", (key,)).fetchone():
            return 0
        height, width = image.shape[:2]
        grid = Grid(width, height)
        known = self._current(db, width, height)
        ids, size = _store_tiles(db, image, grid, known)
        packed = pack_ids(ids)
        db.execute(
            "INSERT INTO frames (id, width, height, side, tiles) VALUES (?, ?, ?, ?, ?)",
            (key, width, height, grid.side, packed),
        )
        known.image, known.ids = image, ids
        return size + len(packed)

    def _current(self, db: sqlite3.Connection, width: int, height: int) -> _Known:
        from demopack.store.tiles import SIDE, unpack_picture

        known, erasures, rollbacks = self._known, count_of_erasures(db), self.connection.rollbacks
        if known is None or (known.erasures, known.rollbacks) != (erasures, rollbacks):
            known = self._known = _Known(erasures=erasures, rollbacks=rollbacks)
            query = "SELECT id FROM frames WHERE width = ? AND height = ? ORDER BY key DESC LIMIT 1"
            newest = db.execute(query, (width, height)).fetchone()
            if newest is not None:
                # The last recording often ended with much the same screen. A damaged picture is just no help.
                with contextlib.suppress(ValueError, LookupError, TypeError, ArithmeticError):
                    found = _packed_picture(db, newest[0])
                    if found is not None and found[2].side == SIDE:
                        known.image, known.ids = unpack_picture(*found), found[0].tolist()
        if len(known.tiles) > _TILES_KNOWN:
            known.tiles.clear()
        return known

    def erase(self, db: sqlite3.Connection, keys: set[str], *, since: RowMarks | None = None) -> None:
        """Erase pictures and trees for good that nothing shows any more, and what was kept about them beside.

        Tiles that other pictures show too stay. Part of a transaction of the caller's, who also counts up ``erasures``.

        Args:
            db: the library.
            keys: of the pictures and trees.
            since: marks that are older than all of them; then older tiles stay, as what they were stored for does.
        """
        for key in filter(_FRAME_ID.fullmatch, keys):  # anything else might name a file elsewhere
            # As models.vision.detection lays them down: looking through all of them would take too long.
            for path in (self.folder / "cache").glob(f"*/*/{key[:2]}/{key}.json"):
                path.unlink(missing_ok=True)
        dead = _tiles_only_of(db, keys, since=since)
        db.executemany("DELETE FROM frames WHERE id = ?", [(key,) for key in keys])
        erase_trees(db, keys)
        zeros = "UPDATE tiles SET data = zeroblob(length(data)) WHERE id = ?"
        db.executemany(zeros, [(tile,) for tile in dead])

    def get_image(self, frame_id: str) -> RgbImage:
        """The pixels, checked against the id.

        Raises:
            CorruptFrameError: the picture is missing or damaged.
            LibraryError: the library may not be read.
        """
        from demopack.domain.frames import frame_id as id_of
        from demopack.store.tiles import unpack_picture

        with explain(self.folder):
            try:
                with self.connection.reading() as db:
                    found = _packed_picture(db, frame_id)
                if found is None:
                    raise _unreadable(f"The picture {frame_id[:12]} is missing from the library.", frame_id)
                image = unpack_picture(*found)
                if id_of(image) != frame_id:
                    raise ValueError("The pixels do not match the id.")
            except (ValueError, LookupError, TypeError, ArithmeticError) as error:
                words = f"The picture {frame_id[:12]} in the library is damaged."
                raise _unreadable(words, frame_id, f"{frame_id}: {error}") from error
        return image

    def png_bytes(self, frame_id: str) -> bytes:
        """A picture as a PNG file with nothing in it but pixels, checked as by :meth:`get_image`.

        Raises:
            CorruptFrameError: the picture is missing or damaged.
        """
        from PIL import Image

        buffer = io.BytesIO()
        Image.fromarray(self.get_image(frame_id)).save(buffer, format="PNG", compress_level=4)
        return buffer.getvalue()

    def put_tree(self, tree: WindowTree) -> str:
        """Store an accessibility tree; returns its id. One that is there costs only its hash.

        Raises:
            DiskFullError: nothing was written.
            LibraryError: the library may not be written.
        """
        data = tree_bytes(tree)
        with self.connection.writing() as db:
            insert_tree(db, data)
        return tree_id(data)

    def get_tree(self, key: str) -> WindowTree:
        """An accessibility tree, checked against its id.

        Raises:
            LibraryError: it is missing or damaged.
        """
        with self.connection.reading() as db:
            return read_tree(db, key)

    def timeline(self, demo_id: str) -> list[Keyframe]:
        """Every different screen of a demo, oldest first; empty where no timeline was kept."""
        with self.connection.reading() as db:
            return read_timeline(db, demo_id)

    def timeline_bytes(self, demo_id: str) -> int:
        """What forgetting a demo's timeline would free, in bytes: pictures of steps and of other demos do not count."""
        with self.connection.reading() as db:
            keys = timeline_only(db, demo_id)
            sizes: Iterable[int] = _per_tile(db, "length(data)", sorted(_tiles_only_of(db, keys))).values()
            query = "SELECT length(tiles) FROM frames WHERE id = ?"
            lists: list[int] = [row[0] for key in keys if (row := db.execute(query, (key,)).fetchone()) is not None]
            return sum(sizes) + sum(lists)

    def compact(self) -> int:
        """Give the space of what was erased back to the disk; returns how many bytes that were.

        Takes about a second for each 100 MB that are left, and as much room on the disk meanwhile. While a recording
        runs its next step has to wait for that, so this is for quiet moments.

        Raises:
            LibraryBusyError: another process is writing or reading; nothing was changed.
            DiskFullError: there is not enough room to do it; nothing is lost.
        """
        before = self.connection.size
        with self.connection.writing() as db:
            shown = _tiles_shown(db, set())[1]
            unused = [(tile,) for (tile,) in db.execute("SELECT id FROM tiles") if tile not in shown]
            db.executemany("DELETE FROM tiles WHERE id = ?", unused)
            count_erasure(db)
        self.connection.vacuum()
        finish_erasing(self.connection)
        return max(0, before - self.connection.size)


def _store_tiles(db: sqlite3.Connection, image: RgbImage, grid: Grid, known: _Known) -> tuple[list[int], int]:
    """Store the tiles that are new; returns the ids of all, row by row, and the bytes that the new ones took."""
    import numpy as np

    from demopack.store.tiles import new_packer, pack_tile, tile_digest

    packer = new_packer()
    last = known.image if known.image is not None and known.image.shape == image.shape else None
    ids: list[int] = []
    size = 0
    for number in range(grid.down):
        row = grid.row(image, number)
        old_row = None if last is None else grid.row(last, number)
        old_ids = known.ids[number * grid.across : (number + 1) * grid.across]
        if old_row is not None and np.array_equal(row, old_row):
            ids += old_ids
            continue
        old_tiles = [] if old_row is None else list(grid.tiles(old_row))
        for column, tile in enumerate(grid.tiles(row)):
            if old_tiles and np.array_equal(tile, old_tiles[column]):
                ids.append(old_ids[column])
                continue
            digest = tile_digest(tile)
            found = known.tiles.get(digest)
            if found is None:
                data = pack_tile(tile, packer)
                cursor = db.execute("INSERT INTO tiles (data) VALUES (?)", (data,))
                assert cursor.lastrowid is not None
                found = known.tiles[digest] = cursor.lastrowid
                size += len(data)
            ids.append(found)
    return ids, size


def _packed_picture(db: sqlite3.Connection, key: str) -> tuple[TileIds, dict[int, bytes], Grid] | None:
    """What ``unpack_picture`` needs; None where there is no such picture."""
    from demopack.store.tiles import Grid, unpack_ids

    query = "SELECT width, height, side, tiles FROM frames WHERE id = ?"
    row = db.execute(query, (key,)).fetchone()
    if row is None:
        return None
    ids = unpack_ids(row[3])
    return ids, _per_tile(db, "data", sorted(set(ids.tolist()))), Grid(*row[:3])


def _per_tile(db: sqlite3.Connection, what: str, ids: list[int]) -> dict[int, Any]:
    """One column, or an expression, for each of these tiles that is there."""
    found: dict[int, Any] = {}
    for start in range(0, len(ids), _PER_QUERY):
        # Numbers of our own, written out: there are more of them than SQLite takes as parameters.
        some = ",".join(map(str, ids[start : start + _PER_QUERY]))
        found.update(db.execute(f"SELECT id, {what} FROM tiles WHERE id IN ({some})"))  # noqa: S608 - integers only
    return found


def _tiles_only_of(db: sqlite3.Connection, keys: set[str], *, since: RowMarks | None = None) -> set[int]:
    """Tiles that no other picture shows; of those newer than the marks, where there are any."""
    mine, others = _tiles_shown(db, keys, after=since.rows["frames"] if since is not None else -1)
    return {tile for tile in mine - others if since is None or tile > since.tile}


def _tiles_shown(db: sqlite3.Connection, keys: set[str], *, after: int = -1) -> tuple[set[int], set[int]]:
    """The tiles that these pictures show, and those that the other ones show; of pictures with a higher number."""
    from demopack.store.tiles import unpack_ids

    mine: set[int] = set()
    others: set[int] = set()
    for key, packed in db.execute("SELECT id, tiles FROM frames WHERE key > ?", (after,)):
        (mine if key in keys else others).update(unpack_ids(packed).tolist())
    return mine, others


def _unreadable(words: str, key: str, details: str = "") -> CorruptFrameError:
    hint = "The demo's other steps are unharmed; delete the step, or restore the library from a backup."
    return CorruptFrameError(words, frame_id=key, details=details or key, hint=hint)
