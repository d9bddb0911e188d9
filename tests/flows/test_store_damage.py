"""What is damaged costs itself and nothing else, and a starting recording is never refused for somebody who looks."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead, DemoSummary
from demopack.errors import (
    BadInputError,
    CorruptFrameError,
    DemopackError,
    LibraryError,
    NewerVersionError,
    NotALibraryError,
)
from demopack.pack import export_pack
from demopack.store import Library
from demopack.store.retakes import recently_deleted
from demopack_cli.checks import run_checks
from demopack_cli.main import main
from tests.support.editing import SAMPLE, TINY, sample_library

Spoil = Callable[[bytes], bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_library(tmp_path)


def spoil(folder: Path, kind: str, new: Spoil, *, demo: str = SAMPLE, table: str = "entities", counted: bool) -> str:
    """Spoil one record as a failing disk would, before or after the list was counted; returns its key."""
    if counted:
        with Library.open(folder) as library:
            library.demos()
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        row, key, data = db.execute(
            f"SELECT rowid, key, CAST(json AS BLOB) FROM {table} WHERE demo = ? AND kind = ? ORDER BY position, key",
            (demo, kind),
        ).fetchone()
        db.execute(f"UPDATE {table} SET json = CAST(? AS TEXT) WHERE rowid = ?", (new(data), row))
    return str(key)


def flip(data: bytes) -> bytes:
    at = data.index(b"schema_version")
    return data[:at] + bytes((data[at] ^ 0x80,)) + data[at + 1 :]


def infinite(data: bytes) -> bytes:
    return data.replace(b'"scale_factor":1.0', b'"scale_factor":Infinity', 1)


SPOILS: list[tuple[str, str, Spoil, str]] = [
    ("empty head", "head", lambda _: b"{}", "The head is wrong at id"),
    ("half a head", "head", lambda data: data[:40], "The head is not JSON"),
    ("no object", "head", lambda _: b"[]", "The head is wrong"),
    ("step without anything", "step", lambda _: b"{}", "Step 1 is wrong at id"),
    ("step is not JSON", "step", lambda data: data[:-1], "Step 1 is not JSON"),
    ("one bit in a head", "head", flip, "The head is no text"),
    ("one bit in a step", "step", flip, "Step 1 is no text"),
    ("infinity", "step", infinite, "Step 1 is wrong at"),
    ("infinity by a number", "step", lambda d: d.replace(b'"x":', b'"x":1e999,"y":', 1), "Step 1"),
    ("nested without end", "step", lambda _: b"[" * 100_000 + b"]" * 100_000, "Step 1"),
    ("element without anything", "element", lambda _: b"{}", "The element"),
    ("swapped corners", "element", lambda d: d.replace(b'"box":[', b'"box":[9999,9999,1,1],"b":[', 1), "The element"),
    ("another identity", "step", lambda d: d.replace(b'_step00"', b'_step01"'), "says that it is"),
]


@pytest.mark.parametrize(("name", "kind", "new", "told"), SPOILS, ids=[case[0] for case in SPOILS])
@pytest.mark.parametrize("counted", [False, True], ids=["fresh", "counted"])
def test_one_damaged_record_costs_one_demo(
    folder: Path, tmp_path: Path, name: str, kind: str, new: Spoil, told: str, *, counted: bool
) -> None:
    with Library.open(folder) as library:
        tiny = library.demo(TINY)
    spoil(folder, kind, new, counted=counted)
    with Library.open(folder) as library:
        with pytest.raises(LibraryError) as refused:
            library.demo(SAMPLE)
        assert told in refused.value.user_message.replace("“", "")
        assert "demopack repair" in refused.value.hint
        assert library.demo(TINY) == tiny
        assert [row.head.id for row in library.demos()] == [TINY]
        assert set(library.counts()) == {TINY}
        rows = {row.head.id: row for row in library.demos(damaged=True)}
        assert rows.keys() == {SAMPLE, TINY}
        assert told in rows[SAMPLE].damage
        assert rows[SAMPLE].head.task == "Add Ada Lovelace as a customer from the United Kingdom", "of the original"
        assert not rows[TINY].damage
        assert library.demos(damaged=True) == list(rows.values())
        assert library.find("last") in rows
    at = ["--library", str(folder)]
    for command in (["list"], ["show", TINY], ["export", TINY, "-o", str(tmp_path / "pack")], ["decisions"]):
        done = CliRunner().invoke(main, [*command, *at])
        assert done.exit_code == 0, done.output


def test_the_damaged_demo_is_listed_with_what_is_wrong(folder: Path) -> None:
    spoil(folder, "step", lambda _: b"{}", counted=True)
    at = ["--library", str(folder)]
    rows = json.loads(CliRunner().invoke(main, ["list", "--json", *at]).stdout)
    by_id: dict[str, dict[str, str]] = {row["head"]["id"]: row for row in rows}
    assert by_id[TINY]["damage"] == ""
    assert "Step 1 is wrong" in by_id[SAMPLE]["damage"]
    done = CliRunner().invoke(main, ["list", *at])
    assert "damaged" in next(line for line in done.stdout.splitlines() if SAMPLE in line)
    assert f"{SAMPLE} is damaged: Step 1 is wrong" in done.stderr
    assert "demopack repair" in done.stderr
    shown = CliRunner().invoke(main, ["show", SAMPLE, *at])
    assert isinstance(shown.exception, LibraryError)
    assert "Step 1 is wrong" in str(shown.exception)


def test_what_was_spoilt_and_made_right_again_is_no_longer_damaged(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = library.demos()
    with closing(sqlite3.connect(folder / "library.db")) as db:
        query = "SELECT rowid, json FROM entities WHERE demo = ? AND kind = 'step' LIMIT 1"
        row, text = db.execute(query, (SAMPLE,)).fetchone()
    spoil(folder, "step", lambda _: b"{}", counted=True)
    with Library.open(folder) as library:
        assert len(library.demos()) == 1
        with closing(sqlite3.connect(folder / "library.db")) as db, db:
            db.execute("UPDATE entities SET json = ? WHERE rowid = ?", (text, row))
        assert library.demos() == wanted


def test_a_demo_without_a_head_is_damaged(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("DELETE FROM entities WHERE demo = ? AND kind = 'head'", (SAMPLE,))
    with Library.open(folder) as library:
        (row,) = [row for row in library.demos(damaged=True) if row.damage]
        assert row.damage == "The head is missing."
        with pytest.raises(LibraryError, match="head is missing"):
            library.demo(SAMPLE)


def test_what_a_newer_version_wrote_is_not_called_damaged_by_who_opens_it(folder: Path) -> None:
    spoil(folder, "step", lambda d: d.replace(b'"schema_version":1', b'"schema_version":2'), counted=False)
    with Library.open(folder) as library, pytest.raises(NewerVersionError):
        library.demo(SAMPLE)


def test_a_damaged_demo_can_be_deleted_restored_and_erased(folder: Path) -> None:
    key = spoil(folder, "step", lambda data: data[:-1], counted=False)
    with Library.open(folder) as library:
        library.delete_demo(SAMPLE)
        assert [row.head.id for row in library.demos(damaged=True)] == [TINY]
        assert [row.head.id for row in recently_deleted(library)] == [SAMPLE]
        library.restore_demo(SAMPLE)
        library.erase_demo(SAMPLE)
        assert [row.head.id for row in library.demos(damaged=True)] == [TINY]
    assert key.encode() not in b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_forgetting_steps_of_one_demo_does_not_mind_another_that_is_damaged(folder: Path) -> None:
    spoil(folder, "head", lambda data: data[:-1], counted=False)
    spoil(folder, "step", flip, counted=False)
    with Library.open(folder) as library:
        library.delete_demo(SAMPLE)
        steps = library.demo(TINY).steps
        library.forget_steps(TINY, [steps[0].id])
        assert [step.id for step in library.demo(TINY).steps] == [step.id for step in steps[1:]]


@pytest.mark.parametrize("table", ["originals", "log", "film"])
def test_what_is_kept_beside_a_demo_costs_only_itself(folder: Path, table: str) -> None:
    with Library.open(folder) as library:
        demo = library.demo(TINY)
        library.delete_demo(SAMPLE)
        from tests.support.store_demos import edit

        step = demo.steps[0]
        library.commit(TINY, edit((step, step.model_copy(update={"note": "new"}))))
        assert step.before is not None
        from demopack.store.timeline import insert_keyframe

        with library.connection.writing() as db:
            insert_keyframe(db, TINY, step.before, shown_ns=1)
    column = "edit" if table == "log" else "json"
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute(f"UPDATE {table} SET {column} = CAST(substr({column}, 2) AS TEXT) WHERE demo = ?", (TINY,))
    with Library.open(folder) as library:
        assert library.demo(TINY).steps[0].note == "new"
        assert len(library.demos()) == 1
        for read in (library.original, library.log.undo, library.log.entries, library.log.labels, library.timeline):
            with contextlib.suppress(LibraryError):
                read(TINY)
        with pytest.raises(LibraryError) as refused:
            {"originals": library.original, "log": library.log.undo, "film": library.timeline}[table](TINY)
        assert "demopack repair" in refused.value.hint


def test_the_log_of_another_order_is_told(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("INSERT INTO log VALUES (?, 1, 'undo', 'edit_x', NULL, NULL, 'now')", (TINY,))
    with Library.open(folder) as library:
        assert library.demo(TINY)
        for read in (library.log.undo, library.log.redo, library.log.entries, library.log.labels):
            with pytest.raises(LibraryError, match="history"):
                read(TINY)


# Starting a recording -------------------------------------------------------------------------------------------------


def unfinished_library(folder: Path) -> Library:
    """A library in which a recorder died."""
    library = Library.open(folder)
    head = DemoHead(id="demo_cut_off", created_at=utc_now(), status="recording")
    library.add_demo(type(library.demo(TINY))(head=head, steps=(), elements={}))
    return library


def test_opening_a_library_leaves_the_lock_of_recordings_alone(folder: Path) -> None:
    with Library.open(folder) as library:
        assert [row.head.status for row in library.demos()] == ["complete"] * 2
    assert not (folder / "recording.lock").exists()


def test_a_recording_starts_while_somebody_opens_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from demopack.store import library as module

    mark, failed = module.mark_partial, list[BaseException]()
    with unfinished_library(folder) as library:

        def record() -> None:
            try:
                with library.begin_recording(DemoHead(id="demo_new", created_at=utc_now())) as recording:
                    recording.finish()
            except DemopackError as error:
                failed.append(error)

        thread = threading.Thread(target=record)

        def slowly(db: sqlite3.Connection, demo: str) -> None:
            thread.start()
            thread.join(0.3)  # it is either refused at once, or waits until this is done
            mark(db, demo)

        monkeypatch.setattr(module, "mark_partial", slowly)
        with Library.open(folder) as other:
            thread.join()
            assert failed == []
            found = {row.head.id: row.head.status for row in other.demos()}
    assert (found["demo_new"], found["demo_cut_off"]) == ("complete", "partial")


def test_opening_does_not_wait_for_somebody_who_writes(folder: Path) -> None:
    with unfinished_library(folder) as library, library.connection.writing(), Library.open(folder) as other:
        with other.connection.reading() as db:
            db.execute("PRAGMA busy_timeout = 3600000")  # whoever waits, waits for longer than a test may take
        assert next(row for row in other.demos() if row.head.id == "demo_cut_off").head.status == "recording"
    with Library.open(folder) as library:
        assert next(row for row in library.demos() if row.head.id == "demo_cut_off").head.status == "partial"


def summaries(library: Library) -> list[DemoSummary]:
    return library.demos(damaged=True)


def test_no_such_demo_is_no_damage(folder: Path) -> None:
    with Library.open(folder) as library:
        with pytest.raises(BadInputError):
            library.demo("demo_none")
        assert not any(row.damage for row in summaries(library))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tiles SET data = x''",
        "UPDATE frames SET tiles = x'28b52ffd'",
        "UPDATE frames SET tiles = x''",
        "UPDATE frames SET width = 1 << 40",
        "UPDATE frames SET side = 0",
        "UPDATE frames SET side = -40, width = -1",
    ],
)
def test_a_picture_of_which_nothing_can_be_made_is_damaged(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute(statement)
    with Library.open(folder) as library:
        frame = library.demo(TINY).frames()[0]
        with pytest.raises(CorruptFrameError):
            library.get_image(frame.id)
        library.put_image(np.zeros((frame.height, frame.width, 3), np.uint8))


def test_templates_may_lie_there_before_the_library_does(tmp_path: Path) -> None:
    template = tmp_path / "templates" / "pluma" / "report.txt"
    template.parent.mkdir(parents=True)
    template.write_text("A report", encoding="utf-8")
    with Library.open(tmp_path) as library:
        assert library.demos() == []
    assert template.read_text(encoding="utf-8") == "A report"


# A file that is empty -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beside", ["library.db-wal", "recording.lock", "language.db", "frames/ab/x.png", "cache/x"])
def test_an_empty_file_beside_what_was_a_library_is_no_new_library(folder: Path, beside: str) -> None:
    with Library.open(folder):
        pass
    (folder / "library.db").write_bytes(b"")
    (folder / beside).parent.mkdir(parents=True, exist_ok=True)
    (folder / beside).write_bytes(b"something")
    with pytest.raises(NotALibraryError, match="is empty, but there was a library") as refused:
        Library.open(folder)
    assert "demopack repair" in refused.value.hint
    assert (folder / "library.db").read_bytes() == b""
    done = CliRunner().invoke(main, ["repair", "--library", str(folder)])
    assert isinstance(done.exception, NotALibraryError)
    assert "No demo could be found" in str(done.exception)
    assert (folder / beside).read_bytes() == b"something"


EMPTY_LOGS = pytest.mark.parametrize("beside", [(), ("library.db-journal",), ("library.db-wal",)])


def empty_library(folder: Path, *beside: str) -> Path:
    """An empty library.db, as another program has made it a moment ago, or as a disk that failed has left it."""
    for name in ("library.db", *beside):
        (folder / name).write_bytes(b"")
    return folder


@EMPTY_LOGS
def test_whoever_only_reads_refuses_an_empty_file_and_leaves_it_alone(tmp_path: Path, beside: tuple[str, ...]) -> None:
    empty_library(tmp_path, *beside)
    with pytest.raises(NotALibraryError) as refused:
        Library.open(tmp_path, create=False)
    assert refused.value.user_message == f"{tmp_path / 'library.db'} is empty: there is no demo in it."
    assert "put a copy of it back" in refused.value.hint
    assert "delete it" in refused.value.hint
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == dict.fromkeys(("library.db", *beside), b"")


READING = [
    ("list",), ("show", "last"), ("export", "last", "-o", "pack"), ("prompt", "--task", "x"), ("decisions",),
    ("replay", "last", "--yes"), ("replay", "last", "--dry-run"), ("parse", "last"), ("redact", "last"),
    ("judge", "last"), ("rationale", "last"), ("forget", "--last", "5"), ("repair",), ("models", "review"),
    ("annotations", "export", "last", "-o", "out", "--format", "coco"),
    ("record", "--of", "last", "--after-step", "1", "--seconds", "1"),
]  # fmt: skip


@pytest.mark.parametrize("command", READING, ids=[" ".join(command[:3]) for command in READING])
def test_no_command_that_reads_makes_a_library_of_an_empty_file(
    tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "library").mkdir()
    done = CliRunner().invoke(main, [*command, "--library", str(empty_library(tmp_path / "library"))])
    assert isinstance(done.exception, DemopackError), done.output
    assert "library.db" in str(done.exception)
    assert done.exit_code == 1
    assert [path.stat().st_size for path in (tmp_path / "library").iterdir()] == [0]


@EMPTY_LOGS
def test_an_empty_file_that_somebody_may_be_just_making_is_a_new_library(
    tmp_path: Path, beside: tuple[str, ...]
) -> None:
    with Library.open(empty_library(tmp_path, *beside)) as library:
        assert library.demos() == []


def test_a_command_that_makes_libraries_says_that_the_file_was_empty(tmp_path: Path) -> None:
    with Library.open(sample_library(tmp_path)) as library:
        export_pack(library, [TINY], tmp_path / "pack")
    (tmp_path / "new").mkdir()
    command = ["import", str(tmp_path / "pack"), "--library", str(empty_library(tmp_path / "new"))]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert f"{tmp_path / 'new' / 'library.db'} was empty and is a new library now" in done.stderr
    assert "was empty" not in CliRunner().invoke(main, command).stderr


def test_the_doctor_makes_no_library(tmp_path: Path) -> None:
    empty_library(tmp_path)
    (told,) = [check for check in run_checks(tmp_path) if check.what == "Library"]
    assert (told.ok, told.optional) == (False, False)
    assert "library.db is empty" in told.found
    assert "put a copy of it back" in told.mend
    (tmp_path / "library.db").unlink()
    (told,) = [check for check in run_checks(tmp_path) if check.what == "Library"]
    assert told.ok, told
    assert told.found == f"{tmp_path} will be made"
    assert list(tmp_path.iterdir()) == []
