"""``demopack quickstart``."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

import click

from demopack_cli.options import json_option, on_signals, print_result, wants_json

_REPORT = "report.json"
_SCREEN = (1040, 760)  # the practice window and a little desktop around it
_PARTS = ("library", "pack", "practice", _REPORT)


@click.command(name="quickstart")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("out/quickstart"),
    show_default=True,
    help="Where everything goes; what an earlier quickstart left there is replaced.",
)
@click.option("--here", is_flag=True, help="Work on this screen instead of a private one; asks first.")
@click.option("--yes", is_flag=True, help="Do not ask before --here takes over mouse and keyboard.")
@click.option("--keep-display", is_flag=True, help="Keep the private screen until Ctrl-C, to look at it.")
@click.option("--speed", type=click.FloatRange(0.2, 10), default=1.0, show_default=True, help="Of the scripted person.")
@json_option
def command(out: Path, here: bool, yes: bool, keep_display: bool, speed: float) -> None:
    """Make a first demo pack, all by itself.

    A scripted person works in a practice app on a private screen; that is recorded, read, explained, exported,
    checked, and performed again from the pack. The practice app itself says whether the task was done.
    On Windows and macOS there are no private screens: it asks, and works on this one.

    Example: demopack quickstart --out /tmp/first-pack
    """
    from demopack.atomic import write_text_atomic
    from demopack.errors import DemopackError
    from demopack.jobs import JobControl
    from demopack_cli.quickstart.pipeline import Quickstart, QuickstartReport
    from recorder.backends import has_x11

    control, report, out = JobControl(), QuickstartReport(), out.absolute()
    say: Callable[[str], None] = (lambda _: None) if wants_json() else click.echo
    if not here and not has_x11():
        here = True
        click.echo("This system has no private screens: the practice app opens on this one.", err=True)
    if here and not yes:
        click.confirm("Mouse and keyboard of this screen will be used for about a minute. Go on?", abort=True, err=True)
    _make_room(out)
    try:
        # Ctrl-C, or a terminal that is closed, ends the work at its next safe point, and the private screen with it.
        stopped = on_signals(lambda _: control.token.cancel(), "SIGINT", "SIGTERM", "SIGHUP")
        with stopped, _display(here=here) as environment:
            Quickstart(out=out, environment=environment, control=control, say=say, speed=speed, report=report).run()
            if keep_display and not here:
                say(f"The private screen {environment['DISPLAY']} stays until Ctrl-C.")
                while not control.token.wait(3600):
                    pass
    except DemopackError as error:
        report.problem = str(error)
        raise
    finally:
        write_text_atomic(out / _REPORT, json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
    lines = [f"! {line}" for line in report.faults()]
    lines = lines or ["The practice app says: done by the person, and done again by the replay."]
    lines.append(f"Look at it: {out / 'pack' / 'index.html'}")
    lines.append(f"All figures: {out / _REPORT} ({report.seconds:g} s in all)")
    print_result(report.to_json(), lines, ok=not report.faults())


def _make_room(out: Path) -> None:
    """Take away what an earlier quickstart left.

    Raises:
        BadInputError: the folder holds something else; nothing was touched.
    """
    from demopack.atomic import write_text_atomic
    from demopack.errors import BadInputError

    there = sorted(path.name for path in out.iterdir()) if out.is_dir() else []
    strange = [name for name in there if name not in _PARTS]
    if strange or (there and _REPORT not in there):
        raise BadInputError(
            f"{out} holds something else than an earlier quickstart ({', '.join((strange or there)[:3])}); "
            "nothing was touched.",
            hint="Choose an empty folder with --out.",
        )
    for name in there:
        path = out / name
        if path.is_dir():
            shutil.rmtree(path)
    out.mkdir(parents=True, exist_ok=True)
    # Written first, so that a quickstart that was killed can be told from somebody's own folder.
    write_text_atomic(out / _REPORT, "{}\n")


@contextlib.contextmanager
def _display(*, here: bool) -> Generator[Mapping[str, str]]:
    from demopack.errors import CaptureError
    from recorder.backends import has_x11
    from recorder.desktop.private_display import PrivateDesktop

    if not here:
        with PrivateDesktop(width=_SCREEN[0], height=_SCREEN[1]) as display:
            yield display.environment()
        return
    if has_x11() and not os.environ.get("DISPLAY"):
        raise CaptureError("There is no X11 screen here.", hint="Leave --here out: a private screen is used then.")
    yield dict(os.environ)
