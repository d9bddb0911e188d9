"""Versions of a pack: ``CHANGES.md`` in it says what each brought."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from demopack.errors import BadInputError, PackError
from demopack.pack.sets.compare import PackDiff, diff_text
from demopack.pack.source import PackSource

__all__ = ["CHANGES", "change_list", "version_of"]

CHANGES: Final = "CHANGES.md"
_HEAD = "# Changes\n"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_ENTRY = re.compile(r"^## (\d+\.\d+\.\d+) ", re.MULTILINE)
_LIMIT = 4 << 20


def version_of(source: PackSource) -> str:
    """The newest version that a pack's change list names; empty where it has none.

    Raises:
        PackError: the list cannot be read.
    """
    found = _ENTRY.search(_list_of(source))
    return "" if found is None else found.group(1)


def _list_of(source: PackSource) -> str:
    if source.size(CHANGES) is None:
        return ""
    try:
        return source.read(CHANGES, limit=_LIMIT).decode("utf-8")
    except UnicodeDecodeError as error:
        raise PackError(f"{CHANGES} in {source.path} is not UTF-8.", hint="Write it again, or remove it.") from error


def change_list(old: PackSource, diff: PackDiff, *, version: str, day: date, note: str = "") -> str:
    """The list of the older pack with an entry for the new version on top.

    Args:
        old: the pack that the new one follows.
        diff: what differs.
        version: of the new pack, for instance ``1.2.0``.
        day: of its making.
        note: what a person wants to say about it.

    Raises:
        BadInputError: the version is none, or does not come after the older one.
        PackError: the older list cannot be read.
    """
    numbers = _numbers(version)
    last = version_of(old)
    if last and numbers <= _numbers(last):
        raise BadInputError(f"Version {version} does not come after {last}.", hint="Count one of the numbers up.")
    lines = [f"- {line}" if not line.startswith(" ") else f"  - {line.strip()}" for line in diff_text(diff)]
    entry = "\n".join([f"## {version} ({day:%Y-%m-%d})", "", *([note.strip(), ""] if note.strip() else []), *lines])
    rest = _list_of(old).removeprefix(_HEAD).strip()
    return "\n".join([_HEAD, entry, "", rest]).rstrip() + "\n"


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(version)
    if found is None:
        raise BadInputError(f"“{version}” is no version.", hint="Write three numbers, for instance 1.2.0.")
    return tuple(int(number) for number in found.groups())
