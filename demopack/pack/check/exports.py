"""Rules about the exports that lie in a pack, and about exports in folders of their own: what was lost is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from demopack.errors import PackError
from demopack.pack.check.plain import as_list, as_row, as_rows
from demopack.pack.check.texts import read_small
from demopack.pack.findings import Finding
from demopack.pack.rules import RULES
from demopack.pack.source import PackSource, raw_lines

__all__ = ["LOG", "check_count", "check_exports", "check_log"]

LOG: Final = "EXPORT_LOG.json"


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
    fields = as_row(data) or {}
    left = fields.get("left_out", [])
    counts = [fields.get("rows_in"), fields.get("rows_out"), *(item.get("count") for item in as_rows(left))]
    numbers = [number for number in counts if type(number) is int]
    if len(numbers) != len(counts) or len(as_rows(left)) != len(as_list(left)) or not isinstance(left, list):
        raise ValueError("rows_in, rows_out or left_out is missing")
    return numbers[0], numbers[1], sum(numbers[2:]), as_row(fields.get("lines"))
