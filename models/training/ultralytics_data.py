"""Reads data in Ultralytics' form into a set of labelled screens."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from demopack.codecs.boxes.base import DecodeContext
from demopack.codecs.boxes.input_files import IMAGE_SUFFIXES, read_text, read_yaml
from demopack.codecs.boxes.yolo import class_names, decode_labels
from demopack.domain.geometry import Size
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.json_text import as_list, object_in
from demopack.regular_files import regular_files
from models.training.labelled_screens import (
    GroundTruth,
    LabelledScreen,
    LabelledScreenSet,
    SourceName,
    Split,
    read_picture,
)

DATA = "data.yaml"
SPLITS: tuple[Split, ...] = ("train", "val", "test")
"""What is written for other training programs; what is frozen never is."""
_IMPORTED = "imported"


@dataclass(slots=True)
class ConversionResult:
    """What was written.

    Attributes:
        folder: where.
        screens: how many.
        elements: on them.
        left_out: what the form cannot say, or what was wrong -> how often.
    """

    folder: Path
    screens: int = 0
    elements: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])


def read_ultralytics(data: Path, folder: Path, *, control: JobControl | None = None) -> ConversionResult:
    """Make a set of data in Ultralytics' form.

    Classes are matched with our element types by name; others become ``other``. Pictures without a label file have no
    elements, as Ultralytics takes them. Polygons become the boxes around them.

    Args:
        data: the YAML, or its folder.
        folder: of the new set; must be empty or missing.
        control: progress and cancelling.

    Raises:
        BadInputError: the YAML, a picture or a label cannot be used; it names the file and the line. Ultralytics itself
            would leave out the whole picture of a wrong label with a line in its log.
    """
    control = control or JobControl()
    path = data / DATA if data.is_dir() else data
    settings, names, context = object_in(read_yaml(path)), class_names(path), DecodeContext(path=path)
    empty_folder(folder)
    origin, done = LabelledScreenSet(folder), ConversionResult(folder)
    for side in SPLITS:
        for picture in _pictures(settings, side, path):
            control.step(done.screens, 0, f"Reading {picture.name}")
            image = read_picture(picture)
            size = Size(image.shape[1], image.shape[0])
            labels = _label_path(picture)
            if not labels.exists():
                done.left_out["pictures without a label file: taken as empty"] += 1
            boxes = decode_labels(labels, names, context) if labels.exists() else []
            elements = [GroundTruth(type=one.fields["type"], box=one.box(size)) for one in boxes if one.box(size).area]
            done.left_out["boxes smaller than a pixel"] += len(boxes) - len(elements)
            foreign = [one.fields["subtype"] for one in boxes if "subtype" in one.fields]
            done.left_out.update(f"class “{name}” is no element type of ours and became “other”" for name in foreign)
            place = split_stem(picture.stem)
            screen = LabelledScreen(
                **place, side=side, seed=0, width=size.width, height=size.height, elements=tuple(elements)
            )
            origin.put(screen, image)
            done.screens += 1
            done.elements += len(elements)
    if not done.screens:
        raise BadInputError(
            f"{path} names no pictures that are there.", hint="Its train, val and test must be folders."
        )
    done.left_out.update({lost.why: lost.count for lost in context.lost.items() if lost.code == "shape"})
    done.left_out += Counter()  # without what never happened
    return done


def _pictures(settings: Mapping[str, Any], side: Split, path: Path) -> Iterator[Path]:
    given: object = settings.get(side)
    root = path.parent / str(settings.get("path") or "")
    for place in as_list(given) or ([given] if given else []):
        found = root / str(place)
        if found.is_dir():
            yield from (one for one in regular_files(found) if one.suffix.lower() in IMAGE_SUFFIXES)
        elif found.suffix == ".txt" and found.is_file():
            yield from (found.parent / line.strip() for line in read_text(found).split("\n") if line.strip())
        else:
            raise BadInputError(f"{path}: {side}: there is no {found}.", hint="Name a folder of pictures, or a list.")


def _label_path(picture: Path) -> Path:
    """The last folder called ``images`` is exchanged for ``labels``."""
    parts = list(picture.parts)
    places = [i for i, part in enumerate(parts) if part == "images"]
    if places:
        parts[places[-1]] = "labels"
    return Path(*parts).with_suffix(".txt")


def empty_folder(folder: Path) -> None:
    """Make a folder to write into.

    Raises:
        BadInputError: something is there already.
    """
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise BadInputError(f"{folder} is there already; nothing was written.", hint="Choose an empty folder.")
    folder.mkdir(parents=True, exist_ok=True)


def split_stem(stem: str) -> dict[str, Any]:
    """Fields ``source``, ``group`` and ``name`` of a screen, from the name of its file.

    A foreign file gets the source ``library`` and a clean name.
    """
    source, _, rest = stem.partition("@")
    group, _, name = rest.partition("@")
    known = source in get_args(SourceName)
    if known and re.fullmatch(r"[A-Za-z0-9_.-]+", group) and re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return {"source": source, "group": group, "name": name}
    clean = re.sub(r"[^A-Za-z0-9_-]+", "_", stem)
    if clean != stem:
        clean = f"{clean}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"
    return {"source": "library", "group": _IMPORTED, "name": clean}
