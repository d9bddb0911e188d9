"""Before a recording: what is going to be done, what is captured, what is left out, and whether everything works."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QCompleter, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from annotator.ui.controls import label, push_button, shortcut_tip
from annotator.ui.job_runner import JobRunner
from annotator.ui.recording.area_field import AreaField
from annotator.ui.recording.check_line import CheckLine
from annotator.ui.recording.plan import RecordingPlan
from annotator.ui.recording.region_picker import RegionPicker
from annotator.ui.recording.words import privacy_words, spoken
from annotator.ui.services import Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.settings import Settings

if TYPE_CHECKING:
    from recorder.selftest import CheckResult

__all__ = ["StartPanel"]

_GONE_MS = 300


class StartPanel(QFrame):
    """In place above the demos; nothing is modal.

    Signals:
        start_wanted: a ``RecordingPlan``.
        settings_wanted: the privacy settings are to be shown.
    """

    start_wanted = Signal(object)
    settings_wanted = Signal()

    def __init__(self, theme: Theme, *, services: Services, runner: JobRunner, folder: Path) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme = theme
        self._services = services
        self._runner = runner
        self._folder = folder
        self._settings = services.settings
        self._picker: RegionPicker | None = None
        self._make_fields()
        self._lay_out()
        self.use_settings(services.settings)
        self.hide()

    def _make_fields(self) -> None:
        theme = self._theme
        self._task = QLineEdit()
        self._task.setProperty("role", "big")
        self._task.setPlaceholderText(tr("What are you going to do? For instance: log in and export the report"))
        self._task.setAccessibleName(tr("Task"))
        self._task.setMaxLength(2000)
        self._app = QLineEdit()
        self._app.setPlaceholderText(tr("Application (optional)"))
        self._app.setAccessibleName(tr("Application"))
        self._app.setToolTip(tr("The main application; found out when it is left empty"))
        self._app.setFixedWidth(200)
        self._tasks, self._apps = QStringListModel(self), QStringListModel(self)
        for field, model in ((self._task, self._tasks), (self._app, self._apps)):
            field.setCompleter(_completer(model, field))
            field.returnPressed.connect(self._start)
        self._button = push_button(
            tr("Start recording"), tr("Start recording"), theme, name="record", role="main", tint="on_accent"
        )
        self._button.clicked.connect(self._start)
        self._cancel = push_button(tr("Cancel"), tr("Do not record"), theme, keys="Esc")
        self._cancel.clicked.connect(self.hide)
        self._area = AreaField(theme)
        self._area.draw_wanted.connect(self._draw)
        self._area.windows_wanted.connect(self._read_windows)
        self._film = QCheckBox(tr("Keep a film"))
        self._film.setToolTip(tr("Keep every distinct picture of the screen beside the steps"))
        self._wrong = label("", role="error", wraps=True)
        self._wrong.hide()
        self._checks = CheckLine(theme)
        self._checks.again_wanted.connect(self.try_out)
        self._hold = QCheckBox(tr("Hold back what I type"))
        self._hold.setToolTip(tr("Steps say that something was typed, and not what; the bar can change that later"))
        self._hold.hide()
        self._hold.toggled.connect(self._tell_hold)
        self._privacy = label("", role="caption")
        self._change = push_button(tr("Change"), shortcut_tip(tr("Privacy settings"), "Ctrl+,"), theme, role="link")
        self._change.clicked.connect(self.settings_wanted)
        self._hint = label("", role="caption", wraps=True)

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE.l, SPACE.l, SPACE.l, SPACE.m)
        layout.setSpacing(SPACE.s)
        layout.addLayout(_row(self._task, self._button, self._cancel, wide=self._task))
        layout.addLayout(_row(self._app, self._area, self._film, wide=self._area))
        layout.addWidget(self._wrong)
        layout.addSpacing(SPACE.xs)
        layout.addWidget(self._checks)
        layout.addWidget(self._hold)
        privacy = _row(self._privacy, self._change)
        privacy.setSpacing(SPACE.xs)
        privacy.addStretch(1)
        layout.addLayout(privacy)
        layout.addWidget(self._hint)

    # What is chosen -------------------------------------------------------------------------------------------

    @property
    def task(self) -> str:
        """What is written so far."""
        return " ".join(self._task.text().split())

    @property
    def area(self) -> AreaField:
        """Where the part of the screen is chosen."""
        return self._area

    @property
    def checks(self) -> CheckLine:
        """The self-test."""
        return self._checks

    @property
    def privacy(self) -> str:
        """What it says about privacy."""
        return self._privacy.text()

    def plan(self) -> RecordingPlan:
        """What is chosen.

        Raises:
            BadInputError: the part of the screen is not chosen to the end.
        """
        return RecordingPlan(
            task=self.task,
            app=self._app.text().strip(),
            area=self._area.area(),
            # Where it is not offered nobody has chosen anything.
            hold_text=None if self._hold.isHidden() else self._hold.isChecked(),
            film=self._film.isChecked(),
        )

    def use_settings(self, settings: Settings) -> None:
        """Say what these settings mean for the next recording."""
        self._settings = settings
        self._privacy.setText(privacy_words(settings.recorder.privacy))
        self._film.setChecked(settings.recorder.timeline)
        self._hold.setChecked(settings.recorder.privacy.hold_unknown)
        keys = settings.recorder.hotkeys.start_stop
        stop = (
            tr("with the bar on the screen or with {keys}").format(keys=keys)
            if keys
            else tr("with the bar on the screen")
        )
        self._hint.setText(tr("Work as you always do. Stop {stop}; neither becomes a step.").format(stop=stop))

    def set_history(self, tasks: Iterable[str], apps: Iterable[str]) -> None:
        """Earlier tasks and applications are offered while something is written."""
        self._tasks.setStringList(list(dict.fromkeys(filter(None, tasks))))
        self._apps.setStringList(list(dict.fromkeys(filter(None, apps))))

    # Opening and closing --------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Show the panel, put the cursor into it, and try out whether everything works."""
        was_open = self.isVisible()
        self.show()
        self.set_starting(starting=False)
        self._area.read_monitors()
        self._task.setFocus(Qt.FocusReason.OtherFocusReason)
        if not was_open:
            self.try_out()

    def set_starting(self, *, starting: bool) -> None:
        """While a recording starts nothing can be pressed twice."""
        self._button.setEnabled(not starting)
        self._button.setText(tr("Starting …") if starting else tr("Start recording"))

    def clear(self) -> None:
        """Forget the task that is recorded by now."""
        self._task.clear()
        self.set_starting(starting=False)
        self.hide()

    def _start(self) -> None:
        if not self._button.isEnabled():
            return
        try:
            plan = self.plan()
        except BadInputError as error:
            self._wrong.setText(str(error))
            self._wrong.show()
            return
        self._wrong.hide()
        self.start_wanted.emit(plan)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    # What it finds out ----------------------------------------------------------------------------------------

    def try_out(self) -> None:
        """Run the self-test; each sign turns as its result comes."""
        self._checks.begin()
        self._hold.hide()
        settings, folder, post = self._settings, self._folder, self._runner.post
        self._runner.urgent(
            lambda: self._services.self_test(folder, settings, lambda result: post(lambda: self._show_result(result))),
            on_result=lambda _: self._checks.end(),
            on_error=lambda _: self._checks.end(),
        )

    def _show_result(self, result: CheckResult) -> None:
        self._checks.show_result(result)
        if result.name == "accessibility":
            self._hold.setVisible(not result.ok)

    def _tell_hold(self, held: bool) -> None:  # noqa: FBT001 - a signal's slot
        from recorder.selftest import TEXT_HELD, TEXT_STORED

        old, new = (TEXT_STORED, TEXT_HELD) if held else (TEXT_HELD, TEXT_STORED)
        self._checks.reword(spoken(old), spoken(new))

    def _read_windows(self) -> None:
        self._runner.urgent(self._services.window_titles, on_result=self._area.set_windows, on_error=lambda _: None)

    def _draw(self) -> None:
        """Out of the way, and back with the region."""
        self.window().hide()
        QTimer.singleShot(_GONE_MS, self, self._open_picker)

    def _open_picker(self) -> None:
        # Kept: nothing else holds a window without a parent.
        self._picker = picker = RegionPicker(self._theme)
        picker.picked.connect(self._come_back)
        picker.left.connect(self._come_back)
        picker.open()

    def _come_back(self, region: Rect | None = None) -> None:
        self._picker = None
        if region is not None:
            self._area.set_region(region)
            self._wrong.hide()
        window = self.window()
        window.show()
        window.raise_()
        window.activateWindow()


def _completer(model: QStringListModel, field: QLineEdit) -> QCompleter:
    made = QCompleter(model, field)
    made.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    made.setFilterMode(Qt.MatchFlag.MatchContains)
    made.setMaxVisibleItems(6)
    return made


def _row(*parts: QWidget, wide: QWidget | None = None) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(SPACE.s)
    for part in parts:
        row.addWidget(part, 1 if part is wide else 0)
    return row
