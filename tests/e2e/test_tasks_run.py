"""Tasks performed in a real program by ``demopack tasks run``, on a screen of its own, judged by what they leave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.domain.provenance import by_human
from demopack.domain.tasks import Feasibility, Instantiation, PlannedStep, StageRecord, Task, TaskSource
from demopack.domain.verdicts import DemoVerdict
from demopack.pack.writer import export_pack
from demopack.settings import Settings
from demopack.store import Library
from demopack_cli.main import main
from models.language.prompts import PromptCatalogue
from tasks.bank import TaskBank
from tasks.instantiation import TaskModel
from tasks.running import RunPlan, run_tasks
from tests.support.fake_language import FakeModel
from tests.support.openai_server import Asked, OpenAIServer, Reply, good
from tests.support.truths import HandFinder

pytestmark = pytest.mark.e2e

LOGGED = (".jsonl", "_final.png", "_step_1.png", "_step_2.png", "_step_3.png")
PAGE = """<!doctype html><meta charset=utf-8><title>Order</title><body style="font:18px 'DejaVu Sans'">
<p><label>Name <input id=n></label>
<p><button onclick="o.textContent = 'Ordered by ' + n.value">Order</button><p id=o>"""


def result(name: str, *steps: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    """An instantiated task as UFO's dataflow leaves it."""
    plan = [
        {"Step": n, "Subtask": f"step {n}", "ControlText": text, "Function": function, "Args": args}
        for n, (text, function, args) in enumerate(steps, start=1)
    ]
    prefill = {"result": {"instantiated_request": f"Do {name}", "instantiated_plan": plan}}
    return {
        "unique_id": name,
        "app": "browser",
        "original": {"original_task": f"Do {name}", "original_steps": []},
        "instantiation_result": {"prefill": prefill},
    }


def test_plans_are_performed_without_a_model_and_an_error_of_one_ends_none_of_the_others(tmp_path: Path) -> None:
    templates, files = tmp_path / "templates" / "chromium", tmp_path / "tasks"
    for folder in (templates, files):
        folder.mkdir(parents=True)
    (templates / "page.html").write_text(PAGE)
    cases = [
        result("missing", ("Name", "set_edit_text", {"text": "Ada"}), ("Send it off", "click_input", {})),
        result("right", ("Name", "set_edit_text", {"text": "Ada"}), ("Order", "click_input", {"button": "left"})),
    ]
    for case in cases:
        (files / f"{case['unique_id']}.json").write_text(json.dumps(case))
    library, out = tmp_path / "library", tmp_path / "results"
    command = [
        "tasks",
        "run",
        str(files),
        "--templates",
        str(templates.parent),
        "-o",
        str(out),
        "--library",
        str(library),
    ]
    done = CliRunner().invoke(main, [*command, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert rows["missing"]["complete"] == "no"
    assert "Step 2 execution failed: No control reads “Send it off”" in rows["missing"]["reason"]
    assert rows["right"]["complete"] == "unsure", "rules alone never say yes"
    with Library.open(library) as opened, TaskBank.open(library) as bank:
        right, missing = bank.get("right"), bank.get("missing")
        for one in (right, missing):
            demo = opened.demo(one.demo)
            assert demo.head.final_frame is not None, "the picture of the end is kept"
            assert demo.head.outcome == ("success" if one is right else "failure")
            assert demo.head.verdict == one.verdict, "an export to train a model asks the demo alone"
            first = demo.steps[0].rationale
            assert first is not None
            assert (first.thought, first.plan) == ("step 1", ("step 2",))
        shown = opened.demo(right.demo)
        frame = shown.head.final_frame
        assert frame is not None
        assert "Ordered by Ada" in {element.text for element in shown.elements[frame.id]}
    assert right.instantiation is not None
    assert [(step.success, step.matched_text) for step in right.instantiation.steps] == [
        (True, "Name"),
        (True, "Order"),
    ]
    assert missing.instantiation is not None
    assert [step.success for step in missing.instantiation.steps] == [True, False]
    assert sorted(path.relative_to(out).as_posix() for path in out.rglob("*.*")) == [
        "execution/execution_fail/missing.json",
        "execution/execution_unsure/right.json",
        *(f"logs/missing/execute{rest}" for rest in LOGGED[:-1]),
        *(f"logs/right/execute{rest}" for rest in LOGGED),
        "saved_document/missing.html",
        "saved_document/right.html",
    ]
    filed = json.loads((out / "execution/execution_fail/missing.json").read_text())
    assert filed["execution_result"]["error"].startswith("Step 2 execution failed")
    assert filed["time_cost"]["execute"] > 0


CALL = '{{"step": "{0}", "controlLabel": "", "controlText": "{1}", "function": "{2}", "args": {3}}}'
PLAN = "\n".join(
    [
        CALL.format("write the name", "Name", "set_edit_text", '{"text": "Ada"}'),
        CALL.format("order", "Order", "click_input", '{"button": "left", "double": false}'),
    ]
)


def scripted(asked: Asked) -> Reply:
    """A model that makes tasks concrete (at first with a function that there is not), filters, and judges."""
    if "actions_plan: the calls" in asked.texts:
        assert '"control_text": "Order"' in asked.texts, "the controls of the real window are told"
        plan = PLAN if "Your last answer cannot be used" in asked.texts else PLAN.replace("click_input", "press_it")
        task = "Order as Ada" if "Order something" in asked.texts else "Order by telephone as Ada"
        return good({"observation": "a form", "thought": "it is short", "new_task": task, "actions_plan": plan})
    if "request_type: None if it can" in asked.texts:
        can = "telephone" not in asked.texts
        kind = "None" if can else "Env"
        return good({"judge": "yes" if can else "no", "thought": "looked at it", "request_type": kind})
    done = "TASK: Order as Ada" in asked.texts and '"control_text": "Order"' in asked.texts
    met = "yes" if done else "no"
    verdict = {"reason": "It says so.", "criteria": ["ordered"], "criteria_met": [met], "complete": met}
    return good({**verdict, "task_quality": "good"})


def test_a_task_is_made_concrete_filtered_done_and_judged_and_paid_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
    templates, files = tmp_path / "templates" / "chromium", tmp_path / "tasks.jsonl"
    templates.mkdir(parents=True)
    (templates / "page.html").write_text(PAGE)
    rows = [
        {"task_id": "web", "task": "Order something", "plan": ["Fill in the form"], "app": "browser"},
        {"task_id": "phone", "task": "Call and order", "plan": ["Take the telephone"], "app": "browser"},
    ]
    files.write_text("".join(json.dumps(row) + "\n" for row in rows))
    library, out = tmp_path / "library", tmp_path / "results"
    command = [
        "tasks", "run", str(files), "--mode", "dataflow", "--model", "model", "--templates", str(templates.parent),
        "-o", str(out), "--library", str(library), "--json",
    ]  # fmt: skip
    with OpenAIServer(answer=scripted) as server:
        language = {"model": "server:tester", "base_url": server.base_url, "input_price": 1, "output_price": 2}
        (tmp_path / "settings.json").write_text(json.dumps({"language": language}))
        monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
        done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    states = {row["id"]: (row["state"], row["complete"]) for row in json.loads(done.stdout)}
    assert states == {"web": ("complete", "yes"), "phone": ("infeasible", None)}, "what is refused is not performed"
    with TaskBank.open(library) as bank:
        web, phone = bank.get("web"), bank.get("phone")
    assert web.instantiation is not None
    assert web.instantiation.request == "Order as Ada"
    assert [step.success for step in web.instantiation.steps] == [True, True]
    assert phone.feasibility is not None
    assert (phone.feasibility.judge, phone.feasibility.request_type, phone.demo) == (False, "Env", "")
    assert len(server.paid) == 7, "two tries each, two filters, one verdict"
    filed = json.loads((out / "dataflow/execution_pass/web.json").read_text())
    assert filed["instantiation_result"]["prefill"]["result"]["instantiated_request"] == "Order as Ada"
    assert filed["execution_result"]["result"]["complete"] == "yes"
    assert set(filed["time_cost"]) == {
        "choose_template", "prefill", "instantiation_evaluation", "execute", "execute_eval", "total",
    }  # fmt: skip
    again = CliRunner().invoke(main, command, catch_exceptions=False)
    assert json.loads(again.stdout) == json.loads(done.stdout), "nothing is done twice, and no server is asked"


def planned(name: str, template: Path, **fields: Any) -> Task:
    """A task with a plan on a template, which was performed where it has stages."""
    performed = True if "stages" in fields else None
    step = PlannedStep(subtask="order", control_text="Order", function="click_input", success=performed)
    made = Instantiation(template=str(template), request=f"Do {name}", steps=(step,))
    source = TaskSource(kind="task_file", name="tasks.json")
    task = Task(id=name, task=name, app="browser", source=source, instantiation=made, provenance=by_human())
    return task.but(**fields)


def test_a_run_that_was_killed_goes_on_with_the_stage_that_was_not_stored(tmp_path: Path) -> None:
    """No screen is there: what was done is not done again, and what was not is all that is asked for."""
    template, out = tmp_path / "page.html", tmp_path / "out"
    template.write_text(PAGE)
    saved = out / "saved_document"
    saved.mkdir(parents=True)
    done = {"execute": StageRecord(seconds=2.0)}
    yes = Feasibility(judge=True)
    tasks = [planned("filtered", template), planned("judged", template, stages=done, feasibility=yes, demo="d")]
    tasks.append(planned("refused", template, feasibility=Feasibility(judge=False)))
    verdict = DemoVerdict(reason="It says so.", complete="yes", provenance=by_human())
    tasks.append(planned("known", template, stages=done, feasibility=yes, demo="d", verdict=verdict))
    for task in tasks[1:]:
        (saved / f"{task.id}.html").write_text("after")
    tasks = [
        task.but(instantiation=task.instantiation.but(document=str(saved / f"{task.id}.html")))
        if task.instantiation is not None and task.stages
        else task
        for task in tasks
    ]
    model = FakeModel(lambda _: {"judge": "no", "thought": "a telephone", "request_type": "Env"})
    judged: list[str] = []

    def judge(task: Task, before: Path | None, after: Path | None) -> DemoVerdict:
        judged.append(task.id)
        assert (before, after) == (None, None), "a browser saves nothing"
        return verdict

    plan = RunPlan(out=out, judge=judge, model=TaskModel(port=model, catalogue=PromptCatalogue()))
    with TaskBank.open(tmp_path / "library") as bank, Library.open(tmp_path / "library") as library:
        bank.add(tasks, label="Add", provenance=by_human())
        outcomes = list(
            run_tasks(
                tasks, "dataflow", plan, bank=bank, library=library, settings=Settings(), provenance=by_human(),
                finder=HandFinder(lambda _: ()),
            )
        )  # fmt: skip
        assert {one.task.id: one.task.state for one in outcomes} == {
            "filtered": "infeasible", "judged": "complete", "refused": "infeasible", "known": "complete",
        }  # fmt: skip
        assert [one.task for one in outcomes] == list(bank.tasks())
        assert judged == ["judged"]
        assert [request.subject for request in model.asked] == ["tasks/filtered"]
        assert len(bank.undo()) == 2, "one undo takes back the run"


def test_what_failed_is_tried_again_by_another_model_and_its_success_trains(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")
    templates, files = tmp_path / "templates" / "chromium", tmp_path / "tasks.jsonl"
    templates.mkdir(parents=True)
    (templates / "page.html").write_text(PAGE)
    row = {"task_id": "web", "task": "Order something", "plan": ["Fill in the form"], "app": "browser"}
    files.write_text(json.dumps(row) + "\n")
    library, out = tmp_path / "library", tmp_path / "results"

    def answers(asked: Asked) -> Reply:
        reply = scripted(asked)
        if asked.body["model"] == "small" and "actions_plan: the calls" in asked.texts:
            assert "[click_input on “Send it off”" in asked.texts, "what was tried is told"
            assert "What came of it: Step 2 was not successful." in asked.texts, "and why it failed"
        if asked.body["model"] == "small" or "actions_plan: the calls" not in asked.texts:
            return reply
        assert "This was tried before" not in asked.texts
        plan = PLAN.replace("Order", "Send it off")
        return good({"observation": "", "thought": "", "new_task": "Order as Ada", "actions_plan": plan})

    def tasks(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["tasks", *arguments, "--library", str(library), "--json"])
        assert done.exit_code == 0, done.output
        return done.stdout

    with OpenAIServer(answer=answers) as server:
        language = {"model": "server:big", "base_url": server.base_url, "input_price": 1, "output_price": 2}
        (tmp_path / "settings.json").write_text(json.dumps({"language": language}))
        monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
        how = ("--templates", str(templates.parent), "-o", str(out))
        (first,) = json.loads(tasks("run", str(files), "--mode", "dataflow", "--model", "server:big", *how))
        assert (first["complete"], first["tries"]) == ("no", 1)
        assert json.loads(tasks("run", "--retry-failed", "--model", "server:big", *how)) == []
        (again,) = json.loads(tasks("run", "--retry-failed", "--model", "server:small", *how))
        assert (again["complete"], again["tries"]) == ("yes", 2)
    assert [path.parent.name for path in (out / "dataflow").rglob("web.json")] == ["execution_pass"]
    with TaskBank.open(library) as bank:
        tries = bank.get("web").tries
    assert [(one.plan_by, one.verdict and one.verdict.complete) for one in tries] == [
        ("server:big", "no"),
        ("server:small", "yes"),
    ]
    actions, rewards, pack = (tmp_path / name for name in ("actions.jsonl", "rewards.jsonl", "pack"))
    tasks("export", "--form", "actions", "-o", str(actions))
    tasks("export", "--form", "rewards", "-o", str(rewards))
    rows = [json.loads(line) for line in actions.read_text().splitlines()]
    assert [(row["try"], row["plan_by"], row["number"]) for row in rows] == [
        (2, "server:small", 1),
        (2, "server:small", 2),
    ]
    assert [json.loads(line)["reward"] for line in rewards.read_text().splitlines()] == [-1.0, 1.0, 1.0]
    with Library.open(library) as opened:
        export_pack(opened, [tries[1].demo], pack, licence="CC0-1.0")
    scored = CliRunner().invoke(main, ["score", str(actions), str(pack), "--dialect", "lam", "--json"])
    figures = json.loads(scored.stdout)["figures"].values()
    assert all(figure["hits"] == figure["of"] for figure in figures)
    runs = json.loads(tasks("stats"))["runs"]
    assert runs["plan_by"]["server:small"]["task_success"] == 1
    assert runs["all"]["task_success"] == 0.5


def test_a_mode_that_asks_a_model_wants_its_name(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["tasks", "run", "x", "--mode", "dataflow", "--library", str(tmp_path)])
    assert done.exit_code == 2
    assert "The mode dataflow asks a model: name it with --model." in done.output
    done = CliRunner().invoke(main, ["tasks", "run", "x", "--retry-failed", "--library", str(tmp_path)])
    assert done.exit_code == 2
    assert "Name either tasks or --retry-failed." in done.output
