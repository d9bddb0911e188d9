"""Options and output that every command shares."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from demopack.jobs import JobControl, Progress

__all__ = ["count", "emit", "job_control", "json_option", "library_option", "open_library", "stop_output"]

_F = TypeVar("_F", bound=Callable[..., Any])


def library_option(function: _F) -> _F:
    """``--library DIR``."""
    return click.option(
        "--library",
        # Rights are the library's own business: it says what to do about them.
        type=click.Path(path_type=Path, readable=False),
        default=None,
        help="The library folder; default: $DEMOPACK_LIBRARY or the platform's data folder.",
    )(function)


def json_option(function: _F) -> _F:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(function)


def open_library(folder: Path | None, *, create: bool) -> Any:  # noqa: ANN401 - Library, imported only when needed
    """The library that ``--library`` names, or the default one."""
    from demopack.settings import default_library_dir
    from demopack.store import Library

    return Library.open(folder or default_library_dir(), create=create)


def emit(data: object) -> None:
    """One JSON document on standard output."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def count(number: int, thing: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def stop_output() -> None:
    """Whoever read standard output has gone: nothing more goes there, not even at the end of the interpreter."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def job_control() -> JobControl:
    """Progress on a terminal, silence in a pipe."""
    if not sys.stderr.isatty():
        return JobControl()

    def report(progress: Progress) -> None:
        of = f"/{progress.total}" if progress.total else ""
        click.echo(f"\r\x1b[K{progress.done}{of} {progress.text}", err=True, nl=progress.done == progress.total)

    return JobControl(report=report)
