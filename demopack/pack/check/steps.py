"""Rules about steps: order, responses and places, the elements they name, reasoning. Works on plain JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, cast

from pydantic import ValidationError

from demopack.domain.actions import ActionTarget, LLMResponse, ScrollAction, TypeAction, parse_action, parse_response
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Point, ScreenSpace, Size, from_norm_xywh
from demopack.errors import ActionError, PackError
from demopack.pack.check.elements import Pointers, box_problem, is_covered
from demopack.pack.check.lines import CheckedLine
from demopack.pack.picture import decode
from demopack.pack.rules import Finding, Findings
from demopack.pack.source import PackSource
from demopack.pixels.changes import changed_pixels
from demopack.pixels.masks import tight_box

Row = dict[str, Any]

_POINTER_ACTIONS = frozenset({"click", "hover", "drag"})
_POINTED = frozenset({*_POINTER_ACTIONS, "scroll"})
_POINTS: Final = {"target": ("x", "y", "target_box"), "end_target": ("end_x", "end_y", "end_box")}
_DIRECTIONS: Final = {"up": ("y", 1), "down": ("y", -1), "right": ("x", 1), "left": ("x", -1)}
_SILENT: Final = frozenset({"Shift", "CapsLock", "AltGr"})
"""Keys that write nothing by themselves."""
_ENDING: Final = frozenset({"Enter", "Tab"})
"""Keys that may end a text and are no part of it."""
_TOLERANCE_PX = 3
"""Pixels; programs round places differently."""


def read_response(line: CheckedLine, findings: Findings) -> LLMResponse | None:
    """The response of a step; None, and A01 or A04, where it breaks the contract."""
    response = None
    for name, parse in (("response", parse_response), ("recorded_action", parse_action)):
        try:
            parsed = parse(line.data[name])
        except ActionError as error:
            rule = "A01" if error.field.endswith("scroll_direction") else "A04"
            findings.add(line.broken(rule, f"{name}: {error} ({error.code})"))
        else:
            response = parsed if isinstance(parsed, LLMResponse) else response
    return response


def form_words(response: LLMResponse) -> list[str]:
    """What A07 says about a response: what others may write, and our programs never do."""
    action = response.action
    found = [f"{action.action_type} does not say {name}" for name in action.unsaid]
    if not response.flag_follows:
        found.append(f"is_goal_complete is {str(response.is_goal_complete).lower()} with {action.action_type}")
    return found


def check_form(line: CheckedLine, response: LLMResponse, *, last: bool) -> Iterator[Finding]:
    """A07 of one step; a flag before the last step of the demo is told as S05."""
    if last or not response.is_goal_complete:
        for words in form_words(response):
            yield line.broken("A07", f"response: {words}.")


def check_places(line: CheckedLine, response: LLMResponse, pointers: Pointers) -> Iterator[Finding]:
    """G01, G07, G10, A02 and A03 of one step; where the pointer missed, ``pointers`` remembers it for G05 and G06."""
    row, action = line.data, response.action
    yield from _check_wheel(line, response)
    size = row["image_size"]
    if size is None:
        return
    pointer: dict[str, Any] = row["pointer"] or {}
    sound = True
    for name, target in _targets(response):
        x, y, column = _POINTS[name]
        if action.action_type in _POINTER_ACTIONS and (target.bbox is None or target.bbox == (0, 0, 0, 0)):
            found = line.broken("A03", f"The {name} of {action.action_type} has no place.")
        elif (problem := box_problem(row[column], size, may_be_point=True)) is not None:
            found = line.broken("G01", f"{column} {problem}.")
        elif target.bbox is not None and row[column] != _pixels(target, size):
            found = line.broken("G01", f"{column} {row[column]} is not the bbox of the {name}.")
        else:
            if action.action_type in _POINTED and pointer.get(x) is not None:
                sound &= pointers.add(line, name, (pointer[x], pointer[y]), row[column])
            continue
        sound = False
        yield found
    yield from _check_scale(line)
    if sound and pointer and row["before"] and size == [row["before"]["width"], row["before"]["height"]]:
        yield from _check_origin(line, pointer)


def _check_origin(line: CheckedLine, pointer: dict[str, Any]) -> Iterator[Finding]:
    """G07 and G10: the raw press, drawn onto the picture, lies where the pointer is said to be."""
    row = line.data
    event = next((one for one in row["events"] if one["kind"] in {"down", "scroll"}), None)
    if event is None:
        return
    frame = row["before"]
    space = ScreenSpace(
        origin_x=frame["origin_x"], origin_y=frame["origin_y"], pixels_per_unit=frame.get("pixels_per_unit") or 1.0
    )
    pressed, told = space.to_pixel(event.get("x", 0), event.get("y", 0)), Point(pointer["x"], pointer["y"])
    if _is_near(pressed, told) or _is_early(frame):  # an early one is told by _check_scale
        return
    press = f"The press was at ({pressed.x}, {pressed.y}) on the picture"
    said = f"the pointer is said to be at ({told.x}, {told.y})"
    wrongly = replace(space, pixels_per_unit=frame["scale_factor"])
    if _is_near(wrongly.to_pixel(event.get("x", 0), event.get("y", 0)), told):
        yield line.broken("G10", f"{press}; {said}, {frame['scale_factor']:g} times as far.")
    else:
        yield line.broken("G07", f"{press}, but {said}.")


def _check_scale(line: CheckedLine) -> Iterator[Finding]:
    """G10: frames of early versions on scaled desktops, whatever was done there: their covers are wrong, too."""
    for name in ("before", "after"):
        frame = line.data[name]
        if frame and _is_early(frame):
            yield line.broken("G10", f"An early version recorded it on a desktop drawn at {frame['scale_factor']:.0%}.")
            return


def _is_early(frame: Row) -> bool:
    return frame.get("pixels_per_unit") is None and frame["scale_factor"] != 1.0


def _is_near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= _TOLERANCE_PX and abs(one.y - other.y) <= _TOLERANCE_PX


def _check_wheel(line: CheckedLine, response: LLMResponse) -> Iterator[Finding]:
    if not isinstance(response.action, ScrollAction):
        return
    direction = response.action.scroll_direction
    wheel = [event for event in line.data["events"] if event["kind"] == "scroll"]
    turned = {"y": sum(e.get("dy", 0) for e in wheel), "x": sum(e.get("dx", 0) for e in wheel)}
    axis, sign = _DIRECTIONS[direction]
    if turned[axis] * sign < 0:
        message = f"scroll_direction is {direction}, but the wheel was turned by d{axis} = {turned[axis]}."
        yield line.broken("A02", message)


def check_typed(line: CheckedLine, response: LLMResponse) -> Iterator[Finding]:
    """A08: what was typed is what the recording says, where that can be read off it for certain."""
    action = response.action
    if not isinstance(action, TypeAction):
        return
    recorded: Any = line.data["recorded_action"]
    said = recorded["parameters"].get("text_to_type") if recorded["action_type"] == "type" else None
    if said is not None and said != action.text_to_type:
        yield line.broken(
            "A08", f"text_to_type has {len(action.text_to_type)} characters, recorded_action {len(said)}."
        )
        return
    typed = _typed(line.data["events"])
    if typed is not None and typed != action.text_to_type.rstrip("\n"):
        yield line.broken(
            "A08", f"text_to_type has {len(action.text_to_type)} characters, and is not the {len(typed)} of the keys."
        )


def _typed(events: Sequence[Row]) -> str | None:
    """What the keys wrote; None without keys, and where one of them may have written or changed something else."""
    text = ""
    keys = [event for event in events if event["kind"] == "key_down"]
    for number, event in enumerate(keys):
        char = event.get("char")
        if char is not None and len(char) == 1 and char.isprintable():
            text += char
        elif event.get("key") in _SILENT or (number == len(keys) - 1 and event.get("key") in _ENDING):
            continue
        else:
            return None
    return text or None


def check_bound(line: CheckedLine, response: LLMResponse, elements: Mapping[str, Sequence[Row]]) -> Iterator[Finding]:
    """A04, A05 and G09: what the targets of one step, and what is as good as them, say about their elements.

    Args:
        line: the step.
        response: its response.
        elements: frame id -> rows of ``elements.jsonl``.
    """
    if line.data["before"] is None:
        return
    found = elements.get(line.data["before"]["id"], ())
    for name, target in _targets(response):
        yield from _check_target(line, name, target, found)
    for number, one in enumerate(line.data.get("alternatives") or (), start=1):
        name = f"alternative {number}"
        try:
            target = ActionTarget.model_validate(one["target"])
        except (ActionError, ValidationError) as error:
            yield line.broken("A04", f"{name}: {error}")
        else:
            yield from _check_target(line, name, target, found)
    yield from _check_on_top(line, found)


def _check_on_top(line: CheckedLine, found: Sequence[Row]) -> Iterator[Finding]:
    row = line.data
    chosen = next((one for one in found if one["uid"] == row["target_uid"]), None)
    if chosen is None or row["pointer"] is None or not _holds(chosen["box"], row["pointer"]):
        return
    parents = {one["uid"]: one["parent"] for one in found}
    for other in found:
        smaller = _area(other["box"]) < _area(chosen["box"]) and other["element_id"] is not None
        if smaller and _holds(other["box"], row["pointer"]) and not _within(other["uid"], chosen["uid"], parents):
            message = f"The {other['type']} {other['element_id']} lies over the spot where the target was acted on."
            yield line.broken("G09", message)
            return


def _holds(box: list[int], pointer: Row) -> bool:
    return bool(box[0] <= pointer["x"] < box[2] and box[1] <= pointer["y"] < box[3])


def _area(box: list[int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _within(uid: str, around: str, parents: Mapping[str, str | None]) -> bool:
    """Whether an element lies, by its parents, in another; a ring of parents ends the search."""
    seen: set[str] = set()
    above = parents.get(uid)
    while above is not None and above not in seen:
        if above == around:
            return True
        seen.add(above)
        above = parents.get(above)
    return False


def _targets(response: LLMResponse) -> list[tuple[str, ActionTarget]]:
    pairs = [("target", response.action.target), ("end_target", response.action.end)]
    return [(name, target) for name, target in pairs if target is not None]


def _pixels(target: ActionTarget, size: list[int]) -> list[int] | None:
    return None if target.bbox is None else from_norm_xywh(target.bbox, Size(size[0], size[1])).corners


def _check_target(line: CheckedLine, name: str, target: ActionTarget, found: Sequence[Row]) -> Iterator[Finding]:
    if target.element_id is None:
        if target.track_id is not None and all(row["track_id"] != target.track_id for row in found):
            yield line.broken("A05", f"The {name}'s track_id {target.track_id} is on no element of the picture.")
        return
    element = next((row for row in found if row["element_id"] == target.element_id), None)
    if element is None:
        yield line.broken("A05", f"The {name}'s element_id {target.element_id} is not on the picture.")
        return
    said = {
        "track_id": (target.track_id, element["track_id"]),
        "text": (target.text, element["text"] or None),
        "bbox": (None if target.bbox is None else list(target.bbox), element["bbox"]),
    }
    for field, (here, there) in said.items():
        if here is not None and here != there:
            message = f"The {name}'s {field} is {here!r}, that of element {target.element_id} is {there!r}."
            yield line.broken("A05", message)


_MAX_TEXT_CHARACTERS = 2000
_HINDSIGHT = re.compile(
    r"\bafter (?:\w+ing)\b[^.!?]{0,60}\b(?:i (?:see|saw|can see)|(?:appeared|opened|closed|showed))\b", re.IGNORECASE
)
"""Told in the past, or as seen: nobody could know that before the action."""


def check_reasonings(steps: Sequence[tuple[CheckedLine, LLMResponse]]) -> Iterator[Finding]:
    """R01 to R03 for the steps of one demo."""
    last, times = "", 0
    for line, response in steps:
        text = response.reasoning.strip()
        rationale: dict[str, Any] = line.data["rationale"] or {}
        problem = _problem(text, rationale)
        if problem:
            yield line.broken("R01", problem)
        if rationale and not rationale["provenance"]["name"].strip():
            yield line.broken("R02", "The rationale's provenance has no name.")
        times = times + 1 if text and text == last else 1
        last = text
        if len(text) > _MAX_TEXT_CHARACTERS:
            yield line.broken("R03", f"The reasoning has {len(text)} characters.")
        elif times == 3:
            yield line.broken("R03", "The reasoning is that of the two steps before.")


def _problem(text: str, rationale: dict[str, Any]) -> str:
    if not text:
        return "There is no reasoning."
    if rationale.get("mode") == "hindsight":
        return ""  # written by one who knew, and said so
    effect = str(rationale.get("actual_effect", "")).strip()
    if (len(effect) >= 12 and effect in text) or _HINDSIGHT.search(text):
        return "The reasoning tells what was seen only after the action."
    return ""


_CHANGING = frozenset({"click", "drag", "scroll", "type"})
"""Actions of which one expects to see something."""


def check_order(demo: CheckedLine, steps: Sequence[CheckedLine], changes: PictureOrderCheck) -> Iterator[Finding]:
    """S01, S02 and S04 to S08 for the steps of one demo."""
    yield from _check_numbers(steps)
    yield from _check_time(steps)
    yield from _check_end(demo, steps)
    yield from _check_effects(steps, changes)


def _check_numbers(steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    for expected, line in enumerate(steps):
        if line.data["index"] != expected:
            yield line.broken("S01", f"index is {line.data['index']}, expected is {expected}.")
            return
    seen: set[str] = set()
    for line in steps:
        if line.data["step"] in seen:
            yield line.broken("S01", f"The step id {line.data['step']} is used twice.")
        seen.add(line.data["step"])


def _check_time(steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    last = 0
    for line in steps:
        row = line.data
        start, end = row["started_ns"], row["ended_ns"]
        if start == 0:
            continue  # added by hand: nobody knows when
        if end < start:
            yield line.broken("S02", "The step ends before it starts.")
        if start < last:
            yield line.broken("S02", "The step starts before the one before it.")
        last = max(last, start)
        grabbed = row["before"]["grab_ended_ns"] if row["before"] else 0
        # Nothing happens when a wait begins: it is the time after the step before.
        if grabbed > start and _kind(line) != "wait":
            late = (grabbed - start) // 1_000_000
            yield line.broken("S04", f"The picture was finished {late} ms after the event.")


def _check_end(demo: CheckedLine, steps: Sequence[CheckedLine]) -> Iterator[Finding]:
    ends = [line for line in steps if _kind(line) == "finish_goal" or _is_flagged(line)]
    for line in ends:
        if line is not steps[-1]:
            yield line.broken("S05", "A step follows the one that finishes the task.")
    if ends or not steps:
        return
    if demo.data["status"] == "complete":
        yield steps[-1].broken("S05", "The last step does not finish the task.")
    else:
        yield demo.broken("S06", f"The demo {demo.data['demo']} is {demo.data['status']}.")


def _is_flagged(line: CheckedLine) -> bool:
    return line.data["response"].get("is_goal_complete") is True


def _kind(line: CheckedLine) -> object:
    action: Any = line.data["response"].get("action")
    return cast("dict[str, Any]", action).get("action_type") if isinstance(action, dict) else None


def _check_effects(steps: Sequence[CheckedLine], changes: PictureOrderCheck) -> Iterator[Finding]:
    for line in steps:
        row = line.data
        hidden = row["target_box"] is not None and is_covered(row["target_box"], row["before"])
        if _shows(line) == "nothing" and row["target_uid"] is not None and row["quality"]["settled"] and not hidden:
            yield line.broken("S07", f"Nothing changed: {row['description']}.")
    for earlier, later in pairwise(steps):
        before, now = earlier.data["before"], later.data["before"]
        if _shows(earlier) != "change" or now is None or now["id"] != before["id"]:
            continue
        if not changes.by_caret(before, earlier.data["after"]):
            message = "The picture is the one from before the last step; what that step changed is not on it."
            yield later.broken("S08", message)


def _shows(line: CheckedLine) -> str:
    """Whether the pictures of a step show a ``change`` or ``nothing``; empty where that says nothing."""
    before, after = line.data["before"], line.data["after"]
    if before is None or after is None or _kind(line) not in _CHANGING:
        return ""
    return "nothing" if before["id"] == after["id"] else "change"


_CARET_MAX_PX: Final = (6, 96)
"""Pixels: no caret is wider or higher, on a screen of twice the usual density either."""
_MAX_COMPARISONS: Final = 200
"""Pairs of pictures that are compared; of a pack in which more are alike, the rest counts as changed."""


class PictureOrderCheck:
    """Compares the pictures of one pack.

    Args:
        source: the pack.
        limits: the most bytes each picture may have.
    """

    def __init__(self, source: PackSource, limits: Mapping[str, int]) -> None:
        self._source = source
        self._limits = limits
        self._looked = 0

    def by_caret(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
        """Whether one picture is the other but for a caret; False where one cannot be read.

        Args:
            before: a frame as a row tells it, with ``file``, ``width`` and ``height``.
            after: another.
        """
        self._looked += 1
        if self._looked > _MAX_COMPARISONS:
            return False
        first, second = self._image(before), self._image(after)
        if first is None or second is None or first.shape != second.shape:
            return False
        caret = tight_box(changed_pixels(first, second, tolerance=0))
        return caret is not None and caret.width <= _CARET_MAX_PX[0] and caret.width < caret.height <= _CARET_MAX_PX[1]

    def _image(self, frame: Mapping[str, Any]) -> RgbImage | None:
        name = str(frame["file"])
        try:
            data = self._source.read(name, limit=self._limits.get(name, 0))
            return decode(data, size=(frame["width"], frame["height"])).image
        except (PackError, ValueError):
            return None
