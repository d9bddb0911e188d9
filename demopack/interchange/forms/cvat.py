"""CVAT XML 1.1, written: for images (boxes of pictures) and for video (tracks: an element over the steps)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.interchange.carries import Carrier
from demopack.interchange.form import AnnotationFormat, AnnotationOptions
from demopack.interchange.forms.cvat_labels import labels_json, labels_xml
from demopack.interchange.forms.cvat_reader import read_cvat
from demopack.interchange.labels import flat_attributes
from demopack.interchange.values import PictureOut
from demopack.pack.formats.output import Output

__all__ = ["CVAT_IMAGES", "CVAT_VIDEO"]

FILE: Final = "annotations.xml"
LABELS: Final = "labels.json"
# Line ends and tabs would be turned into spaces or one another by a reader.
_ENTITIES: Final = {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;", '"': "&quot;"}


def _tag(name: str, attributes: Mapping[str, object], *, close: bool = False) -> str:
    said = "".join(f' {key}="{escape(str(value), _ENTITIES)}"' for key, value in attributes.items())
    return f"<{name}{said}{'/' if close else ''}>"


def _leaf(name: str, value: object) -> str:
    return f"<{name}>{escape(str(value), _ENTITIES)}</{name}>"


class _Writer:
    mode = "annotation"

    def __init__(self, output: Output, options: AnnotationOptions) -> None:
        del options
        self.output = output
        self.pictures: list[PictureOut] = []

    def add(self, picture: PictureOut) -> None:
        self.pictures.append(picture)

    def finish(self) -> None:
        lines = ['<?xml version="1.0" encoding="utf-8"?>', "<annotations>", "<version>1.1</version>", *self.meta()]
        lines += [*self.body(), "</annotations>", ""]
        self.output.write(FILE, "\n".join(lines))
        self.output.json(LABELS, labels_json())

    def meta(self) -> list[str]:
        size = f"{len(self.pictures)}"
        lines = ["<meta><task>", _leaf("name", "demopack"), _leaf("size", size), _leaf("mode", self.mode)]
        lines += [*self.extent(), "<labels>"]
        used = {element.type for picture in self.pictures for element in picture.elements}
        return [*lines, *labels_xml(used), "</labels></task></meta>"]

    def extent(self) -> list[str]:
        """What the task says of the size of its pictures: nothing, where each says it."""
        return []

    def body(self) -> list[str]:
        """The pictures with their boxes."""
        lines: list[str] = []
        tracks: dict[str, int] = {}
        for number, picture in enumerate(self.pictures):
            size = picture.size
            head = {"id": number, "name": picture.name, "width": size.width, "height": size.height}
            lines.append(_tag("image", head))
            for element in picture.elements:
                group: dict[str, object] = {}
                if element.track_id is not None:
                    group["group_id"] = tracks.setdefault(element.track_id, len(tracks) + 1)
                lines += [_tag("box", {**_box(element), **group}), *_said(element), "</box>"]
            lines.append("</image>")
        return lines


class _Video(_Writer):
    mode = "interpolation"

    def extent(self) -> list[str]:
        sizes = {picture.size for picture in self.pictures}
        if len(sizes) != 1:
            return []
        (size,) = sizes
        return [f"<original_size>{_leaf('width', size.width)}{_leaf('height', size.height)}</original_size>"]

    def body(self) -> list[str]:
        """One track for each element with its boxes on all pictures."""
        tracks: dict[tuple[str, str], list[tuple[int, Element]]] = {}
        for number, picture in enumerate(self.pictures):
            seen: set[tuple[str, str]] = set()
            for element in picture.elements:
                key = (element.type, element.track_id or f"uid {element.uid}")
                if key in seen:  # two elements of one picture cannot be one track
                    key = (element.type, f"uid {element.uid}")
                seen.add(key)
                tracks.setdefault(key, []).append((number, element))
        lines: list[str] = []
        for number, ((label, _), shown) in enumerate(tracks.items()):
            lines.append(_tag("track", {"id": number, "label": label, "source": _source(shown[0][1])}))
            lines += self._track(shown)
            lines.append("</track>")
        return lines

    def _track(self, shown: Sequence[tuple[int, Element]]) -> list[str]:
        lines: list[str] = []
        for place, (number, element) in enumerate(shown):
            box = {key: value for key, value in _box(element).items() if key not in {"label", "source"}}
            head = {"frame": number, "keyframe": 1, "outside": 0, **box}
            lines += [_tag("box", head), *_said(element), "</box>"]
            following = shown[place + 1][0] if place + 1 < len(shown) else len(self.pictures)
            if number + 1 < following:
                # Without it CVAT would go on showing the box, or move it to its next place little by little.
                lines.append(_tag("box", {**head, "frame": number + 1, "outside": 1}, close=True))
        return lines


def _box(element: Element) -> dict[str, object]:
    box: Rect = element.box
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


def _said(element: Element) -> list[str]:
    data: dict[str, Any] = flat_attributes(element)
    if element.confidence is not None:
        data["confidence"] = repr(element.confidence)
    return [
        f'<attribute name="{name}">{escape(str(value).lower() if isinstance(value, bool) else str(value), _ENTITIES)}'
        "</attribute>"
        for name, value in data.items()
    ]


_WHY: Final = "XML has no way to write them"
_SET_UP: Final = "Give labels.json to CVAT when you make the task: it drops attributes that its labels do not declare."
CVAT_IMAGES: Final = AnnotationFormat(
    name="cvat",
    title="CVAT for images 1.1",
    files=f"{FILE}, {LABELS}, images/",
    reads="CVAT, Datumaro, Roboflow",
    carrier=Carrier(xml=True, why=_WHY),
    writer=_Writer,
    reader=read_cvat,
    notes=(
        "Every field is an attribute that the labels declare; the number of the track is the group.",
        _SET_UP,
    ),
)
CVAT_VIDEO: Final = AnnotationFormat(
    name="cvat-video",
    title="CVAT for video 1.1, with tracks",
    files=f"{FILE}, {LABELS}, images/",
    reads="CVAT, Datumaro",
    carrier=Carrier(xml=True, why=_WHY),
    writer=_Video,
    reader=read_cvat,
    notes=(
        "Pictures are frames in the demo's order, elements with one track id are one track, attributes may change.",
        "Where an element is gone its track is outside.",
        _SET_UP,
        "Load the pictures of images/ in the order of their names as one task.",
        "Datumaro reads tracks only where all pictures have one size.",
    ),
)
