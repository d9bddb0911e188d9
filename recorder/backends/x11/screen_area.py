"""Place of the captured area on the screen at the moment."""

from __future__ import annotations

from demopack.domain.frames import Monitor
from demopack.domain.geometry import Rect
from demopack.errors import CaptureError
from recorder.area import CaptureArea
from recorder.backends.base import WindowAwayError
from recorder.backends.x11.stacking import TopLevel


class AreaFinder:
    """Turns a :class:`CaptureArea` into pixels of the virtual desktop, each time anew.

    A window that was found by its title stays the one, whatever its title becomes, until it is closed.
    """

    def __init__(self, area: CaptureArea) -> None:
        self._area = area
        self._window_id = 0

    def find(self, screen: Rect, monitors: tuple[Monitor, ...], tops: tuple[TopLevel, ...]) -> Rect:
        """The pixels to be captured, never empty, all of them on the screen.

        Args:
            screen: the virtual desktop.
            monitors: those there are.
            tops: the windows on the screen, topmost first; needed only where a window is followed.

        Raises:
            CaptureError: no such monitor, or the region lies elsewhere.
            WindowAwayError: the window is not on the screen now.
        """
        if self._area.kind == "window":
            return self._window(screen, tops)
        if self._area.kind == "monitor":
            return self._monitor(screen, monitors)
        region = self._area.region or screen
        found = region.intersection(screen)
        if found is None:
            raise CaptureError(
                f"The region {self._area} lies outside the screen, which has {screen.width} x {screen.height} pixels.",
                hint="Choose another region.",
            )
        return found

    def _monitor(self, screen: Rect, monitors: tuple[Monitor, ...]) -> Rect:
        for monitor in monitors:
            found = monitor.box.intersection(screen)
            if monitor.name == self._area.name and found is not None:
                return found
        names = ", ".join(monitor.name for monitor in monitors)
        raise CaptureError(
            f"There is no monitor {self._area.name}.", hint=f"Connect it, or choose another: {names}." if names else ""
        )

    def _window(self, screen: Rect, tops: tuple[TopLevel, ...]) -> Rect:
        wanted = self._area.name.casefold()
        others = [top for top in tops if not top.own]
        top = next((top for top in others if top.client_id == self._window_id), None)
        if top is None:
            top = next((top for top in others if wanted in top.title.casefold()), None)
        found = None if top is None else top.box.intersection(screen)
        if top is None or found is None:
            raise WindowAwayError(
                f"The window “{self._area.name}” cannot be seen: it is closed, minimised or outside the screen.",
                hint="Bring it back to go on; nothing is recorded meanwhile.",
            )
        self._window_id = top.client_id
        return found
