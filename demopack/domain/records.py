"""The base of everything that is written to disk."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final, Self, TypeAlias, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

MAX_PX: Final = 10**9
"""No pixel lies further away from the origin of a desktop; what says so is damaged."""
Pixels: TypeAlias = Annotated[int, Field(ge=-MAX_PX, le=MAX_PX)]
"""A position or a distance on a desktop or a picture."""
Nanoseconds: TypeAlias = Annotated[int, Field(ge=-(2**62), le=2**62)]
"""A moment of the monotonic clock; with room to spare in the 64 bits that SQLite and most formats have for it."""
Milliseconds: TypeAlias = Annotated[float, Field(gt=-(2**62), lt=2**62), WithJsonSchema({"type": "number"})]
"""A duration; schemas keep silent about its bounds."""


def as_moment(value: datetime) -> datetime:
    """A wall clock's time with its time zone; one that was written without is UTC.

    Raises:
        ValueError: no clock of a computer shows it.
    """
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    if not _MIN_MOMENT <= aware < _MAX_MOMENT:
        raise ValueError("no moment between the years 1970 and 2999")
    return aware


_MIN_MOMENT: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_MOMENT: Final = datetime(3000, 1, 1, tzinfo=UTC)
Moment: TypeAlias = Annotated[datetime, AfterValidator(as_moment)]
"""A wall clock's time that can be shown in every time zone."""


class Record(BaseModel):
    """A frozen value that is stored as JSON; an unknown field is a mistake, not an extension.

    Neither infinity nor NaN is a value: JSON has no words for them, and SQLite cannot read what Python writes instead.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def trusted(cls, values: dict[str, Any]) -> Self:
        """A record of values that come from other records: nothing is checked, and every field has to be there.

        It takes a third of the time, which counts where thousands are made in one edit.
        """
        made = cls.__new__(cls)
        object.__setattr__(made, "__dict__", values)
        object.__setattr__(made, "__pydantic_fields_set__", _field_names(cls))
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made

    def but(self, **fields: Any) -> Self:  # noqa: ANN401 - whatever the fields are
        """A copy with some fields replaced by values that come from other records; see :meth:`trusted`."""
        return self.trusted({**self.__dict__, **fields})

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form; fields at their default are kept, so that a reader needs no model."""
        # As ``model_dump(mode="json")``, which spends more time on its arguments than on a small record.
        plain: dict[str, Any] = self.__pydantic_serializer__.to_python(self, mode="json")
        return plain


@cache
def _field_names(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)


def not_json(value: object) -> str:
    """What in a plain value cannot be written as JSON in UTF-8, and where, in words; empty where everything can.

    For infinity, NaN and halves of characters, which Python's own values can hold.
    """
    left: list[tuple[str, object]] = [("", value)]
    while left:
        place, part = left.pop()
        where = f" at {place.removeprefix('.')}" if place else ""
        if isinstance(part, float) and not math.isfinite(part):
            return f"{part} is no number that can be stored{where}"
        if isinstance(part, str) and not _is_text(part):
            return f"half a character in a text{where}"
        if isinstance(part, Mapping):
            fields = cast("Mapping[object, object]", part)
            left += [("", key) for key in fields if isinstance(key, str)]
            left += [(f"{place}.{key}", inner) for key, inner in reversed(list(fields.items()))]
        elif isinstance(part, (list, tuple)):
            items = cast("Sequence[object]", part)
            left += [(f"{place}[{number}]", inner) for number, inner in reversed(list(enumerate(items)))]
    return ""


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def new_id(prefix: str) -> str:
    """A short random id such as ``step_3f9a0c1b2d``; letters, digits and underscores only."""
    return f"{prefix}_{uuid.uuid4().hex[:10]}"
