"""Rows to records and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, Final, Literal

from pydantic import ValidationError

from demopack.domain.demos import Demo, DemoHead
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.domain.words import shorten
from demopack.errors import DemopackError, LibraryError, NewerVersionError

__all__ = ["TABLES", "apply_changes", "build_demo", "compact", "demo_changes", "read_demo", "write_entity"]

Table = Literal["entities", "originals"]
TABLES: Final[tuple[Table, ...]] = ("originals", "entities")
"""What is recorded goes into both; edits change only the second."""


_MODELS: Final[dict[str, type[Record]]] = {"head": DemoHead, "step": Step, "element": Element}


def compact(data: dict[str, Any]) -> str:
    """One canonical JSON text per value, so that equal values are equal texts."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def write_entity(db: sqlite3.Connection, table: Table, demo: str, kind: str, key: str, data: dict[str, Any]) -> None:
    """Insert or replace one entity."""
    db.execute(
        f"INSERT INTO {table} (demo, kind, key, position, json) VALUES (?, ?, ?, ?, ?) "  # noqa: S608 - a literal name
        "ON CONFLICT (demo, kind, key) DO UPDATE SET position = excluded.position, json = excluded.json",
        (demo, kind, key, int(data.get("position", 0)), compact(data)),
    )


def apply_changes(db: sqlite3.Connection, demo: str, changes: Iterable[Change], *, label: str) -> None:
    """Bring the current entities from each ``before`` to its ``after``; ``label`` says what that is, for the error.

    Raises:
        LibraryError: an entity is not what ``before`` says: it was changed elsewhere meanwhile.
    """
    for change in changes:
        row = db.execute(
            "SELECT json FROM entities WHERE demo = ? AND kind = ? AND key = ?",
            (demo, change.kind, change.key),
        ).fetchone()
        if not _is(change, None if row is None else row[0]):
            raise LibraryError(
                f"“{shorten(label, 60)}” was not applied: this demo was changed elsewhere meanwhile.",
                details=f"{change.kind} {change.key}",
                hint="Everything else is saved. Look at how it is now, and repeat the edit.",
            )
        if change.after is None:
            db.execute(
                "DELETE FROM entities WHERE demo = ? AND kind = ? AND key = ?",
                (demo, change.kind, change.key),
            )
        else:
            write_entity(db, "entities", demo, change.kind, change.key, change.after)


def _is(change: Change, stored: str | None) -> bool:
    """Whether the stored text is what the change says was there before."""
    if stored is None or change.before is None:
        return stored is None and change.before is None
    expected = compact(change.before)
    if stored == expected:
        return True
    # Either may have been written by an older version, whose records had fewer fields.
    model = _MODELS.get(change.kind)
    try:
        return model is not None and model.model_validate_json(stored) == model.model_validate_json(expected)
    except (ValidationError, DemopackError):
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
