"""A desktop in a window: an X server of its own, to record, replay and evaluate in, on Wayland as on X11."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import platformdirs

from demopack.errors import CaptureError
from demopack.resources import asset
from recorder.backends.x11.xlib import DESKTOP_MARK, open_display, xlib
from recorder.desktop.appearance import dconf_profile
from recorder.desktop.clipboard_bridge import ClipboardBridge
from recorder.desktop.private_display import PrivateDesktop
from recorder.desktop.servers import WINDOW_MANAGERS, DesktopOptions, ServerName, choose_server
from recorder.desktop.session_mirror import SessionMirror

_BACKGROUND: Final = 0x3B4252
_INSTALL_MANAGER: Final = "Install openbox, which is small and changes nothing in your session."
# Sound and the like go on where they are: sockets of the session that programs in the desktop may use.
_SHARED_SOCKETS: Final = ("pulse", "pipewire-0", "pipewire-0-manager")


class RecordingDesktop(PrivateDesktop):
    """Everything lasts as long as the ``with`` block, or until the window is closed.

    Programs there have the keyboard layout, clipboard, theme, fonts and scale of the session; buses of their own, so
    that a program that runs in the session already is opened anew; and the person's settings, which they cannot change.

    Attributes:
        notes: what the person should know about this desktop, in words.
    """

    _ends_with_us = False

    def __init__(self, options: DesktopOptions) -> None:
        """Prepare it; ``options.panel`` is left to the caller."""
        super().__init__(width=options.size[0], height=options.size[1])
        self.notes: list[str] = []
        self._scale = options.scale
        self._wanted: ServerName | None = options.server
        self._outer = os.environ.get("DISPLAY") or None

    @property
    def server(self) -> subprocess.Popen[bytes]:
        """The process of the X server; it ends when the window is closed."""
        return self._processes[0]

    @property
    def processes(self) -> tuple[int, ...]:
        """Everything that belongs to it, the X server first."""
        return tuple(process.pid for process in self._processes)

    def environment(self) -> dict[str, str]:
        """The environment for programs that are to appear there."""
        environment = super().environment()
        if self._folder is None:
            return environment
        environment.pop("GSETTINGS_BACKEND", None)
        return {**environment, "DCONF_PROFILE": str(self._folder / "dconf-profile")}

    def __enter__(self) -> RecordingDesktop:
        self._chosen = choose_server(wanted=self._wanted)
        self._manager = next((found for name in WINDOW_MANAGERS if (found := shutil.which(name))), None)
        if self._manager is None:
            raise CaptureError(
                "No recording desktop can be opened: no window manager is installed.", hint=_INSTALL_MANAGER
            )
        try:
            self._start_all()
        except BaseException:
            self.close()
            raise
        return self

    def _server_command(self, *, told: int, authority: Path) -> list[str]:
        return self._chosen.command(self.size, told=told, authority=authority)

    def _not_started(self, details: str) -> CaptureError:
        return CaptureError(
            f"The recording desktop's X server ({Path(self._chosen.path).name}) did not start.",
            details=details,
            hint="Check that the session is unlocked and that programs can open windows in it.",
        )

    def _start_all(self) -> None:
        self._start_server()
        with contextlib.closing(open_display(self.name)) as connection:
            root = connection.screen().root
            root.change_property(connection.intern_atom(DESKTOP_MARK), xlib("Xatom").CARDINAL, 32, [1])
            root.change_attributes(background_pixel=_BACKGROUND)
            root.clear_area()
            root.warp_pointer(0, 0)  # in the middle it would have programs show tool tips
            connection.sync()
        mirror = SessionMirror(self._outer, self.name, keyboard=not self._chosen.has_keyboard, scale=self._scale)
        self._ends.callback(mirror.stop)
        mirror.start()
        self._start_buses()
        self._share_session()
        self._start_manager(self._manager_command())
        self._bridge_clipboard()

    def _share_session(self) -> None:
        if self._folder is None:
            self.notes.append("Programs there cannot be asked about their elements: dbus or at-spi2-core is missing.")
            return
        dconf_profile(self._folder, config=platformdirs.user_config_path())
        session = os.environ.get("XDG_RUNTIME_DIR")
        for name in _SHARED_SOCKETS if session else ():
            there = Path(str(session)) / name
            if there.exists():
                (self._folder / name).symlink_to(there)

    def _manager_command(self) -> list[str]:
        manager = str(self._manager)
        if Path(manager).name == "openbox":
            return [manager, "--sm-disable", "--config-file", str(asset("desktop/openbox.xml"))]
        return [manager]

    def _bridge_clipboard(self) -> None:
        if self._outer is None:
            self.notes.append("The clipboard is the desktop's own. This session has no X server to share it with.")
            return
        bridge = ClipboardBridge(self._outer, self.name)
        try:
            bridge.start()
        except CaptureError as error:
            self.notes.append(f"The clipboard is the desktop's own. {error.user_message}")
            return
        self._ends.callback(bridge.stop)
