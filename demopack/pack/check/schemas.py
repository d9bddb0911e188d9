"""Rules about the schemas that lie in a pack: they are those that its rows are held to."""

from __future__ import annotations

from collections.abc import Iterator

from demopack.errors import PackError
from demopack.pack.findings import Finding
from demopack.pack.rules import RULES
from demopack.pack.schemas import schema_files
from demopack.pack.source import PackSource

__all__ = ["check_schemas", "has_own_schema"]


def has_own_schema(source: PackSource, table: str) -> bool:
    """Whether the schema of a table, as it lies in the pack, is the one that is generated from the row's model.

    Then a row that fits the model wholly fits the schema, too, and nothing else has to be compared.
    """
    name = f"{table.removesuffix('s.jsonl')}.json"
    return _lies_there(source, name) == schema_files()[name]


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
