"""Rows to records and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from pydantic import ValidationError
from pydantic_core import from_json

from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.records import Record, not_json
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.errors import BadInputError, DemopackError, LibraryError, NewerVersionError

__all__ = ["TABLES", "Table", "apply_changes", "build_demo", "compact", "demo_changes", "read_demo", "write_entity"]

Table = Literal["entities", "originals"]
TABLES: Final[tuple[Table, ...]] = ("originals", "entities")
"""What is recorded goes into both; edits change only the second."""


_MODELS: Final[dict[str, type[Record]]] = {"head": DemoHead, "step": Step, "element": Element}


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
_AT_ONCE: Final = 500
"""Keys in one question; SQLite takes no more than some thousand."""
_PUT = (
    "INSERT INTO {table} (demo, kind, key, position, json) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (demo, kind, key) DO UPDATE SET position = excluded.position, json = excluded.json"
)

_Key = tuple[str, str]


def compact(data: dict[str, Any], *, what: str = "record") -> str:
    """One canonical JSON text per value, so that equal values are equal texts.

    Everything that is stored passes here, and nothing that could not be read again gets through.

    Args:
        data: the value.
        what: it is, for the error.

    Raises:
        BadInputError: it holds infinity, NaN or half a character.
    """
    try:
        text = _ENCODER.encode(data)
        text.encode()
    except ValueError as error:
        raise BadInputError(
            f"The {what} was not stored: {not_json(data) or error}.",
            details=str(error),
            hint="Nothing was changed. Correct it where it comes from, and try again.",
        ) from error
    return text


def write_entity(db: sqlite3.Connection, table: Table, demo: str, kind: str, key: str, data: dict[str, Any]) -> None:
    """Insert or replace one entity."""
    db.execute(
        _PUT.format(table=table), (demo, kind, key, int(data.get("position", 0)), compact(data, what=f"{kind} {key}"))
    )


def apply_changes(db: sqlite3.Connection, demo: str, changes: Sequence[Change], *, label: str) -> None:
    """Bring the current entities from each ``before`` to its ``after``; ``label`` says what that is, for the error.

    Raises:
        LibraryError: an entity is not what ``before`` says: it was changed elsewhere meanwhile.
    """
    stored: dict[_Key, str | dict[str, Any] | None] = dict(_stored(db, demo, changes))
    for change in changes:
        place = (change.kind, change.key)
        if not _is(change, stored.get(place)):
            raise LibraryError(
                f"“{shorten(label, 60)}” was not applied: this demo was changed elsewhere meanwhile.",
                details=f"{change.kind} {change.key}",
                hint="Everything else is saved. Look at how it is now, and repeat the edit.",
            )
        stored[place] = change.after
    last = {(change.kind, change.key): change.after for change in changes}
    gone = [(demo, *place) for place, data in last.items() if data is None]
    db.executemany("DELETE FROM entities WHERE demo = ? AND kind = ? AND key = ?", gone)
    put = (
        (demo, *place, int(data.get("position", 0)), compact(data, what=" ".join(place)))
        for place, data in last.items()
        if data is not None
    )
    db.executemany(_PUT.format(table="entities"), put)


def _stored(db: sqlite3.Connection, demo: str, changes: Sequence[Change]) -> Iterator[tuple[_Key, str]]:
    """What is stored of the entities that are changed; those that are not there are left out."""
    keys: dict[str, list[str]] = {}
    for change in changes:
        keys.setdefault(change.kind, []).append(change.key)
    for kind, found in keys.items():
        for start in range(0, len(found), _AT_ONCE):
            some = found[start : start + _AT_ONCE]
            places = ", ".join("?" * len(some))
            query = f"SELECT key, json FROM entities WHERE demo = ? AND kind = ? AND key IN ({places})"  # noqa: S608
            for key, text in db.execute(query, (demo, kind, *some)):
                yield (kind, key), text


def _is(change: Change, stored: str | dict[str, Any] | None) -> bool:
    """Whether what is stored, or what an earlier change of the same edit left, is what the change says was before."""
    if stored is None or change.before is None:
        return stored is None and change.before is None
    model = _MODELS.get(change.kind)
    try:
        found = stored if isinstance(stored, dict) else from_json(stored)
        if found == change.before:
            return True
        # Either may have been written by an older version, whose records had fewer fields.
        return model is not None and model.model_validate(found) == model.model_validate(change.before)
    except (ValueError, DemopackError):
        return False


def read_demo(db: sqlite3.Connection, table: Table, demo: str) -> Demo | None:
    """Every entity of a demo, joined; None where there is no such demo."""
    # One statement sees one moment: what it says of the log fits what it reads, whoever writes meanwhile.
    rows = db.execute(
        "SELECT kind, key, json, (SELECT coalesce(max(seq), 0) FROM log WHERE demo = ?1) "  # noqa: S608 - a literal
        f"FROM {table} WHERE demo = ?1 ORDER BY position, key",
        (demo,),
    ).fetchall()
    if not rows:
        return None
    return build_demo(((kind, key, text) for kind, key, text, _ in rows), log_seq=rows[0][3])


def build_demo(rows: Iterable[tuple[str, str, str]], *, log_seq: int = 0) -> Demo:
    """A demo from rows (kind, key, json).

    Raises:
        NewerVersionError: a record was written by a newer demopack.
        LibraryError: a record cannot be read; it is named.
    """
    head: DemoHead | None = None
    steps: list[Step] = []
    elements: dict[str, list[Element]] = {}
    parsed: set[str] = set()
    for kind, key, text in rows:
        try:
            if kind == "head":
                head = DemoHead.model_validate_json(text)
            elif kind == "step":
                steps.append(Step.model_validate_json(text))
            elif kind == "element":
                element = Element.model_validate_json(text)
                elements.setdefault(element.frame, []).append(element)
            else:
                parsed.add(key)
        except (ValidationError, DemopackError) as error:
            raise _unreadable(kind, key, text, error) from error
    if head is None:
        raise LibraryError("A demo in the library has lost its head.", hint="Restore library.db from a backup.")
    return Demo(
        head=head,
        steps=tuple(sorted(steps, key=lambda s: s.position)),
        elements={frame: tuple(found) for frame, found in elements.items()},
        parsed=frozenset(parsed),
        log_seq=log_seq,
    )


def _unreadable(kind: str, key: str, text: str, error: Exception) -> DemopackError:
    try:
        version = json.loads(text).get("schema_version", 1)
    except ValueError:
        version = 1
    if isinstance(version, int) and version > 1:
        return NewerVersionError(
            f"The {kind} {key} was written by a newer demopack.", details=str(error), hint="Update demopack."
        )
    return LibraryError(
        f"The {kind} {key} in the library cannot be read.",
        details=str(error),
        hint="Restore library.db from a backup.",
    )


def demo_changes(demo: Demo) -> list[Change]:
    """A whole demo as insertions, for storing one that was made elsewhere."""
    changes = [Change(kind="head", key=demo.head.id, before=None, after=demo.head.to_json())]
    changes += [Change(kind="step", key=step.id, before=None, after=step.to_json()) for step in demo.steps]
    for found in demo.elements.values():
        changes += [Change(kind="element", key=e.uid, before=None, after=e.to_json()) for e in found]
    changes += [Change(kind="parsed", key=frame, before=None, after={}) for frame in sorted(demo.parsed)]
    return changes
