"""What lies still on the canvas: the screenshot and all boxes, painted in batches into one picture.

A box that is hovered, selected or dragged is painted over it (:mod:`annotator.ui.canvas.overlay`), so that moving the
pointer repaints next to nothing however many boxes there are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QImage, QPainter, QPen, QPixmap

from annotator.ui.theme.tokens import FONT, HUES, LETTERS, LINES, Family, LineStyle, family_of
from annotator.viewport import CRISP_ABOVE, Viewport
from demopack.domain.elements import Element

__all__ = ["BoxBatches", "Screenshot", "box_pen"]

_DETAILS_UP_TO = 1500
"""Above this many boxes fills and second lines are left out: they say nothing any more and cost a third of the time."""
_LETTERS_UP_TO = 400
_GRID_FROM = 8.0

_DASHES: dict[LineStyle, Qt.PenStyle] = {
    "solid": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "double": Qt.PenStyle.SolidLine,
}

_Key = tuple[Family, LineStyle, int]


def box_pen(family: Family, style: LineStyle, *, width: float = 1) -> QPen:
    """The outline of a kind of box; cosmetic, so that it is as thin at every zoom."""
    pen = QPen(QColor(HUES[family]), width, _DASHES[style])
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


def _alpha(element: Element) -> int:
    """Fill by confidence, in four steps; what a person drew or approved is certain."""
    if element.confidence is None or element.review == "approved":
        return 30
    return 6 + 7 * min(int(element.confidence * 4), 3)


class BoxBatches:
    """The boxes of a frame, grouped by how they look; Qt draws a whole group in one call."""

    def __init__(self, elements: Sequence[Element], *, without: Collection[str] = ()) -> None:
        self._groups: dict[_Key, list[QRect]] = {}
        self._inner: dict[_Key, list[QRect]] = {}
        self._letters: list[tuple[str, Family, float, float, int]] = []
        kept = [e for e in elements if e.review != "rejected" and e.uid not in without]
        self.count = len(kept)
        self._detailed = self.count <= _DETAILS_UP_TO
        for element in kept:
            self._add(element)

    def _add(self, element: Element) -> None:
        box, family, style = element.box, family_of(element.type), LINES[element.source]
        key = (family, style, _alpha(element) if self._detailed else 0)
        rect = QRect(box.x1, box.y1, box.width, box.height)
        self._groups.setdefault(key, []).append(rect)
        if style == "double" and self._detailed:
            self._inner.setdefault(key, []).append(rect.adjusted(2, 2, -2, -2))
        self._letters.append((LETTERS[element.type], family, box.x1, box.y1, box.width))

    def paint(self, painter: QPainter, view: Viewport) -> None:
        """Draw every box; the painter is in window pixels."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.translate(view.x, view.y)
        painter.scale(view.scale, view.scale)
        for key, rects in self._groups.items():
            family, style, alpha = key
            colour = QColor(HUES[family])
            colour.setAlpha(alpha)
            painter.setPen(box_pen(family, style))
            painter.setBrush(QBrush(colour) if alpha else Qt.BrushStyle.NoBrush)
            painter.drawRects(rects)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for (family, style, _), rects in self._inner.items():
            painter.setPen(box_pen(family, style))
            painter.drawRects(rects)
        painter.restore()

    def paint_letters(self, painter: QPainter, view: Viewport) -> None:
        """Write each box's letter into its corner, where there is room and not too many of them."""
        if self.count > _LETTERS_UP_TO:
            return
        font = QFont(painter.font())
        font.setPixelSize(FONT.caption - 1)
        font.setBold(True)
        painter.setFont(font)
        for text, family, x, y, width in self._letters:
            if width * view.scale < 18:
                continue
            left, top = view.to_window(x, y)
            tag = QRectF(left, top, 8 + 6 * len(text), 13)
            painter.fillRect(tag, QColor(HUES[family]))
            painter.setPen(QColor("white"))
            painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)


class Screenshot:
    """One picture, ready to be drawn at any scale: smooth when small, crisp when large."""

    def __init__(self, image: QImage) -> None:
        self._image = image
        self._pixmap = QPixmap.fromImage(image)
        self._small: QPixmap | None = None
        self._small_for: tuple[int, int] = (0, 0)

    @property
    def image(self) -> QImage:
        """The pixels."""
        return self._image

    def paint(self, painter: QPainter, view: Viewport, *, quick: bool) -> bool:
        """Draw the part that shows; the painter is in window pixels.

        Args:
            painter: where to.
            view: how the picture lies.
            quick: while zooming: a little blurred, at once.

        Returns:
            False when it should be drawn again without ``quick``.
        """
        target = QRectF(view.x, view.y, view.picture.width * view.scale, view.picture.height * view.scale)
        if view.scale < 1:
            return self._paint_small(painter, target, quick=quick)
        window = QRectF(0, 0, view.width, view.height)
        x1, y1 = view.to_picture(window.left(), window.top())
        x2, y2 = view.to_picture(window.right(), window.bottom())
        # Whole pixels, or the crisp squares would be cut at the edges of the window.
        part = QRect(int(x1) - 1, int(y1) - 1, int(x2 - x1) + 3, int(y2 - y1) + 3).intersected(self._image.rect())
        left, top = view.to_window(part.x(), part.y())
        shown = QRectF(left, top, part.width() * view.scale, part.height() * view.scale)
        smooth = view.scale < CRISP_ABOVE and view.scale != 1
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        painter.drawPixmap(shown, self._pixmap, QRectF(part))
        if view.scale >= _GRID_FROM:
            _paint_grid(painter, view, part)
        return True

    def _paint_small(self, painter: QPainter, target: QRectF, *, quick: bool) -> bool:
        ratio = painter.device().devicePixelRatio()
        size = QSize(max(round(target.width() * ratio), 1), max(round(target.height() * ratio), 1))
        fits = self._small is not None and self._small_for == (size.width(), size.height())
        if quick and not fits:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, self._pixmap, QRectF(self._image.rect()))
            return False
        if self._small is None or not fits:
            made = self._image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._small = QPixmap.fromImage(made)
            self._small.setDevicePixelRatio(ratio)
            self._small_for = (size.width(), size.height())
        painter.drawPixmap(target.topLeft(), self._small)
        return True


def _paint_grid(painter: QPainter, view: Viewport, part: QRect) -> None:
    pen = QPen(QColor(128, 128, 128, 60), 1)
    pen.setCosmetic(True)
    painter.setPen(pen)
    lines: list[QLineF] = []
    for x in range(part.left(), part.right() + 2):
        wx, _ = view.to_window(x, 0)
        lines.append(QLineF(QPointF(wx, 0), QPointF(wx, view.height)))
    for y in range(part.top(), part.bottom() + 2):
        _, wy = view.to_window(0, y)
        lines.append(QLineF(QPointF(0, wy), QPointF(view.width, wy)))
    painter.drawLines(lines)
