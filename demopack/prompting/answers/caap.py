"""CAAP's answers: sections of text, then lines ``Action_2=(Action: functions.click_element, Argument: {…})``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.domain.actions import ActionTarget, AgentAction, LLMResponse
from demopack.domain.geometry import Point
from demopack.errors import ActionError
from demopack.prompting.answers.calls import Call, calls_of
from demopack.prompting.answers.gestures import joined
from demopack.prompting.answers.parsed import (
    ParsedAnswer,
    answer_of,
    fractions,
    number_in,
    target_at,
    target_of_number,
    unknown_action,
)
from demopack.prompting.scene import Held, Scene

__all__ = ["CAAP_ACTIONS", "from_caap"]

_LINE = re.compile(
    r"Action_(\d+)\s*=\s*\(\s*Action\s*:\s*(?:functions\.)?(\w+)\s*(?:,\s*Arguments?\s*:\s*(.*?))?\)"
    r"[ \t.,;`]*(?=\n|\Z)",
    re.DOTALL,
)
# The paper's model answers under headings of its own; our prompt asks for these four.
_HEADING = re.compile(r"^(?:#{1,4}[ \t]*(.+?)[ \t#:]*$|\**(Review|Screen|Plan|Actions)\**:\**)", re.MULTILINE)
_TEXT = re.compile(r"string_to_type[\"']?\s*:\s*(.*)\}\s*\Z", re.DOTALL)
_NUMBER = re.compile(r"[\"']?\b(element_id|x|y)\b[\"']?\s*[:=]\s*[\"']?(?:element_)?(-?\d+(?:\.\d+)?)")
_PATH = re.compile(r"[A-Za-z]:\\|\\\\")
_QUOTES: Final = (('"', '"'), ("'", "'"), ("“", "”"))
# The released code and the paper spell two actions differently; both are read.
_ALIASES: Final = {"drag_mouse_down": "drag_mouse_hold_down", "drag_mouse_up": "drag_mouse_release"}
CAAP_ACTIONS: Final = (
    "click_element", "click_new_point", "control_click_element", "type_text", "point_element", "press_control_A",
    "press_control_C", "press_control_V", "drag_mouse_hold_down", "drag_mouse_move", "drag_mouse_release",
)  # fmt: skip
"""The eleven of the paper's Table 3."""


@dataclass(slots=True)
class _Reader:
    scene: Scene
    held: Held | None
    found: list[AgentAction] = field(default_factory=list[AgentAction])
    notes: list[str] = field(default_factory=list[str])


def from_caap(answer: str | dict[str, Any], scene: Scene) -> ParsedAnswer:
    """Read the actions of a CAAP answer, as text or as function calls.

    The last block of ``Action_N`` lines with rising numbers counts, as earlier ones are examples or plans. Button down,
    moves and release become one drag; a drag that is not released is handed on as ``held``.

    Raises:
        ActionError: there is no action line, an action or element does not exist, or an argument is missing.
    """
    calls = _lines(answer) if isinstance(answer, str) else calls_of(answer)
    if not calls:
        raise ActionError(
            "The answer has no line of the form Action_N=(…).",
            code="no_action_line",
            field="",
            hint="End with lines such as Action_2=(Action: functions.click_element, Argument: {element_id: 1}).",
        )
    reader = _Reader(scene=scene, held=scene.held)
    for call in calls:
        _read(reader, _ALIASES.get(call.name, call.name), call.arguments)
    text = answer if isinstance(answer, str) else ""
    first = _LINE.search(text)
    reasoning = text[: first.start()].strip() if first else ""
    return ParsedAnswer(
        responses=_responses(reader.found, reasoning),
        notes=tuple(reader.notes),
        sections=_sections(reasoning),
        held=reader.held,
    )


def _responses(actions: Iterable[AgentAction], reasoning: str) -> tuple[LLMResponse, ...]:
    """The reasoning belongs to the plan as a whole: it stands with the first action."""
    return tuple(answer_of(action, reasoning=reasoning if i == 0 else "") for i, action in enumerate(actions))


def _lines(text: str) -> list[Call]:
    block: list[tuple[int, Call]] = []
    for match in _LINE.finditer(text):
        number = int(match.group(1))
        if block and number <= block[-1][0]:
            block = []
        block.append((number, Call(name=match.group(2), arguments=_arguments(match.group(3) or ""))))
    return [call for _, call in block]


def _arguments(text: str) -> dict[str, Any]:
    found = _TEXT.search(text.strip())
    if found:
        return {"string_to_type": _unquoted(found.group(1).strip())}
    return {name: float(value) for name, value in _NUMBER.findall(text)}


def _unquoted(text: str) -> str:
    for opening, closing in _QUOTES:
        if len(text) > 1 and text.startswith(opening) and text.endswith(closing):
            text = text[1:-1].replace(f"\\{closing}", closing)
            break
    # A line end is written as two characters, as an action is one line; in a path they are what they seem.
    return text if _PATH.search(text) else text.replace("\\n", "\n")


def _sections(reasoning: str) -> dict[str, Any]:
    heads = list(_HEADING.finditer(reasoning))
    ends = [*(head.start() for head in heads[1:]), len(reasoning)]
    return {
        head.group(1) or head.group(2): reasoning[head.end() : end].strip()
        for head, end in zip(heads, ends, strict=False)
    }


def _read(reader: _Reader, name: str, arguments: dict[str, Any]) -> None:
    if name not in CAAP_ACTIONS:
        raise unknown_action(name, CAAP_ACTIONS, field_name="Action")
    if name in _DRAGS:
        _DRAGS[name](reader, arguments)
        return
    if reader.held is not None:
        raise ActionError(
            f"{name} cannot be done while the mouse button is held down.",
            code="drag_in_progress",
            field="Action",
            hint="Only drag_mouse_move and drag_mouse_release are possible until the drag has ended.",
        )
    action = _SIMPLE[name](reader.scene, arguments)
    again = joined(reader.found[-1], action) if reader.found else None
    if again is not None:
        reader.notes.append(again[1])
        reader.found[-1] = again[0]
    else:
        reader.found.append(action)


def _element(scene: Scene, arguments: dict[str, Any]) -> ActionTarget:
    return target_of_number(_need(arguments, "element_id"), scene, field_name="element_id")


def _need(arguments: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - as the model wrote it
    if arguments.get(name) is None:
        raise ActionError(
            f"The argument {name} is missing.", code="missing_argument", field=name, hint=f"Give {name} a value."
        )
    return arguments[name]


def _point(scene: Scene, arguments: dict[str, Any]) -> tuple[float, float]:
    x, y = number_in(arguments, "x"), number_in(arguments, "y")
    fractions(x, y, scene, space="pixels", field_name="x, y")
    return x, y


def _click(scene: Scene, arguments: dict[str, Any]) -> AgentAction:
    return AgentAction(action_type="click", target=_element(scene, arguments))


def _click_point(scene: Scene, arguments: dict[str, Any]) -> AgentAction:
    x, y = _point(scene, arguments)
    return AgentAction(action_type="click", target=target_at(x, y, scene, space="pixels", field_name="x, y"))


def _control_click(scene: Scene, arguments: dict[str, Any]) -> AgentAction:
    target = _element(scene, arguments)
    return AgentAction(action_type="click", target=target, parameters={"modifiers": ["ctrl"]})


def _type(_scene: Scene, arguments: dict[str, Any]) -> AgentAction:
    return AgentAction(action_type="type", parameters={"text_to_type": str(_need(arguments, "string_to_type"))})


def _hover(scene: Scene, arguments: dict[str, Any]) -> AgentAction:
    return AgentAction(action_type="hover", target=_element(scene, arguments))


def _press(letter: str) -> Callable[[Scene, dict[str, Any]], AgentAction]:
    return lambda _scene, _arguments: AgentAction(action_type="press_key", parameters={"key_info": f"Ctrl+{letter}"})


_SIMPLE: Final[dict[str, Callable[[Scene, dict[str, Any]], AgentAction]]] = {
    "click_element": _click,
    "click_new_point": _click_point,
    "control_click_element": _control_click,
    "type_text": _type,
    "point_element": _hover,
    "press_control_A": _press("A"),
    "press_control_C": _press("C"),
    "press_control_V": _press("V"),
}


def _hold(reader: _Reader, arguments: dict[str, Any]) -> None:
    if reader.held is not None:
        raise ActionError(
            "The mouse button is held down already.",
            code="drag_in_progress",
            field="Action",
            hint="Go on with drag_mouse_move or drag_mouse_release.",
        )
    x, y = _point(reader.scene, arguments)
    reader.held = Held(start=Point(round(x), round(y)))


def _move(reader: _Reader, arguments: dict[str, Any]) -> None:
    held = _need_held(reader, "drag_mouse_move")
    x, y = _point(reader.scene, arguments)
    reader.held = Held(start=held.start, way=(*held.way, Point(round(x), round(y))))


def _release(reader: _Reader, _arguments: dict[str, Any]) -> None:
    held = _need_held(reader, "drag_mouse_release")
    if not held.way:
        raise ActionError(
            "The drag is released where it began.",
            code="drag_without_end",
            field="Action",
            hint="Say with drag_mouse_move where to, before drag_mouse_release.",
        )
    reader.found.append(_drag(reader.scene, held.start, held.way))
    reader.held = None


def _drag(scene: Scene, start: Point, way: Sequence[Point]) -> AgentAction:
    places = [target_at(p.x, p.y, scene, space="pixels", field_name="x, y") for p in (start, *way)]
    middle = [[place.bbox[0], place.bbox[1]] for place in places[1:-1] if place.bbox is not None]
    parameters: dict[str, Any] = {"end_target": places[-1].to_wire(), **({"path": middle} if middle else {})}
    return AgentAction(action_type="drag", target=places[0], parameters=parameters)


def _need_held(reader: _Reader, name: str) -> Held:
    if reader.held is None:
        raise ActionError(
            f"{name} is only possible while the mouse button is held down.",
            code="no_drag",
            field="Action",
            hint="Begin with drag_mouse_hold_down.",
        )
    return reader.held


_DRAGS: Final[dict[str, Callable[[_Reader, dict[str, Any]], None]]] = {
    "drag_mouse_hold_down": _hold,
    "drag_mouse_move": _move,
    "drag_mouse_release": _release,
}
