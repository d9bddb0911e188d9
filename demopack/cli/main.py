"""``demopack``: without a command the app, with one that command. Nothing heavy is imported before it is needed."""

from __future__ import annotations

import errno
import importlib
import sys
from pathlib import Path

import click

from demopack import __version__
from demopack.cli.options import say, stop_output
from demopack.errors import CancelledError, DemopackError

__all__ = ["main", "run"]

# Name -> (module with a click command called ``command``, the line that `demopack --help` shows).
# The help lines stand here so that showing them imports nothing else.
COMMANDS: dict[str, tuple[str, str]] = {
    "record": ("demopack.cli.record", "Record what you do on this screen."),
    "forget": ("demopack.cli.forget", "Remove the last seconds of a recording for good."),
    "list": ("demopack.cli.list_demos", "List the demos in the library."),
    "show": ("demopack.cli.show", "Show one demo, step by step."),
    "parse": ("demopack.cli.parse", "Find the UI elements on a demo's screenshots."),
    "annotate": ("demopack.cli.annotate", "Open the editor."),
    "rationale": ("demopack.cli.rationale", "Write a rationale for every step."),
    "judge": ("demopack.cli.judge", "Say which steps were wrong, and whether the task was done."),
    "redact": ("demopack.cli.redact", "Find what may be private in a demo, and replace it."),
    "export": ("demopack.cli.export", "Write demos as a demo pack."),
    "annotations": ("demopack.cli.annotations", "Bring elements to labelling programs and back, and compare them."),
    "decisions": ("demopack.cli.decisions", "Print what people decided about suggested elements."),
    "import": ("demopack.cli.import_demos", "Bring demos of other programs, and packs, into the library."),
    "check": ("demopack.cli.check", "Check a demo pack against the rules."),
    "pack": ("demopack.cli.pack", "Split, merge, compare and count demo packs."),
    "prompt": ("demopack.cli.prompt", "Print a prompt with the demos that fit a task."),
    "score": ("demopack.cli.score", "Score a model's answers against a demo pack."),
    "replay": ("demopack.cli.replay", "Perform a demo again on this screen."),
    "screens": ("demopack.cli.screens", "Draw screens whose truth is known, to train and measure the models."),
    "train": ("demopack.cli.train", "Train the models that find and describe elements."),
    "models": ("demopack.cli.models", "List, choose and compare models."),
    "eval-vision": ("demopack.cli.eval_vision", "Measure how well elements are found on screens with truth."),
    "doctor": ("demopack.cli.doctor", "Say what works here, and how to mend what does not."),
    "repair": ("demopack.cli.repair", "Mend a damaged library, and say what could not be saved."),
    "quickstart": ("demopack.cli.quickstart", "Make a first demo pack, all by itself."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of a person's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(COMMANDS[cmd_name][0])
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.command(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="demopack")
@click.option(
    "--library", type=click.Path(path_type=Path, readable=False), default=None, help="Open this library in the app."
)
@click.pass_context
def main(ctx: click.Context, library: Path | None) -> None:
    """Record demonstrations, correct them, explain them, export demo packs.

    Without a command the app opens.

    Example: demopack record --task "Log in and export the report"
    """
    if ctx.invoked_subcommand is None:
        from demopack.cli.annotate import open_app

        open_app(library, demo=None)


def run() -> None:
    """Entry point of the console script: errors become one clear sentence and exit code 1, bad usage is 2."""
    try:
        # Outside its standalone mode click returns the code that a command left with, instead of raising it.
        sys.exit(main.main(standalone_mode=False))
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except CancelledError as error:
        say(str(error), err=True)
        sys.exit(130)
    except (KeyboardInterrupt, click.Abort):
        say("Stopped; everything saved so far is kept.", err=True)
        sys.exit(130)
    except DemopackError as error:
        say(f"demopack: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # `demopack list | head`: the reader has what it wanted, and the interpreter must not flush into the pipe.
        stop_output()
        sys.exit(1)
    except OSError as error:
        say(f"demopack: {_words_of(error)}", err=True)
        sys.exit(1)


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
