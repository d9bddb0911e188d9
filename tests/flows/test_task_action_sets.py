"""Training sets of what was done: asked as an agent is asked, made of what was judged, divided without a leak."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from demopack.domain.actions import LLMResponse
from demopack.domain.provenance import by_human, by_program
from demopack.domain.tasks import Instantiation, PlannedStep, Task, TaskSource, TaskTry
from demopack.domain.verdicts import Answer, DemoVerdict
from demopack.pack.writer import export_pack
from demopack.store import Library
from demopack_cli.main import main
from player.agent import Agent, AgentOptions
from player.run_recorder import RunRecorder
from tasks.action_sets import write_action_set
from tasks.bank import TaskBank, TaskQuery
from tests.support.agent_stage import Reciter, Scene, StageHands
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import lines
from tests.support.pictures import swatch

BY, MODEL = by_human("Ada"), by_program("model", "server:tester")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[TaskBank]:
    with TaskBank.open(tmp_path / "library") as bank:
        yield bank


@pytest.fixture
def library(bank: TaskBank) -> Iterator[Library]:
    with Library.open(bank.folder) as library:
        yield library


def judged(complete: Answer) -> DemoVerdict:
    return DemoVerdict(reason=f"It is {complete}.", complete=complete, provenance=MODEL)


def tried(demo: str, complete: Answer | None, model: str = "") -> dict[str, Any]:
    made = Instantiation(request=f"Do {demo}", steps=(PlannedStep(function="keyboard_input"),), model=model)
    verdict = None if complete is None else judged(complete)
    return {"demo": demo, "verdict": verdict, "instantiation": made}


def task(name: str, words: str = "", **fields: Any) -> Task:
    source = TaskSource(kind="manual", place=name)
    return Task(id=name, task=words or f"Do {name}", source=source, provenance=BY, **fields)


def add(bank: TaskBank, *tasks: Task) -> None:
    bank.add(tasks, label="Add", provenance=BY)


def sides(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {side: lines(file) for side in ("train", "test") if (file := folder / f"{side}.jsonl").exists()}


def said(function: str, label: str, name: str, *plan: str, status: str = "CONTINUE", **args: Any) -> str:
    row = {"thought": f"Now {function}.", "control_label": label, "control_name": name, "function": function}
    return json.dumps({**row, "args": args, "status": status, "plan": plan})


def another(response: LLMResponse, scene: Scene) -> Scene:
    """Another picture after each action but one."""
    target = response.action.target
    return scene if target is not None and target.text == "Agree" else replace(scene, seed=scene.seed + 1)


def test_a_row_asks_word_for_word_what_an_agent_was_asked_and_answers_what_it_answered(
    bank: TaskBank, library: Library, tmp_path: Path
) -> None:
    answers = (
        said("set_edit_text", "1", "Name", "agree", "save", text="Ada", clear_current_text=False),
        said("click_input", "2", "Agree", "save", button="left", double=False),
        said("click_input", "3", "Save", status="FINISH", button="left", double=False),
    )
    port = Reciter(*answers)
    with RunRecorder(library, task="Save the form as Ada", author=MODEL) as recorder:
        agent = Agent(
            StageHands(react=another, codes=["", "no_effect", ""]), port, task="Save the form as Ada",
            recorder=recorder, options=AgentOptions(dialect="lam"),
        )  # fmt: skip
        report = agent.run()
    assert report.end == "complete"
    add(bank, task("t1", **tried(report.demo, "yes", "server:tester")))
    found = write_action_set(bank, library, TaskQuery(), tmp_path / "rows.jsonl")
    rows = lines(tmp_path / "rows.jsonl")
    assert (found.rows["train"], sum(found.left_out.values())) == (3, 0)
    for row, request in zip(rows, port.asked, strict=True):
        system, user = row["prompt"]
        assert system == {"role": "system", "content": request.system}
        (text,) = (part for part in request.parts if isinstance(part, str))
        assert text.removeprefix("It is no_effect.\n\n") == user["content"], "what just failed is told beside it"
    assert [json.loads(row["completion"][0]["content"]) for row in rows] == [json.loads(one) for one in answers]
    assert "The screen changed." in rows[2]["prompt"][1]["content"]
    assert "The screen did not change." in rows[2]["prompt"][1]["content"]


def test_its_own_answers_are_right_and_every_label_stands_in_the_list_beside_it(
    bank: TaskBank, library: Library, tmp_path: Path
) -> None:
    demos = [sample_demo(library, draw=swatch, outcome="success"), tiny_demo(library)]
    add(bank, *(task(f"t{number}", **tried(demo, "yes")) for number, demo in enumerate(demos)))
    rows_file, pack = tmp_path / "rows.jsonl", tmp_path / "pack"
    done = run("export", "--form", "actions", "-o", str(rows_file), library=bank.folder)
    assert done.exit_code == 0, done.output
    rows = lines(rows_file)
    assert done.output.splitlines() == [f"{len(rows)} steps written to {rows_file}: {len(rows)} for training."]
    labels = 0
    for row in rows:
        answer = json.loads(row["completion"][0]["content"])
        listed = row["prompt"][1]["content"].split("<Available Control Item:> ")[1].splitlines()[0]
        items = {item["label"]: item["control_text"] for item in json.loads(listed)}
        assert answer["control_label"] in {"", *items}
        assert answer["control_name"] == items.get(answer["control_label"], "")
        labels += bool(answer["control_label"])
    assert labels > 4
    export_pack(library, demos, pack, licence="CC0-1.0")
    scored = CliRunner().invoke(main, ["score", str(rows_file), str(pack), "--dialect", "lam", "--json"])
    assert scored.exit_code == 0, scored.output
    figures = json.loads(scored.stdout)["figures"]
    assert figures
    assert {name: figure["hits"] for name, figure in figures.items()} == {
        name: figure["of"] for name, figure in figures.items()
    }


def run(*arguments: str, library: Path) -> Result:
    return CliRunner().invoke(main, ["tasks", *arguments, "--library", str(library)])


def test_actions_are_of_yes_alone_and_rewards_are_of_yes_and_no_each_with_what_it_is_worth(
    bank: TaskBank, library: Library, tmp_path: Path
) -> None:
    demos = [tiny_demo(library, demo_id=f"demo_000000000{n}", seed=n, task=f"Greet {n}") for n in range(1, 5)]
    boosted = task(
        "boosted",
        earlier=(TaskTry.model_validate(tried(demos[0], "no", "big")),),
        **tried(demos[1], "yes", "small"),
    )
    add(
        bank,
        boosted,
        task("wrong", **tried(demos[2], "no")),
        task("unsure", **tried(demos[3], "unsure")),
        task("lost", **tried("demo_gone", "yes")),
        task("new"),
    )
    report = write_action_set(bank, library, TaskQuery(), tmp_path / "actions.jsonl")
    rows = lines(tmp_path / "actions.jsonl")
    assert {(row["task_id"], row["try"], row["plan_by"], row["demo"]) for row in rows} == {
        ("boosted", 2, "small", demos[1])
    }
    assert [row["number"] for row in rows] == [1, 2]
    assert "reward" not in rows[0]
    assert json.loads(rows[1]["completion"][0]["content"])["status"] == "FINISH"
    assert {why: count for why, count in report.left_out.items() if count} == {"not_done": 3, "without_demo": 1}
    write_action_set(bank, library, TaskQuery(), tmp_path / "rewards.jsonl", rewards=True)
    worth = {(row["task_id"], row["try"]): row["reward"] for row in lines(tmp_path / "rewards.jsonl")}
    assert worth == {("boosted", 1): -1.0, ("boosted", 2): 1.0, ("wrong", 1): -1.0}
    failed = [row for row in lines(tmp_path / "rewards.jsonl") if row["task_id"] == "wrong"]
    assert [row["task_complete"] for row in failed] == ["no", "no"]


def test_no_question_of_one_side_is_asked_on_the_other(bank: TaskBank, library: Library, tmp_path: Path) -> None:
    """Tasks that were made concrete in the same words are one family; a demo whose task was reworded is no leak."""
    asked = [f"Do it {number // 2}" for number in range(24)]
    for number, words in enumerate(asked):
        demo = tiny_demo(library, demo_id=f"demo_00000001{number:02}", task=f"Greet {number // 4}")
        verdict = judged("yes" if number % 3 else "no")
        add(bank, task(f"t{number:02}", demo=demo, verdict=verdict, instantiation=Instantiation(request=words)))
    done = run("export", "--form", "rewards", "-o", str(tmp_path / "set"), "--test", "0.4", library=bank.folder)
    assert done.exit_code == 0, done.output
    found = sides(tmp_path / "set")
    questions = {side: {json.dumps(row["prompt"]) for row in rows} for side, rows in found.items()}
    assert questions["train"]
    assert questions["test"]
    assert not questions["train"] & questions["test"]
    home = {row["task_id"]: side for side, rows in found.items() for row in rows}
    assert all(home.get(f"t{n:02}", side) == side for n in range(24) for side in [home.get(f"t{n ^ 1:02}")] if side)
    assert "the same as an earlier one" in done.output
