"""What changed since a moment is said in words: what it was, and what it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.commands import AddElement, Command, DeleteElements, MoveElements
from annotator.document import Document
from annotator.editing import EditSession
from annotator.history.changes import ChangedRecord, things_changed
from annotator.history.jumping import show_change, show_first
from annotator.history.timeline import BEGINNING, moment_of
from annotator.step_commands import BindTarget, ReviewStep, SetNote, SetOutcome, SetTask
from annotator.step_order import DeleteSteps
from annotator.view_state import ViewState
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.store import Library
from tests.support.editing import SAMPLE, HandStore, element, sample_library


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


def frame_of(document: Document, index: int) -> str:
    frame = document.steps[index].before
    assert frame is not None
    return frame.id


def named(session: EditSession, text: str) -> Element:
    document = session.document
    return next(e for e in document.elements(frame_of(document, 0)) if e.text == text)


def after(session: EditSession, *commands: Command) -> list[ChangedRecord]:
    for command in commands:
        session.do(command)
    return things_changed(session.library.log.changes_since(SAMPLE, BEGINNING), session.document)


def test_what_was_and_what_is_stand_beside_each_other(session: EditSession) -> None:
    save, step = named(session, "Save customer"), session.document.steps[1]
    size = session.document.steps[0].before.size  # type: ignore[union-attr]
    box, moved = save.box, save.box.moved(3, 4)
    size_of = f"{box.width} by {box.height}"
    found = after(
        session,
        MoveElements(uids=(save.uid,), dx=3, dy=4, frame_size=size),
        SetAttribute(uids=(save.uid,), name="text", value="Keep 🙂"),
        SetAttribute(uids=(save.uid,), name="focused", value=True),
        BindTarget(step_id=session.document.steps[0].id, uid=save.uid),
        SetNote(step_id=step.id, text="שלום"),
        ReviewStep(step_id=step.id, review="approved"),
        SetTask(text="Another task"),
    )
    assert [(one.change.kind, one.fate, one.place) for one in found] == [
        ("head", "changed", 0),
        ("step", "changed", 1),
        ("element", "changed", 1),
        ("step", "changed", 2),
    ]
    assert found[0].details[0].endswith("→ “Another task”")
    assert found[1].details[0].endswith("→ “Keep 🙂” (button)")
    assert found[2].details == (
        f"Box: {size_of} at {box.x1}, {box.y1} → {size_of} at {moved.x1}, {moved.y1}",
        "Text: “Save customer” → “Keep 🙂”",
        "Focused: not visible → yes",
        "Review: not reviewed → approved",
    )
    assert found[3].details == ("Review: not reviewed → approved", "Note: nothing → “שלום”")


def test_what_came_and_what_went(session: EditSession) -> None:
    drawn = element("el_new", (600, 500, 640, 520), frame=frame_of(session.document, 2), text="New")
    gone = session.document.steps[4]
    words = {one.title: one.fate for one in after(session, AddElement(element=drawn), DeleteSteps(step_ids=(gone.id,)))}
    assert words["“New” (button)"] == "added"
    assert [title for title, fate in words.items() if fate == "removed"] == ["Clicked “Send me the news” (checkbox)"]
    assert after(session, DeleteElements(uids=("el_new",)))[0].place == 5


def test_what_was_taken_back_has_not_changed(session: EditSession) -> None:
    session.do(SetOutcome(outcome="failure", reason="too hard"))
    assert [one.change.kind for one in after(session)] == ["head", "step"]
    session.undo()
    assert after(session) == []


def test_show_goes_there_also_where_it_is_gone(session: EditSession) -> None:
    view, document = ViewState(session.document), session.document
    gone, uid = document.steps[4], document.elements(frame_of(document, 7))[0].uid
    found = after(
        session, SetAttribute(uids=(uid,), name="text", value="x"), DeleteSteps(step_ids=(gone.id,)), SetTask(text="y")
    )
    head, step, thing = found
    assert not show_change(view, head.change)
    assert show_change(view, step.change)
    assert view.index == 4
    assert show_change(view, thing.change)
    assert view.selection == (uid,)
    removal = Change(kind="step", key=gone.id, before=gone.to_json(), after=None)
    view.go_to(0)
    assert show_first(view, (removal,))
    assert view.index == 4
    lost = element("el_lost", frame="no_such_picture")
    assert not show_change(view, Change(kind="element", key="el_lost", before=lost.to_json(), after=None))


def test_moments() -> None:
    now = datetime(2026, 11, 21, 16, 30, tzinfo=UTC)
    opened, chosen = datetime(2026, 11, 21, 16, tzinfo=UTC), datetime(2026, 11, 1, tzinfo=UTC)
    found = [
        moment_of(since, now=now, opened=opened, chosen=chosen)
        for since in ("ever", "opened", "hour", "today", "chosen")
    ]
    hour, today = datetime(2026, 11, 21, 15, 30, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)
    assert found == [None, opened, hour, today, chosen]
