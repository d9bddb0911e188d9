"""``python -m lab ablate``: what each rule of parsing is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from demopack_cli.options import emit, job_control, json_option, wants_json


@click.command(name="ablate")
@click.argument("sets", nargs=-1, required=True, metavar="SET...", type=click.Path(path_type=Path))
@click.option(
    "--side", "sides", multiple=True, default=("val",), show_default=True, type=click.Choice(["train", "val"])
)
@click.option("--limit", type=click.IntRange(min=1), help="Most screens of each task, template, style or application.")
@click.option(
    "--rule", "rules", multiple=True, metavar="NAME", help="This rule alone, or several as a+b; may be repeated."
)
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the table here as JSON.")
@json_option
def command(out: Path | None, **options: Any) -> None:  # noqa: ANN401 - passed on by name
    """Measure what each rule of parsing is worth: points (hundredths) that are lost without it.

    Never on the test side: a rule is not chosen by what measures it.

    Example: python -m lab ablate screens/web screens/qt -o ablation.json
    """
    from demopack.atomic import write_text_atomic
    from demopack.settings import load_settings
    from lab.evaluation.ablation import ablate

    given = {"rules": options["rules"]} if options["rules"] else {}
    found = ablate(
        options["sets"],
        load_settings().vision,
        sides=options["sides"],
        limit=options["limit"],
        control=job_control(),
        **given,
    )
    if out is not None:
        write_text_atomic(out, found.model_dump_json(indent=2) + "\n")
    if wants_json():
        emit(found.model_dump(mode="json"))
        return
    click.echo(", ".join(f"{count} screens of {source}" for source, count in found.screens.items()))
    for row in found.rows:
        click.echo(f"{row.rule or 'all rules':18}{row.worth if row.rule else 0:>7.2f}")
        for source, points in row.points.items():
            cells = "  ".join(f"{name} {'-' if value is None else f'{value:.2f}'}" for name, value in points.items())
            click.echo(f"    {source:10}{cells}")
