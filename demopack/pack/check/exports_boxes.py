"""Rules for folders of boxes: COCO and YOLO."""

from __future__ import annotations

import importlib
import json
import posixpath
import re
from collections.abc import Sequence
from typing import Any, cast

from demopack.codecs.boxes.coco import CATEGORIES
from demopack.codecs.boxes.yolo import encode_names
from demopack.domain.elements import ELEMENT_TYPES
from demopack.errors import PackError
from demopack.file_names import is_safe
from demopack.json_text import as_list, as_rows, object_in
from demopack.pack.check.elements import Scale, box_problem
from demopack.pack.check.exports import ENDINGS, ExportedFile, ExportedFolder, as_number, numbers_in
from demopack.pack.source import raw_lines

Row = dict[str, Any]
_SLACK = 1e-4
_ABSOLUTE = re.compile(r"^(path|train|val|test)\s*:\s*['\"]?(/|[A-Za-z]:|\.\.)", re.MULTILINE)


def check_coco(value: object, file: ExportedFile) -> None:
    """G01, G02, G04, H03, I01 and P01 for one file of COCO's form; another file is passed over."""
    data = object_in(value)
    if not isinstance(data.get("images"), list):
        return
    sizes: dict[object, tuple[float, float]] = {}
    _check_doubles("image", as_rows(data["images"]), file)
    _check_doubles("annotation", as_rows(data.get("annotations")), file)
    _check_doubles("category", as_rows(data.get("categories")), file)
    for image in as_rows(data["images"]):
        path, width, height = image.get("file_name"), image.get("width"), image.get("height")
        if not isinstance(path, str) or as_number(width) is None or as_number(height) is None:
            file.broken("H03", f"The image {image.get('id')} lacks file_name, width or height.")
            continue
        sizes[_id(image.get("id"))] = (cast("float", width), cast("float", height))
        found = file.picture(path)
        real = None if found is None else file.folder.size(found)
        if real is not None and real != (width, height):
            file.broken("G02", f"{path} is {real[0]} x {real[1]} pixels, not {width} x {height}.")
    kinds = {_id(category.get("id")) for category in as_rows(data.get("categories"))}
    scale = Scale()
    for number, mark in enumerate(as_rows(data.get("annotations")), start=1):
        size = sizes.get(_id(mark.get("image_id")))
        if size is None or _id(mark.get("category_id")) not in kinds:
            file.broken("H03", f"Annotation {number} names an image or a category that is not there.")
        elif len(numbers := numbers_in(mark.get("bbox"))) != 4 or len(as_list(mark["bbox"])) != 4:
            file.broken("H03", f"Annotation {number} has no bbox of four numbers.")
        else:
            x, y, width, height = numbers
            corners = (x, y, x + width, y + height)
            scale.add(corners, size)
            area = as_number(mark.get("area"))
            if area is not None and abs(area - width * height) > 1 + width + height and not mark.get("segmentation"):
                file.broken("H03", f"Annotation {number} has the area {area:g}; its box has {width * height:g}.")
            file.check_box(corners, size, f"Annotation {number}:", may_be_point=False)
    file.folder.findings.add(*scale.findings(file.name))


def _check_doubles(what: str, rows: Sequence[Row], file: ExportedFile) -> None:
    """H03 where two of a kind have one id: loaders keep the last, and pass over the others."""
    seen: set[object] = set()
    for number, row in enumerate(rows, start=1):
        key = _id(row.get("id"))
        if key in seen:
            file.broken("H03", f"The id {row.get('id')!r} of {what} {number} is used before.")
        seen.add(key)


def _id(value: object) -> object:
    """What stands for an id in a table: whatever JSON holds, lists among it."""
    return value if isinstance(value, (str, int, float)) else repr(value)


def check_yolo(folder: ExportedFolder, *, empty: bool = False) -> None:
    """G01, G04, H03, H04, I01 and P01 for the label files and ``data.yaml``; an ``empty`` export has no pictures."""
    pictures = {posixpath.splitext(name)[0]: name for name in folder.names if name.lower().endswith(ENDINGS)}
    classes: int | None = None
    for name in folder.names:  # data.yaml stands before labels/ and says how many classes there are
        file = ExportedFile(folder, name)
        if name.endswith("data.yaml"):
            classes = _check_data(folder.source.read(name, limit=1 << 20).decode("utf-8", "replace"), file, empty=empty)
        elif name.endswith(".txt") and "labels/" in name:
            stem = posixpath.splitext("images/".join(name.rsplit("labels/", 1)))[0]
            if stem not in pictures:
                file.broken("I01", f"The picture {stem} of these labels is missing.")
            else:
                folder.named.add(pictures[stem])
            try:
                for number, line in enumerate(raw_lines(folder.source, name), start=1):
                    if words := line.split():
                        _check_label(words, classes, file.at(number))
            except PackError as error:
                file.broken("H04", f"It cannot be read: {error.user_message}")


def _check_data(text: str, file: ExportedFile, *, empty: bool) -> int | None:
    """P01, H03, H04 and I01 for ``data.yaml``; returns how many classes it names, None where nobody can say."""
    if _ABSOLUTE.search(text):
        file.broken("P01", "A path in it is absolute or leads out of the folder.")
    try:
        yaml: Any = importlib.import_module("yaml")
    except ModuleNotFoundError:  # an extra
        return None
    try:
        data = object_in(yaml.safe_load(text))
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        file.broken("H04", f"It cannot be read: {' '.join(str(error).split())}.")
        return None
    names: object = data.get("names")
    named = as_list(names) or list(object_in(names).values())
    numbers = list(range(len(named)))
    if not named or (isinstance(names, dict) and list(cast("dict[object, object]", names)) != numbers):
        file.broken("H03", "names do not name the classes 0, 1, 2, ...")
        return None
    if data.get("nc", len(numbers)) != len(numbers):
        file.broken("H03", f"nc is {data['nc']!r}; there are {len(numbers)} names.")
    top = file.name.removesuffix("data.yaml")
    for side in ("train", "val", "test"):
        path = data.get(side)
        if (
            isinstance(path, str)
            and is_safe(path)
            and not empty
            and not any(name.startswith(f"{top}{path.rstrip('/')}") for name in file.folder.names)
        ):
            file.broken("I01", f"{side} is {path}, where nothing lies.")
    return len(numbers)


def _check_label(words: list[bytes], classes: int | None, place: ExportedFile) -> None:
    try:
        kind, numbers = int(words[0]), [float(word) for word in words[1:]]
    except ValueError:
        kind, numbers = -1, []
    if kind < 0 or len(numbers) < 4:
        place.broken("H03", "It is not a class and four numbers.")
    elif classes is not None and kind >= classes:
        place.broken("H03", f"Class {kind} has no name; data.yaml names {classes}.")
    elif len(numbers) == 4:
        x, y, width, height = numbers
        corners = (x - width / 2 + _SLACK, y - height / 2 + _SLACK, x + width / 2 - _SLACK, y + height / 2 - _SLACK)
        if max(numbers) > 1 and all(number.is_integer() for number in numbers):
            place.broken("G04", f"{numbers} are not fractions of the picture.")
        elif box_problem(corners, (1, 1), may_be_point=False) is not None:
            place.broken("G01", f"The box {numbers} leaves the picture, or has no area.")


def check_own_coco(value: object, file: ExportedFile) -> None:
    """X05 where the classes of boxes of ours are called otherwise, or numbered in another order."""
    if object_in(value).get("categories") != json.loads(json.dumps(CATEGORIES)):
        file.broken("X05", "categories are not the types of elements in their order.")


def check_own_yolo(folder: ExportedFolder) -> None:
    """X05 for the names in ``data.yaml``, as above."""
    file = ExportedFile(folder, "data.yaml")
    if file.name in folder.names:
        text = folder.source.read(file.name, limit=1 << 20).decode("utf-8", "replace")
        if encode_names(ELEMENT_TYPES).strip() not in text:
            file.broken("X05", "names are not the types of elements in their order.")
