"""Rules about pictures: each is read once, by a few threads, and what is found is a pure function of its bytes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from demopack.domain.frames import RgbImage
from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.file_names import is_safe
from demopack.pack.check.elements import is_covered
from demopack.pack.check.lines import CheckedLine
from demopack.pack.picture import PNG_MAGIC, decode, only_pixels, pixels_of
from demopack.pack.rules import RULES, Finding
from demopack.pack.source import PackSource

if TYPE_CHECKING:
    from demopack.pack.check.cache import PackMemory

Box = tuple[int, int, int, int]

_MAX_PNG_BYTES: Final = 10_000_000
MAX_PICTURE_BYTES: Final = 64 << 20
"""Bytes of a picture that are read at most."""
_THREADS = max(1, min(4, os.cpu_count() or 1))
_MAX_WAITING = 2 * _THREADS
_LARGE_PICTURE_PX = 9_000_000
"""Pixels; of pictures that have more only one is unpacked at a time, whoever made them."""
_LARGE_PICTURE_LOCK = threading.Lock()
_SAME_COLOUR_DIFFERENCE = 3.0
"""Largest difference of a channel that still counts as one colour."""


@dataclass(slots=True)
class PictureReference:
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


class PictureFacts(Record):
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


def each(
    pictures: Iterable[PictureReference], source: PackSource, limits: dict[str, int], memory: PackMemory
) -> Iterator[tuple[PictureReference, PictureFacts | str]]:
    """Every picture with its facts, in order, or why it cannot be read.

    At most a dozen pictures are in memory, however many there are.
    """
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="pictures") as pool:
        waiting: deque[tuple[PictureReference, Future[PictureFacts | str] | PictureFacts]] = deque()
        try:
            for picture in pictures:
                known = memory.known(picture)
                limit = limits.get(picture.file, 1 << 30)
                waiting.append((picture, known or pool.submit(_read, source, picture, limit, memory)))
                if len(waiting) > _MAX_WAITING:
                    first, job = waiting.popleft()
                    yield first, job.result() if isinstance(job, Future) else job
            for last, job in waiting:
                yield last, job.result() if isinstance(job, Future) else job
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _read(source: PackSource, picture: PictureReference, limit: int, memory: PackMemory) -> PictureFacts | str:
    try:
        size = source.size(picture.file) or 0
        if size > MAX_PICTURE_BYTES:
            return f"It has {size / 1e6:.0f} MB and was not read."
        data = source.read(picture.file, limit=limit)
    except PackError as error:
        return str(error)
    facts = _facts_of(data, boxes=tuple(picture.boxes), wanted=bool(picture.id))
    memory.keep(picture, facts)
    return facts


def _facts_of(data: bytes, *, boxes: Iterable[Box], wanted: bool) -> PictureFacts:
    """What can be said about the bytes of a picture; unless its pixels are ``wanted``, it is not decoded."""
    sha256 = hashlib.sha256(data).hexdigest()
    if not data.startswith(PNG_MAGIC):
        return PictureFacts(sha256=sha256, size=len(data), png=False)
    base = PictureFacts(sha256=sha256, size=len(data), png=True, clean=only_pixels(data))
    if not wanted or len(data) > _MAX_PNG_BYTES:
        return base
    with _LARGE_PICTURE_LOCK if pixels_of(data) > _LARGE_PICTURE_PX else contextlib.nullcontext():
        try:
            found = decode(data)
        except ValueError as error:
            return base.but(problem=str(error))
        height, width = found.image.shape[:2]
        flat = tuple(box for box in boxes if _is_flat(found.image, box))
        return base.but(mode=found.mode, width=width, height=height, id=found.id, flat=flat)


def _is_flat(image: RgbImage, box: Box) -> bool:
    x1, y1, x2, y2 = box
    part = image[max(0, y1) : y2, max(0, x1) : x2]
    if part.shape[0] * part.shape[1] < 16:
        return False  # too small to show anything
    return bool(np.ptp(part.reshape(-1, 3), axis=0).max() <= _SAME_COLOUR_DIFFERENCE)


def check_picture(source: PackSource, picture: PictureReference, facts: PictureFacts | str) -> Iterator[Finding]:
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
    elif facts.size > _MAX_PNG_BYTES:
        yield RULES["I04"].broken(picture.file, None, f"It has {facts.size} bytes.")
    elif facts.problem:
        yield RULES["I01"].broken(picture.file, None, f"It cannot be decoded: {facts.problem}.")
    else:
        yield from _check_pixels(picture, facts)


def _check_pixels(picture: PictureReference, facts: PictureFacts) -> Iterator[Finding]:
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


class PictureReferences:
    """The pictures of a pack, in the order in which they are named.

    Attributes:
        pictures: path -> what the tables say about it first.
    """

    def __init__(self) -> None:
        self.pictures: dict[str, PictureReference] = {}
        self._new: list[PictureReference] = []

    def taken(self) -> list[PictureReference]:
        """The pictures that were named since this was asked last."""
        new, self._new = self._new, []
        return new

    def demo(self, line: CheckedLine) -> Iterator[Finding]:
        """The pictures of a demo; Z01 where it has one of them twice."""
        ids: dict[str, str] = {}
        for frame in line.data["frames"]:
            yield from self._frame(frame, line)
            first = ids.setdefault(frame["id"], frame["file"])
            if first != frame["file"]:
                yield line.broken("Z01", f"{frame['file']} is the same picture as {first}.")
        yield from self._frame(line.data["final_frame"], line)

    def step(self, line: CheckedLine) -> Iterator[Finding]:
        """The pictures of a step, and the place on them that it acted on."""
        row = line.data
        for frame in (row["before"], row["after"]):
            yield from self._frame(frame, line)
        missing = {value is None for value in (row["before"], row["image"], row["image_size"])}
        if len(missing) > 1:
            yield line.broken("I01", "Of before, image and image_size some are null and some are not.")
        if True in missing:
            return
        yield from self._add(row["image"], row["before"]["id"], row["image_size"], line)
        if row["target_uid"] is not None and row["pointer"] is not None and row["target_box"] is not None:
            if is_covered(row["target_box"], row["before"]):
                return  # it is one colour, and should be
            x1, y1, x2, y2 = row["target_box"]
            self.pictures[row["image"]].boxes.setdefault((x1, y1, x2, y2), line.number)

    def element(self, line: CheckedLine) -> Iterator[Finding]:
        """The picture of an element."""
        yield from self._add(line.data["image"], line.data["frame"], line.data["image_size"], line)

    def _frame(self, frame: dict[str, Any] | None, line: CheckedLine) -> Iterator[Finding]:
        if frame is not None:
            yield from self._add(frame["file"], frame["id"], (frame["width"], frame["height"]), line)

    def _add(self, file: str, key: str, sides: Sequence[int], line: CheckedLine) -> Iterator[Finding]:
        size = (sides[0], sides[1])
        first = self.pictures.get(file)
        if first is None:
            self.pictures[file] = PictureReference(file, key, size, (line.table, line.number))
            self._new.append(self.pictures[file])
        elif first.size != size:
            here, there = (f"{width} x {height}" for width, height in (size, first.size))
            yield line.broken("G02", f"{file} is {here} pixels here and {there} in {first.named_in[0]}.")
        elif first.id != key:
            yield line.broken("I02", f"{file} has two ids.")
