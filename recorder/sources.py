"""The three sources of a recording: given ones stay the caller's, opened ones are ours to close."""

from __future__ import annotations

import os
import sys
from typing import TypeVar

from recorder.backends import open_input, open_screen, open_windows
from recorder.backends.base import InputSource, ScreenSource, WindowSource

__all__ = ["Sources", "platform_name"]

_S = TypeVar("_S", ScreenSource, WindowSource)


class Sources:
    """Screen, windows and input of one recording.

    Attributes:
        screen: takes the pictures.
        windows: knows the windows.
        inputs: watches keyboard and mouse.
    """

    screen: ScreenSource
    windows: WindowSource
    inputs: InputSource

    def __init__(
        self, *, screen: ScreenSource | None, windows: WindowSource | None, inputs: InputSource | None
    ) -> None:
        self._given = (screen, windows, inputs)
        self._to_close: list[ScreenSource | WindowSource] = []

    def open(self) -> None:
        """Open what was not given.

        Raises:
            CaptureError: the screen or the input of this session cannot be captured.
        """
        screen, windows, inputs = self._given
        self.screen = screen or self._own(open_screen())
        self.windows = windows or self._own(open_windows())
        self.inputs = inputs or open_input()

    def _own(self, source: _S) -> _S:
        self._to_close.append(source)
        return source

    def close(self) -> None:
        """Close what was opened here; calling it twice is harmless. Input is stopped by whoever started it."""
        for source in self._to_close:
            source.close()
        self._to_close.clear()


def platform_name() -> str:
    """Operating system and session, for instance ``linux-x11``."""
    if sys.platform in {"win32", "darwin"}:
        return {"win32": "windows", "darwin": "macos"}[sys.platform]
    return f"{sys.platform}-wayland" if os.environ.get("WAYLAND_DISPLAY") else f"{sys.platform}-x11"
