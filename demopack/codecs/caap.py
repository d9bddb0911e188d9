"""CAAP's eleven functions: elements by their place and text, Ctrl+A, Ctrl+C and Ctrl+V, a drag in three parts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from demopack.codecs.action_builder import ActionBuilder
from demopack.codecs.base import Codec
from demopack.codecs.decoded import (
    DecodedAnswer,
    fractions,
    number_in,
    required,
    responses_of,
    target_at,
    target_of_number,
    unknown_action,
)
from demopack.codecs.json_answers import Call, calls_of
from demopack.codecs.observation import HeldDrag, Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.domain import actions
from demopack.domain.elements import Element
from demopack.domain.geometry import Point, caap_notation
from demopack.errors import ActionError

_KEYS = {f"Ctrl+{letter}": f"press_control_{letter}" for letter in "ACV"}


def element_data(element: Element) -> str:
    """An element as CAAP writes it: ``{type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE"}``.

    A tick comes before the text and every other state after it, as in the paper's figures.
    """
    known = dict(element.states)
    parts = [f"type: {element.type}", caap_notation(element.box)]
    if element.subtype:
        parts.append(f"subtype: {element.subtype}")
    if "checked" in known:
        parts.append(f"checked: {known.pop('checked')}")
    if element.text is not None:
        # One element, one line.
        parts.append(f'text: "{" ".join(element.text.split())}"')
    parts += [f"{state}: {value}" for state, value in sorted(known.items())]
    return f"{{{', '.join(parts)}}}"


def _call(name: str, arg: str | None = None) -> dict[str, Any]:
    return {"name": name} if arg is None else {"name": name, "arg": arg}


def _point(point: Point) -> str:
    return f"{{x={point.x}, y={point.y}}}"


def _encode(placed: PlacedAction) -> EncodedAction:
    match placed.action:
        case actions.ClickAction(click_type="single" | "double" | "triple") as action:
            return _encode_click(action, placed)
        case actions.TypeAction() as action:
            flat = action.text_to_type.replace("\n", "\\n")
            return encoded(_call("type_text", f'"{flat}"'))
        case actions.PressKeyAction() as action:
            name = _KEYS.get("+".join(action.keys))
            if name is None:
                raise NotExpressibleError("no_word", "keys")
            return repeated(_call(name), action.presses, "presses")
        case actions.DragAction() as action:
            start, *rest = map(_point, placed.drag_way)
            moves = [_call("drag_mouse_move", point) for point in rest]
            losses = ("modifiers",) if action.modifiers else ()
            return encoded(_call("drag_mouse_hold_down", start), *moves, _call("drag_mouse_release"), losses=losses)
        case actions.HoverAction() if placed.target is not None:
            return encoded(_call("point_element", element_data(placed.target)))
        case _:
            raise NotExpressibleError("no_word")


def _encode_click(action: actions.ClickAction, placed: PlacedAction) -> EncodedAction:
    unsaid = set(action.modifiers)
    if placed.target is not None:
        name = "control_click_element" if "ctrl" in unsaid else "click_element"
        unsaid.discard("ctrl")
        call = _call(name, element_data(placed.target))
    else:
        call = _call("click_new_point", _point(placed.point))
    count = {"double": 2, "triple": 3}.get(action.click_type, 1)
    losses = (*(("modifiers",) if unsaid else ()), *(("click_count",) if count > 1 else ()))
    return encoded(*[call] * count, losses=losses)


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


@dataclass(slots=True, kw_only=True)
class _Reader(ActionBuilder):
    """Reads drags in three parts, which may go on over several answers."""

    held: HeldDrag | None


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
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
    reader = _Reader(observation=observation, space="pixels", held=observation.held)
    for call in calls:
        _read(reader, _ALIASES.get(call.name, call.name), call.arguments)
    text = answer if isinstance(answer, str) else ""
    first = _LINE.search(text)
    reasoning = text[: first.start()].strip() if first else ""
    return DecodedAnswer(
        responses=responses_of(reader.actions, reasoning=reasoning),
        notes=tuple(reader.notes),
        sections=_sections(reasoning),
        held=reader.held,
    )


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
    if name in _DRAGS:
        _DRAGS[name](reader, arguments)
        return
    if name not in _SIMPLE:
        raise unknown_action(name, (*_SIMPLE, *_DRAGS), field_name="Action")
    if reader.held is not None:
        raise ActionError(
            f"{name} cannot be done while the mouse button is held down.",
            code="drag_in_progress",
            field="Action",
            hint="Only drag_mouse_move and drag_mouse_release are possible until the drag has ended.",
        )
    reader.add(_SIMPLE[name](reader.observation, arguments))


def _element(observation: Observation, arguments: dict[str, Any]) -> actions.ActionTarget:
    return target_of_number(required(arguments, "element_id"), observation, field_name="element_id")


def _read_point(observation: Observation, arguments: dict[str, Any]) -> tuple[float, float]:
    x, y = number_in(arguments, "x"), number_in(arguments, "y")
    fractions(x, y, observation, space="pixels", field_name="x, y")
    return x, y


def _at(observation: Observation, x: float, y: float) -> actions.ActionTarget:
    return target_at(x, y, observation, space="pixels", field_name="x, y")


_SIMPLE: Final[dict[str, Callable[[Observation, dict[str, Any]], actions.Action]]] = {
    "click_element": lambda screen, given: actions.ClickAction(target=_element(screen, given)),
    "click_new_point": lambda screen, given: actions.ClickAction(target=_at(screen, *_read_point(screen, given))),
    "control_click_element": lambda screen, given: actions.ClickAction(
        target=_element(screen, given), modifiers=("ctrl",)
    ),
    "type_text": lambda _, given: actions.TypeAction(text_to_type=str(required(given, "string_to_type"))),
    "point_element": lambda screen, given: actions.HoverAction(target=_element(screen, given)),
    "press_control_A": lambda _, _given: actions.PressKeyAction(key_info="Ctrl+A"),
    "press_control_C": lambda _, _given: actions.PressKeyAction(key_info="Ctrl+C"),
    "press_control_V": lambda _, _given: actions.PressKeyAction(key_info="Ctrl+V"),
}


def _hold(reader: _Reader, arguments: dict[str, Any]) -> None:
    if reader.held is not None:
        raise ActionError(
            "The mouse button is held down already.",
            code="drag_in_progress",
            field="Action",
            hint="Go on with drag_mouse_move or drag_mouse_release.",
        )
    x, y = _read_point(reader.observation, arguments)
    reader.held = HeldDrag(start=Point(round(x), round(y)))


def _move(reader: _Reader, arguments: dict[str, Any]) -> None:
    held = _need_held(reader, "drag_mouse_move")
    x, y = _read_point(reader.observation, arguments)
    reader.held = HeldDrag(start=held.start, way=(*held.way, Point(round(x), round(y))))


def _release(reader: _Reader, _arguments: dict[str, Any]) -> None:
    held = _need_held(reader, "drag_mouse_release")
    if not held.way:
        raise ActionError(
            "The drag is released where it began.",
            code="drag_without_end",
            field="Action",
            hint="Say with drag_mouse_move where to, before drag_mouse_release.",
        )
    places = [_at(reader.observation, point.x, point.y) for point in (held.start, *held.way)]
    path = tuple((place.bbox[0], place.bbox[1]) for place in places[1:-1] if place.bbox is not None)
    reader.add(actions.DragAction(target=places[0], end_target=places[-1], path=path))
    reader.held = None


def _need_held(reader: _Reader, name: str) -> HeldDrag:
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


CODEC: Final = Codec(
    name="caap",
    title="CAAP",
    places="the element's centre and edges in pixels",
    encoder=_encode,
    unsaid={"hold", "submit_left_out", "drag_button", "hover_seconds"},
    decode=decode,
)
