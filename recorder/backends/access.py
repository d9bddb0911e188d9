"""Opens what tells about programs' elements on this system. UI Automation and AX belong behind the same port."""

from __future__ import annotations

import sys

from demopack.domain.geometry import Rect
from demopack.domain.steps import AccessibleElement
from recorder.backends.base import AccessSource, ClipboardSource

__all__ = ["NoAccess", "open_access", "open_clipboard"]


def open_access(display: str | None = None) -> AccessSource:
    """What programs tell about themselves; it never raises, and says by :attr:`AccessSource.available` if nobody does.

    Args:
        display: an X server other than the one in ``DISPLAY``; ignored where there is no X11.
    """
    if sys.platform in {"win32", "darwin"}:
        return NoAccess()
    from recorder.backends.atspi.source import AtspiAccess

    return AtspiAccess(display=display)


def open_clipboard(display: str | None = None) -> ClipboardSource | None:
    """The clipboard's texts; None on systems whose clipboard demopack cannot follow yet. Arguments as above."""
    if sys.platform in {"win32", "darwin"}:
        return None
    from recorder.backends.x11.clipboard import X11Clipboard

    return X11Clipboard(display=display)


class NoAccess(AccessSource):
    """For systems whose accessibility interface demopack cannot ask yet: knows nothing."""

    def start(self) -> None:
        """Nothing to begin."""

    def stop(self) -> None:
        """Nothing to end."""

    @property
    def available(self) -> bool:
        """Never."""
        return False

    def catch_up(self, *, timeout_s: float, since_ns: int | None = None) -> bool:  # noqa: ARG002 - knows nothing
        """Nobody tells anything that could be waited for."""
        return False

    def focused(self, t_ns: int) -> AccessibleElement | None:  # noqa: ARG002 - knows nothing
        """Not known."""
        return None

    def ask(self, x: int, y: int) -> None:
        """Nobody answers."""

    def pointed(self, x: int, y: int, t_ns: int) -> AccessibleElement | None:  # noqa: ARG002 - knows nothing
        """Not known."""
        return None

    def secure_between(self, started_ns: int, ended_ns: int) -> AccessibleElement | None:  # noqa: ARG002 - knows nothing
        """Not known."""
        return None

    def secure_boxes(self, started_ns: int, ended_ns: int) -> tuple[Rect, ...]:  # noqa: ARG002 - knows nothing
        """Not known."""
        return ()

    def text_change(self, started_ns: int, ended_ns: int) -> tuple[str, str] | None:  # noqa: ARG002 - knows nothing
        """Not known."""
        return None
