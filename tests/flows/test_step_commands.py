"""Every edit of steps: one edit, one undo, the demo consistent with itself before, between and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from annotator.commands import Command
from annotator.editing import EditSession
from annotator.step_commands import AcceptDemo, SetNote, SetOutcome, SetVariable
from annotator.step_order import DeleteSteps, InsertStep, MoveSteps
from annotator.step_shape import MergeSteps, ReplaceFrame, SplitStep
from annotator.view_state import ViewState
from demopack.domain.actions import (
    ClickAction,
    ExtractDataAction,
    FinishGoalAction,
    PressKeyAction,
    ScrollAction,
    TypeAction,
)
from demopack.domain.edits import Change
from demopack.domain.events import InputEvent
from demopack.domain.frames import Frame
from demopack.domain.geometry import Point
from demopack.domain.provenance import by_human
from demopack.domain.steps import Pointer, Step
from demopack.domain.verdicts import StepVerdict
from demopack.errors import BadInputError
from demopack.store import Library
from tests.support.editing import SAMPLE, HandStore, sample_library

READ = ExtractDataAction(description="the total")
_MS = 1_000_000


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


def ids(session: EditSession) -> list[str]:
    return [step.id for step in session.document.steps]


def starts(session: EditSession) -> list[int]:
    return [step.started_ns for step in session.document.steps]


def refused(session: EditSession, command: Command) -> str:
    """The sentence with which a command is refused; nothing has changed."""
    heard: list[Exception] = []
    session.failed.connect(heard.append)
    before = session.document.demo()
    session.do(command)
    assert session.document.demo() == before
    (error,) = heard
    assert isinstance(error, BadInputError)
    return str(error)


def change(session: EditSession, index: int, **fields: Any) -> Step:
    """Give a step other values, in the document and in the library."""

    class Set:
        def edit(self, document: Any) -> Any:
            from annotator.commands import make_edit

            old = document.steps[index]
            return make_edit("Set", [Change.between(old, old.model_copy(update=fields))])

    session.do(Set())
    return session.document.steps[index]


def typed(text: str, start_ns: int) -> tuple[InputEvent, ...]:
    """Key presses 100 ms apart; ``<`` is Backspace."""
    return tuple(
        InputEvent(t_ns=start_ns + i * 100 * _MS, kind="key_down", key="Backspace" if c == "<" else c.upper(),
                   char="" if c == "<" else c)
        for i, c in enumerate(text)
    )  # fmt: skip


def typing(session: EditSession, keys: str = "Ada Lovelace", text: str = "Ada Lovelace") -> Step:
    """Step 2 with keys that were pressed one after the other."""
    start = session.document.steps[1].started_ns
    events = typed(keys, start)
    action = TypeAction(text_to_type=text)
    return change(session, 1, action=action, events=events, ended_ns=events[-1].t_ns + 50 * _MS)


def commands(session: EditSession) -> list[tuple[Command, str]]:
    steps = session.document.steps
    shown = steps[9].before
    assert shown is not None
    return [
        (DeleteSteps(step_ids=(steps[1].id, steps[4].id)), "Delete 2 steps"),
        (DeleteSteps(step_ids=(steps[10].id,)), "Delete step 11: Finished the task"),
        (MoveSteps(step_ids=(steps[4].id,), index=1), "Move step 5 before step 2"),
        (MoveSteps(step_ids=(steps[0].id,), index=2), "Move step 1 behind step 2"),
        (MoveSteps(step_ids=(steps[4].id,), index=6), "Move step 5 behind step 6"),
        (MoveSteps(step_ids=(steps[2].id, steps[4].id), index=3), "Move 2 steps before step 4"),
        (MoveSteps(step_ids=(steps[0].id, steps[2].id), index=10), "Move 2 steps behind step 10"),
        (InsertStep(step_id="step_new", index=3, action=READ), "Insert step 4: Read the total"),
        (SplitStep(step_id=steps[1].id, at=3, new_id="step_new"), "Split step 2"),
        (SplitStep(step_id=steps[6].id, at=5, new_id="step_new", between=shown), "Split step 7"),
        (ReplaceFrame(step_id=steps[3].id, side="before", frame=shown), "Use another picture before step 4"),
        (ReplaceFrame(step_id=steps[3].id, side="after", frame=shown), "Use another picture after step 4"),
        (SetNote(step_id=steps[0].id, text=" Look here. "), "Write the note on step 1"),
        (SetNote(step_id=steps[8].id, text=""), "Remove the note on step 9"),
        (SetVariable(step_id=steps[1].id, name="customer"), "Make the text of step 2 the variable {customer}"),
        (SetOutcome(outcome="failure", reason="No  stock"), "Mark the task as failed: No stock"),
        (SetOutcome(outcome=None), "Leave open whether the task was done"),
        (AcceptDemo(), "Accept the recording"),
    ]


COUNT = 18


@pytest.mark.parametrize("number", range(COUNT))
def test_a_step_edit_is_stored_shown_taken_back_and_done_again(session: EditSession, number: int) -> None:
    document, library = session.document, session.library
    before = document.demo()
    command, label = commands(session)[number]
    session.do(command)
    after = document.demo()
    assert after != before
    assert library.demo(SAMPLE) == after
    assert (library.log.labels(SAMPLE)[0] or "").startswith(label)
    entries = len(library.log.entries(SAMPLE))
    session.undo()
    assert len(library.log.entries(SAMPLE)) == entries + 1  # one undo takes all of it back
    assert document.demo() == before == library.demo(SAMPLE)
    session.redo()
    assert document.demo() == after == library.demo(SAMPLE)


def test_the_table_of_step_edits_is_whole(session: EditSession) -> None:
    assert len(commands(session)) == COUNT


# Deleting, moving, inserting ------------------------------------------------------------------------------------------


def test_with_the_last_step_goes_what_it_said(session: EditSession) -> None:
    session.do(DeleteSteps(step_ids=(ids(session)[-1],)))
    assert session.document.head.outcome is None
    session.undo()
    assert session.document.head.outcome == "success"


def test_moved_steps_keep_their_own_order_and_stand_together(session: EditSession) -> None:
    old = ids(session)
    session.do(MoveSteps(step_ids=(old[5], old[1]), index=8))
    assert ids(session) == [old[0], old[2], old[3], old[4], old[6], old[7], old[1], old[5], *old[8:]]
    positions = [step.position for step in session.document.steps]
    assert positions == sorted(set(positions))


def test_a_moved_step_loses_its_time_only_where_it_does_not_fit(session: EditSession) -> None:
    old, was = ids(session), starts(session)
    session.do(MoveSteps(step_ids=(old[4],), index=1))
    now = starts(session)
    assert now[1] == 0
    assert [t for t in now if t] == [t for i, t in enumerate(was) if i != 4]
    session.undo()
    session.do(MoveSteps(step_ids=(old[4],), index=5))  # its own place
    assert starts(session) == was


def test_times_never_run_backwards_however_steps_are_moved(session: EditSession) -> None:
    for index, to in ((2, 9), (0, 5), (7, 0), (3, 3), (8, 1), (9, 0)):
        session.do(MoveSteps(step_ids=(ids(session)[index],), index=to))
        known = [t for t in starts(session) if t]
        assert known == sorted(known)
        assert session.library.demo(SAMPLE) == session.document.demo()


def test_nothing_goes_behind_the_end(session: EditSession) -> None:
    old = ids(session)
    session.do(MoveSteps(step_ids=(old[0],), index=99))
    assert ids(session) == [*old[1:10], old[0], old[10]]
    session.do(InsertStep(step_id="step_new", index=99, action=READ))
    assert ids(session)[-2:] == ["step_new", old[10]]
    assert "stays at the end" in refused(session, MoveSteps(step_ids=(old[10],), index=0))
    finish = FinishGoalAction()
    assert "one end" in refused(session, InsertStep(step_id="step_other", index=0, action=finish))


def test_where_there_is_no_room_between_two_positions_all_are_numbered_anew(session: EditSession) -> None:
    for number in range(14):  # 1000 between two steps has room for ten halvings at the most
        session.do(InsertStep(step_id=f"step_new{number}", index=1, action=READ))
    positions = [step.position for step in session.document.steps]
    assert positions == sorted(set(positions))
    assert [s for s in ids(session) if "new" in s] == [f"step_new{n}" for n in range(13, -1, -1)]
    assert session.library.demo(SAMPLE) == session.document.demo()


def test_an_inserted_note_shows_the_screen_of_its_moment(session: EditSession) -> None:
    steps = session.document.steps
    session.do(InsertStep(step_id="step_new", index=4, action=READ, note="Only here"))
    made = session.document.steps[4]
    assert made.before == made.after == steps[3].after
    assert (made.note, made.started_ns, made.doubts(parsed=True)) == ("Only here", 0, [])
    save = next(e for e in session.document.elements(steps[0].before.id) if e.text == "Save customer")  # type: ignore[union-attr]
    session.do(InsertStep(step_id="step_two", index=1, action=READ, frame=steps[0].before, target_uid=save.uid))
    assert session.document.steps[1].target_uid == save.uid


def test_the_current_step_is_followed_when_it_moves(session: EditSession) -> None:
    view = ViewState(session.document)
    view.go_to(4)
    here = view.step
    shown: list[int] = []
    view.frame_changed.connect(lambda: shown.append(view.index))
    session.do(MoveSteps(step_ids=(here.id,), index=0))  # type: ignore[union-attr]
    assert view.index == 0
    assert view.step is not None
    assert view.step.id == here.id  # type: ignore[union-attr]
    assert shown == []  # the picture stays as it is
    session.do(MoveSteps(step_ids=(ids(session)[3],), index=0))
    assert (view.index, view.step.id) == (1, here.id)  # type: ignore[union-attr]
    view.close()


# Splitting ------------------------------------------------------------------------------------------------------------


def split(session: EditSession, index: int, at: int, **more: Any) -> tuple[Step, Step]:
    session.do(SplitStep(step_id=ids(session)[index], at=at, new_id="step_new", **more))
    first, second = session.document.steps[index : index + 2]
    assert second.id == "step_new"
    return first, second


def test_typing_is_cut_where_its_keys_were_pressed(session: EditSession) -> None:
    step = typing(session)
    first, second = split(session, 1, 4)
    assert [s.action.text_to_type for s in (first, second)] == ["Ada ", "Lovelace"]
    assert first.events + second.events == step.events
    assert [e.char for e in second.events if e.kind == "key_down"] == list("Lovelace")
    assert first.ended_ns < second.started_ns == second.events[0].t_ns < second.ended_ns == step.ended_ns
    assert second.target_uid == step.target_uid
    # Without a picture of that moment the second part is in doubt, and says why.
    assert second.before == step.before
    assert "changed_before_event" in second.doubts(parsed=True)
    assert first.after is None


def test_what_was_taken_back_belongs_to_the_part_that_took_it_back(session: EditSession) -> None:
    typing(session, "abx<cd", "abcd")
    first, second = split(session, 1, 2)
    assert [e.key for e in first.events] == ["A", "B"]
    assert [e.key for e in second.events] == ["X", "Backspace", "C", "D"]
    session.undo()
    typing(session, "abx<<bcd", "abcd")
    first, second = split(session, 1, 2)
    assert [e.key for e in second.events] == ["C", "D"]


def test_a_text_that_no_keys_explain_is_cut_without_a_time(session: EditSession) -> None:
    change(session, 1, action=TypeAction(text_to_type="pasted", submit=True))
    step = session.document.steps[1]
    first, second = split(session, 1, 3)
    assert (first.events, second.events) == (step.events, ())
    assert (second.started_ns, second.ended_ns) == (0, 0)
    assert first.action.parameters == {"text_to_type": "pas"}
    assert second.action.parameters == {"text_to_type": "ted", "submit": True}


def test_a_cut_with_a_picture_from_the_film_has_no_doubt(session: EditSession) -> None:
    step = typing(session)
    frame = Frame(id="f" * 64, width=960, height=600, grab_ended_ns=step.started_ns + 100 * _MS)
    first, second = split(session, 1, 4, between=frame)
    assert first.after == second.before == frame
    assert second.quality.changed_before_event is None
    assert second.quality.frame_age_ms == pytest.approx((second.started_ns - frame.grab_ended_ns) / 1e6)
    assert second.target_uid is None  # nobody has looked for elements there


def click(kind: str, start_ns: int, count: int) -> dict[str, Any]:
    events = [
        InputEvent(t_ns=start_ns + i * 50 * _MS, kind="up" if i % 2 else "down", x=5, y=5, button="left")
        for i in range(2 * count)
    ]
    target = {"bbox": (0.1, 0.1, 0, 0)}
    action = ClickAction(target=target, click_type=kind)
    return {"action": action, "events": tuple(events), "ended_ns": events[-1].t_ns}


@pytest.mark.parametrize(("kind", "at", "kinds"), [
    ("double", 1, ["single", "single"]), ("triple", 1, ["single", "double"]), ("triple", 2, ["double", "single"]),
])  # fmt: skip
def test_clicks_are_cut_by_their_presses(session: EditSession, kind: str, at: int, kinds: list[str]) -> None:
    start = session.document.steps[0].started_ns
    change(session, 0, **click(kind, start, 2 if kind == "double" else 3))
    first, second = split(session, 0, at)
    assert [s.action.click_type for s in (first, second)] == kinds
    assert (len(first.events), first.ended_ns) == (2 * at, start + (2 * at - 1) * 50 * _MS)
    assert second.started_ns == start + 2 * at * 50 * _MS
    assert second.pointer == first.pointer


def test_scrolls_and_repeated_keys_are_cut_by_their_events(session: EditSession) -> None:
    start = session.document.steps[6].started_ns
    wheel = tuple(InputEvent(t_ns=start + i * 10 * _MS, kind="scroll", dy=-2) for i in range(4))
    change(session, 6, events=wheel, ended_ns=wheel[-1].t_ns)
    first, second = split(session, 6, 6)
    assert [s.action.scroll_steps for s in (first, second)] == [6, 2]
    assert second.events == wheel[3:]
    session.undo()
    first, second = split(session, 6, 5)  # in the middle of one event: nobody knows when
    assert (first.events, second.started_ns) == (wheel, 0)
    session.undo()
    keys = tuple(InputEvent(t_ns=start + i * _MS, kind="key_down", key="Down") for i in range(5))
    action = PressKeyAction(key_info="Down", presses=5)
    change(session, 8, action=action, events=keys, started_ns=start, ended_ns=keys[-1].t_ns)
    first, second = split(session, 8, 4)
    assert [s.action.presses for s in (first, second)] == [4, 1]
    assert second.events == keys[4:]


def test_what_cannot_be_cut_says_so(session: EditSession) -> None:
    steps = session.document.steps
    assert "one thing" in refused(session, SplitStep(step_id=steps[0].id, at=1, new_id="n"))
    assert "between 1 and 11" in refused(session, SplitStep(step_id=steps[1].id, at=12, new_id="n"))
    change(session, 1, action=TypeAction(text_to_type="a<secret:pin>b"))
    assert "secret" in refused(session, SplitStep(step_id=steps[1].id, at=4, new_id="n"))
    for at in (1, 13):
        split(session, 1, at)
        session.undo()


# Merging --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("index", "at"), [(1, 5), (1, 1), (6, 3)])
def test_what_was_split_is_merged_to_what_it_was(session: EditSession, index: int, at: int) -> None:
    typing(session)
    step = change(session, index, rationale=None, review="unreviewed")
    first, second = split(session, index, at)
    session.do(MergeSteps(step_ids=(second.id, first.id)))
    again = session.document.steps[index]
    assert again == step.model_copy(update={"quality": again.quality})
    assert again.quality.frame_age_ms == step.quality.frame_age_ms


def test_a_verdict_on_a_step_does_not_hold_for_its_parts_or_the_whole(session: EditSession) -> None:
    typing(session)
    verdict = StepVerdict(labels=("repeated",), provenance=by_human())
    change(session, 1, verdict=verdict)
    first, second = split(session, 1, 5)
    assert (first.verdict, second.verdict) == (None, None)
    change(session, 1, verdict=verdict)
    session.do(MergeSteps(step_ids=(first.id, second.id)))
    assert session.document.steps[1].verdict is None


def test_a_text_and_its_enter_are_one(session: EditSession) -> None:
    action = PressKeyAction(key_info="Enter")
    change(session, 2, action=action, pointer=None, target_uid=None)
    session.do(MergeSteps(step_ids=tuple(ids(session)[1:3])))
    assert session.document.steps[1].action.parameters == {"text_to_type": "Ada Lovelace", "submit": True}


def test_two_clicks_at_one_place_are_a_double_click(session: EditSession) -> None:
    one, two = session.document.steps[0], session.document.steps[2]
    change(session, 1, action=one.action, pointer=Pointer(x=one.pointer.x + 3, y=one.pointer.y))  # type: ignore[union-attr]
    session.do(MergeSteps(step_ids=tuple(ids(session)[:2])))
    made = session.document.steps[0]
    assert made.action.parameters == {"click_type": "double"}
    assert (made.before, made.target_uid) == (one.before, one.target_uid)
    assert "different places" in refused(session, MergeSteps(step_ids=(made.id, two.id)))


def test_what_does_not_belong_together_stays_apart(session: EditSession) -> None:
    all_ids = ids(session)

    def why(*places: int) -> str:
        return refused(session, MergeSteps(step_ids=tuple(all_ids[i] for i in places)))

    assert "others lie between" in why(0, 2)
    assert "different kinds" in why(0, 1)
    assert "alone cannot" in why(4)
    assert "different places" in why(2, 3)
    up = ScrollAction(scroll_direction="up", scroll_steps=1)
    change(session, 7, action=up)
    assert "different directions" in why(6, 7)
    word = TypeAction(text_to_type="x")
    elsewhere = next(e for e in session.document.elements(session.document.steps[1].before.id) if e.text == "Cancel")  # type: ignore[union-attr]
    change(session, 2, action=word, pointer=None, before=session.document.steps[1].before, target_uid=elsewhere.uid)
    assert "different fields" in why(1, 2)


# Pictures -------------------------------------------------------------------------------------------------------------


def frames(steps: Sequence[Step]) -> list[Frame]:
    return [step.before for step in steps if step.before is not None]


def test_another_picture_binds_the_step_to_what_lies_there(session: EditSession) -> None:
    steps = session.document.steps
    other = frames(steps)[3]  # the list is open there
    session.do(ReplaceFrame(step_id=steps[2].id, side="before", frame=other))
    now = session.document.steps[2]
    element = session.document.element(now.target_uid)
    assert element is not None
    assert element.frame == other.id
    # Taken after the event: as the picture before it, it has no time.
    assert now.before is not None
    assert (now.before.id, now.before.grab_ended_ns, now.quality.frame_age_ms) == (other.id, 0, None)
    earlier = frames(steps)[0]
    session.do(ReplaceFrame(step_id=steps[2].id, side="before", frame=earlier))
    age = session.document.steps[2].quality.frame_age_ms
    assert age == pytest.approx((steps[2].started_ns - earlier.grab_ended_ns) / 1e6)


def test_a_picture_of_another_place_moves_the_pointer_or_is_refused(session: EditSession) -> None:
    step = session.document.steps[5]  # the drag
    assert step.pointer is not None
    part = Frame(id="a" * 64, width=400, height=300, origin_x=100, origin_y=200)
    session.do(ReplaceFrame(step_id=step.id, side="before", frame=part))
    now = session.document.steps[5]
    assert now.pointer is not None
    assert Point(now.pointer.x, now.pointer.y) == Point(step.pointer.x - 100, step.pointer.y - 200)
    assert now.pointer.end_x == (step.pointer.end_x or 0) - 100
    target = now.action.target
    assert target is not None
    assert target.bbox == pytest.approx((now.pointer.x / 400, now.pointer.y / 300, 0, 0), abs=1e-5)
    away = Frame(id="b" * 64, width=400, height=300, origin_x=2000)
    assert "does not show" in refused(session, ReplaceFrame(step_id=step.id, side="before", frame=away))


# Words and outcome ----------------------------------------------------------------------------------------------------


def test_only_typed_text_with_a_good_name_is_a_variable(session: EditSession) -> None:
    steps = session.document.steps
    assert "Only typed text" in refused(session, SetVariable(step_id=steps[0].id, name="who"))
    assert "cannot be the name" in refused(session, SetVariable(step_id=steps[1].id, name="first name"))
    session.do(SetVariable(step_id=steps[1].id, name="{who}"))
    assert session.document.steps[1].variable == "who"
    session.do(SetVariable(step_id=steps[1].id, name=""))
    assert session.document.steps[1].variable == ""


def test_the_outcome_and_the_last_step_say_the_same(session: EditSession) -> None:
    document = session.document
    for outcome, reason, parameters in (
        ("failure", "Out of stock", {"status": "failure"}),
        ("success", "ignored", {}),
        (None, "", None),
        ("failure", "", {"status": "failure"}),
    ):
        session.do(SetOutcome(outcome=outcome, reason=reason))  # type: ignore[arg-type]
        last = document.steps[-1].action
        assert (last.parameters if last.action_type == "finish_goal" else None) == parameters
        assert document.head.outcome == outcome
        assert document.head.outcome_reason == ("Out of stock" if reason == "Out of stock" else "")
        assert sum(s.action.action_type == "finish_goal" for s in document.steps) == (outcome is not None)
    entries = len(session.library.log.entries(SAMPLE))
    session.do(SetOutcome(outcome="failure"))
    assert len(session.library.log.entries(SAMPLE)) == entries
