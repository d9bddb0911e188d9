"""``python -m lab screens``: draws screens whose truth is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from demopack.domain.words import counted
from demopack_cli.options import emit, job_control, json_option, wants_json

if TYPE_CHECKING:
    from lab.screens.sources import ScreenSource
    from models.training.labelled_screens import Split
    from models.training.ultralytics_data import ConversionResult

_SOURCES = ("miniwob", "web", "sites", "qt", "apps")
_SIDES: Final[tuple[Split, ...]] = ("train", "val", "test")
_ALL_SIDES: Final[tuple[Split, ...]] = (*_SIDES, "frozen")
_FORMS = ("ultralytics", "coco", "pix2struct")


@click.group(name="screens")
def command() -> None:
    """Draw screens whose truth is known: what the models are trained on and measured by.

    Example: python -m lab screens make qt -o out/screens/qt --count 200
    """


@command.command(name="make")
@click.argument("source", type=click.Choice(_SOURCES))
@click.option("-o", "--out", "folder", type=click.Path(path_type=Path), required=True, help="The folder of the set.")
@click.option("--count", "wanted", type=click.IntRange(min=1), default=200, show_default=True, help="Screens, about.")
@click.option("--side", type=click.Choice(_ALL_SIDES), default="train", show_default=True, help="What they are for.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other screens.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Renderers at once.")
@click.option("--raw", type=click.Path(path_type=Path, file_okay=False), help="apps: keep what was read, use it again.")
@json_option
def make(source: str, folder: Path, wanted: int, side: str, seed: int, workers: int, raw: Path | None) -> None:
    """Draw screens of one source. What is there already is kept, so that a run which was stopped goes on.

    miniwob needs the miniwob package and Chromium, web Chromium and the npm client, sites (real pages) also apt, qt
    PySide6, apps a Linux machine with the programs that it lists. With --raw the pictures of apps and all that the
    programs told are kept in that folder; what is there gives its truth anew, into another set, without starting a
    program.

    Example: python -m lab screens make miniwob -o out/screens/miniwob --count 500
    """
    import dataclasses

    from lab.screens.factory import make_screens

    if side == "frozen" and source not in {"apps", "sites"}:
        raise click.UsageError(f"Nothing of {source} is frozen; apps and sites have what is.")
    drawing = open_source(source, raw)
    # Real programs that are not installed are left out; the source says how to get them.
    note: str = getattr(drawing, "note", "")
    if note and not wants_json():
        click.echo(note, err=True)
    report = make_screens(
        drawing,
        folder=folder,
        count=wanted,
        seed=seed,
        side=side,  # type: ignore[arg-type] # one of the choices above
        workers=workers,
        control=job_control(),
    )
    if wants_json():
        emit(dataclasses.asdict(report))
        return
    old = f", {counted(report.skipped, 'order')} done before" if report.skipped else ""
    click.echo(f"{folder}: {counted(report.made, 'screen')} with {counted(report.elements, 'element')}{old}")
    for line in report.failed:
        click.echo(f"  ! {line}")


def open_source(name: str, raw: Path | None = None) -> ScreenSource:
    """The source of screens of that name: miniwob, web, sites, qt or apps."""
    if name == "miniwob":
        from lab.screens.miniwob.source import MiniwobSource

        return MiniwobSource()
    if name == "web":
        from lab.screens.web.source import WebSource

        return WebSource()
    if name == "sites":
        from lab.screens.web.sites import SitesSource

        return SitesSource()
    if name == "qt":
        from lab.screens.qt.source import QtSource

        return QtSource()
    from lab.screens.apps.source import AppsSource

    return AppsSource(raw=raw)


@command.command(name="look")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder for the sheets.")
@click.option("--side", type=click.Choice(_SIDES), default=None, help="Of one side only.")
@click.option("--group", default=None, help="Of one group only.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Screens, spread over all.")
@click.option("--zoom", type=click.IntRange(1, 4), default=1, show_default=True, help="Enlarge; without blur.")
@click.option("--captions/--no-captions", default=True, help="Type, states and text beside each box.")
def look(folder: Path, out: Path, side: str | None, group: str | None, limit: int, zoom: int, captions: bool) -> None:
    """Draw the truth over the pixels, as PNG sheets to look at.

    Example: python -m lab screens look out/screens/qt -o out/sheets --limit 20
    """
    from lab.screens.view import contact_sheets
    from models.training.labelled_screens import LabelledScreenSet

    screens = LabelledScreenSet(folder)
    chosen = [s for s in screens.screens(sides=_SIDES) if side in {None, s.side} and group in {None, s.group}]
    step = max(1, len(chosen) // limit)
    chosen = chosen[::step][:limit]
    if not chosen:
        raise click.UsageError(f"{folder} holds no such screens.")
    for path in contact_sheets(screens, chosen, folder=out, zoom=zoom, captions=captions):
        click.echo(str(path))


@command.command(name="count")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def tally(folders: tuple[Path, ...]) -> None:
    """Count the screens and elements of sets, by source, side and type.

    Example: python -m lab screens count out/screens/qt
    """
    from models.training.labelled_screens import LabelledScreenSet

    screens: Counter[str] = Counter()
    types: Counter[str] = Counter()
    groups: dict[str, set[str]] = {}
    for folder in folders:
        for screen in LabelledScreenSet(folder).screens():
            key = f"{screen.source} {screen.side}"
            screens[key] += 1
            groups.setdefault(key, set()).add(screen.group)
            types.update(element.type for element in screen.elements)
    if wants_json():
        emit({"screens": screens, "groups": {key: len(names) for key, names in groups.items()}, "types": types})
        return
    for key, number in sorted(screens.items()):
        click.echo(f"{key:16} {number:6} screens in {len(groups[key])} groups")
    for name, number in types.most_common():
        click.echo(f"{name:24} {number:8}")


@command.command(name="export")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="An empty folder, or none yet.")
@click.option("--form", type=click.Choice(_FORMS), required=True, help="Whose form.")
@click.option("--side", "sides", type=click.Choice(_SIDES), multiple=True, help="Of this side only; repeatable.")
@json_option
def to_form(folders: tuple[Path, ...], out: Path, form: str, sides: tuple[Split, ...]) -> None:
    """Write sets in the form of another training program.

    Example: python -m lab screens export out/screens/qt -o out/yolo --form ultralytics
    """
    chosen, control = sides or _SIDES, job_control()
    if form == "ultralytics":
        from lab.formats.ultralytics_writer import write_ultralytics

        done = write_ultralytics(folders, out, sides=chosen, control=control)
    elif form == "coco":
        from lab.formats.coco import write_coco

        done = write_coco(folders, out, sides=chosen, control=control)
    else:
        from lab.formats.pix2struct import write_pix2struct

        done = write_pix2struct(folders, out, sides=chosen, control=control)
    _tell(done)


@command.command(name="import")
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="An empty folder, or none yet.")
@click.option("--form", type=click.Choice(_FORMS), required=True, help="Whose form.")
@click.option("--pictures", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Of a COCO JSON.")
@click.option("--side", type=click.Choice(_SIDES), default="train", show_default=True, help="Of a COCO JSON.")
@json_option
def from_form(data: Path, out: Path, form: str, pictures: Path | None, side: Split) -> None:
    """Make a set of DATA: a data.yaml of Ultralytics, a JSON of COCO, a folder of Pix2Struct's.

    Example: python -m lab screens import yolo/data.yaml -o out/screens/mine --form ultralytics
    """
    control = job_control()
    if form == "ultralytics":
        from models.training.ultralytics_data import read_ultralytics

        done = read_ultralytics(data, out, control=control)
    elif form == "coco":
        from lab.formats.coco import read_coco

        done = read_coco(data, pictures or data.parent, out, side=side, control=control)
    else:
        from lab.formats.pix2struct import read_pix2struct

        done = read_pix2struct(data, out, control=control)
    _tell(done)


def _tell(done: ConversionResult) -> None:
    if wants_json():
        emit(
            {"folder": done.folder.name, "screens": done.screens, "elements": done.elements, "left_out": done.left_out}
        )
        return
    click.echo(f"{done.folder}: {counted(done.screens, 'screen')} with {counted(done.elements, 'element')}")
    for what, times in done.left_out.most_common():
        click.echo(f"  left out {times} times: {what}")
