"""From data in Ultralytics' form to a set of screens."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Size, from_yolo
from demopack.errors import BadInputError
from demopack.interchange.reading import read_yaml
from demopack.jobs import JobControl, Progress
from demopack.regular_files import regular_files
from models.training.formats.forms import (
    SIDES,
    Converted,
    as_dict,
    as_list,
    empty_folder,
    named_type,
    read_picture,
    read_text,
    split_stem,
)
from models.training.formats.ultralytics_writer import DATA
from models.training.screens.screen import Screen, ScreenSet, Side, Truth

__all__ = ["read_ultralytics"]

_PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})
_SLACK = 0.01
"""How far past the edge a label may lie; Ultralytics drops the whole picture beyond that."""


def read_ultralytics(data: Path, folder: Path, *, control: JobControl | None = None) -> Converted:
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
    settings = _read_yaml(path)
    names = _names(settings, path)
    empty_folder(folder)
    origin, done = ScreenSet(folder), Converted(folder)
    for side in SIDES:
        for picture in _pictures(settings, side, path):
            control.token.check()
            control.report(Progress(done=done.screens, total=0, text=f"Reading {picture.name}"))
            image = read_picture(picture)
            size = Size(image.shape[1], image.shape[0])
            elements = _elements(_label_path(picture), names, size, done)
            origin.put(_screen(picture, image, elements, side), image)
            done.screens += 1
            done.elements += len(elements)
    if not done.screens:
        raise BadInputError(
            f"{path} names no pictures that are there.", hint="Its train, val and test must be folders."
        )
    return done


def _screen(picture: Path, image: RgbImage, elements: Sequence[Truth], side: Side) -> Screen:
    named = split_stem(picture.stem)
    return Screen(
        name=named.name,
        source=named.source,
        group=named.group,
        side=side,
        seed=0,
        width=image.shape[1],
        height=image.shape[0],
        elements=tuple(elements),
    )


def _read_yaml(path: Path) -> Mapping[str, Any]:
    known = as_dict(read_yaml(path))
    if known is None:
        raise BadInputError(
            f"{path} is no description of data: it holds no fields.", hint="It needs train, val and names."
        )
    return known


def _names(settings: Mapping[str, Any], path: Path) -> dict[int, str]:
    given: object = settings.get("names")
    listed = as_list(given)
    pairs = dict(enumerate(listed)) if listed is not None else cast("dict[object, object]", as_dict(given) or {})
    known = {number: str(name) for number, name in pairs.items() if isinstance(number, int)}
    if known and len(known) == len(pairs):
        return known
    raise BadInputError(f"{path}: names: must be a list of classes, or number and class.")


def _pictures(settings: Mapping[str, Any], side: Side, path: Path) -> Iterator[Path]:
    given: object = settings.get(side)
    root = path.parent / str(settings.get("path") or "")
    places = as_list(given) or ([given] if given else [])
    for place in places:
        found = root / str(place)
        if found.is_dir():
            yield from sorted(p for p in regular_files(found) if p.suffix.lower() in _PICTURES)
        elif found.suffix == ".txt" and found.is_file():
            lines = read_text(found).split("\n")
            yield from (found.parent / line.strip() for line in lines if line.strip())
        else:
            raise BadInputError(f"{path}: {side}: there is no {found}.", hint="Name a folder of pictures, or a list.")


def _label_path(picture: Path) -> Path:
    """The last folder called ``images`` is exchanged for ``labels``."""
    parts = list(picture.parts)
    places = [i for i, part in enumerate(parts) if part == "images"]
    if places:
        parts[places[-1]] = "labels"
    return Path(*parts).with_suffix(".txt")


def _elements(path: Path, names: Mapping[int, str], size: Size, done: Converted) -> list[Truth]:
    if not path.exists():
        done.left_out["pictures without a label file: taken as empty"] += 1
        return []
    found: list[Truth] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        name, box = _row(line, names, f"{path}, line {number}")
        rect = from_yolo(box, size)
        if not rect.area:
            done.left_out["boxes smaller than a pixel"] += 1
            continue
        found.append(Truth(type=named_type(name, done.left_out), box=rect))
    return found


def _row(line: str, names: Mapping[int, str], where: str) -> tuple[str, tuple[float, float, float, float]]:
    try:
        numbers = [float(part) for part in line.split()]
    except ValueError as error:
        raise BadInputError(f"{where}: {line.strip()[:60]!r} are no numbers.") from error
    if len(numbers) != 5 and (len(numbers) < 7 or len(numbers) % 2 == 0):
        raise BadInputError(f"{where}: a box has 5 numbers (class cx cy w h), this has {len(numbers)}.")
    if numbers[0] not in names:
        raise BadInputError(f"{where}: there is no class {numbers[0]:g}; names has {len(names)}.")
    values = numbers[1:]
    if not all(math.isfinite(value) and -_SLACK <= value <= 1 + _SLACK for value in values):
        raise BadInputError(
            f"{where}: a value is outside 0..1.", hint="Divide pixels by the picture's width and height."
        )
    if len(values) == 4:
        cx, cy, w, h = values
        return names[int(numbers[0])], (cx, cy, w, h)
    left, top, right, bottom = min(values[::2]), min(values[1::2]), max(values[::2]), max(values[1::2])
    return names[int(numbers[0])], ((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
