from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.frames import frame_id
from demopack.errors import CorruptFrameError, DiskFullError, LibraryError
from demopack.store import Library, Recording
from tests.support.store_demos import frame, noise, record_typing, typed


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library")


def begin(library: Library) -> Recording:
    return library.begin_recording(DemoHead(id="demo_r", created_at=utc_now()))


def test_a_picture_is_stored_with_the_step_that_shows_it(library: Library) -> None:
    with begin(library) as recording:
        key = recording.stage_image(noise(1))
        assert key == frame_id(noise(1))
        recording.append_step(typed(1, "a"))
        with pytest.raises(CorruptFrameError):
            library.get_image(key)
        recording.append_step(typed(2, "b", before=frame(key)))
        assert (library.get_image(key) == noise(1)).all()
        recording.finish(final_frame=frame(recording.stage_image(noise(2))))
    assert (library.get_image(frame_id(noise(2))) == noise(2)).all()


def test_a_step_and_its_pictures_come_together_or_not_at_all(library: Library) -> None:
    with begin(library) as recording:
        before, after = (frame(recording.stage_image(noise(seed))) for seed in (1, 2))
        with library.connection.writing() as db:
            (pages,) = db.execute("PRAGMA page_count").fetchone()
            db.execute(f"PRAGMA max_page_count = {int(pages) + 8}")  # room for one of the pictures
        with pytest.raises(DiskFullError):
            recording.append_step(typed(1, "a", before=before, after=after))
        with library.connection.reading() as db:
            assert [db.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("frames", "tiles")] == [
                (0,)
            ] * 2
            db.execute(f"PRAGMA max_page_count = {int(pages) + 10_000}")
        recording.append_step(typed(1, "a", before=before, after=after))
        recording.finish()
    for shown in library.demo("demo_r").frames():
        library.get_image(shown.id)


def test_a_saved_step_can_get_a_note(library: Library) -> None:
    with begin(library) as recording:
        recording.append_step(typed(1, "a"))
        noted = typed(1, "a", after=frame(recording.stage_image(noise(1)))).model_copy(update={"note": "why"})
        recording.update_step(noted)
        recording.forget_steps(["step_1"])
        with pytest.raises(LibraryError, match="not in the recording"):
            recording.update_step(noted)
        recording.stage_image(noise(1))  # its picture was forgotten with it
        recording.append_step(noted)
        recording.finish()
    assert library.demo("demo_r").steps == library.original("demo_r").steps == (noted,)
    assert (library.get_image(frame_id(noise(1))) == noise(1)).all()


@pytest.mark.parametrize(("steps", "words"), [(0, "because no step had been saved"), (2, "after step 2 is missing")])
def test_a_partial_demo_says_what_is_missing(library: Library, steps: int, words: str) -> None:
    with begin(library) as recording:
        for number in range(steps):
            recording.append_step(typed(number + 1, "a"))
        said = f"The disk is full; {recording.lost()}"
        recording.finish(missing=said, outcome=None)
    head = library.demo("demo_r").head
    assert (head.status, head.missing) == ("partial", said)
    assert head.missing.endswith(f"{words}.")
    with library.begin_recording(DemoHead(id="demo_left", created_at=utc_now())) as recording:
        recording.append_step(typed(1, "a"))
    head = library.demo("demo_left").head
    assert (head.status, head.missing) == (
        "partial",
        "The recording was broken off; what was done after step 1 is missing.",
    )


CHILD = """
import os, sys
from pathlib import Path
from demopack.store import Library
from tests.support.store_demos import frame, noise, typed
from tests.flows.test_store_recording import begin
library = Library.open(Path(sys.argv[1]))
recording = begin(library)
for number in (1, 2, 3):
    recording.append_step(typed(number, "a", before=frame(recording.stage_image(noise(number)))))
    recording.add_keyframe(frame(recording.stage_image(noise(10 + number))), shown_ns=number)
print("there", flush=True)
sys.stdin.read()
"""


def test_a_recorder_that_died_is_said_to_have_died_and_its_film_is_there(library: Library) -> None:
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(library.folder)],
        env={**os.environ, "PYTHONPATH": root},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "there\n"
        assert library.recover() == [], "it is alive"
        child.send_signal(signal.SIGKILL)
    assert library.recover() == ["demo_r"]
    head = library.demo("demo_r").head
    assert (head.status, head.missing) == (
        "partial",
        "The recorder ended without being stopped; what was done after step 3 is missing.",
    )
    assert [one.shown_ns for one in library.timeline("demo_r")] == [1, 2, 3]
    for one in library.timeline("demo_r"):
        library.get_image(one.frame.id)


def test_every_step_is_synced_and_the_film_only_with_the_next_step(library: Library) -> None:
    """The connection says so itself; that the system really syncs cannot be seen without pulling the plug."""
    seen: list[int] = []

    def note(statement: str) -> None:
        if statement == "COMMIT":
            probe = library.connection._raw
            probe.set_trace_callback(None)
            seen.append(probe.execute("PRAGMA synchronous").fetchone()[0])
            probe.set_trace_callback(note)

    with begin(library) as recording:
        library.connection._raw.set_trace_callback(note)
        recording.append_step(typed(1, "a"))
        recording.add_keyframe(frame(recording.stage_image(noise(1))), shown_ns=1)
        recording.update_head(app="xterm")
        library.connection._raw.set_trace_callback(None)
        recording.finish()
    full, normal = 2, 1
    assert seen == [full, normal, full]


def test_deleting_the_folder_ends_a_recording_with_a_sentence(library: Library, tmp_path: Path) -> None:
    with begin(library) as recording:
        recording.append_step(typed(1, "a"))
        library.folder.rename(tmp_path / "elsewhere")
        with pytest.raises(LibraryError, match="deleted or moved"):
            recording.append_step(typed(2, "b", before=frame(recording.stage_image(noise(1)))))
        (tmp_path / "elsewhere").rename(library.folder)
        recording.finish()
    assert len(library.demo("demo_r").steps) == 1


def test_another_program_may_read_while_it_is_recorded(library: Library) -> None:
    with begin(library) as recording, Library.open(library.folder) as reader:
        for number in (1, 2):
            recording.append_step(typed(number, "a", before=frame(recording.stage_image(noise(number)))))
            assert len(reader.demo("demo_r").steps) == number
            assert (reader.get_image(frame_id(noise(number))) == noise(number)).all()
        recording.finish()


def test_the_film_of_an_unknown_demo_is_empty(library: Library) -> None:
    demo = record_typing(library, ["a"])
    assert (library.timeline(demo), library.timeline_bytes(demo)) == ([], 0)
    assert library.timeline("demo_nope") == []
    with pytest.raises((LibraryError, sqlite3.Error)), library.connection.writing() as db:
        db.execute("INSERT INTO film VALUES ('demo_nope', 1, 'f', '{}')")
