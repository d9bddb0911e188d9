"""The recording desktop of the app: opened when a recording first wants it, ended with the app."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recorder.desktop.current import OpenDesktop

PANEL = (sys.executable, "-m", "annotator.ui.desktop_panel")
"""The command that shows the panel of a recording desktop."""


def needs_desktop(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether nothing but a recording desktop can be recorded in this session, as on Wayland."""
    is_wayland = bool(environ.get("WAYLAND_DISPLAY")) or environ.get("XDG_SESSION_TYPE") == "wayland"
    return is_wayland and sys.platform not in {"win32", "darwin"}


class AppDesktop:
    """Any thread may ask for it.

    Attributes:
        wanted: whether recordings are made in it.
    """

    def __init__(self) -> None:
        self.wanted = needs_desktop()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def display(self) -> str | None:
        """The X server to record, as in ``DISPLAY``: that of the desktop, opened if need be; None for the session's.

        Raises:
            CaptureError: it is wanted and cannot be opened; says why and what to do.
        """
        return self._open().display if self.wanted else None

    @property
    def is_open(self) -> bool:
        """Whether the desktop can be used without waiting for it."""
        from recorder.desktop.current import find_desktop

        return find_desktop() is not None

    def _open(self) -> OpenDesktop:
        from recorder.desktop.current import find_desktop, start_desktop, wait_for_desktop
        from recorder.desktop.servers import DesktopOptions

        with self._lock:
            found = find_desktop()
            if found is not None:
                return found
            self._end()
            self._process = start_desktop(DesktopOptions(panel=PANEL))
            desktop = wait_for_desktop(self._process)
            if self._closed:
                self._end()
            return desktop

    def close(self) -> None:
        """End the desktop where it was opened here; calling it twice is harmless."""
        self._closed = True
        process = self._process
        if process is not None:
            # Whoever waits for it to open waits no longer.
            process.terminate()
        with self._lock:
            self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            from recorder.desktop.current import end_desktop

            end_desktop(process)
