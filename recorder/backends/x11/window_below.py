"""Pixels beneath our own windows, through the Composite extension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from demopack.domain.geometry import Rect, subtract
from recorder.backends.x11.screen_damage import DamageWatch
from recorder.backends.x11.screen_pixels import PixelReader, Pixels
from recorder.backends.x11.windows import Stacking, TopLevel
from recorder.backends.x11.xlib import numbers_of, xlib

NEUTRAL = 0x808080
"""Stands for what cannot be known: grey."""

PreviousPixels = tuple[Pixels, Rect]
"""The picture before, and where it lay on the virtual desktop."""

_AUTOMATIC, _MANUAL = 0, 1


class WindowBelow:
    """Has the windows beneath ours drawn completely, and reads them there.

    A window is redirected only as long as one of ours lies on it. The server then keeps its contents whole, and shows
    them as before. Right after that a program has to draw what was covered until now; before it has, the old picture
    of the place is taken where there is one, and grey otherwise, never our own pixels.
    """

    def __init__(self, display: Any, *, stacking: Stacking, watch: DamageWatch) -> None:  # noqa: ANN401
        self._display = display
        self._x = xlib("X")
        self._stacking = stacking
        self._watch = watch
        self._reader = PixelReader(display)
        self._errors: Any = xlib("error")
        self._composite = bool(display.has_extension("Composite"))
        if self._composite:
            display.composite_query_version()
        self._wallpaper_atom = display.intern_atom("_XROOTPMAP_ID")
        self._pieces: list[tuple[TopLevel | None, Rect]] = []
        self._ground: dict[Rect, npt.NDArray[np.uint32] | None] = {}

    def plan(self, tops: Sequence[TopLevel], hidden: Sequence[Rect]) -> bool:
        """Find out which windows lie beneath ``hidden``, and keep those drawn completely.

        Args:
            tops: all windows, topmost first.
            hidden: where our own windows are to be seen.

        Returns:
            Whether something has been uncovered; what the server has painted there itself, it has told.
        """
        self._pieces = [piece for box in hidden for piece in self._layers(tops, box)]
        wanted = {top.window.id: top for top, _ in self._pieces if top is not None} if self._composite else {}
        for window_id in self._watch.covered.keys() - wanted.keys():
            self._watch.uncover(window_id)
            window = self._display.create_resource_object("window", window_id)
            window.composite_unredirect_window(_AUTOMATIC, onerror=self._errors.CatchError())
        new = wanted.keys() - self._watch.covered.keys()
        for window_id, top in wanted.items():
            if window_id not in new:
                self._watch.covered[window_id].top = top
            else:
                # Watched first, so that nothing it draws is missed.
                self._watch.cover(top, [part for other, part in self._pieces if other is top])
                top.window.composite_redirect_window(_AUTOMATIC, onerror=self._errors.CatchError())
        if new:
            # The server paints what it has uncovered when it finds the time, at the latest when the screen is read:
            # one pixel makes it do so now, and what it tells of that is no change after the next reading.
            self._reader.read(self._display.screen().root, Rect(0, 0, 1, 1))
        ground = {part for top, part in self._pieces if top is None}
        self._ground = {part: pixels for part, pixels in self._ground.items() if part in ground}
        return bool(new)

    def note(self, event: Any) -> None:  # noqa: ANN401 - an untyped library
        """Take in an event of the root window: its background may be another now."""
        if event.type == self._x.PropertyNotify and event.atom == self._wallpaper_atom:
            self._ground.clear()

    def paint(self, block: Pixels, at: Rect, *, old: PreviousPixels | None) -> None:
        """Put what lies beneath our windows into a picture.

        Args:
            block: the picture; written to.
            at: where it lies on the virtual desktop.
            old: the picture before it, for places that are not drawn yet; None where there is none.
        """
        for top, piece in self._pieces:
            part = piece.intersection(at)
            if part is None:
                continue
            pixels = self._read_ground(piece, part) if top is None else self._read(top, part)
            view = block[part.y1 - at.y1 : part.y2 - at.y1, part.x1 - at.x1 : part.x2 - at.x1]
            view[:] = NEUTRAL if pixels is None else pixels
            if top is None or pixels is None:
                continue
            entry = self._watch.covered[top.window.id]
            stale = [box.moved(entry.top.box.x1, entry.top.box.y1) for box in entry.stale]
            for place in filter(None, (box.intersection(part) for box in stale)):
                fill_from_previous(block, at, place, old=old)

    def close(self) -> None:
        """Give back what the server keeps for us, as far as the connection still lives."""
        self._reader.close()

    def _layers(self, tops: Sequence[TopLevel], box: Rect) -> Iterator[tuple[TopLevel | None, Rect]]:
        """Which window would be seen where, if ours were not there."""
        left = [box]
        for top in tops:
            if top.own or not left:
                continue
            covers = self._stacking.shape(top) if top.box.intersection(box) is not None else []
            for cover in covers:
                yield from ((top, common) for part in left if (common := part.intersection(cover)) is not None)
                left = [rest for part in left for rest in subtract(part, [cover])]
        yield from ((None, part) for part in left)

    # Windows ----------------------------------------------------------------------------------------------------

    def _read(self, top: TopLevel, part: Rect) -> Pixels | None:
        if top.window.id not in self._watch.covered:
            return None
        dx, dy = top.box.x1 + top.border, top.box.y1 + top.border
        try:
            found, _ = self._reader.read(top.window, Rect(part.x1 - dx, part.y1 - dy, part.x2 - dx, part.y2 - dy))
        except self._errors.XError:
            return None  # it has gone, or is smaller now
        return found

    # The desktop's own background -------------------------------------------------------------------------------

    def _read_ground(self, piece: Rect, part: Rect) -> Pixels | None:
        if piece not in self._ground:
            self._ground[piece] = self._draw_ground(piece)
        pixels = self._ground[piece]
        if pixels is None:
            return None
        return pixels[part.y1 - piece.y1 : part.y2 - piece.y1, part.x1 - piece.x1 : part.x2 - piece.x1]

    def _draw_ground(self, piece: Rect) -> npt.NDArray[np.uint32] | None:
        """The background at a place, as the server paints it into a window that shows through; nobody sees that one."""
        if not self._composite:
            return None
        screen = self._display.screen()
        window = screen.root.create_window(
            piece.x1, piece.y1, piece.width, piece.height, 0, screen.root_depth,
            background_pixmap=self._x.ParentRelative, override_redirect=1,
        )  # fmt: skip
        self._stacking.ignored.add(window.id)
        try:
            refused = self._errors.CatchError()
            window.composite_redirect_window(_MANUAL, onerror=refused)
            self._display.sync()
            if refused.get_error():
                return self._wallpaper(piece)  # a compositor runs, and would show our window
            window.configure(stack_mode=self._x.Below)
            window.map()
            found, _ = self._reader.read(window, Rect(0, 0, piece.width, piece.height))
            return found.copy()
        except self._errors.XError:
            return None
        finally:
            window.destroy()
            self._display.sync()

    def _wallpaper(self, piece: Rect) -> npt.NDArray[np.uint32] | None:
        """The background that a program has announced, as most that set one do."""
        found = numbers_of(self._display, self._display.screen().root, "_XROOTPMAP_ID")
        if not found:
            return None
        pixmap = self._display.create_resource_object("pixmap", found[0])
        try:
            return self._reader.read(pixmap, piece)[0].copy()
        except self._errors.XError:
            return None


def fill_from_previous(block: Pixels, at: Rect, place: Rect, *, old: PreviousPixels | None) -> None:
    """Fill a place of a picture from the one before it, or with grey where that does not show it.

    Args:
        block: the picture; written to.
        at: where it lies on the virtual desktop.
        place: what to fill, inside ``at``.
        old: the picture before it.
    """
    view = block[place.y1 - at.y1 : place.y2 - at.y1, place.x1 - at.x1 : place.x2 - at.x1]
    if old is None or not old[1].encloses(place):
        view[:] = NEUTRAL
        return
    pixels, lay = old
    view[:] = pixels[place.y1 - lay.y1 : place.y2 - lay.y1, place.x1 - lay.x1 : place.x2 - lay.x1]
