"""Base of the decoders of other programs' demos: options, an importer for each format, a report of each demo."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, ValidationError

from demopack.clock import utc_now
from demopack.codecs.files.json_object import BadRowError, JsonObject, unfit
from demopack.codecs.files.source import SourceFiles
from demopack.codecs.losses import LossCounts, LostItem
from demopack.domain.demos import Demo
from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Size
from demopack.domain.records import Record
from demopack.errors import ActionError, GeometryError
from demopack.json_text import object_in, parse_json

Status = Literal["read", "imported", "already_there"]
Coordinates = Literal["auto", "pixels", "fractions", "percent", "thousand"]
"""How places are written; ``auto`` is what the format's documentation says, and doubt is an error."""


class DemoReport(Record):
    """Report on one demo. ``rows_in`` is always the sum of the other three kinds of rows.

    Attributes:
        demo: its id in the library.
        task: what it is about.
        source: file, and line where it has one.
        status: read only, imported, or in the library already (nothing was changed then).
        unit: what a row is in this format, for people: step, line, event.
        rows_in: rows that the source has.
        rows_used: rows that became steps, or a part of one.
        rows_noted: rows without an action of ours, kept as notes of steps.
        rows_skipped: bad rows that were left out, because that was asked for.
        steps: that the demo has now.
        pictures: that the demo shows.
        assumed: what the source does not say, and what was taken instead.
        lost: what the source says and a demo has no room for.
        skipped: what was wrong with the rows that were left out.
    """

    demo: str
    task: str
    source: str
    status: Status = "read"
    unit: str = "step"
    rows_in: int = Field(ge=0)
    rows_used: int = Field(ge=0)
    rows_noted: int = Field(default=0, ge=0)
    rows_skipped: int = Field(default=0, ge=0)
    steps: int = Field(ge=0)
    pictures: int = Field(ge=0)
    assumed: list[LostItem] = Field(default_factory=list[LostItem])
    lost: list[LostItem] = Field(default_factory=list[LostItem])
    skipped: list[LostItem] = Field(default_factory=list[LostItem])


@dataclass(slots=True)
class ImportLog:
    """Counts while one demo is read; its attributes are those of :class:`DemoReport`."""

    source: str
    unit: str = "step"
    rows_in: int = 0
    rows_used: int = 0
    rows_noted: int = 0
    rows_skipped: int = 0
    assumed: LossCounts = field(default_factory=LossCounts)
    lost: LossCounts = field(default_factory=LossCounts)
    skipped: LossCounts = field(default_factory=LossCounts)

    def assume(self, code: str, why: str, where: str) -> None:
        """Something that the source does not say."""
        self.assumed.add(code, why, where)

    def lose(self, code: str, why: str, where: str) -> None:
        """Something that a demo has no room for."""
        self.lost.add(code, why, where)

    def skip(self, code: str, why: str, where: str) -> None:
        """A bad row that is left out."""
        self.rows_skipped += 1
        self.skipped.add(code, why, where)

    def skip_lines(self, bad: SkippedDemos) -> None:
        """Lines that could not be read as rows at all."""
        for item in bad.counts.items():
            self.rows_in += item.count
            for number in range(item.count):
                self.skip(item.code, item.why, item.examples[min(number, len(item.examples) - 1)])

    def report(self, **demo: Any) -> DemoReport:  # noqa: ANN401 - fields of the report
        """The report; ``demo`` holds the fields of the report that it does not know."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        counts = {name: value.items() if isinstance(value, LossCounts) else value for name, value in values.items()}
        return DemoReport(**counts, **demo)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Options of an import.

    Attributes:
        skip_bad: leave out what cannot be read, and count it, instead of stopping.
        coordinates: how places are written.
        screen: size of the screen that pixels are meant for, where the pictures have another one.
        task: of demos whose files do not say it.
        now: taken where a file has no times.
    """

    skip_bad: bool = False
    coordinates: Coordinates = "auto"
    screen: Size | None = None
    task: str = ""
    now: datetime = field(default_factory=utc_now)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedDemo:
    """One demo, ready to be stored.

    Attributes:
        demo: every value of it.
        image: the pixels of its pictures, by frame id.
        report: what was assumed and lost.
    """

    demo: Demo
    image: Callable[[str], RgbImage]
    report: DemoReport


@dataclass(slots=True, kw_only=True)
class SkippedDemos:
    """Whole demos that could not be read.

    Attributes:
        allowed: whether they may be left out.
        counts: what was wrong with them.
    """

    allowed: bool
    counts: LossCounts = field(default_factory=LossCounts)

    @contextlib.contextmanager
    def guarding(self, place: str) -> Generator[None]:
        """Reads one demo; when it is bad it stops the import, or is counted where that was asked for."""
        try:
            yield
        except BadRowError as error:
            if not self.allowed:
                raise
            self.counts.add(error.code, error.why, error.place or place)
        except (ActionError, GeometryError, ValidationError) as error:
            # Whatever a record of ours refuses is the fault of the demo that it was made for.
            bad = (
                unfit(error, place)
                if isinstance(error, ValidationError)
                else BadRowError(error.user_message, file=place, hint=error.hint)
            )
            if not self.allowed:
                raise bad from error
            self.counts.add(bad.code, bad.why, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """One format of demos.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it looks for.
        before: where the screen before each step comes from, for people.
        sniff: tells whether files are of this format.
        read: every demo in files. Raises :class:`BadRowError` where a file, a row, a step or a picture is bad; with
            ``skip_bad`` it is counted instead.
    """

    name: str
    title: str
    files: str
    before: str
    sniff: Callable[[SourceFiles], bool]
    read: Callable[[SourceFiles, ImportOptions, SkippedDemos], Iterator[ImportedDemo]]


def json_object(value: Any, *, file: str, line: int = 0, at: str = "") -> JsonObject:  # noqa: ANN401 - any JSON value
    """A JSON value that has to be an object.

    Raises:
        BadRowError: it is something else.
    """
    if not isinstance(value, dict):
        raise BadRowError(f"it is {type(value).__name__}, not an object", file=file, line=line, field=at)
    return JsonObject(data=object_in(value), file=file, line=line, at=at)


def json_lines(files: SourceFiles, name: str, skipped: SkippedDemos) -> Iterator[JsonObject]:
    """Each line of a JSON Lines file as an object.

    Raises:
        BadRowError: a line is none, and none may be left out; or the file is empty.
    """
    seen = 0
    for number, text in files.lines(name):
        seen += 1
        with skipped.guarding(f"{name}, line {number}"):
            try:
                row = json_object(parse_json(text), file=name, line=number)
            except ValueError as error:
                raise BadRowError(f"it is not JSON ({error})", file=name, line=number, code="not_json") from error
            yield row
    if not seen:
        raise BadRowError("it is empty", file=name, hint="Get the file again.")
