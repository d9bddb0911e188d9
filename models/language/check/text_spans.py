"""Words, sentences and quotes with their places in a text; and whether two names are one, slips of reading aside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from demopack.domain.text_likeness import edit_distance


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A piece of a text, in characters; the end is exclusive."""

    start: int
    end: int

    @classmethod
    def of(cls, match: re.Match[str], *, offset: int = 0) -> TextSpan:
        """Where a pattern matched, in a text that begins at ``offset`` of a longer one."""
        return cls(offset + match.start(), offset + match.end())

    def overlaps(self, others: Iterable[TextSpan]) -> bool:
        """Whether it shares a character with one of them."""
        return any(self.start < other.end and other.start < self.end for other in others)


def compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Regular expressions that do not look at case."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_QUOTES: Final = compiled(
    r"“([^“”\n]*)”",
    r"„([^„“”\n]*)[“”]",
    r"«\s?([^«»\n]*?)\s?»",
    r"[「『]([^「」『』\n]*)[」』]",
    r"\*\*([^*\n]+)\*\*",
    r"`([^`\n]+)`",
    r"(?<!\w)\"([^\"\n]{1,160})\"",
    r"(?<!\w)‘([^‘\n]{1,120}?)’(?!\w)",  # noqa: RUF001
    r"(?<!\w)'([^'\n]{1,120}?)'(?!\w)",
)
_WORD: Final = re.compile(r"[^\W_]+")
_END: Final = re.compile(r"[.!?。！？]+[\"”’»)\]*]*(?=\s|$)|\n+|[。！？]")  # noqa: RUF001 - full stops of other scripts
_ABBREVIATION: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|no|approx|Mr|Ms|Mrs|Dr|St)|\b[A-Z])\.$")
_MAX_SLIPS: Final = 3
_LIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "ı": "l", "!": "l"})  # noqa: RUF001


def words(text: str) -> list[tuple[str, TextSpan]]:
    """The words as they stand, letters and digits only, each with its place."""
    return [(match.group(), TextSpan.of(match)) for match in _WORD.finditer(text)]


@lru_cache(maxsize=1024)
def quotes(text: str) -> tuple[re.Match[str], ...]:
    """What stands in quotes of any kind, in order, its words as group 1; of quotes within quotes the outer ones."""
    found: list[re.Match[str]] = []
    for pattern in _QUOTES:
        for match in pattern.finditer(text):
            if not TextSpan.of(match).overlaps(map(TextSpan.of, found)):
                found.append(match)
    return tuple(sorted(found, key=lambda match: match.start()))


_IN_QUOTES: Final = re.compile(
    r"“[^”]*”|\"[^\"]*\"|‘[^’]*’|`[^`]*`|\*\*[^*]*\*\*|(?<!\w)'[^']*'(?!\w)|«[^»]*»"  # noqa: RUF001
)


def unquoted(text: str) -> str:
    """The text with its quotes filled with a letter, of the same length: names must not look like words."""
    return _IN_QUOTES.sub(lambda match: "N" * len(match.group()), text)


def sentences(text: str) -> list[TextSpan]:
    """The sentences, without the spaces around them; a full stop inside quotes ends none."""
    found: list[TextSpan] = []
    start = 0
    for match in _END.finditer(text):
        inside = any(quoted.start(1) <= match.start() < quoted.end(1) - 1 for quoted in quotes(text))
        if inside or _ABBREVIATION.search(text[start : match.end()]):
            continue
        found += _trimmed(text, start, match.end())
        start = match.end()
    return found + _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> list[TextSpan]:
    piece = text[start:end]
    if not piece.strip():
        return []
    return [TextSpan(start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip()))]


@lru_cache(maxsize=4096)
def fold(text: str) -> tuple[str, ...]:
    """The words of a name for comparison: case, width and punctuation do not count.

    A name without letters and digits is kept as one word, so that ``+`` differs from ``-``.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = tuple(_WORD.findall(plain))
    return found or tuple(plain.split())


def same_name(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether two folded names are one: equal, or different only by what reading from pixels gets wrong.

    Digits must agree: ``Order 1003`` is not ``Order 1008``. Names of less than seven characters must be equal but for
    look-alikes (``O`` and ``0``).
    """
    one, two = "".join(a), "".join(b)
    if one == two or not one or not two or abs(len(one) - len(two)) > _MAX_SLIPS + 2:
        return one == two
    one, two = _skeleton(one), _skeleton(two)
    if one == two:
        return True
    longest = max(len(one), len(two))
    allowed = 0 if longest < 7 else 1 if longest < 12 else 2 if longest < 24 else _MAX_SLIPS
    if allowed == 0 or abs(len(one) - len(two)) > allowed or _numbers(a) != _numbers(b):
        return False
    return edit_distance(one, two, limit=allowed) <= allowed


def within(name: Sequence[str], text: Sequence[str]) -> bool:
    """Whether the folded name is a run of whole words of the folded text, slips aside for names of two words on."""
    n = len(name)
    if not n or n > len(text):
        return False
    runs = [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]
    return tuple(name) in runs or (sum(map(len, name)) >= 8 and any(same_name(name, run) for run in runs))


def spread(name: Sequence[str], text: Sequence[str]) -> bool:
    """Whether every word of the folded name is somewhere in the folded text."""
    return bool(name) and all(word in text or any(same_name((word,), (other,)) for other in text) for word in name)


@lru_cache(maxsize=8192)
def _skeleton(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return bare.replace("rn", "m").replace("vv", "w").translate(_LIKE)


def _numbers(name: Sequence[str]) -> list[str]:
    """The words with digits."""
    return [_skeleton(word) for word in name if any(char.isdigit() for char in word)]
