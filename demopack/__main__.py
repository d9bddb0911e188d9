"""Where demopack begins: the console script, the app by itself, and ``python -m demopack``.

Only what Python has by itself is imported before somebody waits for Ctrl+C.
"""

from __future__ import annotations

import sys


def run() -> None:
    """Entry point of the console script."""
    try:
        from demopack_cli.main import run as begin

        begin()
    except KeyboardInterrupt:  # while it imports; commands end in their own way
        sys.exit(130)


def run_app() -> None:
    """Entry point of the app by itself."""
    try:
        from demopack_cli.main import run_app as begin

        begin()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
