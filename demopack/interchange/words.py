"""What exports and imports would do, and did, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable

from demopack.interchange.export import AnnotationLog, Foreseen
from demopack.interchange.importing import ImportReport
from demopack.pack.formats.output import LostItem

__all__ = ["exported_lines", "foreseen_lines", "import_lines", "loss_lines"]


def foreseen_lines(plan: Foreseen) -> list[str]:
    """What an export would write and lose."""
    first = f"{_elements(plan.elements)} on {_pictures(plan.pictures)} would be written."
    return [first, *_or_nothing(loss_lines(plan.left_out, plan.lost), "Nothing that they say would be lost.")]


def exported_lines(log: AnnotationLog) -> list[str]:
    """What an export wrote and lost."""
    first = f"{_elements(log.elements_out)} on {_pictures(len(log.pictures))} were written."
    lost = _or_nothing(loss_lines(log.left_out, log.lost), "Nothing that they say was lost.")
    return [first, *lost, *log.notes]


def import_lines(report: ImportReport, *, done: bool) -> list[str]:
    """What an import would change, or changed."""
    lines: list[str] = []
    if report.new_demo:
        made = f"A new demo was made of {_pictures(report.pictures)}, with {_elements(report.added)}."
        return [made, *_passed(report), *loss_lines(report.left_out, report.lost)]
    if report.pictures == 0:
        lines.append("None of its pictures is one of this demo.")
    else:
        lines.append(f"{_pictures(report.pictures)} of this demo.")
        changed = f"{report.changed} are changed" if done else f"{report.changed} would be changed"
        added = f"{report.added} elements are new" if done else f"{report.added} elements would be new"
        lines.append(f"{added}, {changed}, {report.same} are equal.")
    if report.only_here:
        lines.append(f"{_elements(report.only_here)} that the file does not have stay.")
    if report.kept:
        lines.append(f"{_elements(report.kept)} stay as a person made them: {', '.join(report.examples)}.")
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


def _or_nothing(lines: list[str], nothing: str) -> list[str]:
    return lines or [nothing]


def _elements(number: int) -> str:
    return "1 element" if number == 1 else f"{number:,} elements"


def _pictures(number: int) -> str:
    return "1 picture" if number == 1 else f"{number:,} pictures"
