"""Cache of what was found in files that did not change, so that a second check reads only what is new.

It lies in the user's cache folder, never in a pack. Keys are sums, so neither paths nor names of files are in it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from demopack import __version__
from demopack.pack.check.pictures import PictureFacts, PictureReference
from demopack.pack.rules import Finding
from demopack.pack.source import PackSource, chunks

_FORM: Final = f"1/{__version__}"
"""Part of every key: what another version found is not believed."""
_RACY_NS = 2_000_000_000
"""A file that was written this shortly before may be written again without a sign: some disks count in two seconds."""
_MAX_ROWS = 300_000


class CheckCache:
    """A file of keys and values. Where it cannot be read or written, everything is simply checked anew.

    Close it, or use ``with``: what is new is written then.

    Args:
        folder: where the file lies; made when needed.
        now_ns: the wall clock in nanoseconds.
    """

    def __init__(self, folder: Path, *, now_ns: Callable[[], int] = time.time_ns) -> None:
        self.now_ns = now_ns
        self._new: dict[str, str] = {}
        self._used: set[str] = set()
        self._db: sqlite3.Connection | None = None
        file = folder / "check.sqlite"
        try:
            self._db = _open(file)
        except sqlite3.DatabaseError:
            with contextlib.suppress(sqlite3.DatabaseError, OSError):
                file.unlink()  # damaged: it holds nothing that cannot be found again
                self._db = _open(file)
        except OSError:
            pass

    def get(self, key: str) -> str | None:
        """What was kept under a key; None for nothing."""
        row = None
        if self._db is not None:
            with contextlib.suppress(sqlite3.DatabaseError):
                row = self._db.execute("SELECT value FROM known WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        self._used.add(key)
        return str(row[0])

    def put(self, key: str, value: str) -> None:
        """Keep a value, from any thread; it is written with all others."""
        self._new[key] = value

    def close(self) -> None:
        """Write what is new, drop what was not used for longest where it became too much, and let go of the file."""
        if self._db is None:
            return
        day = self.now_ns() // 86_400_000_000_000
        with contextlib.suppress(sqlite3.DatabaseError), self._db:
            rows = [(key, value, day) for key, value in self._new.items()]
            self._db.executemany("INSERT OR REPLACE INTO known VALUES (?, ?, ?)", rows)
            self._db.executemany("UPDATE known SET day = ? WHERE key = ? AND day < ?",
                                 [(day, key, day) for key in self._used])  # fmt: skip
            (rows_now,) = self._db.execute("SELECT count(*) FROM known").fetchone()
            if rows_now > _MAX_ROWS:
                self._db.execute(
                    "DELETE FROM known WHERE key IN (SELECT key FROM known ORDER BY day LIMIT ?)",
                    (rows_now - _MAX_ROWS // 2,),
                )
        self._db.close()
        self._db = None

    def __enter__(self) -> CheckCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(file, timeout=5)
    try:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE IF NOT EXISTS known (key TEXT PRIMARY KEY, value TEXT, day INTEGER)")
    except BaseException:
        db.close()  # on Windows a file that is open cannot be deleted
        raise
    return db


class PackMemory:
    """What is known of one pack.

    Attributes:
        files: how many were asked about.
        unchanged: of these, known from before.
    """

    def __init__(self, cache: CheckCache | None, source: PackSource) -> None:
        self.files = 0
        self.unchanged = 0
        self._cache = cache
        self._source = source

    def recall(self, *, publish: bool, names: Sequence[str]) -> list[Finding] | None:
        """What an earlier check found, where no file has changed since; None otherwise."""
        text = self._get("all", self._source.names(), str(publish), *names)
        if text is None:
            return None
        self.files = self.unchanged = len(self._source.names())
        return [Finding(**one) for one in json.loads(text)]

    def remember(self, found: Sequence[Finding], *, publish: bool, names: Sequence[str]) -> None:
        """Keep what a check found."""
        text = json.dumps([one.to_json() for one in found], ensure_ascii=False)
        self._put(text, "all", self._source.names(), str(publish), *names)

    def sha256(self, name: str) -> str:
        """SHA-256 of a file, hex.

        Raises:
            PackError: it is missing or damaged.
        """
        self.files += 1
        known = self._get("sum", [name])
        if known is not None:
            self.unchanged += 1
            return known
        digest = hashlib.sha256()
        for block in chunks(self._source, name):
            digest.update(block)
        self._put(digest.hexdigest(), "sum", [name])
        return digest.hexdigest()

    def known(self, picture: PictureReference) -> PictureFacts | None:
        """What is known about a picture that did not change."""
        self.files += 1
        text = self._get("facts", [picture.file], *_asked(picture))
        try:
            facts = None if text is None else PictureFacts.model_validate_json(text)
        except ValidationError:
            return None  # damaged on the disk: the picture is looked at again
        self.unchanged += facts is not None
        return facts

    def keep(self, picture: PictureReference, facts: PictureFacts) -> None:
        """Remember what was found in a picture; from any thread."""
        self._put(facts.model_dump_json(), "facts", [picture.file], *_asked(picture))

    def _get(self, what: str, names: Sequence[str], *more: str) -> str | None:
        key = self._key(what, names, *more)
        return None if key is None or self._cache is None else self._cache.get(key)

    def _put(self, value: str, what: str, names: Sequence[str], *more: str) -> None:
        key = self._key(what, names, *more)
        if key is not None and self._cache is not None:
            self._cache.put(key, value)

    def _key(self, what: str, names: Sequence[str], *more: str) -> str | None:
        """None where one of the files may still be changing, or nothing is remembered."""
        parts = [_FORM, what, str(self._source.path.absolute()), *more]
        for name in names:
            signature = self._signature(name)
            if signature is None:
                return None
            parts += [name, signature]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def _signature(self, name: str) -> str | None:
        """What changes when a file is written; None where it cannot be relied on."""
        if self._cache is None or (size := self._source.size(name)) is None:
            return None
        path = self._source.file(name) or self._source.path
        try:
            found = path.stat()
        except OSError:
            return None
        newest = max(found.st_mtime_ns, found.st_ctime_ns)
        if self._cache.now_ns() - newest < _RACY_NS:
            return None
        return f"{size}/{found.st_size}/{found.st_mtime_ns}/{found.st_ctime_ns}/{found.st_ino}"


def _asked(picture: PictureReference) -> list[str]:
    return [str(bool(picture.id)), *(str(box) for box in sorted(picture.boxes))]
