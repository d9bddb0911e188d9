from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from demopack.codecs.llmresponse import format_action, format_response, parse_dsl_action, parse_dsl_response, to_strict
from demopack.codecs.llmresponse_schema import strict_schema
from demopack.domain.actions import LLMResponse, parse_response
from demopack.errors import ActionError
from tests.support.strategies import responses


@given(responses())
def test_a_strict_instance_parses_as_native_and_dumps_back_equal(response: LLMResponse) -> None:
    strict = to_strict(response)
    native = parse_response(json.loads(json.dumps(strict)))
    assert to_strict(native) == strict
    data = response.action.parameters.get("data")
    if data is None or isinstance(data, str):
        assert native == response
    else:  # strict schemas allow no free-form object: it travels as JSON text
        assert json.loads(native.action.data) == data


def _walk(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, dict):
        return [node, *(found for value in node.values() for found in _walk(value))]
    return [found for value in node for found in _walk(value)] if isinstance(node, list) else []


def test_the_strict_schema_is_what_providers_accept() -> None:
    schema = strict_schema()
    for node in _walk(schema):
        assert "oneOf" not in node
        assert "default" not in node
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert sorted(node["required"]) == sorted(node["properties"])


@given(responses())
def test_the_notation_is_loss_free(response: LLMResponse) -> None:
    assert parse_dsl_response(format_response(response)) == response
    assert parse_dsl_action(format_action(response.action)) == response.action


def test_the_notation_of_the_schema_document() -> None:
    action = parse_dsl_action("click(track_id='btn_login_0')")
    assert action.to_wire() == {"action_type": "click", "target": {"track_id": "btn_login_0"}, "parameters": {}}
    assert format_action(action) == 'click(track_id="btn_login_0")'


@pytest.mark.parametrize(
    "text",
    ["", "click", "click('OK')", "click(text=OK)", "a.click(text='OK')", "click(**x)", "click(text='OK'", "1 + 1"],
)
def test_what_is_not_a_call_is_refused(text: str) -> None:
    with pytest.raises(ActionError) as caught:
        parse_dsl_action(text)
    assert caught.value.code == "dsl_syntax"


def test_nothing_in_the_notation_is_executed() -> None:
    with pytest.raises(ActionError):
        parse_dsl_action("click(text=__import__('os').getcwd())")
