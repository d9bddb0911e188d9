"""A text area with the numbers of its lines at its left, as programmers have it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from lab.screens.qt.looks import Scheme, mixed


class Numbered(QPlainTextEdit):
    """Lines with numbers and with a ground of its own below the line that is written in.

    Args:
        text: what stands in it.
        colours: of the program.
        marked: whether the line that is written in has a ground.
    """

    def __init__(self, text: str, colours: Scheme, *, marked: bool) -> None:
        super().__init__(text)
        self._colours = colours
        self._marked = marked
        self._margin = _Margin(self)
        self.updateRequest.connect(self._shift)
        self.cursorPositionChanged.connect(self._mark)
        self._mark()

    def margin_width(self) -> int:
        """Room for the largest number, logical pixels."""
        return 12 + self.fontMetrics().horizontalAdvance("9") * max(2, len(str(self.blockCount())))

    def paint_margin(self, painter: QPainter, rect: QRect) -> None:
        """Draw the numbers of the lines in view."""
        c = self._colours
        painter.fillRect(rect, QColor(c.alternate))
        painter.setPen(QColor(c.faint))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= rect.bottom():
            place = QRect(0, round(top), self._margin.width() - 6, self.fontMetrics().height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, str(block.blockNumber() + 1))
            top += self.blockBoundingRect(block).height()
            block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Keep the numbers as high as the text."""
        super().resizeEvent(event)
        self.setViewportMargins(self.margin_width(), 0, 0, 0)
        inner = self.contentsRect()
        self._margin.setGeometry(inner.left(), inner.top(), self.margin_width(), self.viewport().height())

    def _shift(self, _rect: QRect, _by: int) -> None:
        self._margin.update()

    def _mark(self) -> None:
        if not self._marked:
            return
        line = QTextEdit.ExtraSelection()
        line.format.setBackground(QColor(mixed(self._colours.base, self._colours.text, 0.1)))
        line.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003 - Qt's way
        line.cursor = self.textCursor()
        line.cursor.clearSelection()
        self.setExtraSelections([line])


class _Margin(QWidget):
    def __init__(self, area: Numbered) -> None:
        super().__init__(area)
        self._area = area
        self.setProperty("truth", "skip")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        self._area.paint_margin(painter, event.rect())
        painter.end()
