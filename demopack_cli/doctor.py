"""``demopack doctor``: one line a thing, green or the exact way to mend it."""

from __future__ import annotations

import click

from demopack_cli.options import json_option, library_folder, library_option, print_result


@click.command(name="doctor")
@library_option
@json_option
def command() -> None:
    """Say what works on this machine, and how to mend what does not.

    Exit code 1 when something that recording or annotating needs is missing.

    Example: demopack doctor
    """
    from demopack_cli.checks import run_checks

    checks = run_checks(library_folder())
    lines: list[str] = []
    for check in checks:
        mark = "ok  " if check.ok else "--  " if check.optional else "FAIL"
        lines.append(f"{mark} {check.what}: {check.found}")
        lines += [f"       {check.mend}"] if check.mend and not check.ok else []
    ok = all(check.ok or check.optional for check in checks)
    print_result([check.to_json() for check in checks], lines, ok=ok)
