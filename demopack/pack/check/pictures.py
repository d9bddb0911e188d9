"""Rules about pictures: each is read once, by a few threads, and what is found is a pure function of its bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.pack.findings import Finding
from demopack.pack.names import is_safe
from demopack.pack.picture import PNG_MAGIC, decode, only_pixels, pixels_of
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource

__all__ = ["Box", "FactStore", "Facts", "Picture", "check_picture", "each", "facts_of"]

Box = tuple[int, int, int, int]

_LARGEST_PNG: Final = 10_000_000
_MOST_READ: Final = 64 << 20
_THREADS = max(1, min(4, os.cpu_count() or 1))
_AHEAD = 2 * _THREADS
_LARGE = 9_000_000
"""Pixels; of pictures that have more only one is unpacked at a time, whoever made them."""
_ONE_LARGE = threading.Lock()
_FLAT = 3.0
"""Largest difference of a channel that still counts as one colour."""


@dataclass(slots=True)
class Picture:
    """A picture as the tables describe it.

    Attributes:
        file: path inside the pack.
        id: SHA-256 over size and pixels; empty where the tables do not use the picture.
        size: width and height.
        named_in: file and line that name it first.
        boxes: targets of actions on it, in pixels, and the line of ``steps.jsonl`` that each comes from.
    """

    file: str
    id: str
    size: tuple[int, int]
    named_in: tuple[str, int]
    boxes: dict[Box, int] = field(default_factory=dict[Box, int])


class Facts(Record):
    """What was found in the bytes of one picture.

    Attributes:
        sha256: of the file, hex.
        size: bytes.
        png: whether it begins as a PNG does.
        problem: why it cannot be decoded; empty where it can, or where nobody tried.
        mode: Pillow's name of the colour mode.
        width: pixels.
        height: as ``width``.
        id: what a frame with these pixels is called.
        clean: whether it carries nothing but pixels.
        flat: of the boxes that were asked about, those that show one colour.
    """

    sha256: str
    size: int
    png: bool
    problem: str = ""
    mode: str = ""
    width: int = 0
    height: int = 0
    id: str = ""
    clean: bool = True
    flat: tuple[Box, ...] = ()


class FactStore(Protocol):
    """Remembers facts from check to check."""

    def known(self, picture: Picture) -> Facts | None:
        """What is known about a picture that did not change; None where it has to be read."""
        ...

    def keep(self, picture: Picture, facts: Facts) -> None:
        """Remember what was found."""
        ...


def each(
    pictures: Iterable[Picture], source: PackSource, limits: dict[str, int], store: FactStore | None
) -> Iterator[tuple[Picture, Facts | str]]:
    """Every picture with its facts, in order, or why it cannot be read.

    At most a dozen pictures are in memory, however many there are.
    """
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures") as pool:
        waiting: deque[tuple[Picture, Future[Facts | str] | Facts]] = deque()
        try:
            for picture in pictures:
                known = None if store is None else store.known(picture)
                limit = limits.get(picture.file, 1 << 30)
                waiting.append((picture, known or pool.submit(_read, source, picture, limit)))
                if len(waiting) > _AHEAD:
                    yield _done(waiting.popleft(), store)
            while waiting:
                yield _done(waiting.popleft(), store)
        finally:
            for _, job in waiting:
                if isinstance(job, Future):
                    job.cancel()


def _done(one: tuple[Picture, Future[Facts | str] | Facts], store: FactStore | None) -> tuple[Picture, Facts | str]:
    picture, job = one
    if not isinstance(job, Future):
        return picture, job
    facts = job.result()
    if isinstance(facts, Facts) and store is not None:
        store.keep(picture, facts)
    return picture, facts


def _read(source: PackSource, picture: Picture, limit: int) -> Facts | str:
    try:
        size = source.size(picture.file) or 0
        if size > _MOST_READ:
            return f"It has {size / 1e6:.0f} MB and was not read."
        data = source.read(picture.file, limit=limit)
    except PackError as error:
        return str(error)
    return facts_of(data, boxes=tuple(picture.boxes), wanted=bool(picture.id))


def facts_of(data: bytes, *, boxes: Iterable[Box] = (), wanted: bool = True) -> Facts:
    """What can be said about the bytes of a picture.

    Args:
        data: the whole file.
        boxes: the places to look at.
        wanted: whether its pixels matter; otherwise it is not decoded.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    if not data.startswith(PNG_MAGIC):
        return Facts(sha256=sha256, size=len(data), png=False)
    base = Facts(sha256=sha256, size=len(data), png=True, clean=only_pixels(data))
    if not wanted or len(data) > _LARGEST_PNG:
        return base
    with _ONE_LARGE if pixels_of(data) > _LARGE else contextlib.nullcontext():
        return _looked_at(base, data, boxes)


def _looked_at(base: Facts, data: bytes, boxes: Iterable[Box]) -> Facts:
    try:
        found = decode(data)
    except ValueError as error:
        return base.model_copy(update={"problem": str(error)})
    height, width = found.image.shape[:2]
    flat = tuple(box for box in boxes if _is_flat(found.image, box))
    update = {"mode": found.mode, "width": width, "height": height, "id": found.id, "flat": flat}
    return base.model_copy(update=update)


def _is_flat(image: RgbImage, box: Box) -> bool:
    x1, y1, x2, y2 = box
    part = image[max(0, y1) : y2, max(0, x1) : x2]
    if part.shape[0] * part.shape[1] < 16:
        return False  # too small to show anything
    return bool(np.ptp(part.reshape(-1, 3), axis=0).max() <= _FLAT)


def check_picture(source: PackSource, picture: Picture, facts: Facts | str) -> Iterator[Finding]:
    """One picture is there, is a PNG of nothing but pixels, and has the size and the id that the tables say."""
    file, line = picture.named_in
    if not is_safe(picture.file):
        yield RULES["P01"].broken(file, line, f"The path {picture.file!r} leaves the pack.")
    elif source.size(picture.file) is None:
        yield RULES["I01"].broken(file, line, f"The picture {picture.file} is missing.")
    elif isinstance(facts, str):
        return  # reported with the sums
    elif not facts.png or not picture.file.endswith(".png"):
        yield RULES["I04"].broken(picture.file, None, "It is not a PNG.")
    elif facts.size > _LARGEST_PNG:
        yield RULES["I04"].broken(picture.file, None, f"It has {facts.size} bytes.")
    elif facts.problem:
        yield RULES["I01"].broken(picture.file, None, f"It cannot be decoded: {facts.problem}.")
    else:
        yield from _check_pixels(picture, facts)


def _check_pixels(picture: Picture, facts: Facts) -> Iterator[Finding]:
    file, line = picture.named_in
    if not facts.clean:
        yield RULES["P04"].broken(picture.file, None, "It carries more than pixels.")
    if not picture.id:
        return
    if facts.mode not in {"RGB", "RGBA"}:
        yield RULES["I01"].broken(picture.file, None, f"Its colour mode is {facts.mode}, not RGB.")
    elif (facts.width, facts.height) != picture.size:
        said = f"{picture.size[0]} x {picture.size[1]}"
        yield RULES["G02"].broken(file, line, f"{picture.file} is {facts.width} x {facts.height} pixels, not {said}.")
    elif facts.id != picture.id:
        yield RULES["I02"].broken(picture.file, None, "Its pixels are not those of its id.")
    else:
        for box in facts.flat:
            number = picture.boxes.get(box)
            if number is not None:
                message = f"The target's box {list(box)} shows one colour on {picture.file}."
                yield RULES["G08"].broken("steps.jsonl", number, message)
