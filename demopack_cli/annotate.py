"""``demopack annotate``, and what ``demopack`` without a command does."""

from __future__ import annotations

import sys

import click

from demopack_cli.options import library_option, open_library


def open_app(demo: str | None = None) -> None:
    """Open the app and stay until its window is closed.

    Args:
        demo: a demo to open at once: its id, the beginning of it, or "last".

    Raises:
        CaptureError: there is no screen to show a window on.
        LibraryError: the library cannot be opened.
        BadInputError: there is no such demo.
    """
    from annotator.ui.display import check_display

    check_display()
    with open_library(create=True) as opened:
        key = None if demo is None else opened.find(demo)
        from annotator.ui.app import run_app

        code = run_app(opened, demo=key)
    if code:
        sys.exit(code)


@click.command(name="annotate")
@click.argument("demo", required=False)
@library_option
def command(demo: str | None) -> None:
    """Open the editor. DEMO is a demo's id, the beginning of it, or "last"; without it the library is shown.

    Example: demopack annotate last
    """
    open_app(demo)
