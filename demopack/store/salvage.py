"""Builds a library anew from what can be read of a damaged ``library.db``, and tells what must have been lost.

What was on a page that cannot be read is gone without a trace in its own table. It is known from the counts in the list
of demos, from the other table that has each record, from the log of edits, and from how a recorder numbers steps.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pydantic_core import from_json

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead, DemoSummary
from demopack.domain.edits import Change, Edit
from demopack.domain.records import Record
from demopack.domain.steps import POSITION_GAP
from demopack.domain.words import counted
from demopack.errors import DemopackError
from demopack.store.connection import open_database
from demopack.store.entities import TABLES, UNKNOWN_MOMENT, compact, stand_in, write_entity
from demopack.store.record_repair import read_log
from demopack.store.schema import OLDEST_VERSION, SCHEMA_VERSION
from demopack.store.sqlite_pages import PageFile, RawRow, RawText

_MAX_COUNT: Final = 1_000_000
"""No demo has more steps or elements; a count above it is damaged itself."""


class MissingRecords(NamedTuple):
    """What a demo lacks.

    Attributes:
        demo: its id.
        steps: so many at least.
        elements: likewise.
        text: a sentence for the user.
    """

    demo: str
    steps: int
    elements: int
    text: str


def put_heads_back(db: sqlite3.Connection, known: Mapping[str, DemoSummary]) -> None:
    """Where a head is gone, the list of demos has it."""
    for demo, row in known.items():
        query = "SELECT 1 FROM entities WHERE demo = ? AND kind = 'head'"
        if not row.damage and db.execute(query, (demo,)).fetchone() is None:
            write_entity(db, demo, "head", demo, row.head.to_json(), tables=["entities"])


def find_losses(db: sqlite3.Connection, known: Mapping[str, DemoSummary], *, cut_off: str = "") -> list[MissingRecords]:
    """Look for what demos lack, and mark those as partial; part of the transaction that built the library anew.

    Args:
        db: the new library.
        known: what the list of demos said.
        cut_off: how much is missing at the end of the file, in words; empty where nothing is.
    """
    found: list[MissingRecords] = []
    for (demo,) in db.execute("SELECT id FROM demos ORDER BY created_at").fetchall():
        loss = _loss(db, demo, known.get(demo), cut_off)
        if loss is not None:
            found.append(loss)
            _mark(db, loss)
    return found


def _loss(db: sqlite3.Connection, demo: str, row: DemoSummary | None, cut_off: str) -> MissingRecords | None:
    changes = read_log(db, demo)
    there = {kind: _keys(db, "entities", demo, kind) for kind in ("step", "element")}
    lost = {kind: len(_expected(db, demo, kind, changes) - keys) for kind, keys in there.items()}
    uncertain = no_end = False
    if row is None:
        head = stand_in(db, demo)
        unused, no_end = _unused_places(db, head), _lacks_end(db, head)
        uncertain = unused > lost["step"]
        lost["step"] = max(lost["step"], unused, int(no_end))
    else:
        lost["step"] = max(lost["step"], row.steps - len(there["step"]))
        if not row.damage:
            lost["element"] = max(lost["element"], row.elements + row.elements_rejected - len(there["element"]))
    if cut_off and row is None and not there["step"] and not lost["step"]:
        told = (
            f"The end of the file of the library was missing ({cut_off}): how many steps this demo had cannot be known."
        )
        return MissingRecords(demo, 0, lost["element"], told)
    if not any(lost.values()):
        return None
    what = " and ".join(f"at least {counted(number, kind)}" for kind, number in lost.items() if number)
    told = f"The file of the library was damaged: {what} of this demo could not be saved"
    told += ", unless these were forgotten on purpose before" if uncertain and not no_end else ""
    told += ", its end among them" if no_end else ""
    return MissingRecords(demo, lost["step"], lost["element"], f"{told}.")


def _keys(db: sqlite3.Connection, table: str, demo: str, kind: str) -> set[bytes]:
    query = f"SELECT CAST(key AS BLOB) FROM {table} WHERE demo = ? AND kind = ?"  # noqa: S608 - a literal name
    return {key for (key,) in db.execute(query, (demo, kind))}


def _expected(db: sqlite3.Connection, demo: str, kind: str, changes: Iterable[Change] | None) -> set[bytes]:
    """What was recorded, and what edits made of that. Where the log cannot be read nobody knows what they removed."""
    if changes is None:
        return set()
    expected = _keys(db, "originals", demo, kind)
    for change in changes:
        if change.kind == kind:
            (expected.discard if change.after is None else expected.add)(change.key.encode())
    return expected


def _unused_places(db: sqlite3.Connection, head: DemoHead) -> int:
    """How many steps were recorded between those that are there; those that were forgotten meanwhile do not count."""
    query = "SELECT position FROM originals WHERE demo = ? AND kind = 'step' ORDER BY position"
    places = [place for (place,) in db.execute(query, (head.id,))]
    if not places or any(place % POSITION_GAP or place <= 0 for place in places):
        return 0  # another program numbered them
    gaps = int(places[-1]) // POSITION_GAP - len(set(places))
    return max(0, gaps - head.counters.steps_forgotten)


def _lacks_end(db: sqlite3.Connection, head: DemoHead) -> bool:
    """Whether a recording that was stopped lacks, in both places, the step with which each of them ends."""
    if head.status != "complete" or head.outcome is None:
        return False
    for table in TABLES:
        query = "SELECT CAST(json AS BLOB) FROM {} WHERE demo = ? AND kind = 'step' ORDER BY position DESC LIMIT 1"
        row = db.execute(query.format(table), (head.id,)).fetchone()
        try:
            if row is not None and json.loads(row[0])["action"]["action_type"] == "finish_goal":
                return False
        except (ValueError, LookupError, TypeError):
            return False  # it cannot be read, and that is told when records are mended
    return True


def _mark(db: sqlite3.Connection, loss: MissingRecords) -> None:
    if not any(_keys(db, table, loss.demo, "head") for table in TABLES):
        # What is known of a head that is gone from both tables: a demo without one could not say what it lacks.
        heads = [change.after for change in read_log(db, loss.demo) or () if change.kind == "head" and change.after]
        unknown = {"missing": "Task, application and outcome are not known any more."}
        head = heads[-1] if heads else stand_in(db, loss.demo).model_copy(update=unknown).to_json()
        write_entity(db, loss.demo, "head", loss.demo, head)
    for table in TABLES:
        db.execute(
            f"UPDATE {table} SET json = json_set(json, '$.status', 'partial', '$.accepted', json('false'), "  # noqa: S608
            "'$.missing', trim(coalesce(json_extract(json, '$.missing'), '') || ' ' || ?)) "
            "WHERE demo = ? AND kind = 'head' AND json_valid(json)",
            (loss.text, loss.demo),
        )


_COLUMNS: Final[Mapping[str, str]] = {
    "demos": "tti",
    "tiles": "ib",
    "frames": "itiiib",
    "trees": "itb",
    "film": "titt",
    "entities": "tttit",
    "originals": "tttit",
    "log": "tittTTt",
    "listing": "ttt",
    "listing before": "ttiiiiTiiiittt",
}
"""Each table's columns: text, integer or bytes; a capital may be NULL. The listing is not copied but counted anew; it
had other columns before."""
_TYPES: Final[Mapping[str, type]] = {"t": RawText, "T": RawText, "i": int, "b": bytes}
_KEYED: Final = frozenset({"tiles", "frames", "trees"})
"""Tables whose first column is the row id."""


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
    with contextlib.closing(open_database(folder, create=True, timeout_s=10.0)) as connection:
        with connection.writing() as db:
            db.execute("PRAGMA defer_foreign_keys = ON")
            rows = _RowWriter(db)
            _fill(rows, source)
            put_heads_back(db, rows.listed)
            _claim_strays(db)
            losses = find_losses(db, rows.listed, cut_off=cut_off)
            all_counted = all(demo in rows.listed for (demo,) in db.execute("SELECT id FROM demos"))
            _keep_meta(db, source)
        connection.flush_log()
        with connection.reading() as db:
            db.execute("PRAGMA journal_mode = DELETE")  # one file, that can be renamed
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
        self.listed: dict[str, DemoSummary] = {}

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
        """Remember what a row says, if it is one of the list of demos."""
        with contextlib.suppress(ValueError, DemopackError):
            said = _listed(row)
            if said is None or said.head.id != str(row[1][0]):
                return
            if all(0 <= number <= _MAX_COUNT for number in (said.steps, said.elements, said.elements_rejected)):
                self.listed.setdefault(said.head.id, said)


def _listed(row: RawRow) -> DemoSummary | None:
    if _fits("listing", row):
        return DemoSummary.model_validate_json(str(row[1][1]))
    if not _fits("listing before", row):
        return None
    demo, head, steps, *_ = row[1]
    elements, rejected = row[1][7], row[1][10]
    numbers = {"steps": steps, "elements": elements, "elements_rejected": rejected, "rationales": 0, "approved": 0}
    if str(head):
        return DemoSummary.model_validate({"head": from_json(str(head)), "first_frame": None, **numbers})
    unknown = DemoHead(id=str(demo), created_at=UNKNOWN_MOMENT)
    return DemoSummary.model_validate({"head": unknown, "first_frame": None, "damage": "unknown", **numbers})


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
        for table in ("demos", "frames", "trees", "film", "log"):
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


def _keep_meta(db: sqlite3.Connection, source: PageFile) -> None:
    """What has to go on from where the damaged library was."""
    root = source.tables().get("meta")
    rows = [] if root is None else [values for _, values in source.rows(root, set()) if len(values) == 2]
    meta = {str(key): str(value) for key, value in rows}
    # Row ids are remembered by nobody yet, but counts must never run backwards for those who remember them.
    erasures = int(meta["erasures"]) if meta.get("erasures", "").isdecimal() else 0
    db.execute("UPDATE meta SET value = ? WHERE key = 'erasures'", (str(erasures + 1),))
    if meta.get("schema_version") != str(SCHEMA_VERSION):
        # Its rows are as they were, and are migrated when the new library is opened; twice does no harm.
        db.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(OLDEST_VERSION),))
