"""CVAT XML 1.1, read: boxes of pictures, and tracks over frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

# Entities and external references are refused before the parser sees the file.
from xml.etree import ElementTree as ET
from xml.parsers import expat

from demopack.domain.geometry import Size
from demopack.interchange.form import Reading
from demopack.interchange.forms.cvat_shapes import edges_of
from demopack.interchange.labels import said_attributes, type_fields
from demopack.interchange.reading import files_of, floats, picture_files, read_bytes, text_of, wrong
from demopack.interchange.values import BoxIn, PictureIn

__all__ = ["read_cvat"]

_UNSEEN: Final = frozenset({"not visible", "__undefined__"})
"""What a select says where nothing was chosen: ours, and CVAT's own."""


def read_cvat(reading: Reading) -> Iterator[PictureIn]:
    """Every picture of CVAT's files that has a box.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    files = files_of(reading.path, "*.xml")
    for path in files:
        root = _root(path)
        if root.tag != "annotations":
            if reading.path.is_file():
                wrong(path, "The file is no CVAT XML 1.1.", "Export “CVAT for images 1.1” or “CVAT for video 1.1”.")
            continue
        for image in root.iter("image"):
            yield _image(image, path, reading)
        if root.find("track") is not None:
            yield from _video(root, path, reading)


def _root(path: Path) -> ET.Element:
    data = read_bytes(path)
    try:
        if _has_doctype(data):
            wrong(path, "The file declares entities, which CVAT never does.", "Export it from CVAT again.")
        return ET.fromstring(data)  # noqa: S314 - without entities
    except (expat.ExpatError, ET.ParseError, LookupError, ValueError, RecursionError) as error:
        wrong(path, "The file is not XML.", f"Mend it ({error}), or export it again.")


def _has_doctype(data: bytes) -> bool:
    """Whether a document type is declared before the first tag; without one there are no entities.

    It is asked of the parser itself, so that no encoding hides it.
    """

    def found(*_: object) -> None:
        raise _FoundError(doctype=True)

    def begun(*_: object) -> None:
        raise _FoundError(doctype=False)

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler, parser.StartElementHandler = found, begun
    try:
        parser.Parse(data, True)  # noqa: FBT003 - that it is all
    except _FoundError as told:
        return told.doctype
    return False


class _FoundError(Exception):
    def __init__(self, *, doctype: bool) -> None:
        super().__init__()
        self.doctype = doctype


def _image(image: ET.Element, path: Path, reading: Reading) -> PictureIn:
    named = text_of(image.get("name"))
    where = f"{path}, image {named or image.get('id')}"
    if not named:
        wrong(where, "“name” is missing.", "Name the picture's file there.")
    name = named.replace("\\", "/").rpartition("/")[2]
    boxes: list[BoxIn] = []
    for i, shape in enumerate(image):
        place = f"{where}, {shape.tag} {i}"
        edges = edges_of(shape, place, reading)
        if edges is not None:
            fields = _fields(shape, shape.get("label"), place, reading)
            boxes.append(BoxIn(fields=fields, edges=edges, whole="uid" in fields, where=place))
    return PictureIn(
        name=name,
        size=_size(image.get("width"), image.get("height"), where),
        frame=reading.frames.get(name, ""),
        file=reading.shelf.find(named, path.parent, root=reading.root, side=image.get("subset") or path.stem),
        boxes=boxes,
        where=where,
    )


def _size(width: str | None, height: str | None, where: str) -> Size | None:
    if width is None or height is None:
        return None
    found = floats((width, height), 2, where, "width, height")
    return Size(int(found[0]), int(found[1]))


def _fields(shape: ET.Element, label: str | None, where: str, reading: Reading) -> dict[str, Any]:
    if not label:
        wrong(where, "“label” is missing.", "Add the label, or remove the shape.")
    given = {str(one.get("name")): one.text or "" for one in shape.findall("attribute")}
    if shape.get("occluded") == "1":
        reading.left_out.add("attribute occluded", "marks that an element is covered", where)
    fields: dict[str, Any] = {}
    if shape.get("source") in {"auto", "semi-auto", "file"} and not given.get("uid"):
        fields["source"] = "detector"
    ours = {name: value for name, value in given.items() if value not in _UNSEEN}
    return {**fields, **type_fields(label, reading), **said_attributes(ours, where, reading)}


# Tracks -----------------------------------------------------------------------------------------------------------


def _video(root: ET.Element, path: Path, reading: Reading) -> Iterator[PictureIn]:
    boxes: dict[int, list[BoxIn]] = {}
    for track in root.iter("track"):
        for number, box in _track(track, path, reading):
            boxes.setdefault(number, []).append(box)
    size = root.find("./meta//original_size")
    place = f"{path}, original_size"
    whole = None if size is None else _size(size.findtext("width"), size.findtext("height"), place)
    files: Sequence[Path] = picture_files(path.parent)
    # What we wrote ourselves has the frames in this order.
    names = list(reading.frames) or [file.name for file in files]
    by_name = {file.name: file for file in files}
    for number in sorted(boxes):
        name = names[number] if number < len(names) else f"frame_{number:06}.png"
        yield PictureIn(
            name=name,
            size=whole,
            frame=reading.frames.get(name, ""),
            number=number,
            file=by_name.get(name),
            boxes=boxes[number],
            where=f"{path}, frame {number}",
        )


def _track(track: ET.Element, path: Path, reading: Reading) -> Iterator[tuple[int, BoxIn]]:
    where = f"{path}, track {track.get('id')}"
    fixed: dict[str, Any] = {"track_id": f"track_{track.get('id')}"}
    if track.get("source") in {"auto", "semi-auto", "file"}:
        fixed["source"] = "detector"
    last: tuple[int, BoxIn] | None = None
    for shape in track:
        if shape.tag != "box":
            reading.left_out.add(f"shape {shape.tag}", f"shapes of the kind {shape.tag}", where)
            continue
        number = int(floats((shape.get("frame"),), 1, where, "frame")[0])
        place = f"{where}, frame {number}"
        edges = edges_of(shape, place, reading)
        assert edges is not None
        fields = {**fixed, **_fields(shape, track.get("label"), place, reading)}
        whole = "uid" in fields
        if whole:  # what it said itself, not what its track stands for
            fields = _fields(shape, track.get("label"), place, reading)
        box = BoxIn(fields=fields, edges=edges, whole=whole, where=place)
        gone = shape.get("outside") == "1"
        if last is not None:
            yield from _between(last, number, box if not gone else last[1])
        last = None if gone else (number, box)
        if last is not None:
            yield last


def _between(start: tuple[int, BoxIn], end: int, last: BoxIn) -> Iterator[tuple[int, BoxIn]]:
    """The boxes of the frames between two that are written down; CVAT moves them evenly."""
    first, box = start
    fields: Mapping[str, Any] = {key: value for key, value in box.fields.items() if key != "uid"}
    for number in range(first + 1, end):
        share = (number - first) / (end - first)
        x1, y1, x2, y2 = (a + (b - a) * share for a, b in zip(box.edges, last.edges, strict=True))
        yield number, BoxIn(fields=fields, edges=(x1, y1, x2, y2), where=f"{box.where}, then frame {number}")
