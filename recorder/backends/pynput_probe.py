"""A nudge of the pointer through pynput, where there is no X11."""

from __future__ import annotations

import importlib
from typing import Any

from demopack.errors import CaptureError

__all__ = ["nudge"]


def nudge() -> None:
    """Move the pointer by one pixel and back.

    Raises:
        CaptureError: the system does not let programs move the pointer.
    """
    try:
        mouse: Any = importlib.import_module("pynput.mouse")
        hand = mouse.Controller()
        hand.move(1, 0)
        hand.move(-1, 0)
    except (ImportError, OSError) as error:
        raise CaptureError(
            "The pointer cannot be moved to try the input out.",
            details=str(error),
            hint="Allow demopack (or the terminal) to control this computer in the system's privacy settings.",
        ) from error
