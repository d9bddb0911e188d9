"""Input events, as the operating system tells them: raw, in order, on one monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from demopack.domain.records import Nanoseconds, Pixels

EventKind = Literal["move", "down", "up", "scroll", "key_down", "key_up"]
Button = Literal["left", "middle", "right", "back", "forward", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputEvent:
    """One raw event.

    Attributes:
        t_ns: monotonic nanoseconds at which it happened, where the OS tells, else at which the hook saw it.
        kind: what happened.
        x: pointer position in pixels of the virtual desktop; for keys, where the pointer was.
        y: as ``x``.
        button: the mouse button of ``down`` and ``up``; ``back`` and ``forward`` are the two at the side.
        dx: wheel notches, positive to the right.
        dy: wheel notches, positive *up* (as the OS counts); a view that scrolls down has a negative ``dy``.
        key: canonical key name (``demopack.domain.keys``), or the character itself; ``Dead`` for a key that types
            nothing by itself (an accent, Compose, brightness); empty for the mouse and for a key that nobody knows.
        char: the text that this key press produces under the layout in force; empty when none or unknown.
    """

    t_ns: Nanoseconds
    kind: EventKind
    x: Pixels = 0
    y: Pixels = 0
    button: Button | None = None
    dx: Pixels = 0
    dy: Pixels = 0
    key: str = ""
    char: str = ""
