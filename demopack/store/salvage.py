"""Builds a library anew from what can be read of a damaged ``library.db``."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from demopack.clock import utc_now
from demopack.domain.edits import Edit
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


@dataclass(kw_only=True)
class SalvageReport:
    """What was found.

    Attributes:
        refused: rows that make no sense in their table, or that stand there twice.
        listed: what the list of demos said, by demo.
        losses: what is known to have been there and is not any more.
        pages: that there should be; 0 where nobody knows.
        missing_pages: of them, at the end of the file.
        counted: whether the list of demos said of each demo how much there was.
    """

    refused: int = 0
    listed: dict[str, ListedDemo] = field(default_factory=dict[str, ListedDemo])
    losses: list[MissingRecords] = field(default_factory=list[MissingRecords])
    pages: int = 0
    missing_pages: int = 0
    counted: bool = True


def salvage(file: Path, folder: Path) -> SalvageReport:
    """Make a new library of what can be read in a damaged file.

    Args:
        file: the damaged ``library.db``, with its log beside it; neither is changed.
        folder: empty; the new library is made in it.

    Raises:
        DiskFullError: there is no room for it.
    """
    source = PageFile(file)
    found = SalvageReport(pages=source.wanted, missing_pages=source.missing)
    cut_off = f"{source.missing} of {counted(source.wanted, 'page')}" if source.missing else ""
    connection = open_database(folder, create=True, timeout_s=10.0)
    try:
        with connection.writing() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")
            _fill(db, source, found)
            put_heads_back(db, found.listed)
            _claim_strays(db)
            found.losses = find_losses(db, found.listed, cut_off=cut_off)
            found.counted = all(demo in found.listed for (demo,) in db.execute("SELECT id FROM demos"))
            # Row ids are remembered by nobody yet, but counts must never run backwards for those who remember them.
            db.execute("UPDATE meta SET value = ? WHERE key = 'erasures'", (str(_erasures(source) + 1),))
            _leave_migrations(db, source)
        connection.flush_log()
        with connection.reading() as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, that can be renamed
    finally:
        connection.close()
    return found


def _fill(db: sqlite3.Connection, source: PageFile, found: SalvageReport) -> None:
    roots, seen = source.tables(), set[int]()
    for root in (1, *(roots[name] for name in ("meta", "_sqlite_migrations") if name in roots)):
        for _ in source.rows(root, seen):
            pass
    for row in source.rows(roots["listing"], seen) if "listing" in roots else ():
        _note_listed(row, found)
    for table in _COLUMNS:
        if table in roots and table != "listing":
            _insert(db, table, source.rows(roots[table], seen), found)
    lost: dict[int, list[RawRow]] = {}
    for top, row in source.lost_rows(seen):
        if _fits("tiles", row):  # many, and large: each as it comes
            _insert(db, "tiles", [row], found)
        else:
            lost.setdefault(top, []).append(row)
    _place(db, lost, found)


def _place(db: sqlite3.Connection, lost: Mapping[int, list[RawRow]], found: SalvageReport) -> None:
    """Rows without a table go where rows of their form belong."""
    twins: list[list[RawRow]] = []
    for rows in lost.values():
        for row in rows:
            _note_listed(row, found)
        for table in ("demos", "frames", "film", "log"):
            _insert(db, table, [row for row in rows if _fits(table, row)], found)
        if entities := [row for row in rows if _fits("entities", row)]:
            twins.append(entities)
    # What was recorded and what became of it have one form. The demo as it stands is larger, or knows the last edits.
    afters = set(_afters(db)) if len(twins) > 1 else set[str]()
    twins.sort(key=lambda rows: (len(rows), sum(str(row[1][4]) in afters for row in rows)), reverse=True)
    refused = found.refused
    for rows in twins:
        _insert(db, "entities", rows, found)
    for rows in reversed(twins):
        _insert(db, "originals", rows, found)
    found.refused = refused  # each was offered to both tables, and nothing is lost where one has it already


def _afters(db: sqlite3.Connection) -> Iterator[str]:
    """What edits made of entities, as it is stored."""
    for (data,) in db.execute("SELECT CAST(edit AS BLOB) FROM log WHERE edit IS NOT NULL"):
        with contextlib.suppress(ValueError, DemopackError):
            for change in Edit.model_validate_json(data).changes:
                if change.after is not None:
                    yield compact(change.after)


def _note_listed(row: RawRow, found: SalvageReport) -> None:
    """What the list of demos said is kept nowhere, but tells what has to be there."""
    if _fits("listing", row):
        demo, head, steps, _, _, _, _, elements, _, _, rejected, *_ = row[1]
        assert isinstance(steps, int)
        assert isinstance(elements, int)
        assert isinstance(rejected, int)
        said = listed(str(head), steps, elements, rejected, demo=str(demo))
        if said is not None:
            found.listed.setdefault(str(demo), said)


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


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[RawRow], found: SalvageReport) -> None:
    columns = _COLUMNS[table]
    marks = ", ".join("CAST(? AS TEXT)" if column in "tT" else "?" for column in columns)
    query = f"INSERT OR IGNORE INTO {table} VALUES ({marks})"  # noqa: S608 - our names and marks
    for row in rows:
        if not _fits(table, row):
            found.refused += 1
            continue
        values: list[object] = [value.data if isinstance(value, RawText) else value for value in row[1]]
        if table in _KEYED:
            values[0] = row[0]
        found.refused += not db.execute(query, values).rowcount


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
