"""The planner's short-term memory: named values that operations in the answers change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from demopack.errors import ActionError

__all__ = ["INFO_TYPES", "apply_operations", "checked_operations"]

INFO_TYPES: Final = ("data_update", "queue_elements")
_KINDS: Final = ("store_info", "delete_info", "no_op")


def checked_operations(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - whatever the model wrote
    """Memory operations as they are kept; ``no_op`` is left out.

    Raises:
        ActionError: (``bad_memory``) they are no list, or one of them cannot be carried out.
    """
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        raise _wrong("The memory update is not a list.", "Give a list; an empty one changes nothing.")
    found: list[dict[str, Any]] = []
    for item in cast("Sequence[Any]", value):
        if not isinstance(item, dict):
            raise _wrong(f"{item!r} is no memory operation.", "Give objects with type, key and value.")
        operation = _operation(cast("dict[str, Any]", item))
        if operation is not None:
            found.append(operation)
    return found


def _operation(item: Mapping[str, Any]) -> dict[str, Any] | None:
    kind = str(item.get("type") or "")
    # What carries a value is meant to be stored, whatever it is called.
    if item.get("value") is not None or item.get("info_type") is not None:
        kind = "store_info"
    if kind not in _KINDS:
        raise _wrong(f"There is no memory operation {kind!r}.", f"Use one of {', '.join(_KINDS)}.")
    if kind == "no_op":
        return None
    if not str(item.get("key") or "").strip():
        raise _wrong(f"{kind} has no key.", "Name what is to be remembered or forgotten.")
    operation: dict[str, Any] = {"type": kind, "key": str(item["key"])}
    if kind == "store_info":
        if item.get("value") is None:
            raise _wrong("store_info has no value.", "Give the value to remember.")
        info = str(item.get("info_type") or INFO_TYPES[0])
        if info not in INFO_TYPES:
            raise _wrong(f"There is no info_type {info!r}.", f"Use one of {', '.join(INFO_TYPES)}.")
        operation |= {"info_type": info, "value": item["value"]}
    return {**operation, "description": str(item.get("description") or "")}


def apply_operations(
    memory: Mapping[str, Mapping[str, Any]], operations: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The memory after these operations; forgetting what is not there changes nothing."""
    after = {key: dict(entry) for key, entry in memory.items()}
    for operation in operations:
        if operation["type"] == "delete_info":
            after.pop(operation["key"], None)
        else:
            after[operation["key"]] = {name: operation[name] for name in ("value", "description", "info_type")}
    return after


def _wrong(what: str, hint: str) -> ActionError:
    return ActionError(what, code="bad_memory", field="update_memory", hint=hint)
