"""History of a demo as JSON, with all that it ever was, and removal of steps from it.

All versions of the steps go, and whatever else still tells what was in them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from demopack.errors import LibraryError
from demopack.store.entities import REPAIR, Table, read_rows, write_entity

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
        query = f"DELETE FROM {table} WHERE demo = ? AND kind = ? AND key = ?"  # noqa: S608 - a literal name
        db.executemany(query, [(new.demo, *place) for place in before if place not in after])
        for place, data in after.items():
            if data != before.get(place):
                write_entity(db, new.demo, *place, data, tables=[table])
    for name in new.touched:
        edit = new.edits[name]
        if edit["changes"]:
            query = "UPDATE log SET edit = ? WHERE demo = ? AND edit_id = ? AND op = 'do'"
            db.execute(query, (json.dumps(edit, ensure_ascii=False, separators=(",", ":")), new.demo, name))
        else:
            db.execute("DELETE FROM log WHERE demo = ? AND edit_id = ?", (new.demo, name))


_OPEN_NS: Final = 1 << 62
Stretch: TypeAlias = tuple[int, int]
"""A time of which the timeline is forgotten, monotonic nanoseconds, both ends excluded."""


def forget(history: History, ids: Collection[str], *, since_ns: int | None = None) -> list[Stretch]:
    """Take steps out of a demo's history.

    A step may have been split off another one, or merged from several: then versions of those others hold a part of
    it. Such versions go too; where the other step is no longer in the demo, it goes whole.

    Args:
        history: changed in place.
        ids: of the steps.
        since_ns: pictures grabbed at this time or later go also where a step shows them that stays.

    Returns:
        Of which times the timeline has to be forgotten.
    """
    before = frames_of(history)
    gone = _closure(history, set(ids))
    spans = _spans(history, gone)
    parts = _parts(history, gone)
    shown = {f for kind, key, data in history.versions() if kind == "step" and key in gone for f in _shown(data)}
    history.drop(lambda kind, key, _: kind == "step" and key in gone)

    def tells(kind: str, key: str, data: Json | None) -> bool:
        """Whether a former version of another step holds a part of one that is gone."""
        return kind == "step" and data is not None and any(part.tells(key, data) for part in parts)

    for place, data in history.recorded.items():
        if place in history.now and tells(*place, data):
            history.recorded[place] = history.now[place]
    history.drop_changes(tells)
    kept = {frame for (kind, _), data in history.now.items() if kind == "step" for frame in _shown(data)}
    lost = shown - kept
    history.replace("head", lambda head: _without(head, ["final_frame"], lambda frame: frame["id"] in lost))
    if since_ns is not None:
        spans.append((since_ns - 1, _OPEN_NS))

        def is_late(frame: Json) -> bool:
            return bool(frame["grab_ended_ns"] >= since_ns)

        history.replace("head", lambda head: _without(head, ["final_frame"], is_late))
        history.replace("step", lambda step: _without(step, ["before", "after"], is_late))
    dead = before - frames_of(history)

    def on_dead_frame(kind: str, key: str, data: Json | None) -> bool:
        return (kind == "parsed" and key in dead) or (kind == "element" and data is not None and data["frame"] in dead)

    history.drop(on_dead_frame)
    return spans


def related(history: History, ids: Collection[str]) -> set[str]:
    """Steps that these were split off, merged from or made into, and those of these in turn."""
    found: set[str] = set()
    new = set(ids)
    while new:
        found |= new
        new = {kin for key in new for kin in _kin(history, key)} - found
    return found - set(ids)


def frames_of(history: History) -> set[str]:
    """The pictures that the steps and the head show, or ever showed, and the trees that were read of them."""
    found: set[str] = set()
    for kind, _, data in history.versions():
        if kind in {"step", "head"}:
            found.update(_shown(data))
    return found


def _shown(data: Json) -> list[str]:
    pictures = [data[field]["id"] for field in ("before", "after", "final_frame") if data.get(field)]
    return pictures + [reading["tree"] for reading in data.get("trees") or ()]


def _closure(history: History, ids: set[str]) -> set[str]:
    """The steps that must go whole: the given ones, and former ones that hold a part of them."""
    gone: set[str] = set()
    new = set(ids)
    while new:
        gone |= new
        parts = _parts(history, new)
        new = {
            key
            for kind, key, data in history.versions()
            if kind == "step" and key not in gone and ("step", key) not in history.now
            if any(part.tells(key, data) for part in parts)
        }
    return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What may be found again in other steps.

    Attributes:
        events: raw events of the step.
        text: what was typed in it.
        kin: steps that came out of it or went into it, by an edit that made or removed one of both.
    """

    events: frozenset[tuple[Any, ...]]
    text: str
    kin: frozenset[str]

    def tells(self, key: str, other: Json) -> bool:
        """Whether a version of another step was made of some of the same raw events, or of the same typing."""
        events = {_event(event) for event in other["events"]}
        if events & self.events:
            return True
        # Where a cut could not follow the events, the second part has none; its text is all there is to go by.
        text = _typed(other)
        guess = key in self.kin and not (events and self.events) and bool(text and self.text)
        return guess and (text in self.text or self.text in text)


def _parts(history: History, keys: set[str]) -> list[_Part]:
    """The steps as they stand, or as they were recorded where they are in the demo no more."""
    found: list[_Part] = []
    for key in keys:
        data = history.now.get(("step", key)) or history.recorded.get(("step", key))
        if data is not None:
            events = frozenset(_event(event) for event in data["events"])
            found.append(_Part(events=events, text=_typed(data), kin=_kin(history, key)))
    return found


def _kin(history: History, key: str) -> frozenset[str]:
    found: set[str] = set()
    for edit in history.edits.values():
        steps = [change for change in edit["changes"] if change["kind"] == "step"]
        made_or_removed = any(None in (change["before"], change["after"]) for change in steps)
        if made_or_removed and any(change["key"] == key for change in steps):
            found.update(change["key"] for change in steps)
    return frozenset(found - {key})


def _event(event: Json) -> tuple[Any, ...]:
    return (event["t_ns"], event["kind"], event.get("key"), event.get("button"))


def _typed(step: Json) -> str:
    return str(step["action"]["parameters"].get("text_to_type", ""))


def _without(data: Json, names: Collection[str], gone: Callable[[Json], bool]) -> Json:
    """A step or a head without those of these frames that are gone; itself where none is."""
    lost = [name for name in names if data.get(name) and gone(data[name])]
    return {**data, **dict.fromkeys(lost)} if lost else data


def _spans(history: History, gone: set[str]) -> list[Stretch]:
    """The times from the beginning of each forgotten step to that of the next one that stays."""
    steps = {key: data for (kind, key), data in {**history.recorded, **history.now}.items() if kind == "step"}
    kept = [data["started_ns"] for key, data in steps.items() if key not in gone and data["started_ns"]]
    spans: list[Stretch] = []
    for key in gone & steps.keys():
        start, end = steps[key]["started_ns"], steps[key]["ended_ns"]
        if start:
            following = min((begin for begin in kept if begin >= end), default=_OPEN_NS)
            spans.append((start - 1, following))
    return spans
