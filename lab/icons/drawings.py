"""The pixels of drawings: SVG by a process that has Qt, pictures by Pillow, kept on disk."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from demopack.atomic import disk_errors, write_text_atomic
from demopack.errors import BadInputError, ModelError
from demopack.jobs import JobControl, Progress
from demopack.processes import end_process
from lab.icons.sets import Drawing, drawings_of, own_drawings
from lab.icons.themes import theme_files
from lab.screens.web.packages import Package
from models.vision.icons import Bytes
from models.vision.worker import read_message, write_message

RASTER: Final = 72
"""Pixels of the square that a drawing is kept in; none is shown larger."""
_PIXELS, _INDEX = "drawings.u8", "drawings.json"


@dataclass(frozen=True, slots=True)
class Rasters:
    """Drawings as pixels.

    Attributes:
        key: changes whenever they do.
        pixels: shape (n, 72, 72, 4), uint8, RGBA.
        meanings: of each.
        kinds: the set of each.
        coloured: shape (n,), whether a drawing has colours of its own; the others are a shape alone.
    """

    key: str
    pixels: Bytes
    meanings: tuple[str, ...]
    kinds: tuple[str, ...]
    coloured: npt.NDArray[np.bool_]


def every_drawing(packages: Iterable[Package], *, folder: Path | None = None, local: bool = True) -> list[Drawing]:
    """The drawings of some sets and, where wanted, those of this machine's themes and our own.

    Raises:
        BadInputError: a set cannot be fetched, or is damaged.
    """
    found = [drawing for package in packages for drawing in drawings_of(package, folder=folder)]
    if local:
        found += own_drawings()
        for theme, meaning, path in theme_files():
            plain = path.stem.endswith("-symbolic") or "symbolic" in path.parts
            text = path.read_text(encoding="utf-8", errors="replace") if path.suffix == ".svg" else ""
            found.append(Drawing(kind=theme, name=str(path), meaning=meaning, svg=text, coloured=not plain))
    return found


def open_rasters(drawings: Sequence[Drawing], folder: Path, control: JobControl) -> Rasters:
    """The pixels of some drawings: as they lie in the folder, or drawn now; what shows nothing is left out.

    Raises:
        ModelError: the drawing process cannot be started, or ended.
        CancelledError: stopped by the user; the next call begins again.
        DiskFullError: they could not be kept.
    """
    told = [[one.kind, one.name, one.meaning, one.svg] for one in drawings]
    key = hashlib.sha256(json.dumps([RASTER, told]).encode()).hexdigest()
    kept = _kept(folder, key)
    if kept is None:
        kept = _draw(drawings, folder, control)
        write_text_atomic(folder / _INDEX, json.dumps({"key": key, "kept": kept}))
    chosen = [drawings[number] for number in kept]
    shape = (len(chosen), RASTER, RASTER, 4)
    try:
        pixels = np.fromfile(folder / _PIXELS, dtype=np.uint8).reshape(shape)
    except (OSError, ValueError) as error:
        raise BadInputError(
            f"The drawings in {folder} are damaged.", details=str(error), hint="Delete the folder."
        ) from error
    return Rasters(
        key,
        pixels,
        tuple(one.meaning for one in chosen),
        tuple(one.kind for one in chosen),
        np.array([one.coloured for one in chosen], dtype=np.bool_),
    )


def _kept(folder: Path, key: str) -> list[int] | None:
    """The numbers of the drawings whose pixels lie in a folder; None where they are not there, or of others."""
    try:
        index: Any = json.loads((folder / _INDEX).read_text(encoding="utf-8"))
        return [int(number) for number in index["kept"]] if index["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _draw(drawings: Sequence[Drawing], folder: Path, control: JobControl) -> list[int]:
    """Write the pixels; the numbers of the drawings that show something."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _INDEX).unlink(missing_ok=True)
    kept: list[int] = []
    with disk_errors(folder), (folder / _PIXELS).open("wb") as file, _Renderer() as renderer:
        for number, drawing in enumerate(drawings):
            control.token.check()
            pixels = renderer.draw(drawing.svg) if drawing.svg else _picture(Path(drawing.name))
            if len(pixels) == RASTER * RASTER * 4:
                file.write(pixels)
                kept.append(number)
            control.report(Progress(done=number + 1, total=len(drawings), text="Drawing icons"))
    return kept


def _picture(path: Path) -> bytes:
    """A picture file in the middle of a square, as large as it fits; nothing where it cannot be read."""
    try:
        with Image.open(path) as opened:
            picture = opened.convert("RGBA")
    except (OSError, ValueError):
        return b""
    scale = RASTER / max(picture.size)
    small = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
    square = Image.new("RGBA", (RASTER, RASTER))
    square.paste(small, ((RASTER - small.width) // 2, (RASTER - small.height) // 2))
    return square.tobytes()


class _Renderer:
    """The process that draws SVG."""

    def __enter__(self) -> _Renderer:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_LOGGING_RULES": "*=false"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lab.screens.qt.drawing.rasters"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        return self

    def __exit__(self, *_: object) -> None:
        end_process(self._process)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def draw(self, svg: str) -> bytes:
        """RGBA pixels; nothing where it is no picture."""
        orders, answers = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)
        try:
            write_message(orders, {"svg": svg, "side": RASTER})
            reply = read_message(answers)
        except OSError:
            reply = None
        if reply is None:
            raise ModelError("The process that draws icons ended.", hint="Is PySide6 whole? `demopack doctor` says.")
        return reply[1]
