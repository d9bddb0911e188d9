"""State of the fold between two events: buttons and modifiers that are down, and the gesture that may still go on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from demopack.domain.actions import Modifier
from demopack.domain.events import Button, InputEvent
from demopack.domain.keys import MODIFIERS
from demopack.reduction.gestures import Gesture, GestureKind

_MOVE_GAP_NS = 8_000_000  # of a drag's way, 125 points a second are kept; gaming mice send a thousand
_WORDS: dict[str, Modifier] = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}


def distance(a: InputEvent, b: InputEvent) -> int:
    """Between two events, squared, in pixels."""
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A mouse button that is down.

    Attributes:
        button: which.
        number: of the press event.
        event: the press.
        held: presses of the modifiers that were down.
        modifiers: the same in the contract's words.
        continues: whether the press may extend the open multi-click.
        moves: the pointer's way so far.
        reach: largest distance from the press, squared, in pixels.
    """

    button: Button
    number: int
    event: InputEvent
    held: tuple[InputEvent, ...]
    modifiers: tuple[Modifier, ...]
    continues: bool
    moves: tuple[InputEvent, ...] = ()
    reach: int = 0

    def moved(self, event: InputEvent) -> Press:
        """The press after a move."""
        reach = max(self.reach, distance(self.event, event))
        if self.moves and event.t_ns - self.moves[-1].t_ns < _MOVE_GAP_NS:
            return replace(self, reach=reach)
        return replace(self, reach=reach, moves=(*self.moves, event))

    def gesture(self, up: InputEvent, *, way: tuple[InputEvent, ...] = (), **fields: Any) -> Gesture:  # noqa: ANN401
        """What the press is with this release; ``fields`` are those of a gesture that the press does not tell."""
        return Gesture(
            first=self.number,
            start=self.event,
            events=(*self.held, self.event, *way, up),
            x=self.event.x,
            y=self.event.y,
            button=self.button,
            modifiers=self.modifiers,
            **fields,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGesture:
    """Clicks, notches, characters or repeats of a key that may still go on.

    Attributes:
        gesture: as it stands.
        at: the press, the notch or the key from which on the time counts until nothing more can belong to it.
        down: of typing, names of the keys that are still to be let go.
    """

    gesture: Gesture
    at: InputEvent
    down: frozenset[str] = frozenset()

    def joined(self, later: OpenGesture, **fields: Any) -> OpenGesture:  # noqa: ANN401 - fields of a gesture
        """This and a later one as one gesture; events that both have, such as a modifier's, count once."""
        new = tuple(event for event in later.gesture.events if event not in self.gesture.events)
        events = (*self.gesture.events, *new)
        return replace(later, gesture=replace(self.gesture, last=later.gesture.last, events=events, **fields))

    def with_event(self, event: InputEvent, number: int | None = None, **fields: Any) -> Self:  # noqa: ANN401 - as above
        """One more raw event; it is the last one so far where it has a number."""
        last = self.gesture.last if number is None else number
        return replace(self, gesture=replace(self.gesture, last=last, events=(*self.gesture.events, event), **fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldModifier:
    """A modifier that is down."""

    event: InputEvent
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReductionState:
    """Everything the fold remembers.

    Attributes:
        count: events seen; the number of the next one.
        held: modifiers that are down, in the order of their presses.
        lone: a modifier that was pressed while nothing else was; None once anything else happened.
        presses: mouse buttons that are down.
        open: the gesture that may still go on.
    """

    count: int = 0
    held: tuple[HeldModifier, ...] = ()
    lone: HeldModifier | None = None
    presses: tuple[Press, ...] = ()
    open: OpenGesture | None = None

    def opened(self, kind: GestureKind) -> OpenGesture | None:
        """The open gesture, if it is of a kind."""
        return self.open if self.open is not None and self.open.gesture.kind == kind else None

    @property
    def held_events(self) -> tuple[InputEvent, ...]:
        """The presses of the modifiers that are down."""
        return tuple(modifier.event for modifier in self.held)

    @property
    def held_names(self) -> list[str]:
        """The modifiers that are down and make a key a command, in their canonical order."""
        held = {modifier.event.key for modifier in self.held}
        return [name for name in MODIFIERS if name in held]

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The same in the contract's words."""
        return tuple(_WORDS[name] for name in self.held_names)

    def first_numbers(self) -> set[int]:
        """Numbers of the events that may yet turn out to begin a gesture, and so need their frame kept."""
        numbers = {press.number for press in self.presses}
        if self.open is not None:
            numbers.add(self.open.gesture.first)
        if self.lone is not None:
            numbers.add(self.lone.number)
        return numbers
