"""The operating system behind small abstract classes; the functions here choose the right one for this session.

Each raises :class:`~demopack.errors.CaptureError` with the reason and the way out: no display, a Wayland session, a
missing permission. Neither mss, Xlib nor pynput is imported before it is needed.
"""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

from recorder.area import EVERYTHING, CaptureArea
from recorder.backends.base import AccessSource, InputSource, ScreenSource, WindowSource
from recorder.backends.x11.clipboard import X11Clipboard

if TYPE_CHECKING:
    from recorder.backends.element_access import OpenReader

_log = logging.getLogger(__name__)


def open_screen(display: str | None = None, *, area: CaptureArea = EVERYTHING) -> ScreenSource:
    """The screen, or a part of it.

    Args:
        display: an X server other than the one in ``DISPLAY``; ignored where there is no X11.
        area: what is captured.

    Raises:
        CaptureError: there is no screen that can be read, or it does not have this area.
    """
    if has_x11():
        from recorder.backends.x11.screen import X11Screen

        return X11Screen(display=display, area=area)
    from recorder.backends.mss_screen import MssScreen

    return MssScreen(area=area)


def open_input(display: str | None = None) -> InputSource:
    """Keyboard and mouse of the whole session. Arguments and errors as in :func:`open_screen`."""
    if has_x11():
        from recorder.backends.x11.input import X11Input

        return X11Input(display=display)
    from recorder.backends.pynput_input import PynputInput

    return PynputInput()


def open_windows(display: str | None = None) -> WindowSource:
    """The windows of the desktop. Arguments and errors as in :func:`open_screen`.

    Where they cannot be asked for, they and their titles are unknown. Outside X11 the app itself says which windows are
    ours; see ``recorder.event_filter.OwnWindows``.
    """
    if not has_x11():
        return _open_native_windows(sys.platform)
    from recorder.backends.x11.windows import X11Windows

    return X11Windows(display=display)


def open_access(display: str | None = None) -> AccessSource:
    """What programs report about themselves; never raises, and says by :attr:`AccessSource.available` if nobody does.

    Arguments as in :func:`open_screen`.
    """
    if not has_x11():
        from recorder.backends.element_access import ElementAccess

        return ElementAccess(_open_reader(sys.platform))
    from recorder.backends.atspi.source import AtspiAccess

    return AtspiAccess(display=display)


def require_permissions() -> None:
    """Make sure that the system lets this program watch the screen and all input.

    Raises:
        CaptureError: it does not; names the pane of its settings.
    """
    if sys.platform == "darwin":
        from recorder.backends.macos import permissions

        permissions.require_permissions()


def _open_native_windows(platform: str) -> WindowSource:
    try:
        if platform == "win32":
            from recorder.backends.windows.desktop import Win32Windows

            return Win32Windows()
        from recorder.backends.macos.desktop import MacWindows

        return MacWindows()
    except (ImportError, OSError, AttributeError):  # an older system may lack a function that is asked for
        _log.warning("The windows of the desktop cannot be asked for.", exc_info=True)
        return WindowSource()


def _open_reader(platform: str) -> OpenReader:
    if platform == "win32":
        from recorder.backends.windows.automation import AutomationReader

        return AutomationReader
    from recorder.backends.macos.elements import AxReader

    return AxReader


def open_clipboard(display: str | None = None) -> X11Clipboard | None:
    """The clipboard's texts; None on systems whose clipboard demopack cannot follow yet. Arguments as above."""
    return X11Clipboard(display=display) if has_x11() else None


def has_x11() -> bool:
    """Whether screen and input of this system are those of an X server."""
    return sys.platform not in {"win32", "darwin"}
