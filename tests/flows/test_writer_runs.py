"""Runs of a writer over demos: states, order, what ends a run, and that a run goes on where the last one ended."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.demos import is_stale
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import by_human
from demopack.domain.rationale import Rationale
from demopack.domain.records import Record, new_id
from demopack.errors import BadInputError, CancelledError, LibraryError
from demopack.jobs import CancelToken, JobControl, Progress
from demopack.store import Library
from models.language.port import BudgetError, LanguageRequest, NoKeyError, RefusedError, ServerError
from models.language.prompts import PromptCatalogue
from models.language.rationale_run import write_demos
from models.language.template import TemplateWriter
from models.language.writers import ModelWriter
from tests.support.demos import tiny_demo
from tests.support.fake_language import FakeModel, texts_of, thought

DEMOS = ["demo_a", "demo_b", "demo_c"]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        for seed, demo in enumerate(DEMOS, start=1):
            tiny_demo(opened, demo_id=demo, seed=seed)
        yield opened


def nothing_wrong(*_: object, **__: object) -> tuple[()]:
    return ()


def write(library: Library, port: FakeModel, demos: list[str] = DEMOS, **more: Any) -> Any:
    writer = ModelWriter(port, catalogue=PromptCatalogue(), check=nothing_wrong)
    given: dict[str, Any] = {"control": JobControl(), "rewriting": "programs", "at_once": 2, **more}
    return write_demos(library, demos, writer, **given)


def says_its_subject(request: LanguageRequest[Any]) -> dict[str, Any]:
    return thought(f"Because of {request.subject}.")


def change(library: Library, demo: str, old: Record, new: Record, kind: Any = "step", key: str = "") -> None:
    one = Change(kind=kind, key=key or old.to_json()["id"], before=old.to_json(), after=new.to_json())
    library.commit(demo, Edit(id=new_id("edit"), label="by hand", changes=(one,), provenance=by_human()))


def test_every_step_of_every_demo_gets_its_own_words(library: Library) -> None:
    seen: list[Progress] = []
    port = FakeModel(says_its_subject)
    reports = write(library, port, control=JobControl(report=seen.append))
    assert [report.demo for report in reports] == DEMOS
    assert all((report.written, report.failed, report.trouble) == (3, (), "") for report in reports)
    for demo in DEMOS:
        for step in library.demo(demo).steps:
            assert step.rationale is not None
            assert step.rationale.thought == f"Because of {demo}/{step.id}."
            assert step.rationale.basis
            assert not is_stale(step, library.demo(demo))
    assert (seen[0].done, seen[-1].done, seen[-1].total) == (0, 9, 9)
    assert seen[-1].text == "Explained 9 of 9 steps; $0.0180 so far"
    assert Counter(request.subject.partition("/")[0] for request in port.asked) == dict.fromkeys(DEMOS, 3)


def test_each_step_knows_the_reasons_before_it(library: Library) -> None:
    port = FakeModel(says_its_subject)
    write(library, port, ["demo_a"])
    texts = [texts_of(request) for request in port.asked]
    first, second = (f"Because of demo_a/{step.id}." for step in library.demo("demo_a").steps[:2])
    assert [first in text for text in texts] == [False, True, True]
    assert [second in text for text in texts] == [False, False, True]


def test_demos_are_written_at_the_same_time(library: Library) -> None:
    both = threading.Barrier(2, timeout=20)

    def waits(request: LanguageRequest[Any]) -> dict[str, Any]:
        if request.subject.endswith("step00") and "demo_c" not in request.subject:
            both.wait()  # breaks, unless another demo asks meanwhile
        return thought()

    assert all(report.written == 3 for report in write(library, FakeModel(waits)))


def test_the_report_tells_lengths_calls_tokens_and_cost(library: Library) -> None:
    (report,) = write(library, FakeModel(says_its_subject), ["demo_a"])
    data = report.to_json()
    assert (data["calls"], data["cached"], data["input_tokens"], data["output_tokens"]) == (3, 0, 300, 30)
    assert data["cost"] == pytest.approx(0.006)
    step = data["steps"][0]
    assert (step["state"], step["calls"], step["cost"]) == ("written", 1, 0.002)
    rationale = library.demo("demo_a").steps[0].rationale
    assert rationale is not None
    assert step["lengths"]["reasoning"] == len(rationale.reasoning)


def test_a_step_that_fails_is_a_state_and_no_text(library: Library) -> None:
    def refuses_one(request: LanguageRequest[Any]) -> Any:
        return RefusedError("The model declined.") if request.subject.endswith("step01") else thought()

    old = library.demo("demo_a").steps[1]
    (report,) = write(library, FakeModel(refuses_one), ["demo_a"])
    assert (report.written, report.failed, report.trouble) == (2, (2,), "")
    assert report.steps[1].message == "The model declined."
    assert library.demo("demo_a").steps[1] == old


@pytest.mark.parametrize("error", [BudgetError("The budget is spent."), NoKeyError("There is no key.")])
def test_what_would_meet_every_step_ends_the_run(library: Library, error: Exception) -> None:
    def ends(request: LanguageRequest[Any]) -> Any:
        return error if request.subject.endswith("step01") else thought()

    port = FakeModel(ends)
    reports = write(library, port, at_once=1)
    assert reports[0].trouble == str(error)
    assert sum(report.written for report in reports) == 1
    assert len(port.asked) == 2
    assert [len(report.steps) for report in reports] == [1, 0, 0]


def test_a_server_that_is_down_ends_the_run_after_three_steps(library: Library) -> None:
    port = FakeModel(lambda _: ServerError("The server does not answer."))
    reports = write(library, port, at_once=1)
    assert len(port.asked) == 3
    assert reports[0].failed == (1, 2)
    assert "does not answer" in reports[0].trouble


def test_one_bad_moment_of_the_server_does_not(library: Library) -> None:
    turns = iter(range(100))
    port = FakeModel(lambda _: ServerError("Busy.") if next(turns) % 3 else thought())
    reports = write(library, port, at_once=1)
    assert sum(len(report.failed) for report in reports) == 6
    assert not any(report.trouble for report in reports)


def test_a_run_goes_on_where_the_last_one_ended(library: Library) -> None:
    for demo in DEMOS:
        for step in library.demo(demo).steps:
            change(library, demo, step, step.model_copy(update={"rationale": None}))
    answers = iter([thought(), thought(), BudgetError("Spent.")])
    write(library, FakeModel(lambda _: next(answers)), at_once=1, rewriting="missing")
    port = FakeModel(says_its_subject)
    reports = write(library, port, at_once=1, rewriting="missing")
    assert len(port.asked) == 7
    assert (reports[0].kept, reports[0].written) == (2, 1)


def test_only_stale_ones_are_written_again(library: Library) -> None:
    write(library, FakeModel(says_its_subject), ["demo_a"])
    demo = library.demo("demo_a")
    assert demo.steps[0].before is not None
    (button,) = demo.elements[demo.steps[0].before.id]
    change(library, "demo_a", button, button.changed(text="Stop"), kind="element", key=button.uid)
    assert [is_stale(step, library.demo("demo_a")) for step in library.demo("demo_a").steps] == [True, False, False]
    port = FakeModel(says_its_subject)
    write(library, port, ["demo_a"], rewriting="stale")
    assert len(port.asked) == 1
    assert not any(is_stale(step, library.demo("demo_a")) for step in library.demo("demo_a").steps)


def test_a_selection_is_written_and_the_rest_is_kept(library: Library) -> None:
    second = library.demo("demo_a").steps[1]
    port = FakeModel(says_its_subject)
    (report,) = write(library, port, ["demo_a"], only={second.id})
    assert [step.state for step in report.steps] == ["kept", "written", "kept"]
    assert [request.subject for request in port.asked] == [f"demo_a/{second.id}"]


def test_a_person_is_never_written_over(library: Library) -> None:
    step = library.demo("demo_a").steps[0]
    mine = step.model_copy(update={"rationale": Rationale(thought="Mine.", basis="0" * 12, provenance=by_human())})
    change(library, "demo_a", step, mine)
    for rewriting in ("programs", "stale"):
        (report,) = write(library, FakeModel(says_its_subject), ["demo_a"], rewriting=rewriting)
        assert (report.steps[0].state, report.human) == ("kept", 1)
    assert library.demo("demo_a").steps[0] == mine


def test_cancel_ends_every_demo_and_keeps_what_is_written(library: Library) -> None:
    token = CancelToken()

    def stops(progress: Progress) -> None:
        if progress.done >= 2:
            token.cancel()

    with pytest.raises(CancelledError):
        write(library, FakeModel(says_its_subject), control=JobControl(token=token, report=stops))
    words = [s.rationale.thought for d in DEMOS for s in library.demo(d).steps if s.rationale is not None]
    assert 2 <= sum(word.startswith("Because of demo") for word in words) < 9


def test_a_demo_that_is_changed_meanwhile_does_not_stop_the_others(library: Library) -> None:
    def meddles(request: LanguageRequest[Any]) -> dict[str, Any]:
        if request.subject == "demo_b/demo_b_step00":
            step = library.demo("demo_b").steps[0]
            change(library, "demo_b", step, step.model_copy(update={"note": step.note + "!"}))
        return thought()

    reports = write(library, FakeModel(meddles))
    assert [report.written for report in reports] == [3, 0, 3]
    assert "changed elsewhere" in reports[1].trouble
    with pytest.raises(LibraryError, match="changed elsewhere"):
        write(library, FakeModel(meddles), ["demo_b"])


def test_a_broken_prompt_of_a_persons_own_ends_the_run_before_anything_is_asked(
    library: Library, tmp_path: Path
) -> None:
    catalogue = PromptCatalogue(tmp_path / "prompts")
    own, shipped = catalogue.own_path("writer/thought"), catalogue.get("writer/thought").path
    own.parent.mkdir(parents=True)
    own.write_text(shipped.read_text(encoding="utf-8").replace("{history}", "{hystory}"), encoding="utf-8")
    port = FakeModel(says_its_subject)
    writer = ModelWriter(port, catalogue=catalogue, check=nothing_wrong)
    with pytest.raises(BadInputError, match=r"“record”.*\{hystory\}"):
        write_demos(library, DEMOS, writer, control=JobControl(), rewriting="programs", at_once=3)
    assert port.asked == []


def test_the_template_runs_over_demos_too(library: Library) -> None:
    writer = TemplateWriter(mode="hindsight")
    reports = write_demos(library, DEMOS, writer, control=JobControl(), rewriting="programs")
    assert [(report.written, report.mode, report.asked) for report in reports] == [(3, "hindsight", ())] * 3
    first = library.demo("demo_a").steps[0].rationale
    assert first is not None
    assert first.plan == ("Type “héllo 中”.",)
