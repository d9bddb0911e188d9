"""What a recording desktop takes over from the session that it is a window of, and follows while it is open."""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
from typing import Any, Final

from demopack.errors import CaptureError
from recorder.backends.x11.xlib import cut, open_display, server_errors, xlib
from recorder.desktop.appearance import (
    Settings,
    SettingsManager,
    desktop_settings,
    read_resources,
    read_settings,
    scale_of,
    scaled_resources,
    scaled_settings,
)
from recorder.desktop.keyboard import XkbChannel, copy_layout, copy_modifiers, copy_rules

_log = logging.getLogger(__name__)
_CALM_S: Final = 0.1  # a layout comes as a burst of changes


class SessionMirror:
    """Keyboard layout, theme, fonts, scale and size: copied when it starts, and again whenever they change.

    Attributes:
        scale: how much larger than at 96 dots per inch the desktop's programs are drawn; known once it has started.
    """

    scale: float = 1.0

    def __init__(self, outer: str | None, inner: str, *, keyboard: bool, scale: float | None = None) -> None:
        """Prepare it; see :meth:`start`.

        Args:
            outer: the X server of the session, as in ``DISPLAY``; None where there is none.
            inner: the X server of the desktop.
            keyboard: whether the layout has to be copied.
            scale: instead of the session's.
        """
        self._outer_name, self._inner_name = outer, inner
        self._keyboard = keyboard and outer is not None
        self._wanted_scale = scale
        self._outer: Any = None
        self._inner: Any = None
        self._source: Any = None  # the window of the session's settings
        self._thread = threading.Thread(target=self._run, name="session-mirror", daemon=True)

    def start(self) -> None:
        """Copy everything, and begin to follow.

        Raises:
            CaptureError: one of the servers cannot be reached, or the keyboard's layout cannot be copied.
        """
        self._inner = open_display(self._inner_name, quiet=True)
        self._manager = SettingsManager(self._inner)
        self._inner.screen().root.change_attributes(event_mask=xlib("X").StructureNotifyMask)
        if self._outer_name is not None:
            self._outer = open_display(self._outer_name, quiet=True)
        self._copy_settings()
        if self._keyboard:
            self._outer_keys, self._inner_keys = XkbChannel(self._outer), XkbChannel(self._inner)
            self._outer_keys.select()
            self._copy_keyboard()
        if self._outer is not None:
            self._thread.start()

    def stop(self) -> None:
        """End the thread and the connections; calling it twice is harmless."""
        for display in (self._outer, self._inner):
            if display is not None:
                cut(display)
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        for display in (self._outer, self._inner):
            if display is not None:
                with contextlib.suppress(*server_errors()):
                    display.close()
        self._outer = self._inner = None

    def _run(self) -> None:
        with contextlib.suppress(*server_errors()):
            stale = False
            while True:
                self._outer.flush()
                sources = [self._outer.fileno(), self._inner.fileno()]
                if self._outer.pending_events():
                    stale = self._handle(self._outer.next_event()) or stale
                elif self._inner.pending_events():
                    self._follow_size(self._inner.next_event())
                elif select.select(sources, [], [], _CALM_S if stale else None)[0]:
                    continue
                else:
                    stale = False
                    self._follow_keyboard()

    def _follow_size(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        """Let the desktop's server know of the size that its window has got.

        Xephyr updates its monitor only when somebody asks about it; until then the pointer ends where that ended.
        """
        root = self._inner.screen().root
        if event.type == xlib("X").ConfigureNotify and event.window.id == root.id:
            root.xrandr_get_screen_info()

    def _handle(self, event: Any) -> bool:  # noqa: ANN401 - an untyped library
        """Whether the keyboard's layout has to be copied again."""
        x = xlib("X")
        if event.type in {x.PropertyNotify, x.DestroyNotify}:
            self._copy_settings()
        elif self._keyboard and self._outer_keys.is_layout(event):
            return True
        elif self._keyboard and (group := self._outer_keys.group_in(event)) is not None:
            self._inner_keys.lock_group(group)
        return False

    def _follow_keyboard(self) -> None:
        try:
            self._copy_keyboard()
        except CaptureError:
            _log.info("The keyboard's layout was not copied.", exc_info=True)

    def _copy_keyboard(self) -> None:
        assert self._outer_name is not None
        copy_layout(self._outer_name, self._inner_name)
        copy_modifiers(self._outer, self._inner)
        copy_rules(self._outer, self._inner)
        self._inner_keys.lock_group(self._outer_keys.group())

    def _copy_settings(self) -> None:
        settings: Settings = {}
        source, resources = None, b""
        if self._outer is not None:
            settings, source = read_settings(self._outer)
            resources = read_resources(self._outer)
        if source is not None and source != self._source:
            x = xlib("X")
            source.change_attributes(event_mask=x.PropertyChangeMask | x.StructureNotifyMask)
            # What has changed since it was read is told by nobody.
            settings, _ = read_settings(self._outer)
        self._source = source
        settings = settings or desktop_settings(os.environ)
        self.scale = self._wanted_scale or scale_of(settings, resources)
        if self._wanted_scale is not None:
            settings, resources = scaled_settings(settings, self.scale), scaled_resources(resources, self.scale)
        self._manager.publish(settings, resources)
