from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from demopack.clock import utc_now
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change, Edit
from demopack.domain.elements import Element
from demopack.domain.frames import frame_id
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id
from demopack.errors import CorruptFrameError, LibraryBusyError
from demopack.store import Library
from tests.support.store_demos import bytes_of, edit, frame, noise, record_typing, tiles_of, typed


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.open(tmp_path / "library")


def element(uid: str, shown: str, text: str) -> Element:
    return Element.model_validate({"uid": uid, "frame": shown, "type": "button", "box": [0, 0, 9, 9], "text": text})


def parsed(key: str) -> Edit:
    change = Change(kind="parsed", key=key, before=None, after={})
    return Edit(id=new_id("edit"), label="Read the screen", changes=(change,), provenance=by_program("model", "m"))


def test_no_byte_of_a_forgotten_step_is_left_in_any_file(library: Library) -> None:
    demo = record_typing(library, ["first", "TheSecretText", "TheSecretText", "last"])
    one, two, three, four = library.demo(demo).steps
    assert two.after is not None
    assert one.before is not None
    hidden = two.after.id  # after step 2 and before step 3, and nowhere else
    library.commit(demo, edit((None, element("e1", hidden, "OnlyOnThatScreen")), kind="element"))
    library.commit(demo, edit((None, element("e2", one.before.id, "Stays")), kind="element"))
    library.commit(demo, parsed(hidden))
    library.commit(demo, edit((two, two.model_copy(update={"note": "NotedByHand"})), label='Note "NotedByHand"'))
    library.commit(demo, edit((four, four.model_copy(update={"note": "kept"}))))
    cache = library.folder / "cache" / "elements" / "abc" / hidden[:2] / f"{hidden}.json"
    cache.parent.mkdir(parents=True)
    cache.write_text("OnlyOnThatScreen", encoding="utf-8")
    tiles = tiles_of(library, hidden)
    everything = bytes_of(library.folder)
    private = [b"TheSecretText", b"OnlyOnThatScreen", b"NotedByHand", hidden.encode(), *tiles]
    assert all(secret in everything for secret in private)

    library.forget_steps(demo, [two.id, three.id])

    everything = bytes_of(library.folder)
    assert [secret for secret in private if secret in everything] == []
    assert [step.id for step in library.demo(demo).steps] == [one.id, four.id]
    assert [step.id for step in library.original(demo).steps] == [one.id, four.id]
    assert set(library.demo(demo).elements) == {one.before.id}
    for kept in library.demo(demo).frames():
        library.get_image(kept.id)
    with pytest.raises(CorruptFrameError, match="missing"):
        library.get_image(hidden)


def test_edits_of_other_things_can_still_be_undone_and_done_again(library: Library) -> None:
    demo = record_typing(library, ["a", "b", "c"])
    one, two, three = library.demo(demo).steps
    noted = three.model_copy(update={"note": "kept"})
    library.commit(demo, edit((two, two.model_copy(update={"note": "x"}))))
    library.commit(demo, edit((three, noted), (one, one.model_copy(update={"note": "y"}))))
    approved = noted.model_copy(update={"review": "approved"})
    library.commit(demo, edit((two.model_copy(update={"note": "x"}), None), (noted, approved), label="Delete b"))
    library.log.undo(demo)
    with Library.open(library.folder) as elsewhere:
        elsewhere.forget_steps(demo, [two.id])
    assert library.log.labels(demo) == ("Edit", "Edit, partly forgotten")
    library.log.redo(demo)
    assert library.demo(demo).steps[-1].review == "approved"
    assert len(library.log.undo(demo)) == 1
    assert len(library.log.undo(demo)) == 1
    assert library.log.undo(demo) == []
    assert library.demo(demo).steps == library.original(demo).steps == (one, three)
    assert [entry.op for entry in library.log.entries(demo)] == ["do", "do", "undo", "redo", "undo", "undo"]


def test_parts_that_were_split_off_or_merged_do_not_survive_in_older_versions(library: Library) -> None:
    demo = record_typing(library, ["user HalfSecret", "And", "More", "end"])
    first, second, third, last = library.demo(demo).steps
    left = first.model_copy(update={"action": typed(1, "user ").action, "events": first.events[:5], "note": "split"})
    right = typed(9, "HalfSecret").model_copy(update={"events": first.events[5:]})
    library.commit(demo, edit((first, left), (None, right), label='Split "user HalfSecret"'))
    both = second.model_copy(
        update={"action": typed(2, "AndMore").action, "events": second.events + third.events, "ended_ns": 350}
    )
    library.commit(demo, edit((second, both), (third, None), label="Merge"))
    library.commit(demo, edit((last, last.model_copy(update={"note": "kept"}))))

    library.forget_steps(demo, [right.id])
    assert b"HalfSecret" not in bytes_of(library.folder)
    assert library.demo(demo).steps[0] == left == library.original(demo).steps[0]

    library.forget_steps(demo, [both.id])
    everything = bytes_of(library.folder)
    assert b'"AndMore"' not in everything
    assert b'"More"' not in everything
    assert [step.id for step in library.original(demo).steps] == [first.id, last.id]
    assert [entry.edit.label for entry in library.log.entries(demo)] == ["Edit"]


def test_a_part_without_events_is_found_by_its_text(library: Library) -> None:
    demo = record_typing(library, ["user HalfSecret", "secret of another kind"])
    first, other = library.demo(demo).steps
    left = first.model_copy(update={"action": typed(1, "user ").action, "events": first.events[:5]})
    right = typed(9, "HalfSecret").model_copy(update={"events": (), "started_ns": 0, "ended_ns": 0})
    library.commit(demo, edit((first, left), (None, right)))
    library.commit(demo, edit((other, other.model_copy(update={"note": "kept"}))))
    library.forget_steps(demo, [right.id])
    assert b"HalfSecret" not in bytes_of(library.folder)
    assert len(library.log.entries(demo)) == 1


def test_pictures_that_others_show_stay(library: Library) -> None:
    demo = record_typing(library, ["a", "b"])
    record_typing(library, ["c"], demo="demo_other", seed=1)  # shows the pictures 2 and 3, as step b does
    two = library.demo(demo).steps[1]
    library.forget_steps(demo, [two.id])
    for shown in library.demo("demo_other").frames():
        assert (library.get_image(shown.id) == noise(2 if shown == library.demo("demo_other").frames()[0] else 3)).all()


def test_tiles_that_another_picture_shows_stay(library: Library) -> None:
    whole = noise(1)
    part = whole.copy()
    part[50:, 50:] = noise(2)[50:, 50:]
    with library.begin_recording(DemoHead(id="demo_t", created_at=utc_now())) as recording:
        first, second = (frame(recording.stage_image(image)) for image in (whole, part))
        recording.append_step(typed(1, "a", before=first))
        recording.append_step(typed(2, "b", before=second))
        recording.finish()
    own = set(tiles_of(library, second.id)) - set(tiles_of(library, first.id))
    library.forget_steps("demo_t", ["step_2"])
    everything = bytes_of(library.folder)
    assert own
    assert not any(tile in everything for tile in own)
    assert (library.get_image(first.id) == whole).all()


def test_all_that_was_seen_since_a_moment_goes(library: Library) -> None:
    demo = record_typing(library, ["a", "b", "c"])
    steps = library.demo(demo).steps
    late = frame_id(noise(3))  # after b: grabbed at 260, before c
    library.forget_steps(demo, [steps[2].id], since_ns=255)
    one, two = library.demo(demo).steps
    assert one == steps[0]
    assert two.after is None
    assert two.before == steps[1].before
    assert library.demo(demo).head.final_frame is None
    assert library.original(demo).steps == (one, two)
    assert late.encode() not in bytes_of(library.folder)


def test_the_end_is_forgotten_with_the_step_that_led_to_it(library: Library) -> None:
    demo = record_typing(library, ["a", "b"])
    library.forget_steps(demo, ["step_2"])
    assert library.demo(demo).head.final_frame is None
    assert frame_id(noise(3)).encode() not in bytes_of(library.folder)


def test_the_film_of_forgotten_steps_goes_and_the_rest_stays(library: Library) -> None:
    with library.begin_recording(DemoHead(id="demo_t", created_at=utc_now())) as recording:
        for number in (1, 2, 3):
            shown = frame(recording.stage_image(noise(number)))
            recording.append_step(typed(number, "x", before=shown))
            recording.add_keyframe(shown, shown_ns=100 * number - 1)
            recording.add_keyframe(frame(recording.stage_image(noise(10 + number))), shown_ns=100 * number + 20)
        assert recording.timeline_bytes == library.timeline_bytes("demo_t") > 3 * 30_000
        recording.forget_steps(["step_2"])
        assert [one.shown_ns for one in library.timeline("demo_t")] == [99, 120, 199, 320]
        recording.forget_steps([], since_ns=199)
        assert [one.shown_ns for one in library.timeline("demo_t")] == [99, 120]
        recording.finish()
    assert library.timeline_bytes("demo_t") < 2 * 40_000
    with pytest.raises(CorruptFrameError):
        library.get_image(frame_id(noise(12)))
    library.get_image(frame_id(noise(3)))  # step 3 shows it


def joined_take(library: Library, text: str) -> str:
    """A demo whose second step was recorded again, as ``step_taken``."""
    demo = record_typing(library, ["a", "b"])
    record_typing(library, [text], demo="demo_take", seed=20, take_of=demo, take_after="step_1")
    taken = (
        library.demo("demo_take").steps[0].model_copy(update={"id": "step_taken", "started_ns": 900, "ended_ns": 950})
    )
    with library.connection.writing() as db:
        for table in ("originals", "entities"):
            change = "key = 'step_taken', json = replace(json, 'step_1', 'step_taken')"
            db.execute(f"UPDATE {table} SET {change} WHERE demo = 'demo_take' AND kind = 'step'")
    library.commit(demo, edit((library.demo(demo).steps[1], None), (None, taken)))
    library.delete_demo("demo_take")
    return demo


def test_a_joined_take_keeps_no_copy(library: Library) -> None:
    demo = joined_take(library, "TakenAgain")
    library.forget_steps(demo, ["step_taken"])
    assert b"TakenAgain" not in bytes_of(library.folder)
    assert len(library.original(demo).steps) == 2, "the old end stays in the history"


def test_a_joined_take_keeps_no_whole_step_of_which_a_half_is_forgotten(library: Library) -> None:
    demo = joined_take(library, "HarmlessHidden")
    whole = library.demo(demo).steps[1]
    first, second = (
        whole.model_copy(update={"id": key, "position": whole.position + at, "action": action, "events": events})
        for at, key, text, events in (
            (0, whole.id, "Harmless", whole.events[:2]),
            (1, "step_second", "Hidden", whole.events[2:]),
        )
        for action in (whole.action.replace(text_to_type=text),)
    )
    library.commit(demo, edit((whole, first), (None, second), label="Split"))
    library.forget_steps(demo, ["step_second"])
    assert b"Hidden" not in bytes_of(library.folder)
    assert [step.id for step in library.demo(demo).steps] == ["step_1", whole.id]


def test_a_whole_demo_is_erased_with_its_takes(library: Library) -> None:
    record_typing(library, ["stays"], demo="demo_other", seed=50)
    record_typing(library, ["EraseMe"], task="WithThisTask")
    record_typing(library, ["AndMyTake"], demo="demo_take", seed=20, take_of="demo_t")
    library.delete_demo("demo_take")
    key = frame_id(noise(1))
    tiles = tiles_of(library, key)
    library.erase_demo("demo_t")
    everything = bytes_of(library.folder)
    private = [b"EraseMe", b"WithThisTask", b"AndMyTake", b"demo_t", key.encode(), *tiles]
    assert [secret for secret in private if secret in everything] == []
    assert [summary.head.id for summary in library.demos()] == ["demo_other"]
    assert len(library.demo("demo_other").frames()) == 2


def test_the_space_of_what_was_erased_is_given_back(library: Library) -> None:
    record_typing(library, [str(number) for number in range(30)])
    record_typing(library, ["stays"], demo="demo_other", seed=50)
    library.erase_demo("demo_t")
    with Library.open(library.folder) as elsewhere:
        first = elsewhere.put_image(noise(80))
        assert library.compact() > 30 * 30_000
        second = elsewhere.put_image(noise(81))
        for shown in elsewhere.demo("demo_other").frames():
            library.get_image(shown.id)
        assert (library.get_image(first) == noise(80)).all()
        assert (library.get_image(second) == noise(81)).all()
    assert library.compact() == 0


def test_a_demo_that_is_being_recorded_is_not_erased(library: Library) -> None:
    with library.begin_recording(DemoHead(id="demo_t", created_at=utc_now())) as recording:
        with pytest.raises(LibraryBusyError, match="still being recorded"):
            library.erase_demo("demo_t")
        recording.finish()


def test_a_recorder_in_another_program_does_not_build_on_what_was_erased(library: Library) -> None:
    with library.begin_recording(DemoHead(id="demo_t", created_at=utc_now())) as recording:
        shown = frame(recording.stage_image(noise(1)))
        recording.append_step(typed(1, "a", before=shown))
        with Library.open(library.folder) as elsewhere:
            elsewhere.forget_steps("demo_t", ["step_1"])
        recording.append_step(typed(2, "b", before=frame(recording.stage_image(noise(1), key=shown.id))))
        recording.finish()
    assert (library.get_image(shown.id) == noise(1)).all()


def test_a_reader_delays_the_last_traces_and_that_is_said(library: Library) -> None:
    demo = record_typing(library, ["a", "TheSecretText"])
    library.close()
    reader = sqlite3.connect(library.folder / "library.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM tiles").fetchone()
    with Library.open(library.folder, timeout_s=0.05) as busy:
        with pytest.raises(LibraryBusyError, match="traces") as caught:
            busy.forget_steps(demo, ["step_2"])
        assert "open the library again" in caught.value.hint
        assert len(busy.demo(demo).steps) == 1
        assert b"TheSecretText" in bytes_of(library.folder)
    reader.execute("ROLLBACK")
    with Library.open(library.folder):
        assert b"TheSecretText" not in bytes_of(library.folder)
    reader.close()


def test_forgetting_leaves_no_copies_that_the_database_made_when_it_moved_rows(library: Library) -> None:
    """SQLite's own overwriting leaves some of these behind."""
    dice = random.Random(3)
    marks: dict[str, str] = {}
    with library.begin_recording(DemoHead(id="demo_t", created_at=utc_now())) as recording:
        for number in range(400):
            mark = f"MARK{number:06d}X"
            text = mark * dice.choice((4, 30, 80, 300))
            some = typed(number, text).model_copy(update={"id": f"step_{dice.getrandbits(40):010x}", "events": ()})
            marks[some.id] = mark
            recording.append_step(some)
        for _ in range(300):  # steps that grow or shrink make others move
            key, mark = dice.choice(list(marks.items()))
            some = typed(1, mark * dice.choice((4, 30, 80, 300))).model_copy(update={"id": key, "events": ()})
            recording.update_step(some)
        recording.finish()
    keys = sorted(marks)
    dice.shuffle(keys)
    for part in (keys[:100], keys[100:200]):
        library.forget_steps("demo_t", part)
    everything = bytes_of(library.folder)
    assert [mark for key, mark in marks.items() if key in keys[:200] and mark.encode() in everything] == []
    assert all(marks[key].encode() in everything for key in keys[200:])
