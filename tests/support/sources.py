"""Sources for tests of the recorder: a screen of one colour, input by hand, windows by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from demopack.clock import now_ns
from demopack.domain.events import InputEvent
from demopack.domain.geometry import Rect
from demopack.domain.screenshots import Screenshot, Snapshot
from demopack.domain.steps import WindowInfo
from demopack.errors import CaptureError
from demopack.reduction.gestures import OsTimings
from recorder.backends.base import DesktopWindows, InputSource, ScreenSource, WindowAwayError, WindowSource

WIDTH, HEIGHT = 64, 48


def grab(colour: int, *, start_ms: float = 0, end_ms: float | None = None, raw: bool = True) -> Screenshot:
    """A screen of one grey value, grabbed at these milliseconds."""
    pixels = np.full((HEIGHT, WIDTH, 4), colour, dtype=np.uint8)
    return Screenshot(
        image=pixels[:, :, 2::-1],
        started_ns=round(start_ms * 1e6),
        ended_ns=round((start_ms + 1 if end_ms is None else end_ms) * 1e6),
        raw=bytearray(pixels.tobytes()) if raw else None,
    )


def seen(screenshot: Screenshot) -> Snapshot:
    """A look at the screen at the time of its grab; nothing is known of windows."""
    return Snapshot(started_ns=screenshot.started_ns, ended_ns=screenshot.ended_ns, screenshot=screenshot)


class HandScreen(ScreenSource):
    """Shows the grey value that was set last."""

    def __init__(self) -> None:
        self.colour = 0
        self.fails = False
        self.away = False
        self.closed = False
        self.grabs = 0
        self._condition = threading.Condition()

    def grab(self) -> Screenshot:
        if self.away:
            raise WindowAwayError("The window is minimised.", hint="Bring it back.")
        if self.fails:
            raise CaptureError("The screen cannot be read.", hint="Unlock it.")
        started = now_ns()
        taken = grab(self.colour)
        with self._condition:
            self.grabs += 1
            self._condition.notify_all()
        return Screenshot(image=taken.image, started_ns=started, ended_ns=now_ns(), raw=taken.raw)

    def show(self, colour: int, *, grabs: int = 3) -> None:
        """Show another value, and wait until it has been grabbed so many times."""
        self.colour = colour
        with self._condition:
            wanted = self.grabs + grabs
            assert self._condition.wait_for(lambda: self.grabs >= wanted, timeout=20)

    def close(self) -> None:
        self.closed = True


class HandInput(InputSource):
    """Delivers what the test gives it, stamped now, in the test's thread; has ended once ``failure`` is set."""

    def __init__(self) -> None:
        self.stopped = False
        self.failure: CaptureError | None = None
        self.troubles: list[str] = []
        self._callback: Callable[[InputEvent], None] | None = None

    def start(self, callback: Callable[[InputEvent], None]) -> None:
        self._callback = callback

    @property
    def error(self) -> CaptureError | None:
        return self.failure

    @property
    def problems(self) -> list[str]:
        return self.troubles

    def stop(self) -> None:
        self.stopped = True

    def timings(self) -> OsTimings:
        return OsTimings()

    def give(self, events: Iterable[InputEvent]) -> None:
        """Deliver events as if a very fast person had just done them: a fiftieth of the time, the last one now."""
        events = list(events)
        now, last = now_ns(), events[-1].t_ns
        for e in events:
            assert self._callback is not None
            self._callback(replace(e, t_ns=now - (last - e.t_ns) // 50))


class HandWindows(WindowSource):
    """Knows the windows that the test sets."""

    def __init__(self) -> None:
        self.window: WindowInfo | None = None
        self.own: list[Rect] = []
        self.own_active = False
        self.closed = False

    def read(self) -> DesktopWindows:
        return DesktopWindows(active=self.window, own=tuple(self.own), own_active=self.own_active)

    def close(self) -> None:
        self.closed = True
