"""Film of an OpenAdapt recording: when each of its pictures was taken, out of the box that its writer appends."""

from __future__ import annotations

import struct
import uuid
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Final

from demopack.codecs.files.json_object import BadRowError
from demopack.json_text import as_list, object_in, parse_json

_OURS: Final = uuid.UUID("d8e90f06-20b4-4e0c-b449-4f70656e4164").bytes
_SCHEMA: Final = "openadapt.capture-video-timing/v1"
_MAX_BOX_BYTES: Final = 16 << 20
_MAX_BOXES: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmTimes:
    """When the pictures of a film were taken.

    Attributes:
        taken: seconds since 1970, in order.
        shown: seconds since the film's begin at which each of them is on, in the same order.
    """

    taken: tuple[float, ...]
    shown: tuple[float, ...]

    def moment(self, seconds: float) -> float | None:
        """The film's moment that shows the newest picture taken up to then; None before the first one."""
        found = bisect_right(self.taken, seconds)
        return self.shown[found - 1] if found else None


def film_times(path: Path, *, name: str) -> FilmTimes | None:
    """When each picture of a film was taken; None where the film does not tell.

    Args:
        path: of the film.
        name: for the error.

    Raises:
        BadRowError: what it tells is damaged.
    """
    with path.open("rb") as stream:
        text = _box(stream, path.stat().st_size)
    if text is None:
        return None
    try:
        told = object_in(parse_json(text.decode("utf-8")))
        over, _, under = str(told.get("fps")).partition("/")
        rate = float(over) / float(under or 1)
        pairs = [(int(str(pair[0])), float(str(pair[1]))) for pair in map(as_list, as_list(told.get("captures")))]
        if told.get("schema") != _SCHEMA or rate <= 0 or any(a[1] > b[1] for a, b in pairwise(pairs)):
            raise ValueError("another form")
    except (ValueError, TypeError, IndexError, ZeroDivisionError) as error:
        why = "the times of its pictures cannot be read"
        raise BadRowError(why, file=name, code="damaged_film", hint="Get the recording again.") from error
    if not pairs:
        return None
    # The middle of each picture's time, so that rounding never shows its neighbour.
    return FilmTimes(taken=tuple(taken for _, taken in pairs), shown=tuple((index + 0.5) / rate for index, _ in pairs))


def _box(stream: IO[bytes], size: int) -> bytes | None:
    """The content of the recorder's own box of an MP4 file."""
    at = 0
    for _ in range(_MAX_BOXES):
        stream.seek(at)
        head = stream.read(8)
        if len(head) < 8:
            return None
        length, kind = struct.unpack(">I4s", head)
        begin = 8
        if length == 1:
            length, begin = int.from_bytes(stream.read(8), "big"), 16
        elif length == 0:
            length = size - at
        if length < begin or at + length > size:
            return None
        if kind == b"uuid" and stream.read(16) == _OURS and length - begin - 16 <= _MAX_BOX_BYTES:
            return stream.read(length - begin - 16)
        at += length
    return None
