"""Screenshots of an X11 screen: only when it has changed, and never with a window of ours on them."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect, ScreenSpace, subtract
from demopack.domain.screenshots import Screenshot
from demopack.errors import CaptureError
from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import ScreenLostError, ScreenSource, WindowAwayError, area_box
from recorder.backends.x11.monitors import Monitors
from recorder.backends.x11.screen_damage import DamageWatch
from recorder.backends.x11.screen_pixels import PixelReader, Pixels, differ
from recorder.backends.x11.window_below import PreviousPixels, WindowBelow, fill_from_previous
from recorder.backends.x11.windows import Stacking, TopLevel, visible_own
from recorder.backends.x11.xlib import connection_lost, cut, open_display, server_errors, shows_desktop, xlib

_CLOSE_S = 1.0
_ATTEMPTS = 3  # a window that moves while it is read is read again


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where everything was for one reading.

    Attributes:
        area: what is read, on the virtual desktop.
        hidden: where our own windows could be seen in it.
        monitors: those that can be seen in it.
    """

    area: Rect
    hidden: tuple[Rect, ...]
    monitors: tuple[Monitor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """Pixels of one moment; they belong to the reader and are soon overwritten."""

    pixels: Pixels
    box: Rect
    serial: int
    started_ns: int
    ended_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Last:
    """What was last given out."""

    screenshot: Screenshot
    pixels: Pixels
    layout: _Layout


class X11Screen(ScreenSource):
    """One connection for everything: what the server says about changes then has its place before or after a reading.

    The mouse pointer is not on the pictures.
    """

    def __init__(self, *, display: str | None = None, area: CaptureArea = EVERYTHING) -> None:
        """Connect.

        Args:
            display: the X server; the one that ``DISPLAY`` names when None.
            area: what is captured.

        Raises:
            CaptureError: there is no screen that can be read, or it does not have this area.
        """
        self._display = open_display(display, quiet=True, whole=True)
        try:
            self._prepare(area)
        except BaseException:
            self._display.close()
            raise

    def _gone(self, details: str) -> ScreenLostError:
        if self._in_window:
            return ScreenLostError(
                "The recording desktop was closed, or the session that it is a window of has ended.",
                details=details,
                hint="Everything recorded up to then is saved. Open it again to go on.",
            )
        return ScreenLostError(
            "The screen has gone: its X server has ended or cut the connection.",
            details=details,
            hint="Log in again; everything recorded up to then is saved.",
        )

    def _prepare(self, area: CaptureArea) -> None:
        x = xlib("X")
        self._root = self._display.screen().root
        self._in_window = shows_desktop(self._display)
        tells = self._display.has_extension("DAMAGE") and self._display.has_extension("XFIXES")
        self._watch = DamageWatch(self._display) if tells else None
        self._root.change_attributes(event_mask=x.PropertyChangeMask | x.StructureNotifyMask | x.SubstructureNotifyMask)
        self._reader = PixelReader(self._display)
        self._stacking = Stacking(self._display)
        self._monitors = Monitors(self._display)
        watch = self._watch
        self._beneath = WindowBelow(self._display, stacking=self._stacking, watch=watch) if watch is not None else None
        self._area = area
        self._followed = 0  # the window that was found by its title stays the one, whatever its title becomes
        self._stale = True
        self._found: _Layout | None = None
        self._last: _Last | None = None
        self._events: deque[Any] = deque()
        self._closed = False
        self._lost: ScreenLostError | None = None
        self._busy = threading.Lock()
        self._layout()

    # What others ask --------------------------------------------------------------------------------------------

    def grab(self) -> Screenshot:
        """See :class:`ScreenSource`."""
        with self._talking():
            self._drain()
            changed = None
            if self._watch is not None and self._last is not None and not self._watch.torn:
                changed = self._watch.first_ns if self._last.layout == self._layout() else None
            for attempt in range(1, _ATTEMPTS + 1):
                layout = self._layout()
                try:
                    reading = self._read(layout)
                except xlib("error").XError:
                    if attempt == _ATTEMPTS:
                        raise
                    self._monitors.forget()  # the screen is smaller than we knew
                    self._stale = True
                    continue
                # What came before the reading first: it says where our windows were at that moment.
                self._drain(before=reading.serial)
                moved = self._layout()
                # Where a window of ours was while we read, though we had not known it.
                late = [part for box in moved.hidden for part in subtract(box, layout.hidden)]
                for part in filter(None, (box.intersection(reading.box) for box in late)):
                    fill_from_previous(reading.pixels, reading.box, part, old=self._old())
                self._keep(reading, layout)
                if moved == layout and not (self._watch is not None and self._watch.torn):
                    break
                if changed == 0 and self._watch is not None:
                    # Changes where a window of ours was thought to be were not counted: with it gone, nobody knows.
                    changed = self._watch.first_ns or (0 if moved == layout else None)
            self._drain()
            assert self._last is not None
            return replace(self._last.screenshot, changed_ns=changed)

    def changed_ns(self) -> int | None:
        """See :class:`ScreenSource`."""
        if self._watch is None or self._last is None:
            return None
        with self._talking():
            self._drain()
            # A change that was told is one; that there is none is certain only once the server has answered.
            if self._watch.first_ns == 0 or self._layout() != self._last.layout:
                self._display.sync()
                self._drain()
            if self._layout() != self._last.layout:
                return self._watch.first_ns or time.monotonic_ns()
            return self._watch.first_ns

    def fileno(self) -> int | None:
        """See :class:`ScreenSource`."""
        return None if self._closed or self._lost or self._watch is None else int(self._display.fileno())

    def close(self) -> None:
        """See :class:`ScreenSource`."""
        if self._closed:
            return
        self._closed = True
        cut(self._display)
        if not self._busy.acquire(timeout=_CLOSE_S):
            return  # a thread is still inside; what it reads must not be taken away from under it
        try:
            if self._beneath is not None:
                self._beneath.close()
            self._reader.close()
            # What was redirected or watched ends with the connection.
            with contextlib.suppress(*server_errors()):
                self._display.close()
        finally:
            self._busy.release()

    # Reading ----------------------------------------------------------------------------------------------------

    def _read(self, layout: _Layout) -> _Reading:
        box, watch, last = layout.area, self._watch, self._last
        if watch is not None:
            if last is not None and last.layout == layout and watch.extent is not None:
                box = watch.extent.intersection(box) or box  # only what has changed
            watch.reset()
        started = time.monotonic_ns()
        pixels, serial = self._reader.read(self._root, box)
        if self._beneath is not None:
            self._beneath.paint(pixels, box, old=self._old())
        else:
            for part in filter(None, (hidden.intersection(box) for hidden in layout.hidden)):
                fill_from_previous(pixels, box, part, old=None)
        return _Reading(pixels=pixels, box=box, serial=serial, started_ns=started, ended_ns=time.monotonic_ns())

    def _old(self) -> PreviousPixels | None:
        """What was given out last, for whoever needs pixels that cannot be read now."""
        return None if self._last is None else (self._last.pixels, self._last.layout.area)

    def _keep(self, reading: _Reading, layout: _Layout) -> None:
        """Make a reading the newest grab; it shares the pixels of the one before where they are the same."""
        last, box, area = self._last, reading.box, layout.area
        x, y = box.x1 - area.x1, box.y1 - area.y1
        place = slice(y, y + box.height), slice(x, x + box.width)
        if last is not None and last.layout.area == area and not differ(last.pixels[place], reading.pixels):
            image, raw, pixels = last.screenshot.image, last.screenshot.raw, last.pixels
        else:
            whole = reading.pixels if last is None or box == area else last.pixels
            raw = bytearray(whole.data)
            pixels = np.frombuffer(raw, dtype=np.uint32).reshape(area.height, area.width)
            pixels[place] = reading.pixels
            # A view, not a copy: blue, green, red read backwards.
            image = pixels.view(np.uint8).reshape(area.height, area.width, 4)[:, :, 2::-1]
        screenshot = Screenshot(
            image=image,
            started_ns=reading.started_ns,
            ended_ns=reading.ended_ns,
            space=ScreenSpace(origin_x=area.x1, origin_y=area.y1),
            # How much larger programs draw on the main monitor.
            scale_factor=layout.monitors[0].scale_factor if layout.monitors else 1.0,
            raw=raw,
            monitors=layout.monitors,
            read=None if box == area else Rect(x, y, x + box.width, y + box.height),
        )
        self._last = _Last(screenshot=screenshot, pixels=pixels, layout=layout)

    # Where everything is ----------------------------------------------------------------------------------------

    def _layout(self) -> _Layout:
        """What is to be read now, and what of it is ours."""
        if self._found is None or self._stale:
            self._stale = False
            try:
                self._found = self._find()
            except CaptureError:
                self._stale = True  # perhaps the next time
                raise
        return self._found

    def _find(self) -> _Layout:
        tops = self._stacking.read()
        screen, monitors = self._monitors.read()
        area = self._window_box(tops, screen) if self._area.kind == "window" else area_box(self._area, screen, monitors)
        own = visible_own(tops, self._stacking)
        hidden = tuple(part for part in (box.intersection(area) for box in own) if part is not None)
        if self._watch is not None:
            self._watch.area, self._watch.hidden = area, hidden
        if self._beneath is not None and self._beneath.plan(tops, hidden):
            self._drain()
        shown = tuple(monitor for monitor in monitors if monitor.box.intersection(area) is not None)
        return _Layout(area=area, hidden=hidden, monitors=shown)

    def _window_box(self, tops: tuple[TopLevel, ...], screen: Rect) -> Rect:
        others = [top for top in tops if not top.own]
        top = next((top for top in others if top.client_id == self._followed), None)
        if top is None:
            wanted = self._area.name.casefold()
            top = next((top for top in others if wanted in top.title.casefold()), None)
        found = None if top is None else top.box.intersection(screen)
        if top is None or found is None:
            raise WindowAwayError(
                f"The window “{self._area.name}” cannot be seen: it is closed, minimised or outside the screen.",
                hint="Bring it back to go on; nothing is recorded meanwhile.",
            )
        self._followed = top.client_id
        return found

    def _drain(self, *, before: int | None = None) -> None:
        """Take in what the server has told.

        Args:
            before: stop at the first event that came after the request of this number (its lower 16 bits).
        """
        if self._watch is not None:
            self._watch.read_serial = before
        # What comes in while these are handled waits for the next time; a busy screen must not hold us up.
        self._events.extend(self._display.next_event() for _ in range(self._display.pending_events()))
        while self._events:
            if before is not None and not (self._events[0].sequence_number - before) & 0x8000:
                break
            self._take(self._events.popleft())
        if self._watch is not None:
            self._watch.read_serial = None

    def _take(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        if self._watch is not None and self._watch.note(event):
            return
        if self._beneath is not None:
            self._beneath.note(event)
        about_windows, about_monitors = self._stacking.note(event), self._monitors.note(event)
        self._stale = self._stale or about_windows or about_monitors

    @contextmanager
    def _talking(self) -> Generator[None]:
        """Say in one of our errors what goes wrong with the connection."""
        if self._closed:
            raise CaptureError("This screen source was closed; open a new one.")
        if self._lost is not None:
            raise self._lost  # a dead connection answers further questions with any error at all
        try:
            with self._busy:
                yield
        except connection_lost() as error:
            self._lost = self._gone(str(error))
            raise self._lost from error
        except xlib("error").XError as error:
            raise CaptureError(
                "The screen cannot be read.", details=str(error), hint="Check that the session is unlocked."
            ) from error
