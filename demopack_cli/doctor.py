"""``demopack doctor``: one line a thing, green or the exact way to mend it."""

from __future__ import annotations

from pathlib import Path

import click

from demopack_cli.options import json_option, library_folder, library_option, print_result, say


@click.command(name="doctor")
@library_option
@json_option
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write everything that helps others to help into this file (- prints it), without names and private paths.",
)
def command(report: Path | None) -> None:
    """Say what works on this machine, and how to mend what does not.

    Exit code 1 when something that recording or annotating needs is missing; with --report only when it cannot be
    written.

    Example: demopack doctor --report demopack-report.txt
    """
    from demopack.atomic import write_text_atomic
    from demopack_cli.checks import run_checks

    checks = run_checks(library_folder())
    if report is not None:
        from demopack_cli.doctor_report import doctor_report

        text = doctor_report(checks, library_folder())
        if str(report) == "-":
            say(text, nl=False)
            return
        write_text_atomic(report, text)
        say(f"Written to {report}. Names and private folders were left out; read it before you send it.", err=True)
        return
    lines: list[str] = []
    for check in checks:
        mark = "ok  " if check.ok else "--  " if check.optional else "FAIL"
        lines.append(f"{mark} {check.what}: {check.found}")
        lines += [f"       {check.mend}"] if check.mend and not check.ok else []
    ok = all(check.ok or check.optional for check in checks)
    print_result([check.to_json() for check in checks], lines, ok=ok)
