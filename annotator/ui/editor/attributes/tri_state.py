"""A check box with three values: yes, no, cannot be seen. Told apart by shape and word, not by colour alone."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from annotator.attributes.form import MIXED, Mixed
from annotator.attributes.mode import STATE_WORDS
from annotator.ui.painting import font_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HIT, SPACE, Palette
from annotator.words import tr

__all__ = ["TriState"]

_BOX: Final = 18
_NEXT: Final[dict[bool | None, bool | None]] = {True: False, False: None, None: True}
_CHECKS: Final = {
    True: Qt.CheckState.Checked,
    False: Qt.CheckState.Unchecked,
    None: Qt.CheckState.PartiallyChecked,
}


class TriState(QCheckBox):
    """One state of an element: its name at the left, the box and the value in words at the right.

    A click, or Space, goes from yes to no to "cannot be seen".

    Signals:
        chosen: the new value, True, False or None.
    """

    chosen = Signal(object)

    def __init__(self, name: str, theme: Theme) -> None:
        super().__init__(name)
        self._theme = theme
        self._value: bool | Mixed | None = None
        self._usual = False
        self.setTristate(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(tr("{state}: a click goes from yes to no to cannot be seen").format(state=name))
        self.clicked.connect(self._choose)
        self.show_value(None)

    @property
    def value(self) -> bool | Mixed | None:
        """What is shown."""
        return self._value

    @property
    def words(self) -> str:
        """The value as it is written beside the box."""
        if self._value is MIXED:
            return tr("different")
        words = STATE_WORDS[self._value if isinstance(self._value, bool) else None]
        return tr("{value}, as usual").format(value=words) if self._usual else words

    def show_value(self, value: bool | Mixed | None, *, usual: bool = False) -> None:  # noqa: FBT001 - the value itself
        """Show a value without telling anybody.

        Args:
            value: ``MIXED`` where several elements differ.
            usual: it was filled in by habit; nobody has said so yet.
        """
        self._value, self._usual = value, usual
        self.setCheckState(_CHECKS[value if isinstance(value, bool) else None])
        self.setAccessibleDescription(self.words)
        self.update()

    def _choose(self) -> None:
        value = None if self._value is MIXED else self._value
        new = _NEXT[value if isinstance(value, bool) else None]
        self.show_value(new)
        self.chosen.emit(new)

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def nextCheckState(self) -> None:
        """Qt's hook: the value, not Qt's own order, says what comes next."""

    def hitButton(self, pos: QPoint) -> bool:
        """Qt's hook: the whole row can be clicked."""
        return self.rect().contains(pos)

    def sizeHint(self) -> QSize:
        """Qt's hook: a row that is easy to hit."""
        return QSize(super().sizeHint().width() + 120, HIT.tool)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: as high as the hint; narrow panels cut the words."""
        return QSize(120, HIT.tool)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: name, box, value."""
        del event
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = self.rect()
        if self.underMouse() and self.isEnabled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(palette.hover))
            painter.drawRoundedRect(QRectF(row), 4, 4)
        half = row.width() // 2 - SPACE.s
        painter.setFont(font_of(self.font(), size=FONT.base))
        painter.setPen(QColor(palette.text if self.isEnabled() else palette.faint))
        painter.drawText(QRect(SPACE.xs, 0, half, row.height()), Qt.AlignmentFlag.AlignVCenter, self.text())
        box = QRectF(row.width() // 2, (row.height() - _BOX) / 2, _BOX, _BOX)
        self._paint_box(painter, box, palette)
        words = QRect(round(box.right()) + SPACE.s, 0, row.width() - round(box.right()) - SPACE.s, row.height())
        painter.setFont(font_of(self.font(), size=FONT.base, bold=self._value is True))
        painter.setPen(QColor(palette.text if isinstance(self._value, bool) else palette.muted))
        text = painter.fontMetrics().elidedText(self.words, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(palette.accent), 2))
            painter.drawRoundedRect(QRectF(row).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_box(self, painter: QPainter, box: QRectF, palette: Palette) -> None:
        yes = self._value is True
        unseen = self._value is None
        painter.setBrush(QColor(palette.accent if yes else palette.surface))
        style = Qt.PenStyle.DotLine if unseen else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(palette.accent if yes else palette.edge), 1.5, style))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if yes:
            painter.setPen(QPen(QColor(palette.on_accent), 2.2, c=Qt.PenCapStyle.RoundCap))
            tick = [QPointF(4.6, 9.4), QPointF(7.8, 12.6), QPointF(13.4, 5.8)]
            painter.drawPolyline(QPolygonF([box.topLeft() + point for point in tick]))
        elif self._value is MIXED:
            painter.setPen(QPen(QColor(palette.text), 2.2, c=Qt.PenCapStyle.RoundCap))
            painter.drawLine(box.topLeft() + QPointF(5, 9), box.topLeft() + QPointF(13, 9))
        elif unseen:
            painter.setFont(font_of(self.font(), size=FONT.caption, bold=True))
            painter.setPen(QColor(palette.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "?")
