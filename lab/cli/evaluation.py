"""``python -m lab eval``: how well elements are found on labelled screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack_cli.options import emit, job_control, json_option, wants_json

if TYPE_CHECKING:
    from lab.evaluation.figures import Figures
    from lab.evaluation.report import Report


@click.command(name="eval")
@click.argument("sets", nargs=-1, required=True, metavar="SET...", type=click.Path(path_type=Path))
@click.option(
    "--side",
    "sides",
    multiple=True,
    default=("test",),
    show_default=True,
    type=click.Choice(["train", "val", "test", "frozen"]),
    help="Measure screens of this side; may be given again.",
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Choice(["miniwob", "web", "qt", "apps", "library"]),
    help="Measure screens of this kind only; may be given again.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Most screens of each task, template, style or application.")
@click.option("--detector", metavar="NAME|PATH", help="Another detector than the settings name; empty for none.")
@click.option("--describer", metavar="NAME|PATH", help="Another describer than the settings name; empty for none.")
@click.option("--icons", metavar="NAME|PATH", help="Another icon network than the settings name; empty for none.")
@click.option("--describe-s", type=click.FloatRange(min=0, min_open=True), help="Longest time to describe a screen, s.")
@click.option("--worst", default=30, show_default=True, type=click.IntRange(min=0), help="How many screens are drawn.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Write report.json and a page here."
)
@json_option
def command(out: Path | None, **options: Any) -> None:  # noqa: ANN401 - passed on by name
    """Measure how well elements are found on screens whose truth is known. SET is a folder of such screens.

    With --out what is found is kept there, so that a measurement that was stopped goes on.

    Example: python -m lab eval screens -o measured
    """
    from lab.evaluation.run import PAGE, evaluate
    from models.vision.finder import open_finder

    if "frozen" in options["sides"]:
        options["worst"] = 0  # nobody looks at these
    with open_finder(_vision(options)) as finder:
        report = evaluate(
            options["sets"],
            finder,
            sides=options["sides"],
            sources=options["sources"],
            limit=options["limit"],
            worst=options["worst"],
            out=out,
            control=job_control(),
        )
    if wants_json():
        emit(report.to_json())
        return
    for line in _lines(report):
        click.echo(line)
    if out is not None:
        click.echo(f"The worst screens are drawn in {out / PAGE}")


def _vision(options: dict[str, Any]) -> Any:  # noqa: ANN401 - VisionSettings, imported only when needed
    from demopack.settings import VisionSettings, load_settings

    names = {"detector": "detector", "describer": "describer", "icons": "icons", "describe_s": "describe_s"}
    given = {name: options[option] for name, option in names.items() if options[option] is not None}
    # Screens of a set are no demo: each is looked at as if it were the first.
    changed = {**load_settings().vision.model_dump(), **given, "incremental": False}
    return VisionSettings.model_validate(changed)


_HEAD = (
    f"{'':24}{'screens':>8}{'elements':>9}{'F1@.5':>7}{'F1@.75':>7}{'leaves':>7}{'AP50':>7}{'type':>7}{'states':>7}"
    f"{'text':>7}{'cer':>7}{'icons':>7}{'shapes':>7}{'s':>7}{'p95':>7}"
)

_USE_HEAD = f"{'':24}{'true':>8}{'recall':>10}{'centre':>10}{'type':>10}{'precision':>10}"


def _lines(report: Report) -> list[str]:
    lines = [report.finder, _HEAD, _row("all", report.overall)]
    for name, figures in report.by_source.items():
        lines.append(_row(name, figures))
        if name in report.unseen:
            lines.append(_row("  never trained on", report.unseen[name]))
    lines.append(_USE_HEAD)
    for name, figures in (("all", report.overall), *report.by_source.items()):
        for what, use in (
            ("interactive", figures.interactive),
            ("controls", figures.controls),
            ("links", figures.links),
        ):
            shares = (use.recall, use.centre, use.type, use.precision)
            cells = "".join(f"{'-' if one.share is None else f'{one.share:.3f}':>10}" for one in shares)
            lines.append(f"{name:12}{what:12}{use.recall.of:>8}{cells}")
    if report.worker.ready_s is not None:
        memory = "" if report.worker.memory_mb is None else f", {report.worker.memory_mb:.0f} MB at most"
        lines.append(f"First answer after {report.worker.ready_s:.1f} s{memory}")
    return lines


def _row(name: str, figures: Figures) -> str:
    shares = (
        figures.at50.f1,
        figures.at75.f1,
        figures.leaves.f1,
        figures.agnostic.ap50 if figures.agnostic else None,
        figures.type.share,
        figures.states.share,
        figures.text.exact.share,
        figures.text.error_rate,
        figures.icon.share,
        figures.shape.share,
    )
    seconds = (figures.seconds_screen.median, figures.seconds_screen.p95)
    cells = "".join(f"{'-' if share is None else f'{share:.3f}':>7}" for share in shares)
    cells += "".join(f"{'-' if value is None else f'{value:.2f}':>7}" for value in seconds)
    return f"{name:24}{figures.screens:>8}{figures.at50.truth:>9}{cells}"
