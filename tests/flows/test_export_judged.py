"""What a judge said goes into packs and exports; steps that were wrong are left out, or stay as lessons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from demopack.codecs.sets.base import ExportLog
from demopack.codecs.sets.catalogue import NAMES, exporter
from demopack.domain.provenance import Provenance
from demopack.domain.verdicts import DemoVerdict, StepVerdict, SubScore
from demopack.errors import BadInputError
from demopack.pack import open_pack
from demopack_cli.export import command
from tests.support.demos import CREATED_AT
from tests.support.exports import export, lines, make_pack
from tests.support.packs import PackFolder

_BY = Provenance(kind="model", name="openai:judge-1", at=CREATED_AT, reason="judge")
_WRONG = StepVerdict(correct="no", redundant="unsure", reflection="The wrong field was hit.", provenance=_BY)
_DEMO = DemoVerdict(
    reason="All was entered.", sub_scores=(SubScore(name="name", met="yes"),), complete="yes", quality="good",
    alignment=9, efficiency=6, difficulty=2, actual_task="Add a customer.", provenance=_BY,
)  # fmt: skip


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> PackFolder:
    return PackFolder(make_pack(tmp_path_factory.mktemp("pack")))


Judged = Callable[..., Path]


@pytest.fixture
def judged(plain: PackFolder, tmp_path: Path) -> Judged:
    """A pack in which rows of the first demo's steps were changed, by number."""

    def make(steps: dict[int, dict[str, Any]], head: dict[str, Any] | None = None) -> Path:
        pack = plain.copy(tmp_path / "judged")
        pack.edit_rows("steps", lambda rows: [rows[number].update(fields) for number, fields in steps.items()])
        pack.edit_row("demos", 0, lambda row: row.update(head or {}))
        return pack.path

    return make


def _verdict(verdict: StepVerdict | DemoVerdict) -> dict[str, Any]:
    return {"verdict": verdict.to_json()}


def _left(log: ExportLog) -> dict[str, int]:
    return {item.code: item.count for item in log.left_out}


def test_a_pack_tells_what_a_judge_said(judged: Judged) -> None:
    with open_pack(judged({2: _verdict(_WRONG)}, _verdict(_DEMO))) as pack:
        first = next(pack.whole_demos())
        assert first.head.verdict == _DEMO
        assert [step.verdict for step in first.steps][:4] == [None, None, _WRONG, None]


def test_agentnet_has_the_judges_scores_and_words(judged: Judged, tmp_path: Path) -> None:
    right = StepVerdict(correct="yes", redundant="yes", provenance=_BY)
    log = export(judged({1: _verdict(right), 2: _verdict(_WRONG)}, _verdict(_DEMO)), "agentnet", tmp_path / "out")
    first, second = lines(tmp_path / "out" / "agentnet.jsonl")
    scores = {name: first[name] for name in ("alignment_score", "efficiency_score", "task_difficulty", "reason")}
    assert scores == {"alignment_score": 9, "efficiency_score": 6, "task_difficulty": 2, "reason": "All was entered."}
    assert (first["actual_task"], first["task_completed"]) == ("Add a customer.", True)
    untold, right_step, wrong_step = (first["traj"][number]["value"] for number in range(3))
    assert "last_step_correct" not in untold
    assert "alignment_score" not in second
    assert (right_step["last_step_correct"], right_step["last_step_redundant"]) == (True, True)
    assert (wrong_step["last_step_correct"], wrong_step["reflection"]) == (False, "The wrong field was hit.")
    assert "last_step_redundant" not in wrong_step
    assert "reflection" not in right_step
    assert [item.code for item in log.lost if item.code == "unsure"] == ["unsure"]


def test_what_a_judge_did_not_say_is_not_written(judged: Judged, tmp_path: Path) -> None:
    short = DemoVerdict(reason="All was entered.", complete="yes", provenance=_BY)
    export(judged({}, _verdict(short)), "agentnet", tmp_path / "out")
    row = lines(tmp_path / "out" / "agentnet.jsonl")[0]
    assert row["reason"] == "All was entered."
    assert not row.keys() & {"alignment_score", "efficiency_score", "task_difficulty", "actual_task"}


@pytest.mark.parametrize(("complete", "done"), [("yes", True), ("no", False), ("unsure", None)])
def test_a_judge_says_whether_the_task_was_done_where_no_person_did(
    judged: Judged, tmp_path: Path, complete: str, done: bool | None
) -> None:
    verdict = _DEMO.model_copy(update={"complete": complete})
    export(judged({}, {**_verdict(verdict), "outcome": None}), "agentnet", tmp_path / "out")
    assert lines(tmp_path / "out" / "agentnet.jsonl")[0].get("task_completed") is done


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        ((), {"rejected": 1}),
        (("wrong",), {"rejected": 1, "wrong": 1}),
        (("redundant",), {"rejected": 1, "redundant": 2}),
        (("wrong", "redundant"), {"rejected": 1, "wrong": 1, "redundant": 2}),
        (("none",), {}),
    ],
)
def test_steps_are_left_out_by_choice(
    judged: Judged, tmp_path: Path, choice: tuple[str, ...], left: dict[str, int]
) -> None:
    needless = StepVerdict(correct="yes", redundant="yes", provenance=_BY)
    labelled = StepVerdict(labels=("no_effect",), provenance=_BY)
    asked = StepVerdict(labels=("no_effect",), correct="yes", redundant="no", provenance=_BY)
    pack = judged(
        {
            1: {"review": "rejected"},
            2: _verdict(_WRONG),
            3: {**_verdict(_WRONG), "review": "approved"},
            4: _verdict(needless),
            5: _verdict(labelled),
            6: _verdict(asked),
            10: _verdict(_WRONG),
        }
    )
    log = export(pack, "llmresponse", tmp_path / "out", leave_out=choice)
    assert _left(log) == left
    own = [row for row in lines(tmp_path / "out" / "steps.jsonl") if row["demo"] == "demo_5a3b1e0c77"]
    assert len(own) == 11 - sum(left.values())
    assert own[-1]["response"]["action"]["action_type"] == "finish_goal"


def test_what_stays_knows_nothing_of_what_is_gone(judged: Judged, tmp_path: Path) -> None:
    pack = judged({1: {"after": None}, 2: _verdict(_WRONG)})
    kept, gone = tmp_path / "kept", tmp_path / "gone"
    export(pack, "llmresponse", kept, leave_out=("none",))
    log = export(pack, "llmresponse", gone, leave_out=("wrong",))
    whole, less = lines(kept / "steps.jsonl"), lines(gone / "steps.jsonl")
    assert [len(row["history"]) for row in less][:4] == [0, 1, 2, 3]
    assert less[2]["history"] == whole[3]["history"][:2]
    assert [(item.code, item.count) for item in log.lost if item.code == "lesson"] == [("lesson", 1)]


def test_a_picture_after_a_step_stays_that_one(judged: Judged, tmp_path: Path) -> None:
    pack = judged({1: {"after": None}, 2: _verdict(_WRONG)})
    shown = PackFolder(pack).rows("steps")[2]["before"]["file"]
    export(pack, "osworld", tmp_path / "out", leave_out=("wrong",))
    second = (tmp_path / "out").rglob("step_2*.png")
    assert any(file.read_bytes() == (pack / shown).read_bytes() for file in second)


@pytest.mark.parametrize("name", NAMES)
def test_every_format_leaves_steps_out_or_a_whole_demo(judged: Judged, tmp_path: Path, name: str) -> None:
    gone = (0, 4, 10, 11, 12, 13)  # the last three are all of the second demo
    log = export(judged({number: {"review": "rejected"} for number in gone}), name, tmp_path / "out")
    assert _left(log).get("rejected", 0) == (6 if exporter(name).rows == "steps" else 0)


def test_all_and_none_is_a_contradiction(plain: PackFolder, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="all be kept"):
        export(plain.path, "trl", tmp_path / "out", leave_out=("none", "wrong"))


def test_the_command_leaves_out_and_tells(judged: Judged, tmp_path: Path) -> None:
    pack = judged({2: _verdict(_WRONG)})
    words = [str(pack), "-o", str(tmp_path / "out"), "--format", "trl", "--leave-out", "wrong"]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0
    assert "left out: 1 (a judge found the step wrong), for instance step 3 of" in done.output


@pytest.mark.parametrize(
    ("outcome", "complete", "code"),
    [
        ("success", None, None),
        ("failure", None, "failed"),
        (None, None, "not_known"),
        (None, "yes", None),
        ("failure", "yes", None),
        ("success", "no", "judged"),
        ("success", "unsure", "judged"),
    ],
)
def test_examples_of_how_a_task_is_done_are_demos_that_did_it(
    judged: Judged, tmp_path: Path, outcome: str | None, complete: str | None, code: str | None
) -> None:
    verdict = {} if complete is None else _verdict(_DEMO.model_copy(update={"complete": complete}))
    pack = judged({}, {**verdict, "outcome": outcome})
    for any_outcome in (False, True):
        out = tmp_path / str(any_outcome)
        log = export(pack, "lam", out, any_outcome=any_outcome)
        is_left = code is not None and not any_outcome
        left = {name: count for name, count in _left(log).items() if name in {"judged", "failed", "not_known"}}
        assert left == ({code: 11} if is_left else {})
        assert len({row["id"].split(" of ")[1] for row in lines(out / "lam.jsonl")}) == (1 if is_left else 2)


def test_other_formats_take_every_demo(judged: Judged, tmp_path: Path) -> None:
    pack = judged({}, {"outcome": "failure"})
    assert _left(export(pack, "llmresponse", tmp_path / "out")) == {}


def test_the_command_takes_every_demo_when_asked(judged: Judged, tmp_path: Path) -> None:
    pack = judged({}, {"outcome": "failure"})
    words = [str(pack), "-o", str(tmp_path / "out"), "--format", "lam"]
    said = CliRunner().invoke(command, words, catch_exceptions=False).output
    assert "left out: 11 (the task was not done), for instance step 1 of" in said
    assert "the task was not done" not in CliRunner().invoke(command, [*words, "--any-outcome"]).output
