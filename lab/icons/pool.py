"""The icons of a training: cut out of screens once, drawn from sets once, kept on disk as bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import numpy as np
import numpy.typing as npt

from demopack.atomic import disk_errors, write_text_atomic
from demopack.errors import BadInputError
from demopack.jobs import JobControl, Progress
from lab.icons.meanings import MEANINGS, NOTHING
from models.registry import Lineage
from models.training.labelled_screens import LabelledScreen, LabelledScreenSet, Split, lineage_of
from models.vision.icons import SIDE, Bytes, cut_icons

CLASSES: Final = (*MEANINGS, NOTHING)
"""What the network tells apart, in the order of its outputs."""
WIDER: Final = 1.5
"""How much more than the network sees is kept, so that boxes can be moved."""
_FULL = round(SIDE * WIDER)
_PIXELS, _INDEX = "icons.u8", "icons.json"
_SMALLEST, _LARGEST = 6, 96
"""Sides of boxes that are taken for icons, pixels."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Icons with what they mean.

    Attributes:
        pixels: shape (n, 60, 60, 3), uint8, on disk.
        meanings: shape (n,), numbers in :data:`CLASSES`.
        kinds: shape (n,), numbers in ``names``: the source of the screen, or the set of the drawing.
        names: of the kinds.
        validation: shape (n,), whether an icon is for measuring alone.
        lineage: the screens they come from.
    """

    pixels: Bytes
    meanings: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]
    names: tuple[str, ...]
    validation: npt.NDArray[np.bool_]
    lineage: tuple[Lineage, ...] = ()

    def __len__(self) -> int:
        return len(self.meanings)


@dataclass
class _Index:
    meanings: list[int]
    kinds: list[str]
    validation: list[bool]


def open_crops(
    sets: Sequence[Path], folder: Path, control: JobControl, *, sides: Sequence[Split] = ("train", "val")
) -> Pool:
    """The icons of all screens of some sides, as they lie in the folder, or cut out now.

    Raises:
        BadInputError: the sets hold no icons to learn from, or a screen is damaged.
        CancelledError: stopped by the user; the next call begins again.
        DiskFullError: they could not be kept.
    """
    screens = [(place, screen) for place in sorted(sets) for screen in LabelledScreenSet(place).screens(sides=sides)]
    lineage = lineage_of((screen, len(screen.elements)) for _, screen in screens)
    key = hashlib.sha256(json.dumps([[*CLASSES], [one.to_json() for one in lineage]]).encode()).hexdigest()
    if not has_pool(folder, key):
        _cut_out(screens, folder, key, control)
    pool = open_pool(folder, lineage=lineage)
    if not len(pool) or (pool.validation.all() and "train" in sides):
        raise BadInputError(
            "There are no icons to learn from: " + (", ".join(map(str, sets)) or "no folder was given") + ".",
            hint="Draw screens first, or give the folders that hold them.",
        )
    return pool


def has_pool(folder: Path, key: str) -> bool:
    """Whether a folder holds what was made for this key."""
    try:
        data: Any = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and cast("dict[str, Any]", data).get("key") == key


def _cut_out(screens: Sequence[tuple[Path, LabelledScreen]], folder: Path, key: str, control: JobControl) -> None:
    index = _Index([], [], [])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _INDEX).unlink(missing_ok=True)
    with disk_errors(folder), (folder / _PIXELS).open("wb") as file:
        for number, (place, screen) in enumerate(screens):
            control.token.check()
            _cut_screen(place, screen, file, index)
            control.report(Progress(done=number + 1, total=len(screens), text="Cutting out icons"))
    _write_index(folder, key, index)


def _cut_screen(place: Path, screen: LabelledScreen, file: BinaryIO, index: _Index) -> None:
    icons = [
        one
        for one in screen.elements
        if one.type == "icon"
        and _SMALLEST <= max(one.box.width, one.box.height) <= _LARGEST
        and (one.subtype or NOTHING) in CLASSES
    ]
    if not icons:
        return
    image = LabelledScreenSet(place).image(screen)
    file.write(cut_icons(image, [one.box for one in icons], wider=WIDER).tobytes())
    index.meanings += [CLASSES.index(one.subtype or NOTHING) for one in icons]
    index.kinds += [screen.source] * len(icons)
    index.validation += [screen.side == "val"] * len(icons)


def _write_index(folder: Path, key: str, index: _Index) -> None:
    told = {"key": key, "meanings": index.meanings, "kinds": index.kinds, "validation": index.validation}
    write_text_atomic(folder / _INDEX, json.dumps(told))


def write_pool(folder: Path, key: str, squares: Bytes, *, meanings: Sequence[str], kinds: Sequence[str]) -> None:
    """Keep icons that were drawn; all of them are learned from.

    Raises:
        DiskFullError: they are not there then.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _INDEX).unlink(missing_ok=True)
    with disk_errors(folder):
        squares.tofile(folder / _PIXELS)
    numbers = [CLASSES.index(meaning) for meaning in meanings]
    _write_index(folder, key, _Index(numbers, list(kinds), [False] * len(numbers)))


def open_pool(folder: Path, *, lineage: tuple[Lineage, ...] = ()) -> Pool:
    """What lies in a folder.

    Raises:
        BadInputError: it is missing or damaged.
    """
    try:
        index: Any = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
        meanings = np.array(index["meanings"], dtype=np.int64)
        names, kinds = np.unique(np.array(index["kinds"], dtype=np.str_), return_inverse=True)
        validation = np.array(index["validation"], dtype=np.bool_)
        shape = (len(meanings), _FULL, _FULL, 3)
        pixels = (
            np.memmap(folder / _PIXELS, dtype=np.uint8, mode="r", shape=shape)
            if len(meanings)
            else np.empty(shape, dtype=np.uint8)
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f"The icons in {folder} are damaged.", details=str(error), hint="Delete the folder; they are made again."
        ) from error
    return Pool(pixels, meanings, kinds.astype(np.int64), tuple(map(str, names)), validation, lineage)
