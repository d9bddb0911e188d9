"""Filters of the view: what they hide cannot be walked to, and comes back with their end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.editing import EditSession
from annotator.view_state import ViewState
from demopack.store import Library
from tests.support.editing import SAMPLE, HandStore, sample_library


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


@pytest.fixture
def view(session: EditSession) -> Iterator[ViewState]:
    state = ViewState(session.document)
    yield state
    state.close()


def frame_of(view: ViewState) -> str:
    assert view.frame is not None
    return view.frame.id


def test_what_one_filter_hides_is_not_shown_and_comes_back(view: ViewState) -> None:
    frame = frame_of(view)
    everything = view.shown(frame)
    told: list[None] = []
    view.filters_changed.connect(lambda: told.append(None))
    view.set_filter("a", lambda element: element.type == "button")
    view.set_filter("b", lambda element: bool(element.text))
    assert view.shown(frame) == tuple(e for e in everything if e.type == "button" and e.text)
    assert 0 < len(view.shown(frame)) < len(everything)
    view.set_filter("a", None)
    view.set_filter("b", None)
    view.set_filter("b", None)  # not there any more: nothing to tell
    assert (view.shown(frame), len(told)) == (everything, 4)


def test_the_walk_leaves_hidden_elements_out_and_they_lose_the_selection(view: ViewState) -> None:
    frame = frame_of(view)
    hidden = view.document.ordered(frame)[0]
    view.select((hidden.uid,))
    view.set_filter("x", lambda element: element.uid != hidden.uid)
    assert view.selection == ()
    seen: set[str] = set()
    for _ in view.document.ordered(frame):
        view.select_next(1)
        seen.update(view.selection)
    assert hidden.uid not in seen
    assert len(seen) == len(view.document.ordered(frame)) - 1


def test_an_edit_is_judged_anew(session: EditSession, view: ViewState) -> None:
    frame = frame_of(view)
    view.set_filter("x", lambda element: element.text != "gone")
    first = view.shown(frame)[0]
    session.do(SetAttribute(uids=(next(e.uid for e in view.shown(frame) if e.text),), name="text", value="gone"))
    assert "gone" not in {e.text for e in view.shown(frame)}
    assert first is not None
