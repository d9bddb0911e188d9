"""UFO's functions on Windows controls: the element by its label and text, a bare point in fractions of the window."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from demopack.codecs.base import Codec
from demopack.codecs.decoded import (
    DecodedAnswer,
    number_in,
    required,
    responses_of,
    target_at,
    target_of_number,
    unknown_action,
)
from demopack.codecs.json_answers import as_object
from demopack.codecs.observation import Observation
from demopack.codecs.placed_action import EncodedAction, NotExpressibleError, PlacedAction, encoded, scroll_notches
from demopack.codecs.ufo_answers import said_calls
from demopack.domain import actions
from demopack.domain.actions import LLMResponse
from demopack.domain.geometry import Point, Rect, from_window_fraction, to_window_fraction
from demopack.domain.keys import MODIFIERS, join_keys
from demopack.errors import ActionError

_HELD = {"ctrl": "CONTROL", "shift": "SHIFT", "alt": "MENU", "meta": "LWIN"}
_PREFIX = {"Ctrl": "^", "Alt": "%", "Shift": "+"}
_NAMED = {
    "Enter": "ENTER", "Tab": "TAB", "Escape": "ESC", "Backspace": "BACKSPACE", "Delete": "DELETE", "Insert": "INSERT",
    "Home": "HOME", "End": "END", "PageUp": "PGUP", "PageDown": "PGDN", "ArrowUp": "UP", "ArrowDown": "DOWN",
    "ArrowLeft": "LEFT", "ArrowRight": "RIGHT", "Space": "SPACE", "Plus": "+", "CapsLock": "CAPSLOCK",
    "NumLock": "NUMLOCK", "ScrollLock": "SCROLLLOCK", "Pause": "BREAK", "Meta": "LWIN", "Menu": "APPS",
    **{f"F{n}": f"F{n}" for n in range(1, 21)},
}  # fmt: skip
_SPECIAL = frozenset("+^%~(){}[]")


def _call(function: str, **args: Any) -> dict[str, Any]:  # noqa: ANN401 - plain JSON
    return {"Function": function, "Args": args}


def control_of(placed: PlacedAction) -> tuple[str, str] | None:
    """Label and text of the control that an action is done to, either may be empty; None where only a place is known.

    A control that was told by its number or text alone, as UFO's own plans do, is one without a box.
    """
    if placed.target is not None:
        return str(placed.target.number), placed.target.text or ""
    told = placed.action.target
    if placed.at is not None or told is None or not (told.element_id or told.text):
        return None
    return "" if told.element_id is None else str(told.element_id), told.text or ""


def _fraction(placed: PlacedAction, point: Point | None, target: actions.ActionTarget | None) -> tuple[float, float]:
    """A place as fractions of the window; without a picture, what the action itself says."""
    window = placed.window or (None if placed.size is None else Rect(0, 0, placed.size.width, placed.size.height))
    if point is not None and window is not None:
        x, y = to_window_fraction(point, window)
    elif placed.size is None and target is not None and target.bbox is not None:
        left, top, width, height = target.bbox
        x, y = left + width / 2, top + height / 2
    else:
        raise NotExpressibleError("no_place")
    return round(x, 4), round(y, 4)


def _escaped(text: str) -> str:
    """Text as pywinauto types it: its signs for keys in braces."""
    named = {"\n": "{ENTER}", "\t": "{TAB}"}
    return "".join(named.get(char) or (f"{{{char}}}" if char in _SPECIAL else char) for char in text)


def _encode(placed: PlacedAction) -> EncodedAction:
    held = placed.action.held
    match placed.action:
        case actions.ClickAction() as action:
            return _encode_click(action, placed)
        case actions.TypeAction(submit=False, text_to_type=text) if control_of(placed) is not None:
            return encoded(_call("set_edit_text", text=text, clear_current_text=False))
        case actions.TypeAction() as action:
            enter = "{ENTER}" if action.submit else ""
            return encoded(_call("keyboard_input", keys=_escaped(action.text_to_type) + enter))
        case actions.PressKeyAction() as action:
            return _encode_keys(action)
        case actions.ScrollAction(scroll_direction="up" | "down") as action:
            _, up = scroll_notches(action, positive="up")
            return encoded(_call("wheel_mouse_input", wheel_dist=up), losses=("modifiers",) if held else ())
        case actions.DragAction() as action:
            start, end = _fraction(placed, placed.at, action.target), _fraction(placed, placed.to, action.end)
            places = {"start_x": start[0], "start_y": start[1], "end_x": end[0], "end_y": end[1]}
            key = _HELD[held[0]].lower() if len(held) == 1 else None
            call = _call("drag_on_coordinates", **places, button=action.button, duration=1.0, key_hold=key)
            return encoded(call, losses=("modifiers",) if len(held) > 1 else ())
        case actions.ExtractDataAction(description=about, data=data):
            return encoded(_call("summary", text=about if data is None else f"{about}: {data}"))
        case actions.FinishGoalAction():
            return encoded(_call(""))
        case _:
            raise NotExpressibleError("no_word")


def _encode_click(action: actions.ClickAction, placed: PlacedAction) -> EncodedAction:
    if action.click_type == "triple":
        raise NotExpressibleError("no_word")
    button = action.click_type if action.click_type in {"right", "middle"} else "left"
    given: dict[str, Any] = {"button": button, "double": action.click_type == "double"}
    if control_of(placed) is None:
        x, y = _fraction(placed, placed.at, action.target)
        call = _call("click_on_coordinates", x=x, y=y, **given)
        return encoded(call, losses=("modifiers",) if action.modifiers else ())
    if len(action.modifiers) == 1:
        given["pressed"] = _HELD[action.modifiers[0]]
    return encoded(_call("click_input", **given), losses=("modifiers",) if len(action.modifiers) > 1 else ())


def _encode_keys(action: actions.PressKeyAction) -> EncodedAction:
    held = [name for name in action.keys if name in MODIFIERS]
    rest = [name for name in action.keys if name not in MODIFIERS]
    known = all(name in _NAMED or len(name) == 1 for name in rest) and all(name in _PREFIX for name in held)
    if not known or not rest:
        raise NotExpressibleError("no_word", "keys")
    keys = "".join(f"{{{_NAMED[name]}}}" if name in _NAMED else _escaped(name.lower()) for name in rest)
    whole = "".join(_PREFIX[name] for name in held) + keys
    return encoded(_call("keyboard_input", keys=whole * action.presses))


_HELD_BY_SIGN: Final = {sign: name for name, sign in _PREFIX.items()}
_NAMES: Final = {
    **{written: name for name, written in _NAMED.items() if len(written) > 1},
    "BS": "Backspace", "BKSP": "Backspace", "DEL": "Delete", "INS": "Insert", "RWIN": "Meta",
}  # fmt: skip
_MAX_REPEATS: Final = 100
_TOKEN = re.compile(r"([\^%+]*)(?:\{([{}]|[^{}]+?)(?: (\d+))?\}|([^{}\^%+]))", re.DOTALL)


def sent_keys(text: str) -> tuple[actions.TypeAction | actions.PressKeyAction, list[str]]:
    """The action that a run of keys means: typed text, typed text and Enter, or one key combination some times.

    Returns:
        The action, without a target, and what had to be assumed.
    """
    tokens = list(_tokens(text))
    combos = [token for token in tokens if isinstance(token, tuple)]
    typed = "".join(token for token in tokens if isinstance(token, str))
    if not combos:
        return actions.TypeAction(text_to_type=typed), []
    if not typed and len(set(combos)) == 1:
        return actions.PressKeyAction(key_info=join_keys(combos[0]), presses=len(combos)), []
    if combos == [("Enter",)] and tokens[-1] == ("Enter",):
        return actions.TypeAction(text_to_type=typed, submit=True), []
    # Line ends and tabs between words are typed; anything else has no place inside a text.
    signs: dict[tuple[str, ...], str] = {("Enter",): "\n", ("Tab",): "\t"}
    lost = [join_keys(combo) for combo in combos if combo not in signs]
    whole = "".join(token if isinstance(token, str) else signs.get(token, "") for token in tokens)
    if not whole:
        return actions.PressKeyAction(key_info=join_keys(combos[0])), [
            f"Only the first of {len(combos)} keys was read."
        ]
    return actions.TypeAction(text_to_type=whole), [f"{', '.join(lost)} inside the text was left out."] if lost else []


def _count(written: str | None) -> int:
    if written is None:
        return 1
    if len(written) > 3 or not 0 < int(written) <= _MAX_REPEATS:
        raise ActionError(
            f"A key pressed {written} times is no action.",
            code="bad_parameter",
            field="keys",
            hint=f"Press it 1 to {_MAX_REPEATS} times.",
        )
    return int(written)


def _tokens(text: str) -> Sequence[str | tuple[str, ...]]:
    found: list[str | tuple[str, ...]] = []
    for match in _TOKEN.finditer(text):
        held = tuple(_HELD_BY_SIGN[sign] for sign in match.group(1))
        name, count, plain = match.group(2), _count(match.group(3)), match.group(4)
        if plain is not None:
            found.append((*held, plain) if held else plain)
        elif name.upper() in _NAMES:
            found.extend([(*held, _NAMES[name.upper()])] * count)
        else:
            found.extend([(*held, name) if held else name] * count)
    return found


_HELD_BUTTONS: Final = {"ctrl": "ctrl", "alt": "alt", **{written.lower(): name for name, written in _HELD.items()}}
_SECTIONS: Final = ("observation", "plan", "comment", "status", "new_task", "actions_plan")
_SELECTABLE: Final = frozenset({"text", "tabled_text", "draggable_text", "text_area", "input_field"})
"""Elements whose text clicks on it select."""
_ALIASES: Final = {"click": "click_input"}
_END: Final = {"FINISH": True, "FAIL": False, "ERROR": False}


def decode(answer: str | dict[str, Any], observation: Observation) -> DecodedAnswer:
    """Read LAM's seven keys, its whole answer with a plan of calls, calls that look like code, or a step of a UFO plan.

    A status that ends the task together with a function becomes two responses: the action, then the end. Of several
    calls each becomes a response of its own; the first has the answer's thought, the others what their step says.

    Raises:
        ActionError: a function is unknown, has no counterpart here, or an argument is missing.
    """
    told = said_calls(answer, functions=(*_DECODERS, *_ALIASES))
    responses: list[LLMResponse] = []
    for row in told.rows:
        found = _actions_of(row, observation, told.notes)
        thought = row.get("thought") or row.get("subtask") or row.get("step") or ""
        if not responses:
            thought = told.said.get("thought") or thought
        responses += responses_of(found, reasoning=str(thought))
    return DecodedAnswer(
        responses=tuple(responses),
        notes=tuple(told.notes),
        sections={key: told.said[key] for key in _SECTIONS if told.said.get(key)},
    )


def _actions_of(row: dict[str, Any], observation: Observation, notes: list[str]) -> list[actions.Action]:
    """What one call does, and the end of the task where it says so."""
    if "function" not in row:
        raise ActionError(
            "The answer has no function.",
            code="missing_field",
            field="function",
            hint="Name the function, or leave it empty when the request is fulfilled.",
        )
    name, _, rest = str(row["function"] or "").strip().partition("(")
    name = _ALIASES.get(name, name)
    if rest:
        notes.append("What follows the function's name was left out; args counts.")
    found: list[actions.Action] = []
    if name:
        if name not in _DECODERS:
            raise _unusable(name)
        args = as_object(row.get("args") or {}, "args")
        found.append(_DECODERS[name](_Call(args=args, answer=row, observation=observation, notes=notes)))
    end = _END.get(str(row.get("status") or "CONTINUE").strip().upper())
    if end is not None or not name:
        found.append(actions.FinishGoalAction(status="failure" if end is False else "success"))
    if end is None and not name:
        notes.append("An answer without a function ends the task.")
    return found


def _unusable(name: str) -> ActionError:
    if name not in ON_DOCUMENTS:
        return unknown_action(name, UFO_FUNCTIONS, field_name="function")
    return ActionError(
        f"{name} works on the document, not on the screen; there is no action for it.",
        code="not_expressible",
        field="function",
        hint="Use clicks, drags and keys on controls that can be seen.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """A function's arguments, the answer around them, and what a decoder needs beside both."""

    args: dict[str, Any]
    answer: Mapping[str, Any]
    observation: Observation
    notes: list[str]

    def control(self) -> actions.ActionTarget | None:
        """The control by its label; without one by its text; None without either."""
        label = str(self.answer.get("control_label") or self.args.get("control_id") or "").strip()
        text = str(self.answer.get("control_name") or self.answer.get("matched_control_text") or "").strip()
        written = str(self.answer.get("control") or "").strip()
        if written:
            # Code names a control by its label, or else by its text: Button("20"), Button("Save").
            numbers = {str(item.number) for item in self.observation.elements}
            is_label = written.isdigit() and (written in numbers or not numbers)
            label, text = (written, "") if is_label else ("", written)
        if not label:
            return self._by_text(text) if text else None
        target = target_of_number(label, self.observation, field_name="control_label")
        if text and not target.text:
            return target.model_copy(update={"text": text})
        if text and target.text and target.text.casefold() != text.casefold():
            self.notes.append(f"Control {label} says “{target.text}”, not “{text}”; the label counts.")
        return target

    def _by_text(self, text: str) -> actions.ActionTarget:
        found = [item for item in self.observation.elements if (item.text or "").casefold() == text.casefold()]
        if len(found) == 1:
            return self.observation.target(found[0])
        if self.observation.elements and not found:
            raise ActionError(
                f"There is no control with the text “{text}” on the current screen.",
                code="no_such_element",
                field="control_name",
                hint="Use a control of the list, with its label.",
            )
        return actions.ActionTarget(text=text)

    def point(self, x: str, y: str) -> actions.ActionTarget:
        """A place in fractions of the window, by the names of its arguments."""
        across, down = number_in(self.args, x), number_in(self.args, y)
        size, window = self.observation.size, self.observation.window
        if window is not None and size is not None:
            at = from_window_fraction((across, down), window)
            across, down = at.x / size.width, at.y / size.height
        return target_at(across, down, self.observation, space="fraction", field_name="x, y")

    def button_and_held(self, name: str) -> tuple[str, list[str]]:
        """The mouse button, and the key that is held meanwhile, by the name of its argument."""
        written = str(self.args.get(name) or "")
        key = _HELD_BUTTONS.get(written.lower())
        if key is None and written.lower() not in {"", "none"}:
            self.notes.append(f"Nothing is held meanwhile: {written[:40]} is none of the keys that are.")
        return str(self.args.get("button") or self.args.get("how") or "left"), [key] if key else []


def _read_click(call: _Call, target: actions.ActionTarget | None) -> actions.Action:
    if target is None:
        raise ActionError(
            "The function needs a control.",
            code="missing_argument",
            field="control_label",
            hint="Give the label and the text of a control of the list.",
        )
    button, held = call.button_and_held("pressed")
    kind = {"left": "single"}.get(button.lower(), button.lower())
    if str(call.args.get("double")).lower() in {"true", "1"}:
        if kind in {"right", "middle"}:
            call.notes.append(f"A double click of the {kind} button was read as one click of it.")
        else:
            kind = "double"
    given: dict[str, Any] = {"click_type": kind, "modifiers": held}
    return actions.ClickAction(target=target, **given)


def _read_drag(call: _Call) -> actions.Action:
    button, held = call.button_and_held("key_hold")
    given: dict[str, Any] = {"button": button, "modifiers": held}
    return actions.DragAction(target=call.point("start_x", "start_y"), end_target=call.point("end_x", "end_y"), **given)


def _select(call: _Call) -> actions.Action:
    """UFO selects a text in the document; a person does it by clicks on it, where it stands by itself."""
    text = " ".join(str(required(call.args, "text")).split())
    on_screen = call.observation.elements
    found = [
        item
        for item in on_screen
        if item.type in _SELECTABLE and " ".join((item.text or "").split()).casefold() == text.casefold()
    ]
    if not text or (on_screen and len(found) != 1):
        raise ActionError(
            f"There is no action that selects “{text}”: no text of the screen says this alone.",
            code="not_expressible",
            field="text",
            hint="Use clicks, drags and keys on controls that can be seen.",
        )
    kind = "triple" if " " in text else "double"
    call.notes.append(f"Selecting a text was read as a {kind} click on it.")
    target = call.observation.target(found[0]) if found else actions.ActionTarget(text=text)
    return actions.ClickAction(target=target, click_type=kind)


def _set_text(call: _Call) -> actions.Action:
    text = str(required(call.args, "text"))
    if call.args.get("clear_current_text"):
        call.notes.append("Clearing the field first is not part of the action: select all before typing.")
    return actions.TypeAction(target=call.control(), text_to_type=text)


def _keyboard(call: _Call) -> actions.Action:
    written = call.args.get("keys", call.args.get("text"))
    action, notes = sent_keys(str(required({"keys": written}, "keys")))
    call.notes.extend(notes)
    return action.replace(target=call.control())


def _wheel(call: _Call) -> actions.Action:
    far = number_in(call.args, "wheel_dist")
    direction, steps = "up" if far > 0 else "down", max(1, round(abs(far)))
    return actions.ScrollAction(target=call.control(), scroll_direction=direction, scroll_steps=steps)


def _read_off(call: _Call) -> actions.Action:
    about = str(call.answer.get("subtask") or call.answer.get("thought") or "the text of the control")
    return actions.ExtractDataAction(target=call.control(), description=about, data=call.args.get("text"))


def _wait(call: _Call) -> actions.Action:
    if call.args.get("seconds") is None:
        call.notes.append("The wait has no duration; 1 second is assumed.")
    return actions.WaitAction(wait_duration_s=number_in(call.args, "seconds", default=1.0))


_DECODERS: Final[Mapping[str, Callable[[_Call], actions.Action]]] = {
    "click_input": lambda call: _read_click(call, call.control()),
    "click_on_coordinates": lambda call: _read_click(call, call.point("x", "y")),
    "drag_on_coordinates": _read_drag,
    "set_edit_text": _set_text,
    "keyboard_input": _keyboard,
    "type_keys": _keyboard,
    "select_text": _select,
    "wheel_mouse_input": _wheel,
    "texts": _read_off,
    "summary": _read_off,
    "wait": _wait,
}
UFO_FUNCTIONS: Final[tuple[str, ...]] = tuple(_DECODERS)
"""The functions that have a counterpart here."""
AT_PLACES: Final = frozenset({"click_on_coordinates", "drag_on_coordinates"})
"""Functions that take a place and name no control."""
ON_DOCUMENTS: Final = frozenset({"annotation", "select_text", "select_table", "insert_table", "set_font", "save_as"})
"""Functions of the Word API and of UFO itself that act on no control."""


CODEC: Final = Codec(
    name="ufo",
    title="UFO / LAM",
    places="the element's label and text; fractions of the window",
    encoder=_encode,
    unsaid={"hold", "drag_path", "finish_failure"},
    decode=decode,
)
