"""``demopack doctor``: one line a thing, green or the exact way to mend it."""

from __future__ import annotations

from pathlib import Path

import click

from demopack.cli.options import emit, json_option, library_option

__all__ = ["command"]


@click.command(name="doctor")
@library_option
@json_option
def command(library: Path | None, as_json: bool) -> None:
    """Say what works on this machine, and how to mend what does not.

    Exit code 1 when something that recording or annotating needs is missing.

    Example: demopack doctor
    """
    from demopack.cli.checks import run_checks

    checks = run_checks(library)
    if as_json:
        emit([check.to_json() for check in checks])
    else:
        for check in checks:
            mark = "ok  " if check.ok else "--  " if check.optional else "FAIL"
            click.echo(f"{mark} {check.what}: {check.found}")
            if not check.ok and check.mend:
                click.echo(f"       {check.mend}")
    if any(not check.ok and not check.optional for check in checks):
        raise click.exceptions.Exit(1)
