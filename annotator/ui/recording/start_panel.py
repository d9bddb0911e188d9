"""Panel before a recording: the task, what is captured, what is left out, and whether everything works."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import QCompleter, QFrame, QLabel, QLineEdit, QWidget

from annotator.app_desktop import needs_desktop
from annotator.ui.controls import Call, check_box, column, label, native, on_escape, push_button, row, show_words
from annotator.ui.fitting import Fitting
from annotator.ui.icons import Tint, icon
from annotator.ui.operations import Operations
from annotator.ui.recording.capture_area import AreaField, RegionPicker
from annotator.ui.recording.recording_words import CHECK_TITLES, check_titles, privacy_words, spoken
from annotator.ui.recording.silent_programs import SilentPrograms
from annotator.ui.services import RecordingPlan, Services
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.errors import BadInputError
from demopack.settings import Settings
from recorder.area import EVERYTHING

if TYPE_CHECKING:
    from recorder.selftest import CheckResult


_SIGNS: dict[str, tuple[str, Tint]] = {
    "waiting": ("dot", "muted"),
    "good": ("check", "success"),
    "doubtful": ("warning", "warning"),
    "bad": ("close", "danger"),
}


class CheckLine(QWidget):
    """Grey until a result came, then green, amber (recording is possible) or red; ``again`` tries once more."""

    def __init__(self, theme: Theme, *, again: Call) -> None:
        super().__init__()
        self._theme = theme
        self.signs: dict[str, _Sign] = {name: _Sign(title, theme) for name, title in check_titles().items()}
        self._again = push_button(
            tr("Try again"), tr("Try out once more what a recording needs"), theme, role="link", call=again
        )
        self.wrong = label("", wraps=True)
        self.wrong.hide()
        self._words: list[str] = []
        signs = row(*self.signs.values(), None, self._again, spacing=SPACE.l)
        column(signs, self.wrong, of=self, spacing=SPACE.xs)
        spare = ((partial(signs.setSpacing, SPACE.s), partial(signs.setSpacing, SPACE.l)),)
        named = (
            (partial(sign.show_name, shown=False), partial(sign.show_name, shown=True))
            for sign in reversed(self.signs.values())
        )
        self._fitting = Fitting(self, (*spare, *named), says=lambda: [sign.isHidden() for sign in self.signs.values()])

    def begin(self) -> None:
        """Nothing is known yet."""
        self._words = []
        self.wrong.hide()
        self._again.setEnabled(False)
        for sign in self.signs.values():
            sign.show_state("waiting", tr("Being tried out …"))
            sign.show()

    def show_result(self, result: CheckResult) -> None:
        """One check is done."""
        sign = self.signs.get(result.name)
        if sign is None:
            return
        fine = result.ok and not result.silent
        state = "good" if fine else "bad" if result.needed and not result.ok else "doubtful"
        words = spoken(f"{result.words} {result.hint}".strip())
        sign.show_state(state, words)
        if not result.ok:
            self._words.append(f"{CHECK_TITLES[result.name]}: {words}")
            self.wrong.setText("\n".join(self._words))
            self.wrong.show()

    def reword(self, old: str, new: str) -> None:
        """Say something else instead of a part of what is wrong."""
        self._words = [words.replace(old, new) for words in self._words]
        self.wrong.setText("\n".join(self._words))

    def end(self) -> None:
        """Every check is done; what has no result was not tried here."""
        self._again.setEnabled(True)
        self._again.setVisible(any(sign.state != "waiting" for sign in self.signs.values()))
        for sign in self.signs.values():
            sign.setVisible(sign.state != "waiting")


class _Sign(QWidget):
    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self.state = "waiting"
        self._title = title
        self._theme = theme
        self._icon = QLabel()
        self._icon.setFixedSize(16, 16)
        self._words = label(title, role="muted")
        row(self._icon, self._words, of=self, spacing=SPACE.xs)
        theme.changed.connect(self._paint)
        self.show_state("waiting", "")

    def show_name(self, *, shown: bool) -> None:
        """Say what was tried, or leave that to the tool tip."""
        self._words.setVisible(shown)
        self.updateGeometry()

    def show_state(self, state: str, words: str) -> None:
        """Another state, with what was found."""
        self.state = state
        self.setToolTip(words)
        self.setAccessibleName(f"{self._title}: {words}")
        self._paint()

    def _paint(self) -> None:
        name, tint = _SIGNS[self.state]
        self._icon.setPixmap(icon(name, self._theme, tint=tint).pixmap(QSize(16, 16), self.devicePixelRatioF()))


_HIDE_DELAY_MS = 300
_DESKTOP_HINT = tr(
    "What you show happens in the recording desktop, a window that opens now or with the recording; "
    "its button Programs opens what you need. "
    "Keys that your session keeps for itself, such as Super and Alt+Tab, do not arrive there."
)


class StartPanel(QFrame):
    """In place above the demos; nothing is modal.

    Signals:
        start_wanted: a ``RecordingPlan``.
    """

    start_wanted = Signal(object)

    def __init__(self, theme: Theme, *, services: Services, operations: Operations, folder: Path) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme = theme
        self._services = services
        self._operations = operations
        self._folder = folder
        self._settings = services.settings
        self._picker: RegionPicker | None = None
        self._make_fields()
        self.use_settings(services.settings)
        self.hide()

    def _make_fields(self) -> None:
        theme = self._theme
        self._task = QLineEdit()
        self._task.setProperty("role", "big")
        asked = tr("What are you going to do? For instance: log in and export the report")
        self._task.setPlaceholderText(asked)
        self._task.setToolTip(asked)
        self._task.setAccessibleName(tr("Task"))
        self._task.setMaxLength(2000)
        self._app = QLineEdit()
        self._app.setPlaceholderText(tr("Application (optional)"))
        self._app.setAccessibleName(tr("Application"))
        self._app.setToolTip(tr("The main application; found out when it is left empty"))
        self._app.setFixedWidth(200)
        self._tasks, self._apps = QStringListModel(self), QStringListModel(self)
        for field, model in ((self._task, self._tasks), (self._app, self._apps)):
            completer = QCompleter(model, field)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setMaxVisibleItems(6)
            popup = completer.popup()
            if popup is not None:  # a window of its own
                theme.style(popup)
            field.setCompleter(completer)
            field.returnPressed.connect(self._start)
        self._button = push_button(
            tr("Start recording"), tr("Start recording"), theme, name="record", role="main", call=self._start
        )
        cancel = push_button(tr("Cancel"), tr("Do not record"), theme, keys="Esc", call=self.hide)
        self.area = AreaField(theme, draw=self._draw, read_windows=self._read_windows)
        self._film = check_box(tr("Keep a film"), tr("Keep every distinct picture of the screen beside the steps"))
        self.desktop = check_box(
            tr("In a desktop of its own"),
            tr("Record in a window that is a whole desktop; the rest of your session is neither seen nor touched"),
        )
        self.desktop.setVisible(sys.platform not in {"win32", "darwin"})
        self._desktop_hint = label(_DESKTOP_HINT, role="caption", wraps=True)
        self._open_desktop = push_button(
            tr("Open it now"), tr("Open the desktop, to prepare what you want to show"), theme, role="link",
            call=self._open_desktop_now,
        )  # fmt: skip
        needed = needs_desktop()
        self.desktop.setChecked(self._services.desktop.wanted)
        self.desktop.setEnabled(not needed)
        if needed:
            self.desktop.setToolTip(tr("In this Wayland session nothing else can be recorded"))
        self.desktop.toggled.connect(self._use_desktop)
        self._wrong = label("", role="error", wraps=True)
        self._wrong.hide()
        self.checks = CheckLine(theme, again=self.try_out)
        self.silent = SilentPrograms(theme, services=self._services, operations=self._operations)
        self._hold = check_box(
            tr("Hold back what I type"),
            tr("Steps say that something was typed, and not what; the bar can change that later"),
        )
        self._hold.hide()
        self._hold.toggled.connect(self._tell_hold)
        self.privacy = label("", role="caption", wraps=True)
        change = push_button(tr("Change"), tr("Privacy settings"), theme, role="link", action="open_settings")
        self._hint = label("", role="caption", wraps=True)
        column(
            row((self._task, 1), self._button, cancel),
            row(self._app, (self.area, 1), self._film),
            row(self.desktop, (self._desktop_hint, 1), self._open_desktop),
            self._wrong,
            SPACE.xs,
            self.checks,
            self.silent,
            self._hold,
            row((self.privacy, 1), change),
            self._hint,
            of=self,
            margins=(SPACE.l, SPACE.l, SPACE.l, SPACE.m),
        )
        on_escape(self, self.hide)
        self._show_desktop()

    # What is chosen -------------------------------------------------------------------------------------------

    @property
    def task(self) -> str:
        """What is written so far."""
        return " ".join(self._task.text().split())

    def plan(self) -> RecordingPlan:
        """What is chosen.

        Raises:
            BadInputError: the part of the screen is not chosen to the end.
        """
        return RecordingPlan(
            task=self.task,
            app=self._app.text().strip(),
            area=EVERYTHING if self._services.desktop.wanted else self.area.area(),
            # Where it is not offered nobody has chosen anything.
            hold_text=None if self._hold.isHidden() else self._hold.isChecked(),
            film=self._film.isChecked(),
        )

    def use_settings(self, settings: Settings) -> None:
        """Say what these settings mean for the next recording."""
        self._settings = settings
        self.privacy.setText(privacy_words(settings.recorder))
        self._film.setChecked(settings.recorder.timeline)
        self._hold.setChecked(settings.recorder.privacy.hold_unknown)
        self._show_hint()

    def _show_hint(self) -> None:
        keys = self._settings.recorder.hotkeys.start_stop
        stop = (
            tr("with the bar on the screen or with {keys}").format(keys=native(keys))
            if keys
            else tr("with the bar on the screen")
        )
        words = tr("Work as you always do. Stop {stop}; neither becomes a step.").format(stop=stop)
        if self._services.desktop.wanted:
            words = tr("Work as you always do. Stop in the panel of the desktop; that becomes no step.")
        self._hint.setText(words)

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
        self.area.read_monitors()
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

    # What it finds out ----------------------------------------------------------------------------------------

    def try_out(self) -> None:
        """Run the self-test; each sign turns as its result comes."""
        self.checks.begin()
        self._hold.hide()
        self.silent.show_programs(())
        settings, folder, post = self._settings, self._folder, self._operations.post

        def show(result: CheckResult) -> None:
            self.checks.show_result(result)
            if result.name == "accessibility":
                self._hold.setVisible(not result.ok)
                self.silent.show_programs(result.silent)

        self._operations.start(
            lambda: self._services.self_test(folder, settings, lambda result: post(lambda: show(result))),
            on_result=lambda _: self.checks.end(),
            on_error=lambda _: self.checks.end(),
            lane="urgent",
        )

    def _use_desktop(self, wanted: bool) -> None:  # noqa: FBT001 - a signal's slot
        self._services.desktop.wanted = wanted
        self._show_desktop()
        self.try_out()

    def _open_desktop_now(self) -> None:
        self._open_desktop.setEnabled(False)

        def done(problem: str) -> None:
            self._open_desktop.setEnabled(True)
            show_words(self._wrong, problem)
            self.try_out()

        self._operations.start(
            self._services.desktop.display,
            on_result=lambda _: done(""),
            on_error=lambda error: done(spoken(str(error))),
            lane="urgent",
        )

    def _show_desktop(self) -> None:
        wanted = self._services.desktop.wanted
        self._desktop_hint.setVisible(wanted)
        self._open_desktop.setVisible(wanted)
        # Monitors and regions are those of the session.
        self.area.setVisible(not wanted)
        self._show_hint()

    def _tell_hold(self, held: bool) -> None:  # noqa: FBT001 - a signal's slot
        from recorder.selftest import TEXT_HELD, TEXT_STORED

        old, new = (TEXT_STORED, TEXT_HELD) if held else (TEXT_HELD, TEXT_STORED)
        self.checks.reword(spoken(old), spoken(new))

    def _read_windows(self) -> None:
        self._operations.start(
            self._services.window_titles, on_result=self.area.set_windows, on_error=lambda _: None, lane="urgent"
        )

    def _draw(self) -> None:
        """Out of the way, and back with the region."""
        self.window().hide()
        QTimer.singleShot(_HIDE_DELAY_MS, self, self._open_picker)

    def _open_picker(self) -> None:
        # Kept: nothing else holds a window without a parent.
        self._picker = RegionPicker(self._theme, done=self._come_back)
        self._picker.open()

    def _come_back(self, region: Rect | None) -> None:
        self._picker = None
        if region is not None:
            self.area.set_region(region)
            self._wrong.hide()
        window = self.window()
        window.show()
        window.raise_()
        window.activateWindow()
