"""Reads annotations of other programs: what they would do to a demo, and new demos where their pictures are unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from demopack.clock import utc_now
from demopack.domain.actions import AgentAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.records import Record, new_id
from demopack.domain.steps import Step
from demopack.domain.words import SHOT_WORDS, name_element
from demopack.errors import BadInputError
from demopack.interchange.catalogue import annotation_format, format_of
from demopack.interchange.form import AnnotationFormat, Reading
from demopack.interchange.joining import Joined, join
from demopack.interchange.matching import Matched, match_pictures, picture_of
from demopack.interchange.reading import LOG, items, objects, read_json, text_of
from demopack.interchange.values import PictureIn
from demopack.jobs import JobControl, Progress
from demopack.pack.formats.output import LostItem, Tally
from demopack.store import Library

__all__ = ["Annotations", "ImportReport", "import_as_demo", "joined_with", "read_annotations", "report_of"]

_EXAMPLES = 5


@dataclass(slots=True, kw_only=True)
class Annotations:
    """What was read.

    Attributes:
        form: the format.
        path: from where.
        pictures: with their boxes.
        demo: id of the one demo that all pictures say they are of; empty where they do not say.
        left_out: what could not become an element.
        lost: what was taken less exactly than the files say it.
    """

    form: AnnotationFormat
    path: Path
    pictures: list[PictureIn]
    demo: str
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
    named = {picture.demo for picture in pictures if picture.demo} or demos
    return Annotations(
        form=chosen,
        path=path,
        pictures=pictures,
        demo=next(iter(named)) if len(named) == 1 else "",
        left_out=reading.left_out,
        lost=reading.lost,
    )


def _logged(path: Path) -> tuple[dict[str, str], set[str]]:
    """What an export of ours wrote down: the frames by picture name, and the demos."""
    folder = path if path.is_dir() else path.parent
    for file in (folder / LOG, folder.parent / LOG):
        if file.is_file():
            data = objects(read_json(file))
            frames = {text_of(name): text_of(frame) for name, frame in objects(data.get("pictures")).items()}
            return frames, {text_of(one) for one in items(data.get("demos"))}
    return {}, set()


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
    matched: Matched = match_pictures(read.pictures, demo.frames())
    left_out, lost = Tally(), Tally()
    homes = {e.uid: frame for frame, found in demo.elements.items() for e in found}
    made: list[Joined] = []
    for done, (frame, picture) in enumerate(matched.frames):
        control.token.check()
        control.report(Progress(done=done, total=len(matched.frames), text=f"Comparing {picture.name}"))
        joined = join(
            frame,
            demo.elements.get(frame.id, ()),
            picture.boxes,
            carrier=read.form.carrier,
            taken=homes.__contains__,
            theirs=theirs,
            left_out=left_out,
            lost=lost,
        )
        homes.update({element.uid: frame.id for element in joined.added})
        made.append(joined)
    unknown = {picture.name: why for picture, why in matched.unknown}
    report = report_of(read, made, demo=demo.head.id, unknown=unknown)
    return made, _with_tallies(report, left_out, lost)


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


# New demos --------------------------------------------------------------------------------------------------------


def import_as_demo(
    library: Library, read: Annotations, *, task: str = "", control: JobControl | None = None
) -> ImportReport:
    """Make a demo of the pictures: one step each, that looks at the screen.

    Args:
        library: where it goes.
        read: the annotations.
        task: of the demo; empty names the folder.
        control: progress and cancelling.

    Raises:
        BadInputError: no picture is there, or one cannot be read; no demo was made.
        CancelledError: no demo was made.
        DiskFullError: no demo was made.
    """
    control = control or JobControl()
    left_out, lost = Tally(), Tally()
    unknown: dict[str, str] = {}
    frames: dict[str, Frame] = {}
    elements: dict[str, tuple[Element, ...]] = {}
    uids: set[str] = set()
    for done, picture in enumerate(read.pictures):
        control.token.check()
        control.report(Progress(done=done, total=len(read.pictures), text=f"Storing {picture.name}"))
        image = picture_of(picture)
        if image is None:
            unknown[picture.name] = "there is no such picture beside the file"
            continue
        frame = Frame(id=library.put_image(image), width=image.shape[1], height=image.shape[0])
        known = elements.get(frame.id, ())
        joined = join(
            frame, known, picture.boxes, carrier=read.form.carrier, taken=uids.__contains__,
            left_out=left_out, lost=lost,
        )  # fmt: skip
        uids.update(element.uid for element in joined.added)
        frames[frame.id] = frame
        elements[frame.id] = tuple(sorted((*known, *joined.added), key=lambda element: element.uid))
    if not frames:
        raise BadInputError(
            f"None of the {len(read.pictures)} pictures that {read.path} names is there; nothing was imported.",
            hint="Put the pictures beside the annotations, or name the demo that shows them.",
        )
    demo = _demo(frames.values(), elements, task or read.path.stem)
    library.add_demo(demo)
    return ImportReport(
        format=read.form.name,
        demo=demo.head.id,
        new_demo=True,
        pictures=len(frames),
        unknown=unknown,
        added=sum(map(len, elements.values())),
        left_out=[*read.left_out.items(), *left_out.items()],
        lost=[*read.lost.items(), *lost.items()],
    )


def _demo(frames: Iterable[Frame], elements: Mapping[str, tuple[Element, ...]], task: str) -> Demo:
    action = AgentAction(action_type="extract_data", parameters={"description": SHOT_WORDS})
    steps = tuple(
        Step(id=new_id("step"), position=number * 1024, action=action, before=frame)
        for number, frame in enumerate(frames, start=1)
    )
    head = DemoHead(id=new_id("demo"), created_at=utc_now(), task=task, status="complete", platform="imported")
    return Demo(head=head, steps=steps, elements={key: found for key, found in elements.items() if found})
