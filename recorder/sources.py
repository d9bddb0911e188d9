"""The sources of a recording: given ones stay the caller's, opened ones are ours to close."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from typing import Any, TypeVar

from demopack.settings import PrivacySettings
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends import open_input, open_ping, open_screen, open_windows
from recorder.backends.access import open_access, open_clipboard
from recorder.backends.base import AccessSource, ClipboardSource, InputSource, PingSource, ScreenSource, WindowSource
from recorder.backends.x11.key_grab import KeyGrab

__all__ = ["Sources", "platform_name"]

_S = TypeVar("_S", ScreenSource, WindowSource)


class Sources:
    """Everything that one recording looks at and listens to.

    Attributes:
        screen: takes the pictures.
        windows: knows the windows.
        inputs: watches keyboard and mouse.
        access: what programs tell about their elements; None when the settings forbid it.
        clipboard: what is copied; None unless the settings ask for it.
        has_real_programs: whether what is recorded goes into programs, which may have secure fields.
        pings: whether programs respond; None where nobody can be asked.
    """

    screen: ScreenSource
    windows: WindowSource
    inputs: InputSource
    access: AccessSource | None = None
    clipboard: ClipboardSource | None = None
    pings: PingSource | None = None

    def __init__(
        self,
        *,
        screen: ScreenSource | None,
        windows: WindowSource | None,
        inputs: InputSource | None,
        access: AccessSource | None = None,
        area: CaptureArea = EVERYTHING,
        privacy: PrivacySettings | None = None,
    ) -> None:
        self._given: tuple[Any, ...] = (screen, windows, inputs, access)
        self._area = area
        self._privacy = privacy or PrivacySettings()
        # Who gives input of their own has no programs that could be asked, unless they say so.
        self.has_real_programs = access is not None or inputs is None
        self._undo = contextlib.ExitStack()

    def open(self) -> None:
        """Open what was not given.

        Raises:
            CaptureError: the screen or the input of this session cannot be captured.
        """
        screen, windows, inputs, access = self._given
        self.screen = screen or self._own(open_screen(area=self._area))
        self.windows = windows or self._own(open_windows())
        self.inputs = inputs or open_input()
        if access is None and self.has_real_programs and self._privacy.accessibility:
            access = open_access()
        if access is not None:
            self.access = access
            self._undo.callback(access.stop)
            access.start()
        if inputs is None and (self._privacy.clipboard or self._privacy.paste_as_text):
            self.clipboard = open_clipboard()
            if self.clipboard is not None:
                self._undo.callback(self.clipboard.stop)
                self.clipboard.start()

        self.pings = open_ping() if inputs is None else None
        if self.pings is not None:
            self._undo.callback(self.pings.stop)
            self.pings.start()

    def hold_keys(self, bindings: Mapping[str, str]) -> list[str]:
        """Keep the hot-keys from the program in front; returns what the user should know about that."""
        if self._given[2] is not None:
            return []
        grab = KeyGrab.open(bindings)
        self._undo.callback(grab.close)
        return [f"{key} belongs to another program too: it will react when you press it." for key in grab.taken]

    def _own(self, source: _S) -> _S:
        self._undo.callback(source.close)
        return source

    def close(self) -> None:
        """Close what was opened here; calling it twice is harmless. Input is stopped by whoever started it."""
        self._undo.close()


def platform_name() -> str:
    """Operating system and session, for instance ``linux-x11``."""
    if sys.platform in {"win32", "darwin"}:
        return {"win32": "windows", "darwin": "macos"}[sys.platform]
    return f"{sys.platform}-wayland" if os.environ.get("WAYLAND_DISPLAY") else f"{sys.platform}-x11"
