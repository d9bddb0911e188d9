"""Files of an import: a folder, a zip, or one file with what lies beside it. Never anything outside of these."""

from __future__ import annotations

import contextlib
import posixpath
from collections.abc import Generator, Iterator
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Final, Protocol

from demopack.codecs.files.json_object import BadRowError
from demopack.errors import PackError
from demopack.file_names import UnsafePathError, is_safe
from demopack.json_text import parse_json, without_comments

LINE_LIMIT: Final = 64 << 20
"""Bytes of one line, or of one JSON file; no demo of any of these formats comes near."""
_MAX_EMPTY_LINES: Final = 100_000
FILE_LIMIT: Final = 64 << 20
"""Bytes of one picture."""


class FileSource(Protocol):
    """A folder or an archive; what raises ``PackError`` is told as a bad row."""

    def names(self) -> list[str]:
        """Every file, as paths with forward slashes, sorted."""
        ...

    def size(self, name: str) -> int | None:
        """Bytes of a file; None where there is no such file."""
        ...

    def read(self, name: str, *, limit: int) -> bytes:
        """The content of a file of at most ``limit`` bytes."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """A file to be read piece by piece; the caller closes it."""
        ...

    def file(self, name: str) -> Path | None:
        """Where a file lies on the disk; None in an archive."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class SourceFiles(contextlib.ExitStack):
    """Files that can be read. Close it, or use ``with``; what is entered is held open until then.

    Attributes:
        path: as it was named.
        only: the file that was named, where it was not a folder or a zip.
        taken: files that an importer has read for what they say; the others are reported.
    """

    def __init__(self, source: FileSource, *, path: Path, only: str = "") -> None:
        super().__init__()
        self.path = path
        self.only = only
        self.taken: set[str] = set()
        self._source = source
        self.callback(source.close)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every file, sorted; names that no portable folder could hold are passed over."""
        return tuple(name for name in self._source.names() if is_safe(name))

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The files that may hold demos: the one that was named, else all."""
        return (self.only,) if self.only else self.names

    @property
    def ignored(self) -> list[str]:
        """JSON files that may have held demos, and that nobody took."""
        return [name for name in self.tables if name.endswith((".json", ".jsonl")) and name not in self.taken]

    @cached_property
    def _by_base(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in self.names:
            found.setdefault(posixpath.basename(name), []).append(name)
        return found

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return self._source.size(name) is not None

    def read(self, name: str, *, limit: int = FILE_LIMIT) -> bytes:
        """The content of a file.

        Raises:
            BadRowError: there is none, it is damaged or larger than ``limit`` bytes.
            UnsafePathError: the name leads outside.
        """
        with self._import_errors(name):
            size = self._source.size(name)
            if size is not None and size > limit:
                raise BadRowError(f"it has {size:,} bytes, more than the {limit:,} that are read", file=name)
            return self._source.read(name, limit=limit)

    def open(self, name: str) -> IO[bytes]:
        """A file to be read piece by piece; the caller closes it.

        Raises:
            BadRowError: there is none, or it cannot be opened.
            UnsafePathError: the name leads outside.
        """
        with self._import_errors(name):
            return self._source.open(name)

    def place(self, name: str) -> Path | None:
        """Where a file lies on the disk; None inside a zip."""
        return self._source.file(name)

    def lines(self, name: str) -> Iterator[tuple[int, str]]:
        """Each line that is not empty, with its number from 1.

        Raises:
            BadRowError: a line is not UTF-8 or longer than :data:`LINE_LIMIT`, or hardly any has a word.
        """
        with self.open(name) as stream, self._import_errors(name):
            number = empty = 0
            while line := stream.readline(LINE_LIMIT + 1):
                number += 1
                empty += line == b"\n"
                if empty > _MAX_EMPTY_LINES:
                    raise BadRowError(f"it has more than {_MAX_EMPTY_LINES:,} empty lines", file=name, line=number)
                if len(line) > LINE_LIMIT:
                    raise BadRowError(f"it is longer than {LINE_LIMIT:,} bytes", file=name, line=number)
                try:
                    text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                except UnicodeDecodeError as error:
                    raise BadRowError("it is not UTF-8", file=name, line=number) from error
                if text:
                    yield number, text

    def json(self, name: str, *, comments: bool = False) -> Any:  # noqa: ANN401 - any JSON value
        """The value of a JSON file; ``comments`` for a format whose files may hold some.

        Raises:
            BadRowError: it is not JSON.
        """
        data = self.read(name, limit=LINE_LIMIT)
        try:
            text = data.decode("utf-8-sig")
            return parse_json(without_comments(text) if comments else text)
        except ValueError as error:
            raise BadRowError(f"it is not JSON ({error})", file=name) from error

    def peek(self, name: str, *, comments: bool = False) -> Any:  # noqa: ANN401 - any JSON value
        """The value of a JSON file, or the first of a JSON Lines file; None where it cannot be read."""
        try:
            if name.endswith(".json"):
                return self.json(name, comments=comments)
            return parse_json(next(self.lines(name), (0, "null"))[1])
        except (BadRowError, ValueError):
            return None

    def holds(self, name: str, words: tuple[bytes, ...]) -> bool:
        """Whether a file has one of some words in it, whatever else is wrong with it."""
        try:
            data = self.read(name, limit=LINE_LIMIT)
        except BadRowError:
            return False
        return any(word in data for word in words)

    def find(self, reference: str, *, near: str, folders: tuple[str, ...] = ("images", "screenshots")) -> str | None:
        """The file that a reference means; None where there is none, or where several fit alike.

        Looked for beside the file that names it, in its folders for pictures, from the top, then anywhere by its
        last part alone. Absolute paths and paths that lead outside are never followed: only their last part counts.

        Args:
            reference: as it was written, slashes either way.
            near: the file that names it.
            folders: beside that file, where pictures usually lie.
        """
        wanted = reference.replace("\\", "/")
        base = posixpath.basename(wanted)
        home = posixpath.dirname(near)
        if is_safe(wanted):
            tries = [wanted, *(f"{folder}/{wanted}" for folder in folders)]
            for name in [*(posixpath.join(home, one) for one in tries), wanted]:
                if self.has(name):
                    return name
        found = self._by_base.get(base, [])
        return found[0] if len(found) == 1 else None

    @contextlib.contextmanager
    def _import_errors(self, name: str) -> Generator[None]:
        """Says in words of an import what the reader of packs complains about."""
        try:
            yield
        except UnsafePathError:
            raise
        except PackError as error:
            why = (
                "it is not there"
                if self._source.size(name) is None
                else "it cannot be read, or unpacks to far too much"
            )
            raise BadRowError(why, file=name, hint="Get the files again from where they came from.") from error
