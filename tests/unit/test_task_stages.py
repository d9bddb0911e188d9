"""Templates, controls, documents and rules: what a task is done on, with, and judged by."""

from __future__ import annotations

import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from demopack.domain.elements import ElementType, NumberedElement
from demopack.domain.geometry import Rect
from demopack.domain.provenance import by_human
from demopack.domain.tasks import Feasibility, Instantiation, PlannedStep, StageRecord, Task, TaskSource, TaskTry
from demopack.domain.verdicts import Answer, DemoVerdict
from demopack.errors import BadInputError
from tasks.bank import TaskBank
from tasks.documents import compare_documents, document_text
from tasks.evaluation import find_faults, verdict_of_rules
from tasks.instantiation import told_tries
from tasks.matching import MatchRules, MatchStrategy, find_control
from tasks.metrics import RunStatistics, run_statistics, statistics_lines
from tasks.results import folder_of, write_result
from tasks.running import failed_tasks
from tasks.templates import choose_template, program_for, read_programs, read_templates

BY = by_human("Ada")


def task(*steps: PlannedStep, app: str = "word", words: str = "Make the text bold", **fields: Any) -> Task:
    made = Instantiation(request=words, steps=steps)
    source = TaskSource(kind="written")
    given: dict[str, Any] = {"instantiation": made, **fields}
    return Task(id="t1", task=words, app=app, source=source, provenance=BY, **given)


def done(function: str, control: str = "", *, success: bool | None = True, **args: Any) -> PlannedStep:
    matched = control or None
    return PlannedStep(function=function, control_text=control, args=args, success=success, matched_text=matched)


# Templates ----------------------------------------------------------------------------------------------------------


def fill(folder: Path, said: dict[str, str]) -> Path:
    place = folder / "writer"
    place.mkdir(parents=True)
    for name in ("a.odt", "b.odt", "c.odt", "notes.zip"):
        (place / name).write_bytes(b"-")
    if said:
        (place / "description.json").write_text(json.dumps(said))
    return folder


def test_a_task_gets_the_template_whose_description_is_most_like_it(tmp_path: Path) -> None:
    said = {"a.odt": "A document with a chart", "b.odt": "A document with comments", "c.odt": "A document with a table"}
    found = read_templates(fill(tmp_path, said), "writer", [".odt"])
    assert [one.file.name for one in found] == ["a.odt", "b.odt", "c.odt"]
    wanted = {"Delete all comments": "b.odt", "Sort the rows of a table": "c.odt", "Move the chart": "a.odt"}
    for words, name in wanted.items():
        choice = choose_template(words, found, seed="t1")
        assert (choice.template.file.name, choice.how) == (name, "similarity")
    chances = {choose_template("Print it", found, seed=f"t{n}").template.file.name for n in range(20)}
    assert len(chances) > 1
    assert choose_template("Print it", found, seed="t1") == choose_template("Print it", found, seed="t1")
    assert choose_template("Print it", found[:1]).how == "only"


def test_without_descriptions_a_template_is_taken_at_random(tmp_path: Path) -> None:
    assert choose_template("Move the chart", read_templates(fill(tmp_path, {}), "writer", [".odt"])).how == "random"


def test_what_is_wrong_with_templates_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"There is no template in .*calc"):
        read_templates(tmp_path, "calc")
    with pytest.raises(BadInputError, match=r"describes z\.odt, which is not there"):
        read_templates(fill(tmp_path, {"z.odt": "x"}), "writer")
    (tmp_path / "writer" / "description.json").write_text('{"a.odt": 4}')
    with pytest.raises(BadInputError, match=r"a\.odt is 4, not a text"):
        read_templates(tmp_path, "writer")


def test_any_program_is_known_by_a_line_in_a_file(tmp_path: Path) -> None:
    assert program_for("Microsoft Word", read_programs())[0] == "writer"
    with pytest.raises(BadInputError, match="Nobody said how a document of 'gimp' is opened"):
        program_for("gimp", read_programs())
    (tmp_path / "programs.toml").write_text('[gimp]\ncommand = "gimp {document}"\nnames = ["photo editor"]\n')
    assert program_for("Photo Editor", read_programs(tmp_path))[1].command == "gimp {document}"
    assert program_for("excel", read_programs(tmp_path))[0] == "calc"
    (tmp_path / "programs.toml").write_text("[gimp]\nnames = []\n")
    with pytest.raises(BadInputError, match=r"programs\.toml: command is wrong"):
        read_programs(tmp_path)


def test_a_program_finds_no_other_one_of_its_kind(tmp_path: Path) -> None:
    """Pluma gives its document to one that runs already, on another screen: it looks for its socket in TMPDIR."""
    _, pluma = program_for("notepad", read_programs())
    assert pluma.environment["TMPDIR"] == "{profile}"
    told = tmp_path / "told"
    script = f"{sys.executable} -c \"import os; open({str(told)!r}, 'w').write(os.environ['TMPDIR'])\""
    process = pluma.but(command=script).start(tmp_path / "a.txt", profile=tmp_path / "own", environment=os.environ)
    assert process.wait(30) == 0
    assert told.read_text() == str(tmp_path / "own")


# Controls -----------------------------------------------------------------------------------------------------------


def control(number: int, text: str | None, kind: ElementType = "button", at: int = 0) -> NumberedElement:
    box = Rect(at, 0, at + 9, 9)
    return NumberedElement(uid=f"e{number}", frame="f", type=kind, text=text, box=box, source="detector", number=number)


SCREEN = [
    control(1, "Insert", "menu"),
    control(2, "Insert Table... Ctrl+F12", "menu_item"),
    control(3, "Bold", "text"),
    control(4, "Bold"),
    control(5, "Save As…"),
    control(6, None),
    control(7, "Insert", at=50),
    control(8, "Insert Rows A", "menu_item"),
]


@pytest.mark.parametrize(
    ("text", "strategy", "number"),
    [
        ("Bold", "fuzzy", 4),
        ("bold", "contains", 4),
        ("Insert Table...", "fuzzy", 2),
        ("Insert Table", "contains", 2),
        ("Insert Rows", "fuzzy", 8),
        ("Save As", "fuzzy", 5),
        ("Savé As", "fuzzy", 5),
        ("S.*As.", "regex", 5),
        ("Insert", "regex", 1),
        ("Italic", "fuzzy", None),
        ("Italic", "contains", None),
        ("B", "regex", None),
        ("Save Changes", "fuzzy", None),
    ],
)
def test_a_control_is_found_by_its_text(text: str, strategy: MatchStrategy, number: int | None) -> None:
    found = find_control(text, "", SCREEN, MatchRules(strategy=strategy))
    assert (None if found.element is None else found.element.number) == number
    assert bool(found.why) == (number is None)


def test_of_several_the_one_in_front_counts_then_the_one_that_the_plan_names() -> None:
    assert find_control("Insert", "", SCREEN, MatchRules(), window=Rect(40, 0, 90, 30)).element == SCREEN[6]
    assert find_control("Insert", "7", SCREEN, MatchRules()).element == SCREEN[6]
    assert find_control("Insert", "", SCREEN, MatchRules()).element == SCREEN[0]


def test_there_is_a_floor() -> None:
    assert find_control("Save Changes", "", SCREEN, MatchRules(floor=0.5)).element == SCREEN[4]
    why = find_control("Save Changes", "", SCREEN, MatchRules()).why
    assert why == "No control reads “Save Changes”; “Save As…” is 66% like it."
    assert find_control("x", "", [], MatchRules(floor=0)).element is None
    with pytest.raises(BadInputError, match="is no pattern"):
        find_control("(", "", SCREEN, MatchRules(strategy="regex"))


# Documents ----------------------------------------------------------------------------------------------------------


def office(path: Path, body: str, *, meta: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", f"<office><text:p>{body}</text:p></office>")
        archive.writestr("meta.xml", f"<meta>{meta}</meta>")
    return path


def test_documents_differ_by_what_a_person_wrote(tmp_path: Path) -> None:
    one, other = (office(tmp_path / f"{n}.odt", "Sales rose.", meta=str(n)) for n in (1, 2))
    assert not compare_documents(one, other).is_changed
    office(other, "Income <b>rose</b>.")
    found = compare_documents(one, other)
    assert found.lines[0] == "-<text:p>Sales rose.</text:p>"
    assert document_text(other) == "Income rose ."
    for path, text in ((one, "a\nb\n"), (other, "a\nc\n")):
        path.write_text(text)
    assert str(compare_documents(one, other)) == "-b\n+c"
    assert str(compare_documents(one, other, limit=1)) == "-b\n..."
    one.write_bytes(b"\xff\xfe\x00")
    assert compare_documents(one, other).is_changed
    with pytest.raises(BadInputError, match="cannot be read"):
        compare_documents(one, tmp_path / "none.odt")


# Rules --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "after", "fault"),
    [
        ((), "same", "no step"),
        ((done(""),), "other", "Step 1 is empty"),
        ((done("click_input", "Bold", success=False),), "other", "Step 1 was not successful"),
        ((done("click_input", "Bold"), done("click_input", "OK", success=None)), "other", "Step 2 was not performed"),
        ((done("click_input", "Bold").but(matched_text=None),), "other", "without its control “Bold”"),
        ((done("keyboard_input", keys="Profit doubled"),), "same", "the document is as it was"),
        ((done("set_edit_text", "Name", text="Ada Lovelace"),), "other", "holds nothing of what was typed"),
        ((done("keyboard_input", keys="^aother words{ENTER}"),), "other", ""),
        ((done("keyboard_input", keys="=SUM(A1:A2){ENTER}"),), "other", ""),
        ((done("keyboard_input", keys="^b"),), "same", ""),
    ],
)
def test_rules_say_no_where_it_is_certain(
    tmp_path: Path, steps: tuple[PlannedStep, ...], after: str, fault: str
) -> None:
    before = tmp_path / "before.txt"
    before.write_text("same words\n")
    path = tmp_path / "after.txt"
    path.write_text(f"{after} words\n")
    faults = find_faults(task(*steps), before, path)
    assert bool(faults) == bool(fault)
    assert fault in " ".join(faults)
    verdict = verdict_of_rules(task(*steps), before, path)
    assert verdict.complete == ("no" if fault else "unsure"), "rules alone never say yes"


def test_an_error_of_the_execution_is_no_whatever_the_steps_say() -> None:
    failed = task(done("keyboard_input", keys="^b"), stages={"execute": StageRecord(error="The window went away.")})
    assert "The window went away." in verdict_of_rules(failed, None, None).reason


def test_what_came_to_an_end_is_a_try_beside_the_earlier_ones() -> None:
    one = task(done("keyboard_input", keys="^b"))
    assert one.tries == ()
    failed = one.but(demo="demo_1", verdict=judged("no"), stages={"execute": StageRecord(seconds=2, error="Gone.")})
    assert [(found.demo, found.verdict, found.instantiation) for found in failed.tries] == [
        ("demo_1", judged("no"), failed.instantiation)
    ]
    again = failed.but(earlier=failed.tries, demo="demo_2", verdict=judged("yes"), stages={})
    assert [found.demo for found in again.tries] == ["demo_1", "demo_2"]
    assert again.but(verdict=None, demo="").tries == failed.tries, "one that is under way is no try yet"
    assert Task.model_validate(again.to_json()) == again


# Results ------------------------------------------------------------------------------------------------------------


def judged(complete: Answer) -> DemoVerdict:
    return DemoVerdict(reason="", complete=complete, provenance=BY)


def test_results_are_filed_by_how_they_ended(tmp_path: Path) -> None:
    one = task(done("keyboard_input", keys="^b"))
    cases = [
        (one, "instantiation", "instantiation/instantiation_pass"),
        (one.but(feasibility=Feasibility(judge=False)), "instantiation", "instantiation/instantiation_fail"),
        (one.but(stages={"prefill": StageRecord(error="x")}), "instantiation", "instantiation/instantiation_fail"),
        (one.but(verdict=judged("yes")), "execution", "execution/execution_pass"),
        (one.but(verdict=judged("no")), "dataflow", "dataflow/execution_fail"),
        (one.but(verdict=judged("unsure")), "dataflow", "dataflow/execution_unsure"),
        (one, "dataflow", "dataflow/execution_fail"),
    ]
    for each, mode, folder in cases:
        assert folder_of(each, mode) == folder  # type: ignore[arg-type]
    write_result(one.but(verdict=judged("no")), tmp_path, "dataflow")
    file = write_result(one.but(verdict=judged("yes")), tmp_path, "dataflow")
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.json")] == [
        "dataflow/execution_pass/t1.json"
    ]
    assert json.loads(file.read_text())["execution_result"]["result"]["complete"] == "yes"


# Figures ------------------------------------------------------------------------------------------------------------


def test_figures_are_those_of_every_try_by_program_and_by_who_planned(tmp_path: Path) -> None:
    right, wrong = done("click_input", "Bold"), done("click_input", "OK", success=False)

    def tried(model: str, answer: Answer | None, *steps: PlannedStep, seconds: float | None = None) -> dict[str, Any]:
        stages = {"prefill": StageRecord(seconds=4), "execute_eval": StageRecord(seconds=9)}
        stages |= {} if seconds is None else {"execute": StageRecord(seconds=seconds)}
        verdict = None if answer is None else judged(answer)
        made = Instantiation(steps=steps, model=model) if steps else None
        return {"instantiation": made, "stages": stages, "verdict": verdict}

    failed = TaskTry.model_validate(tried("big", "no", right, wrong, right.but(success=None), seconds=6))
    tasks = [
        task(app="word", earlier=(failed,), **tried("small", "yes", right, right, seconds=16)),
        task(app="calc", **tried("big", "unsure", right, seconds=1)).but(id="t2"),
        task(app="calc", **{**tried("", "yes"), "demo": "demo_1"}).but(id="t3"),
        task(app="calc", stages={"choose_template": StageRecord(error="There is none.")}).but(id="t4"),
        task(app="calc").but(id="t5"),
    ]
    with TaskBank.open(tmp_path) as bank:
        bank.add(tasks, label="Add", provenance=BY)
        found = run_statistics(bank, {"demo_1": 6})
    told = found.to_json()
    assert told["all"] == {
        "tries": 4, "yes": 2, "no": 1, "unsure": 1, "not_judged": 0, "task_success": 0.5, "step_success": 0.9091,
        "seconds": 11.6667, "steps": 2.75, "step_seconds": 7.0,
    }  # fmt: skip
    assert {name: figures.tries for name, figures in found.apps.items()} == {"word": 2, "calc": 2}
    assert {name: figures.tries for name, figures in found.planners.items()} == {"big": 2, "small": 1, "person": 1}
    assert found.planners["person"].to_json()["seconds"] is None
    lines = statistics_lines(found)
    assert lines[1].split() == ["all", "4", "2", "50.0%", "90.9%", "11.67", "2.75", "7.00"]
    assert [line.split("  ")[0] for line in lines[2:]] == ["calc", "word", "by big", "by person", "by small"]
    assert not statistics_lines(RunStatistics())


def test_tasks_are_tried_again_that_failed_and_that_the_model_has_not_tried(tmp_path: Path) -> None:
    def tried(model: str, answer: Answer | None, error: str = "") -> dict[str, Any]:
        stages = {"prefill": StageRecord(error=error)} if error else {}
        made = Instantiation(steps=(done("click_input", "Bold"),), model=model)
        return {"instantiation": made, "verdict": None if answer is None else judged(answer), "stages": stages}

    failed, right = (TaskTry.model_validate(tried("small", answer)) for answer in ("no", "yes"))
    cases: dict[str, dict[str, Any]] = {
        "failed": tried("big", "no"),
        "was mine": {**tried("big", "no"), "earlier": (failed,)},
        "was right": {**tried("big", "no"), "earlier": (right,)},
        "right": tried("big", "yes"),
        "unsure": tried("big", "unsure"),
        "refused": {**tried("big", None), "feasibility": Feasibility(judge=False)},
        "broken": tried("small", None, "There was no budget left."),
        "new": {"instantiation": None},
    }
    with TaskBank.open(tmp_path) as bank:
        bank.add((task(**fields).but(id=name) for name, fields in cases.items()), label="Add", provenance=BY)
        assert [one.id for one in failed_tasks(bank, "small")] == ["failed", "broken"]
        assert [one.id for one in failed_tasks(bank, "big")] == ["broken"]


def test_a_plan_is_made_anew_with_what_was_tried_and_why_it_failed() -> None:
    steps = (done("click_input", "Bold"),)
    broken = TaskTry(
        instantiation=Instantiation(request="Make it bold", steps=steps),
        stages={"execute": StageRecord(error="It went away.")},
    )
    judged_no = TaskTry(instantiation=Instantiation(request="Bold", steps=steps), verdict=judged("no"))
    right = TaskTry(instantiation=Instantiation(steps=steps), verdict=judged("yes"))
    assert told_tries([TaskTry(), broken, right]) == [
        "Make it bold\n1.  [click_input on “Bold” {}]\nWhat came of it: It went away."
    ]
    assert told_tries([judged_no])[0].endswith("What came of it: Nobody said why.")


def test_what_a_person_did_is_no_plan_of_a_model() -> None:
    made = Instantiation(steps=(done("click_input", "Bold"),), model="big")
    assert TaskTry(instantiation=made).plan_by == "big"
    assert TaskTry(instantiation=made, stages={"execute": StageRecord(by="person")}).plan_by == "person"
