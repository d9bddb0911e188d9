"""Writes the annotations of demos for another program: what is lost is known before, and told after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import Field

from demopack import __version__
from demopack.codecs.boxes.base import ALWAYS, AnnotatedPicture, AnnotationFormat, AnnotationOptions, ExportLosses
from demopack.codecs.boxes.yolo import YOLO, class_names
from demopack.codecs.losses import EXPORT_LOG, LostItem
from demopack.codecs.output import Output, staged
from demopack.domain.demos import Demo
from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.file_names import safe_name
from demopack.jobs import JobControl, Progress
from demopack.json_lines import dump_pretty
from demopack.store import Library


class ExportPreview(Record):
    """Preview of an export: what it would write and lose.

    Attributes:
        pictures: how many.
        elements: how many would be written.
        pictures_left_out: pictures that would not be, and why.
        left_out: elements that would not be, and why.
        lost: what would be written less exactly than it is known.
        never: what the format never carries.
    """

    pictures: int
    elements: int
    pictures_left_out: list[LostItem]
    left_out: list[LostItem]
    lost: list[LostItem]
    never: list[str]


class AnnotationLog(Record):
    """The content of ``EXPORT_LOG.json``.

    Attributes:
        format: its name.
        generator: program and version.
        options: as chosen.
        demos: their ids.
        pictures: name -> frame id, in order; an import finds the frames by it.
        elements_in: how many elements the pictures have.
        elements_out: how many were written; with ``left_out`` they make ``elements_in``.
        pictures_left_out: pictures that were not written, by reason.
        left_out: elements that were not written, by reason.
        lost: what was written less exactly than it is known, by reason.
        never: what the format never carries.
        classes: of YOLO, in the order of their numbers.
        notes: what else a reader should know.
        files: every file but this one; another export to this folder replaces these and no others.
    """

    format: str
    generator: str = f"demopack {__version__}"
    options: AnnotationOptions
    demos: list[str]
    pictures: dict[str, str]
    elements_in: int = Field(ge=0)
    elements_out: int = Field(ge=0)
    pictures_left_out: list[LostItem] = Field(default_factory=list[LostItem])
    left_out: list[LostItem]
    lost: list[LostItem]
    never: list[str]
    classes: list[str] = Field(default_factory=list[str])
    notes: list[str] = Field(default_factory=list[str])
    files: list[str] = Field(default_factory=list[str])


def never_carried(form: AnnotationFormat) -> list[str]:
    """Losses that every export in a format has, in words."""
    return [f"{loss.what}: {loss.why}" for loss in (*form.capabilities.losses, *ALWAYS)]


def annotated_pictures(
    demo: Demo, form: AnnotationFormat, options: AnnotationOptions, lost: ExportLosses
) -> list[AnnotatedPicture]:  # fmt: skip
    """A demo's pictures as a format can say them; what it cannot say is counted."""
    made: list[AnnotatedPicture] = []
    for number, frame in enumerate(demo.frames(), start=1):
        found = demo.ordered(frame.id)
        found += [element for element in demo.elements.get(frame.id, ()) if element.review == "rejected"]
        name = f"{safe_name(demo.head.id)}--{number:04}-{frame.id[:8]}.png"
        if form is YOLO and not found and frame.id not in demo.parsed:
            # For YOLO no boxes means that there is nothing on it.
            lost.pictures.add("not_parsed", "pictures that nobody looked through", name)
            continue
        where = f"picture {number} of {demo.head.id}"
        kept = form.capabilities.encodable(found, frame.size, where, lost, rejected=options.rejected)
        made.append(AnnotatedPicture(name=name, frame=frame.id, size=frame.size, demo=demo.head.id, elements=kept))
    return made


def preview_export(
    demos: Sequence[Demo], form: AnnotationFormat, *, options: AnnotationOptions | None = None
) -> ExportPreview:  # fmt: skip
    """Count what an export of these demos would write and lose; nothing is written."""
    lost = ExportLosses()
    pictures = [one for demo in demos for one in annotated_pictures(demo, form, options or AnnotationOptions(), lost)]
    return ExportPreview(
        pictures=len(pictures),
        elements=sum(len(picture.elements) for picture in pictures),
        pictures_left_out=lost.pictures.items(),
        left_out=lost.left_out.items(),
        lost=lost.lost.items(),
        never=never_carried(form),
    )


def export_annotations(
    library: Library,
    demos: Sequence[str],
    form: AnnotationFormat,
    folder: Path,
    *,
    options: AnnotationOptions | None = None,
    control: JobControl | None = None,
) -> AnnotationLog:
    """Write the annotations of demos into a new folder; it appears when it is whole.

    Args:
        library: where the demos are.
        demos: ids.
        form: the format.
        folder: an earlier export there is replaced, anything else is not. Of a YOLO export the numbers of the classes
            are kept.
        options: as chosen.
        control: progress and cancelling.

    Raises:
        BadInputError: the folder holds something else, or there is no such demo. Nothing was written.
        CorruptFrameError: a picture is damaged. Nothing was written.
        CancelledError: nothing was written.
        DiskFullError: nothing was written.
    """
    if not demos:
        raise BadInputError("No demo was named, so nothing was exported.", hint="Name a demo, or “last”.")
    control = control or JobControl()
    options = options or AnnotationOptions()
    if form is YOLO and not options.classes and (folder / EXPORT_LOG).is_file():
        # The numbers of an earlier export at the same place go on meaning what they meant.
        options = options.model_copy(update={"classes": class_names(folder)})
    lost = ExportLosses()
    with staged(folder) as work:
        output = Output(work)
        read = [library.demo(demo) for demo in dict.fromkeys(demos)]
        pictures = [one for demo in read for one in annotated_pictures(demo, form, options, lost)]

        def drawn() -> Iterator[AnnotatedPicture]:
            for done, picture in enumerate(pictures):
                control.step(done, len(pictures), f"Writing {picture.name}")
                if options.pictures:
                    output.draw(f"{form.folder}/{picture.name}".lstrip("/"), library.png_bytes(picture.frame))
                yield picture

        form.encode(drawn(), output, options)
        out = sum(len(picture.elements) for picture in pictures)
        left = lost.left_out.items()
        log = AnnotationLog(
            format=form.name,
            options=options,
            demos=[demo.head.id for demo in read],
            pictures={picture.name: picture.frame for picture in pictures},
            elements_in=out + sum(item.count for item in left),
            elements_out=out,
            pictures_left_out=lost.pictures.items(),
            left_out=left,
            lost=lost.lost.items(),
            never=never_carried(form),
            classes=list(class_names(output.folder)) if form is YOLO else [],
            notes=output.notes,
            files=output.files(),
        )
        output.write(EXPORT_LOG, dump_pretty(log))
        output.close()
        control.token.check()
    control.report(Progress(done=len(pictures), total=len(pictures), text="Done"))
    return log
