"""UI-TARS: a thought, then lines of pseudo-code with places in quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from demopack.errors import ActionError
from demopack.prompting.answers.code import CodeCall, Hand, answer_from, code_calls, run_calls
from demopack.prompting.answers.gestures import Gestures, Place
from demopack.prompting.answers.key_names import key_parts
from demopack.prompting.answers.parsed import ParsedAnswer
from demopack.prompting.scene import Scene

__all__ = ["from_ui_tars"]

_ACTION = re.compile(r"^[ \t]*Actions?[ \t]*:", re.MULTILINE)
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")


def from_ui_tars(answer: str, scene: Scene) -> ParsedAnswer:
    """``Thought: …`` and ``Action: click(start_box='(x,y)')``, also with the box tokens and ``<point>`` of its kin.

    Places lie on a grid of 1000 by 1000, as version 1.0 writes them; version 1.5 writes pixels, for which the scene
    says ``space="pixels"``.

    Raises:
        ActionError: an action is unknown, cannot be read, or there is none.
    """
    # A thought may speak of an "Action:" too; the one that counts begins a line.
    found = _ACTION.search(answer)
    thought, rest = (answer[: found.start()], answer[found.end() :]) if found else ("", "")
    text = rest if rest.strip() else answer
    # Box tokens stand inside the quotes; without them only the numbers are left.
    text = re.sub(r"<\|box_(?:start|end)\|>|</?(?:point|bbox)>", " ", text.replace("\r", ""))
    gestures = Gestures(scene=scene, space="thousand")
    run_calls(gestures, code_calls("\n".join(line.strip() for line in text.split("\n"))), _UI_TARS)
    reasoning = re.sub(r"^\s*(?:Thought|Reflection)\s*:\s*", "", thought) if rest.strip() else ""
    return answer_from(gestures, reasoning.strip())


def _box(gestures: Gestures, call: CodeCall, *names: str) -> Place | None:
    written = next((call.named[name] for name in names if name in call.named), call.args[0] if call.args else None)
    if written is None:
        return None
    numbers = [float(n) for n in _NUMBERS.findall(str(written))]
    if len(numbers) == 4:
        # A box: its middle is meant.
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    if len(numbers) != 2:
        raise ActionError(
            f"{written!r} is no place.", code="bad_parameter", field=names[0], hint="Write it as '(x,y)'."
        )
    return gestures.place(*numbers)


def _tars_click(kind: str) -> Hand:
    return lambda g, c: g.click(_box(g, c, "start_box", "point"), kind=kind)


def _tars_drag(gestures: Gestures, call: CodeCall) -> None:
    end = _box(gestures, CodeCall(name=call.name, args=(), named=call.named), "end_box", "end_point")
    gestures.drag(_box(gestures, call, "start_box", "start_point"), [end] if end else [])


def _tars_type(gestures: Gestures, call: CodeCall) -> None:
    text = str(call.get("content", 0, ""))
    # A line end at the end stands for Enter.
    gestures.type(text.removesuffix("\n"), submit=text.endswith("\n"))


def _tars_finished(gestures: Gestures, call: CodeCall) -> None:
    said = str(call.get("content", 0, "") or "")
    gestures.finish(success=said.strip().lower() not in {"failure", "fail", "failed", "infeasible"})


def _tars_keys(gestures: Gestures, call: CodeCall) -> None:
    written = str(call.get("key", 0, "") or call.named.get("hotkey", ""))
    gestures.press(key_parts(written))


_UI_TARS: Final[Mapping[str, Hand]] = {
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
    "scroll": lambda g, c: g.scroll(_box(g, c, "start_box", "point"), str(c.named.get("direction", "down")), None),
    "hover": lambda g, c: g.move(_box(g, c, "start_box", "point") or (0.0, 0.0)),
    "wait": lambda g, _: g.wait(None),
    "finished": _tars_finished,
    "call_user": lambda g, _: g.finish(success=False),
}
