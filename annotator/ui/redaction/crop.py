"""The part of a screenshot that shows a private value, as it is or as it will be."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui.painting import draw_lines, font_of
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, RADIUS, SPACE
from annotator.words import tr
from demopack.domain.geometry import Rect
from demopack.redaction.pixels import FILL, INK
from demopack.redaction.texts import Place

__all__ = ["CropView"]

_SIZE = QSize(220, 64)
_AROUND = 1.25  # how much more than the value itself is shown
_LARGEST, _SMALLEST = 2.0, 0.9  # of the picture's own size: not blown up further, and never too small to read
_EDGE = 10


class CropView(QWidget):
    """Where the value can be seen, outlined, or painted over once it is to be replaced; else the text around it."""

    def __init__(self, place: Place, value: str, pictures: Pictures, theme: Theme) -> None:
        super().__init__()
        self._place = place
        self._value = value
        self._pictures = pictures
        self._theme = theme
        self._crop: QImage | None = None
        self._box = QRectF()
        self._replacement: str | None = None
        self.setFixedSize(_SIZE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("What it looks like {where}").format(where=place.where))
        self.setToolTip(place.where[:1].upper() + place.where[1:])
        if place.frame is not None and place.box is not None:
            pictures.frame_ready.connect(self._take)
            self._take(place.frame)

    @property
    def shows_picture(self) -> bool:
        """Whether the pixels are there."""
        return self._crop is not None

    def show_replaced(self, placeholder: str | None) -> None:
        """As it will be, with this placeholder; None for as it is."""
        self._replacement = placeholder
        self.update()

    def _take(self, frame_id: str) -> None:
        if frame_id != self._place.frame or self._crop is not None or self._place.box is None:
            return
        image = self._pictures.frame(frame_id)
        if isinstance(image, QImage):
            around = _around(self._place.box, QSize(image.width(), image.height()))
            self._crop = image.copy(around)
            box = self._place.box
            self._box = QRectF(box.x1 - around.x(), box.y1 - around.y(), box.width, box.height)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: draw the part of the picture, or the text."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        palette = self._theme.palette
        ground = QPainterPath()
        ground.addRoundedRect(QRectF(self.rect()), RADIUS, RADIUS)
        painter.fillPath(ground, QColor(palette.sunken))
        painter.setClipPath(ground)
        if self._crop is not None:
            self._draw_crop(painter, self._crop)
        elif self._place.box is None:
            self._draw_text(painter)
        painter.setClipping(False)
        painter.setPen(QPen(QColor(palette.line), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _draw_crop(self, painter: QPainter, crop: QImage) -> None:
        scale = min(self.width() / crop.width(), self.height() / crop.height(), _LARGEST)
        width, height = crop.width() * scale, crop.height() * scale
        left, top = (self.width() - width) / 2, (self.height() - height) / 2
        painter.drawImage(QRectF(left, top, width, height), crop)
        box = QRectF(
            left + self._box.x() * scale, top + self._box.y() * scale,
            self._box.width() * scale, self._box.height() * scale,
        )  # fmt: skip
        if self._replacement is not None:
            painter.fillRect(box, QColor(*FILL))
            painter.setPen(QColor(*INK))
            painter.setFont(font_of(self.font(), size=min(max(round(box.height() * 0.5), 8), FONT.base)))
            room = box.intersected(QRectF(self.rect())).adjusted(SPACE.xs, 0, -SPACE.xs, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._replacement)
        else:
            painter.setPen(QPen(QColor(self._theme.palette.warning), 2))
            painter.drawRoundedRect(box, 2, 2)

    def _draw_text(self, painter: QPainter) -> None:
        value = self._value if self._replacement is None else self._replacement
        before, found, after = self._place.text.partition(self._value)
        words = f"{_tail(before)}{value}{after}" if found else value
        painter.setPen(QColor(self._theme.palette.muted))
        painter.setFont(font_of(self.font(), size=FONT.caption))
        room = self.rect().adjusted(SPACE.s, SPACE.xs, -SPACE.s, -SPACE.xs)
        height = painter.fontMetrics().lineSpacing()
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, _kind_of(self._place))
        painter.setPen(QColor(self._theme.palette.text))
        draw_lines(painter, room.adjusted(0, height + 2, 0, 0), words, lines=2)


def _kind_of(place: Place) -> str:
    """The last words of a place: a picture has none, so they stand over the text."""
    words = place.where.rpartition(", ")[2]
    return words[:1].upper() + words[1:]


def _tail(text: str) -> str:
    line = " ".join(text.split())
    gap = " " if text[-1:].isspace() else ""
    return f"…{line[-17:]}{gap}" if len(line) > 18 else f"{line}{gap}"


def _around(box: Rect, size: QSize) -> QRect:
    """The part of a picture to show, in the shape of the view: the box in its middle, or the left end of a long one."""
    shape = _SIZE.width() / _SIZE.height()
    wanted = max(box.width * _AROUND, box.height * _AROUND * shape, _SIZE.width() / _LARGEST)
    width = min(wanted, max(_SIZE.width() / _SMALLEST, box.height * _AROUND * shape))
    height = width / shape
    middle = (box.x1 + box.x2 - width) / 2
    # Text begins at the left; what cannot be shown without making it too small to read is the empty end.
    left = middle if width >= box.width * _AROUND else box.x1 - _EDGE
    left = min(max(0.0, left), max(0.0, size.width() - width))
    top = min(max(0.0, (box.y1 + box.y2 - height) / 2), max(0.0, size.height() - height))
    return QRectF(left, top, width, height).toRect().intersected(QRect(0, 0, size.width(), size.height()))
