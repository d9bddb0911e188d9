"""What is read before a demo is done again: where it acts, what it types and starts; and how it is to go."""

from __future__ import annotations

import contextlib
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from annotator.replay_run import ReplayPlan, task_words
from annotator.ui.controls import check_box, column, discard, label, line, push_button, row, scroll_area, show_words
from annotator.ui.operations import Operations
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.replay.values_form import ValuesForm
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import key_words, tr
from demopack.domain.demos import Demo
from demopack.errors import BadInputError
from player.consent import keys_of, launches_of, printable, programs_of
from player.variables import fill

_MAX_WIDTH: Final = 860
_PICTURE: Final = QSize(320, 200)
_SOON_MS: Final = 250


class ConsentView(QWidget):
    """Nothing is done before Start is pressed: neither Enter nor Space does it from a field.

    Attributes:
        start: begins.
        values: the values of its variables, and a table of rows.
        launches: a check box for each program that the demo starts, by its command line.

    Signals:
        start_wanted: the ``ReplayPlan``.
        leave_wanted: nothing is to be done.
    """

    start_wanted = Signal(object)
    leave_wanted = Signal()

    def __init__(self, pictures: ScreenshotCache, operations: Operations, theme: Theme) -> None:
        super().__init__()
        self.values = ValuesForm(operations, theme)
        self._pictures, self._theme = pictures, theme
        self._demo: Demo | None = None
        self.launches: dict[str, QCheckBox] = {}
        self._task = label("", role="large", wraps=True)
        self._what = label("", role="muted", wraps=True)
        self._programs = label("", wraps=True)
        self._starts = QWidget()
        self._starts_column = column(of=self._starts, spacing=SPACE.xs)
        self._starts_title = label(tr("It starts these programs; only those with a tick are allowed:"), role="words")
        self._keys_title = label("", role="words")
        self._keys = column(spacing=2)
        self._key_lines: list[QWidget] = []
        self._shows = label(tr("Bring the screen to where the demo begins:"), role="words", wraps=True)
        self._picture = QLabel()
        self._picture.setFixedSize(_PICTURE)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._picture.setAccessibleName(tr("The screen at the beginning of the demo"))
        self.held = check_box(
            tr("Wait before the first step"),
            tr("It begins when you press Go on in the small bar, and not after three seconds"),
        )
        self.slow = check_box(tr("Slowly, to follow it"), tr("Pointer and keys move as a person's do"))
        self.unchecked = check_box(
            tr("Send keys unchecked"),
            tr("Also where nothing tells whether they arrive where they did in the recording"),
        )
        self._stop_words = label("", role="caption", wraps=True)
        self._leave = push_button(
            tr("Not now"), tr("Do nothing and go back"), theme, keys="Esc", call=self.leave_wanted
        )
        self.start = push_button(
            tr("Start"), tr("Take over mouse and keyboard, and do it again"), theme,
            name="play", keys="Ctrl+Return", role="main", call=self._finish,
        )  # fmt: skip
        self._lay_out()
        pictures.thumbnail_ready.connect(self._show_picture)
        self._soon = QTimer(self, interval=_SOON_MS, singleShot=True)
        self._soon.timeout.connect(self._show_values)
        self.values.changed.connect(self._soon.start)
        self.values.changed.connect(self._show_ready)

    def _lay_out(self) -> None:
        inside = QWidget()
        left = column(
            self._task, self._what, self._programs, SPACE.s, self.values, self._starts_title, self._starts,
            self._keys_title, self._keys, None, spacing=SPACE.s,
        )  # fmt: skip
        right = column(self._shows, self._picture, SPACE.s, self.held, self.slow, self.unchecked, None, spacing=SPACE.s)
        part = QWidget()
        part.setMaximumWidth(_MAX_WIDTH + _PICTURE.width())
        row((left, 1), right, of=part, spacing=SPACE.xl, margins=(SPACE.xl, SPACE.l, SPACE.xl, SPACE.l))
        row(None, (part, 100), None, of=inside, spacing=-1)
        below = row(
            (self._stop_words, 1), SPACE.l, self._leave, self.start, margins=(SPACE.xl, SPACE.m, SPACE.xl, SPACE.m)
        )
        column((scroll_area(inside, tr("What the demo does")), 1), line(), below, of=self, spacing=0)

    def show_demo(self, demo: Demo, *, abort_key: str) -> None:
        """Show what a demo does; ``abort_key`` stops it."""
        self._demo = demo
        self._task.setText(task_words(demo))
        self._what.setText(
            tr("It will use this screen's mouse and keyboard for {steps}.").format(steps=count_steps(len(demo.steps)))
        )
        names = ", ".join(programs_of(demo)) or tr("the recording does not tell")
        self._programs.setText(tr("Recorded in: {programs}").format(programs=names))
        self.values.show_demo(demo)
        self._show_launches(demo)
        self._show_values()
        self._show_ready()
        self._stop_words.setText(
            tr("To stop it at once: {key}, or push the pointer into a corner of the screen.").format(
                key=key_words(abort_key)
            )
        )
        self._picture.clear()
        self._show_picture()
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_ready(self) -> None:
        missing, columns = self.values.missing, self.values.columns
        self.start.setEnabled(not missing and (self.values.table is None or bool(columns)))

    def _show_values(self) -> None:
        """What is typed with the values as they are now; of rows, with those of the first."""
        if self._demo is None:
            return
        with contextlib.suppress(BadInputError):  # it is told when it is started
            self._show_keys(fill(self._demo, self.values.first_values(), {}).demo)

    def _show_launches(self, demo: Demo) -> None:
        discard(self.launches.values())
        self.launches = {}
        for number, command in launches_of(demo):
            if command in self.launches:
                continue
            words = tr("Step {number}: {command}").format(number=number, command=printable(command))
            self.launches[command] = check_box(words.replace("&", "&&"), tr("Allow the demo to start this program"))
            self._starts_column.addWidget(self.launches[command])
        for part in (self._starts, self._starts_title):
            part.setVisible(bool(self.launches))

    def _show_keys(self, demo: Demo) -> None:
        discard(self._key_lines)
        self._key_lines = []
        keys = keys_of(demo, tr=tr)
        typed = (
            tr("It types and presses:") if self.values.table is None else tr("For the first row it types and presses:")
        )
        self._keys_title.setText(typed if keys else tr("It types nothing and presses no keys."))
        for one in keys:
            where = tr("{words} in {program}") if one.program else "{words}"
            said = where.format(words=one.words, program=one.program)
            number = label(str(one.index), role="muted")
            number.setFixedWidth(28)
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            shown = QWidget()
            row(number, (label(said, wraps=True), 1), of=shown, spacing=SPACE.s)
            shown.setAccessibleName(f"{one.index} {said}")
            self._keys.addWidget(shown)
            self._key_lines.append(shown)

    def _show_picture(self, *_: object) -> None:
        first = None if self._demo is None or not self._demo.steps else self._demo.steps[0].before
        show_words(self._shows, self._shows.text() if first is not None else "")
        self._picture.setVisible(first is not None)
        if first is None:
            return
        ratio = self.devicePixelRatioF()
        found = self._pictures.thumbnail(first.id, _PICTURE * ratio)
        if found is not None:
            found.setDevicePixelRatio(ratio)
            self._picture.setPixmap(found)

    def _finish(self) -> None:
        if self._demo is None or not self.start.isEnabled():
            return
        self.start_wanted.emit(
            ReplayPlan(
                demo_id=self._demo.head.id,
                may_launch=frozenset(command for command, box in self.launches.items() if box.isChecked()),
                unchecked_keys=self.unchecked.isChecked(),
                held=self.held.isChecked(),
                slow=self.slow.isChecked(),
                values=self.values.values,
                table=self.values.path,
                columns=self.values.columns,
                go_on=self.values.go_on.isChecked(),
                restart=self.values.restart.isChecked(),
            )
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Ctrl+Enter starts, Esc leaves; Enter alone presses the button that has the focus."""
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if event.key() == Qt.Key.Key_Escape:
            self.leave_wanted.emit()
        elif enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._finish()
        elif enter and (button := next((one for one in (self._leave, self.start) if one.hasFocus()), None)):
            button.click()
        else:
            super().keyPressEvent(event)
