"""Port to the operating system: single input events, and where the pointer is."""

from __future__ import annotations

import contextlib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import ClassVar, Self

from demopack.domain.events import Button
from demopack.domain.geometry import Point
from demopack.domain.steps import WindowInfo
from demopack.errors import ReplayError

InputCheck = Callable[[], None]
"""Called before every single input; raises to stop there."""


def nothing_to_check() -> None:
    """The check of one who never stops."""


def typed_lines(text: str) -> str:
    """A text as it is typed, with CR LF and CR as a line feed, which is Enter; a tab is Tab.

    Raises:
        ReplayError: the text holds a control character or half of a surrogate pair, which no key produces.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = next((c for c in lines if unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t"), None)
    if bad is not None:
        raise ReplayError(
            f"The text holds the character U+{ord(bad):04X}, which no key produces; nothing was typed.",
            hint="Take it out of the step's text.",
        )
    return lines


class Performer(ABC):
    """Presses, moves and types on the live desktop. Used from one thread at a time.

    Positions are pixels of the virtual desktop, as in ``Grab``. Key names are the canonical ones of
    ``demopack.domain.keys``, or a single character. Whatever is pressed stays pressed until it is released;
    :meth:`release_all` lets go of everything, and :meth:`close` calls it.

    Attributes:
        sees_keys: whether :meth:`foreign_keys` and :meth:`foreign_buttons` can tell.
        sees_focus: whether :meth:`focus_number`, :meth:`window_number` and :meth:`focused_window` can tell.
    """

    sees_keys: ClassVar[bool] = False
    sees_focus: ClassVar[bool] = False

    @abstractmethod
    def position(self) -> Point:
        """Where the pointer is now, whoever put it there."""

    @abstractmethod
    def move(self, x: int, y: int) -> None:
        """Put the pointer there at once; the desktop's edge stops it."""

    @abstractmethod
    def press(self, button: Button) -> None:
        """Press a mouse button."""

    @abstractmethod
    def release(self, button: Button) -> None:
        """Release a mouse button."""

    @abstractmethod
    def scroll(self, *, dx: int = 0, dy: int = 0, check: InputCheck = nothing_to_check) -> None:
        """Turn the wheel: positive ``dx`` to the right, positive ``dy`` up, one notch at a time."""

    @abstractmethod
    def key_down(self, name: str) -> None:
        """Press a key.

        Raises:
            ReplayError: this keyboard has no such key.
        """

    @abstractmethod
    def key_up(self, name: str) -> None:
        """Release a key that :meth:`key_down` pressed."""

    @abstractmethod
    def type_text(self, text: str, *, interval_s: float = 0.0, check: InputCheck = nothing_to_check) -> None:
        """Type any Unicode text, whatever the keyboard layout; a line feed is Enter, a tab is Tab.

        Args:
            text: what is to arrive.
            interval_s: least time between two characters.
            check: called before each character.

        Raises:
            ReplayError: the text holds a control character that no key produces; nothing was typed.
        """

    def lend_keys(self, text: str) -> None:
        """Get ready for the characters of a text, where the keyboard has to be changed for some of them.

        Raises:
            ReplayError: the text holds a control character that no key produces.
        """
        typed_lines(text)

    @contextlib.contextmanager
    def character(self, char: str) -> Generator[None]:
        """Hold down the keys that type one character; typed at once where the system takes characters as they are."""
        self.type_text(char)
        yield

    @abstractmethod
    def release_all(self) -> None:
        """Let go of every key and button that this performer holds down."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything and of the desktop; calling it twice is harmless."""

    def foreign_keys(self) -> frozenset[str]:
        """Canonical names of keys that someone else holds down; empty where the OS does not tell."""
        return frozenset()

    def foreign_buttons(self) -> frozenset[str]:
        """Mouse buttons that someone else holds down; empty where the OS does not tell."""
        return frozenset()

    def focus_number(self) -> int:
        """A number for what the keys go to at this moment; another one means that the focus has moved. 0 if unknown."""
        return 0

    def window_number(self) -> int:
        """A number for the program's window around what has the focus; 0 where none has it, or the OS does not tell."""
        return 0

    def focused_window(self) -> WindowInfo | None:
        """The window that the keys go to at this moment; None where nothing has the focus, or the OS does not tell."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
