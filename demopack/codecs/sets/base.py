"""Base of every format of training and few-shot files: options, log, writer, and the run of one export."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Final, Literal

from pydantic import Field

from demopack import __version__
from demopack.codecs.base import Codec
from demopack.codecs.losses import EXPORT_LOG, Loss, LostItem
from demopack.codecs.output import Output, encode_step, staged
from demopack.codecs.placed_action import EncodedAction
from demopack.codecs.recorded_demo import DemoSource, RecordedDemo, RecordedStep
from demopack.codecs.step_marks import numbered
from demopack.domain.demos import DemoHead
from demopack.domain.frames import Frame
from demopack.domain.records import Record
from demopack.domain.words import counted
from demopack.errors import BadInputError, PackError
from demopack.file_names import safe_name
from demopack.jobs import JobControl, Progress
from demopack.json_lines import dump_pretty

Unit = Literal["step", "episode"]
Rows = Literal["steps", "pictures", "elements"]
"""What one row of a format is made from."""
LeaveOut = Literal["wrong", "redundant", "none"]
LEFT_OUT: Final = {
    "no_picture": "the step has no picture of the screen before it",
    "not_parsed": "nobody has looked for elements on this picture",
    "rejected": "a person said that the step is to be left out",
    "wrong": "a judge found the step wrong",
    "redundant": "a judge found the step needless",
    "judged": "a judge does not say that the task was done",
    "failed": "the task was not done",
    "not_known": "nobody said whether the task was done",
}
"""Why a row is not written."""
README: Final = "README.md"
DEMO_FOLDER: Final = "demos/"
"""Folder of formats with a JSON file for each demo, so that a reader of the whole folder meets nothing else in it."""
LOAD_IMAGE_FOLDER: Final = """\
from datasets import load_dataset

rows = load_dataset("imagefolder", data_dir="FOLDER", split="train")"""
_LESSON: Final = "the reason may tell of the wrong step before it, which was left out"
_NO_SIDES: Final = "the format does not tell the sides of a divided pack apart; export each side by itself"


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
        any_outcome: also demos that nobody judged or marked as successful; most formats take these anyway.
    """

    rationale: Literal["none", "no_hindsight", "hindsight"] = "no_hindsight"
    elements: bool = True
    marks: bool = False
    unit: Unit | None = None
    history: int | None = Field(default=None, ge=0)
    leave_out: tuple[LeaveOut, ...] = ()
    any_outcome: bool = False


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
        kept_digests: of values that may be private and that a person kept, as in ``pack.json``; the check does not ask
            about these again.
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
    kept_digests: list[str] = Field(default_factory=list[str])
    notes: list[str]
    files: list[str] = Field(default_factory=list[str])


class FormatWriter(ABC):
    """Encoder of one export, demo by demo. It keeps nothing of a demo once :meth:`add` has returned.

    Attributes:
        output: the export.
        options: as chosen.
        demos: how many were begun.
        picture_folder: folder of the pictures inside the export, ending with a slash; ``{part}`` in it is the side of
            the demo at hand.
        table: file that is there even without a row; empty for none.
        note: what a reader of the export should know; empty for nothing.
    """

    picture_folder: ClassVar[str] = "images/"
    table: ClassVar[str] = ""
    note: ClassVar[str] = ""

    def __init__(self, output: Output, options: ExportOptions) -> None:
        self.output = output
        self.options = options
        self.demos = 0

    @abstractmethod
    def add(self, demo: RecordedDemo) -> None:
        """Write one demo."""

    def finish(self) -> None:
        """Write what comes at the end."""
        if self.table:
            self.output.text(self.table)
        if self.note:
            self.output.notes.append(self.note)

    def every(self, demo: RecordedDemo) -> Iterator[RecordedStep]:
        """All steps; they are counted as written."""
        for step in demo.steps:
            self.output.rows_out += 1
            yield step

    def encoded(
        self, demo: RecordedDemo, codec: Codec, *, pictured: bool = False
    ) -> Iterator[tuple[RecordedStep, EncodedAction]]:
        """The steps that a vocabulary has words for, each with these; all are counted.

        Args:
            demo: the demo.
            codec: the vocabulary.
            pictured: leave out the steps without a picture before them, too: the reader opens one for each step.
        """
        for step in demo.steps:
            if pictured and step.recorded.before is None:
                self.output.left_out.add("no_picture", LEFT_OUT["no_picture"], step.name)
                continue
            encoded = encode_step(self.output, codec, step)
            if encoded is not None:
                self.output.rows_out += 1
                yield step, encoded

    def pictured(self, demo: RecordedDemo) -> Iterator[tuple[RecordedStep, Frame]]:
        """The steps that have a picture of the screen before them, each with it; all are counted."""
        for step in demo.steps:
            if step.recorded.before is None:
                self.output.left_out.add("no_picture", LEFT_OUT["no_picture"], step.name)
            else:
                self.output.rows_out += 1
                yield step, step.recorded.before

    def picture(self, demo: RecordedDemo, frame: Frame, *, name: str = "") -> str:
        """Bring a picture, the elements' numbers drawn on it where the options want that.

        Args:
            demo: the demo.
            frame: its picture.
            name: path inside the export; by default made from the demo's.

        Returns:
            The path inside the export.
        """
        name = name or picture_name(demo.files[frame.id], self.picture_folder.replace("{part}", self.output.part))
        if not self._is_marked(demo, frame) or self.output.has(name):
            return self.output.picture(demo, demo.files[frame.id], name)
        return self.output.draw(name, self.picture_bytes(demo, frame))

    def picture_before(self, demo: RecordedDemo, step: RecordedStep, *, name: str = "") -> str | None:
        """:meth:`picture` of the screen before a step; None where it has none."""
        before = step.recorded.before
        return None if before is None else self.picture(demo, before, name=name)

    def picture_bytes(self, demo: RecordedDemo, frame: Frame) -> bytes:
        """The PNG of a picture, the elements' numbers drawn on it where the options want that."""
        data = demo.pictures.read(demo.files[frame.id])
        return numbered(data, demo.elements[frame.id]) if self._is_marked(demo, frame) else data

    def _is_marked(self, demo: RecordedDemo, frame: Frame) -> bool:
        return self.options.marks and bool(demo.elements.get(frame.id))


def load_lines(table: str) -> str:
    """Code that reads a JSON Lines file of an export, for :attr:`Format.load`."""
    return f"""\
import json

with open("FOLDER/{table}", encoding="utf-8") as lines:
    rows = [json.loads(line) for line in lines]"""


def load_table(table: str) -> str:
    """Code that loads a JSON Lines file of an export as a data set, for :attr:`Format.load`."""
    return f"""\
from datasets import load_dataset

rows = load_dataset("json", data_files="FOLDER/{table}", split="train")"""


def picture_name(file: str, folder: str = "images/") -> str:
    """Where a picture of a demo goes in an export: ``frames/demo/0001.png`` becomes ``images/demo/0001.png``."""
    stem = file.removeprefix("frames/").removesuffix(".png")
    return f"{folder}{'/'.join(map(safe_name, stem.split('/')))}.png"


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format that demos are exported in.

    Attributes:
        name: how it is asked for.
        title: what it is, for people.
        files: what it writes, for people.
        reads: which programs read it.
        about: what it is for, in one sentence.
        load: how it is loaded: Python, or lines of a shell that begin with ``$``. FOLDER is where it was exported to,
            DEMO a demo's file name, ``train`` the side.
        writer: makes the writer of one export.
        rows: what one row is made from.
        units: samples of steps, of episodes, or both; the first is the default.
        dialect: the vocabulary its actions are written in; empty for the contract's own.
        losses: what it can never carry.
        uses: the options that change what is written.
        successful_only: whether only demos that were judged or marked as successful are written unless
            ``any_outcome`` is chosen; for formats whose readers take every demo for a right one.
        sides: whether it tells the sides of a divided pack apart.
    """

    name: str
    title: str
    files: str
    reads: str
    about: str
    load: str
    writer: Callable[[Output, ExportOptions], FormatWriter]
    rows: Rows = "steps"
    units: tuple[Unit, ...] = ("step",)
    dialect: str = ""
    losses: tuple[Loss, ...] = ()
    uses: frozenset[str] = field(default_factory=frozenset[str])
    successful_only: bool = False
    sides: bool = False

    def export(
        self, demos: DemoSource, folder: Path, *, options: ExportOptions, control: JobControl | None = None
    ) -> ExportLog:
        """Write demos into a new folder.

        Raises:
            BadInputError: the folder holds something else, or an option does not fit the format. Nothing was written.
            PackError: the demos cannot be read. Nothing was written.
            CancelledError: nothing was written.
            DiskFullError: nothing was written.
        """
        control = control or JobControl()
        options = self.fitting(options)
        with staged(folder) as work:
            output = Output(work)
            try:
                log = self._write(demos, output, options, control)
            finally:
                # A full disk may refuse even the last bytes; of an export that failed they are not wanted any more.
                with contextlib.suppress(OSError):
                    output.at_end.close()
        control.report(Progress(done=demos.total, total=demos.total, text="Done"))
        return log

    def _write(self, demos: DemoSource, output: Output, options: ExportOptions, control: JobControl) -> ExportLog:
        writer = self.writer(output, options)
        demo_file, side = "", ""
        for done, demo in enumerate(demos.demos()):
            if not done:
                demo_file, side = safe_name(demo.head.id), demo.side
            control.step(done, demos.total, f"Writing {demo.head.id} as {self.name}")
            output.side = demo.side
            if demo.side and not self.sides:
                output.lost.add("side", _NO_SIDES, f"{demo.head.id}, {demo.side}")
            rows = _rows(demo, self.rows)
            output.rows_in += len(rows)
            unfit = None if options.any_outcome or not self.successful_only else unsuccessful_because(demo.head)
            if unfit is not None:
                for row in rows:
                    output.left_out.add(unfit, LEFT_OUT[unfit], row)
                continue
            writer.demos += 1
            writer.add(demo if self.rows != "steps" else _staying(demo, output, options))
            output.forget_pictures()
        output.licence, output.side = demos.licence, ""
        writer.finish()
        if not output.path(README).exists():
            output.write(README, self._readme(output, demo_file, side))
        log = self._log(output, options, demos)
        output.write(EXPORT_LOG, dump_pretty(log))
        output.close()
        control.token.check()
        return log

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

    def _readme(self, output: Output, demo_file: str, side: str) -> str:
        """Page beside the export: what it is, how it is loaded, what is not in it.

        Args:
            output: the export; its licence and counts are known.
            demo_file: file name of the first demo.
            side: that the first demo is on; empty where nobody divided.
        """
        code = self.load.replace("FOLDER/", "").replace("FOLDER", ".").replace("DEMO", demo_file or "DEMO")
        code = code.replace('split="train"', f'split="{side or "train"}"') if self.sides else code
        is_shell, row = code.startswith("$ "), self.rows.removesuffix("s")
        missing = [f"- {loss.what}: {loss.why}" for loss in self.losses]
        for word, losses in (("left out", output.left_out), ("less exact", output.lost)):
            missing += [f"- {counted(item.count, row)} {word}: {item.why}" for item in losses.items()]
        lines = [
            f"# {self.title}",
            "",
            self.about,
            f"{output.rows_out} of {counted(output.rows_in, row)}, written by demopack {__version__}.",
            f"Licence: {output.licence or 'not said'}. Read by {self.reads}.",
            "",
            "Load it, in this folder:",
            "",
            "```sh" if is_shell else "```python",
            code.replace("$ ", "") if is_shell else code,
            "```",
            *(["", *(f"{note.rstrip('.')}." for note in output.notes)] if output.notes else []),
            *(["", "What is not in it:", "", *missing] if missing else []),
            "",
            f"`{EXPORT_LOG}` holds this as data, with examples.",
        ]
        return "\n".join([*lines, ""])

    def _log(self, output: Output, options: ExportOptions, demos: DemoSource) -> ExportLog:
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
            licence=demos.licence,
            kept_digests=sorted(demos.kept_digests),
            notes=output.notes,
            files=output.files(),
        )


def _rows(demo: RecordedDemo, rows: Rows) -> list[str]:
    """The names of what may become the rows of a demo."""
    if rows == "steps":
        return [step.name for step in demo.steps]
    if rows == "pictures":
        return [frame.id for frame in demo.frames]
    return [element.uid for frame in demo.frames for element in demo.elements.get(frame.id, ())]


def _staying(demo: RecordedDemo, output: Output, options: ExportOptions) -> RecordedDemo:
    """The demo with the steps that the export is to have, numbered anew; the others are counted."""
    gone = [left_because(step, options.leave_out) for step in demo.steps]
    if not any(gone):
        return demo
    kept: list[RecordedStep] = []
    for number, (step, why) in enumerate(zip(demo.steps, gone, strict=True)):
        recorded = step.recorded
        if why is not None:
            output.left_out.add(why, LEFT_OUT[why], step.name)
            continue
        if recorded.after is None and any(gone[number + 1 : number + 2]):
            # Exporters take the next step's picture for what came of this one; the next one that stays shows more.
            recorded = recorded.but(after=demo.steps[number + 1].recorded.before)
        if number and gone[number - 1] and recorded.rationale is not None and options.rationale != "none":
            verdict = demo.steps[number - 1].recorded.verdict
            if verdict is not None and verdict.correct == "no":
                output.lost.add("lesson", _LESSON, step.name)
        kept.append(replace(step, index=len(kept), left_out=number - len(kept), recorded=recorded))
    return replace(demo, steps=kept)


def unsuccessful_because(head: DemoHead) -> Literal["judged", "failed", "not_known"] | None:
    """Why a demo is no example of how its task is done; None for one that is.

    A judge's verdict counts, whatever the person said; without one the person's word does.
    """
    if head.done == "yes":
        return None
    if head.verdict is not None:
        return "judged"
    return "failed" if head.outcome == "failure" else "not_known"


def left_because(step: RecordedStep, choice: Collection[LeaveOut]) -> Literal["rejected", "wrong", "redundant"] | None:
    """Why a step is left out; None for one that stays.

    What a person said stands above what a judge said. The step that ends the task is never left out by a judge's word:
    without it no sample would say when to stop. Where no model was asked, the labels that frames and actions give
    (no effect, undone, repeated, ...) say that a step was needless.
    """
    if "none" in choice:
        return None
    review, verdict = step.recorded.review, step.recorded.verdict
    if review == "rejected":
        return "rejected"
    if verdict is None or review == "approved" or step.ends:
        return None
    if "wrong" in choice and verdict.correct == "no":
        return "wrong"
    needless = bool(verdict.labels) if verdict.correct is None else verdict.redundant == "yes"
    return "redundant" if "redundant" in choice and needless else None
