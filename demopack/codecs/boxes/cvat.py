"""CVAT XML 1.1: for images (boxes of pictures) and for video (tracks: an element over the steps)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element as Tag
from xml.sax.saxutils import escape

from demopack.codecs.boxes.base import (
    AnnotatedPicture,
    AnnotationFormat,
    AnnotationOptions,
    DecodeContext,
    DecodedBox,
    DecodedPicture,
    FormatCapabilities,
)
from demopack.codecs.boxes.input_files import (
    as_number,
    as_text,
    base_name,
    files_of,
    floats,
    numbers_of,
    picture_files,
    read_bytes,
    refuse,
)
from demopack.codecs.boxes.labels import decode_attributes, decode_label, encode_attributes
from demopack.codecs.output import Output
from demopack.domain.elements import (
    ATTRIBUTES,
    ELEMENT_TYPES,
    ICON_SUBTYPES,
    SHAPE_SUBTYPES,
    STATES,
    Element,
    ElementType,
)
from demopack.domain.geometry import Edges, Size, bounds_of_points, bounds_of_rotated

_UNSEEN: Final = "not visible"


def _declared(kind: ElementType) -> list[dict[str, Any]]:
    """Attributes that a label of this type may have; CVAT drops those that its task does not declare."""

    def attribute(name: str, values: Sequence[str] = (), **more: str) -> dict[str, Any]:
        return {"name": name, "mutable": True, "input_type": "text", "default_value": "", **more, "values": values}

    may = {"mark_box": ATTRIBUTES[kind].mark, "placeholder": ATTRIBUTES[kind].placeholder}
    shown = [state for state in STATES if state in ATTRIBUTES[kind].states or kind == "other"]
    return [
        attribute("text"),
        attribute("subtype", {"icon": ICON_SUBTYPES, "shape": SHAPE_SUBTYPES}.get(kind, ())),
        *(attribute(one, (_UNSEEN, "true", "false"), input_type="select", default_value=_UNSEEN) for one in shown),
        *map(attribute, [name for name in ("mark_box", "placeholder") if may[name] or kind == "other"]),
        *map(attribute, ("source", "review", "track_id", "parent", "uid", "confidence")),
    ]


def _label_xml(kind: ElementType) -> list[str]:
    """The declaration of a label inside a file of boxes."""
    lines = ["<label>", _text_tag("name", kind), "<attributes>"]
    for one in _declared(kind):
        parts = {**one, "values": "\n".join(one["values"])}
        said = "".join(f"<{key}>{escape(str(value))}</{key}>" for key, value in parts.items())
        lines.append(f"<attribute>{said}</attribute>")
    return [*lines, "</attributes></label>"]


def _label_json(kind: ElementType) -> dict[str, Any]:
    """A label as CVAT's “Raw” set-up and its command line take it."""
    attributes = [
        one if one["input_type"] == "select" else {**one, "values": [one["default_value"]]} for one in _declared(kind)
    ]
    return {"name": kind, "type": "rectangle", "attributes": attributes}


def _edges_of(shape: Tag, where: str, context: DecodeContext) -> Edges | None:
    """Left, top, right and bottom of a shape in pixels; None for one without an area, which is counted.

    Raises:
        BadInputError: a number is missing, or none.
    """
    edges: Edges | None = None
    match shape.tag:
        case "attribute":
            return None
        case "box":
            x1, y1, x2, y2 = numbers_of(shape, where, "xtl", "ytl", "xbr", "ybr")
            edges = (x1, y1, x2, y2)
        case "polygon":
            pairs = (shape.get("points") or "").split(";")
            points = [floats(pair.split(","), 2, where, "points") for pair in pairs if pair]
            edges = bounds_of_points(points) if len(points) > 1 else None
        case "ellipse":
            x, y, across, down = numbers_of(shape, where, "cx", "cy", "rx", "ry")
            edges = (x - across, y - down, x + across, y + down)
        case "mask":
            edges = _mask_edges(shape, where)
        case _:
            pass
    if edges is None:
        context.left_out.add(f"shape {shape.tag}", f"shapes of the kind {shape.tag}", where)
        return None
    turned = as_number(shape.get("rotation")) or 0.0
    if turned or shape.tag != "box":
        context.add_shape_loss(where)
    return bounds_of_rotated(edges, turned) if turned else edges


def _mask_edges(shape: Tag, where: str) -> Edges | None:
    """Around the pixels that belong to the mask: some programs give every mask the whole picture as its place."""
    left, top, width, height = (int(value) for value in numbers_of(shape, where, "left", "top", "width", "height"))
    parts = (shape.get("rle") or "").split(",")
    runs = [int(value) for value in floats(parts, len(parts), where, "rle")]
    if width <= 0 or height <= 0 or min(runs) < 0 or sum(runs) > width * height:
        return None
    ends = list(itertools.accumulate(runs))
    # The first run is of pixels beside it; the pixels of the others by their number, first and last.
    inside = [(end - run, end - 1) for run, end in zip(runs[1::2], ends[1::2], strict=True) if run]
    if not inside:
        return None
    first, last = min(inside)[0] // width, max(inside)[1] // width
    whole_row = any(start // width != end // width for start, end in inside)
    columns = [0, width - 1] if whole_row else [pixel % width for run in inside for pixel in run]
    return (left + min(columns), top + first, left + max(columns) + 1, top + last + 1)


_NOT_CHOSEN: Final = frozenset({"not visible", "__undefined__"})
"""Values of a select where nothing was chosen: ours, and CVAT's own."""


def decode_cvat(context: DecodeContext) -> Iterator[DecodedPicture]:
    """Every picture of CVAT's files that has a box.

    Raises:
        BadInputError: a file breaks the format's rules; file, field and way out are named.
    """
    for path in files_of(context.path, "*.xml"):
        root = _root(path)
        if root.tag != "annotations":
            if context.path.is_file():
                refuse(path, "The file is no CVAT XML 1.1.", "Export “CVAT for images 1.1” or “CVAT for video 1.1”.")
            continue
        for image in root.iter("image"):
            yield _image(image, path, context)
        if root.find("track") is not None:
            yield from _video(root, path, context)


def _root(path: Path) -> ET.Element:
    data = read_bytes(path)
    try:
        return ET.fromstring(data, ET.XMLParser(target=_TreeBuilder()))  # noqa: S314 - without entities
    except _DoctypeError:
        refuse(path, "The file declares entities, which CVAT never does.", "Export it from CVAT again.")
    except (ET.ParseError, LookupError, ValueError, RecursionError) as error:
        refuse(path, "The file is not XML.", f"Mend it ({error}), or export it again.")


class _DoctypeError(Exception):
    """Raised at a document type: without one there are no entities and no external references."""


class _TreeBuilder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise _DoctypeError(name, pubid, system)


def _image(image: ET.Element, path: Path, context: DecodeContext) -> DecodedPicture:
    named = as_text(image.get("name"))
    where = f"{path}, image {named or image.get('id')}"
    if not named:
        refuse(where, "“name” is missing.", "Name the picture's file there.")
    boxes: list[DecodedBox] = []
    for i, shape in enumerate(image):
        place = f"{where}, {shape.tag} {i}"
        edges = _edges_of(shape, place, context)
        if edges is not None:
            fields = _fields(shape, shape.get("label"), place, context)
            boxes.append(DecodedBox(fields=fields, edges=edges, whole="uid" in fields, where=place))
    return DecodedPicture(
        name=base_name(named),
        size=_size(image.get("width"), image.get("height"), where),
        file=context.picture(named, path.parent, side=image.get("subset") or path.stem),
        boxes=boxes,
        where=where,
    )


def _size(width: str | None, height: str | None, where: str) -> Size | None:
    if width is None or height is None:
        return None
    found = floats([width, height], 2, where, "width, height")
    return Size(int(found[0]), int(found[1]))


def _fields(shape: ET.Element, label: str | None, where: str, context: DecodeContext) -> dict[str, Any]:
    if not label:
        refuse(where, "“label” is missing.", "Add the label, or remove the shape.")
    given = {str(one.get("name")): one.text or "" for one in shape.findall("attribute")}
    if shape.get("occluded") == "1":
        context.left_out.add("attribute occluded", "marks that an element is covered", where)
    fields: dict[str, Any] = {}
    if shape.get("source") in {"auto", "semi-auto", "file"} and not given.get("uid"):
        fields["source"] = "detector"
    ours = {name: value for name, value in given.items() if value not in _NOT_CHOSEN}
    return {**fields, **decode_label(label, context), **decode_attributes(ours, where, context)}


# Tracks -----------------------------------------------------------------------------------------------------------


def _video(root: ET.Element, path: Path, context: DecodeContext) -> Iterator[DecodedPicture]:
    boxes: dict[int, list[DecodedBox]] = {}
    for track in root.iter("track"):
        for number, box in _track_boxes(track, path, context):
            boxes.setdefault(number, []).append(box)
    size = root.find("./meta//original_size")
    place = f"{path}, original_size"
    whole = None if size is None else _size(size.findtext("width"), size.findtext("height"), place)
    files = picture_files(path.parent)
    # What we wrote ourselves has the frames in this order.
    names = list(context.frames) or [file.name for file in files]
    by_name = {file.name: file for file in files}
    for number in sorted(boxes):
        name = names[number] if number < len(names) else f"frame_{number:06}.png"
        yield DecodedPicture(
            name=name,
            size=whole,
            number=number,
            file=by_name.get(name),
            boxes=boxes[number],
            where=f"{path}, frame {number}",
        )


def _track_boxes(track: ET.Element, path: Path, context: DecodeContext) -> Iterator[tuple[int, DecodedBox]]:
    where = f"{path}, track {track.get('id')}"
    fixed: dict[str, Any] = {"track_id": f"track_{track.get('id')}"}
    if track.get("source") in {"auto", "semi-auto", "file"}:
        fixed["source"] = "detector"
    last: tuple[int, DecodedBox] | None = None
    for shape in track:
        if shape.tag != "box":
            context.left_out.add(f"shape {shape.tag}", f"shapes of the kind {shape.tag}", where)
            continue
        number = int(floats([shape.get("frame")], 1, where, "frame")[0])
        place = f"{where}, frame {number}"
        edges = _edges_of(shape, place, context)
        assert edges is not None
        said = _fields(shape, track.get("label"), place, context)
        whole = "uid" in said  # what it said itself counts then, not what its track stands for
        box = DecodedBox(fields=said if whole else {**fixed, **said}, edges=edges, whole=whole, where=place)
        gone = shape.get("outside") == "1"
        if last is not None:
            yield from _between(last, number, box if not gone else last[1])
        last = None if gone else (number, box)
        if last is not None:
            yield last


def _between(start: tuple[int, DecodedBox], end: int, last: DecodedBox) -> Iterator[tuple[int, DecodedBox]]:
    """The boxes of the frames between two that are written down; CVAT moves them evenly."""
    first, box = start
    fields: Mapping[str, Any] = {key: value for key, value in box.fields.items() if key != "uid"}
    for number in range(first + 1, end):
        share = (number - first) / (end - first)
        x1, y1, x2, y2 = (a + (b - a) * share for a, b in zip(box.edges, last.edges, strict=True))
        yield number, DecodedBox(fields=fields, edges=(x1, y1, x2, y2), where=f"{box.where}, then frame {number}")


_XML_FILE: Final = "annotations.xml"
_LABELS_FILE: Final = "labels.json"
# Line ends and tabs would be turned into spaces or one another by a reader.
_ENTITIES: Final = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;", '"': "&quot;"}


def _tag(name: str, attributes: Mapping[str, object], *, close: bool = False) -> str:
    said = "".join(f' {key}="{escape(str(value), _ENTITIES)}"' for key, value in attributes.items())
    return f"<{name}{said}{'/' if close else ''}>"


def _text_tag(name: str, value: object) -> str:
    return f"<{name}>{escape(str(value), _ENTITIES)}</{name}>"


def encode_cvat(
    pictures: Iterable[AnnotatedPicture], output: Output, _: AnnotationOptions, *, video: bool = False
) -> None:
    """Write the boxes of pictures, or with ``video`` the tracks over them, and the labels to give to CVAT."""
    shown = list(pictures)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<annotations>", "<version>1.1</version>", "<meta><task>"]
    mode = "interpolation" if video else "annotation"
    lines += [_text_tag("name", "demopack"), _text_tag("size", len(shown)), _text_tag("mode", mode)]
    sizes = {picture.size for picture in shown}
    if video and len(sizes) == 1:
        (size,) = sizes
        whole = _text_tag("width", size.width) + _text_tag("height", size.height)
        lines.append(f"<original_size>{whole}</original_size>")
    lines.append("<labels>")
    used = {element.type for picture in shown for element in picture.elements}
    for kind in ELEMENT_TYPES:
        lines += _label_xml(kind) if kind in used else []
    lines += ["</labels></task></meta>", *(_tracks(shown) if video else _images(shown)), "</annotations>", ""]
    output.write(_XML_FILE, "\n".join(lines))
    output.json(_LABELS_FILE, [_label_json(kind) for kind in ELEMENT_TYPES])


def _images(pictures: Sequence[AnnotatedPicture]) -> list[str]:
    lines: list[str] = []
    groups: dict[str, int] = {}
    for number, picture in enumerate(pictures):
        size = picture.size
        lines.append(_tag("image", {"id": number, "name": picture.name, "width": size.width, "height": size.height}))
        for element in picture.elements:
            track = element.track_id
            group = {} if track is None else {"group_id": groups.setdefault(track, len(groups) + 1)}
            lines += [_tag("box", {**_box(element), **group}), *_attributes(element), "</box>"]
        lines.append("</image>")
    return lines


def _tracks(pictures: Sequence[AnnotatedPicture]) -> list[str]:
    """One track for each element with its boxes on all pictures."""
    tracks: dict[tuple[str, str], list[tuple[int, Element]]] = {}
    for number, picture in enumerate(pictures):
        seen: set[tuple[str, str]] = set()
        for element in picture.elements:
            key = (element.type, element.track_id or f"uid {element.uid}")
            if key in seen:  # two elements of one picture cannot be one track
                key = (element.type, f"uid {element.uid}")
            seen.add(key)
            tracks.setdefault(key, []).append((number, element))
    lines: list[str] = []
    for track, ((label, _), shown) in enumerate(tracks.items()):
        lines.append(_tag("track", {"id": track, "label": label, "source": _source(shown[0][1])}))
        following = [number for number, _ in shown[1:]] + [len(pictures)]
        for (number, element), end in zip(shown, following, strict=True):
            box = {key: value for key, value in _box(element).items() if key not in {"label", "source"}}
            head = {"frame": number, "keyframe": 1, "outside": 0, **box}
            lines += [_tag("box", head), *_attributes(element), "</box>"]
            if number + 1 < end:
                # Without it CVAT would go on showing the box, or move it to its next place little by little.
                lines.append(_tag("box", {**head, "frame": number + 1, "outside": 1}, close=True))
        lines.append("</track>")
    return lines


def _box(element: Element) -> dict[str, object]:
    box = element.box
    return {
        "label": element.type,
        "source": _source(element),
        "occluded": 0,
        "xtl": f"{box.x1}.00",
        "ytl": f"{box.y1}.00",
        "xbr": f"{box.x2}.00",
        "ybr": f"{box.y2}.00",
        "z_order": 0,
    }


def _source(element: Element) -> str:
    return "manual" if element.source == "human" else "auto"


def _attributes(element: Element) -> list[str]:
    data: dict[str, Any] = encode_attributes(element)
    if element.confidence is not None:
        data["confidence"] = repr(element.confidence)
    return [
        f'<attribute name="{name}">{escape(str(value).lower() if isinstance(value, bool) else str(value), _ENTITIES)}'
        "</attribute>"
        for name, value in data.items()
    ]


_SETUP: Final = "Give labels.json to CVAT when you make the task: it drops attributes that its labels do not declare."
CVAT_IMAGES: Final = AnnotationFormat(
    name="cvat",
    title="CVAT for images 1.1",
    files=f"{_XML_FILE}, {_LABELS_FILE}, images/",
    reads="CVAT, Datumaro, Roboflow",
    capabilities=FormatCapabilities(xml=True, why="XML has no way to write them"),
    encode=encode_cvat,
    decode=decode_cvat,
    notes=("Every field is an attribute that the labels declare; the number of the track is the group.", _SETUP),
)
CVAT_VIDEO: Final = replace(
    CVAT_IMAGES,
    name="cvat-video",
    title="CVAT for video 1.1, with tracks",
    reads="CVAT, Datumaro",
    encode=partial(encode_cvat, video=True),
    notes=(
        "Pictures are frames in the demo's order, elements with one track id are one track, attributes may change.",
        "Where an element is gone its track is outside.",
        _SETUP,
        "Load the pictures of images/ in the order of their names as one task.",
        "Datumaro reads tracks only where all pictures have one size.",
    ),
)
