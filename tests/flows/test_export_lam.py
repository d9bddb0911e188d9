"""LAM's samples hold to Appendix C of its paper, and are what its prompts ask for."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.catalogue import decode_answer
from demopack.codecs.sets.base import ExportLog
from demopack.domain.provenance import Provenance
from demopack.domain.verdicts import StepVerdict
from demopack.pack.reader import open_packs
from demopack.prompting.agent_state import AgentState, agent_state_at
from demopack.prompting.prompt import PromptOptions
from demopack.prompting.prompt_builder import render
from demopack.prompting.scoring.predictions import read_predictions
from demopack.prompting.scoring.step_scores import score
from tests.golden.inputs import unpack
from tests.support.demos import CREATED_AT
from tests.support.exports import export, lines, make_pack, steps_of
from tests.support.packs import PackFolder

# Appendix C, as it is printed: the kinds of controls, the two words for the status, the fields of the question.
CONTROL_ITEM = """\
- "Button" is the control item that you can click.
- "Edit" is the control item that you can click and input text.
- "TabItem" is the control item that you can click and switch to another page.
- "ListItem" is the control item that you can click and select.
- "MenuItem" is the control item that you can click and select.
- "ScrollBar" is the control item that you can scroll.
- "TreeItem" is the control item that you can click and select.
- "Document" is the control item that you can click and select text.
- "Hyperlink" is the control item that you can click and open a link.
- "ComboBox" is the control item that you can click and input text.
"""
STATUS = """\
- "CONTINUE": means the task is not finished and need further action.
- "FINISH": means the current task is finished for the AppAgent and no further actions are required.
"""
QUESTION = """\
<Available Control Item:> {control_item}
<User Request:> {user_request}
<Previous Actions:> {step_history}
<Previous Plans:> {previous_plan}
"""
KEYS = ["thought", "control_label", "control_name", "function", "args", "status", "plan"]
KINDS = re.findall(r'^- "(\w+)"', CONTROL_ITEM, re.MULTILINE)
FIELDS = re.findall(r"^<([A-Za-z ]+):>", QUESTION, re.MULTILINE)

Sample = dict[str, Any]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording with clicks on the labels of a radio button and a check box, and on texts that are no control."""
    return unpack("quickstart-pack", tmp_path_factory.mktemp("practice"))


@pytest.fixture(params=["pack", "practice", "hard-pack"])
def any_pack(request: pytest.FixtureRequest, pack: Path, practice: Path, tmp_path: Path) -> Path:
    if request.param == "hard-pack":
        return unpack("hard-pack", tmp_path)
    return pack if request.param == "pack" else practice


def _fields(asked: str) -> dict[str, Any]:
    parts = re.split(r"^<([A-Za-z ]+):> ", asked, flags=re.MULTILINE)[1:]
    return {name: json.loads(value) for name, value in zip(parts[::2], parts[1::2], strict=True)}


def _sampled(pack: Path, out: Path, **options: Any) -> tuple[ExportLog, list[Sample]]:
    log = export(pack, "lam", out, **options)
    return log, lines(out / "lam.jsonl")


def _asked(row: Sample) -> dict[str, Any]:
    return _fields(row["messages"][1]["content"])


def _answer(row: Sample) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(row["messages"][2]["content"])
    return found


def test_a_control_that_is_named_stands_in_the_list_beside_it(any_pack: Path, tmp_path: Path) -> None:
    for number, options in enumerate([{}, {"elements": False}, {"any_outcome": True}]):
        _, rows = _sampled(any_pack, tmp_path / str(number), **options)
        assert rows
        for row in rows:
            asked, answer = _asked(row), _answer(row)
            assert list(asked) == FIELDS
            assert list(answer) == KEYS
            assert answer["status"] in re.findall(r'"(\w+)":', STATUS)
            items = {item["label"]: item for item in asked["Available Control Item"]}
            assert {item["control_type"] for item in items.values()} <= set(KINDS)
            if answer["control_label"]:
                assert answer["control_name"] == items[answer["control_label"]]["control_text"]
            else:
                assert answer["control_name"] == ""


@pytest.mark.parametrize("shot_elements", [True, False])
def test_a_control_that_is_named_in_a_prompts_example_stands_beside_it(any_pack: Path, *, shot_elements: bool) -> None:
    with open_packs([any_pack]) as demos:
        shots = list(demos.demos())
    prompt = render(AgentState(task="t"), shots, dialect="lam", options=PromptOptions(shot_elements=shot_elements))
    turns = [message.text for message in prompt.messages[1:-1]]
    labels = 0
    for asked, answered in zip(turns[::2], turns[1::2], strict=True):
        answer, items = json.loads(answered), _fields(asked)["Available Control Item"]
        named = [item for item in items if item["label"] == answer["control_label"]]
        assert [item["control_text"] for item in named] == [answer["control_name"]] * bool(answer["control_label"])
        labels += len(named)
        assert shot_elements or items == named
    assert labels


def test_the_label_of_a_control_stands_for_it_and_other_texts_are_places(practice: Path, tmp_path: Path) -> None:
    log, rows = _sampled(practice, tmp_path / "out")
    answers = [_answer(row) for row in rows]
    named = [(one["control_name"], one["function"]) for one in answers]
    assert named[8:10] == [("Afternoon", "click_input"), ("Send me the newsletter", "click_input")]
    assert [answers[number]["function"] for number in (6, 12, 13)] == [
        "click_on_coordinates", "click_on_coordinates", "keyboard_input",
    ]  # fmt: skip
    lost = {item.code: item for item in log.lost}
    assert lost["control"].count == 3
    assert lost["control"].examples[0].startswith("step 7 of ")


def test_the_questions_are_those_of_the_prompt(any_pack: Path, tmp_path: Path) -> None:
    _, rows = _sampled(any_pack, tmp_path / "out", leave_out=("none",))
    with open_packs([any_pack]) as demos:
        for row in rows:
            place = f"{row['metadata']['task_id']}:{row['metadata']['step']}"
            situation, _ = agent_state_at(demos, place)
            prompt = render(situation, [], dialect="lam")
            told = [{"role": message.role, "content": message.text} for message in prompt.messages]
            assert told == row["messages"][:2]


def test_the_answers_are_those_of_a_prompts_examples(pack: Path, tmp_path: Path) -> None:
    _, rows = _sampled(pack, tmp_path / "out")
    with open_packs([pack]) as demos:
        shot = next(demos.demos())
        state, _ = agent_state_at(demos, f"{shot.head.id}:1")
        prompt = render(state, [shot], dialect="lam", options=PromptOptions(shot_elements=True))
    turns = [message.text for message in prompt.messages[1:-1]]
    own = [row for row in rows if row["metadata"]["task_id"] == shot.head.id]
    assert turns == [text for row in own for text in (row["messages"][1]["content"], row["messages"][2]["content"])]


def test_the_system_text_has_all_that_the_papers_has(pack: Path, tmp_path: Path) -> None:
    _, rows = _sampled(pack, tmp_path / "out")
    system = rows[0]["messages"][0]["content"]
    assert re.findall(r'^- "(\w+)" is ', system, re.MULTILINE) == KINDS
    assert re.findall(r'^- "(\w+)":', system, re.MULTILINE) == [*re.findall(r'"(\w+)":', STATUS), *KEYS]
    assert "- click_input(" in system
    assert len({row["messages"][0]["content"] for row in rows}) == 1


def test_the_task_ends_with_its_last_call(pack: Path, tmp_path: Path) -> None:
    log, rows = _sampled(pack, tmp_path / "out")
    assert (log.rows_in, log.rows_out, log.lines["lam.jsonl"]) == (14, 14, 12)
    first = [_answer(row) for row in rows if row["metadata"]["task_id"] == "demo_5a3b1e0c77"]
    assert [one["status"] for one in first] == ["CONTINUE"] * 9 + ["FINISH"]
    assert (first[-1]["function"], first[-1]["control_name"], first[-1]["plan"]) == ("click_input", "Save customer", [])
    assert all(one["function"] for one in first)
    responses = decode_answer(first[-1], dialect="lam").responses
    assert [one.action.action_type for one in responses] == ["click", "finish_goal"]


def test_an_end_after_something_that_cannot_be_said_has_an_answer_of_its_own(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    wait = {"action_type": "wait", "target": None, "parameters": {"wait_duration_s": 2.0}}

    def edit(row: dict[str, Any]) -> None:
        row["response"]["action"] = wait
        row.update(target_uid=None, target_box=None)

    changed.edit_row("steps", 9, edit)
    log, rows = _sampled(changed.path, tmp_path / "out")
    own = [_answer(row) for row in rows if row["metadata"]["task_id"] == "demo_5a3b1e0c77"]
    assert [(one["function"] == "", one["status"]) for one in own][-2:] == [(False, "CONTINUE"), (True, "FINISH")]
    assert {item.code: item.count for item in log.left_out} == {"no_word": 1}


def test_a_failure_is_no_finish(pack: Path, tmp_path: Path) -> None:
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_row("demos", 0, lambda row: row.update(outcome="failure"))
    changed.edit_row("steps", 10, lambda row: row["response"]["action"]["parameters"].update(status="failure"))
    changed.edit_row("steps", 10, lambda row: row["response"].update(is_goal_complete=False))
    log, rows = _sampled(changed.path, tmp_path / "out", any_outcome=True)
    own = [_answer(row) for row in rows if row["metadata"]["task_id"] == "demo_5a3b1e0c77"]
    assert [one["status"] for one in own] == ["CONTINUE"] * 10
    assert {item.code: item.count for item in log.left_out} == {"finish_failure": 1}


def test_previous_actions_stand_with_what_came_of_them(pack: Path, tmp_path: Path) -> None:
    for name, effect in (("no_hindsight", "The form changed as expected."), ("none", "The screen changed.")):
        _, rows = _sampled(pack, tmp_path / name, rationale=name)
        asked = [_asked(row)["Previous Actions"] for row in rows[:10]]
        assert [len(done) for done in asked] == list(range(10))
        assert asked[2][0] == {"action": "Clicked “Full name” (input field)", "result": effect}
        assert all(done[: len(before)] == before for before, done in pairwise(asked))
    _, rows = _sampled(pack, tmp_path / "two", history=2)
    assert [len(_asked(row)["Previous Actions"]) for row in rows[:4]] == [0, 1, 2, 2]


def test_a_plan_before_a_step_is_the_one_made_after_the_last(pack: Path, tmp_path: Path) -> None:
    _, rows = _sampled(pack, tmp_path / "out")
    plans = [_answer(row)["plan"] for row in rows[:10]]
    before = [_asked(row)["Previous Plans"] for row in rows[:10]]
    assert before[1:] == plans[:-1]
    assert [len(plan) for plan in plans] == sorted((len(plan) for plan in plans), reverse=True)
    assert (before[0], plans[-1]) == ([], [])


def test_a_sample_says_which_task_it_is_of_and_what_a_judge_said(pack: Path, tmp_path: Path) -> None:
    by = Provenance(kind="model", name="judge-1", at=CREATED_AT, reason="judge")
    wrong = StepVerdict(correct="no", redundant="unsure", reflection="The wrong field was hit.", provenance=by)
    changed = PackFolder(pack).copy(tmp_path / "pack")
    changed.edit_row("steps", 2, lambda row: row.update(verdict=wrong.to_json()))
    _, rows = _sampled(changed.path, tmp_path / "out")
    step = steps_of(changed.path)[2]
    assert rows[2]["metadata"] == {
        "task_id": "demo_5a3b1e0c77", "app": "Customers", "step_id": step["step"], "step": 3,
        "started_ms": step["t_ms"], "duration_ms": step["duration_ms"], "task_complete": "yes", "task_feedback": "",
        "step_correct": "no", "step_redundant": "unsure", "step_feedback": "The wrong field was hit.",
    }  # fmt: skip
    assert (rows[0]["metadata"]["step_correct"], rows[0]["metadata"]["step_feedback"]) == (None, "")


@pytest.mark.parametrize("which", ["pack", "practice"])
def test_its_own_answers_are_right(which: str, pack: Path, practice: Path, tmp_path: Path) -> None:
    chosen = pack if which == "pack" else practice
    _, rows = _sampled(chosen, tmp_path / "out")
    file = tmp_path / "answers.jsonl"
    answers = [
        {
            "demo": row["metadata"]["task_id"],
            "index": row["metadata"]["step"] - 1,
            "answer": row["messages"][2]["content"],
        }
        for row in rows
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in answers), encoding="utf-8")
    with open_packs([chosen]) as demos:
        report = score(read_predictions(file), demos, pack="pack", dialect="lam")
    found = {name: figure.hits / figure.of for name, figure in report.figures.items() if figure.of}
    assert found == dict.fromkeys(found, 1.0)
    assert report.unreadable == {}
