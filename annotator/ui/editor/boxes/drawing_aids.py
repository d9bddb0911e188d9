"""Loupe, crosshair and overview over the picture: on and off by one key each."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from annotator.ui.canvas.box_painting import draw_frames
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.controls import set_tip
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import faded, font_of, rounded_box
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, POINTER, RADIUS, SELECTION, SPACE
from annotator.viewport import Viewport
from annotator.words import tr

_PIXELS = 15
_ENLARGED = 10
_SIDE = _PIXELS * _ENLARGED
_CAPTION = 22
_LOUPE_OFFSET_PX = 24


class DrawingAid(CanvasLayer):
    """A layer that is on or off and follows the pointer.

    Attributes:
        on: whether it is shown.
    """

    def __init__(self, canvas: Canvas) -> None:
        self.on = False
        self._canvas = canvas
        self._at: LayerPointer | None = None

    def toggle(self) -> None:
        """Show it, or no longer."""
        self.on = not self.on
        self._canvas.update()

    def moved(self, at: LayerPointer) -> None:
        """See :class:`CanvasLayer`."""
        self._follow(at)

    def left(self) -> None:
        """See :class:`CanvasLayer`."""
        self._follow(None)

    def _follow(self, at: LayerPointer | None) -> None:
        for one in (self._at, at):
            if self.on and one is not None:
                self._canvas.update(self.area(one.window))
        self._at = at

    @abstractmethod
    def area(self, at: QPointF) -> QRegion:
        """What it covers of the canvas when the pointer is there."""


class Crosshair(DrawingAid):
    """Two lines through the pointer, over the whole canvas."""

    def area(self, at: QPointF) -> QRegion:
        """See :class:`DrawingAid`."""
        x, y = int(at.x()), int(at.y())
        return QRegion(x - 2, 0, 5, self._canvas.height()) | QRegion(0, y - 2, self._canvas.width(), 5)

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if not self.on or self._at is None:
            return
        x, y = int(self._at.window.x()), int(self._at.window.y())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        lines = [QLineF(x, 0, x, viewport.height), QLineF(0, y, viewport.width, y)]
        for colour, width in ((faded(HALO, 150), 3), (QColor(POINTER), 1)):
            painter.setPen(QPen(colour, width))
            painter.drawLines(lines)


class Loupe(DrawingAid):
    """The pixels around the pointer, ten times as large, with the place and the colour of the one in the middle."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__(canvas)
        self._theme = theme

    def area(self, at: QPointF) -> QRegion:
        """See :class:`DrawingAid`."""
        return QRegion(self._place(at).adjusted(-2, -2, 2, 2))

    def _place(self, at: QPointF) -> QRect:
        """Below and right of the pointer, or on the other side where the window ends."""
        x, y = int(at.x()) + _LOUPE_OFFSET_PX, int(at.y()) + _LOUPE_OFFSET_PX
        if x + _SIDE > self._canvas.width():
            x = int(at.x()) - _LOUPE_OFFSET_PX - _SIDE
        if y + _SIDE + _CAPTION > self._canvas.height():
            y = int(at.y()) - _LOUPE_OFFSET_PX - _SIDE - _CAPTION
        return QRect(x, y, _SIDE, _SIDE + _CAPTION)

    def words(self) -> str:
        """Place and colour of the pixel under the pointer; empty outside the picture."""
        picture = self._canvas.picture
        if self._at is None or picture is None:
            return ""
        x, y = int(self._at.x // 1), int(self._at.y // 1)
        if not picture.rect().contains(x, y):
            return ""
        return f"{x}, {y}   {picture.pixelColor(x, y).name()}"

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        del viewport
        picture, words = self._canvas.picture, self.words()
        if not self.on or self._at is None or picture is None or not words:
            return
        palette = self._theme.palette
        place = QRectF(self._place(self._at.window))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded_box(painter, place, RADIUS, ground=palette.toast, edge=palette.edge)
        glass = QRectF(place.left() + 1, place.top() + 1, _SIDE - 2, _SIDE - 2)
        painter.fillRect(glass, QColor(palette.sunken))
        half = _PIXELS // 2
        x, y = int(self._at.x // 1), int(self._at.y // 1)
        around = QRect(x - half, y - half, _PIXELS, _PIXELS)
        seen = around.intersected(picture.rect())
        scale = glass.width() / _PIXELS
        target = QRectF(
            glass.left() + (seen.left() - around.left()) * scale,
            glass.top() + (seen.top() - around.top()) * scale,
            seen.width() * scale,
            seen.height() * scale,
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, on=False)
        painter.drawImage(target, picture, QRectF(seen))
        middle = QRectF(glass.left() + half * scale, glass.top() + half * scale, scale, scale)
        draw_frames(painter, middle.toAlignedRect(), HALO, POINTER)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        painter.setPen(QColor(palette.on_toast))
        caption = QRectF(place.left() + SPACE.s, place.bottom() - _CAPTION, place.width() - 2 * SPACE.s, _CAPTION)
        painter.drawText(caption, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)


_MAX_MINIMAP_SIZE = QSize(220, 160)


class Minimap(QWidget):
    """Lies over the canvas at the bottom right; a press on it brings that place into the middle."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._theme = theme
        self._small: tuple[int, QPixmap] | None = None
        self.setAccessibleName(tr("Overview of the picture"))
        set_tip(self, tr("Overview: press to look there, or hide it"), action="minimap")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def toggle(self) -> None:
        """Show it, or no longer."""
        self.setVisible(self.isHidden())
        self.follow()

    def follow(self) -> None:
        """Lie in the corner, and show where the canvas looks."""
        picture = self._canvas.picture
        if self.isHidden() or picture is None:
            return
        size = picture.size().scaled(_MAX_MINIMAP_SIZE, Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(24, 24))
        place = QRect(0, 0, size.width() + 2, size.height() + 2)
        place.moveBottomRight(self._canvas.rect().bottomRight())
        self.setGeometry(place.translated(-SPACE.m, -SPACE.m))
        self.update()

    def shown_part(self) -> QRectF:
        """What the canvas shows, in pixels of this widget."""
        view = self._canvas.viewport
        x1, y1 = view.to_picture(0, 0)
        x2, y2 = view.to_picture(view.width, view.height)
        across, down = self._scale()
        whole = QRectF(self.rect().adjusted(1, 1, -1, -1))
        return QRectF(QPointF(1 + x1 * across, 1 + y1 * down), QPointF(1 + x2 * across, 1 + y2 * down)) & whole

    def _scale(self) -> tuple[float, float]:
        size = self._canvas.viewport.picture
        return (self.width() - 2) / max(size.width, 1), (self.height() - 2) / max(size.height, 1)

    def _look_at(self, at: QPointF) -> None:
        across, down = self._scale()
        view = self._canvas.viewport
        x, y = view.to_window((at.x() - 1) / across, (at.y() - 1) / down)
        self._canvas.set_view(view.moved(view.width / 2 - x, view.height / 2 - y))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: the picture, darker where the canvas does not look."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.palette.edge))
        picture = self._canvas.picture
        inside = self.rect().adjusted(1, 1, -1, -1)
        if picture is None:
            return
        if self._small is None or self._small[0] != picture.cacheKey() or self._small[1].size() != inside.size():
            made = picture.scaled(
                inside.size(), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = (picture.cacheKey(), QPixmap.fromImage(made))
        painter.drawPixmap(inside.topLeft(), self._small[1])
        draw_frames(painter, self.shown_part().toAlignedRect(), HALO, SELECTION)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: look there."""
        self._look_at(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: go on looking."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look_at(event.position())


class DrawingAidsFeature(Feature):
    """What helps to see pixels.

    Attributes:
        loupe: pixels enlarged at the pointer.
        crosshair: lines through the pointer.
        minimap: the whole picture in a corner.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        canvas = context.canvas
        self.loupe, self.crosshair = Loupe(canvas, context.theme), Crosshair(canvas)
        self.minimap = Minimap(canvas, context.theme)
        canvas.add_layer(self.crosshair)
        canvas.add_layer(self.loupe)
        canvas.view_changed.connect(self.minimap.follow)
        canvas.loaded.connect(self.minimap.follow)
        context.view.frame_changed.connect(self.minimap.follow)

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("loupe", tr("Loupe"), ("Z",), "View", call=lambda self: self.loupe.toggle()),
        Key("crosshair", tr("Crosshair"), ("C",), "View", call=lambda self: self.crosshair.toggle()),
        Key("minimap", tr("Overview in the corner"), ("Shift+M",), "View", call=lambda self: self.minimap.toggle()),
    )
