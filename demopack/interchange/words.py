"""What exports and imports would do, and did, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable

from demopack.interchange.export import AnnotationLog, Foreseen
from demopack.interchange.importing import ImportReport
from demopack.pack.formats.output import LostItem

__all__ = ["exported_lines", "foreseen_lines", "import_lines", "loss_lines"]


def foreseen_lines(plan: Foreseen) -> list[str]:
    """What an export would write and lose."""
    lost = loss_lines((*plan.pictures_left_out, *plan.left_out), plan.lost)
    first = f"To be written: {_elements(plan.elements)} on {_pictures(plan.pictures)}."
    return [first, *(lost or ["Nothing that they say would be lost."])]


def exported_lines(log: AnnotationLog) -> list[str]:
    """What an export wrote and lost."""
    lost = loss_lines((*log.pictures_left_out, *log.left_out), log.lost)
    first = f"Written: {_elements(log.elements_out)} on {_pictures(len(log.pictures))}."
    return [first, *(lost or ["Nothing that they say was lost."]), *log.notes]


def import_lines(report: ImportReport, *, done: bool) -> list[str]:
    """What an import would change, or changed."""
    if report.new_demo:
        made = f"A new demo was made of {_pictures(report.pictures)}, with {_elements(report.added)}."
        return [made, *_passed(report), *loss_lines(report.left_out, report.lost)]
    if not report.pictures:
        lines = ["None of its pictures is one of this demo."]
    elif done:
        lines = [
            f"On {_pictures(report.pictures)} of this demo.",
            f"Elements: {report.added:,} new, {report.changed:,} changed, {report.same:,} equal.",
        ]
    else:
        lines = [
            f"On {_pictures(report.pictures)} of this demo.",
            f"Elements: {report.added:,} would be new, {report.changed:,} changed; {report.same:,} are equal.",
        ]
    if report.only_here:
        lines.append(f"Only in the demo, and they stay: {_elements(report.only_here)}.")
    if report.kept:
        lines.append(
            f"Made by a person and otherwise in the file, so they stay: {report.kept:,} ({', '.join(report.examples)})."
        )
    return [*lines, *_passed(report), *loss_lines(report.left_out, report.lost)]


def _passed(report: ImportReport) -> list[str]:
    lines = [f"Passed over: {name}; {why}." for name, why in list(report.unknown.items())[:5]]
    more = len(report.unknown) - len(lines)
    return [*lines, f"Passed over: {more} more pictures."] if more else lines


def loss_lines(left_out: Iterable[LostItem], lost: Iterable[LostItem]) -> list[str]:
    """Every loss with its count; what has the same reason stands together."""
    lines = [f"Left out: {item.why} ({item.count:,})." for item in left_out]
    groups: dict[str, list[str]] = {}
    for item in lost:
        what, _, why = item.why.partition(": ")
        groups.setdefault(why, []).append(f"{what} ({item.count:,})")
    for why, things in groups.items():
        lines.append(f"Lost: {', '.join(things)}{f', because {why}' if why else ''}.")
    return lines


def _elements(number: int) -> str:
    return "1 element" if number == 1 else f"{number:,} elements"


def _pictures(number: int) -> str:
    return "1 picture" if number == 1 else f"{number:,} pictures"
