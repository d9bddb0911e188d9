"""Rules for folders of rows: JSON Lines, imagefolder tables, conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, cast

from demopack.errors import PackError
from demopack.pack.check.collect import Findings
from demopack.pack.check.foreign.pictures import ENDINGS, Used
from demopack.pack.check.plain import as_list, as_row, as_rows
from demopack.pack.check.texts import read_small
from demopack.pack.findings import Finding
from demopack.pack.lines import parse_object
from demopack.pack.rules import RULES
from demopack.pack.source import FolderSource, raw_lines

__all__ = ["check_chats", "check_json_chats", "check_rows"]

Row = dict[str, Any]
_PATHS: Final = frozenset({"file_name", "file_names", "image", "images", "image_path", "img", "screenshot", "path"})
_USER: Final = frozenset({"user", "human", "observation", "tool", "function"})
_MODEL: Final = frozenset({"assistant", "gpt", "model", "function_call"})


def check_rows(source: FolderSource, name: str, used: Used, findings: Findings) -> None:
    """H01, H03, H04, I01 and P01 for the lines of one table."""
    kinds: dict[str, tuple[str, int]] = {}
    last = b"\n"
    try:
        for number, last in enumerate(raw_lines(source, name), start=1):
            row = _row(last, name, number, findings)
            if row is None:
                continue
            if "type" in row and ("message" in row or "payload" in row):
                findings.add(RULES["H01"].broken(name, number, "`type` stands beside `message` or `payload`."))
            findings.add(*_same_types(row, kinds, name, number))
            for path in _paths(row):
                findings.add(*used.name(path, name, number))
    except PackError as error:
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error.user_message}"))
        return
    if not last.endswith(b"\n"):
        findings.add(RULES["H04"].broken(name, None, "The last line has no line end; it may be cut off."))


def _row(line: bytes, name: str, number: int, findings: Findings) -> Row | None:
    problem = ""
    if number == 1 and line.startswith(b"\xef\xbb\xbf"):
        problem, line = "It begins with a byte order mark.", line[3:]
    elif line.endswith(b"\r\n"):
        problem = "The line ends with CR LF."
    row: Row | None = None
    try:
        row = parse_object(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        problem = problem or f"It is not one JSON object: {error}."
    if problem:
        findings.add(RULES["H04"].broken(name, number, problem))
    return row


def _same_types(row: Row, kinds: dict[str, tuple[str, int]], name: str, number: int) -> Iterator[Finding]:
    for key, value in row.items():
        if value is None:
            continue
        kind = _kind(value)
        first, line = kinds.setdefault(key, (kind, number))
        if first != kind:
            yield RULES["H03"].broken(name, number, f"{key} is {kind} here and {first} in line {line}.")


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list) else "an object"


def _paths(row: Row) -> Iterator[str]:
    for key, value in row.items():
        if key in _PATHS or key.endswith("_file_name"):
            for item in [value, *as_list(value)]:
                if isinstance(item, str) and (item.lower().endswith(ENDINGS) or key.startswith("file_name")):
                    yield item


def check_chats(source: FolderSource, name: str, findings: Findings) -> None:
    """X03 and X04 for the conversations of a table."""
    try:
        for number, line in enumerate(raw_lines(source, name), start=1):
            try:
                row = as_row(json.loads(line))
            except (ValueError, RecursionError):
                continue  # reported with the lines
            findings.add(*_chat(row or {}, name, number))
    except PackError:
        return  # as above


def check_json_chats(source: FolderSource, name: str, used: Used, findings: Findings) -> None:
    """X03, X04, I01 and P01 for a file that is one list of conversations."""
    try:
        data: object = json.loads(read_small(source, name))
    except (PackError, ValueError, RecursionError) as error:
        findings.add(RULES["H04"].broken(name, None, f"It cannot be read: {error}."))
        return
    kinds: dict[str, tuple[str, int]] = {}
    for number, row in enumerate(as_rows(data), start=1):
        findings.add(*_chat(row, name, number), *_same_types(row, kinds, name, number))
        for path in _paths(row):
            findings.add(*used.name(path, name, number))


def _chat(row: Row, name: str, number: int) -> Iterator[Finding]:
    turns = row.get("messages", row.get("conversations"))
    if not isinstance(turns, list):
        return
    said = as_rows(cast("object", turns))
    yield from _turns(said, name, number)
    pictures = row.get("images", row.get("image"))
    if pictures is None:
        return
    count = 1 if isinstance(pictures, str) else len(as_list(pictures))
    places = sum(_places(turn.get("content", turn.get("value"))) for turn in said)
    if places != count:
        yield RULES["X03"].broken(name, number, f"{places} places for pictures, {count} pictures.")


def _places(content: object) -> int:
    if isinstance(content, str):
        return content.count("<image>")
    return sum(str(part.get("type", "")).startswith(("image", "input_image")) for part in as_rows(content))


def _turns(said: list[Row], name: str, number: int) -> Iterator[Finding]:
    roles = [str(turn.get("role", turn.get("from", ""))) for turn in said]
    talk = [role for role in roles if role not in {"system", "developer"}]
    for place, role in enumerate(talk):
        if role not in (_MODEL if place % 2 else _USER):
            yield RULES["X04"].broken(name, number, f"Turn {place + 1} is {role!r}.")
            return
    if not talk or talk[-1] not in _MODEL:
        yield RULES["X04"].broken(name, number, "The assistant does not have the last word.")
