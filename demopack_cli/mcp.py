"""``demopack mcp``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from demopack_cli.observe import eyes_option, windows_option
from demopack_cli.options import library_folder, library_option

if TYPE_CHECKING:
    from player.mcp_server import Ability
    from player.observing import Eyes


@click.command(name="mcp")
@click.option(
    "--allow", "abilities", multiple=True, type=click.Choice(["observe", "act", "demos", "record"]),
    help="What the client may do without asking you; may be given several times. All else is asked for through the "
    "client, once, or refused where it cannot ask.",
)  # fmt: skip
@windows_option
@click.option(
    "--allow-launch", "programs", multiple=True, metavar="PROGRAM",
    help="Let the client start this program; may be given several times.",
)  # fmt: skip
@eyes_option
@library_option
def command(abilities: tuple[Ability, ...], windows: tuple[str, ...], programs: tuple[str, ...], eyes: Eyes) -> None:
    """Serve this screen and the demos to another agent, over the Model Context Protocol on standard input and output.

    The client starts it. It can observe the screen, act on it, read demos as examples, and record one. The abort
    hot-key (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops all acting until the server is started
    again.

    Example: demopack mcp --allow demos --allow-window gedit
    """
    from demopack.errors import ModelError
    from demopack.settings import load_settings

    try:
        from player.mcp_server import ScreenServer, build_server
    except ImportError as error:
        raise ModelError(
            "The library of the Model Context Protocol is not installed.",
            details=str(error),
            hint='Install it with: pip install "demopack[mcp]"',
        ) from error

    screen = ScreenServer(
        load_settings(), library=library_folder(), allowed=abilities, windows=windows, programs=programs, eyes=eyes
    )
    try:
        build_server(screen).run("stdio")
    except* BrokenPipeError:
        pass  # the client has gone while it was answered
