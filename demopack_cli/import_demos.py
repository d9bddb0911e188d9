"""``demopack import``."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack_cli.options import PATH, job_control, json_option, library_option, open_library, print_result

if TYPE_CHECKING:  # `demopack import --help` must not pay for the importers
    from demopack.domain.geometry import Size

FORMATS = ("auto", "pack", "agentnet", "ducktrack", "osworld", "openadapt", "openadapt-capture", "ufo")
"""As the catalogue has them; a test holds the two together. Written out so that --help imports nothing."""


def _size(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Size | None:
    from demopack.domain.geometry import Size

    if value is None:
        return None
    width, _, height = value.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise click.BadParameter(f"{value!r} is no size; write it as 1920x1080.")
    return Size(int(width), int(height))


@click.command(name="import")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PATH)
@click.option("--format", "format_name", type=click.Choice(FORMATS), default="auto", show_default=True,
              help="What the files are; “auto” looks into them.")  # fmt: skip
@click.option("--task", default="", metavar="TEXT", help="The task of demos whose files do not say it.")
@click.option(
    "--coordinates",
    type=click.Choice(["auto", "pixels", "fractions", "percent", "thousand"]),
    default="auto",
    show_default=True,
    help="How places are written, where the files leave a doubt.",
)
@click.option("--screen", callback=_size, metavar="WxH", help="The screen that pixels are for, if not the picture.")
@click.option("--skip-bad", is_flag=True, help="Leave out what cannot be read, and count it, instead of stopping.")
@click.option("--dry-run", is_flag=True, help="Only say what would happen; nothing is stored.")
@library_option
@json_option
def command(
    paths: tuple[Path, ...],
    format_name: str,
    dry_run: bool,
    **given: Any,  # noqa: ANN401 - the options of an import
) -> None:
    """Bring demos of other programs, and our own packs, into the library.

    PATH is a folder, a zip or a file. Nothing is guessed silently: the report lists what was assumed, what could not
    be carried, and how many rows came in and went where. A demo that is in the library already is left alone.

    Example: demopack import agentnet.jsonl --dry-run

    Example: demopack import their-pack.zip runs/osworld --json
    """
    from demopack.codecs.files.base import ImportOptions
    from demopack.pack.import_demos import import_demos, report_text

    options = ImportOptions(**given)
    with contextlib.nullcontext() if dry_run else open_library(create=True) as opened:
        report = import_demos(paths, opened, format=format_name, options=options, control=job_control())
    lines = list(report_text(report))
    if dry_run:
        lines.append("Nothing was stored.")
    print_result(report.to_json(), lines)
