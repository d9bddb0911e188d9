"""Where the user is, and the library's search."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.commands import DeleteElements
from annotator.editing import EditSession
from annotator.finding.demo_search import demo_search
from annotator.history.jumping import show_first
from annotator.step_commands import SetTask
from annotator.step_order import DeleteSteps
from annotator.view_state import ViewState
from demopack.store import Library
from tests.support.demos import tiny_demo
from tests.support.editing import SAMPLE, TINY, HandStore, sample_library
from tests.support.replaying import prove


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


@pytest.fixture
def view(session: EditSession) -> Iterator[ViewState]:
    state = ViewState(session.document)
    session.edited.connect(lambda edit, how: show_first(state, edit.changes) if how != "done" else None)
    yield state
    state.close()


def test_steps_are_walked_and_stop_at_the_ends(view: ViewState) -> None:
    seen: list[int] = []
    view.step_changed.connect(lambda: seen.append(view.index))
    for offset in (-1, 1, 1, -1, 100):
        view.go_by(offset)
    assert seen == [1, 2, 1, 10]
    assert view.step == view.document.steps[-1]


def test_the_side_stays_and_the_selection_does_not(view: ViewState) -> None:
    view.toggle_side()
    assert view.frame == view.document.steps[0].after
    view.select_next(1)
    assert len(view.selection) == 1
    view.go_by(1)
    assert (view.side, view.selection) == ("after", ())


def test_tab_walks_in_reading_order_and_around(view: ViewState) -> None:
    assert view.frame is not None
    ordered = view.document.ordered(view.frame.id)
    view.select_next(1)
    assert view.element == ordered[0]
    view.select_next(-1)
    assert view.element == ordered[-1]
    view.select_next(1)
    assert view.element == ordered[0]


def test_deleting_the_current_step_shows_the_next_and_undo_shows_it_again(
    session: EditSession, view: ViewState
) -> None:
    view.go_to(3)
    deleted, following = view.document.steps[3], view.document.steps[4]
    session.do(DeleteSteps(step_ids=(deleted.id,)))
    assert (view.step, view.index) == (following, 3)
    view.go_to(7)
    session.undo()
    assert (view.step, view.index) == (deleted, 3)


def test_steps_before_the_current_one_may_come_and_go(session: EditSession, view: ViewState) -> None:
    view.go_to(5)
    here = view.step
    session.do(DeleteSteps(step_ids=(view.document.steps[0].id,)))
    assert (view.step, view.index) == (here, 4)


def test_the_last_step_can_go_too(session: EditSession, view: ViewState) -> None:
    for step in view.document.steps:
        session.do(DeleteSteps(step_ids=(step.id,)))
    assert (view.step, view.index, view.frame) == (None, -1, None)
    view.go_by(1)
    view.select_next(1)
    session.undo()
    assert view.index == 0
    assert view.step is not None


def test_a_deleted_element_leaves_the_selection_and_undo_selects_it(session: EditSession, view: ViewState) -> None:
    view.select_next(1)
    chosen = view.selection
    session.do(DeleteElements(uids=chosen))
    assert view.selection == ()
    view.go_to(9)
    session.undo()
    assert view.selection == chosen


def test_search_knows_words_and_flags(tmp_path: Path) -> None:
    with Library.open(sample_library(tmp_path)) as library:
        tiny_demo(library, demo_id="demo_tiny", seed=7, status="partial", app="Notes")
        prove(library, TINY)
        everything = library.demos()

    def found(query: str) -> list[str]:
        return sorted(s.head.id for s in filter(demo_search(query), everything))

    assert len(found("")) == 3
    assert found("ADA customer") == [SAMPLE]
    assert found("is:partial") == ["demo_tiny"] == found("app:notes") == found("-is:complete")
    assert found("has:rationale") == [TINY, "demo_tiny"]
    assert found("ada is:partial") == []
    assert found("is:verified") == [TINY]


def test_whoever_listens_is_let_go_when_the_editor_closes(session: EditSession) -> None:
    class Listener:
        def told(self, *_: object) -> None:
            heard.append("told")

    heard: list[str] = []
    state, listener = ViewState(session.document), Listener()
    for signal in (session.edited, session.document.head_changed, state.step_changed):
        signal.connect(listener.told)
    session.do(SetTask(text="Another"))
    assert heard == ["told"] * 2
    gone = weakref.ref(listener)
    del listener
    session.close()
    state.close()
    assert gone() is None
    session.do(SetTask(text="A third"))
    state.go_by(1)
    state.step_changed.connect(lambda: heard.append("late"))
    state.go_by(1)
    assert heard == ["told"] * 2
