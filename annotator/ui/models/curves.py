"""Curves over time, drawn by hand: marks on both axes, a legend, and the values under the pointer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.model_words import figure_name
from annotator.ui.painting import font_of, rounded_box
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HUES, RADIUS, SPACE, Family
from annotator.words import tr

_MARKS = 5
"""About as many on an axis."""


def round_marks(values: Iterable[float]) -> dict[float, str]:
    """Round numbers at equal distances around zero and some finite values, as they are written, from low to high.

    They have so many digits that any two look different; 0 to 1 where there are no values.
    """
    found = [0.0, *values]
    low, high = min(found), max(found)
    if high - low < 1e-9:
        high = low + 1.0
    rough = (high - low) / _MARKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * 0.999)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    places = range(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9) + 1)
    return {n * step: f"{n * step:.{digits}f}" for n in places}


_STYLES: Final[tuple[tuple[Family, Qt.PenStyle], ...]] = (
    ("press", Qt.PenStyle.SolidLine),
    ("group", Qt.PenStyle.DashLine),
    ("enter", Qt.PenStyle.SolidLine),
    ("list", Qt.PenStyle.DashDotLine),
    ("scroll", Qt.PenStyle.DotLine),
    ("other", Qt.PenStyle.DashDotDotLine),
)
"""Hues that stay apart for everybody; the lines differ in their dashes as well."""
_KEY = 18
"""Length of the line before a name in the legend."""

_Points = Sequence[tuple[float, float]]


class Curves(QWidget):
    """A chart of at most six curves over minutes.

    Attributes:
        shown: points of minutes and value, by name.
        at: the moment whose values are told, in minutes; None for none.
    """

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self._title = title
        self._theme = theme
        self.shown: dict[str, _Points] = {}
        self.at: float | None = None
        self.setAccessibleName(title)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 180)
        theme.changed.connect(self.update)

    def show_series(self, series: Mapping[str, _Points]) -> None:
        """Show other curves: points of minutes and value, by name."""
        chosen = dict(list(series.items())[: len(_STYLES)])
        if chosen == self.shown:
            return
        self.shown = chosen
        last = ", ".join(f"{figure_name(name)} {points[-1][1]:.3g}" for name, points in chosen.items() if points)
        self.setAccessibleDescription(tr("Last: {last}").format(last=last) if last else tr("Nothing to show yet"))
        self.update()

    def sizeHint(self) -> QSize:
        """Qt's hook: a comfortable size."""
        return QSize(380, 230)

    def told(self) -> list[tuple[str, float]]:
        """Names and values at the chosen moment."""
        return [(name, points[place][1]) for name, points, place in self._told_places()]

    def _told_places(self) -> list[tuple[str, _Points, int]]:
        """Each curve with the place of its point that lies nearest to the chosen moment."""
        if self.at is None:
            return []
        return [(name, points, _nearest([at for at, _ in points], self.at)) for name, points in self.shown.items()]

    # Painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: ground, axes, curves, legend, values."""
        del event
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge, width = (palette.accent, 2) if self.hasFocus() else (palette.line, 1)
        card = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        rounded_box(painter, card, RADIUS, ground=palette.surface, edge=edge, width=width)
        painter.setFont(font_of(painter.font(), size=FONT.base, bold=True))
        painter.setPen(QColor(palette.text))
        painter.drawText(QPointF(SPACE.m, SPACE.s + painter.fontMetrics().ascent()), self._title)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        if not self.shown:
            painter.setPen(QColor(palette.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Nothing to show yet"))
            return
        plot, across, up = self._plot(self._paint_legend(painter))
        place = _to_pixels(plot, across, up)
        self._paint_axes(painter, plot, place, across, up)
        for number, points in enumerate(self.shown.values()):
            placed = [place.map(QPointF(*point)) for point in points]
            painter.setPen(self._pen(number))
            painter.drawPolyline(placed)
            if len(placed) < 12:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._pen(number).color())
                for point in placed:
                    painter.drawEllipse(point, 2.5, 2.5)
        if self.at is not None:
            self._paint_values(painter, plot, place, self.at)

    def _plot(self, top: int = 0) -> tuple[QRect, dict[float, str], dict[float, str]]:
        """Where the curves lie below ``top``, in pixels, and the marks across and up."""
        minutes = [at for points in self.shown.values() for at, _ in points]
        values = [value for points in self.shown.values() for _, value in points]
        is_share = bool(values) and min(values) >= 0 and 0.5 < max(values) <= 1
        across, up = round_marks(minutes), round_marks([*values, 1.0] if is_share else values)
        metrics = QFontMetrics(font_of(self.font(), size=FONT.caption))
        left = SPACE.m + max(map(metrics.horizontalAdvance, up.values())) + SPACE.s
        below = 2 * metrics.height() + SPACE.s
        return QRect(left, top, self.width() - left - SPACE.l, self.height() - top - below), across, up

    def _pen(self, number: int) -> QPen:
        family, dashes = _STYLES[number]
        pen = QPen(QColor(HUES[family]), 2, dashes)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def _paint_legend(self, painter: QPainter) -> int:
        metrics = painter.fontMetrics()
        x, y = SPACE.m, SPACE.s + metrics.height() + SPACE.m
        for number, name in enumerate(self.shown):
            words = figure_name(name)
            width = _KEY + SPACE.xs + metrics.horizontalAdvance(words)
            if x > SPACE.m and x + width > self.width() - SPACE.m:
                x, y = SPACE.m, y + metrics.height() + 2
            painter.setPen(self._pen(number))
            painter.drawLine(QPointF(x, y + metrics.height() / 2), QPointF(x + _KEY, y + metrics.height() / 2))
            painter.setPen(QColor(self._theme.palette.text))
            painter.drawText(QPointF(x + _KEY + SPACE.xs, y + metrics.ascent()), words)
            x += width + SPACE.l
        return y + metrics.height() + SPACE.m

    def _paint_axes(
        self, painter: QPainter, plot: QRect, place: QTransform, across: Mapping[float, str], up: Mapping[float, str]
    ) -> None:
        palette, metrics = self._theme.palette, painter.fontMetrics()
        high = metrics.height()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for mark, words in up.items():
            y = round(place.map(QPointF(0, mark)).y())
            painter.setPen(QPen(QColor(palette.track), 1))
            painter.drawLine(plot.left(), y, plot.right(), y)
            painter.setPen(QColor(palette.muted))
            painter.drawText(QRect(0, y - high // 2, plot.left() - SPACE.s, high), Qt.AlignmentFlag.AlignRight, words)
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.drawLine(plot.left(), plot.bottom(), plot.right(), plot.bottom())
        for mark, words in across.items():
            x = round(place.map(QPointF(mark, 0)).x())
            painter.setPen(QPen(QColor(palette.edge), 1))
            painter.drawLine(x, plot.bottom(), x, plot.bottom() + 4)
            painter.setPen(QColor(palette.muted))
            painter.drawText(QRect(x - 50, plot.bottom() + 5, 100, high), Qt.AlignmentFlag.AlignHCenter, words)
        below = QRect(plot.left(), plot.bottom() + 5 + high, plot.width(), high)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, tr("minutes of training"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_values(self, painter: QPainter, plot: QRect, place: QTransform, at: float) -> None:
        palette = self._theme.palette
        x = place.map(QPointF(at, 0)).x()
        painter.setPen(QPen(QColor(palette.muted), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        told = (f"{figure_name(name)}  {value:.4g}" for name, value in self.told())
        words = "\n".join((tr("{at:.1f} min").format(at=at), *told))
        room = QRectF(painter.fontMetrics().boundingRect(self.rect(), Qt.AlignmentFlag.AlignLeft, words))
        box = QRectF(0, plot.top(), room.width() + 2 * SPACE.s, room.height() + SPACE.s)
        right = x + SPACE.s + box.width() < self.width() - SPACE.xs
        box.moveLeft(max(x + SPACE.s if right else x - SPACE.s - box.width(), SPACE.xs))
        rounded_box(painter, box, 4, ground=palette.toast, edge=palette.edge)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(box.adjusted(SPACE.s, SPACE.xs, 0, 0), Qt.AlignmentFlag.AlignLeft, words)
        painter.setPen(QPen(QColor(palette.surface), 1.5))
        for number, (_, points, point) in enumerate(self._told_places()):
            painter.setBrush(self._pen(number).color())
            painter.drawEllipse(place.map(QPointF(*points[point])), 4, 4)

    # Pointer and keys -----------------------------------------------------------------------------------------

    def _point_at(self, at: float | None) -> None:
        if at != self.at:
            self.at = at
            self.update()

    def _moments(self) -> list[float]:
        return sorted({minutes for points in self.shown.values() for minutes, _ in points})

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: tell the values under the pointer."""
        if self.shown:
            back, _ = _to_pixels(*self._plot()).inverted()
            wanted = back.map(event.position()).x()
            moments = self._moments()
            self._point_at(moments[_nearest(moments, wanted)])

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: the pointer has gone."""
        super().leaveEvent(event)
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: the arrows go from report to report."""
        moments = self._moments()
        wanted = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if wanted is None or not moments:
            super().keyPressEvent(event)
            return
        place = moments.index(self.at) + wanted if self.at in moments else len(moments) - 1
        self._point_at(moments[min(max(place, 0), len(moments) - 1)])


def _nearest(values: Sequence[float], wanted: float) -> int:
    """Place of the value that lies nearest."""
    return min(range(len(values)), key=lambda place: abs(values[place] - wanted))


def _to_pixels(plot: QRect, across: Iterable[float], up: Iterable[float]) -> QTransform:
    """From minutes and value to pixels of the widget, for the marks of both axes."""
    (left, *_, right), (low, *_, high) = across, up
    made = QTransform.fromTranslate(plot.left(), plot.bottom())
    made.scale(plot.width() / (right - left), -plot.height() / (high - low))
    return made.translate(-left, -low)
