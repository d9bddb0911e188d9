"""A demo done again for the app: what a person allowed, what was seen meanwhile, and what came of it. Knows no Qt."""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from annotator.replay_words import spoken_replay, title_words
from annotator.words import capital, tr
from demopack.domain.demos import Demo
from demopack.domain.frames import Frame, RgbImage
from demopack.domain.geometry import Rect
from demopack.domain.proofs import ReplayProof
from demopack.domain.words import shorten
from demopack.errors import BadInputError, DemopackError, ReplayCode
from demopack.jobs import JobControl
from demopack.settings import Settings
from demopack.store import Library
from player.consent import values_words
from player.report import ReplayReport, StepReport
from player.row_table import (
    Row,
    RowJournal,
    RowState,
    RowTable,
    demo_fingerprint,
    journal_path,
    read_rows,
    set_journal_aside,
)
from player.rows import RowAnswer, RowRun, RowsReport
from player.screen_matcher import ScreenView
from player.step_gate import StepGate
from player.target_strategies import Strategy
from player.variables import DOTS, FilledDemo, Variable, fill, find_places, variables_of
from player.windows_in_front import WindowsInFront

_COUNTDOWN_S: Final = 3
_SLOW: Final = {"pointer_px_s": 500.0, "typing_interval_ms": 80.0, "pause_s": 1.0}
_MAX_PICTURE_BYTES: Final = 256_000_000  # of compressed pictures of one run


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPlan:
    """What a person has read and allowed.

    Attributes:
        demo_id: what is done again.
        may_launch: the command lines of programs that may be started.
        unchecked_keys: keys are sent also where nothing tells whether they arrive where they did.
        held: it waits before the first step until the person goes on.
        slow: at a pace that a person can follow.
        countdown_s: seconds between the start and the first step.
        values: of variables, by name; those that are not named keep what was recorded.
        table: a file of rows, for each of which it is done; None for once.
        columns: the column of the table that a variable takes its value from, by the variable's name.
        go_on: whether the next row is done after one that failed.
        answers: what is to become of rows that were begun before, or failed, by their number.
        restart: begin at the first row, whatever was done before.
    """

    demo_id: str
    may_launch: frozenset[str] = frozenset()
    unchecked_keys: bool = False
    held: bool = False
    slow: bool = False
    countdown_s: int = _COUNTDOWN_S
    values: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    table: Path | None = None
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    go_on: bool = False
    answers: Mapping[int, RowAnswer] = field(default_factory=dict[int, RowAnswer])
    restart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayWatch:
    """Who follows a replay; all calls come from its thread.

    Attributes:
        gate: holds it between two steps.
        in_front: windows of ours that stay on the screen.
        on_begin: the demo that is about to be performed.
        on_countdown: so many seconds are left before the first step; 0 when it begins.
        on_next: the number of the step that comes next, from 1.
        on_step: a step was done, or could not be.
        on_row: a row is begun: its number from 1, how many there are, and its values as they may be seen.
    """

    gate: StepGate
    in_front: WindowsInFront
    on_begin: Callable[[Demo], None] = lambda _: None
    on_countdown: Callable[[int], None] = lambda _: None
    on_next: Callable[[int], None] = lambda _: None
    on_step: Callable[[StepReport], None] = lambda _: None
    on_row: Callable[[int, int, str], None] = lambda _row, _total, _words: None


@dataclass(frozen=True, slots=True)
class StepPicture:
    """The screen after a step of a replay.

    Attributes:
        recorded: the frame that should be there; None where the recording has none.
        width: of the live picture, pixels.
        height: as ``width``.
        packed: its pixels, compressed.
        differing: boxes in which the two differ, largest first; empty where they cannot be compared.
    """

    recorded: Frame | None
    width: int
    height: int
    packed: bytes = field(repr=False)
    differing: tuple[Rect, ...] = ()

    @staticmethod
    def of(frame: Frame | None, view: ScreenView) -> StepPicture:
        """Keep a look at the screen; takes some 20 ms for a large one."""
        pixels = np.ascontiguousarray(view.image)
        same_size = view.recorded is not None and view.recorded.shape == view.image.shape
        boxes = view.comparison.boxes if view.comparison is not None and same_size else ()
        packed = zlib.compress(pixels.tobytes(), 1)
        return StepPicture(frame, view.size.width, view.size.height, packed, tuple(boxes))

    def pixels(self) -> RgbImage:
        """Shape (height, width, 3), uint8, RGB."""
        flat = np.frombuffer(zlib.decompress(self.packed), dtype=np.uint8)
        image: RgbImage = flat.reshape(self.height, self.width, 3)
        return image


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRun:
    """A replay that has ended.

    Attributes:
        demo: as it was performed.
        report: how it went.
        pictures: by the number of the step, from 1; the oldest are let go where they would take too much memory.
        proof: stored with the demo, as it reached the recorded state; None where it did not, or nobody can tell.
    """

    demo: Demo
    report: ReplayReport
    pictures: Mapping[int, StepPicture]
    proof: ReplayProof | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsOutcome:
    """A demo that was done for the rows of a table.

    Attributes:
        plan: by which it was done.
        demo: as recorded.
        report: what has become of each row.
        runs: the rows that were tried just now, by their number; the pictures of the older ones may be let go.
    """

    plan: ReplayPlan
    demo: Demo
    report: RowsReport
    runs: Mapping[int, ReplayRun]


class _Pictures:
    """Collects the pictures of a run within a bound."""

    def __init__(self) -> None:
        self._runs: list[dict[int, StepPicture]] = []
        self._bytes = 0

    def begin(self) -> dict[int, StepPicture]:
        """What the pictures of a new run, or row, are put into."""
        self._runs.append({})
        return self._runs[-1]

    def add(self, index: int, frame: Frame | None, view: ScreenView) -> None:
        made = StepPicture.of(frame, view)
        self._runs[-1][index] = made
        self._bytes += len(made.packed)
        while self._bytes > _MAX_PICTURE_BYTES:
            oldest = next(run for run in self._runs if run)
            self._bytes -= len(oldest.pop(next(iter(oldest))).packed)


def run_replay(
    library: Library, plan: ReplayPlan, settings: Settings, watch: ReplayWatch, control: JobControl
) -> ReplayRun | RowsOutcome:
    """Perform a demo on this session's screen, once or for each row, and mark it as done again where it was.

    Raises:
        CaptureError: the screen cannot be read or acted on; says why and what to do.
        BadInputError: a value is missing, or something is wrong with the table; nothing was done.
        CancelledError: it was stopped before its first step.
    """
    from player.replay_stage import open_replay

    demo = library.demo(plan.demo_id)
    rows = None if plan.table is None else read_rows(plan.table)
    values = _Values(library, demo, plan, rows)
    watch.on_begin(values.first.demo)
    if plan.slow:
        settings = settings.model_copy(update={"player": settings.player.model_copy(update=_SLOW)})
    pictures = _Pictures()
    steps_control = JobControl(token=control.token, report=lambda progress: watch.on_next(progress.done + 1))
    with contextlib.ExitStack() as stack:
        journal = None if rows is None else stack.enter_context(values.journal(rows))
        make = stack.enter_context(
            open_replay(
                demo,
                library,
                settings,
                may_launch=plan.may_launch,
                unchecked_keys=plan.unchecked_keys,
                step_gate=watch.gate,
                in_front=watch.in_front,
                on_view=pictures.add,
            )
        )
        for left in range(plan.countdown_s, 0, -1):
            watch.on_countdown(left)
            control.token.wait(1)
            control.token.check()
        watch.on_countdown(0)

        def perform(filled: FilledDemo) -> ReplayRun:
            kept = pictures.begin()
            report = make(filled).run(control=steps_control, on_step=watch.on_step)
            return ReplayRun(demo=filled.demo, report=report, pictures=kept)

        if rows is None or journal is None:
            run = perform(values.first)
            # With other values it is another demo that was done.
            is_same = run.demo.steps == demo.steps
            return replace(run, proof=_mark(library, demo, run.report) if is_same else None)
        runs: dict[int, ReplayRun] = {}

        def do_row(row: Row) -> ReplayReport:
            filled = values.fill(row)
            watch.on_begin(filled.demo)
            watch.on_row(row.number, len(rows.rows), values_words(values.shown(row)))
            runs[row.number] = perform(filled)
            return runs[row.number].report

        table = RowRun(
            demo=demo.head.id, table=rows, journal=journal, replay=do_row, show=values.shown, go_on=plan.go_on
        )
        for row in (*table.rows("unknown"), *table.rows("failed")):
            if row.number in plan.answers:
                table.answer(row, plan.answers[row.number])
        report = table.run(control=JobControl(token=control.token))
    return RowsOutcome(plan=plan, demo=demo, report=report, runs=runs)


class _Values:
    """The values that a demo is done with, once or for each row.

    Attributes:
        first: the demo as it is done first.
    """

    def __init__(self, library: Library, demo: Demo, plan: ReplayPlan, rows: RowTable | None) -> None:
        """Fetch what is missing from the key ring, and make sure that every row can be done.

        Raises:
            BadInputError: a value is missing or ambiguous; or a column is not there.
        """
        self._demo, self._plan = demo, plan
        self._known = {one.name: one for one in variables_of(demo)}
        columns = () if rows is None else rows.columns
        self._columns = {name: column for name, column in plan.columns.items() if column in columns}
        if rows is not None and not self._columns:
            raise BadInputError(tr("No variable takes its value from a column of the table."))
        self._given = {name: value for name, value in plan.values.items() if name not in self._columns}
        for name, one in self._known.items():
            if one.value is None and name not in self._columns and not self._given.get(name):
                self._given[name] = self._fetch(one)
        self._places = find_places(demo, [*self._given, *self._columns], library)
        self.first: FilledDemo = self.fill(None if rows is None else rows.rows[0])
        for row in () if rows is None else rows.rows[1:]:
            self.fill(row)  # what is wrong with a row is said before the first is done

    def fill(self, row: Row | None) -> FilledDemo:
        """The demo with a row's values; None for those that were given alone."""
        try:
            return fill(self._demo, {**self._given, **self._of(row)}, self._places)
        except BadInputError as error:
            if row is not None:
                error.user_message = tr("Row {row}: {words}").format(row=row.number, words=error.user_message)
            raise

    def shown(self, row: Row) -> dict[str, str]:
        """A row's values, secrets as dots."""
        return {name: DOTS if self._known[name].secret else value for name, value in self._of(row).items()}

    def journal(self, rows: RowTable) -> RowJournal:
        """What says which rows are done, beside the table."""
        assert self._plan.table is not None
        path = journal_path(self._plan.table, self._demo.head.id)
        if self._plan.restart:
            set_journal_aside(path)
        secret = {name for name, one in self._known.items() if one.secret}
        fixed = {name: value for name, value in self._given.items() if name not in secret}
        # The command takes columns by the names of the variables; a journal is its as well where these agree.
        renamed = {f"column of {name}": column for name, column in self._columns.items() if name != column}
        hidden = {column for name, column in self._columns.items() if name in secret}
        return RowJournal(
            path, demo=self._demo.head.id, does=demo_fingerprint(self._demo, {**fixed, **renamed}),
            table=rows.fingerprint(hidden), rows=len(rows.rows),
        )  # fmt: skip

    def _of(self, row: Row | None) -> dict[str, str]:
        return {} if row is None else {name: row.values[column] for name, column in self._columns.items()}

    def _fetch(self, variable: Variable) -> str:
        from models.language.servers import key_in_ring

        kept = key_in_ring(f"{self._demo.head.id}:{variable.name}") if variable.secret else None
        if not kept:
            raise BadInputError(
                tr("The demo does not have the value of {name}: it was hidden when it was recorded.").format(
                    name=variable.name
                ),
                hint=tr("Write it into its field, and start again."),
            )
        return kept


def _mark(library: Library, demo: Demo, report: ReplayReport) -> ReplayProof | None:
    """Store with the demo that it was done again, where that is so."""
    from player.replay_proof import proof_of, store_proof
    from recorder.sources import platform_name

    proof = proof_of(demo, report, platform=platform_name())
    if proof is None:
        return None
    try:
        store_proof(library, demo, proof)
    except DemopackError:
        return None  # the demo was edited or removed meanwhile: the proof is about another one
    return proof


# Words --------------------------------------------------------------------------------------------------------------

StepState = Literal["as_recorded", "late", "differs", "not_done", "unknown"]

STATE_WORDS: Final[Mapping[StepState, str]] = {
    "as_recorded": tr("as recorded"),
    "late": tr("late"),
    "differs": tr("differs"),
    "not_done": tr("not done"),
    "unknown": tr("done"),
}
"""How a step went, in a word or two; the last where nothing was compared."""

_CODES: Final[Mapping[ReplayCode, str]] = {
    "not_found": tr("What it acts on was not found on the screen."),
    "ambiguous": tr("More than one thing on the screen may be meant."),
    "occluded": tr("Another window lies over what it acts on."),
    "no_effect": tr("Nothing changed on the screen."),
    "other_effect": tr("It changed something else than in the recording."),
    "other_window": tr("Another window or field has the keyboard."),
    "not_allowed": tr("It was not allowed."),
    "stopped": tr("It was stopped."),
    "failed": tr("It could not be done."),
}


_FOUND: Final[Mapping[Strategy, str]] = {
    "role_name": tr("found by its role and name"),
    "track_id": tr("found as the recorded element"),
    "element_id": tr("found by its number on the screen"),
    "text": tr("found by its text"),
    "bbox": tr("found by its place"),
}


def state_of(step: StepReport) -> StepState:
    """How a step went."""
    if not step.performed or step.error:
        return "not_done"
    if step.matched_after is None:
        return "unknown"
    if not step.matched_after:
        return "differs"
    return "late" if step.late else "as_recorded"


def reason_of(step: StepReport) -> str:
    """What went wrong with a step, in a sentence; empty where nothing did."""
    return _CODES[step.code] if step.code else ""


def happened_lines(step: StepReport) -> list[str]:
    """What happened in a step, line by line; the first is the most important."""
    lines = [reason_of(step)] if step.code else []
    if step.error:
        # What is an option of the command is a check box here.
        lines.append(spoken_replay(step.error).replace("--unchecked-keys", tr("“Send keys unchecked”")))
    elif step.matched_after is False and step.effect is not None:
        lines.append(
            tr("{share} % of what this step changed looks as recorded.").format(share=round(100 * step.effect))
        )
    elif step.late:
        lines.append(tr("It looked as recorded only when the next step began."))
    elif step.matched_after:
        lines.append(tr("The screen changed as it did in the recording."))
    elif step.performed:
        lines.append(tr("It was done; nothing tells whether it did what it should."))
    if step.strategy and step.point:
        where = tr("{found}, at {x}, {y}.").format(found=found_words(step), x=step.point[0], y=step.point[1])
        lines.append(capital(where))
    return lines


def found_words(step: StepReport) -> str:
    """How what a step acts on was found; empty for a step without a target."""
    return _FOUND[step.strategy] if step.strategy else ""


def summary_of(run: ReplayRun) -> tuple[str, bool]:
    """What came of a replay, in a sentence or two, and whether it is good news."""
    report = run.report
    done, total = sum(step.performed for step in report.steps), report.total
    if report.success:
        if report.as_recorded is None:
            return tr("All {total} steps were done; nothing was there to compare.").format(total=total), True
        compared = sum(step.matched_after is not None for step in report.steps)
        words = (
            tr("Done again: all {total} steps did what they did in the recording.")
            if compared == total
            else tr("Done again: all {total} steps were done, and {compared} could be compared and are as recorded.")
        )
        return words.format(total=total, compared=compared), True
    wrong = next((step for step in report.steps if state_of(step) in {"not_done", "differs"}), None)
    if wrong is None:
        return tr("Stopped after {done} of {total} steps.").format(done=done, total=total), False
    if state_of(wrong) == "not_done" and wrong.code == "stopped":
        return tr("Stopped at step {step} of {total}.").format(step=wrong.index, total=total), False
    words = (
        tr("Ended at step {step} of {total}: {why}")
        if state_of(wrong) == "not_done"
        else tr("{done} of {total} steps were done. Step {step} is the first that differs: {why}")
    )
    return words.format(step=wrong.index, done=done, total=total, why=reason_of(wrong)), False


def reason_of_run(run: ReplayRun) -> str:
    """What went wrong first in a replay, in a sentence; empty where nothing did."""
    return next((reason_of(step) for step in run.report.steps if state_of(step) in {"not_done", "differs"}), "")


def first_wrong(report: ReplayReport) -> int:
    """Number of the first step that is not as recorded, from 1; else of the last where the replay was stopped, or 1."""
    last = report.steps[-1].index if report.steps and not report.success else 1
    return next((step.index for step in report.steps if state_of(step) in {"not_done", "differs"}), last)


ROW_WORDS: Final[Mapping[RowState, str]] = {
    "open": tr("not done yet"),
    "unknown": tr("unknown"),
    "done": tr("done"),
    "failed": tr("failed"),
    "skipped": tr("left out"),
}
"""What has become of a row."""


def rows_summary(report: RowsReport) -> tuple[str, bool]:
    """What has become of all rows, in a sentence or two, and whether it is good news."""
    counts = ", ".join(
        tr("{count} {state}").format(count=count, state=ROW_WORDS[state])
        for state, count in report.counts.items()
        if count
    )
    words = tr("{total} rows: {counts}.").format(total=len(report.rows), counts=counts)
    if report.counts["unknown"]:
        words += " " + tr(
            "An unknown row was begun when an earlier run was cut off, and may be done in part: look there, and decide."
        )
    return words, report.success


def task_words(demo: Demo) -> str:
    """The task of a demo in one line."""
    return shorten(title_words(demo.head), 100) or tr("No task written")
