"""The one place that touches pyarrow: parquet files that Hugging Face's loader reads with pictures as pictures."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from demopack.errors import BadInputError

__all__ = ["FEATURES", "ParquetTable"]

_GROUP_ROWS = 100
_GROUP_BYTES = 16 << 20

FEATURES: Final[Mapping[str, dict[str, Any]]] = {
    "string": {"dtype": "string", "_type": "Value"},
    "int": {"dtype": "int64", "_type": "Value"},
    "image": {"_type": "Image"},
    "ints": {"feature": {"dtype": "int64", "_type": "Value"}, "_type": "List"},
    "strings": {"feature": {"dtype": "string", "_type": "Value"}, "_type": "List"},
}
"""Kinds of columns, as the loader's own metadata writes them."""


def _pyarrow(name: str) -> Any:  # noqa: ANN401 - the library has no types
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadInputError(
            "Parquet needs pyarrow, which is not installed.", hint="Install it: pip install 'demopack[formats]'"
        ) from error


class ParquetTable:
    """One parquet file, written in groups of rows so that no more than one group is in memory.

    Args:
        path: the file to make.
        columns: name -> kind, of :data:`FEATURES`.

    Raises:
        BadInputError: pyarrow is not installed.
    """

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        self._pa, pq = _pyarrow("pyarrow"), _pyarrow("pyarrow.parquet")
        pa = self._pa
        kinds = {
            "string": pa.string(),
            "int": pa.int64(),
            "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
            "ints": pa.list_(pa.int64()),
            "strings": pa.list_(pa.string()),
        }
        # Without this the loader takes a picture for a mere struct of bytes and path.
        info = {"info": {"features": {name: FEATURES[kind] for name, kind in columns.items()}}}
        fields = [(name, kinds[kind]) for name, kind in columns.items()]
        self._schema = pa.schema(fields, metadata={"huggingface": json.dumps(info)})
        self._writer = pq.ParquetWriter(str(path), self._schema, use_content_defined_chunking=True)
        self._rows: list[Mapping[str, Any]] = []
        self._bytes = 0

    def add(self, row: Mapping[str, Any], *, size: int = 0) -> None:
        """One row.

        Args:
            row: a value for each column; pictures as ``{"bytes": ..., "path": ...}``.
            size: bytes of its pictures.
        """
        self._rows.append(row)
        self._bytes += size
        if len(self._rows) >= _GROUP_ROWS or self._bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._bytes = [], 0

    def close(self) -> None:
        """Write the rest; calling it twice is harmless."""
        if self._writer.is_open:
            self._flush()
            self._writer.close()
