"""Options and output that every command shares."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from demopack.jobs import JobControl, Progress

_F = TypeVar("_F", bound=Callable[..., Any])
_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""They turn the order of what follows round, so that a name reads as another."""
_STEERING = (*range(9), *range(11, 32), *range(0x7F, 0xA0))
_HALVES = range(0xD800, 0xE000)
_ESCAPES = {code: f"\\u{code:04x}" for code in (*_TURNING, *range(0x7F, 0xA0), *_HALVES)}
_SHOWN = {**_ESCAPES, **{code: f"\\x{code:02x}" for code in _STEERING}}


PATH: Final = click.Path(path_type=Path)
FILE: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)


def shared_option(*names: str, **attributes: Any) -> Callable[[_F], _F]:  # noqa: ANN401 - click's own
    """An option that the functions here ask for, instead of the command."""

    def remember(context: click.Context, parameter: click.Parameter, value: object) -> None:
        context.meta[str(parameter.name)] = value

    return click.option(*names, expose_value=False, callback=remember, **attributes)


# Rights are the library's own business: it says what to do about them.
LIBRARY: Final = click.Path(path_type=Path, readable=False)
library_option = shared_option(
    "--library", type=LIBRARY, help="The library folder; default: $DEMOPACK_LIBRARY or the platform's data folder."
)
json_option = shared_option("--json", is_flag=True, help="Print JSON, for programs.")


def wants_json() -> bool:
    """Whether the command that runs was called with ``--json``."""
    return bool(click.get_current_context().meta.get("json"))


def library_folder() -> Path:
    """The folder that ``--library`` names, or the default one."""
    from demopack.settings import default_library_dir

    return click.get_current_context().meta.get("library") or default_library_dir()


def open_library(*, create: bool) -> Any:  # noqa: ANN401 - Library, imported only when needed
    """The library of :func:`library_folder`; says so where it is made of an empty file."""
    from demopack.store import Library

    where = library_folder()
    file = where / "library.db"
    empty = os.path.isfile(file) and not os.path.getsize(file)  # noqa: PTH113, PTH202 - no error where it is locked up
    library = Library.open(where, create=create)
    if empty:
        say(f"{file} was empty and is a new library now. If there were demos in it, put a copy of it back.", err=True)
    return library


def emit(data: object, *, indent: int | None = 2) -> None:
    """One JSON document on standard output; without ``indent`` on one line."""
    # As escapes the signs mean the same to a program.
    click.echo(json.dumps(data, ensure_ascii=False, indent=indent).translate(_ESCAPES))


def error_json(error: BaseException, words: str) -> dict[str, object]:
    """What ended a command, as plain JSON for a program.

    ``code`` is ``unreadable`` for a response that breaks the contract (``mistake`` and ``field`` say how), ``stopped``
    where a person ended it, that of a replay's error, else ``failed``; ``error`` has the words.
    """
    from demopack.errors import ActionError, CancelledError, ReplayError

    data: dict[str, object] = {"code": "failed", "error": words}
    match error:
        case ActionError():
            data |= {"code": "unreadable", "mistake": error.code, "field": error.field}
        case ReplayError():
            data["code"] = error.code
        case CancelledError() | KeyboardInterrupt() | click.Abort():
            data["code"] = "stopped"
        case _:
            pass
    return data


def plain(text: str) -> str:
    """A text as a terminal may show it: what would steer it, or turn the order of letters round, stands there by name.

    Line ends and tabs stay.
    """
    return text.translate(_SHOWN)


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text that may hold what somebody else wrote, see :func:`plain`."""
    click.echo(plain(text), err=err, nl=nl)


def say_note(text: str) -> None:
    """Print what is no result: with ``--json`` on standard error, so that the JSON stands alone."""
    say(text, err=wants_json())


def confirm(question: str) -> bool:
    """Ask a person, who has to say yes; with ``--json`` on standard error."""
    return click.confirm(question, default=False, err=wants_json())


def print_result(data: object, lines: Iterable[str], *, ok: bool = True) -> None:
    """Print a result: as JSON for a program, or line by line for a person; exit code 1 where it is not ``ok``."""
    if wants_json():
        emit(data)
    else:
        for line in lines:
            say(line)
    if not ok:
        raise click.exceptions.Exit(1)


def stop_output() -> None:
    """Whoever read standard output has gone: nothing more goes there, not even at the end of the interpreter."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def on_signals(stop: Callable[[int], None], *names: str) -> Generator[None]:
    """Have ``stop`` called with the number of each of these signals that the system knows, while the block runs."""
    known = [number for name in names if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.signal(number, lambda number, _: stop(number)) for number in known}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def job_control() -> JobControl:
    """Progress on a terminal, silence in a pipe."""
    if not sys.stderr.isatty():
        return JobControl()

    def report(progress: Progress) -> None:
        of = f"/{progress.total}" if progress.total else ""
        click.echo(f"\r\x1b[K{progress.done}{of} {plain(progress.text)}", err=True, nl=progress.done == progress.total)

    return JobControl(report=report)
