"""``demopack``: without a command the app, with one that command. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from demopack import __version__
from demopack.errors import CancelledError, DemopackError
from demopack_cli.options import LIBRARY, emit, error_json, say, shared_option, stop_output

_EVENT_STREAMS: Final = {"record", "desktop"}
"""Commands each line of which is an event with ``--json``: an error is none, and stands on standard error alone."""
STOPPED: Final = 130
"""Exit code of a command that a person stopped."""

# Name -> (module with a click command called ``command``, the line that `demopack --help` shows).
# The help lines stand here so that showing them imports nothing else.
COMMANDS: dict[str, tuple[str, str]] = {
    "record": ("demopack_cli.record", "Record what you do on this screen."),
    "desktop": ("demopack_cli.desktop", "Open a desktop in a window, to record and replay in."),
    "forget": ("demopack_cli.forget", "Remove the last seconds of a recording for good."),
    "list": ("demopack_cli.list_demos", "List the demos in the library."),
    "show": ("demopack_cli.show", "Show one demo, step by step."),
    "parse": ("demopack_cli.parse", "Find the UI elements on a demo's screenshots."),
    "annotate": ("demopack_cli.annotate", "Open the editor."),
    "rationale": ("demopack_cli.rationale", "Write a rationale for every step."),
    "judge": ("demopack_cli.judge", "Say which steps were wrong, and whether the task was done."),
    "redact": ("demopack_cli.redact", "Find what may be private in a demo, and replace it."),
    "export": ("demopack_cli.export", "Write demos as a demo pack."),
    "annotations": ("demopack_cli.annotations", "Bring elements to labelling programs and back, and compare them."),
    "decisions": ("demopack_cli.decisions", "Print what people decided about suggested elements."),
    "import": ("demopack_cli.import_demos", "Bring demos of other programs, and packs, into the library."),
    "check": ("demopack_cli.check", "Check a demo pack against the rules."),
    "pack": ("demopack_cli.pack", "Split, merge, compare and count demo packs."),
    "prompt": ("demopack_cli.prompt", "Print a prompt with the demos that fit a task."),
    "score": ("demopack_cli.score", "Score a model's answers against a demo pack."),
    "replay": ("demopack_cli.replay", "Perform a demo again on this screen."),
    "observe": ("demopack_cli.observe", "List what is on this screen now."),
    "act": ("demopack_cli.act", "Perform LLMResponses on this screen."),
    "mcp": ("demopack_cli.mcp", "Serve this screen and the demos to another agent."),
    "bench": ("demopack_cli.bench", "Measure agents on tasks that judge themselves."),
    "agent": ("demopack_cli.agent", "Let a language model do a task on this screen."),
    "launch": ("demopack_cli.launch", "Start a browser that tells what its pages show."),
    "train": ("demopack_cli.train", "Train the models that find and describe elements."),
    "models": ("demopack_cli.models", "List, choose and compare models."),
    "tasks": ("demopack_cli.tasks", "Collect tasks with their plans, and choose those worth doing."),
    "doctor": ("demopack_cli.doctor", "Say what works here, and how to mend what does not."),
    "repair": ("demopack_cli.repair", "Mend a damaged library, and say what could not be saved."),
    "quickstart": ("demopack_cli.quickstart.command", "Make a first demo pack, all by itself."),
}


# Commands that went to the laboratory, which is no part of an installation: name -> how it is called there.
MOVED = {"screens": "python -m lab screens", "eval-vision": "python -m lab eval"}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def __init__(self, *, table: Mapping[str, tuple[str, str]], moved: Mapping[str, str], **attributes: Any) -> None:  # noqa: ANN401 - click's own
        """A group of commands.

        Args:
            table: name -> (module with a click command called ``command``, its line in the help).
            moved: name of a command that is elsewhere now -> how it is called there.
            attributes: of a click group.
        """
        super().__init__(**attributes)
        self._table, self._moved = table, moved

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of a person's work."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name in self._moved:
            return moved_command(cmd_name, self._moved[cmd_name])
        if cmd_name not in self._table:
            return None
        module = importlib.import_module(self._table[cmd_name][0])
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own
        """Run the command; with ``--json`` what ends it is told on standard output, too, as one line of JSON."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except (DemopackError, OSError, KeyboardInterrupt, click.Abort, click.ClickException) as error:
            if ctx.meta.get("json") and ctx.invoked_subcommand not in _EVENT_STREAMS:
                emit(error_json(error, _ending(error)[1]), indent=None)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._table.items()])


def moved_command(name: str, now: str) -> click.Command:
    """A command that only says what it is called now, and ends with 2, whatever it is given."""

    @click.command(name=name, add_help_option=False, context_settings={"ignore_unknown_options": True}, hidden=True)
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def command(arguments: tuple[str, ...]) -> None:  # noqa: ARG001 - accepted so that the sentence is what is said
        raise click.UsageError(f"This is done in a checkout of demopack now: {now} (see lab/README.md there).")

    return command


@click.command(
    cls=LazyGroup,
    table=COMMANDS,
    moved=MOVED,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="demopack")
@shared_option("--library", type=LIBRARY, help="Open this library in the app.")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Record demonstrations, correct them, explain them, export demo packs.

    Without a command the app opens.

    Example: demopack record --task "Log in and export the report"
    """
    if ctx.invoked_subcommand is None:
        from demopack_cli.annotate import open_app

        open_app()


def run() -> None:
    """Entry point of the console script."""
    _count_pixels()
    run_group(main)


def _count_pixels() -> None:
    """First of all on Windows: whatever looks at the screen, listens to input or shows windows counts by it."""
    if sys.platform == "win32":
        from demopack_cli.dpi_awareness import set_dpi_awareness

        set_dpi_awareness()


def run_app() -> None:
    """Entry point of the app by itself, which on Windows has no console: its errors are shown in a window there."""
    _count_pixels()
    tell = _tell_on_terminal if sys.stderr is not None else _tell_in_window
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # libraries write to them all the same
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
    try:
        run_group(main, tell=tell)
    except Exception as error:
        tell(f"demopack: {type(error).__name__}: {error}")
        raise


def _tell_in_window(words: str) -> None:
    from annotator.ui.failure_box import show_failure

    show_failure(words)


def _tell_on_terminal(words: str) -> None:
    say(words, err=True)


def run_group(group: click.Command, *, tell: Callable[[str], None] = _tell_on_terminal) -> None:
    """Run a command line to its end: errors become one clear sentence and exit code 1, bad usage is 2.

    Args:
        group: of the commands.
        tell: given that sentence.
    """
    code, words = 1, ""
    try:
        # Outside its standalone mode click returns the code that a command left with, instead of raising it.
        code = group.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except BrokenPipeError:
        # `demopack list | head`: the reader has what it wanted, and the interpreter must not flush into the pipe.
        stop_output()
    except (DemopackError, OSError, KeyboardInterrupt, click.Abort) as error:
        code, said = _ending(error)
        words = said if code == STOPPED else f"demopack: {said}"
    if words:
        tell(words)
    sys.exit(code)


def _ending(error: BaseException) -> tuple[int, str]:
    """The exit code and the sentence of an error that ends a command."""
    match error:
        case CancelledError():
            return STOPPED, str(error)
        case DemopackError():
            return 1, str(error)
        case OSError():
            return 1, _words_of(error)
        case click.ClickException():
            return error.exit_code, error.format_message()
        case _:
            return STOPPED, "Stopped; everything saved so far is kept."


def _words_of(error: OSError) -> str:
    """A sentence for a file or folder that the OS refuses; the library and packs have their own."""
    where = error.filename or "A file that is needed"
    if isinstance(error, PermissionError):
        return f"{where} may not be read or written. Check its permissions, or name another place."
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        disk = f"The disk that holds {error.filename}" if error.filename else "The disk"
        return f"{disk} is full; everything saved so far is safe. Make room and try again."
    return f"{where} cannot be used: {error.strerror or error}. Mend that, or name another place."


if __name__ == "__main__":
    run()
