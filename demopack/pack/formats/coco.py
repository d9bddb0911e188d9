"""COCO and YOLO: the elements of every picture that somebody, or a program, has looked through."""

from __future__ import annotations

import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Any, ClassVar, Final

from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import Rect, Size, to_coco, to_yolo
from demopack.pack.formats.base import ExportOptions, Format, Loss
from demopack.pack.formats.chats import LEFT_OUT
from demopack.pack.formats.output import Output
from demopack.pack.names import safe_name
from demopack.pack.rows import ElementRow, FrameRow
from demopack.pack.stream import DemoRows

__all__ = ["COCO", "YOLO", "flat_name"]


def flat_name(file: str) -> str:
    """A picture's name without folders: ``frames/demo/0001.png`` becomes ``demo--0001.png``."""
    stem = file.removeprefix("frames/").removesuffix(".png")
    return f"{safe_name(stem.replace('/', '--'))}.png"


class _Pictures(ABC):
    """Walks the pictures; a picture that nobody looked through has no truth and is left out."""

    folder: ClassVar[str]
    """Where the pictures go; ``{part}`` in it is the side of the demo at hand."""

    def __init__(self, output: Output, options: ExportOptions) -> None:
        del options
        self.output = output

    def add(self, demo: DemoRows) -> None:
        for frame in demo.head.frames:
            self.output.rows_in += 1
            found = demo.elements.get(frame.id, ())
            if not frame.parsed and not found:
                self.output.left_out.add("not_parsed", LEFT_OUT["not_parsed"], frame.file)
                continue
            name = flat_name(frame.file)
            self.output.picture(demo, frame.file, f"{self.folder.replace('{part}', self.output.part)}/{name}")
            self.picture(frame, name, [element for element in found if self._has_area(element)])
            self.output.rows_out += 1

    def _has_area(self, element: ElementRow) -> bool:
        if Rect(*element.box).area:
            return True
        self.output.lost.add("no_area", "elements without area are not written", f"{element.image}/{element.uid}")
        return False

    @abstractmethod
    def picture(self, frame: FrameRow, name: str, elements: Sequence[ElementRow]) -> None:
        """Write the truth about one picture."""

    @abstractmethod
    def finish(self) -> None:
        """Write what comes at the end."""


@dataclass(frozen=True, kw_only=True)
class _Truths:
    """What one file will hold, and how many images and annotations there are so far."""

    images: IO[str]
    annotations: IO[str]
    counts: list[int] = field(default_factory=lambda: [0, 0])


class _Coco(_Pictures):
    """Images and annotations go to a file each and are joined at the end: the whole is never in memory."""

    folder = "images"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._sides: dict[str, _Truths] = {}

    def picture(self, frame: FrameRow, name: str, elements: Sequence[ElementRow]) -> None:
        truths = self._of(self.output.side)
        truths.counts[0] += 1
        image = truths.counts[0]
        row = {"id": image, "file_name": name, "width": frame.width, "height": frame.height}
        truths.images.write(("" if image == 1 else ",\n") + json.dumps(row))
        for element in elements:
            truths.counts[1] += 1
            row = _annotation(element, truths.counts[1], image)
            truths.annotations.write(("" if truths.counts[1] == 1 else ",\n") + json.dumps(row, ensure_ascii=False))

    def _of(self, side: str) -> _Truths:
        if side not in self._sides:
            self._sides[side] = _Truths(images=self.output.scratch(), annotations=self.output.scratch())
        return self._sides[side]

    def finish(self) -> None:
        if not self._sides:
            self._of("")  # there is a file even where there is no picture
        for side, truths in self._sides.items():
            self._join(truths, f"annotations/instances{f'_{side}' if side else ''}.json")

    def _join(self, truths: _Truths, name: str) -> None:
        categories = [
            {"id": number, "name": name, "supercategory": "element"}
            for number, name in enumerate(ELEMENT_TYPES, start=1)
        ]
        info = {"description": "GUI elements", "licence": self.output.licence}
        with self.output.path(name).open("w", encoding="utf-8", newline="\n") as file:
            file.write(f'{{"info": {json.dumps(info)},\n"categories": {json.dumps(categories)},\n')
            for key, part, end in (("images", truths.images, ",\n"), ("annotations", truths.annotations, "}\n")):
                file.write(f'"{key}": [\n')
                part.seek(0)
                shutil.copyfileobj(part, file)
                file.write(f"\n]{end}")


def _annotation(element: ElementRow, number: int, image: int) -> dict[str, Any]:
    box = Rect(*element.box)
    said = {
        "text": element.text,
        "subtype": element.subtype,
        "states": element.states or None,
        "track_id": element.track_id,
        "element_id": element.element_id,
    }
    return {
        "id": number,
        "image_id": image,
        "category_id": ELEMENT_TYPES.index(element.type) + 1,
        "bbox": list(to_coco(box)),
        "area": box.area,
        "iscrowd": 0,
        "segmentation": [],
        "attributes": {name: value for name, value in said.items() if value is not None},
    }


class _Yolo(_Pictures):
    folder = "images/{part}"

    def __init__(self, output: Output, options: ExportOptions) -> None:
        super().__init__(output, options)
        self._parts: list[str] = []

    def picture(self, frame: FrameRow, name: str, elements: Sequence[ElementRow]) -> None:
        size = Size(frame.width, frame.height)
        lines = [
            f"{ELEMENT_TYPES.index(element.type)} {' '.join(f'{v:.6f}' for v in to_yolo(Rect(*element.box), size))}\n"
            for element in elements
        ]
        if self.output.part not in self._parts:
            self._parts.append(self.output.part)
        # A picture without elements has an empty file: it was looked through, and there is nothing.
        self.output.write(f"labels/{self.output.part}/{name.removesuffix('.png')}.txt", "".join(lines))

    def finish(self) -> None:
        # No `path:`: the loader would take it from where it is started, not from where this file lies.
        names = "".join(f"  {number}: {name}\n" for number, name in enumerate(ELEMENT_TYPES))
        self.output.write("data.yaml", f"{self._folders()}names:\n{names}")

    def _folders(self) -> str:
        """What is trained on and what is measured on; the loader asks for both."""
        parts = self._parts or ["train"]
        train = "train" if "train" in parts else parts[0]
        others = [part for part in parts if part != train]
        if not others:
            return f"train: images/{train}\nval: images/{train}  # the same: split by task before you measure\n"
        val = "val" if "val" in others else others[0]
        rest = "".join(f"{part}: images/{part}\n" for part in others if part != val)
        return f"train: images/{train}\nval: images/{val}\n{rest}"


COCO: Final = Format(
    name="coco",
    title="COCO of the elements",
    files="annotations/instances.json, images/",
    reads="pycocotools, faster-coco-eval, supervision, most detectors' training",
    load='COCO("FOLDER/annotations/instances.json")',
    writer=_Coco,
    rows="pictures",
    losses=(Loss(code="steps", what="the steps", why="COCO knows pictures and boxes"),),
    sides=True,
)
YOLO: Final = Format(
    name="yolo",
    title="YOLO labels of the elements",
    files="data.yaml, images/train/, labels/train/",
    reads="Ultralytics, supervision",
    load="yolo detect train data=FOLDER/data.yaml …",
    writer=_Yolo,
    rows="pictures",
    losses=(
        Loss(code="steps", what="the steps", why="YOLO knows pictures and boxes"),
        Loss(code="texts", what="texts, states and tracks of elements", why="a label is a class and a box"),
    ),
    sides=True,
)
