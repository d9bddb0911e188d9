"""A window of one unmistakable colour, which answers each key and press with a repaint in that colour."""

from __future__ import annotations

import os
import subprocess
import sys
from types import TracebackType

from demopack.domain.geometry import Rect
from demopack.processes import end_process


class ColourWindow:
    """The window in a process of its own.

    Attributes:
        box: its inner part, pixels of the screen.
    """

    def __init__(
        self, display: str, *, title: str, app: str, colour: tuple[int, int, int], box: tuple[int, int, int, int]
    ) -> None:
        numbers = [str(number) for number in (*colour, *box)]
        self._command = [sys.executable, __file__, display, title, app, *numbers]

    def __enter__(self) -> ColourWindow:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.box = Rect(*map(int, self._process.stdout.readline().split()))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()
        end_process(self._process)


def main() -> None:
    name, title, app = sys.argv[1:4]
    red, green, blue, x, y, width, height = map(int, sys.argv[4:])
    from Xlib import X, Xutil, display

    connection = display.Display(name)
    screen = connection.screen()
    mask = X.ExposureMask | X.StructureNotifyMask | X.KeyPressMask | X.ButtonPressMask | X.FocusChangeMask
    pixel = (red << 16) | (green << 8) | blue
    window = screen.root.create_window(
        x, y, width, height, 0, screen.root_depth, background_pixel=pixel, event_mask=mask
    )
    window.set_wm_name(title)
    window.set_wm_class(app.lower(), app)
    window.set_wm_normal_hints(flags=Xutil.PPosition | Xutil.USPosition | Xutil.PSize)
    pid, cardinal = connection.intern_atom("_NET_WM_PID"), connection.intern_atom("CARDINAL")
    window.change_property(pid, cardinal, 32, [os.getpid()])
    window.map()
    told = False
    while True:
        event = connection.next_event()
        if event.type == X.FocusIn and not told:
            told = True
            at = window.translate_coords(screen.root, 0, 0)
            print(-at.x, -at.y, width - at.x, height - at.y, flush=True)
        window.clear_area(0, 0, 0, 0)
        connection.flush()


if __name__ == "__main__":
    main()
