"""Base of the box formats: what each can hold of an element, its writer and decoder, and the pictures they pass."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from demopack.codecs.boxes.input_files import files_of, find_picture, picture_files, read_json
from demopack.codecs.losses import EXPORT_LOG, Loss, LossCounts
from demopack.codecs.output import Output
from demopack.domain.elements import Element
from demopack.domain.geometry import Edges, Rect, Size
from demopack.domain.records import Record

_FIELD_WORDS: Final[dict[str, str]] = {
    "type": "types",
    "text": "texts",
    "mark_box": "where the mark of a box to tick is",
    "placeholder": "what empty fields show",
    "subtype": "subtypes of icons and shapes",
    "states": "states such as checked and focused",
    "source": "who found an element",
    "confidence": "how sure the finder was",
    "review": "what a person approved",
    "track_id": "which element is the same on other pictures",
    "parent": "parents that a person set",
    "uid": "identities, so boxes are found again by where they lie",
}
FIELDS: Final = tuple(_FIELD_WORDS)
"""Of an element, beside its box."""
EVERYTHING: Final = frozenset(FIELDS)

_STEPS: Final = Loss(
    "steps", "steps, actions and rationales", "these formats know pictures and boxes; packs carry it"
)  # fmt: skip
_EVIDENCE: Final = Loss(
    "evidence",
    "what each source said before they were joined",
    "it would bring back texts that a person has corrected",
)
_NO_AREA: Final = Loss("no_area", "boxes without area, or beside their picture", "other programs refuse them")
_CUT: Final = Loss("cut", "the part of a box that lies beside its picture", "other programs refuse it")
_CONTROL: Final = Loss("control", "control characters in texts, which become �", "XML has no way to write them")
ALWAYS: Final = (_STEPS, _EVIDENCE, _NO_AREA, _CUT)
"""Losses of every format."""
PLAIN: Final = {"type": "other", "source": "human", "review": "unreviewed"}
"""What a box gets for a field that nobody gives."""
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML cannot write."""


@dataclass(slots=True, kw_only=True)
class ExportLosses:
    """Losses of one export, made or foreseen.

    Attributes:
        pictures: pictures that are not written, and why.
        left_out: elements that are not written, and why.
        lost: what is written less exactly than it is known, and why.
    """

    pictures: LossCounts = field(default_factory=LossCounts)
    left_out: LossCounts = field(default_factory=LossCounts)
    lost: LossCounts = field(default_factory=LossCounts)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatCapabilities:
    """Fields of an element that a format has room for.

    Attributes:
        fields: of an element.
        partly: fields that it tells, but not exactly enough to be read again; they count as lost.
        why: why it has no more.
        xml: whether texts are written as XML.
    """

    fields: frozenset[str] = EVERYTHING
    partly: frozenset[str] = frozenset()
    why: str = ""
    xml: bool = False

    @property
    def rejected(self) -> bool:
        """Whether rejected elements can be told from the others."""
        return "review" in self.fields

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Losses beside those of every format."""
        found = tuple(Loss(name, _FIELD_WORDS[name], self.why) for name in FIELDS if name not in self.fields)
        return (*found, _CONTROL) if self.xml else found

    def encodable(
        self, elements: Iterable[Element], size: Size, where: str, lost: ExportLosses, *, rejected: bool = False
    ) -> tuple[Element, ...]:
        """The elements as the format can say them; what it cannot say is counted.

        Args:
            elements: of one picture.
            size: of the picture.
            where: the picture, in words.
            lost: counts.
            rejected: write rejected elements, too.
        """
        kept: list[Element] = []
        for element in elements:
            place, box = f"{where}: {element.text or element.type}", element.box.clamped(size)
            if element.review == "rejected" and not (rejected and self.rejected):
                lost.left_out.add("rejected", "elements that were rejected", place)
            elif not box.area:
                lost.left_out.add(_NO_AREA.code, _NO_AREA.what, place)
            else:
                # The identity is needed while writing, even where the file has no room for it.
                fields = {**self._fields(element, lost.lost, place), "uid": element.uid, "frame": element.frame}
                kept.append(Element.model_validate({"type": "other", **fields, "box": box}))
                if box != element.box:
                    lost.lost.add(_CUT.code, _CUT.what, place)
        return tuple(kept)

    def _fields(self, element: Element, lost: LossCounts, place: str) -> dict[str, Any]:
        said: dict[str, Any] = {}
        for name in FIELDS:
            value = getattr(element, name)
            if value in (None, "", {}) and not (name == "parent" and value == ""):
                continue
            if name not in self.fields and value != PLAIN.get(name):
                lost.add(name, f"{_FIELD_WORDS[name]}: {self.why}", place)
            if self.xml and isinstance(value, str) and _NOT_XML.search(value):
                lost.add(_CONTROL.code, _CONTROL.what, place)
                value = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", value)
            if name in self.fields | self.partly:
                said[name] = value
        if element.evidence:
            lost.add(_EVIDENCE.code, _EVIDENCE.what, place)
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedPicture:
    """A picture with its elements as it is exported.

    Attributes:
        name: its file name, unique in the export, with ``.png``.
        frame: its id.
        size: pixels.
        demo: id of its demo.
        elements: as far as the format carries them, in reading order.
    """

    name: str
    frame: str
    size: Size
    demo: str
    elements: tuple[Element, ...]

    @property
    def checked(self) -> bool:
        """Whether a person approved or rejected every element, and there is one."""
        return bool(self.elements) and all(element.review in {"approved", "rejected"} for element in self.elements)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedBox:
    """A box as a file gives it.

    Attributes:
        fields: what the file says of an element, by the names of its fields; never ``box`` or ``frame``.
        edges: left, top, right, bottom; in pixels, or in fractions of the picture.
        fractions: whether ``edges`` are fractions.
        whole: whether it is an element that went out from here, with everything that the format carries.
        where: the file and the entry, for messages.
    """

    fields: Mapping[str, Any]
    edges: Edges
    fractions: bool = False
    whole: bool = False
    where: str = ""

    def whole_box(self, size: Size) -> Rect:
        """The nearest pixels on a picture of this size, also those beside it; the edges may be in any order.

        Raises:
            ValueError: an edge is not finite.
        """
        x1, y1, x2, y2 = self.edges
        if not all(math.isfinite(edge) and abs(edge) < 1e9 for edge in self.edges):
            raise ValueError("an edge is no number")
        width, height = size if self.fractions else (1, 1)
        left, right = sorted((round(x1 * width), round(x2 * width)))
        top, bottom = sorted((round(y1 * height), round(y2 * height)))
        return Rect(left, top, right, bottom)

    def box(self, size: Size) -> Rect:
        """The pixels on a picture of this size, cut at its edge; without area where it lies beside it."""
        return self.whole_box(size).clamped(size)


@dataclass(slots=True, kw_only=True)
class DecodedPicture:
    """A picture with its boxes as files tell of it.

    Attributes:
        name: its file name, without folders.
        size: as the file says; None where it does not.
        frame: id of the frame, where we wrote it ourselves; empty otherwise.
        demo: likewise, the demo's id.
        number: its place in a video, from 0; None where it has a name.
        file: the picture itself; None where it is not there.
        embedded_in: a labelme file that holds the picture's bytes.
        boxes: what is on it.
        where: the file that tells of it, for messages.
    """

    name: str
    size: Size | None = None
    frame: str = ""
    demo: str = ""
    number: int | None = None
    file: Path | None = None
    embedded_in: Path | None = None
    boxes: Sequence[DecodedBox] = field(default_factory=list[DecodedBox])
    where: str = ""


class AnnotationOptions(Record):
    """Options of an export of annotations.

    Attributes:
        rejected: write rejected elements, too, where the format can tell them from others.
        pictures: write the pictures beside the boxes.
        classes: for YOLO, the names of the classes in the order of their numbers; empty for our own order.
    """

    rejected: bool = False
    pictures: bool = True
    classes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class DecodeContext:
    """Input of a decoder, with counters of what it could not take.

    Attributes:
        path: the file or folder.
        frames: names of pictures and the frames they show, where an export of ours wrote them down.
        labels: what a label stands for, as a person said: label -> element type.
        left_out: what could not become an element, and why.
        lost: what was taken less exactly than the file says it.
    """

    path: Path
    frames: Mapping[str, str] = field(default_factory=dict[str, str])
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    left_out: LossCounts = field(default_factory=LossCounts)
    lost: LossCounts = field(default_factory=LossCounts)
    _below: dict[str, list[Path]] | None = field(default=None, init=False)

    def json_files(self) -> Iterator[tuple[Path, Any]]:
        """The file itself, or every JSON file below the folder, with its content; logs of exports are passed over.

        Raises:
            BadInputError: a file cannot be read.
        """
        for path in files_of(self.path, "*.json"):
            if path.name != EXPORT_LOG:
                yield path, read_json(path)

    def add_shape_loss(self, where: str) -> None:
        """Count a shape that was taken as its bounding box."""
        self.lost.add("shape", "shapes that became the box around them", where)

    @property
    def root(self) -> Path | None:
        """The folder of the data set; None for a single file, which may lie anywhere."""
        if self.path.is_dir():
            return self.path
        return self.path.parent.parent if self.path.parent.name == "annotations" else None

    def picture(self, name: str, *folders: Path, side: str = "") -> Path | None:
        """A picture by the name that a file gives it; everything below :attr:`root` is looked through, once.

        Args:
            name: as the file has it; backslashes count as slashes.
            folders: where it lies, or has a folder ``images``.
            side: the part of the data set, such as ``train``; it decides between equal names.

        Returns:
            None where there is no such picture, or where two could be meant.
        """
        found = find_picture(name, *folders)
        if found is not None or self.root is None:
            return found
        if self._below is None:
            self._below = {}
            for path in picture_files(self.root):
                self._below.setdefault(path.name, []).append(path)
        ending = Path(name.replace("\\", "/")).parts[::-1]

        def rank(path: Path) -> tuple[bool, int]:
            """Of the part that is wanted, and with how many names equal at the end."""
            equal = itertools.takewhile(lambda names: names[0] == names[1], zip(path.parts[::-1], ending, strict=False))
            return side in path.parts, sum(1 for _ in equal)

        ranked = sorted((rank(path), path) for path in self._below.get(ending[0] if ending else "", ()))
        if not ranked or (len(ranked) > 1 and ranked[-1][0] == ranked[-2][0]):
            return None
        return ranked[-1][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotationFormat:
    """A box format: its name, its encoder and its decoder.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it writes, for people.
        reads: which programs read it.
        capabilities: what it has room for; by default for everything.
        encode: writes pictures with their elements, one after the other.
        decode: reads what any program wrote in this format.
        folder: where its pictures go, in the export.
        notes: what else a person should know.
    """

    name: str
    title: str
    files: str
    reads: str
    capabilities: FormatCapabilities = FormatCapabilities()
    encode: Callable[[Iterable[AnnotatedPicture], Output, AnnotationOptions], None]
    decode: Callable[[DecodeContext], Iterable[DecodedPicture]]
    folder: str = "images"
    notes: tuple[str, ...] = ()
