"""Gestures that may still go on: presses, clicks, scrolling, typing, keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

from demopack.domain.events import Button, InputEvent
from demopack.domain.parameters import Modifier
from recorder.reduction.gestures import ClickType, Constants, Direction, Gesture

__all__ = ["Clicks", "KeyPress", "Press", "ScrollRun", "TextRun", "distance"]

_MOVE_GAP_NS = 8_000_000  # of a drag's way, 125 points a second are kept; gaming mice send a thousand
_SIDE_KEYS: dict[Button, str] = {"back": "Alt+ArrowLeft", "forward": "Alt+ArrowRight"}
_COUNTS: dict[int, ClickType] = {1: "single", 2: "double", 3: "triple"}


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

    def drag(self, up: InputEvent, *, last: int) -> Gesture:
        """The drag that ends with this release."""
        return Gesture(
            kind="drag",
            first=self.number,
            last=last,
            start=self.event,
            events=(*self.held, self.event, *self.moves, up),
            x=self.event.x,
            y=self.event.y,
            end_x=up.x,
            end_y=up.y,
            button=self.button,
            modifiers=self.modifiers,
        )

    def side_key(self, up: InputEvent, *, last: int) -> Gesture:
        """A button at the side, as the keys that do the same in browsers and file managers."""
        return Gesture(
            kind="press_key",
            first=self.number,
            last=last,
            start=self.event,
            events=(self.event, up),
            key_info=_SIDE_KEYS[self.button],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicks:
    """One to three clicks at one place; ``hold_s`` of a long press, which is always one."""

    button: Button
    count: int
    first: int
    last: int
    start: InputEvent
    press: InputEvent
    modifiers: tuple[Modifier, ...]
    events: tuple[InputEvent, ...]
    hold_s: float | None = None

    @classmethod
    def of(cls, press: Press, up: InputEvent, *, number: int, constants: Constants) -> Clicks:
        """A first click."""
        held_ns = up.t_ns - press.event.t_ns
        is_long = held_ns >= constants.long_press_ms * 1_000_000
        return cls(
            button=press.button,
            count=1,
            first=press.number,
            last=number,
            start=press.event,
            press=press.event,
            modifiers=press.modifiers,
            events=(*press.held, press.event, up),
            hold_s=round(held_ns / 1e9, 1) if is_long else None,
        )

    @property
    def is_whole(self) -> bool:
        """Whether no later click can add to it."""
        return self.button != "left" or self.count == 3 or self.hold_s is not None

    def joined(self, later: Clicks) -> Clicks:
        """The multi-click that the later one makes of this one."""
        new = tuple(event for event in later.events if event not in self.events)
        return replace(self, count=self.count + 1, last=later.last, press=later.press, events=(*self.events, *new))

    def gesture(self) -> Gesture:
        """As it stands."""
        kind: ClickType = _COUNTS[self.count]
        if self.button in {"right", "middle"}:
            kind = "right" if self.button == "right" else "middle"
        return Gesture(
            kind="click",
            first=self.first,
            last=self.last,
            start=self.start,
            events=self.events,
            x=self.start.x,
            y=self.start.y,
            button=self.button,
            click_type=kind,
            hold_s=self.hold_s,
            modifiers=self.modifiers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollRun:
    """Wheel notches in one direction."""

    direction: Direction
    steps: int
    first: int
    last: int
    start: InputEvent
    at: InputEvent
    modifiers: tuple[Modifier, ...]
    events: tuple[InputEvent, ...]

    @classmethod
    def of(
        cls, event: InputEvent, *, number: int, held: tuple[InputEvent, ...], modifiers: tuple[Modifier, ...]
    ) -> ScrollRun | None:
        """A run of one event; None for an event that turns nothing. ``held``: presses of the modifiers."""
        if not event.dx and not event.dy:
            return None
        vertical = abs(event.dy) >= abs(event.dx)
        amount = event.dy if vertical else event.dx
        words: tuple[Direction, Direction] = ("up", "down") if vertical else ("right", "left")
        return cls(
            direction=words[0] if amount > 0 else words[1],
            steps=abs(amount),
            first=number,
            last=number,
            start=event,
            at=event,
            modifiers=modifiers,
            events=(*held, event),
        )

    def goes_on(self, new: ScrollRun, constants: Constants) -> bool:
        """Whether the new notch belongs to this run."""
        return (
            new.direction == self.direction
            and new.modifiers == self.modifiers
            and distance(self.at, new.at) <= constants.scroll_px**2
        )

    def joined(self, new: ScrollRun) -> ScrollRun:
        """This run and the new notch."""
        added = tuple(event for event in new.events if event not in self.events)
        return replace(self, steps=self.steps + new.steps, last=new.last, at=new.at, events=(*self.events, *added))

    def gesture(self) -> Gesture:
        """As it stands."""
        return Gesture(
            kind="scroll",
            first=self.first,
            last=self.last,
            start=self.start,
            events=self.events,
            x=self.start.x,
            y=self.start.y,
            direction=self.direction,
            steps=self.steps,
            modifiers=self.modifiers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRun:
    """Characters typed in one go; ``down`` names the keys that are still to be let go."""

    text: str
    first: int
    last: int
    start: InputEvent
    last_ns: int
    events: tuple[InputEvent, ...]
    down: frozenset[str]

    def typed(self, event: InputEvent, text: str, number: int) -> TextRun:
        """One more key."""
        return replace(
            self,
            text=self.text + text,
            last=number,
            last_ns=event.t_ns,
            events=(*self.events, event),
            down=self.down | {event.key},
        )

    def taken_back(self, event: InputEvent, number: int) -> TextRun:
        """Backspace."""
        return replace(self, text=self.text[:-1]).typed(event, "", number)

    def released(self, event: InputEvent, number: int) -> TextRun:
        """A key of this run was let go."""
        return replace(self, last=number, events=(*self.events, event), down=self.down - {event.key})

    def gesture(self) -> Gesture | None:
        """As it stands; None when everything was taken back."""
        if not self.text:
            return None
        alone = self.text == " "
        return Gesture(
            kind="press_key" if alone else "type",
            first=self.first,
            last=self.last,
            start=self.start,
            events=self.events,
            text="" if alone else self.text,
            key_info="Space" if alone else "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPress:
    """A key or combination that is down; ``presses`` counts its repeats."""

    key: str
    key_info: str
    first: int
    last: int
    start: InputEvent
    events: tuple[InputEvent, ...]
    presses: int = 1

    def repeated(self, event: InputEvent, number: int) -> KeyPress:
        """The key came again without having been let go."""
        return replace(self, last=number, events=(*self.events, event), presses=self.presses + 1)

    def gesture(self) -> Gesture:
        """As it stands."""
        return Gesture(
            kind="press_key",
            first=self.first,
            last=self.last,
            start=self.start,
            events=self.events,
            key_info=self.key_info,
            presses=self.presses,
        )


def distance(a: InputEvent, b: InputEvent) -> int:
    """Between two events, squared, in pixels."""
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2
