"""Leaves out what is done in places that are not to be recorded: a press there together with its release."""

from __future__ import annotations

from collections.abc import Callable

from demopack.domain.events import InputEvent
from demopack.domain.geometry import Point
from recorder.area import CaptureArea
from recorder.own_input import OWN_INPUT
from recorder.screen.frames import Look

__all__ = ["Outside", "Swallower", "on_own_window", "outside_of"]

Outside = Callable[[InputEvent, Look | None], bool]


class Swallower:
    """Remembers which buttons and keys were pressed outside, so that their releases are left out too."""

    def __init__(self, outside: Outside) -> None:
        """Take the question.

        Args:
            outside: whether an event, seen with the newest look before it, happened where nothing is recorded. Asked
                for presses and wheel notches only.
        """
        self._outside = outside
        self._down: set[str] = set()

    def hides(self, event: InputEvent, look: Look | None) -> bool:
        """Whether the event must leave nothing."""
        if event.kind == "move":
            return False
        if event.kind == "scroll":
            return self._outside(event, look)
        name = event.button or "" if event.kind in {"down", "up"} else f"key {event.key}"
        if event.kind in {"up", "key_up"}:
            hidden = name in self._down
            self._down.discard(name)
            return hidden
        hidden = self._outside(event, look)
        (self._down.add if hidden else self._down.discard)(name)
        return hidden


def outside_of(area: CaptureArea) -> Outside:
    """What happens outside the part of the desktop that is captured; nothing, where that is all of it.

    The pointer counts where it is, keys for the middle of the window that has the input.
    """

    def outside(event: InputEvent, look: Look | None) -> bool:
        if look is None or area.kind == "all":
            return False
        shown = look.picture.grab.desktop_box
        if event.kind in {"down", "scroll"}:
            return not shown.contains(Point(event.x, event.y))
        box = None if look.window is None else look.window.box
        if box is None:
            return False
        return not shown.contains(Point((box.x1 + box.x2) // 2, (box.y1 + box.y2) // 2))

    return outside


def on_own_window(event: InputEvent, look: Look | None) -> bool:
    """What is done to the recorder's own windows, and what is typed there."""
    if look is None:
        return False
    if event.kind in {"down", "scroll"}:
        return any(box.contains(Point(event.x, event.y)) for box in look.own)
    told = OWN_INPUT.had(event.t_ns, seen_ns=look.ended_ns)
    return look.own_active if told is None else told
