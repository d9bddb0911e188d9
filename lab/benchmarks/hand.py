"""What a hand does at keyboard and mouse, counted: keys, presses, the pointer's way, and seconds by a model."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

KEY_S, PRESS_S, POINT_S, BIT_S, HOME_S = 0.2, 0.1, 0.2, 0.1, 0.4
"""Seconds by the keystroke-level model: a key; the button down or up; to begin to point, and for each bit of how hard
it is to hit; from the keyboard to the mouse or back. They decide between ways, and nothing else depends on them."""
_AIM = 6
"""Pixels: how exactly one points at an edge; whoever points at a whole box has its smaller side."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What was needed so far.

    Attributes:
        keys: that went down; Shift, Ctrl and Alt are keys, too.
        presses: of the mouse's button.
        travel: of the pointer, in pixels of the screen at its own size.
        seconds: by the model.
    """

    keys: int = 0
    presses: int = 0
    travel: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.keys + other.keys,
            self.presses + other.presses,
            self.travel + other.travel,
            self.seconds + other.seconds,
        )


NOTHING = Spent()


@dataclass(slots=True)
class Hand:
    """One person at the editor; copies of it try what another way would cost.

    Attributes:
        x: where the pointer is, in pixels of the picture.
        y: as ``x``.
        at_mouse: whether the hand is on the mouse.
        spent: so far.
    """

    x: float = 0.0
    y: float = 0.0
    at_mouse: bool = False
    spent: Spent = NOTHING

    def copy(self) -> Hand:
        return replace(self)

    def key(self, count: int = 1) -> None:
        """Press keys."""
        if count:
            self.spent += Spent(keys=count, seconds=KEY_S * count + (HOME_S if self.at_mouse else 0))
            self.at_mouse = False

    def point(self, x: float, y: float, *, size: float = _AIM) -> None:
        """Bring the pointer to a place; ``size`` is how wide the target is."""
        distance = math.hypot(x - self.x, y - self.y)
        hard = math.log2(distance / max(size, 1) + 1)
        self.spent += Spent(travel=distance, seconds=POINT_S + BIT_S * hard + (0 if self.at_mouse else HOME_S))
        self.x, self.y, self.at_mouse = x, y, True

    def click(self, x: float, y: float, *, size: float, times: int = 1) -> None:
        """Click somewhere, once or more often."""
        self.point(x, y, size=size)
        self.spent += Spent(presses=times, seconds=2 * PRESS_S * times)

    def drag(self, x: float, y: float, to_x: float, to_y: float, *, size: float = _AIM) -> None:
        """Press at one place, release at another."""
        self.point(x, y, size=size)
        self.spent += Spent(presses=1, seconds=2 * PRESS_S)
        self.point(to_x, to_y)


def cheapest(hand: Hand, ways: list[Callable[[Hand], None]]) -> None:
    """Go the way that takes the fewest seconds; the hand is then where that way ends."""
    tried: list[Hand] = []
    for way in ways:
        one = hand.copy()
        way(one)
        tried.append(one)
    best = min(tried, key=lambda one: one.spent.seconds)
    hand.x, hand.y, hand.at_mouse, hand.spent = best.x, best.y, best.at_mouse, best.spent


def typing_keys(text: str) -> int:
    """Keys for a text, letter by letter; a capital needs Shift, too, and so do most signs of an English keyboard."""
    return sum(2 if one.isupper() or one in '~!@#$%^&*()_+{}|:"<>?' else 1 for one in text)


def replacement_keys(old: str, new: str) -> int:
    """Fewest keys that make one text of another in a field whose whole text is marked, as it is when it is entered.

    Either everything is written again, or the cursor goes from the end or the beginning (End, Home) to what differs,
    letter by letter; old letters are deleted there and new ones written.
    """
    again = typing_keys(new) or 1
    if not old:
        return again
    ahead = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    room = min(len(old), len(new)) - ahead
    behind = next((i for i in range(room) if old[-1 - i] != new[-1 - i]), room)
    middle = typing_keys(new[ahead : len(new) - behind]) + len(old) - ahead - behind
    return min(again, 1 + behind + middle, 1 + ahead + middle)
