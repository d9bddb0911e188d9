from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from demopack.domain.frames import RgbImage, frame_id
from demopack.errors import LibraryError, NewerVersionError
from demopack.store import Library, schema
from demopack.store.tiles import SIDE, Grid, new_packer, pack_ids, pack_tile, tile_digest, unpack_ids, unpack_picture
from tests.support.damage import damage_frame
from tests.support.store_demos import noise, record_typing, tiles_of


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library")


def screen(width: int = 1280, height: int = 800) -> RgbImage:
    """Flat areas, a gradient and some noise."""
    image = np.full((height, width, 3), 240, dtype=np.uint8)
    image[:, : width // 3] = np.linspace(0, 255, height, dtype=np.uint8)[:, np.newaxis, np.newaxis]
    image[100:200, 500:700] = np.random.default_rng(0).integers(0, 255, (100, 200, 3), dtype=np.uint8)
    return image


# Tiles


@settings(max_examples=60)
@given(
    width=st.integers(1, 130),
    height=st.integers(1, 130),
    seed=st.integers(0, 9),
    kind=st.sampled_from(["noise", "flat", "gradient"]),
)
def test_a_picture_comes_back_from_its_tiles(width: int, height: int, seed: int, kind: str) -> None:
    if kind == "noise":
        image = np.random.default_rng(seed).integers(0, 255, (height, width, 3), dtype=np.uint8)
    elif kind == "flat":
        image = np.full((height, width, 3), seed * 20, dtype=np.uint8)
    else:
        image = np.add.outer(np.arange(height), np.arange(width * 3)).reshape(height, width, 3).astype(np.uint8)
    grid, packer = Grid(width, height), new_packer()
    packed: dict[int, bytes] = {}
    ids: dict[bytes, int] = {}
    order: list[int] = []
    for number in range(grid.down):
        for tile in grid.tiles(grid.row(image, number)):
            key = ids.setdefault(tile_digest(tile), len(ids) + 1)
            packed.setdefault(key, pack_tile(tile, packer))
            order.append(key)
    assert (unpack_picture(unpack_ids(pack_ids(order)), packed, grid) == image).all()


@given(ids=st.lists(st.integers(0, 2**40), max_size=300))
def test_lists_of_tiles_come_back(ids: list[int]) -> None:
    assert unpack_ids(pack_ids(ids)).tolist() == ids


def test_equal_bytes_of_another_shape_are_another_tile() -> None:
    flat = np.zeros((20, 40, 3), dtype=np.uint8)
    assert tile_digest(flat) != tile_digest(flat.reshape(40, 20, 3))
    assert tile_digest(flat) == tile_digest(flat.copy())


# Storing


def test_what_has_not_changed_costs_next_to_nothing(library: Library) -> None:
    first = screen()
    second = first.copy()
    second[400 : 400 + SIDE, 800 : 800 + SIDE] = noise(1)[:SIDE, :SIDE]
    scrolled = np.roll(first, 3 * SIDE, axis=0)
    with library.connection.writing() as db:
        sizes = [library.insert(db, frame_id(image), image) for image in (first, second, scrolled, first)]
    assert sizes[0] > 60_000
    assert sizes[1] < 3 * SIDE * SIDE + 1000
    assert sizes[2] < 25_000, "a page that was scrolled by whole tiles is made of the same tiles"
    assert sizes[3] == 0
    for image in (first, second, scrolled):
        assert (library.get_image(frame_id(image)) == image).all()


def test_the_next_recording_begins_with_the_tiles_of_the_last(library: Library) -> None:
    image = screen()
    library.put_image(image)
    library.close()
    image[5, 5] = 0
    with Library.open(library.folder) as again:
        with again.connection.writing() as db:
            assert again.insert(db, frame_id(image), image) < 2000
        assert (again.get_image(frame_id(image)) == image).all()


def test_a_damaged_last_picture_is_not_built_upon(library: Library) -> None:
    image = noise(1)
    damage_frame(library, library.put_image(image), "tile garbage")
    library.close()
    image[0, 0] = 0
    with Library.open(library.folder) as again:
        key = again.put_image(image)
        assert (again.get_image(key) == image).all()


def test_a_transaction_that_failed_leaves_no_tiles_in_memory(library: Library) -> None:
    image = noise(1)

    def fail() -> None:
        with library.connection.writing() as db:
            library.insert(db, frame_id(image), image)
            raise RuntimeError("after the picture")

    with pytest.raises(RuntimeError):
        fail()
    other = noise(2)
    other[:SIDE, :SIDE] = image[:SIDE, :SIDE]  # a tile that was stored and taken back
    for some in (other, image):
        assert (library.get_image(library.put_image(some)) == some).all()


def test_two_programs_and_several_threads_may_store_at_once(library: Library) -> None:
    failed: list[BaseException] = []

    def store(target: Library, seeds: range) -> None:
        try:
            for seed in seeds:
                target.put_image(noise(seed))
        except BaseException as error:  # noqa: BLE001 - shown by the assertion
            failed.append(error)

    with Library.open(library.folder) as second:
        threads = [
            threading.Thread(target=store, args=(target, range(start, start + 12)))
            for target, start in ((library, 0), (library, 6), (second, 3), (second, 9))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []
        for seed in range(21):
            assert (second.get_image(frame_id(noise(seed))) == noise(seed)).all()


def test_pictures_leave_as_plain_png(library: Library) -> None:
    from demopack.pack.picture import decode, only_pixels

    key = library.put_image(screen())
    data = library.png_bytes(key)
    assert only_pixels(data)
    assert decode(data).id == key


# Versions


def version_1(folder: Path) -> Path:
    """An empty library as an early trial version left it."""
    old = folder / "old"
    old.mkdir()
    with closing(sqlite3.connect(old / "library.db", isolation_level=None)) as db:
        schema.create_tables(db)
        db.execute("UPDATE meta SET value = '1' WHERE key = 'schema_version'")
    return old


def version_of(folder: Path) -> str:
    with closing(sqlite3.connect(folder / "library.db")) as db:
        return str(db.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])


@pytest.mark.parametrize("may_write", [True, False])
def test_a_library_of_a_trial_version_is_refused_and_left_as_it_is(
    tmp_path: Path, may_write: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = version_1(tmp_path)
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: may_write)
    before = (folder / "library.db").read_bytes()
    with pytest.raises(LibraryError, match="early trial version") as caught:
        Library.open(folder)
    assert "as packs" in caught.value.hint
    assert (folder / "library.db").read_bytes() == before
    assert version_of(folder) == "1"


def test_an_older_demopack_refuses_version_2_clearly(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.close()
    monkeypatch.setattr("demopack.store.connection.SCHEMA_VERSION", 1)
    with pytest.raises(NewerVersionError, match="newer demopack"):
        Library.open(library.folder)


OPEN = (
    "import sys; from pathlib import Path; from demopack.store import Library; Library.open(Path(sys.argv[1])).close()"
)


def test_two_programs_may_open_a_new_library_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OPEN, str(tmp_path / "new")]
    programs = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    assert [program.communicate(timeout=60)[1] for program in programs] == ["", ""]
    assert version_of(tmp_path / "new") == str(schema.SCHEMA_VERSION)


def test_a_list_needs_neither_pixels_nor_numpy(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        record_typing(library, ["a"])
    code = "from demopack_cli.main import main; import sys; main(sys.argv[1:], standalone_mode=False); "
    code += "print(sorted({'numpy', 'PIL', 'zstandard'} & set(sys.modules)))"
    command = [sys.executable, "-c", code, "list", "--json", "--library", str(tmp_path / "library")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert '"demo_t"' in printed
    assert printed.rstrip().endswith("[]")


@pytest.mark.parametrize("name", ["with space", "per%20cent", "quest?ion#mark", "öäü 中", "it's;--"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_path_with_odd_characters(
    tmp_path: Path, name: str, read_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / name
    with Library.open(folder) as library:
        demo = record_typing(library, ["a"])
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: not read_only)
    with Library.open(folder, create=False) as again:
        assert again.connection.read_only is read_only
        for shown in again.demo(demo).frames():
            again.get_image(shown.id)
    assert {path.name for path in tmp_path.iterdir()} == {name}


# Where nothing can be written


def test_a_library_that_may_not_be_written_can_be_listed_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "new"
    with Library.open(folder) as made:
        record_typing(made, ["a", "b"])
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: False)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with Library.open(folder, create=False) as library:
        assert [summary.head.id for summary in library.demos()] == ["demo_t"]
        assert library.log.labels("demo_t") == (None, None)
        assert (library.timeline("demo_t"), library.timeline_bytes("demo_t")) == ([], 0)
        for seed, shown in enumerate(library.demo("demo_t").frames(), start=1):
            assert (library.get_image(shown.id) == noise(seed)).all()
        for change in (
            lambda: library.delete_demo("demo_t"),
            lambda: library.put_image(noise(1)),
            lambda: library.forget_steps("demo_t", ["step_1"]),
            lambda: library.erase_demo("demo_t"),
            lambda: library.log.undo("demo_t"),
        ):
            with pytest.raises(LibraryError, match="cannot be written"):
                change()
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_reading_where_writing_is_not_allowed_sees_what_a_crash_left_in_the_log(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_typing(library, ["a"])
    assert (library.folder / "library.db-wal").stat().st_size > 0, "the first program still has it open"
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: False)
    with Library.open(library.folder, create=False) as reader:
        assert reader.demo("demo_t").steps == library.demo("demo_t").steps


def test_an_empty_file_that_may_not_be_written_is_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "library.db").touch()
    monkeypatch.setattr("demopack.store.connection._writable", lambda _: False)
    with pytest.raises(LibraryError, match="is empty"):
        Library.open(tmp_path)


def test_tiles_are_overwritten_where_they_lie(library: Library) -> None:
    """What :mod:`demopack.store.erasing` relies on: no tile is ever moved, so no copy of one is left."""
    demo = record_typing(library, [str(n) for n in range(12)])
    library.connection.flush_log()
    before = (library.folder / "library.db").read_bytes()
    kept = frame_id(noise(1))
    places = [before.find(tile[:200]) for tile in tiles_of(library, kept)]
    library.forget_steps(demo, [f"step_{n}" for n in range(2, 12)])
    after = (library.folder / "library.db").read_bytes()
    assert [after.find(tile[:200]) for tile in tiles_of(library, kept)] == places
