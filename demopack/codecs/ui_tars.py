"""UI-TARS: one line of pseudo-code; places on a grid of 0 to 1000 (1.0), or in pixels of the resized picture (1.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from demopack.codecs.action_builder import ActionBuilder, Place, key_parts
from demopack.codecs.base import Codec
from demopack.codecs.code_calls import CallDecoder, CodeCall, answer_from, code_calls
from demopack.codecs.coordinates import TARS_PIXELS, THOUSAND, CoordinateGrid
from demopack.codecs.decoded import DecodedAnswer
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, repeated
from demopack.codecs.texts import texts
from demopack.domain import actions
from demopack.domain.geometry import Point, Size
from demopack.domain.keys import spell
from demopack.errors import ActionError

_CLICKS = {"single": "click", "double": "left_double", "right": "right_single", "triple": "click"}


def _written_box(placed: PlacedAction, point: Point, coordinates: CoordinateGrid) -> str:
    x, y = placed.written(point, coordinates)
    return f"'({x},{y})'"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"').replace("\n", "\\n")
    return f"'{escaped}'"


def _encode(placed: PlacedAction, *, coordinates: CoordinateGrid) -> EncodedAction:
    box = partial(_written_box, placed, coordinates=coordinates)
    match placed.action:
        case actions.ClickAction(click_type=kind) if kind in _CLICKS:
            call = f"{_CLICKS[kind]}(start_box={box(placed.point)})"
            return repeated(call, 3 if kind == "triple" else 1, "click_count")
        case actions.TypeAction() as action:
            # A line end at the end of the content stands for Enter; one that was typed looks the same.
            content = action.text_to_type + ("\n" if action.submit else "")
            return encoded(f"type(content={_quoted(content)})")
        case actions.PressKeyAction(keys=names) as action:
            if len(names) > 3:
                raise NotExpressibleError("no_word", "key_count")
            keys = " ".join(spell(name, "pyautogui") for name in names)
            return repeated(f"hotkey(key={_quoted(keys)})", action.presses, "presses")
        case actions.ScrollAction() as action:
            place = box(placed.point_or_middle)
            return encoded(f"scroll(start_box={place}, direction='{action.scroll_direction}')")
        case actions.DragAction():
            start, end = box(placed.point), box(placed.end_point)
            return encoded(f"drag(start_box={start}, end_box={end})")
        case actions.WaitAction():
            return encoded("wait()")
        case actions.FinishGoalAction() as action:
            return encoded(f"finished(content='{action.status}')")
        case _:
            raise NotExpressibleError("no_word")


_ACTION = re.compile(r"^[ \t]*Actions?[ \t]*:", re.MULTILINE)
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def decode(answer: str, observation: Observation) -> DecodedAnswer:
    """``Thought: …`` and ``Action: click(start_box='(x,y)')``, also with the box tokens and ``<point>`` of its kin.

    Places lie on a grid of 1000 by 1000, as version 1.0 writes them; for 1.5 see :func:`decode_pixels`.

    Raises:
        ActionError: an action is unknown, cannot be read, or there is none.
    """
    # A thought may speak of an "Action:" too; the one that counts begins a line.
    found = _ACTION.search(answer)
    thought, rest = (answer[: found.start()], answer[found.end() :]) if found else ("", "")
    text = rest if rest.strip() else answer
    # Box tokens stand inside the quotes; without them only the numbers are left.
    text = re.sub(r"<\|box_(?:start|end)\|>|</?(?:point|bbox)>", " ", text.replace("\r", ""))
    builder = ActionBuilder(observation=observation, space="thousand")
    for call in code_calls("\n".join(line.strip() for line in text.split("\n"))):
        builder.do(call.name, call, _UI_TARS)
    reasoning = re.sub(r"^\s*(?:Thought|Reflection)\s*:\s*", "", thought) if rest.strip() else ""
    return answer_from(builder, reasoning.strip())


def decode_pixels(answer: str, observation: Observation) -> DecodedAnswer:
    """As :func:`decode`, but places are pixels of the picture as the model sees it, which version 1.5 writes.

    Raises:
        ActionError: as :func:`decode`; (``unknown_size``) the size of the picture is not known.
    """
    return decode(answer, TARS_PIXELS.measured(observation))


def _system(size: Size | None, *, coordinates: CoordinateGrid) -> str:
    return texts("ui-tars").get("system", coordinates=coordinates.told_of(size))


def _read_box(builder: ActionBuilder, call: CodeCall, *names: str) -> Place | None:
    written = next((call.named[name] for name in names if name in call.named), call.args[0] if call.args else None)
    if written is None:
        return None
    numbers = [float(n) for n in _NUMBERS.findall(str(written))]
    if len(numbers) == 4:
        # A box: its middle is meant.
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    if len(numbers) != 2:
        raise ActionError(f"{written!r} is no place.", "bad_parameter", names[0], "Write it as '(x,y)'.")
    return builder.place(*numbers)


def _tars_click(kind: str) -> CallDecoder:
    return lambda g, c: g.click(_read_box(g, c, "start_box", "point"), kind=kind)


def _tars_drag(builder: ActionBuilder, call: CodeCall) -> None:
    end = _read_box(builder, CodeCall(name=call.name, args=(), named=call.named), "end_box", "end_point")
    builder.drag(_read_box(builder, call, "start_box", "start_point"), [end] if end else [])


def _tars_type(builder: ActionBuilder, call: CodeCall) -> None:
    text = str(call.get("content", 0, ""))
    # A line end at the end stands for Enter.
    builder.type(text.removesuffix("\n"), submit=text.endswith("\n"))


def _tars_finished(builder: ActionBuilder, call: CodeCall) -> None:
    said = str(call.get("content", 0, "") or "")
    builder.finish(success=said.strip().lower() not in {"failure", "fail", "failed", "infeasible"})


def _tars_keys(builder: ActionBuilder, call: CodeCall) -> None:
    written = str(call.get("key", 0, "") or call.named.get("hotkey", ""))
    builder.press(key_parts(written))


_UI_TARS: Final[Mapping[str, CallDecoder]] = {
    "click": _tars_click("single"),
    "left_single": _tars_click("single"),
    "left_double": _tars_click("double"),
    "double_click": _tars_click("double"),
    "right_single": _tars_click("right"),
    "right_click": _tars_click("right"),
    "drag": _tars_drag,
    "select": _tars_drag,
    "hotkey": _tars_keys,
    "press": _tars_keys,
    "type": _tars_type,
    "scroll": lambda g, c: g.scroll(_read_box(g, c, "start_box", "point"), str(c.named.get("direction", "down")), None),
    "hover": lambda g, c: g.move(_read_box(g, c, "start_box", "point") or (0.0, 0.0)),
    "wait": lambda g, _: g.wait(None),
    "finished": _tars_finished,
    "call_user": lambda g, _: g.finish(success=False),
}


CODEC: Final = Codec(
    name="ui-tars",
    title="UI-TARS",
    places=THOUSAND.words,
    encoder=partial(_encode, coordinates=THOUSAND),
    unsaid=frozenset({"modifiers", "hold", "scroll_steps", "drag_button", "drag_path", "wait_seconds"}),
    decode=decode,
    coordinates=THOUSAND,
    system=partial(_system, coordinates=THOUSAND),
    sentences="ui-tars",
)
PIXEL_CODEC: Final = replace(
    CODEC,
    name="ui-tars-1.5",
    title="UI-TARS 1.5",
    places=TARS_PIXELS.words,
    encoder=partial(_encode, coordinates=TARS_PIXELS),
    decode=decode_pixels,
    coordinates=TARS_PIXELS,
    system=partial(_system, coordinates=TARS_PIXELS),
)
