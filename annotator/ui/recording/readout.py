"""The words on the bar: time and steps, and below them what was done last, what is going on, or news for a while."""

from __future__ import annotations

import math

from PySide6.QtCore import QElapsedTimer, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from annotator.ui.controls import column, label
from annotator.ui.recording.recording_words import count_steps
from annotator.words import tr

_NEWS_MS = 5000
_STATE_LINES = {"ready": tr("Getting ready …"), "paused": tr("Paused"), "finishing": tr("Saving …")}


class Readout(QWidget):
    """Counts the time while a recording runs.

    Signals:
        counted: the number of seconds until a shot has changed.
    """

    counted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._steps = 0
        self._last = ""
        self._news = ""
        self._state = "ready"
        self._run = QElapsedTimer()
        self._before_ms = 0
        self._count_from = QElapsedTimer()
        self._count_ms = 0
        self._tick = QTimer(self, interval=500)
        self._tick.timeout.connect(self._show_time)
        self._count_tick = QTimer(self, interval=100)
        self._count_tick.timeout.connect(self._count_down)
        self._news_end = QTimer(self, interval=_NEWS_MS, singleShot=True)
        self._news_end.timeout.connect(self._end_news)
        self._time = label("00:00", role="words")
        self._line = QLabel("")
        self._line.setProperty("role", "caption")
        self._line.setTextFormat(Qt.TextFormat.PlainText)
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
        if self._count_tick.isActive():
            return tr("Shot in {countdown} s").format(countdown=self.countdown)
        return self._news or _STATE_LINES.get(self._state, self._last or tr("Waiting for you"))

    @property
    def elapsed(self) -> str:
        """The time so far, without pauses."""
        seconds = (self._before_ms + (self._run.elapsed() if self._run.isValid() else 0)) // 1000
        hours, minutes = seconds // 3600, seconds // 60 % 60
        return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes:02}:{seconds % 60:02}"

    @property
    def countdown(self) -> int:
        """Seconds until a shot is taken; 0 when none was ordered."""
        if not self._count_tick.isActive():
            return 0
        return max(1, math.ceil((self._count_ms - self._count_from.elapsed()) / 1000))

    def begin(self) -> None:
        """Start from zero."""
        self._steps, self._before_ms, self._last, self._news = 0, 0, "", ""
        self._run.invalidate()
        self._count_tick.stop()
        self._show_time()

    def set_state(self, state: str) -> None:
        """Follow the recording."""
        if self._state == "recording" and state != "recording" and self._run.isValid():
            self._before_ms += self._run.elapsed()
        if state != "recording":
            self._run.invalidate()
            self._tick.stop()
            self._count_tick.stop()
        elif self._state != "recording" or not self._run.isValid():
            self._run.start()
            self._tick.start()
        self._state = state
        self._show_time()

    def show_steps(self, number: int, last: str) -> None:
        """So many steps, and what the last of them was."""
        self._steps, self._last = number, last
        self._show_time()

    def say(self, news: str) -> None:
        """Say what was done, for a while."""
        self._news = news
        self._news_end.start()
        self._show_time()

    def count_down(self, seconds: float) -> None:
        """Count until a shot is taken."""
        if seconds <= 0:
            return
        self._count_ms = round(seconds * 1000)
        self._count_from.start()
        self._count_tick.start()
        self._show_time()
        self.counted.emit()

    def _count_down(self) -> None:
        if self._count_from.elapsed() >= self._count_ms:
            self._count_tick.stop()
        self._show_time()
        self.counted.emit()

    def _end_news(self) -> None:
        self._news = ""
        self._show_time()

    def _show_time(self) -> None:
        said = f"{self.elapsed} · {count_steps(self._steps)}"
        if self._time.fontMetrics().horizontalAdvance(said) > max(self._time.width(), 60):
            said = f"{self.elapsed} · {self._steps}"  # a word that is cut says less than none
        self._time.setText(said)
        self._line.setToolTip(self.line)
        width = max(self._line.width(), 60)
        self._line.setText(self._line.fontMetrics().elidedText(self.line, Qt.TextElideMode.ElideRight, width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: cut the words to the room there is."""
        super().resizeEvent(event)
        self._show_time()

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it takes what is left."""
        return QSize(40, 40)
