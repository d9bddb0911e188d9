"""What an import found, assumed and could not carry: counted while it runs, told in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from demopack.domain.records import Record
from demopack.pack.formats.output import LostItem, Tally

__all__ = ["DemoReport", "ImportReport", "Ledger", "SourceReport", "report_text"]

Status = Literal["read", "imported", "already_there"]


class DemoReport(Record):
    """What became of one demo. ``rows_in`` is always the sum of the other three kinds of rows.

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
    rows_noted: int = Field(ge=0)
    rows_skipped: int = Field(ge=0)
    steps: int = Field(ge=0)
    pictures: int = Field(ge=0)
    assumed: list[LostItem] = Field(default_factory=list[LostItem])
    lost: list[LostItem] = Field(default_factory=list[LostItem])
    skipped: list[LostItem] = Field(default_factory=list[LostItem])


class SourceReport(Record):
    """One folder, zip or file.

    Attributes:
        path: as it was named.
        format: name of the importer.
        title: of the format, for people.
        guessed: whether the format was recognised by what is in the files, not named.
        demos: in the order of the files.
        skipped: whole demos that were left out, because that was asked for.
        ignored: JSON files that are of another kind, or cannot be told to be of this one; nothing was read from them.
    """

    path: str
    format: str
    title: str
    guessed: bool
    demos: list[DemoReport] = Field(default_factory=list[DemoReport])
    skipped: list[LostItem] = Field(default_factory=list[LostItem])
    ignored: list[str] = Field(default_factory=list[str])


class ImportReport(Record):
    """Everything that one import did.

    Attributes:
        sources: one for each path.
        stored: whether demos were stored, or only read to tell what would happen.
    """

    sources: list[SourceReport]
    stored: bool

    @property
    def demos(self) -> list[DemoReport]:
        """Of all sources, in order."""
        return [demo for source in self.sources for demo in source.demos]


class Ledger:
    """Counts while one demo is read.

    Attributes:
        source: file and line.
        unit: what a row is.
        rows_in: rows of the source.
        rows_used: see :class:`DemoReport`.
        rows_noted: likewise.
        rows_skipped: likewise.
    """

    def __init__(self, source: str, *, unit: str = "step") -> None:
        self.source = source
        self.unit = unit
        self.rows_in = self.rows_used = self.rows_noted = self.rows_skipped = 0
        self._assumed, self._lost, self._skipped = Tally(), Tally(), Tally()

    def assume(self, code: str, why: str, where: str) -> None:
        """Something that the source does not say."""
        self._assumed.add(code, why, where)

    def lose(self, code: str, why: str, where: str) -> None:
        """Something that a demo has no room for."""
        self._lost.add(code, why, where)

    def skip(self, code: str, why: str, where: str) -> None:
        """A bad row that is left out."""
        self.rows_skipped += 1
        self._skipped.add(code, why, where)

    def report(self, *, demo: str, task: str, steps: int, pictures: int) -> DemoReport:
        """What has been counted."""
        return DemoReport(
            demo=demo,
            task=task,
            source=self.source,
            unit=self.unit,
            rows_in=self.rows_in,
            rows_used=self.rows_used,
            rows_noted=self.rows_noted,
            rows_skipped=self.rows_skipped,
            steps=steps,
            pictures=pictures,
            assumed=self._assumed.items(),
            lost=self._lost.items(),
            skipped=self._skipped.items(),
        )


_KINDS = (("assumed", "assumed"), ("lost", "not carried"), ("skipped", "left out"))
_DONE = {"read": "read, not stored", "imported": "imported", "already_there": "in the library already, unchanged"}


def report_text(report: ImportReport) -> list[str]:
    """The report for people, line by line."""
    lines: list[str] = []
    for source in report.sources:
        how = "recognised by its files" if source.guessed else "as named"
        lines.append(f"{source.path}: {source.title} ({how})")
        for demo in source.demos:
            lines += _demo_text(demo)
        lines += _items("  left out", source.skipped)
        if source.ignored:
            lines.append(
                f"  not read: {_count(len(source.ignored), 'other JSON file')}, for instance {source.ignored[0]}"
            )
    return lines


def _demo_text(demo: DemoReport) -> list[str]:
    lines = [f"  {demo.demo}  {demo.task or 'no task written'}  ({_DONE[demo.status]})"]
    kept = f", {demo.rows_noted} kept as notes" if demo.rows_noted else ""
    left = f", {demo.rows_skipped} left out" if demo.rows_skipped else ""
    lines.append(
        f"    {_count(demo.rows_in, demo.unit)} in {demo.source}: {demo.rows_used} used{kept}{left}; "
        f"{_count(demo.steps, 'step')}, {_count(demo.pictures, 'picture')}"
    )
    for name, word in _KINDS:
        lines += _items(f"    {word}", getattr(demo, name))
    return lines


def _items(word: str, items: Sequence[LostItem]) -> list[str]:
    return [f"{word}: {item.why.rstrip('.')} ({item.count}x, for instance {item.examples[0]})" for item in items]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
