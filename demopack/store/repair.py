"""Repairs a library: the file as a whole where SQLite cannot read it, then its records; and checks its pictures."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Final

from demopack.atomic import disk_errors, make_private_file, write_text_atomic
from demopack.clock import utc_now
from demopack.domain.records import Record
from demopack.errors import DemopackError, LibraryBusyError, LibraryError, NotALibraryError
from demopack.store.connection import explain, find_problem, open_database
from demopack.store.erasing import finish_erasing
from demopack.store.listing import discard_listing, wrong_rows
from demopack.store.pictures import PictureStore
from demopack.store.record_repair import DemoRepair, Json, RepairResult, find_damaged, find_lost_trees, leave_out_trees
from demopack.store.recording import no_recording
from demopack.store.salvage import FileRepair, salvage
from demopack.store.timeline import PICTURE_ID, pictures_shown

_DATABASE: Final = "library.db"
_LOGS: Final = ("-wal", "-shm")


class RecordsRepair(Record):
    """What was done to the records.

    Attributes:
        demos: how many were damaged.
        lines: what was done to them, as (demo, ``mended``, ``changed`` or ``lost``, a sentence).
        kept: a file with the damaged records as they were; empty where there was nothing to keep.
        listing: what was wrong with the list of demos, which was made anew; empty where it was right.
    """

    demos: int
    listing: str = ""
    lines: tuple[tuple[str, str, str], ...] = ()
    kept: str = ""

    @property
    def lossless(self) -> bool:
        """Whatever was damaged is as it was before."""
        return all(result == "mended" for _, result, _ in self.lines)


def kept_aside(folder: Path) -> list[Path]:
    """What repairs kept beside the library, and copies that killed ones left; forgetting reaches none of it."""
    patterns = ("library-damaged-*.db", "library-damaged-*.db-wal", "library-damaged-*.db-shm", "set-aside-*.jsonl")
    return sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())


def sweep(folder: Path) -> list[Path]:
    """Remove what repairs that were killed had begun to build; returns the folders. The copies of the file stay.

    While something is recorded or repaired, nothing is done.
    """
    begun = [path for path in folder.glob(".library-damaged-*") if path.is_dir() and not path.is_symlink()]
    if begun:
        try:
            with no_recording(folder):
                for path in begun:
                    shutil.rmtree(path, ignore_errors=True)
        except LibraryBusyError:
            return []
    return [path for path in begun if not path.exists()]


def repair_file(folder: Path) -> FileRepair:
    """Build ``library.db`` anew where it is damaged; the damaged one is kept beside it.

    The new one takes its place in one moment, when it is whole and was read once.

    Raises:
        NotALibraryError: there is no library, or nothing of one is left in the file.
        NewerVersionError: a newer demopack wrote it.
        LibraryBusyError: a recording is running, or another program has the library open; nothing was changed.
        DiskFullError: nothing was changed.
    """
    file = folder / _DATABASE
    if not file.is_file():
        raise NotALibraryError(f"There is no library in {folder}.", hint="Name its folder with --library.")
    with explain(folder), disk_errors(folder):
        problem = find_problem(file)
        if not problem:
            return FileRepair(sound=True)
        kept = _free_name(folder, f"library-damaged-{utc_now():%Y%m%d-%H%M%S}", ".db")
        building = folder / f".{kept.stem}"
        with no_recording(folder):
            _copy(file, kept)  # first of all: SQLite may throw a log away as soon as it opens the file
            try:
                building.mkdir(mode=0o700)
                with _alone(file):
                    done = _look_over(building / _DATABASE, salvage(kept, building), kept=kept, problem=problem)
                    shutil.copymode(file, building / _DATABASE)
                _put_in_place(building / _DATABASE, file)
            except LibraryBusyError:
                _remove(kept)
                raise
            except BaseException:
                _copy_back(kept, file)
                raise
            finally:
                shutil.rmtree(building, ignore_errors=True)
    return done


@contextlib.contextmanager
def _alone(file: Path) -> Generator[None]:
    """While nobody else has the library open.

    Raises:
        LibraryBusyError: somebody has.
    """
    with contextlib.closing(sqlite3.connect(file, timeout=0, isolation_level=None)) as db:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise LibraryBusyError(
                    "Another program has the library open; nothing was changed.",
                    details=str(error),
                    hint="Close the app and other demopack programs, then repair the library.",
                ) from error
        except sqlite3.DatabaseError:
            pass  # so damaged that nobody can have it open
        yield


def _look_over(file: Path, done: FileRepair, *, kept: Path, problem: str) -> FileRepair:
    """Read what was built, and count what is there."""
    with contextlib.closing(sqlite3.connect(file)) as db:
        wrong = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
        (demos,) = db.execute("SELECT count(*) FROM demos").fetchone()
        (steps,) = db.execute("SELECT count(*) FROM entities WHERE kind = 'step'").fetchone()
        whole = _whole_pictures(db)
        wanted = set[str]().union(*pictures_shown(db).values())
    if wrong != "ok":
        raise LibraryError("The library could not be repaired; it is as it was.", details=wrong)
    if not demos:
        raise NotALibraryError(
            f"No demo could be found in {kept.parent / _DATABASE}; it is as it was.",
            details=problem,
            hint="Restore the file from a backup, or name another library with --library.",
        )
    counts = {"demos": demos, "steps": steps, "pictures": len(whole), "lost_pictures": len(wanted - whole)}
    return done.model_copy(update={"kept": str(kept), "problem": problem, **counts})


def _whole_pictures(db: sqlite3.Connection) -> set[str]:
    """Pictures all of whose tiles are there; what is in the tiles is checked when they are read."""
    from demopack.store.tiles import unpack_ids

    tiles = {tile for (tile,) in db.execute("SELECT id FROM tiles")}
    whole: set[str] = set()
    for frame, packed in db.execute("SELECT CAST(id AS BLOB), tiles FROM frames"):
        with contextlib.suppress(ValueError):
            if tiles.issuperset(unpack_ids(packed).tolist()):
                whole.add(frame.decode(errors="replace"))
    return whole


def _copy(file: Path, to: Path) -> None:
    """Both files, or neither."""
    try:
        for ending in ("", *_LOGS[:1]):
            source, target = Path(f"{file}{ending}"), Path(f"{to}{ending}")
            if source.is_file():
                make_private_file(target)
                with source.open("rb") as old, target.open("wb") as new:
                    shutil.copyfileobj(old, new)
                    os.fsync(new.fileno())
    except BaseException:
        _remove(to)
        raise


def _copy_back(kept: Path, file: Path) -> None:
    """Nothing is to be changed after all."""
    for ending in ("", *_LOGS[:1]):
        source = Path(f"{kept}{ending}")
        if source.is_file():
            shutil.copymode(file, source)
            source.replace(f"{file}{ending}")


def _put_in_place(new: Path, file: Path) -> None:
    with new.open("rb") as opened:
        os.fsync(opened.fileno())
    for ending in _LOGS:  # of the old file: SQLite would take them for those of the new one
        Path(f"{file}{ending}").unlink(missing_ok=True)
    new.replace(file)


def _remove(kept: Path) -> None:
    for ending in ("", *_LOGS):
        Path(f"{kept}{ending}").unlink(missing_ok=True)


def _free_name(folder: Path, stem: str, ending: str) -> Path:
    names = (folder / f"{stem}{f'-{number}' if number else ''}{ending}" for number in range(1000))
    return next(path for path in names if not path.exists())


def repair_records(folder: Path) -> RecordsRepair:
    """Mend the records that cannot be read, in one transaction, or set them aside.

    Raises:
        LibraryBusyError: a recording is running, or another program is writing; nothing was changed.
        LibraryError: the library may not be written, or is damaged as a file.
    """
    with contextlib.closing(open_database(folder, create=False, timeout_s=10.0)) as connection:
        with connection.reading() as db:
            listing = "What the list of demos keeps ready was damaged; it was counted anew." if wrong_rows(db) else ""
            damaged, lost = find_damaged(db), find_lost_trees(db)
        if not (listing or damaged or lost):
            return RecordsRepair(demos=0)
        aside, done = list[Json](), list[RepairResult]()
        with no_recording(folder), connection.writing() as db:
            if listing:
                discard_listing(db)
            for demo in damaged:
                done += DemoRepair(db, demo, aside).run()
            done += leave_out_trees(db, lost)
            kept = _keep(folder, aside)
        with contextlib.suppress(LibraryBusyError):
            finish_erasing(connection)
    return RecordsRepair(demos=len({*damaged, *lost}), listing=listing, lines=tuple(done), kept=kept)


def _keep(folder: Path, aside: list[Json]) -> str:
    """Write what was set aside to a new file; returns its path, or nothing where nothing was."""
    if not aside:
        return ""
    kept = _free_name(folder, f"set-aside-{utc_now():%Y%m%d-%H%M%S}", ".jsonl")
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in aside)
    write_text_atomic(kept, text, private=True)
    return str(kept)


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
    with contextlib.closing(open_database(folder, create=False, timeout_s=10.0)) as connection:
        with connection.reading() as db:
            shown = pictures_shown(db)
            wanted = set[str]().union(*shown.values())
            whole = _whole(db, wanted)
        if every_pixel:
            whole = _compared(PictureStore(folder, connection), whole, report)
        with connection.reading() as db:
            spoilt = [
                UnreadablePictures(demo=demo, pictures=len(frames - whole), steps=_steps(db, demo, frames - whole))
                for demo, frames in shown.items()
                if frames - whole
            ]
    return PictureCheck(
        checked=len(wanted), unreadable=len(wanted - whole), every_pixel=every_pixel, demos=tuple(spoilt)
    )


def _steps(db: sqlite3.Connection, demo: str, frames: set[str]) -> tuple[int, ...]:
    query = "SELECT CAST(json AS BLOB) FROM entities WHERE demo = ? AND kind = 'step' ORDER BY position, key"
    rows = (set(PICTURE_ID.findall(data)) for (data,) in db.execute(query, (demo,)))
    wanted = {frame.encode() for frame in frames}
    return tuple(number for number, named in enumerate(rows, start=1) if named & wanted)


def _whole(db: sqlite3.Connection, wanted: set[str]) -> set[str]:
    """Those that are there with all their tiles, each of which can be unpacked and has the right size."""
    from demopack.store.tiles import unpacked_size

    (side,) = db.execute("SELECT max(side) FROM frames WHERE side BETWEEN 1 AND ?", (_MAX_TILE_SIDE_PX,)).fetchone()
    most = 3 * (side or 0) ** 2
    sizes = {tile: unpacked_size(data, most) for tile, data in db.execute("SELECT id, data FROM tiles")}
    found: set[str] = set()
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


def _is_whole(cut: list[int], packed: bytes, sizes: Mapping[int, int]) -> bool:
    """Whether each tile is there; ``sizes`` has the bytes of pixels in each tile, 0 where it cannot be unpacked."""
    from demopack.store.tiles import Grid, unpack_ids

    width, height, side = cut
    if not (0 < side <= _MAX_TILE_SIDE_PX and 0 < width <= 1 << 20 and 0 < height <= 1 << 20):
        return False
    grid = Grid(width, height, side)
    try:
        ids = unpack_ids(packed, most=grid.across * grid.down).tolist()
    except ValueError:
        return False
    if len(ids) != grid.across * grid.down:
        return False  # before anything is made whose size a damaged row says
    heights, widths = ([min(side, length - at) for at in range(0, length, side)] for length in (height, width))
    return [sizes.get(tile) for tile in ids] == [3 * high * wide for high in heights for wide in widths]
