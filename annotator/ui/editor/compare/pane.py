"""One of the two pictures that are compared: zoomed and pushed together with the other."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent

from annotator.ui.canvas.action_mark import ActionMark, paint_action
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, HUES, SPACE
from annotator.viewport import Viewport
from demopack.domain.geometry import Rect, Size

__all__ = ["Pane"]

_COLOUR = HUES["group"]
_AIR = 2


class Pane(PictureView):
    """A picture with a caption, with what differs marked on it, and perhaps with what the step did.

    Signals:
        pushed: the user zoomed or pushed; carries the viewport.
        left: Esc was pressed.
        flipped: Space was pressed, or the picture was clicked.
    """

    pushed = Signal(object)
    left = Signal()
    flipped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._caption = ""
        self._regions: tuple[Rect, ...] = ()
        self._action: ActionMark | None = None
        self._following = False
        self.looked.connect(self._on_looked)

    @property
    def caption(self) -> str:
        """Which picture it is, in words."""
        return self._caption

    @property
    def regions(self) -> tuple[Rect, ...]:
        """What is marked, in pixels of the picture."""
        return self._regions

    def show_picture(self, caption: str, *, action: ActionMark | None = None) -> None:
        """Which picture it is, and what was done on it."""
        self._caption, self._action = caption, action
        self.setAccessibleName(caption)
        self.update()

    def show_regions(self, regions: tuple[Rect, ...]) -> None:
        """Mark what differs."""
        self._regions = regions
        self.update()

    def show_size(self, size: Size) -> None:
        """How large the picture is that will be shown."""
        self._follow(self._viewport.showing(size))

    def follow(self, viewport: Viewport) -> None:
        """Lie as the picture beside this one lies, without telling anybody."""
        self._follow(replace(viewport, picture=self._viewport.picture, width=self.width(), height=self.height()))

    def show_middle(self, viewport: Viewport) -> None:
        """Show what a larger view of the picture has in its middle, without telling anybody."""
        self._follow(replace(viewport, picture=self._viewport.picture).in_window(self.width(), self.height()))

    def _on_looked(self) -> None:
        if not self._following:
            self.pushed.emit(self._viewport)

    def _follow(self, viewport: Viewport) -> None:
        self._following = True
        self.look(viewport)
        self._following = False

    # Painting -------------------------------------------------------------------------------------------------

    def paint_moving(self, painter: QPainter) -> None:
        """What differs, what the step did, the caption."""
        self._paint_regions(painter)
        if self._action is not None:
            paint_action(painter, self._viewport, self._action)
        self._paint_caption(painter)

    def _paint_regions(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for region in self._regions:
            x1, y1 = self._viewport.to_window(region.x1, region.y1)
            x2, y2 = self._viewport.to_window(region.x2, region.y2)
            frame = QRectF(x1 - _AIR, y1 - _AIR, x2 - x1 + 2 * _AIR, y2 - y1 + 2 * _AIR).toAlignedRect()
            for colour, grow in ((HALO, 1), (_COLOUR, 0)):
                painter.setPen(QPen(QColor(colour), 2 if grow == 0 else 1))
                painter.drawRect(frame.adjusted(-grow, -grow, grow, grow))

    def _paint_caption(self, painter: QPainter) -> None:
        palette = self._theme.palette
        font = QFont(painter.font())
        font.setPixelSize(FONT.caption)
        font.setBold(True)
        painter.setFont(font)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = QFontMetricsF(font).horizontalAdvance(self._caption) + 2 * SPACE.s
        tag = QRectF(SPACE.s, SPACE.s, width, 22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(tag, 4, 4)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, self._caption)

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: each picture finds its own place in a window of another size."""
        self._following = True
        super().resizeEvent(event)
        self._following = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the left button pushes too; there is nothing to edit here."""
        if event.button() in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            self.begin_pan(QPointF(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Esc leaves, Space shows the other picture."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.flipped.emit()
        else:
            super().keyPressEvent(event)
