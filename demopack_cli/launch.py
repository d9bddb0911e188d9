"""``demopack launch``."""

from __future__ import annotations

import click

from demopack_cli.options import json_option, print_result


@click.command(name="launch", context_settings={"ignore_unknown_options": True})
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@json_option
def command(program: str, arguments: tuple[str, ...]) -> None:
    """Start a browser so that it tells what its pages show, with a profile of its own.

    PROGRAM is chromium, chrome, edge, brave, vivaldi, opera, firefox, falkon, qutebrowser, code, or the path of any
    program that is built on Electron; ARGUMENTS are its own, for instance an address. Browsers decide as they start
    whether they tell anything: one that runs already is left alone.

    Exit code 1 where it was started and tells nothing.

    Example: demopack launch chromium https://example.org
    """
    from demopack.errors import BadInputError, CaptureError
    from demopack.settings import profiles_folder
    from recorder.backends import has_x11
    from recorder.browsers import launch, title_of, wait_until_told

    if not has_x11():
        raise BadInputError(
            "This is needed on Linux alone: here browsers tell what their pages show when they are asked.",
            hint="Open the browser as you always do.",
        )
    title = title_of(program)
    process = launch(program, arguments, profiles=profiles_folder())
    if not wait_until_told(process):
        raise CaptureError(
            f"{title} was started, but tells nothing of what it shows.",
            hint="It can be recorded all the same; its elements are found in the pictures then.",
        )
    print_result({"program": program, "process": process.pid, "tells": True}, [f"{title} tells what it shows."])
