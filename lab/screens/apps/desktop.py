"""Private desktops with real programs on them: started, acted on, and read through the X server and accessibility."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from demopack.domain.geometry import Point, Rect, Size
from demopack.errors import CaptureError
from demopack.processes import end_process
from demopack.replacing import scratch_folder
from lab.screens.apps.desktop_state import Moment, TitlePart, Window
from lab.screens.apps.nodes import NodeReader
from recorder.desktop.private_display import PrivateDesktop

if TYPE_CHECKING:
    from demopack.domain.events import Button
    from demopack.domain.frames import RgbImage
    from lab.screens.apps.window_frames import FramedWindow

_START_S, _STILL_S, _MOVING_S, _PAUSE_S = 25.0, 0.3, 5.0, 0.06
_GONE_S, _TELL_S = 3.0, 4.0
_LOOKS = 2
_BLINK = 0.002
"""Part of the screen that may go on changing: a caret, a clock."""


@contextmanager
def open_desktop(
    *, size: Size, scale: int, files: Mapping[str, bytes], backdrop: tuple[int, int, int]
) -> Generator[AppDesktop]:
    """A new desktop in a home folder of its own; everything on it ends with the ``with`` block.

    Args:
        size: pixels.
        scale: pixels for each unit in which the programs think.
        files: what lies in the home folder of its programs, by path.
        backdrop: colour behind the windows.

    Raises:
        DemopackError: a program that it needs is missing; it says how to get it.
    """
    with scratch_folder() as folder:
        home = folder / "ann"
        home.mkdir()
        for name, content in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        screen = _Screen(home, size)
        with screen, AppDesktop(screen, home, scale, backdrop) as desktop:
            yield desktop


def is_installed(program: str) -> bool:
    """Whether a program can be started."""
    return shutil.which(program) is not None


class _Screen(PrivateDesktop):
    """A private desktop whose programs know no home but the given one."""

    def __init__(self, home: Path, size: Size) -> None:
        super().__init__(width=size.width, height=size.height)
        self._home = home

    def environment(self) -> dict[str, str]:
        """What its programs may know."""
        kept = {key: value for key, value in super().environment().items() if not key.startswith(("XDG_DATA", "XDG_C"))}
        config, data = self._home / ".config", self._home / ".local" / "share"
        return {
            **kept,
            "HOME": str(self._home),
            "XDG_CONFIG_HOME": str(config),
            "XDG_DATA_HOME": str(data),
            "XDG_CACHE_HOME": str(self._home / ".cache"),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "USER": "ann",
            "LOGNAME": "ann",
        }


class AppDesktop:
    """A private desktop with a window manager; see :func:`open_desktop`."""

    def __init__(self, screen: _Screen, home: Path, scale: int, backdrop: tuple[int, int, int]) -> None:
        from lab.screens.apps.window_frames import WindowFrames
        from player.backends.x11 import X11Performer
        from recorder.backends import open_screen

        if not screen.has_access:
            raise CaptureError(
                "Programs on a private desktop cannot be asked about their elements here.",
                hint="Install it: apt-get install -y dbus-daemon at-spi2-core",
            )
        self._screen, self._home = screen, home
        self._frames = WindowFrames(screen.name)
        self._grabber = open_screen(screen.name)
        self._hands = X11Performer(screen.name)
        self._nodes = NodeReader(screen.name, scale)
        self._backdrop = backdrop
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> AppDesktop:
        self._frames.paint_root(self._backdrop)
        self._away()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._running):
            end_process(process, seconds=_GONE_S)
        self._nodes.close()
        self._hands.close()
        self._grabber.close()
        self._frames.close()

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start a program, and wait until it shows a window; ``{home}`` in an argument is the home folder there.

        Raises:
            CaptureError: it is not installed, ended at once or shows nothing.
        """
        words = [word.replace("{home}", str(self._home)) for word in command]
        before = {window.number for window in self._frames.read()}
        try:
            process = subprocess.Popen(
                words,
                env={**self.environment, **environment},
                cwd=self._home,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                process_group=0,
            )
        except OSError as error:
            raise CaptureError(f"{words[0]} cannot be started.", details=str(error)) from error
        self._running.append(process)
        deadline = time.monotonic() + _START_S
        while not any(w.number not in before and not w.popup for w in self._frames.read()):
            if time.monotonic() > deadline or process.poll() not in (None, 0):
                raise CaptureError(f"{words[0]} showed no window.", details=f"exit code {process.poll()}")
            time.sleep(_PAUSE_S)

    @property
    def environment(self) -> dict[str, str]:
        """What programs on it are started with."""
        return self._screen.environment()

    def look(self) -> Moment:
        """The screen once it stands still.

        Raises:
            CaptureError: it does not, or no program tells anything.
        """
        for _ in range(_LOOKS - 1):
            try:
                return self._look()
            except CaptureError:
                if not any(not window.popup for window in self._frames.read()):
                    raise
        return self._look()

    def _look(self) -> Moment:
        self._still()
        windows = self._frames.read()
        if not windows:
            raise CaptureError("No program on the private desktop shows a window any more.")
        image = self._grabber.grab().image
        deadline = time.monotonic() + _TELL_S
        while not (programs := self._nodes.read(windows)):
            # Some come to the bus a while after they have shown their window.
            if time.monotonic() > deadline:
                raise CaptureError("No program on the private desktop tells about its elements.")
            time.sleep(_PAUSE_S)
        if _share_changed(image, self._grabber.grab().image) > _BLINK:
            raise CaptureError("The screen changed while it was read.")
        return Moment(
            image=np.array(image),
            windows=tuple(_window(each) for each in windows),
            programs=tuple(node for node, _ in programs),
            toolkits=tuple(toolkit for _, toolkit in programs),
        )

    def key(self, *chords: str) -> None:
        """Press keys one after the other, each like ``ctrl+f`` or ``Escape``."""
        for chord in chords:
            names = chord.split("+")
            for name in names:
                self._hands.key_down(name)
            for name in reversed(names):
                self._hands.key_up(name)

    def write(self, text: str) -> None:
        """Type a text."""
        self._hands.type_text(text)

    def click(self, at: Point, *, button: int = 1) -> None:
        """Click there and move the pointer out of the way; 4 and 5 are the wheel."""
        self._hands.move(at.x, at.y)
        if button in (4, 5):
            self._hands.scroll(dy=3 if button == 4 else -3)
        else:
            name: Button = "right" if button == 3 else "left"
            self._hands.press(name)
            self._hands.release(name)
        time.sleep(_PAUSE_S)
        self._away()

    def act(self, node: object) -> bool:
        """Have an element of the last moment do what a click on it would do; whether it did."""
        return self._nodes.act(node)

    def place(self, box: Rect) -> None:
        """Put the active window there, frame and all, as far as it lets itself."""
        window = next((w for w in self._frames.read() if w.active and not w.popup), None)
        if window is None:
            return
        inner, frame = window.box, window.frame
        inside = Rect(
            box.x1 + inner.x1 - frame.x1,
            box.y1 + inner.y1 - frame.y1,
            box.x2 - (frame.x2 - inner.x2),
            box.y2 - (frame.y2 - inner.y2),
        )
        self._frames.move(window.number, inside)

    def _away(self) -> None:
        """Where the pointer points at nothing."""
        width, height = self._size()
        self._hands.move(width - 1, height - 1)

    def _size(self) -> tuple[int, int]:
        image = self._grabber.grab().image
        return image.shape[1], image.shape[0]

    def _still(self) -> None:
        """Wait until two pictures in a row are the same for a while, or only little changes."""
        began = since = time.monotonic()
        last = self._grabber.grab().image
        while time.monotonic() - since < _STILL_S:
            if time.monotonic() - began > _MOVING_S:
                return
            time.sleep(_PAUSE_S)
            image = self._grabber.grab().image
            if _share_changed(last, image) > _BLINK:
                since = time.monotonic()
            last = image


def _share_changed(a: RgbImage, b: RgbImage) -> float:
    if a is b or np.array_equal(a, b):
        return 0.0
    return float((a != b).any(axis=2).mean()) if a.shape == b.shape else 1.0


def _window(each: FramedWindow) -> Window:
    return Window(
        kind="popup" if each.popup else "dialog" if each.dialog else "normal",
        box=each.box,
        frame=each.frame,
        title=each.title,
        active=each.active,
        parts=tuple(TitlePart(kind, box) for kind, box in each.parts),
    )
