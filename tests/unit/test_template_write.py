from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.domain.edits import Change, Edit
from demopack.domain.geometry import Point, Rect
from demopack.domain.ports import StepContext
from demopack.domain.provenance import by_human, by_program
from demopack.domain.rationale import Rationale, RationaleMode
from demopack.domain.records import new_id
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store import Library
from models.language.check.findings import check_rationale
from models.language.rationale_run import write_demos
from models.language.reports import ExplainedStep
from models.language.template import TemplateWriter
from tests.support.small_demos import painted, record


class OneWord:
    """A writer whose words a test chooses."""

    name = "one-word"
    mode: RationaleMode = "no_hindsight"

    def __init__(self, thought: str) -> None:
        self.thought = thought
        self.contexts: list[StepContext] = []

    def explain(self, context: StepContext, *, subject: str, control: JobControl) -> ExplainedStep:
        del subject
        control.token.check()
        self.contexts.append(context)
        rationale = Rationale(thought=self.thought, provenance=by_program("model", self.name))
        found = check_rationale(rationale, context, after_visible=False)
        return ExplainedStep(rationale=rationale, findings=tuple(found))


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    box = Rect(40, 40, 80, 60)
    pictures = [painted(), painted(box), painted(box)]
    with record(tmp_path, pictures, [Point(50, 50), "anna"], task="Say anna") as opened:
        yield opened


def rationales(library: Library) -> list[Rationale | None]:
    return [step.rationale for step in library.demo("demo_1").steps]


def set_rationale(library: Library, index: int, rationale: Rationale) -> None:
    step = library.demo("demo_1").steps[index]
    after = step.model_copy(update={"rationale": rationale})
    change = Change(kind="step", key=step.id, before=step.to_json(), after=after.to_json())
    library.commit("demo_1", Edit(id=new_id("edit"), label="by hand", changes=(change,), provenance=by_human()))


def test_each_step_once_and_the_context_is_right(library: Library) -> None:
    writer, seen = OneWord("Because."), list[Progress]()
    (report,) = write_demos(library, ["demo_1"], writer, control=JobControl(report=seen.append))
    assert (report.written, report.kept, report.human, report.failed) == (2, 0, 0, ())
    first, second = writer.contexts
    assert (first.task, first.changed, first.size) == ("Say anna", (Rect(40, 40, 80, 60),), (320, 200))
    assert (second.changed, second.history, second.is_last) == ((), ("Clicked a spot",), True)
    assert second.after is None, "that screen was not parsed"
    assert [p.done for p in seen] == [0, 1, 2]
    (again,) = write_demos(library, ["demo_1"], writer, control=JobControl())
    assert (again.written, again.kept) == (0, 2)


def test_a_person_wins_always(library: Library) -> None:
    mine = Rationale(thought="Mine.", provenance=by_human("anna"))
    reworded = Rationale(thought="T.", text="My words.", provenance=by_program("template", "template-1"))
    set_rationale(library, 0, mine)
    set_rationale(library, 1, reworded)
    (report,) = write_demos(library, ["demo_1"], OneWord("No."), control=JobControl(), rewriting="programs")
    assert (report.written, report.kept, report.human) == (0, 2, 2)
    assert rationales(library) == [mine, reworded]


def test_overwrite_replaces_a_program_and_says_who(library: Library) -> None:
    write_demos(library, ["demo_1"], TemplateWriter(), control=JobControl())
    write_demos(library, ["demo_1"], OneWord("Better."), control=JobControl(), rewriting="programs")
    assert [r and r.provenance.kind for r in rationales(library)] == ["model", "model"]
    assert library.log.entries("demo_1")[-1].edit.provenance.name == "one-word"


def test_the_same_words_make_no_edit(library: Library) -> None:
    write_demos(library, ["demo_1"], TemplateWriter(), control=JobControl())
    log = len(library.log.entries("demo_1"))
    (report,) = write_demos(library, ["demo_1"], TemplateWriter(), control=JobControl(), rewriting="programs")
    assert (report.written, len(library.log.entries("demo_1"))) == (0, log)


def test_one_undo_takes_all_back(library: Library) -> None:
    write_demos(library, ["demo_1"], TemplateWriter(), control=JobControl())
    assert all(rationales(library))
    library.log.undo("demo_1")
    assert rationales(library) == [None, None]


def test_names_that_are_not_there_are_warned_of(library: Library) -> None:
    (report,) = write_demos(library, ["demo_1"], OneWord("I click “Log out”."), control=JobControl())
    assert (report.written, report.warned) == (2, (1, 2))
    assert all("Log out" in step.findings[0] for step in report.steps)


def test_cancel_keeps_what_was_written(library: Library) -> None:
    token = CancelToken()

    def stop_at_second(progress: Progress) -> None:
        if progress.done == 1:
            token.cancel()

    with pytest.raises(CancelledError):
        write_demos(library, ["demo_1"], TemplateWriter(), control=JobControl(token=token, report=stop_at_second))
    assert [r is not None for r in rationales(library)] == [True, False]
