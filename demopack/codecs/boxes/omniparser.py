"""OmniParser's lists: one JSON for each picture, what a parser of theirs would have found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationFormat,
    AnnotationOptions,
    DecodeContext,
    DecodedBox,
    DecodedPicture,
    FormatCapabilities,
)
from demopack.codecs.boxes.input_files import (
    as_text,
    find_picture,
    floats,
    list_of_objects,
    refuse,
)
from demopack.codecs.boxes.labels import parse_state
from demopack.codecs.output import Output
from demopack.domain.elements import Element
from demopack.domain.geometry import to_norm_xywh
from demopack.json_text import as_list

_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
_TEXTS: Final = frozenset({"text", "tabled_text", "draggable_text"})
_STATIC_TYPES: Final = frozenset({"text", "tabled_text", "shape", "image", "window", "dialog", "toolbar", "other"})
_GUESSED_TYPES: Final[Mapping[tuple[bool, bool], str]] = {
    (True, True): "button",  # an icon that can be used, with words on it
    (True, False): "icon",
    (False, True): "other",
    (False, False): "image",
}


def encode_omniparser(pictures: Iterable[AnnotatedPicture], output: Output, _: AnnotationOptions) -> None:
    """Write a list for each picture."""
    for picture in pictures:
        rows = [_row(element, picture) for element in picture.elements]
        output.json(f"{picture.name.removesuffix('.png')}.json", rows)


def _row(element: Element, picture: AnnotatedPicture) -> dict[str, Any]:
    x, y, width, height = to_norm_xywh(element.box, picture.size)
    text = element.type in _TEXTS
    return {
        "type": "text" if text else "icon",
        "bbox": [x, y, round(x + width, 6), round(y + height, 6)],
        "interactivity": element.type not in _STATIC_TYPES,
        "content": element.text,
        "source": (
            "box_ocr_content_ocr" if text else "box_yolo_content_ocr" if element.text else "box_yolo_content_yolo"
        ),
    }


def decode_omniparser(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every list of a folder, or one; each belongs to the picture of the same name.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path, data in context.json_files():
        if not isinstance(data, list):
            if context.path.is_file():
                refuse(path, "The file is no list, so it is none of OmniParser's.", "Name another file or format.")
            context.left_out.add("file", "JSON files that are not OmniParser's", path.name)
            continue
        rows = enumerate(list_of_objects(as_list(data), path, "the list"))
        found = [_box(row, f"{path}, [{i}]", context) for i, row in rows]
        named = (find_picture(f"{path.stem}{suffix}", path.parent) for suffix in _SUFFIXES)
        file = next(filter(None, named), None)
        name = f"{path.stem}.png" if file is None else file.name
        yield DecodedPicture(name=name, file=file, boxes=found, where=str(path))


def _box(row: Mapping[str, Any], where: str, context: DecodeContext) -> DecodedBox:
    edges = floats(row.get("bbox"), 4, where, "bbox")
    if not all(-0.01 <= edge <= 1.01 for edge in edges):
        refuse(where, "“bbox” must be fractions from 0 to 1.", "Divide pixels by the picture's width and height.")
    text = as_text(row.get("content"))
    said: dict[str, Any] = {"text": text} if text else {}
    if row.get("type") == "text":
        fields = {"type": "text", "source": "ocr"}
    elif row.get("type") == "icon":
        kind = _GUESSED_TYPES[bool(parse_state(row.get("interactivity"))), bool(text)]
        fields = {"type": kind, "source": "detector"}
        context.lost.add("guess", "icons of OmniParser's, whose types were guessed", where)
    else:
        refuse(where, "“type” must be “text” or “icon”.", "Correct “type”.")
    left, top, right, bottom = edges
    return DecodedBox(fields={**fields, **said}, edges=(left, top, right, bottom), fractions=True, where=where)


OMNIPARSER: Final = AnnotationFormat(
    name="omniparser",
    title="OmniParser's lists",
    files="NAME.json beside NAME.png",
    reads="programs that take OmniParser's parsed content",
    capabilities=FormatCapabilities(
        fields=frozenset({"text"}), partly=frozenset({"type"}), why="an entry is text or icon, a box and its content"
    ),
    encode=encode_omniparser,
    decode=decode_omniparser,
    folder="",
    notes=(
        "An import takes “text” as text; an icon that can be used becomes a button where it has words, else an icon.",
        "The report counts these guesses.",
    ),
)
