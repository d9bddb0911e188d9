"""The base of everything that is written to disk."""

from __future__ import annotations

import uuid
from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = ["Record", "new_id"]


class Record(BaseModel):
    """A frozen value that is stored as JSON; an unknown field is a mistake, not an extension."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form; fields at their default are kept, so that a reader needs no model."""
        return self.model_dump(mode="json")


def new_id(prefix: str) -> str:
    """A short random id such as ``step_3f9a0c1b2d``; letters, digits and underscores only."""
    return f"{prefix}_{uuid.uuid4().hex[:10]}"
