"""JSON and JSON Lines as a pack holds them: UTF-8, LF, one object a line, no NaN, no line separators inside texts."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar, cast

from pydantic import ValidationError

from demopack.domain.records import Record
from demopack.errors import BadInputError
from demopack.json_text import parse_json

_R = TypeVar("_R", bound=Record)

_MAX_VALUES = 1_000_000
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
    if text.count(",") > _MAX_VALUES:
        raise ValueError(f"it holds more than {_MAX_VALUES:,} values")
    data: object = parse_json(text, unique=True)
    if not isinstance(data, dict):
        raise ValueError(f"it is {type(data).__name__}, not an object")
    return cast("dict[str, Any]", data)


class LineError(ValueError):
    """A line of a table that is no row.

    Attributes:
        kind: it is no ``text``, no JSON ``object``, or its ``fields`` do not fit.
        why: in words, without a full stop.
        data: the object, as far as there is one.
    """

    def __init__(self, kind: Literal["text", "object", "fields"], why: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why
        self.data = data


def parse_line(line: bytes, model: type[_R]) -> tuple[dict[str, Any], _R]:
    """One line of a table as it stands there and as a row: every value is of its type already, none is bent to fit.

    Raises:
        LineError: it is no row.
    """
    try:
        data = parse_object(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise LineError("text", str(error)) from error
    except ValueError as error:
        raise LineError("object", str(error)) from error
    try:
        return data, model.model_validate_json(line, strict=True)
    except ValidationError as error:
        raise LineError("fields", first_problem(error), data) from error


def parse_row(line: bytes, model: type[_R]) -> _R:
    """One line of a table as a row, in a third of the time of :func:`parse_line`, which alone notices a doubled key.

    For rows that hold each of their numbers to :data:`demopack.json_text.MAX_NUMBER` themselves.

    Raises:
        LineError: it is no row.
    """
    if len(line) <= _MAX_VALUES:  # so it has no more values, either
        try:
            # As ``model_validate_json``, which spends a fifth of the time on its arguments.
            row: _R = model.__pydantic_validator__.validate_json(line, strict=True)
            return row
        except ValidationError:
            pass  # what is wrong, and of which kind, is found out below
    return parse_line(line, model)[1]


def first_problem(error: ValidationError) -> str:
    """The first field that is wrong, and how, without a full stop."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{field}: {first['msg']}" if field else str(first["msg"])
