"""Label Studio JSON, read: percent to fractions, several results of one region to one element."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from demopack.domain.elements import STATES
from demopack.domain.geometry import Size
from demopack.interchange.form import Reading
from demopack.interchange.forms.label_studio_regions import DRAWN, overlap, percent, region_edges
from demopack.interchange.labels import OWN, own_fields, type_fields
from demopack.interchange.reading import (
    LOG,
    files_of,
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
_COVERED: Final = 0.7
_LABELS: Final = ("rectanglelabels", "labels", "polygonlabels", "ellipselabels")


def read_label_studio(reading: Reading) -> Iterator[PictureIn]:
    """Every task of a file, or of the files in a folder.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    files = files_of(reading.path, "*.json")
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
        file=reading.shelf.find(named, path.parent, root=reading.root)
        or reading.shelf.find(plain, path.parent, root=reading.root),
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
    if task.get("drafts"):
        reading.left_out.add("drafts", "drafts that nobody submitted", where)
    kept.sort(key=lambda one: not one.get("ground_truth"))
    found = list(rows(kept[0].get("result") or [], where, "result")) if kept else []
    for other in kept[1:]:
        further = rows(other.get("result") or [], where, "result")
        taken = _accepted(further, found)
        found += taken
        if len(taken) < len(further):
            reading.left_out.add("second", "further annotations of the same picture: compare them one by one", where)
    for number, prediction in enumerate(_predictions(task, made, where, reading)):
        if number:
            reading.left_out.add("prediction", "further predictions of the same picture", where)
            continue
        guessed = rows(prediction.get("result") or [], where, "result")
        known = {text_of(one.get("id")) for one in found}
        boxes = [box for one in found if (box := percent(one)) is not None]
        found += [
            {**one, "predicted": True} for one in guessed if text_of(one.get("id")) not in known and _new(one, boxes)
        ]
    return found


def _accepted(further: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What a further annotation adds that began with our suggestions: there, accepting them makes an annotation.

    One without a suggestion of ours is a second opinion, and adds nothing.
    """
    known = {_own_uid(row) for row in found} - {""}
    boxes = [box for row in found if (box := percent(row)) is not None]
    ours = {text_of(row.get("id")) for row in further if (uid := _own_uid(row)) and uid not in known}
    if not ours:
        return []
    taken = {text_of(row.get("id")) for row in further if not _own_uid(row) and _new(row, boxes)}
    seen = {text_of(row.get("id")) for row in found}
    return [row for row in further if text_of(row.get("id")) in ours | (taken - seen)]


def _own_uid(row: Mapping[str, Any]) -> str:
    return text_of(objects(objects(row.get("meta")).get(OWN)).get("uid"))


def _predictions(
    task: Mapping[str, Any], made: Sequence[Mapping[str, Any]], where: str, reading: Reading
) -> Sequence[Mapping[str, Any]]:
    """The predictions of a task; Label Studio's own export has only their numbers."""
    given = items(task.get("predictions"))
    if given and all(isinstance(one, int) for one in given):
        accepted = [one.get("parent_prediction") for one in made]
        if any(one not in accepted for one in given):
            reading.left_out.add("predictions", "predictions of which the export has only the numbers", where)
        return ()
    return rows(task.get("predictions") or [], where, "predictions")


def _new(row: Mapping[str, Any], boxes: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether a prediction is not what a person has already made an annotation of; our own ones are kept apart."""
    box = percent(row)
    return box is None or OWN in objects(row.get("meta")) or all(overlap(box, other) < _COVERED for other in boxes)


def _boxes(results: Sequence[Mapping[str, Any]], where: str, reading: Reading) -> list[BoxIn]:
    said: dict[str, dict[str, Any]] = {}
    places: dict[str, tuple[Mapping[str, Any], str]] = {}
    for i, row in enumerate(results):
        key, place = text_of(row.get("id")) or f"result {i}", f"{where}, result[{i}]"
        kind = str(row.get("type"))
        if kind in DRAWN:
            # Where the label is a control of its own, a region has one result for its place and one for its label.
            places.setdefault(key, (row, place))
        elif kind not in {"textarea", "choices"}:
            reading.left_out.add(f"result {kind}", f"results of the kind {kind}", place)
        _say(said.setdefault(key, {}), row, place, reading)
    for key in said.keys() - places.keys():
        if said[key]:
            reading.left_out.add("whole", "answers about a whole picture", where)
    found = [_region(row, said[key], place, reading) for key, (row, place) in places.items()]
    return [box for box in found if box is not None]


def _say(said: dict[str, Any], row: Mapping[str, Any], where: str, reading: Reading) -> None:
    """Add what one result says about its region."""
    value = objects(row.get("value"))
    labels = [text_of(one) for name in _LABELS for one in items(value.get(name))]
    if labels:
        said["labels"] = list(dict.fromkeys([*said.get("labels", ()), *labels]))
    if row.get("type") == "textarea":
        given = value.get("text")
        text = "\n".join(map(text_of, items(given))) or (text_of(given) if isinstance(given, str) else "")
        name = "subtype" if row.get("from_name") == "subtype" else "text"
        if name in said:
            reading.left_out.add("text", "further texts of one box", where)
        elif text:
            said[name] = text
    if row.get("type") == "choices":
        words = [text_of(one) for one in items(value.get("choices"))]
        states = {name: name in words for name in STATES if name in words or f"not {name}" in words}
        if states:
            said["states"] = {**said.get("states", {}), **states}
        for word in words:
            if word.removeprefix("not ") not in STATES:
                reading.left_out.add(f"choice {word}", f"the choice “{word}” is none of our states", where)


def _region(row: Mapping[str, Any], said: dict[str, Any], where: str, reading: Reading) -> BoxIn | None:
    value = objects(row.get("value"))
    if number_of(row.get("image_rotation")):
        reading.left_out.add("rotated", "boxes on pictures that were turned", where)
        return None
    size = (number_of(row.get("original_width")) or 1.0, number_of(row.get("original_height")) or 1.0)
    edges = region_edges(value, size, where, reading)
    labels: Sequence[object] = said.pop("labels", None) or ["other"]
    fields: dict[str, Any] = {**type_fields(labels[0], reading), **said}
    if len(labels) > 1:
        reading.left_out.add("labels", "further labels of one box", where)
    score = number_of(row.get("score"))
    if row.get("predicted"):
        fields["source"] = "detector"
        if score is not None:
            fields["confidence"] = min(max(score, 0.0), 1.0)
    meta = objects(row.get("meta"))
    if meta.get("text"):
        reading.left_out.add("note", "notes about a box", where)
    own = meta.get(OWN)
    if isinstance(own, dict):
        fields.pop("source", None)
        fields.pop("confidence", None)
        fields |= own_fields(own)  # pyright: ignore[reportUnknownArgumentType]
        if not row.get("predicted") and fields.get("source", "human") != "human":
            # It went out as a prediction, and somebody took it into an annotation.
            fields.setdefault("review", "approved")
    elif row.get("id"):
        # Label Studio keeps ids, whatever else it drops.
        fields["uid"] = text_of(row["id"])
    whole = isinstance(own, dict)
    return BoxIn(fields=fields, edges=edges, fractions=True, whole=whole, where=where)
