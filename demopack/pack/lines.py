"""JSON and JSON Lines as a pack holds them: UTF-8, LF, one object a line, no NaN, no line separators inside texts."""

from __future__ import annotations

import json
from typing import Any, cast

from demopack.domain.records import Record
from demopack.errors import BadInputError

__all__ = ["dump_line", "dump_pretty", "parse_object"]

# Legal in JSON, but some readers end a line there.
_SEPARATORS = str.maketrans({"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def dump_line(row: Record | dict[str, Any]) -> str:
    """One row as one line, with its line end.

    Raises:
        BadInputError: the row holds a number that JSON has no word for.
    """
    return _dump(row, indent=None) + "\n"


def dump_pretty(value: Record | dict[str, Any]) -> str:
    """A whole file, indented, with a line end.

    Raises:
        BadInputError: it holds a number that JSON has no word for.
    """
    return _dump(value, indent=2) + "\n"


def _dump(value: Record | dict[str, Any], *, indent: int | None) -> str:
    data = value.to_json() if isinstance(value, Record) else value
    try:
        text = json.dumps(data, ensure_ascii=False, indent=indent, allow_nan=False)
        # Looking for them first is thirty times faster than replacing what is hardly ever there.
        return text.translate(_SEPARATORS) if any(chr(code) in text for code in _SEPARATORS) else text
    except ValueError as error:
        where = " ".join(str(data[key]) for key in ("demo", "step") if key in data)
        raise BadInputError(
            f"A value of {where or 'the pack'} is not a number that JSON can hold (NaN or infinite).",
            details=str(error),
            hint="Correct the step in the editor, then export again.",
        ) from error


def parse_object(text: str) -> dict[str, Any]:
    """One JSON object.

    Raises:
        ValueError: it is not one, a key stands twice, or a number is NaN or infinite; the message says which.
    """
    try:
        data: object = _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(data, dict):
        raise ValueError(f"it is {type(data).__name__}, not an object")
    return cast("dict[str, Any]", data)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a key stands twice")
    return data


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_twice)
