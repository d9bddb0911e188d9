"""The form that Ultralytics trains from: ``data.yaml``, ``images/SIDE``, ``labels/SIDE``.

Labels are ``class cx cy w h`` in fractions of the picture. The YAML has no ``path``: Ultralytics takes that relative to
the directory it was started in, and without it the folder of the YAML, so the data can be moved.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from demopack.atomic import disk_errors, write_text_atomic
from demopack.codecs.boxes.yolo import encode_label
from demopack.domain.geometry import Size
from demopack.errors import BadInputError
from demopack.jobs import JobControl
from lab.formats.forms import file_stem, walk
from models.training.labelled_screens import LabelledScreen, Split
from models.training.ultralytics_data import DATA, SPLITS, ConversionResult, empty_folder
from models.vision.detector import AGNOSTIC, CLASSES

_LEAST_SIDE = 10
"""Pixels; Ultralytics refuses smaller pictures, and says so only in its log."""


def write_ultralytics(
    sets: Sequence[Path],
    folder: Path,
    *,
    sides: Sequence[Split] = SPLITS,
    agnostic: bool = False,
    control: JobControl | None = None,
) -> ConversionResult:
    """Write sets for Ultralytics; boxes and types only, because the form has no place for the rest.

    Args:
        sets: folders of screens with truth.
        folder: must be empty or missing.
        sides: which screens.
        agnostic: one class, ``element``, for everything.
        control: progress and cancelling.

    Raises:
        BadInputError: a set cannot be used, or the folder is not empty.
        CancelledError: the folder is unfinished; it has no ``data.yaml``.
        DiskFullError: as for cancelling.
    """
    control = control or JobControl()
    empty_folder(folder)
    names = list(AGNOSTIC if agnostic else CLASSES)
    for side in SPLITS:
        for kind in ("images", "labels"):
            (folder / kind / side).mkdir(parents=True, exist_ok=True)
    done = ConversionResult(folder)
    for origin, screen in walk(sets, sides):
        control.step(done.screens, 0, f"Writing {screen.group}")
        if min(screen.width, screen.height) < _LEAST_SIDE:
            done.left_out[f"screens smaller than {_LEAST_SIDE} pixels"] += 1
            continue
        lines = _labels(screen, names, done, agnostic=agnostic)
        stem = file_stem(screen)
        picture = folder / "images" / screen.side / f"{stem}.png"
        if picture.exists():
            raise BadInputError(f"The screen {stem} is in several of the sets.", hint="Name each set once.")
        with disk_errors(folder):
            picture.write_bytes(origin.picture(screen))
            # Also for a screen without elements: a missing file and an empty one mean the same, but this one is meant.
            (folder / "labels" / screen.side / f"{stem}.txt").write_text("".join(lines), encoding="utf-8")
        done.screens += 1
        done.elements += len(lines)
    write_text_atomic(folder / DATA, _yaml(names))
    return done


def _labels(screen: LabelledScreen, names: Sequence[str], done: ConversionResult, *, agnostic: bool) -> list[str]:
    size = Size(screen.width, screen.height)
    lines: dict[str, None] = {}
    for truth in screen.elements:
        name = names[0] if agnostic else truth.type
        if name not in names:
            done.left_out[f"{truth.type}: no class"] += 1
            continue
        line = encode_label(names.index(name), truth.box, size, digits=8)
        if line in lines:
            done.left_out["the same class and box twice"] += 1
        lines[line] = None
        for what in ("text", "states", "subtype"):
            if getattr(truth, what):
                done.left_out[f"{what}: no place in this form"] += 1
    return list(lines)


def _yaml(names: Sequence[str]) -> str:
    lines = ['# Screens with their elements; no "path", so that the folder can be moved.']
    lines += [f"{side}: images/{side}" for side in SPLITS]
    # As JSON strings: YAML reads a bare "no" or "on" as a truth value.
    lines += ["names:", *(f"  {number}: {json.dumps(name)}" for number, name in enumerate(names))]
    return "\n".join(lines) + "\n"
