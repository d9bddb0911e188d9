"""``demopack parse``."""

from __future__ import annotations

import dataclasses

import click

from demopack.domain.words import counted
from demopack_cli.options import emit, job_control, json_option, library_option, open_library, say, wants_json


@click.command(name="parse")
@click.argument("demos", nargs=-1, required=True, metavar="DEMO...")
@library_option
@json_option
@click.option("--force", is_flag=True, help="Parse again what was parsed before; a person's elements stay.")
def command(demos: tuple[str, ...], force: bool) -> None:
    """Find the UI elements on a demo's screenshots. DEMO is its id, the beginning of it, or "last".

    Screens that were parsed before are skipped, so that a parse which was stopped goes on where it was.

    Example: demopack parse last
    """
    from demopack.settings import load_settings
    from models.vision.demo_parsing import parse_demo
    from models.vision.finder import open_finder

    control = job_control()
    reports: list[dict[str, object]] = []
    with open_library(create=False) as opened, open_finder(load_settings().vision) as finder:
        for key in [opened.find(demo) for demo in demos]:
            report = parse_demo(opened, key, finder, control=control, force=force)
            reports.append(dataclasses.asdict(report))
            if wants_json():
                continue
            old = f", {report.skipped} parsed before" if report.skipped else ""
            found = f"{counted(report.elements, 'element')} on {counted(report.frames, 'screen')}{old}"
            have = "has" if report.bound == 1 else "have"
            bound = f"{counted(report.bound, 'step')} {have} a target ({report.seconds:.1f} s, {report.finder})"
            say(f"{report.demo}: {found}; {bound}")
            if report.unbound:
                numbers = ", ".join(map(str, report.unbound))
                say(f"  ! no element at step {numbers}; draw it in the editor: demopack annotate {report.demo}")
            for program in report.silent:
                say(f"  ! {program} tells nothing about its controls: they were found in the pictures alone")
    if wants_json():
        emit(reports)
