"""The pictures of a film side by side, to be pushed along."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.film import Reel
from annotator.ui.painting import rounded_picture
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["FilmRail"]

_HEIGHT = 64
_THUMB = QSize(84, 52)


class FilmRail(QWidget):
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
        self.setAccessibleName(tr("Film"))
        self.setToolTip(tr("Every picture of this demo. Drag, use the wheel or the arrow keys to walk through it."))
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
