"""The lines of a table for the check: what cannot be read is noted, and the others are gone on with."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from demopack.errors import PackError
from demopack.json_lines import LineError, parse_line
from demopack.pack.check.private import PrivateScan
from demopack.pack.rows import DemoRow, ElementRow, StepRow, TreeRow
from demopack.pack.rules import RULES, Finding, Findings
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource, raw_lines

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

_MAX_MESSAGE: Final = 160
_CONTRACT: Final = frozenset({"response", "recorded_action"})
"""What A01 to A05 look at."""


def own_schema(source: PackSource, table: str) -> Draft202012Validator | None:
    """What holds rows to the schema that lies in the pack for their table: a library that knows nothing of our models.

    None where it is missing or another than this version's: somebody else's schema may never come to an end.
    """
    name = f"{table.removesuffix('s.jsonl')}.json"
    return _validator(name) if _lies_there(source, name) == schema_files()[name] else None


@cache
def _validator(name: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(json.loads(schema_files()[name]))


def refused(schema: Draft202012Validator, row: dict[str, Any]) -> str:
    """The first place of a row that a schema refuses, and why; empty where there is none, or other rules tell of it."""
    if schema.is_valid(row):
        return ""
    errors = schema.iter_errors(row)
    error = next((e for e in errors if not (e.instance_path and e.instance_path[0] in _CONTRACT)), None)
    if error is None:
        return ""
    where = ".".join(str(part) for part in error.instance_path)
    why = error.message if len(error.message) <= _MAX_MESSAGE else "it is none of the things that may stand there"
    return f"{where}: {why}" if where else why


def check_schemas(source: PackSource) -> Iterator[Finding]:
    """H05, once for all schemas that are missing or others; it names the first, and says which."""
    found = {name: _lies_there(source, name) for name in schema_files()}
    missing = [name for name, text in found.items() if text is None]
    others = [name for name, text in found.items() if text is not None and text != schema_files()[name]]
    told = [f"Missing: {', '.join(missing)}."] if missing else []
    told += [f"Not as this version writes it: {', '.join(others)}."] if others else []
    if told:
        yield RULES["H05"].broken(f"schema/{[*missing, *others][0]}", None, " ".join(told))


def _lies_there(source: PackSource, name: str) -> str | None:
    path = f"schema/{name}"
    if source.size(path) is None:
        return None
    try:
        return source.read(path, limit=1 << 20).decode("utf-8", "replace")
    except PackError:
        return ""


_R = TypeVar("_R", bound="DemoRow | StepRow | ElementRow | TreeRow")

_MAX_BAD = 2_000
"""Lines of a table that cannot be read; then it is no table at all, and nobody waits for its end."""
_SCANNED_BYTES = 256 << 10
"""Bytes of a line that is no JSON that are looked through for what is private; it is an error in any case."""


@dataclass(slots=True)
class CheckedLine:
    """One line that fits its schema, as plain JSON.

    Attributes:
        table: it stands in.
        number: of the line, from 1.
        data: the object.
    """

    table: str
    number: int
    data: dict[str, Any]

    def broken(self, rule: str, message: str) -> Finding:
        """A finding about this line."""
        return RULES[rule].broken(self.table, self.number, message)


def checked_lines(
    source: PackSource,
    name: str,
    model: type[_R],
    findings: Findings,
    scan: PrivateScan,
    *,
    schema: Draft202012Validator | None,
) -> Iterator[CheckedLine]:
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
    raw, number, bad = b"\n", 0, 0
    unfit: list[tuple[int, str]] = []
    try:
        for number, raw in enumerate(raw_lines(source, name), start=1):
            rule, problem, data, row = _parsed(number, raw, model)
            if row is not None and not rule:
                why = "" if schema is None else refused(schema, data)
                if why:
                    unfit.append((number, why))
                found = data if schema is not None and not why else row.to_json()
                scan.row(name, number, found)
                yield CheckedLine(name, number, found)
                continue
            findings.torn = True
            findings.add(RULES[rule].broken(name, number, problem))
            bad += 1
            if bad > _MAX_BAD:
                findings.add(RULES["H04"].broken(name, number, "The rest was not looked at."))
                return
            if rule == "H03":
                scan.row(name, number, data)
            else:
                scan.text(name, number, "file", raw[:_SCANNED_BYTES].decode("utf-8", "replace"))
    except PackError as error:
        findings.torn = True
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error.user_message}."))
        return
    if unfit:
        (first, why), more = unfit[0], f" So it does {len(unfit) - 1} more rows." if len(unfit) > 1 else ""
        findings.add(RULES["H05"].broken(name, first, f"The schema beside it refuses it: {why}.{more}"))
    if not raw.endswith(b"\n"):
        findings.torn = True
        findings.add(RULES["H04"].broken(name, number, "The last line has no line end; it may be cut off."))


def _parsed(number: int, raw: bytes, model: type[_R]) -> tuple[str, str, dict[str, Any], _R | None]:
    """The rule that a line breaks, and how, both empty for a good one; its object as plain JSON, and as a row."""
    rule, problem, data, row = "", "", dict[str, Any](), None
    try:
        data, row = parse_line(raw, model)
    except LineError as error:
        rule, data = "H03" if error.kind == "fields" else "H04", error.data or {}
        words = {"text": "It is not UTF-8.", "object": f"It is not one JSON object: {error.why}."}
        problem = words.get(error.kind, f"{error.why}.")
    form = form_problem(number, raw)
    return ("H04", form, data, row) if form else (rule, problem, data, row)


def form_problem(number: int, raw: bytes) -> str:
    """What is wrong with the form of a line, whatever it says; empty for nothing."""
    if number == 1 and raw.startswith(BOM_UTF8):
        return "It begins with a byte order mark."
    return "The line ends with CR LF." if raw.endswith(b"\r\n") else ""
