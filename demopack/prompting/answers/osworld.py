"""OSWorld's ``computer_13`` actions: one, or a list of them, flat or with ``parameters``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from demopack.errors import ActionError
from demopack.prompting.answers.gestures import Gestures, Place
from demopack.prompting.answers.loose import as_object, loose_json
from demopack.prompting.answers.parsed import ParsedAnswer, answer_of, unknown_action
from demopack.prompting.scene import Scene

__all__ = ["from_osworld"]

_Hand = Callable[[Gestures, dict[str, Any]], None]
_WORDS: Final = ("WAIT", "DONE", "FAIL")


def from_osworld(answer: str | dict[str, Any] | list[Any], scene: Scene) -> ParsedAnswer:
    """Read actions in absolute pixels; the wheel's sign is the operating system's: negative is down.

    Raises:
        ActionError: an action is unknown or not complete.
    """
    value: Any = answer
    if isinstance(answer, str):
        value = answer.strip() if answer.strip() in _WORDS else loose_json(answer)[0]
    gestures = Gestures(scene=scene, space="pixels")
    for item in cast("Sequence[Any]", value) if isinstance(value, list) else [value]:
        data = {"action_type": item} if isinstance(item, str) else as_object(item, "The action")
        name = str(data.get("action_type")).upper()
        hand = _HANDS.get(name)
        if hand is None:
            raise unknown_action(data.get("action_type"), tuple(_HANDS), field_name="action_type")
        given = data.get("parameters")
        hand(gestures, as_object(given, "parameters") if isinstance(given, dict) else data)
    if not gestures.actions:
        raise ActionError("The answer has no action.", code="no_action", field="action_type", hint="Give one.")
    return ParsedAnswer(responses=tuple(answer_of(action) for action in gestures.actions), notes=tuple(gestures.notes))


def _xy(gestures: Gestures, given: dict[str, Any]) -> Place | None:
    return None if given.get("x") is None or given.get("y") is None else gestures.place(given["x"], given["y"])


def _need(given: dict[str, Any], name: str) -> Any:  # noqa: ANN401 - any JSON value
    if given.get(name) is None:
        raise ActionError(
            f"The parameter {name} is missing.", code="missing_argument", field=name, hint=f"Give {name} a value."
        )
    return given[name]


def _place(gestures: Gestures, given: dict[str, Any]) -> Place:
    return gestures.place(_need(given, "x"), _need(given, "y"))


def _click(gestures: Gestures, given: dict[str, Any]) -> None:
    button = str(given.get("button") or "left")
    count = {1: "single", 2: "double", 3: "triple"}.get(int(given.get("num_clicks") or 1), "single")
    gestures.click(_xy(gestures, given), kind=count if button == "left" else button)


def _scroll(gestures: Gestures, given: dict[str, Any]) -> None:
    across, down = float(given.get("dx") or 0), float(given.get("dy") or 0)
    if not across and not down:
        raise ActionError(
            "The scroll has no distance.", code="scroll_without_direction", field="dy", hint="Say how far."
        )
    if across and down:
        gestures.notes.append("Of a slanting scroll only the longer way was read.")
    if abs(across) > abs(down):
        gestures.scroll(None, "right" if across > 0 else "left", max(1, round(abs(across))))
    else:
        gestures.scroll(None, "up" if down > 0 else "down", max(1, round(abs(down))))


_HANDS: Final[Mapping[str, _Hand]] = {
    "MOVE_TO": lambda g, a: g.move(_place(g, a)),
    "CLICK": _click,
    "MOUSE_DOWN": lambda g, a: g.down(_xy(g, a), button=str(a.get("button") or "left")),
    "MOUSE_UP": lambda g, a: g.up(_xy(g, a)),
    "RIGHT_CLICK": lambda g, a: g.click(_xy(g, a), kind="right"),
    "DOUBLE_CLICK": lambda g, a: g.click(_xy(g, a), kind="double"),
    "DRAG_TO": lambda g, a: g.drag(None, [_place(g, a)]),
    "SCROLL": _scroll,
    "TYPING": lambda g, a: g.type(str(_need(a, "text"))),
    "PRESS": lambda g, a: g.press([str(_need(a, "key"))]),
    "KEY_DOWN": lambda g, a: g.key_down(str(_need(a, "key"))),
    "KEY_UP": lambda g, a: g.key_up(str(_need(a, "key"))),
    "HOTKEY": lambda g, a: g.press([str(key) for key in _need(a, "keys")]),
    "WAIT": lambda g, _: g.wait(None),
    "DONE": lambda g, _: g.finish(success=True),
    "FAIL": lambda g, _: g.finish(success=False),
}
