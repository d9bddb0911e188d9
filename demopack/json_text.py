"""JSON that came from elsewhere: nothing in it that could not be stored, counted with, or written again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn, cast

__all__ = ["LARGEST_NUMBER", "parse_json", "whole_characters"]

LARGEST_NUMBER: Final = 1 << 62
"""No number is as large, either way: two of them can be added, and a data base holds the sum."""
_MOST_DIGITS = 19
_DEEPEST = 200
"""Values in each other; what shows or writes them goes down with them, and Python not much further."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALVES = re.compile(
    r"(?P<whole>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


def parse_json(text: str, *, unique: bool = False) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value.

    Args:
        text: of one value.
        unique: whether a key that stands twice in an object is a mistake.

    Raises:
        ValueError: it is not JSON, nested too deeply, or holds a key twice, half a character, or a number that is NaN,
            infinite or beyond :data:`LARGEST_NUMBER`; the message says which.
    """
    try:
        value: object = (_UNIQUE if unique else _DECODER).decode(text)
        if _SURROGATE.search(text):
            # Half a character has no place in any file or table; pairs are whole ones.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        if text.count("{") + text.count("[") > _DEEPEST and _is_deep(value):
            raise ValueError("it is nested too deeply")
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise ValueError("it holds half a character, a lone surrogate") from error
    return value


def whole_characters(text: str) -> str:
    """The text with � for each half of a character, also where JSON spells it as an escape; whole ones stay."""
    if "\\u" in text:
        text = _HALVES.sub(lambda found: found["whole"] or "\\ufffd", text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for one in level for inner in _inside(one) if isinstance(inner, (dict, list))]
        if not level:
            return False
    return True


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).values()
    return cast("list[object]", value) if isinstance(value, list) else ()


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _too_large(text: str) -> NoReturn:
    shown = text if len(text) <= 20 else f"{text[:20]}…"
    raise ValueError(f"the number {shown} is larger than anything that can be meant")


def _whole(text: str) -> int:
    if len(text) <= _MOST_DIGITS and -LARGEST_NUMBER < (number := int(text)) < LARGEST_NUMBER:
        return number
    _too_large(text)


def _real(text: str) -> float:
    if -LARGEST_NUMBER < (number := float(text)) < LARGEST_NUMBER:
        return number
    _too_large(text)


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key stands twice")
    return data


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_int=_whole, parse_float=_real)
_UNIQUE = json.JSONDecoder(
    parse_constant=_no_constant, parse_int=_whole, parse_float=_real, object_pairs_hook=_no_twice
)
