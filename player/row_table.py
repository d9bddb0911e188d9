"""Rows of values from a file (CSV or JSON Lines), and the journal of which of them have been done."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Literal

from filelock import FileLock, Timeout
from pydantic import Field

from demopack.atomic import disk_errors, make_private_file
from demopack.clock import utc_now
from demopack.domain.demos import Demo
from demopack.domain.records import Moment, Record
from demopack.domain.words import counted
from demopack.errors import BadInputError
from demopack.json_lines import LineError, dump_line, parse_object, parse_row
from demopack.regular_files import read_regular

_MAX_BYTES: Final = 64_000_000
_MOST_NAMED: Final = 9
_DELIMITERS: Final = ",;\t"
_JSON_LINES: Final = frozenset({".jsonl", ".ndjson"})

RowState = Literal["open", "unknown", "done", "failed", "skipped"]
"""``unknown``: it was begun, and the program ended before its last step: some of its steps may have been done."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of values.

    Attributes:
        number: from 1, without the header.
        line: of the file on which it begins, from 1.
        values: by column.
    """

    number: int
    line: int
    values: Mapping[str, str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class RowTable:
    """All rows of a file.

    Attributes:
        columns: their names.
        rows: in order; at least one.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def fingerprint(self, hidden: Collection[str]) -> str:
        """Digest of all values but those of the hidden columns, whose secrets even a digest could give away."""
        shown = [column for column in self.columns if column not in hidden]
        return _digest([shown, *([row.values[column] for column in shown] for row in self.rows)])

    def empty_cells(self) -> list[str]:
        """Where nothing stands in the table, for instance ``city in row 2 (line 3)``."""
        return [
            f"{column} in row {row.number} (line {row.line})"
            for row in self.rows
            for column in self.columns
            if not row.values[column].strip()
        ]


def demo_fingerprint(demo: Demo, values: Mapping[str, str]) -> str:
    """Digest of what a demo does, and of values that are the same for each row."""
    steps = [
        [step.id, step.action.to_wire(), step.target_uid, step.end_uid, step.variable] for step in demo.steps
    ]  # fmt: skip
    return _digest([steps, dict(sorted(values.items()))])


def _digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def read_rows(path: Path) -> RowTable:
    """Read a table: CSV with a header, divided by commas, semicolons or tabs; or JSON Lines (``.jsonl``).

    Raises:
        BadInputError: the file cannot be read, or lines are wrong; the message names them.
    """
    try:
        text = read_regular(path, limit=_MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not UTF-8 text.", details=str(error), hint="Save it as “CSV UTF-8”.") from error
    except FileNotFoundError as error:
        raise BadInputError(f"There is no file {path}.") from error
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error.strerror or error}.", details=str(error)) from error
    problems: list[tuple[int, str]] = []
    columns, rows = (_json_lines if path.suffix.lower() in _JSON_LINES else _csv)(text, path, problems)
    if not rows and not problems:
        raise BadInputError(
            f"{path} holds no rows.", hint="Below the line with the names of the columns, one row each."
        )
    for row in rows:
        for column, value in row.values.items():
            if any((ord(char) < 32 and char not in "\n\t") or ord(char) == 127 for char in value):
                problems.append((row.line, f"{column} holds a control character, which cannot be typed."))
    _refuse(path, problems)
    return RowTable(columns, tuple(rows))


def _refuse(path: Path, problems: list[tuple[int, str]]) -> None:
    """Name what is wrong with the lines of a file: the first, and those after it.

    Raises:
        BadInputError: something is.
    """
    if not problems:
        return
    (line, words), *more = sorted(problems)
    rest = [f"Line {at}: {wrong}" for at, wrong in more[:_MOST_NAMED]]
    rest += [f"And {counted(len(more) - _MOST_NAMED, 'more line')}."] if len(more) > _MOST_NAMED else []
    separated = any("columns (" in wrong for _, wrong in problems)
    raise BadInputError(
        " ".join([f"{path}, line {line}: {words}", *rest]),
        hint="Put a value that holds the separator in double quotes." if separated else "",
    )


def _csv(text: str, path: Path, problems: list[tuple[int, str]]) -> tuple[tuple[str, ...], list[Row]]:
    first = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            at, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not columns:
                columns = _columns([cell.strip() for cell in cells], path, at)
                continue
            if len(cells) != len(columns):
                names = ", ".join(columns)
                wrong = f"{counted(len(cells), 'value')}, but {counted(len(columns), 'column')} ({names})."
                problems.append((at, wrong))
                continue
            values = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
            rows.append(Row(len(rows) + 1, at, dict(zip(columns, values, strict=True))))
    except csv.Error as error:
        problems.append((line, f"it is not CSV: {error}."))
    return columns, rows


def _json_lines(text: str, path: Path, problems: list[tuple[int, str]]) -> tuple[tuple[str, ...], list[Row]]:
    columns: tuple[str, ...] = ()
    rows: list[Row] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            data = parse_object(line)
            columns = columns or _columns(list(data), path, number)
            if set(data) != set(columns):
                raise ValueError("its fields are not those of the first line")
            values = {column: _plain_value(data[column], column) for column in columns}
        except ValueError as error:
            problems.append((number, f"{error}."))
            continue
        rows.append(Row(len(rows) + 1, number, values))
    return columns, rows


def _plain_value(value: object, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, (str, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    raise ValueError(f"{column} is neither a text nor a number")


def _columns(names: Iterable[str], path: Path, line: int) -> tuple[str, ...]:
    columns = tuple(names)
    if not all(columns):
        raise BadInputError(f"{path}, line {line}: a column has no name.", hint="Name each column as a variable.")
    if twice := next((name for name in columns if columns.count(name) > 1), ""):
        raise BadInputError(f"{path}, line {line}: two columns are called {twice}.")
    return columns


# The journal ------------------------------------------------------------------------------------------------------


class _JournalHead(Record):
    """The first line: what the journal is about."""

    rows_journal: Literal[1] = 1
    demo: str
    does: str
    table: str
    rows: int


class _JournalEntry(Record):
    """What has become of a row."""

    row: int = Field(ge=1)
    state: Literal["begun", "done", "failed", "skipped", "open"]
    at: Moment
    error: str = ""


def journal_path(table: Path, demo_id: str) -> Path:
    """Where the journal of a table and a demo lies: beside the table."""
    return table.with_name(f"{table.name}.{demo_id.removeprefix('demo_')[:12]}.journal")


class RowJournal:
    """Append-only file with what has become of each row; every line is on the disk before anything else happens.

    A row is written as begun before its first step and as done or failed after its last. So whenever the program or
    the machine ends, each row is one that was never begun, one that is over, or one of which nobody knows: then
    :attr:`states` says ``unknown``.

    Attributes:
        path: the file.
        states: of all rows, by number.
        errors: of those that failed, by number.
    """

    def __init__(self, path: Path, *, demo: str, does: str, table: str, rows: int, anew: bool = False) -> None:
        """Name the file and what it is about; use it in a ``with`` block.

        Args:
            path: the file; made where there is none.
            demo: id of the demo.
            does: digest of what it does, see :func:`demo_fingerprint`.
            table: digest of the rows, see :meth:`RowTable.fingerprint`.
            rows: how many there are.
            anew: a journal that is there does not count; it is set aside when the first row is begun.
        """
        self.path = path
        self._anew = anew
        self._file: BinaryIO | None = None
        self.states: dict[int, RowState] = dict.fromkeys(range(1, rows + 1), "open")
        self.errors: dict[int, str] = {}
        self._head = _JournalHead(demo=demo, does=does, table=table, rows=rows)
        self._lock = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False, mode=0o600)

    def __enter__(self) -> RowJournal:
        """Read what has been done.

        Raises:
            BadInputError: it belongs to another table or demo, is damaged or in use, or cannot be written where it is.
            DiskFullError: there is no room for it.
        """
        hint = "Put it into a folder that you may write to: --journal FILE."
        folder = self.path.parent
        if not folder.is_dir():  # the lock would make it, or be said to be taken
            raise BadInputError(f"There is no folder {folder} for the journal {self.path.name}.", hint=hint)
        try:
            with disk_errors(folder):
                self._acquire()
                try:
                    if not self._anew:
                        self._open()
                except BaseException:
                    self._lock.release()
                    raise
        except OSError as error:
            raise BadInputError(
                f"The journal {self.path} cannot be written: {error.strerror or error}.", hint=hint
            ) from error
        return self

    def _acquire(self) -> None:
        """Take the lock.

        Raises:
            BadInputError: another process has it.
            OSError: there can be none.
        """
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            # A lock that cannot be made is told as one that is taken.
            os.close(os.open(self._lock.lock_file, os.O_RDWR | os.O_CREAT, 0o600))
            raise BadInputError(
                f"Another demopack is at work on these rows ({self.path}).", hint="Wait until it has ended."
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
        self._lock.release()

    def begin(self, row: int) -> None:
        """Note that a row's first step is about to be performed."""
        self._append(row, "begun", "")
        self.states[row] = "unknown"

    def end(self, row: int, state: Literal["done", "failed", "skipped", "open"], *, error: str = "") -> None:
        """Note what has become of a row; ``open`` for one that is to be done again."""
        self._append(row, state, error)
        self.states[row] = state
        self.errors[row] = error

    def _append(self, row: int, state: Literal["begun", "done", "failed", "skipped", "open"], error: str) -> None:
        self._write(_JournalEntry(row=row, state=state, at=utc_now(), error=error))

    def _write(self, record: Record) -> None:
        with disk_errors(self.path.parent):
            if self._file is None:
                set_journal_aside(self.path)
                self._file = self._open()
            self._file.write(dump_line(record).encode())
            self._file.flush()
            os.fsync(self._file.fileno())

    def _open(self) -> BinaryIO:
        make_private_file(self.path)
        whole, rest = _whole_lines(read_regular(self.path, limit=_MAX_BYTES))
        if len(whole) == 1:
            self._parsed(whole)
            whole, rest = [], whole[0]  # nothing was begun: what it was about does not count
        if whole:
            self._read(whole)
        self._file = file = self.path.open("r+b")
        if rest:
            # A line that was cut off was not on the disk when the next thing was to happen, so it did not happen.
            file.truncate(sum(len(line) + 1 for line in whole))
        file.seek(0, os.SEEK_END)
        if not whole:
            self._write(self._head)
            _sync_folder(self.path.parent)
        return file

    def _parsed(self, lines: list[bytes]) -> tuple[_JournalHead, list[_JournalEntry]]:
        """What the lines say.

        Raises:
            BadInputError: they are damaged.
        """
        try:
            return parse_row(lines[0], _JournalHead), [parse_row(line, _JournalEntry) for line in lines[1:]]
        except LineError as error:
            raise BadInputError(
                f"The journal {self.path} is damaged: {error}.", hint="Begin anew with --restart; it keeps a copy."
            ) from error

    def _read(self, lines: list[bytes]) -> None:
        head, entries = self._parsed(lines)
        if head != self._head:
            is_same_demo = head.demo == self._head.demo and head.does == self._head.does
            raise BadInputError(
                f"The {'table' if is_same_demo else 'demo, or a --set,'} has changed since rows were done with it, "
                f"as the journal {self.path} says.",
                hint="Put back what was changed to go on, or begin anew at the first row with --restart.",
            )
        for entry in entries:
            if entry.row in self.states:
                self.states[entry.row] = "unknown" if entry.state == "begun" else entry.state
                self.errors[entry.row] = entry.error


def set_journal_aside(path: Path) -> Path | None:
    """Rename a journal so that a new one is begun; returns its new name, None where there was none."""
    if not path.exists():
        return None
    aside = next(new for n in range(1, 10_000) if not (new := path.with_name(f"{path.name}.{n}")).exists())
    return path.rename(aside)


def _whole_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that have an end, and what stands behind the last of them."""
    *whole, rest = data.split(b"\n")
    return whole, rest


def _sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk, too; Windows does that by itself."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
