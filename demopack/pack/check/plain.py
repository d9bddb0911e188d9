"""JSON of unknown shape, seen as what one hopes it is."""

from __future__ import annotations

from typing import Any, cast

__all__ = ["as_list", "as_row", "as_rows"]


def as_row(value: object) -> dict[str, Any] | None:
    """An object as such; None for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[object]:
    """A list as such; empty for anything else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def as_rows(value: object) -> list[dict[str, Any]]:
    """The objects of a list; empty for anything else."""
    return [row for item in as_list(value) if (row := as_row(item)) is not None]
