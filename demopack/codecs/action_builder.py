"""Joins the small calls of an answer into actions: down, move, up are a drag; keys held around a click its modifiers.

Vocabularies near the hardware say one action in several calls. Calls of *one* answer that follow one another and can
only be meant together are read as one action again; every such joining is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from demopack.codecs.decoded import DecodedAnswer, fractions, responses_of, unknown_action
from demopack.codecs.observation import CoordinateSpace, Observation
from demopack.domain.actions import (
    Action,
    ActionTarget,
    ClickAction,
    DragAction,
    FinishGoalAction,
    HoverAction,
    Modifier,
    PressKeyAction,
    ScrollAction,
    TypeAction,
    WaitAction,
)
from demopack.domain.keys import NAMED_KEYS, join_keys, normalise_key
from demopack.errors import ActionError

_SPELLED: Final = {
    spelling.lower(): key.name
    for key in NAMED_KEYS.values()
    for spelling in (key.pynput, key.xdotool, key.pyautogui, key.uipath)
    if spelling is not None and len(spelling) > 1
}


def key_name(text: str) -> str:
    """The canonical name of one key.

    Raises:
        ActionError: (``unknown_key``) no vocabulary has such a key.
    """
    try:
        return normalise_key(text)
    except ActionError:
        name = _SPELLED.get(text.strip().lower())
        if name is None:
            raise
        return name


def keys_text(keys: Sequence[str]) -> str:
    """The canonical text of keys pressed together.

    Raises:
        ActionError: (``unknown_key``) one of them is none.
    """
    return join_keys([key_name(key) for key in keys])


def key_parts(text: str) -> list[str]:
    """The keys of a combination with blanks or plus signs between them; a plus sign that stands alone is that key."""
    parts: list[str] = []
    for piece in text.split():
        if len(piece) == 1:
            parts.append(piece)
            continue
        names = piece.removesuffix("++").removesuffix("+") if piece.endswith("+") else piece
        parts += [name for name in names.split("+") if name]
        parts += ["+"] if piece.endswith("++") else []
    # A combination may end with the sign itself: "ctrl +" and "ctrl++" are the same.
    return parts or [text]


_Given = TypeVar("_Given")
Place = tuple[float, float]
"""Fractions 0..1 of the picture."""

_COUNTS: Final = {2: "double", 3: "triple"}
MODIFIER_NAMES: Final[Mapping[str, Modifier]] = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}
"""Modifiers as an action names them, by the name of their key."""


@dataclass(slots=True)
class _Down:
    place: Place
    button: str
    way: list[Place]
    seconds: float = 0.0


@dataclass(slots=True, kw_only=True)
class ActionBuilder:
    """A fold over the calls of one answer.

    Attributes:
        observation: the screen.
        space: how the dialect writes places.
        actions: what has been understood so far.
        notes: what was joined or assumed.
    """

    observation: Observation
    space: CoordinateSpace
    actions: list[Action] = field(default_factory=list[Action])
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
            raise ActionError(f"({x}, {y}) is no place.", "bad_parameter", "coordinate", "Give two numbers.") from error
        return fractions(*numbers, self.observation, space=self.space, field_name="coordinate")

    def click(self, at: Place | None, *, kind: str = "single", held: Sequence[str] = ()) -> None:
        """A click of any kind; without a place where the pointer is."""
        where = at or self._here()
        if where is None:
            raise ActionError(
                "The click has no place.", "click_without_target", "coordinate", "Say where with two numbers."
            )
        self._forget_hover()
        parameters: dict[str, Any] = {"click_type": kind, "modifiers": self._modifiers(held)}
        self.add(ClickAction(target=_target(where), **parameters))
        self._at, self._fresh = where, False

    def type(self, text: str, *, submit: bool = False) -> None:
        """Typed text."""
        self.add(TypeAction(text_to_type=text, submit=submit))

    def press(self, keys: Sequence[str], *, presses: int = 1) -> None:
        """Keys pressed together; an Enter right after typing belongs to it."""
        info = keys_text([*self._keys, *keys])
        last = self.actions[-1] if self.actions else None
        if isinstance(last, TypeAction) and not last.submit and info == "Enter" and presses == 1:
            self.notes.append("The Enter after the text was read as part of typing.")
            self.actions[-1] = last.replace(submit=True)
            return
        self.add(PressKeyAction(key_info=info, presses=max(1, presses)))

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
        parameters: dict[str, Any] = {"scroll_direction": direction.lower(), "modifiers": self._modifiers(held)}
        target = None if where is None else _target(where)
        self.add(ScrollAction(target=target, scroll_steps=max(1, steps or 3), **parameters))

    def move(self, at: Place) -> None:
        """The pointer goes somewhere: on its way while a button is down, else it rests there."""
        if self._down is not None:
            self._down.way.append(at)
            return
        self.add(HoverAction(target=_target(at)))
        self._at, self._fresh = at, True

    def down(self, at: Place | None, *, button: str = "left") -> None:
        """A button goes down."""
        where = at or self._here()
        if where is None:
            raise ActionError("The button goes down nowhere.", "drag_without_start", "coordinate", "Say where.")
        self._forget_hover()
        self._down = _Down(where, button, [])

    def up(self, at: Place | None) -> None:
        """The button is let go: where it went down it was a click, elsewhere a drag.

        Raises:
            ActionError: (``no_drag``) it was not down.
        """
        down = self._down
        if down is None:
            raise ActionError("The button is let go, but it was not down.", "no_drag", "action", "Press it first.")
        self._down = None
        way = [*down.way, *([at] if at is not None and down.way[-1:] != [at] else [])]
        if way and way[-1] != down.place:
            self.drag(down.place, way, button=down.button)
            return
        kind: dict[str, Any] = {} if down.button == "left" else {"click_type": down.button}
        self.add(ClickAction(target=_target(down.place), hold_s=down.seconds if down.seconds > 0 else None, **kind))

    def drag(
        self, start: Place | None, way: Sequence[Place], *, button: str = "left", held: Sequence[str] = ()
    ) -> None:
        """A drag along a way; without a start it begins where the pointer is."""
        where = start or self._here()
        if where is None or not way:
            raise ActionError(
                "The drag does not say where it begins or ends.",
                code="drag_without_start" if where is None else "drag_without_end",
                field="coordinate",
                hint="Give both places.",
            )
        self._forget_hover()
        path = tuple((round(x, 6), round(y, 6)) for x, y in way[:-1])
        parameters: dict[str, Any] = {"button": button, "modifiers": self._modifiers(held)}
        self.add(DragAction(target=_target(where), end_target=_target(way[-1]), path=path, **parameters))
        self._at, self._fresh = way[-1], False

    def wait(self, seconds: float | None) -> None:
        """A pause, by default one second. While a button is down, or right after a move, it belongs to that."""
        if seconds is None:
            self.notes.append("The answer does not say how long to wait; 1 second is assumed.")
        if self._down is not None:
            self._down.seconds += seconds or 1.0
            return
        last = self.actions[-1] if self.actions else None
        if self._fresh and isinstance(last, HoverAction):
            self.notes.append("The wait after the move was read as resting there.")
            self.actions[-1] = last.replace(duration_s=seconds or 1.0)
            self._fresh = False
            return
        self.add(WaitAction(wait_duration_s=seconds or 1.0))

    def finish(self, *, success: bool) -> None:
        """The end of the task."""
        self.add(FinishGoalAction(status="success" if success else "failure"))

    def do(self, name: str, given: _Given, decoders: Mapping[str, Callable[[ActionBuilder, _Given], None]]) -> None:
        """One call, by the vocabulary's table of what each function does with its arguments.

        Raises:
            ActionError: there is no such function, an argument is missing, or it cannot be done.
        """
        decode = decoders.get(name)
        if decode is None:
            raise unknown_action(name, tuple(decoders), field_name="action")
        try:
            decode(self, given)
        except KeyError as error:
            key = str(error.args[0])
            message = f"The argument {key} of {name} is missing."
            raise ActionError(message, "missing_argument", key, f"Give {key} a value.") from error

    def answer(self, reasoning: str) -> DecodedAnswer:
        """All that was understood; the reasoning stands with the first action."""
        return DecodedAnswer(responses=responses_of(self.actions, reasoning=reasoning), notes=tuple(self.notes))

    def add(self, action: Action) -> None:
        """One more action, or the last one again: several clicks at one place, or the same key, are one action."""
        again = _joined(self.actions[-1], action) if self.actions else None
        if again is None:
            self.actions.append(action)
            return
        self.actions[-1] = again[0]
        self.notes.append(again[1])

    def _here(self) -> Place | None:
        """Where the pointer is; before any call that moved it, where it was left."""
        if self._at is None and self.observation.pointer is not None:
            self.notes.append("The action has no place of its own; it is where the pointer was left.")
            return self.observation.pointer
        return self._at

    def _modifiers(self, held: Sequence[str]) -> list[Modifier]:
        keys = [*self._keys, *held]
        wrong = next((key for key in keys if key_name(key) not in MODIFIER_NAMES), None)
        if wrong is not None:
            hint = f"Hold one of {', '.join(MODIFIER_NAMES)}."
            raise ActionError(f"{wrong} cannot be held while clicking.", "bad_parameter", "keys", hint)
        return [MODIFIER_NAMES[key_name(key)] for key in keys]

    def _forget_hover(self) -> None:
        """A move that only brought the pointer to where something else happens is no hover."""
        if self._fresh and self.actions and self.actions[-1].action_type == "hover":
            self.actions.pop()
            self.notes.append("The move before it was read as the way to it.")
        self._fresh = False


def _joined(last: Action, action: Action) -> tuple[Action, str] | None:
    """Two actions in a row as one, with a note: clicks at one place, or the same key again; None if they stay two."""
    if isinstance(last, PressKeyAction) and isinstance(action, PressKeyAction):
        if last.key_info != action.key_info:
            return None
        again = last.replace(presses=last.presses + action.presses)
        return again, "The same key several times was read as one action."
    if not isinstance(last, ClickAction) or last.replace(click_type="single") != action:
        return None
    before = {"single": 1, "double": 2}.get(last.click_type)
    if before is None:
        return None
    kind = _COUNTS[before + 1]
    return last.replace(click_type=kind), f"{before + 1} clicks at one place were read as a {kind} click."


def _target(place: Place) -> ActionTarget:
    return ActionTarget(bbox=(round(place[0], 6), round(place[1], 6), 0.0, 0.0))
