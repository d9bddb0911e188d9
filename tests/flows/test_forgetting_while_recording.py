"""Forgetting while a recording runs: as thorough as ever, and no slower in a library that is large."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from demopack.clock import utc_now
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.frames import RgbImage
from demopack.domain.steps import Step
from demopack.store import Library, erasing
from demopack.store import recording as recording_module
from demopack.store.recording import Recording
from tests.support.store_demos import bytes_of, edit, frame, noise, record_typing, tiles_of, typed


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library")


def begin(library: Library, demo: str = "demo_r") -> Recording:
    return library.begin_recording(DemoHead(id=demo, created_at=utc_now()))


def fill(library: Library, count: int, *, demo: str = "demo_old") -> Demo:
    """A demo of small steps that lies before everything that is recorded."""
    steps = tuple(
        typed(number, "old").model_copy(update={"events": (), "id": f"{demo}_{number}"})
        for number in range(1, count + 1)
    )
    library.add_demo(Demo(head=DemoHead(id=demo, created_at=utc_now(), status="complete"), steps=steps, elements={}))
    return library.demo(demo)


@pytest.mark.parametrize("old", [30, 1300], ids=["beside few", "beside many"])
def test_no_copy_is_left_that_the_database_made_when_it_moved_rows(library: Library, old: int) -> None:
    dice = random.Random(5)
    before = fill(library, old)
    marks: dict[str, str] = {}
    with begin(library) as recording:
        for number in range(1, 301):
            mark = f"MARK{number:06d}X"
            step = typed(number, mark * dice.choice((4, 30, 80, 300))).model_copy(update={"events": ()})
            step = step.model_copy(update={"id": f"step_{dice.getrandbits(40):010x}"})
            marks[step.id] = mark
            recording.append_step(step)
            if number % 30 == 0:  # somebody edits another demo: rows on the same pages grow and shrink
                last = library.demo("demo_old").steps[-1 - number % 7]
                library.commit("demo_old", edit((last, last.model_copy(update={"note": "n" * (number * 15)}))))
        for _ in range(300):
            key, mark = dice.choice(list(marks.items()))
            step = typed(1, mark * dice.choice((4, 30, 80, 300))).model_copy(update={"id": key, "events": ()})
            recording.update_step(step)
        keys = sorted(marks)
        dice.shuffle(keys)
        for part in (keys[:80], keys[80:160]):
            recording.forget_steps(part)
            everything = bytes_of(library.folder)
            assert [mark for key, mark in marks.items() if key in part and mark.encode() in everything] == []
        everything = bytes_of(library.folder)
        assert all(marks[key].encode() in everything for key in keys[160:])
        recording.finish()
    assert {step.id for step in library.demo("demo_r").steps} == set(keys[160:])
    assert [step.id for step in library.demo("demo_old").steps] == [step.id for step in before.steps]
    assert library.original("demo_old") == before
    while library.log.undo("demo_old"):
        pass
    assert library.demo("demo_old") == before
    with closing(sqlite3.connect(library.folder / "library.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def mixed(left: int, right: int) -> RgbImage:
    """The left tile of one picture beside the rest of another."""
    image = noise(right).copy()
    image[:, :40] = noise(left)[:, :40]
    return image


def test_pictures_and_tiles_go_unless_something_else_shows_them(library: Library) -> None:
    record_typing(library, ["old"], demo="demo_old", seed=100)
    shown = library.demo("demo_old").frames()
    with begin(library) as recording:
        new = frame(recording.stage_image(mixed(101, 7)))
        again = frame(recording.stage_image(noise(101)))
        recording.append_step(typed(1, "one", before=new))
        recording.append_step(typed(2, "two", before=again))
        recording.add_keyframe(frame(recording.stage_image(noise(8))), shown_ns=150)
        recording.append_step(typed(3, "three", before=frame(recording.stage_image(noise(9)))))
        taken = library.demo("demo_r").steps[2].before
        assert taken is not None
        other = typed(1, "other", before=taken)
        library.add_demo(Demo(head=DemoHead(id="demo_taken", created_at=utc_now()), steps=(other,), elements={}))
        tiles = tiles_of(library, new.id)
        old = tiles_of(library, again.id)
        shared = [tile for tile in tiles if tile in old]
        assert len(shared) == 3
        recording.forget_steps(["step_1", "step_2", "step_3"])
        everything = bytes_of(library.folder)
        assert [tile for tile in tiles if tile in everything] == shared
        assert new.id.encode() not in everything
        assert all(tile in everything for tile in old)
        for kept in (*shown, taken):
            library.get_image(kept.id)
        recording.append_step(typed(4, "four", before=frame(recording.stage_image(mixed(101, 7)))))
        recording.finish()
    for kept in library.demo("demo_r").frames():
        assert np.array_equal(library.get_image(kept.id), mixed(101, 7))
    assert library.timeline("demo_r") == []


def test_an_erasure_by_another_program_makes_it_no_less_thorough(library: Library) -> None:
    fill(library, 50)
    fill(library, 10, demo="demo_gone")
    with begin(library) as recording:
        recording.append_step(typed(1, "FirstSecret", before=frame(recording.stage_image(noise(1)))))
        with Library.open(library.folder) as other:
            other.erase_demo("demo_gone")
        recording.append_step(typed(2, "SecondSecret"))
        recording.append_step(typed(3, "kept"))
        for key, secret in (("step_1", b"FirstSecret"), ("step_2", b"SecondSecret")):
            recording.forget_steps([key])
            assert secret not in bytes_of(library.folder)
        recording.finish()
    assert [step.id for step in library.demo("demo_r").steps] == ["step_3"]
    assert len(library.demo("demo_old").steps) == 50


@pytest.mark.parametrize("moment", ["before it is decided", "after it is decided"])
def test_killed_in_the_middle_it_is_done_or_not_begun(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """What lies on the disk at a moment is what a killed process leaves."""
    fill(library, 1300)
    left = tmp_path / "left"
    early = moment == "before it is decided"
    module, name = (erasing, "count_erasure") if early else (recording_module, "finish_erasing")
    real: Callable[..., None] = getattr(module, name)

    def copy(*given: object) -> None:
        if not left.exists():
            shutil.copytree(library.folder, left)
        real(*given)

    with begin(library) as recording:
        picture = frame(recording.stage_image(noise(1)))
        recording.append_step(typed(1, "TheSecretText", before=picture))
        recording.append_step(typed(2, "kept"))
        tiles = tiles_of(library, picture.id)
        monkeypatch.setattr(module, name, copy)
        recording.forget_steps(["step_1"])
        monkeypatch.undo()
        recording.finish()
    with Library.open(left) as opened:
        steps: list[Step] = list(opened.demo("demo_r").steps)
        everything = bytes_of(left)
    if early:
        assert [step.id for step in steps] == ["step_1", "step_2"]
        assert b"TheSecretText" in everything
    else:
        assert [step.id for step in steps] == ["step_2"]
        assert [private for private in (b"TheSecretText", *tiles) if private in everything] == []


def work_of_forgetting(folder: Path, old: int) -> int:
    """Thousands of instructions of SQLite's machine that one forgetting takes."""
    with Library.open(folder) as library:
        fill(library, old)
        with closing(sqlite3.connect(folder / "library.db")) as db, db:
            db.executemany(
                "INSERT INTO frames (id, width, height, side, tiles) SELECT ?, width, height, side, tiles FROM frames "
                "LIMIT 1",
                [(f"{number:064x}",) for number in range(old)],
            )
        count = 0

        def step() -> int:
            nonlocal count
            count += 1
            return 0

        with begin(library) as recording:
            for number in range(1, 6):
                recording.append_step(typed(number, "a", before=frame(recording.stage_image(noise(number)))))
            library.connection._raw.set_progress_handler(step, 1000)
            recording.forget_steps(["step_3", "step_4"])
            library.connection._raw.set_progress_handler(None, 0)
            recording.finish()
        return count


def test_a_large_library_makes_it_no_slower(tmp_path: Path) -> None:
    small, large = (work_of_forgetting(tmp_path / str(old), old) for old in (1200, 6000))
    assert large <= small + 3, (small, large)
