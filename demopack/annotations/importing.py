"""Reads annotations of other programs, says what they would do to a demo, or makes a demo of their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from demopack.annotations.merging import DemoMerge, FrameMerge
from demopack.annotations.picture_matching import load_picture, match_pictures
from demopack.clock import utc_now
from demopack.codecs.boxes.base import AnnotationFormat, DecodeContext, DecodedPicture
from demopack.codecs.boxes.catalogue import annotation_format, detect_format
from demopack.codecs.boxes.input_files import as_text, read_json
from demopack.codecs.losses import EXPORT_LOG, LostItem
from demopack.domain.actions import ExtractDataAction
from demopack.domain.demos import Demo, DemoHead
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.records import Record, new_id
from demopack.domain.steps import Step
from demopack.domain.words import SHOT_WORDS, counted, name_element
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.json_text import as_list, object_in
from demopack.store import Library

_MAX_EXAMPLES = 5


@dataclass(slots=True, kw_only=True)
class DecodedAnnotations:
    """Annotations that were decoded, with what was lost.

    Attributes:
        form: the format.
        context: from where, and what of it could not be taken as it is.
        pictures: with their boxes.
        demos: ids of the demos that the files say their pictures are of; empty where they do not say.
    """

    form: AnnotationFormat
    context: DecodeContext
    pictures: list[DecodedPicture]
    demos: tuple[str, ...]


class AnnotationImportReport(Record):
    """Counts of an import of annotations.

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
    path: Path, *, form: str = "", labels: Mapping[str, str] | None = None, control: JobControl | None = None
) -> DecodedAnnotations:
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
    chosen = annotation_format(form) if form else detect_format(path)
    if not path.exists():
        raise BadInputError(f"There is no file or folder {path}.", hint="Check the name.")
    frames, demos = _read_export_log(path)
    context = DecodeContext(path=path, frames=frames, labels=labels or {})
    pictures: list[DecodedPicture] = []
    for picture in chosen.decode(context):
        control.step(len(pictures), 0, f"Reading {picture.name}")
        picture.frame = picture.frame or frames.get(picture.name, "")
        pictures.append(picture)
    if not pictures:
        raise BadInputError(
            f"{path} names no pictures; nothing was imported.",
            hint=f"It was read as {chosen.title}; name another format, or another folder.",
        )
    named = dict.fromkeys(picture.demo for picture in pictures if picture.demo)
    return DecodedAnnotations(form=chosen, context=context, pictures=pictures, demos=tuple(named or demos))


def _read_export_log(path: Path) -> tuple[dict[str, str], list[str]]:
    """Frames by picture name, and demos, from the log of an export of ours."""
    folder = path if path.is_dir() else path.parent
    for file in (folder / EXPORT_LOG, folder.parent / EXPORT_LOG):
        if file.is_file():
            data = object_in(read_json(file))
            frames = {as_text(name): as_text(frame) for name, frame in object_in(data.get("pictures")).items()}
            return frames, [as_text(one) for one in as_list(data.get("demos"))]
    return {}, []


def demos_showing(read: DecodedAnnotations, library: Library, *, control: JobControl | None = None) -> list[str]:
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
    first = replace(read.pictures[0], number=None)  # a place in a video alone does not tell
    for demo in known:
        control.token.check()
        if match_pictures([first], library.demo(demo).frames())[0]:
            return [demo]
    return []


def merge_with_demo(
    read: DecodedAnnotations, demo: Demo, *, theirs: bool = False, control: JobControl | None = None
) -> tuple[list[FrameMerge], AnnotationImportReport]:
    """Compare annotations with a demo; nothing is changed.

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
    matched, unknown = match_pictures(own, demo.frames())
    homes = {e.uid: frame for frame, found in demo.elements.items() for e in found}
    compared = DemoMerge(capabilities=read.form.capabilities, taken=homes.__contains__, theirs=theirs)
    for done, (frame, picture) in enumerate(matched):
        control.step(done, len(matched), f"Comparing {picture.name}")
        joined = compared.merge(frame, demo.elements.get(frame.id, ()), picture.boxes, where=picture.where)
        homes.update({element.uid: frame.id for element in joined.added})
    made = list(compared.made.values())
    kept = [pair for joined in made for pair in joined.kept]
    return made, AnnotationImportReport(
        format=read.form.name,
        demo=demo.head.id,
        pictures=len(made),
        unknown=unknown,
        added=sum(len(joined.added) for joined in made),
        changed=sum(len(joined.changed) for joined in made),
        kept=len(kept),
        same=sum(joined.same for joined in made),
        only_here=sum(joined.only_here for joined in made),
        examples=[name_element(old) for old, _ in kept[:_MAX_EXAMPLES]],
        left_out=[*read.context.left_out.items(), *compared.left_out.items()],
        lost=[*read.context.lost.items(), *compared.lost.items()],
    )


def import_as_demo(
    library: Library, read: DecodedAnnotations, *, task: str = "", control: JobControl | None = None
) -> AnnotationImportReport:
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
    frames: dict[str, Frame] = {}
    elements: dict[str, tuple[Element, ...]] = {}
    unknown: dict[str, str] = {}
    uids: set[str] = set()
    compared = DemoMerge(capabilities=read.form.capabilities, taken=uids.__contains__)
    for done, picture in enumerate(read.pictures):
        control.step(done, len(read.pictures), f"Storing {picture.name}")
        image = load_picture(picture)
        if image is None:
            unknown[picture.name] = "there is no such picture beside the file"
            continue
        frame = Frame(id=library.put_image(image), width=image.shape[1], height=image.shape[0])
        added = compared.merge(frame, (), picture.boxes, where=picture.where).added
        uids.update(element.uid for element in added)
        frames[frame.id] = frame
        elements[frame.id] = tuple(sorted(added, key=lambda element: element.uid))
    if not frames:
        raise BadInputError(
            f"{read.context.path} names {counted(len(read.pictures), 'picture')}, and none is there; "
            "nothing was imported.",
            hint="Put the pictures beside the annotations, or name the demo that shows them.",
        )
    demo = _demo(frames.values(), elements, task or read.context.path.stem)
    library.add_demo(demo)
    return AnnotationImportReport(
        format=read.form.name,
        demo=demo.head.id,
        new_demo=True,
        pictures=len(frames),
        unknown=unknown,
        added=sum(map(len, elements.values())),
        left_out=[*read.context.left_out.items(), *compared.left_out.items()],
        lost=[*read.context.lost.items(), *compared.lost.items()],
    )


def _demo(frames: Iterable[Frame], elements: Mapping[str, tuple[Element, ...]], task: str) -> Demo:
    action = ExtractDataAction(description=SHOT_WORDS)
    steps = tuple(
        Step(id=new_id("step"), position=number * 1024, action=action, before=frame)
        for number, frame in enumerate(frames, start=1)
    )
    head = DemoHead(id=new_id("demo"), created_at=utc_now(), task=task, status="complete", platform="imported")
    return Demo(head=head, steps=steps, elements={key: found for key, found in elements.items() if found})
