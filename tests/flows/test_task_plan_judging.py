"""Plans judged against reference plans, over real HTTP: what is counted, what is told back, what costs nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from demopack.domain.provenance import by_human
from demopack.domain.tasks import Task, TaskSource
from demopack_cli.main import main
from tasks.bank import TaskBank, TaskQuery
from tasks.plan_judging import PlanComparison, faults_of_comparison, steps_of
from tasks.plan_sets import write_plan_set
from tests.support.exports import lines
from tests.support.openai_server import Asked, OpenAIServer, Reply, good, status

pytest.importorskip("pydantic_ai", reason="the client of language models is an extra")

BY = by_human("Ada")
PLANS = {
    "bold": ("Make the text bold", ("Select the text", "Press Ctrl+B")),
    "print": ("Print a page", ("Choose File > Print", "Choose OK")),
    "save": ("Save a copy", ("Choose File > Save as", "Type a name", "Choose Save")),
    "close": ("Close the window", ("Press Alt+F4",)),
    "undo": ("Undo it", ("Press Ctrl+Z",)),
}
SAID = {
    "bold": "<think>Hm. 1. No.</think>Here you are:\n1. Mark the text\n2. Press Ctrl+B\n3. Look at it\n",
    "print": ["Throw it away"],
    "save": "1. Choose File > Save as\n2. Type a name\n3. Choose Save",
    "close": "",
    "other": "1. Dance",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A file of answers, and a set of plans."""
    with TaskBank.open(tmp_path / "library") as bank:
        source = TaskSource(kind="manual")
        tasks = [
            Task(id=name, task=words, plan=plan, source=source, provenance=BY) for name, (words, plan) in PLANS.items()
        ]
        bank.add(tasks, label="Add", provenance=BY)
        write_plan_set(bank, TaskQuery(), tmp_path / "plans.jsonl")
    rows = [{"task_id": name, "answer": said} for name, said in SAID.items()]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "answers.jsonl", tmp_path / "plans.jsonl"


def plan(asked: Asked, which: int) -> list[str]:
    found = re.search(rf"^PLAN {which}\n((?:\d+\. .+\n?)+)", asked.texts, re.MULTILINE)
    assert found is not None, asked.texts
    return [line.split(". ", 1)[1] for line in found[1].splitlines()]


def judge(asked: Asked) -> Reply:
    """Pairs steps whose last words are the same; a plan solves where it pairs any; counts wrong at first."""
    first, second = plan(asked, 1), plan(asked, 2)
    ends = [step.split()[-1] for step in second]
    pairs = [(n, ends.index(end) + 1) for n, one in enumerate(first, 1) if (end := one.split()[-1]) in ends]
    if "Your last answer cannot be used" not in asked.texts and "Make the text bold" in asked.texts:
        pairs.append((1, 7))
    mine = 2 if first in [list(steps) for _, steps in PLANS.values()] else 1
    solves = {mine: "yes" if pairs else "no", 3 - mine: "yes"}
    return good({
        "first_solves": solves[1], "second_solves": solves[2], "first_items": first, "second_items": second,
        "similar_first": [one for one, _ in pairs], "similar_second": [other for _, other in pairs],
        "better": "first" if mine == 2 else "second", "reason": "The ends are the same.",
    })  # fmt: skip


def run(server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    language = {"model": "server:tester", "base_url": server.base_url, "input_price": 1, "output_price": 2}
    (tmp_path / "settings.json").write_text(json.dumps({"language": language}))
    monkeypatch.setenv("DEMOPACK_SETTINGS", str(tmp_path / "settings.json"))
    return CliRunner().invoke(main, ["tasks", "judge-plans", *arguments, "--library", str(tmp_path / "library")])


def test_plans_are_judged_against_the_references_and_paid_for_once(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(file) for file in files]
    with OpenAIServer(answer=judge) as server:
        done = run(server, tmp_path, monkeypatch, *names, "-o", str(tmp_path / "judged.jsonl"), "--json")
        assert done.exit_code == 0, done.output
        assert len(server.paid) == 3, "what has no plan, or the reference's, costs nothing; one answer was told back"
        again = run(server, tmp_path, monkeypatch, *names)
        assert len(server.paid) == 3
    found: dict[str, Any] = json.loads(done.stdout)
    rows = {row["task_id"]: row for row in lines(tmp_path / "judged.jsonl")}
    assert list(rows) == list(PLANS)
    told = {
        name: (row["solves"], row["items"], row["reference_items"], row["matched"], row["reference_solves"])
        for name, row in rows.items()
    }
    assert told == {
        "bold": (True, 3, 2, 2, True),
        "print": (False, 1, 2, 0, True),
        "save": (True, 3, 3, 3, None),
        "close": (False, 0, 1, 0, None),
        "undo": (False, 0, 1, 0, None),
    }
    names_of_figures = ("task_success", "step_precision", "step_recall", "reference_success", "better")
    assert [found[name] for name in names_of_figures] == [0.4, round(5 / 7, 4), round(5 / 9, 4), 1.0, 0.0]
    assert found["plans"] == {"judged": 5, "unknown": 1}
    assert again.output.splitlines()[1] == "   40.0%  plans that do their task"


def test_the_sets_own_plans_are_right_and_cost_nothing(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(answer=judge) as server:
        done = run(server, tmp_path, monkeypatch, str(files[1]), str(files[1]), "--json")
    assert server.asked == []
    found = json.loads(done.stdout)
    assert [found[name] for name in ("task_success", "step_precision", "step_recall", "better")] == [1, 1, 1, None]


def test_what_could_not_be_judged_is_named_and_in_no_figure(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(answer=lambda _: status(400)) as server:
        done = run(server, tmp_path, monkeypatch, *(str(file) for file in files))
    assert done.exit_code == 1
    assert done.output.startswith("3 plans judged")
    assert "x bold: " in done.output


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, ""),
        ({"first_items": []}, "first_items has 0 items for 1 step"),
        ({"second_items": ["x"] * 13}, "second_items has 13 items for 2 steps; 1 to 12 are possible."),
        ({"similar_first": [2], "similar_second": [1]}, "similar_first names item 2; there are 1."),
        ({"similar_first": [1, 1], "similar_second": [1, 2]}, "similar_first names item 1 several times"),
        ({"similar_first": [0], "similar_second": [2]}, "similar_first names item 0"),
    ],
)
def test_a_judge_cannot_count_what_is_not_there(changes: dict[str, Any], fault: str) -> None:
    usual = {"first_items": ["a"], "second_items": ["b", "c"], "similar_first": [1], "similar_second": [2]}
    said = {"first_solves": "yes", "second_solves": "yes", "better": "first", "reason": ""}
    reply = PlanComparison.model_validate({**said, **usual, **changes})
    found = faults_of_comparison(reply, ["One"], ["Two", "Three"])
    assert bool(found) == bool(fault)
    assert fault in " ".join(found)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("Sure:\n1. **Open** it\n   and wait\n2) Close it\n", ("Open it and wait", "Close it")),
        ("Open it\n\nClose it", ("Open it", "Close it")),
        ("<think>1. no end", ()),
        ("", ()),
    ],
)
def test_a_plan_is_read_as_models_write_it(text: str, steps: Sequence[str]) -> None:
    assert steps_of(text) == tuple(steps)
