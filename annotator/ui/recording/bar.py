"""The floating bar while something is recorded: whether it runs, for how long, what it saw last, how to stop it."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QPoint, QRectF, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from annotator.ui.controls import flat_button, label
from annotator.ui.icons import icon
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE

__all__ = ["RecorderBar"]

_SIZE = QSize(360, 44)
_DOT = QSize(44, 44)
_SNAP = 24


class RecorderBar(QWidget):
    """Always on top, never takes the focus; double-click makes it a dot and back.

    Signals:
        pause_wanted: pause, or go on.
        stop_wanted: stop.
    """

    pause_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme, places: QSettings) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.WindowDoesNotAcceptFocus,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle("demopack recorder")
        self.setAccessibleName("Recorder")
        self._theme = theme
        self._places = places
        self._state = "ready"
        self._steps = 0
        self._problems: list[str] = []
        self._small = False
        self._drag_from: QPoint | None = None
        self._run = QElapsedTimer()
        self._before_ms = 0
        self._tick = QTimer(self, interval=500)
        self._tick.timeout.connect(self._show_time)
        self._make_parts()
        self.resize(_SIZE)
        theme.changed.connect(self.update)

    def _make_parts(self) -> None:
        self._time = label("00:00", role="words")
        self._time.setMinimumWidth(44)
        self._count = label("0 steps", role="muted")
        self._last = QLabel("")
        self._last.setTextFormat(Qt.TextFormat.PlainText)
        self._last.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._pause = flat_button("pause", "Pause", self._theme)
        self._pause.clicked.connect(self.pause_wanted)
        self._stop = flat_button("stop", "Stop and save", self._theme, tint="danger")
        self._stop.clicked.connect(self.stop_wanted)
        self._health = flat_button("health", "All is well", self._theme, tint="success")
        row = QHBoxLayout(self)
        row.setContentsMargins(36, 4, SPACE.s, 4)
        row.setSpacing(6)
        self._parts: list[QWidget] = [self._time, self._count, self._last, self._pause, self._stop, self._health]
        for part in self._parts:
            row.addWidget(part, 1 if part is self._last else 0)
        for button in (self._pause, self._stop, self._health):
            button.setFixedWidth(26)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    # What it shows --------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """The state that is shown."""
        return self._state

    @property
    def words(self) -> str:
        """Steps and the last of them, as shown."""
        return f"{self._count.text()} {self._last.toolTip()}".strip()

    def begin(self) -> None:
        """Start from zero and appear where it was last."""
        self._steps, self._before_ms, self._problems = 0, 0, []
        self._run.invalidate()
        self._last.setText("")
        self._last.setToolTip("")
        self._show_count()
        self.set_state("ready")
        self._set_small(small=False)
        self._place()
        self.show()

    def set_state(self, state: str) -> None:
        """Red while it records, amber while it is paused, grey otherwise."""
        if self._state == "recording" and state != "recording" and self._run.isValid():
            self._before_ms += self._run.elapsed()
        if state == "recording":
            self._run.start()
            self._tick.start()
        else:
            self._run.invalidate()
            self._tick.stop()
        self._state = state
        paused = state == "paused"
        self._pause.setIcon(icon("play" if paused else "pause", self._theme))
        self._pause.setToolTip("Go on" if paused else "Pause")
        self._pause.setAccessibleName("Go on" if paused else "Pause")
        going = state in {"recording", "paused"}
        self._pause.setEnabled(going)
        self._stop.setEnabled(going)
        if state == "finishing":
            self._last.setText("Saving …")
        self._show_time()
        self.update()

    def add_step(self, words: str) -> None:
        """One more step was recorded."""
        self._steps += 1
        self._last.setToolTip(words)
        self._show_count()
        metrics = self._last.fontMetrics()
        self._last.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(self._last.width(), 60)))

    def show_problems(self, problems: list[str]) -> None:
        """Show whether all is well, and what is not."""
        if problems == self._problems:
            return
        self._problems = list(problems)
        well = not problems
        self._health.setIcon(icon("health" if well else "warning", self._theme, tint="success" if well else "warning"))
        tip = "\n".join(problems) or "All is well"
        self._health.setToolTip(tip)
        self._health.setAccessibleName(tip)

    def _show_count(self) -> None:
        self._count.setText("1 step" if self._steps == 1 else f"{self._steps} steps")

    def _show_time(self) -> None:
        ms = self._before_ms + (self._run.elapsed() if self._run.isValid() else 0)
        seconds = ms // 1000
        self._time.setText(f"{seconds // 60:02}:{seconds % 60:02}")

    # Place ----------------------------------------------------------------------------------------------------

    def _place(self) -> None:
        screen = QGuiApplication.primaryScreen().availableGeometry()
        saved = self._places.value("recorder_bar")
        if isinstance(saved, QPoint) and screen.contains(saved):
            self.move(saved)
        else:
            self.move(screen.center().x() - self.width() // 2, screen.top() + SPACE.s)

    def _set_small(self, *, small: bool) -> None:
        self._small = small
        for part in self._parts:
            part.setVisible(not small)
        self.setFixedSize(_DOT if small else _SIZE)
        # Where nothing blends windows, what is translucent would be black.
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), 22, 22)
        self.setMask(QRegion(shape.toFillPolygon().toPolygon()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: begin to move the bar."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag_from = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: move it; edges of the screen attract."""
        if self._drag_from is None:
            return
        at = event.globalPosition().toPoint() - self._drag_from
        screen = self.screen().availableGeometry()
        right, bottom = screen.right() + 1 - self.width(), screen.bottom() + 1 - self.height()
        x = screen.left() if abs(at.x() - screen.left()) < _SNAP else right if abs(at.x() - right) < _SNAP else at.x()
        y = screen.top() if abs(at.y() - screen.top()) < _SNAP else bottom if abs(at.y() - bottom) < _SNAP else at.y()
        self.move(x, y)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: remember the place."""
        del event
        if self._drag_from is not None:
            self._drag_from = None
            self._places.setValue("recorder_bar", self.pos())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: a dot, or the bar again."""
        del event
        self._drag_from = None
        self._set_small(small=not self._small)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: a rounded bar with the coloured dot."""
        del event
        palette = self._theme.palette
        colours = {"recording": palette.danger, "paused": palette.warning}
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.setBrush(QColor(palette.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 21.5, 21.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.get(self._state, palette.faint)))
        painter.drawEllipse(QRectF(15, 15, 14, 14))
