"""The film under the canvas: every picture of the demo in its order, to be walked through, played and used."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.film import Reel
from annotator.ui.controls import flat_button, label, push_button
from annotator.ui.icons import icon
from annotator.ui.painting import rounded_picture
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState

__all__ = ["FilmStrip"]

_HEIGHT = 64
_THUMB = QSize(84, 52)
_LONGEST_MS = 3000
"""A picture that was seen for minutes is shown this long: what is played is what happened, not how long nothing did."""


class _Rail(QWidget):
    """The pictures side by side, the one that is shown in the middle.

    Signals:
        wanted: place of a picture.
    """

    wanted = Signal(int)

    def __init__(self, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._pictures = pictures
        self._theme = theme
        self._reel = Reel()
        self._place = 0
        self._marks: dict[int, str] = {}
        self._drag_from: tuple[float, int] | None = None
        self.setFixedHeight(_HEIGHT)
        self.setMinimumWidth(160)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Film")
        self.setToolTip("Every picture of this demo. Drag, use the wheel or the arrow keys to walk through it.")
        pictures.thumbnail_ready.connect(self._on_thumbnail)
        theme.changed.connect(self.update)

    def close_view(self) -> None:
        """Stop following."""
        self._pictures.thumbnail_ready.disconnect(self._on_thumbnail)
        self._theme.changed.disconnect(self.update)

    def show_reel(self, reel: Reel, marks: dict[int, str]) -> None:
        """Take other pictures; ``marks`` are words over some of them."""
        self._reel, self._marks = reel, marks
        self._place = min(self._place, max(len(reel) - 1, 0))
        self.update()

    def show_place(self, place: int) -> None:
        """Bring a picture to the middle."""
        if place != self._place:
            self._place = place
            self.update()

    def box_of(self, place: int) -> QRect:
        """Where a picture lies."""
        step = _THUMB.width() + SPACE.xs
        left = self.width() // 2 - _THUMB.width() // 2 + (place - self._place) * step
        return QRect(left, (self.height() - _THUMB.height()) // 2, _THUMB.width(), _THUMB.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: only what shows."""
        del event
        painter, palette = QPainter(self), self._theme.palette
        ratio = self.devicePixelRatioF()
        reach = self.width() // (2 * _THUMB.width()) + 2
        for place in range(max(self._place - reach, 0), min(self._place + reach + 1, len(self._reel))):
            box = self.box_of(place)
            found = self._pictures.thumbnail(self._reel[place].frame.id, QSize(96, 64) * ratio)
            rounded_picture(painter, box, found if isinstance(found, QPixmap) else None, palette)
            if place in self._marks:
                self._paint_mark(painter, box, self._marks[place])
            if place == self._place:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(palette.accent), 2 if self.hasFocus() else 1.5))
                painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_mark(self, painter: QPainter, box: QRect, words: str) -> None:
        palette = self._theme.palette
        font = painter.font()
        font.setPixelSize(10)
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(words) + 8
        tag = QRectF(box.left() + 3, box.top() + 3, width, 14)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(tag, 3, 3)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)

    def _want(self, place: int) -> None:
        if len(self._reel):
            self.wanted.emit(min(max(place, 0), len(self._reel) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: begin to drag; a click shows what is under it."""
        self._drag_from = (event.position().x(), self._place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the film follows the pointer."""
        if self._drag_from is not None:
            x, place = self._drag_from
            self._want(place - round((event.position().x() - x) / 28))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: let go."""
        start, self._drag_from = self._drag_from, None
        if start is not None and abs(event.position().x() - start[0]) < 4:
            away = event.position().x() - self.width() / 2
            self._want(self._place + round(away / (_THUMB.width() + SPACE.xs)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's hook: a notch is a picture."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        self._want(self._place - (1 if turned > 0 else -1))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: arrows walk."""
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -(10**9), Qt.Key.Key_End: 10**9}
        way = ways.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            self._want(self._place + way)

    def _on_thumbnail(self, frame_id: str) -> None:
        del frame_id
        self.update()


class FilmStrip(QWidget):
    """Walks through the reel; what it shows, the canvas shows.

    Signals:
        use_wanted: ``before`` or ``after``: use the picture that is shown for the current step.
    """

    use_wanted = Signal(str)

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._view = view
        self._theme = theme
        self._reel = Reel()
        self._place = 0
        self._following = False
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._play_on)
        self._playing = False
        self._play = flat_button("play", "Play at the recorded speed", theme, keys="P")
        self._play.clicked.connect(self.toggle_play)
        self._time = label("00:00.0", role="caption")
        self._time.setMinimumWidth(52)
        self._rail = _Rail(pictures, theme)
        self._rail.wanted.connect(self._walked)
        before = push_button("Use as before", "Use this picture as the one before the step", theme, keys="Shift+B")
        before.clicked.connect(lambda: self.use_wanted.emit("before"))
        after = push_button("Use as after", "Use this picture as the one after the step", theme, keys="Shift+A")
        after.clicked.connect(lambda: self.use_wanted.emit("after"))
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.s)
        for part in (self._play, self._time):
            row.addWidget(part)
        row.addWidget(self._rail, 1)
        for button in (before, after):
            row.addWidget(button)
        self._end = view.frame_changed.connect(self._follow)
        self.hide()

    # What it shows --------------------------------------------------------------------------------------------

    @property
    def reel(self) -> Reel:
        """The pictures."""
        return self._reel

    @property
    def place(self) -> int:
        """Which of them is shown."""
        return self._place

    @property
    def playing(self) -> bool:
        """Whether it runs."""
        return self._playing

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._stop()
        self._end()
        self._rail.close_view()

    def show_reel(self, reel: Reel) -> None:
        """Take other pictures, after steps changed or the film was read."""
        self._reel = reel
        marks: dict[int, str] = {}
        for number, step in enumerate(self._view.document.steps, start=1):
            place = reel.place_of(step.before)
            if place is not None:
                marks[place] = f"{marks[place]} {number}" if place in marks else str(number)
        self._rail.show_reel(reel, marks)
        self._follow()

    def step_by(self, offset: int) -> None:
        """One picture further, or back."""
        self._walked(min(max(self._place + offset, 0), max(len(self._reel) - 1, 0)))

    # Playing --------------------------------------------------------------------------------------------------

    def toggle_play(self) -> None:
        """Play from here, from the start when it is at its end; or stop."""
        if self._playing or not len(self._reel):
            self._stop()
            return
        self.show()
        if self._place + 1 >= len(self._reel):
            self._go(0)
        self._playing = True
        self._show_playing()
        self._wait()

    def _wait(self) -> None:
        pause = self._reel.pause_ms(self._place)
        if pause is None:
            self._stop()
        else:
            self._clock.start(min(pause, _LONGEST_MS))

    def _play_on(self) -> None:
        self._go(self._place + 1)
        self._wait()

    def _stop(self) -> None:
        self._clock.stop()
        if self._playing:
            self._playing = False
            self._show_playing()

    def _show_playing(self) -> None:
        words = "Stop playing" if self._playing else "Play at the recorded speed"
        self._play.setIcon(icon("pause" if self._playing else "play", self._theme))
        self._play.setAccessibleName(words)

    # Walking --------------------------------------------------------------------------------------------------

    def _walked(self, place: int) -> None:
        self._stop()
        self._go(place)

    def _go(self, place: int) -> None:
        if not 0 <= place < len(self._reel):
            return
        self._place = place
        self._following = True
        self._view.peek(self._reel[place].frame)
        self._following = False
        self._show_place()

    def _follow(self) -> None:
        """The canvas shows the step's own picture again: so does the film."""
        if self._following:
            return
        self._stop()
        place = self._reel.place_of(self._view.frame)
        if place is not None:
            self._place = place
        self._show_place()

    def _show_place(self) -> None:
        self._rail.show_place(self._place)
        seconds = self._reel.seconds(self._place) if len(self._reel) else 0.0
        self._time.setText(f"{int(seconds) // 60:02}:{seconds % 60:04.1f}")
