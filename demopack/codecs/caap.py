"""CAAP's eleven functions and fourteen types of elements: place and text, three shortcuts, a drag in three parts.

Source: https://arxiv.org/abs/2406.06947, its Tables 2 and 3 and Figures 8 to 11; what the tables leave open (which of
the three states a type has, what entries of lists and menus are) is as its code has it
(github.com/caap-agent/caap-agent).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
from demopack.domain.elements import ICON_SUBTYPES, Attributes, Element, ElementType, State
from demopack.domain.geometry import Point, caap_notation
from demopack.errors import ActionError

_SHORTCUTS: Final = {f"Ctrl+{letter}": f"press_control_{letter}" for letter in "ACV"}
# Its text is typed key by key, so the two keys that are characters can be typed.
_TYPED: Final = {"Enter": "\n", "Tab": "\t"}


def _has(*states: State, text: bool = True, subtype: bool = False) -> Attributes:
    return Attributes(text=text, subtype=subtype, states=frozenset(states))


TABLE_2: Final[Mapping[ElementType, Attributes]] = {
    "text": _has("highlighted"),
    "hyperlink": _has("highlighted"),
    "button": _has("focused"),
    "radio": _has("checked"),
    "checkbox": _has("checked"),
    "dropdown": _has("focused"),
    "input_field": _has("focused"),
    "text_area": _has("focused", text=False),
    "resize_handle": _has(text=False),
    "scrollbar": _has(text=False),
    "tabled_text": _has("highlighted"),
    "draggable_text": _has(),
    "shape": _has(text=False, subtype=True),
    "icon": _has("checked", text=False, subtype=True),
}
"""The types that CAAP knows, each with what it tells of it beside the place."""
SUBTYPES: Final = frozenset({*ICON_SUBTYPES, "circle", "triangle", "rectangle"})
"""The subtypes of icons and shapes that CAAP knows."""
NEAREST: Final[Mapping[ElementType, ElementType]] = {
    "toggle": "checkbox",
    "spinner": "input_field",
    "tab": "button",
    "menu": "button",
    "menu_item": "tabled_text",
    "list_item": "tabled_text",
    "tree_item": "tabled_text",
    "scrollbar_up_button": "scrollbar",
    "scrollbar_down_button": "scrollbar",
    "scrollbar_left_button": "scrollbar",
    "scrollbar_right_button": "scrollbar",
    "scrollbar_thumb": "scrollbar",
}
"""What CAAP takes elements of further types for. It does not see those that are neither here nor in its table."""


def seen_by_caap(element: Element) -> Element | None:
    """The element as CAAP would see it: its type, and no more than its table has for that; None where it sees none."""
    kind = NEAREST.get(element.type) or element.type
    may = TABLE_2.get(kind)
    if may is None:
        return None
    return element.model_copy(
        update={
            "type": kind,
            "text": element.text if may.text else None,
            "subtype": element.subtype if may.subtype and element.subtype in SUBTYPES else None,
            "states": {state: value for state, value in element.states.items() if state in may.states},
        }
    )


def element_losses(element: Element, seen: Element | None) -> tuple[str, ...]:
    """Codes of what is lost when an element is told as CAAP sees it."""
    if seen is None:
        return ("element_place",)
    less = (element.text or None, element.subtype, element.states) != (seen.text or None, seen.subtype, seen.states)
    return (*(("element_type",) if element.type != seen.type else ()), *(("element_details",) if less else ()))


def element_data(seen: Element, *, visible: bool | None = None) -> str:
    """An element as CAAP writes it: ``{type: radio, X: 31 [10-52], Y: 62 [55-70], checked: False, text: "EiTE"}``.

    A tick comes before the text and the other states after it, as in the paper's figures.

    Args:
        seen: what :func:`seen_by_caap` gave.
        visible: told at the end, where it is given.
    """
    known = dict(seen.states)
    parts = [f"type: {seen.type}", caap_notation(seen.box)]
    if seen.subtype:
        parts.append(f'subtype: "{seen.subtype}"')
    if "checked" in known:
        parts.append(f"checked: {known.pop('checked')}")
    if seen.text is not None:
        # One element, one line.
        parts.append(f'text: "{" ".join(seen.text.split())}"')
    parts += [f"{state}: {value}" for state, value in sorted(known.items())]
    if visible is not None:
        parts.append(f"visible: {visible}")
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
            enter = (_call("type_text", r'"\n"'),) if action.submit else ()
            return encoded(_call("type_text", f'"{_flat(action.text_to_type)}"'), *enter)
        case actions.PressKeyAction(keys=(("Enter" | "Tab") as key,)) as action:
            return repeated(_call("type_text", f'"{_flat(_TYPED[key])}"'), action.presses, "presses")
        case actions.PressKeyAction() as action:
            name = _SHORTCUTS.get("+".join(action.keys))
            if name is None:
                raise NotExpressibleError("no_word", "keys")
            return repeated(_call(name), action.presses, "presses")
        case actions.DragAction(button="left", modifiers=()):
            start, *rest = map(_point, placed.drag_way)
            moves = [_call("drag_mouse_move", point) for point in rest]
            return encoded(_call("drag_mouse_hold_down", start), *moves, _call("drag_mouse_release"))
        case actions.HoverAction():
            data, losses = _element_or_place(placed)
            return encoded(_call("point_element", data), losses=losses)
        case _:
            raise NotExpressibleError("no_word")


def _encode_click(action: actions.ClickAction, placed: PlacedAction) -> EncodedAction:
    if not set(action.modifiers) <= {"ctrl"}:
        raise NotExpressibleError("no_word")
    data, losses = _element_or_place(placed)
    name = "click_element"
    if action.modifiers:
        name = "control_click_element"
    elif "element_place" in losses:
        name = "click_new_point"
        # The function is meant for a place; only an element that is known and cannot be said is a loss.
        losses = () if placed.target is None else losses
    count = {"double": 2, "triple": 3}.get(action.click_type, 1)
    return encoded(*[_call(name, data)] * count, losses=(*losses, *(("click_count",) if count > 1 else ())))


def _element_or_place(placed: PlacedAction) -> tuple[str, tuple[str, ...]]:
    """The target as CAAP sees it, else the place; and what is lost."""
    seen = None if placed.target is None else seen_by_caap(placed.target)
    if placed.target is None or seen is None:
        return _point(placed.point), ("element_place",)
    return element_data(seen), element_losses(placed.target, seen)


def _flat(text: str) -> str:
    """On one line; a tab stands for the key where it is alone."""
    return r"\t" if text == "\t" else text.replace("\n", r"\n")


_LINE = re.compile(
    r"Action_(\d+)\s*=\s*\(\s*Action\s*:\s*(?:functions\.)?(\w+)\s*(?:,\s*Arguments?\s*:\s*(.*?))?\)"
    r"[ \t.,;`]*(?=\n|\Z)",
    re.DOTALL,
)
# The headings of the paper's Figure 10, which our prompt asks for, and those of its earlier version.
HEADINGS: Final[Mapping[str, str]] = {
    "review": "Analysis of Action History",
    "screen": "Description of Screen Components",
    "plan": "Completion Plan",
    "answer": "Actions to be Performed",
}
"""The sections of an answer, by the part of the prompt that asks for each."""
_NAMES = "|".join((*HEADINGS.values(), "Review", "Screen", "Plan", "Actions"))
_HEADING = re.compile(rf"^(?:#{{1,4}}[ \t]*(.+?)[ \t#:]*$|\**({_NAMES})\**:\**)", re.MULTILINE)
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
    if text == r"\t":
        return "\t"
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
    keys = [key for key, typed in _TYPED.items() if name == "type_text" and arguments.get("string_to_type") == typed]
    if keys:
        reader.press(keys)
        return
    reader.add(_SIMPLE[name](reader.observation, arguments))


def _element(observation: Observation, arguments: dict[str, Any]) -> actions.ActionTarget:
    """The element, or the place that stands where none could be named."""
    if "element_id" not in arguments and "x" in arguments:
        return _at(observation, *_read_point(observation, arguments))
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
    unsaid={"hold", "submit", "hover_seconds"},
    decode=decode,
)
