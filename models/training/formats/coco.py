"""COCO's form: ``annotations/instances_SIDE.json`` and ``images/SIDE``. Everything that the truth says is kept.

What COCO has no field for lies under ``attributes`` of an annotation and under ``screen`` of an image; other programs
pass it over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.domain.elements import ELEMENT_TYPES
from demopack.domain.geometry import Rect, Size, from_coco, to_coco
from demopack.errors import BadInputError, DemopackError
from demopack.jobs import JobControl, Progress
from models.training.formats.forms import (
    SIDES,
    Converted,
    as_dict,
    as_list,
    empty_folder,
    file_stem,
    named_type,
    read_picture,
    read_text,
    split_stem,
    walk,
)
from models.training.screens.screen import Screen, ScreenSet, Side, Truth

__all__ = ["read_coco", "write_coco"]

_NUMBER = {name: number for number, name in enumerate(ELEMENT_TYPES, start=1)}
_ATTRIBUTES = ("text", "subtype", "states", "leaf")


def write_coco(
    sets: Sequence[Path], folder: Path, *, sides: Sequence[Side] = SIDES, control: JobControl | None = None
) -> Converted:
    """Write sets in COCO's form, one JSON for each side that has screens.

    Args:
        sets: folders of screens with truth.
        folder: must be empty or missing.
        sides: which screens.
        control: progress and cancelling.

    Raises:
        BadInputError: a set cannot be used, or the folder is not empty.
        CancelledError: the folder is unfinished; it has no annotations.
        DiskFullError: as for cancelling.
    """
    control = control or JobControl()
    empty_folder(folder)
    done = Converted(folder)
    tables: dict[Side, dict[str, list[dict[str, Any]]]] = {}
    for origin, screen in walk(sets, sides):
        control.token.check()
        control.report(Progress(done=done.screens, total=0, text=f"Writing {screen.group}"))
        table = tables.setdefault(screen.side, {"images": [], "annotations": []})
        stem = file_stem(screen)
        picture = folder / "images" / screen.side / f"{stem}.png"
        if picture.exists():
            raise BadInputError(f"The screen {stem} is in several of the sets.", hint="Name each set once.")
        with disk_errors(folder):
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(origin.picture(screen))
        number = len(table["images"]) + 1
        table["images"].append(_image(screen, number, f"{stem}.png"))
        for truth in screen.elements:
            table["annotations"].append(_annotation(truth, len(table["annotations"]) + 1, number))
        done.screens += 1
        done.elements += len(screen.elements)
    categories = [{"id": number, "name": name, "supercategory": "element"} for name, number in _NUMBER.items()]
    for side, table in tables.items():
        path = folder / "annotations" / f"instances_{side}.json"
        write_text_atomic(path, json.dumps({**table, "categories": categories}, ensure_ascii=False) + "\n")
    return done


def _image(screen: Screen, number: int, name: str) -> dict[str, Any]:
    rest = {"seed": screen.seed, "variant": screen.variant}
    return {"id": number, "file_name": name, "width": screen.width, "height": screen.height, "screen": rest}


def _annotation(truth: Truth, number: int, image: int) -> dict[str, Any]:
    data = truth.model_dump(mode="json")
    return {
        "id": number,
        "image_id": image,
        "category_id": _NUMBER[truth.type],
        "bbox": list(to_coco(truth.box)),
        "area": truth.box.area,
        "iscrowd": 0,
        "segmentation": [],
        "attributes": {name: data[name] for name in _ATTRIBUTES if data[name] not in (None, {})},
    }


def read_coco(
    annotations: Path, pictures: Path, folder: Path, *, side: Side, control: JobControl | None = None
) -> Converted:
    """Make a set of COCO data.

    Crowds are left out. Boxes are cut at the picture's edge.

    Args:
        annotations: the JSON.
        pictures: the folder that its file names are relative to.
        folder: of the set; several sides may be read into one.
        side: what the screens may be used for.
        control: progress and cancelling.

    Raises:
        BadInputError: the JSON or a picture cannot be used; it names the file and the entry.
    """
    control = control or JobControl()
    data = _read(annotations)
    classes = {row.get("id"): str(row.get("name")) for row in _rows(data, "categories", annotations)}
    boxes: dict[Any, list[Mapping[str, Any]]] = {}
    for row in _rows(data, "annotations", annotations):
        boxes.setdefault(row.get("image_id"), []).append(row)
    origin, done = ScreenSet(folder), Converted(folder)
    for row in _rows(data, "images", annotations):
        control.token.check()
        control.report(Progress(done=done.screens, total=0, text="Reading pictures"))
        name = Path(str(row.get("file_name")))
        image = read_picture(pictures / name)
        size = Size(image.shape[1], image.shape[0])
        placed = [_truth(one, classes, size, done, annotations) for one in boxes.get(row.get("id"), ())]
        elements = tuple(truth for truth in placed if truth is not None)
        screen = _screen(name.with_suffix("").as_posix().replace("/", "_"), row, side, size, elements)
        if origin.has(screen.group, screen.name):
            raise BadInputError(f"{annotations}: the picture {name} comes twice, or was read before.")
        origin.put(screen, image)
        done.screens += 1
        done.elements += len(elements)
    return done


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data: Any = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{path} cannot be read as JSON.", details=str(error)) from error
    known = as_dict(data)
    if known is None:
        raise BadInputError(f"{path} is no COCO file: it holds no images, annotations and categories.")
    return known


def _rows(data: Mapping[str, Any], name: str, path: Path) -> Sequence[Mapping[str, Any]]:
    given = as_list(data.get(name))
    rows = [row for row in map(as_dict, given or []) if row is not None]
    if given is None or len(rows) < len(given):
        raise BadInputError(f"{path} is no COCO file: {name} must be a list of objects.")
    return rows


def _truth(row: Mapping[str, Any], classes: Mapping[Any, str], size: Size, done: Converted, path: Path) -> Truth | None:
    where = f"{path}: annotation {row.get('id')}"
    if row.get("iscrowd"):
        done.left_out["crowds"] += 1
        return None
    if row.get("category_id") not in classes:
        raise BadInputError(f"{where}: there is no category {row.get('category_id')!r}.")
    try:
        x, y, w, h = (float(value) for value in row["bbox"])
        box: Rect = from_coco((x, y, w, h)).clamped(size)
        if not box.area:
            done.left_out["boxes outside their picture, or smaller than a pixel"] += 1
            return None
        given = as_dict(row.get("attributes")) or {}
        rest = {name: value for name, value in given.items() if name in _ATTRIBUTES}
        kind = named_type(classes[row["category_id"]], done.left_out)
        return Truth.model_validate({"type": kind, "box": box, **rest})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{where}: attributes.{field}: {first['msg']}.") from error
    except (KeyError, TypeError, ValueError, DemopackError) as error:
        raise BadInputError(f"{where}: bbox must be [x, y, width, height] in pixels.", details=str(error)) from error


def _screen(stem: str, row: Mapping[str, Any], side: Side, size: Size, elements: tuple[Truth, ...]) -> Screen:
    named = split_stem(stem)
    ours = as_dict(row.get("screen")) or {}
    seed, variant = ours.get("seed"), as_dict(ours.get("variant")) or {}
    return Screen(
        name=named.name,
        source=named.source,
        group=named.group,
        side=side,
        seed=seed if isinstance(seed, int) else 0,
        variant={str(key): str(value) for key, value in variant.items()},
        width=size.width,
        height=size.height,
        elements=elements,
    )
