"""Private value, however it is written: its normal form, its digest, and where it occurs in a text."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from demopack.redaction.matches import PLACEHOLDER, SECRET_KINDS, Kind

_NUMBERS: Final[frozenset[Kind]] = frozenset({"card", "iban", "phone"})
_GAPS = re.compile(r"[\s\u00a0\u2009\u202f./()-]+")
_ANY_GAP = r"[\s\u00a0\u2009\u202f./()-]{0,3}"
_INSIDE_WORDS = 8  # a secret of this length is one even where it hangs on other characters
_MIN_RATIO = 0.85  # a reading from a picture with one wrong character in eight is still the same text


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One private value.

    Attributes:
        kind: what it is.
        text: as it was met first.
    """

    kind: Kind
    text: str

    @property
    def normal(self) -> str:
        """The form in which two spellings are equal: no case, and numbers without their gaps."""
        return (_GAPS.sub("", self.text) if self.kind in _NUMBERS else self.text.strip()).casefold()

    @property
    def digest(self) -> str:
        """Equal for every spelling, and tells nothing."""
        return hashlib.sha256(self.normal.encode()).hexdigest()[:24]


class ValueFinder:
    """Finds some values in texts: in any case, numbers with any gaps, alone or inside a longer text.

    Of two values that begin at one place the longer counts. What stands in a placeholder is never found.
    """

    def __init__(self, values: Iterable[Value]) -> None:
        self._values = sorted(values, key=lambda value: (-len(value.text), value.text))
        patterns = [f"({PLACEHOLDER.pattern})", *(f"({_pattern(value)})" for value in self._values)]
        self._any = re.compile("|".join(patterns), re.IGNORECASE)
        # The second sequence is what a matcher works on beforehand, so each value keeps its own.
        self._long = [
            (value, difflib.SequenceMatcher(None, "", value.normal, autojunk=False))
            for value in self._values
            if len(value.normal) >= _INSIDE_WORDS
        ]
        self._read: dict[str, Value | None] = {}

    def find(self, text: str) -> list[Value]:
        """The value at each place, in the order of the text, without overlaps."""
        if not self._values:
            return []
        return [value for found in self._any.finditer(text) if (value := self._value(found)) is not None]

    def replaced(self, text: str, names: Mapping[str, str]) -> str:
        """The text with each value's placeholder in its place; ``names`` has one for every digest."""

        def name(found: re.Match[str]) -> str:
            value = self._value(found)
            return found.group() if value is None else names[value.digest]

        return self._any.sub(name, text) if self._values else text

    def _value(self, found: re.Match[str]) -> Value | None:
        """The value of a match; its group 1 is a placeholder, the others are the values."""
        group = found.lastindex or 1
        return None if group == 1 else self._values[group - 2]

    def replaced_read(self, text: str, names: Mapping[str, str]) -> str:
        """As :meth:`replaced`, for a text that was read off a picture and may be read wrongly."""
        new = self.replaced(text, names)
        alike = self.alike(text) if new == text else None
        return new if alike is None else names[alike.digest]

    def alike(self, text: str) -> Value | None:
        """The value that the whole text is, but for a few characters that were read wrongly off a picture."""
        if text not in self._read:
            self._read[text] = next((value for value, matcher in self._long if _is_alike(text, value, matcher)), None)
        return self._read[text]


def _is_alike(text: str, value: Value, matcher: difflib.SequenceMatcher[str]) -> bool:
    read = Value(kind=value.kind, text=text).normal
    if abs(len(read) - len(value.normal)) * 5 > len(value.normal):
        return False
    matcher.set_seq1(read)
    return all(ratio() >= _MIN_RATIO for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio))


def _pattern(value: Value) -> str:
    if value.kind in _NUMBERS:
        body = _ANY_GAP.join(re.escape(char) for char in _GAPS.sub("", value.text))
        return rf"(?<![A-Za-z0-9]){body}(?![A-Za-z0-9])"
    text = value.text.strip()
    body = r"\s+".join(re.escape(part) for part in text.split())
    if value.kind in SECRET_KINDS and len(text) >= _INSIDE_WORDS:
        return body
    before = r"(?<!\w)" if text[:1].isalnum() else ""
    after = r"(?!\w)" if text[-1:].isalnum() else ""
    return f"{before}{body}{after}"
