"""Rules about the tables: geometry, sequence, actions, elements, completeness. Works on plain JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from demopack.domain.actions import ActionTarget, LLMResponse, parse_action, parse_response
from demopack.domain.geometry import Point, Rect, Size, from_norm_xywh
from demopack.errors import ActionError
from demopack.pack.check_files import Line
from demopack.pack.findings import Finding
from demopack.pack.manifest import DEMOS, ELEMENTS, STEPS
from demopack.pack.rules import RULES

__all__ = ["ElementIndex", "check_elements", "check_responses", "check_sequence"]

_POINTER_ACTIONS = frozenset({"click", "hover", "drag"})
_POINTED = frozenset({*_POINTER_ACTIONS, "scroll"})

ElementIndex = dict[tuple[str, str], list[dict[str, Any]]]
"""(demo, frame id) -> rows of ``elements.jsonl``."""


def check_sequence(demos: Sequence[Line], steps: Sequence[Line], elements: Sequence[Line]) -> Iterator[Finding]:
    """S01 to S06: numbering, time, belonging, and the end of every demo."""
    known = {line.data["demo"] for line in demos}
    if len(known) != len(demos):
        yield RULES["S03"].broken(DEMOS, None, "A demo stands there twice.")
    for name, lines in ((STEPS, steps), (ELEMENTS, elements)):
        yield from _check_belonging(name, lines, known)
    groups: dict[str, list[Line]] = {}
    for line in steps:
        groups.setdefault(line.data["demo"], []).append(line)
    for demo in demos:
        own = groups.get(demo.data["demo"], [])
        yield from _check_numbers(own)
        yield from _check_time(own)
        yield from _check_end(demo, own)


def _check_belonging(name: str, lines: Sequence[Line], known: set[str]) -> Iterator[Finding]:
    done: set[str] = set()
    last = None
    for line in lines:
        demo = line.data["demo"]
        if demo not in known:
            yield RULES["S03"].broken(name, line.number, f"The demo {demo} is not in {DEMOS}.")
        elif demo != last and demo in done:
            yield RULES["S03"].broken(name, line.number, f"The rows of {demo} do not stand together.")
        done.add(demo)
        last = demo


def _check_numbers(steps: Sequence[Line]) -> Iterator[Finding]:
    for expected, line in enumerate(steps):
        if line.data["index"] != expected:
            yield RULES["S01"].broken(STEPS, line.number, f"index is {line.data['index']}, expected is {expected}.")
            return
    seen: set[str] = set()
    for line in steps:
        if line.data["step"] in seen:
            yield RULES["S01"].broken(STEPS, line.number, f"The step id {line.data['step']} is used twice.")
        seen.add(line.data["step"])


def _check_time(steps: Sequence[Line]) -> Iterator[Finding]:
    last = 0
    for line in steps:
        row = line.data
        start, end = row["started_ns"], row["ended_ns"]
        if start == 0:
            continue  # added by hand: nobody knows when
        if end < start:
            yield RULES["S02"].broken(STEPS, line.number, "The step ends before it starts.")
        if start < last:
            yield RULES["S02"].broken(STEPS, line.number, "The step starts before the one before it.")
        last = max(last, start)
        grabbed = row["before"]["grab_ended_ns"] if row["before"] else 0
        if grabbed > start:
            late = (grabbed - start) / 1e6
            yield RULES["S04"].broken(STEPS, line.number, f"The picture was finished {late:.0f} ms after the event.")


def _check_end(demo: Line, steps: Sequence[Line]) -> Iterator[Finding]:
    ends = [line for line in steps if _kind(line) == "finish_goal"]
    for line in ends:
        if line is not steps[-1]:
            yield RULES["S05"].broken(STEPS, line.number, "A step follows the one that finishes the task.")
    if ends or not steps:
        return
    if demo.data["status"] == "complete":
        yield RULES["S05"].broken(STEPS, steps[-1].number, "The last step does not finish the task.")
    else:
        yield RULES["S06"].broken(DEMOS, demo.number, f"The demo {demo.data['demo']} is {demo.data['status']}.")


def _kind(line: Line) -> object:
    action: Any = line.data["response"].get("action")
    return cast("dict[str, Any]", action).get("action_type") if isinstance(action, dict) else None


def check_responses(steps: Sequence[Line], elements: ElementIndex, *, with_elements: bool) -> Iterator[Finding]:
    """A03 to A05, G01, G05 and R01: every response by itself and against its picture.

    Args:
        steps: rows of ``steps.jsonl``.
        elements: rows of ``elements.jsonl``.
        with_elements: false where ``elements.jsonl`` could not be read, so that nothing is held against it.
    """
    for line in steps:
        response = None
        for name, parse in (("response", parse_response), ("recorded_action", parse_action)):
            try:
                parsed = parse(line.data[name])
            except ActionError as error:
                yield RULES["A04"].broken(STEPS, line.number, f"{name}: {error} ({error.code})")
            else:
                response = parsed if isinstance(parsed, LLMResponse) else response
        if response is None:
            continue
        yield from _check_reasoning(line, response)
        yield from _check_places(line, response)
        if with_elements and line.data["before"] is not None:
            found = elements.get((line.data["demo"], line.data["before"]["id"]), [])
            for name, target in _targets(response):
                yield from _check_target(line, name, target, found)


def _targets(response: LLMResponse) -> list[tuple[str, ActionTarget]]:
    pairs = [("target", response.action.target), ("end_target", response.action.end_target)]
    return [(name, target) for name, target in pairs if target is not None]


def _check_reasoning(line: Line, response: LLMResponse) -> Iterator[Finding]:
    text = response.reasoning.strip()
    if not text:
        yield RULES["R01"].broken(STEPS, line.number, "There is no reasoning.")
        return
    rationale: dict[str, Any] = line.data["rationale"] or {}
    hindsight = str(rationale.get("actual_effect", "")).strip()
    if len(hindsight) >= 12 and hindsight in text:
        yield RULES["R01"].broken(STEPS, line.number, "The reasoning tells what was seen only after the action.")


def _check_places(line: Line, response: LLMResponse) -> Iterator[Finding]:
    row, action = line.data, response.action
    size = row["image_size"]
    if size is None:
        return
    pointer: dict[str, Any] = row["pointer"] or {}
    points = {"target": ("x", "y", "target_box"), "end_target": ("end_x", "end_y", "end_box")}
    for name, target in _targets(response):
        x, y, column = points[name]
        if action.action_type in _POINTER_ACTIONS and (target.bbox is None or target.bbox == (0, 0, 0, 0)):
            yield RULES["A03"].broken(STEPS, line.number, f"The {name} of {action.action_type} has no place.")
        elif (problem := _box_problem(row[column], size, may_be_point=True)) is not None:
            yield RULES["G01"].broken(STEPS, line.number, f"{column} {problem}.")
        elif target.bbox is not None and row[column] != _pixels(target, size):
            yield RULES["G01"].broken(STEPS, line.number, f"{column} {row[column]} is not the bbox of the {name}.")
        elif action.action_type in _POINTED and pointer.get(x) is not None:
            yield from _check_pointer(line, name, pointer[x], pointer[y], row[column])


def _pixels(target: ActionTarget, size: list[int]) -> list[int] | None:
    if target.bbox is None:
        return None
    box = from_norm_xywh(target.bbox, Size(size[0], size[1]))
    return [box.x1, box.y1, box.x2, box.y2]


def _box_problem(box: list[int] | None, size: list[int], *, may_be_point: bool) -> str | None:
    if box is None:
        return None
    x1, y1, x2, y2 = box
    if x1 < 0 or y1 < 0 or x2 > size[0] or y2 > size[1]:
        return f"{box} leaves the picture of {size[0]} x {size[1]} pixels"
    if x1 > x2 or y1 > y2:
        return f"{box} has its corners swapped"
    if not may_be_point and (x1 == x2 or y1 == y2):
        return f"{box} has no area"
    return None


def _check_pointer(line: Line, name: str, x: int, y: int, box: list[int] | None) -> Iterator[Finding]:
    size = line.data["image_size"]
    if box is None:
        return
    # A press on another monitor is recorded as it was, and its target moved to the picture's edge.
    point = Rect.at_point(Point(x, y)).clamped(Size(size[0], size[1]))
    if not (box[0] <= point.x1 <= box[2] and box[1] <= point.y1 <= box[3]):
        yield RULES["G05"].broken(STEPS, line.number, f"The pointer ({x}, {y}) is not in the {name}'s box {box}.")


def _check_target(line: Line, name: str, target: ActionTarget, found: list[dict[str, Any]]) -> Iterator[Finding]:
    if target.element_id is not None:
        element = next((row for row in found if row["element_id"] == target.element_id), None)
        if element is None:
            message = f"The {name}'s element_id {target.element_id} is not on the picture."
            yield RULES["A05"].broken(STEPS, line.number, message)
            return
        yield from _check_agreement(line, name, target, element)
    elif target.track_id is not None and all(row["track_id"] != target.track_id for row in found):
        message = f"The {name}'s track_id {target.track_id} is on no element of the picture."
        yield RULES["A05"].broken(STEPS, line.number, message)


def _check_agreement(line: Line, name: str, target: ActionTarget, element: dict[str, Any]) -> Iterator[Finding]:
    said = {
        "track_id": (target.track_id, element["track_id"]),
        "text": (target.text, element["text"] or None),
        "bbox": (None if target.bbox is None else list(target.bbox), element["bbox"]),
    }
    for field, (here, there) in said.items():
        if here is not None and here != there:
            message = f"The {name}'s {field} is {here!r}, that of element {target.element_id} is {there!r}."
            yield RULES["A05"].broken(STEPS, line.number, message)


def check_elements(elements: Sequence[Line], *, whole: bool) -> Iterator[Finding]:
    """G01 for every element; A05 for their numbers, 1, 2, 3, ... on each picture, unless rows are missing."""
    numbers: dict[tuple[str, str], int] = {}
    for line in elements:
        row = line.data
        problem = _box_problem(row["box"], row["image_size"], may_be_point=False)
        if problem is not None:
            yield RULES["G01"].broken(ELEMENTS, line.number, f"box {problem}.")
        elif list(_normalised(row)) != row["box"]:
            yield RULES["G01"].broken(ELEMENTS, line.number, f"bbox {row['bbox']} is not the box {row['box']}.")
        if whole and row["element_id"] is not None:
            key = (row["demo"], row["frame"])
            numbers[key] = numbers.get(key, 0) + 1
            if row["element_id"] != numbers[key]:
                message = f"element_id is {row['element_id']}, expected is {numbers[key]}."
                yield RULES["A05"].broken(ELEMENTS, line.number, message)


def _normalised(row: dict[str, Any]) -> tuple[int, int, int, int] | tuple[()]:
    x, y, w, h = row["bbox"]
    if min(x, y, w, h) < 0 or x + w > 1.00001 or y + h > 1.00001:
        return ()
    box = from_norm_xywh((x, y, w, h), Size(*row["image_size"]))
    return (box.x1, box.y1, box.x2, box.y2)
