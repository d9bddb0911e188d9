"""What the reduction remembers between two events, and the questions that it asks of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from demopack.domain.events import InputEvent
from demopack.domain.keys import MODIFIERS
from demopack.domain.parameters import Modifier
from recorder.reduction.gestures import Constants
from recorder.reduction.runs import Clicks, KeyPress, Press, ScrollRun, TextRun, distance

__all__ = [
    "Held",
    "Open",
    "State",
    "command_modifiers",
    "is_continued",
    "is_drag",
    "is_over",
    "modifiers_of",
]

_WIDE = 3  # a press that came back after going this many drag distances away was still a drag (drawing a circle)
_WORDS: dict[str, Modifier] = {"Ctrl": "ctrl", "Alt": "alt", "Shift": "shift", "Meta": "meta"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A modifier that is down."""

    event: InputEvent
    number: int


Open: TypeAlias = Clicks | ScrollRun | TextRun | KeyPress


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything the fold remembers.

    Attributes:
        count: events seen; the number of the next one.
        held: modifiers that are down, in the order of their presses.
        lone: a modifier that was pressed while nothing else was; None once anything else happened.
        presses: mouse buttons that are down.
        open: the gesture that may still go on.
    """

    count: int = 0
    held: tuple[Held, ...] = ()
    lone: Held | None = None
    presses: tuple[Press, ...] = ()
    open: Open | None = None

    def first_numbers(self) -> set[int]:
        """Numbers of the events that may yet turn out to begin a gesture, and so need their frame kept."""
        numbers = {press.number for press in self.presses}
        if self.open is not None:
            numbers.add(self.open.first)
        if self.lone is not None:
            numbers.add(self.lone.number)
        return numbers


def modifiers_of(state: State) -> tuple[Modifier, ...]:
    """The held modifiers in the contract's words and order."""
    held = {h.event.key for h in state.held}
    return tuple(_WORDS[name] for name in MODIFIERS if name in held)


def command_modifiers(state: State, event: InputEvent) -> list[str]:
    """The modifiers that make a key press a command; empty where it types.

    AltGr is Ctrl and Alt to some systems; a key that has a text under it types.
    """
    held = {h.event.key for h in state.held}
    if not held & {"Ctrl", "Alt", "Meta"} or ("AltGr" in held and event.char):
        return []
    return [name for name in MODIFIERS if name in held]


def is_continued(state: State, event: InputEvent, constants: Constants) -> bool:
    """Whether a press extends the open multi-click."""
    clicks = state.open
    return (
        isinstance(clicks, Clicks)
        and event.button == "left"
        and clicks.modifiers == modifiers_of(state)
        and event.t_ns - clicks.press.t_ns <= constants.double_click_ms * 1_000_000
        and distance(clicks.press, event) <= constants.double_click_px**2
    )


def is_drag(press: Press, up: InputEvent, constants: Constants) -> bool:
    """Whether a press that ends here was a drag."""
    limit = constants.drag_px**2
    return distance(press.event, up) > limit or press.reach > limit * _WIDE**2


def is_over(state: State, now_ns: int, constants: Constants) -> bool:
    """Whether the open gesture cannot go on any more."""
    run = state.open
    if run is None or any(press.continues for press in state.presses):
        return False
    if isinstance(run, Clicks):
        since, limit_ms = run.press.t_ns, constants.double_click_ms
    elif isinstance(run, ScrollRun):
        since, limit_ms = run.at.t_ns, constants.scroll_pause_ms
    elif isinstance(run, TextRun):
        since, limit_ms = run.last_ns, constants.text_pause_ms
    else:
        since, limit_ms = run.events[-1].t_ns, constants.key_hold_ms
    return now_ns - since > limit_ms * 1_000_000
