"""Places as ms-swift writes them: what a trained model answers is read back, whatever the model's notation."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from demopack.codecs import swift
from demopack.codecs.catalogue import decode_answer
from demopack.codecs.observation import CoordinateSpace, Observation
from demopack.domain.actions import ActionTarget, ClickAction, DragAction, ExtractDataAction, LLMResponse, TypeAction
from demopack.domain.geometry import Rect, Size
from demopack.errors import ActionError

SIZE = Size(960, 600)
DRAG = LLMResponse.of(
    DragAction(
        target=ActionTarget(bbox=(116 / 960, 346 / 600, 16 / 960, 16 / 600)),
        end_target=ActionTarget(bbox=(50 / 960, 340 / 600, 350 / 960, 28 / 600)),
        path=((0.208333, 0.593333), (0.270833, 0.586667), (0.302083, 0.588333)),
    ),
    reasoning="The budget is too low.",
)
# What ms-swift 4.6.0 made of this row, by the model's type; Qwen2.5-VL was sent the picture as 952 x 588.
WRITTEN = {
    "qwen2_vl": (
        "<|box_start|>(121,577),(138,603)<|box_end|>",
        "<|box_start|>(52,567),(417,613)<|box_end|>",
        "<|box_start|>(208,593)<|box_end|>, <|box_start|>(271,587)<|box_end|>, <|box_start|>(302,588)<|box_end|>",
    ),
    "qwen2_5_vl": (
        "<|box_start|>(115,339),(131,355)<|box_end|>",
        "<|box_start|>(50,333),(397,361)<|box_end|>",
        "<|box_start|>(198,349)<|box_end|>, <|box_start|>(258,345)<|box_end|>, <|box_start|>(288,346)<|box_end|>",
    ),
    "qwen3_vl, QWENVL_BBOX_FORMAT=new": (
        "[121, 577, 138, 603]", "[52, 567, 417, 613]", "[208, 593], [271, 587], [302, 588]"
    ),
    "special tokens dropped": ("(121,577),(138,603)", "(52,567),(417,613)", "(208,593), (271,587), (302,588)"),
    "most templates": ("[(121,577),(138,603)]", "[(52,567),(417,613)]", "[(208,593)], [(271,587)], [(302,588)]"),
    "internvl": (
        "<box>[[121, 577, 138, 603]]</box>",
        "<box>[[52, 567, 417, 613]]</box>",
        "<box>[[208, 593]]</box>, <box>[[271, 587]]</box>, <box>[[302, 588]]</box>",
    ),
    "qwen_vl": (
        "<box>(121,577),(138,603)</box>",
        "<box>(52,567),(417,613)</box>",
        "<box>(208,593)</box>, <box>(271,587)</box>, <box>(302,588)</box>",
    ),
    "in quotes": (
        '"<|box_start|>(121,577),(138,603)<|box_end|>"',
        '"[52, 567, 417, 613]"',
        '"(208,593)", "(271,587)", "(302,588)"',
    ),
}  # fmt: skip


def said(target: str, end: str, way: str) -> str:
    return (
        '{"reasoning": "The budget is too low.", "action": {"action_type": "drag", "target": {"bbox": '
        f'{target}}}, "parameters": {{"end_target": {{"bbox": {end}}}, "path": [{way}]}}}}, "is_goal_complete": false}}'
    )


def read(text: str, size: Size = SIZE, space: CoordinateSpace | None = None) -> LLMResponse:
    return decode_answer(text, dialect="swift", observation=Observation(size=size, space=space)).response


def assert_near(found: Any, wanted: Any) -> None:
    assert found == pytest.approx(wanted, abs=0.0016)


@pytest.mark.parametrize("model", WRITTEN)
def test_what_the_trainer_writes_is_the_recorded_action(model: str) -> None:
    pixels = model == "qwen2_5_vl"
    text = said(*WRITTEN[model])
    found = read(text, Size(952, 588), "pixels") if pixels else read(text)
    action, wanted = found.action, DRAG.action
    assert isinstance(action, DragAction)
    assert isinstance(wanted, DragAction)
    assert action.target.bbox is not None
    assert action.end_target.bbox is not None
    assert_near(action.target.bbox, wanted.target.bbox)
    assert_near(action.end_target.bbox, wanted.end_target.bbox)
    for point, right in zip(action.path, wanted.path, strict=True):
        assert_near(point, right)
    assert found.reasoning == DRAG.reasoning


def test_the_export_has_one_placeholder_for_each_place_in_their_order() -> None:
    text, boxes = swift.encode_response(DRAG.to_wire(), SIZE)
    text = swift.with_placeholders(text)
    assert text == said("<bbox>", "<bbox>", "<bbox>, <bbox>, <bbox>")
    assert boxes == [[116, 346, 132, 362], [50, 340, 400, 368], [200, 356], [260, 352], [290, 353]]


def test_texts_that_look_like_places_stay_texts() -> None:
    for typed in ("(12,34)", "<box>[1, 2]</box>", '"bbox": [1, 2, 3, 4]', "<|box_start|>(1,2)<|box_end|>", "<bbox>"):
        response = LLMResponse.of(TypeAction(text_to_type=typed), reasoning=typed)
        text = swift.with_placeholders(swift.encode_response(response.to_wire(), SIZE)[0])
        assert json.loads(text)["action"]["parameters"]["text_to_type"] == typed
        assert read(text) == response
    data = {"path": [1, 2, 3], "bbox": "(1,2)", "target": {"bbox": [1, 2]}}
    response = LLMResponse.of(ExtractDataAction(description="(1,2)", data=data))
    assert read(swift.encode_answer(response, SIZE)) == response


def test_a_place_without_area_is_a_point() -> None:
    response = LLMResponse.of(ClickAction(target=ActionTarget(bbox=(0.5, 0.25, 0, 0))))
    text, boxes = swift.encode_response(response.to_wire(), SIZE)
    assert boxes == [[480, 150]]
    assert re.search(r'"bbox": <bbox>', swift.with_placeholders(text))
    assert read(swift.encode_answer(response, SIZE)) == response
    assert swift.object_of_box(Rect(-5, 10, 2000, 30), SIZE) == [0, 10, 960, 30]


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("[1, 2, 3]", "bbox_malformed"),
        ("[]", "bbox_malformed"),
        ("true", "bbox_malformed"),
        ("[1, 2, 3, 1001]", "off_screen"),
        ('"somewhere"', "not_json"),
    ],
)
def test_a_place_that_is_none_is_refused(place: str, code: str) -> None:
    text = (
        f'{{"reasoning": "", "action": {{"action_type": "click", "target": {{"bbox": {place}}}, "parameters": {{}}}}}}'
    )
    with pytest.raises(ActionError) as caught:
        read(text)
    assert caught.value.code == code
