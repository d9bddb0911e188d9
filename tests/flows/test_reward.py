"""Rows for reinforcement learning: what the trainers' loaders make of them, and what our reward function says."""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.expected_action import parse_expected
from demopack.errors import BadInputError
from demopack.pack.check.exports_folder import check_path
from demopack.pack.reader import open_packs
from demopack.prompting.scoring.predictions import read_predictions
from demopack.prompting.scoring.reward import compute_score, compute_scores
from demopack.prompting.scoring.step_scores import score
from tests.support.exports import export, make_pack, steps_of

datasets = pytest.importorskip("datasets", reason="the loaders of data sets are not installed")
tqdm = pytest.importorskip("tqdm", reason="part of the loaders")
Row = dict[str, Any]
CLICK, TYPE, LIST, OPTION, NEWS, DRAG, SCROLL, SPOT, KEY, SAVE, FINISH = range(11)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture
def folder(pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Bars start a thread that stays.
    monkeypatch.setattr(tqdm.tqdm, "monitor_interval", 0)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    export(pack, "rl", tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def rows(folder: Path) -> Any:
    return datasets.load_dataset("parquet", data_files=str(folder / "train-*.parquet"), split="train")


def test_the_loader_reads_every_step_with_its_picture_and_prompt(rows: Any, pack: Path) -> None:
    steps = steps_of(pack)
    assert [row["extra_info"]["step"] for row in rows] == [step["step"] for step in steps]
    assert [row["extra_info"]["index"] for row in rows] == list(range(14))
    for row, step in zip(rows, steps, strict=True):
        (image,) = row["images"]
        rgb = image.convert("RGB")
        pixels = hashlib.sha256(f"{rgb.width}x{rgb.height}:".encode() + rgb.tobytes()).hexdigest()
        assert pixels == step["before"]["id"]
        assert [turn["role"] for turn in row["prompt"]] == ["system", "user"]
        # verl and EasyR1 split at the word, and there must be as many as pictures.
        assert [turn["content"].count("<image>") for turn in row["prompt"]] == [0, 1]
        assert row["problem"].startswith("<image>")
        assert row["problem"].count("<image>") == 1
        assert row["reward_model"] == {"style": "rule", "ground_truth": row["answer"]}
        truth = parse_expected(row["answer"])
        assert truth.action.to_wire() == step["response"]["action"]
        assert json.loads(truth.to_json_text()) == json.loads(row["answer"])
        assert not any(uid in row["answer"] for uid in ("_save", "demo_0000"))  # identities never leave a library


def _reward(row: Row, said: str, **more: Any) -> float:
    """With the arguments that verl gives."""
    return compute_score(
        data_source=row["data_source"],
        solution_str=said,
        ground_truth=row["reward_model"]["ground_truth"],
        extra_info=row["extra_info"],
        **more,
    )


def test_every_recorded_answer_is_worth_one(rows: Any, pack: Path) -> None:
    for row, step in zip(rows, steps_of(pack), strict=True):
        said = json.dumps(step["response"])
        assert _reward(row, said) == 1.0
        assert _reward(row, f"<think>Is it {{this}}?</think>\n<answer>{said}</answer>", reward_router_address=None) == 1
        assert compute_scores([{"response": said, "response_length": 9, "ground_truth": row["answer"]}]) == [
            {"overall": 1.0, "accuracy": 1.0, "format": 1.0}
        ]


@pytest.mark.parametrize("words", ["</think> It is done.", "<answer>", "<think>a</think><answer>b</answer>"])
def test_tags_that_a_reason_holds_are_its_own_words(words: str, rows: Any, pack: Path) -> None:
    """A screen about language models has them, and so has what is typed there."""
    said = json.dumps({**steps_of(pack)[SAVE]["response"], "reasoning": words})
    for text in (said, f"Is it {{this}}?</think>{said}", f"<think>So.</think>\n{said}"):
        assert _reward(rows[SAVE], text) == 1.0


WRONG: dict[str, Callable[[Row], object]] = {
    "another element": lambda r: r["action"].update(target={"element_id": 1}),
    "an element that is not there": lambda r: r["action"].update(target={"element_id": 999}),
    "another track": lambda r: r["action"].update(target={"track_id": "name_0", "bbox": [0.9, 0.9, 0, 0]}),
    "a place elsewhere": lambda r: r["action"].update(target={"bbox": [0.9, 0.9, 0, 0]}),
    "the whole window": lambda r: r["action"].update(target={"bbox": [0.0, 0.0, 1.0, 1.0]}),
    "a place beside the screen": lambda r: r["action"].update(target={"bbox": [1.5, 0.9, 0, 0]}),
    "no target": lambda r: r["action"].update(target=None),
    "the other button of the mouse": lambda r: r["action"]["parameters"].update(click_type="right"),
    "another action": lambda r: r["action"].update(action_type="hover", parameters={}),
    "an action that does not exist": lambda r: r["action"].update(action_type="jump"),
    "done": lambda r: r.update(
        action={"action_type": "finish_goal", "target": None, "parameters": {"status": "success"}},
        is_goal_complete=True,
    ),
    "text elsewhere": lambda r: r["action"].update(target={"text": "Nothing of the kind"}),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_worth_nothing(name: str, rows: Any, pack: Path) -> None:
    answer = copy.deepcopy(steps_of(pack)[SAVE]["response"])
    WRONG[name](answer)
    assert _reward(rows[SAVE], json.dumps(answer)) == 0.0


@pytest.mark.parametrize(
    "said", ["", "{", "}{", "<answer>", "</think>", "[1, 2", "null", "{}", "\ud800", "NaN", "{" * 3000, "click", "[]"]
)
def test_rubbish_is_worth_nothing(said: str, rows: Any) -> None:
    for row in rows:
        assert _reward(row, said) == 0.0
        assert compute_scores([{"response": said, "ground_truth": row["answer"]}])[0]["format"] == 0.0


@pytest.mark.parametrize("said", [None, 5, " " * 190_000 + "x", "\n" * 190_000, "click(text=" + "-" * 8_000 + "1)"])
def test_what_is_no_text_or_much_of_nothing_is_worth_nothing(said: Any, rows: Any) -> None:
    assert _reward(rows[CLICK], said) == 0


def test_a_thought_without_an_end_is_no_answer(rows: Any, pack: Path) -> None:
    right = json.dumps(steps_of(pack)[CLICK]["response"])
    assert _reward(rows[CLICK], f"<think>Save, or wait?</think>{right}") == 1
    assert _reward(rows[CLICK], f"<think>Maybe {right} but no, I should rather wait") == 0


def test_the_reward_is_what_the_score_says(rows: Any, pack: Path, tmp_path: Path) -> None:
    """Every recorded answer at every step: right where the command that scores a pack finds it right."""
    steps, table = steps_of(pack), tmp_path / "answers.jsonl"
    for said in (step["response"] for step in steps):
        lines = [json.dumps({"step": step["step"], "answer": said}) + "\n" for step in steps]
        table.write_text("".join(lines), encoding="utf-8")
        wrong: set[str] = set()
        with open_packs([pack]) as demos:
            score(
                read_predictions(table),
                demos,
                pack="pack",
                on_failure=lambda _, one, wrong=wrong: wrong.add(one.step.recorded.id),
            )
        for row, step in zip(rows, steps, strict=True):
            assert _reward(row, json.dumps(said)) == float(step["step"] not in wrong)


def test_an_alternative_is_as_right(rows: Any, pack: Path) -> None:
    row = copy.deepcopy(rows[SAVE])
    truth = json.loads(row["answer"])
    other = truth["elements"][0]
    answer = copy.deepcopy(steps_of(pack)[SAVE]["response"])
    answer["action"]["target"] = {"element_id": other["element_id"]}
    assert _reward(row, json.dumps(answer)) == 0.0
    truth["targets"].append({"box": other["box"], "element_id": other["element_id"]})
    row["reward_model"]["ground_truth"] = json.dumps(truth)
    assert _reward(row, json.dumps(answer)) == 1.0


def test_an_answer_may_be_in_another_vocabulary(rows: Any) -> None:
    row = next(r for r in rows if r["extra_info"]["action_type"] == "click" and r["extra_info"]["number"] == 0)
    box = json.loads(row["answer"])["targets"][0]["box"]
    x, y = (box[0] + box[2]) / 2 / 960 * 1000, (box[1] + box[3]) / 2 / 600 * 1000
    said = f"Thought: so\nAction: click(start_box='({x:.0f},{y:.0f})')"
    assert _reward(row, said, dialect="ui-tars") == 1.0
    assert _reward(row, said) == 0.0
    with pytest.raises(BadInputError, match="no dialect"):
        _reward(row, said, dialect="klingon")


@pytest.mark.parametrize("text", ["", "42", "{}", '{"action": {}}', "[]"])
def test_a_foreign_ground_truth_is_said_to_be_one(text: str) -> None:
    with pytest.raises(BadInputError, match="none that was exported"):
        compute_score("gsm8k", "42", text)


@pytest.mark.parametrize(
    "change",
    [
        '{"size": ["960", 600]}',
        '{"statuses": [{}]}',
        '{"targets": [{"box": [0, 0, "a", 1], "text": "x"}]}',
        '{"ends": [{"box": 7, "text": "x"}]}',
        '{"ends": [{"box": [0, 0, 9, 9], "at": [null, 3]}]}',
    ],
)
def test_a_ground_truth_of_other_types_is_refused(change: str, rows: Any) -> None:
    truth = {**json.loads(rows[DRAG]["answer"]), **json.loads(change)}
    with pytest.raises(BadInputError, match="none that was exported"):
        compute_score("demopack", "{}", json.dumps(truth))


def test_the_file_beside_the_rows_has_the_functions(folder: Path) -> None:
    spec = importlib.util.spec_from_file_location("custom_reward_fn", folder / "reward.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (module.compute_score, module.compute_scores) == (compute_score, compute_scores)
    assert (module.REWARD_NAME, module.REWARD_TYPE) == ("demopack", "batch")


def test_the_check_finds_a_ground_truth_that_was_spoilt(folder: Path) -> None:
    pq: Any = importlib.import_module("pyarrow.parquet")  # it has no types
    assert check_path(folder).findings == []
    file = folder / "train-00000.parquet"
    table = pq.read_table(file)
    rows = table.to_pylist()
    truth = json.loads(rows[0]["answer"])
    truth["targets"][0]["box"] = [5000, 5000, 5001, 5001]
    rows[0]["reward_model"]["ground_truth"] = json.dumps(truth)
    rows[1]["reward_model"]["ground_truth"] = "click Save"
    pq.write_table(table.schema.empty_table().from_pylist(rows, schema=table.schema), file)
    found = {(one.rule, one.line) for one in check_path(folder).findings}
    assert {("A04", 2)} < found
    assert {line for _, line in found} == {1, 2}
