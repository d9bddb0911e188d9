"""A picture that can be zoomed and panned, with layers painted on it."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from annotator.snap.tighten import Image
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.theme.manager import Theme
from annotator.viewport import CRISP_ABOVE, Viewport
from demopack.domain.geometry import Size
from demopack.errors import DemopackError

_WHEEL_STEP = 1.2
_SETTLE_MS = 90
_ACTUAL_SIZE_TOLERANCE = 0.06


_GRID_MIN_SCALE = 8.0


class _Pixels:
    """Lends an image's memory to an array, and keeps the image as long as the array lives."""

    def __init__(self, image: QImage) -> None:
        self.image = image
        rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
        part = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4)
        self.__array_interface__ = part.__array_interface__


def pixels_of(image: QImage) -> Image:
    """The pixels of a 32 bit image, shape (height, width, 4), blue first; not a copy, so not to be written to."""
    pixels: Image = np.asarray(_Pixels(image))
    return pixels


class ScaledPicture:
    """Draws one picture at any scale, smooth when small, crisp when large; keeps the last reduced one."""

    def __init__(self, image: QImage) -> None:
        self.image = image
        self._pixmap = QPixmap.fromImage(image)
        self._small = QPixmap()

    def paint(self, painter: QPainter, view: Viewport, *, quick: bool) -> bool:
        """Draw the part that shows, in window pixels; ``quick`` while zooming: a little blurred, at once.

        Returns:
            False when it should be drawn again without ``quick``.
        """
        target = QRectF(view.x, view.y, view.picture.width * view.scale, view.picture.height * view.scale)
        if view.scale < 1:
            return self._paint_small(painter, target, quick=quick)
        x1, y1 = view.to_picture(0, 0)
        x2, y2 = view.to_picture(view.width, view.height)
        # Whole pixels, or the crisp squares would be cut at the edges of the window.
        part = QRect(int(x1) - 1, int(y1) - 1, int(x2 - x1) + 3, int(y2 - y1) + 3).intersected(self.image.rect())
        left, top = view.to_window(part.x(), part.y())
        shown = QRectF(left, top, part.width() * view.scale, part.height() * view.scale)
        smooth = view.scale < CRISP_ABOVE and view.scale != 1
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawPixmap(shown, self._pixmap, QRectF(part))
        if view.scale >= _GRID_MIN_SCALE:
            _paint_grid(painter, view, part)
        return True

    def _paint_small(self, painter: QPainter, target: QRectF, *, quick: bool) -> bool:
        ratio = painter.device().devicePixelRatio()
        size = QSize(max(round(target.width() * ratio), 1), max(round(target.height() * ratio), 1))
        fits = self._small.size() == size
        if quick and not fits:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, self._pixmap, QRectF(self.image.rect()))
            return False
        if not fits:
            made = self.image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = QPixmap.fromImage(made)
        self._small.setDevicePixelRatio(ratio)
        painter.drawPixmap(target.topLeft(), self._small)
        return True


def _paint_grid(painter: QPainter, view: Viewport, part: QRect) -> None:
    pen = QPen(QColor(128, 128, 128, 60), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    across = [view.to_window(x, 0)[0] for x in range(part.left(), part.right() + 2)]
    down = [view.to_window(0, y)[1] for y in range(part.top(), part.bottom() + 2)]
    painter.drawLines([QLineF(x, 0, x, view.height) for x in across] + [QLineF(0, y, view.width, y) for y in down])


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
        self._cached = QImage()
        self._invalid = QRect()
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

    def show_picture(self, picture: QImage | DemopackError | None) -> None:
        """Show another picture, or what is wrong with it; its size is a matter of :meth:`set_view`.

        While it is read (None) the last one stays, which is calmer than a flash of grey.
        """
        if isinstance(picture, DemopackError):
            self.show_message(f"{picture.user_message}\n{picture.hint}")
            return
        self._scaled, self.message = self._scaled if picture is None else ScaledPicture(picture), ""
        self.invalidate()

    def show_message(self, message: str) -> None:
        """Show words in the picture's place."""
        self._scaled, self.message = None, message
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
        """Paint a layer on each repaint, over those that came before it, or ``under`` all that are not."""
        (self._under if under else self._over).append(layer)
        self.update()

    @property
    def layers(self) -> list[CanvasLayer]:
        """The layers, the topmost first."""
        return [*reversed(self._over), *reversed(self._under)]

    def _layer_pointer(self, at: QPointF) -> LayerPointer:
        x, y = self.viewport.to_picture(at.x(), at.y())
        return LayerPointer(x=x, y=y, window=at)

    # Painting -------------------------------------------------------------------------------------------------

    def invalidate(self, area: QRect | None = None) -> None:
        """Have everything painted again, or an area in window pixels; :meth:`update` repaints from the cache."""
        area = self.rect() if area is None else area.intersected(self.rect())
        if not area.isEmpty():
            self._invalid = self._invalid.united(area)
            self.update(area)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy the cached image, then paint over it."""
        painter = QPainter(self)
        if self._scaled is None or self.message:
            self._paint_message(painter)
            return
        ratio = self.devicePixelRatioF()
        pixels = QSize(round(self.width() * ratio), round(self.height() * ratio))
        if self._cached.size() != pixels or self._cached.devicePixelRatio() != ratio:
            # The format that windows have: it is copied to the screen as it is, and its pixels can be written directly.
            self._cached = QImage(pixels, QImage.Format.Format_RGB32)
            self._cached.setDevicePixelRatio(ratio)
            self._invalid = self.rect()
        if not self._invalid.isEmpty():
            self._paint_cached(self._cached, self._scaled, self._invalid)
            self._invalid = QRect()
        exposed = event.rect()
        source = QRectF(exposed.x() * ratio, exposed.y() * ratio, exposed.width() * ratio, exposed.height() * ratio)
        painter.drawImage(QRectF(exposed), self._cached, source)
        for layer in reversed(self.layers):
            painter.save()
            layer.paint(painter, self.viewport)
            painter.restore()
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(self._theme.palette.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_cached(self, image: QImage, picture: ScaledPicture, area: QRect) -> None:
        painter = QPainter(image)
        view = self.viewport
        # What lies beside the picture; a pixel more, because small pictures are rounded to whole ones.
        left, top = math.ceil(view.x), math.ceil(view.y)
        right = math.floor(view.x + view.picture.width * view.scale)
        bottom = math.floor(view.y + view.picture.height * view.scale)
        painter.setClipRegion(QRegion(area) - QRegion(QRect(left, top, right - left - 1, bottom - top - 1)))
        painter.fillRect(area, QColor(self._theme.palette.sunken))
        painter.setClipRect(area)
        if picture.paint(painter, self.viewport, quick=self._zooming.isActive()):
            self._zooming.stop()
        painter.setClipRect(area)
        layers = self.layers[::-1]
        for layer in layers:
            painter.save()
            layer.paint_cached(painter, self.viewport, area)
            painter.restore()
        painter.end()
        for layer in layers:
            layer.write_cached(image, self.viewport, area)

    def _paint_message(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), QColor(self._theme.palette.sunken))
        painter.setPen(QColor(self._theme.palette.muted))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.rect().adjusted(40, 40, -40, -40), flags, self.message)

    # Qt's events ----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pan with the middle button."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self.begin_pan(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the layers know where the pointer is, and go on panning."""
        at = self._layer_pointer(event.position())
        for layer in self.layers:
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
        for layer in self.layers:
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
            words = next((words for layer in self.layers if (words := layer.tooltip(at, self.viewport))), "")
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
