"""What every form needs: which screens are written, under which names, and what could not be said in the form."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from PIL import Image

from demopack.domain.elements import ElementType
from demopack.domain.frames import RgbImage
from demopack.errors import BadInputError
from demopack.interchange.reading import read_bytes
from demopack.regular_files import open_regular
from models.training.screens.screen import Screen, ScreenSet, Side, SourceName
from models.vision.classes import type_of

__all__ = [
    "SIDES",
    "Converted",
    "Named",
    "as_dict",
    "as_list",
    "empty_folder",
    "file_stem",
    "named_type",
    "read_picture",
    "read_text",
    "split_stem",
    "walk",
]

SIDES: tuple[Side, ...] = ("train", "val", "test")
_SOURCES: tuple[SourceName, ...] = ("miniwob", "web", "qt", "apps", "library")
_IMPORTED = "imported"
_LARGEST = 512 << 20
"""Bytes of a text: the largest data sets that are known have one of 450 MB."""


@dataclass(slots=True)
class Converted:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Where a picture from elsewhere goes in a set."""

    source: SourceName
    group: str
    name: str


def walk(sets: Sequence[Path], sides: Sequence[Side]) -> Iterator[tuple[ScreenSet, Screen]]:
    """Every screen of some sides.

    Raises:
        BadInputError: a folder is missing, a truth is damaged, or there is no screen at all.
    """
    found = False
    for folder in sets:
        if not folder.is_dir():
            raise BadInputError(f"There is no folder {folder}.", hint="Name a folder of screens with truth.")
        origin = ScreenSet(folder)
        for screen in origin.screens(sides=sides):
            found = True
            yield origin, screen
    if not found:
        raise BadInputError(
            f"There are no screens in {', '.join(str(folder) for folder in sets)}.",
            hint=f"Screens of the sides {', '.join(sides)} were looked for.",
        )


def empty_folder(folder: Path) -> None:
    """Make a folder to write into.

    Raises:
        BadInputError: something is there already.
    """
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise BadInputError(f"{folder} is there already; nothing was written.", hint="Choose an empty folder.")
    folder.mkdir(parents=True, exist_ok=True)


def file_stem(screen: Screen) -> str:
    """A name that is unique over sets and groups, and that :func:`split_stem` takes apart again."""
    return f"{screen.source}@{screen.group}@{screen.name}"


def split_stem(stem: str) -> Named:
    """The source, group and name in a file's name; for a foreign file the source ``library`` and a clean name."""
    source, _, rest = stem.partition("@")
    group, _, name = rest.partition("@")
    known: SourceName | None = next((one for one in _SOURCES if one == source), None)
    if known is not None and re.fullmatch(r"[A-Za-z0-9_.-]+", group) and re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return Named(source=known, group=group, name=name)
    clean = re.sub(r"[^A-Za-z0-9_-]+", "_", stem)
    if clean != stem:
        clean = f"{clean}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"
    return Named(source="library", group=_IMPORTED, name=clean)


def named_type(word: str, left_out: Counter[str]) -> ElementType:
    """The element type of a class of another program; ``other`` for a word that is none, which is counted."""
    known = type_of(word)
    if known == "other" and word != "other":
        left_out[f"class “{word}” is no element type of ours and became “other”"] += 1
    return known


def as_list(value: object) -> list[object] | None:
    """What a file gives as a list; None for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else None


def as_dict(value: object) -> dict[str, Any] | None:
    """What a file gives as an object; None for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def read_text(path: Path) -> str:
    """The content of a file of another program; a byte order mark is passed over.

    Raises:
        BadInputError: it cannot be read, is a FIFO or a device, too large, or no UTF-8.
    """
    try:
        return read_bytes(path, limit=_LARGEST).decode("utf-8-sig")
    except ValueError as error:
        raise BadInputError(f"{path} is no text in UTF-8.", details=str(error)) from error


def read_picture(path: Path) -> RgbImage:
    """The pixels of a picture file of any usual kind, shape (height, width, 3).

    Raises:
        BadInputError: it cannot be read.
    """
    try:
        with open_regular(path) as stream, Image.open(stream) as opened:
            return np.asarray(opened.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise BadInputError(f"The picture {path} cannot be read.", details=str(error)) from error
