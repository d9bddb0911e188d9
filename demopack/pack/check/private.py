"""Rules about privacy: no secret and no personal data in any text of the pack, and what giving it away needs.

Tables are looked through as they are read; :func:`scan_file` reads whatever else lies there.
"""

from __future__ import annotations

import contextlib
import getpass
import html
import json
import re
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import Final, cast

from demopack.domain.actions import ActionBase, ActionTarget, LLMResponse
from demopack.domain.demos import Origin
from demopack.domain.provenance import Provenance
from demopack.domain.rationale import Rationale
from demopack.domain.steps import CaptureQuality, Pointer
from demopack.domain.trees import TextLine, TreeNode, TreeReading, ValueRange
from demopack.domain.verdicts import DemoVerdict, StepVerdict, SubScore
from demopack.errors import PackError
from demopack.json_text import as_row
from demopack.pack.check.files import read_small
from demopack.pack.manifest import DEMOS, MANIFEST, Manifest
from demopack.pack.rows import AlternativeRow, DemoRow, ElementRow, FrameRow, StepRow, StoredFrame, TreeRow
from demopack.pack.rules import RULES, Finding
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource, raw_lines
from demopack.redaction.matches import SECRET_KINDS, Match
from demopack.redaction.recognisers import recognise, recognise_named
from demopack.redaction.summary import KIND_WORDS, masked
from demopack.redaction.values import Value

_FIELDS = frozenset({
    field.alias or name
    for model in (DemoRow, StepRow, AlternativeRow, ElementRow, StoredFrame, FrameRow, CaptureQuality, Pointer,
                  LLMResponse, ActionBase, ActionTarget, Rationale, Provenance, StepVerdict, DemoVerdict, SubScore,
                  Origin, TreeRow, TreeNode, TreeReading, TextLine, ValueRange)
    for name, field in model.model_fields.items()
} | {"parameters"})  # fmt: skip
"""Names that the schemas give say nothing about anybody."""
_MAX_SHORT_CHARACTERS = 500
_MAX_LONG = 1 << 20
_MIN_PICTURE = 64
"""Characters of base64; less holds no picture."""
PICTURE_URL: Final = re.compile(r"data:(?P<kind>image/[a-z+.-]+);base64,")
_PICTURE: Final = re.compile(r"(?:iVBORw0KGgo|/9j/|UklGR)[A-Za-z0-9+/]{60,}={0,2}")
"""How PNG, JPEG and WebP begin in base64."""
_MAX_CLEAN = 30_000
_MAX_MISREAD = 100
_IDS = frozenset({
    "id", "frame", "sha256", "uid", "target_uid", "end_uid", "parent", "parent_by_hand", "demo", "step", "file",
    "image", "path", "tree",
})  # fmt: skip
"""Fields that look thrown by dice because they are."""
_PLAIN_ID = re.compile(r"(?=.{1,100}\Z)(?:[a-z]{1,24}|[0-9a-f]{1,12})(?:_(?:[a-z]{1,24}|[0-9a-f]{1,12}))*")
"""Small words and short hexadecimal numbers: too short for a card, an account or a token, and no address."""


_OWN_ID = re.compile(r"demo_[0-9a-f]{10}(?:[_-]{1,2}[a-z0-9]{1,12})*")
"""A demo's id, with whatever exports and people hang on to it; it stands in fields of any name, and in paths."""


# UTF-8 taken for Windows' Latin-1, as far as no language writes these letters one after the other.
_LOW = (
    "\u0080-\u00ba\u00bc-\u00bf\u0152\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018\u201a\u201c"
    "\u201e\u2020\u2021\u2022\u2030\u2039\u20ac\u2122\u0153"
)
_MISREAD = re.compile(  # one set of letters in front: of most texts nothing else is looked for
    rf"[\u00c2\u00c3\u00d0\u00d1\u00e2-\u00f0](?:(?<=\u00c3)[{_LOW}]|(?<=\u00c2)[\u0080-\u00ba\u00bc-\u00bf]"
    rf"|(?<=[\u00d0\u00d1])[{_LOW}][\u00d0\u00d1][{_LOW}]|(?<=\u00e2)\u20ac|(?<=\u00f0)\u0178"
    rf"|(?<=[\u00e3-\u00ef])[{_LOW}]{{2}})"
)


@dataclass(slots=True)
class _Seen:
    """One value: where it was met first, and how often."""

    match: Match
    file: str
    line: int | None
    field: str
    places: int = 0


class PrivateScan:
    """H06, P02, P03 and P06: looks through texts as they are read, and reports each value once, at its first place.

    The message does not repeat the value, because what a check prints is often kept in public.

    Args:
        kept: digests of what a person decided to keep; it is passed over.
        names: of this machine and its user; looked for as whole words.
    """

    def __init__(self, kept: Iterable[str] = (), *, names: Iterable[str] = ()) -> None:
        self._kept = set(kept)
        self._seen: dict[str, _Seen] = {}
        self._named: dict[str, tuple[str, int | None]] = {}
        self._clean: set[tuple[str, str]] = set()
        self._misread: dict[tuple[str, str], int | None] = {}
        words = "|".join(re.escape(name) for name in names)
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def row(self, name: str, line: int | None, data: object) -> None:
        """Look through every text of a JSON value, and through the names of its fields."""
        clean = self._clean
        stack: list[tuple[object, str, _Way | None]] = [([data], "", None)]
        while stack:
            value, leaf, way = stack.pop()
            pairs: Iterable[tuple[str, object]]
            if isinstance(value, dict):
                fields = cast("dict[str, object]", value)
                pairs = fields.items()
                if not _FIELDS.issuperset(fields):
                    for key in fields.keys() - _FIELDS:
                        self._look(name, line, "", key, way or (None, ""))
            else:
                pairs = zip(repeat(leaf), cast("list[object]", value), strict=False)
            for key, item in pairs:
                if isinstance(item, str):
                    # Most texts of a pack are ids and words that come on every row.
                    if (key, item) not in clean and not (key in _IDS and _PLAIN_ID.fullmatch(item)):
                        self._look(name, line, key, item, way if key is leaf else (way, key))
                elif item and isinstance(item, (dict, list)):
                    stack.append((cast("object", item), key, way if key is leaf else (way, key)))

    def text(self, name: str, line: int | None, field: str, text: str) -> None:
        """Look through one text; ``field`` says what it is called, empty for running text."""
        self._look(name, line, field, text, (None, field))

    def _look(self, name: str, line: int | None, leaf: str, text: str, way: _Way | None) -> None:
        if len(text) > _MIN_PICTURE and _is_picture(text):
            return  # the letters of a picture mean nothing, and among so many some look like keys
        self._look_at_letters(name, line, text)
        found = False
        length = len(text)
        look = _in_short if length <= _MAX_SHORT_CHARACTERS else _in_long if length <= _MAX_LONG else _look_for
        for match in look(leaf, text):
            # A guess about a lone word is a question for the person who typed it, not for a reader of the pack.
            if match.kind == "maybe_password":
                continue
            if match.kind == "key" and (leaf in _IDS or _OWN_ID.match(leaf) or _OWN_ID.fullmatch(match.value)):
                continue
            found = True
            value = Value(kind=match.kind, text=match.value).digest
            if value not in self._kept:
                self._seen.setdefault(value, _Seen(match, name, line, _dotted(way))).places += 1
        if self._names is not None:
            for word in self._names.findall(text):
                found = True
                self._named.setdefault(word.lower(), (name, line))
        if not found and len(text) <= _MAX_SHORT_CHARACTERS:
            if len(self._clean) >= _MAX_CLEAN:
                self._clean.clear()
            self._clean.add((leaf, text))

    def _look_at_letters(self, name: str, line: int | None, text: str) -> None:
        if not text.isascii() and len(self._misread) < _MAX_MISREAD:
            found = _MISREAD.search(text)
            if found is not None:
                self._misread.setdefault((name, found[0]), line)

    def findings(self) -> Iterator[Finding]:
        """One for each value."""
        for one in self._seen.values():
            rule = RULES["P02" if one.match.kind in SECRET_KINDS else "P03"]
            yield rule.broken(one.file, one.line, _message(one))
        for word, (file, line) in self._named.items():
            yield RULES["P06"].broken(file, line, f"The name {masked(word)} is that of this machine or its user.")
        for (file, letters), line in self._misread.items():
            # The letters alone: the word may be somebody's name.
            yield RULES["H06"].broken(file, line, f"It holds {letters!r}: {_meant(letters)}.")


def _meant(letters: str) -> str:
    with contextlib.suppress(UnicodeError):
        return f"that is {letters.encode('cp1252').decode()!r} in UTF-8"
    return "that is part of a letter in UTF-8"


def _is_picture(text: str) -> bool:
    """Whether a text is a picture in base64, with or without ``data:`` before it."""
    url = PICTURE_URL.match(text)
    if url is not None and " " not in text:  # a letter in it that is none of base64's is told as a broken picture
        return _PICTURE.match(text, url.end()) is not None
    return _PICTURE.fullmatch(text) is not None


def _look_for(name: str, text: str) -> tuple[Match, ...]:
    return tuple(recognise_named(name, text) if name else recognise(text))


# The same texts come again and again, in one pack and from check to check; of long ones few are remembered, and none of
# those that would fill the memory.
_in_short = lru_cache(maxsize=20_000)(_look_for)
_in_long = lru_cache(maxsize=64)(_look_for)


def _message(one: _Seen) -> str:
    what = KIND_WORDS[one.match.kind]
    article = "An" if what[0] in "aeio" else "A"  # a user name
    where = f" in {one.field}" if one.field else ""
    more = f"; it stands in {one.places} places" if one.places > 1 else ""
    return f"{article} {what} ({masked(one.match.value)}){where}{more}."


_Way = tuple["_Way | None", str]
"""A field and those around it."""


def _dotted(way: _Way | None) -> str:
    parts: list[str] = []
    while way is not None:
        parts.append(way[1])
        way = way[0]
    return ".".join(reversed(parts))


_CHUNK = 64 << 10
_BRACKETS = re.compile(r"[\[\]{}]+")
_MANY_BRACKETS = re.compile(r"[\[\]{}]{9,}")
"""More of them than any value has."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
"""Markdown: a sign after a backslash is that sign."""
_NO_TEXT = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".parquet", ".tar", ".arrow", ".zip", ".bin", ".npz")


def scan_file(source: PackSource, name: str, scan: PrivateScan) -> None:
    """Look through one file for what is private; a picture or a file that is no text is passed over."""
    if name.lower().endswith(_NO_TEXT):
        return
    try:
        if name.endswith(".json"):
            text = read_small(source, name).decode("utf-8")
            if text != schema_files().get(name.removeprefix("schema/")):  # as shipped, it is nobody's data
                scan_value(name, None, text, scan)
        elif name.endswith(".jsonl"):
            for number, line in enumerate(raw_lines(source, name), start=1):
                scan_value(name, number, line.decode("utf-8"), scan)
        else:
            for number, piece in _pieces(source, name):
                # As a reader of the page or the card sees it: a masked text has its brackets escaped there.
                shown = _ESCAPED.sub(r"\1", piece) if name.endswith(".md") else piece
                scan.text(name, number, "", html.unescape(shown))
    except (PackError, UnicodeDecodeError):
        return  # what cannot be read is reported by other rules


def scan_value(name: str, line: int | None, text: str, scan: PrivateScan) -> None:
    """Look through a text that should be JSON."""
    try:
        value: object = json.loads(text) if text.strip() else ""
    except (ValueError, RecursionError) as error:
        # Ids and sums cannot be told from keys here; everything else can be found all the same. What is nested too
        # deeply is the same again and again, and is looked at once.
        brackets = _BRACKETS if isinstance(error, RecursionError) else _MANY_BRACKETS
        scan.text(name, line, "file", "\n".join(dict.fromkeys(brackets.split(text))))
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


_COMMON = frozenset({
    "admin", "administrator", "debian", "default", "demo", "docker", "fedora", "guest", "home", "host", "laptop",
    "local", "localhost", "main", "name", "nobody", "owner", "public", "root", "runner", "server", "test", "tests",
    "ubuntu", "user", "users", "windows", "work", "worker", "desktop",
})  # fmt: skip
"""Names that say nothing about anybody, and stand in many texts."""


def machine_names() -> list[str]:
    """The names of this machine and its user, as far as they would give anybody away."""
    found = {socket.gethostname(), socket.gethostname().split(".")[0]}
    with contextlib.suppress(OSError, KeyError):  # an account without a name
        found.add(getpass.getuser())
    return sorted(name for name in found if len(name) >= 4 and name.lower() not in _COMMON)


def check_publish(source: PackSource, manifest: Manifest) -> Iterator[Finding]:
    """L02 to L04."""
    if not manifest.consent.strip():
        yield RULES["L02"].broken(MANIFEST, None, "consent is empty.")
    if "redaction" not in manifest.model_fields_set:
        yield RULES["L04"].broken(MANIFEST, None, "redaction is missing.")
    undecided = sum(manifest.redaction.open.values())
    if undecided:
        values = "value" if undecided == 1 else "values"
        yield RULES["L04"].broken(MANIFEST, None, f"Nobody decided about {undecided} {values} that may be private.")
    with contextlib.suppress(PackError, ValueError, RecursionError):  # reported with the tables
        for number, line in enumerate(raw_lines(source, DEMOS), start=1):
            row = as_row(json.loads(line))
            if row is not None and not str(row.get("app", "")).strip():
                yield RULES["L03"].broken(DEMOS, number, "app is empty.")
