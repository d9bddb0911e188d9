"""The window source of a system that tells nothing about windows."""

from __future__ import annotations

from demopack.domain.geometry import Rect
from demopack.domain.steps import WindowInfo
from recorder.backends.base import WindowSource
from recorder.docked import docked

__all__ = ["NoWindows"]


class NoWindows(WindowSource):
    """Knows no window."""

    def active(self) -> WindowInfo | None:
        """Nothing is known."""
        return None

    def own_windows(self) -> list[Rect]:
        """Only what we said ourselves."""
        return list(docked())

    def close(self) -> None:
        """There is nothing to close."""
