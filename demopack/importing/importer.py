"""What an importer is, and how one that goes on after bad demos counts them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from demopack.errors import BadInputError
from demopack.importing.building import Imported, ImportOptions
from demopack.importing.errors import BadRowError, bad_row
from demopack.importing.files import Files
from demopack.importing.values import Row, object_in
from demopack.json_text import parse_json
from demopack.pack.formats.output import Tally

__all__ = ["Importer", "Skipped", "row_of", "rows_of_lines"]


@dataclass(slots=True, kw_only=True)
class Skipped:
    """Whole demos that could not be read.

    Attributes:
        allowed: whether they may be left out.
        tally: what was wrong with them.
    """

    allowed: bool
    tally: Tally = field(default_factory=Tally)

    @contextlib.contextmanager
    def guarding(self, place: str) -> Generator[None]:
        """Reads one demo; when it is bad it stops the import, or is counted where that was asked for."""
        try:
            yield
        except BadRowError as error:
            if not self.allowed:
                raise
            self.tally.add(error.code, error.why, error.place or place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Reads one format.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it looks for.
        before: where the screen before each step comes from, for people.
        sniff: whether these files are its own.
        read: every demo in them.
    """

    name: str
    title: str
    files: str
    before: str
    sniff: Callable[[Files], bool]
    read: Callable[[Files, ImportOptions, Skipped], Iterator[Imported]]


def row_of(value: Any, *, file: str, line: int = 0, at: str = "") -> Row:  # noqa: ANN401 - any JSON value
    """A JSON value that has to be an object.

    Raises:
        BadRowError: it is something else.
    """
    if not isinstance(value, dict):
        raise bad_row(f"it is {type(value).__name__}, not an object", file=file, line=line, field=at)
    return Row(data=object_in(value), file=file, line=line, at=at)


def rows_of_lines(files: Files, name: str, skipped: Skipped) -> Iterator[Row]:
    """Each line of a JSON Lines file as an object.

    Raises:
        BadRowError: a line is none, and none may be left out.
        BadInputError: the file is empty.
    """
    seen = 0
    for number, text in files.lines(name):
        seen += 1
        with skipped.guarding(f"{name}, line {number}"):
            try:
                row = row_of(parse_json(text), file=name, line=number)
            except ValueError as error:
                raise bad_row(f"it is not JSON ({error})", file=name, line=number, code="not_json") from error
            yield row
    if not seen:
        raise BadInputError(f"{name} in {files.path} is empty.", hint="Get the file again.")
