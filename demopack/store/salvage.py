"""Builds a library anew from what can be read of a damaged ``library.db``."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from demopack.clock import utc_now
from demopack.domain.edits import Edit
from demopack.domain.records import Record
from demopack.domain.words import counted
from demopack.errors import DemopackError
from demopack.store.connection import open_database
from demopack.store.entities import compact
from demopack.store.missing_records import ListedDemo, MissingRecords, find_losses, listed, put_heads_back
from demopack.store.schema import MIGRATIONS, SCHEMA_VERSION
from demopack.store.sqlite_pages import PageFile, RawRow, RawText, RawValue

_COLUMNS: Final[Mapping[str, str]] = {
    "demos": "tti",
    "tiles": "ib",
    "frames": "itiiib",
    "film": "titt",
    "entities": "tttit",
    "originals": "tttit",
    "log": "tittTTt",
    "listing": "ttiiiiTiiiittt",
}
"""Each table's columns: text, integer or bytes; a capital may be NULL. The listing is not copied but counted anew."""
_TYPES: Final[Mapping[str, type]] = {"t": RawText, "T": RawText, "i": int, "b": bytes}
_KEYED: Final = frozenset({"tiles", "frames"})
"""Tables whose first column is the row id."""
_OF_FORM: Final = 2
"""So many migrations made the tables as they are; later ones change what is in rows, and raise the version by one."""


class FileRepair(Record):
    """What was done to the file.

    Attributes:
        sound: nothing was wrong with it, and nothing was done.
        kept: the damaged file, as it was; empty where it was sound.
        demos: in the new library.
        steps: likewise.
        pictures: likewise, those that are whole.
        lost_pictures: that steps and timelines show and that are not there, or not whole.
        records_lost: rows that made no sense in their table, or stood there twice.
        problem: what was wrong.
        losses: what demos lack.
        pages: that the file should have had; 0 where nobody knows.
        missing_pages: of them, at its end.
        counted: whether the list of demos said of each demo how much there was.
    """

    sound: bool
    kept: str = ""
    demos: int = 0
    steps: int = 0
    pictures: int = 0
    lost_pictures: int = 0
    records_lost: int = 0
    problem: str = ""
    losses: tuple[MissingRecords, ...] = ()
    pages: int = 0
    missing_pages: int = 0
    counted: bool = True

    @property
    def lossless(self) -> bool:
        """Nothing was lost, as far as anybody can know."""
        return not (self.missing_pages or self.lost_pictures or self.records_lost or self.losses)


def salvage(file: Path, folder: Path) -> FileRepair:
    """Make a new library of what can be read in a damaged file; what is in it is still to be counted.

    Args:
        file: the damaged ``library.db``, with its log beside it; neither is changed.
        folder: empty; the new library is made in it.

    Raises:
        DiskFullError: there is no room for it.
    """
    source = PageFile(file)
    cut_off = f"{source.missing} of {counted(source.wanted, 'page')}" if source.missing else ""
    connection = open_database(folder, create=True, timeout_s=10.0)
    try:
        with connection.writing() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")
            rows = _RowWriter(db)
            _fill(rows, source)
            put_heads_back(db, rows.listed)
            _claim_strays(db)
            losses = find_losses(db, rows.listed, cut_off=cut_off)
            all_counted = all(demo in rows.listed for (demo,) in db.execute("SELECT id FROM demos"))
            # Row ids are remembered by nobody yet, but counts must never run backwards for those who remember them.
            db.execute("UPDATE meta SET value = ? WHERE key = 'erasures'", (str(_erasures(source) + 1),))
            _leave_migrations(db, source)
        connection.flush_log()
        with connection.reading() as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, that can be renamed
    finally:
        connection.close()
    return FileRepair(
        sound=False,
        records_lost=rows.refused,
        losses=tuple(losses),
        pages=source.wanted,
        missing_pages=source.missing,
        counted=all_counted,
    )


class _RowWriter:
    """Puts rows of a damaged file into the tables of a new library.

    Attributes:
        refused: rows that make no sense in their table, or that stand there twice.
        listed: what the list of demos said, by demo: it is kept nowhere, but tells what has to be there.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.refused = 0
        self.listed: dict[str, ListedDemo] = {}

    def insert(self, table: str, rows: Iterable[RawRow]) -> None:
        """Store those that fit and are not there yet, and count the others."""
        columns = _COLUMNS[table]
        marks = ", ".join("CAST(? AS TEXT)" if column in "tT" else "?" for column in columns)
        query = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608 - our names and marks
        for row in rows:
            if not _fits(table, row):
                self.refused += 1
                continue
            values: list[object] = [value.data if isinstance(value, RawText) else value for value in row[1]]
            if table in _KEYED:
                values[0] = row[0]
            self.refused += not self.db.execute(query, values).rowcount

    def note_listed(self, row: RawRow) -> None:
        """What a row says, if it is one of the list of demos."""
        if _fits("listing", row):
            demo, head = (str(value) for value in row[1][:2])
            steps, elements, rejected = (cast("int", row[1][place]) for place in (2, 7, 10))
            said = listed(head, steps, elements, rejected, demo=demo)
            if said is not None:
                self.listed.setdefault(demo, said)


def _fits(table: str, row: RawRow) -> bool:
    columns, values = _COLUMNS[table], row[1]
    if len(values) != len(columns):
        return False
    if table in _KEYED:
        if values[0] is not None:
            return False
        columns, values = columns[1:], values[1:]
    return all(
        column.isupper() if value is None else isinstance(value, _TYPES[column])
        for column, value in zip(columns, values, strict=True)
    )


def _fill(rows: _RowWriter, source: PageFile) -> None:
    roots, seen = source.tables(), set[int]()
    for root in (1, *(roots[name] for name in ("meta", "_sqlite_migrations") if name in roots)):
        for _ in source.rows(root, seen):
            pass
    for row in source.rows(roots["listing"], seen) if "listing" in roots else ():
        rows.note_listed(row)
    for table in _COLUMNS:
        if table in roots and table != "listing":
            rows.insert(table, source.rows(roots[table], seen))
    lost: dict[int, list[RawRow]] = {}
    for top, row in source.lost_rows(seen):
        if _fits("tiles", row):  # many, and large: each as it comes
            rows.insert("tiles", [row])
        else:
            lost.setdefault(top, []).append(row)
    _place(rows, lost.values())


def _place(rows: _RowWriter, lost: Iterable[list[RawRow]]) -> None:
    """Rows without a table go where rows of their form belong."""
    twins: list[list[RawRow]] = []
    for some in lost:
        for row in some:
            rows.note_listed(row)
        for table in ("demos", "frames", "film", "log"):
            rows.insert(table, [row for row in some if _fits(table, row)])
        if entities := [row for row in some if _fits("entities", row)]:
            twins.append(entities)
    # What was recorded and what became of it have one form. The demo as it stands is larger, or knows the last edits.
    afters = set(_afters(rows.db)) if len(twins) > 1 else set[str]()
    twins.sort(key=lambda some: (len(some), sum(str(row[1][4]) in afters for row in some)), reverse=True)
    refused = rows.refused
    for some in twins:
        rows.insert("entities", some)
    for some in reversed(twins):
        rows.insert("originals", some)
    rows.refused = refused  # each was offered to both tables, and nothing is lost where one has it already


def _afters(db: sqlite3.Connection) -> Iterator[str]:
    """What edits made of entities, as it is stored."""
    for (data,) in db.execute("SELECT CAST(edit AS BLOB) FROM log WHERE edit IS NOT NULL"):
        with contextlib.suppress(ValueError, DemopackError):
            for change in Edit.model_validate_json(data).changes:
                if change.after is not None:
                    yield compact(change.after)


def _claim_strays(db: sqlite3.Connection) -> None:
    """A demo whose row is gone gets a new one; its head, if it is left, says when it was made."""
    for (demo,) in db.execute(_STRAYS).fetchall():
        (created,) = db.execute(_CREATED, (demo,)).fetchone() or (None,)
        row = (demo, created or utc_now().isoformat())
        db.execute("INSERT INTO demos (id, created_at) VALUES (?, ?)", row)


_STRAYS: Final = """
SELECT demo FROM entities UNION SELECT demo FROM originals UNION SELECT demo FROM log UNION SELECT demo FROM film
EXCEPT SELECT id FROM demos
"""
_CREATED: Final = """
SELECT CASE WHEN json_valid(json) THEN json_extract(json, '$.created_at') END FROM entities
WHERE demo = ? AND kind = 'head'
"""


def _leave_migrations(db: sqlite3.Connection, source: PageFile) -> None:
    """What the damaged library had not been through yet is still to come, when the new one is opened."""
    done = {str(values[2]) for values in _rows_of(source, "_sqlite_migrations") if len(values) == 4}
    left = [name for name in MIGRATIONS[_OF_FORM:] if name not in done]
    db.executemany("DELETE FROM _sqlite_migrations WHERE name = ?", [(name,) for name in left])
    db.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(SCHEMA_VERSION - len(left)),))


def _erasures(source: PageFile) -> int:
    meta = {str(values[0]): str(values[1]) for values in _rows_of(source, "meta") if len(values) == 2}
    return int(meta["erasures"]) if meta.get("erasures", "").isdecimal() else 0


def _rows_of(source: PageFile, table: str) -> list[tuple[RawValue, ...]]:
    root = source.tables().get(table)
    return [] if root is None else [values for _, values in source.rows(root, set())]
