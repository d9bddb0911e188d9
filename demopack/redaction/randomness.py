"""Strings that look thrown by dice: keys without a known prefix, and lone words that may be passwords."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator

from demopack.redaction.matches import Span

_RUN = re.compile(r"[A-Za-z0-9+/_=-]{20,400}", re.ASCII)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_NAMED_SUM = re.compile(r"sha(?:1|256|384|512)-")  # a checksum that says so, as web pages do
_FILE_END = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\b")
_MIN_ENTROPY = 3.4  # bits per character; English words of this length have the same, so it is only one of the signs
_MIN_ENTROPY_HEX = 2.7
_MIN_CHANGES_WORD = 0.25
_MIN_CHANGES = 0.3  # of neighbours that differ in class; words and dates in camel or snake case stay below


def keys(text: str) -> Iterator[Span]:
    """Random strings of 20 characters and more, apart from UUIDs, file names and paths."""
    for run in _RUN.finditer(text):
        if _names_a_file(text, run.start(), run.end()):
            continue
        start = run.start()
        for piece in _pieces(run.group()):
            value = piece.strip("-_/=") if "=" not in piece else piece.lstrip("-_/=")
            if _is_key(value):
                at = start + piece.index(value)
                yield "key", at, at + len(value)
            start += len(piece) + 1


def _pieces(run: str) -> list[str]:
    """A run is one key, or the parts of a path or of ``name=value``; parts are joined by one character."""
    words = [part for part in re.split(r"[/=]", run.rstrip("=")) if part]
    plain = sum(1 for part in words if len(part) <= 2 or (part.isalpha() and _changes(part) < _MIN_CHANGES_WORD))
    # The slashes and signs of a base64 text stand between random parts, those of a path between words.
    return [run] if plain * 3 <= len(words) else re.split(r"[/=]", run)


def _names_a_file(text: str, start: int, end: int) -> bool:
    return (
        _FILE_END.match(text, end) is not None or text[max(0, start - 1) : start] in {"\\", "."} or text[start] == "/"
    )


def _is_key(value: str) -> bool:
    if not 20 <= len(value) <= 400 or _UUID.search(value) or _NAMED_SUM.match(value):
        return False
    letters, digits = sum(c.isalpha() for c in value), sum(c.isdigit() for c in value)
    if letters < 3 or digits < (1 if len(value) >= 32 else 2):
        return False
    if _HEX.fullmatch(value):
        return len(value) >= 32 and _entropy(value) >= _MIN_ENTROPY_HEX
    return _entropy(value) >= _MIN_ENTROPY and _changes(value) >= _MIN_CHANGES


def _entropy(value: str) -> float:
    """Shannon's, in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _changes(value: str) -> float:
    """The share of neighbouring letters and digits that are of two classes: small, capital, digit.

    Where a sign joins them they are no neighbours: ``text_8_files_100_2_kb`` is made of words and numbers.
    """
    classes = [_class(char) for char in value]
    pairs = [pair for pair in itertools.pairwise(classes) if "sign" not in pair]
    return sum(a != b for a, b in pairs) / max(len(pairs), 1)


def _class(char: str) -> str:
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "upper" if char.isupper() else "lower"
    return "sign"


_NO_PASSWORD = re.compile(
    r"\w{2,10}://|www\.|[/~.]|[A-Za-z]:[\\/]|.*\.[A-Za-z][A-Za-z0-9]{1,4}(?:[/:?#]|$)|.*@.*\.|[\d.,:/+() -]+$|<"
)


def lone_password(text: str) -> Iterator[Span]:
    """The whole text, when it is one word of 10 to 64 characters that mixes three of small, capital, digit, sign."""
    word = text.strip()
    if not 10 <= len(word) <= 64 or any(char.isspace() for char in word) or _NO_PASSWORD.match(word):
        return
    # Dashes and underscores join the words of ordinary names.
    if _UUID.fullmatch(word) or len({_class(char) for char in word if char not in "-_"}) < 3:
        return
    start = text.index(word)
    yield "maybe_password", start, start + len(word)
