"""YOLO detection: a class and a box a line. The numbers of the classes are the data set: they never change silently."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import to_yolo
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions, Reading
from demopack.interchange.labels import type_fields
from demopack.interchange.reading import (
    LOG,
    items,
    number_of,
    objects,
    picture_files,
    read_bytes,
    read_json,
    read_yaml,
    text_of,
    wrong,
)
from demopack.interchange.values import BoxIn, PictureIn, PictureOut
from demopack.pack.formats.output import Output
from demopack.regular_files import open_regular, regular_files

__all__ = ["YOLO", "class_names", "declaration", "read_yolo"]

_DATA: Final = "data.yaml"
_NAMES: Final = ("classes.txt", "obj.names")
_LOOK: Final = 4096
"""Bytes of a text that tell whether it holds labels."""
_LARGEST_TEXT: Final = 4 << 20
"""Bytes of a list of classes, or of the labels of one picture."""
_SLACK: Final = 0.01
"""How far past the edge a label may lie; beyond that the numbers are no fractions."""


class _Writer:
    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        self.output = output
        self.classes: list[str] = list(options.classes or ELEMENT_TYPES)
        self._given = bool(options.classes)

    def add(self, picture: PictureOut) -> None:
        lines: list[str] = []
        for element in picture.elements:
            if element.type not in self.classes:
                # At the end, so that no number changes its meaning.
                self.classes.append(element.type)
                self.output.notes.append(f"The class “{element.type}” was added as number {len(self.classes) - 1}.")
            box = " ".join(f"{value:.8f}" for value in to_yolo(element.box, picture.size))
            lines.append(f"{self.classes.index(element.type)} {box}\n")
        # A picture without elements has an empty file: there is nothing on it.
        self.output.write(f"labels/train/{picture.name.removesuffix('.png')}.txt", "".join(lines))

    def finish(self) -> None:
        # No `path:`, which the loader would take from where it is started.
        names = "".join(f"  {number}: {_quoted(name)}\n" for number, name in enumerate(self.classes))
        self.output.write(
            _DATA, f"train: images/train\nval: images/train  # the same: split before you measure\nnames:\n{names}"
        )
        self.output.write("classes.txt", "".join(f"{name}\n" for name in self.classes))


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
        return _listed(path) if path.suffix == ".txt" or path.name in _NAMES else _declared(path)
    found = {file: _listed(file) for name in _NAMES for file in regular_files(path, name)}
    data = declaration(path)
    logged = path / LOG
    if data is not None and (not found or _has_yaml()):
        found[data] = _declared(data)
    if logged.is_file():
        classes = objects(read_json(logged)).get("classes")
        if items(classes):
            found[logged] = tuple(text_of(name) for name in items(classes))
    if not found:
        wrong(
            path, f"There is neither {_DATA} nor classes.txt.", "Add the list of classes, in the order of the numbers."
        )
    (first, names), *others = found.items()
    for file, other in others:
        if other != names:
            wrong(
                first,
                f"Its classes differ from those of {file}, so a number could mean two things.",
                "Some programs write classes.txt anew with the classes they have seen. Restore the right list, or "
                "remove the wrong one.",
                details=f"{list(names)} and {list(other)}",
            )
    return names


def declaration(folder: Path) -> Path | None:
    """The YAML of a data set: some programs call it ``dataset.yaml``, or by the name of the set."""
    files = sorted(file for pattern in ("*.yaml", "*.yml") for file in folder.glob(pattern) if file.is_file())
    named = [file for file in files if re.search(rb"^names\s*:", _head(file), re.MULTILINE)]
    return next((file for file in files if file.name == _DATA), next(iter(named), None))


def _listed(path: Path) -> tuple[str, ...]:
    try:
        lines = read_bytes(path, limit=_LARGEST_TEXT).decode("utf-8-sig").splitlines()
    except ValueError as error:
        wrong(path, "The file cannot be read.", "It holds one class a line, in UTF-8.", details=str(error))
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines or not all(line.strip() for line in lines):
        wrong(path, "The file has an empty line, or no class.", "Write one class a line, none left out.")
    return tuple(line.strip() for line in lines)


def _has_yaml() -> bool:
    return importlib.util.find_spec("yaml") is not None


def _declared(path: Path) -> tuple[str, ...]:
    if not _has_yaml():
        wrong(path, "Reading YAML needs the package pyyaml.", "Install it, or add classes.txt: one class a line.")
    names: object = objects(read_yaml(path)).get("names")
    listed = items(names)
    if listed:
        return tuple(text_of(name) for name in listed)
    pairs: dict[Any, Any] = {**objects(names)}
    numbers = [key for key in pairs if isinstance(key, int)]
    if not pairs or sorted(numbers) != list(range(len(pairs))):
        wrong(path, "“names” must be a list, or number and class from 0 without a gap.", "Correct “names”.")
    return tuple(text_of(pairs[number]) for number in sorted(numbers))


def read_yolo(reading: Reading) -> Iterator[PictureIn]:
    """Every picture of a YOLO data set that has a file of labels.

    Raises:
        BadInputError: a file breaks the format's rules; file, line and way out are named.
    """
    root = reading.path if reading.path.is_dir() else reading.path.parent
    names = class_names(reading.path if reading.path.is_file() and reading.path.suffix != ".json" else root)
    told = declaration(root)
    # Pose data: key points follow the box. Without this word they look like an outline.
    pose = told is not None and re.search(rb"^kpt_shape\s*:", _head(told), re.MULTILINE) is not None
    pictures: dict[str, list[Path]] = {}
    for picture in picture_files(root):
        pictures.setdefault(picture.stem, []).append(picture)
    for path in regular_files(root, "*.txt"):
        if path.name in _NAMES or (path.stem not in pictures and not _is_labels(path)):
            continue
        file = _picture_of(path, pictures.get(path.stem, ()))
        name = file.name if file is not None else f"{path.stem}.png"
        yield PictureIn(
            name=name,
            frame=reading.frames.get(name, ""),
            file=file,
            boxes=_boxes(path, names, reading, pose=pose),
            where=str(path),
        )


def _head(path: Path, size: int = _LARGEST_TEXT) -> bytes:
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
    data = _head(path, _LOOK + 1)
    head = data if len(data) <= _LOOK else data[:_LOOK].rpartition(b"\n")[0]
    words = head.decode("utf-8-sig", "replace").split()
    return all(number_of(word) is not None for word in words)


def _boxes(path: Path, names: Sequence[str], reading: Reading, *, pose: bool) -> list[BoxIn]:
    try:
        text = read_bytes(path, limit=_LARGEST_TEXT).decode("utf-8-sig")
    except ValueError as error:
        wrong(path, "The file cannot be read.", "It holds lines of numbers, in UTF-8.", details=str(error))
    lines = enumerate(text.splitlines(), start=1)
    return [_box(line, names, f"{path}, line {number}", reading, pose=pose) for number, line in lines if line.strip()]


def _box(line: str, names: Sequence[str], where: str, reading: Reading, *, pose: bool) -> BoxIn:
    found = [number_of(part) for part in line.split()]
    if pose and len(found) > 6:
        reading.left_out.add("keypoints", "key points", where)
        found = found[:5]
    numbers = [number for number in found if number is not None]
    polygon = len(found) >= 7 and len(found) % 2 == 1
    if len(numbers) != len(found) or (len(found) not in {5, 6} and not polygon):
        wrong(where, f"{line.strip()[:60]!r} is no label.", "A line is: class cx cy w h, fractions from 0 to 1.")
    number = numbers[0]
    if number != int(number) or not 0 <= number < len(names):
        wrong(where, f"There is no class {number:g}; the list has {len(names)}.", "Add it to the list of classes.")
    values = numbers[1:5] if len(found) in {5, 6} else numbers[1:]
    if not all(-_SLACK <= value <= 1 + _SLACK for value in values):
        wrong(where, "A value is outside 0..1.", "Divide pixels by the picture's width and height.")
    fields = type_fields(names[int(number)], reading)
    if len(found) == 6:
        fields |= {"confidence": min(max(numbers[5], 0.0), 1.0), "source": "detector"}
    if polygon:
        reading.lost.add("shape", "shapes that became the box around them", where)
        xs, ys = values[::2], values[1::2]
        return BoxIn(fields=fields, edges=(min(xs), min(ys), max(xs), max(ys)), fractions=True, where=where)
    cx, cy, width, height = values
    edges = (cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2)
    return BoxIn(fields=fields, edges=edges, fractions=True, where=where)


YOLO: Final = AnnotationFormat(
    name="yolo",
    title="YOLO detection",
    files="data.yaml, classes.txt, images/train/, labels/train/",
    reads="Ultralytics, supervision, labelImg, most labelling tools",
    carrier=Carrier(fields=frozenset({"type"}), why="a line is a class and a box"),
    writer=_Writer,
    reader=read_yolo,
    folder="images/train",
    notes=(
        "Class numbers are the places of the element types from 0, or those of a data set named with `--classes FILE`.",
        "A type that is not in its list is added at the end, and the report says so.",
        "An import stops where data.yaml, classes.txt and the export's log disagree.",
    ),
)
