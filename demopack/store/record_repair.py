"""Mends the records of a library that cannot be read, each from what else is known of it.

A record lies in up to three places: as it stands, as it was recorded, and in the edits of the log. What is damaged in
one is taken from another; where only a field makes no sense and has a default, the field is left out. What cannot be
mended is set aside: it goes into a file of its own, and the demo can be opened again.
"""

from __future__ import annotations

import base64
import copy
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from pydantic import ValidationError

from demopack.domain.edits import MODELS, Change
from demopack.domain.frames import Frame
from demopack.domain.words import counted
from demopack.errors import DemopackError, LibraryError
from demopack.store.edit_log import UndoState, read_entries
from demopack.store.entities import (
    TABLES,
    UNKNOWN_MOMENT,
    StoredRecord,
    Table,
    compact,
    find_damage,
    parse_record,
    read_rows,
    stand_in,
    write_entity,
)
from demopack.store.erasing import count_erasure
from demopack.store.history import History, load_history, save_history
from demopack.store.timeline import PICTURE_ID, frames_named
from demopack.store.trees import read_tree

Json: TypeAlias = dict[str, Any]
Result: TypeAlias = Literal["mended", "changed", "lost"]
_Place: TypeAlias = tuple[str, str]
_MOMENTS: Final = frozenset({"at", "created_at"})
_FIELDS_LEFT_OUT: Final = 8
"""With more than these nothing is left of a record that would deserve its name."""


class RepairResult(NamedTuple):
    """One thing that was done.

    Attributes:
        demo: in which.
        result: ``mended``: nothing is missing; ``changed``: something is; ``lost``: it was set aside whole.
        text: a sentence for the user.
    """

    demo: str
    result: Result
    text: str


def find_damaged(db: sqlite3.Connection) -> list[str]:
    """The demos, deleted ones among them, of which any record cannot be read."""
    return [
        demo
        for (demo,) in db.execute("SELECT id FROM demos ORDER BY created_at").fetchall()
        if any(find_damage(read_rows(db, table, demo), demo) for table in TABLES)
        or read_log(db, demo) is None
        or any(True for _ in _damaged_keyframes(db, demo))
    ]


def read_log(db: sqlite3.Connection, demo: str) -> list[Change] | None:
    """What edits changed, in order, undoing and redoing included; None where the log is damaged."""
    try:
        entries = read_entries(db, demo, UndoState().fold(db, demo))
        return [change for entry in entries for change in entry.changes]
    except (DemopackError, ValidationError, KeyError, sqlite3.OperationalError):
        return None


def find_lost_trees(db: sqlite3.Connection) -> dict[str, set[str]]:
    """By demo, the accessibility trees that its steps name or named and that are missing or cannot be read."""
    named = {
        demo: frames_named(db, demo) - frames_named(db, demo, of=PICTURE_ID)
        for (demo,) in db.execute("SELECT id FROM demos ORDER BY created_at").fetchall()
    }
    lost: set[str] = set()
    for key in set[str]().union(*named.values()):
        try:
            read_tree(db, key)
        except LibraryError:
            lost.add(key)
    return {demo: keys & lost for demo, keys in named.items() if keys & lost}


def leave_out_trees(db: sqlite3.Connection, lost: Mapping[str, set[str]]) -> list[RepairResult]:
    """Have no step name trees that are lost; part of a transaction, once all records can be read.

    Args:
        db: the library.
        lost: see :func:`find_lost_trees`.
    """
    done: list[RepairResult] = []
    for demo, keys in lost.items():
        old = load_history(db, demo)
        new = copy.deepcopy(old)
        steps = sum(any(one["tree"] in keys for one in step.get("trees", ())) for step in _steps(old))
        new.replace("step", lambda step: _without_trees(step, keys))  # noqa: B023 - called at once
        save_history(db, old, new)
        text = f"{counted(len(keys), 'accessibility tree')} cannot be read; {counted(steps, 'step')} no longer name "
        done.append(RepairResult(demo, "changed", text + ("it." if len(keys) == 1 else "them.")))
    db.executemany("DELETE FROM trees WHERE id = ?", [(key,) for keys in lost.values() for key in keys])
    return done


def _steps(history: History) -> Iterator[Json]:
    return (data for (kind, _), data in history.now.items() if kind == "step")


def _without_trees(step: Json, lost: set[str]) -> Json:
    return {**step, "trees": [one for one in step.get("trees", ()) if one["tree"] not in lost]}


def _damaged_keyframes(db: sqlite3.Connection, demo: str) -> Iterator[tuple[int, bytes]]:
    for shown, data in db.execute("SELECT shown_ns, CAST(json AS BLOB) FROM film WHERE demo = ?", (demo,)).fetchall():
        try:
            Frame.model_validate_json(data)
        except (ValidationError, DemopackError):
            yield shown, data


class DemoRepair:
    """Makes a demo one that can be opened; part of a transaction of the caller's.

    Args:
        db: the library.
        demo: its id.
        aside: gets the rows as they were, before they are changed or removed: one JSON object each.
    """

    def __init__(self, db: sqlite3.Connection, demo: str, aside: list[Json]) -> None:
        self._db = db
        self._demo = demo
        self._aside = aside
        self._done: list[RepairResult] = []
        self._lost: list[str] = []

    def run(self) -> list[RepairResult]:
        """Do it: the log first, because the records are mended from it."""
        changes = self._repair_log()
        recorded = self._readable("originals")
        edited = {(change.kind, change.key) for change in changes or ()}
        newest: dict[_Place, Json | None] = {(change.kind, change.key): change.after for change in changes or ()}
        oldest: dict[_Place, Json | None] = {}
        for change in changes or ():
            oldest.setdefault((change.kind, change.key), change.before)
        untouched = {} if changes is None else {place: data for place, data in recorded.items() if place not in edited}
        self._repair_table("entities", [newest, untouched, recorded if changes is None else {}])
        now = {place: data for place, data in self._readable("entities").items() if place not in edited}
        self._repair_table("originals", [oldest, now])
        self._repair_head("originals")
        self._repair_head("entities")
        self._repair_timeline()
        if self._done:
            count_erasure(self._db)
        return self._done

    def _tell(self, result: Result, text: str) -> None:
        self._done.append(RepairResult(demo=self._demo, result=result, text=text))

    def _set_aside(self, table: str, key: str, data: bytes | None) -> None:
        """Keep a row, in a form that can hold any bytes."""
        raw = data or b""
        try:
            kept = {"text": raw.decode()}
        except UnicodeDecodeError:
            kept = {"base64": base64.b64encode(raw).decode()}
        self._aside.append({"table": table, "demo": self._demo, "key": key, **kept})

    # The log and the timeline -------------------------------------------------------------------------------------

    def _repair_log(self) -> list[Change] | None:
        changes = read_log(self._db, self._demo)
        if changes is not None:
            return changes
        for seq, data in self._db.execute(
            "SELECT seq, CAST(coalesce(edit, op) AS BLOB) FROM log WHERE demo = ? ORDER BY seq", (self._demo,)
        ).fetchall():
            self._set_aside("log", str(seq), data)
        self._db.execute("DELETE FROM log WHERE demo = ?", (self._demo,))
        self._tell(
            "lost", "Its history was damaged and was set aside: what was edited before cannot be undone any more."
        )
        return None

    def _repair_timeline(self) -> None:
        spoilt = list(_damaged_keyframes(self._db, self._demo))
        for shown, data in spoilt:
            self._set_aside("film", str(shown), data)
            self._db.execute("DELETE FROM film WHERE demo = ? AND shown_ns = ?", (self._demo, shown))
        if spoilt:
            were = "was" if len(spoilt) == 1 else "were"
            timeline = f"{counted(len(spoilt), 'picture')} of its film"
            self._tell("lost", f"{timeline} could not be read and {were} set aside.")

    # Records ------------------------------------------------------------------------------------------------------

    def _readable(self, table: Table) -> dict[_Place, Json | None]:
        rows = list(read_rows(self._db, table, self._demo))
        wrong = {row.raw for row in find_damage(rows, self._demo)}
        return {
            (row.kind, row.key): json.loads(row.data) for row in rows if row.raw not in wrong and row.kind != "parsed"
        }

    def _repair_table(self, table: Table, sources: Sequence[Mapping[_Place, Json | None]]) -> None:
        for row in find_damage(read_rows(self._db, table, self._demo), self._demo):
            if row.data:
                self._set_aside(table, f"{row.kind} {row.key}", row.data)
            others = (data for source in sources if (data := source.get((row.kind, row.key))) is not None)
            new = next((data for data in others if _is_sound(row, data, self._demo)), None)
            result: Result = "mended"
            words = "it was mended from what else is known of it."
            if new is None:
                new, words = _cleaned(row, self._demo)
                result = "changed"
            if new is not None:
                write_entity(self._db, self._demo, row.kind, row.key, new, tables=[table])
                self._say(table, row, result, words)
            elif row.kind != "head":
                where = "demo = ? AND kind = CAST(? AS TEXT) AND key = CAST(? AS TEXT)"
                self._db.execute(f"DELETE FROM {table} WHERE {where}", (self._demo, *row.raw))  # noqa: S608 - our own
                if table == "entities" and row.number:
                    self._lost.append(f"Step {row.number} was damaged and could not be mended.")
                self._say(table, row, "lost", "it was set aside.")

    def _say(self, table: Table, row: StoredRecord, result: Result, end: str) -> None:
        where = "As it was recorded: " if table == "originals" else ""
        self._tell(result, f"{where}{str(row).removesuffix('.')}; {end}")

    # The head -----------------------------------------------------------------------------------------------------

    def _repair_head(self, table: Table) -> None:
        """Where there is still none: from the other table, or anew."""
        found = find_damage(read_rows(self._db, table, self._demo), self._demo)
        damaged = next((row for row in found if row.kind == "head"), None)
        head = stand_in(self._db, self._demo)
        if damaged is not None:
            self._db.execute(f"DELETE FROM {table} WHERE demo = ? AND kind = 'head'", (self._demo,))  # noqa: S608
            known = "it was taken from what else is known of the demo."
            unknown = "task, application and outcome are not known any more."
            self._say(table, damaged, "changed", known if head.platform or head.task else unknown)
        if self._lost:  # the head of a demo that lacks something says so
            missing = " ".join(part for part in (head.missing, *self._lost) if part)
            head = head.model_copy(update={"status": "partial", "missing": missing, "accepted": False})
        if damaged is not None or (self._lost and table == "entities"):
            write_entity(self._db, self._demo, "head", self._demo, head.to_json(), tables=[table])


def _is_sound(row: StoredRecord, data: Json, demo: str) -> bool:
    try:
        parse_record(replace(row, data=compact(data).encode()), demo)
    except (ValueError, DemopackError):
        return False
    return True


def _cleaned(row: StoredRecord, demo: str) -> tuple[Json | None, str]:
    """The record without the fields that make no sense, where each may be left out; and the end of a sentence."""
    model = MODELS.get(row.kind)
    text = row.data.decode(errors="replace")
    broken = "a character that could not be read stands as \ufffd" if text.encode() != row.data else ""
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError):
        return None, ""
    left_out: list[str] = []
    while model is not None and isinstance(data, dict) and len(left_out) < _FIELDS_LEFT_OUT:
        plain = cast("Json", data)
        try:
            new = model.model_validate_json(json.dumps(plain)).to_json()
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            left_out.append(_take_out(plain, first["loc"]))
            if left_out[-1]:
                continue
            return None, ""
        except (DemopackError, ValueError, RecursionError):
            return None, ""
        said = f"{', '.join(left_out)} {'was' if len(left_out) == 1 else 'were'} left out" if left_out else ""
        return (new if _is_sound(row, new, demo) else None), f"{' and '.join(filter(None, (broken, said)))}."
    return None, ""


def _take_out(data: Json, loc: Sequence[str | int]) -> str:
    """Take out the field that is wrong, or what lacks a field; returns its name, or nothing where there is none.

    Of a list nothing is taken out but the whole: what is left of it would mean something else.
    """
    holder: object = data
    field_of: tuple[Json, str, int] | None = None
    for depth, name in enumerate(loc):
        inner = cast("Any", holder)
        if isinstance(holder, dict) and name in inner:
            field_of = (inner, str(name), depth)
        try:
            holder = inner[name]
        except (LookupError, TypeError):
            break
    if field_of is None:
        return ""
    mapping, name, depth = field_of
    if name in _MOMENTS:
        mapping[name] = UNKNOWN_MOMENT.isoformat()  # each record that has one needs it, and is worth more than it
    else:
        del mapping[name]
    return ".".join(str(part) for part in loc[: depth + 1])
