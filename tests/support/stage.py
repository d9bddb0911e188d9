"""A pixel-coded stage: a window whose pixels say how much input it has seen, as an oracle for screenshots.

The window counts presses (mouse buttons, wheel notches, keys but no modifiers) and releases, and repaints a strip of
black and white cells with both numbers after each. The strip is painted by a single request, so that no screenshot can
show half of it. After each repaint that the server has carried out, a line with the two numbers goes to standard
output: the person who injects input waits for it, as a person at a desk waits until the screen has answered.

Two more things can happen on it. A pointer that rests on the spot in the lower left corner opens a box beside it, which
goes when the pointer leaves. The key F12 shows a panel, or another one, after a while.

Run as a program this file is the stage; :class:`Stage` starts and reads it.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import numpy as np

from demopack.domain.frames import RgbImage

CELL, BITS = 8, 12
STRIP = (CELL * BITS * 2, CELL)
SPOT, POPUP, POPUP_S = (20, 510, 60, 550), (70, 484, 230, 556), 0.25
PANEL, PANEL_S, PANEL_KEY = (600, 20, 780, 120), 0.7, "F12"
"""Boxes inside the window (left, top, right, bottom), and how long after the pointer or the key they come."""

_BACKGROUND, _POPUP_COLOUR = 0x3A6EA5, 0xFFFFCC


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
            if not line.endswith("\n"):
                return  # the stage was ended in mid-word
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

    def calm(self) -> tuple[int, int]:
        """Presses and releases once no more come: after a key that was held down."""
        with self._condition:
            while self._condition.wait(0.4):
                pass
            return self._seen

    def popup(self, image: RgbImage) -> bool:
        """Whether a screenshot shows the box that the resting pointer opens."""
        return self._colour(image, POPUP) == _POPUP_COLOUR

    def panels(self, image: RgbImage) -> int:
        """How many panels a screenshot shows that there have been."""
        colour = self._colour(image, PANEL)
        return 0 if colour == _BACKGROUND else (colour & 0xFF) - 40

    def _colour(self, image: RgbImage, box: tuple[int, int, int, int]) -> int:
        """Of a box that has one colour only.

        Raises:
            AssertionError: it has several; the picture shows half of a change.
        """
        left, top, right, bottom = box
        part = image[self.place.y + top : self.place.y + bottom, self.place.x + left : self.place.x + right]
        assert (part == part[0, 0]).all(), "the box is torn or covered"
        red, green, blue = map(int, part[0, 0])
        return red << 16 | green << 8 | blue

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
        background_pixel=_BACKGROUND,
        event_mask=X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.KeyReleaseMask | X.ExposureMask
        | X.StructureNotifyMask | X.FocusChangeMask | X.PointerMotionMask | X.LeaveWindowMask,
    )  # fmt: skip
    window.set_wm_name("Stage")
    window.set_wm_class("stage", "Stage")
    window.map()
    _Play(connection, window, size=(width, height)).run()


class _Play:
    """The stage's own side."""

    def __init__(self, connection: Any, window: Any, *, size: tuple[int, int]) -> None:
        from Xlib import XK, X

        self._x: Any = X
        self._connection, self._window, self._size = connection, window, size
        self._depth = connection.screen().root_depth
        self._graphics = window.create_gc()
        self._modifiers = {code for codes in connection.get_modifier_mapping() for code in codes if code}
        self._panel_key = connection.keysym_to_keycode(XK.string_to_keysym(PANEL_KEY))
        self._presses = self._releases = self._panels = 0
        self._placed = self._popped = False
        # What is to be shown later: when, and what.
        self._pop_at: float | None = None
        self._panels_at: list[float] = []

    def run(self) -> None:
        while True:
            self._later()
            if not self._connection.pending_events():
                select.select([self._connection], [], [], self._left_s())
                if not self._connection.pending_events():
                    continue
            self._take(self._connection.next_event())

    def _left_s(self) -> float | None:
        due = [*self._panels_at, *([] if self._pop_at is None else [self._pop_at])]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _later(self) -> None:
        now = time.monotonic()
        if self._pop_at is not None and now >= self._pop_at:
            self._pop_at, self._popped = None, True
            self._fill(POPUP, _POPUP_COLOUR)
        if self._panels_at and now >= self._panels_at[0]:
            self._panels_at.pop(0)
            self._panels += 1
            self._fill(PANEL, _panel_colour(self._panels))

    def _take(self, event: Any) -> None:
        x = self._x
        key = event.type in {x.KeyPress, x.KeyRelease} and event.detail not in self._modifiers
        wheel = event.type in {x.ButtonPress, x.ButtonRelease} and event.detail > 3
        if event.type in {x.MotionNotify, x.LeaveNotify}:
            self._point(event)
            return
        if event.type == x.ButtonPress or (key and event.type == x.KeyPress):
            self._presses += 1
            if key and event.detail == self._panel_key:
                self._panels_at.append(time.monotonic() + PANEL_S)
        elif (event.type == x.ButtonRelease and not wheel) or (key and event.type == x.KeyRelease):
            self._releases += 1
        elif event.type == x.FocusIn and not self._placed:
            # With the focus it can be played on.
            self._placed = True
            self._paint()
            at = self._connection.screen().root.translate_coords(self._window, 0, 0)
            place = {"x": at.x, "y": at.y, "width": self._size[0], "height": self._size[1]}
            print(json.dumps(place), flush=True)
            return
        elif event.type != x.Expose:
            return
        self._paint()
        if self._placed:
            print(self._presses, self._releases, flush=True)

    def _point(self, event: Any) -> None:
        left, top, right, bottom = SPOT
        inside = event.type == self._x.MotionNotify and left <= event.event_x < right and top <= event.event_y < bottom
        if inside and not self._popped and self._pop_at is None:
            self._pop_at = time.monotonic() + POPUP_S
        elif not inside:
            self._pop_at = None
            if self._popped:
                self._popped = False
                self._fill(POPUP, _BACKGROUND)

    def _paint(self) -> None:
        grey = encode(self._presses, self._releases)
        data = np.repeat(grey[:, :, np.newaxis], 4, axis=2).tobytes()
        self._window.put_image(self._graphics, 0, 0, *STRIP, self._x.ZPixmap, self._depth, 0, data)
        self._connection.sync()

    def _fill(self, box: tuple[int, int, int, int], colour: int) -> None:
        left, top, right, bottom = box
        self._graphics.change(foreground=colour)
        self._window.fill_rectangle(self._graphics, left, top, right - left, bottom - top)
        self._connection.sync()


def _panel_colour(number: int) -> int:
    """A grey that tells the number, 0 being the background."""
    return _BACKGROUND if not number else (40 + number) * 0x010101


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
