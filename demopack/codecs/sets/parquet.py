"""Parquet tables with pictures inside, in groups of rows; the kinds of columns are those of the loader of data sets.

A column's kind is written as the loader's own metadata writes it: :data:`STRING`, :data:`INT`, :data:`IMAGE`,
:func:`list_of` one of them, or a dict of kinds for a value with fields of its own.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
from collections.abc import Generator, Mapping
from typing import Any, Final

from demopack.codecs.output import Output
from demopack.errors import BadInputError

Kind = Mapping[str, Any]
"""Of a column, in the words of the loader's metadata."""

STRING: Final[Kind] = {"dtype": "string", "_type": "Value"}
INT: Final[Kind] = {"dtype": "int64", "_type": "Value"}
IMAGE: Final[Kind] = {"_type": "Image"}
"""A value of it is ``{"bytes": ..., "path": ...}``."""

_GROUP_BYTES = 16 << 20
_FILE_BYTES = 400 << 20


def list_of(kind: Kind) -> Kind:
    """A list of values of one kind."""
    return {"feature": kind, "_type": "List"}


def _pyarrow(name: str) -> Any:  # noqa: ANN401 - the library has no types
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise BadInputError(
            "Parquet needs pyarrow, which is not installed.", hint="Install it: pip install 'demopack[formats]'"
        ) from error


class ParquetTable:
    """A table in parquet files of some hundred megabytes, written in groups of rows: no more than one is in memory.

    Args:
        output: the export.
        name: path of its files without their numbers.
        columns: name -> kind.
        group: rows that are collected before they are written; fewer where a row has long texts.

    Raises:
        BadInputError: pyarrow is not installed.
    """

    def __init__(self, output: Output, name: str, columns: Mapping[str, Kind], *, group: int = 100) -> None:
        self._pa, self._pq = _pyarrow("pyarrow"), _pyarrow("pyarrow.parquet")
        # Without this the loader takes a picture for a mere struct of bytes and path.
        info = {"info": {"features": dict(columns)}}
        fields = [(name, self._type(kind)) for name, kind in columns.items()]
        self._schema = self._pa.schema(fields, metadata={"huggingface": json.dumps(info)})
        self._paths = (output.path(f"{name}-{number:05}.parquet") for number in itertools.count())
        self._group = group
        self._rows: list[Mapping[str, Any]] = []
        self._group_bytes = self._file_bytes = 0
        self._has_failed = False
        self._writer = self._next_file()

    def _type(self, kind: Kind) -> Any:  # noqa: ANN401 - the library has no types
        pa = self._pa
        match kind.get("_type"):
            case "Value":
                return pa.string() if kind["dtype"] == "string" else pa.int64()
            case "Image":
                return pa.struct([("bytes", pa.binary()), ("path", pa.string())])
            case "List":
                return pa.list_(self._type(kind["feature"]))
            case _:
                return pa.struct([(name, self._type(inner)) for name, inner in kind.items()])

    def _next_file(self) -> Any:  # noqa: ANN401 - the library has no types
        return self._pq.ParquetWriter(str(next(self._paths)), self._schema, use_content_defined_chunking=True)

    def add(self, row: Mapping[str, Any], *, size: int = 0) -> None:
        """One row.

        Args:
            row: a value for each column.
            size: bytes of its pictures.
        """
        if self._file_bytes > _FILE_BYTES:
            self.close()
            self._writer, self._file_bytes = self._next_file(), 0
        self._rows.append(row)
        self._group_bytes += size
        self._file_bytes += size
        if len(self._rows) >= self._group or self._group_bytes >= _GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        rows, self._rows, self._group_bytes = self._rows, [], 0
        if rows:
            with self._failing():
                self._writer.write_table(self._pa.Table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        """Write the rest; calling it twice is harmless, and so it is where the disk took no more."""
        if self._writer.is_open and not self._has_failed:
            self._flush()
            with self._failing():
                self._writer.close()

    @contextlib.contextmanager
    def _failing(self) -> Generator[None]:
        """What cannot be written once is not tried again: the library would say of it that the file is closed."""
        try:
            yield
        except OSError:
            self._has_failed = True
            raise
