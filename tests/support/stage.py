"""A pixel-coded stage: a window whose pixels say how much input it has seen, as an oracle for screenshots.

The window counts presses (mouse buttons, wheel notches, keys but no modifiers) and releases, and repaints a strip of
black and white cells with both numbers after each. The strip is painted by a single request, so that no screenshot can
show half of it. After each repaint that the server has carried out, a line with the two numbers goes to standard
output: the person who injects input waits for it, as a person at a desk waits until the screen has answered.

Run as a program this file is the stage; :class:`Stage` starts and reads it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage

CELL, BITS = 8, 12
STRIP = (CELL * BITS * 2, CELL)


def encode(presses: int, releases: int) -> np.ndarray:
    """The strip as grey values of shape (CELL, CELL * BITS * 2), uint8."""
    bits = [(number >> bit) & 1 for number in (presses, releases) for bit in range(BITS)]
    return np.repeat(np.array(bits, dtype=np.uint8) * 255, CELL)[np.newaxis].repeat(CELL, axis=0)


def decode(image: RgbImage, x: int, y: int) -> tuple[int, int]:
    """Presses and releases that a screenshot shows, with the strip's corner at (x, y).

    Raises:
        AssertionError: the strip is not whole.
    """
    strip = image[y : y + CELL, x : x + STRIP[0]]
    cells = strip[:, :, 0].reshape(CELL, BITS * 2, CELL)
    bits = (cells[CELL // 2, :, CELL // 2] > 127).astype(int)
    presses, releases = (sum(int(b) << i for i, b in enumerate(half)) for half in (bits[:BITS], bits[BITS:]))
    assert (strip == encode(presses, releases)[:, :, np.newaxis]).all(), "the strip is torn or covered"
    return presses, releases


@dataclass(frozen=True, slots=True)
class Place:
    """Where the stage lies on the screen: its inner box, whose corner is also the strip's."""

    x: int
    y: int
    width: int
    height: int


class Stage:
    """The stage in a process of its own."""

    def __init__(self, display: str, *, width: int = 800, height: int = 560) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, display, str(width), str(height)], stdout=subprocess.PIPE, text=True
        )
        self._seen = (0, 0)
        self._condition = threading.Condition()
        assert self._process.stdout is not None
        self.place = Place(**json.loads(self._process.stdout.readline()))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            presses, releases = map(int, line.split())
            with self._condition:
                self._seen = (presses, releases)
                self._condition.notify_all()

    def wait_for(self, presses: int, releases: int, *, timeout_s: float = 20) -> None:
        """Until the stage shows at least these numbers."""
        with self._condition:
            shown = self._condition.wait_for(
                lambda: self._seen[0] >= presses and self._seen[1] >= releases, timeout=timeout_s
            )
        assert shown, f"the stage shows {self._seen}, not {(presses, releases)}"

    @property
    def seen(self) -> tuple[int, int]:
        """Presses and releases that the stage has shown so far."""
        with self._condition:
            return self._seen

    def read(self, image: RgbImage) -> tuple[int, int]:
        """Presses and releases that a screenshot of the whole screen shows."""
        return decode(image, self.place.x, self.place.y)

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(10)
        self._reader.join(10)
        assert self._process.stdout is not None
        self._process.stdout.close()


def main(name: str, width: int, height: int) -> None:
    from Xlib import X, display

    connection = display.Display(name)
    screen = connection.screen()
    window = screen.root.create_window(
        160,
        100,
        width,
        height,
        0,
        screen.root_depth,
        X.InputOutput,
        X.CopyFromParent,
        background_pixel=0x3A6EA5,
        event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.KeyReleaseMask | X.ExposureMask
        | X.StructureNotifyMask | X.FocusChangeMask,
    )  # fmt: skip
    window.set_wm_name("Stage")
    window.set_wm_class("stage", "Stage")
    graphics = window.create_gc()
    window.map()
    modifiers = {code for codes in connection.get_modifier_mapping() for code in codes if code}
    presses = releases = 0
    placed = False

    def paint() -> None:
        grey = encode(presses, releases)
        data = np.repeat(grey[:, :, np.newaxis], 4, axis=2).tobytes()
        window.put_image(graphics, 0, 0, *STRIP, X.ZPixmap, screen.root_depth, 0, data)
        connection.sync()

    while True:
        event = connection.next_event()
        key = event.type in {X.KeyPress, X.KeyRelease} and event.detail not in modifiers
        wheel = event.type in {X.ButtonPress, X.ButtonRelease} and event.detail > 3
        if event.type == X.ButtonPress or (key and event.type == X.KeyPress):
            presses += 1
        elif (event.type == X.ButtonRelease and not wheel) or (key and event.type == X.KeyRelease):
            releases += 1
        elif event.type == X.FocusIn and not placed:
            # With the focus it can be played on.
            placed = True
            paint()
            _tell(_placed(window, screen.root, width, height))
            continue
        elif event.type != X.Expose:
            continue
        paint()
        if placed:
            print(presses, releases, flush=True)


def _placed(window: Any, root: Any, width: int, height: int) -> dict[str, int]:
    at = root.translate_coords(window, 0, 0)
    return {"x": at.x, "y": at.y, "width": width, "height": height}


def _tell(data: dict[str, int]) -> None:
    print(json.dumps(data), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
