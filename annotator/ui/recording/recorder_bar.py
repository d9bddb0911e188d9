"""The floating bar while something is recorded: its words, how to stop it, and the panels that hang on it."""

from __future__ import annotations

import math
import time

from PySide6.QtCore import QPoint, QRect, QRectF, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QMoveEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from annotator.ui.controls import column, flat_button, label, row, shortcut_tip
from annotator.ui.icons import Tint, icon
from annotator.ui.recording.floating import Floating, monitor_at, snapped
from annotator.ui.recording.recording_words import count_steps
from annotator.ui.recording.tray import STATE_WORDS, paint_state
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import clock_words, tr
from demopack.settings import HotkeySettings

_NEWS_S = 5.0
_TICK_MS = 200
_STATE_LINES = {"ready": tr("Getting ready …"), "paused": tr("Paused"), "finishing": tr("Saving …")}


class Readout(QWidget):
    """Counts the time while a recording runs."""

    def __init__(self) -> None:
        super().__init__()
        self._steps = 0
        self._last = ""
        self._state = "ready"
        # Seconds of the parts that are over, and when the part began that goes on.
        self._before_s = 0.0
        self._since: float | None = None
        self._news, self._news_until = "", 0.0
        self._shot_at = 0.0
        self._counted = 0
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._show)
        self._time = label("00:00", role="words")
        self._line = label("", role="caption")
        for part in (self._time, self._line):
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            # The bar is moved by its words, too.
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column(self._time, self._line, of=self, spacing=0, margins=(0, 4, 4, 4))

    @property
    def words(self) -> str:
        """Steps and the last of them."""
        return f"{count_steps(self._steps)} {self._last}".strip()

    @property
    def line(self) -> str:
        """The second line, in full."""
        if self.countdown:
            return tr("Shot in {countdown} s").format(countdown=self.countdown)
        if self._news and time.monotonic() < self._news_until:
            return self._news
        return _STATE_LINES.get(self._state, self._last or tr("Waiting for you"))

    @property
    def elapsed(self) -> str:
        """The time so far, without pauses."""
        return clock_words(int(self._before_s + (0.0 if self._since is None else time.monotonic() - self._since)))

    @property
    def countdown(self) -> int:
        """Seconds until a shot is taken; 0 when none was ordered."""
        return max(0, math.ceil(self._shot_at - time.monotonic()))

    def begin(self) -> None:
        """Start from zero."""
        self._steps, self._last, self._news = 0, "", ""
        self._before_s, self._since, self._shot_at = 0.0, None, 0.0
        self._show()

    def set_state(self, state: str) -> None:
        """Follow the recording."""
        now = time.monotonic()
        if state == "recording":
            self._since = now if self._since is None else self._since
        else:
            self._before_s += 0.0 if self._since is None else now - self._since
            self._since, self._shot_at = None, 0.0
        self._state = state
        (self._tick.stop if state == "ready" else self._tick.start)()
        self._show()

    def show_steps(self, number: int, last: str) -> None:
        """So many steps, and what the last of them was."""
        self._steps, self._last = number, last
        self._show()

    def say(self, news: str) -> None:
        """Say what was done, for a while."""
        self._news, self._news_until = news, time.monotonic() + _NEWS_S
        self._show()

    def count_down(self, seconds: float) -> None:
        """Count until a shot is taken."""
        self._shot_at = time.monotonic() + seconds
        self._show()

    def _show(self) -> None:
        said = f"{self.elapsed} · {count_steps(self._steps)}"
        if self._time.fontMetrics().horizontalAdvance(said) > max(self._time.width(), 60):
            said = f"{self.elapsed} · {self._steps}"  # a word that is cut says less than none
        self._time.setText(said)
        line, width = self.line, max(self._line.width(), 60)
        self._line.setToolTip(line)
        self._line.setText(self._line.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width))
        if self.countdown != self._counted:
            self._counted = self.countdown
            self.window().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: cut the words to the room there is."""
        super().resizeEvent(event)
        self._show()

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it takes what is left."""
        return QSize(40, 40)


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
        self._panels: dict[str, QToolButton] = {}
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
        self.setFixedSize(_SIZE)

    def _button(self, name: str, tip: str, *, tint: Tint = "text", panel: str = "") -> QToolButton:
        made = flat_button(name, tip, self.theme, tint=tint)
        made.setFixedSize(26, 30)
        made.setProperty("place", "floating")
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if panel:
            self._panels[panel] = made
            made.clicked.connect(lambda: self.panel_wanted.emit(panel))
        return made

    # What it shows --------------------------------------------------------------------------------------------

    def begin(self, keys: HotkeySettings | None = None) -> None:
        """Start from zero and appear where it was last, with these hot-keys in the tips."""
        self.show_problems([])
        self.readout.begin()
        keys = keys or HotkeySettings()
        self._pause_key = keys.pause
        for button, words, key in (
            (self.stop, tr("Stop and save"), keys.start_stop),
            (self.note, tr("Write a note on the last step"), keys.note),
            (self._shot, tr("Add a picture of the screen"), keys.shot),
        ):
            button.setToolTip(shortcut_tip(words, key))
        self.set_state("ready")
        self.set_small(small=False)
        self._place()
        self.show()

    def set_state(self, state: str) -> None:
        """Red while it records, amber while it is paused, grey otherwise."""
        self.state = state
        self.readout.set_state(state)
        name, words = ("play", tr("Go on")) if state == "paused" else ("pause", tr("Pause"))
        self._dress(self.pause, name, words, keys=self._pause_key)
        going = state in {"recording", "paused"}
        for button in (self.pause, self.stop, self.note, self._shot, self._more):
            button.setEnabled(going)
        self._shot.setEnabled(state == "recording")
        self.setToolTip(STATE_WORDS.get(state, state))
        self.setAccessibleDescription(STATE_WORDS.get(state, state))
        self.update()

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
        """Where the button of a panel lies on the screen, see ``panel_wanted``; the dot where the bar is one."""
        if self.small:
            return self.frameGeometry()
        button = self._panels[name]
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
