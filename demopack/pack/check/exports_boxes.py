"""Rules for folders of boxes: COCO and YOLO."""

from __future__ import annotations

import posixpath
import re
from typing import Any, cast

from demopack.errors import PackError
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
            file.check_box(corners, size, f"Annotation {number}:", may_be_point=False)
    file.folder.findings.add(*scale.findings(file.name))


def _id(value: object) -> object:
    """What stands for an id in a table: whatever JSON holds, lists among it."""
    return value if isinstance(value, (str, int, float)) else repr(value)


def check_yolo(folder: ExportedFolder) -> None:
    """G01, G04, H03, H04, I01 and P01 for the label files and ``data.yaml``."""
    pictures = {posixpath.splitext(name)[0]: name for name in folder.names if name.lower().endswith(ENDINGS)}
    for name in folder.names:
        file = ExportedFile(folder, name)
        if name.endswith("data.yaml"):
            text = folder.source.read(name, limit=1 << 20).decode("utf-8", "replace")
            if _ABSOLUTE.search(text):
                file.broken("P01", "A path in it is absolute or leads out of the folder.")
        elif name.endswith(".txt") and "labels/" in name:
            stem = posixpath.splitext("images/".join(name.rsplit("labels/", 1)))[0]
            if stem not in pictures:
                file.broken("I01", f"The picture {stem} of these labels is missing.")
            else:
                folder.named.add(pictures[stem])
            try:
                for number, line in enumerate(raw_lines(folder.source, name), start=1):
                    if words := line.split():
                        _check_label(words, file.at(number))
            except PackError as error:
                file.broken("H04", f"It cannot be read: {error.user_message}")


def _check_label(words: list[bytes], place: ExportedFile) -> None:
    try:
        kind, numbers = int(words[0]), [float(word) for word in words[1:]]
    except ValueError:
        kind, numbers = -1, []
    if kind < 0 or len(numbers) < 4:
        place.broken("H03", "It is not a class and four numbers.")
    elif len(numbers) == 4:
        x, y, width, height = numbers
        corners = (x - width / 2 + _SLACK, y - height / 2 + _SLACK, x + width / 2 - _SLACK, y + height / 2 - _SLACK)
        if max(numbers) > 1 + _SLACK:
            place.broken("G04", f"{numbers} are not fractions of the picture.")
        elif box_problem(corners, (1, 1), may_be_point=False) is not None:
            place.broken("G01", f"The box {numbers} leaves the picture, or has no area.")
