"""The floating bar while something is recorded: whether it runs, for how long, what it saw last, how to stop it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QMoveEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from annotator.ui.controls import flat_button, row, shortcut_tip
from annotator.ui.icons import Tint, icon
from annotator.ui.recording.floating import Floating, monitor_at, snapped
from annotator.ui.recording.readout import Readout
from annotator.ui.recording.tray import STATE_WORDS, paint_state
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr
from demopack.settings import HotkeySettings

_SIZE = QSize(360, 44)
_DOT = QSize(44, 44)
_MIN_DRAG_PX = 4


class RecorderBar(Floating):
    """Always on top, never takes the focus; a double-click makes it a dot, a click on the dot makes it the bar again.

    Attributes:
        pause: pauses, or goes on.
        stop: stops and saves.
        note: writes a note on the last step.

    Signals:
        panel_wanted: ``steps``, ``shot``, ``health`` or ``more``: open or close what belongs to that button.
        placed: it has moved, or become another size.
    """

    panel_wanted = Signal(str)
    placed = Signal()

    def __init__(self, theme: Theme, places: QSettings) -> None:
        super().__init__(theme, name="Recorder", radius=22)
        self._places = places
        self.state = "ready"
        self.problems: list[str] = []
        self.small = False
        self._drag_from: QPoint | None = None
        self._moved = False
        self._opened_now = False
        self._pause_key = ""
        self.readout = Readout()
        self.readout.counted.connect(self.update)
        self._make_parts()
        self.setFixedSize(_SIZE)

    def _make_parts(self) -> None:
        self._list = self._button("chevron_down", tr("Show the steps"), panel="steps")
        self.pause = self._button("pause", tr("Pause"))
        self.stop = self._button("stop", tr("Stop and save"), tint="danger")
        self.note = self._button("note", tr("Write a note"))
        self._shot = self._button("shot", tr("Add a shot"), panel="shot")
        self._health = self._button("health", tr("All is well"), tint="success", panel="health")
        self._more = self._button("more", tr("More"), panel="more")
        buttons = (self._list, self.pause, self.stop, self.note, self._shot, self._health, self._more)
        row((self.readout, 1), *buttons, of=self, spacing=0, margins=(38, 0, SPACE.s, 0))
        self._parts: tuple[QWidget, ...] = (self.readout, *buttons)

    def _button(self, name: str, tip: str, *, tint: Tint = "text", panel: str = "") -> QToolButton:
        made = flat_button(name, tip, self.theme, tint=tint)
        made.setFixedSize(26, 30)
        made.setProperty("place", "floating")
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if panel:
            made.clicked.connect(lambda: self.panel_wanted.emit(panel))
        return made

    # What it shows --------------------------------------------------------------------------------------------

    def begin(self, keys: HotkeySettings | None = None) -> None:
        """Start from zero and appear where it was last.

        Args:
            keys: the hot-keys that the tooltips name.
        """
        self.show_problems([])
        self.readout.begin()
        self._tell_keys(keys or HotkeySettings())
        self.set_state("ready")
        self.set_small(small=False)
        self._place()
        self.show()

    def set_state(self, state: str) -> None:
        """Red while it records, amber while it is paused, grey otherwise."""
        self.state = state
        self.readout.set_state(state)
        paused = state == "paused"
        self._dress(
            self.pause, "play" if paused else "pause", tr("Go on") if paused else tr("Pause"), keys=self._pause_key
        )
        going = state in {"recording", "paused"}
        for button in (self.pause, self.stop, self.note, self._shot, self._more):
            button.setEnabled(going)
        self._shot.setEnabled(state == "recording")
        self.setToolTip(STATE_WORDS.get(state, state))
        self.setAccessibleDescription(STATE_WORDS.get(state, state))
        self.update()

    def _tell_keys(self, keys: HotkeySettings) -> None:
        self._pause_key = keys.pause
        for button, words, key in (
            (self.stop, tr("Stop and save"), keys.start_stop),
            (self.note, tr("Write a note on the last step"), keys.note),
            (self._shot, tr("Add a picture of the screen"), keys.shot),
        ):
            button.setToolTip(shortcut_tip(words, key))

    def show_problems(self, problems: list[str]) -> None:
        """Show whether all is well, and what is not."""
        self.problems = list(problems)
        well = not problems
        words = "\n".join(problems) or tr("All is well")
        self._dress(self._health, "health" if well else "warning", words, tint="success" if well else "warning")

    def show_list_open(self, *, is_open: bool) -> None:
        """Show which way the arrow of the list points."""
        words = tr("Hide the steps") if is_open else tr("Show the steps")
        self._dress(self._list, "chevron_up" if is_open else "chevron_down", words)

    def _dress(self, button: QToolButton, name: str, words: str, *, keys: str = "", tint: Tint = "text") -> None:
        button.setIcon(icon(name, self.theme, tint=tint))
        button.setToolTip(shortcut_tip(words, keys))
        button.setAccessibleName(words)

    # Place ----------------------------------------------------------------------------------------------------

    def button_box(self, name: str) -> QRect:
        """Where a button lies on the screen: ``steps``, ``shot``, ``health`` or ``more``; the dot where it is one."""
        button = {"shot": self._shot, "health": self._health, "more": self._more}.get(name)
        if button is None or self.small:
            return self.frameGeometry()
        return QRect(button.mapToGlobal(QPoint(0, 0)), button.size()).adjusted(0, -7, 0, 7)

    def _place(self) -> None:
        screen = QGuiApplication.primaryScreen().availableGeometry()
        saved = self._places.value("recorder_bar")
        if isinstance(saved, QPoint) and any(
            found.availableGeometry().contains(QRect(saved, _DOT)) for found in QGuiApplication.screens()
        ):
            self.move(saved)
        else:
            self.move(screen.center().x() - self.width() // 2, screen.top() + SPACE.s)

    def set_small(self, *, small: bool) -> None:
        """Become a dot, or the bar again; the whole bar stays on the screen."""
        self.small = small
        for part in self._parts:
            part.setVisible(not small)
        self.setFixedSize(_DOT if small else _SIZE)
        if not small and self.isVisible():
            room = monitor_at(self.geometry().center()).availableGeometry()
            self.move(max(room.left(), min(self.x(), room.right() + 1 - self.width())), self.y())
        self.update()
        self.placed.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: begin to move the bar."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_from = event.globalPosition().toPoint() - self.pos()
            self._moved = False
            self._opened_now = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: move it; edges of the screen attract."""
        if self._drag_from is None:
            return
        at = event.globalPosition().toPoint() - self._drag_from
        if not self._moved and (at - self.pos()).manhattanLength() < _MIN_DRAG_PX:
            return
        self._moved = True
        here = monitor_at(event.globalPosition().toPoint())
        self.move(snapped(at, self.size(), here.availableGeometry()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: remember the place; a click on the dot opens the bar."""
        del event
        if self._drag_from is None:
            return
        self._drag_from = None
        self._places.setValue("recorder_bar", self.pos())
        if self.small and not self._moved:
            self.set_small(small=False)
            self._opened_now = True

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: a dot; the second click of a double-click on the dot has nothing left to do."""
        del event
        self._drag_from = None
        if not self._opened_now:
            self.set_small(small=not self.small)
        self._opened_now = False

    def moveEvent(self, event: QMoveEvent) -> None:
        """Qt's hook: what hangs on the bar comes along."""
        super().moveEvent(event)
        self.placed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the sign of the state."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(13, 13, 18, 18) if self.small else QRectF(15, 15, 14, 14)
        paint_state(painter, box, self.state, self.theme.palette, number=self.readout.countdown)
