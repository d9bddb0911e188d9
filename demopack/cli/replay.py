"""``demopack replay``."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demopack.cli.options import emit, json_option, library_option, open_library
from demopack.errors import BadInputError, CaptureError

if TYPE_CHECKING:
    from demopack.domain.demos import Demo
    from demopack.domain.ports import FrameStore
    from demopack.jobs import CancelToken
    from demopack.settings import Settings
    from player.report import ReplayReport, StepReport

__all__ = ["command"]

_COUNTDOWN_S = 5


@click.command(name="replay")
@click.argument("name", metavar="DEMO|PACK")
@click.option("--demo", "chosen", default=None, help="With a pack of several demos: which one.")
@click.option("--dry-run", is_flag=True, help="Perform nothing; say for each step what it would act on.")
@click.option("--yes", is_flag=True, help="Start at once, without asking; for scripts.")
@click.option("--allow-launch", is_flag=True, help="Let the demo start the programs that it names.")
@click.option("--slow", is_flag=True, help="At a pace that a person can follow.")
@library_option
@json_option
def command(
    name: str,
    chosen: str | None,
    dry_run: bool,
    yes: bool,
    allow_launch: bool,
    slow: bool,
    library: Path | None,
    as_json: bool,
) -> None:
    """Perform a demo again on this screen and compare each step with what was recorded.

    DEMO is its id, the beginning of it, or "last"; PACK is a folder or a zip. It uses your mouse and keyboard: the
    abort hot-key (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops it at once. Exit code 0 when every
    step was performed, 1 otherwise.

    Example: demopack replay last --dry-run
    """
    if not dry_run and not yes and not sys.stdin.isatty():
        raise click.UsageError("A replay takes over mouse and keyboard. Outside a terminal, say so with --yes.")
    from demopack.settings import load_settings

    settings = load_settings()
    with _source(name, chosen, library) as (demo, images):
        if not dry_run and not yes:
            allow_launch = _ask(demo, settings, allow_launch=allow_launch)
        report = _run(
            demo, images, _paced(settings, slow=slow), dry_run=dry_run, allow_launch=allow_launch, quiet=as_json
        )
    if as_json:
        emit(report.to_json())
    else:
        click.echo(_summary(report))
    if not report.success:
        sys.exit(1)


@contextlib.contextmanager
def _source(name: str, chosen: str | None, library: Path | None) -> Generator[tuple[Demo, FrameStore]]:
    """The demo and its pictures, from a pack or from the library."""
    path = Path(name)
    if path.suffix == ".zip" or (name != "last" and path.exists()):
        from demopack.pack import read_pack

        with read_pack(path) as pack:
            yield _choose(pack.demos, chosen, path), pack
        return
    with open_library(library, create=False) as opened:
        yield opened.demo(opened.find(name)), opened


def _choose(demos: list[Demo], chosen: str | None, path: Path) -> Demo:
    fitting = [
        demo
        for demo in demos
        if chosen is None or demo.head.id.removeprefix("demo_").startswith(chosen.removeprefix("demo_"))
    ]
    if len(fitting) == 1:
        return fitting[0]
    ids = ", ".join(demo.head.id for demo in demos) or "none"
    raise BadInputError(
        f"The pack {path} holds {len(demos)} demos: {ids}."
        if chosen is None
        else f"The pack {path} has no one demo {chosen!r}; it has {ids}.",
        hint="Choose one with --demo.",
    )


def _paced(settings: Settings, *, slow: bool) -> Settings:
    if not slow:
        return settings
    player = settings.player.model_copy(update={"pointer_px_s": 500.0, "typing_interval_ms": 80.0, "pause_s": 1.0})
    return settings.model_copy(update={"player": player})


def _ask(demo: Demo, settings: Settings, *, allow_launch: bool) -> bool:
    """Ask before the screen is taken over, and count down; returns whether programs may be started."""
    from demopack.domain.words import shorten

    task = f" of “{shorten(demo.head.task, 60)}”" if demo.head.task else ""
    click.echo(
        f"demopack will use this screen's mouse and keyboard for the {len(demo.steps)} steps{task}.\n"
        f"  To stop it at once: press {settings.recorder.hotkeys.abort_replay}, "
        "or push the pointer into a corner of the screen.\n"
        "  Bring the screen to where the demo begins; this terminal may cover what it needs."
    )
    apps = sorted({step.action.parameters["app"] for step in demo.steps if step.action.action_type == "launch"})
    if apps and not allow_launch:
        allow_launch = click.confirm(f"It starts these programs: {', '.join(apps)}. Allow that?", default=False)
    click.confirm("Start?", default=True, abort=True)
    for left in range(_COUNTDOWN_S, 0, -1):
        click.echo(f"\r\x1b[KStarting in {left} s; Ctrl-C to leave ", nl=False)
        time.sleep(1)
    click.echo("\r\x1b[K", nl=False)
    return allow_launch


def _run(
    demo: Demo, images: FrameStore, settings: Settings, *, dry_run: bool, allow_launch: bool, quiet: bool
) -> ReplayReport:
    from demopack.jobs import CancelToken, JobControl
    from models.vision.finder import open_finder
    from player.backends import open_performer
    from player.lazy_finder import LazyFinder
    from player.replay import Replay
    from recorder.backends import open_input, open_screen

    token = CancelToken()
    with contextlib.ExitStack() as stack:
        screen = performer = inputs = None
        try:
            screen = open_screen()
            stack.callback(screen.close)
        except CaptureError:
            if not dry_run:
                raise
        if not dry_run:
            performer = stack.enter_context(open_performer())
            # The hook hears a hot-key that is pressed while elements are looked for.
            with contextlib.suppress(*((CaptureError,) if performer.sees_keys else ())):
                inputs = open_input()
        replay = Replay(
            demo,
            images,
            finder=stack.enter_context(LazyFinder(lambda: open_finder(settings.vision))),
            screen=screen,
            performer=performer,
            settings=settings.player,
            abort_hotkey=settings.recorder.hotkeys.abort_replay,
            inputs=inputs,
            may_launch=lambda _: allow_launch,
        )
        stack.enter_context(_stopped_by_signals(token))
        return replay.run(
            control=JobControl(token=token), dry_run=dry_run, on_step=(lambda _: None) if quiet else _tell
        )


@contextlib.contextmanager
def _stopped_by_signals(token: CancelToken) -> Generator[None]:
    """SIGINT and SIGTERM end the replay in order, so that no key stays down."""

    def stop(_number: int, _frame: object) -> None:
        token.cancel()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(step: StepReport) -> None:
    how = f"  [{step.strategy} at {step.point[0]}, {step.point[1]}]" if step.strategy and step.point else ""
    click.echo(f"{step.index:3}  {step.action}{how}")
    if step.matched_after is False:
        places = ", ".join(f"{b.x1},{b.y1} {b.width}x{b.height}" for b in step.differing[:3])
        more = f" and {len(step.differing) - 3} more places" if len(step.differing) > 3 else ""
        click.echo(f"     ~ {step.share_after or 0:.1%} of the screen is as recorded; it differs at {places}{more}")
    if step.error:
        click.echo(f"     ! {step.error}")


def _summary(report: ReplayReport) -> str:
    done = sum(step.performed for step in report.steps)
    if report.dry_run:
        return f"Dry run: {done} of {report.total} steps would find their target; nothing was performed."
    words = f"{done} of {report.total} steps performed in {report.seconds:.1f} s"
    if report.matched is not None:
        words += f"; the screen was as recorded after {report.matched:.0%} of those compared"
    return f"{words}." + (f" Ended early: {report.stopped}" if report.stopped else "")
