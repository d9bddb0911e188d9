"""``demopack rationale``."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from demopack.cli.options import count, emit, job_control, json_option, library_option, open_library

__all__ = ["command"]


@click.command(name="rationale")
@click.argument("demos", nargs=-1, required=True, metavar="DEMO...")
@library_option
@json_option
@click.option("--overwrite", is_flag=True, help="Replace what a program wrote before; a person's words stay.")
def command(demos: tuple[str, ...], library: Path | None, as_json: bool, overwrite: bool) -> None:
    """Write a rationale for every step that has none. DEMO is its id, the beginning of it, or "last".

    Example: demopack rationale last
    """
    from models.language.template import TemplateWriter
    from models.language.write import write_rationales

    control, writer = job_control(), TemplateWriter()
    reports: list[dict[str, object]] = []
    with open_library(library, create=False) as opened:
        for key in [opened.find(demo) for demo in demos]:
            report = write_rationales(opened, key, writer, control=control, overwrite=overwrite)
            reports.append(dataclasses.asdict(report))
            if as_json:
                continue
            kept = f", {report.kept} kept ({report.human} by a person)" if report.kept else ""
            click.echo(f"{report.demo}: {count(report.written, 'rationale')} written{kept} ({report.writer})")
            if report.refused:
                numbers = ", ".join(map(str, report.refused))
                click.echo(f"  ! step {numbers}: the text named something that is not on the screen; not stored")
            demo = opened.demo(key)
            unparsed = sum(step.before is not None and step.before.id not in demo.parsed for step in demo.steps)
            if unparsed:
                better = f"`demopack parse {report.demo}` makes better words"
                click.echo(f"  ! elements were not yet looked for on {count(unparsed, 'step')}; {better}")
    if as_json:
        emit(reports)
