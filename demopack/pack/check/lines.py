"""Reads the lines of a table one after the other: at most one of them is in memory."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.pack.check.collect import Findings
from demopack.pack.check.private import PrivateScan
from demopack.pack.lines import parse_object
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource

__all__ = ["BLOCK", "LONGEST_LINE", "Line", "chunks", "raw_lines", "table_lines"]

BLOCK: Final = 1 << 20
LONGEST_LINE: Final = 32 << 20
"""Bytes; a step with an hour of raw events has a few megabytes."""
_MOST_BAD = 2_000
"""Lines of a table that cannot be read; then it is no table at all, and nobody waits for its end."""
_LOOKED_AT = 256 << 10
"""Bytes of a line that is no JSON that are looked through for what is private; it is an error in any case."""
_LOOKED_INTO: Final = ("before", "after", "final_frame", "quality")
_BOM = b"\xef\xbb\xbf"
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, NotImplementedError, ValueError)


@dataclass(slots=True)
class Line:
    """One line that fits its schema, as plain JSON.

    Attributes:
        number: of the line, from 1.
        data: the object.
    """

    number: int
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def chunks(source: PackSource, name: str) -> Iterator[bytes]:
    """The content of a file in pieces of a megabyte.

    Raises:
        PackError: it is missing or damaged.
    """
    with source.open(name) as stream:
        while True:
            try:
                block = stream.read(BLOCK)
            except _DAMAGED as error:
                raise PackError(f"{name} is damaged", details=str(error)) from error
            if not block:
                return
            yield block


def raw_lines(source: PackSource, name: str) -> Iterator[bytes]:
    """The lines of a file, each with its line end where it has one.

    Raises:
        PackError: it is missing or damaged, or a line is longer than ``LONGEST_LINE``.
    """
    rest = b""
    for block in chunks(source, name):
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            yield line + b"\n"
        if len(rest) > LONGEST_LINE:
            raise PackError("a line is longer than 32 MB")
    if rest:
        yield rest


def table_lines(
    source: PackSource, name: str, model: type[Record], findings: Findings, scan: PrivateScan
) -> Iterator[Line]:
    """The lines of a table that fit its schema; what is wrong with the others is noted, and the table counts as torn.

    Every line, fitting or not, is looked through for what is private.
    """
    line = b"\n"
    number = bad = 0
    try:
        for number, line in enumerate(raw_lines(source, name), start=1):
            found = _fits(line, number, model)
            if isinstance(found, dict):
                scan.row(name, number, found)
                yield Line(number, found)
                continue
            findings.torn = True
            rule, message, data = found
            findings.add(RULES[rule].broken(name, number, message))
            bad += 1
            if bad > _MOST_BAD:
                findings.add(RULES["H04"].broken(name, number, "The rest was not looked at."))
                return
            if data is None:
                scan.text(name, number, "file", line[:_LOOKED_AT].decode("utf-8", "replace"))
            else:
                scan.row(name, number, data)
    except PackError as error:
        findings.torn = True
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error.user_message}."))
        return
    if not line.endswith(b"\n"):
        findings.torn = True
        findings.add(RULES["H04"].broken(name, number, "The last line has no line end; it may be cut off."))


def _fits(line: bytes, number: int, model: type[Record]) -> dict[str, Any] | tuple[str, str, dict[str, Any] | None]:
    """The object of a line, or the rule it breaks, how, and the object as far as it can be read."""
    if number == 1 and line.startswith(_BOM):
        return "H04", "It begins with a byte order mark.", None
    if line.endswith(b"\r\n"):
        return "H04", "The line ends with CR LF.", None
    try:
        data = parse_object(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "H04", "It is not UTF-8.", None
    except (ValueError, RecursionError) as error:
        return "H04", f"It is not one JSON object: {error}.", None
    try:
        row = model.model_validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return "H03", f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}.", data
    return data if _is_whole(data, row) else row.to_json()


def _is_whole(data: dict[str, Any], row: Record) -> bool:
    """Whether an object has every field of its model, and so have the objects in it that are looked into.

    Unknown fields are refused, so counting is enough. Fields that have a default may be missing, as in rows that were
    written before the fields existed.
    """
    fields = type(row).model_fields
    if len(data) != len(fields):
        return False
    for name in _LOOKED_INTO:
        if name in fields and (part := data[name]) is not None and not _is_whole(part, getattr(row, name)):
            return False
    return True
