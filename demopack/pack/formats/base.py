"""What every exporter is: a name, what the format cannot carry, and a writer that takes one demo after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field

from demopack import __version__
from demopack.domain.records import Record
from demopack.errors import BadInputError, PackError
from demopack.jobs import JobControl, Progress
from demopack.pack.formats.leaving import LEFT_WORDS, LeaveOut, speaks_of_the_gone, without
from demopack.pack.formats.output import EXPORT_LOG, LostItem, Output, staged
from demopack.pack.lines import dump_pretty
from demopack.pack.stream import DemoRows, DemoSource, named

__all__ = ["EXPORT_LOG", "ExportLog", "ExportOptions", "Exporter", "Format", "FormatWriter", "Loss", "Rows", "Unit"]

Unit = Literal["step", "episode"]
Rows = Literal["steps", "demos", "pictures", "elements"]
"""What one row of a format is made from."""
_NO_SIDES = "the format does not tell the sides of a divided pack apart; export each side by itself"


class ExportOptions(Record):
    """What a person may choose.

    Attributes:
        rationale: no reasoning at all; what could be known before the action; or also what happened after it.
        elements: whether the list of elements goes into the questions.
        marks: whether the elements' numbers are drawn on the pictures.
        unit: one sample for each step, or one for each demo; None takes the format's own.
        history: how many earlier actions a question tells; None for all.
        leave_out: steps that a judge found wrong or redundant; those that a person rejected are left out in any case
            but one: “none” keeps all. Formats that are made of pictures keep the pictures of every step.
    """

    rationale: Literal["none", "no_hindsight", "hindsight"] = "no_hindsight"
    elements: bool = True
    marks: bool = False
    unit: Unit | None = None
    history: int | None = Field(default=None, ge=0)
    leave_out: tuple[LeaveOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something that a format cannot carry.

    Attributes:
        code: a stable name.
        what: what gets lost, in words.
        why: what of the format is to blame.
    """

    code: str
    what: str
    why: str


class ExportLog(Record):
    """The content of ``EXPORT_LOG.json``.

    Attributes:
        format: name of the exporter.
        generator: program and version.
        options: as chosen.
        rows: what one row is made from.
        rows_in: how many of these the demos have.
        rows_out: how many were written; with ``left_out`` they make ``rows_in``.
        left_out: rows that were not written, by reason.
        lines: of each JSON Lines file; more or fewer than rows where a sample is an episode, or a row takes several.
        lost: what was written less exactly than it is known, by reason.
        never: what the format never carries.
        licence: of the demos.
        notes: what else a reader should know.
        files: every file but this one; another export to this folder replaces these and no others.
    """

    format: str
    generator: str = f"demopack {__version__}"
    options: ExportOptions
    rows: Rows
    rows_in: int = Field(ge=0)
    rows_out: int = Field(ge=0)
    left_out: list[LostItem]
    lines: dict[str, int] = Field(default_factory=dict[str, int])
    lost: list[LostItem]
    never: list[str]
    licence: str
    notes: list[str]
    files: list[str] = Field(default_factory=list[str])


class FormatWriter(Protocol):
    """Writes one export. It keeps nothing of a demo once :meth:`add` has returned."""

    def add(self, demo: DemoRows) -> None:
        """Write one demo."""
        ...

    def finish(self) -> None:
        """Write what comes at the end."""
        ...


class Exporter(Protocol):
    """One format."""

    @property
    def name(self) -> str:
        """How it is asked for."""
        ...

    @property
    def title(self) -> str:
        """What it is, for people."""
        ...

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the format can never carry; the documentation is made from it."""
        ...

    def export(
        self, demos: DemoSource, folder: Path, *, options: ExportOptions, control: JobControl | None = None
    ) -> ExportLog:
        """Write demos into a new folder.

        Raises:
            BadInputError: the folder holds something else, or an option does not fit the format. Nothing was written.
            PackError: the pack cannot be read. Nothing was written.
            CancelledError: nothing was written.
            DiskFullError: nothing was written.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """An exporter made of a writer; see :class:`Exporter`.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it writes, for people.
        reads: which programs read it.
        load: how, in one line of code or of a shell; FOLDER is where it was exported to.
        writer: makes the writer of one export.
        rows: what one row is made from.
        units: samples of steps, of episodes, or both; the first is the default.
        dialect: the vocabulary its actions are written in; empty for the contract's own.
        losses: what it can never carry.
        uses: the options that change what is written.
        sides: whether it tells the sides of a divided pack apart.
    """

    name: str
    title: str
    files: str
    reads: str
    load: str = ""
    writer: Callable[[Output, ExportOptions], FormatWriter]
    rows: Rows = "steps"
    units: tuple[Unit, ...] = ("step",)
    dialect: str = ""
    losses: tuple[Loss, ...] = ()
    uses: frozenset[str] = field(default_factory=frozenset[str])
    sides: bool = False

    def export(
        self, demos: DemoSource, folder: Path, *, options: ExportOptions, control: JobControl | None = None
    ) -> ExportLog:
        """Write demos into a new folder; see :meth:`Exporter.export`."""
        control = control or JobControl()
        options = self.fitting(options)
        with staged(folder) as work:
            output = Output(work)
            try:
                log = self._write(demos, output, options, control)
            finally:
                output.close_quietly()
        control.report(Progress(done=demos.total, total=demos.total, text="Done"))
        return log

    def _write(self, demos: DemoSource, output: Output, options: ExportOptions, control: JobControl) -> ExportLog:
        writer = self.writer(output, options)
        for done, demo in enumerate(demos.demos()):
            control.token.check()
            control.report(Progress(done=done, total=demos.total, text=f"Writing {demo.head.demo} as {self.name}"))
            output.side = demo.side
            if demo.side and not self.sides:
                output.lost.add("side", _NO_SIDES, f"{demo.head.demo}, {demo.side}")
            writer.add(self._staying(demo, output, options))
            output.forget_pictures()
        output.licence, output.side = demos.licence, ""
        writer.finish()
        log = self._log(output, options, demos.licence)
        output.write(EXPORT_LOG, dump_pretty(log))
        output.close()
        control.token.check()
        return log

    def _staying(self, demo: DemoRows, output: Output, options: ExportOptions) -> DemoRows:
        """The demo with the steps that the export is to have; the others are counted."""
        if self.rows != "steps":
            return demo
        kept, left = without(demo, options.leave_out)
        for row, why in left:
            output.rows_in += 1
            output.left_out.add(why, LEFT_WORDS[why], named(row))
        told = "the reason may tell of the wrong step before it, which was left out"
        for row in speaks_of_the_gone(demo, {row.step for row, _ in left}) if options.rationale != "none" else ():
            output.lost.add("lesson", told, named(row))
        return kept

    def fitting(self, options: ExportOptions) -> ExportOptions:
        """The options with the format's own unit filled in.

        Raises:
            BadInputError: the format has no samples of the unit that was chosen, or choices contradict each other.
        """
        if "none" in options.leave_out and len(set(options.leave_out)) > 1:
            raise BadInputError(
                "Steps cannot be left out and all be kept.", hint="Drop “none”, or everything beside it."
            )
        unit = options.unit or self.units[0]
        if unit not in self.units:
            raise BadInputError(
                f"The format {self.name} has no samples per {unit}.", hint=f"Leave it at {' or '.join(self.units)}."
            )
        return options.model_copy(update={"unit": unit})

    def _log(self, output: Output, options: ExportOptions, licence: str) -> ExportLog:
        left = output.left_out.items()
        if output.rows_in != output.rows_out + sum(item.count for item in left):
            raise PackError(
                f"The export as {self.name} lost rows without a reason, so it was not kept; the demos are unharmed.",
                details=f"{output.rows_in} rows in, {output.rows_out} out, {left} left out",
                hint="Please report this.",
            )
        return ExportLog(
            format=self.name,
            options=options,
            rows=self.rows,
            rows_in=output.rows_in,
            rows_out=output.rows_out,
            left_out=left,
            lines=output.lines,
            lost=output.lost.items(),
            never=[f"{loss.what}: {loss.why}" for loss in self.losses],
            licence=licence,
            notes=output.notes,
            files=output.files(),
        )
