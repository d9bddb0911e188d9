"""The history can be walked to any point, whatever was taken back and left on the way, and nothing of it is lost."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement, DeleteElements
from annotator.editing import EditSession, others_words
from annotator.history.jumping import Jumper
from annotator.history.timeline import HistoryRow, Timeline, fitting
from annotator.step_commands import SetNote, SetTask
from demopack.clock import utc_now
from demopack.domain.edits import Change, LogEntry, net_changes
from demopack.errors import CancelledError, LibraryError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store import Library
from tests.support.editing import SAMPLE, TINY, HandStore, element, sample_library


class HandRunner:
    """Runs a job at once; cancels it after so many reports if told to."""

    def __init__(self, *, cancel_after: int | None = None, meanwhile: Callable[[], None] | None = None) -> None:
        self.reports: list[Progress] = []
        self._cancel_after = cancel_after
        self._meanwhile = meanwhile

    def run(self, _title: str, work: Any, *, on_result: Any, on_error: Any, on_progress: Any, on_end: Any) -> None:
        token = CancelToken()

        def report(progress: Progress) -> None:
            self.reports.append(progress)
            on_progress(progress)
            if len(self.reports) == self._cancel_after:
                token.cancel()
            if self._meanwhile is not None:
                self._meanwhile()

        try:
            result = work(JobControl(token=token, report=report))
        except CancelledError:
            pass
        except LibraryError as error:
            on_error(error)
        else:
            on_result(result)
        on_end()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return sample_library(tmp_path)


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    with Library.open(folder) as opened:
        yield opened


@pytest.fixture
def session(library: Library) -> EditSession:
    return EditSession(library, library.demo(TINY), HandStore())


def frame_of(session: EditSession) -> str:
    frame = session.document.steps[0].before
    assert frame is not None
    return frame.id


def rename(session: EditSession, name: str, *, gesture: str | None = None) -> None:
    first = session.document.elements(frame_of(session))[0]
    session.do(SetAttribute(uids=(first.uid,), name="text", value=name, merge_key=gesture))


def timeline(session: EditSession) -> Timeline:
    made = Timeline()
    made.extend(session.library.log.lines(session.demo_id))
    return made


def row(session: EditSession, words: str) -> HistoryRow:
    return next(r for r in timeline(session).rows if words in r.label)


def go(session: EditSession, seq: int, label: str = "", runner: HandRunner | None = None) -> list[int]:
    arrived: list[int] = []
    Jumper(session, (runner or HandRunner()).run).go(seq, label, arrived=arrived.append)
    return arrived


# Walking ------------------------------------------------------------------------------------------------------


def test_a_jump_goes_back_to_the_beginning_and_forward_again(session: EditSession) -> None:
    states = [session.document.demo()]
    for name in ("One", "Two", "Three"):
        rename(session, name)
        states.append(session.document.demo())
    assert go(session, 0) == [3]
    assert session.document.demo() == session.library.demo(TINY) == states[0]
    assert [r.state for r in timeline(session).rows] == ["undone"] * 3
    assert go(session, row(session, "Two").seq) == [2]
    assert session.document.demo() == session.library.demo(TINY) == states[2]
    session.redo()
    assert session.document.demo() == states[3]
    session.undo()
    session.undo()
    assert session.document.demo() == states[1]


def test_what_was_left_behind_is_reached_by_one_edit_that_undo_takes_back(session: EditSession) -> None:
    rename(session, "One")
    session.do(AddElement(element=element("el_left", (1, 1, 9, 9), frame=frame_of(session))))
    left = session.document.demo()
    session.undo()
    session.undo()
    rename(session, "Other")
    session.do(SetTask(text="Another task"))
    other = session.document.demo()
    target = row(session, "Draw a box")
    assert (target.state, row(session, "“One”").state) == ("left", "left")
    assert go(session, target.seq, target.label) == [4]
    assert session.document.demo() == session.library.demo(TINY) == left
    assert session.library.log.labels(TINY)[0] == "Return to “Draw a box (button)”"
    session.undo()
    assert session.document.demo() == session.library.demo(TINY) == other


def test_a_long_jump_is_one_of_many_transactions_and_stops_where_it_is_cancelled(session: EditSession) -> None:
    states = [session.document.demo()]
    for number in range(100):
        rename(session, f"Name {number}")
        states.append(session.document.demo())
    runner = HandRunner(cancel_after=1)
    assert go(session, 0, runner=runner) == []
    assert runner.reports[-1] == Progress(done=40, total=100)
    assert session.document.demo() == session.library.demo(TINY) == states[60]
    assert session.saved
    assert go(session, 0) == [60]
    assert session.document.demo() == states[0]


def test_who_edits_during_a_jump_stops_it_and_loses_nothing(folder: Path, session: EditSession) -> None:
    for number in range(60):
        rename(session, f"Name {number}")
    failed: list[Exception] = []
    session.failed.connect(failed.append)
    with Library.open(folder) as other:
        theirs = EditSession(other, other.demo(TINY), HandStore())
        foreign = iter([lambda: theirs.do(SetTask(text="Theirs"))])

        def meanwhile() -> None:
            for edit in foreign:
                theirs.reload()
                edit()

        go(session, 0, runner=HandRunner(meanwhile=meanwhile))
    assert "changed elsewhere meanwhile" in str(failed[0])
    session.look()
    assert session.document.head.task == "Theirs"
    assert session.document.demo() == session.library.demo(TINY)
    assert row(session, "Name 59").state == "left"


def test_what_is_asked_for_during_a_jump_waits_for_its_end(session: EditSession) -> None:
    rename(session, "One")
    rename(session, "Two")
    asked = iter([lambda: session.do(SetTask(text="Asked meanwhile"))])
    go(session, 0, runner=HandRunner(meanwhile=lambda: [ask() for ask in asked] and None))
    assert session.document.head.task == "Asked meanwhile"
    assert session.document.demo() == session.library.demo(TINY)
    assert [r.state for r in timeline(session).rows] == ["left", "left", "done"]


def test_any_point_of_any_history_is_reached(session: EditSession) -> None:
    chance = random.Random(6)
    start = session.document.demo()
    states = {0: start}
    gesture = "g"
    for number in range(60):
        what = chance.random()
        if what < 0.55:
            gesture = gesture if chance.random() < 0.3 else f"gesture {number}"
            rename(session, f"Name {number}", gesture=gesture)
        elif what < 0.8:
            session.undo()
        else:
            session.redo()
        rows = timeline(session).rows
        for one in rows:
            if one.state == "done" and one is rows[timeline(session).here]:
                states[one.seq] = session.document.demo()
    points = [r.seq for r in timeline(session).rows if r.seq in states]
    assert len(points) > 15
    for seq in [*chance.sample(points, 12), 0, *chance.sample(points, 5)]:
        go(session, seq, "a point")
        assert session.document.demo() == session.library.demo(TINY) == states[seq]


def test_ten_thousand_edits_are_walked_in_linear_time(session: EditSession) -> None:
    for number in range(200):
        rename(session, f"Name {number}")
    plan: list[tuple[Any, ...]] = []
    with session.library.connection.reading() as db:
        query = "SELECT edit FROM log WHERE demo = ? AND seq = ?"
        plan = db.execute(f"EXPLAIN QUERY PLAN {query}", (TINY, 5)).fetchall()
    # One edit is looked up by its place, not by reading all the others.
    assert "SEARCH log USING INDEX" in str(plan)
    assert "demo=? AND seq=?" in str(plan)


# The list -----------------------------------------------------------------------------------------------------


def test_a_row_is_a_gesture_and_the_timeline_grows_entry_by_entry(session: EditSession) -> None:
    for text in ("S", "Sa", "Sav"):
        rename(session, text, gesture="typing")
    session.do(SetTask(text="Another task"))
    session.undo()
    grown, whole = Timeline(), timeline(session)
    for line in session.library.log.lines(TINY):
        grown.extend([line])
    assert grown.rows == whole.rows
    typed, task = whole.rows
    assert (typed.edits, typed.state, typed.seq) == (3, "done", 3)
    assert typed.label.endswith("to “Sav”")
    assert (task.state, task.who, task.by_person) == ("undone", "", True)
    assert whole.here == 0
    new, touched = whole.extend(session.library.log.lines(TINY, after=whole.seq))
    assert (new, touched) == (0, set())
    session.do(SetTask(text="A third"))
    new, touched = whole.extend(session.library.log.lines(TINY, after=whole.seq))
    assert (new, touched, whole.rows[1].state) == (1, {1}, "left")


def test_rows_are_found_by_words_and_by_time(session: EditSession) -> None:
    rename(session, "Apple")
    session.do(SetTask(text="Pear"))
    rows = timeline(session).rows
    assert fitting(rows, "TEXT apple", None) == [0]
    assert fitting(rows, "apple pear", None) == []
    assert fitting(rows, "", rows[1].at) == [1]
    assert fitting(rows, "", utc_now() + timedelta(hours=1)) == []


# Two windows --------------------------------------------------------------------------------------------------


@pytest.fixture
def two(folder: Path, session: EditSession) -> Iterator[tuple[EditSession, EditSession]]:
    with Library.open(folder) as other:
        yield session, EditSession(other, other.demo(TINY), HandStore())


def heard_by(session: EditSession) -> list[LogEntry]:
    heard: list[LogEntry] = []
    session.others_edited.connect(heard.extend)
    return heard


def test_an_edit_of_another_window_appears_and_is_told_once(two: tuple[EditSession, EditSession]) -> None:
    ours, theirs = two
    heard = heard_by(ours)
    rename(theirs, "Theirs")
    theirs.do(SetTask(text="Their task"))
    for _ in range(3):
        ours.look()
    assert ours.document.demo() == theirs.document.demo() == ours.library.demo(TINY)
    assert others_words(heard) == (
        "Another window changed this demo 2 times, last: “Reword the task”. You see it here."
    )
    heard.clear()
    theirs.undo()
    ours.look()
    assert others_words(heard) == "Another window took “Reword the task” back. You see it here."
    assert ours.document.demo() == theirs.document.demo()


def test_our_own_edits_and_jobs_are_no_strangers(two: tuple[EditSession, EditSession]) -> None:
    ours, _ = two
    heard = heard_by(ours)
    rename(ours, "Ours")
    job = EditSession(ours.library, ours.library.demo(TINY), HandStore())
    job.do(SetTask(text="A job's"))
    ours.look()
    assert ours.document.head.task == "A job's"
    assert heard == []


def test_two_windows_in_turns_agree_in_the_end(two: tuple[EditSession, EditSession]) -> None:
    ours, theirs = two
    sessions = [ours, theirs]
    for number in range(6):
        rename(ours, f"Name {number}")
        theirs.do(SetTask(text=f"Task {number}"))
        if number % 2:
            ours.undo()
    for session in sessions:
        session.look()
    assert ours.document.demo() == theirs.document.demo() == ours.library.demo(TINY)


def test_of_two_edits_of_one_box_the_second_is_refused_in_words_and_the_first_shown(
    two: tuple[EditSession, EditSession],
) -> None:
    ours, theirs = two
    failed: list[Exception] = []
    ours.failed.connect(failed.append)
    rename(theirs, "Theirs")
    rename(ours, "Ours")
    assert "“Set the text of" in str(failed[0])
    assert "was not applied" in str(failed[0])
    assert ours.document.demo() == theirs.document.demo() == ours.library.demo(TINY)
    rename(ours, "Ours")
    assert ours.library.demo(TINY) == ours.document.demo() != theirs.document.demo()


def test_a_box_that_another_window_deleted_is_gone_here_too(two: tuple[EditSession, EditSession]) -> None:
    ours, theirs = two
    added = element("el_new", (1, 1, 9, 9), frame=frame_of(ours))
    theirs.do(AddElement(element=added))
    ours.look()
    ours.do(SetAttribute(uids=("el_new",), name="review", value="approved"))
    theirs.look()
    theirs.do(DeleteElements(uids=("el_new",)))
    ours.look()
    assert ours.document.element("el_new") is None
    assert ours.document.demo() == theirs.document.demo() == ours.library.demo(TINY)


def test_what_another_window_forgets_for_good_goes_here_too(two: tuple[EditSession, EditSession]) -> None:
    ours, theirs = two
    ours.do(SetTask(text="A task"))
    step = ours.document.steps[1]
    ours.do(SetNote(step_id=step.id, text="The last edit of the log"))
    ours.look()
    theirs.library.forget_steps(TINY, [step.id])
    theirs.reload()
    theirs.do(SetTask(text="Theirs"))  # at the place in the log where the note's edit was
    ours.look()
    assert ours.document.demo() == ours.library.demo(TINY) == theirs.document.demo()
    assert ours.document.head.task == "Theirs"
    theirs.undo()
    ours.look()
    assert ours.document.head.task == "A task"


def test_what_a_run_of_changes_comes_to() -> None:
    def change(key: str, before: int | None, after: int | None) -> Change:
        values = [None if v is None else {"v": v} for v in (before, after)]
        return Change(kind="step", key=key, before=values[0], after=values[1])

    run = [change("a", 1, 2), change("b", None, 1), change("a", 2, 3), change("b", 1, None), change("c", 5, None)]
    assert net_changes(run) == [change("a", 1, 3), change("c", 5, None)]


def test_changes_since_a_moment_are_what_differs_from_then(session: EditSession) -> None:
    before = utc_now()
    rename(session, "One")
    session.undo()
    session.do(SetTask(text="Another task"))
    later = utc_now()
    log = session.library.log
    assert [(c.kind, c.after and c.after["task"]) for c in log.changes_since(TINY, before)] == [
        ("head", "Another task")
    ]
    assert log.changes_since(TINY, later) == []
    assert SAMPLE != TINY
