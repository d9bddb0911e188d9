"""Label Studio JSON, read: percent to fractions, several results of one region to one element."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, unquote, urlsplit

from demopack.domain.elements import STATES
from demopack.domain.geometry import Size
from demopack.interchange.form import Reading
from demopack.interchange.labels import OWN, own_fields, type_fields
from demopack.interchange.reading import (
    LOG,
    find_picture,
    floats,
    items,
    number_of,
    objects,
    read_json,
    rows,
    text_of,
    wrong,
)
from demopack.interchange.values import BoxIn, PictureIn

__all__ = ["read_label_studio"]

_UPLOAD: Final = re.compile(r"[0-9a-f]{8}-")
"""What Label Studio puts before the name of an uploaded file."""
_DRAWN: Final = frozenset({"rectanglelabels", "rectangle", "labels", "polygonlabels", "polygon"})
_COVERED: Final = 0.7


def read_label_studio(reading: Reading) -> Iterator[PictureIn]:
    """Every task of a file, or of the files in a folder.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    files = [reading.path] if reading.path.is_file() else sorted(reading.path.rglob("*.json"))
    for path in files:
        if path.name == LOG:
            continue
        data = read_json(path)
        tasks = rows(items(data) or [data], path, "the file")
        for i, task in enumerate(tasks):
            yield _picture(task, path, f"{path}, [{i}]", reading)


def _picture(task: Mapping[str, Any], path: Path, where: str, reading: Reading) -> PictureIn:
    data = objects(task.get("data"))
    if not data or not any(key in task for key in ("annotations", "completions", "predictions")):
        wrong(where, "“data” or “annotations” is missing.", "Export as “JSON” from Label Studio, not as “JSON-MIN”.")
    named = _image_name(data)
    if not named:
        wrong(where, "“data” names no picture.", "It needs a key such as “image” with the picture's address.")
    name = named.replace("\\", "/").rpartition("/")[2]
    plain = _UPLOAD.sub("", name, count=1)
    own = objects(data.get(OWN))
    results = _results(task, where, reading)
    names = ("original_width", "original_height")
    told = [tuple(row.get(name) for name in names) for row in results if row.get("original_width")]
    sizes = {floats(one, 2, where, ", ".join(names)) for one in told}
    if len(sizes) > 1:
        wrong(where, "“original_width” and “original_height” differ between regions.", "Export the task again.")
    size = next(iter(sizes), None)
    return PictureIn(
        name=plain,
        size=None if size is None else Size(int(size[0]), int(size[1])),
        frame=text_of(own.get("frame")) or reading.frames.get(plain, ""),
        demo=text_of(own.get("demo")),
        file=find_picture(named, path.parent, path.parent.parent) or find_picture(plain, path.parent),
        boxes=_boxes(results, where, reading),
        where=where,
    )


def _image_name(data: Mapping[str, Any]) -> str:
    """The file behind the first value that looks like a picture's address."""
    values = [data.get("image"), *(value for key, value in data.items() if key != "image")]
    for value in values:
        if isinstance(value, str) and value:
            parts = urlsplit(value)
            local = parse_qs(parts.query).get("d")
            return unquote(local[0] if local else parts.path)
    return ""


def _results(task: Mapping[str, Any], where: str, reading: Reading) -> list[Mapping[str, Any]]:
    """The results of the one annotation that counts, then those of predictions that it does not cover."""
    made = rows(task.get("annotations") or task.get("completions") or [], where, "annotations")
    kept = [one for one in made if not one.get("was_cancelled")]
    if len(kept) < len(made):
        reading.left_out.add("cancelled", "annotations that were skipped", where)
    kept.sort(key=lambda one: not one.get("ground_truth"))
    if len(kept) > 1:
        reading.left_out.add("second", "further annotations of the same picture: compare them one by one", where)
    found = list(rows(kept[0].get("result") or [], where, "result")) if kept else []
    for number, prediction in enumerate(rows(task.get("predictions") or [], where, "predictions")):
        if number:
            reading.left_out.add("prediction", "further predictions of the same picture", where)
            continue
        guessed = rows(prediction.get("result") or [], where, "result")
        known = {text_of(one.get("id")) for one in found}
        boxes = [box for one in found if (box := _percent(one)) is not None]
        found += [
            {**one, "predicted": True} for one in guessed if text_of(one.get("id")) not in known and _new(one, boxes)
        ]
    return found


def _new(row: Mapping[str, Any], boxes: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether a prediction is not what a person has already made an annotation of; our own ones are kept apart."""
    box = _percent(row)
    return box is None or OWN in objects(row.get("meta")) or all(_overlap(box, other) < _COVERED for other in boxes)


def _percent(row: Mapping[str, Any]) -> tuple[float, float, float, float] | None:
    value = objects(row.get("value"))
    found = [number_of(value.get(name)) for name in ("x", "y", "width", "height")]
    if any(number is None for number in found):
        return None
    x, y, width, height = cast("list[float]", found)
    return (x, y, x + width, y + height)


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    whole = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (whole - width * height)


def _boxes(results: Sequence[Mapping[str, Any]], where: str, reading: Reading) -> list[BoxIn]:
    said: dict[str, dict[str, Any]] = {}
    for row in results:
        said.setdefault(text_of(row.get("id")), {}).update(_spoken(row))
    boxes: list[BoxIn] = []
    for i, row in enumerate(results):
        kind = str(row.get("type"))
        place = f"{where}, result[{i}]"
        if kind in _DRAWN:
            box = _region(row, said[text_of(row.get("id"))], place, reading)
            if box is not None:
                boxes.append(box)
        elif kind not in {"textarea", "choices"}:
            reading.left_out.add(f"result {kind}", f"results of the kind {kind}", place)
    return boxes


def _spoken(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a text area or a choice says about its region."""
    value = objects(row.get("value"))
    if row.get("type") == "textarea":
        given = value.get("text")
        text = "\n".join(map(text_of, items(given))) or (text_of(given) if isinstance(given, str) else "")
        name = "subtype" if row.get("from_name") == "subtype" else "text"
        return {name: text} if text else {}
    if row.get("type") == "choices":
        words = [text_of(one) for one in items(value.get("choices"))]
        states = {name: name in words for name in STATES if name in words or f"not {name}" in words}
        return {"states": states} if states else {}
    return {}


def _region(row: Mapping[str, Any], said: Mapping[str, Any], where: str, reading: Reading) -> BoxIn | None:
    value = objects(row.get("value"))
    if number_of(row.get("image_rotation")):
        reading.left_out.add("rotated", "boxes on pictures that were turned", where)
        return None
    size = (number_of(row.get("original_width")) or 1.0, number_of(row.get("original_height")) or 1.0)
    edges = _region_edges(value, size, where, reading)
    found = (items(value.get(name)) for name in ("rectanglelabels", "labels", "polygonlabels"))
    labels = next((labels for labels in found if labels), ["other"])
    fields: dict[str, Any] = {**type_fields(labels[0], reading), **said}
    if len(labels) > 1:
        reading.left_out.add("labels", "further labels of one box", where)
    score = number_of(row.get("score"))
    if row.get("predicted"):
        fields["source"] = "detector"
        if score is not None:
            fields["confidence"] = min(max(score, 0.0), 1.0)
    own = objects(row.get("meta")).get(OWN)
    if isinstance(own, dict):
        fields.pop("source", None)
        fields.pop("confidence", None)
        fields |= own_fields(own)  # pyright: ignore[reportUnknownArgumentType]
    elif row.get("id"):
        # Label Studio keeps ids, whatever else it drops.
        fields["uid"] = text_of(row["id"])
    whole = isinstance(own, dict)
    return BoxIn(fields=fields, edges=edges, fractions=True, whole=whole, where=where)


def _region_edges(
    value: Mapping[str, Any], size: tuple[float, float], where: str, reading: Reading
) -> tuple[float, float, float, float]:
    if "points" in value:
        points = [floats(point, 2, where, "points") for point in items(value["points"])]
        if points:
            reading.lost.add("shape", "shapes that became the box around them", where)
            xs, ys = [x / 100 for x, _ in points], [y / 100 for _, y in points]
            return (min(xs), min(ys), max(xs), max(ys))
    names = ("x", "y", "width", "height")
    x, y, width, height = (v / 100 for v in floats([value.get(name) for name in names], 4, where, ", ".join(names)))
    turned = number_of(value.get("rotation")) or 0.0
    if turned:
        reading.lost.add("shape", "shapes that became the box around them", where)
        return _turned(x, y, width, height, math.radians(turned), size)
    return (x, y, x + width, y + height)


def _turned(
    x: float, y: float, width: float, height: float, angle: float, size: tuple[float, float]
) -> tuple[float, float, float, float]:
    """The box around a box that is turned about its top left corner; fractions of a picture of some pixels."""
    across, down = size
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(a * width * across, b * height * down) for a in (0, 1) for b in (0, 1)]
    xs = [x + (dx * cos - dy * sin) / across for dx, dy in corners]
    ys = [y + (dx * sin + dy * cos) / down for dx, dy in corners]
    return (min(xs), min(ys), max(xs), max(ys))
