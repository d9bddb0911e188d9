"""Rules for every export: its log of losses, the pictures that its tables name, and whatever pictures lie there."""

from __future__ import annotations

import io
import json
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from demopack.errors import PackError
from demopack.file_names import is_safe
from demopack.json_text import as_list, as_row, as_rows, object_in
from demopack.pack.check.elements import box_problem
from demopack.pack.check.files import MAX_FILE_BYTES, read_small
from demopack.pack.check.private import PrivateScan
from demopack.pack.picture import PNG_MAGIC, is_whole, only_pixels
from demopack.pack.rules import RULES, Finding, Findings
from demopack.pack.source import FolderSource, PackSource, raw_lines

LOG: Final = "EXPORT_LOG.json"
_KINDS: Final = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp"}
ENDINGS: Final = tuple(_KINDS)
_NO_PICTURE: Final = (
    OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning,
)  # fmt: skip
_MAGIC: Final = {"image/png": PNG_MAGIC, "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF"}


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


def check_log(source: PackSource, log: str, names: Sequence[str], *, samples: int | None = None) -> Iterator[Finding]:
    """X02 for one log, the files beside it, and where they are in containers the number of ``samples``."""
    try:
        rows_in, rows_out, left, lines = _log(json.loads(read_small(source, log)))
    except (PackError, ValueError, RecursionError) as error:
        yield RULES["X02"].broken(log, None, f"It cannot be read: {error}.")
        return
    if rows_in != rows_out + left:
        yield RULES["X02"].broken(log, None, f"{rows_in} rows in are not {rows_out} out and {left} left out.")
    tables = [name for name in names if name.endswith(".jsonl")]
    for table in tables:
        # A line may be an episode of many rows: the log then says how many lines there are.
        own = table.removeprefix(log.removesuffix(LOG))
        only = len(tables) == 1
        expected = (rows_out if only else None) if lines is None else lines.get(own, 0 if only else None)
        try:
            written = sum(1 for _ in raw_lines(source, table))
        except PackError as error:
            yield RULES["X02"].broken(log, None, f"The rows of {table} cannot be counted: {error}.")
            continue
        if written != expected and (expected is not None or only):
            yield RULES["X02"].broken(log, None, f"It says {expected} rows; {table} has {written}.")
    if samples not in {None, rows_out}:
        yield RULES["X02"].broken(log, None, f"It says {rows_out} rows; there are {samples} samples.")


def _log(data: object) -> tuple[int, int, int, dict[str, object] | None]:
    """Rows in, rows out, rows left out, and the lines of each table where the log tells them.

    An export for a labelling program counts elements instead.

    Raises:
        ValueError: a number is missing.
    """
    fields = object_in(data)
    left = fields.get("left_out", [])
    what = "elements" if "elements_out" in fields else "rows"
    counts = [fields.get(f"{what}_in"), fields.get(f"{what}_out"), *(item.get("count") for item in as_rows(left))]
    numbers = [number for number in counts if type(number) is int]
    if len(numbers) != len(counts) or len(as_rows(left)) != len(as_list(left)) or not isinstance(left, list):
        raise ValueError("rows_in, rows_out or left_out is missing")
    return numbers[0], numbers[1], sum(numbers[2:]), as_row(fields.get("lines"))


def as_number(value: object) -> float | None:
    """A number; None for anything else, true and false included."""
    if type(value) is float:
        return value
    # By its digits: an integer of some hundred digits is infinite, and no error.
    return float(str(value)) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def numbers_in(values: object) -> list[float]:
    """The numbers of a list, anything else left out; empty for what is no list."""
    return [number for value in as_list(values) if (number := as_number(value)) is not None]


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height of a picture; None where it cannot be decoded."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            return picture.size
    except _NO_PICTURE:
        return None


class ExportedFolder:
    """An exported folder under check.

    Attributes:
        source: its files.
        findings: what is wrong goes here.
        scan: looks through its texts.
        names: of its files, sorted.
        named: paths of the pictures that tables name.
    """

    def __init__(self, source: FolderSource, findings: Findings, scan: PrivateScan) -> None:
        self.source = source
        self.findings = findings
        self.scan = scan
        self.names = source.names()
        self.named: set[str] = set()
        self._there = frozenset(self.names)
        self._sizes: dict[str, tuple[int, int] | None] = {}

    def find(self, path: str, table: str) -> str | None:
        """Where a picture lies that a table names, seen from the table's folder or from the top; None for nowhere."""
        own = posixpath.dirname(table)
        beside = posixpath.join(own, path)
        if beside in self._there:
            return beside
        places = (path, posixpath.join(own, "images", path), f"images/{path}")
        return next((place for place in places if place in self._there), None)

    def size(self, name: str) -> tuple[int, int] | None:
        """Width and height of a picture that is there; None where it cannot be decoded. It is checked at once."""
        if name not in self._sizes:
            self._sizes[name] = self._checked(name)
        return self._sizes[name]

    def _checked(self, name: str) -> tuple[int, int] | None:
        file = ExportedFile(self, name)
        try:
            data = self.read(name)
        except PackError as error:
            file.broken("I01", f"It cannot be read: {error.user_message}")
            return None
        return file.check_bytes(data, _KINDS.get(posixpath.splitext(name)[1].lower(), ""), "It")

    def read(self, name: str) -> bytes:
        """The bytes of a picture.

        Raises:
            PackError: it cannot be read, or is larger than any file should be.
        """
        return self.source.read(name, limit=MAX_FILE_BYTES)

    def check_pictures(self, *, orphans: bool) -> None:
        """I01, I03, I04 and P04 for every picture; ``orphans`` are told where every picture should be named."""
        for name in self.names:
            if not name.lower().endswith(ENDINGS):
                continue
            self.size(name)
            if orphans and name not in self.named:
                ExportedFile(self, name).broken("I03", "No row names this picture.")


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an exported folder, or one of its lines: where something is wrong.

    Attributes:
        folder: that it lies in.
        name: its path in the folder.
        line: from 1; None for the file as a whole.
    """

    folder: ExportedFolder
    name: str
    line: int | None = None

    def at(self, line: int) -> ExportedFile:
        """One line of the file."""
        return replace(self, line=line)

    def broken(self, rule: str, message: str) -> None:
        """Note that a rule is broken here."""
        self.folder.findings.add(RULES[rule].broken(self.name, self.line, message))

    def value(self) -> object:
        """The value of a JSON file; None where it cannot be read, which is H04."""
        try:
            value: object = json.loads(read_small(self.folder.source, self.name))
        except (PackError, ValueError, RecursionError) as error:
            self.broken("H04", f"It cannot be read: {error}.")
            return None
        if value is None:
            self.broken("H04", "It holds nothing but null.")
        return value

    def picture(self, path: str) -> str | None:
        """Where a picture lies that the file names; None for its own bytes, and for a path that breaks P01 or I01."""
        if path.startswith("data:"):
            return None
        if "://" in path or not is_safe(path):
            self.broken("P01", f"The path {path!r} leaves the folder.")
            return None
        found = self.folder.find(path, self.name)
        if found is None:
            self.broken("I01", f"The picture {path} is missing.")
        else:
            self.folder.named.add(found)
        return found

    def check_bytes(self, data: bytes | None, kind: str, what: str) -> tuple[int, int] | None:
        """I01, I04 and P04 for one picture.

        Args:
            data: its bytes; None where they cannot be had.
            kind: what it is said to be, for instance ``image/png``.
            what: which picture, for people: ``The picture of step 3``.

        Returns:
            Width and height; None where it cannot be decoded.
        """
        size = None if data is None else size_of(data)
        if data is not None and not data.startswith(_MAGIC.get(kind, b"")):
            ending = posixpath.splitext(self.name)[1].lower()
            word = ending[1:] if ending in _KINDS else kind.removeprefix("image/")
            self.broken("I04", f"{what} is no {word.upper()}.")
        elif data is None or size is None:
            self.broken("I01", f"{what} cannot be decoded.")
        elif kind == "image/png" and not is_whole(data):
            self.broken("I01", f"{what} is damaged or cut off.")
        elif (kind == "image/png" and not only_pixels(data)) or b"Exif\0\0" in data[:4096]:
            self.broken("P04", f"{what} carries more than pixels.")
        return size

    def check_size(self, real: Sequence[int] | None, said: list[object], what: str) -> None:
        """G02 where a picture that can be decoded has another size than the file says."""
        if real is not None and said and list(real) != said:
            self.broken("G02", f"{what} is {real[0]} x {real[1]}, not {said}.")

    def check_box(self, box: Sequence[float], size: Sequence[float], what: str, *, may_be_point: bool = True) -> None:
        """G01 for a box ``[x1, y1, x2, y2]`` on a picture; ``what`` begins the sentence."""
        problem = box_problem(box, size, may_be_point=may_be_point)
        if problem is not None:
            self.broken("G01", f"{what} {problem}.")
