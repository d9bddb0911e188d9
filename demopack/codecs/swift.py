"""ms-swift's placeholders: ``<bbox>`` stands for a place, and the trainer writes each as its model writes places.

What it writes (4.6.0), for the corners of a box and for a point, in 0..1000 of the picture unless said otherwise:

- Qwen2-VL, Qwen3-VL: ``<|box_start|>(5,40),(30,60)<|box_end|>``, or ``[5, 40, 30, 60]`` with
  ``QWENVL_BBOX_FORMAT=new``; a decoder that drops special tokens leaves ``(5,40),(30,60)``;
- Qwen2.5-VL: the same in pixels of the picture as it was resized;
- InternVL, Qwen-VL: ``<box>[[5, 40, 30, 60]]</box>``, ``<box>(5,40),(30,60)</box>``; most others:
  ``[(5,40),(30,60)]``.

Questions and answers hold nothing but placeholders, so that both are written alike. Sources: ms-swift's
``swift/template/base.py`` and ``templates/qwen.py``, ``templates/internvl.py``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from demopack.codecs import llmresponse
from demopack.codecs.decoded import DecodedAnswer, fractions
from demopack.codecs.json_answers import object_in_answer, outside_strings
from demopack.codecs.observation import Observation
from demopack.domain.actions import LLMResponse
from demopack.domain.geometry import NormBox, Rect, Size, from_norm_xywh
from demopack.errors import ActionError
from demopack.json_text import as_list, as_row

SYSTEM: Final = (
    "You operate a computer for a person. You see a picture of the screen, the task and what was done so far. "
    "Answer with one JSON object: reasoning, action (action_type, target, parameters) and is_goal_complete. "
    "A bbox is written as you write places on a picture: the left top and the right bottom corner, or one point."
)
"""What the model is told once."""

MARK: Final = "<\ue000bbox>"
"""Stands for a placeholder until all other text is guarded against being taken for one."""
_QUOTED: Final = json.dumps([MARK], ensure_ascii=False)


def with_placeholders(text: str) -> str:
    """The text with ``<bbox>`` for each mark, in answers without any quotes around it."""
    return text.replace(_QUOTED, "<bbox>").replace(MARK, "<bbox>")


def object_of_box(box: Rect, size: Size) -> list[int]:
    """A box as an entry of ``objects.bbox``: ``[x1, y1, x2, y2]`` in pixels, ``[x, y]`` for one without area."""
    inside = box.clamped(size)
    return inside.corners if inside.area else [inside.x1, inside.y1]


def encode_response(wire: Mapping[str, Any], size: Size) -> tuple[str, list[list[int]]]:
    """A response as JSON with a mark for every place, and the places for ``objects.bbox``, in the same order.

    Args:
        wire: the response in wire form.
        size: of the picture.
    """
    boxes: list[list[int]] = []

    def marked(box: NormBox) -> list[str]:
        boxes.append(object_of_box(from_norm_xywh(box, size), size))
        return [MARK]

    def placed(target: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        return {**target, "bbox": marked(target["bbox"])} if target and "bbox" in target else target

    action: dict[str, Any] = dict(wire["action"])
    action["target"] = placed(action["target"])
    parameters: dict[str, Any] = dict(action["parameters"])
    if "end_target" in parameters:
        parameters["end_target"] = placed(parameters["end_target"])
    if "path" in parameters:
        parameters["path"] = [marked((x, y, 0.0, 0.0)) for x, y in parameters["path"]]
    return json.dumps({**wire, "action": {**action, "parameters": parameters}}, ensure_ascii=False), boxes


def encode_answer(response: LLMResponse, size: Size) -> str:
    """A response as a model trained on it answers: places as lists of corners in 0..1000."""
    text, boxes = encode_response(response.to_wire(), size)
    scale = (1000 / size.width, 1000 / size.height)
    for box in boxes:
        grid = [round(value * scale[number % 2]) for number, value in enumerate(box)]
        text = text.replace(_QUOTED, json.dumps(grid), 1)
    return text


_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?"
_PAIR: Final = rf"\(\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\)"
_PLACES: Final = rf"<\|box_start\|>|<\|box_end\|>|</?box>|{_PAIR}(?:\s*,\s*{_PAIR})*"


def _as_json(written: str) -> str:
    """A place, or a mark beside one, as brackets of JSON."""
    if written.startswith("("):
        return f"[{written.replace('(', '[').replace(')', ']')}]"
    return "]" if "end" in written or "/" in written else "["


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """An LLMResponse whose places are corners in one of the notations above, in 0..1000.

    For a model that writes pixels of the resized picture (Qwen2.5-VL), the observation says ``space="pixels"`` and
    how large that picture was.

    Raises:
        ActionError: it breaks the contract, or a place has neither two numbers nor four.
    """
    if isinstance(answer, str):
        # A place in quotes is read as one, too; any other text stays as it is.
        answer = outside_strings(answer, _PLACES, lambda found: _as_json(found[0]))
    data, notes = object_in_answer(answer)
    data = _placed(data, observation)
    action = as_row(data.get("action"))
    read = llmresponse.decode(data if action is None else {**data, "action": _placed(action, observation)}, observation)
    return DecodedAnswer(responses=read.responses, notes=(*notes, *read.notes))


def _placed(action: Mapping[str, Any], observation: Observation) -> dict[str, Any]:
    """An action whose places are fractions: of its target, of where it ends, and on the way there."""
    found = dict(action)
    if "target" in found:
        found["target"] = _target(found["target"], observation, "action.target.bbox")
    parameters = as_row(found.get("parameters"))
    if parameters is not None:
        found["parameters"] = parameters = dict(parameters)
        if "end_target" in parameters:
            parameters["end_target"] = _target(
                parameters["end_target"], observation, "action.parameters.end_target.bbox"
            )
        if action.get("action_type") == "drag" and "path" in parameters:
            field = "action.parameters.path"
            flat = _numbers(parameters["path"], field)
            way = [_fractions(flat[n : n + 2], observation, field) for n in range(0, len(flat), 2)]
            parameters["path"] = [list(point) for point in way]
    return found


def _target(target: object, observation: Observation, field: str) -> object:
    row = as_row(target)
    if row is None or row.get("bbox") is None:
        return target
    numbers = _numbers(row["bbox"], field)
    if len(numbers) not in {2, 4}:
        raise ActionError(
            f"The place has {len(numbers)} numbers.",
            code="bbox_malformed",
            field=field,
            hint="Give the left top and the right bottom corner, or one point.",
        )
    (x1, y1), (x2, y2) = (_fractions(pair, observation, field) for pair in (numbers[:2], numbers[-2:]))
    left, top = min(x1, x2), min(y1, y2)
    box = [left, top, round(abs(x2 - x1), 6), round(abs(y2 - y1), 6)]
    return {**row, "bbox": box}


def _fractions(pair: list[float], observation: Observation, field: str) -> tuple[float, float]:
    if len(pair) != 2:
        raise ActionError("A point has one number.", "bbox_malformed", field, "Give two numbers, across and down.")
    x, y = fractions(pair[0], pair[1], observation, space="thousand", field_name=field)
    return round(x, 6), round(y, 6)


def _numbers(value: object, field: str) -> list[float]:
    """All numbers of a place, however deep in lists they are; a text is read as what it says."""
    if isinstance(value, str):
        value, _ = object_in_answer(
            f'{{"place": [{outside_strings(value, _PLACES, lambda found: _as_json(found[0]))}]}}'
        )
        value = value["place"]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [float(value)]
    if not isinstance(value, list):
        raise ActionError(f"{field} is {value!r}, not a place.", "bbox_malformed", field, "Give numbers.")
    return [number for item in as_list(value) for number in _numbers(item, field)]
