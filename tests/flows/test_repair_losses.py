"""What a repair could not save is told: steps that must have been there, and pictures that cannot be read."""

from __future__ import annotations

import json
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from demopack.store import Library
from demopack.store.repair import check_pictures, repair_file
from demopack.store.sqlite_pages import PageFile
from demopack.store.tiles import unpacked_size
from demopack_cli.main import main
from tests.support.demos import sample_demo
from tests.support.editing import SAMPLE, TINY, sample_library
from tests.support.pictures import swatch
from tests.support.spoilt_files import PAGE, demos, root_of, run, wipe
from tests.support.store_demos import edit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_library(tmp_path)


def cut(folder: Path, *, counted: bool) -> None:
    """Lose the last three steps of SAMPLE, as if they had been on one page, in a file that has to be built anew."""
    with Library.open(folder) as library:
        library.demos()
        gone = [step.id for step in library.demo(SAMPLE).steps[-3:]]
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        kept = db.execute("SELECT * FROM listing").fetchall()
        for table in ("entities", "originals"):
            db.execute(f"UPDATE {table} SET position = position / 1000 * 1024 WHERE kind = 'step'")
            db.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in gone])
        marks = ", ".join("?" * len(kept[0]))
        db.execute("DELETE FROM listing")
        db.executemany(f"INSERT INTO listing VALUES ({marks})", kept if counted else [])
    wipe(folder, root_of(folder, "meta"))


@pytest.mark.parametrize("counted", [True, False])
def test_steps_that_are_known_to_be_lost_are_told_and_the_demo_is_partial(folder: Path, *, counted: bool) -> None:
    cut(folder, counted=counted)
    done = run("--library", str(folder), "--json")
    assert done.exit_code == 1, done.output
    losses = {loss[0]: loss for loss in json.loads(done.stdout)["file"]["losses"]}
    assert losses.keys() == {SAMPLE}
    assert losses[SAMPLE][1] == (3 if counted else 1)
    with Library.open(folder) as library:
        head = library.demo(SAMPLE).head
        assert (head.status, head.accepted) == ("partial", False)
        assert (
            "at least 3 steps" if counted else "at least 1 step of this demo could not be saved, its end among them"
        ) in head.missing
        assert library.original(SAMPLE).head.status == "partial"
        assert library.demo(TINY).head.status == "complete"
    shown = CliRunner().invoke(main, ["list", "--library", str(folder)]).stdout
    assert "\tpartial\t" in next(line for line in shown.splitlines() if SAMPLE in line)


def test_a_list_as_it_was_kept_before_tells_too(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = {row.head.id: row for row in library.demos()}
        erased = library.demo(SAMPLE).steps[-3:]
    columns = "demo, head, steps, rationales, approved, doubtful, first_frame, elements, elements_approved, "
    columns += "elements_doubtful, elements_rejected, types, actions, counts"
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.executescript("".join(f"DROP TRIGGER listing_{name};" for name in ("insert", "update", "delete")))
        db.execute("DROP TABLE listing")
        db.execute(f"CREATE TABLE listing ({columns})")
        for demo, row in wanted.items():
            head = row.head.model_dump_json() if demo == SAMPLE else ""
            values = (demo, head, row.steps, 0, 0, 0, None, row.elements, 0, 0, row.elements_rejected, "", "", "{}")
            db.execute(f"INSERT INTO listing VALUES ({', '.join('?' * len(values))})", values)
        for table in ("entities", "originals"):
            db.executemany(f"DELETE FROM {table} WHERE key = ?", [(step.id,) for step in erased])
            db.execute(f"DELETE FROM {table} WHERE demo = ? AND kind = 'head'", (SAMPLE,))
    wipe(folder, root_of(folder, "meta"))
    report = repair_file(folder)
    assert report.counted
    assert [loss[:3] for loss in report.losses] == [(SAMPLE, 3, 0)]
    head = demos(folder)[SAMPLE].head
    assert (head.task, head.status) == (wanted[SAMPLE].head.task, "partial")


def test_a_gap_between_steps_is_told(folder: Path) -> None:
    with Library.open(folder) as library:
        library.demos()
        steps = library.demo(SAMPLE).steps
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        for table in ("entities", "originals"):
            db.execute(f"UPDATE {table} SET position = position / 1000 * 1024 WHERE kind = 'step'")
            db.executemany(f"DELETE FROM {table} WHERE key = ?", [(step.id,) for step in steps[3:5]])
        db.execute("DELETE FROM listing")
    wipe(folder, root_of(folder, "meta"))
    (loss,) = repair_file(folder).losses
    assert loss[:3] == (SAMPLE, 2, 0)
    assert "at least 2 steps" in loss[3]
    assert "unless these were forgotten" in loss[3]


def test_what_is_only_in_one_of_two_places_is_known_to_be_lost(folder: Path) -> None:
    with Library.open(folder) as library:
        first, second, *_ = library.demo(SAMPLE).steps
        library.commit(SAMPLE, edit((first, None)))
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("DELETE FROM entities WHERE key = ?", (second.id,))
    wipe(folder, root_of(folder, "meta"))
    (loss,) = repair_file(folder).losses
    assert loss[:3] == (SAMPLE, 1, 0), "the one that was deleted on purpose does not count"


def test_a_demo_of_which_only_the_list_speaks_is_told(folder: Path) -> None:
    with Library.open(folder) as library:
        wanted = {row.head.id: row for row in library.demos()}
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        kept = db.execute("SELECT * FROM listing WHERE demo = ?", (SAMPLE,)).fetchone()
        for table in ("entities", "originals"):
            db.execute(f"DELETE FROM {table} WHERE demo = ?", (SAMPLE,))
        db.execute("DELETE FROM demos WHERE id = ?", (SAMPLE,))
        db.execute(f"INSERT INTO listing VALUES ({', '.join('?' * len(kept))})", kept)
    wipe(folder, root_of(folder, "meta"))
    assert run("--library", str(folder)).exit_code == 1
    head = demos(folder)[SAMPLE].head
    assert (head.task, head.status) == (wanted[SAMPLE].head.task, "partial")
    assert f"at least {wanted[SAMPLE].steps} steps" in head.missing


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tiles SET data = x'00'",
        "UPDATE tiles SET data = x''",
        "UPDATE tiles SET data = x'0028b52ffd0000'",
        "DELETE FROM tiles",
        "UPDATE frames SET side = 0",
        "UPDATE frames SET side = 1 << 40",
        "UPDATE frames SET side = 20",
        "UPDATE frames SET width = width + 1000",
        "UPDATE frames SET tiles = x''",
        "UPDATE frames SET tiles = (SELECT data FROM bomb)",
        "UPDATE frames SET id = 'other' || id",
    ],
)
def test_pictures_that_cannot_be_read_are_told_though_the_file_is_sound(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        bomb = zstandard.ZstdCompressor().compress(bytes(1 << 24))
        db.execute("CREATE TEMP TABLE bomb AS SELECT ? AS data", (bomb,))
        db.execute(statement)
    done = run("--library", str(folder))
    assert done.exit_code == 1
    assert "is sound" not in done.stdout
    assert "cannot be mended" in done.stdout
    assert f"{SAMPLE}: " in done.stdout
    assert "steps 1 to 11 show them" in done.stdout
    told = json.loads(run("--library", str(folder), "--json").stdout)["pictures"]
    assert told["unreadable"] == told["checked"] > 0
    assert {one["demo"] for one in told["demos"]} == {SAMPLE, TINY}


def test_one_picture_concerns_the_steps_that_show_it(folder: Path) -> None:
    with Library.open(folder) as library:
        frame = library.demo(SAMPLE).steps[3].before
        assert frame is not None
        steps = [n for n, step in enumerate(library.demo(SAMPLE).steps, start=1) if frame in (step.before, step.after)]
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        db.execute("DELETE FROM frames WHERE id = ?", (frame.id,))
    found = check_pictures(folder)
    assert (found.unreadable, [(one.demo, one.pictures) for one in found.demos]) == (1, [(SAMPLE, 1)])
    assert set(steps) <= set(found.demos[0].steps)
    told = run("--library", str(folder)).stdout
    assert f"{SAMPLE}: 1 picture cannot be read; steps 3 to 4 show it." in told


def test_a_picture_that_would_have_billions_of_tiles_takes_no_memory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(folder) as library:
        frame = library.demo(SAMPLE).steps[3].before
        assert frame is not None
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        query = "UPDATE frames SET width = 1048576, height = 1048576, side = 64 WHERE id = ?"
        db.execute(query, (frame.id,))
    limit = 200 << 20
    tracemalloc.start()
    try:
        assert check_pictures(folder).unreadable == 1
        assert tracemalloc.get_traced_memory()[1] < limit
    finally:
        tracemalloc.stop()


def test_other_pixels_are_only_seen_by_looking_at_every_one(folder: Path) -> None:
    assert check_pictures(folder, every_pixel=True).unreadable == 0
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        (tile,) = db.execute("SELECT min(id) FROM tiles").fetchone()
        query = "UPDATE tiles SET data = (SELECT data FROM tiles WHERE id = ?) WHERE id = ?"
        data = {key: unpacked_size(value, 1 << 20) for key, value in db.execute("SELECT id, data FROM tiles")}
        other = next(key for key in data if key != tile and data[key] == data[tile])
        db.execute(query, (other, tile))
    seen: list[tuple[int, int]] = []
    assert check_pictures(folder).unreadable == 0
    found = check_pictures(folder, every_pixel=True, report=lambda done, of: seen.append((done, of)))
    assert found.unreadable > 0
    assert seen[-1] == (found.checked, found.checked)


# The end of the file --------------------------------------------------------------------------------------------------


def cut_off(folder: Path, pages: int) -> int:
    """Keep so many pages of the file, and half of the one after them; returns how many there were."""
    file = folder / "library.db"
    content = file.read_bytes()
    file.write_bytes(content[: pages * PAGE + PAGE // 2])
    return len(content) // PAGE


def test_a_file_whose_end_is_missing_says_how_much_and_that_nobody_knows_what_stood_there(folder: Path) -> None:
    wanted = demos(folder)  # makes the list, at the end of the file
    kept = root_of(folder, "sqlite_autoindex_log_1")  # behind it lie steps, pictures and what else grew
    pages = cut_off(folder, kept)
    done = run("--library", str(folder))
    assert done.exit_code == 1, done.output
    assert "Saved: 2 demos, 0 steps" in done.stdout
    missing = f"{pages - kept} of {pages} pages"
    assert f"The end of the file is missing: {missing}. How much stood there cannot be known." in done.stdout
    assert "set-aside" not in done.stdout
    assert not list(folder.glob("set-aside-*"))
    found = demos(folder)
    assert found.keys() == wanted.keys() == {SAMPLE, TINY}
    for demo in found.values():
        assert (demo.head.status, demo.head.accepted) == ("partial", False)
        assert demo.head.created_at == wanted[demo.head.id].head.created_at
        assert "Task, application and outcome are not known any more." in demo.head.missing
        assert f"({missing}): how many steps this demo had cannot be known." in demo.head.missing
        assert f"{demo.head.id}: The end of the file of the library was missing ({missing})" in done.stdout
    assert run("--library", str(folder)).exit_code == 0, "it is sound now"


def test_what_the_list_still_knows_of_a_missing_end_is_told_instead(tmp_path: Path) -> None:
    with Library.open(tmp_path) as library:
        library.demos()  # makes the list, before what follows
        sample_demo(library, demo_id=SAMPLE, draw=swatch)
    wanted = demos(tmp_path)[SAMPLE]
    kept = root_of(tmp_path, "listing")
    pages = cut_off(tmp_path, kept)
    done = run("--library", str(tmp_path))
    assert done.exit_code == 1
    assert f"The end of the file is missing: {pages - kept} of {pages} pages.\n" in done.stdout
    found = demos(tmp_path)[SAMPLE].head
    assert (found.task, found.status) == (wanted.head.task, "partial")
    assert f"at least {len(wanted.steps)} steps" in found.missing


def test_the_log_beside_the_file_tells_how_many_pages_there_should_be(folder: Path) -> None:
    file, copy = folder / "library.db", folder / "copy.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("CREATE TABLE filled AS SELECT zeroblob(200000) AS data")
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        content, log = file.read_bytes(), (folder / "library.db-wal").read_bytes()
    whole = len(content) // PAGE
    assert pages > whole
    for left, beside, wanted, missing in (
        (content, b"", whole, 0),
        (content, log, pages, 0),
        (content[: -2 * PAGE], b"", whole, 2),
        (content[: -2 * PAGE], log, pages, 2),
        (b"no database at all"[:16] + content[16 : -2 * PAGE], log, pages, 2),
        (b"no database at all"[:16] + content[16:], b"", 0, 0),
    ):
        copy.write_bytes(left)
        copy.with_name("copy.db-wal").write_bytes(beside)
        source = PageFile(copy)
        assert (source.wanted, source.missing) == (wanted, missing)


def test_a_head_that_is_gone_is_known_from_an_edit_of_it(folder: Path) -> None:
    with Library.open(folder) as library:
        head = library.original(SAMPLE).head
        library.commit(SAMPLE, edit((head, head.model_copy(update={"task": "Buy tea"})), kind="head"))
    with closing(sqlite3.connect(folder / "library.db")) as db, db:
        for table in ("entities", "originals"):
            db.execute(f"DELETE FROM {table} WHERE demo = ? AND kind = 'head'", (SAMPLE,))
        db.execute("DELETE FROM entities WHERE demo = ? AND kind = 'step'", (SAMPLE,))
    wipe(folder, root_of(folder, "meta"))
    assert run("--library", str(folder)).exit_code == 1
    found = demos(folder)[SAMPLE].head
    assert (found.task, found.status) == ("Buy tea", "partial")
    assert "11 steps" in found.missing
