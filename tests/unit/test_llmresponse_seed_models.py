"""The models of the schema document against ours: what they accept is read and given back equal, or refused by name."""

from __future__ import annotations

import json
from typing import Any, Dict, Literal, Optional, Tuple  # noqa: UP035 - the document's own spelling

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from demopack.codecs.llmresponse import format_response, parse_dsl_response, to_strict
from demopack.domain.actions import ACTION_MODELS, LLMResponse, parse_response
from demopack.domain.keys import parse_key_info
from demopack.errors import ActionError

# The document's schema as its text stands there; it imports Literal from pydantic, which has none.
Bounds = Tuple[float, float, float, float]  # noqa: UP006


class SeedTarget(BaseModel):
    track_id: Optional[str] = Field(None, description="Persistent tracking ID (preferred)")  # noqa: UP045
    element_id: Optional[int] = Field(None, description="Per-frame UIElement ID")  # noqa: UP045
    text: Optional[str] = Field(None, description="Text content match")  # noqa: UP045
    bbox: Optional[Bounds] = Field(None, description="Normalized [x, y, w, h] box")  # noqa: UP045


class SeedAction(BaseModel):
    action_type: Literal["click", "type", "scroll", "press_key", "wait", "finish_goal", "hover"]
    target: Optional[SeedTarget] = None  # noqa: UP045
    parameters: Dict[str, Any] = Field(default_factory=dict)  # noqa: UP006


class SeedResponse(BaseModel):
    reasoning: str
    action: SeedAction
    is_goal_complete: bool = False


def answer(kind: str, target: object = None, parameters: object = None, *, complete: bool = False) -> dict[str, Any]:
    action = {"action_type": kind, "target": target, "parameters": parameters or {}}
    return {"reasoning": "r", "action": action, "is_goal_complete": complete}


OK = {"text": "OK"}
READ = {
    "a wait of no said length": answer("wait"),
    "a click that ends the task": answer("click", OK, complete=True),
    "typing that ends the task": answer("type", OK, {"text_to_type": "x"}, complete=True),
    "a wait that ends the task": answer("wait", None, {"wait_duration_s": 2}, complete=True),
    "an end without the goal": answer("finish_goal"),
    "an end with the goal": answer("finish_goal", complete=True),
    "a scroll of no said length": answer("scroll", None, {"scroll_direction": "down"}),
    "a hover of no said length": answer("hover", OK),
    "a key without a target": answer("press_key", None, {"key_info": "Enter"}),
    "typing without a target": answer("type", None, {"text_to_type": "x"}),
    "typing nothing": answer("type", None, {"text_to_type": ""}),
    "nulls in a target": answer("click", {"track_id": None, "element_id": None, "text": "OK", "bbox": None}),
    "no parameters at all": {"reasoning": "", "action": {"action_type": "hover", "target": OK}},
    "numbers in quotes": answer("click", {"element_id": "4", "bbox": ["0.1", "0", "0.2", "0.25"]}),
}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a click nowhere": (answer("click"), "click_without_target"),
    "a hover nowhere": (answer("hover"), "hover_without_target"),
    "a target that names nothing": (answer("type", {}, {"text_to_type": "x"}), "empty_target"),
    "a target of nulls": (answer("click", {"text": None}), "empty_target"),
    "an empty text": (answer("click", {"text": ""}), "empty_text"),
    "an element before the first": (answer("click", {"element_id": 0}), "bad_element_id"),
    "pixels": (answer("click", {"bbox": [410, 608, 80, 32]}), "bbox_out_of_range"),
    "a box without end": (answer("click", {"bbox": [0, 0, float("inf"), 0]}), "bbox_malformed"),
    "a wait at a place": (answer("wait", OK), "target_not_allowed"),
    "an end at a place": (answer("finish_goal", OK, complete=True), "target_not_allowed"),
    "typing of no said text": (answer("type", OK), "type_without_text"),
    "typing a number": (answer("type", OK, {"text_to_type": 5}), "bad_parameter"),
    "a press of no said key": (answer("press_key"), "press_key_without_key"),
    "a key that there is not": (answer("press_key", None, {"key_info": "Ctrl + Click"}), "unknown_key"),
    "a scroll of no said direction": (answer("scroll", None, {"scroll_steps": 3}), "scroll_without_direction"),
    "a scroll with a sign": (answer("scroll", None, {"scroll_direction": -3}), "bad_parameter"),
    "a wait of no time": (answer("wait", None, {"wait_duration_s": 0}), "bad_parameter"),
    "a parameter that nobody knows": (answer("click", OK, {"force": True}), "unknown_parameter"),
    "a field that nobody knows": ({**answer("click", OK), "confidence": 1}, "unknown_field"),
    "done and given up": (answer("finish_goal", None, {"status": "failure"}, complete=True), "goal_flag_mismatch"),
}
REASONS = {code for _, code in REFUSED.values()}


def shown(response: SeedResponse) -> dict[str, Any]:
    return response.model_dump(mode="json", exclude_none=True)


def check_equal(given_: dict[str, Any], ours: LLMResponse) -> None:
    """What the document's models know of a response is the same before and after."""
    before, after = shown(SeedResponse.model_validate(given_)), shown(SeedResponse.model_validate(ours.to_wire()))
    wanted, found = before["action"].pop("parameters"), after["action"].pop("parameters")
    assert after == before
    defaults = {name: field.default for name, field in ACTION_MODELS[ours.action.action_type].model_fields.items()}
    for name, value in wanted.items():
        if name == "key_info":
            assert parse_key_info(found[name]) == parse_key_info(value)
        elif name == "modifiers":
            assert set(found.get(name, ())) == {one.lower() for one in value}
        elif value is not None:
            assert found.get(name, defaults[name]) == value
    assert found.keys() <= wanted.keys()


def check_forms(response: LLMResponse) -> None:
    assert parse_response(response.to_json_text()).to_wire() == response.to_wire()
    assert parse_dsl_response(format_response(response)).to_wire() == response.to_wire()
    strict = to_strict(response)
    assert parse_response(json.loads(json.dumps(strict))).to_wire() == response.to_wire()
    assert to_strict(parse_response(strict)) == strict


@pytest.mark.parametrize("data", READ.values(), ids=READ.keys())
def test_what_means_something_is_read_and_given_back_equal(data: dict[str, Any]) -> None:
    ours = parse_response(data)
    check_equal(data, ours)
    check_forms(ours)


@pytest.mark.parametrize(("data", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_means_nothing_is_refused_by_name(data: dict[str, Any], code: str) -> None:
    SeedResponse.model_validate(data)
    with pytest.raises(ActionError) as caught:
        parse_response(data)
    assert caught.value.code == code


NUMBER = st.floats(0, 1) | st.sampled_from([0, 1, -0.5, 2, 640, float("nan"), float("inf")])
TARGET = st.fixed_dictionaries(
    {},
    optional={
        "track_id": st.none() | st.text(max_size=8),
        "element_id": st.none() | st.integers(-2, 40) | st.sampled_from(["3", "0", 4.0]),
        "text": st.none() | st.text(max_size=8),
        "bbox": st.none() | st.lists(NUMBER, min_size=4, max_size=4) | st.just([0.1, 0.2, 0.3, 0.4]),
        "role": st.text(max_size=3),
    },
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "text_to_type": st.text(max_size=8) | st.integers(),
    "submit": st.booleans(),
    "key_info": st.sampled_from(["Enter", "ctrl-s", "Ctrl+Shift+T", "Page_Up", "", "Ctrl + Click", "é"]),
    "presses": st.integers(-1, 4),
    "scroll_direction": st.sampled_from(["up", "down", "left", "right", "sideways", -3]),
    "scroll_steps": st.integers(-1, 9),
    "wait_duration_s": st.floats(-1, 9) | st.sampled_from([0, 1, float("inf")]),
    "duration_s": st.floats(0.1, 9),
    "click_type": st.sampled_from(["single", "double", "triple", "right", "middle", "soft"]),
    "modifiers": st.lists(st.sampled_from(["ctrl", "SHIFT", "alt"]), unique=True),
    "status": st.sampled_from(["success", "failure", "stuck"]),
    "force": st.booleans(),
}
OWN = {
    "click": ["click_type", "modifiers"],
    "type": ["text_to_type", "submit"],
    "scroll": ["scroll_direction", "scroll_steps", "modifiers"],
    "press_key": ["key_info", "presses"],
    "wait": ["wait_duration_s"],
    "finish_goal": ["status"],
    "hover": ["duration_s"],
}


@st.composite
def seed_responses(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(sorted(OWN)))
    # Mostly the action's own parameters: a stranger's is refused whatever else there is.
    names = draw(st.lists(st.sampled_from(OWN[kind]), unique=True))
    names += draw(st.sampled_from([[], [], [], [], [], draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=1))]))
    action: dict[str, Any] = {"action_type": kind}
    action["parameters"] = {name: draw(VALUES[name]) for name in dict.fromkeys(names)}
    if draw(st.booleans()) or kind in {"click", "hover"}:
        action["target"] = draw(st.none() | TARGET | st.just({"text": "OK"}))
    found = {"reasoning": draw(st.text(max_size=20)), "action": action}
    if draw(st.booleans()):
        found["is_goal_complete"] = draw(st.booleans())
    return found


@given(seed_responses())
@settings(max_examples=400, deadline=None)
def test_every_response_of_the_documents_models_is_read_equal_or_refused_by_name(data: dict[str, Any]) -> None:
    assume(_is_accepted(data))
    code = ""
    try:
        ours = parse_response(data)
        check_equal(data, ours)
        check_forms(ours)
    except ActionError as error:
        code = error.code
    assert code in REASONS | {""}


def _is_accepted(data: dict[str, Any]) -> bool:
    try:
        SeedResponse.model_validate(data)
    except ValueError:
        return False
    return True


def test_the_documents_models_read_what_we_write_but_for_the_three_additions() -> None:
    for kind in SeedAction.model_fields["action_type"].annotation.__args__:  # type: ignore[union-attr]
        parameters = {"type": {"text_to_type": "x"}, "press_key": {"key_info": "A"}}.get(kind, {})
        target = OK if kind in {"click", "hover"} else None
        if kind == "scroll":
            parameters = {"scroll_direction": "up"}
        ours = parse_response(answer(kind, target, parameters))
        check_equal(ours.to_wire(), ours)
