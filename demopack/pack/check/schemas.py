"""Rules about the schemas that lie in a pack: its rows are held to them, as any other reader may do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from demopack.errors import PackError
from demopack.pack.findings import Finding
from demopack.pack.rules import RULES
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource

__all__ = ["check_schemas", "own_schema", "refused"]

_LONGEST: Final = 160
_CONTRACT: Final = frozenset({"response", "recorded_action"})
"""What A01 to A05 look at."""

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator


def own_schema(source: PackSource, table: str) -> Draft202012Validator | None:
    """What holds rows to the schema that lies in the pack for their table: a library that knows nothing of our models.

    None where it is missing or another than this version's: somebody else's schema may never come to an end.
    """
    name = f"{table.removesuffix('s.jsonl')}.json"
    return _validator(name) if _lies_there(source, name) == schema_files()[name] else None


@cache
def _validator(name: str) -> Draft202012Validator:
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(json.loads(schema_files()[name]))


def refused(schema: Draft202012Validator, row: dict[str, Any]) -> str:
    """The first place of a row that a schema refuses, and why; empty where there is none, or other rules tell of it."""
    if schema.is_valid(row):
        return ""
    errors = schema.iter_errors(row)
    error = next((e for e in errors if not (e.instance_path and e.instance_path[0] in _CONTRACT)), None)
    if error is None:
        return ""
    where = ".".join(str(part) for part in error.instance_path)
    why = error.message if len(error.message) <= _LONGEST else "it is none of the things that may stand there"
    return f"{where}: {why}" if where else why


def check_schemas(source: PackSource) -> Iterator[Finding]:
    """H05 for every schema that is missing or another."""
    for name, text in schema_files().items():
        found = _lies_there(source, name)
        if found is None:
            yield RULES["H05"].broken(f"schema/{name}", None, "It is missing.")
        elif found != text:
            yield RULES["H05"].broken(f"schema/{name}", None, "It is another than this version's.")


def _lies_there(source: PackSource, name: str) -> str | None:
    path = f"schema/{name}"
    if source.size(path) is None:
        return None
    try:
        return source.read(path, limit=1 << 20).decode("utf-8", "replace")
    except PackError:
        return ""
