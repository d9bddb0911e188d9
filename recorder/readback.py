"""What an input method made of the keys: the text that a field really got, where it is another than was typed. Pure."""

from __future__ import annotations

import unicodedata

__all__ = ["inserted", "read_back"]

_LONGEST = 4
"""An input method may make so many times more characters than keys were typed; more was not typed by the person."""


def read_back(typed: str, *, before: str, after: str) -> str | None:
    """The text to be kept instead of the typed one; None when the typed one is right.

    It is right when one of the two holds all characters of the other in their order, whatever their case: fields
    complete, format and capitalise what is typed, and reject characters. Everything else came from an input method, or
    was corrected by the program.

    Args:
        typed: the characters that the keys stand for.
        before: the field's value before the first key.
        after: its value after the last one.
    """
    got = inserted(before, after, typed_length=len(typed))
    if not got or len(got) > _LONGEST * max(len(typed), 4):
        return None
    a, b = _plain(typed), _plain(got)
    return None if _is_subsequence(a, b) or _is_subsequence(b, a) else got


def inserted(before: str, after: str, *, typed_length: int) -> str:
    """What was put in between ``before`` and ``after``: all but the beginning and the end that both share.

    Where something was replaced, the old and the new text may begin or end alike by chance; then the part is made
    longer, up to as many characters as were typed.
    """
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    got = len(after) - start - end
    if start + end < len(before) and got:
        widen = min(max(typed_length - got, 0), start)
        start -= widen
        end -= min(max(typed_length - got - widen, 0), end)
    return after[start : len(after) - end]


def _common(a: str, b: str) -> int:
    """How many characters two texts share at their beginning."""
    for number, (left, right) in enumerate(zip(a, b, strict=False)):
        if left != right:
            return number
    return min(len(a), len(b))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)
