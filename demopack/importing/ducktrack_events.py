"""DuckTrack's events as ours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from demopack.domain.events import Button, EventKind, InputEvent
from demopack.domain.keys import NAMED_KEYS
from demopack.errors import ActionError
from demopack.importing.report import Ledger
from demopack.importing.values import Row
from demopack.prompting.answers.key_names import key_name

__all__ = ["Told", "event_of"]

_BUTTONS: Final[dict[str, Button]] = {
    "left": "left", "right": "right", "middle": "middle", "x1": "back", "x2": "forward",
    "button8": "back", "button9": "forward",
}  # fmt: skip
_KEYS: Final[dict[str, EventKind]] = {"press": "key_down", "release": "key_up"}
_FARTHEST: Final = 1_000_000
_TYPED: Final = {"Space": " ", "Plus": "+"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One line.

    Attributes:
        seconds: of DuckTrack's own clock.
        event: ours; None for a pause and its end.
    """

    seconds: float
    event: InputEvent | None

    def placed(self, across: float, down: float, *, start: float) -> InputEvent:
        """The event in pixels of the film, its nanoseconds counted from a second of DuckTrack's clock."""
        assert self.event is not None
        event = self.event
        x, y = round(event.x * across), round(event.y * down)
        return replace(event, x=x, y=y, t_ns=event.t_ns - round(start * 1e9))


def event_of(row: Row, ledger: Ledger) -> Told:
    """One event; its nanoseconds count in DuckTrack's own clock.

    Raises:
        BadRowError: a field is missing, or there is no such event.
    """
    seconds = row.number("time_stamp")
    if seconds is None:
        raise row.wrong("time_stamp", "it is missing", code="no_time")
    kind = row.text("action", default=None)
    t_ns = round(seconds * 1e9)
    if kind in {"pause", "resume"}:
        ledger.assume("pause", "what was held over a pause is taken to go on after it", row.place)
        return Told(seconds=seconds, event=None)
    if kind in _KEYS:
        key, char = _key(row, ledger)
        text = char if kind == "press" else ""
        return Told(seconds=seconds, event=InputEvent(kind=_KEYS[kind], key=key, char=text, t_ns=t_ns))
    if kind not in {"move", "click", "scroll"}:
        raise row.wrong("action", f"there is no event called {kind!r}", code="unknown_event")
    x, y = _whole(row, "x"), _whole(row, "y")
    if kind == "move":
        return Told(seconds=seconds, event=InputEvent(kind="move", x=x, y=y, t_ns=t_ns))
    if kind == "scroll":
        dx, dy = _whole(row, "dx"), _whole(row, "dy")
        return Told(seconds=seconds, event=InputEvent(kind="scroll", dx=dx, dy=dy, x=x, y=y, t_ns=t_ns))
    pressed = row.flag("pressed")
    if pressed is None:
        raise row.wrong("pressed", "it is missing", code="no_pressed")
    button = _BUTTONS.get(row.text("button", default=None).lower().removeprefix("button."), "other")
    return Told(seconds=seconds, event=InputEvent(kind="down" if pressed else "up", button=button, x=x, y=y, t_ns=t_ns))


def _whole(row: Row, name: str) -> int:
    value = row.number(name)
    if value is None:
        raise row.wrong(name, "it is missing", code="no_place")
    if abs(value) > _FARTHEST:
        raise row.wrong(name, f"{value:g} is outside of every screen", code="off_screen")
    return round(value)


def _key(row: Row, ledger: Ledger) -> tuple[str, str]:
    """Canonical name and typed character."""
    name = row.text("name", default=None)
    if len(name) == 1 and name.isprintable():
        return name.upper() if name.isalpha() and len(name.upper()) == 1 else name, name
    try:
        key = key_name(name)
    except ActionError:
        ledger.assume("unknown_key", "keys that nobody knows stand as a doubt in the text", f"{row.place}: {name!r}")
        return "", ""
    return key, _TYPED.get(key, key if key not in NAMED_KEYS and len(key) == 1 else "")
