"""``demopack annotations``: the elements' boxes out to other programs and in again, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from demopack.domain.words import counted
from demopack_cli.options import PATH, job_control, json_option, library_option, open_library, print_result

if TYPE_CHECKING:
    from demopack.annotations.importing import AnnotationImportReport, DecodedAnnotations


@click.group(name="annotations")
def command() -> None:
    """Bring the elements of demos to labelling programs and back, and compare two people's.

    Example: demopack annotations export last -o for-labelme --format labelme
    """


@command.command(name="formats")
@json_option
def formats() -> None:
    """List the formats, and what each cannot carry.

    Example: demopack annotations formats
    """
    from demopack.codecs.boxes.base import ALWAYS
    from demopack.codecs.boxes.catalogue import FORMATS

    width = max(map(len, FORMATS))
    rows: list[dict[str, object]] = []
    lines: list[str] = []
    for form in FORMATS.values():
        losses = form.capabilities.losses
        never = [{"code": loss.code, "what": loss.what, "why": loss.why} for loss in losses]
        rows.append({"name": form.name, "title": form.title, "files": form.files, "reads": form.reads, "never": never})
        lost = "; ".join(loss.what for loss in losses) or "nothing of an element is lost"
        lines += [f"{form.name:{width}}  {form.title}: {form.files}", f"{'':{width}}  cannot carry: {lost}"]
    lines.append(f"\nNone carries: {'; '.join(loss.what for loss in ALWAYS)}.")
    print_result(rows, lines)


@command.command(name="export")
@click.argument("demos", metavar="DEMO...", nargs=-1, required=True)
@click.option("-o", "--output", "out", type=PATH, help="The folder to make.")
@click.option("--format", "form", required=True, metavar="NAME", help="`demopack annotations formats` shows them.")
@click.option("--classes", type=PATH, help="For YOLO: data.yaml or classes.txt whose numbers are kept.")
@click.option("--rejected", is_flag=True, help="Write rejected elements, too, where the format can tell them apart.")
@click.option("--pictures/--no-pictures", default=True, help="Write the pictures beside the boxes.")
@click.option("--dry-run", is_flag=True, help="Only say what would be lost.")
@library_option
@json_option
def export(
    demos: tuple[str, ...],
    out: Path | None,
    form: str,
    classes: Path | None,
    rejected: bool,
    pictures: bool,
    dry_run: bool,
) -> None:
    """Write the elements of demos for another program. DEMO is an id, the beginning of one, or "last".

    What the format cannot carry stands in EXPORT_LOG.json in the folder; --dry-run tells it before.

    Example: demopack annotations export last -o boxes --format x-anylabeling
    """
    from annotator.annotation_exchange import exported_lines, foreseen_lines
    from demopack.annotations.export import export_annotations, preview_export
    from demopack.codecs.boxes.base import AnnotationOptions
    from demopack.codecs.boxes.catalogue import annotation_format
    from demopack.codecs.boxes.yolo import class_names

    chosen = annotation_format(form)
    if classes is not None and chosen.name != "yolo":
        raise click.UsageError("--classes is for --format yolo.")
    if out is None and not dry_run:
        raise click.UsageError("Say where to with -o, or what would be lost with --dry-run.")
    names = () if classes is None else class_names(classes)
    options = AnnotationOptions(rejected=rejected, pictures=pictures, classes=names)
    with open_library(create=False) as opened:
        ids = [opened.find(demo) for demo in demos]
        if dry_run or out is None:
            plan = preview_export([opened.demo(demo) for demo in ids], chosen, options=options)
            print_result(plan.to_json(), _under(chosen.name, foreseen_lines(plan)))
            return
        log = export_annotations(opened, ids, chosen, out, options=options, control=job_control())
    lines = _under(f"{log.format} in {out}", exported_lines(log))
    print_result({"folder": str(out), "log": log.to_json()}, lines)


def _under(what: str, lines: Sequence[str]) -> list[str]:
    return [f"{what}:", *(f"  {line}" for line in lines)]


@command.command(name="import")
@click.argument("path", type=PATH, metavar="FILE|FOLDER")
@click.option("--demo", default="", metavar="DEMO", help="The demo that shows the pictures; else the files tell.")
@click.option("--new", is_flag=True, help="Make a demo of the pictures, whatever the library has.")
@click.option("--task", default="", metavar="TEXT", help="With a new demo: its task.")
@click.option("--format", "form", default="", metavar="NAME", help="The format, where the content does not tell.")
@click.option("--label", "labels", multiple=True, metavar="LABEL=TYPE", help="An element type for a foreign label.")
@click.option("--theirs", is_flag=True, help="Change also what a person made; without it that stays.")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@library_option
@json_option
def import_(
    path: Path,
    demo: str,
    new: bool,
    task: str,
    form: str,
    labels: tuple[str, ...],
    theirs: bool,
    dry_run: bool,
) -> None:
    """Take the boxes of another program into a demo, as one edit that can be undone.

    Pictures are found again by what our own files say, by their pixels, or by name and size. Pictures that no demo
    shows become a new demo. What a person made is never changed without --theirs; the report counts it.

    Example: demopack annotations import for-labelme
    """
    from annotator.annotation_exchange import import_lines
    from demopack.annotations.importing import demos_showing, import_as_demo, read_annotations

    read = read_annotations(path, form=form, labels=_label_pairs(labels), control=job_control())
    with open_library(create=True) as opened:
        known = [] if new else [opened.find(demo)] if demo else demos_showing(read, opened, control=job_control())
        reports = [_into(opened, one, read, theirs=theirs, dry_run=dry_run) for one in known]
        if not reports and dry_run:
            raise click.UsageError("No demo shows these pictures, so they would become a new one; nothing to compare.")
        if not reports:
            reports = [import_as_demo(opened, read, task=task, control=job_control())]
    lines: list[str] = []
    for report in reports:
        lines += _under(report.demo, import_lines(report, done=not dry_run))
        lines += ["  --theirs takes the file's."] if report.kept and not theirs else []
    print_result([report.to_json() for report in reports], lines)


def _label_pairs(given: Sequence[str]) -> dict[str, str]:
    from demopack.domain.elements import ELEMENT_TYPES

    pairs: dict[str, str] = {}
    for pair in given:
        label, _, kind = pair.rpartition("=")
        if not label or kind not in ELEMENT_TYPES:
            raise click.UsageError(
                f"--label takes LABEL=TYPE, not {pair!r}; a type is one of {', '.join(ELEMENT_TYPES)}."
            )
        pairs[label] = kind
    return pairs


def _into(
    opened: Any,  # noqa: ANN401 - a library
    demo_id: str,
    read: DecodedAnnotations,
    *,
    theirs: bool,
    dry_run: bool,
) -> AnnotationImportReport:
    from annotator.annotation_exchange import ImportAnnotations
    from annotator.document import Document
    from demopack.annotations.importing import merge_with_demo

    demo = opened.demo(demo_id)
    joined, report = merge_with_demo(read, demo, theirs=theirs, control=job_control())
    edit = ImportAnnotations(joined=joined, title=read.form.title).edit(Document(demo))
    if edit is not None and not dry_run:
        opened.commit(demo_id, edit)
    return report


@command.command(name="compare")
@click.argument("demo", metavar="DEMO")
@click.argument("other", type=PATH, metavar="LIBRARY|PACK|ANNOTATIONS")
@click.option("--other-demo", default="", metavar="DEMO", help="In the other library or pack; else the same pictures.")
@click.option("--settled", is_flag=True, help="List also what was decided before.")
@library_option
@json_option
def compare(demo: str, other: Path, other_demo: str, settled: bool) -> None:
    """Compare a demo with another person's work on the same pictures: agreement, and every difference.

    To decide who is right open the demo in the editor; nothing is changed here.

    Example: demopack annotations compare last ../anna/library
    """
    from annotator.second_annotator.agreement import agreement, agreement_lines
    from annotator.second_annotator.differences import differences
    from annotator.second_annotator.sources import read_second_annotator

    with open_library(create=False) as opened:
        mine = opened.demo(opened.find(demo))
    said = read_second_annotator(other, mine, other=other_demo, control=job_control())
    found = differences(mine.elements, said.elements, told=said.told, settled=settled)
    figures = agreement(mine.elements, said.elements)
    kinds = {kind: sum(one.kind == kind for one in found) for kind in dict.fromkeys(one.kind for one in found)}
    rows = [
        {
            "kind": one.kind,
            "frame": one.frame,
            "mine": None if one.mine is None else one.mine.to_json(),
            "theirs": None if one.theirs is None else one.theirs.to_json(),
        }
        for one in found
    ]
    rest = sum(frame not in said.elements for frame, here in mine.elements.items() if here)
    data = {"opinion": said.name, "agreement": figures.to_json(), "kinds": kinds, "differences": rows}
    lines = [
        *_under(said.name, agreement_lines(figures)),
        *([f"{counted(rest, 'picture')} with elements not among theirs, and not compared."] if rest else []),
        f"{counted(len(found), 'difference')}{':' if found else '.'}",
    ]
    lines += [f"  {mine.shown_by(one.frame)}: {one.words}" for one in found]
    print_result(data, lines)
