"""A library of version 2, in which rules and carried boxes were laid to the detector and to OCR, is brought along.

``tests/data/libraries/version-2.db.xz`` was made by the program of that time, see the README beside it.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from annotator.suggestions.decisions import decisions
from demopack.domain.elements import Element
from demopack.errors import NewerVersionError
from demopack.store import Library, connection
from demopack.store.repair import repair_file
from tests.support.spoilt_files import root_of, wipe

OLD = Path(__file__).parents[1] / "data" / "libraries" / "version-2.db.xz"
ALL, RULES, ALONE, FOREIGN = "demo_00000000a1", "demo_00000000b2", "demo_00000000c3", "demo_00000000d4"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "library.db").write_bytes(lzma.decompress(OLD.read_bytes()))
    return tmp_path


def before(folder: Path) -> dict[str, Element]:
    with closing(sqlite3.connect(folder / "library.db")) as db:
        rows = db.execute("SELECT json FROM entities WHERE kind = 'element'").fetchall()
    return {one.uid: one for one in (Element.model_validate_json(text) for (text,) in rows)}


def elements(library: Library, demo: str) -> list[Element]:
    return [one for found in library.demo(demo).elements.values() for one in found]


def rules(library: Library, demo: str) -> Counter[tuple[str, str, str | None]]:
    """Type, source and rule of what is not what it was."""
    found: Counter[tuple[str, str, str | None]] = Counter()
    for one in elements(library, demo):
        if one.source in {"rule", "propagated"}:
            found[one.type, one.source, one.evidence[0].rule if one.evidence else None] += 1
    return found


def test_outlines_of_marks_are_rules_and_whose_marks_they_are_stays(folder: Path) -> None:
    with Library.open(folder) as library:
        marks = [one for one in elements(library, ALL) if any(said.rule == "mark_outline" for said in one.evidence)]
        assert Counter((one.type, one.source) for one in marks) == {
            ("radio", "detector"): 1,
            ("checkbox", "detector"): 2,
        }
        assert not any(
            said.source == "ocr" and said.type is not None for one in elements(library, ALL) for said in one.evidence
        )


def test_what_rules_found_is_told_where_no_detector_can_have_found_it(folder: Path) -> None:
    with Library.open(folder) as library:
        found = rules(library, RULES)
        assert found["list_item", "rule", "list_rows"] == 5 + 5
        assert found["text_area", "rule", None] == 2 + 1
        assert found["input_field", "rule", "framed_control"] == 1


def test_without_a_detector_everything_that_it_would_have_found_is_a_rules(folder: Path) -> None:
    with Library.open(folder) as library:
        assert rules(library, ALONE) == {
            ("other", "rule", "closed_shape"): 1,
            ("button", "rule", "framed_control"): 1,
        }
        assert "detector" not in {one.source for one in elements(library, ALONE)}


def test_boxes_that_were_carried_to_where_something_changed_were_found_by_nobody(folder: Path) -> None:
    with Library.open(folder) as library:
        carried = [one for one in elements(library, RULES) if one.source == "propagated"]
        assert Counter(one.type for one in carried) == {"input_field": 2, "checkbox": 2, "text_area": 1}
        assert {one.confidence for one in carried} == {0.3}
        approved = [one for one in carried if one.review == "approved"]
        assert [said.source for one in approved for said in one.evidence] == ["propagated"]


def test_what_may_be_either_stays(folder: Path) -> None:
    """Scores of another program that happen to be ours; marks with a label, whose text a detector's mark gets, too."""
    old = before(folder)
    with Library.open(folder) as library:
        assert {one.uid: one for one in elements(library, FOREIGN)} == {
            uid: old[uid] for uid in ("el_foreign001", "el_foreign002")
        }
        assert ("checkbox", "detector") in {(one.type, one.source) for one in elements(library, RULES)}


def test_types_boxes_texts_states_and_reviews_are_as_they_were(folder: Path) -> None:
    old, joined = before(folder), dict[str, Element]()
    with Library.open(folder) as library:
        for demo in (ALL, RULES, ALONE, FOREIGN):
            for one in elements(library, demo):
                was = old.pop(one.uid)
                if one.mark_box is not None:
                    joined[one.uid] = one
                    assert one.mark_box == was.box
                    one = one.but(box=was.box, mark_box=None)
                assert one.model_copy(update={"source": was.source, "evidence": was.evidence}) == was
    # What is gone were the labels of boxes to tick, which hold them now.
    assert len(old) == len(joined) > 0
    for label in old.values():
        (control,) = [one for one in joined.values() if one.frame == label.frame and one.box.encloses(label.box)]
        assert (label.type, label.text) == ("text", control.text)
        assert control.mark_box is not None
        assert control.box == control.mark_box.union(label.box)


def test_every_edit_can_be_taken_back_and_made_again(folder: Path) -> None:
    with Library.open(folder) as library:
        for demo in (ALL, RULES, ALONE, FOREIGN):
            there = library.demo(demo)
            undone = 0
            while library.log.undo(demo):
                undone += 1
            assert undone
            while library.log.redo(demo):
                pass
            assert library.demo(demo).elements.keys() >= there.elements.keys()
            assert library.demo(demo).steps == there.steps


def test_nothing_in_the_log_says_otherwise_than_the_elements(folder: Path) -> None:
    with Library.open(folder) as library:
        for demo in (ALL, RULES, ALONE, FOREIGN):
            now = {one.uid: one for one in elements(library, demo)}
            last: dict[str, Element | None] = {}
            for entry in library.log.entries(demo):
                for change in entry.changes:
                    if change.kind == "element":
                        after = change.becomes
                        assert after is None or isinstance(after, Element)
                        last[change.key] = after
            assert {uid: one for uid, one in last.items() if one is not None} == now


def test_decisions_about_rules_are_no_feedback_about_the_detector(folder: Path) -> None:
    with Library.open(folder) as library:
        made = decisions(RULES, library.log.entries(RULES))
    assert Counter((one.source, one.verdict) for one in made) == {
        ("rule", "fixed"): 1,
        ("propagated", "accepted"): 1,
        ("propagated", "rejected"): 1,
    }


def test_it_is_done_once_and_an_older_program_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(folder) as library:
        first = {demo: library.demo(demo) for demo in (ALL, RULES, ALONE, FOREIGN)}
    with Library.open(folder) as library:
        assert {demo: library.demo(demo) for demo in first} == first
    monkeypatch.setattr(connection, "SCHEMA_VERSION", 2)
    with pytest.raises(NewerVersionError):
        Library.open(folder)


@pytest.mark.parametrize(
    "damage",
    [
        b'{"uid": ',
        b'{"uid": "\xff"}',
        b"[]",
        b'{"source": [], "evidence": 7}',
        b'{"source": "ocr", "evidence": [{"source": "ocr", "type": [], "confidence": "x"}]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_record_does_not_keep_the_rest_from_being_brought_along(folder: Path, damage: bytes) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        for table, column, what in (("entities", "json", "kind = 'element'"), ("log", "edit", "edit IS NOT NULL")):
            (row,) = db.execute(f"SELECT max(rowid) FROM {table} WHERE {what} AND demo = ?", [FOREIGN]).fetchone()
            db.execute(f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?", [damage, row])
    with Library.open(folder) as library:
        assert rules(library, ALONE)


def test_elements_of_packs_say_nothing_of_their_finders_and_stay(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        text = {
            "uid": "el_x",
            "frame": "f",
            "type": "text_area",
            "box": [0, 0, 9, 9],
            "text": "T",
            "source": "detector",
        }
        entity = json.dumps({**text, "confidence": 0.6, "evidence": [], "track_id": None})
        for table in ("originals", "entities"):
            db.execute(f"INSERT INTO {table} VALUES (?, 'element', 'el_x', 0, ?)", [ALL, entity])
    with Library.open(folder) as library:
        (one,) = [one for one in elements(library, ALL) if one.uid == "el_x"]
    assert one.source == "detector"


def test_a_library_that_lost_what_version_it_is_is_brought_along_all_the_same(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
    wipe(folder, root_of(folder, "meta"))
    repair_file(folder)
    with Library.open(folder) as library:
        assert rules(library, RULES)["list_item", "rule", "list_rows"] == 5 + 5
