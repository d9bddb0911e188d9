"""labelme and X-AnyLabeling: one JSON for each picture, beside it.

labelme takes a rectangle of exactly two points, in any order; X-AnyLabeling writes four. Both keep keys they do not
know, so what has no place of its own goes under ``demopack``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationFormat,
    AnnotationOptions,
    DecodeContext,
    DecodedBox,
    DecodedPicture,
)
from demopack.codecs.boxes.input_files import (
    as_text,
    base_name,
    find_picture,
    floats,
    list_of_objects,
    refuse,
    score_fields,
    whole_number,
)
from demopack.codecs.boxes.labels import (
    OWN,
    decode_attributes,
    decode_label,
    decode_own_fields,
    encode_own_fields,
    parse_state,
)
from demopack.codecs.output import Output
from demopack.domain.elements import STATES, Element
from demopack.domain.geometry import Edges, Size
from demopack.json_text import object_in

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


def decode_labelme(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every picture of a folder of labelme's or X-AnyLabeling's files, or of one file.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path, value in context.json_files():
        data = object_in(value)
        if "shapes" not in data:
            if context.path.is_file():
                refuse(path, "There is no “shapes”, so it is no file of labelme's.", "Name another file or format.")
            context.left_out.add("file", "JSON files that are not labelme's", path.name)
            continue
        yield _picture(path, data, context)


def _picture(path: Path, data: Mapping[str, Any], context: DecodeContext) -> DecodedPicture:
    named = as_text(data.get("imagePath")) or f"{path.stem}.png"
    own = object_in(data.get(OWN))
    shapes = list_of_objects(data["shapes"], path, "shapes")
    # What the file says of the picture as a whole; a demo has no place for it.
    for key, words in _OF_PICTURES.items():
        if data.get(key):
            context.left_out.add(f"picture {key}", words, str(path))
    for key, value in object_in(data.get("flags")).items():
        if value:
            context.left_out.add(f"picture flag {key}", f"the flag “{key}” of a whole picture", str(path))
    # X-AnyLabeling: a person has looked through the whole picture.
    review = _CHECKED.get(str(data.get("checked")).lower())
    tracks = _tracks(shapes, path)
    boxes = [_box(shape, f"{path}, shapes[{i}]", context, tracks) for i, shape in enumerate(shapes)]
    return DecodedPicture(
        name=base_name(named),
        size=_size(data, path),
        frame=as_text(own.get("frame")),
        demo=as_text(own.get("demo")),
        file=find_picture(named, path.parent),
        embedded_in=path if data.get("imageData") else None,
        boxes=[_reviewed(box, review) for box in boxes if box is not None],
        where=str(path),
    )


def _reviewed(box: DecodedBox, review: str | None) -> DecodedBox:
    """The box with the word about its picture, where nobody said anything about the box itself."""
    said = box.fields.get("review", "unreviewed") not in _OPEN.get(review or "", ())
    return box if review is None or said else replace(box, fields={**box.fields, "review": review})


def _size(data: Mapping[str, Any], path: Path) -> Size | None:
    width, height = (whole_number(data.get(name), path, name) for name in ("imageWidth", "imageHeight"))
    if width is None or height is None:
        return None
    if width <= 0 or height <= 0:
        refuse(path, "“imageWidth” and “imageHeight” must be above 0.", "Write the picture's size into the file.")
    return Size(width, height)


def _tracks(shapes: Iterable[Mapping[str, Any]], path: Path) -> frozenset[int]:
    """Group ids that stand for one element each: those that only one shape of the picture has."""
    counts = Counter(
        whole_number(shape.get("group_id"), path, f"shapes[{i}].group_id") for i, shape in enumerate(shapes)
    )
    return frozenset(number for number, count in counts.items() if number is not None and count == 1)


def _box(shape: Mapping[str, Any], where: str, context: DecodeContext, tracks: frozenset[int]) -> DecodedBox | None:
    for name in ("label", "points"):
        if name not in shape:
            refuse(where, f"“{name}” is missing.", f"Add “{name}” to the shape, or remove the shape.")
    edges = _edges(shape, where, context)
    if edges is None:
        return None
    fields: dict[str, Any] = decode_label(shape["label"], context)
    # AnyLabeling says “text” where the others say “description”.
    text = as_text(shape.get("description")) or as_text(shape.get("text"))
    if text:
        fields["text"] = text
    own = object_in(shape.get(OWN))
    fields |= score_fields(shape.get("score"))
    fields |= _fields_of(shape, where, context)
    group = shape.get("group_id")
    if group in tracks:
        fields["track_id"] = f"group_{group}"
    elif group is not None and not own:
        context.left_out.add("group", "groups of several boxes on a picture", where)
    if own:
        fields.pop("track_id", None)
        # Without a block's word the source is a person; the score above says a program.
        fields |= {"source": "human"} | decode_own_fields(own)
    fields |= _judged(shape, fields.get("review"))
    return DecodedBox(fields=fields, edges=edges, whole="uid" in own, where=where)


def _judged(shape: Mapping[str, Any], before: str | None) -> dict[str, str]:
    """X-AnyLabeling's word about one box; it comes after whatever the box was exported with."""
    status = shape.get("review_status")
    if status == "false_positive":
        return {"review": "rejected"}
    if status == "missed":  # an element that a finder had not found
        return {"review": "approved"}
    # A rejected box goes out as a false positive, so somebody took that back.
    return {"review": "unreviewed"} if status and before == "rejected" else {}


def _fields_of(shape: Mapping[str, Any], where: str, context: DecodeContext) -> dict[str, Any]:
    """Fields from flags and attributes; flags are states, or nothing of ours."""
    flags = object_in(shape.get("flags"))
    found = decode_attributes(object_in(shape.get("attributes")), where, context)
    states = dict(found.get("states", {}))
    for name, value in flags.items():
        seen = parse_state(value)
        if name in STATES and seen is not None:
            states[name] = seen
        elif seen:
            context.left_out.add(f"flag {name}", f"the flag “{name}” is none of our states", where)
    for name, words in _OF_SHAPES.items():
        if shape.get(name):
            context.left_out.add(name, words, where)
    return {**found, "states": states} if states else found


def _edges(shape: Mapping[str, Any], where: str, context: DecodeContext) -> Edges | None:
    kind = str(shape.get("shape_type") or "polygon")  # the oldest files do not say it
    given = shape["points"]
    if not isinstance(given, list):
        refuse(where, "“points” must be a list of [x, y].", "Correct its points, or remove the shape.")
    points = [floats(point, 2, where, f"points[{i}]") for i, point in enumerate(cast("list[object]", given))]
    if kind in {"point", "points"} or len(points) < 2 or (kind in {"line", "linestrip"} and len(points) == 2):
        context.left_out.add("flat", "points and lines, which have no area", where)
        return None
    if kind == "circle":
        (cx, cy), (x, y) = points[0], points[1]
        radius = ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5
        context.add_shape_loss(where)
        return (cx - radius, cy - radius, cx + radius, cy + radius)
    if kind == "rectangle" and len(points) not in {2, 4}:
        refuse(where, f"A rectangle has 2 or 4 points, this has {len(points)}.", "Correct its points, or remove it.")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    tilted = kind == "rectangle" and len(points) == 4 and (len(set(xs)) > 2 or len(set(ys)) > 2)
    if tilted or kind != "rectangle":
        context.add_shape_loss(where)
    # A mask names its first and its last pixel, everything else the edges.
    last = 1 if kind == "mask" else 0
    return (min(xs), min(ys), max(xs) + last, max(ys) + last)


def encode_labelme(
    pictures: Iterable[AnnotatedPicture], output: Output, _: AnnotationOptions, *, strict: bool = True
) -> None:
    """Write a file for each picture: labelme's, or with ``strict`` off X-AnyLabeling's."""
    groups: dict[str, int] = {}
    for picture in pictures:
        shapes: list[dict[str, Any]] = []
        for element in picture.elements:
            # The number of an element's track: both programs take whole numbers only.
            track = element.track_id
            group = None if track is None else groups.setdefault(track, len(groups) + 1)
            shapes.append(_strict_shape(element, group) if strict else _wide_shape(element, group))
        data: dict[str, Any] = {
            "version": "5.5.0" if strict else "4.2.1",
            "flags": {},
            **({} if strict else {"checked": picture.checked, "description": "", "tags": []}),
            "shapes": shapes,
            "imagePath": picture.name,
            # The key must be there, although a picture inside a JSON makes every program slow.
            "imageData": None,
            "imageHeight": picture.size.height,
            "imageWidth": picture.size.width,
            OWN: {"frame": picture.frame, "demo": picture.demo},
        }
        output.json(f"{picture.name.removesuffix('.png')}.json", data)


_OWN_FIELDS: Final = ("uid", "source", "review", "track_id", "parent", "mark_box", "placeholder")
"""For which neither program has a place."""


def _strict_shape(element: Element, group: int | None) -> dict[str, Any]:
    box = element.box
    return {
        "label": element.type,
        "points": [[float(box.x1), float(box.y1)], [float(box.x2), float(box.y2)]],
        "group_id": group,
        "description": element.text or "",
        "shape_type": "rectangle",
        "flags": {str(name): value for name, value in element.states.items()},
        "mask": None,
        OWN: encode_own_fields(element, *_OWN_FIELDS, "subtype", "confidence"),
    }


def _wide_shape(element: Element, group: int | None) -> dict[str, Any]:
    box = element.box
    corners = ((box.x1, box.y1), (box.x2, box.y1), (box.x2, box.y2), (box.x1, box.y2))
    said: dict[str, str] = {} if element.subtype is None else {"subtype": element.subtype}
    said |= {str(name): str(value).lower() for name, value in element.states.items()}
    return {
        "kie_linking": [],
        "label": element.type,
        "score": element.confidence,
        "points": [[float(x), float(y)] for x, y in corners],
        "group_id": group,
        "description": element.text or "",
        "difficult": False,
        "shape_type": "rectangle",
        "flags": {},
        "attributes": said,
        **({"review_status": "false_positive"} if element.review == "rejected" else {}),
        OWN: encode_own_fields(element, *_OWN_FIELDS),
    }


LABELME: Final = AnnotationFormat(
    name="labelme",
    title="labelme, strict",
    files="NAME.json beside NAME.png",
    reads="labelme; X-AnyLabeling turns its two points into four",
    encode=encode_labelme,
    decode=decode_labelme,
    folder="",
    notes=(
        "Rectangles have two points; states are flags, the text is the description, the track's number the group.",
        "What labelme has no field for lies in each shape under “demopack”; labelme keeps it when it saves.",
    ),
)
X_ANYLABELING: Final = replace(
    LABELME,
    name="x-anylabeling",
    title="X-AnyLabeling",
    reads="X-AnyLabeling; labelme refuses its four points",
    encode=partial(encode_labelme, strict=False),
    notes=(
        "Rectangles have four points; states and subtype are attributes, the confidence is the score.",
        "The text is the description; a picture of which every element is approved or rejected is checked.",
        "A rejected element is a false positive. What was checked there is approved, what failed is doubtful.",
        "The rest lies in each shape under “demopack”; X-AnyLabeling keeps it when it saves.",
    ),
)
