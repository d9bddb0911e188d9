"""COCO and YOLO of demos: the elements of every picture that somebody, or a program, has looked through."""

from __future__ import annotations

import json
import shutil
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Any, ClassVar, Final

from demopack.codecs.boxes.coco import CATEGORIES, encode_annotation, encode_image
from demopack.codecs.boxes.yolo import encode_label, encode_names
from demopack.codecs.losses import Loss
from demopack.codecs.output import Output
from demopack.codecs.recorded_demo import RecordedDemo
from demopack.codecs.sets.base import LEFT_OUT, ExportOptions, Format, FormatWriter
from demopack.domain.elements import ELEMENT_TYPES, NumberedElement
from demopack.domain.geometry import Size
from demopack.file_names import safe_name


class _PictureWriter(FormatWriter):
    """Walks the pictures; a picture that nobody looked through has no ground truth and is left out."""

    folder: ClassVar[str]
    """Where the pictures go; ``{part}`` in it is the side of the demo at hand."""

    def add(self, demo: RecordedDemo) -> None:
        for frame in demo.frames:
            file, found = demo.files[frame.id], demo.elements.get(frame.id, ())
            if frame.id not in demo.parsed and not found:
                self.output.left_out.add("not_parsed", LEFT_OUT["not_parsed"], file)
                continue
            # Without folders: ``frames/demo/0001.png`` becomes ``demo--0001.png``.
            stem = file.removeprefix("frames/").removesuffix(".png").replace("/", "--")
            name = f"{safe_name(stem)}.png"
            self.output.picture(demo, file, f"{self.folder.replace('{part}', self.output.part)}/{name}")
            for element in found:
                if not element.box.area:
                    why = "elements without area are not written"
                    self.output.lost.add("no_area", why, f"{file}/{element.uid}")
            self.write_elements(name, frame.size, [element for element in found if element.box.area])
            self.output.rows_out += 1

    @abstractmethod
    def write_elements(self, name: str, size: Size, elements: Sequence[NumberedElement]) -> None:
        """Write the elements of one picture."""


@dataclass(frozen=True, kw_only=True)
class _AnnotationFiles:
    """Images and annotations of one file, and how many there are so far."""

    images: IO[str]
    annotations: IO[str]
    counts: list[int] = field(default_factory=lambda: [0, 0])


class _CocoWriter(_PictureWriter):
    """Images and annotations go to a file each and are joined at the end: the whole is never in memory."""

    folder = "images"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._by_side = defaultdict[str, _AnnotationFiles](
            lambda: _AnnotationFiles(images=output.scratch(), annotations=output.scratch())
        )

    def write_elements(self, name: str, size: Size, elements: Sequence[NumberedElement]) -> None:
        files = self._by_side[self.output.side]
        files.counts[0] += 1
        image = files.counts[0]
        row = encode_image(image, name, size)
        files.images.write(("" if image == 1 else ",\n") + json.dumps(row))
        for element in elements:
            files.counts[1] += 1
            row = encode_annotation(element, files.counts[1], image, _attributes(element))
            files.annotations.write(("" if files.counts[1] == 1 else ",\n") + json.dumps(row, ensure_ascii=False))

    def finish(self) -> None:
        for side in list(self._by_side) or [""]:  # there is a file even where there is no picture
            self._join(self._by_side[side], f"annotations/instances{f'_{side}' if side else ''}.json")

    def _join(self, files: _AnnotationFiles, name: str) -> None:
        info = {"description": "GUI elements", "licence": self.output.licence}
        with self.output.path(name).open("w", encoding="utf-8", newline="\n") as file:
            file.write(f'{{"info": {json.dumps(info)},\n"categories": {json.dumps(CATEGORIES)},\n')
            for key, part, end in (("images", files.images, ",\n"), ("annotations", files.annotations, "}\n")):
                file.write(f'"{key}": [\n')
                part.seek(0)
                shutil.copyfileobj(part, file)
                file.write(f"\n]{end}")


def _attributes(element: NumberedElement) -> dict[str, Any]:
    fields = {
        "text": element.text,
        "subtype": element.subtype,
        "states": element.states or None,
        "track_id": element.track_id,
        "element_id": element.number,
    }
    return {name: value for name, value in fields.items() if value is not None}


class _YoloWriter(_PictureWriter):
    folder = "images/{part}"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._parts: dict[str, bool] = {}  # name -> whether it has a picture
        self._divided = False

    def add(self, demo: RecordedDemo) -> None:
        self._parts.setdefault(self.output.part, False)
        self._divided = self._divided or bool(self.output.side)
        super().add(demo)

    def write_elements(self, name: str, size: Size, elements: Sequence[NumberedElement]) -> None:
        lines = [encode_label(ELEMENT_TYPES.index(one.type), one.box, size, digits=6) for one in elements]
        self._parts[self.output.part] = True
        # A picture without elements has an empty file: it was looked through, and there is nothing.
        self.output.write(f"labels/{self.output.part}/{name.removesuffix('.png')}.txt", "".join(lines))

    def finish(self) -> None:
        # No `path:`: the loader would take it from where it is started, not from where this file lies.
        self.output.write("data.yaml", self._folders() + encode_names(ELEMENT_TYPES))

    def _folders(self) -> str:
        """Folders to train on and to measure on. The loader asks for both; no side ever stands in for another."""
        if not self._divided:
            return "train: images/train\nval: images/train  # the same: split by task before you measure\n"
        parts = [part for part, has in self._parts.items() if has]
        named = sorted(parts, key=lambda part: (part != "train", part != "val", parts.index(part)))
        missing = "".join(self._left_out(part) for part in ("train", "val") if part not in parts)
        return missing + "".join(f"{part}: images/{part}\n" for part in named)

    def _left_out(self, part: str) -> str:
        """Why a side is not named, as a comment; it is counted and noted, too."""
        why = "no demo is on this side" if part not in self._parts else "nobody has looked for elements on its pictures"
        self.output.lost.add(f"no_{part}", f"data.yaml names no {part}, which Ultralytics asks for: {why}", part)
        self.output.notes.append(
            f"data.yaml names no {part} ({why}), and Ultralytics will not start: divide the pack anew, or find the "
            "elements there; put no other side in its place"
        )
        return f"# {part}: is left out, {why}. Ultralytics asks for it; put no other side in its place.\n"


COCO: Final = Format(
    name="coco",
    title="COCO of the elements",
    files="annotations/instances.json, images/",
    reads="pycocotools, faster-coco-eval, supervision, most detectors' training",
    about="The elements as boxes with types: what detectors are trained and measured with.",
    load=('from pycocotools.coco import COCO\n\nelements = COCO("FOLDER/annotations/instances.json")'),
    writer=_CocoWriter,
    rows="pictures",
    losses=(Loss("steps", "the steps", "COCO knows pictures and boxes"),),
    sides=True,
)
YOLO: Final = Format(
    name="yolo",
    title="YOLO labels of the elements",
    files="data.yaml, images/train/, labels/train/",
    reads="Ultralytics, supervision",
    about="The elements as label files: what Ultralytics trains on.",
    load="$ yolo detect train data=FOLDER/data.yaml …",
    writer=_YoloWriter,
    rows="pictures",
    losses=(
        Loss("steps", "the steps", "YOLO knows pictures and boxes"),
        Loss("texts", "texts, states and tracks of elements", "a label is a class and a box"),
    ),
    sides=True,
)
