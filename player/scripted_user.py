"""A scripted person: knows what to do and where, and does it with mouse and keyboard at human pace.

The person has no way into the recorder, the models or the player; what they see of it is what they would see of anyone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Literal

from demopack.domain.geometry import Point
from demopack.domain.keys import MODIFIERS, parse_key_info
from demopack.jobs import CancelToken
from player.backends.base import Performer

MouseButton = Literal["left", "middle", "right"]
_TICK_S = 0.012
_MOVE_S = (0.2, 0.5)  # shortest and longest way of the pointer
_KEY_S = (0.06, 0.15)  # shortest and longest time from one key to the next
_THINK_S = (0.3, 0.5)  # shortest and longest pause before an action
_REST_S = 1.0  # how long the pointer rests where something is to open
_HOLD_S = 0.05  # how long a button or key is down
_DOUBLE_S = 0.09  # between the presses of a double click


class PracticeUser:
    """Works on one screen.

    Every action is preceded by a pause, as by somebody who looks first. The same seed gives the same small variations;
    a speed of 2.0 does everything in half the time.
    """

    def __init__(
        self, device: Performer, *, speed: float = 1.0, seed: int = 0, token: CancelToken | None = None
    ) -> None:
        self._device = device
        self._speed = speed
        self._random = random.Random(seed)  # noqa: S311 - variation, not secrecy
        self._token = token or CancelToken()

    # Verbs ----------------------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Do nothing for a while (not shortened by the speed).

        Raises:
            CancelledError: the person was sent home.
        """
        self._token.wait(seconds)
        self._token.check()

    def move(self, to: Point) -> None:
        """Bring the pointer somewhere on a slightly bent way that starts and ends slowly."""
        start = self._device.position()
        x, y = start.x, start.y
        distance = math.hypot(to.x - x, to.y - y)
        if distance == 0:
            return
        shortest, longest = _MOVE_S
        duration = min(longest, shortest + distance / 2500) / self._speed
        bend = self._random.uniform(-0.06, 0.06)
        steps = max(2, round(duration / _TICK_S))
        for step in range(1, steps + 1):
            done = step / steps
            part = done**3 * (10 - 15 * done + 6 * done**2)  # how far a hand has come by then (minimum jerk)
            aside = bend * math.sin(math.pi * part)
            px = x + (to.x - x) * part - (to.y - y) * aside
            py = y + (to.y - y) * part + (to.x - x) * aside
            self._device.move(round(px), round(py))
            self.wait(duration / steps)

    def hover(self, at: Point) -> None:
        """Bring the pointer somewhere and let it rest there until menus have opened (not shortened by the speed)."""
        self._before_action()
        self.move(at)
        self.wait(_REST_S)

    def click(self, at: Point, *, button: MouseButton = "left", times: int = 1, holding: str = "") -> None:
        """Click once or several times in quick succession, with modifiers held down where ``holding`` names them."""
        self._before_action()
        self.move(at)
        self._rest(_HOLD_S)
        held = parse_key_info(holding) if holding else ()
        for name in held:
            self._device.key_down(name)
            self._rest(_HOLD_S)
        for number in range(times):
            if number:
                self._rest(_DOUBLE_S)
            self._device.press(button)
            self._rest(_HOLD_S)
            self._device.release(button)
        self._let_go(held)

    def drag(self, start: Point, end: Point) -> None:
        """Press at one place, move, release at another."""
        self._before_action()
        self.move(start)
        self._rest(_HOLD_S)
        self._device.press("left")
        self._rest(2 * _HOLD_S)
        self.move(end)
        self._rest(2 * _HOLD_S)
        self._device.release("left")

    def scroll(self, at: Point, *, down: int) -> None:
        """Turn the wheel over a place, so many notches down (negative: up)."""
        self._before_action()
        self.move(at)
        for _ in range(abs(down)):
            self._device.scroll(dy=-1 if down > 0 else 1)
            self._rest(self._random.uniform(*_KEY_S))

    def type_text(self, text: str) -> None:
        """Write a text, one key after the other.

        Raises:
            ReplayError: no key produces a character, or the keyboard has none to spare for it.
        """
        self._before_action()
        for character in text:
            with self._device.character(character):
                self._rest(_HOLD_S)
            self._rest_after_key()

    def press(self, keys: str, *, times: int = 1) -> None:
        """Press a key or a combination, for instance ``Enter`` or ``Ctrl+A``."""
        names = parse_key_info(keys)
        held = [name for name in names if name in MODIFIERS]
        self._before_action()
        for _ in range(times):
            for name in names[len(held) :]:
                self._tap(name, held)

    # Inside ---------------------------------------------------------------------------------------------------

    def _before_action(self) -> None:
        self._rest(self._random.uniform(*_THINK_S))

    def _rest(self, seconds: float) -> None:
        self.wait(seconds / self._speed)

    def _let_go(self, held: Sequence[str]) -> None:
        for name in reversed(held):
            self._device.key_up(name)

    def _tap(self, name: str, held: Sequence[str]) -> None:
        for modifier in held:
            self._device.key_down(modifier)
        self._device.key_down(name)
        self._rest(_HOLD_S)
        self._device.key_up(name)
        self._let_go(held)
        self._rest_after_key()

    def _rest_after_key(self) -> None:
        self._rest(max(0.0, self._random.uniform(*_KEY_S) - _HOLD_S))
