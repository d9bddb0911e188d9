"""A picture that can be zoomed and panned, with layers painted on it."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.canvas.scaled_picture import ScaledPicture
from annotator.ui.theme.manager import Theme
from annotator.viewport import Viewport
from demopack.domain.geometry import Size

_WHEEL_STEP = 1.2
_SETTLE_MS = 90
_ACTUAL_SIZE_TOLERANCE = 0.06


class _CachedImage:
    """An image of the window's size, and the part of it that has to be painted again."""

    def __init__(self) -> None:
        self._image = QImage()
        self._invalid = QRect()

    def invalidate(self, area: QRect) -> None:
        """Have an area painted again; in window pixels."""
        self._invalid = self._invalid.united(area)

    def pop_invalid(self) -> QRect:
        """The area that has to be painted now; from then on it counts as painted."""
        area, self._invalid = self._invalid, QRect()
        return area

    def fitted(self, size: QSize, ratio: float) -> QImage:
        """The image; an empty one, invalid as a whole, where window or screen are others than last time."""
        pixels = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._image.size() != pixels or self._image.devicePixelRatio() != ratio:
            # The format that windows have: it is copied to the screen as it is, and its pixels can be written directly.
            self._image = QImage(pixels, QImage.Format.Format_RGB32)
            self._image.setDevicePixelRatio(ratio)
            self._invalid = QRect(0, 0, size.width(), size.height())
        return self._image


class PictureView(QWidget):
    """Shows one picture, or a message in its place.

    Picture and layers are painted into a cached image; on each repaint it is copied, and what layers paint over it
    follows.

    Signals:
        zoom_changed: the scale is another.
        view_changed: another part of the picture is shown, or at another scale.
    """

    zoom_changed = Signal()
    view_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.viewport = Viewport(picture=Size(1, 1), width=1, height=1)
        self._scaled: ScaledPicture | None = None
        self.message = ""
        self._cache = _CachedImage()
        self._under: list[CanvasLayer] = []
        self._over: list[CanvasLayer] = []
        self._pan_from: QPointF | None = None
        self._zooming = QTimer(self, interval=_SETTLE_MS, singleShot=True)
        self._zooming.timeout.connect(self.invalidate)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 160)
        theme.changed.connect(self.invalidate)

    # Picture --------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> QImage | None:
        """The picture that is shown; None while there is none."""
        return None if self._scaled is None else self._scaled.image

    @property
    def ready(self) -> bool:
        """Whether a picture is shown, or the reason why it cannot be."""
        return self._scaled is not None or bool(self.message)

    def show_picture(self, picture: QImage) -> None:
        """Show another picture; its size is a matter of :meth:`set_view`."""
        self._scaled, self.message = ScaledPicture(picture), ""
        self.invalidate()

    def show_message(self, message: str) -> None:
        """Show words in the picture's place."""
        self._scaled, self.message = None, message
        self.invalidate()

    def keep_picture(self) -> None:
        """Leave the last picture until the next one is loaded, which is calmer than a flash of grey."""
        self.message = ""
        self.invalidate()

    # View -----------------------------------------------------------------------------------------------------

    def set_view(self, viewport: Viewport) -> None:
        """Show the picture at another place and scale."""
        if viewport == self.viewport:
            return
        zoomed = viewport.scale != self.viewport.scale
        self.viewport = viewport
        self.invalidate()
        if zoomed:
            self.zoom_changed.emit()
        self.view_changed.emit()

    def fit(self) -> None:
        """Show the whole picture."""
        self.set_view(self.viewport.fit())

    def zoom_to(self, scale: float) -> None:
        """Zoom around the middle."""
        self.set_view(self.viewport.at_scale(scale))

    def zoom_by(self, factor: float) -> None:
        """Zoom around the middle by a factor."""
        self.zoom_to(self.viewport.scale * factor)

    def _zoom_at(self, at: QPointF, factor: float) -> None:
        self._zooming.start()
        scale = self.viewport.scale * factor
        # 100 % is a place to stop at: passing it by a hair would blur every pixel.
        if abs(scale - 1) < _ACTUAL_SIZE_TOLERANCE:
            scale = 1.0
        self.set_view(self.viewport.at_scale(scale, x=at.x(), y=at.y()))

    @property
    def panning(self) -> bool:
        """Whether the picture is moved with the pointer."""
        return self._pan_from is not None

    def begin_pan(self, at: QPointF) -> None:
        """Move the picture with the pointer until the button is released."""
        self._pan_from = at
        self.setCursor(Qt.CursorShape.ClosedHandCursor)

    # Layers ---------------------------------------------------------------------------------------------------

    def add_layer(self, layer: CanvasLayer, *, under: bool = False) -> None:
        """Paint a layer on each repaint, over those that came before, as long as the widget lives.

        Args:
            layer: what to paint.
            under: below all layers that are not.
        """
        (self._under if under else self._over).append(layer)
        self.update()

    def escape_layers(self) -> bool:
        """Let the layers have Esc, the topmost first; returns whether one meant it."""
        return any(layer.escaped() for layer in self._front_first())

    def _front_first(self) -> list[CanvasLayer]:
        return [*reversed(self._over), *reversed(self._under)]

    def _layer_pointer(self, at: QPointF) -> LayerPointer:
        x, y = self.viewport.to_picture(at.x(), at.y())
        return LayerPointer(x=x, y=y, window=at)

    # Painting -------------------------------------------------------------------------------------------------

    def invalidate(self, area: QRect | None = None) -> None:
        """Have everything painted again, or an area in window pixels; :meth:`update` repaints from the cache."""
        area = self.rect() if area is None else area.intersected(self.rect())
        if not area.isEmpty():
            self._cache.invalidate(area)
            self.update(area)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy the cached image, then paint over it."""
        painter = QPainter(self)
        if self._scaled is None or self.message:
            self._paint_message(painter)
            return
        image = self._cache.fitted(self.size(), self.devicePixelRatioF())
        invalid = self._cache.pop_invalid()
        if not invalid.isEmpty():
            self._paint_cached(image, self._scaled, invalid)
        ratio = image.devicePixelRatio()
        exposed = event.rect()
        source = QRectF(exposed.x() * ratio, exposed.y() * ratio, exposed.width() * ratio, exposed.height() * ratio)
        painter.drawImage(QRectF(exposed), image, source)
        for layer in (*self._under, *self._over):
            painter.save()
            layer.paint(painter, self.viewport)
            painter.restore()
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(self._theme.palette.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_cached(self, image: QImage, picture: ScaledPicture, area: QRect) -> None:
        """Paint a part of the cached image."""
        painter = QPainter(image)
        painter.setClipRegion(_uncovered(area, self.viewport))
        painter.fillRect(area, QColor(self._theme.palette.sunken))
        painter.setClipRect(area)
        if picture.paint(painter, self.viewport, quick=self._zooming.isActive()):
            self._zooming.stop()
        painter.setClipRect(area)
        layers = (*self._under, *self._over)
        for layer in layers:
            painter.save()
            layer.paint_cached(painter, self.viewport, area)
            painter.restore()
        painter.end()
        for layer in layers:
            layer.write_cached(image, self.viewport, area)

    def _paint_message(self, painter: QPainter) -> None:
        palette = self._theme.palette
        painter.fillRect(self.rect(), QColor(palette.sunken))
        painter.setPen(QColor(palette.muted))
        painter.drawText(
            self.rect().adjusted(40, 40, -40, -40),
            Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
            self.message,
        )

    # Qt's events ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pan with the middle button."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self.begin_pan(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the layers know where the pointer is, and go on panning."""
        at = self._layer_pointer(event.position())
        for layer in self._front_first():
            layer.moved(at)
        if self._pan_from is not None:
            moved = event.position() - self._pan_from
            self._pan_from = event.position()
            self.set_view(self.viewport.moved(moved.x(), moved.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End panning."""
        del event
        if self._pan_from is not None:
            self._pan_from = None
            self.setCursor(Qt.CursorShape.ArrowCursor)

    def leaveEvent(self, event: QEvent) -> None:
        """Let the layers know that the pointer is gone."""
        for layer in self._front_first():
            layer.left()
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer with a wheel; pan with two fingers, or zoom with them and Ctrl."""
        zoom = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        push: QPoint = event.pixelDelta()
        if not push.isNull() and not zoom:
            self.set_view(self.viewport.moved(push.x(), push.y()))
        elif event.angleDelta().y():
            self._zoom_at(event.position(), _WHEEL_STEP ** (event.angleDelta().y() / 120))
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Zoom by pinching; show the tooltip of the topmost layer that has one."""
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_at(event.position(), 1 + event.value())
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self._layer_pointer(QPointF(event.pos()))
            words = next((words for layer in self._front_first() if (words := layer.tooltip(at, self.viewport))), "")
            if words:
                QToolTip.showText(event.globalPos(), words, self)
                return True
            QToolTip.hideText()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the picture in its place."""
        self.set_view(self.viewport.in_window(self.width(), self.height()))
        self.invalidate()
        super().resizeEvent(event)


def _uncovered(area: QRect, view: Viewport) -> QRegion:
    """The part of an area beside the picture; a pixel more, because small pictures are rounded to whole ones."""
    left, top = math.ceil(view.x), math.ceil(view.y)
    right = math.floor(view.x + view.picture.width * view.scale)
    bottom = math.floor(view.y + view.picture.height * view.scale)
    return QRegion(area) - QRegion(QRect(left, top, right - left - 1, bottom - top - 1))
