"""A Wayland session for tests: Weston with its own XWayland, a window of a hidden X server that takes the input.

Nobody but the outermost server injects anything, as a person's devices would; Weston and all within it only hear of it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from demopack.processes import end_process
from recorder.backends.x11.xlib import open_display, xlib
from recorder.desktop.private_display import PrivateDisplay
from tests.support.desktop_programs import until
from tests.support.injector import Injector

_PROGRAMS = ("weston", "Xwayland", "Xephyr", "openbox", "Xvfb")
_SOCKET = "wayland-demopack"
# Every key that repeats is repeated by the innermost server from its own clock: a stalled machine would type.
_CONFIG = "[core]\nidle-time=0\n[keyboard]\nrepeat-rate=0\n[shell]\npanel-position=none\nlocking=false\n"
# Keys that no part of a usual layout gives a meaning, and their codes.
_FREE_KEYS = {"AB11": 97, "JPCM": 103, "I129": 129, "FK19": 197, "FK24": 202, "I248": 248}
_LISTENS = "xserver listening on display "


def missing_programs() -> str:
    """Why no such session can be started here; empty where it can."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else ""


class WaylandSession:
    """Weston, its XWayland and the screen that shows it, for the length of a ``with`` block.

    Attributes:
        screen: the outermost X server.
        process: Weston.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, folder: Path, *, characters: str = "") -> None:
        """Prepare it.

        Args:
            folder: for its sockets; with a short path.
            characters: that get a key of their own beside those of the layout.
        """
        self.screen = PrivateDisplay(width=1500, height=1000)
        self._folder = folder
        self._characters = characters
        self._ends = contextlib.ExitStack()

    def environment(self) -> dict[str, str]:
        """The environment of programs that run in this session, as in a terminal there."""
        return {
            **os.environ,
            "XDG_RUNTIME_DIR": str(self._folder),
            "WAYLAND_DISPLAY": _SOCKET,
            "XDG_SESSION_TYPE": "wayland",
            "DISPLAY": self._x_display,
        }

    def __enter__(self) -> WaylandSession:
        with contextlib.ExitStack() as undo:
            undo.enter_context(self.screen)
            self._give_keys()
            self._folder.chmod(0o700)
            (self._folder / "weston.ini").write_text(_CONFIG, encoding="utf-8")
            log = self._folder / "weston.log"
            command = [
                "weston",
                "--backend=x11-backend.so",
                "--xwayland",
                "--width=1400",
                "--height=900",
                "--use-pixman",
            ]
            self.process = subprocess.Popen(
                [*command, f"--socket={_SOCKET}", f"--config={self._folder / 'weston.ini'}", f"--log={log}"],
                env={
                    **self.screen.environment(),
                    "XDG_RUNTIME_DIR": str(self._folder),
                    "XDG_CONFIG_HOME": str(self._folder),
                },
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
            undo.callback(end_process, self.process)
            until(lambda: _told(log, _LISTENS) != "", "Weston does not start")
            self._x_display = _told(log, _LISTENS)
            self._ends = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def kill(self) -> None:
        """End the compositor as a crash does."""
        self.process.kill()
        self.process.wait()

    def _give_keys(self) -> None:
        """Put each character on a key that no keyboard has.

        Weston compiles the layout that the X server names anew: so it gets a layout of this name.
        """
        assert len(self._characters) <= len(_FREE_KEYS)
        keysyms = [ord(one) if ord(one) < 0x100 else 0x01000000 + ord(one) for one in self._characters]
        free = dict(zip(_FREE_KEYS, keysyms, strict=False))
        keys = "".join(f"key <{name}> {{ [ {keysym:#x} ] }}; " for name, keysym in free.items())
        symbols = self._folder / "xkb" / "symbols"
        symbols.mkdir(parents=True)
        layout = f'default partial xkb_symbols "basic" {{ include "us" {keys} }};\n'
        (symbols / "stage").write_text(layout, encoding="utf-8")
        with contextlib.closing(open_display(self.screen.name)) as display:
            for name, keysym in free.items():
                display.change_keyboard_mapping(_FREE_KEYS[name], [(keysym, keysym)])
            names = b"evdev\0pc105\0stage\0\0\0"
            root = display.screen().root
            root.change_property(display.intern_atom("_XKB_RULES_NAMES"), xlib("Xatom").STRING, 8, names)
            display.sync()


def _told(log: Path, word: str) -> str:
    """What follows a word in a log; empty while it does not stand there."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return text.partition(word)[2].partition("\n")[0].strip()


class NestedPerson(Injector):
    """Somebody at the devices of a Wayland session, who points at places of a desktop that is a window of it."""

    _START = (750, 500)
    _STEP = (7, 4)

    def __init__(self, session: WaylandSession, desktop: str) -> None:
        """Find out where the desktop's window lies: point into it, and ask the desktop where the pointer is."""
        super().__init__(session.screen.name)
        self._offset = (0, 0)
        with contextlib.closing(open_display(desktop)) as display:
            root = display.screen().root

            def read() -> tuple[int, int]:
                pointer = root.query_pointer()
                return pointer.root_x, pointer.root_y

            before = read()
            # Weston learns where the pointer is when it comes in from outside.
            super().move(2, 2, steps=1)
            super().move(*self._START, steps=8)
            until(lambda: read() != before, "the pointer does not come into the desktop")
            until(lambda: self._follows(read), "the desktop's pointer does not follow")

    def _follows(self, read: Callable[[], tuple[int, int]]) -> bool:
        """Whether a move arrives as far as it goes, so that nothing older is on its way; then the offset is known."""
        (x, y), (left, top) = self._START, read()
        there = (left + self._STEP[0], top + self._STEP[1])
        super().move(x + self._STEP[0], y + self._STEP[1], steps=1)
        arrives = any(read() == there or self.wait(0.02) for _ in range(50))
        super().move(x, y, steps=1)
        returns = any(read() == (left, top) or self.wait(0.02) for _ in range(50))
        self._offset, at = (x - left, y - top) if arrives and returns else (0, 0), (left, top)
        self._at = at if arrives and returns else self._START
        return arrives and returns

    def _fake(self, kind: int, detail: int = 0, **position: int) -> None:
        if position:
            position = {"x": position["x"] + self._offset[0], "y": position["y"] + self._offset[1]}
        super()._fake(kind, detail, **position)
