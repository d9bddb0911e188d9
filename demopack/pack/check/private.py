"""Rules about privacy: no secret and no personal data in any text of the pack, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from demopack.pack.findings import Finding
from demopack.pack.rules import RULES
from demopack.redaction.recognisers import SECRET_KINDS, Match, recognise, recognise_named
from demopack.redaction.values import digest
from demopack.redaction.words import KIND_WORDS, masked

__all__ = ["PrivateScan"]

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


class PrivateScan:
    """P02, P03 and P06: looks through texts as they are read, and reports each value once, at its first place.

    The message does not repeat the value, because what a check prints is often kept in public.

    Args:
        kept: digests of what a person decided to keep; it is passed over.
        names: of this machine and its user; looked for as whole words.
    """

    def __init__(self, kept: Iterable[str] = (), *, names: Iterable[str] = ()) -> None:
        self._kept = set(kept)
        self._seen: dict[str, _Seen] = {}
        self._named: dict[str, tuple[str, int | None]] = {}
        words = "|".join(re.escape(name) for name in names)
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def row(self, name: str, line: int | None, data: object) -> None:
        """Look through every text of a JSON value."""
        for field, text in _leaves(data):
            self.text(name, line, field, text)

    def text(self, name: str, line: int | None, field: str, text: str) -> None:
        """Look through one text; ``field`` says what it is called, empty for running text."""
        leaf = field.rpartition(".")[2]
        for match in _private_in(leaf, text):
            value = digest(match.kind, match.value)
            # A guess about a lone word is a question for the person who typed it, not for a reader of the pack.
            guess = match.kind == "maybe_password" or (match.kind == "key" and leaf in _IDS)
            if not guess and value not in self._kept:
                self._seen.setdefault(value, _Seen(match, name, line, field)).places += 1
        if self._names is not None:
            for found in self._names.findall(text):
                self._named.setdefault(found.lower(), (name, line))

    def findings(self) -> Iterator[Finding]:
        """One for each value."""
        for one in self._seen.values():
            rule = RULES["P02" if one.match.kind in SECRET_KINDS else "P03"]
            yield rule.broken(one.file, one.line, _message(one))
        for word, (file, line) in self._named.items():
            yield RULES["P06"].broken(file, line, f"The name {masked(word)} is that of this machine or its user.")


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


def _leaves(value: object) -> Iterator[tuple[str, str]]:
    """Name and text of every text inside a JSON value, keys included."""
    stack = [(value, "")]
    while stack:
        value, field = stack.pop()
        if isinstance(value, str):
            yield field, value
        elif isinstance(value, dict):
            pairs = cast("dict[str, object]", value).items()
            stack += [(item, f"{field}.{key}" if field else key) for key, item in reversed(pairs)]
            for key in cast("dict[str, object]", value):
                yield field, key
        elif isinstance(value, list):
            stack += [(item, field) for item in reversed(cast("list[object]", value))]
