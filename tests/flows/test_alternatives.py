"""Further right targets: marked by hand, kept in packs, counted by the scoring; and the spot of a step is moved."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.commands import make_edit
from annotator.editing import EditSession
from annotator.step_commands import BindTarget, MarkAlternatives, MovePointer, SetAction, action_of_type, spots_of
from demopack.domain.binding import alternatives_of
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, Rect
from demopack.domain.steps import Step
from demopack.errors import BadInputError
from demopack.pack import check_pack, export_pack, open_pack
from demopack.pack.reader import open_packs
from demopack.prompting.scoring.predictions import read_predictions
from demopack.prompting.scoring.step_scores import score
from demopack.redaction.apply import Rewriter
from demopack.redaction.values import ValueFinder
from demopack.store import Library
from demopack.store.retakes import join_retake
from tests.support.demos import tiny_demo
from tests.support.editing import SAMPLE, HandStore, sample_library
from tests.support.packs import PackFolder

SAVE, DRAG = 9, 5


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


def step(session: EditSession, index: int = SAVE) -> Step:
    return session.document.steps[index]


def named(session: EditSession, text: str, index: int = SAVE) -> Element:
    before = step(session, index).before
    assert before is not None
    return next(e for e in session.document.elements(before.id) if e.text == text)


def refused(session: EditSession, command: Any) -> str:
    with pytest.raises(BadInputError) as caught:
        command.edit(session.document)
    return str(caught.value)


def mark(session: EditSession, *texts: str) -> None:
    uids = tuple(named(session, text).uid for text in texts)
    session.do(MarkAlternatives(step_id=step(session).id, uids=uids))


def test_elements_are_marked_and_unmarked_and_it_can_be_taken_back(session: EditSession) -> None:
    mark(session, "Cancel")
    assert step(session).alternatives == (named(session, "Cancel").uid,)
    mark(session, "Cancel", "Full name")
    assert len(step(session).alternatives) == 2, "what was marked already stays when another one is added"
    mark(session, "Cancel", "Full name")
    assert step(session).alternatives == ()
    session.undo()
    assert [e.text for e, _ in alternatives_of(step(session), session.document.demo())] == ["Cancel", "Full name"]


def test_only_what_could_be_a_target_is_marked(session: EditSession) -> None:
    target = session.document.element(step(session).target_uid)
    assert target is not None
    assert "target already" in refused(session, MarkAlternatives(step_id=step(session).id, uids=(target.uid,)))
    other = named(session, "Cancel", 0)
    if other.frame != target.frame:
        assert "another picture" in refused(session, MarkAlternatives(step_id=step(session).id, uids=(other.uid,)))
    last = session.document.steps[-1]
    assert "has no target" in refused(session, MarkAlternatives(step_id=last.id, uids=(other.uid,)))
    assert MarkAlternatives(step_id="gone", uids=(other.uid,)).edit(session.document) is None


def test_what_becomes_the_target_is_no_alternative_any_more(session: EditSession) -> None:
    mark(session, "Cancel", "Full name")
    session.do(BindTarget(step_id=step(session).id, uid=named(session, "Cancel").uid))
    assert step(session).alternatives == (named(session, "Full name").uid,)
    session.do(SetAction(step_id=step(session).id, action=action_of_type(step(session), session.document, "wait")))
    assert step(session).alternatives == ()


def test_an_alternative_that_is_rejected_is_passed_over(session: EditSession) -> None:
    mark(session, "Cancel")
    demo = session.document.demo()
    before = step(session).before
    assert before is not None
    gone = tuple(e.changed(review="rejected") if e.text == "Cancel" else e for e in demo.elements[before.id])
    assert (
        alternatives_of(step(session), type(demo)(head=demo.head, steps=demo.steps, elements={before.id: gone})) == []
    )


def errors(pack: PackFolder) -> list[str]:
    return [finding.rule for finding in check_pack(pack.path) if finding.severity == "error"]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    """A pack in which Cancel would have been as right as Save."""
    root = tmp_path_factory.mktemp("alternatives")
    with Library.open(sample_library(root)) as library:
        session = EditSession(library, library.demo(SAMPLE), HandStore())
        mark(session, "Cancel")
        export_pack(library, [SAMPLE], root / "pack")
    return PackFolder(root / "pack")


def test_a_pack_carries_them_in_the_form_of_a_target(pack: PackFolder) -> None:
    assert errors(pack) == []
    rows = pack.rows("steps")
    cancel = next(r for r in pack.rows("elements") if r["text"] == "Cancel" and r["image"] == rows[SAVE]["image"])
    (one,) = rows[SAVE]["alternatives"]
    assert (one["uid"], one["box"]) == (cancel["uid"], cancel["box"])
    assert one["target"] == {
        "track_id": cancel["track_id"], "element_id": cancel["element_id"], "text": "Cancel", "bbox": cancel["bbox"],
    }  # fmt: skip
    assert [row["alternatives"] for row in rows if row is not rows[SAVE]] == [[]] * (len(rows) - 1)
    with open_pack(pack.path) as read:
        assert next(read.whole_demos()).steps[SAVE].alternatives == (cancel["uid"],)


def test_an_older_pack_has_none_and_is_good(pack: PackFolder, tmp_path: Path) -> None:
    older = pack.copy(tmp_path / "older")
    older.edit_rows("steps", lambda rows: [row.pop("alternatives") for row in rows])
    assert errors(older) == []
    with open_pack(older.path) as read:
        assert {one.alternatives for one in next(read.whole_demos()).steps} == {()}


def test_an_older_library_has_none() -> None:
    old = {"id": "s", "position": 0, "action": {"action_type": "wait", "parameters": {"wait_duration_s": 1}}}
    assert Step.model_validate(old).alternatives == ()


def test_a_pack_that_says_something_else_about_them_is_told(pack: PackFolder, tmp_path: Path) -> None:
    wrong = pack.copy(tmp_path / "wrong")
    wrong.edit_row("steps", SAVE, lambda row: row["alternatives"][0]["target"].update(element_id=999))
    assert errors(wrong) == ["A05"]
    broken = pack.copy(tmp_path / "broken")
    broken.edit_row("steps", SAVE, lambda row: row["alternatives"][0].update(target={"label": "Cancel"}))
    assert errors(broken) == ["A04"]


@pytest.mark.parametrize(("text", "right"), [("Cancel", True), ("Full name", False)])
def test_the_scoring_takes_them_for_right(pack: PackFolder, tmp_path: Path, text: str, right: bool) -> None:
    rows = [{"step": row["step"], "answer": copy.deepcopy(row["response"])} for row in pack.rows("steps")]
    rows[SAVE]["answer"]["action"]["target"] = {"text": text}
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with open_packs([pack.path]) as demos:
        figure = score(read_predictions(file), demos, pack="pack").figures["object"]
    assert (figure.hits == figure.of) is right


def test_the_spot_of_a_click_is_moved_and_its_target_follows(session: EditSession) -> None:
    cancel = named(session, "Cancel")
    session.do(MovePointer(step_id=step(session).id, at=cancel.box.center))
    now = step(session)
    assert (now.target_uid, spots_of(now)) == (cancel.uid, (cancel.box.center, None))
    assert now.pointer is not None
    assert (now.pointer.x, now.pointer.y) == (cancel.box.center.x, cancel.box.center.y)
    session.undo()
    assert step(session).target_uid != cancel.uid


def test_a_target_that_was_chosen_by_hand_stays_when_the_spot_moves(session: EditSession) -> None:
    session.do(BindTarget(step_id=step(session).id, uid=named(session, "Full name").uid))
    session.do(MovePointer(step_id=step(session).id, at=named(session, "Cancel").box.center))
    assert step(session).target_uid == named(session, "Full name").uid


def test_the_end_of_a_drag_is_moved_alone(session: EditSession) -> None:
    start, end = spots_of(step(session, DRAG))
    assert start is not None
    assert end is not None
    session.do(MovePointer(step_id=step(session, DRAG).id, at=Point(end.x + 7, end.y + 3), end=True))
    now = step(session, DRAG)
    assert spots_of(now) == (start, Point(end.x + 7, end.y + 3))
    assert now.before is not None
    assert now.action.end is not None
    assert now.action.end.bbox is not None
    assert now.action.end.bbox[0] == pytest.approx((end.x + 7) / now.before.width, abs=1e-6)


def test_a_spot_beside_the_picture_is_refused(session: EditSession) -> None:
    words = refused(session, MovePointer(step_id=step(session).id, at=Point(5000, 3)))
    assert "5000, 3 is not on the picture" in words
    assert MovePointer(step_id=step(session).id, at=Point(1, 1), end=True).edit(session.document) is None
    at = spots_of(step(session))[0]
    assert at is not None
    assert MovePointer(step_id=step(session).id, at=at).edit(session.document) is None


def test_a_step_without_a_pointer_takes_the_middle_of_what_was_written(session: EditSession) -> None:
    bare = step(session).model_copy(update={"pointer": None})
    at = spots_of(step(session))[0]
    assert at is not None
    assert spots_of(bare)[0] == Rect.at_point(at).center
    assert spots_of(bare.model_copy(update={"before": None})) == (None, None)


def test_joining_and_hiding_keep_what_is_still_there(session: EditSession) -> None:
    mark(session, "Cancel", "Full name")
    (first, second) = step(session).alternatives
    rewritten = Rewriter(finder=ValueFinder([]), names={}, uids={first: "el_same"}).step(step(session))
    assert rewritten.alternatives == ("el_same", second)
    library = session.library
    take = tiny_demo(library, demo_id="demo_take000001", seed=50, take_of=SAMPLE, take_after=step(session, 1).id)
    made = library.demo(take)
    clicked = made.steps[0]
    assert clicked.before is not None
    known = library.demo(take).elements[clicked.before.id][0].uid
    with_two = clicked.model_copy(update={"alternatives": (known, "el_of_another_demo")})
    library.commit(take, make_edit("Mark", [Change.between(clicked, with_two)]) or pytest.fail("nothing changed"))
    join_retake(library, take)
    assert library.demo(SAMPLE).steps[2].alternatives == (known,)
