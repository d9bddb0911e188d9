"""Every action in every vocabulary that has a package of its own, read by that package."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from pydantic import TypeAdapter

from demopack.codecs.catalogue import CODECS
from demopack.codecs.specimens import SPECIMENS
from tests.support.exports import plain

SIZE = (1000, 500)


def _said(dialect: str) -> list[tuple[str, Any]]:
    """Every call of every specimen, but for those that are words of an assistant."""
    return [
        (name, call)
        for name, act in SPECIMENS.items()
        for call in CODECS[dialect].encode(act).calls
        if isinstance(call, str) or call.get("type") != "message"
    ]


def test_openai_takes_every_action_and_adds_nothing() -> None:
    responses = pytest.importorskip("openai.types.responses", reason="OpenAI's package is not installed")
    adapter: TypeAdapter[Any] = TypeAdapter(responses.ComputerAction)
    for name, call in _said("openai"):
        assert adapter.validate_python(call).to_dict(exclude_unset=True) == call, name


def test_openai_takes_every_action_as_part_of_a_question() -> None:
    """What is sent is typed more strictly than what is received: a double click needs its keys."""
    responses = pytest.importorskip("openai.types.responses", reason="OpenAI's package is not installed")
    adapter: TypeAdapter[Any] = TypeAdapter(responses.ComputerActionParam)
    for name, call in _said("openai"):
        assert plain(adapter.validate_python(call)) == call, name


def test_anthropic_takes_every_action_and_adds_nothing() -> None:
    types = pytest.importorskip("anthropic.types", reason="Anthropic's package is not installed")
    adapter: TypeAdapter[Any] = TypeAdapter(types.ComputerToolUseBlock)
    around = {"type": "tool_use", "id": "t", "toolset_name": "computer", "caller": {"type": "direct"}}
    for name, call in _said("anthropic"):
        assert adapter.validate_python({**around, **call}).input.to_dict(exclude_unset=True) == call["input"], name


def test_openadapt_takes_every_action_and_keeps_it() -> None:
    package = pytest.importorskip("openadapt_types", reason="openadapt-types is not installed")
    for name, call in _said("openadapt"):
        read = package.Action.model_validate(call)
        kept = read.model_dump(mode="json", exclude_unset=True)
        assert kept == call, name


@pytest.mark.parametrize(("dialect", "model"), [("ui-tars", "qwen2vl"), ("ui-tars-1.5", "qwen25vl")])
def test_ui_tars_reads_every_action_with_its_arguments(dialect: str, model: str) -> None:
    """Its parser takes version 1.5's places for pixels of the resized picture."""
    parser = pytest.importorskip("ui_tars.action_parser", reason="UI-TARS' parser is not installed")
    known = {"click", "left_double", "right_single", "drag", "hotkey", "type", "scroll", "wait", "finished"}
    for name, call in _said(dialect):
        (read,) = parser.parse_action_to_structure_output(
            f"Thought: so\nAction: {call}", factor=1000, origin_resized_height=SIZE[1], origin_resized_width=SIZE[0],
            model_type=model,
        )  # fmt: skip
        assert read["action_type"] == call.partition("(")[0]
        assert read["action_type"] in known
        if SPECIMENS[name].at is not None:
            x, y, *_ = ast.literal_eval(read["action_inputs"]["start_box"])
            assert (x, y) == pytest.approx((0.5, 0.2), abs=0.5 / 504)
        if SPECIMENS[name].to is not None:
            x, y, *_ = ast.literal_eval(read["action_inputs"]["end_box"])
            assert (x, y) == pytest.approx((0.3, 0.8), abs=0.5 / 504)


@pytest.mark.parametrize(("specimen", "moved"), [("scroll down", "-"), ("scroll up", "")])
def test_ui_tars_own_code_scrolls_the_way_we_meant(specimen: str, moved: str) -> None:
    parser = pytest.importorskip("ui_tars.action_parser", reason="UI-TARS' parser is not installed")
    (call,) = CODECS["ui-tars"].encode(SPECIMENS[specimen]).calls
    read = parser.parse_action_to_structure_output(
        f"Thought: so\nAction: {call}", factor=1000, origin_resized_height=SIZE[1], origin_resized_width=SIZE[0],
        model_type="qwen2vl",
    )  # fmt: skip
    code = parser.parsing_response_to_pyautogui_code(read, image_height=SIZE[1], image_width=SIZE[0])
    assert f"pyautogui.scroll({moved}5" in code
    # And our own code for the same step has the same sign.
    (own,) = CODECS["pyautogui"].encode(SPECIMENS[specimen]).calls
    assert own.startswith(f"pyautogui.scroll({moved}3")
