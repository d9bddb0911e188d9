from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.verdicts import StepVerdict
from demopack.errors import CancelledError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.redaction.text_locations import texts_of as texts_of_demo
from demopack.store import Library
from demopack_cli.judge import command
from models.language.judge.judge_questions import DemoReply
from models.language.judge.judge_run import LOCAL, JudgeReport, judge_demo
from models.language.port import BudgetError, LanguageRequest, RefusedError
from tests.support.editing import SAMPLE, sample_library
from tests.support.fake_language import FakeModel, texts_of

STEP = {"reflection": "It opens the list.", "correct": "yes", "redundant": "no"}
DEMO = {
    "reason": "The banner says that the customer is saved.", "criteria": ("a customer is added", "the country is set"),
    "criteria_met": ("yes", "unsure"), "complete": "yes", "task_quality": "good", "alignment": 9, "efficiency": 8,
    "difficulty": 2, "actual_task": "Add Ada Lovelace, United Kingdom, with the news",
}  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path)) as opened:
        yield opened


def model(answer: Callable[[LanguageRequest[Any]], Any] | None = None, *, sees: bool = False) -> FakeModel:
    def by_kind(request: LanguageRequest[Any]) -> Any:
        return DEMO if request.answer is DemoReply else STEP

    return FakeModel(answer or by_kind, sees=sees)


def judge(library: Library, port: FakeModel | None = None, **given: Any) -> JudgeReport:
    return judge_demo(library, SAMPLE, port, control=JobControl(), **given)


def verdicts(library: Library) -> list[StepVerdict | None]:
    return [step.verdict for step in library.demo(SAMPLE).steps]


def test_labels_need_no_model_and_are_kept(library: Library) -> None:
    report = judge(library)
    assert (report.judge, report.verdict, report.calls) == (LOCAL, None, 0)
    found = {step.step: step.verdict.labels for step in report.steps if step.verdict is not None}
    assert found == {8: ("no_effect",), 9: ("no_effect",)}, "a click beside everything, and Escape"
    assert [v.labels for v in verdicts(library) if v is not None] == [("no_effect",), ("no_effect",)]
    log = len(library.log.entries(SAMPLE))
    judge(library)
    assert len(library.log.entries(SAMPLE)) == log, "what is known already is no edit"
    library.log.undo(SAMPLE)
    assert verdicts(library) == [None] * 11


def test_a_model_judges_each_step_and_the_demo(library: Library) -> None:
    port = model()
    report = judge(library, port)
    assert [step.state for step in report.steps] == ["judged"] * 11
    assert (report.calls, report.input_tokens, round(report.cost or 0, 4)) == (12, 1200, 0.024)
    head = library.demo(SAMPLE).head
    assert head.verdict is not None
    assert head.verdict == report.verdict
    assert [(part.name, part.met) for part in head.verdict.sub_scores][1] == ("the country is set", "unsure")
    assert (head.verdict.complete, head.verdict.alignment, head.verdict.quality) == ("yes", 9, "good")
    eighth = verdicts(library)[7]
    assert eighth is not None
    assert (eighth.labels, eighth.correct, eighth.provenance.name) == (("no_effect",), "yes", "fake:one")
    assert not eighth.doubtful, "the model saw that it was right all the same"


def test_the_questions_tell_what_is_known(library: Library) -> None:
    port = model(sees=True)
    judge(library, port)
    third, last = texts_of(port.asked[2]), texts_of(port.asked[-1])
    assert "TASK: Add Ada Lovelace" in third
    assert "Full name" in third
    assert "nothing on the screen changed" in texts_of(port.asked[7])
    assert "Not needed, but harmless." in texts_of(port.asked[8])
    assert port.asked[2].subject == f"{SAMPLE}/{library.demo(SAMPLE).steps[2].id}"
    assert "action_9: nothing on the screen changed" in last
    assert "success" in last
    assert "Customer saved" in last
    assert port.pictures()[2] == ["the screen before, target marked", "what changed, before", "what changed, after"]
    assert port.pictures()[-1] == ["the screen at the beginning", "the screen at the end"]


def test_started_again_it_asks_for_nothing_twice(library: Library) -> None:
    judge(library, model())
    again = model()
    report = judge(library, again)
    assert (again.asked, {step.state for step in report.steps}) == ([], {"kept"})
    assert report.verdict is not None
    assert len(judge(library, again, again=True).steps) == len(again.asked) - 1


def test_what_fails_is_a_state_and_the_rest_goes_on(library: Library) -> None:
    def answer(request: LanguageRequest[Any]) -> Any:
        if request.answer is DemoReply:
            return DEMO
        return RefusedError("The model declined.") if "action_4" in texts_of(request).split("judge:")[1] else STEP

    report = judge(library, model(answer))
    assert [step.step for step in report.steps if step.state == "failed"] == [3]
    assert report.steps[2].message == "The model declined."
    assert verdicts(library)[2] is None
    assert report.verdict is not None


def test_an_empty_budget_ends_it_and_keeps_what_there_is(library: Library) -> None:
    answers = iter([STEP, STEP])
    report = judge(library, model(lambda _: next(answers, BudgetError("The budget is used up."))))
    assert "budget" in report.trouble
    assert [step.state for step in report.steps] == ["judged", "judged", "failed"]
    assert [v is not None and v.correct == "yes" for v in verdicts(library)][:3] == [True, True, False]
    assert library.demo(SAMPLE).head.verdict is None


def test_a_wrong_step_stays_as_a_lesson_or_is_left_out(library: Library) -> None:
    wrong = {**STEP, "correct": "no", "reflection": "It misses the button."}
    port = model(lambda request: DEMO if request.answer is DemoReply else wrong)
    judge(library, port)
    assert not any(step.left_out for step in library.demo(SAMPLE).steps)
    report = judge(library, port, leave_out=True)
    steps = library.demo(SAMPLE).steps
    assert [step.left_out for step in steps] == [step.review == "rejected" for step in steps]
    assert sum(step.left_out for step in report.steps) == 10, "one step was approved by a person"
    assert library.log.entries(SAMPLE)[-1].edit.provenance.kind == "human", "who asked for it"


def test_labels_do_not_take_a_models_words_away(library: Library) -> None:
    judge(library, model())
    judge(library)
    kept = verdicts(library)[7]
    assert kept is not None
    assert (kept.reflection, kept.labels) == ("It opens the list.", ("no_effect",))


def test_cancelling_keeps_what_was_judged(library: Library) -> None:
    token = CancelToken()

    def stop(progress: Progress) -> None:
        if progress.done == 1:
            token.cancel()

    slow = FakeModel(lambda _: STEP)
    with pytest.raises(CancelledError):
        judge_demo(library, SAMPLE, slow, control=JobControl(token=token, report=stop), again=True)
    assert verdicts(library)[0] is not None


def test_scores_of_unequal_length_are_no_answer() -> None:
    with pytest.raises(ValueError, match="same length"):
        DemoReply.model_validate({**DEMO, "criteria_met": ("yes",)})


def test_the_command_tells_and_prints_json(library: Library) -> None:
    folder = str(library.folder)
    said = CliRunner().invoke(command, [SAMPLE, "--library", folder])
    assert said.exit_code == 0, said.output
    assert f"{SAMPLE}: 2 doubtful steps of 11 ({LOCAL})" in said.output
    assert "    8  nothing on the screen changed." in said.output
    data = json.loads(CliRunner().invoke(command, ["last", "--library", folder, "--json"]).output)
    assert data[0]["steps"][0]["state"] == "judged"
    left = CliRunner().invoke(command, [SAMPLE, "--library", folder, "--leave-out"])
    assert "[left out of exports]" in left.output
    assert [step.step for step in judge(library).steps if step.left_out] == [8, 9]


def test_what_a_judge_wrote_is_looked_through_before_it_is_given_away(library: Library) -> None:
    told = {**STEP, "reflection": "It is about ada@example.org."}
    judge(library, model(lambda request: DEMO if request.answer is DemoReply else told))
    texts = list(texts_of_demo(library.demo(SAMPLE)))
    assert next(place.where for place in texts if place.text == told["reflection"]) == "step 1, the verdict"
    assert any(place.where == "the verdict" and place.text == DEMO["actual_task"] for place in texts)
