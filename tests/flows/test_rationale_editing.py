"""What a rationale names, how it stands, and other writers' versions of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.attributes.element_attributes import SetAttribute
from annotator.editing import EditSession
from annotator.rationale_checks import check_demo, is_stale_in, marks_in, named_in, rationale_status, sentence_at
from annotator.rationale_writing import (
    TakeVersions,
    Version,
    WriteOrder,
    carry_out,
    try_beside,
    write_versions,
)
from annotator.step_commands import SetRationale
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.errors import BadInputError, CancelledError
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from models.language.check.truth_rule import RationaleFinding
from models.language.port import AnswerError, BudgetError
from models.language.reports import ExplainedStep
from tests.support.editing import SAMPLE, HandStore, element, sample_library


@pytest.fixture
def session(tmp_path: Path) -> Iterator[EditSession]:
    with Library.open(sample_library(tmp_path)) as library:
        yield EditSession(library, library.demo(SAMPLE), HandStore())


class Writer:
    """Explains by number of call; ``bad`` calls fail."""

    name = "test:writer"
    mode: RationaleMode = "no_hindsight"

    def __init__(self, *, bad: int = -1, error: Exception | None = None) -> None:
        self.calls, self._bad, self._error = 0, bad, error or AnswerError("Nothing usable came.")

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        del context, subject, control
        self.calls += 1
        if self.calls == self._bad:
            raise self._error
        wrong = self.calls == 2
        finding = RationaleFinding(rule="T01", severity="error", part="thought", start=0, end=3, message="Not so.")
        rationale = Rationale(thought=f"Reason {self.calls}.", provenance=by_program("model", "test"))
        return ExplainedStep(rationale=rationale, findings=(finding,) if wrong else ())


# Evidence -----------------------------------------------------------------------------------------------------


def test_names_in_a_text_lead_to_their_elements() -> None:
    save, name = element("save", text="Save"), element("name", (40, 10, 90, 20), text="Full name", type="text")
    text = "The form is complete. Click “Save”, not “Reset”."
    found = named_in(text, [save, name])
    assert [(text[at.start : at.end], uids) for at, uids in found] == [("“Save”", ("save",)), ("“Reset”", ())]


@pytest.mark.parametrize(
    ("place", "words"), [(3, "One here."), (12, "Two there!"), (99, "Two there!"), (0, "One here.")]
)
def test_the_sentence_at_the_cursor(place: int, words: str) -> None:
    text = "One here. Two there!"
    around = sentence_at(text, place)
    assert text[around.start : around.end] == words


def test_an_empty_text_has_an_empty_sentence() -> None:
    around = sentence_at("", 0)
    assert (around.start, around.end) == (0, 0)


# Standing -----------------------------------------------------------------------------------------------------


def test_a_rationale_is_stale_when_its_target_reads_differently_and_anew_when_it_is_worded_anew(
    session: EditSession,
) -> None:
    document = session.document
    step = next(one for one in document.steps if one.target_uid is not None and one.rationale is not None)
    session.do(SetRationale(step_id=step.id, text="Because it is asked for."))
    assert not is_stale_in(document, document.step(step.id) or step)
    assert step.target_uid is not None
    session.do(SetAttribute(uids=(step.target_uid,), name="text", value="Another name"))
    changed = document.step(step.id)
    assert changed is not None
    assert is_stale_in(document, changed)
    assert rationale_status(document, changed) == "stale"
    session.do(SetRationale(step_id=step.id, text="Because the new name fits."))
    anew = document.step(step.id)
    assert anew is not None
    assert rationale_status(document, anew) == "fine"


def test_the_check_finds_a_name_that_is_not_there_and_marks_its_words(session: EditSession) -> None:
    document = session.document
    step = document.steps[0]
    text = "The button “Launch rocket” opens the form."
    session.do(SetRationale(step_id=step.id, text=text))
    found = check_demo(session.library, document.demo(), control=JobControl(), only={step.id})
    assert list(found) == [step.id]
    now = document.step(step.id)
    assert now is not None
    assert now.rationale is not None
    marks = marks_in(now.rationale, found[step.id])
    assert any("Launch rocket" in text[one.start : one.end] for one in marks)
    assert rationale_status(document, now, found[step.id]) == "wrong"


def test_marks_in_fields_stand_where_the_shown_text_has_them() -> None:
    rationale = Rationale(thought="  Press it. ", expected_effect="It opens.", provenance=by_program("template", "t"))
    finding = RationaleFinding(rule="T1", severity="warning", part="expected_effect", start=0, end=2, message="m")
    first = RationaleFinding(rule="T1", severity="warning", part="thought", start=2, end=7, message="m")
    other = RationaleFinding(rule="T1", severity="warning", part="actual_effect", start=0, end=2, message="m")
    shown = rationale.reasoning
    marks = marks_in(rationale, [first, finding, other])
    assert [shown[one.start : one.end] for one in marks] == ["Press", "It"]


def test_a_cancelled_check_ends(session: EditSession) -> None:
    control = JobControl()
    control.token.cancel()
    with pytest.raises(CancelledError):
        check_demo(session.library, session.document.demo(), control=control)


# Versions -----------------------------------------------------------------------------------------------------


def test_versions_are_stored_nowhere_until_they_are_taken(session: EditSession) -> None:
    library, document = session.library, session.document
    wanted = {one.id for one in document.steps[:4]}
    versions = write_versions(library, SAMPLE, Writer(bad=3), control=JobControl(), only=wanted)
    assert [one.passes for one in versions] == [True, False, False, True]
    assert versions[2].trouble == "Nothing usable came."
    assert library.demo(SAMPLE).steps == document.steps
    session.do(TakeVersions(versions=tuple(one for one in versions if one.passes)))
    stored = library.demo(SAMPLE).steps
    assert [one.rationale.thought if one.rationale else "" for one in stored[:4:3]] == ["Reason 1.", "Reason 4."]
    assert stored[1].rationale == library.original(SAMPLE).steps[1].rationale
    assert library.log.entries(SAMPLE)[-1].edit.label == "Take 2 rationales that test:writer wrote"
    assert not is_stale_in(document, document.steps[0])
    session.undo()
    assert library.demo(SAMPLE).steps[0].rationale == library.original(SAMPLE).steps[0].rationale


def test_a_version_about_something_else_is_refused(session: EditSession) -> None:
    step = next(one for one in session.document.steps if one.target_uid is not None)
    versions = write_versions(session.library, SAMPLE, Writer(), control=JobControl(), only={step.id})
    assert step.target_uid is not None
    session.do(SetAttribute(uids=(step.target_uid,), name="text", value="Another"))
    with pytest.raises(BadInputError, match="before the task"):
        TakeVersions(versions=tuple(versions)).edit(session.document)
    assert TakeVersions(versions=()).edit(session.document) is None


def test_without_budget_writing_beside_ends(session: EditSession) -> None:
    error = BudgetError("No money is left.")
    with pytest.raises(BudgetError):
        write_versions(session.library, SAMPLE, Writer(bad=2, error=error), control=JobControl())


def test_orders_reach_the_template(session: EditSession) -> None:
    library, first = session.library, session.document.steps[0]
    session.do(SetRationale(step_id=first.id, text=""))
    told = carry_out(library, WriteOrder(demos=(SAMPLE,), rewriting="missing"), Settings(), JobControl())
    assert "written" in told
    order = WriteOrder(demos=(SAMPLE,), only=frozenset({first.id}))
    versions = try_beside(library, order, Settings(), JobControl())
    assert [one.step_id for one in versions] == [first.id]
    assert versions[0].rationale is not None


def test_a_version_without_rationale_does_not_pass() -> None:
    assert not Version(step_id="s", writer="w", rationale=None).passes
