"""Windows that an agent may see and act in, named by a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from demopack.domain.steps import WindowInfo
from player.observing import AllowedWindow, any_window

EVERY_WINDOW: Final = "*"
"""The name that stands for all windows."""


def windows_named(names: Sequence[str]) -> AllowedWindow:
    """Allows the windows of these programs, and those in whose title one of these texts stands; case does not count.

    Args:
        names: programs or parts of titles; :data:`EVERY_WINDOW` for all.
    """
    if EVERY_WINDOW in names:
        return any_window
    wanted = [folded for name in names if (folded := name.strip().casefold())]

    def allowed(window: WindowInfo) -> bool:
        return any(name == window.app.casefold() or name in window.title.casefold() for name in wanted)

    return allowed


def name_of(window: WindowInfo) -> str:
    """What allows a window and others of its program: that one's name, else the title."""
    return window.app or window.title
