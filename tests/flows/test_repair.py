"""A damaged library is repaired: what can be saved is there again, what cannot is said, and nothing is deleted."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.errors import DemopackError, LibraryBusyError, LibraryError, NewerVersionError, NotALibraryError
from demopack.pack import export_pack
from demopack.store import Library, repair
from demopack.store.entities import UNKNOWN_MOMENT
from demopack.store.recording import recording_lock
from demopack.store.repair import repair_file, repair_records
from demopack.store.schema import OLDEST_VERSION, SCHEMA_VERSION
from demopack.store.timeline import insert_keyframe
from demopack_cli import checks
from demopack_cli.main import main
from tests.support.demos import sample_demo
from tests.support.editing import SAMPLE, TINY, sample_library
from tests.support.pictures import swatch
from tests.support.spoilt_files import PAGE, demos, root_of, run, wipe
from tests.support.store_demos import edit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_library(tmp_path)


def set_json(folder: Path, demo: str, kind: str, new: Callable[[bytes], bytes], *tables: str) -> str:
    """Spoil the first record of a kind in some tables; returns its key."""
    key = ""
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        for table in tables:
            query = (
                f"SELECT rowid, key, CAST(json AS BLOB) FROM {table} WHERE demo = ? AND kind = ? ORDER BY position, key"
            )
            row, key, data = db.execute(query, (demo, kind)).fetchone()
            db.execute(f"UPDATE {table} SET json = CAST(? AS TEXT) WHERE rowid = ?", (new(data), row))
    return key


# The file -------------------------------------------------------------------------------------------------------------


def test_a_sound_library_is_left_alone(folder: Path) -> None:
    demos(folder)
    before = (folder / "library.db").read_bytes()
    done = run("--library", str(folder))
    assert done.exit_code == 0
    assert "is sound" in done.stdout
    assert (folder / "library.db").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["library.db"]


@pytest.mark.parametrize(
    "name", ["entities", "originals", "tiles", "demos", "meta", "log", "sqlite_autoindex_entities_1"]
)
def test_a_page_that_makes_no_sense_costs_what_was_on_it(folder: Path, name: str) -> None:
    wanted = demos(folder)
    wipe(folder, root_of(folder, name))
    damaged = (folder / "library.db").read_bytes()
    done = run("--library", str(folder), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["file"]["sound"] is False
    kept = Path(told["file"]["kept"])
    assert kept.parent == folder
    assert kept.read_bytes() == damaged
    assert (told["file"]["lost_pictures"], told["file"]["records_lost"]) == (0, 0)
    found = demos(folder)
    assert found == wanted
    assert run("--library", str(folder)).stdout.startswith(f"The library {folder} is sound")


def test_a_file_without_its_first_page_is_put_together_from_its_rows(folder: Path) -> None:
    wanted = demos(folder)
    with Library.open(folder) as library:
        step = library.demo(SAMPLE).steps[0]
        library.commit(SAMPLE, edit((step, step.model_copy(update={"note": "new"}))))
        edited = library.demo(SAMPLE)
        originals = {demo: library.original(demo) for demo in wanted}
    wipe(folder, 1, b"\x00")
    with pytest.raises(NotALibraryError, match="damaged"):
        Library.open(folder)
    assert run("--library", str(folder)).exit_code == 0
    assert demos(folder) == {**wanted, SAMPLE: edited}
    with Library.open(folder) as library:
        assert {demo: library.original(demo) for demo in wanted} == originals
        assert library.log.undo(SAMPLE)
        assert library.demo(SAMPLE) == wanted[SAMPLE]


def test_what_has_still_to_be_migrated_is_left_to_the_next_opening(folder: Path) -> None:
    version = "SELECT value FROM meta WHERE key = 'schema_version'"
    wipe(folder, root_of(folder, "entities"))
    repair_file(folder)
    assert rows(folder, version) == [(str(SCHEMA_VERSION),)]
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("UPDATE meta SET value = '2' WHERE key = 'schema_version'")
    wipe(folder, root_of(folder, "entities"))
    repair_file(folder)
    assert rows(folder, version) == [(str(OLDEST_VERSION),)]


def test_pages_that_changed_places_are_told_in_words(folder: Path) -> None:
    demos(folder)
    file = folder / "library.db"
    content = file.read_bytes()
    pages = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    for one in (root_of(folder, "demos"), root_of(folder, "sqlite_autoindex_originals_1")):
        for other in range(2, len(pages) + 1):
            swapped = pages.copy()
            swapped[one - 1], swapped[other - 1] = pages[other - 1], pages[one - 1]
            file.write_bytes(b"".join(swapped))
            for command in (["list"], ["show", SAMPLE, "--original"]):
                done = CliRunner().invoke(main, [*command, "--library", str(folder)])
                error = done.exception
                assert error is None or isinstance(error, DemopackError), (one, other, command, error)


def test_what_was_cut_off_is_said_and_the_rest_is_there(folder: Path) -> None:
    for number in range(3):
        with Library.open(folder) as library:
            sample_demo(library, demo_id=f"demo_more{number}", draw=swatch)
    wanted = demos(folder)
    file = folder / "library.db"
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * 9 // 10])
    done = run("--library", str(folder))
    assert done.exit_code == 1, done.output
    assert "was built anew" in done.stdout
    assert "The end of the file is missing: " in done.stdout
    assert "Saved: " in done.stdout
    found = demos(folder)
    assert found
    for demo_id, demo in found.items():
        assert all(step in wanted[demo_id].steps for step in demo.steps)
    assert f"{folder}/library-damaged-" in done.stdout


def test_what_was_in_the_log_beside_the_file_is_saved_too(folder: Path, tmp_path: Path) -> None:
    with Library.open(folder) as library:
        sample_demo(library, demo_id="demo_in_the_log", draw=swatch)
        wanted = library.demo("demo_in_the_log")
        copy = tmp_path / "copy"
        copy.mkdir()
        for file in folder.glob("library.db*"):
            (copy / file.name).write_bytes(file.read_bytes())
    assert (copy / "library.db-wal").stat().st_size
    (copy / "library.db").write_bytes(b"not a database" + (copy / "library.db").read_bytes()[14:])
    (copy / "library.db-shm").unlink()
    assert run("--library", str(copy)).exit_code == 0
    assert demos(copy)["demo_in_the_log"] == wanted
    assert not (copy / "library.db-wal").exists()


def test_pictures_that_could_not_be_saved_are_counted(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db:
        pages = db.execute("SELECT max(rootpage) FROM sqlite_master").fetchone()[0]
    content = (folder / "library.db").read_bytes()
    for number in range(pages + 1, len(content) // PAGE + 1):
        page = content[(number - 1) * PAGE : number * PAGE]
        if page[0] == 0x0D and b"\x28\xb5\x2f\xfd" in page:  # tiles
            wipe(folder, number)
            break
    told = json.loads(run("--library", str(folder), "--json").stdout)
    assert told["file"]["lost_pictures"] > 0
    assert len(demos(folder)) == 2


def test_the_new_file_is_private_and_keeps_what_is_private_so(folder: Path) -> None:
    (folder / "library.db").chmod(0o640)
    wipe(folder, root_of(folder, "entities"))
    told = json.loads(run("--library", str(folder), "--json").stdout)
    assert stat.S_IMODE((folder / "library.db").stat().st_mode) == 0o640
    assert stat.S_IMODE(Path(told["file"]["kept"]).stat().st_mode) == 0o600


def test_what_a_killed_repair_left_is_swept_and_its_copy_is_named(folder: Path) -> None:
    begun = folder / ".library-damaged-20260314-092653"
    begun.mkdir()
    (begun / "library.db").write_bytes(b"half")
    copy = folder / "library-damaged-20260314-092653.db"
    copy.write_bytes((folder / "library.db").read_bytes())
    aside = folder / "set-aside-20260314-092653.jsonl"
    aside.write_text("{}\n")
    lock = recording_lock(folder)
    with lock:
        assert json.loads(run("--library", str(folder), "--json").stdout)["swept"] == []
    assert begun.exists(), "it may be at work just now"
    done = run("--library", str(folder))
    assert done.exit_code == 0
    assert "is sound" in done.stdout
    assert not begun.exists()
    assert all(str(path) in done.stdout for path in (begun, copy, aside))
    assert copy.exists()
    assert aside.exists()
    (check,) = [check for check in checks._library(folder) if check.what == "Kept by repairs"]
    assert copy.name in check.found
    assert aside.name in check.found
    assert "stays in them" in check.found
    assert check.optional
    assert not check.ok
    aside.unlink()
    (check,) = [check for check in checks._library(folder) if check.what == "Kept by repairs"]
    assert check.found == f"{copy.name} in {folder}; what you forget stays in it"
    assert check.mend == "Delete it when you need it no more."


def test_a_library_in_use_is_left_alone(folder: Path) -> None:
    with Library.open(folder) as library:
        with library.begin_recording(DemoHead(id="demo_r", created_at=utc_now())):
            set_json(folder, TINY, "step", lambda _: b"{}", "entities")
            with pytest.raises(LibraryBusyError, match="recording is running"):
                repair_records(folder)
        library.demos()
        wipe(folder, root_of(folder, "originals"))
        before = (folder / "library.db").read_bytes()
        with pytest.raises(LibraryBusyError, match="open"):
            repair_file(folder)
        assert (folder / "library.db").read_bytes() == before
        assert not list(folder.glob("*damaged*"))


def test_what_breaks_off_leaves_the_library_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wipe(folder, root_of(folder, "entities"))
    before = (folder / "library.db").read_bytes()

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(repair, "_look_over", fails)
    done = run("--library", str(folder))
    assert done.exit_code == 1
    assert "full" in str(done.exception)
    assert (folder / "library.db").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir() if path.suffix == ".db") == ["library.db"]


def test_what_is_no_library_is_not_repaired(tmp_path: Path) -> None:
    with pytest.raises(NotALibraryError, match="There is no library"):
        repair_file(tmp_path)
    file = tmp_path / "library.db"
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE phones (number)")
    with pytest.raises(NotALibraryError, match="not a demopack library"):
        repair_file(tmp_path)
    file.write_bytes(b"\x00" * 50_000)
    with pytest.raises(NotALibraryError, match="No demo could be found"):
        repair_file(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".db") == ["library.db"]


def test_what_a_newer_version_wrote_is_not_damaged(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(NewerVersionError):
        repair_file(folder)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = 'x' WHERE key = 'schema_version'",
        "DELETE FROM meta WHERE key = 'erasures'",
        "DROP TABLE meta",
        "DROP TABLE film",
        "ALTER TABLE log ADD COLUMN colour TEXT",
        "DELETE FROM meta",
    ],
)
def test_a_library_that_is_not_as_it_has_to_be_is_refused_in_words_and_mended(folder: Path, statement: str) -> None:
    wanted = demos(folder)
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute(statement)
    done = CliRunner().invoke(main, ["list", "--library", str(folder)])
    assert done.exit_code == 0 or "repair" in str(done.exception), done.exception
    assert run("--library", str(folder)).exit_code == 0
    assert demos(folder) == wanted


# Records --------------------------------------------------------------------------------------------------------------


def lines_of(folder: Path) -> list[list[str]]:
    done = run("--library", str(folder), "--json")
    lines: list[list[str]] = json.loads(done.stdout)["records"]["lines"]
    assert done.exit_code == int(any(line[1] != "mended" for line in lines)), done.output
    return lines


@pytest.mark.parametrize("kind", ["head", "step", "element"])
@pytest.mark.parametrize("table", ["entities", "originals"])
def test_a_record_is_mended_from_where_else_it_stands(folder: Path, kind: str, table: str) -> None:
    with Library.open(folder) as library:
        wanted, original = library.demo(SAMPLE), library.original(SAMPLE)
    key = set_json(folder, SAMPLE, kind, lambda data: data[:-3], table)
    (line,) = lines_of(folder)
    assert line[0] == SAMPLE
    assert line[1] == "mended"
    with Library.open(folder) as library:
        assert (library.demo(SAMPLE), library.original(SAMPLE)) == (wanted, original)
    (kept,) = folder.glob("set-aside-*.jsonl")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    row = json.loads(kept.read_text(encoding="utf-8"))
    assert (row["table"], row["demo"], row["key"]) == (table, SAMPLE, f"{kind} {key}")


def test_an_edited_record_is_mended_as_it_was_edited(folder: Path) -> None:
    with Library.open(folder) as library:
        step = library.demo(SAMPLE).steps[0]
        noted = step.model_copy(update={"note": "first"})
        library.commit(SAMPLE, edit((step, noted)))
        library.commit(SAMPLE, edit((noted, step.model_copy(update={"note": "second"}))))
        library.log.undo(SAMPLE)
        wanted, original = library.demo(SAMPLE), library.original(SAMPLE)
    set_json(folder, SAMPLE, "step", lambda _: b"{}", "entities", "originals")
    assert [line[1] for line in lines_of(folder)] == ["mended", "mended"]
    with Library.open(folder) as library:
        assert library.demo(SAMPLE).steps[0].note == "first"
        assert (library.demo(SAMPLE), library.original(SAMPLE)) == (wanted, original)
        library.log.redo(SAMPLE)
        assert library.demo(SAMPLE).steps[0].note == "second"


@pytest.mark.parametrize(
    ("places", "said"),
    [(1, "before.scale_factor was left out"), (2, "before.scale_factor, after.scale_factor were left out")],
)
def test_a_number_without_end_is_left_out(folder: Path, places: int, said: str) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE)
    endless = b'"scale_factor":1e999'

    def spoil(data: bytes) -> bytes:
        return endless.join(data.rsplit(b'"scale_factor":1.0', places))

    set_json(folder, SAMPLE, "step", spoil, "entities", "originals")
    lines = lines_of(folder)
    assert [line[1] for line in lines] == ["changed", "mended"]
    assert said in lines[0][2]
    with Library.open(folder) as library:
        assert library.demo(SAMPLE) == wanted, "one is what it is where nobody says so"


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [(1, "1 picture of its film could not be read and was set aside."),
     (2, "2 pictures of its film could not be read and were set aside.")],
)  # fmt: skip
def test_pictures_of_a_film_that_cannot_be_read_are_set_aside(folder: Path, spoilt: int, said: str) -> None:
    with Library.open(folder) as library:
        frame = library.demo(TINY).frames()[0]
        with library.connection.writing() as db:
            for shown in range(3):
                insert_keyframe(db, TINY, frame, shown_ns=shown)
            db.execute("UPDATE film SET json = '{' WHERE shown_ns < ?", (spoilt,))
    set_json(folder, TINY, "step", lambda data: data[:-1], "entities")
    assert said in [line[2] for line in lines_of(folder)]


def test_a_step_that_cannot_be_mended_is_set_aside_and_the_demo_says_so(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE)
    set_json(folder, SAMPLE, "step", lambda data: data[:100], "entities", "originals")
    lines = lines_of(folder)
    assert [line[1] for line in lines] == ["lost", "lost"]
    assert "Step 1 is not JSON; it was set aside." in lines[0][2]
    with Library.open(folder) as library:
        demo = library.demo(SAMPLE)
        assert demo.steps == wanted.steps[1:]
        assert demo.head.status == "partial"
        assert "Step 1 was damaged and could not be mended." in demo.head.missing
        assert not library.demos(damaged=True)[0].damage
    text = run("--library", str(folder)).stdout
    assert "is sound" in text


@pytest.mark.parametrize("damage", ["DELETE FROM trees", "UPDATE trees SET data = zeroblob(length(data))"])
def test_a_tree_that_cannot_be_read_is_no_longer_named_and_the_demo_can_be_exported(folder: Path, damage: str) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE)
    assert any(step.trees for step in wanted.steps)
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute(damage)
    with Library.open(folder) as library, pytest.raises(LibraryError, match="demopack repair"):
        export_pack(library, [SAMPLE], folder / "pack", licence="MIT")
    ((_, result, text),) = lines_of(folder)
    assert (result, text) == ("changed", "3 accessibility trees cannot be read; 3 steps no longer name them.")
    with Library.open(folder) as library:
        demo = library.demo(SAMPLE)
        assert demo.steps == tuple(step.but(trees=()) for step in wanted.steps)
        assert export_pack(library, [SAMPLE], folder / "pack", licence="MIT")
    assert "is sound" in run("--library", str(folder)).stdout


def test_a_head_of_which_nothing_is_left_is_made_anew(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE)
    set_json(folder, SAMPLE, "head", lambda _: b"\xff\xfe", "entities", "originals")
    assert any("not known any more" in line[2] for line in lines_of(folder))
    with Library.open(folder) as library:
        demo = library.demo(SAMPLE)
        assert demo.steps == wanted.steps
        assert demo.head.created_at == wanted.head.created_at
        assert demo.head.status == "partial"


def test_a_moment_that_cannot_be_shown_costs_only_itself(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE).head
    old = f'"created_at":"{wanted.to_json()["created_at"]}"'.encode()
    new = b'"created_at":"0001-01-01T00:00:00+23:59"'
    set_json(folder, SAMPLE, "head", lambda data: data.replace(old, new), "entities", "originals")
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("UPDATE demos SET created_at = '0001-01-01T00:00:00+23:59' WHERE id = ?", (SAMPLE,))
    shown = CliRunner().invoke(main, ["list", "--library", str(folder)])
    assert shown.exit_code == 0, shown.output
    assert f"{SAMPLE} is damaged: The head is wrong at created_at" in shown.stderr
    assert run("--library", str(folder)).exit_code == 1
    with Library.open(folder) as library:
        assert library.demo(SAMPLE).head == wanted.model_copy(update={"created_at": UNKNOWN_MOMENT})


def test_a_rationale_is_kept_though_nobody_can_have_written_it_then(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = library.demo(SAMPLE).steps[0].rationale
    assert wanted is not None
    at = wanted.provenance.to_json()["at"]
    new = b'"at":"9999-12-31T23:59:59-23:59"'
    set_json(folder, SAMPLE, "step", lambda data: data.replace(f'"at":"{at}"'.encode(), new), "entities", "originals")
    assert [line[1] for line in lines_of(folder)] == ["changed", "mended"]
    with Library.open(folder) as library:
        found = library.demo(SAMPLE).steps[0].rationale
    assert found is not None
    assert found.provenance.at == UNKNOWN_MOMENT
    assert found.model_copy(update={"provenance": wanted.provenance}) == wanted


def test_a_history_that_makes_no_sense_is_set_aside(folder: Path) -> None:
    with Library.open(folder) as library:
        step = library.demo(SAMPLE).steps[0]
        library.commit(SAMPLE, edit((step, step.model_copy(update={"note": "new"}))))
        wanted = library.demo(SAMPLE)
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("UPDATE log SET edit = '[]'")
    (line,) = lines_of(folder)
    assert "history was damaged" in line[2]
    with Library.open(folder) as library:
        assert library.demo(SAMPLE) == wanted
        assert library.log.undo(SAMPLE) == []


def test_every_case_of_the_listing_can_be_opened_after_a_repair(folder: Path) -> None:
    from tests.flows.test_store_damage import SPOILS, spoil

    for name, kind, new, _ in SPOILS:
        spoil(folder, kind, new, counted=False)
        lines_of(folder)
        with Library.open(folder) as library:
            assert len(library.demos()) == 2, name
            assert library.demo(SAMPLE).steps, name
            assert library.original(SAMPLE).steps, name


def test_other_bytes_in_a_text_stand_as_what_cannot_be_read(folder: Path) -> None:
    def new(data: bytes) -> bytes:
        return data.replace(b'"note":""', b'"note":"a\xffb"')

    set_json(folder, SAMPLE, "step", new, "entities", "originals")
    assert lines_of(folder)[0][1] == "changed"
    with Library.open(folder) as library:
        assert library.demo(SAMPLE).steps[0].note == "a\ufffdb"


def rows(folder: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(folder / "library.db")) as db:
        return db.execute(query).fetchall()


def test_a_demo_that_was_taken_off_the_table_of_demos_is_found_again(folder: Path) -> None:
    wanted = demos(folder)
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("DELETE FROM demos WHERE id = ?", (SAMPLE,))
        db.execute("UPDATE meta SET value = 'x' WHERE key = 'schema_version'")
    assert run("--library", str(folder)).exit_code == 0
    assert demos(folder) == wanted
    assert rows(folder, f"SELECT created_at FROM demos WHERE id = '{SAMPLE}'")[0][0].startswith("2026-03-14")
