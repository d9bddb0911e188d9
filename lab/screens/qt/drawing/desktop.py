"""What lies behind and beside windows: a wallpaper with icons, and a bar of tasks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QLinearGradient, QPainter, QRadialGradient
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QWidget

from lab.screens.qt.drawing.stage import Layer
from lab.screens.qt.drawing.widget_builder import WidgetBuilder
from lab.screens.qt.probe.mark import Mark, exact_glyphs, inked_part, stops_of


def wallpaper(kit: WidgetBuilder, width: int, height: int, ratio: float, *, icons: bool) -> Layer:
    """A ground in one colour, a gradient or shapes, with icons on it where they are wanted."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    first, second = _colour(kit), _colour(kit)
    kind = kit.pick(("plain", "linear", "radial", "shapes"))
    if kind == "plain":
        painter.fillRect(image.rect(), first)
    elif kind == "radial":
        glow = QRadialGradient(QPointF(width * kit.rng.random(), height * kit.rng.random()), max(width, height))
        glow.setColorAt(0, first)
        glow.setColorAt(1, second)
        painter.fillRect(image.rect(), glow)
    else:
        flow = QLinearGradient(0, 0, width * kit.rng.random(), height)
        flow.setColorAt(0, first)
        flow.setColorAt(1, second)
        painter.fillRect(image.rect(), flow)
    if kind == "shapes":
        _shapes(kit, painter, width, height)
    painter.scale(ratio, ratio)
    marks = _icons(kit, painter, QRectF(0, 0, width / ratio, height / ratio)) if icons else []
    painter.end()
    return Layer(image, QPoint(0, 0), marks, None)


def _colour(kit: WidgetBuilder) -> QColor:
    return QColor.fromHsvF(kit.rng.random(), kit.rng.uniform(0.1, 0.8), kit.rng.uniform(0.15, 0.9))


def _shapes(kit: WidgetBuilder, painter: QPainter, width: int, height: int) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for _ in range(kit.rng.randint(3, 8)):
        colour = _colour(kit)
        colour.setAlpha(90)
        painter.setBrush(colour)
        size = kit.rng.uniform(0.2, 0.8) * width
        painter.drawEllipse(QPointF(kit.rng.random() * width, kit.rng.random() * height), size, size * 0.6)


def _icons(kit: WidgetBuilder, painter: QPainter, area: QRectF) -> list[Mark]:
    marks: list[Mark] = []
    size = kit.pick((32, 40, 48, 64))
    font = QFont(QApplication.font())
    metrics = QFontMetricsF(font)
    cell = QSize(size + 52, round(size + metrics.height() + 28))
    rows = max(1, int((area.height() - 60) // cell.height()))
    for number in range(kit.rng.randint(2, 10)):
        x = 10 + (number // rows) * cell.width()
        y = 12 + (number % rows) * cell.height()
        subtype = kit.pick(("folder", "home", "delete", "file", "image", "music", "mail", "chart", "settings", "help"))
        spot = QRectF(x + (cell.width() - size) / 2, y, size, size)
        marks.append(_icon(kit, painter, subtype, spot, area))
        name = metrics.elidedText(
            kit.pick((kit.say.noun(), kit.say.file_name())), Qt.TextElideMode.ElideRight, cell.width()
        )
        width = metrics.horizontalAdvance(name)
        pen = QPointF(round(x + (cell.width() - width) / 2), round(y + size + 6 + metrics.ascent()))
        painter.setFont(font)
        painter.setPen(QColor(0, 0, 0))
        painter.drawText(pen + QPointF(1, 1), name)
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(pen, name)
        exact = exact_glyphs(name, font, pen)
        rough = exact.adjusted(-3, -3, 3, 3)
        marks.append(
            Mark(
                type="text",
                rough=rough,
                clip=area,
                way="rect",
                text=name,
                stops=stops_of(name, font, pen.x()),
                states={"highlighted": False},
            )
        )
    return marks


def _icon(kit: WidgetBuilder, painter: QPainter, subtype: str, spot: QRectF, area: QRectF) -> Mark:
    size = round(spot.width())
    pixmap = kit.icons.pixmap(subtype, size, colour="#ffffff")
    picture = pixmap.toImage()
    painter.drawImage(spot, picture)
    drawn = inked_part(picture)
    scale = spot.width() / max(1, picture.width())
    rough = QRectF(
        spot.x() + drawn.x() * scale, spot.y() + drawn.y() * scale, drawn.width() * scale, drawn.height() * scale
    )
    return Mark(type="icon", rough=rough.adjusted(-2, -2, 2, 2), clip=area, subtype=subtype, states={"disabled": False})


def task_bar(kit: WidgetBuilder, titles: Sequence[str]) -> QWidget:
    """A strip with a button for each window, some signs and a clock."""
    bar = QFrame()
    bar.setWindowFlags(Qt.WindowType.FramelessWindowHint)
    bar.setProperty("truth", "toolbar")
    bar.setAutoFillBackground(True)
    row = QHBoxLayout(bar)
    row.setContentsMargins(4, 3, 8, 3)
    row.setSpacing(kit.rng.randint(2, 8))
    row.addWidget(_start(kit))
    for number, title in enumerate(titles):
        button = QPushButton(title[: kit.rng.randint(10, 24)])
        button.setCheckable(True)
        button.setChecked(number == len(titles) - 1)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row.addWidget(button)
    row.addStretch(1)
    for _ in range(kit.rng.randint(0, 5)):
        row.addWidget(kit.picture(kit.icons.some(), kit.pick((14, 16, 18))))
    row.addWidget(kit.label(kit.say.clock()))
    return bar


def _start(kit: WidgetBuilder) -> QWidget:
    if kit.maybe(0.4):
        button = QPushButton(kit.say.noun())
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button
    tool: QToolButton = kit.tool(kit.pick(("menu", "logo", "home", "grid")), size=20)
    tool.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return tool
