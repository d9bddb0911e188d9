"""labelme's and X-AnyLabeling's files, read: two or four points, flags or attributes, pictures inside or beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from demopack.domain.elements import STATES
from demopack.domain.geometry import Size
from demopack.interchange.form import Reading
from demopack.interchange.labels import OWN, own_fields, said_attributes, state_value, type_fields
from demopack.interchange.reading import (
    LOG,
    files_of,
    find_picture,
    floats,
    number_of,
    objects,
    read_json,
    rows,
    text_of,
    whole,
    wrong,
)
from demopack.interchange.values import BoxIn, PictureIn

__all__ = ["read_labelme"]

_CHECKED: Final = {"true": "approved", "failed": "doubtful"}
"""X-AnyLabeling's word about a picture, and what it is for its boxes."""
_OPEN: Final = {"approved": ("unreviewed", "doubtful"), "doubtful": ("unreviewed",)}
"""Which boxes that word is about: a picture that passed leaves no doubts."""
_OF_PICTURES: Final = {
    "description": "descriptions of whole pictures",
    "text": "descriptions of whole pictures",
    "tags": "tags of whole pictures",
    "chat_history": "conversations about pictures",
    "vqaData": "questions about pictures",
}
_OF_SHAPES: Final = {
    "difficult": "marks that a box is difficult",
    "locked": "locks of boxes",
    "kie_linking": "links between boxes",
}


def read_labelme(reading: Reading) -> Iterator[PictureIn]:
    """Every picture of a folder of labelme's or X-AnyLabeling's files, or of one file.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    files = files_of(reading.path, "*.json")
    for path in files:
        if path.name == LOG:
            continue
        data = objects(read_json(path))
        if "shapes" not in data:
            if reading.path.is_file():
                wrong(path, "There is no “shapes”, so it is no file of labelme's.", "Name another file or --format.")
            reading.left_out.add("file", "JSON files that are not labelme's", path.name)
            continue
        yield _picture(path, data, reading)


def _picture(path: Path, data: Mapping[str, Any], reading: Reading) -> PictureIn:
    named = text_of(data.get("imagePath")) or f"{path.stem}.png"
    own = objects(data.get(OWN))
    name = named.replace("\\", "/").rpartition("/")[2]
    shapes = rows(data["shapes"], path, "shapes")
    _beside(data, path, reading)
    # X-AnyLabeling: a person has looked through the whole picture.
    review = _CHECKED.get(str(data.get("checked")).lower())
    tracks = _tracks(shapes, path)
    boxes = [_box(shape, f"{path}, shapes[{i}]", reading, tracks) for i, shape in enumerate(shapes)]
    return PictureIn(
        name=name,
        size=_size(data, path),
        frame=text_of(own.get("frame")) or reading.frames.get(name, ""),
        demo=text_of(own.get("demo")),
        file=find_picture(named, path.parent),
        embedded_in=path if data.get("imageData") else None,
        boxes=[_reviewed(box, review) for box in boxes if box is not None],
        where=str(path),
    )


def _beside(data: Mapping[str, Any], path: Path, reading: Reading) -> None:
    """Count what the file says of the picture as a whole; a demo has no place for it."""
    for name, words in _OF_PICTURES.items():
        if data.get(name):
            reading.left_out.add(f"picture {name}", words, str(path))
    for name, value in objects(data.get("flags")).items():
        if value:
            reading.left_out.add(f"picture flag {name}", f"the flag “{name}” of a whole picture", str(path))


def _reviewed(box: BoxIn, review: str | None) -> BoxIn:
    """The box with the word about its picture, where nobody said anything about the box itself."""
    said = box.fields.get("review", "unreviewed") not in _OPEN.get(review or "", ())
    return box if review is None or said else replace(box, fields={**box.fields, "review": review})


def _size(data: Mapping[str, Any], path: Path) -> Size | None:
    width, height = (whole(data.get(name), path, name) for name in ("imageWidth", "imageHeight"))
    if width is None or height is None:
        return None
    if width <= 0 or height <= 0:
        wrong(path, "“imageWidth” and “imageHeight” must be above 0.", "Write the picture's size into the file.")
    return Size(width, height)


def _tracks(shapes: Iterable[Mapping[str, Any]], path: Path) -> frozenset[int]:
    """Group ids that stand for one element each: those that only one shape of the picture has."""
    found = [whole(shape.get("group_id"), path, f"shapes[{i}].group_id") for i, shape in enumerate(shapes)]
    counts = Counter(number for number in found if number is not None)
    return frozenset(number for number, count in counts.items() if count == 1)


def _box(shape: Mapping[str, Any], where: str, reading: Reading, tracks: frozenset[int]) -> BoxIn | None:
    for name in ("label", "points", "shape_type"):
        # The oldest files have no shape_type; they mean polygons.
        if name not in shape and name != "shape_type":
            wrong(where, f"“{name}” is missing.", f"Add “{name}” to the shape, or remove the shape.")
    edges = _edges(shape, where, reading)
    if edges is None:
        return None
    fields: dict[str, Any] = type_fields(shape["label"], reading)
    # AnyLabeling says “text” where the others say “description”.
    text = text_of(shape.get("description")) or text_of(shape.get("text"))
    if text:
        fields["text"] = text
    own = objects(shape.get(OWN))
    fields |= _scored(shape) | _said(shape, where, reading)
    group = shape.get("group_id")
    if group in tracks:
        fields["track_id"] = f"group_{group}"
    elif group is not None and not own:
        reading.left_out.add("group", "groups of several boxes on a picture", where)
    if own:
        fields.pop("track_id", None)
        # Without a block's word the source is a person; the score above says a program.
        fields |= {"source": "human"} | own_fields(own)
    fields |= _judged(shape, fields.get("review"))
    return BoxIn(fields=fields, edges=edges, whole="uid" in own, where=where)


def _scored(shape: Mapping[str, Any]) -> dict[str, Any]:
    score = number_of(shape.get("score"))
    return {} if score is None else {"confidence": min(max(score, 0.0), 1.0), "source": "detector"}


def _judged(shape: Mapping[str, Any], before: str | None) -> dict[str, str]:
    """X-AnyLabeling's word about one box; it comes after whatever the box was exported with."""
    status = shape.get("review_status")
    if status == "false_positive":
        return {"review": "rejected"}
    if status == "missed":  # an element that a finder had not found
        return {"review": "approved"}
    # A rejected box goes out as a false positive, so somebody took that back.
    return {"review": "unreviewed"} if status and before == "rejected" else {}


def _said(shape: Mapping[str, Any], where: str, reading: Reading) -> dict[str, Any]:
    """What flags and attributes say; flags are states, or nothing of ours."""
    flags = objects(shape.get("flags"))
    found = said_attributes(objects(shape.get("attributes")), where, reading)
    states = dict(found.get("states", {}))
    for name, value in flags.items():
        seen = state_value(value)
        if name in STATES and seen is not None:
            states[name] = seen
        elif seen:
            reading.left_out.add(f"flag {name}", f"the flag “{name}” is none of our states", where)
    for name, words in _OF_SHAPES.items():
        if shape.get(name):
            reading.left_out.add(name, words, where)
    return {**found, "states": states} if states else found


def _edges(shape: Mapping[str, Any], where: str, reading: Reading) -> tuple[float, float, float, float] | None:
    kind = str(shape.get("shape_type") or "polygon")
    given = shape["points"]
    if not isinstance(given, list):
        wrong(where, "“points” must be a list of [x, y].", "Correct its points, or remove the shape.")
    points = [floats(point, 2, where, f"points[{i}]") for i, point in enumerate(cast("list[object]", given))]
    if kind in {"point", "points"} or len(points) < 2 or (kind in {"line", "linestrip"} and len(points) == 2):
        reading.left_out.add("flat", "points and lines, which have no area", where)
        return None
    if kind == "circle":
        (cx, cy), (x, y) = points[0], points[1]
        radius = ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5
        reading.lost.add("shape", "shapes that became the box around them", where)
        return (cx - radius, cy - radius, cx + radius, cy + radius)
    if kind == "rectangle" and len(points) not in {2, 4}:
        wrong(where, f"A rectangle has 2 or 4 points, this has {len(points)}.", "Correct its points, or remove it.")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    tilted = kind == "rectangle" and len(points) == 4 and (len(set(xs)) > 2 or len(set(ys)) > 2)
    if tilted or kind != "rectangle":
        reading.lost.add("shape", "shapes that became the box around them", where)
    # A mask names its first and its last pixel, everything else the edges.
    last = 1 if kind == "mask" else 0
    return (min(xs), min(ys), max(xs) + last, max(ys) + last)
