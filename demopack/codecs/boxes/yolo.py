"""YOLO detection: a class and a box a line. The numbers of the classes are the data set: they never change silently."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
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
    as_number,
    as_text,
    picture_files,
    read_json,
    read_text,
    read_yaml,
    refuse,
    score_fields,
)
from demopack.codecs.boxes.labels import decode_label
from demopack.codecs.losses import EXPORT_LOG
from demopack.codecs.output import Output
from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import Rect, Size, bounds_of_points, to_yolo
from demopack.json_text import as_list, object_in
from demopack.regular_files import open_regular, regular_files

_DATA: Final = "data.yaml"
_NAMES: Final = ("classes.txt", "obj.names")
_SNIFFED_BYTES: Final = 4096
"""Bytes of a text that tell whether it holds labels."""
_MAX_TEXT_BYTES: Final = 4 << 20
"""Bytes of a list of classes, or of the labels of one picture."""
_EDGE_TOLERANCE: Final = 0.01
"""How far past the edge a label may lie; beyond that the numbers are no fractions."""


def encode_label(number: int, box: Rect, size: Size, *, digits: int) -> str:
    """A line of a label file: the number of the class, centre and size in fractions of the picture with some digits."""
    return f"{number} {' '.join(f'{value:.{digits}f}' for value in to_yolo(box, size))}\n"


def encode_names(classes: Sequence[str]) -> str:
    """The classes of a ``data.yaml`` in the order of their numbers."""
    return "names:\n" + "".join(f"  {number}: {_quoted(name)}\n" for number, name in enumerate(classes))


def encode_yolo(pictures: Iterable[AnnotatedPicture], output: Output, options: AnnotationOptions) -> None:
    """Write a file of labels for each picture, and the classes."""
    classes = list(options.classes or ELEMENT_TYPES)
    for picture in pictures:
        lines: list[str] = []
        for element in picture.elements:
            if element.type not in classes:
                # At the end, so that no number changes its meaning.
                classes.append(element.type)
                output.notes.append(f"The class “{element.type}” was added as number {len(classes) - 1}.")
            lines.append(encode_label(classes.index(element.type), element.box, picture.size, digits=8))
        # A picture without elements has an empty file: there is nothing on it.
        output.write(f"labels/train/{picture.name.removesuffix('.png')}.txt", "".join(lines))
    # No `path:`, which the loader would take from where it is started.
    folders = "train: images/train\nval: images/train  # the same: split before you measure\n"
    output.write(_DATA, folders + encode_names(classes))
    output.write("classes.txt", "".join(f"{name}\n" for name in classes))


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() and not name.isdigit() else f"'{name.replace(chr(39), chr(39) * 2)}'"


# Reading ----------------------------------------------------------------------------------------------------------


def class_names(path: Path) -> tuple[str, ...]:
    """The classes of a data set in the order of their numbers.

    Args:
        path: its folder, its ``data.yaml`` or its ``classes.txt``.

    Raises:
        BadInputError: there is no list, or two lists disagree; the files are named.
    """
    if path.is_file():
        return _read_class_list(path) if path.suffix == ".txt" or path.name in _NAMES else _read_data_yaml(path)
    found = {file: _read_class_list(file) for name in _NAMES for file in regular_files(path, name)}
    data = find_data_yaml(path)
    logged = path / EXPORT_LOG
    if data is not None and (not found or _has_yaml()):
        found[data] = _read_data_yaml(data)
    if logged.is_file():
        classes = object_in(read_json(logged)).get("classes")
        if as_list(classes):
            found[logged] = tuple(as_text(name) for name in as_list(classes))
    if not found:
        refuse(
            path, f"There is neither {_DATA} nor classes.txt.", "Add the list of classes, in the order of the numbers."
        )
    (first, names), *others = found.items()
    for file, other in others:
        if other != names:
            refuse(
                first,
                f"Its classes differ from those of {file}, so a number could mean two things.",
                "Some programs write classes.txt anew with the classes they have seen. Restore the right list, or "
                "remove the wrong one.",
                details=f"{list(names)} and {list(other)}",
            )
    return names


def find_data_yaml(folder: Path) -> Path | None:
    """The YAML of a data set: some programs call it ``dataset.yaml``, or by the name of the set."""
    files = sorted(file for pattern in ("*.yaml", "*.yml") for file in folder.glob(pattern) if file.is_file())
    named = [file for file in files if re.search(rb"^names\s*:", _first_bytes(file), re.MULTILINE)]
    return next((file for file in files if file.name == _DATA), next(iter(named), None))


def _read_class_list(path: Path) -> tuple[str, ...]:
    lines = read_text(path, limit=_MAX_TEXT_BYTES, fix="It holds one class a line, in UTF-8.").splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or not all(line.strip() for line in lines):
        refuse(path, "The file has an empty line, or no class.", "Write one class a line, none left out.")
    return tuple(line.strip() for line in lines)


def _has_yaml() -> bool:
    return importlib.util.find_spec("yaml") is not None


def _read_data_yaml(path: Path) -> tuple[str, ...]:
    if not _has_yaml():
        refuse(path, "Reading YAML needs the package pyyaml.", "Install it, or add classes.txt: one class a line.")
    names: object = object_in(read_yaml(path)).get("names")
    listed = as_list(names)
    if listed:
        return tuple(as_text(name) for name in listed)
    pairs: dict[Any, Any] = {**object_in(names)}
    numbers = [key for key in pairs if isinstance(key, int)]
    if not pairs or sorted(numbers) != list(range(len(pairs))):
        refuse(path, "“names” must be a list, or number and class from 0 without a gap.", "Correct “names”.")
    return tuple(as_text(pairs[number]) for number in sorted(numbers))


def decode_yolo(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every picture of a YOLO data set that has a file of labels.

    Raises:
        BadInputError: a file breaks the format's rules; file, line and way out are named.
    """
    root = context.path if context.path.is_dir() else context.path.parent
    names = class_names(context.path if context.path.is_file() and context.path.suffix != ".json" else root)
    told = find_data_yaml(root)
    # Pose data: key points follow the box. Without this word they look like an outline.
    pose = told is not None and re.search(rb"^kpt_shape\s*:", _first_bytes(told), re.MULTILINE) is not None
    pictures: dict[str, list[Path]] = {}
    for picture in picture_files(root):
        pictures.setdefault(picture.stem, []).append(picture)
    for path in regular_files(root, "*.txt"):
        if path.name in _NAMES or (path.stem not in pictures and not _is_labels(path)):
            continue
        file = _picture_of(path, pictures.get(path.stem, ()))
        yield DecodedPicture(
            name=f"{path.stem}.png" if file is None else file.name,
            file=file,
            boxes=decode_labels(path, names, context, pose=pose),
            where=str(path),
        )


def _first_bytes(path: Path, size: int = _MAX_TEXT_BYTES) -> bytes:
    """The first bytes of a file; none of one that cannot be read."""
    try:
        with open_regular(path) as stream:
            return stream.read(size)
    except OSError:
        return b""


def _picture_of(path: Path, named: Sequence[Path]) -> Path | None:
    """The picture of a file of labels: the last folder ``labels`` is exchanged for ``images``, or it lies elsewhere."""
    parts = list(path.parts)
    places = [i for i, part in enumerate(parts) if part == "labels"]
    if places:
        parts[places[-1]] = "images"
    beside = {Path(*parts).parent, path.parent}
    return next((file for file in named if file.parent in beside), next(iter(named), None))


def _is_labels(path: Path) -> bool:
    """Whether a text without a picture beside it holds labels: it lies with them, or looks like them."""
    if "labels" in path.parts or path.stem.startswith("frame"):
        return True
    data = _first_bytes(path, _SNIFFED_BYTES + 1)
    head = data if len(data) <= _SNIFFED_BYTES else data[:_SNIFFED_BYTES].rpartition(b"\n")[0]
    words = head.decode("utf-8-sig", "replace").split()
    return all(as_number(word) is not None for word in words)


def decode_labels(path: Path, names: Sequence[str], context: DecodeContext, *, pose: bool = False) -> list[DecodedBox]:
    """The boxes of a file of labels.

    Args:
        path: of the file.
        names: the classes in the order of their numbers.
        context: counts what is left out or taken less exactly.
        pose: whether key points follow a box.

    Raises:
        BadInputError: a line is no label; file and line are named.
    """
    text = read_text(path, limit=_MAX_TEXT_BYTES, fix="It holds lines of numbers, in UTF-8.")
    lines = enumerate(text.splitlines(), start=1)
    return [_box(line, names, f"{path}, line {number}", context, pose=pose) for number, line in lines if line.strip()]


def _box(line: str, names: Sequence[str], where: str, context: DecodeContext, *, pose: bool) -> DecodedBox:
    found = [as_number(part) for part in line.split()]
    if pose and len(found) > 6:
        context.left_out.add("keypoints", "key points", where)
        found = found[:5]
    numbers = [number for number in found if number is not None]
    polygon = len(found) >= 7 and len(found) % 2 == 1
    if len(numbers) != len(found) or (len(found) not in {5, 6} and not polygon):
        refuse(where, f"{line.strip()[:60]!r} is no label.", "A line is: class cx cy w h, fractions from 0 to 1.")
    number = numbers[0]
    if number != int(number) or not 0 <= number < len(names):
        refuse(where, f"There is no class {number:g}; the list has {len(names)}.", "Add it to the list of classes.")
    values = numbers[1:5] if len(found) in {5, 6} else numbers[1:]
    if not all(-_EDGE_TOLERANCE <= value <= 1 + _EDGE_TOLERANCE for value in values):
        refuse(where, "A value is outside 0..1.", "Divide pixels by the picture's width and height.")
    fields = decode_label(names[int(number)], context)
    if len(found) == 6:
        fields |= score_fields(numbers[5])
    if polygon:
        context.add_shape_loss(where)
        edges = bounds_of_points(zip(values[::2], values[1::2], strict=True))
        return DecodedBox(fields=fields, edges=edges, fractions=True, where=where)
    cx, cy, width, height = values
    edges = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    return DecodedBox(fields=fields, edges=edges, fractions=True, where=where)


YOLO: Final = AnnotationFormat(
    name="yolo",
    title="YOLO detection",
    files="data.yaml, classes.txt, images/train/, labels/train/",
    reads="Ultralytics, supervision, labelImg, most labelling tools",
    capabilities=FormatCapabilities(fields=frozenset({"type"}), why="a line is a class and a box"),
    encode=encode_yolo,
    decode=decode_yolo,
    folder="images/train",
    notes=(
        "Class numbers are the places of the element types from 0, or those of a data set named with `--classes FILE`.",
        "A type that is not in its list is added at the end, and the report says so.",
        "An import stops where data.yaml, classes.txt and the export's log disagree.",
    ),
)
