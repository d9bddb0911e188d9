"""A performer that notes what it is told, and a person who may interfere between two inputs."""

from __future__ import annotations

from collections.abc import Callable

from demopack.domain.events import Button
from demopack.domain.geometry import Point
from player.backends.base import InputCheck, Performer, nothing_to_check


class FakePerformer(Performer):
    """Notes inputs as short words: ``m10,20``, ``+left``, ``-left``, ``w0,-1``, ``+Ctrl``, ``-Ctrl``, ``'a'``.

    Attributes:
        done: what has been performed.
        at: where the pointer is; a test may put it elsewhere, as a person does.
        person: keys that a person holds.
        person_buttons: buttons that a person holds.
        before: called before each input with the number of inputs so far.
    """

    sees_keys = True

    def __init__(self, *, at: Point | None = None) -> None:
        self.done: list[str] = []
        self.at = at or Point(400, 300)
        self.person: set[str] = set()
        self.person_buttons: set[str] = set()
        self.before: Callable[[int], None] = lambda _count: None
        self.frozen = False
        self._held: list[str] = []

    def _note(self, word: str) -> None:
        self.done.append(word)
        self.before(len(self.done))

    def position(self) -> Point:
        return self.at

    def move(self, x: int, y: int) -> None:
        if not self.frozen:
            self.at = Point(x, y)
        self._note(f"m{x},{y}")

    def press(self, button: Button) -> None:
        self._held.append(f"{button} button")
        self._note(f"+{button}")

    def release(self, button: Button) -> None:
        if f"{button} button" in self._held:
            self._held.remove(f"{button} button")
        self._note(f"-{button}")

    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        check()
        self._note(f"w{dx},{dy}")

    def key_down(self, name: str) -> None:
        self._held.append(name)
        self._note(f"+{name}")

    def key_up(self, name: str) -> None:
        if name in self._held:
            self._held.remove(name)
        self._note(f"-{name}")

    def type_text(self, text: str, *, interval_s: float = 0.0, check: InputCheck = nothing_to_check) -> None:  # noqa: ARG002 - the port's form
        for char in text:
            check()
            self._note(repr(char))

    def held(self) -> frozenset[str]:
        return frozenset(self._held)

    def foreign_keys(self) -> frozenset[str]:
        return frozenset(self.person)

    def foreign_buttons(self) -> frozenset[str]:
        return frozenset(self.person_buttons)

    def release_all(self) -> None:
        self._held.clear()

    def close(self) -> None:
        self.release_all()

    def gestures(self) -> list[str]:
        """What was done, but for the pointer's way."""
        return [word for word in self.done if not word.startswith("m")]
