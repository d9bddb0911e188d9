"""Gestures, which the reduction makes of raw events, in pixels of the virtual desktop, before any frame is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demopack.domain.actions import ClickType, Direction, Modifier
from demopack.domain.events import Button, InputEvent
from demopack.settings import RecorderSettings

GestureKind = Literal["click", "drag", "scroll", "type", "press_key", "hover", "wait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gesture:
    """One thing a person did.

    ``first`` and ``last`` number the events in the order in which the reduction saw them, from 0. The screen that
    belongs to the gesture is the one before event ``first``; its effect shows after event ``last``. A hover and a wait
    have no events of their own; both numbers are then that of the event which ended them.

    Attributes:
        kind: what was done.
        first: number of the event that began it. Modifiers that were held before do not count.
        last: number of the event that ended it.
        start: event ``first`` itself; of a hover the move that brought the pointer there, of a wait a move that stands
            for where the pointer was.
        events: the raw events, in order, modifiers included.
        x: where, for click, drag, scroll and hover.
        y: as ``x``.
        end_x: where a drag was released.
        end_y: as ``end_x``.
        button: of a drag.
        click_type: of a click.
        hold_s: seconds for which a long press was held; None for every other click.
        modifiers: held during a click, drag or scroll.
        text: of typing.
        key_info: of a key, canonical.
        presses: how often a key that was held down counted.
        direction: of scrolling: where the view moves.
        steps: wheel notches.
        duration_s: how long a hover or a wait took until the screen had changed; 0 for everything else.
    """

    kind: GestureKind
    first: int
    last: int
    start: InputEvent
    events: tuple[InputEvent, ...]
    x: int = 0
    y: int = 0
    end_x: int = 0
    end_y: int = 0
    button: Button = "left"
    click_type: ClickType = "single"
    hold_s: float | None = None
    modifiers: tuple[Modifier, ...] = ()
    text: str = ""
    key_info: str = ""
    presses: int = 1
    direction: Direction = "down"
    steps: int = 0
    duration_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OsTimings:
    """What the OS says about clicks; None where it does not tell, then the settings count."""

    double_click_ms: int | None = None
    double_click_px: int | None = None
    drag_px: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureThresholds:
    """What tells gestures apart: the OS's own numbers where it tells them, else the user's settings.

    Attributes:
        double_click_ms: longest time from press to press of one multi-click.
        double_click_px: largest distance between these presses.
        drag_px: a press that moves further is a drag.
        long_press_ms: a press that is held for so long without moving is a long press.
        text_pause_ms: a longer pause ends a run of typing.
        scroll_pause_ms: a longer pause ends a run of scrolling.
        scroll_px: a pointer that moves further between two notches scrolls something else.
        key_hold_ms: a key that is held longer, without repeating, is done.
        hover_ms: a pointer that rests for so long may have hovered.
        wait_ms: a rest of so long may have been a wait.
    """

    double_click_ms: int = 500
    double_click_px: int = 5
    drag_px: int = 8
    long_press_ms: int = 800
    text_pause_ms: int = 5000
    scroll_pause_ms: int = 1000
    scroll_px: int = 48
    key_hold_ms: int = 1000
    hover_ms: int = 400
    wait_ms: int = 2000

    @classmethod
    def of(cls, settings: RecorderSettings, timings: OsTimings) -> GestureThresholds:
        """The constants of this machine and user."""
        return cls(
            double_click_ms=timings.double_click_ms or settings.double_click_ms,
            double_click_px=settings.double_click_px if timings.double_click_px is None else timings.double_click_px,
            drag_px=timings.drag_px or settings.drag_px,
            long_press_ms=settings.long_press_ms,
            text_pause_ms=round(settings.text_pause_s * 1000),
            scroll_pause_ms=round(settings.scroll_pause_s * 1000),
            hover_ms=settings.hover_ms,
            wait_ms=round(settings.wait_s * 1000),
        )
