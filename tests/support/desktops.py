"""The desktop that the tests run on, where the environment names one: see ``benchmarks/desktop_matrix.py``."""

from __future__ import annotations

import os
import subprocess

from recorder.desktop.private_display import PrivateDisplay

DPI = int(os.environ.get("DEMOPACK_TEST_DPI", "0")) or None
"""The resolution for which programs lay out their text; None where the tests choose."""
SIZE = os.environ.get("DEMOPACK_TEST_SIZE", "")
"""At least as large is every screen, ``WIDTHxHEIGHT``: programs that are drawn four times as large need room."""
MONITORS = int(os.environ.get("DEMOPACK_TEST_MONITORS", "1"))


def use_desktop() -> None:
    """Make every private display such a desktop, unless a test asks for a resolution of its own."""
    if DPI is None:
        return
    start = PrivateDisplay.__enter__

    def enter(display: PrivateDisplay) -> PrivateDisplay:
        display.dpi = DPI
        if SIZE:
            width, height = map(int, SIZE.split("x"))
            display.size = (max(width, display.size[0]), max(height, display.size[1]))
        start(display)
        if MONITORS == 2:
            two_monitors(display)
        return display

    PrivateDisplay.__enter__ = enter  # type: ignore[method-assign]


def two_monitors(screen: PrivateDisplay) -> None:
    """Divide a screen into two monitors of unlike size: a narrow one, and the main one beside it."""
    width, height = screen.size
    left = width // 16
    for arguments in (
        ("--setmonitor", "SMALL", f"{left}/80x{height * 5 // 8}/130+0+0", "none"),
        ("--setmonitor", "*LARGE", f"{width - left}/250x{height}/210+{left}+0", "screen"),
    ):
        subprocess.run(["xrandr", *arguments], env=screen.environment(), check=True, stdout=subprocess.DEVNULL)
