"""The operating system behind small abstract classes; the functions here choose the right one for this session.

Each raises :class:`~demopack.errors.CaptureError` with the reason and the way out: no display, a Wayland session, a
missing permission. Nothing of any backend is imported before it is opened.
"""

from __future__ import annotations

import sys

from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import InputSource, PingSource, ScreenSource, WindowSource

__all__ = ["open_input", "open_ping", "open_screen", "open_windows"]


def open_screen(display: str | None = None, *, area: CaptureArea = EVERYTHING) -> ScreenSource:
    """The screen, or a part of it.

    Args:
        display: an X server other than the one in ``DISPLAY``; ignored where there is no X11.
        area: what is captured.

    Raises:
        CaptureError: there is no screen that can be read, or it does not have this area.
    """
    if _has_x11():
        from recorder.backends.x11.screen import X11Screen

        return X11Screen(display=display, area=area)
    from recorder.backends.mss_screen import MssScreen

    return MssScreen(area=area)


def open_input(display: str | None = None) -> InputSource:
    """Keyboard and mouse of the whole session. Arguments and errors as in :func:`open_screen`."""
    if _has_x11():
        from recorder.backends.x11.input import X11Input

        return X11Input(display=display)
    from recorder.backends.pynput_input import PynputInput

    return PynputInput()


def open_windows(display: str | None = None) -> WindowSource:
    """The windows of the desktop. Arguments and errors as in :func:`open_screen`.

    On systems whose windows demopack cannot ask about yet, titles are unknown and no window counts as our own.
    """
    if _has_x11():
        from recorder.backends.x11.windows import X11Windows

        return X11Windows(display=display)
    from recorder.backends.no_windows import NoWindows

    return NoWindows()


def open_ping(display: str | None = None) -> PingSource | None:
    """What tells whether programs respond; None on systems where demopack cannot ask yet. Arguments as above."""
    if _has_x11():
        from recorder.backends.x11.ping import X11Ping

        return X11Ping(display=display)
    return None


def _has_x11() -> bool:
    return sys.platform not in {"win32", "darwin"}
