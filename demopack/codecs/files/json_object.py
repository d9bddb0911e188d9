"""Values out of foreign JSON: each with its place, so that what is wrong can be named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from pydantic import ValidationError

from demopack.domain.records import as_moment
from demopack.errors import BadInputError
from demopack.json_text import MAX_NUMBER, as_list, object_in, parse_json

_USUAL_HINT: Final = "Correct it in the file, or leave such rows out with --skip-bad; they are counted."
_DAY_S, _LAST_S = 86_400, 1 << 32
"""No clock of a recorder counts further than to the year 2106; nanoseconds of it have room in 64 bits."""


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


def unfit(error: ValidationError, place: str) -> BadRowError:
    """What a source says and no demo can hold, told with its place in the source."""
    wrong = error.errors(include_url=False)[0]
    name = ".".join(map(str, wrong["loc"]))
    return BadRowError(f"it makes no demo ({name}: {wrong['msg']})", file=place, code="unfit")


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
        if not abs(found) < MAX_NUMBER:
            what = "larger than anything that can be meant" if math.isfinite(found) else "not a number"
            raise self.wrong(name, f"it is {value!r}, {what}")
        return found

    def seconds(self, name: str) -> float | None:
        """A clock's time, from 1970 or from a recording's begin, which may lie up to a day later; None where missing.

        Raises:
            BadRowError: it is something else, or no clock shows it.
        """
        found = self.number(name)
        if found is not None and not -_DAY_S <= found <= _LAST_S:
            raise self.wrong(name, f"{found:.15g} is no time in seconds that a clock shows", code="no_time")
        return found

    def moment(self, name: str, given: datetime | float) -> datetime:
        """A time of a wall clock, in seconds since 1970 or as such; one without a time zone is UTC.

        Args:
            name: of the field that says it, for the error.
            given: what it says.

        Raises:
            BadRowError: no clock shows it.
        """
        try:
            found = as_moment(given if isinstance(given, datetime) else datetime.fromtimestamp(given, tz=UTC))
            if found.timestamp() <= _LAST_S:
                return found
        except (ValueError, OverflowError, OSError):
            pass
        raise self.wrong(name, f"{given} is no time between the years 1970 and 2106", code="no_time")

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
