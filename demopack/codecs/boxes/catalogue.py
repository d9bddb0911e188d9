"""Catalogue of the box formats by name, and the detection of a file's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from demopack.codecs.boxes.base import AnnotationFormat
from demopack.codecs.boxes.coco import COCO
from demopack.codecs.boxes.cvat import CVAT_IMAGES, CVAT_VIDEO
from demopack.codecs.boxes.input_files import as_text, read_bytes, read_json
from demopack.codecs.boxes.label_studio import LABEL_STUDIO
from demopack.codecs.boxes.labelme import LABELME, X_ANYLABELING
from demopack.codecs.boxes.omniparser import OMNIPARSER
from demopack.codecs.boxes.yolo import YOLO, find_data_yaml
from demopack.codecs.losses import EXPORT_LOG
from demopack.errors import BadInputError
from demopack.json_text import as_list, object_in
from demopack.regular_files import regular_files

FORMATS: Final[dict[str, AnnotationFormat]] = {
    one.name: one
    for one in (LABELME, X_ANYLABELING, COCO, YOLO, CVAT_IMAGES, CVAT_VIDEO, LABEL_STUDIO, OMNIPARSER)
}  # fmt: skip
"""In the order in which they are shown."""


def annotation_format(name: str) -> AnnotationFormat:
    """One format.

    Raises:
        BadInputError: there is none of this name.
    """
    if name not in FORMATS:
        raise BadInputError(f"There is no format called {name!r}.", hint=f"Choose one of {', '.join(FORMATS)}.")
    return FORMATS[name]


def detect_format(path: Path) -> AnnotationFormat:
    """The format of a file or folder, from what is in it.

    Raises:
        BadInputError: it is missing, or in none that we know.
    """
    if not path.exists():
        raise BadInputError(f"There is no file or folder {path}.", hint="Check the name.")
    found = _of_file(path) if path.is_file() else _of_folder(path)
    if found is None:
        raise BadInputError(
            f"{path} is in no format that is known here; nothing was imported.",
            hint=f"Choose another file or folder, or name the format: one of {', '.join(FORMATS)}.",
        )
    return found


def _of_folder(path: Path) -> AnnotationFormat | None:
    log = path / EXPORT_LOG
    if log.is_file():
        named = FORMATS.get(as_text(object_in(read_json(log)).get("format")))
        if named is not None:
            return named
    if find_data_yaml(path) or regular_files(path, "data.yaml", "classes.txt", "obj.names"):
        return YOLO
    for pattern in ("*.xml", "*.json"):
        for file in regular_files(path, pattern):
            if file.name != EXPORT_LOG and (found := _of_file(file)) is not None:
                return found
    return None


def _of_file(path: Path) -> AnnotationFormat | None:
    if path.suffix.lower() in {".yaml", ".yml"} or path.name in {"classes.txt", "obj.names"}:
        return YOLO
    if path.suffix.lower() == ".xml":
        head = _plain(read_bytes(path))
        return None if b"<annotations" not in head else CVAT_VIDEO if b"<track" in head else CVAT_IMAGES
    return _of_json(read_json(path)) if path.suffix.lower() == ".json" else None


def _plain(data: bytes) -> bytes:
    """As UTF-8, where a file begins with the mark of UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data


def _of_json(data: Any) -> AnnotationFormat | None:  # noqa: ANN401 - whatever the file holds
    listed = as_list(data)
    if isinstance(data, list):
        first = object_in(next(iter(listed), None))
        if "data" in first or "annotation_id" in first:  # the second is its short form, whose reader says what to do
            return LABEL_STUDIO
        return OMNIPARSER if "interactivity" in first or not listed else None
    keys = object_in(data)
    if "shapes" in keys:
        return X_ANYLABELING if "checked" in keys else LABELME
    if "annotations" in keys and "images" in keys:
        return COCO
    return LABEL_STUDIO if "data" in keys and ("annotations" in keys or "predictions" in keys) else None
