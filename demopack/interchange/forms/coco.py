"""COCO detection with ``attributes``, as CVAT and Datumaro write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import Size, to_coco
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions, Reading
from demopack.interchange.labels import OWN, flat_attributes, said_attributes, type_fields
from demopack.interchange.reading import LOG, files_of, floats, number_of, objects, read_json, rows, text_of, wrong
from demopack.interchange.turned import around
from demopack.interchange.values import BoxIn, PictureIn, PictureOut
from demopack.pack.formats.output import Output

__all__ = ["COCO", "read_coco"]

_Four = tuple[float, float, float, float]

_FILE: Final = "annotations/instances_default.json"
"""CVAT's and Datumaro's name for a set that is not divided; Datumaro finds no other."""


class _Writer:
    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        del options
        self.output = output
        self._images: list[dict[str, Any]] = []
        self._annotations: list[dict[str, Any]] = []

    def add(self, picture: PictureOut) -> None:
        number = len(self._images) + 1
        size = picture.size
        self._images.append(
            {
                "id": number,
                "file_name": picture.name,
                "width": size.width,
                "height": size.height,
                OWN: {"frame": picture.frame, "demo": picture.demo},
            }
        )
        for element in picture.elements:
            score = {} if element.confidence is None else {"score": element.confidence}
            self._annotations.append(
                {
                    "id": len(self._annotations) + 1,
                    "image_id": number,
                    "category_id": ELEMENT_TYPES.index(element.type) + 1,
                    "bbox": list(to_coco(element.box)),
                    "area": element.box.area,
                    "iscrowd": 0,
                    "segmentation": [],
                    **score,
                    "attributes": flat_attributes(element),
                }
            )

    def finish(self) -> None:
        categories = [{"id": i, "name": name, "supercategory": "element"} for i, name in enumerate(ELEMENT_TYPES, 1)]
        data = {
            "info": {"description": "GUI elements"},
            "licenses": [],
            "images": self._images,
            "categories": categories,
            "annotations": self._annotations,
        }
        self.output.json(_FILE, data, compact=True)


# Reading ----------------------------------------------------------------------------------------------------------

_BESIDE: Final = {"keypoints": "key points", "ignore": "marks that a box is to be ignored"}
"""Keys of an annotation for which there is no place here."""
_KEYS: Final = frozenset(
    {"id", "image_id", "category_id", "bbox", "area", "iscrowd", "segmentation", "score", "attributes"}
    | {"num_keypoints", *_BESIDE}
)
"""What COCO itself knows of an annotation; any other key is an attribute."""


def read_coco(reading: Reading) -> Iterator[PictureIn]:
    """Every image of COCO files; ids may begin anywhere and have gaps, area and segmentation may be missing.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path in _files(reading.path):
        data = objects(read_json(path))
        for name in ("images", "annotations", "categories"):
            if name not in data:
                wrong(
                    path,
                    f"“{name}” is missing, so it is no COCO file.",
                    "A list of results needs its images and categories: join them into one file first.",
                )
        classes = {_key(row.get("id")): row.get("name") for row in rows(data["categories"], path, "categories")}
        boxes: dict[str, list[BoxIn]] = {}
        images = rows(data["images"], path, "images")
        known = {_key(row.get("id")) for row in images}
        for i, row in enumerate(rows(data["annotations"], path, "annotations")):
            where = f"{path}, annotations[{i}]"
            image = _key(row.get("image_id"))
            if image not in known:
                wrong(where, f"There is no image {row.get('image_id')!r}.", "Correct “image_id”, or remove the entry.")
            box = _box(row, classes, where, reading)
            if box is not None:
                boxes.setdefault(image, []).append(box)
        for i, row in enumerate(images):
            yield _picture(row, boxes.get(_key(row.get("id")), []), path, f"{path}, images[{i}]", reading)


def _files(path: Path) -> Sequence[Path]:
    return [one for one in files_of(path, "*.json") if path.is_file() or one.name != LOG]


def _key(value: object) -> str:
    """Ids as text: some programs write numbers, others texts."""
    return str(value)


def _picture(row: Mapping[str, Any], boxes: Sequence[BoxIn], path: Path, where: str, reading: Reading) -> PictureIn:
    named = text_of(row.get("file_name"))
    if not named:
        wrong(where, "“file_name” is missing.", "Name the picture's file there.")
    name = named.replace("\\", "/").rpartition("/")[2]
    own = objects(row.get(OWN))
    width, height = number_of(row.get("width")), number_of(row.get("height"))
    return PictureIn(
        name=name,
        size=Size(int(width), int(height)) if width and height else None,
        frame=text_of(own.get("frame")) or reading.frames.get(name, ""),
        demo=text_of(own.get("demo")),
        file=reading.shelf.find(
            named, path.parent, reading.root or path.parent, root=reading.root, side=path.stem.rpartition("_")[2]
        ),
        boxes=boxes,
        where=where,
    )


def _box(row: Mapping[str, Any], classes: Mapping[str, Any], where: str, reading: Reading) -> BoxIn | None:
    if row.get("iscrowd"):
        reading.left_out.add("crowd", "crowds, as which some programs mark every mask", where)
        return None
    category = _key(row.get("category_id"))
    if category not in classes:
        wrong(where, f"There is no category {row.get('category_id')!r}.", "Correct “category_id”, or add the category.")
    # FiftyOne writes attributes as keys of the annotation itself.
    beside = {name: value for name, value in row.items() if name not in _KEYS}
    attributes = {**beside, **objects(row.get("attributes"))}
    edges = _edges(row, number_of(attributes.get("rotation")) or 0.0, where, reading)
    if edges is None:
        return None
    fields = type_fields(classes[category], reading)
    score = number_of(row.get("score"))
    whole = "uid" in attributes
    if score is not None:
        fields |= {"confidence": min(max(score, 0.0), 1.0), **({} if whole else {"source": "detector"})}
    for name, words in _BESIDE.items():
        if row.get(name):
            reading.left_out.add(name, words, where)
    fields |= said_attributes(attributes, where, reading)
    return BoxIn(fields=fields, edges=edges, whole=whole, where=where)


def _edges(row: Mapping[str, Any], degrees: float, where: str, reading: Reading) -> _Four | None:
    if row.get("bbox"):
        x, y, width, height = floats(row["bbox"], 4, where, "bbox")
        if width < 0 or height < 0:
            wrong(where, "“bbox” must be [x, y, width, height] with sizes of 0 or more.", "Correct “bbox”.")
        if degrees:
            # CVAT writes a turned box as it was before, and the angle beside it.
            reading.lost.add("shape", "shapes that became the box around them", where)
            return around((x, y, x + width, y + height), degrees)
        return (x, y, x + width, y + height)
    outline = row.get("segmentation")
    if isinstance(outline, list) and outline:
        parts = cast("list[object]", outline)
        flat = [floats(part, len(cast("list[object]", part)), where, "segmentation") for part in parts if part]
        if flat and all(len(part) >= 4 and len(part) % 2 == 0 for part in flat):
            reading.lost.add("shape", "shapes that became the box around them", where)
            xs, ys = [x for part in flat for x in part[::2]], [y for part in flat for y in part[1::2]]
            return (min(xs), min(ys), max(xs), max(ys))
    if isinstance(outline, dict):
        reading.left_out.add("mask", "masks without a box", where)
        return None
    return wrong(
        where, "There is neither “bbox” nor a polygon in “segmentation”.", "Add “bbox” as [x, y, width, height]."
    )


COCO: Final = AnnotationFormat(
    name="coco",
    title="COCO with attributes",
    files=f"{_FILE}, images/",
    reads="pycocotools, CVAT, Datumaro, FiftyOne, supervision",
    carrier=Carrier(),
    writer=_Writer,
    reader=read_coco,
    notes=(
        "Category ids are the places of the element types from 1, all of them, whether used or not.",
        "Everything beside type, box and score is an attribute; a state is one attribute, true or false.",
    ),
)
