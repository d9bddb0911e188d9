"""Tasks that a person does: the order of the queue, the copy of the document, what came of it, and the funnel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from demopack.domain.demos import Demo
from demopack.domain.provenance import by_human
from demopack.domain.tasks import FilterFinding, Instantiation, StageRecord, Task, TaskSource
from demopack.store import TEMPLATES, Library
from tasks.assignments import DOCUMENTS, assign, finish, postpone, refuse, waiting_tasks
from tasks.bank import TaskBank
from tasks.filters import FilterRules, filter_bank
from tests.support.demos import tiny_demo

BY = by_human("Ada")
KEPT: tuple[FilterFinding, ...] = ()


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[TaskBank]:
    with TaskBank.open(tmp_path / "library") as bank:
        yield bank


def task(name: str, *plan: str, app: str = "pluma", **fields: object) -> Task:
    source = TaskSource(kind="manual", name="guide.html")
    return Task.model_validate(
        {"id": name, "task": f"Do {name}", "plan": plan, "app": app, "source": source, "provenance": BY, **fields}
    )


def template(bank: TaskBank) -> Path:
    place = bank.folder / TEMPLATES / "pluma"
    place.mkdir(parents=True)
    (place / "letter.txt").write_text("Dear Ada")
    return place / "letter.txt"


def recorded(bank: TaskBank) -> Demo:
    with Library.open(bank.folder) as library:
        return library.demo(tiny_demo(library))


def test_the_queue_begins_with_what_is_ripe_and_ends_with_what_was_put_off(bank: TaskBank) -> None:
    made = Instantiation(request="Make “Ada” bold")
    out = (FilterFinding(rule="too_short", reason="It is short."),)
    given = (task("raw"), task("kept", findings=KEPT), task("out", findings=out), task("ripe", instantiation=made))
    bank.add(given, label="Add", provenance=BY)
    assert [one.id for one in waiting_tasks(bank)] == ["ripe", "kept", "raw"]
    ripe = bank.get("ripe")
    bank.change([(ripe, postpone(ripe))], label="Ask later", provenance=BY)
    assert [one.id for one in waiting_tasks(bank)] == ["kept", "raw", "ripe"]
    kept = bank.get("kept")
    bank.change([(kept, refuse(kept, "There is no such menu."))], label="Cannot be done", provenance=BY)
    assert [one.id for one in waiting_tasks(bank)] == ["raw", "ripe"]
    assert bank.get("kept").state == "stage_failed"
    assert bank.get("kept").stages["execute"] == StageRecord(error="There is no such menu.", by="person")


def test_a_person_works_on_a_copy_and_what_was_done_is_the_execution(bank: TaskBank) -> None:
    original = template(bank)
    one = task("t 1", "Type a name", stages={"prefill": {"seconds": 2.0}})
    given = assign(one, bank.folder)
    assert given.document == bank.folder / DOCUMENTS / "t_1" / "letter.txt"
    given.document.write_text("Something else")
    demo = recorded(bank)
    done = finish(given, demo)
    assert original.read_text() == "Dear Ada"
    assert done.demo == demo.head.id
    assert done.stages["execute"].by == "person"
    assert done.stages["prefill"].seconds == 2.0
    assert done.instantiation is not None
    assert [step.function for step in done.instantiation.steps]
    assert all(step.success and step.function for step in done.instantiation.steps)
    assert done.verdict is not None
    assert done.state in {"unsure", "incomplete"}
    assert Task.model_validate_json(done.model_dump_json()) == done


def test_what_has_no_document_can_be_done_all_the_same_and_says_why(bank: TaskBank) -> None:
    given = assign(task("t", app="gimp"), bank.folder)
    assert (given.document, given.program) == (None, None)
    assert "gimp" in given.why
    assert "There is no template" in assign(task("t"), bank.folder).why


def test_no_filter_brings_back_what_a_person_set_aside(bank: TaskBank) -> None:
    aside = (FilterFinding(rule="set_aside", reason="A person set it aside."),)
    bank.add([task("t", findings=aside)], label="Add", provenance=BY)
    assert filter_bank(bank, FilterRules(language=""), provenance=BY) == 1
    assert bank.get("t").findings == aside


def test_the_funnel_counts_how_far_tasks_came_by_program_too(bank: TaskBank) -> None:
    made = Instantiation(request="Make it bold")
    given = (
        task("1"), task("2", findings=KEPT), task("3", "Open it", findings=KEPT, app="calc"),
        task("4", findings=KEPT, instantiation=made),
        task("5", instantiation=made, feasibility={"judge": False}),
        finish(assign(task("6", findings=KEPT), bank.folder), recorded(bank)),
    )  # fmt: skip
    bank.add(given, label="Add", provenance=BY)
    assert bank.funnel()[""] == {
        "collected": 6, "kept": 5, "planned": 4, "instantiated": 3, "feasible": 2, "executed": 1, "complete": 0,
    }  # fmt: skip
    assert bank.funnel("app")["calc"]["planned"] == 1
    assert list(bank.funnel("source")) == ["guide.html"]
    assert TaskBank.funnel(bank, "app").keys() == {"pluma", "calc"}
