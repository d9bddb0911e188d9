"""COCO detection with ``attributes``, as CVAT and Datumaro write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    as_number,
    as_text,
    base_name,
    floats,
    list_of_objects,
    refuse,
    score_fields,
)
from demopack.codecs.boxes.labels import OWN, decode_attributes, decode_label, encode_attributes
from demopack.codecs.output import Output
from demopack.domain.elements import ELEMENT_TYPES, Element
from demopack.domain.geometry import Edges, Size, bounds_of_points, bounds_of_rotated, to_coco
from demopack.json_text import object_in

_FILE: Final = "annotations/instances_default.json"
"""CVAT's and Datumaro's name for a set that is not divided; Datumaro finds no other."""
CATEGORIES: Final[list[dict[str, Any]]] = [
    {"id": number, "name": name, "supercategory": "element"} for number, name in enumerate(ELEMENT_TYPES, start=1)
]
"""All element types, whether used or not; their ids count from 1."""


def encode_image(number: int, name: str, size: Size, **own: object) -> dict[str, Any]:
    """An image of COCO, with fields of our own at its end."""
    return {"id": number, "file_name": name, "width": size.width, "height": size.height, **own}


def encode_annotation(
    element: Element, number: int, image: int, attributes: Mapping[str, Any], *, score: float | None = None
) -> dict[str, Any]:
    """An annotation of COCO.

    Args:
        element: with its type and box.
        number: id of the annotation, unique in the file.
        image: id of its image.
        attributes: what COCO has no field for.
        score: how sure the finder was; None leaves the field out.
    """
    return {
        "id": number,
        "image_id": image,
        "category_id": ELEMENT_TYPES.index(element.type) + 1,
        "bbox": list(to_coco(element.box)),
        "area": element.box.area,
        "iscrowd": 0,
        "segmentation": [],
        **({} if score is None else {"score": score}),
        "attributes": dict(attributes),
    }


def encode_coco(pictures: Iterable[AnnotatedPicture], output: Output, _: AnnotationOptions) -> None:
    """Write one file of all pictures."""
    images: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for image, picture in enumerate(pictures, start=1):
        own = {OWN: {"frame": picture.frame, "demo": picture.demo}}
        images.append(encode_image(image, picture.name, picture.size, **own))
        for element in picture.elements:
            attributes = encode_attributes(element)
            rows.append(encode_annotation(element, len(rows) + 1, image, attributes, score=element.confidence))
    data: dict[str, Any] = {"info": {"description": "GUI elements"}, "licenses": []}
    output.json(_FILE, {**data, "images": images, "categories": CATEGORIES, "annotations": rows}, compact=True)


# Reading ----------------------------------------------------------------------------------------------------------

_NOT_TAKEN: Final = {"keypoints": "key points", "ignore": "marks that a box is to be ignored"}
"""Keys of an annotation for which there is no place here."""
_KEYS: Final = frozenset(
    {"id", "image_id", "category_id", "bbox", "area", "iscrowd", "segmentation", "score", "attributes"}
    | {"num_keypoints", *_NOT_TAKEN}
)
"""Keys of an annotation that COCO itself knows; any other key is an attribute."""


def decode_coco(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every image of COCO files; ids may begin anywhere and have gaps, area and segmentation may be missing.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path, value in context.json_files():
        data = object_in(value)
        for name in ("images", "annotations", "categories"):
            if name not in data:
                refuse(
                    path,
                    f"“{name}” is missing, so it is no COCO file.",
                    "A list of results needs its images and categories: join them into one file first.",
                )
        # Ids as texts: some programs write numbers.
        classes = {
            str(row.get("id")): row.get("name") for row in list_of_objects(data["categories"], path, "categories")
        }
        images = list_of_objects(data["images"], path, "images")
        boxes: dict[str, list[DecodedBox]] = {str(row.get("id")): [] for row in images}
        for i, row in enumerate(list_of_objects(data["annotations"], path, "annotations")):
            where = f"{path}, annotations[{i}]"
            image = str(row.get("image_id"))
            if image not in boxes:
                refuse(where, f"There is no image {row.get('image_id')!r}.", "Correct “image_id”, or remove the entry.")
            box = _box(row, classes, where, context)
            if box is not None:
                boxes[image].append(box)
        for i, row in enumerate(images):
            yield _picture(row, boxes[str(row.get("id"))], path, f"{path}, images[{i}]", context)


def _picture(
    row: Mapping[str, Any], boxes: Sequence[DecodedBox], path: Path, where: str, context: DecodeContext
) -> DecodedPicture:
    named = as_text(row.get("file_name"))
    if not named:
        refuse(where, "“file_name” is missing.", "Name the picture's file there.")
    own = object_in(row.get(OWN))
    width, height = as_number(row.get("width")), as_number(row.get("height"))
    return DecodedPicture(
        name=base_name(named),
        size=Size(int(width), int(height)) if width and height else None,
        frame=as_text(own.get("frame")),
        demo=as_text(own.get("demo")),
        file=context.picture(named, path.parent, context.root or path.parent, side=path.stem.rpartition("_")[2]),
        boxes=boxes,
        where=where,
    )


def _box(row: Mapping[str, Any], classes: Mapping[str, Any], where: str, context: DecodeContext) -> DecodedBox | None:
    if row.get("iscrowd"):
        context.left_out.add("crowd", "crowds, as which some programs mark every mask", where)
        return None
    category = str(row.get("category_id"))
    if category not in classes:
        refuse(
            where, f"There is no category {row.get('category_id')!r}.", "Correct “category_id”, or add the category."
        )
    # FiftyOne writes attributes as keys of the annotation itself.
    beside = {name: value for name, value in row.items() if name not in _KEYS}
    attributes = {**beside, **object_in(row.get("attributes"))}
    edges = _edges(row, as_number(attributes.get("rotation")) or 0.0, where, context)
    if edges is None:
        return None
    fields = decode_label(classes[category], context)
    fields |= score_fields(row.get("score"))
    whole = "uid" in attributes
    if whole:
        fields.pop("source", None)  # an attribute says it, or it was a person
    for name, words in _NOT_TAKEN.items():
        if row.get(name):
            context.left_out.add(name, words, where)
    fields |= decode_attributes(attributes, where, context)
    return DecodedBox(fields=fields, edges=edges, whole=whole, where=where)


def _edges(row: Mapping[str, Any], degrees: float, where: str, context: DecodeContext) -> Edges | None:
    if row.get("bbox"):
        x, y, width, height = floats(row["bbox"], 4, where, "bbox")
        if width < 0 or height < 0:
            refuse(where, "“bbox” must be [x, y, width, height] with sizes of 0 or more.", "Correct “bbox”.")
        if degrees:
            # CVAT writes a turned box as it was before, and the angle beside it.
            context.add_shape_loss(where)
            return bounds_of_rotated((x, y, x + width, y + height), degrees)
        return (x, y, x + width, y + height)
    outline = row.get("segmentation")
    if isinstance(outline, list) and outline:
        parts = cast("list[object]", outline)
        flat = [floats(part, len(cast("list[object]", part)), where, "segmentation") for part in parts if part]
        if flat and all(len(part) >= 4 and len(part) % 2 == 0 for part in flat):
            context.add_shape_loss(where)
            return bounds_of_points(point for part in flat for point in zip(part[::2], part[1::2], strict=True))
    if isinstance(outline, dict):
        context.left_out.add("mask", "masks without a box", where)
        return None
    return refuse(
        where, "There is neither “bbox” nor a polygon in “segmentation”.", "Add “bbox” as [x, y, width, height]."
    )


COCO: Final = AnnotationFormat(
    name="coco",
    title="COCO with attributes",
    files=f"{_FILE}, images/",
    reads="pycocotools, CVAT, Datumaro, FiftyOne, supervision",
    encode=encode_coco,
    decode=decode_coco,
    notes=(
        "Category ids are the places of the element types from 1, all of them, whether used or not.",
        "Everything beside type, box and score is an attribute; a state is one attribute, true or false.",
    ),
)
