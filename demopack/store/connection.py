"""Opens ``library.db``, and turns SQLite's complaints into sentences."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Generator
from pathlib import Path

from sqlite_utils import Database

from demopack.atomic import disk_errors
from demopack.errors import DiskFullError, LibraryBusyError, LibraryError, NewerVersionError, NotALibraryError
from demopack.store.schema import FORMAT, SCHEMA_VERSION, migrations

__all__ = ["Connection", "explain", "open_database"]

_DATABASE = "library.db"
_HELPER_FILES = 65536  # bytes that SQLite wants beside the database before it reads the first row


class Connection:
    """One SQLite connection that any thread may use, one at a time.

    The lock serialises whole transactions: SQLite's own thread checks are off because the capture thread writes steps
    while the store's worker reads, both through this object.
    """

    def __init__(self, raw: sqlite3.Connection, folder: Path) -> None:
        self._raw = raw
        self._folder = folder
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Statements that only read; not a transaction of their own."""
        with self._lock, explain(self._folder):
            yield self._raw

    @contextlib.contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """One transaction: everything inside happens, or nothing.

        Raises:
            LibraryBusyError: another process kept writing for longer than the time-out.
            DiskFullError: nothing of it was written.
            LibraryError: the library is gone.
        """
        with self._lock, explain(self._folder):
            self._check_there()
            self._raw.execute("BEGIN IMMEDIATE")
            try:
                yield self._raw
                self._raw.execute("COMMIT")
            except BaseException:
                if self._raw.in_transaction:
                    self._raw.execute("ROLLBACK")
                raise

    def _check_there(self) -> None:
        # SQLite goes on writing into a file that was deleted or whose disk was taken away, and says nothing.
        if not (self._folder / _DATABASE).exists():
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
        text = str(error).lower()
        if "locked" in text or "busy" in text:
            raise LibraryBusyError(
                f"Another program is writing to the library {folder}.",
                details=str(error),
                hint="Wait until it is done, or close it, and try again.",
            ) from error
        # Where there is no room even for its helper files, SQLite speaks of an I/O error only.
        if "full" in text or ("i/o error" in text and _is_full(folder)):
            raise DiskFullError(
                f"The disk that holds {folder} is full; everything saved so far is safe.",
                details=str(error),
                hint="Make room and try again.",
            ) from error
        if "not a database" in text or "malformed" in text:
            raise NotALibraryError(
                f"{folder / _DATABASE} is damaged or is not a demopack library.",
                details=str(error),
                hint="Choose another folder with --library, or restore the file from a backup.",
            ) from error
        if "readonly" in text or "unable to open" in text:
            raise LibraryError(
                f"The library {folder} cannot be written.",
                details=str(error),
                hint="Check the folder's permissions, or choose another with --library.",
            ) from error
        raise LibraryError(
            f"The library {folder} could not be used ({error}).",
            details=str(error),
            hint="Check the disk it lies on, or choose another with --library.",
        ) from error
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


def _is_full(folder: Path) -> bool:
    return folder.is_dir() and shutil.disk_usage(folder).free < _HELPER_FILES


def open_database(folder: Path, *, create: bool, timeout_s: float) -> Connection:
    """Open a library's database and bring it up to date.

    Args:
        folder: the library.
        create: make a new library where the folder is empty or missing.
        timeout_s: how long a write waits for another process.

    Raises:
        NotALibraryError: the folder holds something else, or nothing and ``create`` is false.
        NewerVersionError: a newer demopack wrote it.
        LibraryBusyError: another process holds it.
    """
    file = folder / _DATABASE
    with explain(folder):
        if not file.exists():
            _check_new(folder, create=create)
        raw = sqlite3.connect(file, timeout=timeout_s, isolation_level=None, check_same_thread=False)
        try:
            _prepare(raw, file)
        except BaseException:
            raw.close()
            raise
    return Connection(raw, folder)


def _check_new(folder: Path, *, create: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotALibraryError(f"{folder} is a file, not a library.", hint="Name a folder with --library.")
    if folder.exists() and any(folder.iterdir()):
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
            folder.mkdir(parents=True, exist_ok=True)
    except PermissionError as error:
        raise LibraryError(
            f"The library folder {folder} cannot be made.",
            details=str(error),
            hint="Check the permissions, or choose another folder with --library.",
        ) from error


def _prepare(raw: sqlite3.Connection, file: Path) -> None:
    tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "meta" not in tables:
        raise NotALibraryError(f"{file} is a database, but not a demopack library.", hint="Choose another folder.")
    if "meta" in tables:
        meta = dict(raw.execute("SELECT key, value FROM meta").fetchall())
        if meta.get("format") != FORMAT:
            raise NotALibraryError(f"{file} is a database, but not a demopack library.", hint="Choose another folder.")
        if int(meta.get("schema_version", "0")) > SCHEMA_VERSION:
            raise NewerVersionError(
                f"The library {file.parent} was written by a newer demopack.",
                hint="Update demopack, then open it again.",
            )
    raw.execute("PRAGMA journal_mode = WAL")
    # FULL: a commit is on the disk when it returns; one per step is cheap, and it is what "saved" means.
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA foreign_keys = ON")
    database = Database(raw, execute_plugins=False)
    if migrations.pending(database):
        migrations.apply(database)
