"""Results of UFO's dataflow come back as they were, and ours tell what a judge said.

The results are those of its documentation, as they stand there (``tests/data/ufo``); how its program writes what went
wrong is taken from microsoft/UFO b28183f, ``dataflow/data_flow_controller.py`` and ``execute_flow.py``.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from demopack.codecs.files.base import DemoReport, ImportOptions
from demopack.codecs.files.json_object import BadRowError
from demopack.domain.demos import Demo
from demopack.domain.edits import Change, Edit
from demopack.domain.provenance import Provenance, by_human
from demopack.domain.verdicts import Answer, DemoVerdict, StepVerdict, SubScore
from demopack.pack.check.exports_folder import check_path
from demopack.pack.import_demos import import_demos
from demopack.pack.reader import open_packs
from demopack.pack.writer import export_pack
from demopack.prompting.scoring import predictions
from demopack.prompting.scoring.step_scores import score_step
from demopack.store import Library
from tests.support.demos import CREATED_AT
from tests.support.exports import export, make_pack
from tests.support.packs import PackFolder

RESULTS = Path(__file__).parents[1] / "data" / "ufo"
JUDGE = Provenance(kind="model", name="openai:judge-1", at=CREATED_AT, reason="judge")
Json = dict[str, Any]


def documented(name: str) -> Json:
    found: Json = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def taken_in(folder: Path, result: Json) -> tuple[Demo, DemoReport]:
    """A result as a demo of a library, which stays in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    with Library.open(folder / "library") as library:
        (report,) = import_demos([folder / "result.json"], library, options=ImportOptions()).demos
        return library.demo(report.demo), report


def given_back(folder: Path, demo: str) -> tuple[str, Json]:
    """A demo of the library there as UFO's result, through a pack: its folder and the file."""
    with Library.open(folder / "library") as library:
        export_pack(library, [demo], folder / "pack", licence="CC0-1.0")
    return exported(folder / "pack", folder / "out")


def exported(pack: Path, folder: Path) -> tuple[str, Json]:
    export(pack, "ufo", folder)
    file = min((folder / "dataflow").glob("*/*.json"))
    return file.parent.name, json.loads(file.read_text(encoding="utf-8"))


def round_trip(folder: Path, result: Json) -> tuple[str, Json]:
    demo, _ = taken_in(folder, result)
    return given_back(folder, demo.head.id)


def plan_of(result: Json) -> list[Json]:
    found: list[Json] = result["instantiation_result"]["prefill"]["result"]["instantiated_plan"]
    return found


@pytest.mark.parametrize("name", ["5", "102"])
def test_the_documented_results_come_back_equal(tmp_path: Path, name: str) -> None:
    result = documented(name)
    once = round_trip(tmp_path / "once", result)
    assert once == ("execution_pass", result)
    assert round_trip(tmp_path / "twice", once[1]) == once


def test_what_an_evaluator_said_is_the_demos_verdict(tmp_path: Path) -> None:
    demo, report = taken_in(tmp_path, documented("5"))
    verdict, origin = demo.head.verdict, demo.head.origin
    assert verdict is not None
    assert verdict.complete == "yes"
    assert [(part.name, part.met) for part in verdict.sub_scores] == [
        ("text selection", "yes"), ("bulleted list conversion", "yes"),
    ]  # fmt: skip
    assert (verdict.quality, verdict.alignment, verdict.provenance.name) == (None, None, "import")
    assert demo.head.outcome == "success"
    assert origin is not None
    assert origin.said["time_cost"]["execute_eval"] == 8.702
    assert origin.said["original"]["original_task"] == "Turning lines of text into a bulleted list in Word"
    # What the demo itself holds stands there alone.
    assert demo.head.task not in json.dumps(origin.said)
    assert {item.code for item in report.lost} == {"pictures", "noted"}


@pytest.mark.parametrize(
    ("outcome", "judged", "complete", "folder"),
    [
        ("success", "no", "no", "execution_fail"),
        ("failure", "yes", "yes", "execution_pass"),
        ("success", "unsure", "unsure", "execution_unsure"),
        ("success", None, "yes", "execution_pass"),
        ("failure", None, "no", "execution_fail"),
        (None, None, "unsure", "execution_unsure"),
    ],
)
def test_a_judge_decides_then_the_person_then_nobody(
    tmp_path: Path, outcome: str | None, judged: Answer | None, complete: str, folder: str
) -> None:
    parts = (SubScore(name="saved", met="no"), SubScore(name="named", met="unsure"), SubScore(name="saved", met="yes"))
    verdict = judged and DemoVerdict(reason="Seen.", sub_scores=parts, complete=judged, provenance=JUDGE).to_json()
    pack = PackFolder(make_pack(tmp_path, sample=False))
    pack.edit_row("demos", 0, lambda row: row.update(outcome=outcome, verdict=verdict, outcome_reason="Done."))
    where, result = exported(pack.path, tmp_path / "out")
    said = result["execution_result"]["result"]
    assert (where, said["complete"]) == (folder, complete)
    assert said["sub_scores"] == ({"saved": "no", "named": "unsure", "saved (2)": "yes"} if judged else {})
    assert said["reason"] == ("Seen." if judged else "Done.")


@pytest.mark.parametrize(("correct", "success"), [("no", False), ("unsure", None), ("yes", True), (None, True)])
def test_a_step_that_a_judge_found_wrong_is_no_success(
    tmp_path: Path, correct: Answer | None, success: bool | None
) -> None:
    pack = PackFolder(make_pack(tmp_path, sample=False))
    verdict = StepVerdict(correct=correct, reflection="So it is.", provenance=JUDGE).to_json()
    pack.edit_row("steps", 0, lambda row: row.update(verdict=verdict))
    _, result = exported(pack.path, tmp_path / "out")
    first, *others = plan_of(result)
    assert first["Success"] is success
    assert first["MatchedControlText"] == (first["ControlText"] or None)
    assert all(row["Success"] is True for row in others)


def test_what_somebody_changed_since_is_what_is_told(tmp_path: Path) -> None:
    demo, _ = taken_in(tmp_path, documented("5"))
    pack = tmp_path / "pack"
    with Library.open(tmp_path / "library") as library:
        export_pack(library, [demo.head.id], pack, licence="CC0-1.0")
    changed = PackFolder(pack)
    bold = {"element_id": 12, "text": "Bold"}

    def other(row: Json) -> None:
        row["response"]["action"]["target"] = row["recorded_action"]["target"] = bold
        row["description"] = "Click Bold."

    changed.edit_row("steps", 0, other)
    changed.edit_row("demos", 0, lambda row: row.update(task="Make it bold"))
    changed.edit_row("demos", 0, lambda row: row["verdict"].update(complete="no", sub_scores=[]))
    where, result = exported(pack, tmp_path / "out")
    first, second = plan_of(result)
    assert where == "execution_fail"
    assert first == plan_of(documented("5"))[0]
    assert second == {
        "Step": 2, "Subtask": "Click Bold.", "ControlLabel": "12", "ControlText": "Bold", "Function": "click_input",
        "Args": {"button": "left", "double": False}, "Success": True, "MatchedControlText": "Bold",
    }  # fmt: skip
    assert result["instantiation_result"]["prefill"]["result"]["instantiated_request"] == "Make it bold"
    assert result["original"] == documented("5")["original"]
    assert result["execution_result"]["result"] == {
        **documented("5")["execution_result"]["result"], "complete": "no", "sub_scores": {},
    }  # fmt: skip


def failed(step: int) -> Json:
    """The documented result 5 as the program writes it when one of its steps fails."""
    result = copy.deepcopy(documented("5"))
    message = f"Execution failed. Step {step} execution failed. Control with text 'Bullets' not found."
    result["execution_result"] = {
        "result": None,
        "error": {"type": "RuntimeError", "message": message, "traceback": "Traceback (most recent call last): ..."},
    }
    for row in plan_of(result)[step - 1 :]:
        row.update(Success=False if row["Step"] == step else None, MatchedControlText=None)
    result["time_cost"]["execute_eval"] = None
    return result


def test_an_error_stays_in_place_and_with_its_step(tmp_path: Path) -> None:
    result = failed(2)
    demo, _ = taken_in(tmp_path, result)
    click, end = demo.steps
    assert click.verdict is not None
    assert click.verdict.correct == "no"
    assert "Control with text 'Bullets' not found." in click.verdict.reflection
    assert (demo.head.outcome, end.action.parameters["status"]) == ("failure", "failure")
    assert "Step 2 execution failed" in demo.head.outcome_reason
    assert given_back(tmp_path, demo.head.id) == ("execution_fail", result)


def test_an_error_that_names_a_step_without_success_is_that_steps(tmp_path: Path) -> None:
    result = failed(2)
    plan_of(result)[1]["Success"] = None
    demo, _ = taken_in(tmp_path, result)
    assert demo.steps[0].verdict is not None
    assert given_back(tmp_path, demo.head.id) == ("execution_fail", result)


@pytest.mark.parametrize("error", ["The template is in use.", {"type": "x", "error_message": "y", "traceback": "z"}])
def test_errors_of_the_stages_before_stay_in_place(tmp_path: Path, error: object) -> None:
    result = copy.deepcopy(documented("5"))
    result["instantiation_result"]["choose_template"] = {"result": None, "error": error}
    result["instantiation_result"]["instantiation_evaluation"] = {"result": None, "error": error}
    result["time_cost"] |= {"choose_template": None, "instantiation_evaluation": None}
    assert round_trip(tmp_path, result) == ("execution_pass", result)


def test_a_plan_that_was_never_carried_out_is_an_unfinished_demo(tmp_path: Path) -> None:
    result = copy.deepcopy(documented("5"))
    result["execution_result"] = {"result": None, "error": None}
    for row in plan_of(result):
        del row["Success"], row["MatchedControlText"]
    demo, report = taken_in(tmp_path, result)
    assert (demo.head.status, demo.head.outcome, demo.head.verdict) == ("partial", None, None)
    assert demo.head.missing == "UFO has not carried out these steps: they are a plan."
    assert "not_executed" in {item.code for item in report.assumed}
    assert given_back(tmp_path, demo.head.id) == ("execution_unsure", result)


@pytest.mark.parametrize(("complete", "folder"), [("no", "execution_fail"), ("unsure", "execution_unsure")])
def test_results_that_are_no_success_come_back_to_their_folder(tmp_path: Path, complete: str, folder: str) -> None:
    result = copy.deepcopy(documented("5"))
    result["execution_result"]["result"]["complete"] = complete
    assert round_trip(tmp_path, result) == (folder, result)


def test_a_plan_of_what_has_no_action_of_ours_is_not_lost(tmp_path: Path) -> None:
    result = copy.deepcopy(documented("5"))
    plan_of(result).pop()
    demo, _ = taken_in(tmp_path, result)
    assert [step.action.action_type for step in demo.steps] == ["finish_goal"]
    assert "select_text" in demo.steps[0].note
    assert given_back(tmp_path, demo.head.id) == ("execution_pass", result)


def test_parts_of_the_task_are_read_as_the_evaluator_lists_them(tmp_path: Path) -> None:
    result = copy.deepcopy(documented("102"))
    parts = result["execution_result"]["result"]["sub_scores"]
    listed = [{"name": name, "evaluation": met.title()} for name, met in parts.items()]
    result["execution_result"]["result"]["sub_scores"] = listed
    demo, _ = taken_in(tmp_path, result)
    assert demo.head.verdict is not None
    assert {part.name: part.met for part in demo.head.verdict.sub_scores} == parts
    assert given_back(tmp_path, demo.head.id) == ("execution_pass", result)


TWICE = [{"name": "one", "evaluation": "yes"}, {"name": "one", "evaluation": "No", "why": "so"}]


@pytest.mark.parametrize(
    "written",
    [
        *({"sub_scores": one} for one in (None, "", [], TWICE, '{"one": "yes"}', {"one": "Yes"}, {"one": None})),
        *({"reason": one} for one in (None, "", 5)),
        {"complete": None, "sub_scores": {}},
    ],
)
def test_whatever_an_evaluator_writes_comes_back_until_a_judge_says_otherwise(tmp_path: Path, written: Json) -> None:
    result = copy.deepcopy(documented("5"))
    result["execution_result"]["result"] |= written
    demo, _ = taken_in(tmp_path, result)
    assert given_back(tmp_path, demo.head.id)[1] == result
    assert check_path(tmp_path / "out").findings == []
    verdict = DemoVerdict(reason="No.", complete="no", sub_scores=(SubScore(name="two", met="no"),), provenance=JUDGE)
    pack = PackFolder(tmp_path / "pack")
    pack.edit_row("demos", 0, lambda row: row.update(verdict=verdict.to_json()))
    folder, back = exported(pack.path, tmp_path / "anew")
    assert folder == "execution_fail"
    assert back["execution_result"]["result"] == {"reason": "No.", "sub_scores": {"two": "no"}, "complete": "no"}


@pytest.mark.parametrize(("written", "complete"), [("", "unsure"), (" YES", "yes"), ("No", "no")])
def test_how_it_ended_comes_back_in_the_words_that_ufo_files_by(tmp_path: Path, written: str, complete: str) -> None:
    result = copy.deepcopy(documented("5"))
    result["execution_result"]["result"]["complete"] = written
    demo, report = taken_in(tmp_path, result)
    assert "complete" in {item.code for item in report.assumed}
    assert given_back(tmp_path, demo.head.id)[1]["execution_result"]["result"]["complete"] == complete


def test_what_a_result_says_as_null_comes_back_until_somebody_says_it(tmp_path: Path) -> None:
    result = copy.deepcopy(documented("5"))
    result["app"] = result["execution_result"] = None
    result["instantiation_result"]["prefill"]["result"]["instantiated_request"] = None
    plan_of(result)[0]["Args"] = None
    assert round_trip(tmp_path, result) == ("execution_unsure", result)
    assert check_path(tmp_path / "out").findings == []


def test_a_pack_knows_nothing_of_a_step_that_was_deleted(tmp_path: Path) -> None:
    demo, _ = taken_in(tmp_path, documented("5"))
    with Library.open(tmp_path / "library") as library:
        gone = Edit(
            id="edit_1", label="Delete", changes=(Change.between(demo.steps[0], None),), provenance=by_human("somebody")
        )
        library.commit(demo.head.id, gone)
        export_pack(library, [demo.head.id], tmp_path / "pack", licence="CC0-1.0")
    with open_packs([tmp_path / "pack"]) as source:
        (found,) = source.demos()
    assert found.head.origin is not None
    assert (demo.head.origin is not None, found.head.origin.steps) == (True, {})


def test_an_answer_is_right_by_the_name_of_a_control_that_nobody_has_seen(tmp_path: Path) -> None:
    """Result 5 was clicked on “Bullets”; UFO's results have no pictures, so a name is all that tells where."""
    demo, _ = taken_in(tmp_path, documented("5"))
    given_back(tmp_path, demo.head.id)
    with open_packs([tmp_path / "pack"]) as packs:
        recorded = next(iter(packs.demos()))
    said = [step.response.to_wire() for step in recorded.steps]
    assert said[0]["action"]["target"]["text"] == "Bullets"
    assert all(score_step(recorded, number, predictions.Answer(parts=(one,))).right for number, one in enumerate(said))
    said[0]["action"]["target"]["text"] = "Numbering"
    assert not score_step(recorded, 0, predictions.Answer(parts=(said[0],))).right


@pytest.mark.parametrize(
    ("wrong", "why"),
    [(('"total": 43.522', '"total": NaN'), "NaN is not a JSON number"), (('"time_cost"', '"time_cost'), "not JSON")],
)
def test_a_result_that_is_no_json_is_refused_with_what_is_wrong(
    tmp_path: Path, wrong: tuple[str, str], why: str
) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "5.json").write_text(json.dumps(documented("5")).replace(*wrong), encoding="utf-8")
    (folder / "other.json").write_text("{", encoding="utf-8")
    with Library.open(tmp_path / "library") as library, pytest.raises(BadRowError, match=why) as caught:
        import_demos([folder], library)
    assert "5.json" in caught.value.user_message
