"""JSON that came from elsewhere: nothing in it that could not be stored, counted with, or written again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn, cast

MAX_NUMBER: Final = 1 << 62
"""No number is as large, either way: two of them can be added, and a data base holds the sum."""
_MAX_DIGITS = 19
_MAX_DEPTH = 200
"""Values in each other; what shows or writes them goes down with them, and Python not much further."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALVES = re.compile(
    r"(?P<whole>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)

# A text that nobody closed goes to the end: what is tried once is not tried again from each quote inside it.
_COMMENT = re.compile(r'(?P<string>"(?:[^"\\]|\\.)*+"?)|//[^\r\n]*', re.DOTALL)


def without_comments(text: str) -> str:
    """JSON as people write it, with blanks for each comment from ``//`` to the end of its line; texts stay as they are.

    Every character keeps its place, so that an error still names the right one.
    """
    if "//" not in text:
        return text
    return _COMMENT.sub(lambda found: found["string"] or " " * len(found.group()), text)


def parse_json(text: str, *, unique: bool = False) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value.

    Args:
        text: of one value.
        unique: whether a key that stands twice in an object is a mistake.

    Raises:
        ValueError: it is not JSON, nested too deeply, or holds a key twice, half a character, or a number that is NaN,
            infinite or beyond :data:`MAX_NUMBER`; the message says which.
    """
    try:
        value: object = (_UNIQUE if unique else _DECODER).decode(text)
        if _SURROGATE.search(text):
            # Half a character has no place in any file or table; pairs are whole ones.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        if text.count("{") + text.count("[") > _MAX_DEPTH and _is_deep(value):
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
    level: list[Any] = [[value]]
    for _ in range(_MAX_DEPTH + 1):
        # Exact types are compared in half the time; the decoder makes no others.
        level = [inner for one in level for inner in _inside(one) if type(inner) is dict or type(inner) is list]
        if not level:
            return False
    return True


def _inside(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _too_large(text: str) -> NoReturn:
    shown = text if len(text) <= 20 else f"{text[:20]}…"
    raise ValueError(f"the number {shown} is larger than anything that can be meant")


def _whole(text: str) -> int:
    if len(text) <= _MAX_DIGITS and -MAX_NUMBER < (number := int(text)) < MAX_NUMBER:
        return number
    _too_large(text)


def _real(text: str) -> float:
    if -MAX_NUMBER < (number := float(text)) < MAX_NUMBER:
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


def as_row(value: object) -> dict[str, Any] | None:
    """An object as such; None for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def object_in(value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """An object as such; empty for anything else."""
    return as_row(value) or {}


def as_list(value: Any) -> list[object]:  # noqa: ANN401 - any JSON value
    """A list as such; empty for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def as_rows(value: object) -> list[dict[str, Any]]:
    """The objects of a list; empty for anything else."""
    return [row for item in as_list(value) if (row := as_row(item)) is not None]
