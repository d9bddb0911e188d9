"""A pack whose rows follow the original schema and no more: the check warns, all else knows what is meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demopack.pack import check_pack, export_pack
from demopack.pack.import_demos import import_demos
from demopack.pack.reader import open_packs
from demopack.prompting.agent_state import agent_state_at
from demopack.prompting.scoring.predictions import read_predictions
from demopack.prompting.scoring.step_scores import score
from demopack.store import Library
from tests.support.demos import sample_demo, tiny_demo
from tests.support.exports import export, lines
from tests.support.packs import PackFolder, Row
from tests.support.pictures import swatch

SAMPLE, TINY = "demo_5a3b1e0c77", "demo_0000000001"
SCROLL, KEY, FINISH = 6, 8, 10  # rows of the sample
WAIT: Row = {"action_type": "wait", "target": None, "parameters": {}}


def _letter(rows: list[Row]) -> None:
    """A wait and a scroll without figures, an end without the flag, and typing that ends the other demo."""
    for name in ("response", "recorded_action"):
        outer = rows[KEY][name]
        (outer["action"] if name == "response" else outer).update(WAIT)
        outer = rows[SCROLL][name]
        (outer["action"] if name == "response" else outer)["parameters"].pop("scroll_steps")
    rows[FINISH]["response"]["is_goal_complete"] = False
    assert rows[-1]["response"]["action"]["action_type"] == "finish_goal"
    del rows[-1]
    rows[-1]["response"]["is_goal_complete"] = True


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    root = tmp_path_factory.mktemp("letter")
    with Library.open(root / "library") as library:
        ids = [sample_demo(library, draw=swatch), tiny_demo(library)]
        export_pack(library, ids, root / "pack", licence="CC-BY-4.0")
    folder = PackFolder(root / "pack")
    folder.edit_rows("steps", _letter)
    folder.edit_row("demos", 1, lambda row: row.update(steps=row["steps"] - 1))
    counts = folder.manifest()["counts"]
    fewer = {name: counts[name] - 1 for name in ("steps", "rationales")}
    folder.edit_manifest(lambda data: data["counts"].update(fewer))
    return folder


def test_the_check_warns_of_each_row_and_of_nothing_else(pack: PackFolder) -> None:
    found = [(one.rule, one.severity, one.line, one.message) for one in check_pack(pack.path) if one.rule != "R01"]
    assert found == [
        ("A07", "warning", SCROLL + 1, "response: scroll does not say scroll_steps."),
        ("A07", "warning", KEY + 1, "response: wait does not say wait_duration_s."),
        ("A07", "warning", FINISH + 1, "response: is_goal_complete is false with finish_goal."),
        ("A07", "warning", FINISH + 3, "response: is_goal_complete is true with type."),
    ]


def test_the_import_makes_ends_of_its_own_and_says_so(pack: PackFolder, tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        report = import_demos([pack.path], library)
        sample, tiny = (library.demo(key) for key in (SAMPLE, TINY))
    assert sample.steps[-1].action.to_wire()["parameters"] == {"status": "failure"}
    assert [step.action.action_type for step in tiny.steps] == ["click", "type", "finish_goal"]
    assert tiny.steps[-1].before == tiny.steps[-2].after
    assert [(one.rows_in, one.steps) for one in report.demos] == [(11, 11), (2, 3)]
    assert [[(item.code, item.examples) for item in one.assumed] for one in report.demos] == [
        [("goal_flag", ["step 11"])],
        [("goal_flag", ["step 2"])],
    ]
    # What nobody said is not made up: the library holds it as it came, and gives it out so.
    assert sample.steps[KEY].action.to_wire() == WAIT
    with Library.open(tmp_path / "library") as library:
        export_pack(library, [SAMPLE, TINY], tmp_path / "again")
    again = PackFolder(tmp_path / "again")
    assert again.rows("steps")[KEY]["response"]["action"] == WAIT
    assert [row["response"]["is_goal_complete"] for row in again.rows("steps")] == [False] * 13 + [True]
    assert [one.line for one in check_pack(again.path) if one.rule == "A07"] == [SCROLL + 1, KEY + 1]


def test_exports_end_the_task_where_a_row_says_so(pack: PackFolder, tmp_path: Path) -> None:
    log = export(pack.path, "llmresponse", tmp_path / "own")
    own = lines(tmp_path / "own" / "steps.jsonl")
    assert (log.rows_in, [row["response"]["is_goal_complete"] for row in own]) == (14, [False] * 13 + [True])
    assert own[-1]["response"]["action"]["action_type"] == "finish_goal"
    assert own[FINISH]["response"]["action"]["parameters"] == {"status": "failure"}
    assert own[KEY]["response"]["action"] == WAIT

    export(pack.path, "uipath", tmp_path / "uipath")
    calls = [row["answer"]["action"] for row in lines(tmp_path / "uipath" / "planner.jsonl")]
    ends = [call["parameters"]["status"] for call in calls if call["type"] == "finish"]
    assert ends == ["failure", "success"]
    (tiny,) = (tmp_path / "uipath" / "steps").glob(f"*{TINY}*")
    assert json.loads(tiny.read_text())["steps"][-1]["actions"][0]["method_type"] == "finish"

    log = export(pack.path, "qwen", tmp_path / "qwen")
    lost = {item.code: item.examples for item in log.lost}
    assert lost["wait_assumed"] == [f"step {KEY + 1} of {SAMPLE}"]
    assert lost["scroll_assumed"] == [f"step {SCROLL + 1} of {SAMPLE}"]


@pytest.mark.parametrize("form", ["as it stands", "as we write it"])
def test_answers_are_scored_by_what_they_mean(pack: PackFolder, tmp_path: Path, form: str) -> None:
    rows = pack.rows("steps")
    answers = [{"step": row["step"], "answer": row["response"]} for row in rows]
    if form == "as we write it":
        action = {"action_type": "finish_goal", "target": None, "parameters": {"status": "failure"}}
        answers[FINISH]["answer"] = {**rows[FINISH]["response"], "action": action}
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in answers), encoding="utf-8")
    with open_packs([pack.path]) as demos:
        report = score(read_predictions(file), demos, pack="pack")
    assert (report.steps, report.answered) == (13, 13)
    for name in ("step", "status", "task"):
        assert report.figures[name].hits == report.figures[name].of, name


def test_the_end_is_a_step_of_prompts_as_any_other(pack: PackFolder) -> None:
    with open_packs([pack.path]) as demos:
        state, _ = agent_state_at(demos, f"{TINY}:3")
    assert [step.description for step in state.history] == ["Clicked “Go” (button)", "Typed “héllo 中”"]
