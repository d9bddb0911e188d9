"""The base of everything that is written to disk."""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

__all__ = ["Record", "new_id"]


class Record(BaseModel):
    """A frozen value that is stored as JSON; an unknown field is a mistake, not an extension."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

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


def new_id(prefix: str) -> str:
    """A short random id such as ``step_3f9a0c1b2d``; letters, digits and underscores only."""
    return f"{prefix}_{uuid.uuid4().hex[:10]}"
