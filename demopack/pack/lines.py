"""JSON and JSON Lines as a pack holds them: UTF-8, LF, one object a line, no NaN, no line separators inside texts."""

from __future__ import annotations

import json
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.json_text import parse_json

__all__ = ["dump_line", "dump_pretty", "first_problem", "parse_object", "read_row", "validated"]

_R = TypeVar("_R", bound=Record)

_MOST_VALUES = 1_000_000
"""Of one row, or of a manifest: each takes fifty times as much room in memory as in the file."""
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
        ValueError: it is not one, or holds what :func:`demopack.json_text.parse_json` refuses, a key twice, or more
            values than any row has.
    """
    if text.count(",") > _MOST_VALUES:
        raise ValueError(f"it holds more than {_MOST_VALUES:,} values")
    data: object = parse_json(text, unique=True)
    if not isinstance(data, dict):
        raise ValueError(f"it is {type(data).__name__}, not an object")
    return cast("dict[str, Any]", data)


def read_row(line: bytes, model: type[_R]) -> _R:
    """One line of a table, held to the same rules by everybody who reads packs.

    Raises:
        ValidationError: it does not fit its schema.
        ValueError: as :func:`parse_object`, or it is not UTF-8.
    """
    parse_object(line.decode("utf-8"))
    return validated(line, model)


def validated(line: bytes, model: type[_R]) -> _R:
    """A line that :func:`parse_object` takes, as a row: every value is of its type already, none is bent to fit.

    Raises:
        ValidationError: it does not fit its schema.
    """
    return model.model_validate_json(line, strict=True)


def first_problem(error: ValidationError) -> str:
    """The first field that is wrong, and how, without a full stop."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else str(first["msg"])
