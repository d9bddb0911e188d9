"""Reads the lines of a table one after the other: at most one of them is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import PackError
from demopack.pack.check.collect import Findings
from demopack.pack.check.private import PrivateScan
from demopack.pack.check.schemas import refused
from demopack.pack.lines import first_problem, parse_object, validated
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource, raw_lines

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

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
    source: PackSource,
    name: str,
    model: type[Record],
    findings: Findings,
    scan: PrivateScan,
    *,
    schema: Draft202012Validator | None,
) -> Iterator[Line]:
    """The lines of a table that fit its schema; what is wrong with the others is noted, and the table counts as torn.

    Every line, fitting or not, is looked through for what is private.

    Args:
        source: the pack.
        name: of the table.
        model: of its rows.
        findings: takes what is wrong.
        scan: looks for what is private.
        schema: that lies in the pack; None where it is another than this version's. It asks for fields that the model
            fills in, because rows that were written before a field existed lie beside a schema that does not know it.
    """
    line = b"\n"
    number = bad = 0
    unfit: list[tuple[int, str]] = []
    try:
        for number, line in enumerate(raw_lines(source, name), start=1):
            fits = _fits(line, number, model)
            if isinstance(fits, _Row):
                why = "" if schema is None else refused(schema, fits.data)
                if why:
                    unfit.append((number, why))
                found = fits.data if schema is not None and not why else fits.row.to_json()
                scan.row(name, number, found)
                yield Line(number, found)
                continue
            findings.torn = True
            rule, message, data = fits
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
    if unfit:
        (first, why), more = unfit[0], f" So it does {len(unfit) - 1} more rows." if len(unfit) > 1 else ""
        findings.add(RULES["H05"].broken(name, first, f"The schema beside it refuses it: {why}.{more}"))
    if not line.endswith(b"\n"):
        findings.torn = True
        findings.add(RULES["H04"].broken(name, number, "The last line has no line end; it may be cut off."))


class _Row(NamedTuple):
    """A line that fits its model: as it stands there, and with the fields that were filled in."""

    data: dict[str, Any]
    row: Record


def _fits(line: bytes, number: int, model: type[Record]) -> _Row | tuple[str, str, dict[str, Any] | None]:
    """The row of a line, or the rule it breaks, how, and the object as far as it can be read."""
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
        return _Row(data, validated(line, model))
    except ValidationError as error:
        return "H03", f"{first_problem(error)}.", data
