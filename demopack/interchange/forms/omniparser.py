"""OmniParser's lists: one JSON for each picture, what a parser of theirs would have found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from demopack.domain.elements import Element
from demopack.domain.geometry import to_norm_xywh
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions, Reading
from demopack.interchange.labels import state_value
from demopack.interchange.reading import LOG, files_of, find_picture, floats, items, read_json, rows, text_of, wrong
from demopack.interchange.values import BoxIn, PictureIn, PictureOut
from demopack.pack.formats.output import Output

__all__ = ["OMNIPARSER", "read_omniparser"]

_TEXTS: Final = frozenset({"text", "tabled_text", "draggable_text"})
_STILL: Final = frozenset({"text", "tabled_text", "shape", "image", "window", "dialog", "toolbar", "other"})
_GUESSES: Final[Mapping[tuple[bool, bool], str]] = {
    (True, True): "button",  # an icon that can be used, with words on it
    (True, False): "icon",
    (False, True): "other",
    (False, False): "image",
}


class _Writer:
    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        del options
        self.output = output

    def add(self, picture: PictureOut) -> None:
        rows = [_row(element, picture) for element in picture.elements]
        self.output.json(f"{picture.name.removesuffix('.png')}.json", rows)

    def finish(self) -> None:
        return


def _row(element: Element, picture: PictureOut) -> dict[str, Any]:
    x, y, width, height = to_norm_xywh(element.box, picture.size)
    text = element.type in _TEXTS
    return {
        "type": "text" if text else "icon",
        "bbox": [x, y, round(x + width, 6), round(y + height, 6)],
        "interactivity": element.type not in _STILL,
        "content": element.text,
        "source": (
            "box_ocr_content_ocr" if text else "box_yolo_content_ocr" if element.text else "box_yolo_content_yolo"
        ),
    }


def read_omniparser(reading: Reading) -> Iterator[PictureIn]:
    """Every list of a folder, or one; each belongs to the picture of the same name.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    files = files_of(reading.path, "*.json")
    for path in files:
        if path.name == LOG:
            continue
        data = read_json(path)
        listed = items(data)
        if not isinstance(data, list):
            if reading.path.is_file():
                wrong(path, "The file is no list, so it is none of OmniParser's.", "Name another file or --format.")
            reading.left_out.add("file", "JSON files that are not OmniParser's", path.name)
            continue
        found = [_box(row, f"{path}, [{i}]", reading) for i, row in enumerate(rows(listed, path, "the list"))]
        file = _picture_of(path)
        name = f"{path.stem}.png" if file is None else file.name
        yield PictureIn(
            name=name, frame=reading.frames.get(name, ""), file=file, boxes=found, where=str(path)
        )  # fmt: skip


def _picture_of(path: Path) -> Path | None:
    for suffix in (".png", ".jpg", ".jpeg", ".webp", ".bmp"):
        found = find_picture(f"{path.stem}{suffix}", path.parent)
        if found is not None:
            return found
    return None


def _box(row: Mapping[str, Any], where: str, reading: Reading) -> BoxIn:
    edges = floats(row.get("bbox"), 4, where, "bbox")
    if not all(-0.01 <= edge <= 1.01 for edge in edges):
        wrong(where, "“bbox” must be fractions from 0 to 1.", "Divide pixels by the picture's width and height.")
    text = text_of(row.get("content"))
    said: dict[str, Any] = {"text": text} if text else {}
    if row.get("type") == "text":
        fields = {"type": "text", "source": "ocr"}
    elif row.get("type") == "icon":
        kind = _GUESSES[bool(state_value(row.get("interactivity"))), bool(text)]
        fields = {"type": kind, "source": "detector"}
        reading.lost.add("guess", "icons of OmniParser's, whose types were guessed", where)
    else:
        wrong(where, "“type” must be “text” or “icon”.", "Correct “type”.")
    return BoxIn(
        fields={**fields, **said}, edges=(edges[0], edges[1], edges[2], edges[3]), fractions=True, where=where
    )  # fmt: skip


OMNIPARSER: Final = AnnotationFormat(
    name="omniparser",
    title="OmniParser's lists",
    files="NAME.json beside NAME.png",
    reads="programs that take OmniParser's parsed content",
    carrier=Carrier(
        fields=frozenset({"text"}), partly=frozenset({"type"}), why="an entry is text or icon, a box and its content"
    ),
    writer=_Writer,
    reader=read_omniparser,
    folder="",
    notes=(
        "An import takes “text” as text; an icon that can be used becomes a button where it has words, else an icon.",
        "The report counts these guesses.",
    ),
)
