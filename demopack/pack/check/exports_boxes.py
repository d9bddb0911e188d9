"""Rules for folders of boxes: COCO and YOLO."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any, cast

from demopack.errors import PackError
from demopack.json_text import as_list, as_row, as_rows
from demopack.pack.check.elements import Scale, box_problem
from demopack.pack.check.exports import ENDINGS, ReferencedPictures, as_number, read_value
from demopack.pack.findings import Finding, Findings
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource, raw_lines

Row = dict[str, Any]
_SLACK = 1e-4
_ABSOLUTE = re.compile(r"^(path|train|val|test)\s*:\s*['\"]?(/|[A-Za-z]:|\.\.)", re.MULTILINE)


def check_coco(source: FolderSource, name: str, used: ReferencedPictures, findings: Findings) -> None:
    """G01, G02, G04, H03, H04, I01 and P01 for one file of COCO's form; another file is passed over."""
    data = as_row(read_value(source, name, findings))
    if data is None or not isinstance(data.get("images"), list):
        return
    sizes: dict[object, tuple[float, float]] = {}
    for image in as_rows(data["images"]):
        findings.add(*_coco_image(image, name, used, sizes))
    kinds: set[object] = {category.get("id") for category in as_rows(data.get("categories"))}
    scale = Scale()
    for number, mark in enumerate(as_rows(data.get("annotations")), start=1):
        findings.add(*_coco_mark(mark, number, name, kinds, sizes, scale))
    findings.add(*scale.findings(name))


def _coco_image(
    image: Row, name: str, used: ReferencedPictures, sizes: dict[object, tuple[float, float]]
) -> Iterator[Finding]:
    path, width, height = image.get("file_name"), image.get("width"), image.get("height")
    if not isinstance(path, str) or as_number(width) is None or as_number(height) is None:
        yield RULES["H03"].broken(name, None, f"The image {image.get('id')} lacks file_name, width or height.")
        return
    sizes[image.get("id")] = (cast("float", width), cast("float", height))
    yield from used.name(path, name, None)
    found = used.find(path, name)
    real = None if found is None else used.size(found)
    if real is not None and real != (width, height):
        yield RULES["G02"].broken(name, None, f"{path} is {real[0]} x {real[1]} pixels, not {width} x {height}.")


def _coco_mark(
    mark: Row, number: int, name: str, kinds: set[object], sizes: dict[object, tuple[float, float]], scale: Scale
) -> Iterator[Finding]:
    size, box = sizes.get(mark.get("image_id")), mark.get("bbox")
    if size is None or mark.get("category_id") not in kinds:
        yield RULES["H03"].broken(name, None, f"Annotation {number} names an image or a category that is not there.")
        return
    numbers = [edge for one in as_list(box) if (edge := as_number(one)) is not None]
    if len(numbers) != 4 or len(as_list(box)) != 4:
        yield RULES["H03"].broken(name, None, f"Annotation {number} has no bbox of four numbers.")
        return
    x, y, width, height = numbers
    corners = (x, y, x + width, y + height)
    scale.add(corners, size)
    problem = box_problem(corners, size, may_be_point=False)
    if problem is not None:
        yield RULES["G01"].broken(name, None, f"Annotation {number}: {problem}.")


def check_yolo(source: FolderSource, used: ReferencedPictures, findings: Findings) -> None:
    """G01, H03, H04, I01 and P01 for the label files and ``data.yaml``."""
    names = source.names()
    pictures = {posixpath.splitext(name)[0]: name for name in names if name.lower().endswith(ENDINGS)}
    for name in names:
        if name.endswith("data.yaml"):
            text = source.read(name, limit=1 << 20).decode("utf-8", "replace")
            if _ABSOLUTE.search(text):
                findings.add(RULES["P01"].broken(name, None, "A path in it is absolute or leads out of the folder."))
        elif name.endswith(".txt") and "labels/" in name:
            stem = posixpath.splitext("images/".join(name.rsplit("labels/", 1)))[0]
            if stem not in pictures:
                findings.add(RULES["I01"].broken(name, None, f"The picture {stem} of these labels is missing."))
            else:
                used.names.add(pictures[stem])
            findings.add(*_labels(source, name))


def _labels(source: FolderSource, name: str) -> Iterator[Finding]:
    try:
        for number, line in enumerate(raw_lines(source, name), start=1):
            words = line.split()
            if words:
                yield from _label(words, name, number)
    except PackError as error:
        yield RULES["H04"].broken(name, None, f"It cannot be read: {error.user_message}")


def _label(words: list[bytes], name: str, number: int) -> Iterator[Finding]:
    try:
        kind, numbers = int(words[0]), [float(word) for word in words[1:]]
    except ValueError:
        kind, numbers = -1, []
    if kind < 0 or len(numbers) < 4:
        yield RULES["H03"].broken(name, number, "It is not a class and four numbers.")
    elif len(numbers) == 4:
        x, y, width, height = numbers
        corners = (x - width / 2 + _SLACK, y - height / 2 + _SLACK, x + width / 2 - _SLACK, y + height / 2 - _SLACK)
        problem = box_problem(corners, (1, 1), may_be_point=False)
        if max(numbers) > 1 + _SLACK:
            yield RULES["G04"].broken(name, number, f"{numbers} are not fractions of the picture.")
        elif problem is not None:
            yield RULES["G01"].broken(name, number, f"The box {numbers} leaves the picture, or has no area.")
