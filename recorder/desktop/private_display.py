"""A private X server with a window manager, and with buses of its own, for tests and machines without a screen."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Self

from demopack.errors import CaptureError
from demopack.processes import end_process
from demopack.replacing import scratch_folder
from recorder.backends.x11.xlib import open_display, property_of, xlib
from recorder.desktop.authority import admit_user, write_authority

_START_S = 10.0
_APT = "apt-get install -y xvfb openbox"
_LAUNCHERS = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib")
_GUARD = 'while read -r pid; do pids="$pids $pid"; done; kill $pids'
"""Ends what it was told of when its input ends, as it does however we end."""
# What would lead a program from the private desktop to the buses of the one that we were started from.
_NOT_OURS = frozenset({"AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE", "GTK_MODULES", "SESSION_MANAGER", "XDG_CURRENT_DESKTOP"})


class PrivateDisplay:
    """Xvfb and openbox in their own processes, ended with the ``with`` block, and when our process is killed.

    Args:
        width: of the screen, pixels.
        height: of the screen, pixels.
        window_manager: whether openbox runs there.
        dpi: the resolution for which programs lay out their text (``Xft.dpi``), as a desktop sets it that is scaled;
            nothing is said where it is None.

    Attributes:
        size: width and height, pixels.
        dpi: as given.
        name: value for ``DISPLAY``, for instance ``:3``; empty until started.
    """

    _ends_with_us = True
    """False where a person works there, whose programs outlive us."""

    def __init__(
        self, *, width: int = 1280, height: int = 800, window_manager: bool = True, dpi: int | None = None
    ) -> None:
        self.name = ""
        self.dpi = dpi
        self.size = (width, height)
        self._window_manager = window_manager
        self._processes: list[subprocess.Popen[bytes]] = []
        self._guard: subprocess.Popen[bytes] | None = None
        self._ends = contextlib.ExitStack()

    def environment(self) -> dict[str, str]:
        """The environment for programs that are to appear there."""
        kept = {key: value for key, value in os.environ.items() if key not in {"WAYLAND_DISPLAY", "XDG_SESSION_TYPE"}}
        return {**kept, "DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb", "GDK_BACKEND": "x11"}

    def __enter__(self) -> Self:
        missing = [p for p in ("Xvfb", *(["openbox"] if self._window_manager else [])) if shutil.which(p) is None]
        if missing:
            raise CaptureError(f"Not installed: {', '.join(missing)}.", hint=f"Install it: {_APT}")
        try:
            self._start_all()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all its programs, the newest first, and wait for them; calling it twice is harmless."""
        if self._guard is not None:  # first: the numbers that it was told may be those of other processes later
            self._guard.kill()
            self._guard.communicate()
            self._guard = None
        for process in reversed(self._processes):
            end_process(process)
        self._processes.clear()
        self._ends.close()

    def _start_all(self) -> None:
        """Start everything; what was started is ended when this fails."""
        self._start_server()
        if self.dpi is not None:
            atoms = xlib("Xatom")
            with contextlib.closing(open_display(self.name)) as connection:
                resources = f"Xft.dpi:\t{self.dpi}\n".encode()
                connection.screen().root.change_property(atoms.RESOURCE_MANAGER, atoms.STRING, 8, resources)
                connection.sync()
        if self._window_manager:
            self._start_manager(["openbox"])

    def _start_manager(self, command: list[str]) -> None:
        manager = self._start(command)
        if not self._wait_for("_NET_SUPPORTING_WM_CHECK", manager, _manages):
            raise CaptureError(f"The window manager {Path(command[0]).name} did not start.", hint=f"Install it: {_APT}")

    def _start_server(self) -> None:
        authority = self._ends.enter_context(scratch_folder()) / "authority"
        secret = write_authority(authority)
        read, write = os.pipe()
        # In a group of its own: Ctrl-C in the terminal ends the work in order, before it ends the screen.
        process = subprocess.Popen(
            self._server_command(told=write, authority=authority),
            pass_fds=(write,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        self._keep(process)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            number = answer.readline().strip()
        if not number:
            said = process.stderr.read().decode(errors="replace") if process.stderr else ""
            raise self._not_started(said)
        if process.stderr is not None:
            process.stderr.close()
        self.name = f":{number.decode()}"
        try:
            admit_user(int(number), secret)
        except OSError as error:
            raise self._not_started(str(error)) from error

    def _server_command(self, *, told: int, authority: Path) -> list[str]:
        """The command of the X server, which tells its number on the descriptor ``told`` and lets ``authority`` in."""
        width, height = self.size
        # -displayfd: the server picks a free number and tells it when it is ready; no race, no fixed number.
        # -noreset: the server must not forget its state when the last program leaves.
        options = f"-displayfd {told} -screen 0 {width}x{height}x24 -noreset -nolisten tcp".split()
        return ["Xvfb", *options, "-auth", str(authority)]

    def _not_started(self, details: str) -> CaptureError:
        return CaptureError("The private X server did not start.", details=details, hint=f"Install it: {_APT}")

    def _start(self, command: list[str], *, keep: int | None = None) -> subprocess.Popen[bytes]:
        # In a group of its own: Ctrl-C in the terminal ends the work in order, before it ends the screen or the buses.
        process = subprocess.Popen(
            command,
            env=self.environment(),
            pass_fds=() if keep is None else (keep,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        self._keep(process)
        return process

    def _keep(self, process: subprocess.Popen[bytes]) -> None:
        """End a process with the display."""
        self._processes.append(process)
        if not self._ends_with_us:
            return
        if self._guard is None:
            self._guard = subprocess.Popen(
                ["sh", "-c", _GUARD],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        assert self._guard.stdin is not None
        self._guard.stdin.write(f"{process.pid}\n".encode())
        self._guard.stdin.flush()

    def _wait_for(
        self, name: str, process: subprocess.Popen[bytes], ready: Callable[[Any], bool] = lambda _: True
    ) -> bool:
        """Whether a process has told a property to the X server, and is ready then; False when time is up."""
        deadline = time.monotonic() + _START_S
        with contextlib.closing(open_display(self.name)) as connection:
            root = connection.screen().root
            while property_of(connection, root, name) is None or not ready(connection):
                if time.monotonic() > deadline or process.poll() is not None:
                    return False
                time.sleep(0.02)
        return True


class PrivateDesktop(PrivateDisplay):
    """A :class:`PrivateDisplay` with a D-Bus session and an accessibility bus of its own.

    Where ``dbus-daemon`` or ``at-spi-bus-launcher`` is not installed, it is a mere display.

    Attributes:
        has_access: whether programs there can be asked about their elements.
    """

    has_access: bool = False
    _folder: Path | None = None

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

    def _start_all(self) -> None:
        super()._start_all()
        self._start_buses()

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


def _manages(connection: Any) -> bool:  # noqa: ANN401 - an untyped library
    """Whether a window that asks to be shown is shown: while it starts, the window manager loses such requests."""
    screen = connection.screen()
    window = screen.root.create_window(0, 0, 1, 1, 0, screen.root_depth)
    try:
        window.map()
        deadline = time.monotonic() + 0.2
        while time.monotonic() < deadline:
            if window.get_attributes().map_state == xlib("X").IsViewable:
                return True
            time.sleep(0.005)
        return False
    finally:
        window.destroy()
        connection.sync()


@contextlib.contextmanager
def on_display(environment: Mapping[str, str]) -> Generator[None]:
    """Let this process see and use the display of another environment for a while."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
    before = {name: os.environ.pop(name) for name in names if name in os.environ}
    os.environ.update({name: environment[name] for name in names if name in environment})
    try:
        yield
    finally:
        for name in names:
            os.environ.pop(name, None)
        os.environ.update(before)
