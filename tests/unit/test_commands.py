"""Every command makes one edit that the library takes, that undo takes back, and that says what it did."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.box_commands import SetBoxes
from annotator.commands import (
    AddElement,
    Command,
    DeleteElements,
    DuplicateElements,
    MoveElements,
)
from annotator.document import Document
from annotator.editing import REWRITES, EditSession, Rewrite
from annotator.step_commands import BindTarget, ReviewStep, SetAction, SetRationale, SetTask, action_of_type
from annotator.step_order import DeleteSteps
from demopack.domain.actions import WaitAction
from demopack.domain.demos import is_stale
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
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


def named(document: Document, index: int, text: str) -> Element:
    return next(e for e in document.elements(frame_of(document, index)) if e.text == text)


def commands(document: Document) -> list[tuple[Command, str]]:
    size = document.steps[0].before.size  # type: ignore[union-attr]
    save, cancel = named(document, 0, "Save customer"), named(document, 0, "Cancel")
    news = named(document, 0, "Send me the news")
    drawn = element("el_drawn", (600, 500, 640, 520), frame=frame_of(document, 0))
    step = document.steps[0]
    return [
        (AddElement(element=drawn), "Draw a box (button)"),
        (MoveElements(uids=(save.uid,), dx=3, dy=4, frame_size=size), "Move “Save customer” (button)"),
        (MoveElements(uids=(save.uid, cancel.uid), dx=3, dy=4, frame_size=size), "Move 2 elements"),
        (SetBoxes(boxes={save.uid: Rect(60, 412, 190, 450)}), "Resize “Save customer” (button)"),
        (
            SetAttribute(uids=(save.uid,), name="type", value="hyperlink"),
            "Turn “Save customer” (button) into hyperlink",
        ),
        (
            SetAttribute(uids=(save.uid,), name="text", value="Save"),
            "Set the text of “Save customer” (button) to “Save”",
        ),
        (SetAttribute(uids=(save.uid,), name="text", value=""), "Clear the text of “Save customer” (button)"),
        (SetAttribute(uids=(news.uid,), name="checked", value=True), "Mark “Send me the news” (checkbox) as checked"),
        (
            SetAttribute(uids=(news.uid,), name="checked", value=None),
            "Mark “Send me the news” (checkbox) as checked: not",
        ),
        (SetAttribute(uids=(save.uid,), name="review", value="rejected"), "Reject “Save customer” (button)"),
        (DeleteElements(uids=(save.uid,)), "Delete “Save customer” (button)"),
        (DuplicateElements(copies={save.uid: "el_copy"}, frame_size=size), "Duplicate “Save customer” (button)"),
        (BindTarget(step_id=step.id, uid=save.uid), "Make “Save customer” (button) the target of step 1"),
        (BindTarget(step_id=step.id, uid=None), "Clear the target of step 1"),
        (SetRationale(step_id=step.id, text="Because."), "Write the rationale of step 1"),
        (ReviewStep(step_id=step.id, review="approved"), "Approve step 1"),
        (DeleteSteps(step_ids=(document.steps[1].id,)), "Delete step 2: Typed “Ada Lovelace”"),
        (SetTask(text="Another  task"), "Reword the task"),
        (
            SetAction(step_id=step.id, action=step.action.replace(click_type="double")),
            "Change step 1 to “Double-clicked",
        ),
    ]


@pytest.mark.parametrize("number", range(19))
def test_an_edit_is_stored_shown_and_taken_back(session: EditSession, number: int) -> None:
    document, library = session.document, session.library
    before = document.demo()
    command, label = commands(document)[number]
    session.do(command)
    after = document.demo()
    assert after != before
    assert library.demo(session.demo_id) == after
    assert library.log.labels(session.demo_id)[0].startswith(label)  # type: ignore[union-attr]
    session.undo()
    assert document.demo() == before == library.demo(session.demo_id)
    session.redo()
    assert document.demo() == after == library.demo(session.demo_id)


def test_the_table_above_is_whole(session: EditSession) -> None:
    assert len(commands(session.document)) == 19


@pytest.mark.parametrize("number", range(19))
def test_a_command_that_changes_nothing_leaves_no_trace(session: EditSession, number: int) -> None:
    command, _ = commands(session.document)[number]
    session.do(command)
    if isinstance(command, (MoveElements, DuplicateElements)):
        return  # these do something every time
    entries = len(session.library.log.entries(session.demo_id))
    session.do(command)
    assert len(session.library.log.entries(session.demo_id)) == entries


def test_a_correction_by_a_person_is_marked_as_checked(session: EditSession) -> None:
    save = named(session.document, 0, "Save customer")
    assert save.review == "unreviewed"
    session.do(SetAttribute(uids=(save.uid,), name="text", value="Save"))
    now = session.document.element(save.uid)
    assert now is not None
    assert (now.review, now.source) == ("approved", save.source)


def test_a_type_drops_what_it_cannot_carry(session: EditSession) -> None:
    news = named(session.document, 0, "Send me the news")
    session.do(SetAttribute(uids=(news.uid,), name="type", value="resize_handle"))
    now = session.document.element(news.uid)
    assert now is not None
    assert (now.text, now.states) == (None, {})
    session.do(SetAttribute(uids=(news.uid,), name="subtype", value="search"))  # a resize handle has none
    assert session.document.element(news.uid) == now


def test_boxes_stop_at_the_edge_together(session: EditSession) -> None:
    document = session.document
    size = document.steps[0].before.size  # type: ignore[union-attr]
    save, cancel = named(document, 0, "Save customer"), named(document, 0, "Cancel")
    session.do(MoveElements(uids=(save.uid, cancel.uid), dx=-5000, dy=5000, frame_size=size))
    moved = [document.element(uid).box for uid in (save.uid, cancel.uid)]  # type: ignore[union-attr]
    assert moved[0].x1 == 0
    assert moved[1].x1 - moved[0].x1 == cancel.box.x1 - save.box.x1
    assert max(box.y2 for box in moved) == size.height


def test_a_gesture_is_one_undo(session: EditSession) -> None:
    document = session.document
    size = document.steps[0].before.size  # type: ignore[union-attr]
    save = named(document, 0, "Save customer")
    for _ in range(29):
        session.do(MoveElements(uids=(save.uid,), dx=1, dy=0, frame_size=size, merge_key="nudge-1"))
    session.do(MoveElements(uids=(save.uid,), dx=0, dy=1, frame_size=size, merge_key="nudge-2"))
    session.undo()
    assert document.element(save.uid).box == save.box.moved(29, 0)  # type: ignore[union-attr]
    session.undo()
    assert document.element(save.uid) == save


def test_a_drawing_is_known_by_its_stored_key(session: EditSession) -> None:
    edits: list[Edit] = []
    session.edited.connect(lambda edit, _: edits.append(edit))
    for command, _ in commands(session.document):
        session.do(command)
    assert [edit.merge_key for edit in edits if edit.drawn is not None] == ["draw-el_drawn"]
    assert edits[0].drawn == "el_drawn"


def test_undo_reaches_over_a_restart(tmp_path: Path) -> None:
    folder = sample_library(tmp_path)
    with Library.open(folder) as library:
        session = EditSession(library, library.demo(SAMPLE), HandStore())
        original = session.document.demo()
        for command, _ in commands(session.document)[:1]:
            session.do(command)
        session.do(SetTask(text="Changed"))
    with Library.open(folder) as library:
        session = EditSession(library, library.demo(session.demo_id), HandStore())
        session.undo()
        session.undo()
        assert session.document.demo() == original == library.demo(session.demo_id)
        session.undo()  # nothing is left; nothing happens
        assert session.document.demo() == original


# Targets ------------------------------------------------------------------------------------------------------


def test_a_smaller_box_under_the_pointer_takes_the_click(session: EditSession) -> None:
    document = session.document
    step = document.steps[0]
    assert step.pointer is not None
    old = step.target_uid
    x, y = step.pointer.x, step.pointer.y
    session.do(AddElement(element=element("el_small", (x - 4, y - 4, x + 4, y + 4), frame=frame_of(document, 0))))
    assert document.steps[0].target_uid == "el_small"
    session.do(DeleteElements(uids=("el_small",)))
    assert document.steps[0].target_uid == old


def test_a_target_chosen_by_hand_stays(session: EditSession) -> None:
    document = session.document
    step = document.steps[0]
    assert step.pointer is not None
    save = named(document, 0, "Save customer")
    session.do(BindTarget(step_id=step.id, uid=save.uid))
    x, y = step.pointer.x, step.pointer.y
    session.do(AddElement(element=element("el_small", (x - 4, y - 4, x + 4, y + 4), frame=frame_of(document, 0))))
    assert document.steps[0].target_uid == save.uid
    session.do(DeleteElements(uids=(save.uid,)))
    assert document.steps[0].target_uid == "el_small"  # the choice is gone, so the pointer decides again


def test_deleting_the_target_and_undo_bind_again(session: EditSession) -> None:
    document = session.document
    target = document.steps[0].target_uid
    assert target is not None
    session.do(DeleteElements(uids=(target,)))
    assert document.steps[0].target_uid is None
    session.undo()
    assert document.steps[0].target_uid == target


def test_one_end_of_a_drag_is_lost_the_other_is_kept(session: EditSession) -> None:
    document = session.document
    index = next(i for i, s in enumerate(document.steps) if s.action.action_type == "drag")
    step = document.steps[index]
    save, cancel = named(document, index, "Save customer"), named(document, index, "Cancel")
    session.do(BindTarget(step_id=step.id, uid=save.uid))
    session.do(BindTarget(step_id=step.id, uid=cancel.uid, end=True))
    session.do(DeleteElements(uids=(cancel.uid,)))
    now = document.steps[index]
    assert now.target_uid == save.uid
    assert now.end_uid not in {None, cancel.uid}  # what lies under the release


def test_a_target_on_another_picture_is_refused(session: EditSession) -> None:
    document = session.document
    elsewhere = document.elements(frame_of(document, 3))[0]
    heard: list[Exception] = []
    session.failed.connect(heard.append)
    session.do(BindTarget(step_id=document.steps[0].id, uid=elsewhere.uid))
    assert isinstance(heard[0], BadInputError)
    assert "another picture" in str(heard[0])


# Actions and rationales ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    ["click", "type", "scroll", "press_key", "wait", "finish_goal", "hover", "drag", "launch", "extract_data"],
)
def test_a_click_can_become_any_action(session: EditSession, kind: str) -> None:
    document = session.document
    step = document.steps[0]
    action = action_of_type(step, document, kind)  # type: ignore[arg-type]
    assert action.action_type == kind
    session.do(SetAction(step_id=step.id, action=action))
    assert document.steps[0].action == action
    assert (document.steps[0].target_uid is None) == (kind in {"wait", "finish_goal", "launch"})


def test_typing_cannot_become_a_click_on_nothing(session: EditSession) -> None:
    document = session.document
    step = document.steps[1].model_copy(update={"target_uid": None})
    document.replace(step)
    with pytest.raises(BadInputError, match="needs a target"):
        action_of_type(step, document, "click")
    document.replace(step.model_copy(update={"target_uid": named(document, 1, "Cancel").uid}))
    assert action_of_type(document.steps[1], document, "click").target.text == "Cancel"  # type: ignore[union-attr]


def test_a_persons_words_win_and_the_models_fields_stay(session: EditSession) -> None:
    document = session.document
    old = document.steps[0].rationale
    assert old is not None
    session.do(SetRationale(step_id=document.steps[0].id, text="My own words."))
    new = document.steps[0].rationale
    assert new is not None
    assert (new.reasoning, new.thought, new.provenance.kind) == ("My own words.", old.thought, "human")


def test_what_a_person_words_anew_is_not_stale_until_something_changes(session: EditSession) -> None:
    document = session.document
    session.do(SetRationale(step_id=document.steps[0].id, text="My own words."))
    assert not is_stale(document.steps[0], document.demo())
    session.do(SetTask(text="Another task"))
    assert is_stale(document.steps[0], document.demo())


def test_a_rationale_of_nothing_but_words_disappears_with_them(session: EditSession) -> None:
    document = session.document
    step = document.steps[8]
    assert step.rationale is None
    session.do(SetRationale(step_id=step.id, text="Words."))
    session.do(SetRationale(step_id=step.id, text=""))
    assert document.steps[8].rationale is None


# The session --------------------------------------------------------------------------------------------------


def test_what_is_done_during_an_undo_waits_for_it(session: EditSession) -> None:
    library, store = session.library, HandStore(held=True)
    session = EditSession(library, library.demo(session.demo_id), store)
    save = named(session.document, 0, "Save customer")
    session.do(SetAttribute(uids=(save.uid,), name="text", value="One"))
    session.undo()
    session.do(SetAttribute(uids=(save.uid,), name="text", value="Two"))
    session.undo()
    session.redo()
    assert session.document.element(save.uid).text == "One"  # type: ignore[union-attr]
    assert not session.saved
    store.run()
    assert session.saved
    assert session.document.element(save.uid).text == "Two"  # type: ignore[union-attr]
    assert library.demo(session.demo_id) == session.document.demo()


def test_a_write_that_fails_is_shown_and_the_picture_is_the_librarys(session: EditSession) -> None:
    library = session.library
    other = EditSession(library, library.demo(session.demo_id), HandStore())
    save = named(session.document, 0, "Save customer")
    other.do(SetAttribute(uids=(save.uid,), name="text", value="Elsewhere"))
    heard: list[Exception] = []
    session.failed.connect(heard.append)
    session.do(SetAttribute(uids=(save.uid,), name="text", value="Here"))
    assert "changed elsewhere" in str(heard[0])
    assert session.document.element(save.uid).text == "Elsewhere"  # type: ignore[union-attr]
    assert session.saved


def test_undo_after_a_write_that_failed_agrees_with_the_library(session: EditSession) -> None:
    library, store = session.library, HandStore(held=True)
    other = EditSession(library, library.demo(session.demo_id), HandStore())
    session = EditSession(library, library.demo(session.demo_id), store)
    save = named(session.document, 0, "Save customer")
    session.do(AddElement(element=element("el_twice", frame=frame_of(session.document, 0))))
    other.do(AddElement(element=element("el_twice", frame=frame_of(session.document, 0))))
    other.do(DeleteElements(uids=(save.uid,)))
    session.undo()  # takes back the deletion, which this session never saw
    store.run()
    assert session.document.demo() == library.demo(session.demo_id)


def test_an_edit_made_while_the_demo_is_read_again_is_kept(session: EditSession) -> None:
    library, store = session.library, HandStore(held=True)
    session = EditSession(library, library.demo(session.demo_id), store)
    save = named(session.document, 0, "Save customer")
    session.reload()
    session.do(SetAttribute(uids=(save.uid,), name="text", value="Kept"))
    store.run()
    assert session.document.element(save.uid).text == "Kept"  # type: ignore[union-attr]
    assert session.document.demo() == library.demo(session.demo_id)


def test_labels_and_saved_are_told(session: EditSession) -> None:
    labels: list[tuple[str | None, str | None]] = []
    saved: list[bool] = []
    session.labels_changed.connect(lambda back, forward: labels.append((back, forward)))
    session.saved_changed.connect(lambda: saved.append(session.saved))
    session.refresh_labels()
    session.do(SetTask(text="Other"))
    session.undo()
    assert labels == [(None, None), ("Reword the task", None), (None, "Reword the task")]
    assert saved == [False, True, False, True]


def test_a_closed_session_says_nothing(session: EditSession) -> None:
    library, store = session.library, HandStore(held=True)
    session = EditSession(library, library.demo(session.demo_id), store)
    heard: list[object] = []
    session.saved_changed.connect(lambda: heard.append("saved"))
    session.labels_changed.connect(lambda *labels: heard.append(labels))
    session.do(SetTask(text="Written all the same"))
    heard.clear()
    session.close()
    store.run()
    assert heard == []
    assert library.demo(session.demo_id).head.task == "Written all the same"


def test_an_action_of_any_kind_is_described(session: EditSession) -> None:
    action = WaitAction(wait_duration_s=2.0)
    session.do(SetAction(step_id=session.document.steps[0].id, action=action))
    assert session.library.log.labels(session.demo_id)[0] == "Change step 1 to “Waited 2 s”"


@pytest.mark.parametrize("order", list(itertools.permutations(REWRITES)))
def test_what_every_command_goes_through_has_one_order_whoever_comes_first(
    session: EditSession, order: tuple[Rewrite, ...]
) -> None:
    went: list[Rewrite] = []

    def through(name: Rewrite) -> Callable[[Command], Command]:
        def rewrite(command: Command) -> Command:
            went.append(name)
            return command

        return rewrite

    for name in order:
        session.set_rewrite(name, through(name))
    session.do(SetTask(text="Other"))
    assert went == ["defaults", "tracks", "reading"]
