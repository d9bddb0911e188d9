"""Messages, tools and calls as the SDKs of the providers type them; UI-TARS's own parser agrees with ours."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from demopack.codecs.answers import IdealAnswer, encode_answers
from demopack.codecs.catalogue import decode_answer
from demopack.codecs.observation import Observation
from demopack.codecs.specimens import SPECIMENS
from demopack.domain.geometry import Size
from demopack.prompting.agent_state import AgentState
from demopack.prompting.function_definitions import FUNCTION_DIALECTS, as_anthropic, as_openai, functions_for
from demopack.prompting.prompt_builder import PROMPT_DIALECTS, render
from tests.support.prompt_demos import figure_9

PROMPTS = [render(AgentState(task="Select Helli"), [figure_9()], dialect=name) for name in PROMPT_DIALECTS]


def test_openai_takes_the_messages_and_the_tools() -> None:
    chat = pytest.importorskip("openai.types.chat", reason="the openai SDK is not installed")
    messages = TypeAdapter(list[chat.ChatCompletionMessageParam])
    tools = TypeAdapter(list[chat.ChatCompletionToolParam])
    for prompt in PROMPTS:
        messages.validate_python([{"role": m.role, "content": m.text} for m in prompt.messages])
    for name in FUNCTION_DIALECTS:
        assert len(tools.validate_python(as_openai(functions_for(name)))) == len(functions_for(name))


def test_anthropic_takes_the_messages_and_the_tools() -> None:
    types = pytest.importorskip("anthropic.types", reason="the anthropic SDK is not installed")
    messages, tools = TypeAdapter(list[types.MessageParam]), TypeAdapter(list[types.ToolParam])
    for prompt in PROMPTS:
        messages.validate_python([{"role": m.role, "content": m.text} for m in prompt.messages if m.role != "system"])
    for name in FUNCTION_DIALECTS:
        tools.validate_python(as_anthropic(functions_for(name)))


def test_a_message_object_of_openai_is_read_as_it_comes() -> None:
    chat = pytest.importorskip("openai.types.chat", reason="the openai SDK is not installed")
    call = {"id": "c1", "type": "function", "function": {"name": "type_text", "arguments": '{"string_to_type": "Ada"}'}}
    message = chat.ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": [call]})
    parsed = decode_answer(message.model_dump(), dialect="caap")
    assert parsed.response.action.parameters == {"text_to_type": "Ada"}


def test_a_message_object_of_anthropic_is_read_as_it_comes() -> None:
    types = pytest.importorskip("anthropic.types", reason="the anthropic SDK is not installed")
    content: list[dict[str, Any]] = [
        {"type": "text", "text": "The list first."},
        {"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": "left_click", "coordinate": [50, 25]}},
    ]
    message = types.Message.model_validate(
        {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": content, "stop_reason": "tool_use",
         "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    )  # fmt: skip
    response = decode_answer(
        message.model_dump(), dialect="anthropic", observation=Observation(size=Size(100, 50))
    ).response
    assert response.reasoning == "The list first."
    assert response.action.target is not None
    assert response.action.target.bbox == (0.5, 0.5, 0.0, 0.0)


def test_the_parser_of_ui_tars_finds_the_same_places() -> None:
    theirs = pytest.importorskip("ui_tars.action_parser", reason="ui-tars is not installed")
    kinds = {"click": "click", "double click": "left_double", "right click": "right_single", "drag": "drag"}
    for name, kind in kinds.items():
        act = SPECIMENS[name]
        (answer,) = encode_answers("ui-tars", IdealAnswer(act=act, thought="Because."))
        (found,) = theirs.parse_action_to_structure_output(
            answer, factor=1000, origin_resized_height=500, origin_resized_width=1000, model_type="qwen2vl"
        )
        ours = decode_answer(answer, dialect="ui-tars", observation=Observation(size=Size(1000, 500))).response.action
        assert found["action_type"] == kind
        assert ours.target is not None
        assert ours.target.bbox is not None
        box = [float(value) for value in found["action_inputs"]["start_box"].strip("[]()").split(",")]
        assert box[:2] == pytest.approx(ours.target.bbox[:2], abs=0.002)
