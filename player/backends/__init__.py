"""Performers of input, and the choice of this session's."""

from __future__ import annotations

import os

from demopack.errors import CaptureError
from player.backends.base import Performer
from recorder.backends import has_x11


def open_performer() -> Performer:
    """The performer for this session.

    Raises:
        CaptureError: there is no screen, or the session does not let programs act (Wayland).
    """
    if not has_x11():
        from player.backends.pynput_performer import PynputPerformer

        return PynputPerformer()
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        raise CaptureError(
            "This is a Wayland session, which does not let programs press keys or move the pointer.",
            hint="Replay in a recording desktop: `demopack replay --desktop`. Or log in with an X11 (Xorg) session.",
        )
    if not os.environ.get("DISPLAY"):
        raise CaptureError(
            "There is no screen to replay on: DISPLAY is not set.",
            hint="Run it in a desktop session, or on a private X server such as Xvfb.",
        )
    from player.backends.x11 import X11Performer

    return X11Performer()
