"""``demopack screens``: draws screens whose truth is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from demopack.cli.options import count, emit, job_control, json_option

if TYPE_CHECKING:
    from models.training.screens.sources import ScreenSource

__all__ = ["command"]

_SOURCES = ("miniwob", "web", "qt", "apps")
_SIDES = ("train", "val", "test")


@click.group(name="screens")
def command() -> None:
    """Draw screens whose truth is known: what the models are trained on and measured by.

    Example: demopack screens make qt -o out/screens/qt --count 200
    """


@command.command(name="make")
@click.argument("source", type=click.Choice(_SOURCES))
@click.option("-o", "--out", "folder", type=click.Path(path_type=Path), required=True, help="The folder of the set.")
@click.option("--count", "wanted", type=click.IntRange(min=1), default=200, show_default=True, help="Screens, about.")
@click.option("--side", type=click.Choice(_SIDES), default="train", show_default=True, help="What they are for.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed, other screens.")
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Studios at once.")
@json_option
def make(source: str, folder: Path, wanted: int, side: str, seed: int, workers: int, as_json: bool) -> None:
    """Draw screens of one source. What is there already is kept, so that a run which was stopped goes on.

    miniwob needs the miniwob package and Chromium, web Chromium and the npm client, qt PySide6, apps a Linux machine
    with the programs that it lists.

    Example: demopack screens make miniwob -o out/screens/miniwob --count 500
    """
    import dataclasses

    from models.training.screens.factory import make_screens

    drawing = _source(source)
    # Real programs that are not installed are left out; the source says how to get them.
    note: str = getattr(drawing, "note", "")
    if note and not as_json:
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
    if as_json:
        emit(dataclasses.asdict(report))
        return
    old = f", {count(report.skipped, 'order')} done before" if report.skipped else ""
    click.echo(f"{folder}: {count(report.made, 'screen')} with {count(report.elements, 'element')}{old}")
    for line in report.failed:
        click.echo(f"  ! {line}")


def _source(name: str) -> ScreenSource:
    if name == "miniwob":
        from models.training.screens.miniwob.source import MiniwobSource

        return MiniwobSource()
    if name == "web":
        from models.training.screens.web.source import WebSource

        return WebSource()
    if name == "qt":
        from models.training.screens.qt.source import QtSource

        return QtSource()
    from demopack.cli.app_desktop import PrivateAppDesktops
    from models.training.screens.apps.source import AppsSource

    return AppsSource(PrivateAppDesktops())


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

    Example: demopack screens look out/screens/qt -o out/sheets --limit 20
    """
    from models.training.screens.screen import ScreenSet
    from models.training.screens.view import contact_sheets

    screens = ScreenSet(folder)
    chosen = [s for s in screens.screens() if side in {None, s.side} and group in {None, s.group}]
    step = max(1, len(chosen) // limit)
    chosen = chosen[::step][:limit]
    if not chosen:
        raise click.UsageError(f"{folder} holds no such screens.")
    for path in contact_sheets(screens, chosen, folder=out, zoom=zoom, captions=captions):
        click.echo(str(path))


@command.command(name="count")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def tally(folders: tuple[Path, ...], as_json: bool) -> None:
    """Count the screens and elements of sets, by source, side and type.

    Example: demopack screens count out/screens/qt
    """
    from models.training.screens.screen import ScreenSet

    screens: Counter[str] = Counter()
    types: Counter[str] = Counter()
    groups: dict[str, set[str]] = {}
    for folder in folders:
        for screen in ScreenSet(folder).screens():
            key = f"{screen.source} {screen.side}"
            screens[key] += 1
            groups.setdefault(key, set()).add(screen.group)
            types.update(element.type for element in screen.elements)
    if as_json:
        emit({"screens": screens, "groups": {key: len(names) for key, names in groups.items()}, "types": types})
        return
    for key, number in sorted(screens.items()):
        click.echo(f"{key:16} {number:6} screens in {len(groups[key])} groups")
    for name, number in types.most_common():
        click.echo(f"{name:24} {number:8}")
