"""Label Studio JSON: what a person approved are annotations, the rest predictions; places in percent of the picture."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import quoteattr

from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationFormat,
    AnnotationOptions,
    DecodeContext,
    DecodedBox,
    DecodedPicture,
)
from demopack.codecs.boxes.input_files import (
    as_number,
    as_text,
    base_name,
    floats,
    list_of_objects,
    numbers_of,
    refuse,
    score_fields,
)
from demopack.codecs.boxes.labels import OWN, decode_label, decode_own_fields, encode_own_fields
from demopack.codecs.output import Output
from demopack.domain.elements import ELEMENT_TYPES, STATES, Element
from demopack.domain.geometry import Edges, Size, bounds_of_points
from demopack.json_text import as_list, object_in

_SHAPE_TYPES: Final = frozenset(
    {"rectanglelabels", "rectangle", "labels", "polygonlabels", "polygon", "ellipselabels", "ellipse"}
)
"""Results that have an area."""


def _percent_edges(row: Mapping[str, Any]) -> Edges | None:
    """The upright box of a result; None where it has none."""
    value = object_in(row.get("value"))
    found = [as_number(value.get(name)) for name in ("x", "y", "width", "height")]
    if any(number is None for number in found):
        return None
    x, y, width, height = cast("list[float]", found)
    return (x, y, x + width, y + height)


def _region_edges(value: Mapping[str, Any], size: tuple[float, float], where: str, context: DecodeContext) -> Edges:
    """Left, top, right and bottom of a region in fractions of the picture; other shapes become the box around them.

    Args:
        value: of the result.
        size: of the picture, in pixels; turned boxes need it.
        where: for messages.
        context: counts what was taken less exactly.

    Raises:
        BadInputError: a number is missing, or none.
    """
    if "points" in value:
        points = [floats(point, 2, where, "points") for point in as_list(value["points"])]
        if points:
            context.add_shape_loss(where)
            return bounds_of_points((x / 100, y / 100) for x, y in points)
    if "radiusX" in value:
        x, y, across, down = (v / 100 for v in numbers_of(value, where, "x", "y", "radiusX", "radiusY"))
        context.add_shape_loss(where)
        return (x - across, y - down, x + across, y + down)
    x, y, width, height = (v / 100 for v in numbers_of(value, where, "x", "y", "width", "height"))
    turned = as_number(value.get("rotation")) or 0.0
    if turned:
        context.add_shape_loss(where)
        return _rotated_bounds(x, y, width, height, math.radians(turned), size)
    return (x, y, x + width, y + height)


def _rotated_bounds(x: float, y: float, width: float, height: float, angle: float, size: tuple[float, float]) -> Edges:
    """The box around a box that is turned about its top left corner; fractions of a picture of some pixels."""
    across, down = size
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(a * width * across, b * height * down) for a in (0, 1) for b in (0, 1)]
    return bounds_of_points(
        (x + (dx * cos - dy * sin) / across, y + (dx * sin + dy * cos) / down) for dx, dy in corners
    )


_UPLOAD: Final = re.compile(r"[0-9a-f]{8}-")
"""Prefix that Label Studio puts before the name of an uploaded file."""
_SAME_REGION_IOU: Final = 0.7
_LABELS: Final = ("rectanglelabels", "labels", "polygonlabels", "ellipselabels")


def decode_label_studio(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every task of a file, or of the files in a folder.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path, data in context.json_files():
        tasks = list_of_objects(as_list(data) or [data], path, "the file")
        for i, task in enumerate(tasks):
            yield _picture(task, path, f"{path}, [{i}]", context)


def _picture(task: Mapping[str, Any], path: Path, where: str, context: DecodeContext) -> DecodedPicture:
    data = object_in(task.get("data"))
    if not data or not any(key in task for key in ("annotations", "completions", "predictions")):
        refuse(where, "“data” or “annotations” is missing.", "Export as “JSON” from Label Studio, not as “JSON-MIN”.")
    named = _image_name(data)
    if not named:
        refuse(where, "“data” names no picture.", "It needs a key such as “image” with the picture's address.")
    name = base_name(named)
    plain = _UPLOAD.sub("", name, count=1)
    own = object_in(data.get(OWN))
    results = _results(task, where, context)
    sized = [row for row in results if row.get("original_width")]
    sizes = {numbers_of(row, where, "original_width", "original_height") for row in sized}
    if len(sizes) > 1:
        refuse(where, "“original_width” and “original_height” differ between regions.", "Export the task again.")
    size = next(iter(sizes), None)
    return DecodedPicture(
        name=plain,
        size=None if size is None else Size(int(size[0]), int(size[1])),
        frame=as_text(own.get("frame")),
        demo=as_text(own.get("demo")),
        file=context.picture(named, path.parent) or context.picture(plain, path.parent),
        boxes=_boxes(results, where, context),
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


def _results(task: Mapping[str, Any], where: str, context: DecodeContext) -> list[Mapping[str, Any]]:
    """The results of the one annotation that counts, then those of predictions that it does not cover."""
    made = list_of_objects(task.get("annotations") or task.get("completions") or [], where, "annotations")
    kept = [one for one in made if not one.get("was_cancelled")]
    if len(kept) < len(made):
        context.left_out.add("cancelled", "annotations that were skipped", where)
    if task.get("drafts"):
        context.left_out.add("drafts", "drafts that nobody submitted", where)
    kept.sort(key=lambda one: not one.get("ground_truth"))
    found = list(list_of_objects(kept[0].get("result") or [], where, "result")) if kept else []
    for other in kept[1:]:
        further = list_of_objects(other.get("result") or [], where, "result")
        taken = _accepted(further, found)
        found += taken
        if len(taken) < len(further):
            context.left_out.add("second", "further annotations of the same picture: compare them one by one", where)
    for number, prediction in enumerate(_predictions(task, made, where, context)):
        if number:
            context.left_out.add("prediction", "further predictions of the same picture", where)
            continue
        guessed = list_of_objects(prediction.get("result") or [], where, "result")
        known = {as_text(one.get("id")) for one in found}
        boxes = [box for one in found if (box := _percent_edges(one)) is not None]
        found += [
            {**one, "predicted": True} for one in guessed if as_text(one.get("id")) not in known and _is_new(one, boxes)
        ]
    return found


def _accepted(further: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Results of a further annotation that began with our suggestions: there, accepting them makes an annotation.

    One without a suggestion of ours is a second opinion, and adds nothing.
    """
    known = {_own_uid(row) for row in found} - {""}
    boxes = [box for row in found if (box := _percent_edges(row)) is not None]
    ours = {as_text(row.get("id")) for row in further if (uid := _own_uid(row)) and uid not in known}
    if not ours:
        return []
    taken = {as_text(row.get("id")) for row in further if not _own_uid(row) and _is_new(row, boxes)}
    seen = {as_text(row.get("id")) for row in found}
    return [row for row in further if as_text(row.get("id")) in ours | (taken - seen)]


def _own_uid(row: Mapping[str, Any]) -> str:
    return as_text(object_in(object_in(row.get("meta")).get(OWN)).get("uid"))


def _predictions(
    task: Mapping[str, Any], made: Sequence[Mapping[str, Any]], where: str, context: DecodeContext
) -> Sequence[Mapping[str, Any]]:
    """The predictions of a task; Label Studio's own export has only their numbers."""
    given = as_list(task.get("predictions"))
    if given and all(isinstance(one, int) for one in given):
        accepted = [one.get("parent_prediction") for one in made]
        if any(one not in accepted for one in given):
            context.left_out.add("predictions", "predictions of which the export has only the numbers", where)
        return ()
    return list_of_objects(task.get("predictions") or [], where, "predictions")


def _is_new(row: Mapping[str, Any], boxes: Sequence[Edges]) -> bool:
    """Whether a prediction is not what a person has already made an annotation of; our own ones are kept apart."""
    import numpy as np

    from demopack.domain.overlap import iou_matrix

    box = _percent_edges(row)
    if box is None or OWN in object_in(row.get("meta")):
        return True
    overlaps = iou_matrix(np.array([box]), np.array(boxes).reshape(-1, 4))
    return not (overlaps >= _SAME_REGION_IOU).any()


def _boxes(results: Sequence[Mapping[str, Any]], where: str, context: DecodeContext) -> list[DecodedBox]:
    said: dict[str, dict[str, Any]] = {}
    places: dict[str, tuple[Mapping[str, Any], str]] = {}
    for i, row in enumerate(results):
        key, place = as_text(row.get("id")) or f"result {i}", f"{where}, result[{i}]"
        kind = str(row.get("type"))
        if kind in _SHAPE_TYPES:
            # Where the label is a control of its own, a region has one result for its place and one for its label.
            places.setdefault(key, (row, place))
        elif kind not in {"textarea", "choices"}:
            context.left_out.add(f"result {kind}", f"results of the kind {kind}", place)
        _add_result(said.setdefault(key, {}), row, place, context)
    for key in said.keys() - places.keys():
        if said[key]:
            context.left_out.add("whole", "answers about a whole picture", where)
    found = [_box(row, said[key], place, context) for key, (row, place) in places.items()]
    return [box for box in found if box is not None]


def _add_result(said: dict[str, Any], row: Mapping[str, Any], where: str, context: DecodeContext) -> None:
    """Add what one result says about its region."""
    value = object_in(row.get("value"))
    labels = [as_text(one) for name in _LABELS for one in as_list(value.get(name))]
    if labels:
        said["labels"] = list(dict.fromkeys([*said.get("labels", ()), *labels]))
    if row.get("type") == "textarea":
        given = value.get("text")
        text = "\n".join(map(as_text, as_list(given))) or (as_text(given) if isinstance(given, str) else "")
        name = "subtype" if row.get("from_name") == "subtype" else "text"
        if name in said:
            context.left_out.add("text", "further texts of one box", where)
        elif text:
            said[name] = text
    if row.get("type") == "choices":
        words = [as_text(one) for one in as_list(value.get("choices"))]
        states = {name: name in words for name in STATES if name in words or f"not {name}" in words}
        if states:
            said["states"] = {**said.get("states", {}), **states}
        for word in words:
            if word.removeprefix("not ") not in STATES:
                context.left_out.add(f"choice {word}", f"the choice “{word}” is none of our states", where)


def _box(row: Mapping[str, Any], said: dict[str, Any], where: str, context: DecodeContext) -> DecodedBox | None:
    value = object_in(row.get("value"))
    if as_number(row.get("image_rotation")):
        context.left_out.add("rotated", "boxes on pictures that were turned", where)
        return None
    size = (as_number(row.get("original_width")) or 1.0, as_number(row.get("original_height")) or 1.0)
    edges = _region_edges(value, size, where, context)
    labels: Sequence[object] = said.pop("labels", None) or ["other"]
    fields: dict[str, Any] = {**decode_label(labels[0], context), **said}
    if len(labels) > 1:
        context.left_out.add("labels", "further labels of one box", where)
    if row.get("predicted"):
        fields |= {"source": "detector"} | score_fields(row.get("score"))
    meta = object_in(row.get("meta"))
    if meta.get("text"):
        context.left_out.add("note", "notes about a box", where)
    own = meta.get(OWN)
    whole = isinstance(own, dict)
    if whole:
        fields.pop("source", None)
        fields.pop("confidence", None)
        fields |= decode_own_fields(own)
        if not row.get("predicted") and fields.get("source", "human") != "human":
            # It went out as a prediction, and somebody took it into an annotation.
            fields.setdefault("review", "approved")
    elif row.get("id"):
        # Label Studio keeps ids, whatever else it drops.
        fields["uid"] = as_text(row["id"])
    return DecodedBox(fields=fields, edges=edges, fractions=True, whole=whole, where=where)


_TASKS: Final = "tasks.json"


def encode_label_studio(pictures: Iterable[AnnotatedPicture], output: Output, _: AnnotationOptions) -> None:
    """Write the tasks, and the set-up of their project."""
    output.json(_TASKS, [_task(number, picture) for number, picture in enumerate(pictures, start=1)])
    output.write("labelling_config.xml", labelling_config())


def _task(number: int, picture: AnnotatedPicture) -> dict[str, Any]:
    by_person = [element for element in picture.elements if element.made_by_person]
    by_finder = [element for element in picture.elements if not element.made_by_person]
    by_hand, found = ([row for one in some for row in _region(one, picture)] for some in (by_person, by_finder))
    scores = [element.confidence for element in by_finder if element.confidence is not None]
    score = {"score": min(scores)} if scores else {}
    return {
        "id": number,
        "data": {
            "image": f"/data/local-files/?d=images/{picture.name}",
            OWN: {"frame": picture.frame, "demo": picture.demo},
        },
        "annotations": [{"id": number, "result": by_hand, "was_cancelled": False}] if by_hand else [],
        "predictions": [{"model_version": "demopack", **score, "result": found}] if found else [],
    }


def _region(element: Element, picture: AnnotatedPicture) -> list[dict[str, Any]]:
    box, size = element.box, picture.size
    place = {
        "x": box.x1 / size.width * 100,
        "y": box.y1 / size.height * 100,
        "width": box.width / size.width * 100,
        "height": box.height / size.height * 100,
        "rotation": 0,
    }
    head: dict[str, Any] = {
        "id": element.uid,
        "to_name": "image",
        "original_width": size.width,
        "original_height": size.height,
        "image_rotation": 0,
    }
    names = "uid", "source", "review", "track_id", "parent", "confidence", "mark_box", "placeholder"
    own = encode_own_fields(element, *names)
    region = {
        **head,
        "type": "rectanglelabels",
        "from_name": "label",
        "value": {**place, "rectanglelabels": [element.type]},
        "meta": {OWN: own},
    }
    if element.confidence is not None:
        region["score"] = element.confidence
    if element.parent:
        region["parentID"] = element.parent
    rows = [region]
    for name, text in (("text", element.text), ("subtype", element.subtype)):
        if text:
            rows.append({**head, "type": "textarea", "from_name": name, "value": {**place, "text": [text]}})
    if element.states:
        said = [name if value else f"not {name}" for name, value in element.states.items()]
        rows.append({**head, "type": "choices", "from_name": "states", "value": {**place, "choices": said}})
    return rows


def labelling_config() -> str:
    """The set-up of a project in which the tasks can be shown and corrected."""
    labels = "\n".join(f"    <Label value={quoteattr(name)}/>" for name in ELEMENT_TYPES)
    states = "\n".join(f'    <Choice value="{name}"/>\n    <Choice value="not {name}"/>' for name in STATES)
    return f"""<View>
  <Image name="image" value="$image" zoom="true" zoomControl="true"/>
  <RectangleLabels name="label" toName="image" snap="pixel">
{labels}
  </RectangleLabels>
  <TextArea name="text" toName="image" perRegion="true" maxSubmissions="1" editable="true" placeholder="Text"/>
  <TextArea name="subtype" toName="image" perRegion="true" maxSubmissions="1" editable="true" placeholder="Subtype"/>
  <Choices name="states" toName="image" perRegion="true" choice="multiple">
{states}
  </Choices>
</View>
"""


LABEL_STUDIO: Final = AnnotationFormat(
    name="label-studio",
    title="Label Studio JSON",
    files=f"{_TASKS}, labelling_config.xml, images/",
    reads="Label Studio",
    encode=encode_label_studio,
    decode=decode_label_studio,
    notes=(
        "What a person drew, approved or rejected is an annotation; the rest is a prediction, to be accepted there.",
        "A prediction that was taken into an annotation there is approved; predictions left alone do not come back.",
        "Text and subtype are text areas of the region, states are choices; the rest lies under “meta”.",
        "Paste labelling_config.xml as the project's set-up, serve the folder as local files, and import tasks.json.",
    ),
)
