"""The form that Pix2Struct is fine-tuned from: one masked view for each element, and the text that it should say.

A Hugging Face image folder: ``SIDE/metadata.jsonl`` with ``file_name`` and ``text``, the views beside it. The whole
screens lie in ``__screens__/SIDE``, which the loader passes over because of its name; with them the set can be made
again. Boxes are integer pixels, half-open: ``box`` on the screen, ``view_box`` on the view.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from pydantic import ValidationError

from demopack.atomic import disk_errors, write_text_atomic
from demopack.codecs.boxes.input_files import read_text
from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from demopack.json_text import object_in
from lab.formats.forms import file_stem, walk
from models.training.labelled_screens import GroundTruth, LabelledScreen, LabelledScreenSet, Split, read_picture
from models.training.ultralytics_data import SPLITS, ConversionResult, empty_folder
from models.vision.description import Description, parse_description, print_description
from models.vision.patches import PATCH, PatchScales, cut, highlight

PATCHES = 96
"""Patches of a view, as our own describer has them; Pix2Struct's own checkpoints take up to 2048."""
_METADATA = "metadata.jsonl"
_SCREENS = "__screens__"


def write_pix2struct(
    sets: Sequence[Path],
    folder: Path,
    *,
    sides: Sequence[Split] = SPLITS,
    patches: int = PATCHES,
    control: JobControl | None = None,
) -> ConversionResult:
    """Write sets for Pix2Struct.

    Args:
        sets: folders of screens with truth.
        folder: must be empty or missing.
        sides: which screens.
        patches: of 16 x 16 pixels in a view.
        control: progress and cancelling.

    Raises:
        BadInputError: a set cannot be used, or the folder is not empty.
        CancelledError: the folder is unfinished; sides without ``metadata.jsonl`` have no data.
        DiskFullError: as for cancelling.
    """
    control = control or JobControl()
    empty_folder(folder)
    done = ConversionResult(folder)
    lines: dict[Split, list[str]] = {}
    screens: dict[Split, list[str]] = {}
    for origin, screen in walk(sets, sides):
        control.step(done.screens, 0, f"Writing {screen.group}")
        picture = folder / _SCREENS / screen.side / f"{file_stem(screen)}.png"
        if picture.exists():
            raise BadInputError(f"The screen {picture.stem} is in several of the sets.", hint="Name each set once.")
        with disk_errors(folder):
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(origin.picture(screen))
            for row, view in _rows(screen, origin.image(screen), patches):
                path = folder / screen.side / f"{len(lines.setdefault(screen.side, [])):07d}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                Image.fromarray(view).save(path, "PNG", compress_level=3)
                lines[screen.side].append(json.dumps({"file_name": path.name, **row}, ensure_ascii=False))
        head = screen.model_dump(mode="json", exclude={"elements"})
        screens.setdefault(screen.side, []).append(json.dumps({"file_name": picture.name, **head}, ensure_ascii=False))
        done.screens += 1
        done.elements += len(screen.elements)
    for side, rows in screens.items():
        # Not called metadata: the loader of image folders takes every file of that name for its own.
        write_text_atomic(folder / _SCREENS / side / "screens.jsonl", "\n".join(rows) + "\n")
    for side, rows in lines.items():
        write_text_atomic(folder / side / _METADATA, "\n".join(rows) + "\n")
    return done


def _rows(screen: LabelledScreen, image: RgbImage, patches: int) -> Iterator[tuple[dict[str, Any], RgbImage]]:
    if not screen.elements:
        return
    cuts = cut(PatchScales(image), [truth.box for truth in screen.elements], patches=patches)
    masked = highlight(cuts)
    for truth, pixels, grid, place in zip(screen.elements, masked, cuts.grids, cuts.boxes, strict=True):
        described = Description(type=truth.type, subtype=truth.subtype, states=truth.states, text=truth.text)
        box = truth.box
        row = {
            "text": print_description(described),
            "screen": file_stem(screen),
            "box": [box.x1, box.y1, box.x2, box.y2],
            "view_box": [int(edge) for edge in place],
            "leaf": truth.leaf,
        }
        view = pixels.reshape(int(grid[1]) * PATCH, int(grid[0]) * PATCH, 3)
        yield row, np.ascontiguousarray(view)


def read_pix2struct(data: Path, folder: Path, *, control: JobControl | None = None) -> ConversionResult:
    """Make a set of data that :func:`write_pix2struct` wrote, its texts perhaps corrected.

    Args:
        data: the folder.
        folder: of the new set; must be empty or missing.
        control: progress and cancelling.

    Raises:
        BadInputError: a file is missing or damaged, or a text cannot be read; it names the file and the line.
    """
    control = control or JobControl()
    found = [side for side in SPLITS if (data / _SCREENS / side / "screens.jsonl").is_file()]
    if not found:
        raise BadInputError(
            f"{data} holds no {_SCREENS}/SIDE/screens.jsonl.",
            hint="Only data with its whole screens can become a set again.",
        )
    empty_folder(folder)
    origin, done = LabelledScreenSet(folder), ConversionResult(folder)
    for side in found:
        elements: dict[str, list[GroundTruth]] = {}
        for where, row in _lines(data / side / _METADATA):
            elements.setdefault(str(row.get("screen")), []).append(_truth(row, where))
        for where, row in _lines(data / _SCREENS / side / "screens.jsonl"):
            control.step(done.screens, 0, "Reading screens")
            name = str(row.get("file_name"))
            screen = _screen(row, tuple(elements.pop(Path(name).stem, ())), where)
            origin.put(screen, read_picture(data / _SCREENS / side / Path(name).name))
            done.screens += 1
            done.elements += len(screen.elements)
        if elements:
            raise BadInputError(f"{data / side / _METADATA}: there is no screen {next(iter(elements))}.")
    return done


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if not path.exists():
        return
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                row = object_in(json.loads(line))
            except (ValueError, RecursionError) as error:
                raise BadInputError(f"{where}: this is no JSON.", details=str(error)) from error
            if not row:
                raise BadInputError(f"{where}: this is no JSON object.")
            yield where, row


def _truth(row: Mapping[str, Any], where: str) -> GroundTruth:
    said = parse_description(str(row.get("text", "")))
    if said is None or said.type is None:
        raise BadInputError(
            f"{where}: text: {str(row.get('text'))[:60]!r} names no element type.",
            hint="A text reads like: button focused=no disabled=no text=OK",
        )
    try:
        return GroundTruth.model_validate(
            {
                "type": said.type,
                "box": row.get("box"),
                "text": said.text,
                "subtype": said.subtype,
                "states": said.states,
                "leaf": row.get("leaf", True),
            }
        )
    except (ValidationError, TypeError, ValueError) as error:
        raise BadInputError(f"{where}: box: must be four integers.", details=str(error)) from error


def _screen(row: Mapping[str, Any], elements: tuple[GroundTruth, ...], where: str) -> LabelledScreen:
    try:
        known = {name: value for name, value in row.items() if name in LabelledScreen.model_fields}
        return LabelledScreen.model_validate({**known, "elements": elements})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise BadInputError(f"{where}: {field}: {first['msg']}.") from error
