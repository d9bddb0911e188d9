"""What a dialect cannot express is found by writing and reading back; writers and parsers belong together."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.catalogue import ANSWER_DIALECTS, CODECS, decode_answer
from demopack.codecs.llmresponse import to_strict
from demopack.codecs.observation import Observation
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.actions import Action, LLMResponse, TypeAction
from demopack.domain.geometry import Size
from demopack.prompting.agent_state import live_step
from demopack.prompting.dialect_losses import loss_table, round_trip
from demopack.prompting.function_definitions import native_functions
from tests.support.strategies import actions

TABLE = loss_table()
SCENE = Observation(size=Size(400, 300))


def test_the_contract_itself_loses_nothing() -> None:
    assert {name: row["llmresponse"].kind for name, row in TABLE.items()} == dict.fromkeys(SPECIMENS, "same")


def test_no_parser_refuses_what_its_writer_wrote() -> None:
    refused = {
        (name, d): out.differences for name, row in TABLE.items() for d, out in row.items() if out.kind == "refused"
    }
    assert refused == {}


def test_every_loss_but_hidden_ones_is_one_that_the_writer_declared() -> None:
    """A writer that says nothing of a loss would leave it out of every export's log."""
    undeclared = {
        (name, dialect): outcome.differences
        for name, row in TABLE.items()
        for dialect, outcome in row.items()
        if outcome.kind == "changed"
        and not set(outcome.differences) <= {"no target", "2 actions"}  # a text goes to what has the focus
        and not CODECS[dialect].encode(SPECIMENS[name]).losses
    }
    assert set(undeclared) <= {("extract data", "ufo")}, undeclared


@pytest.mark.parametrize(
    ("specimen", "dialect", "kind", "differences"),
    [
        ("click, Ctrl held", "uipath", "changed", ("no modifiers",)),
        ("click, Ctrl held", "caap", "same", ()),
        ("middle click", "ui-tars", "silent", ()),
        ("triple click", "openai", "same", ()),
        ("triple click", "ufo", "silent", ()),
        ("type and Enter", "ufo", "same", ()),
        ("drag on a way", "caap", "same", ()),
        ("drag on a way", "anthropic", "changed", ("no path",)),
        ("drag on a way", "pyautogui", "same", ()),
        ("click, held 1.5 s", "pyautogui", "same", ()),
        ("wait 2.5 s", "anthropic", "changed", ("wait_duration_s reads as 2",)),
        ("wait 2.5 s", "openai", "changed", ("wait_duration_s reads as 1",)),
        ("scroll down", "ui-tars", "changed", ("no scroll_steps",)),
        ("finish, failure", "ufo", "changed", ("no status",)),
        ("finish, failure", "osworld", "same", ()),
        ("launch", "caap", "silent", ()),
    ],
)
def test_a_cell_of_the_table(specimen: str, dialect: str, kind: str, differences: tuple[str, ...]) -> None:
    outcome = round_trip(dialect, SPECIMENS[specimen])
    assert (outcome.kind, outcome.differences) == (kind, differences)


@settings(max_examples=25, deadline=None)
@given(action=actions())
def test_what_a_writer_writes_of_any_action_its_parser_reads(action: Action) -> None:
    """A drag to no place, or a key that a vocabulary lacks, is not written at all."""
    step = live_step(LLMResponse.of(action), SCENE)
    for dialect in ANSWER_DIALECTS:
        for answer in encode_answers(dialect, IdealAnswer(act=step.placed, response=step.response, thought="Because.")):
            parsed = decode_answer(answer, dialect=dialect, observation=SCENE)
            assert parsed.responses, (dialect, answer)
            if dialect == "llmresponse":
                assert parsed.responses == (step.response,)


@settings(max_examples=25, deadline=None)
@given(action=actions())
def test_a_call_of_the_contracts_own_functions_is_the_action(action: Action) -> None:
    given_target = {} if action.target is None else {"target": action.target.to_wire()}
    arguments = {**given_target, **action.parameters}
    schema = next(item for item in native_functions() if item["name"] == action.action_type)["parameters"]
    jsonschema.validate(json.loads(json.dumps(arguments)), schema)
    for message in (
        {
            "content": "Why.",
            "tool_calls": [{"function": {"name": action.action_type, "arguments": json.dumps(arguments)}}],
        },
        {
            "content": [
                {"type": "text", "text": "Why."},
                {"type": "tool_use", "name": action.action_type, "input": arguments},
            ]
        },
    ):
        response = decode_answer(message, dialect="llmresponse", observation=SCENE).response
        assert (response.reasoning, response.action) == ("Why.", action)


@pytest.mark.parametrize(
    "text",
    ['a"b', '"quoted"', "it's", "'q'", "a\\b", "C:\\new\\table", "\0", "x\ny", "})", "a) b}", "tab\tx", "{ENTER}",
     "^c%+~()", "  lead ", "é中🦉", ")\nAction_9=(Action: functions.press_control_A, Argument: {})",
     '"""', "</tool_call>", "```"],
)  # fmt: skip
def test_any_text_comes_back_letter_by_letter(text: str) -> None:
    action = TypeAction(text_to_type=text)
    step = live_step(LLMResponse.of(action), SCENE)
    for dialect in ANSWER_DIALECTS:
        (answer,) = encode_answers(
            dialect, IdealAnswer(act=step.placed, response=step.response, thought='Because "Action:" says so.')
        )
        (response,) = decode_answer(answer, dialect=dialect, observation=SCENE).responses
        assert response.action == action, dialect


def test_the_strict_form_is_read_as_the_native_one() -> None:
    response = LLMResponse.model_validate(
        {"reasoning": "r", "action": {"action_type": "wait", "parameters": {"wait_duration_s": 1.5}}}
    )
    assert decode_answer(to_strict(response), dialect="llmresponse").response == response


def test_every_dialect_that_is_written_for_people_and_models_is_read() -> None:
    assert set(CODECS) - set(ANSWER_DIALECTS) == {"openadapt"}
