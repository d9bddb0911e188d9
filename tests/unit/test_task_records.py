"""Records of tasks come in and go out equal; what a person edits since then wins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demopack.codecs.files.json_object import BadRowError, JsonObject
from demopack.codecs.tasks.differences import differences, with_differences
from demopack.codecs.tasks.records import TASK_FORMATS, decode_task, encode_task
from demopack.domain.provenance import by_human
from demopack.domain.tasks import Task
from demopack.domain.verdicts import DemoVerdict
from demopack.json_text import parse_json, without_comments

SEEDS = Path(__file__).parent.parent / "data" / "ufo"
WORD_032 = {
    "task_id": "word_032",
    "task": "Add a border to a page in Word",
    "plan": [
        "1. Go to Design > Page Borders.",
        "2. Make selections for how you want the border to look.",
        "3. To adjust the distance between the border and the edge of the page, select Options.",
        "4. Select OK.",
    ],
}


def read(data: dict[str, Any]) -> Task:
    task = decode_task(JsonObject(data=data, file="a.json"), name="a.json", provenance=by_human())
    return Task.model_validate_json(task.model_dump_json())


def seed(name: str) -> dict[str, Any]:
    found: dict[str, Any] = parse_json(without_comments((SEEDS / name).read_text("utf-8")))
    return found


@pytest.mark.parametrize("name", ["5.json", "102.json"])
def test_the_results_that_ufo_prints_go_out_as_they_came(name: str) -> None:
    data = seed(name)
    task = read(data)
    assert encode_task(task, "ufo_result") == data
    assert task.state == "complete"
    assert task.plan[0][0].isupper(), "the numbers before the steps are none of their words"


def test_what_a_result_says_is_known() -> None:
    task = read(seed("5.json"))
    made, verdict = task.instantiation, task.verdict
    assert made is not None
    assert verdict is not None
    assert made.request == "Turn the line of text 'text to edit' into a bulleted list in Word."
    assert [(s.function, s.control_text, s.success, s.matched_text) for s in made.steps] == [
        ("select_text", "", True, None),
        ("click_input", "Bullets", True, "Bullets"),
    ]
    assert [(s.name, s.met) for s in verdict.sub_scores] == [
        ("text selection", "yes"),
        ("bulleted list conversion", "yes"),
    ]
    assert task.feasibility is not None
    assert task.feasibility.judge
    assert {stage: one.seconds for stage, one in task.stages.items()} == {
        "choose_template": 0.012,
        "prefill": 15.649,
        "instantiation_evaluation": 2.469,
        "execute": 5.824,
        "execute_eval": 8.702,
    }


def test_the_paper_s_record_and_ufo_s_task_go_out_as_they_came() -> None:
    assert encode_task(read(WORD_032), "record") == WORD_032
    assert read(WORD_032).plan[3] == "Select OK."
    assert read(WORD_032).id == "word_032"
    assert encode_task(read(seed("task.json")), "ufo_task") == seed("task.json")


def test_a_record_becomes_a_task_of_ufo() -> None:
    assert encode_task(read({**WORD_032, "app": "word"}), "ufo_task") == {
        "app": "word",
        "unique_id": "word_032",
        "task": WORD_032["task"],
        "refined_steps": list(read(WORD_032).plan),
    }


def test_what_was_edited_since_wins_over_what_the_source_said() -> None:
    task = read(seed("102.json"))
    assert task.verdict is not None
    judged = DemoVerdict(reason="It does not.", complete="no", provenance=by_human())
    out = encode_task(task.but(verdict=judged, plan=("Look.",)), "ufo_result")
    assert out["execution_result"]["result"] == {"reason": "It does not.", "sub_scores": {}, "complete": "no"}
    assert out["original"]["original_steps"] == ["1. Look."]
    row = out["instantiation_result"]["prefill"]["result"]["instantiated_plan"][0]
    assert "MatchedControlText" not in row, "what nobody edited goes out as it came"


def test_errors_of_stages_stay_in_their_place() -> None:
    data = seed("5.json")
    data["instantiation_result"]["prefill"] = {"result": None, "error": {"type": "Timeout", "message": "It took 60 s."}}
    data["execution_result"] = {"result": None, "error": "Step 2 execution failed"}
    task = read(data)
    assert task.state == "stage_failed"
    assert task.stages["prefill"].error == "It took 60 s."
    assert task.stages["execute"].error == "Step 2 execution failed"
    assert encode_task(task, "ufo_result") == data


@pytest.mark.parametrize(
    ("data", "field", "why"),
    [
        ({"task": "Print"}, "", "it is no task"),
        ({"task": "Print", "plan": 4}, "plan", "neither a list of steps nor a text"),
        ({"task": "Print", "plan": ["Press", 4]}, "plan[1]", "not a text"),
        ({"task": None, "plan": []}, "task", "missing"),
        ({"task": {"a": 1}, "refined_steps": []}, "task", "an object, not a text"),
        (
            {"instantiation_result": {}, "execution_result": {"result": {"complete": "perhaps"}}},
            "execution_result.result.complete",
            "not yes, no or unsure",
        ),
        ({"instantiation_result": {}, "time_cost": {"prefill": -1}}, "time_cost.prefill", "no time"),
    ],
)
def test_what_is_wrong_is_named(data: dict[str, Any], field: str, why: str) -> None:
    with pytest.raises(BadRowError, match=why) as caught:
        read(data)
    assert (caught.value.file, caught.value.field) == ("a.json", field)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab1", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from("abcd"), JSON, max_size=4)


@given(OBJECTS, OBJECTS)
def test_differences_lead_from_any_object_to_any_other(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert dump(with_differences(ours, differences(ours, theirs))) == dump(theirs)


@given(OBJECTS, OBJECTS, OBJECTS)
def test_differences_change_nothing_that_was_edited_since(
    ours: dict[str, Any], theirs: dict[str, Any], edited: dict[str, Any]
) -> None:
    out = with_differences(edited, differences(ours, theirs))
    for key, value in edited.items():
        if key not in ours or (dump(value) != dump(ours[key]) and not isinstance(value, (dict, list))):
            assert dump(out[key]) == dump(value)


@given(st.sampled_from(sorted(TASK_FORMATS)), OBJECTS)
def test_fields_that_nobody_knows_are_not_dropped(form: str, more: dict[str, Any]) -> None:
    known = {"record": WORD_032, "ufo_task": seed("task.json"), "ufo_result": seed("5.json")}[form]
    data = {**{f"x_{key}": value for key, value in more.items()}, **known}
    assert encode_task(read(data), form) == data


def dump(value: object) -> str:
    return json.dumps(value, sort_keys=True)
