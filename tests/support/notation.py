"""Input events and gestures as short texts.

Events are written one after the other, separated by spaces. Time passes by 10 ms before each event.

======================  ==========================================================================================
``(100,200)``           the pointer moves there
``L+`` ``L-``           left button down, up; ``M`` middle, ``R`` right, ``B`` back, ``F`` forward, ``X`` another;
                        ``L`` alone is both
``w+2`` ``w-3``         two notches up, three down; ``h+1`` one to the right, ``h-1`` to the left
``+Ctrl`` ``-Ctrl``     a key by name or character: down, up; ``Enter`` alone is both
``+a=á``                the key ``a`` types ``á``; ``e=`` types nothing; ``=`` is a key that nobody knows
``"Hello you"``         every character, down and up; upper-case ones without any Shift event
``~50ms`` ``~1.5s``     nothing happens for so long
======================  ==========================================================================================

Gestures read like ``click 10,20``, ``ctrl+double 10,20``, ``click 1,2 for 0.8s``, ``drag 1,2>3,4``,
``scroll down 3 @5,6``, ``type "hi"``, ``key Ctrl+S``, ``key ArrowDown x3``, ``hover 7,8 for 0.5s``, ``wait 2.1s``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from demopack.domain.events import Button, EventKind, InputEvent
from demopack.domain.keys import NAMED_KEYS
from demopack.errors import BadInputError
from demopack.reduction.gestures import Gesture

_GAP_NS = 10_000_000
_TOKEN = re.compile(r'"[^"]*"|\S+')
_MOVE = re.compile(r"\((-?\d+),(-?\d+)\)")
_PAUSE = re.compile(r"~([\d.]+)(ms|s)")
_BUTTON = re.compile(r"([LMRBFX])([+-]?)")
_WHEEL = re.compile(r"([wh])([+-])(\d+)")
_KEY = re.compile(r"([+-]?)([^=]*)(=(.*))?")
_BUTTONS: dict[str, Button] = {
    "L": "left", "M": "middle", "R": "right", "B": "back", "F": "forward", "X": "other",
}  # fmt: skip


def parse_events(text: str, *, start_ns: int = 1_000_000_000) -> list[InputEvent]:
    """The events that the notation describes.

    Raises:
        BadInputError: a token is not part of the notation.
    """
    reader = _Reader(start_ns)
    return [event for token in _TOKEN.findall(text) for event in reader.read(token)]


class _Reader:
    def __init__(self, start_ns: int) -> None:
        self._now = start_ns
        self._x = self._y = 0

    def read(self, token: str) -> Iterator[InputEvent]:
        if token.startswith('"'):
            for char in token[1:-1]:
                yield from self._key("", "Space" if char == " " else char.lower(), char)
        elif match := _PAUSE.fullmatch(token):
            self._now += round(float(match[1]) * (1_000_000 if match[2] == "ms" else 1_000_000_000))
        elif match := _MOVE.fullmatch(token):
            self._x, self._y = int(match[1]), int(match[2])
            yield self._event("move")
        elif match := _BUTTON.fullmatch(token):
            for sign in match[2] or "+-":
                yield self._event("down" if sign == "+" else "up", button=_BUTTONS[match[1]])
        elif match := _WHEEL.fullmatch(token):
            one = 1 if match[2] == "+" else -1
            for _ in range(int(match[3])):
                yield self._event("scroll", dy=one) if match[1] == "w" else self._event("scroll", dx=one)
        elif match := _KEY.fullmatch(token):
            yield from self._key(match[1], match[2], match[4])
        else:
            raise BadInputError(f"{token!r} is not an event.", hint="See tests/support/notation.py for the notation.")

    def _key(self, sign: str, key: str, char: str | None) -> Iterator[InputEvent]:
        if len(key) > 1 and key not in NAMED_KEYS and key != "Dead":
            raise BadInputError(f"{key!r} is not a key.", hint="See tests/support/notation.py for the notation.")
        if char is None:
            char = " " if key == "Space" else key if len(key) == 1 else ""
        if sign != "-":
            yield self._event("key_down", key=key, char=char)
        if sign != "+":
            yield self._event("key_up", key=key)

    def _event(
        self,
        kind: EventKind,
        *,
        button: Button | None = None,
        dx: int = 0,
        dy: int = 0,
        key: str = "",
        char: str = "",
    ) -> InputEvent:
        self._now += _GAP_NS
        return InputEvent(
            t_ns=self._now, kind=kind, x=self._x, y=self._y, button=button, dx=dx, dy=dy, key=key, char=char
        )


def render(gesture: Gesture) -> str:
    """The gesture as one line."""
    held = "".join(f"{modifier}+" for modifier in gesture.modifiers)
    if gesture.kind == "click":
        kind = "click" if gesture.click_type == "single" else gesture.click_type
        long = "" if gesture.hold_s is None else f" for {gesture.hold_s}s"
        return f"{held}{kind} {gesture.x},{gesture.y}{long}"
    if gesture.kind == "drag":
        word = "drag" if gesture.button == "left" else f"{gesture.button}-drag"
        return f"{held}{word} {gesture.x},{gesture.y}>{gesture.end_x},{gesture.end_y}"
    if gesture.kind == "scroll":
        return f"{held}scroll {gesture.direction} {gesture.steps} @{gesture.x},{gesture.y}"
    return _render_rest(gesture)


def _render_rest(gesture: Gesture) -> str:
    if gesture.kind == "hover":
        return f"hover {gesture.x},{gesture.y} for {gesture.duration_s}s"
    if gesture.kind == "wait":
        return f"wait {gesture.duration_s}s"
    if gesture.kind == "type":
        return f'type "{gesture.text}"'
    return f"key {gesture.key_info}" + (f" x{gesture.presses}" if gesture.presses > 1 else "")
