"""The shipped JSON Schemas are those of the models, and accept and refuse what the models do."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from demopack.codecs.llmresponse import to_strict
from demopack.domain.actions import LLMResponse, parse_response
from demopack.domain.demos import DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.errors import ActionError
from demopack.pack.manifest import MANIFEST
from demopack.pack.rows import DemoRow, ElementRow, StepRow, StoredFrame
from demopack.pack.schemas import generate_schemas, schema_files
from demopack.resources import asset
from tests.support.strategies import responses

NATIVE = json.loads(schema_files()["llmresponse.json"])
STRICT = json.loads(schema_files()["llmresponse_strict.json"])
GENERATED = generate_schemas()  # once: it takes a while


def accepts(schema: dict[str, Any], data: object) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(data)


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_the_files_are_what_the_models_generate(name: str) -> None:
    """After a change of a model: python scripts/write_schemas.py, and look at the difference."""
    assert asset(f"schema/{name}").read_text(encoding="utf-8") == GENERATED[name]


def test_nothing_else_lies_among_them() -> None:
    assert {path.name for path in asset("schema").iterdir()} == set(GENERATED) == set(schema_files())
    assert MANIFEST in schema_files()


@pytest.mark.parametrize("name", sorted(GENERATED))
def test_each_is_a_schema_and_every_field_is_described(name: str) -> None:
    schema = json.loads(schema_files()[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "Attributes:" not in schema_files()[name]
    assert "``" not in schema_files()[name]


LEFT_OUT = {
    DemoHead: {"accepted", "take_of", "take_after", "redaction"},
    Element: {"evidence"},
    Frame: set[str](),
    Step: set[str](),
}
"""What concerns a library alone."""
RENAMED = {DemoHead: {"id": "demo"}, Step: {"id": "step", "action": "recorded_action"}}


@pytest.mark.parametrize(
    ("kind", "row"), [(DemoHead, DemoRow), (Element, ElementRow), (Frame, StoredFrame), (Step, StepRow)]
)
def test_a_new_field_is_in_packs_too(kind: type[Record], row: type[Record]) -> None:
    """Rows take fields by their names: one that is added to the row as well travels without another word."""
    names = {RENAMED.get(kind, {}).get(name, name) for name in kind.model_fields.keys() - LEFT_OUT[kind]}
    assert names - row.model_fields.keys() == set()


@given(responses())
@settings(max_examples=60, deadline=None)
def test_every_response_fulfils_the_native_schema_and_its_strict_form_both(response: LLMResponse) -> None:
    assert accepts(NATIVE, response.to_wire())
    strict = to_strict(response)
    assert accepts(STRICT, strict)
    assert accepts(NATIVE, strict)


CLICK = {"action_type": "click", "target": {"text": "Go"}, "parameters": {}}
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("click_without_target", {"target": None}),
    ("unknown_action", {"action_type": "tap"}),
    ("unknown_parameter", {"parameters": {"speed": 3}}),
    ("bad_parameter", {"parameters": {"click_type": "long"}}),
    ("bbox_out_of_range", {"target": {"bbox": [2, 0, 0, 0]}}),
    ("bbox_malformed", {"target": {"bbox": [0, 0, 1]}}),
    ("empty_target", {"target": {"text": None}}),
    ("empty_target", {"target": {}}),
    ("unknown_field", {"target": {"text": "Go", "id": 3}}),
    ("type_without_text", {"action_type": "type"}),
    ("drag_without_end", {"action_type": "drag"}),
    ("target_not_allowed", {"action_type": "wait", "parameters": {"wait_duration_s": 1}}),
    ("bad_element_id", {"target": {"element_id": 0}}),
    ("empty_text", {"target": {"text": ""}}),
    ("empty_text", {"target": {"track_id": "", "text": "Go"}}),
    (
        "bad_element_id",
        {"action_type": "drag", "parameters": {"end_target": {"element_id": 0}}},
    ),
    ("empty_text", {"action_type": "drag", "parameters": {"end_target": {"text": ""}}}),
    ("scroll_without_direction", {"action_type": "scroll"}),
]


@pytest.mark.parametrize(("code", "change"), WRONG, ids=[f"{i}-{code}" for i, (code, _) in enumerate(WRONG)])
def test_what_the_models_refuse_the_schema_refuses(code: str, change: dict[str, Any]) -> None:
    good = {"reasoning": "", "action": CLICK, "is_goal_complete": False}
    assert accepts(NATIVE, good)
    bad = copy.deepcopy(good)
    bad["action"].update(change)  # type: ignore[union-attr, attr-defined]
    assert not accepts(NATIVE, bad)
    with pytest.raises(ActionError) as caught:
        parse_response(bad)
    assert caught.value.code == code


def test_an_end_that_failed_has_no_flag() -> None:
    done = {"action_type": "finish_goal", "target": None, "parameters": {}}
    assert accepts(NATIVE, {"reasoning": "", "action": done, "is_goal_complete": True})
    assert accepts(NATIVE, {"reasoning": "", "action": done})
    assert accepts(NATIVE, {"reasoning": "", "action": CLICK, "is_goal_complete": True})
    failed = {**done, "parameters": {"status": "failure"}}
    assert accepts(NATIVE, {"reasoning": "", "action": failed})
    assert not accepts(NATIVE, {"reasoning": "", "action": failed, "is_goal_complete": True})


def test_the_strict_form_counts_elements_from_1() -> None:
    strict = to_strict(parse_response({"reasoning": "", "action": {**CLICK, "target": {"element_id": 1}}}))
    assert accepts(STRICT, strict)
    strict["action"]["target"]["element_id"] = 0
    assert not accepts(STRICT, strict)


@pytest.mark.parametrize(
    "word", ["minLength", "oneOf", "allOf", "prefixItems", '"default"', '"if"', "patternProperties"]
)
def test_strict_providers_find_no_word_they_refuse(word: str) -> None:
    assert word not in schema_files()["llmresponse_strict.json"]
