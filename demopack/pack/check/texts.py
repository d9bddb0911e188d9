"""Looks through the files that are no table of the pack: the card, the page, exports, whatever else lies there."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Final

from demopack.errors import PackError
from demopack.pack.check.private import PrivateScan
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource, raw_lines

MAX_JSON_BYTES: Final = 64 << 20
_CHUNK = 64 << 10
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""Markdown: a sign after a backslash is that sign."""
_NO_TEXT = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".parquet", ".tar", ".arrow", ".zip", ".bin", ".npz")


def scan_file(source: PackSource, name: str, scan: PrivateScan) -> None:
    """Look through one file for what is private; a picture or a file that is no text is passed over."""
    if name.lower().endswith(_NO_TEXT):
        return
    try:
        if name.endswith(".json"):
            _scan_json(name, read_small(source, name).decode("utf-8"), scan)
        elif name.endswith(".jsonl"):
            for number, line in enumerate(raw_lines(source, name), start=1):
                _scan_value(name, number, line.decode("utf-8"), scan)
        else:
            for number, piece in _pieces(source, name):
                scan.text(name, number, "", _visible_text(name, piece))
    except (PackError, UnicodeDecodeError):
        return  # what cannot be read is reported by other rules


def _visible_text(name: str, text: str) -> str:
    """What a reader of a page or a card sees of it: a masked text has its brackets escaped there."""
    return html.unescape(_ESCAPED.sub(r"\1", text) if name.endswith(".md") else text)


def read_small(source: PackSource, name: str) -> bytes:
    """The whole of a JSON file.

    Raises:
        PackError: it is missing, damaged, or larger than ``MAX_JSON_BYTES``.
    """
    return source.read(name, limit=min(MAX_JSON_BYTES, source.size(name) or 0))


def _scan_json(name: str, text: str, scan: PrivateScan) -> None:
    if text != schema_files().get(name.removeprefix("schema/")):  # as shipped, it is nobody's data
        _scan_value(name, None, text, scan)


def _scan_value(name: str, line: int | None, text: str, scan: PrivateScan) -> None:
    try:
        value: object = json.loads(text) if text.strip() else ""
    except (ValueError, RecursionError):
        # Ids and sums cannot be told from keys here; everything else can be found all the same.
        scan.text(name, line, "file", text)
        return
    scan.row(name, line, value)


def _pieces(source: PackSource, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, long ones cut at blanks, so that no text is looked through as a whole."""
    for number, line in enumerate(raw_lines(source, name), start=1):
        text = line.decode("utf-8")
        while len(text) > _CHUNK:
            cut = max(text.rfind(" ", 1, _CHUNK), text.rfind(">", 1, _CHUNK) + 1) or _CHUNK
            yield number, text[:cut]
            text = text[cut:]
        yield number, text
