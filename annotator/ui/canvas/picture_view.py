"""A picture that can be zoomed and pushed around; what lies on it is up to those who inherit."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.layers import Screenshot
from annotator.ui.canvas.still_layer import StillLayer, ground_in
from annotator.ui.theme.manager import Theme
from annotator.viewport import Viewport
from demopack.domain.geometry import Size

__all__ = ["PictureView"]

_WHEEL_STEP = 1.2
_SETTLE_MS = 90


class PictureView(QWidget):
    """Shows one screenshot, or a sentence in its place.

    Signals:
        zoom_changed: the scale is another.
        looked: another part of the picture is shown, or at another scale.
    """

    zoom_changed = Signal()
    looked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._viewport = Viewport(picture=Size(1, 1), width=1, height=1)
        self._shot: Screenshot | None = None
        self._message = ""
        self._layer = StillLayer()
        self._pan_from: QPointF | None = None
        self._zooming = QTimer(self, interval=_SETTLE_MS, singleShot=True)
        self._zooming.timeout.connect(self.drop_layer)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 160)
        theme.changed.connect(self.drop_layer)

    @property
    def viewport(self) -> Viewport:
        """How the picture lies in the widget."""
        return self._viewport

    @property
    def ready(self) -> bool:
        """Whether a picture is shown, or the reason why it cannot be."""
        return self._shot is not None or bool(self._message)

    @property
    def message(self) -> str:
        """What stands in the place of a picture that cannot be shown; empty when it can."""
        return self._message

    def show_shot(self, shot: Screenshot | None, *, message: str = "") -> None:
        """Show another picture, or a sentence in its place."""
        self._shot, self._message = shot, message
        self.drop_layer()

    def fit(self) -> None:
        """Show the whole picture."""
        self.look(self._viewport.fit())

    def zoom_to(self, scale: float) -> None:
        """Zoom around the middle."""
        self.look(self._viewport.at_scale(scale))

    def zoom_by(self, factor: float) -> None:
        """Zoom around the middle by a factor."""
        self.zoom_to(self._viewport.scale * factor)

    def look(self, viewport: Viewport) -> None:
        """Take over a place and zoom."""
        if viewport == self._viewport:
            return
        zoomed = viewport.scale != self._viewport.scale
        self._viewport = viewport
        self.drop_layer()
        if zoomed:
            self.zoom_changed.emit()
        self.looked.emit()

    def drop_layer(self) -> None:
        """Paint everything again."""
        self._layer.spoil(self.rect())
        self.update()

    def spoil(self, area: QRect) -> None:
        """Paint a part again, still layer included; in window pixels."""
        area = area.intersected(self.rect())
        if not area.isEmpty():
            self._layer.spoil(area)
            self.update(area)

    # For those who inherit ------------------------------------------------------------------------------------

    def paint_still(self, painter: QPainter) -> None:
        """Paint what lies still on the picture; painted once, until ``drop_layer``, or clipped to what was spoiled."""

    def finish_still(self, layer: QImage, area: QRect) -> None:
        """Draw into the pixels of the still layer, after everything was painted; ``area`` is in window pixels."""

    def paint_moving(self, painter: QPainter) -> None:
        """Paint what moves; painted every time."""

    # Qt's hooks -----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the still layer in one blit, then what moves."""
        painter = QPainter(self)
        if self._shot is None or self._message:
            self._paint_message(painter)
            return
        layer = self._layer.fitted(self.size(), self.devicePixelRatioF())
        spoiled = self._layer.take_spoiled()
        if not spoiled.isEmpty():
            self._mend(layer, self._shot, spoiled)
        ratio = layer.devicePixelRatio()
        exposed = event.rect()
        source = QRectF(exposed.x() * ratio, exposed.y() * ratio, exposed.width() * ratio, exposed.height() * ratio)
        painter.drawImage(QRectF(exposed), layer, source)
        self.paint_moving(painter)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(self._theme.palette.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _mend(self, layer: QImage, shot: Screenshot, area: QRect) -> None:
        """Paint a part of the still layer."""
        painter = QPainter(layer)
        painter.setClipRegion(ground_in(area, self._viewport))
        painter.fillRect(area, QColor(self._theme.palette.sunken))
        painter.setClipRect(area)
        if shot.paint(painter, self._viewport, quick=self._zooming.isActive()):
            self._zooming.stop()
        painter.setClipRect(area)
        self.paint_still(painter)
        painter.end()
        self.finish_still(layer, area)

    def _paint_message(self, painter: QPainter) -> None:
        palette = self._theme.palette
        painter.fillRect(self.rect(), QColor(palette.sunken))
        painter.setPen(QColor(palette.muted))
        painter.drawText(
            self.rect().adjusted(40, 40, -40, -40),
            Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
            self._message,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the middle button pushes the picture."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self.begin_pan(event.position())

    def begin_pan(self, at: QPointF) -> None:
        """Push the picture with the pointer until the button is released."""
        self._pan_from = at
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: push."""
        if self._pan_from is not None:
            moved = event.position() - self._pan_from
            self._pan_from = event.position()
            self.look(self._viewport.moved(moved.x(), moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: let go."""
        del event
        if self._pan_from is not None:
            self._pan_from = None
            self.setCursor(Qt.CursorShape.ArrowCursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's hook: a wheel zooms around the pointer; two fingers push, and zoom with Ctrl."""
        zoom = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        push: QPoint = event.pixelDelta()
        if not push.isNull() and not zoom:
            self.look(self._viewport.moved(push.x(), push.y()))
        elif event.angleDelta().y():
            self._zoom_at(event.position(), _WHEEL_STEP ** (event.angleDelta().y() / 120))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: pinching zooms."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_at(event.position(), 1 + event.value())
            return True
        return super().event(event)

    def _zoom_at(self, at: QPointF, factor: float) -> None:
        self._zooming.start()
        scale = self._viewport.scale * factor
        # 100 % is a place to stop at: passing it by a hair would blur every pixel.
        if abs(scale - 1) < 0.06:
            scale = 1.0
        self.look(self._viewport.at_scale(scale, x=at.x(), y=at.y()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: keep the picture in its place."""
        self.look(self._viewport.in_window(self.width(), self.height()))
        self.drop_layer()
        super().resizeEvent(event)
