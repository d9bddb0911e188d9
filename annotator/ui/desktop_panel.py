"""Panel of the recording desktop: opens programs and lists windows. A program of its own, ``python -m`` this module."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, QSocketNotifier, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QListWidget, QListWidgetItem, QToolButton, QWidget

from annotator.ui.app import stopped_by_signals, use_language
from annotator.ui.controls import column, label, row, show_words
from annotator.ui.recording.recording_words import spoken
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.errors import BadInputError, CaptureError, DemopackError
from demopack.settings import load_settings
from recorder.backends.x11.xlib import server_errors
from recorder.desktop.controls import ControlOrder, RunningRecording
from recorder.desktop.programs import ProgramEntry, find_program, installed_programs, open_program
from recorder.desktop.window_list import ListedWindow, WindowList

_ICON: Final = QSize(24, 24)
_LIST_SIZE: Final = QSize(360, 440)
_WIDEST_PX: Final = 220
_GATHER_MS: Final = 40


class ProgramMenu(QFrame):
    """Pop-up with every program that can be opened: type to find one, Enter opens it."""

    def __init__(self, theme: Theme, programs: list[ProgramEntry]) -> None:
        # No pop-up: those take the keyboard while another program's field has the input, and may be one for a password.
        super().__init__(None, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("card")
        self.setWindowTitle(tr("Programs"))
        self._programs = programs
        self._search = QLineEdit()
        self._search.setPlaceholderText(tr("Find a program"))
        self._search.setAccessibleName(tr("Find a program"))
        self._search.textChanged.connect(self._fill)
        self._search.returnPressed.connect(self._open_first)
        self._search.installEventFilter(self)
        self._list = QListWidget()
        self._list.setAccessibleName(tr("Programs"))
        self._list.setIconSize(_ICON)
        self._list.setUniformItemSizes(True)
        self._list.itemClicked.connect(self._open)
        self._list.itemActivated.connect(self._open)
        self._wrong = label("", role="muted", wraps=True)
        column(self._search, (self._list, 1), self._wrong, of=self, margins=SPACE.s, spacing=SPACE.s)
        self.resize(_LIST_SIZE)
        theme.style(self)

    def show_above(self, place: QPoint) -> None:
        """Open with its lower left corner at a place of the screen, everything listed."""
        self.resize(_LIST_SIZE.boundedTo(QSize(_LIST_SIZE.width(), max(120, place.y()))))
        self.move(place.x(), place.y() - self.height())
        self._search.clear()
        self._fill("")
        self.show()
        self.activateWindow()
        self._search.setFocus()

    def _fill(self, text: str) -> None:
        words = text.casefold().split()
        self._list.clear()
        # One whose name begins so is more likely meant than one that is merely described so.
        for entry in sorted(self._programs, key=lambda entry: not entry.name.casefold().startswith(" ".join(words))):
            searched = " ".join((entry.name, entry.comment, entry.program, *entry.keywords)).casefold()
            if all(word in searched for word in words):
                item = QListWidgetItem(_icon_of(entry), entry.name)
                item.setToolTip(entry.comment)
                item.setData(Qt.ItemDataRole.UserRole, entry)
                self._list.addItem(item)
        self._list.setCurrentRow(0)
        none = tr("No program is called so. Enter runs it as a command.")
        show_words(self._wrong, "" if self._list.count() else none)

    def _open_first(self) -> None:
        if self._list.count():
            self._open(self._list.currentItem())
        elif self._search.text().strip():
            self._run(self._command)

    def _command(self) -> tuple[ProgramEntry, list[str]]:
        try:
            name, *arguments = shlex.split(self._search.text())
        except ValueError as error:
            raise BadInputError(tr("A quotation mark is not closed.")) from error
        return find_program(name), arguments

    def _open(self, item: QListWidgetItem) -> None:
        entry: ProgramEntry = item.data(Qt.ItemDataRole.UserRole)
        self._run(lambda: (entry, []))

    def _run(self, find: Callable[[], tuple[ProgramEntry, list[str]]]) -> None:
        try:
            open_program(*find(), environment=os.environ)
        except DemopackError as error:
            show_words(self._wrong, spoken(str(error)))
            return
        self.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Another window has got the input: nothing is to be opened."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the menu."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrow keys move in the list while something is written."""
        moving = {Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp}
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in moving:
            QApplication.sendEvent(self._list, event)
            return True
        return super().eventFilter(watched, event)


def _icon_of(entry: ProgramEntry) -> QIcon:
    icon = QIcon(entry.icon) if os.path.isabs(entry.icon) else QIcon.fromTheme(entry.icon)  # noqa: PTH117 - text
    icon = icon if not icon.isNull() else QIcon.fromTheme("application-x-executable")
    # As wide as all others, so that names stand below each other.
    plate = QPixmap(_ICON)
    plate.fill(Qt.GlobalColor.transparent)
    painter = QPainter(plate)
    icon.paint(painter, plate.rect())
    painter.end()
    return QIcon(plate)


class WindowButtons(QWidget):
    """A button for each window: brings it to the front, or puts it away where it is in front already.

    Signals:
        screen_changed: the screen may have another size.
    """

    screen_changed = Signal()

    def __init__(self, windows: WindowList) -> None:
        super().__init__()
        self._windows = windows
        self._shown: list[ListedWindow] = []
        self._row = row(of=self, spacing=SPACE.xs)
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self.refresh)
        self._notifier = QSocketNotifier(windows.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._look)
        self.refresh()

    def _look(self) -> None:
        try:
            if self._windows.has_news():
                self._gather.start()
        except server_errors():
            self._notifier.setEnabled(False)
            QApplication.quit()

    def refresh(self) -> None:
        """Show the windows as they are now."""
        self.screen_changed.emit()
        shown = self._windows.read()
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for window in shown:
            self._row.addWidget(self._button(window))
        self._row.addStretch(1)

    def _button(self, window: ListedWindow) -> QToolButton:
        button = QToolButton()
        title = window.title or tr("Window without a title")
        button.setText(button.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, _WIDEST_PX - 24))
        button.setMaximumWidth(_WIDEST_PX)
        button.setToolTip(title)
        button.setAccessibleName(title)
        button.setCheckable(True)
        button.setChecked(window.is_active)
        act = self._windows.minimise if window.is_active else self._windows.show
        button.clicked.connect(partial(act, window.number))
        return button


class RecordingButtons(QWidget):
    """State of the recording that runs, and its buttons: a window of its own over the right end of the panel."""

    def __init__(self, theme: Theme, windows: WindowList, recording: RunningRecording) -> None:
        # Of two panels over each other it is the window manager's choice which one is seen, so it is not asked.
        super().__init__(
            None,
            Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowDoesNotAcceptFocus
            | Qt.WindowType.X11BypassWindowManagerHint,
        )
        self.setWindowTitle(tr("Recording"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._windows = windows
        self.recording = recording
        self._state = label("")
        self._pause = self._button("pause")
        stop = self._button("start_stop")
        stop.setText(tr("Stop"))
        stop.setToolTip(tr("End the recording; everything is saved"))
        margins = (SPACE.s, SPACE.xs, SPACE.s, SPACE.xs)
        row(self._state, self._pause, stop, of=self, spacing=SPACE.s, margins=margins)
        theme.style(self)
        windows.recording.act_for(recording, int(self.winId()))
        self.show_state(recording.state)

    def show_state(self, state: str) -> None:
        """Show what the recording does, as ``RecordingSession.state``."""
        paused = state == "paused"
        self._state.setText(tr("Paused") if paused else tr("Saving …") if state == "finishing" else tr("Recording"))
        self._pause.setText(tr("Go on") if paused else tr("Pause"))
        self._pause.setEnabled(state in {"recording", "paused"})
        self.resize(self.sizeHint())

    def _button(self, order: ControlOrder) -> QToolButton:
        button = QToolButton()
        button.clicked.connect(lambda: self._windows.recording.send(self.recording, order))
        return button


class DesktopPanel(QWidget):
    """Strip at the lower edge of the screen."""

    def __init__(self, theme: Theme, windows: WindowList) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowDoesNotAcceptFocus)
        self.setWindowTitle(tr("Panel"))
        self.setAttribute(Qt.WidgetAttribute.WA_X11NetWmWindowTypeDock)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._windows = windows
        self._menu = ProgramMenu(theme, installed_programs())
        self._button = QToolButton()
        self._button.setText(tr("Programs"))
        self._button.setToolTip(tr("Open a program in this desktop"))
        self._button.clicked.connect(self._open_menu)
        margins = (SPACE.s, SPACE.xs, SPACE.s, SPACE.xs)
        buttons = WindowButtons(windows)
        row(self._button, (buttons, 1), of=self, spacing=SPACE.s, margins=margins)
        theme.style(self)
        self._theme = theme
        self._recording: RecordingButtons | None = None
        buttons.screen_changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self._show_recording()
        # Qt itself does not notice that the window of a desktop has got another size.
        width, bottom = self._windows.screen_size()
        ratio = self.devicePixelRatioF()
        height = self.sizeHint().height()
        place = QRect(0, round(bottom / ratio) - height, round(width / ratio), height)
        if place != self.geometry():
            self.setGeometry(place)
            self._windows.keep_free(int(self.winId()), bottom=round(height * ratio))
        if self._recording is not None:
            wide = self._recording.width()
            self._recording.setGeometry(place.right() + 1 - wide, place.top(), wide, height)
            self._recording.show()
            self._recording.raise_()

    def _show_recording(self) -> None:
        running = self._windows.recording.read()
        shown = self._recording
        if shown is not None and (running is None or running.window != shown.recording.window):
            shown.hide()
            shown.deleteLater()
            self._recording = shown = None
        if running is not None:
            if shown is None:
                self._recording = shown = RecordingButtons(self._theme, self._windows, running)
            shown.show_state(running.state)

    def _open_menu(self) -> None:
        if self._menu.isVisible():
            self._menu.hide()
        else:
            self._menu.show_above(self.geometry().topLeft())


def main() -> int:
    """Show the panel until its desktop is closed."""
    app = QApplication(sys.argv[:1])
    app.setApplicationName("demopack-panel")
    QIcon.setFallbackThemeName("Adwaita")
    ui = load_settings().ui
    use_language(app, ui.language)
    theme = Theme(app, choice=ui.theme)
    try:
        windows = WindowList()
    except CaptureError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    panel = DesktopPanel(theme, windows)
    panel.show()
    with stopped_by_signals(app.quit):
        result = app.exec()
    theme.close()
    windows.close()
    return result


if __name__ == "__main__":
    sys.exit(main())
