"""Rules about privacy: no secret and no personal data in any text of the pack, whoever wrote it."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from demopack.errors import PackError
from demopack.pack.findings import Finding
from demopack.pack.manifest import Manifest
from demopack.pack.rules import RULES
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource
from demopack.redaction.recognisers import SECRET_KINDS, Match, recognise, recognise_named
from demopack.redaction.values import digest
from demopack.redaction.words import KIND_WORDS, masked

__all__ = ["check_private"]

_LARGEST_TEXT = 256 << 20
_SHORT = 500
_IDS = frozenset({
    "id", "frame", "sha256", "uid", "target_uid", "end_uid", "parent", "parent_by_hand", "demo", "step", "file",
    "image", "path",
})  # fmt: skip
"""Fields that look thrown by dice because they are."""


@dataclass(slots=True)
class _Seen:
    """One value: where it was met first, and how often."""

    match: Match
    file: str
    line: int | None
    field: str
    places: int = 0


def check_private(source: PackSource, manifest: Manifest) -> Iterator[Finding]:
    """P02 and P03: one finding for each value, at its first place; what a person kept is passed over.

    The message does not repeat the value, because what a check prints is often kept in public.
    """
    kept = set(manifest.redaction.kept_digests)
    seen: dict[str, _Seen] = {}
    for name in source.names():
        for line, field, text in _texts(source, name):
            leaf = field.rpartition(".")[2]
            for match in _private_in(leaf, text):
                value = digest(match.kind, match.value)
                # A guess about a lone word is a question for the person who typed it, not for a reader of the pack.
                guess = match.kind == "maybe_password" or (match.kind == "key" and leaf in _IDS)
                if not guess and value not in kept:
                    seen.setdefault(value, _Seen(match, name, line, field)).places += 1
    for one in seen.values():
        rule = RULES["P02" if one.match.kind in SECRET_KINDS else "P03"]
        yield rule.broken(one.file, one.line, _message(one))


def _private_in(name: str, text: str) -> tuple[Match, ...]:
    """What is private in one field."""
    return _in_short(name, text) if len(text) <= _SHORT else _in_long(name, text)


def _look_for(name: str, text: str) -> tuple[Match, ...]:
    return tuple(recognise_named(name, text) if name else recognise(text))


# The same texts come again and again, in one pack and from check to check; of long ones few are remembered.
_in_short = lru_cache(maxsize=20_000)(_look_for)
_in_long = lru_cache(maxsize=64)(_look_for)


def _message(one: _Seen) -> str:
    what = KIND_WORDS[one.match.kind][0]
    article = "An" if what[0] in "aeio" else "A"  # a user name
    where = f" in {one.field}" if one.field else ""
    more = f"; it stands in {one.places} places" if one.places > 1 else ""
    return f"{article} {what} ({masked(one.match.value)}){where}{more}."


def _texts(source: PackSource, name: str) -> Iterator[tuple[int | None, str, str]]:
    """Line, field and text of everything in a file; nothing for a picture or another file that is no text."""
    if name.endswith(".png"):
        return
    try:
        text = source.read(name, limit=_LARGEST_TEXT).decode("utf-8")
    except (PackError, UnicodeDecodeError):
        return  # what cannot be read is reported by other rules
    if text == schema_files().get(name.removeprefix("schema/")):
        return  # as shipped: nobody's data
    lines = [text] if name.endswith(".json") else text.split("\n")
    for number, line in enumerate(lines, start=1):
        where = None if name.endswith(".json") else number
        if name.endswith((".json", ".jsonl")):
            yield from _json_texts(line, where)
        else:
            yield where, "", html.unescape(line)


def _json_texts(text: str, line: int | None) -> Iterator[tuple[int | None, str, str]]:
    try:
        value: object = json.loads(text) if text.strip() else ""
    except (ValueError, RecursionError):
        # Ids and sums cannot be told from keys here; everything else can be found all the same.
        yield line, "file", text
        return
    yield from _leaves(value, line, "")


def _leaves(value: object, line: int | None, field: str) -> Iterator[tuple[int | None, str, str]]:
    stack = [(value, field)]
    while stack:
        value, field = stack.pop()
        if isinstance(value, str):
            yield line, field, value
        elif isinstance(value, dict):
            pairs = cast("dict[str, object]", value).items()
            stack += [(item, f"{field}.{key}" if field else key) for key, item in reversed(pairs)]
            for key in cast("dict[str, object]", value):
                yield line, field, key
        elif isinstance(value, list):
            stack += [(item, field) for item in reversed(cast("list[object]", value))]
