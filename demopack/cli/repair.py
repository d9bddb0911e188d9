"""``demopack repair``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from demopack.cli.options import count, emit, json_option, library_option

__all__ = ["command"]


@click.command(name="repair")
@library_option
@json_option
def command(library: Path | None, as_json: bool) -> None:
    """Mend a damaged library: save what can be saved, and say what could not be.

    A damaged file is kept beside the new one, a damaged record is set aside in a file of its own; nothing is deleted.
    What cannot be read of one demo never costs another.

    Example: demopack repair --library ~/demos
    """
    from demopack.settings import default_library_dir

    folder = library or default_library_dir()
    done: dict[str, object] = {"library": str(folder)}
    lines: list[str] = []
    for name, kind in _KINDS.items():
        report, said = kind(folder)
        done[name] = report
        lines += said
    if as_json:
        emit(done)
        return
    for line in lines or [f"The library {folder} is sound; nothing had to be done."]:
        click.echo(line)


def _file(folder: Path) -> tuple[object, list[str]]:
    """``library.db`` as a file."""
    from demopack.store.repair import repair_file

    report = repair_file(folder)
    lines: list[str] = []
    if not report.sound:
        lines.append(f"The file was damaged ({report.problem}) and was built anew.")
        lines.append(
            f"Saved: {count(report.demos, 'demo')}, {count(report.steps, 'step')}, {count(report.pictures, 'picture')}."
        )
        if report.lost_pictures or report.records_lost:
            lines.append(
                f"Not saved: {count(report.lost_pictures, 'picture')} that steps show, and "
                f"{count(report.records_lost, 'record')} that could not be read."
            )
        lines.append(
            f"The damaged file is kept: {report.kept}. What you forget from now on stays in it; delete it when you "
            "need it no more."
        )
    return report.to_json(), lines


def _records(folder: Path) -> tuple[object, list[str]]:
    """What is in it."""
    from demopack.store.repair import repair_records

    report = repair_records(folder)
    lines = [f"{demo}: {text}" for demo, _, text in report.lines]
    if report.kept:
        lines.append(f"The damaged records are kept as they were: {report.kept}.")
    return report.to_json(), lines


_KINDS: Final[dict[str, Callable[[Path], tuple[object, list[str]]]]] = {"file": _file, "records": _records}
"""What is looked for and mended, one after the other: each returns its part of the JSON, and lines for a person."""
