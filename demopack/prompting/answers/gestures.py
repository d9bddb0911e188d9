"""Joins the small calls of an answer into actions: down, move, up are a drag; keys held around a click its modifiers.

Vocabularies near the hardware say one action in several calls. Calls of *one* answer that follow one another and can
only be meant together are read as one action again; every such joining is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.domain.actions import ActionTarget, AgentAction
from demopack.errors import ActionError
from demopack.prompting.answers.key_names import key_name, keys_text
from demopack.prompting.answers.parsed import fractions
from demopack.prompting.scene import Scene, Space

__all__ = ["Gestures", "Place", "joined"]

Place = tuple[float, float]
"""Fractions 0..1 of the picture."""

_COUNTS: Final = {2: "double", 3: "triple"}
_MODIFIERS: Final = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}


@dataclass(slots=True)
class _Down:
    place: Place
    button: str
    way: list[Place]
    seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class Gestures:
    """A fold over the calls of one answer.

    Attributes:
        scene: the screen.
        space: how the dialect writes places.
        actions: what has been understood so far.
        notes: what was joined or assumed.
    """

    scene: Scene
    space: Space
    actions: list[AgentAction] = field(default_factory=list[AgentAction])
    notes: list[str] = field(default_factory=list[str])
    _at: Place | None = None
    _fresh: bool = False
    _down: _Down | None = None
    _keys: list[str] = field(default_factory=list[str])

    def place(self, x: object, y: object) -> Place:
        """A place as fractions.

        Raises:
            ActionError: it is no place, or not on the screen.
        """
        try:
            numbers = float(str(x)), float(str(y))
        except ValueError as error:
            raise ActionError(
                f"({x}, {y}) is no place.", code="bad_parameter", field="coordinate", hint="Give two numbers."
            ) from error
        return fractions(*numbers, self.scene, space=self.space, field_name="coordinate")

    def click(self, at: Place | None, *, kind: str = "single", held: Sequence[str] = ()) -> None:
        """A click of any kind; without a place where the pointer is."""
        where = at or self._at
        if where is None:
            raise ActionError(
                "The click has no place.",
                code="click_without_target",
                field="coordinate",
                hint="Say where with two numbers.",
            )
        self._forget_hover()
        modifiers = [*self._modifiers(), *(_modifier(key) for key in held)]
        parameters: dict[str, Any] = {"modifiers": modifiers} if modifiers else {}
        if kind != "single":
            parameters["click_type"] = kind
        action = AgentAction(action_type="click", target=_target(where), parameters=parameters)
        self._add(action)
        self._at, self._fresh = where, False

    def type(self, text: str, *, submit: bool = False) -> None:
        """Typed text."""
        self._add(
            AgentAction(action_type="type", parameters={"text_to_type": text, **({"submit": True} if submit else {})})
        )

    def press(self, keys: Sequence[str], *, presses: int = 1) -> None:
        """Keys pressed together; an Enter right after typing belongs to it."""
        info = keys_text([*self._keys, *keys])
        last = self.actions[-1] if self.actions else None
        typed = last is not None and last.action_type == "type" and "submit" not in last.parameters
        if typed and last is not None and info == "Enter" and presses == 1:
            self.notes.append("The Enter after the text was read as part of typing.")
            self.actions[-1] = _with(last, {**last.parameters, "submit": True})
            return
        times = {"presses": presses} if presses > 1 else {}
        self._add(AgentAction(action_type="press_key", parameters={"key_info": info, **times}))

    def key_down(self, key: str) -> None:
        """A key is held from here on."""
        self._keys.append(key)

    def key_up(self, key: str) -> None:
        """A key is let go; one that was held around nothing was pressed."""
        name = key_name(key)
        if name in map(key_name, self._keys):
            self._keys = [other for other in self._keys if key_name(other) != name]

    def scroll(self, at: Place | None, direction: str, steps: int | None, *, held: Sequence[str] = ()) -> None:
        """A run of the wheel; without a number it is three notches."""
        if steps is None:
            self.notes.append("The answer does not say how far to scroll; 3 wheel notches are assumed.")
        where = at or (self._at if self._fresh else None)
        self._forget_hover()
        modifiers = [*self._modifiers(), *(_modifier(key) for key in held)]
        parameters: dict[str, Any] = {"scroll_direction": direction.lower(), "scroll_steps": max(1, steps or 3)}
        if modifiers:
            parameters["modifiers"] = modifiers
        target = None if where is None else _target(where)
        self._add(AgentAction(action_type="scroll", target=target, parameters=parameters))

    def move(self, at: Place) -> None:
        """The pointer goes somewhere: on its way while a button is down, else it rests there."""
        if self._down is not None:
            self._down.way.append(at)
            return
        self._add(AgentAction(action_type="hover", target=_target(at)))
        self._at, self._fresh = at, True

    def down(self, at: Place | None, *, button: str = "left") -> None:
        """A button goes down."""
        where = at or self._at
        if where is None:
            raise ActionError(
                "The button goes down nowhere.", code="drag_without_start", field="coordinate", hint="Say where."
            )
        self._forget_hover()
        self._down = _Down(where, button, [])

    def up(self, at: Place | None) -> None:
        """The button is let go: where it went down it was a click, elsewhere a drag.

        Raises:
            ActionError: (``no_drag``) it was not down.
        """
        down = self._down
        if down is None:
            raise ActionError(
                "The button is let go, but it was not down.", code="no_drag", field="action", hint="Press it first."
            )
        self._down = None
        way = [*down.way, *([at] if at is not None and down.way[-1:] != [at] else [])]
        if way and way[-1] != down.place:
            self.drag(down.place, way, button=down.button)
            return
        hold = {"hold_s": down.seconds} if down.seconds > 0 else {}
        kind = {} if down.button == "left" else {"click_type": down.button}
        self._add(AgentAction(action_type="click", target=_target(down.place), parameters={**kind, **hold}))

    def drag(
        self, start: Place | None, way: Sequence[Place], *, button: str = "left", held: Sequence[str] = ()
    ) -> None:
        """A drag along a way; without a start it begins where the pointer is."""
        where = start or self._at
        if where is None or not way:
            raise ActionError(
                "The drag does not say where it begins or ends.",
                code="drag_without_start" if where is None else "drag_without_end",
                field="coordinate",
                hint="Give both places.",
            )
        self._forget_hover()
        modifiers = [*self._modifiers(), *(_modifier(key) for key in held)]
        parameters: dict[str, Any] = {"end_target": _target(way[-1]).to_wire()}
        if len(way) > 1:
            parameters["path"] = [[round(x, 6), round(y, 6)] for x, y in way[:-1]]
        if button != "left":
            parameters["button"] = button
        if modifiers:
            parameters["modifiers"] = modifiers
        self._add(AgentAction(action_type="drag", target=_target(where), parameters=parameters))
        self._at, self._fresh = way[-1], False

    def wait(self, seconds: float | None) -> None:
        """A pause, by default one second. While a button is down, or right after a move, it belongs to that."""
        if seconds is None:
            self.notes.append("The answer does not say how long to wait; 1 second is assumed.")
        if self._down is not None:
            self._down.seconds += seconds or 1.0
            return
        last = self.actions[-1] if self.actions else None
        if self._fresh and last is not None and last.action_type == "hover":
            self.notes.append("The wait after the move was read as resting there.")
            self.actions[-1] = _with(last, {"duration_s": seconds or 1.0})
            self._fresh = False
            return
        self._add(AgentAction(action_type="wait", parameters={"wait_duration_s": seconds or 1.0}))

    def finish(self, *, success: bool) -> None:
        """The end of the task."""
        self._add(AgentAction(action_type="finish_goal", parameters={} if success else {"status": "failure"}))

    def extract(self, description: str, data: object = None) -> None:
        """Something was read off the screen."""
        given = {"description": description, **({} if data is None else {"data": data})}
        self._add(AgentAction(action_type="extract_data", parameters=given))

    def _add(self, action: AgentAction) -> None:
        again = joined(self.actions[-1], action) if self.actions else None
        if again is None:
            self.actions.append(action)
            return
        self.actions[-1] = again[0]
        self.notes.append(again[1])

    def _modifiers(self) -> list[str]:
        return [_modifier(key) for key in self._keys]

    def _forget_hover(self) -> None:
        """A move that only brought the pointer to where something else happens is no hover."""
        if self._fresh and self.actions and self.actions[-1].action_type == "hover":
            self.actions.pop()
            self.notes.append("The move before it was read as the way to it.")
        self._fresh = False


def joined(last: AgentAction, action: AgentAction) -> tuple[AgentAction, str] | None:
    """Two actions in a row as one, with a note: clicks at one place, or the same key again; None if they stay two."""
    if last.action_type == action.action_type == "press_key":
        if last.parameters["key_info"] != action.parameters["key_info"]:
            return None
        presses = int(last.parameters.get("presses", 1)) + int(action.parameters.get("presses", 1))
        parameters = {**last.parameters, "presses": presses}
        return _with(last, parameters), "The same key several times was read as one action."
    if last.action_type != "click" or action.action_type != "click" or last.target != action.target:
        return None
    before = {"single": 1, "double": 2}.get(last.parameters.get("click_type", "single"))
    rest = {key: value for key, value in last.parameters.items() if key != "click_type"}
    if before is None or rest != action.parameters:
        return None
    kind = _COUNTS[before + 1]
    return _with(last, {**rest, "click_type": kind}), f"{before + 1} clicks at one place were read as a {kind} click."


def _with(action: AgentAction, parameters: dict[str, Any]) -> AgentAction:
    return AgentAction(action_type=action.action_type, target=action.target, parameters=parameters)


def _target(place: Place) -> ActionTarget:
    return ActionTarget(bbox=(round(place[0], 6), round(place[1], 6), 0.0, 0.0))


def _modifier(key: str) -> str:
    name = _MODIFIERS.get(key_name(key))
    if name is None:
        raise ActionError(
            f"{key} cannot be held while clicking.",
            code="bad_parameter",
            field="keys",
            hint=f"Hold one of {', '.join(_MODIFIERS)}.",
        )
    return name
