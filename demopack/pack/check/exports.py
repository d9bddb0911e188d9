"""Rules for every export: its log of losses, and the pictures that its tables name."""

from __future__ import annotations

import contextlib
import json
import posixpath
from collections.abc import Iterator
from typing import Final, cast

from demopack.errors import PackError
from demopack.file_names import is_safe
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.files import MAX_FILE_BYTES
from demopack.pack.check.inline import check_bytes, size_of
from demopack.pack.check.texts import read_small
from demopack.pack.findings import Finding, Findings
from demopack.pack.picture import PNG_MAGIC
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource, PackSource, raw_lines

LOG: Final = "EXPORT_LOG.json"
ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp")
_MAGIC: Final = {".png": PNG_MAGIC, ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff", ".webp": b"RIFF"}


def check_exports(source: PackSource) -> Iterator[Finding]:
    """X02 for every folder under ``exports/``."""
    names = source.names()
    folders = sorted(
        {"/".join(name.split("/")[:2]) for name in names if name.startswith("exports/") and "/" in name[8:]}
    )
    for folder in folders:
        own = [name for name in names if name.startswith(f"{folder}/")]
        if f"{folder}/{LOG}" not in own:
            yield RULES["X02"].broken(folder, None, f"It has no {LOG}.")
        else:
            yield from check_log(source, f"{folder}/{LOG}", own)


def check_log(source: PackSource, log: str, names: list[str]) -> Iterator[Finding]:
    """X02 for one log and the files beside it."""
    try:
        data = _log(json.loads(read_small(source, log)))
    except (PackError, ValueError, RecursionError) as error:
        yield RULES["X02"].broken(log, None, f"It cannot be read: {error}.")
        return
    rows_in, rows_out, left, lines = data
    if rows_in != rows_out + left:
        yield RULES["X02"].broken(log, None, f"{rows_in} rows in are not {rows_out} out and {left} left out.")
    tables = [name for name in names if name.endswith(".jsonl")]
    if len(tables) == 1:
        written = sum(1 for _ in raw_lines(source, tables[0]))
        # A line may be an episode of many rows: the log then says how many lines there are.
        own = tables[0].removeprefix(log.removesuffix(LOG))
        expected = rows_out if lines is None else lines.get(own)
        if written != expected:
            yield RULES["X02"].broken(log, None, f"It says {expected} rows; {tables[0]} has {written}.")


def check_count(source: PackSource, log: str, samples: int) -> Iterator[Finding]:
    """X02 for samples in containers: there are as many as the log says."""
    try:
        rows_out = _log(json.loads(read_small(source, log)))[1]
    except (PackError, ValueError, RecursionError):
        return  # reported with the log
    if rows_out != samples:
        yield RULES["X02"].broken(log, None, f"It says {rows_out} rows; there are {samples} samples.")


def _log(data: object) -> tuple[int, int, int, dict[str, object] | None]:
    """Rows in, rows out, rows left out, and the lines of each table where the log tells them.

    Raises:
        ValueError: a number is missing.
    """
    fields = object_in(data)
    left = fields.get("left_out", [])
    counts = [fields.get("rows_in"), fields.get("rows_out"), *(item.get("count") for item in as_rows(left))]
    numbers = [number for number in counts if type(number) is int]
    if len(numbers) != len(counts) or len(as_rows(left)) != len(as_list(left)) or not isinstance(left, list):
        raise ValueError("rows_in, rows_out or left_out is missing")
    return numbers[0], numbers[1], sum(numbers[2:]), as_row(fields.get("lines"))


def read_value(source: PackSource, name: str, findings: Findings) -> object:
    """The value of a JSON file; None where it cannot be read, which is H04."""
    try:
        return cast("object", json.loads(read_small(source, name)))
    except (PackError, ValueError, RecursionError) as error:
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error}."))
        return None


def as_number(value: object) -> float | None:
    """A number; None for anything else, true and false included."""
    # By its digits: an integer of some hundred digits is infinite, and no error.
    return float(str(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


class ReferencedPictures:
    """The pictures that tables name.

    Attributes:
        names: paths inside the folder.
    """

    def __init__(self, source: FolderSource) -> None:
        self.names: set[str] = set()
        self._source = source
        self._there = set(source.names())
        self._sizes: dict[str, tuple[int, int] | None] = {}

    def name(self, path: str, table: str, line: int | None) -> Iterator[Finding]:
        """A picture that a table names, seen from the table's folder or from the top; P01 and I01."""
        if path.startswith("data:"):
            return  # the picture itself
        if "://" in path or not is_safe(path):
            yield RULES["P01"].broken(table, line, f"The path {path!r} leaves the folder.")
            return
        found = self.find(path, table)
        if found is None:
            yield RULES["I01"].broken(table, line, f"The picture {path} is missing.")
        else:
            self.names.add(found)

    def find(self, path: str, table: str) -> str | None:
        """Where a picture lies that a table names; None where it is nowhere."""
        folder = posixpath.dirname(table)
        places = (posixpath.join(folder, path), path, posixpath.join(folder, "images", path), f"images/{path}")
        return next((place for place in places if place in self._there), None)

    def size(self, name: str) -> tuple[int, int] | None:
        """Width and height of a picture that is there; None where it cannot be decoded."""
        if name not in self._sizes:
            self._sizes[name] = None
            with contextlib.suppress(PackError):
                self._sizes[name] = size_of(_read_picture(self._source, name))
        return self._sizes[name]


def _read_picture(source: FolderSource, name: str) -> bytes:
    return source.read(name, limit=min(source.size(name) or 0, MAX_FILE_BYTES))


def check_files(source: FolderSource, used: ReferencedPictures, *, orphans: bool) -> Iterator[Finding]:
    """I01, I03, I04 and P04 for every picture of the folder."""
    for name in source.names():
        ending = posixpath.splitext(name)[1].lower()
        if ending not in _MAGIC:
            continue
        try:
            data = _read_picture(source, name)
        except PackError as error:
            yield RULES["I01"].broken(name, None, f"It cannot be read: {error.user_message}")
            continue
        if data.startswith(_MAGIC[ending]):
            yield from check_bytes(data, "image/png" if ending == ".png" else "", name, None, "It")
        else:
            yield RULES["I04"].broken(name, None, f"It is no {ending[1:].upper()}.")
        if orphans and name not in used.names:
            yield RULES["I03"].broken(name, None, "No row names this picture.")
