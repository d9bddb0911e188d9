"""``demopack desktop``."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import click

from demopack_cli.options import json_option, on_signals, print_result, say, wants_json

if TYPE_CHECKING:
    from recorder.desktop.current import OpenDesktop
    from recorder.desktop.servers import DesktopOptions, ServerName

_LEAST, _MOST = 320, 16_384


desktop_option = click.option(
    "--desktop", is_flag=True, help="In a recording desktop: the one that is open, else a new one that ends with this."
)


def enter_desktop() -> None:
    """Let the command that runs work in a recording desktop, until it ends.

    Raises:
        CaptureError: none can be opened here; says why and what to do.
    """
    click.get_current_context().with_resource(_in_desktop())


@contextlib.contextmanager
def _in_desktop() -> Generator[None]:
    from recorder.desktop.current import find_desktop, opened_desktop

    before = dict(os.environ)
    if find_desktop() is None and not wants_json():
        say("A recording desktop opens. It ends with this command: save what you want to keep before.")
    with opened_desktop(desktop_options()) as desktop:
        inside = desktop.environment()
        try:
            _use_environment(inside)
            yield
        finally:
            _use_environment(before)


def _use_environment(environment: dict[str, str]) -> None:
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)


class _Size(click.ParamType[tuple[int, int]]):
    """Width and height in pixels, for instance ``1280x800``."""

    name = "WIDTHxHEIGHT"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's own
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, int]:
        """Read it.

        Raises:
            click.UsageError: it is none.
        """
        found = re.fullmatch(r"(\d{1,5})[xX](\d{1,5})", str(value).strip())
        if found is None:
            self.fail(f"{value!r} is no size; write for instance 1280x800.", param, ctx)
        size = int(found[1]), int(found[2])
        if not all(_LEAST <= length <= _MOST for length in size):
            self.fail(f"Width and height lie between {_LEAST} and {_MOST} pixels.", param, ctx)
        return size


SIZE = _Size()


def desktop_options(
    size: tuple[int, int] | None = None,
    scale: float | None = None,
    server: ServerName | None = None,
    *,
    panel: bool = True,
) -> DesktopOptions:
    """What a new recording desktop is like."""
    from annotator.app_desktop import PANEL
    from recorder.desktop.servers import DesktopOptions

    given: dict[str, Any] = {"size": size} if size else {}
    return DesktopOptions(
        **given,
        scale=scale,
        server=server,
        panel=PANEL if panel else (),
    )


@click.command(name="desktop", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--size", type=SIZE, help="Of a new window, for instance 1280x800 (the default).")
@click.option(
    "--scale",
    type=click.FloatRange(0.5, 4),
    help="How much larger than at 96 dots per inch programs are drawn; as in your session when left out.",
)
@click.option("--panel/--no-panel", default=True, help="With the panel that opens programs (default), or bare.")
@click.option(
    "--server",
    type=click.Choice(["xwayland", "xephyr"]),
    help="The X server; Xwayland on Wayland where it is new enough, else Xephyr, when left out.",
)
@click.argument("program", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@json_option
def command(
    size: tuple[int, int] | None,
    scale: float | None,
    panel: bool,
    server: ServerName | None,
    program: str | None,
    arguments: tuple[str, ...],
) -> None:
    """Open a recording desktop: a window that is a desktop of its own, on Wayland as on X11.

    What happens in it can be recorded exactly, replayed, and evaluated, without touching the rest of your session. It
    has your keyboard layout, clipboard, theme and fonts. PROGRAM is opened in it: a command or a name from the menu of
    programs, with ARGUMENTS of its own; where a desktop is open already, in that one. It lasts until its window is
    closed, or Ctrl-C.

    Record in it with `demopack record --desktop`, replay with `demopack replay --desktop`. Keys that your session
    keeps for itself, such as Super and Alt+Tab, do not arrive there.

    Example: demopack desktop --size 1280x800 gnome-text-editor
    """
    from demopack.errors import CaptureError
    from recorder.desktop.current import find_desktop
    from recorder.desktop.keeper import keep_open
    from recorder.desktop.programs import find_program, open_program

    if scale is not None and not math.isfinite(scale):
        raise click.BadParameter("It is no number.", param_hint="--scale")
    entry = find_program(program) if program else None
    found = find_desktop()
    if found is not None:
        if entry is None:
            raise CaptureError(
                f"A recording desktop is open already: {found.display}.",
                hint="Name a program to open in it, or close its window first.",
            )
        if size or scale or server:
            raise click.UsageError("--size, --scale and --server are of a new desktop, and one is open already.")
        process = open_program(entry, arguments, environment=found.environment())
        told = {"display": found.display, "program": entry.name, "process": process.pid}
        print_result(told, [f"{entry.name} opens in the recording desktop {found.display}."])
        return
    stop = threading.Event()

    def tell(desktop: OpenDesktop, notes: list[str]) -> None:
        if entry is not None:
            open_program(entry, arguments, environment=desktop.environment())
        _tell_open(desktop, notes, entry.name if entry else "")

    with on_signals(lambda _: stop.set(), "SIGINT", "SIGTERM", "SIGHUP"):
        was_closed = keep_open(desktop_options(size, scale, server, panel=panel), stop=stop, on_open=tell)
    if wants_json():
        click.echo(json.dumps({"event": "closed", "by_window": was_closed}))
    else:
        say("The recording desktop was closed.")


def _tell_open(desktop: OpenDesktop, notes: list[str], program: str) -> None:
    if wants_json():
        told = {"event": "open", "display": desktop.display, "program": program, "notes": notes}
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    say(f"The recording desktop {desktop.display} is open. It ends with its window, or with Ctrl-C.")
    say('Record in it: demopack record --desktop --task "..."')
    say("Keys that your session keeps for itself, such as Super and Alt+Tab, do not arrive there.")
    for note in notes:
        say(f"! {note}")
