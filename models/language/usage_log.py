"""The log of what was asked, paid and answered, in one file that survives a killed process; it is the cache, too.

Answers are found again by the content of their request (:func:`address_of`); of pictures the log keeps sizes alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import sqlite3
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from demopack.atomic import make_private_file, make_private_folder
from demopack.errors import BadInputError, LibraryError, NewerVersionError
from demopack.store.connection import Connection, explain
from models.language.port import TEMPERATURE, BudgetError, LanguageAnswer, LanguageRequest, PromptImage, Usage
from models.language.servers import Server

FILE: Final = "language.db"
_VERSION: Final = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS attempts (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, key TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,
  subject TEXT NOT NULL, characters INTEGER NOT NULL, pictures TEXT NOT NULL, outcome TEXT NOT NULL,
  input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0, cost REAL, seconds REAL);
CREATE TABLE IF NOT EXISTS total (id INTEGER PRIMARY KEY, cost REAL NOT NULL);
INSERT OR IGNORE INTO total VALUES (1, 0);
CREATE TRIGGER IF NOT EXISTS promised AFTER INSERT ON attempts
  BEGIN UPDATE total SET cost = cost + COALESCE(NEW.cost, 0); END;
CREATE TRIGGER IF NOT EXISTS settled AFTER UPDATE OF cost ON attempts
  BEGIN UPDATE total SET cost = cost + COALESCE(NEW.cost, 0) - COALESCE(OLD.cost, 0); END;
CREATE TABLE IF NOT EXISTS answers (
  key TEXT PRIMARY KEY, subject TEXT NOT NULL, prompt TEXT NOT NULL, model TEXT NOT NULL, value TEXT NOT NULL,
  input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost REAL) WITHOUT ROWID;
"""
_SENT: Final = "sent"
"""No outcome is known: under way, or the process ended first. It counts with the most it can have cost."""
_PENNY: Final = 1e-9
"""Dollars by which sums of fractions may be off."""


class UsageLog:
    """One file for one library; several processes may use it at once, and any thread.

    Attributes:
        file: the database: a row of its table ``attempts`` for everything that was sent, in order.
    """

    def __init__(self, folder: Path, *, now: Callable[[], datetime] | None = None) -> None:
        """Open or make the log of a folder.

        Raises:
            LibraryError: the folder cannot be written.
            NewerVersionError: a newer demopack wrote it.
        """
        self._now = now or (lambda: datetime.now(UTC))
        self.file = folder / FILE
        with explain(folder):
            make_private_folder(folder)
            make_private_file(self.file)
            raw = sqlite3.connect(self.file, timeout=30, isolation_level=None, check_same_thread=False)
            try:
                _prepare(raw, folder)
            except BaseException as error:
                raw.close()
                if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
                    raise LibraryError(
                        f"The answers of language models in {self.file} are damaged; the library beside it is not"
                        " touched.",
                        hint="Move the file away: a new one begins, and what was answered before is asked again.",
                    ) from error
                raise
        self._db = Connection(raw, folder, name=FILE)

    def reserve(
        self, request: LanguageRequest[Any], key: str, *, model: str, most: float, limits: Sequence[SpendingLimit]
    ) -> int:
        """Write down an attempt before it is sent.

        Args:
            request: what will be asked.
            key: its address, as :func:`address_of` has it.
            model: who is asked.
            most: dollars that it can cost; what costs nothing passes no limit.
            limits: none of them may be passed.

        Returns:
            The attempt's number.

        Raises:
            BudgetError: a limit could be passed; nothing was written down.
        """
        with self._db.unsynced() as db:
            for limit in limits:
                # The sum over everything is kept by triggers: a library may see hundreds of thousands of attempts.
                part = "SELECT TOTAL(cost) FROM attempts WHERE id > ?" if limit.after else "SELECT cost FROM total"
                (spent,) = db.execute(part, (limit.after,) if limit.after else ()).fetchone()
                if most and spent + most > limit.dollars + _PENNY:
                    raise BudgetError(
                        f"The budget of ${limit.dollars:g} for {limit.name} would be passed: ${spent:.4f} are spent or"
                        f" promised, and the next request may cost ${most:.4f}. It was not sent; every answer so far is"
                        " kept.",
                        hint="Raise it (setting language.budget for a library, --budget for one run), and go on.",
                    )
            row = (
                self._now().isoformat(timespec="milliseconds"), key, model, request.prompt, request.subject,
                sum(map(len, request.texts)), json.dumps([described(image) for image in request.images]), _SENT, most,
            )  # fmt: skip
            done = db.execute(
                "INSERT INTO attempts (at, key, model, prompt, subject, characters, pictures, outcome, cost)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            return int(done.lastrowid or 0)

    def settle(
        self, attempt: int, *, outcome: str, usage: Usage, seconds: float, answer: LanguageAnswer[str] | None = None
    ) -> None:
        """Write down how an attempt ended and what it cost; in the same transaction, store what it was answered.

        Args:
            attempt: its number.
            outcome: one word.
            usage: what this attempt took.
            seconds: how long it took.
            answer: the answer as JSON, with what all its attempts took.
        """
        # A killed process takes no transaction along, only a power cut does: what is not an answer can bear that.
        with self._db.unsynced() if answer is None else self._db.writing() as db:
            db.execute(
                "UPDATE attempts SET outcome = ?, input_tokens = ?, output_tokens = ?, cost = ?, seconds = ?"
                " WHERE id = ?",
                (outcome, usage.input_tokens, usage.output_tokens, usage.cost, round(seconds, 3), attempt),
            )
            if answer is not None:
                paid = answer.usage
                db.execute(
                    "INSERT OR REPLACE INTO answers"
                    " SELECT key, subject, prompt, ?, ?, ?, ?, ? FROM attempts WHERE id = ?",
                    (answer.model, answer.value, paid.input_tokens, paid.output_tokens, paid.cost, attempt),
                )

    def answer(self, key: str) -> LanguageAnswer[str] | None:
        """What was answered before as JSON, if anything."""
        with self._db.reading() as db:
            row = db.execute(
                "SELECT value, input_tokens, output_tokens, cost, model FROM answers WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        usage = Usage(input_tokens=row[1], output_tokens=row[2], cost=row[3])
        return LanguageAnswer(value=row[0], usage=usage, model=row[4], cached=True)

    def forget(self, subject: str) -> None:
        """Remove every answer about a demo or a step from the disk; what it cost stays in the sums.

        Args:
            subject: for instance ``demo_ab12``, which means all its steps, too.
        """
        with self._db.writing() as db:
            db.execute(
                "DELETE FROM answers WHERE subject = ? OR substr(subject, 1, ?) = ?",
                (subject, len(subject) + 1, f"{subject}/"),
            )
        self._db.flush_log()  # it holds old pages

    def last(self) -> int:
        """Number of the latest attempt; 0 when there is none."""
        with self._db.reading() as db:
            return int(db.execute("SELECT COALESCE(MAX(id), 0) FROM attempts").fetchone()[0])

    def close(self) -> None:
        """Close the file; calling it twice is harmless."""
        self._db.close()


def _prepare(db: sqlite3.Connection, folder: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > _VERSION:
        raise NewerVersionError(
            f"The answers of language models in {folder} were written by a newer demopack.",
            hint="Update demopack.",
        )
    for pragma in ("journal_mode = WAL", "secure_delete = ON", "synchronous = FULL"):
        db.execute(f"PRAGMA {pragma}")
    db.executescript(_TABLES)
    db.execute(f"PRAGMA user_version = {_VERSION}")


def forget_answers(folder: Path, *subjects: str) -> None:
    """As :meth:`UsageLog.forget`, of each, where there may be no log yet.

    Raises:
        LibraryError: the folder cannot be written.
    """
    if subjects and (folder / FILE).exists():
        with contextlib.closing(UsageLog(folder)) as log:
            for subject in subjects:
                log.forget(subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingLimit:
    """Dollars that attempts may cost together: all of the file, or those after one, and how a user calls that."""

    name: str
    dollars: float
    after: int = 0


_RULES: Final = 1
"""Raised when the same request would be sent in other words; older answers are then not taken any more."""
_OVERHEAD: Final = 400
"""Tokens that a service may add of its own: roles, names, the frame around a schema."""

_MESSAGE: Final = 10
"""Likewise, for each further message of a talk."""


def address_of(request: LanguageRequest[Any], server: Server) -> str:
    """SHA-256 over everything that decides the answer, hexadecimal."""
    content: dict[str, Any] = {
        "rules": _RULES, "model": server.name, "at": server.base_url, "prompt": request.prompt,
        "system": request.system, "parts": _addressed(request.parts), "schema": request.schema,
        "max_tokens": request.max_tokens, "temperature": TEMPERATURE,
    }  # fmt: skip
    if request.earlier:
        content["earlier"] = [[message.role, _addressed(message.parts)] for message in request.earlier]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _addressed(parts: Sequence[str | PromptImage]) -> list[str | dict[str, str]]:
    return [part if isinstance(part, str) else {"png": hashlib.sha256(part.png).hexdigest()} for part in parts]


def most_input(request: LanguageRequest[Any], server: Server) -> int:
    """Tokens that the question takes at most; no tokenizer makes more tokens than there are bytes.

    Raises:
        BadInputError: a picture is not a PNG file.
    """
    said = sum(len(text.encode()) for text in [*request.texts, json.dumps(request.schema)])
    said += _MESSAGE * len(request.earlier)
    return said + sum(most_tokens(image, model=server.model) for image in request.images) + _OVERHEAD


_HEAD = b"\x89PNG\r\n\x1a\n"
_PATCH = 28
"""Pixels; no service that bills by area uses smaller patches."""
_DEAREST = 2.5
"""The largest factor by which a service multiplies its patches."""
_LEAST = 1500
"""Tokens that some services take for any picture."""
_TILED = ("4o-mini", 2833, 5667, 512)
"""A family that bills tiles: name, tokens for any picture, tokens for a tile, its edge in pixels."""


def described(picture: PromptImage) -> dict[str, str | int]:
    """What the log keeps of a picture: what it shows, its size, and the beginning of its fingerprint."""
    width, height = _pixel_size(picture)
    return {
        "what": picture.what,
        "width": width,
        "height": height,
        "sha256": hashlib.sha256(picture.png).hexdigest()[:16],
    }


def most_tokens(picture: PromptImage, *, model: str) -> int:
    """How many tokens a picture takes at most, by the rules that services publish."""
    width, height = _pixel_size(picture)
    name, base, tile, edge = _TILED
    if name in model:
        shrink = min(1.0, 2048 / max(width, height))
        shrink = min(shrink, 768 / min(width, height)) if min(width, height) * shrink > 768 else shrink
        return base + tile * math.ceil(width * shrink / edge) * math.ceil(height * shrink / edge)
    return max(_LEAST, math.ceil(_DEAREST * math.ceil(width / _PATCH) * math.ceil(height / _PATCH)))


def _pixel_size(picture: PromptImage) -> tuple[int, int]:
    head = picture.png[:24]
    if len(head) < 24 or not head.startswith(_HEAD):
        raise BadInputError(f"The picture “{picture.what}” for the language model is not a PNG file.")
    width, height = struct.unpack(">II", head[16:24])
    if not width or not height:
        raise BadInputError(f"The picture “{picture.what}” for the language model is empty.")
    return int(width), int(height)
