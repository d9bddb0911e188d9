"""What every format of annotations is: names, what it carries, a writer and a reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from demopack.domain.records import Record
from demopack.interchange.carries import Carrier
from demopack.interchange.shelf import Shelf
from demopack.interchange.values import PictureIn, PictureOut
from demopack.pack.formats.output import Output, Tally

__all__ = ["AnnotationFormat", "AnnotationOptions", "AnnotationWriter", "Reading"]


class AnnotationOptions(Record):
    """What a person may choose when exporting.

    Attributes:
        rejected: write rejected elements, too, where the format can tell them from others.
        pictures: write the pictures beside the boxes.
        classes: for YOLO, the names of the classes in the order of their numbers; empty for our own order.
    """

    rejected: bool = False
    pictures: bool = True
    classes: tuple[str, ...] = ()


class AnnotationWriter(Protocol):
    """Writes one export, picture by picture."""

    def add(self, picture: PictureOut) -> None:
        """Write what is on one picture."""
        ...

    def finish(self) -> None:
        """Write what comes at the end."""
        ...


@dataclass(slots=True, kw_only=True)
class Reading:
    """What a reader is given, and where it notes what it could not take.

    Attributes:
        path: the file or folder.
        frames: names of pictures and the frames they show, where an export of ours wrote them down.
        labels: what a label stands for, as a person said: label -> element type.
        left_out: what could not become an element, and why.
        lost: what was taken less exactly than the file says it.
        shelf: finds pictures below the folder.
    """

    path: Path
    frames: Mapping[str, str] = field(default_factory=dict[str, str])
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    left_out: Tally = field(default_factory=Tally)
    lost: Tally = field(default_factory=Tally)
    shelf: Shelf = field(default_factory=Shelf)

    @property
    def root(self) -> Path | None:
        """The folder of the data set; None for a single file, which may lie anywhere."""
        if self.path.is_dir():
            return self.path
        return self.path.parent.parent if self.path.parent.name == "annotations" else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationFormat:
    """One format.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it writes, for people.
        reads: which programs read it.
        carrier: what it has room for.
        writer: makes the writer of one export.
        reader: reads what any program wrote in this format.
        folder: where its pictures go, in the export.
        notes: what else a person should know.
    """

    name: str
    title: str
    files: str
    reads: str
    carrier: Carrier
    writer: Callable[[Output, AnnotationOptions], AnnotationWriter]
    reader: Callable[[Reading], Iterable[PictureIn]]
    folder: str = "images"
    notes: tuple[str, ...] = ()
