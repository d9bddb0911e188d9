"""Records that a library built anew must have lost: what is there is held against all that else is known of it.

What was on a page that cannot be read is gone without a trace in its own table. It is known from the counts in the list
of demos, from the other table that has each record, from the log of edits, and from how a recorder numbers steps.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Final, NamedTuple

from pydantic import ValidationError

from demopack.domain.demos import DemoHead
from demopack.domain.steps import POSITION_GAP
from demopack.errors import DemopackError
from demopack.store.damaged_records import stand_in
from demopack.store.entities import TABLES, write_entity
from demopack.store.record_repair import read_log

_MAX_COUNT: Final = 1_000_000
"""No demo has more steps or elements; a count above it is damaged itself."""


class ListedDemo(NamedTuple):
    """What the list of demos kept ready about one.

    Attributes:
        head: None where the demo was damaged before.
        steps: how many there were.
        elements: likewise; None where it was damaged before.
    """

    head: DemoHead | None
    steps: int
    elements: int | None


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


def listed(head: str, steps: int, elements: int, rejected: int, *, demo: str) -> ListedDemo | None:
    """A row of the list; None where it makes no sense."""
    if not all(0 <= number <= _MAX_COUNT for number in (steps, elements, rejected)):
        return None
    if not head:
        return ListedDemo(None, steps, None)
    known = _parsed(head)
    return None if known is None or known.id != demo else ListedDemo(known, steps, elements + rejected)


def put_heads_back(db: sqlite3.Connection, known: Mapping[str, ListedDemo]) -> None:
    """Where a head is gone, the list of demos has it."""
    for demo, row in known.items():
        query = "SELECT 1 FROM entities WHERE demo = ? AND kind = 'head'"
        if row.head is not None and db.execute(query, (demo,)).fetchone() is None:
            write_entity(db, "entities", demo, "head", demo, row.head.to_json())


def find_losses(db: sqlite3.Connection, known: Mapping[str, ListedDemo], *, cut_off: str = "") -> list[MissingRecords]:
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


def _loss(db: sqlite3.Connection, demo: str, row: ListedDemo | None, cut_off: str) -> MissingRecords | None:
    steps, elements = (_keys(db, "entities", demo, kind) for kind in ("step", "element"))
    by_name = len(_expected(db, demo, "step") - steps)
    by_place, uncertain, no_end = 0, False, False
    if row is None:
        by_place = _unused_places(db, demo)
        uncertain = by_place > by_name
        no_end = _lacks_end(db, demo)
    else:
        by_place = row.steps - len(steps)
    lost_steps = max(by_name, by_place, int(no_end))
    lost_elements = len(_expected(db, demo, "element") - elements)
    if row is not None and row.elements is not None:
        lost_elements = max(lost_elements, row.elements - len(elements))
    if cut_off and row is None and not steps and not lost_steps:
        told = (
            f"The end of the file of the library was missing ({cut_off}): how many steps this demo had cannot be known."
        )
        return MissingRecords(demo, 0, lost_elements, told)
    if not (lost_steps or lost_elements):
        return None
    what = [
        f"at least {number} {kind if number == 1 else f'{kind}s'}"
        for number, kind in ((lost_steps, "step"), (lost_elements, "element"))
        if number
    ]
    told = f"The file of the library was damaged: {' and '.join(what)} of this demo could not be saved"
    told += ", unless these were forgotten on purpose before" if uncertain and not no_end else ""
    told += ", its end among them" if no_end else ""
    return MissingRecords(demo, lost_steps, lost_elements, f"{told}.")


def _keys(db: sqlite3.Connection, table: str, demo: str, kind: str) -> set[bytes]:
    query = f"SELECT CAST(key AS BLOB) FROM {table} WHERE demo = ? AND kind = ?"  # noqa: S608 - a literal name
    return {key for (key,) in db.execute(query, (demo, kind))}


def _expected(db: sqlite3.Connection, demo: str, kind: str) -> set[bytes]:
    """What was recorded, and what edits made of that. Where the log cannot be read nobody knows what they removed."""
    changes = read_log(db, demo)
    if changes is None:
        return set()
    expected = _keys(db, "originals", demo, kind)
    for change in changes:
        if change.kind == kind:
            (expected.discard if change.after is None else expected.add)(change.key.encode())
    return expected


def _unused_places(db: sqlite3.Connection, demo: str) -> int:
    """How many steps were recorded between those that are there; those that were forgotten meanwhile do not count."""
    query = "SELECT position FROM originals WHERE demo = ? AND kind = 'step' ORDER BY position"
    places = [place for (place,) in db.execute(query, (demo,))]
    if not places or any(place % POSITION_GAP or place <= 0 for place in places):
        return 0  # another program numbered them
    gaps = int(places[-1]) // POSITION_GAP - len(set(places))
    head = _head(db, demo)
    return max(0, gaps - (head.counters.steps_forgotten if head is not None else 0))


def _lacks_end(db: sqlite3.Connection, demo: str) -> bool:
    """Whether a recording that was stopped lacks, in both places, the step with which each of them ends."""
    head = _head(db, demo)
    if head is None or head.status != "complete" or head.outcome is None:
        return False
    for table in TABLES:
        query = "SELECT CAST(json AS BLOB) FROM {} WHERE demo = ? AND kind = 'step' ORDER BY position DESC LIMIT 1"
        row = db.execute(query.format(table), (demo,)).fetchone()
        try:
            if row is not None and json.loads(row[0])["action"]["action_type"] == "finish_goal":
                return False
        except (ValueError, LookupError, TypeError):
            return False  # it cannot be read, and that is told when records are mended
    return True


def _head(db: sqlite3.Connection, demo: str) -> DemoHead | None:
    row = db.execute("SELECT CAST(json AS BLOB) FROM entities WHERE demo = ? AND kind = 'head'", (demo,)).fetchone()
    return None if row is None else _parsed(row[0])


def _parsed(head: str | bytes) -> DemoHead | None:
    try:
        return DemoHead.model_validate_json(head)
    except (ValidationError, DemopackError):
        return None


def _mark(db: sqlite3.Connection, loss: MissingRecords) -> None:
    if not any(_keys(db, table, loss.demo, "head") for table in TABLES):
        # What is known of a head that is gone from both tables: a demo without one could not say what it lacks.
        heads = [change.after for change in read_log(db, loss.demo) or () if change.kind == "head" and change.after]
        unknown = {"missing": "Task, application and outcome are not known any more."}
        head = heads[-1] if heads else stand_in(db, loss.demo).model_copy(update=unknown).to_json()
        for table in TABLES:
            write_entity(db, table, loss.demo, "head", loss.demo, head)
    for table in TABLES:
        db.execute(
            f"UPDATE {table} SET json = json_set(json, '$.status', 'partial', '$.accepted', json('false'), "  # noqa: S608
            "'$.missing', trim(coalesce(json_extract(json, '$.missing'), '') || ' ' || ?)) "
            "WHERE demo = ? AND kind = 'head' AND json_valid(json)",
            (loss.text, loss.demo),
        )
