"""``demopack agent``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from demopack.errors import BadInputError
from demopack_cli.desktop import desktop_option, enter_desktop
from demopack_cli.options import (
    confirm,
    json_option,
    library_option,
    on_signals,
    open_library,
    print_result,
    say_note,
    wants_json,
)

if TYPE_CHECKING:
    from demopack.codecs.recorded_demo import DemoSource
    from demopack.settings import LanguageSettings, Settings
    from demopack.store import Library
    from player.agent import Agent, AgentOptions, PlannedAction
    from player.observing import Eyes

_DIALECTS = ("llmresponse", "caap", "uipath", "lam", "ui-tars", "ui-tars-1.5", "qwen", "qwen2.5-vl")
_NEEDS_ELEMENTS = ("caap", "lam", "uipath")
"""Dialects whose answers name elements by their number or in words, and no places."""
LIBRARY_DEMOS = "library"
_FINISHES_NOTHING = "caap"
"""A dialect without a word for the end of a task."""


@click.command(name="agent")
@click.option("--task", default="", metavar="TEXT", help="What is to be done.")
@click.option(
    "--model", "model", default="", metavar="MODEL",
    help="Who decides: for instance openai:gpt-5-mini, ollama:qwen2.5vl:7b, or “model” for the one in the settings.",
)  # fmt: skip
@click.option(
    "--dialect", type=click.Choice(_DIALECTS), default="llmresponse", show_default=True,
    help="In which prompts are written and answers read.",
)  # fmt: skip
@click.option(
    "--demos", default="", metavar="PACK|library", help="Examples for the prompt: those that fit the task best."
)
@click.option("--shots", default=2, show_default=True, type=click.IntRange(0, 50), help="At most so many examples.")
@click.option(
    "--eyes", type=click.Choice(["all", "pixels", "picture"]), default="all", show_default=True,
    help="What is seen: what programs tell and models find; what models find; the picture alone, for models that see.",
)  # fmt: skip
@click.option(
    "--grounder", default="", metavar="MODEL",
    help="UiPath: a model that sees and points, as UI-TARS; it finds what the planner describes.",
)  # fmt: skip
@click.option("--max-steps", default=30, show_default=True, type=click.IntRange(1, 1000), help="Actions, at most.")
@click.option("--budget", type=click.FloatRange(min=0), metavar="DOLLARS", help="Spend no more than this now.")
@click.option(
    "--allow-window", "windows", multiple=True, metavar="TEXT",
    help="A program, or a part of a window's title, that may be seen and acted in; “*” for all. Several times, too.",
)  # fmt: skip
@click.option(
    "--allow-launch", "programs", multiple=True, metavar="PROGRAM", help="A program that may be started; several times."
)
@click.option("--yes", is_flag=True, help="Start at once, without asking; for scripts. Needs --allow-window.")
@click.option("--confirm-each", is_flag=True, help="Ask before each action.")
@click.option("--dry-run", is_flag=True, help="Ask the model once and show where it would act; perform nothing.")
@desktop_option
@library_option
@json_option
def command(
    task: str,
    model: str,
    dialect: str,
    demos: str,
    shots: int,
    eyes: Literal["all", "pixels", "picture"],
    grounder: str,
    max_steps: int,
    budget: float | None,
    windows: tuple[str, ...],
    programs: tuple[str, ...],
    yes: bool,
    confirm_each: bool,
    dry_run: bool,
    desktop: bool,
) -> None:
    """Let a language model do a task on this screen, step by step.

    It sees the windows that you allow and acts in them alone, with your mouse and keyboard. Each action is shown
    before it is done. The abort hot-key (Ctrl+Alt+Escape) or the pointer in a corner of the screen stops it at once.
    The run is kept in the library as a demo. Exit code 0 when the model says that the goal is reached, 1 otherwise.

    Example: demopack agent --task "Set the font size to 14" --model openai:gpt-5-mini --allow-window gedit

    Example: demopack agent --task "Log in as Ada" --demos my-pack --model ollama:qwen2.5vl:7b --dry-run
    """
    if not task.strip():
        raise click.UsageError('Say what is to be done, for instance --task "Log in as Ada".')
    if not model.strip():
        raise click.UsageError(
            "An agent needs a language model. Name one: --model SERVICE:MODEL, for instance openai:gpt-5-mini or "
            "ollama:qwen2.5vl:7b; --model model for the one in the settings."
        )
    if not windows and (yes or (dry_run and not sys.stdin.isatty())):
        option = "--yes" if yes else "--dry-run outside a terminal"
        raise click.UsageError(f"With {option}, say which windows are meant: --allow-window PROGRAM, or '*' for all.")
    if not yes and not dry_run and not sys.stdin.isatty():
        raise click.UsageError("An agent takes over mouse and keyboard. Outside a terminal, say so with --yes.")
    if confirm_each and not dry_run and not sys.stdin.isatty():
        raise click.UsageError("--confirm-each asks in a terminal, and there is none.")
    if grounder and dialect != "uipath":
        raise click.UsageError("--grounder is for --dialect uipath; other dialects name elements or places themselves.")
    if desktop:
        enter_desktop()
    from demopack.settings import load_settings
    from models.language.writers import settings_for

    settings = load_settings()
    language = settings_for(model.strip(), settings.language)
    points = settings_for(grounder.strip(), settings.language) if grounder.strip() else None
    _check(language, points, dialect=dialect, eyes=eyes)
    allowed = _ask(
        task, language, points, settings, windows, programs, eyes=eyes, dialect=dialect, yes=yes, dry_run=dry_run
    )
    given = _Given(
        task=task, settings=settings, language=language, points=points, eyes=eyes, windows=allowed, programs=programs,
        options=_options(dialect, shots=shots, max_steps=max_steps), budget=budget, confirm_each=confirm_each,
        dry_run=dry_run,
    )  # fmt: skip
    with open_library(create=True) as library, _source(demos, library) as source:
        _work(given, library, source)


def _options(dialect: str, *, shots: int, max_steps: int) -> AgentOptions:
    from demopack.clock import utc_now
    from demopack.prompting.prompt import PromptOptions
    from player.agent import AgentOptions

    day = utc_now().astimezone().date().isoformat()
    prompt = PromptOptions(shots=shots, budget=32_000)
    return AgentOptions(dialect=dialect, max_steps=max_steps, prompt=prompt, date=day)


def _check(language: LanguageSettings, points: LanguageSettings | None, *, dialect: str, eyes: Eyes) -> None:
    """Refuse what cannot work before anything is asked or opened.

    Raises:
        BadInputError: says what, and the way out.
    """
    from models.language.servers import server_of

    server, pointing = server_of(language), None if points is None else server_of(points)
    if pointing is not None and not pointing.sees:
        raise BadInputError(
            f"{pointing.name} takes no pictures, so it cannot point.",
            hint="Choose a model that sees, or say that this one does (setting language.sees).",
        )
    if eyes != "picture" or pointing is not None:
        return
    if not server.sees:
        raise BadInputError(
            f"{server.name} takes no pictures, and with --eyes picture it would get nothing else.",
            hint="Choose a model that sees, or say that this one does (setting language.sees).",
        )
    if dialect in _NEEDS_ELEMENTS:
        raise BadInputError(
            f"{dialect} names elements, and a picture alone has none.",
            hint="Use --eyes pixels, or a dialect with places, for instance --dialect ui-tars.",
        )


@contextlib.contextmanager
def _source(demos: str, library: Library) -> Generator[DemoSource | None]:
    from demopack.pack.reader import open_packs
    from demopack.prompting.library_demos import LibraryDemos

    if not demos:
        yield None
    elif demos == LIBRARY_DEMOS:
        yield LibraryDemos(library)
    else:
        with open_packs([Path(demos)]) as source:
            yield source


def _ask(
    task: str,
    language: LanguageSettings,
    points: LanguageSettings | None,
    settings: Settings,
    windows: Sequence[str],
    programs: Sequence[str],
    *,
    eyes: Eyes,
    dialect: str,
    yes: bool,
    dry_run: bool,
) -> tuple[str, ...]:
    """Say what will happen, and ask where something will be done; returns the names of the windows that are allowed."""
    from models.language.servers import is_local, server_of
    from player.consent import printable

    server = server_of(language)
    if yes:
        return tuple(windows)
    allowed = tuple(windows) or _choose_windows()
    where = "on this machine or in your network" if is_local(server.base_url) else f"at {server.base_url}"
    sent = "the picture and the texts" if server.sees else "the texts, and no picture,"
    verb = "show what it would do" if dry_run else "use this screen's mouse and keyboard"
    say_note(f"demopack will {verb} for “{printable(task)}”, as {server.name} decides.")
    say_note(f"  Windows that may be seen and acted in: {', '.join(map(printable, allowed))}")
    say_note(f"  Programs that may be started: {', '.join(map(printable, programs)) or 'none'}")
    say_note(f"  {server.name}, {where}, gets {sent} of these windows, {'once' if dry_run else 'again and again'}.")
    say_note("  Secure fields are painted over where their program tells of them; close what else nobody may see.")
    if points is not None:
        pointing = server_of(points)
        say_note(f"  {pointing.name} at {pointing.base_url} gets the picture of these windows, to point.")
    if eyes == "pixels":
        say_note("  What programs tell of their elements is not used.")
    if dialect == _FINISHES_NOTHING:
        say_note("  caap has no word for the end of a task: it works until all steps are used, or you stop it.")
    if not dry_run:
        say_note(
            f"  To stop it at once: press {settings.recorder.hotkeys.abort_replay}, "
            "or push the pointer into a corner of the screen."
        )
    if not dry_run and not confirm("Start?"):
        say_note("Nothing was done.")
        sys.exit(1)
    return allowed


def _choose_windows() -> tuple[str, ...]:
    """Ask which of the open windows are meant; all windows of their programs are."""
    from player.consent import printable
    from player.observing import EVERY_WINDOW, name_of
    from recorder.backends import open_windows

    with contextlib.closing(open_windows()) as source:
        known = source.is_known
        stack = source.read().stack
    names = list(dict.fromkeys(name for window in stack if (name := name_of(window))))
    if not known or not names:
        if confirm("Nobody tells which windows there are. Allow the whole screen?"):
            return (EVERY_WINDOW,)
        say_note("Nothing was done.")
        sys.exit(1)
    say_note("Which programs may be seen and acted in, with all their windows?")
    for number, name in enumerate(names, start=1):
        titles = [window.title for window in stack if name_of(window) == name and window.title]
        say_note(f"  {number}  {printable(name)}  {printable(', '.join(titles))}")
    while True:
        given = click.prompt("Numbers, for instance 1 or 1,3", err=wants_json()).replace(",", " ").split()
        chosen = [names[int(one) - 1] for one in given if one.isdigit() and 1 <= int(one) <= len(names)]
        if chosen and len(chosen) == len(given):
            return tuple(chosen)
        say_note(f"Write numbers from 1 to {len(names)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """What the person said, once it is complete."""

    task: str
    settings: Settings
    language: LanguageSettings
    points: LanguageSettings | None
    eyes: Eyes
    windows: Sequence[str]
    programs: Sequence[str]
    options: AgentOptions
    budget: float | None
    confirm_each: bool
    dry_run: bool


def _work(given: _Given, library: Library, source: DemoSource | None) -> None:
    """Do the task and print what came of it; with a dry run the first answer alone."""
    from demopack.jobs import CancelToken
    from demopack_cli.agent_terminal import TerminalWatcher, place_words, summary
    from models.language.client import LanguageClient
    from player.agent import Agent
    from player.consent import program_of
    from player.executor import open_executor
    from player.observing import windows_named
    from player.run_recorder import RunRecorder

    token = CancelToken()
    watcher = TerminalWatcher(token, confirm_each=given.confirm_each, quiet=wants_json())

    def stop(_: int) -> None:
        token.cancel()
        if watcher.is_asking:
            raise KeyboardInterrupt

    with contextlib.ExitStack() as stack:
        port, pointer = (
            None
            if one is None
            else stack.enter_context(
                contextlib.closing(LanguageClient(one, folder=library.folder, allowance=given.budget))
            )
            for one in (given.language, given.points)
        )
        assert port is not None
        hands = stack.enter_context(
            open_executor(
                given.settings,
                eyes=given.eyes,
                allowed=windows_named(given.windows),
                may_launch=lambda line: program_of(line) in given.programs,
                token=token,
            )
        )
        hands.require_window(given.windows)
        stack.enter_context(on_signals(stop, "SIGINT", "SIGTERM"))
        recorder = None
        if not given.dry_run:
            said = {
                "model": port.name,
                "grounder": "" if pointer is None else pointer.name,
                "dialect": given.options.dialect,
                "eyes": given.eyes,
                "max_steps": given.options.max_steps,
                "windows": list(given.windows),
            }
            finder = "" if given.eyes == "picture" else hands.finder
            recorder = stack.enter_context(RunRecorder(library, task=given.task, said=said, finder=finder))
        agent = Agent(
            hands,
            port,
            task=given.task,
            options=given.options,
            demos=source,
            recorder=recorder,
            watcher=watcher,
            pointer=pointer,
        )
        if recorder is not None:
            report = agent.run()
            data, lines, ok = report.to_json(), [*summary(report)], report.success
        else:
            data, lines, ok = *_first(agent, place_words), True
    print_result(data, lines, ok=ok)


def _first(agent: Agent, place_words: Callable[[PlannedAction], str]) -> tuple[dict[str, Any], list[str]]:
    """What the model would do on the screen now, for a program and for a person."""
    prompt, text, planned = agent.first_answer()
    actions = [
        {"words": one.words, "response": one.response.to_wire(), "place": one.place.to_json()} for one in planned
    ]
    sent = [message.to_json() for message in prompt.messages]
    data = {
        "prompt": prompt.version, "shots": list(prompt.shots), "messages": sent, "answer": text, "actions": actions,
    }  # fmt: skip
    return data, [text, "", *(f"{one.number:3}  {place_words(one)}" for one in planned), "Nothing was done."]
