"""History of a demo as JSON, with all that it ever was: searched when a part of it is to be forgotten."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from demopack.errors import LibraryError
from demopack.store.damaged_records import REPAIR, read_rows
from demopack.store.entities import Table, compact, write_entity

Json = dict[str, Any]
Key = tuple[str, str]
"""Kind and key of an entity."""

_PARTLY_FORGOTTEN: Final = "Edit, partly forgotten"


@dataclass(slots=True, kw_only=True)
class History:
    """A demo's rows.

    Attributes:
        demo: its id.
        now: entities as they stand.
        recorded: entities as they were recorded.
        edits: every edit of the log by id, in the order in which they were made.
        touched: ids of the edits that have been changed here.
    """

    demo: str
    now: dict[Key, Json]
    recorded: dict[Key, Json]
    edits: dict[str, Json]
    touched: set[str] = field(default_factory=set[str])

    def versions(self) -> Iterator[tuple[str, str, Json]]:
        """Everything that any entity ever was: kind, key, JSON."""
        for table in (self.now, self.recorded):
            for (kind, key), data in table.items():
                yield kind, key, data
        for edit in self.edits.values():
            for change in edit["changes"]:
                for data in (change["before"], change["after"]):
                    if data is not None:
                        yield change["kind"], change["key"], data

    def replace(self, kind: str, new: Callable[[Json], Json]) -> None:
        """Put ``new(version)`` in the place of every version of each entity of a kind; it may return its argument."""
        for table in (self.now, self.recorded):
            for place, data in table.items():
                if place[0] == kind:
                    table[place] = new(data)
        for name, edit in self.edits.items():
            for change in edit["changes"]:
                if change["kind"] != kind:
                    continue
                for side in ("before", "after"):
                    old = change[side]
                    if old is not None and (other := new(old)) is not old:
                        change[side] = other
                        self.touched.add(name)

    def rename(self, kind: str, names: Mapping[str, str]) -> None:
        """Give entities of a kind other keys, in every version; those that are not named keep theirs."""
        for table in (self.now, self.recorded):
            for place in [place for place in table if place[0] == kind and place[1] in names]:
                table[kind, names[place[1]]] = table.pop(place)
        for name, edit in self.edits.items():
            for change in edit["changes"]:
                if change["kind"] == kind and names.get(change["key"], change["key"]) != change["key"]:
                    change["key"] = names[change["key"]]
                    self.touched.add(name)

    def drop(self, gone: Callable[[str, str, Json | None], bool]) -> None:
        """Drop all of which ``gone(kind, key, version)`` says so; of an edit, the changes that have such a version."""
        for table in (self.now, self.recorded):
            for place in [place for place, data in table.items() if gone(*place, data)]:
                del table[place]
        self.drop_changes(gone)

    def drop_changes(self, gone: Callable[[str, str, Json | None], bool]) -> None:
        """As :meth:`drop`, in the log alone. An edit that loses a part loses the words that were written on it too."""
        for name, edit in self.edits.items():
            kept = [
                change
                for change in edit["changes"]
                if not any(gone(change["kind"], change["key"], change[side]) for side in ("before", "after"))
            ]
            if len(kept) < len(edit["changes"]):
                edit["changes"] = kept
                edit["label"] = _PARTLY_FORGOTTEN
                edit["provenance"]["reason"] = ""
                self.touched.add(name)


def load_history(db: sqlite3.Connection, demo: str) -> History:
    """Read a demo with its log; empty where there is no such demo.

    Raises:
        LibraryError: a record is not JSON.
    """

    def entities(table: str) -> dict[Key, Json]:
        return {(row.kind, row.key): _plain(row.data, f"{row.kind} {row.key}") for row in read_rows(db, table, demo)}

    edits = db.execute("SELECT edit_id, CAST(edit AS BLOB) FROM log WHERE demo = ? AND op = 'do' ORDER BY seq", (demo,))
    return History(
        demo=demo,
        now=entities("entities"),
        recorded=entities("originals"),
        edits={name: _plain(data, f"edit {name}") for name, data in edits},
    )


def _plain(data: bytes | None, what: str) -> Json:
    try:
        found = json.loads(data or b"")
    except (ValueError, RecursionError) as error:
        raise _unreadable(what, str(error)) from error
    if not isinstance(found, dict):
        raise _unreadable(what, "no object")
    return cast("Json", found)


def _unreadable(what: str, details: str) -> LibraryError:
    return LibraryError(
        "A part of this demo is damaged, so that nobody can tell what is in it; nothing was removed.",
        details=f"{what}: {details}",
        hint=f"{REPAIR} To be rid of the demo, delete it and erase it for good in the app.",
    )


def save_history(db: sqlite3.Connection, old: History, new: History) -> None:
    """Bring the rows from ``old`` to ``new``; an edit without changes is deleted with its undoing and redoing."""
    tables: tuple[tuple[Table, dict[Key, Json], dict[Key, Json]], ...] = (
        ("entities", old.now, new.now),
        ("originals", old.recorded, new.recorded),
    )
    for table, before, after in tables:
        for place, data in before.items():
            if place not in after:
                query = f"DELETE FROM {table} WHERE demo = ? AND kind = ? AND key = ?"  # noqa: S608 - a literal name
                db.execute(query, (new.demo, *place))
            elif after[place] is not data and after[place] != data:
                query = f"UPDATE {table} SET json = ? WHERE demo = ? AND kind = ? AND key = ?"  # noqa: S608 - as above
                db.execute(query, (compact(after[place]), new.demo, *place))
        for place, data in after.items():
            if place not in before:
                write_entity(db, table, new.demo, *place, data)
    for name in new.touched:
        edit = new.edits[name]
        if edit["changes"]:
            query = "UPDATE log SET edit = ? WHERE demo = ? AND edit_id = ? AND op = 'do'"
            db.execute(query, (json.dumps(edit, ensure_ascii=False, separators=(",", ":")), new.demo, name))
        else:
            db.execute("DELETE FROM log WHERE demo = ? AND edit_id = ?", (new.demo, name))
