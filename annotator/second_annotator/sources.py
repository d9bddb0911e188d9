"""Readers of a second annotator's work: another library, a pack, or annotations of another program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotator.annotation_exchange import TITLES
from annotator.words import tr
from demopack.annotations.importing import read_annotations
from demopack.annotations.merging import DemoMerge
from demopack.annotations.picture_matching import match_pictures
from demopack.codecs.boxes.base import EVERYTHING
from demopack.domain.demos import Demo
from demopack.domain.elements import Element
from demopack.errors import BadInputError
from demopack.jobs import JobControl


@dataclass(frozen=True, kw_only=True)
class SecondAnnotator:
    """What somebody else says about pictures of the demo.

    Attributes:
        name: where it is from, in words.
        elements: by frame id, also of pictures on which they found nothing.
        told: the fields that the source tells; about the others nobody differs.
    """

    name: str
    elements: Mapping[str, Sequence[Element]]
    told: frozenset[str] = EVERYTHING


def read_second_annotator(
    path: Path, demo: Demo, *, other: str = "", control: JobControl | None = None
) -> SecondAnnotator:
    """Read another person's elements on the pictures of a demo.

    Args:
        path: a library, a pack, or a file or folder of annotations.
        demo: mine.
        other: id of their demo; empty takes the one of the same id, else the one that shows most of the pictures.
        control: progress and cancelling.

    Raises:
        BadInputError: nothing there shows a picture of the demo, or the files break their rules.
        LibraryError: the library cannot be used.
        PackError: the pack cannot be read.
    """
    control = control or JobControl()
    if (path / "library.db").is_file():
        return _shared(tr("Library {name}").format(name=path), _of_library(path, demo, other, control), demo, path)
    if (path / "pack.json").is_file() or path.suffix.lower() == ".zip":
        from demopack.pack.reader import read_demos

        return _shared(tr("Pack {name}").format(name=path.name), _best(read_demos(path), demo, other), demo, path)
    return _of_annotations(path, demo, control)


def _of_library(path: Path, demo: Demo, other: str, control: JobControl) -> Demo | None:
    from demopack.store import Library

    with Library.open(path, create=False) as library:
        if other:
            return library.demo(library.find(other))
        heads = [row.head.id for row in library.demos()]
        if demo.head.id in heads:
            return library.demo(demo.head.id)
        demos: list[Demo] = []
        for key in heads:
            control.token.check()
            demos.append(library.demo(key))
        return _best(demos, demo, "")


def _best(demos: Sequence[Demo], mine: Demo, other: str) -> Demo | None:
    wanted = {frame.id for frame in mine.frames()}
    named = [one for one in demos if one.head.id == (other or mine.head.id)]
    if named or other:
        return next(iter(named), None)
    shared = [(len(wanted & {frame.id for frame in one.frames()}), one) for one in demos]
    best = max(shared, key=lambda pair: pair[0], default=(0, None))
    return best[1] if best[0] else None


def _shared(name: str, theirs: Demo | None, demo: Demo, path: Path) -> SecondAnnotator:
    if theirs is None:
        raise BadInputError(
            tr("No demo in {path} shows a picture of this demo.").format(path=path),
            hint=tr("Name another library or pack."),
        )
    seen = {frame.id for frame in theirs.frames() if frame.id in theirs.parsed or theirs.elements.get(frame.id)}
    looked = [frame.id for frame in demo.frames() if frame.id in seen]
    if not looked:
        raise BadInputError(
            tr("Nobody has marked elements on the pictures of this demo in {path}.").format(path=path),
            hint=tr("Compare with another one."),
        )
    return SecondAnnotator(name=name, elements={frame: theirs.elements.get(frame, ()) for frame in looked})


def _of_annotations(path: Path, demo: Demo, control: JobControl) -> SecondAnnotator:
    read = read_annotations(path, control=control)
    matched, _ = match_pictures(read.pictures, demo.frames())
    if not matched:
        words = tr("None of the {pictures} pictures of {path} is one of this demo.")
        hint = tr("Import it as a demo of its own.")
        raise BadInputError(words.format(pictures=len(read.pictures), path=path), hint=hint)
    boxes = [box for _, picture in matched for box in picture.boxes]
    said = EVERYTHING if any(box.whole for box in boxes) else {name for box in boxes for name in box.fields}
    found: dict[str, Sequence[Element]] = {}
    for frame, picture in matched:
        control.token.check()
        # Into nothing: their elements as they are.
        joined = DemoMerge(capabilities=read.form.capabilities, taken=lambda _: False).merge(frame, (), picture.boxes)
        found[frame.id] = tuple(joined.added)
    name = tr("{format} in {folder}").format(format=TITLES[read.form.name], folder=path.name)
    return SecondAnnotator(name=name, elements=found, told=read.form.capabilities.fields & said)
