"""Picker of a region, drawn on the dimmed screen over all monitors at once."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from annotator.ui.recording.floating import desktop_pixels
from annotator.ui.theme.manager import Theme
from annotator.words import tr
from demopack.domain.geometry import Rect

_MIN_SIDE_PX = 8
_WORDS = tr("Drag over what is to be captured. Esc leaves everything as it was.")


class RegionPicker(QWidget):
    """A still of the desktop, darker; what is drawn is bright again.

    Signals:
        picked: a ``Rect``, pixels of the virtual desktop.
        left: it was closed without a region.
    """

    picked = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        # Without a window manager in between it lies exactly over every monitor; so it takes the keyboard itself.
        super().__init__(
            None,
            Qt.WindowType.Window
            | Qt.WindowType.FramelessWindowHint
            | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.X11BypassWindowManagerHint,
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, on=False)
        self.setWindowTitle(tr("demopack region"))
        self.setAccessibleName(tr("Draw the region to capture"))
        self.setCursor(Qt.CursorShape.CrossCursor)
        self._theme = theme
        self._stills: list[tuple[QRect, QPixmap]] = []
        self._from: QPoint | None = None
        self._region = QRect()

    def open(self) -> None:
        """Take the stills and cover the desktop."""
        whole = QRect()
        for screen in QGuiApplication.screens():
            whole = whole.united(screen.geometry())
            self._stills.append((screen.geometry(), screen.grabWindow(0)))
        self.setGeometry(whole)
        self.show()
        self.raise_()
        self.activateWindow()
        self.grabKeyboard()

    def _end(self) -> None:
        self.releaseKeyboard()
        region = desktop_pixels(self._region.translated(self.pos()))
        wanted = self._region.width() >= _MIN_SIDE_PX and self._region.height() >= _MIN_SIDE_PX
        self.close()
        if wanted:
            self.picked.emit(Rect(region.x1, region.y1, region.x2, region.y2))
        else:
            self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: one corner; the right button leaves."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().toPoint()
        elif event.button() == Qt.MouseButton.RightButton:
            self._region = QRect()
            self._end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the other corner."""
        if self._from is not None:
            here = event.position().toPoint()
            left, right = sorted((self._from.x(), here.x()))
            top, bottom = sorted((self._from.y(), here.y()))
            self._region = QRect(left, top, right - left, bottom - top)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: done, unless it was a mere click."""
        if event.button() != Qt.MouseButton.LeftButton or self._from is None:
            return
        self._from = None
        if self._region.width() >= _MIN_SIDE_PX and self._region.height() >= _MIN_SIDE_PX:
            self._end()
        else:
            self._region = QRect()
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self._region = QRect()
            self._end()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the dark still, the bright region with its size, and what to do."""
        del event
        painter = QPainter(self)
        shade = QColor(0, 0, 0, 128)
        for box, still in self._stills:
            painter.drawPixmap(box.translated(-self.pos()), still)
        painter.fillRect(self.rect(), shade)
        if not self._region.isEmpty():
            self._paint_region(painter)
        palette = self._theme.palette
        first = QGuiApplication.primaryScreen().geometry().translated(-self.pos())
        words = QRect(0, 0, painter.fontMetrics().horizontalAdvance(_WORDS) + 32, 36)
        words.moveCenter(QPoint(first.center().x(), first.top() + 48))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(words, 6, 6)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, _WORDS)

    def _paint_region(self, painter: QPainter) -> None:
        painter.save()
        painter.setClipRect(self._region)
        for box, still in self._stills:
            painter.drawPixmap(box.translated(-self.pos()), still)
        painter.restore()
        palette = self._theme.palette
        painter.setPen(QPen(QColor(palette.accent), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self._region)
        region = desktop_pixels(self._region.translated(self.pos()))
        size = f"{region.width} x {region.height}"
        tag = QRect(0, 0, painter.fontMetrics().horizontalAdvance(size) + 16, 22)
        tag.moveTopLeft(self._region.bottomLeft() + QPoint(0, 6))
        if tag.bottom() > self.height():
            tag.moveBottomLeft(self._region.bottomLeft() + QPoint(6, -6))
        painter.fillRect(tag, QColor(palette.accent))
        painter.setPen(QColor(palette.on_accent))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, size)
