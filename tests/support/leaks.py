"""Looks for a secret in a library as somebody would who has stolen the folder: in every byte, and in every picture."""

from __future__ import annotations

import base64
import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import zstandard

from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.steps import Step
from demopack.store import Library

_ZSTD = b"\x28\xb5\x2f\xfd"


def spellings(secret: str) -> dict[str, bytes]:
    """The ways in which a text may lie in a file."""
    plain = secret.encode()
    escaped = json.dumps(secret)[1:-1].encode()
    return {
        "as it is": plain,
        "backwards": secret[::-1].encode(),
        "as UTF-16": secret.encode("utf-16-le"),
        "as UTF-16, big-endian": secret.encode("utf-16-be"),
        "as UTF-32": secret.encode("utf-32-le"),
        "as JSON": escaped,
        "as JSON in JSON": json.dumps(escaped.decode())[1:-1].encode(),
        "as hexadecimal digits": plain.hex().encode(),
        # Where the text begins within a group of three decides how it looks; what lies beside it decides the ends.
        **{f"as base 64, {n}": base64.b64encode(b"\0" * n + plain)[4 if n else 0 : -4] for n in range(3)},
    }


def traces(folder: Path, secret: str) -> list[str]:
    """Where a text can be found in a folder; empty when it is nowhere."""
    return [
        f"{name}: {how}"
        for name, data in _everything(folder)
        for how, form in spellings(secret).items()
        if form and form in data
    ]


def _everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = file.read_bytes()
        yield file.name, data
        yield f"name of {file.name}", file.name.encode()
        yield from _unpacked(file.name, data)
        if data.startswith(b"SQLite format 3\0"):
            yield from _cells(file)


def _cells(file: Path) -> Iterator[tuple[str, bytes]]:
    """Every value of every table: pages may tear a text apart, and values may be compressed."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in db.execute(f'SELECT * FROM "{table}"'):
                for value in row:
                    data = value if isinstance(value, bytes) else str(value).encode()
                    yield f"table {table}", data
                    yield from _unpacked(f"table {table}", data)


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    if data.startswith(_ZSTD):
        try:
            yield f"{name}, unpacked", zstandard.ZstdDecompressor().decompressobj().decompress(data)
        except zstandard.ZstdError:
            return
    elif data.startswith(b"x"):
        with contextlib.suppress(zlib.error):
            yield f"{name}, unpacked", zlib.decompress(data)


def steps_of(folder: Path) -> list[Step]:
    """Every step of every demo, as recorded and as it stands."""
    with Library.open(folder, create=False) as library:
        ids = [row.head.id for row in library.demos()]
        return [step for name in ids for demo in (library.original(name), library.demo(name)) for step in demo.steps]


def recorded(folder: Path) -> list[Step]:
    """The steps of the newest demo, as recorded."""
    with Library.open(folder, create=False) as library:
        return list(library.original(library.find("last")).steps)


def typed_characters(folder: Path) -> set[str]:
    """Every character that any stored key event tells."""
    return {char for step in steps_of(folder) for event in step.events for char in (event.char, event.key) if char}


def pictures(folder: Path) -> list[tuple[Frame, RgbImage]]:
    """Every stored picture with what is known about it, once for each time at which it was seen."""
    found: dict[tuple[str, int], Frame] = {}
    with Library.open(folder, create=False) as library:
        for row in library.demos():
            demo = library.demo(row.head.id)
            frames = [frame for step in demo.steps for frame in (step.before, step.after)]
            frames += [shown.frame for shown in library.timeline(row.head.id)]
            for frame in (*frames, demo.head.final_frame):
                if frame is not None:
                    found[frame.id, frame.grab_ended_ns] = frame
        return [(frame, library.get_image(frame.id)) for frame in found.values()]


def film_times(folder: Path) -> list[int]:
    """When each picture of the newest demo's film could first be seen, monotonic nanoseconds."""
    with Library.open(folder, create=False) as library:
        return [shown.shown_ns for shown in library.timeline(library.find("last"))]


def is_flat(image: RgbImage, box: Rect) -> bool:
    """Whether a part of a picture is one colour."""
    part = image[box.y1 : box.y2, box.x1 : box.x2].reshape(-1, 3)
    return bool(len(part)) and bool((part == part[0]).all())


def shows(image: RgbImage, colour: tuple[int, int, int]) -> bool:
    """Whether any pixel has this colour."""
    return bool(np.all(image == np.array(colour, dtype=np.uint8), axis=2).any())
