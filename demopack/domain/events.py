"""Input events, as the operating system tells them: raw, in order, on one monotonic clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from demopack.domain.records import Nanoseconds, Pixels

EventKind = Literal["move", "down", "up", "scroll", "key_down", "key_up"]
Button = Literal["left", "middle", "right", "back", "forward", "other"]
Transient: TypeAlias = Annotated[SkipJsonSchema[bool], Field(exclude=True)]
"""A flag that counts while events arrive; neither a library nor a pack has it."""


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
        types: whether the key types, a dead key included, although modifiers are held that elsewhere make it a command:
            Option on a Mac, Ctrl with Alt in place of AltGr on Windows.
        injected: whether a program made the event (remote control, a text expander, a replay), where the OS tells.
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
    # Without a place in the text of an event, of which ids of imported demos are made.
    types: Transient = field(default=False, repr=False)
    injected: Transient = field(default=False, repr=False)
