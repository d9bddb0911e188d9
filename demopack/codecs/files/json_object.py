"""Values out of foreign JSON: each with its place, so that what is wrong can be named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from demopack.errors import BadInputError
from demopack.json_text import as_list, object_in, parse_json

_USUAL_HINT: Final = "Correct it in the file, or leave such rows out with --skip-bad; they are counted."


class BadRowError(BadInputError):
    """One row, step or file that cannot be read as it should.

    Attributes:
        file: inside the folder or the zip.
        line: from 1; 0 where the file has no lines of its own.
        field: which value is wrong, for instance ``traj[3].value.code``; may be empty.
        why: what is wrong, in a few words, without the place.
        code: a stable name of the kind of mistake.
    """

    def __init__(
        self, why: str, *, file: str, line: int = 0, field: str = "", code: str = "damaged", hint: str = ""
    ) -> None:
        parts = [file, f"line {line}" if line else "", f"the field {field}" if field else ""]
        where = ", ".join(part for part in parts if part)
        super().__init__(f"{where}: {why.rstrip('.')}.", hint=hint or _USUAL_HINT)
        self.file = file
        self.line = line
        self.field = field
        self.why = why
        self.code = code

    @property
    def place(self) -> str:
        """Where, for a report."""
        return ", ".join(part for part in (self.file, f"line {self.line}" if self.line else "", self.field) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """An object in a file.

    Attributes:
        data: its fields.
        file: where it stands.
        line: from 1; 0 where the file is one JSON value.
        at: the path of fields that leads to it; empty at the top.
        twice: fields that held JSON inside a text, noted while reading.
    """

    data: Mapping[str, Any]
    file: str
    line: int = 0
    at: str = ""
    twice: list[str] = field(default_factory=list[str])

    @property
    def place(self) -> str:
        """Where, for a report."""
        return self.wrong("", "").place

    def path(self, name: str) -> str:
        """The full name of a field."""
        return f"{self.at}.{name}" if self.at and name else self.at or name

    def wrong(self, name: str, why: str, *, code: str = "damaged", hint: str = "") -> BadRowError:
        """The error about one of its fields."""
        return BadRowError(why, file=self.file, line=self.line, field=self.path(name), code=code, hint=hint)

    def get(self, name: str) -> Any:  # noqa: ANN401 - any JSON value
        """A field as it is; None where it is missing."""
        return self.data.get(name)

    def text(self, name: str, *, default: str | None = "") -> str:
        """A text; numbers count as their digits.

        Raises:
            BadRowError: it is something else, or missing while there is no default.
        """
        value = self.data.get(name)
        if value is None and default is not None:
            return default
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise self.wrong(name, "it is missing" if value is None else f"it is {_kind(value)}, not a text")
        return value

    def number(self, name: str) -> float | None:
        """A number, also where it was written as a text; None where it is missing.

        Raises:
            BadRowError: it is something else.
        """
        value = self.data.get(name)
        if value is None or value == "":
            return None
        try:
            found = float(value) if not isinstance(value, bool) else math.nan
        except (TypeError, ValueError):
            found = math.nan
        if not math.isfinite(found):
            raise self.wrong(name, f"it is {value!r}, not a number")
        return found

    def flag(self, name: str) -> bool | None:
        """True or false; None where it is missing.

        Raises:
            BadRowError: it is something else.
        """
        value = self.data.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, f"it is {_kind(value)}, not true or false")
        return value

    def row(self, name: str) -> JsonObject | None:
        """An object inside this one; None where it is missing.

        Raises:
            BadRowError: it is something else.
        """
        value = self._inner(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(name, f"it is {_kind(value)}, not an object")
        return self._child(self.path(name), object_in(value))

    def rows(self, name: str) -> list[JsonObject]:
        """A list of objects; empty where it is missing.

        Raises:
            BadRowError: it is something else.
        """
        value = self._inner(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(name, f"it is {_kind(value)}, not a list")
        found: list[JsonObject] = []
        for number, item in enumerate(as_list(value)):
            item = unpacked(item)[0]
            if not isinstance(item, dict):
                raise self.wrong(f"{name}[{number}]", f"it is {_kind(item)}, not an object")
            found.append(self._child(f"{self.path(name)}[{number}]", object_in(item)))
        return found

    def _inner(self, name: str) -> Any:  # noqa: ANN401 - any JSON value
        value, twice = unpacked(self.data.get(name))
        if twice and self.path(name) not in self.twice:
            self.twice.append(self.path(name))
        return value

    def _child(self, at: str, data: Mapping[str, Any]) -> JsonObject:
        return JsonObject(data=data, file=self.file, line=self.line, at=at, twice=self.twice)


def unpacked(value: Any) -> tuple[Any, bool]:  # noqa: ANN401 - any JSON value
    """The value, with JSON inside a text read again; and whether that was so."""
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            return parse_json(value), True
        except ValueError:
            return value, False
    return value, False


def _kind(value: object) -> str:
    names = {
        "dict": "an object",
        "list": "a list",
        "str": "a text",
        "bool": "true or false",
        "int": "a number",
        "float": "a number",
    }
    return names.get(type(value).__name__, "null")
