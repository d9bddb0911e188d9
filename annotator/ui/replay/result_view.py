"""What came of a replay: each step with its sign, and the screen as recorded beside the screen as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPen
from PySide6.QtWidgets import QWidget

from annotator.replay_run import (
    ROW_WORDS,
    STATE_WORDS,
    ReplayRun,
    RowsOutcome,
    StepPicture,
    StepState,
    first_wrong,
    found_words,
    happened_lines,
    reason_of,
    reason_of_run,
    rows_summary,
    state_of,
    summary_of,
    task_words,
)
from annotator.replay_words import spoken_replay
from annotator.step_words import describe_step_in
from annotator.ui.canvas.layers import OutlineLayer, OutlineStyle
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.controls import Segments, column, label, line, push_button, row, show_words
from annotator.ui.operations import Operations
from annotator.ui.painting import faded
from annotator.ui.row_list import ListRow, RowList
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, HUES, SPACE, Tone
from annotator.words import capital, tr
from demopack.domain.geometry import Size
from player.consent import values_words
from player.report import StepReport
from player.row_table import RowState
from player.rows import RowAnswer

_TONES: Final[Mapping[StepState, Tone]] = {
    "as_recorded": "success", "late": "success", "unknown": "muted", "differs": "warning", "not_done": "danger",
}  # fmt: skip
_SIGNS: Final[Mapping[StepState, str]] = {
    "as_recorded": "✓", "late": "✓", "unknown": "·", "differs": "≠", "not_done": "✕",
}  # fmt: skip
_ROW_TONES: Final[Mapping[RowState, Tone]] = {
    "open": "muted", "unknown": "warning", "done": "success", "failed": "danger", "skipped": "muted",
}  # fmt: skip
_ANSWERS: Final[tuple[tuple[RowAnswer, str], ...]] = (
    ("redo", tr("Again")), ("skip", tr("Leave out")), ("done", tr("It is done")),
)  # fmt: skip
_ANSWER_TIPS: Final = (
    tr("Do this row again from its first step"), tr("Do not do this row"), tr("I looked: this row is done"),
)  # fmt: skip
_DIFFERENCE: Final = HUES["other"]


def step_rows(run: ReplayRun) -> list[ListRow]:
    """A row for each step of the demo: what it does, how it went, and why it went wrong."""
    done = {step.index: step for step in run.report.steps}
    rows: list[ListRow] = []
    for number, step in enumerate(run.demo.steps, start=1):
        report = done.get(number)
        words = describe_step_in(run.demo, step, ahead=report is None or not report.performed)
        if report is None:
            rows.append(ListRow(key=str(number), title=f"{number}  {words}", caption=tr("not reached")))
            continue
        state = state_of(report)
        told = [reason_of(report) or capital(STATE_WORDS[state]), found_words(report)]
        rows.append(
            ListRow(
                key=str(number), title=f"{number}  {words}", caption=" · ".join(part for part in told if part),
                badge=_SIGNS[state], tone=_TONES[state],
            )
        )  # fmt: skip
    return rows


class ComparedPicture(PictureView):
    """One of two pictures of a step, with the places outlined in which they differ."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumSize(160, 120)
        pens = (QPen(faded(HALO, 220), 4), QPen(QColor(_DIFFERENCE), 2))
        self.differences = OutlineLayer(lambda: OutlineStyle(pens=pens, margin=3))
        self.add_layer(self.differences)

    def show_image(self, image: QImage, picture: StepPicture) -> None:
        """Show an image, and where the two differ."""
        self.set_view(self.viewport.showing(Size(image.width(), image.height())).fit())
        self.differences.show(picture.differing)
        self.show_picture(image)

    def show_nothing(self, words: str) -> None:
        """Words in the place of a picture."""
        self.differences.show(())
        self.show_message(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: zoom with plus and minus, show everything with 0."""
        if event.key() in {Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus}:
            self.zoom_by(1 / 1.2 if event.key() == Qt.Key.Key_Minus else 1.2)
        elif event.key() == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)


class ResultView(QWidget):
    """Shows a run.

    Attributes:
        rows: the list of rows; hidden where it was done once.
        steps: the list of steps.
        recorded: the picture of the recording.
        now: the screen as it was.

    Signals:
        open_wanted: id of the demo, and the number of a step from 1.
        again_wanted: id of the demo.
        rows_wanted: the ``ReplayPlan`` by which the rows that are not done are to be done.
        leave_wanted: back to where it was begun.
    """

    open_wanted = Signal(str, int)
    again_wanted = Signal(str)
    rows_wanted = Signal(object)
    leave_wanted = Signal()

    def __init__(self, pictures: ScreenshotCache, operations: Operations, theme: Theme) -> None:
        super().__init__()
        self._pictures, self._operations = pictures, operations
        self._run: ReplayRun | None = None
        self._shown = 0
        self._expected: StepPicture | None = None
        self._task = label("", role="muted")
        self.summary = label("", role="title", wraps=True)
        self._mark = label("", role="good", wraps=True)
        self.rows = RowList(tr("Rows of the table"), theme)
        self._outcome: RowsOutcome | None = None
        self._answers: dict[int, RowAnswer] = {}
        self._decide = Segments(
            tr("What becomes of this row"), [words for _, words in _ANSWERS], tips=_ANSWER_TIPS, fills=True
        )
        self._decide.chosen.connect(self._answer)
        self._go_on = push_button(
            tr("Do the rows that are left"), tr("As they were begun; nothing that is done is done again"), theme,
            name="play", call=self._do_rows,
        )  # fmt: skip
        self._row_part = QWidget()
        column((self.rows, 1), self._decide, self._go_on, of=self._row_part, margins=(SPACE.s, 0, SPACE.s, SPACE.s))
        self._row_part.setMinimumWidth(220)
        self._row_part.setMaximumWidth(300)
        self.rows.current_changed.connect(self._show_row)
        self.steps = RowList(tr("Steps of the replay"), theme)
        self.steps.setMinimumWidth(240)
        self.steps.setMaximumWidth(360)
        self._title = label("", role="title", wraps=True)
        self.happened = label("", wraps=True)
        self.recorded = ComparedPicture(theme, tr("As recorded"))
        self.now = ComparedPicture(theme, tr("Now"))
        self._again = push_button(
            tr("Do it again"), tr("Read once more what it does, and start"), theme, name="play", keys="Ctrl+Shift+D"
        )
        self._open = push_button(
            tr("Open in the editor at this step"), tr("Look at the step, and change it"), theme, name="target",
            role="main",
        )  # fmt: skip
        self._leave = push_button(tr("Back"), tr("To where you began"), theme, keys="Esc", call=self.leave_wanted)
        self._again.clicked.connect(lambda: self.again_wanted.emit(self._demo_id()))
        self._open.clicked.connect(lambda: self.open_wanted.emit(self._demo_id(), max(self._shown, 1)))
        self._lay_out()
        self.steps.current_changed.connect(self._show_step)
        self.steps.opened.connect(lambda: self._open.click())
        pictures.frame_ready.connect(self._on_ready)
        self.recorded.view_changed.connect(lambda: self._follow(self.recorded, self.now))
        self.now.view_changed.connect(lambda: self._follow(self.now, self.recorded))

    def _follow(self, moved: ComparedPicture, other: ComparedPicture) -> None:
        """The other picture shows the same place as large, where both have one size and somebody zoomed into one."""
        view = moved.viewport
        if view.picture == other.viewport.picture and not view.fitted:
            other.set_view(replace(view, width=other.viewport.width, height=other.viewport.height))

    def _lay_out(self) -> None:
        head = column(self._task, self.summary, self._mark, spacing=2, margins=(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m))
        both = row(
            (column(label(tr("As recorded"), role="caption"), (self.recorded, 1), spacing=SPACE.xs), 1),
            (column(label(tr("Now"), role="caption"), (self.now, 1), spacing=SPACE.xs), 1),
            spacing=SPACE.m,
        )
        right = column(
            self._title, self.happened, (both, 1), spacing=SPACE.s, margins=(SPACE.l, SPACE.m, SPACE.xl, SPACE.m)
        )
        below = row(self._again, None, self._leave, self._open, margins=(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m))
        column(
            head,
            line(),
            (row((self._row_part, 2), (self.steps, 2), (right, 5), spacing=0), 1),
            line(),
            below,
            of=self,
            spacing=0,
        )

    def _demo_id(self) -> str:
        shown = self._outcome or self._run
        return "" if shown is None else shown.demo.head.id

    def show_run(self, run: ReplayRun) -> None:
        """Show how a replay went, at the first step that went wrong."""
        self._outcome = None
        self._row_part.hide()
        self._task.setText(task_words(run.demo))
        words, good = summary_of(run)
        self.summary.setText(f"{'✓' if good else '≠'}  {words}")
        show_words(
            self._mark,
            "" if run.proof is None else tr("The demo is marked as done again; packs that you export carry the mark."),
        )
        self._use(run)
        self.steps.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_rows(self, outcome: RowsOutcome) -> None:
        """Show what has become of each row, at the first that went wrong."""
        self._outcome, self._answers = outcome, {}
        self._task.setText(task_words(outcome.demo))
        words, good = rows_summary(outcome.report)
        self.summary.setText(f"{'✓' if good else '≠'}  {words}")
        show_words(self._mark, spoken_replay(outcome.report.stopped))
        self._row_part.show()
        wrong = next((one.row for one in outcome.report.rows if one.state in {"unknown", "failed"}), 1)
        self._fill_rows(select=wrong)
        self._show_row()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill_rows(self, *, select: int) -> None:
        outcome = self._outcome
        if outcome is None:
            return
        shown: list[ListRow] = []
        for one in outcome.report.rows:
            answer = self._answers.get(one.row)
            badge = ROW_WORDS[one.state] if answer is None else dict(_ANSWERS)[answer]
            caption = (reason_of_run(outcome.runs[one.row]) if one.row in outcome.runs else "") or spoken_replay(
                one.error
            )
            shown.append(
                ListRow(
                    key=str(one.row), title=f"{one.row}  {values_words(one.values)}", caption=caption, badge=badge,
                    tone=_ROW_TONES[one.state] if answer is None else "accent",
                )
            )  # fmt: skip
        self.rows.show_rows(shown, select=str(select))
        left = any(one.state == "open" or self._answers.get(one.row) is not None for one in outcome.report.rows)
        self._go_on.setEnabled(left)

    def _show_row(self, *_: object) -> None:
        outcome, key = self._outcome, self.rows.current
        if outcome is None or not key:
            return
        row_report = outcome.report.rows[int(key) - 1]
        undecided = row_report.state in {"unknown", "failed"}
        self._decide.setVisible(undecided)
        answer = self._answers.get(int(key))
        if answer is None:
            self._decide.set_none()
        else:
            self._decide.set_current([name for name, _ in _ANSWERS].index(answer))
        run = outcome.runs.get(int(key))
        if run is not None:
            self._use(run)
            return
        self._run = None
        self.steps.show_rows([])
        self._title.setText(ROW_WORDS[row_report.state])
        self.happened.setText(spoken_replay(row_report.error) or tr("This row was not tried just now."))
        for picture in (self.recorded, self.now):
            picture.show_nothing(tr("There is no picture of this step."))
        self._expected = None

    def _answer(self, place: int) -> None:
        if self.rows.current:
            self._answers[int(self.rows.current)] = _ANSWERS[place][0]
            self._fill_rows(select=int(self.rows.current))

    def _do_rows(self) -> None:
        if self._outcome is not None:
            self.rows_wanted.emit(replace(self._outcome.plan, answers=dict(self._answers), restart=False))

    def _use(self, run: ReplayRun) -> None:
        self._run, self._shown = run, 0
        self.steps.show_rows(step_rows(run), select=str(first_wrong(run.report)))
        self._show_step()

    def _show_step(self, *_: object) -> None:
        run, key = self._run, self.steps.current
        if run is None or not key:
            return
        self._shown = int(key)
        self._title.setText(self.steps.rows[self._shown - 1].title.strip())
        report = self._report()
        if report is None:
            self.happened.setText(tr("The replay ended before this step."))
        else:
            self.happened.setText("\n".join(happened_lines(report)))
        picture = run.pictures.get(self._shown)
        if picture is None:
            self.now.show_nothing(tr("There is no picture of this step."))
            step = run.demo.steps[self._shown - 1]
            frame = step.after or step.before
            picture = StepPicture(frame, 0, 0, b"")
        else:
            self._show_now(picture)
        self._show_recorded(picture)

    def _report(self) -> StepReport | None:
        steps = () if self._run is None else self._run.report.steps
        return next((step for step in steps if step.index == self._shown), None)

    def _show_now(self, picture: StepPicture) -> None:
        def make() -> QImage:
            pixels = picture.pixels()
            view = QImage(
                pixels.tobytes(), picture.width, picture.height, 3 * picture.width, QImage.Format.Format_RGB888
            )
            return view.convertToFormat(QImage.Format.Format_RGB32)

        self._operations.start(
            make, on_result=lambda image: self.now.show_image(image, picture), lane="pictures", newest="replay"
        )

    def _show_recorded(self, picture: StepPicture) -> None:
        self._expected = picture
        if picture.recorded is None:
            self.recorded.show_nothing(tr("The recording has no picture here."))
            return
        self._on_ready(picture.recorded.id)

    def _on_ready(self, frame_id: str) -> None:
        expected = self._expected
        if expected is None or expected.recorded is None or expected.recorded.id != frame_id:
            return
        image = self._pictures.frame(frame_id)
        if isinstance(image, QImage):
            self.recorded.show_image(image, expected)
        elif image is not None:
            self.recorded.show_nothing(image.user_message)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves; Enter presses the button that has the focus."""
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        if event.key() == Qt.Key.Key_Escape:
            self.leave_wanted.emit()
            return
        if event.key() == Qt.Key.Key_D and event.modifiers() == both:
            self._again.click()
            return
        buttons = (self._again, self._open, self._leave)
        button = next((one for one in buttons if one.hasFocus()), None)
        if button is not None and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            button.click()
        else:
            super().keyPressEvent(event)
