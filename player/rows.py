"""A demo done once for each row of a table, with a journal that says which rows are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from demopack.clock import now_ns
from demopack.domain.actions import LaunchAction
from demopack.domain.demos import Demo
from demopack.domain.geometry import Rect
from demopack.domain.ports import FrameStore
from demopack.domain.records import Record
from demopack.errors import DemopackError
from demopack.jobs import JobControl, Progress
from demopack.pixels.masks import crop
from player.compare import compare
from player.report import ReplayReport
from player.row_table import Row, RowJournal, RowState, RowTable

RowAnswer = Literal["redo", "skip", "done"]
"""What is to become of a row of which nobody knows whether it was done: again; not at all; it was done."""

_STILL_THERE: Final = 0.5
"""So much of a window, if it is still there, looks as it did, whatever was typed into it."""


def closed_window(demo: Demo, images: FrameStore) -> str:
    """The title of the window that a demo begins in, where something else is in its place after the last step.

    Empty where it is still there, where the demo starts a program first, and where nobody tells.

    Args:
        demo: as recorded.
        images: its frames.

    Raises:
        CorruptFrameError: a picture is damaged.
    """
    if not demo.steps or isinstance(demo.steps[0].action, LaunchAction):
        return ""
    window, before = demo.steps[0].window, demo.steps[0].before
    after = demo.steps[-1].after or demo.steps[-1].before
    if window is None or window.box is None or before is None or after is None or before.size != after.size:
        return ""
    box = before.space.to_pixels(window.box).intersection(Rect(0, 0, before.width, before.height))
    if box is None:
        return ""
    was, now = (crop(images.get_image(frame.id), box) for frame in (before, after))
    return window.title if compare(was, now).share < _STILL_THERE else ""


class RowReport(Record):
    """What has become of one row.

    Attributes:
        row: its number, from 1.
        line: of the file on which it begins.
        state: what has become of it.
        now: whether it was done, or tried, just now; False for what an earlier run did.
        values: by column, secrets as dots.
        performed: how many steps were performed just now.
        total: steps of the demo.
        first_difference: the first step that did something else than in the recording; empty where there is none.
        error: why it failed; empty where it did not.
        seconds: it took.
    """

    row: int
    line: int
    state: RowState
    now: bool = False
    values: dict[str, str]
    performed: int = 0
    total: int = 0
    first_difference: str = ""
    error: str = ""
    seconds: float = 0.0


class RowsReport(Record):
    """A demo done for each row.

    Attributes:
        schema_version: of this record.
        demo: its id.
        rows: all of them, in order.
        stopped: why not all rows were tried; empty where they were.
        seconds: from start to end.
    """

    schema_version: Literal[1] = 1
    demo: str
    rows: tuple[RowReport, ...]
    stopped: str = ""
    seconds: float = 0.0

    @property
    def counts(self) -> dict[RowState, int]:
        """How many rows there are of each state."""
        states = [row.state for row in self.rows]
        return {state: states.count(state) for state in ("done", "failed", "unknown", "skipped", "open")}

    @property
    def success(self) -> bool:
        """Whether every row is done, now or before, or was left out by the person."""
        return all(row.state in {"done", "skipped"} for row in self.rows)

    def to_json(self) -> dict[str, Any]:
        """The plain JSON form, with what is derived."""
        return {**super().to_json(), "success": self.success, "counts": dict(self.counts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRun:
    """A table and a demo, ready to be done row by row.

    Attributes:
        demo: id of the demo.
        table: the rows.
        journal: open; says which rows are done.
        replay: performs the demo with a row's values.
        show: a row's values as people may see them.
        go_on: whether the next row is done after one that failed.
    """

    demo: str
    table: RowTable
    journal: RowJournal
    replay: Callable[[Row], ReplayReport]
    show: Callable[[Row], Mapping[str, str]] = lambda row: row.values
    go_on: bool = False

    def rows(self, state: RowState) -> list[Row]:
        """The rows of a state, as the journal says."""
        return [row for row in self.table.rows if self.journal.states[row.number] == state]

    def answer(self, row: Row, answer: RowAnswer) -> None:
        """Note what a person says about a row of which nobody knows whether it was done, or that failed."""
        states: dict[RowAnswer, Literal["open", "skipped", "done"]] = {
            "redo": "open",
            "skip": "skipped",
            "done": "done",
        }
        self.journal.end(row.number, states[answer])

    def run(
        self, *, control: JobControl | None = None, on_row: Callable[[RowReport], None] = lambda _: None
    ) -> RowsReport:
        """Do every row that is open; none that was begun before is done again.

        Args:
            control: progress and cancel; a row that is stopped counts as failed.
            on_row: called after each row that was tried, from this thread.

        Raises:
            DemopackError: of a kind that would come at every row; the row is noted as failed.
        """
        control = control or JobControl()
        started, total, stopped = now_ns(), len(self.table.rows), ""
        tried: dict[int, RowReport] = {}
        for row in self.rows("open"):
            if stopped := self._why_stopped(control, tried):
                break
            control.report(Progress(done=row.number - 1, total=total, text=f"Row {row.number}"))
            tried[row.number] = self._do(row)
            on_row(tried[row.number])
        stopped = stopped or self._why_stopped(control, tried)
        control.report(Progress(done=total, total=total, text="Rows done"))
        return RowsReport(
            demo=self.demo,
            rows=tuple(tried.get(row.number) or self._known(row) for row in self.table.rows),
            stopped=stopped,
            seconds=round((now_ns() - started) / 1e9, 3),
        )

    def _why_stopped(self, control: JobControl, tried: Mapping[int, RowReport]) -> str:
        if not self.rows("open"):
            return ""
        if control.token.cancelled:
            return "The replay was stopped."
        failed = next((row for row in tried.values() if row.state == "failed"), None)
        return "" if failed is None or self.go_on else f"Row {failed.row} failed; the rows after it were not begun."

    def _do(self, row: Row) -> RowReport:
        self.journal.begin(row.number)
        started = now_ns()
        try:
            report = self.replay(row)
        except DemopackError as error:
            self.journal.end(row.number, "failed", error=error.user_message)
            raise
        state: Literal["done", "failed"] = "done" if report.success else "failed"
        failed = next((step.error for step in report.steps if step.error), "") or report.stopped
        why = "" if report.success else failed or report.first_difference or "Not all steps were performed."
        self.journal.end(row.number, state, error=why)
        return self._known(row).but(
            now=True,
            performed=sum(step.performed for step in report.steps),
            total=report.total,
            first_difference=report.first_difference,
            seconds=round((now_ns() - started) / 1e9, 3),
        )

    def _known(self, row: Row) -> RowReport:
        state = self.journal.states[row.number]
        error = self.journal.errors.get(row.number, "") if state == "failed" else ""
        return RowReport(row=row.number, line=row.line, state=state, values=dict(self.show(row)), error=error)
