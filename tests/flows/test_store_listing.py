"""The list of demos is counted once and stays true, whoever changes what."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections import Counter
from pathlib import Path

import pytest

from demopack.domain.demos import Demo, DemoSummary
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.store import Library, connection, listing
from demopack.store.repair import RecordsRepair, repair_records
from tests.support.editing import SAMPLE, TINY, sample_library
from tests.support.replaying import prove
from tests.support.store_demos import record_typing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_library(tmp_path)


def counted(demo: Demo) -> DemoSummary:
    """The same from the whole demo."""
    elements = [element for found in demo.elements.values() for element in found]
    reviews = Counter(element.review for element in elements)
    first = demo.steps[0].before if demo.steps else None
    return DemoSummary(
        head=demo.head,
        steps=len(demo.steps),
        rationales=sum(step.rationale is not None for step in demo.steps),
        approved=sum(step.review == "approved" for step in demo.steps),
        doubtful=sum(step.review == "doubtful" for step in demo.steps),
        first_frame=None if first is None else first.id,
        elements=len(elements) - reviews["rejected"],
        elements_approved=reviews["approved"],
        elements_doubtful=reviews["doubtful"],
        elements_rejected=reviews["rejected"],
        types=tuple(sorted({element.type for element in elements if element.review != "rejected"})),
        actions=tuple(sorted({step.action.action_type for step in demo.steps})),
        verified=demo.proof is not None,
    )


def told(library: Library, demo_id: str = SAMPLE) -> DemoSummary:
    return next(summary for summary in library.demos() if summary.head.id == demo_id)


def right(library: Library) -> None:
    assert library.demos() == [counted(library.demo(summary.head.id)) for summary in library.demos()]


def change_one(library: Library, demo_id: str = SAMPLE, **fields: object) -> Element:
    old = next(e for found in library.demo(demo_id).elements.values() for e in found)
    new = old.changed(**fields)
    change = Change(kind="element", key=old.uid, before=old.to_json(), after=new.to_json())
    edit = Edit(id=new_id("edit"), label="Change", changes=(change,), provenance=by_human())
    library.commit(demo_id, edit)
    return new


def kept(folder: Path) -> set[str]:
    with sqlite3.connect(folder / "library.db") as db:
        return {row[0] for row in db.execute("SELECT demo FROM listing")}


def test_counts_follow_every_edit_undo_and_redo(folder: Path) -> None:
    with Library.open(folder) as library:
        right(library)
        before = told(library)
        change_one(library, review="doubtful", type="other")
        assert told(library).elements_doubtful == before.elements_doubtful + 1
        right(library)
        library.log.undo(SAMPLE)
        assert told(library) == before
        library.log.redo(SAMPLE)
        right(library)
        change_one(library, review="rejected")
        assert told(library).elements == before.elements - 1
        right(library)


def test_a_proof_is_listed_as_long_as_it_holds(folder: Path) -> None:
    with Library.open(folder) as library:
        assert told(library).proof is None
        proof = prove(library, SAMPLE)
        assert told(library).proof == proof
        right(library)
        demo = library.demo(SAMPLE)
        step = next(one for one in demo.steps if one.action.typed_text)
        other = step.but(action=step.action.replace(text_to_type="something else"))
        change = Change.between(step, other)
        library.commit(SAMPLE, Edit(id=new_id("edit"), label="Change", changes=(change,), provenance=by_human()))
        assert told(library).proof is None
        right(library)
        library.log.undo(SAMPLE)
        assert told(library).proof == proof


def test_a_list_of_a_version_that_knew_no_proofs_is_counted_again(folder: Path) -> None:
    with Library.open(folder) as library:
        prove(library, SAMPLE)
        library.demos()
    with contextlib.closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("ALTER TABLE listing RENAME COLUMN overview TO summary")
        db.execute("UPDATE listing SET summary = json_remove(summary, '$.verified')")
    assert repair_records(folder).listing == ""
    with Library.open(folder) as library:
        assert told(library).verified


def test_only_what_was_changed_is_counted_again(folder: Path) -> None:
    with Library.open(folder) as library:
        library.demos()
        assert kept(folder) == {SAMPLE, TINY}
        change_one(library)
        change_one(library, TINY, text="x")
        assert SAMPLE not in kept(folder)
        library.demos()
        assert kept(folder) == {SAMPLE, TINY}


def test_another_program_s_edits_are_seen(folder: Path) -> None:
    with Library.open(folder) as ours, Library.open(folder) as theirs:
        ours.demos()
        change_one(theirs, review="approved", states={"checked": True})
        right(ours)


def test_steps_that_are_forgotten_leave_nothing(folder: Path) -> None:
    with Library.open(folder) as library:
        first = told(library).first_frame
        steps = library.demo(SAMPLE).steps
        library.forget_steps(SAMPLE, [steps[0].id])
        assert first is not None
        assert first.encode() not in b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())
        right(library)
        library.erase_demo(TINY)
        assert [summary.head.id for summary in library.demos()] == [SAMPLE]
        assert kept(folder) == {SAMPLE}


def test_a_library_that_may_not_be_written_is_listed_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(folder) as library:
        wanted = library.demos()
        kept(folder)
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: False)
    with Library.open(folder) as library:
        assert library.demos() == wanted
    with sqlite3.connect(folder / "library.db") as db:
        for name in ("insert", "update", "delete"):
            db.execute(f"DROP TRIGGER listing_{name}")
        db.execute("DROP TABLE listing")
    with Library.open(folder) as library:
        assert library.demos() == wanted
        assert library.counts().keys() == {SAMPLE, TINY}


def test_what_an_older_version_built_anew_is_counted_again(folder: Path) -> None:
    with Library.open(folder) as library:
        library.demos()
        with sqlite3.connect(folder / "library.db") as db:
            db.execute("DROP TRIGGER listing_update")
            db.execute(SPOILT["a lie"])
        right(library)
        assert kept(folder) == {SAMPLE, TINY}


def test_counts_by_type_source_and_review(folder: Path) -> None:
    with Library.open(folder) as library:
        change_one(library, review="rejected")
        change_one(library, TINY, type="checkbox", states={"checked": False})
        counts = library.counts()
        for demo_id in (SAMPLE, TINY):
            demo = library.demo(demo_id)
            elements = [e for found in demo.elements.values() for e in found]
            wanted = Counter((e.type, e.source, e.review) for e in elements)
            assert {row[:3]: row[3] for row in counts[demo_id].elements} == wanted
            states = Counter((s, v) for e in elements if e.review != "rejected" for s, v in e.states.items())
            assert {row[:2]: row[2] for row in counts[demo_id].states} == states
            assert dict(counts[demo_id].actions) == Counter(s.action.action_type for s in demo.steps)


SPOILT = {
    "not UTF-8": "UPDATE listing SET overview = CAST(x'ff' AS TEXT)",
    "NUL": "UPDATE listing SET overview = CAST(x'00' || substr(CAST(overview AS BLOB), 2) AS TEXT)",
    "summary": "UPDATE listing SET overview = '{'",
    "summary without a key": "UPDATE listing SET overview = json_remove(overview, '$.head')",
    "figures": "UPDATE listing SET figures = '{'",
    "figures of something else": "UPDATE listing SET figures = '{\"elements\":1}'",
    "damaged, unreadable": "UPDATE listing SET overview = '', figures = CAST(x'ff' AS TEXT)",
    "a lie": "UPDATE listing SET overview = json_set(overview, '$.steps', 99)",
    "dropped": "DROP TABLE listing",
    "a column less": "ALTER TABLE listing DROP COLUMN figures",
    "a trigger less": "DROP TRIGGER listing_update",
    "another trigger": "DROP TRIGGER listing_update; "
    "CREATE TRIGGER listing_update AFTER UPDATE ON entities BEGIN DELETE FROM gone; END",
}


def spoilt(folder: Path, statements: str) -> None:
    with Library.open(folder) as library:
        library.demos()
    with contextlib.closing(sqlite3.connect(folder / "library.db")) as db:
        db.executescript(statements)


@pytest.mark.parametrize("name", [name for name in SPOILT if name != "a lie"])
@pytest.mark.parametrize("writable", [True, False])
def test_a_list_that_cannot_be_read_costs_nothing(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch, *, writable: bool
) -> None:
    with Library.open(folder) as library:
        wanted, counts = library.demos(), library.counts()
    spoilt(folder, SPOILT[name])
    if not writable:
        monkeypatch.setattr(connection, "_writable", lambda _: False)
    for _ in range(2):
        with Library.open(folder) as library:
            assert library.counts() == counts
            assert library.demos() == wanted
            if writable:
                change_one(library, review="rejected")
                right(library)
                library.log.undo(SAMPLE)


@pytest.mark.parametrize("name", SPOILT)
def test_a_repair_looks_at_the_list_too(folder: Path, name: str) -> None:
    with Library.open(folder) as library:
        wanted = library.demos()
    spoilt(folder, SPOILT[name])
    assert "list of demos" in repair_records(folder).listing
    with Library.open(folder) as library:
        assert library.demos() == wanted
    assert repair_records(folder) == RecordsRepair(demos=0)


def test_a_recording_begins_where_the_list_is_gone(folder: Path) -> None:
    spoilt(folder, "DROP TABLE listing")
    with Library.open(folder) as library:
        record_typing(library, ["a"])
        right(library)


EARLIEST = """
DROP TABLE listing;
CREATE TABLE listing (
  demo TEXT PRIMARY KEY, head TEXT NOT NULL, steps INTEGER NOT NULL, rationales INTEGER NOT NULL,
  approved INTEGER NOT NULL, doubtful INTEGER NOT NULL, first_frame TEXT, elements INTEGER NOT NULL,
  elements_approved INTEGER NOT NULL, elements_doubtful INTEGER NOT NULL, elements_rejected INTEGER NOT NULL,
  types TEXT NOT NULL, actions TEXT NOT NULL, counts TEXT NOT NULL
) STRICT
"""
LATER = "ALTER TABLE listing RENAME COLUMN overview TO summary;"
EARLIER = f"{LATER} ALTER TABLE listing RENAME COLUMN figures TO counts"


@pytest.mark.parametrize("earlier", [EARLIEST, EARLIER, LATER])
def test_the_list_of_an_earlier_version_is_no_damage(folder: Path, earlier: str) -> None:
    with Library.open(folder) as library:
        wanted = library.demos()
    spoilt(folder, earlier)
    assert repair_records(folder) == RecordsRepair(demos=0)
    with Library.open(folder) as library:
        assert library.demos() == wanted
        right(library)


def test_demos_are_listed_and_read_where_no_list_can_be_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(folder) as library:
        wanted, demo = library.demos(), library.demo(SAMPLE)
    spoilt(folder, "DROP TABLE listing")

    def fail(_: sqlite3.Connection) -> None:
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(listing, "_make_anew", fail)
    with Library.open(folder) as library:
        assert library.demos() == wanted
        assert library.demo(SAMPLE) == demo


def test_triggers_without_their_table_are_waited_for_where_another_program_writes(folder: Path) -> None:
    spoilt(folder, "DROP TABLE listing")
    writing = sqlite3.connect(folder / "library.db", isolation_level=None, check_same_thread=False)
    writing.execute("BEGIN IMMEDIATE")
    later = threading.Timer(0.3, writing.execute, ["COMMIT"])
    later.start()
    with Library.open(folder) as library:
        record_typing(library, ["a"])
        right(library)
    later.join()
    writing.close()
