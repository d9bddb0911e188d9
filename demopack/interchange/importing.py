"""Reads annotations of other programs, and says what they would do to a demo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from demopack.domain.demos import Demo
from demopack.domain.records import Record
from demopack.domain.words import name_element
from demopack.errors import BadInputError
from demopack.interchange.catalogue import annotation_format, format_of
from demopack.interchange.form import AnnotationFormat, Reading
from demopack.interchange.joining import Joined
from demopack.interchange.matching import Matched, match_pictures, shows
from demopack.interchange.reading import LOG, items, objects, read_json, text_of
from demopack.interchange.twice import Comparison
from demopack.interchange.values import PictureIn
from demopack.jobs import JobControl, Progress
from demopack.pack.formats.output import LostItem, Tally
from demopack.store import Library

__all__ = ["Annotations", "ImportReport", "demos_showing", "joined_with", "read_annotations", "report_of"]

_EXAMPLES = 5


@dataclass(slots=True, kw_only=True)
class Annotations:
    """What was read.

    Attributes:
        form: the format.
        path: from where.
        pictures: with their boxes.
        demos: ids of the demos that the files say their pictures are of; empty where they do not say.
        left_out: what could not become an element.
        lost: what was taken less exactly than the files say it.
    """

    form: AnnotationFormat
    path: Path
    pictures: list[PictureIn]
    demos: tuple[str, ...]
    left_out: Tally
    lost: Tally


class ImportReport(Record):
    """What an import did.

    Attributes:
        format: its name.
        demo: where the boxes went.
        new_demo: whether the demo was made for them.
        pictures: pictures that were found again, or are new.
        unknown: pictures that were passed over, and why.
        added: elements that are new.
        changed: elements that are now as the file has them.
        kept: elements that the file has otherwise, but a person made them, so they stayed.
        same: elements that are equal.
        only_here: elements on these pictures that the file does not have; they stayed.
        examples: of kept elements, in words.
        left_out: what could not become an element, and why.
        lost: what was taken less exactly than the file says it.
    """

    format: str
    demo: str
    new_demo: bool = False
    pictures: int = 0
    unknown: dict[str, str] = Field(default_factory=dict[str, str])
    added: int = 0
    changed: int = 0
    kept: int = 0
    same: int = 0
    only_here: int = 0
    examples: list[str] = Field(default_factory=list[str])
    left_out: list[LostItem] = Field(default_factory=list[LostItem])
    lost: list[LostItem] = Field(default_factory=list[LostItem])


def read_annotations(
    path: Path,
    *,
    form: str = "",
    labels: Mapping[str, str] | None = None,
    control: JobControl | None = None,
) -> Annotations:
    """Read a file or folder whole; nothing is kept of one that breaks its format's rules.

    Args:
        path: the file or folder.
        form: name of its format; empty to see by its content.
        labels: element types for labels that are none of ours.
        control: progress and cancelling.

    Raises:
        BadInputError: the file breaks its format's rules; file, field and way out are named.
        CancelledError: nothing was imported.
    """
    control = control or JobControl()
    chosen = annotation_format(form) if form else format_of(path)
    if not path.exists():
        raise BadInputError(f"There is no file or folder {path}.", hint="Check the name.")
    frames, demos = _logged(path)
    reading = Reading(path=path, frames=frames, labels=labels or {})
    pictures: list[PictureIn] = []
    for picture in chosen.reader(reading):
        control.token.check()
        control.report(Progress(done=len(pictures), total=0, text=f"Reading {picture.name}"))
        pictures.append(picture)
    if not pictures:
        raise BadInputError(
            f"{path} names no pictures; nothing was imported.",
            hint=f"It was read as {chosen.title}; name another --format, or another folder.",
        )
    named = dict.fromkeys(picture.demo for picture in pictures if picture.demo)
    return Annotations(
        form=chosen,
        path=path,
        pictures=pictures,
        demos=tuple(named or demos),
        left_out=reading.left_out,
        lost=reading.lost,
    )


def _logged(path: Path) -> tuple[dict[str, str], list[str]]:
    """What an export of ours wrote down: the frames by picture name, and the demos."""
    folder = path if path.is_dir() else path.parent
    for file in (folder / LOG, folder.parent / LOG):
        if file.is_file():
            data = objects(read_json(file))
            frames = {text_of(name): text_of(frame) for name, frame in objects(data.get("pictures")).items()}
            return frames, [text_of(one) for one in items(data.get("demos"))]
    return {}, []


def demos_showing(read: Annotations, library: Library, *, control: JobControl | None = None) -> list[str]:
    """The demos of a library that the pictures are of: those that the files name, else one that shows a picture.

    Raises:
        BadInputError: a picture's file is damaged.
        CancelledError: nothing was imported.
    """
    control = control or JobControl()
    known = [row.head.id for row in library.demos()]
    named = [demo for demo in read.demos if demo in known]
    if named or not read.pictures:
        return named
    first = read.pictures[0]
    for demo in known:
        control.token.check()
        if shows(library.demo(demo).frames(), first):
            return [demo]
    return []


def joined_with(
    read: Annotations, demo: Demo, *, theirs: bool = False, control: JobControl | None = None
) -> tuple[list[Joined], ImportReport]:
    """What annotations would do to a demo; nothing is changed.

    Args:
        read: the annotations.
        demo: as it stands.
        theirs: change also what a person made.
        control: progress and cancelling.

    Raises:
        BadInputError: a value, or a picture's file, cannot be used.
        CancelledError: nothing was changed.
    """
    control = control or JobControl()
    # Pictures of other demos are those demos' business.
    own = [one for one in read.pictures if one.demo in {"", demo.head.id} or one.demo not in read.demos]
    matched: Matched = match_pictures(own, demo.frames())
    homes = {e.uid: frame for frame, found in demo.elements.items() for e in found}
    compared = Comparison(carrier=read.form.carrier, taken=homes.__contains__, theirs=theirs)
    for done, (frame, picture) in enumerate(matched.frames):
        control.token.check()
        control.report(Progress(done=done, total=len(matched.frames), text=f"Comparing {picture.name}"))
        joined = compared.add(frame, demo.elements.get(frame.id, ()), picture)
        homes.update({element.uid: frame.id for element in joined.added})
    made = list(compared.made.values())
    unknown = {picture.name: why for picture, why in matched.unknown}
    report = report_of(read, made, demo=demo.head.id, unknown=unknown)
    return made, _with_tallies(report, compared.left_out, compared.lost)


def report_of(
    read: Annotations, made: Sequence[Joined], *, demo: str, unknown: Mapping[str, str] | None = None
) -> ImportReport:
    """The counts of an import."""
    kept = [pair for joined in made for pair in joined.kept]
    return ImportReport(
        format=read.form.name,
        demo=demo,
        pictures=len(made),
        unknown=dict(unknown or {}),
        added=sum(len(joined.added) for joined in made),
        changed=sum(len(joined.changed) for joined in made),
        kept=len(kept),
        same=sum(joined.same for joined in made),
        only_here=sum(joined.only_here for joined in made),
        examples=[name_element(old) for old, _ in kept[:_EXAMPLES]],
        left_out=read.left_out.items(),
        lost=read.lost.items(),
    )


def _with_tallies(report: ImportReport, left_out: Tally, lost: Tally) -> ImportReport:
    return report.model_copy(
        update={"left_out": [*report.left_out, *left_out.items()], "lost": [*report.lost, *lost.items()]}
    )
