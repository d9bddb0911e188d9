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
from demopack.codecs.boxes.coco import CATEGORIES, encode_annotation, encode_image
from demopack.codecs.boxes.input_files import list_of_objects, read_json
from demopack.domain.geometry import Rect, Size
from demopack.errors import BadInputError, DemopackError
from demopack.jobs import JobControl
from demopack.json_text import object_in
from lab.formats.forms import file_stem, walk
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet, Split, read_picture
from models.training.ultralytics_data import SPLITS, ConversionResult, empty_folder, split_stem
from models.vision.detector import type_of

_ATTRIBUTES = ("text", "subtype", "states", "leaf")


def write_coco(
    sets: Sequence[Path], folder: Path, *, sides: Sequence[Split] = SPLITS, control: JobControl | None = None
) -> ConversionResult:
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
    done = ConversionResult(folder)
    tables: dict[Split, dict[str, list[dict[str, Any]]]] = {}
    for origin, screen in walk(sets, sides):
        control.step(done.screens, 0, f"Writing {screen.group}")
        table = tables.setdefault(screen.side, {"images": [], "annotations": []})
        stem = file_stem(screen)
        picture = folder / "images" / screen.side / f"{stem}.png"
        if picture.exists():
            raise BadInputError(f"The screen {stem} is in several of the sets.", hint="Name each set once.")
        with disk_errors(folder):
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(origin.picture(screen))
        number = len(table["images"]) + 1
        own = {"seed": screen.seed, "variant": screen.variant}
        table["images"].append(encode_image(number, f"{stem}.png", Size(screen.width, screen.height), screen=own))
        for truth in screen.elements:
            row = encode_annotation(truth, len(table["annotations"]) + 1, number, _attributes(truth))
            table["annotations"].append(row)
        done.screens += 1
        done.elements += len(screen.elements)
    for side, table in tables.items():
        path = folder / "annotations" / f"instances_{side}.json"
        write_text_atomic(path, json.dumps({**table, "categories": CATEGORIES}, ensure_ascii=False) + "\n")
    return done


def _attributes(truth: GroundTruth) -> dict[str, Any]:
    data = truth.model_dump(mode="json")
    return {name: data[name] for name in _ATTRIBUTES if data[name] not in (None, {})}


def read_coco(
    annotations: Path, pictures: Path, folder: Path, *, side: Split, control: JobControl | None = None
) -> ConversionResult:
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
    data = object_in(read_json(annotations))

    def rows(name: str) -> Sequence[Mapping[str, Any]]:
        return list_of_objects(data.get(name), annotations, name)

    classes = {row.get("id"): str(row.get("name")) for row in rows("categories")}
    boxes: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows("annotations"):
        boxes.setdefault(row.get("image_id"), []).append(row)
    origin, done = LabelledScreenSet(folder), ConversionResult(folder)
    for row in rows("images"):
        control.step(done.screens, 0, "Reading pictures")
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


def _truth(
    row: Mapping[str, Any], classes: Mapping[Any, str], size: Size, done: ConversionResult, path: Path
) -> GroundTruth | None:
    where = f"{path}: annotation {row.get('id')}"
    if row.get("iscrowd"):
        done.left_out["crowds"] += 1
        return None
    if row.get("category_id") not in classes:
        raise BadInputError(f"{where}: there is no category {row.get('category_id')!r}.")
    try:
        x, y, w, h = (float(value) for value in row["bbox"])
        box = Rect(round(x), round(y), round(x + w), round(y + h)).clamped(size)
        if not box.area:
            done.left_out["boxes outside their picture, or smaller than a pixel"] += 1
            return None
        given = object_in(row.get("attributes"))
        rest = {name: value for name, value in given.items() if name in _ATTRIBUTES}
        name = classes[row["category_id"]]
        kind = type_of(name)
        if kind == "other" != name:
            done.left_out[f"class “{name}” is no element type of ours and became “other”"] += 1
        return GroundTruth.model_validate({"type": kind, "box": box, **rest})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{where}: attributes.{field}: {first['msg']}.") from error
    except (KeyError, TypeError, ValueError, DemopackError) as error:
        raise BadInputError(f"{where}: bbox must be [x, y, width, height] in pixels.", details=str(error)) from error


def _screen(
    stem: str, row: Mapping[str, Any], side: Split, size: Size, elements: tuple[GroundTruth, ...]
) -> LabelledScreen:
    ours = object_in(row.get("screen"))
    seed = ours.get("seed")
    return LabelledScreen(
        **split_stem(stem),
        side=side,
        width=size.width,
        height=size.height,
        elements=elements,
        seed=seed if isinstance(seed, int) else 0,
        variant={str(key): str(value) for key, value in object_in(ours.get("variant")).items()},
    )
