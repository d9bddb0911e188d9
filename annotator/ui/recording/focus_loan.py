"""Borrows the input for a window of ours, and gives it back to the program that had it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from demopack.errors import DemopackError

__all__ = ["Borrow", "FocusLoan", "borrow_focus", "bring_up"]


class FocusLoan(Protocol):
    """What is needed of ``recorder.backends.x11.focus.X11Focus``."""

    def take(self, window: int) -> None:
        """Give the input to a window of ours."""
        ...

    def give_back(self) -> None:
        """Give it back."""
        ...


class _QtAlone:
    """Where the system itself gives the input back when a window goes."""

    def take(self, window: int) -> None:
        """Nothing more than what Qt does."""

    def give_back(self) -> None:
        """The system does it."""


def borrow_focus() -> FocusLoan:
    """Remember who has the input now."""
    if QGuiApplication.platformName() != "xcb":
        return _QtAlone()
    from recorder.backends.x11.focus import X11Focus

    try:
        return X11Focus()
    except DemopackError:
        # Without a connection of our own the window manager decides; the pop-up is there all the same.
        return _QtAlone()


Borrow = Callable[[], FocusLoan]


def bring_up(window: QWidget, loan: FocusLoan) -> None:
    """Show a window and give it the input."""
    window.show()
    window.raise_()
    window.activateWindow()
    loan.take(int(window.winId()))
