"""A scripted person: knows what to do and where, and does it with mouse and keyboard at human pace.

The person has no way into the recorder, the models or the player; what they see of it is what they would see of anyone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from demopack.domain.geometry import Point
from demopack.domain.keys import MODIFIERS, parse_key_info
from demopack.jobs import CancelToken
from demopack.quickstart.xdevice import XDevice

__all__ = ["Pace", "Person"]

MouseButton = Literal["left", "middle", "right"]
_BUTTONS: dict[MouseButton, int] = {"left": 1, "middle": 2, "right": 3}
_WHEEL_UP, _WHEEL_DOWN = 4, 5
_TICK_S = 0.012


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast a person works; all times in seconds.

    Attributes:
        speed: 2.0 does everything in half the time.
        move_s: shortest and longest way of the pointer.
        key_s: shortest and longest time from one key to the next.
        think_s: shortest and longest pause before an action.
        hold_s: how long a button or key is down.
        double_s: between the presses of a double click.
    """

    speed: float = 1.0
    move_s: tuple[float, float] = (0.2, 0.5)
    key_s: tuple[float, float] = (0.06, 0.15)
    think_s: tuple[float, float] = (0.3, 0.5)
    hold_s: float = 0.05
    double_s: float = 0.09


class Person:
    """Works on one X server.

    Every action is preceded by a pause, as by somebody who looks first. The same seed gives the same small variations.
    """

    def __init__(
        self, device: XDevice, *, pace: Pace | None = None, seed: int = 0, token: CancelToken | None = None
    ) -> None:
        self._device = device
        self._pace = pace or Pace()
        self._random = random.Random(seed)  # noqa: S311 - variation, not secrecy
        self._token = token or CancelToken()
        self._think = True

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
        x, y = self._device.position()
        distance = math.hypot(to.x - x, to.y - y)
        if distance == 0:
            return
        shortest, longest = self._pace.move_s
        duration = min(longest, shortest + distance / 2500) / self._pace.speed
        bend = self._random.uniform(-0.06, 0.06)
        steps = max(2, round(duration / _TICK_S))
        for step in range(1, steps + 1):
            part = _eased(step / steps)
            aside = bend * math.sin(math.pi * part)
            px = x + (to.x - x) * part - (to.y - y) * aside
            py = y + (to.y - y) * part + (to.x - x) * aside
            self._device.move(round(px), round(py))
            self.wait(duration / steps)

    def click(self, at: Point, *, button: MouseButton = "left", times: int = 1, holding: str = "") -> None:
        """Click once or several times in quick succession, with modifiers held down where ``holding`` names them."""
        self._before_action()
        self.move(at)
        self._rest(self._pace.hold_s)
        with_keys = self._hold_down(holding)
        for number in range(times):
            if number:
                self._rest(self._pace.double_s)
            self._device.button(_BUTTONS[button], down=True)
            self._rest(self._pace.hold_s)
            self._device.button(_BUTTONS[button], down=False)
        self._let_go(with_keys)

    def double_click(self, at: Point) -> None:
        """Click twice with the left button."""
        self.click(at, times=2)

    def drag(self, start: Point, end: Point) -> None:
        """Press at one place, move, release at another."""
        self._before_action()
        self.move(start)
        self._rest(self._pace.hold_s)
        self._device.button(1, down=True)
        self._rest(2 * self._pace.hold_s)
        self.move(end)
        self._rest(2 * self._pace.hold_s)
        self._device.button(1, down=False)

    def scroll(self, at: Point, *, down: int) -> None:
        """Turn the wheel over a place, so many notches down (negative: up)."""
        self._before_action()
        self.move(at)
        wheel = _WHEEL_DOWN if down > 0 else _WHEEL_UP
        for _ in range(abs(down)):
            self._device.button(wheel, down=True)
            self._device.button(wheel, down=False)
            self._rest(self._random.uniform(*self._pace.key_s))

    def type_text(self, text: str) -> None:
        """Write a text, one key after the other.

        Raises:
            CaptureError: the keyboard lacks a character; give it one with :meth:`XDevice.add_characters` beforehand.
        """
        self._before_action()
        for character in text:
            stroke = self._device.stroke_for(character)
            shift = [self._device.named_key("Shift")] if stroke.shift else []
            self._tap(stroke.keycode, shift)

    def press(self, keys: str, *, times: int = 1) -> None:
        """Press a key or a combination, for instance ``Enter`` or ``Ctrl+A``."""
        names = parse_key_info(keys)
        held = [self._device.named_key(name) for name in names if name in MODIFIERS]
        others = [self._device.named_key(name) for name in names if name not in MODIFIERS]
        self._before_action()
        for _ in range(times):
            for keycode in others:
                self._tap(keycode, held)

    # Inside ---------------------------------------------------------------------------------------------------

    def _before_action(self) -> None:
        self._rest(self._random.uniform(*self._pace.think_s))

    def _rest(self, seconds: float) -> None:
        self.wait(seconds / self._pace.speed)

    def _hold_down(self, keys: str) -> list[int]:
        held = [self._device.named_key(name) for name in parse_key_info(keys)] if keys else []
        for keycode in held:
            self._device.key(keycode, down=True)
            self._rest(self._pace.hold_s)
        return held

    def _let_go(self, held: Sequence[int]) -> None:
        for keycode in reversed(held):
            self._device.key(keycode, down=False)

    def _tap(self, keycode: int, held: Sequence[int]) -> None:
        for modifier in held:
            self._device.key(modifier, down=True)
        self._device.key(keycode, down=True)
        self._rest(self._pace.hold_s)
        self._device.key(keycode, down=False)
        self._let_go(held)
        self._rest(max(0.0, self._random.uniform(*self._pace.key_s) - self._pace.hold_s))


def _eased(part: float) -> float:
    """How far a hand has come after this part of the time (minimum jerk)."""
    return part**3 * (10 - 15 * part + 6 * part**2)
