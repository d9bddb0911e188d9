"""The sources of a recording (given ones stay the caller's, opened ones are ours to close), and their queue."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from demopack.domain.events import InputEvent
from demopack.errors import CaptureError
from demopack.settings import PrivacySettings
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends import (
    has_x11,
    open_access,
    open_clipboard,
    open_input,
    open_screen,
    open_windows,
    require_permissions,
)
from recorder.backends.base import AccessSource, InputSource, ScreenSource, WindowSource
from recorder.backends.macos.activity import begin_activity
from recorder.backends.x11.clipboard import X11Clipboard
from recorder.backends.x11.key_grab import KeyGrab
from recorder.backends.x11.ping import X11Ping
from recorder.desktop.controls import ControlOrder, DesktopControls
from recorder.privacy.blocked import BlockList


class Sources:
    """Everything that one recording looks at and listens to.

    Attributes:
        screen: takes the pictures.
        windows: knows the windows.
        inputs: watches keyboard and mouse.
        access: what programs tell about their elements; nothing when the settings forbid it.
        clipboard: what is copied; None unless the settings ask for it.
        has_real_programs: whether what is recorded goes into programs, which may have secure fields.
        pings: whether programs respond; None where nobody can be asked.
    """

    screen: ScreenSource
    windows: WindowSource
    inputs: InputSource
    access: AccessSource
    clipboard: X11Clipboard | None = None
    pings: X11Ping | None = None

    def __init__(
        self,
        *,
        display: str | None = None,
        screen: ScreenSource | None,
        windows: WindowSource | None,
        inputs: InputSource | None,
        access: AccessSource | None = None,
        area: CaptureArea = EVERYTHING,
        privacy: PrivacySettings | None = None,
    ) -> None:
        self._given: tuple[Any, ...] = (screen, windows, inputs, access)
        self._display = display
        self._area = area
        self._privacy = privacy or PrivacySettings()
        # Who gives input of their own has no programs that could be asked, unless they say so.
        self.has_real_programs = access is not None or inputs is None
        self._undo = contextlib.ExitStack()
        self._controls: DesktopControls | None = None

    def open(self) -> None:
        """Open what was not given.

        Raises:
            CaptureError: the screen or the input of this session cannot be captured, or what is blocked not kept out.
        """
        screen, windows, inputs, access = self._given
        if sys.platform == "darwin":
            self._undo.callback(begin_activity())
        if screen is None or inputs is None:
            require_permissions()
        self.screen = screen or open_screen(self._display, area=self._area)
        if screen is None:
            self._undo.callback(self.screen.close)
        self.windows = windows or open_windows(self._display)
        if windows is None:
            self._undo.callback(self.windows.close)
            if not self.windows.is_known and BlockList(self._privacy).any_window:
                raise CaptureError(
                    "Blocked applications and windows cannot be kept out: the windows of this desktop are not known.",
                    hint="Empty these lists in the settings, under Privacy, and block regions instead.",
                )
        self.inputs = inputs or open_input(self._display)
        may_ask = self.has_real_programs and self._privacy.accessibility
        self.access = access or (open_access(self._display) if may_ask else AccessSource())
        self._undo.callback(self.access.stop)
        self.access.start()
        if inputs is None and (self._privacy.clipboard or self._privacy.paste_as_text):
            self.clipboard = open_clipboard(self._display)
            if self.clipboard is not None:
                self._undo.callback(self.clipboard.stop)
                self.clipboard.start()
        if inputs is None and has_x11():
            self.pings = X11Ping(display=self._display)
            self._undo.callback(self.pings.stop)
            self.pings.start()

    def open_controls(self, on_order: Callable[[ControlOrder], None]) -> None:
        """Let the panel of a recording desktop show the recording and give orders; nothing where there is no panel."""
        if self._given[2] is None and has_x11():
            self._controls = DesktopControls(self._display, on_order)
            self._undo.callback(self._controls.stop)
            self._controls.start()

    def show_state(self, state: str) -> None:
        """Say in such a panel what the recording does."""
        if self._controls is not None:
            self._controls.show_state(state)

    def hold_keys(self, bindings: Mapping[str, str]) -> list[str]:
        """Keep the hot-keys from the program in front; returns what the user should know about that."""
        if self._given[2] is not None:
            return []
        screenshot = KeyGrab(bindings, self._display)
        self._undo.callback(screenshot.close)
        return [f"{key} belongs to another program too: it will react when you press it." for key in screenshot.taken]

    def close(self) -> None:
        """Close what was opened here; calling it twice is harmless. Input is stopped by whoever started it."""
        self._undo.close()


def platform_name(display: str | None = None) -> str:
    """Operating system and session, for instance ``linux-x11``; ``display`` names an X server that is recorded."""
    session = "wayland" if os.environ.get("WAYLAND_DISPLAY") and not display else "x11"
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, f"{sys.platform}-{session}")


OWN_KEY_NS = 2_000_000_000
"""A hot-key that was pressed so shortly before a command is the reason for it."""

QueueItem = InputEvent | Callable[[], None] | None
"""An event, a command to be called by the session's thread, or None for the end of the recording."""


class EventQueue:
    """Events and commands in the order in which they came. Putting never blocks: a full queue drops and counts.

    Attributes:
        seen: events that were offered.
        dropped: of these, lost because the queue was full. Commands are never dropped.
    """

    def __init__(self, *, limit: int = 20_000) -> None:
        self.seen = 0
        self.dropped = 0
        self._limit = limit
        self._items: deque[QueueItem] = deque()
        self._condition = threading.Condition()

    def put(self, event: InputEvent) -> None:
        """Offer an event; called in the hook's thread."""
        with self._condition:
            self.seen += 1
            if len(self._items) >= self._limit:
                self.dropped += 1
                return
            self._items.append(event)
            self._condition.notify()

    def put_command(self, command: Callable[[], None] | None) -> None:
        """Add what is to be called behind the events that are waiting; None ends the recording."""
        with self._condition:
            self._items.append(command)
            self._condition.notify()

    def take(self, timeout_s: float) -> list[QueueItem]:
        """Everything that waits; empty after ``timeout_s`` seconds without anything."""
        with self._condition:
            if not self._items:
                self._condition.wait(timeout_s)
            items = list(self._items)
            self._items.clear()
        return items
