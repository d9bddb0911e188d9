"""A private X server whose programs can be asked about their elements, for tests and machines without a screen."""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

from demopack.processes import end_process
from demopack.replacing import scratch_folder
from recorder.backends.private_display import PrivateDisplay

_LAUNCHERS = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib")
# What would lead a program from the private desktop to the buses of the one that we were started from.
_NOT_OURS = frozenset({"AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "GTK_MODULES", "SESSION_MANAGER", "XDG_CURRENT_DESKTOP"})


class PrivateDesktop(PrivateDisplay):
    """A :class:`PrivateDisplay` with a D-Bus session and an accessibility bus of its own.

    Where ``dbus-daemon`` or ``at-spi-bus-launcher`` is not installed, it is a mere display.

    Attributes:
        has_access: whether programs there can be asked about their elements.
    """

    def __init__(
        self, *, width: int = 1280, height: int = 800, window_manager: bool = True, dpi: int | None = None
    ) -> None:
        super().__init__(width=width, height=height, window_manager=window_manager, dpi=dpi)
        self.has_access = False
        self._folder: Path | None = None
        self._ends = ExitStack()

    def environment(self) -> dict[str, str]:
        """The environment for programs that are to appear there and to tell about themselves."""
        environment = super().environment()
        if self._folder is None:
            return environment
        kept = {key: value for key, value in environment.items() if key not in _NOT_OURS}
        return {
            **kept,
            "XDG_RUNTIME_DIR": str(self._folder),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self._folder / 'bus'}",
            # Nothing that is switched on here may be written to the person's own settings.
            "GSETTINGS_BACKEND": "memory",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            # Chromium talks to the bus only when this is set, or with a screen reader switched on.
            "ACCESSIBILITY_ENABLED": "1",
        }

    def __enter__(self) -> PrivateDesktop:
        super().__enter__()
        try:
            self._start_buses()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """End all its programs, the newest first, and wait for them; calling it twice is harmless."""
        super().close()
        self._ends.close()
        self._folder = None

    def _start_buses(self) -> None:
        launcher = shutil.which("at-spi-bus-launcher", path=os.pathsep.join(_LAUNCHERS))
        daemon = shutil.which("dbus-daemon")
        if launcher is None or daemon is None:
            return
        # Addresses of sockets may not be longer than about a hundred characters.
        self._folder = self._ends.enter_context(scratch_folder(Path("/tmp")))  # noqa: S108 - a random name in it
        session = f"--address=unix:path={self._folder / 'bus'}"
        read, write = os.pipe()
        bus = self._start([daemon, "--session", "--nofork", "--nopidfile", session, f"--print-pid={write}"], keep=write)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            if not answer.readline():
                end_process(bus)
                return
        accessibility = self._start([launcher, "--launch-immediately"])
        # The launcher tells the address to the X server, where programs look for it.
        self.has_access = self._wait_for("AT_SPI_BUS", accessibility)
