"""Opens ``library.db``, and turns SQLite's complaints into sentences."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import threading
from collections.abc import Generator
from pathlib import Path

from demopack.atomic import disk_errors, make_private_file, make_private_folder
from demopack.errors import (
    DemopackError,
    DiskFullError,
    LibraryBusyError,
    LibraryError,
    NewerVersionError,
    NotALibraryError,
)
from demopack.store.schema import COLUMNS, FORMAT, OLDEST_VERSION, SCHEMA_VERSION, create_tables, note_migrations

_DATABASE = "library.db"
TEMPLATES = "templates"
"""Folder in that of the library in which people keep templates, maybe before there is a library."""
_REPAIR = (
    "`demopack repair --library {folder}` saves what can be saved and keeps the damaged file; or choose another folder "
    "with --library."
)
_HELPER_FILES = 65536  # bytes that SQLite wants beside the database before it reads the first row


class Connection:
    """One SQLite connection that any thread may use, one at a time.

    The lock serialises whole transactions: SQLite's own thread checks are off because the capture thread writes steps
    while the store's worker reads, both through this object.

    Attributes:
        read_only: nothing can be written, because of missing rights or of a full disk.
        rollbacks: how many transactions came to nothing; who remembers row ids must forget them when it rises.
    """

    def __init__(
        self, raw: sqlite3.Connection, folder: Path, *, name: str = _DATABASE, refusal: DemopackError | None = None
    ) -> None:
        self.read_only = refusal is not None
        self._refusal = refusal
        self.rollbacks = 0
        self._raw = raw
        self._folder = folder
        self._file = folder / name
        self._lock = threading.RLock()

    @property
    def size(self) -> int:
        """Bytes of the database, with what still stands in the log beside it."""
        with self.reading() as db:
            (pages,), (size,) = (db.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size"))
            return int(pages) * int(size)

    @contextlib.contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Statements that only read; not a transaction of their own."""
        with self._lock, explain(self._folder):
            yield self._raw

    @contextlib.contextmanager
    def writing(self, *, wait: bool = True) -> Generator[sqlite3.Connection]:
        """One transaction: everything inside happens, or nothing.

        Args:
            wait: for another process that is writing, as long as the time-out.

        Raises:
            LibraryBusyError: another process kept writing for longer than that.
            DiskFullError: nothing of it was written.
            LibraryError: the library is gone.
        """
        with self._lock, explain(self._folder):
            self._check_writable()
            self._begin(wait=wait)
            try:
                yield self._raw
                self._raw.execute("COMMIT")
            except BaseException:
                self.rollbacks += 1
                if self._raw.in_transaction:
                    self._raw.execute("ROLLBACK")
                raise

    def _begin(self, *, wait: bool) -> None:
        if wait:
            self._raw.execute("BEGIN IMMEDIATE")
            return
        (patience,) = self._raw.execute("PRAGMA busy_timeout").fetchone()
        self._raw.execute("PRAGMA busy_timeout = 0")
        try:
            self._raw.execute("BEGIN IMMEDIATE")
        finally:
            self._raw.execute(f"PRAGMA busy_timeout = {patience}")

    @contextlib.contextmanager
    def unsynced(self, *, wait: bool = True) -> Generator[sqlite3.Connection]:
        """As :meth:`writing`, but a power cut may take it away until the next commit; a killed process does not."""
        with self._lock, explain(self._folder):
            self._raw.execute("PRAGMA synchronous = NORMAL")
            try:
                with self.writing(wait=wait) as db:
                    yield db
            finally:
                self._raw.execute("PRAGMA synchronous = FULL")

    def vacuum(self) -> None:
        """Build the whole file anew; not inside a transaction."""
        with self.reading() as db:
            db.execute("PRAGMA temp_store = FILE")  # a library may be larger than the memory
            try:
                db.execute("VACUUM")
            finally:
                db.execute("PRAGMA temp_store = MEMORY")

    def flush_log(self) -> bool:
        """Move everything from the write-ahead log into the database and empty the log; False while others read."""
        with self._lock, explain(self._folder):
            (busy, _, _) = self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not busy

    def _check_writable(self) -> None:
        if self._refusal is not None:
            raise self._refusal
        # SQLite goes on writing into a file that was deleted or whose disk was taken away, and says nothing.
        if not self._file.exists():
            raise LibraryError(
                f"The library {self._folder} was deleted or moved while it was open; nothing more can be saved in it.",
                hint="Put the folder back, or choose another with --library.",
            )

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        with self._lock:
            self._raw.close()


@contextlib.contextmanager
def explain(folder: Path) -> Generator[None]:
    """Translate SQLite's errors, and the OS's about the library's files.

    Raises:
        LibraryBusyError: another process holds the database.
        DiskFullError: no space left.
        LibraryError: anything else, with SQLite's words as details.
    """
    try:
        with disk_errors(folder):
            yield
    except sqlite3.DatabaseError as error:
        raise _explained(error, folder) from error
    except TimeoutError:
        raise  # a lock that is taken is an answer, not a fault
    except OSError as error:
        refused = isinstance(error, PermissionError)
        what = "may not be read or written" if refused else f"could not be used: {error.strerror or error}"
        raise LibraryError(
            f"The library {folder} {what}.",
            details=str(error),
            hint=f"Check the permissions of {error.filename or folder}, or choose another library with --library.",
        ) from error


def _explained(error: sqlite3.DatabaseError, folder: Path) -> DemopackError:
    text, details = str(error).lower(), str(error)
    if "locked" in text or "busy" in text:
        return LibraryBusyError(
            f"Another program is writing to the library {folder}.",
            details=details,
            hint="Wait until it is done, or close it, and try again.",
        )
    # Where there is no room even for its helper files, SQLite speaks of an I/O error only.
    no_room = "i/o error" in text and folder.is_dir() and shutil.disk_usage(folder).free < _HELPER_FILES
    if "full" in text or no_room:
        return DiskFullError(
            f"The disk that holds {folder} is full; everything saved so far is safe.",
            details=details,
            hint="Make room and try again.",
        )
    repair = _REPAIR.format(folder=folder)
    if "malformed json" in text or "decode to utf-8" in text:
        return LibraryError(f"A record in the library {folder} is damaged.", details=details, hint=repair)
    if any(sign in text for sign in ("not a database", "malformed", "no such table", "no such column")):
        what = f"{folder / _DATABASE} is damaged or is not a demopack library."
        return NotALibraryError(what, details=details, hint=repair)
    if "readonly" in text or "unable to open" in text:
        return _cannot_be_written(folder, details=details)
    return LibraryError(
        f"The library {folder} could not be used ({error}).",
        details=details,
        hint="Check the disk it lies on, or choose another with --library.",
    )


def _cannot_be_written(folder: Path, *, details: str = "") -> LibraryError:
    return LibraryError(
        f"The library {folder} cannot be written.",
        details=details,
        hint="Check the folder's permissions, or choose another with --library.",
    )


def open_database(folder: Path, *, create: bool, timeout_s: float, name: str = _DATABASE) -> Connection:
    """Open a library's database and bring it up to date.

    Args:
        folder: the library.
        name: of the file in it; one of another name has the same tables and lies beside the library's own.
        create: make a new library where the folder is empty or missing, or holds nothing but an empty file, which
            another program may just have begun.
        timeout_s: how long a write waits for another process.

    Raises:
        NotALibraryError: the folder holds something else, or no library and ``create`` is false.
        NewerVersionError: a newer demopack wrote it.
        LibraryBusyError: another process holds it.
    """
    file = folder / name
    try:
        with explain(folder):
            if not file.exists() and name != _DATABASE:
                make_private_file(file)
            elif not file.exists():
                _check_new(folder, create=create)
            elif not file.stat().st_size and name == _DATABASE:
                _check_empty(file, create=create)
            if file.exists() and not _writable(file):
                return _open_to_read(file, timeout_s, _cannot_be_written(folder))
            raw = _connect(str(file), timeout_s)
            try:
                connection = Connection(raw, folder, name=name)
                _prepare(raw, connection, file)
                return connection
            except BaseException:
                raw.close()
                raise
    except DiskFullError as full:
        try:
            return _open_to_read(file, timeout_s, full)
        except (sqlite3.Error, LibraryError):
            raise full from None


def _connect(name: str, timeout_s: float, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(name, timeout=timeout_s, isolation_level=None, check_same_thread=False, uri=uri)


def _writable(file: Path) -> bool:
    return os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)


def _open_to_read(file: Path, timeout_s: float, refusal: DemopackError) -> Connection:
    """A library where we cannot write: on a read-only or full disk, or somebody else's."""
    log = file.with_name(file.name + "-wal")
    # SQLite wants to write beside the file even for reading, unless it is promised that nobody changes it. With a log
    # beside it there is somebody who may, or a crash whose last steps are in the log: then the promise would be a lie.
    promise = "" if log.exists() and log.stat().st_size else "&immutable=1"
    raw = _connect(f"{file.absolute().as_uri()}?mode=ro{promise}", timeout_s, uri=True)
    try:
        if not _version(raw, file):
            raise NotALibraryError(f"{file} is empty.", hint="Choose another folder with --library.")
        return Connection(raw, file.parent, refusal=refusal)
    except BaseException:
        raw.close()
        raise


def _check_empty(file: Path, *, create: bool) -> None:
    """An empty file is how a library begins, and how one ends on a disk that failed: what lies beside it may tell.

    Raises:
        NotALibraryError: there was a library, or ``create`` is false.
    """
    if beside := _beside_empty(file):
        raise NotALibraryError(
            f"{file} is empty, but there was a library: beside it lies {', '.join(beside[:3])}.",
            hint=f"Restore library.db from a backup. {_REPAIR.format(folder=file.parent)}",
        )
    if not create:
        raise _no_demo(file)


def _beside_empty(file: Path) -> list[str]:
    """Names of what lies beside an empty file and is not of a library that is just being made."""
    being_made = {file.name, *(f"{file.name}-{ending}" for ending in ("journal", "shm"))}
    beside = sorted(path.name for path in file.parent.iterdir() if path.name not in being_made)
    log = file.with_name(f"{file.name}-wal")
    if log.name in beside and not log.stat().st_size:
        beside.remove(log.name)
    return beside


def _no_demo(file: Path) -> NotALibraryError:
    return NotALibraryError(
        f"{file} is empty: there is no demo in it.",
        hint="If there were any, put a copy of it back; else delete it: the next recording makes a new library.",
    )


def _check_new(folder: Path, *, create: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotALibraryError(f"{folder} is a file, not a library.", hint="Name a folder with --library.")
    if folder.exists() and any(path.name != TEMPLATES for path in folder.iterdir()):
        raise NotALibraryError(
            f"{folder} is not a demopack library: it holds other files.",
            hint="Name an empty or a new folder.",
        )
    if not create:
        raise NotALibraryError(
            f"There is no library in {folder}.", hint="Record something first, or name another folder."
        )
    try:
        with disk_errors(folder):
            make_private_folder(folder)
            make_private_file(folder / _DATABASE)  # SQLite gives its helper files the same rights
    except PermissionError as error:
        raise LibraryError(
            f"The library folder {folder} cannot be made.",
            details=str(error),
            hint="Check the permissions, or choose another folder with --library.",
        ) from error


def _version(raw: sqlite3.Connection, file: Path) -> int:
    """The schema version of the library in the file; 0 where there is nothing at all in it yet."""
    tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "meta" not in tables:
        hint = _REPAIR.format(folder=file.parent) if {"entities", "demos"} <= tables else "Choose another folder."
        raise NotALibraryError(f"{file} is a database, but not a demopack library.", hint=hint)
    return _checked_version(raw, file) if "meta" in tables else 0


def _checked_version(raw: sqlite3.Connection, file: Path) -> int:
    """The version of the schema, which can be read.

    Raises:
        NewerVersionError: we do not know it yet.
        NotALibraryError: the file does not say, or is of something else.
    """
    meta: dict[str, bytes] = dict(raw.execute("SELECT key, CAST(value AS BLOB) FROM meta").fetchall())
    if meta.get("format", b"").decode(errors="replace") != FORMAT:
        raise NotALibraryError(
            f"{file} is a database, but not a demopack library.",
            hint=f"Choose another folder. If it was one: {_REPAIR.format(folder=file.parent)}",
        )
    text = meta.get("schema_version", b"").decode(errors="replace")
    if not text.isdecimal() or ("erasures" not in meta and int(text) >= OLDEST_VERSION):
        raise NotALibraryError(
            f"{file} is damaged: it does not say which version wrote it.", hint=_REPAIR.format(folder=file.parent)
        )
    if int(text) > SCHEMA_VERSION:
        raise NewerVersionError(
            f"The library {file.parent} was written by a newer demopack.",
            hint="Update demopack, then open it again.",
        )
    if int(text) < OLDEST_VERSION:
        raise LibraryError(
            f"The library {file.parent} was written by an early trial version, which is no longer read.",
            hint="Export its demos as packs with the version that recorded them, and import these.",
        )
    return int(text)


def find_problem(file: Path) -> str:
    """What is wrong with a library's file as a file, in a few words; empty where SQLite can read all of it.

    The file and its log are not changed. Reads all of it: about a second for each 500 MB.

    Raises:
        NewerVersionError: a newer demopack wrote it.
        NotALibraryError: it is a sound database of something else, or empty, and nothing beside it is of a library.
        LibraryBusyError: another process keeps it locked.
    """
    if not file.stat().st_size:
        if not _beside_empty(file):
            raise _no_demo(file)
        return "it is empty"
    try:
        with contextlib.closing(_connect(f"{file.absolute().as_uri()}?mode=ro", 10.0, uri=True)) as raw:
            wrong = str(raw.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if wrong != "ok":
                return wrong.removeprefix("*** in database main ***").strip()
            tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not {"meta", "demos", "entities"} & tables:
                raise NotALibraryError(
                    f"{file} is a database, but not a demopack library.", hint="Choose another folder."
                )
            return _missing(raw, file)
    except sqlite3.DatabaseError as error:
        if "locked" in str(error) or "busy" in str(error):
            raise
        return str(error)


def _missing(raw: sqlite3.Connection, file: Path) -> str:
    """Which tables of a library are not there, or not as they have to be."""
    try:
        _checked_version(raw, file)
    except LibraryError as error:
        return error.user_message
    for name, columns in COLUMNS.items():
        found = [row[1] for row in raw.execute(f"PRAGMA table_info({name})")]
        if tuple(found) != columns:
            return f"the table {name} is not as it has to be"
    return ""


def _prepare(raw: sqlite3.Connection, connection: Connection, file: Path) -> None:
    version = _version(raw, file)
    if not version:
        # An empty file may have been made by anybody. Where its rights cannot be changed, `demopack doctor` tells.
        with contextlib.suppress(PermissionError):
            file.chmod(0o600)
        raw.execute("PRAGMA page_size = 8192")  # tiles of some KB leave less empty space in these than in smaller ones
    raw.execute("PRAGMA journal_mode = WAL")
    # What is deleted is overwritten; demopack.store.erasing does the rest.
    raw.execute("PRAGMA secure_delete = ON")
    raw.execute("PRAGMA temp_store = MEMORY")  # nothing of it in the system's folder for temporary files
    # FULL: a commit is on the disk when it returns; one per step is cheap, and it is what "saved" means.
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    if version == SCHEMA_VERSION:
        return
    with connection.writing() as db:
        version = _version(db, file)  # of two programs that open a library at once, one has done it
        if not version:
            create_tables(db)
        elif version < SCHEMA_VERSION:
            from demopack.store.migrations import migrate

            migrate(db, version)
            db.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(SCHEMA_VERSION),))
            note_migrations(db)
