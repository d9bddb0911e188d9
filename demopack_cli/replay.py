"""``demopack replay``."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack.errors import BadInputError, NotALibraryError
from demopack_cli.desktop import desktop_option, enter_desktop
from demopack_cli.options import (
    confirm,
    json_option,
    library_option,
    on_signals,
    open_library,
    plain,
    print_result,
    say,
    say_note,
    wants_json,
)
from demopack_cli.replay_values import ValueOptions, ValuesPlan, values_options

if TYPE_CHECKING:
    from demopack.domain.demos import Demo
    from demopack.domain.ports import FrameStore
    from demopack.domain.proofs import ProofKind, ReplayProof
    from demopack.jobs import JobControl
    from demopack.settings import Settings
    from player.replay import Replay
    from player.report import ReplayReport, StepReport
    from player.variables import FilledDemo

_COUNTDOWN_S = 5
_CHECK_S = 600.0


def _program_names(_context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Refuses what is no program: an option that stands where the name was forgotten, and nothing at all."""
    for name in names:
        if not name.strip() or name.startswith("-"):
            raise click.BadParameter(
                f"{name!r} is no program. Name one as the step does, for instance --allow-launch gedit."
            )
    return names


def _runnable(_context: click.Context, _parameter: click.Parameter, line: str | None) -> str | None:
    """Refuses a check that names no program, before anything is done."""
    import shutil

    from player.consent import command_words

    try:
        words = [] if line is None else command_words(line)
    except ValueError as error:
        raise click.BadParameter(f"{line!r} is no command line: {error}.") from error
    if line is not None and (not words or shutil.which(words[0]) is None):
        raise click.BadParameter(f"There is no program {words[0] if words else line!r} on this machine.")
    return line


@click.command(name="replay")
@click.argument("name", metavar="DEMO|PACK")
@click.option("--demo", "chosen", default=None, help="With a pack of several demos: which one.")
@click.option("--dry-run", is_flag=True, help="Perform nothing; say for each step what it would act on.")
@click.option("--yes", is_flag=True, help="Start at once, without asking; for scripts.")
@click.option(
    "--allow-launch", "allowed", multiple=True, metavar="PROGRAM", callback=_program_names,
    help="Let the demo start this program, named exactly as the step does; may be given several times.",
)  # fmt: skip
@click.option(
    "--unchecked-keys", is_flag=True,
    help="Send keys also where nothing tells whether they arrive where they did in the recording.",
)  # fmt: skip
@click.option(
    "--check", "check_line", metavar="COMMAND", callback=_runnable,
    help="Run this program afterwards: the demo counts as done again only if it ends with 0, for instance "
    "--check 'cmp saved.txt wanted.txt'.",
)  # fmt: skip
@values_options
@desktop_option
@click.option("--slow", is_flag=True, help="At a pace that a person can follow.")
@library_option
@json_option
def command(
    name: str,
    chosen: str | None,
    dry_run: bool,
    yes: bool,
    allowed: tuple[str, ...],
    unchecked_keys: bool,
    check_line: str | None,
    desktop: bool,
    slow: bool,
    **wanted: Any,  # noqa: ANN401 - the options of values_options
) -> None:
    """Perform a demo again on this screen and compare each step with what was recorded.

    DEMO is its id, the beginning of it, or "last"; PACK is a folder or a zip. It uses your mouse and keyboard: the
    abort hot-key (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops it at once. Keys are sent only into
    the window and the field that got them in the recording. Exit code 0 when every step was performed and did what it
    did in the recording, 1 otherwise. A demo of the library that was done again is marked, and packs carry the mark.

    Typed texts that are variables of the demo get other values with --set, or for each row of a table with --for-each;
    --dry-run names the variables.

    Example: demopack replay last --set name="Bo Li"
    """
    if not dry_run and not yes and not _at_terminal():
        raise click.UsageError("A replay takes over mouse and keyboard. Outside a terminal, say so with --yes.")
    if check_line is not None and wanted["table"] is not None:
        raise click.UsageError("--check looks at one result; it has no meaning with --for-each.")
    if desktop:
        enter_desktop()
    from demopack.settings import load_settings

    settings = load_settings()
    if slow:
        pace = {"pointer_px_s": 500.0, "typing_interval_ms": 80.0, "pause_s": 1.0}
        settings = settings.model_copy(update={"player": settings.player.model_copy(update=pace)})
    with _source(name, chosen) as (demo, images, origin):
        plan = ValuesPlan(
            demo, images, ValueOptions(**wanted), ask=not dry_run and _at_terminal(), dry_run=dry_run
        )  # fmt: skip
        if dry_run:
            with _stage(demo, images, settings, unchecked_keys=unchecked_keys, dry_run=True) as stage:
                _show(plan, stage)
            return
        with plan.rows() if plan.table is not None else contextlib.nullcontext() as rows:
            if rows is not None:
                rows.settle_begun(ask=not yes and _at_terminal())
            may_launch = set(allowed)
            asked = plan.first if rows is None else rows.next()
            if not yes and asked is not None:
                lines = [] if rows is None else rows.consent_lines()
                may_launch |= _ask(asked.demo, settings, origin, allowed, more=lines)
            with _stage(demo, images, settings, may_launch=may_launch, unchecked_keys=unchecked_keys) as stage:
                if rows is not None:
                    done = rows.run(stage.perform, stage.control)
                    print_result(rows.to_json(done), rows.summary(done), ok=done.success)
                    return
                report = stage.perform(plan.first, tell=_teller())
        failed = "" if check_line is None or not report.performed else _checked(check_line)
        proof = None
        if not failed and not plan.first.changes:
            proof = _prove(demo, images, report, kind="pictures" if check_line is None else "state")
    check = None if check_line is None or not report.performed else failed or "passed"
    data = {**report.to_json(), "check": check, "proof": None if proof is None else proof.to_json()}
    marked = "" if proof is None else f"\nMarked as done again: {proof.words()}."
    print_result(data, [_summary(report) + marked, *([failed] if failed else [])], ok=report.success and not failed)


def _show(plan: ValuesPlan, stage: _Stage) -> None:
    """Print what each step would act on, the variables, and what each row of a table would do; perform nothing."""
    if plan.table is not None and not wants_json():
        say("For the first row that can be done:")
    report = stage.perform(plan.first, tell=_teller())
    data, lines = {**report.to_json(), "variables": plan.to_json()}, [_summary(report)]
    if variables := plan.variables():
        lines += ["Variables:", *(f"  {one}" for one in variables)]
    if plan.table is not None:
        data["rows"] = rows = plan.dry_rows()
        lines += plan.row_lines(rows)
    print_result(data, lines, ok=report.success and not plan.problems)


def _checked(line: str) -> str:
    """Run the person's own check of the result; why it failed, empty where it did not."""
    import subprocess

    from demopack.processes import NO_CONSOLE
    from player.consent import command_words

    try:
        done = subprocess.run(
            command_words(line),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_CHECK_S,
            creationflags=NO_CONSOLE,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return f"The check could not be run: {line}\n{error}"
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    return "" if done.returncode == 0 else f"The check failed with {done.returncode}: {line}\n{said}".strip()


def _prove(demo: Demo, images: FrameStore, report: ReplayReport, *, kind: ProofKind) -> ReplayProof | None:
    """Mark a demo of the library as done again, where that is so; the mark."""
    from demopack.store import Library
    from player.replay_proof import proof_of, store_proof
    from recorder.sources import platform_name

    proof = proof_of(demo, report, kind=kind, platform=platform_name())
    if proof is not None and isinstance(images, Library):
        store_proof(images, demo, proof)
        return proof
    return None


def _teller() -> Callable[[StepReport], None]:
    return (lambda _: None) if wants_json() else _tell


def _at_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


@contextlib.contextmanager
def _source(name: str, chosen: str | None) -> Generator[tuple[Demo, FrameStore, str]]:
    """The demo, its pictures, and a warning where it is not one of the library's own; from a pack or the library."""
    path = Path(name)
    if path.suffix == ".zip" or len(path.parts) > 1 or (name != "last" and path.exists()):
        from demopack.pack import open_pack

        with open_pack(path) as pack:
            demo = _choose(list(pack.whole_demos()), chosen, path)
            yield demo, pack, _origin(demo)
        return
    with contextlib.ExitStack() as stack:
        try:
            opened = stack.enter_context(open_library(create=False))
        except NotALibraryError as error:
            if name == "last":
                raise
            raise BadInputError(
                f"There is no pack and no demo {name}. {error.user_message}", details=error.details, hint=error.hint
            ) from error
        yield opened.demo(opened.find(name)), opened, ""


def _origin(demo: Demo) -> str:
    """What is to be said about a pack's demo: whether it is as the library has it; empty where it is."""
    from demopack.errors import DemopackError

    try:
        with open_library(create=False) as opened:
            known: Demo = opened.demo(demo.head.id)
    except DemopackError:
        return "This pack comes from elsewhere: your library has no such demo. Read what it does before you allow it."
    if [step.action for step in known.steps] != [step.action for step in demo.steps]:
        return "This pack does other things than the demo of this name in your library. Read what it does."
    return ""


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
        f"The pack {path} holds {counted(len(demos), 'demo')}: {ids}."
        if chosen is None
        else f"The pack {path} has no one demo {chosen!r}; it has {ids}.",
        hint="Choose one with --demo.",
    )


def _ask(demo: Demo, settings: Settings, origin: str, allowed: Sequence[str], *, more: Sequence[str] = ()) -> set[str]:
    """Ask before the screen is taken over, and count down; returns the command lines that were allowed besides.

    ``more`` is shown below what is typed.
    """
    from demopack.domain.words import shorten
    from player.consent import keys_of, launches_of, printable, program_of, programs_of

    task = f" of “{printable(shorten(demo.head.task, 60))}”" if demo.head.task else ""
    say_note(f"demopack will use this screen's mouse and keyboard for the {counted(len(demo.steps), 'step')}{task}.")
    if origin:
        click.secho(plain(f"  ! {origin}"), bold=True, err=wants_json())
    say_note(f"  Programs it was recorded in: {', '.join(programs_of(demo)) or 'the recording does not tell'}")
    keys = keys_of(demo)
    say_note("  It types and presses:" if keys else "  It types nothing and presses no keys.")
    for one in keys:
        say_note(f"  {one.index:5}  {one.words}{f' in {one.program}' if one.program else ''}")
    for line in more:
        say_note(line)
    say_note(
        f"  To stop it at once: press {settings.recorder.hotkeys.abort_replay}, "
        "or push the pointer into a corner of the screen.\n"
        "  Bring the screen to where the demo begins; this terminal may cover what it needs."
    )
    commands: set[str] = set()
    for index, command in launches_of(demo):
        if program_of(command) in allowed or command in commands:
            say_note(f"  Step {index} starts, as allowed: {printable(command)}")
        elif confirm(f"Step {index} starts this program: {printable(command)}\nAllow it?"):
            commands.add(command)
    if not confirm("Start?"):
        say_note("Nothing was done.")
        sys.exit(1)
    for left in range(_COUNTDOWN_S, 0, -1):
        click.echo(f"\r\x1b[KStarting in {left} s; Ctrl-C to leave ", nl=False, err=wants_json())
        time.sleep(1)
    click.echo("\r\x1b[K", nl=False, err=wants_json())
    return commands


class _Stage:
    """The screen and everything that acts on it, for one replay or for many.

    Attributes:
        control: of all of them; cancelled by a signal.
    """

    def __init__(self, replay: Callable[[FilledDemo], Replay], control: JobControl, *, dry_run: bool) -> None:
        self.control = control
        self._replay = replay
        self._dry_run = dry_run

    def perform(self, filled: FilledDemo, *, tell: Callable[[StepReport], None] = lambda _: None) -> ReplayReport:
        """Perform a demo with its values, or say what it would act on; ``tell`` is called after each step."""
        return self._replay(filled).run(control=self.control, dry_run=self._dry_run, on_step=tell)


@contextlib.contextmanager
def _stage(
    demo: Demo,
    images: FrameStore,
    settings: Settings,
    *,
    may_launch: Collection[str] = (),
    unchecked_keys: bool,
    dry_run: bool = False,
) -> Generator[_Stage]:
    from demopack.jobs import CancelToken, JobControl
    from player.replay_stage import open_replay

    token = CancelToken()
    with contextlib.ExitStack() as stack:
        replay = stack.enter_context(
            open_replay(demo, images, settings, may_launch=may_launch, unchecked_keys=unchecked_keys, dry_run=dry_run)
        )
        # In order, so that no key stays down.
        stack.enter_context(on_signals(lambda _: token.cancel(), "SIGINT", "SIGTERM"))
        yield _Stage(replay, JobControl(token=token), dry_run=dry_run)


def _tell(step: StepReport) -> None:
    from player.report import FOUND_WORDS

    how = ""
    if step.strategy and step.point:
        how = f"  (found {FOUND_WORDS[step.strategy]}, at {step.point[0]}, {step.point[1]})"
    say(f"{step.index:3}  {step.action}{how}")
    if step.matched_after is False:
        places = ", ".join(f"{b.x1},{b.y1} {b.width}x{b.height}" for b in step.differing[:3])
        more = f" and {counted(len(step.differing) - 3, 'more place')}" if len(step.differing) > 3 else ""
        done = "" if step.effect is None else f"{step.effect:.0%} of what this step changed looks as recorded; "
        say(f"     ~ {done}{step.share_after or 0:.1%} of the screen does; it differs at {places}{more}")
    if step.error:
        say(f"     ! {step.error}")


def _summary(report: ReplayReport) -> str:
    done = sum(step.performed for step in report.steps)
    if report.dry_run:
        live = any(step.share_before is not None for step in report.steps)
        where = "the first on the screen as it is now, the others" if live else "all"
        find = "finds its" if report.total == 1 else "find their"
        steps = f"{done} of {counted(report.total, 'step')} {find} target"
        found = f"{steps}, {where} on the pictures of the recording"
        return f"Dry run: {found}; nothing was performed."
    words = f"{done} of {counted(report.total, 'step')} performed in {report.seconds:.1f} s"
    if report.matched is not None:
        words += f"; as recorded after {report.matched:.0%} of those compared"
    words += "."
    if report.first_difference:
        words += f"\nFirst difference: {report.first_difference}."
    return words + (f"\nEnded early: {report.stopped}" if report.stopped else "")
