"""Reads the lines of a table one after the other: at most one of them is in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.pack.check.collect import Findings
from demopack.pack.check.private import PrivateScan
from demopack.pack.lines import first_problem, parse_object, validated
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource, raw_lines

__all__ = ["Line", "table_lines"]

_MOST_BAD = 2_000
"""Lines of a table that cannot be read; then it is no table at all, and nobody waits for its end."""
_LOOKED_AT = 256 << 10
"""Bytes of a line that is no JSON that are looked through for what is private; it is an error in any case."""
_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Line:
    """One line that fits its schema, as plain JSON.

    Attributes:
        number: of the line, from 1.
        data: the object.
    """

    number: int
    data: dict[str, Any] = field(default_factory=dict[str, Any])


def table_lines(
    source: PackSource, name: str, model: type[Record], findings: Findings, scan: PrivateScan, *, whole: bool
) -> Iterator[Line]:
    """The lines of a table that fit its schema; what is wrong with the others is noted, and the table counts as torn.

    Every line, fitting or not, is looked through for what is private.

    Args:
        source: the pack.
        name: of the table.
        model: of its rows.
        findings: takes what is wrong.
        scan: looks for what is private.
        whole: whether to tell of a field that is not there though it has a default, because the pack's own schema asks
            for it; rows that were written before a field existed lie beside a schema that does not know it.
    """
    line = b"\n"
    number = bad = 0
    lacking: list[tuple[int, str]] = []
    try:
        for number, line in enumerate(raw_lines(source, name), start=1):
            found = _fits(line, number, model)
            if isinstance(found, tuple) and found[0] == "H05":
                lacking.append((number, found[1]))
                found = found[2] or {}
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
    if lacking and whole:
        (first, field), more = lacking[0], f" {len(lacking) - 1} more rows lack a field." if len(lacking) > 1 else ""
        findings.add(RULES["H05"].broken(name, first, f"{field} is missing; the schema beside it asks for it.{more}"))
    if not line.endswith(b"\n"):
        findings.torn = True
        findings.add(RULES["H04"].broken(name, number, "The last line has no line end; it may be cut off."))


def _fits(line: bytes, number: int, model: type[Record]) -> dict[str, Any] | tuple[str, str, dict[str, Any] | None]:
    """The object of a line, or the rule it breaks, how, and the object as far as it can be read.

    Of H05 it is the whole object: fields that have a default may be missing, as in rows from before they existed.
    """
    if number == 1 and line.startswith(_BOM):
        return "H04", "It begins with a byte order mark.", None
    if line.endswith(b"\r\n"):
        return "H04", "The line ends with CR LF.", None
    try:
        data = parse_object(line.decode("utf-8"))
    except UnicodeDecodeError:
        return "H04", "It is not UTF-8.", None
    except ValueError as error:
        return "H04", f"It is not one JSON object: {error}.", None
    try:
        row = validated(line, model)
    except ValidationError as error:
        return "H03", f"{first_problem(error)}.", data
    missing = _missing(data, row)
    return ("H05", missing, row.to_json()) if missing else data


def _missing(data: dict[str, Any], row: Record) -> str:
    """The first field that an object, or an object in it, lacks; empty where all are there.

    Unknown fields are refused, so counting is enough.
    """
    fields = type(row).model_fields
    if len(data) != len(fields):
        return next((name for name in fields if name not in data), "")
    for name, value in row.__dict__.items():
        several = isinstance(value, (list, tuple))
        inner = cast("Sequence[object]", value) if several else (value,)
        if inner and isinstance(inner[0], Record):
            parts: Sequence[dict[str, Any]] = data[name] if several else (data[name],)
            for part, one in zip(parts, inner, strict=True):
                if isinstance(one, Record) and (missing := _missing(part, one)):
                    return f"{name}.{missing}"
    return ""
