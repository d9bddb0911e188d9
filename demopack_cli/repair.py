"""``demopack repair``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TypeAlias

import click

from demopack.domain.words import counted, stretches
from demopack_cli.options import json_option, library_folder, library_option, print_result

_Report: TypeAlias = "tuple[object, list[str], bool]"
"""Of one thing that is looked for: its part of the JSON, lines for a person, and whether nothing was lost."""
_Kind: TypeAlias = "Callable[[Path], _Report]"


@click.command(name="repair")
@library_option
@click.option(
    "--cover-unknown",
    is_flag=True,
    help="Where positions are mended: paint over all that may show a secret.",
)
@click.option(
    "--every-pixel",
    is_flag=True,
    help="Compare each picture with its id, too, which takes some 50 ms for each.",
)
@json_option
def command(cover_unknown: bool, every_pixel: bool) -> None:
    """Mend a damaged library: save what can be saved, and say what could not be.

    A damaged file is kept beside the new one, a damaged record is set aside in a file of its own; nothing is deleted.
    What cannot be read of one demo never costs another.

    Pictures are looked at, too, and cannot be mended. Exit code 1 where any that is shown cannot be read, or where
    something was or may have been lost.

    Demos that an early version recorded on a scaled desktop get their positions right. What should have been covered on
    their pictures is painted over, and the pictures as they were are erased.

    Example: demopack repair --library ~/demos
    """
    from demopack.store.repair import kept_aside, sweep

    folder = library_folder()
    swept = [str(path) for path in sweep(folder)]
    kept = [str(path) for path in kept_aside(folder)]
    done: dict[str, object] = {"library": str(folder), "kept_before": kept, "swept": swept}
    lines: list[str] = []
    lossless = True
    kinds: dict[str, _Kind] = {
        "file": _file,
        "records": _records,
        "pictures": partial(_pictures, every_pixel=every_pixel),
        "positions": partial(_positions, cover_unknown=cover_unknown),
    }
    for name, kind in kinds.items():
        report, said, whole = kind(folder)
        done[name] = report
        lines += said
        lossless = lossless and whole
    lines = lines or [f"The library {folder} is sound; nothing had to be done."]
    lines += [f"What an earlier repair was killed over was removed: {path}." for path in swept]
    if kept:
        told = f"Earlier repairs kept, and forgetting does not reach: {', '.join(kept)}. Delete what you need no more."
        lines.append(told)
    print_result(done, lines, ok=lossless)


def _file(folder: Path) -> _Report:
    """``library.db`` as a file."""
    from demopack.store.repair import repair_file

    report = repair_file(folder)
    lines: list[str] = []
    if not report.sound:
        lines.append(f"The file was damaged ({report.problem}) and was built anew.")
        saved = ((report.demos, "demo"), (report.steps, "step"), (report.pictures, "picture"))
        lines.append(f"Saved: {', '.join(counted(number, thing) for number, thing in saved)}.")
        if report.lost_pictures or report.records_lost:
            lines.append(
                f"Not saved: {counted(report.lost_pictures, 'picture')} that steps show, and "
                f"{counted(report.records_lost, 'record')} that could not be read."
            )
        if report.missing_pages:
            unknown = "" if report.counted else " How much stood there cannot be known."
            pages = counted(report.pages, "page")
            lines.append(f"The end of the file is missing: {report.missing_pages} of {pages}.{unknown}")
        lines += [f"{demo}: {text}" for demo, _, _, text in report.losses]
        lines.append(
            f"The damaged file is kept: {report.kept}. What you forget from now on stays in it; delete it when you "
            "need it no more."
        )
    return report.to_json(), lines, report.lossless


def _records(folder: Path) -> _Report:
    """What is in it."""
    from demopack.store.repair import repair_records

    report = repair_records(folder)
    lines = [report.listing] if report.listing else []
    lines += [f"{demo}: {text}" for demo, _, text in report.lines]
    if report.kept:
        lines.append(f"The damaged records are kept as they were: {report.kept}.")
    return report.to_json(), lines, report.lossless


def _pictures(folder: Path, *, every_pixel: bool) -> _Report:
    """Whether they can be read; nothing is changed."""
    from demopack.store.repair import check_pictures

    def report(number: int, total: int) -> None:
        click.echo(f"\r\x1b[K{number}/{total} pictures", err=True, nl=number == total)

    found = check_pictures(folder, every_pixel=every_pixel, report=report)
    lines: list[str] = []
    if found.unreadable:
        lines.append(
            f"{found.unreadable} of {counted(found.checked, 'picture')} cannot be read, and cannot be mended; restore "
            "the library from a backup if you have one."
        )
    for one in found.demos:
        numbers = ", ".join(stretches(one.steps, pattern="{first} to {last}"))
        steps = f"steps {numbers} show" if len(one.steps) != 1 else f"step {numbers} shows"
        where = f"; {steps} {'it' if one.pictures == 1 else 'them'}" if one.steps else ""
        lines.append(f"{one.demo}: {counted(one.pictures, 'picture')} cannot be read{where}.")
    return found.to_json(), lines, not found.unreadable


def _positions(folder: Path, *, cover_unknown: bool) -> _Report:
    """Demos of early versions from scaled desktops."""
    from demopack.domain.geometry import Point, Rect
    from demopack.redaction.position_correction import correct_positions, misplaced_demos
    from demopack.settings import load_settings
    from demopack.store import Library

    corners = load_settings().recorder.privacy.blocked_regions
    blocked = [Rect.spanning(Point(x1, y1), Point(x2, y2)) for x1, y1, x2, y2 in corners]
    reports: list[dict[str, object]] = []
    lines: list[str] = []
    with Library.open(folder, create=False) as library:
        for demo in misplaced_demos(library):
            done = correct_positions(library, demo, blocked_regions=blocked, cover_unknown=cover_unknown)
            reports.append(asdict(done))
            lines.append(
                f"{done.id}: recorded on a desktop drawn at {demo.scale:.0%}; {counted(done.moved, 'position')} "
                f"mended, {counted(done.covered, 'picture')} painted over, {counted(done.erased, 'old one')} erased."
            )
            if done.rebound:
                act = "acts" if done.rebound == 1 else "act"
                lines.append(f"{done.id}: {counted(done.rebound, 'step')} now {act} on what was really hit.")
            lines += [f"{done.id}: {words}" for words in done.lost]
    return reports, lines, True
