"""State of the fold between two events: buttons and modifiers that are down, and the gesture that may still go on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from demopack.domain.actions import ClickType, Direction, Modifier
from demopack.domain.events import Button, InputEvent
from demopack.domain.keys import MODIFIERS
from demopack.reduction.gestures import Gesture, GestureKind, GestureThresholds

_MOVE_GAP_NS = 8_000_000  # of a drag's way, 125 points a second are kept; gaming mice send a thousand
_SIDE_KEYS: dict[Button, str] = {"back": "Alt+ArrowLeft", "forward": "Alt+ArrowRight"}
_COUNTS: dict[int, ClickType] = {2: "double", 3: "triple"}
_OTHER_BUTTONS: dict[Button, ClickType] = {"right": "right", "middle": "middle"}


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

    def gesture(self, kind: GestureKind, up: InputEvent, *, last: int) -> Gesture:
        """What the press is with this release."""
        way = self.moves if kind == "drag" else ()
        return Gesture(
            kind=kind,
            first=self.number,
            last=last,
            start=self.event,
            events=(*self.held, self.event, *way, up),
            x=self.event.x,
            y=self.event.y,
            button=self.button,
            modifiers=self.modifiers,
        )

    def drag(self, up: InputEvent, *, last: int) -> Gesture:
        """The drag that ends with this release."""
        return replace(self.gesture("drag", up, last=last), end_x=up.x, end_y=up.y)

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
class OpenGesture:
    """A gesture that may still go on.

    Attributes:
        gesture: as it stands.
    """

    gesture: Gesture

    def _and(self, later: Gesture, **more: Any) -> Gesture:  # noqa: ANN401 - fields of a gesture
        """The gesture with the events of a later one that it does not have yet."""
        new = tuple(event for event in later.events if event not in self.gesture.events)
        return replace(self.gesture, last=later.last, events=(*self.gesture.events, *new), **more)

    def with_event(self, event: InputEvent, number: int | None = None, **more: Any) -> Self:  # noqa: ANN401 - as above
        """One more raw event; it is the last one so far where it has a number."""
        last = self.gesture.last if number is None else number
        return replace(self, gesture=replace(self.gesture, last=last, events=(*self.gesture.events, event), **more))

    def finished(self) -> Gesture | None:
        """What it is when it ends here; None for nothing."""
        return self.gesture


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicks(OpenGesture):
    """One to three clicks at one place, or a long press, which is always one; ``press`` is the last press."""

    count: int
    press: InputEvent

    @classmethod
    def of(cls, press: Press, up: InputEvent, *, number: int, thresholds: GestureThresholds) -> Clicks:
        """A first click."""
        held_ns = up.t_ns - press.event.t_ns
        is_long = held_ns >= thresholds.long_press_ms * 1_000_000
        click = press.gesture("click", up, last=number)
        kind = _OTHER_BUTTONS.get(press.button, "single")
        click = replace(click, click_type=kind, hold_s=round(held_ns / 1e9, 1) if is_long else None)
        return cls(gesture=click, count=1, press=press.event)

    @property
    def is_whole(self) -> bool:
        """Whether no later click can add to it."""
        return self.gesture.button != "left" or self.count == 3 or self.gesture.hold_s is not None

    def joined(self, later: Clicks) -> Clicks:
        """The multi-click that the later one makes of this one."""
        count = self.count + 1
        return Clicks(gesture=self._and(later.gesture, click_type=_COUNTS[count]), count=count, press=later.press)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrollRun(OpenGesture):
    """Wheel notches in one direction; ``at`` is the last one."""

    at: InputEvent

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
        gesture = Gesture(
            kind="scroll",
            first=number,
            last=number,
            start=event,
            events=(*held, event),
            x=event.x,
            y=event.y,
            direction=words[0] if amount > 0 else words[1],
            steps=abs(amount),
            modifiers=modifiers,
        )
        return cls(gesture=gesture, at=event)

    def goes_on(self, new: ScrollRun, thresholds: GestureThresholds) -> bool:
        """Whether the new notch belongs to this run."""
        one, other = self.gesture, new.gesture
        same = (one.direction, one.modifiers) == (other.direction, other.modifiers)
        return same and distance(self.at, new.at) <= thresholds.scroll_px**2

    def joined(self, new: ScrollRun) -> ScrollRun:
        """This run and the new notch."""
        steps = self.gesture.steps + new.gesture.steps
        return ScrollRun(gesture=self._and(new.gesture, steps=steps), at=new.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRun(OpenGesture):
    """Characters typed in one go; ``down`` names the keys that are still to be let go."""

    last_ns: int
    down: frozenset[str]

    def typed(self, event: InputEvent, text: str, number: int) -> TextRun:
        """One more key."""
        new = self.with_event(event, number, text=self.gesture.text + text)
        return replace(new, last_ns=event.t_ns, down=self.down | {event.key})

    def taken_back(self, event: InputEvent, number: int) -> TextRun:
        """Backspace."""
        shorter = replace(self.gesture, text=self.gesture.text[:-1])
        return replace(self, gesture=shorter).typed(event, "", number)

    def released(self, event: InputEvent, number: int) -> TextRun:
        """A key of this run was let go."""
        return replace(self.with_event(event, number), down=self.down - {event.key})

    def finished(self) -> Gesture | None:
        """As typing; a lone space is the key, and a text that was taken back wholly is nothing."""
        if self.gesture.text == " ":
            return replace(self.gesture, kind="press_key", text="", key_info="Space")
        return self.gesture if self.gesture.text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPress(OpenGesture):
    """A key or combination that is down; the gesture counts its repeats."""

    key: str


def distance(a: InputEvent, b: InputEvent) -> int:
    """Between two events, squared, in pixels."""
    return (a.x - b.x) ** 2 + (a.y - b.y) ** 2


_FAR_RATIO = 3  # a press that came back after going this many drag distances away was still a drag (drawing a circle)
_WORDS: dict[str, Modifier] = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}


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

    def first_numbers(self) -> set[int]:
        """Numbers of the events that may yet turn out to begin a gesture, and so need their frame kept."""
        numbers = {press.number for press in self.presses}
        if self.open is not None:
            numbers.add(self.open.gesture.first)
        if self.lone is not None:
            numbers.add(self.lone.number)
        return numbers


def modifiers_of(state: ReductionState) -> tuple[Modifier, ...]:
    """The held modifiers in the contract's words and order."""
    held = {h.event.key for h in state.held}
    return tuple(_WORDS[name] for name in MODIFIERS if name in held)


def command_modifiers(state: ReductionState, event: InputEvent) -> list[str]:
    """The modifiers that make a key press a command; empty where it types.

    AltGr is Ctrl and Alt to some systems; a key that has a text under it types.
    """
    held = {h.event.key for h in state.held}
    if not held & {"Ctrl", "Alt", "Meta"} or ("AltGr" in held and event.char):
        return []
    return [name for name in MODIFIERS if name in held]


def is_continued(state: ReductionState, event: InputEvent, thresholds: GestureThresholds) -> bool:
    """Whether a press extends the open multi-click."""
    clicks = state.open
    return (
        isinstance(clicks, Clicks)
        and event.button == "left"
        and clicks.gesture.modifiers == modifiers_of(state)
        and event.t_ns - clicks.press.t_ns <= thresholds.double_click_ms * 1_000_000
        and distance(clicks.press, event) <= thresholds.double_click_px**2
    )


def is_drag(press: Press, up: InputEvent, thresholds: GestureThresholds) -> bool:
    """Whether a press that ends here was a drag."""
    limit = thresholds.drag_px**2
    return distance(press.event, up) > limit or press.reach > limit * _FAR_RATIO**2


def is_over(state: ReductionState, now_ns: int, thresholds: GestureThresholds) -> bool:
    """Whether the open gesture cannot go on any more."""
    run = state.open
    if run is None or any(press.continues for press in state.presses):
        return False
    if isinstance(run, Clicks):
        since, limit_ms = run.press.t_ns, thresholds.double_click_ms
    elif isinstance(run, ScrollRun):
        since, limit_ms = run.at.t_ns, thresholds.scroll_pause_ms
    elif isinstance(run, TextRun):
        since, limit_ms = run.last_ns, thresholds.text_pause_ms
    else:
        since, limit_ms = run.gesture.events[-1].t_ns, thresholds.key_hold_ms
    return now_ns - since > limit_ms * 1_000_000
