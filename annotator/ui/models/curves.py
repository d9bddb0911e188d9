"""Curves over time, drawn by hand: marks on both axes, a legend, and the values under the pointer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.model_words import figure_name
from annotator.ui.painting import font_of
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HUES, RADIUS, SPACE, Family
from annotator.words import tr

_MARKS = 5
"""About as many on an axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A range with its marks.

    Attributes:
        low: smallest value.
        high: largest value; larger than ``low``.
        marks: round values in between.
        digits: after the point, so that any two marks look different.
    """

    low: float
    high: float
    marks: tuple[float, ...]
    digits: int

    def share(self, value: float) -> float:
        """Where a value lies: 0 at ``low``, 1 at ``high``."""
        return (value - self.low) / (self.high - self.low)

    def words(self, mark: float) -> str:
        """A mark as it is written."""
        return f"{mark:.{self.digits}f}"


def axis_for(values: Iterable[float]) -> Axis:
    """A range of round numbers around zero and some finite values; 0 to 1 where there are none."""
    found = [0.0, *values]
    low, high = min(found), max(found)
    if high - low < 1e-9:
        high = low + 1.0
    rough = (high - low) / _MARKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    marks = tuple(n * step for n in range(first, last + 1))
    return Axis(low=first * step, high=last * step, marks=marks, digits=digits)


def nearest(values: Iterable[float], wanted: float) -> float | None:
    """The value that lies nearest; None of none."""
    return min(values, key=lambda value: abs(value - wanted), default=None)


_SERIES: Final[tuple[Family, ...]] = ("press", "group", "enter", "list", "scroll", "other")
"""Hues that stay apart for everybody; the lines differ in their dashes as well."""
_DASHES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotDotLine,
)
_KEY = 18
"""Length of the line before a name in the legend."""

_Points = Sequence[tuple[float, float]]


class Curves(QWidget):
    """A chart of at most six curves over minutes."""

    def __init__(self, title: str, theme: Theme) -> None:
        super().__init__()
        self._title = title
        self._theme = theme
        self.shown: dict[str, _Points] = {}
        self._share = False
        self.at: float | None = None
        self.setAccessibleName(title)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 180)
        theme.changed.connect(self.update)

    def show_series(self, series: Mapping[str, _Points]) -> None:
        """Show other curves: points of minutes and value, by name."""
        chosen = dict(list(series.items())[: len(_SERIES)])
        if chosen == self.shown:
            return
        self.shown = chosen
        values = [value for points in chosen.values() for _, value in points]
        self._share = bool(values) and min(values) >= 0 and max(values) <= 1
        last = ", ".join(f"{figure_name(name)} {points[-1][1]:.3g}" for name, points in chosen.items() if points)
        self.setAccessibleDescription(tr("Last: {last}").format(last=last) if last else tr("Nothing to show yet"))
        self.update()

    def sizeHint(self) -> QSize:
        """Qt's hook: a comfortable size."""
        return QSize(380, 230)

    def told(self) -> list[tuple[str, float]]:
        """Names and values at the chosen moment."""
        if self.at is None:
            return []
        found: list[tuple[str, float]] = []
        for name, points in self.shown.items():
            moment = nearest((minutes for minutes, _ in points), self.at)
            found += [(name, value) for minutes, value in points if minutes == moment][:1]
        return found

    # Painting -------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: ground, axes, curves, legend, values."""
        del event
        palette = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(palette.accent if self.hasFocus() else palette.line), 2 if self.hasFocus() else 1))
        painter.setBrush(QColor(palette.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.setFont(font_of(painter.font(), size=FONT.base, bold=True))
        painter.setPen(QColor(palette.text))
        painter.drawText(QPointF(SPACE.m, SPACE.s + painter.fontMetrics().ascent()), self._title)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        if not self.shown:
            painter.setPen(QColor(palette.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Nothing to show yet"))
            return
        metrics = painter.fontMetrics()
        top = self._paint_legend(painter, metrics)
        across, up = self._axes()
        plot = self._plot(metrics, up, top)
        self._paint_axes(painter, plot, across, up)
        painter.save()
        painter.setClipRect(plot.adjusted(-3, -3, 3, 3))
        for number, points in enumerate(self.shown.values()):
            self._paint_curve(painter, [_placed(plot, across, up, point) for point in points], number)
        painter.restore()
        if self.at is not None:
            self._paint_values(painter, plot, across, up)

    def _axes(self) -> tuple[Axis, Axis]:
        minutes = [at for points in self.shown.values() for at, _ in points]
        values = [value for points in self.shown.values() for _, value in points]
        up = axis_for([*values, 1.0] if self._share and max(values) > 0.5 else values)
        return axis_for(minutes), up

    def _plot(self, metrics: QFontMetrics, up: Axis, top: int) -> QRect:
        left = SPACE.m + max(metrics.horizontalAdvance(up.words(mark)) for mark in up.marks) + SPACE.s
        below = 2 * metrics.height() + SPACE.s
        return QRect(left, top, self.width() - left - SPACE.l, self.height() - top - below)

    def _paint_legend(self, painter: QPainter, metrics: QFontMetrics) -> int:
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

    def _paint_axes(self, painter: QPainter, plot: QRect, across: Axis, up: Axis) -> None:
        palette, metrics = self._theme.palette, painter.fontMetrics()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for mark in up.marks:
            y = round(plot.bottom() - up.share(mark) * plot.height())
            painter.setPen(QPen(QColor(palette.track), 1))
            painter.drawLine(plot.left(), y, plot.right(), y)
            painter.setPen(QColor(palette.muted))
            words = up.words(mark)
            painter.drawText(
                plot.left() - SPACE.s - metrics.horizontalAdvance(words), y + metrics.ascent() // 2 - 1, words
            )
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.drawLine(plot.left(), plot.bottom(), plot.right(), plot.bottom())
        for mark in across.marks:
            x = round(plot.left() + across.share(mark) * plot.width())
            painter.setPen(QPen(QColor(palette.edge), 1))
            painter.drawLine(x, plot.bottom(), x, plot.bottom() + 4)
            painter.setPen(QColor(palette.muted))
            words = across.words(mark)
            painter.drawText(x - metrics.horizontalAdvance(words) // 2, plot.bottom() + 5 + metrics.ascent(), words)
        below = QRect(plot.left(), plot.bottom() + 5 + metrics.height(), plot.width(), metrics.height())
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, tr("minutes of training"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _pen(self, number: int) -> QPen:
        pen = QPen(QColor(HUES[_SERIES[number]]), 2, _DASHES[number])
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def _paint_curve(self, painter: QPainter, points: Sequence[QPointF], number: int) -> None:
        painter.setPen(self._pen(number))
        painter.drawPolyline(list(points))
        if len(points) < 12:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(HUES[_SERIES[number]]))
            for point in points:
                painter.drawEllipse(point, 2.5, 2.5)

    def _paint_values(self, painter: QPainter, plot: QRect, across: Axis, up: Axis) -> None:
        palette, metrics = self._theme.palette, painter.fontMetrics()
        at = self.at or 0.0
        x = plot.left() + across.share(at) * plot.width()
        painter.setPen(QPen(QColor(palette.muted), 1))
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
        told = self.told()
        lines = [tr("{at:.1f} min").format(at=at), *(f"{figure_name(name)}  {value:.4g}" for name, value in told)]
        size = QSize(max(map(metrics.horizontalAdvance, lines)) + 2 * SPACE.s, len(lines) * metrics.height() + SPACE.s)
        left = x + SPACE.s if x + SPACE.s + size.width() < self.width() - SPACE.xs else x - SPACE.s - size.width()
        box = QRectF(QPointF(max(left, SPACE.xs), plot.top()), size)
        painter.setPen(QPen(QColor(palette.edge), 1))
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(palette.on_toast))
        for number, words in enumerate(lines):
            y = box.top() + SPACE.xs + number * metrics.height() + metrics.ascent()
            painter.drawText(QPointF(box.left() + SPACE.s, y), words)
        painter.setPen(QPen(QColor(palette.surface), 1.5))
        for number, points in enumerate(self.shown.values()):
            moment = nearest((minutes for minutes, _ in points), at)
            painter.setBrush(QColor(HUES[_SERIES[number]]))
            for point in [point for point in points if point[0] == moment][:1]:
                painter.drawEllipse(_placed(plot, across, up, point), 4, 4)

    # Pointer and keys -----------------------------------------------------------------------------------------

    def _moments(self) -> list[float]:
        return sorted({minutes for points in self.shown.values() for minutes, _ in points})

    def _point_at(self, at: float | None) -> None:
        if at != self.at:
            self.at = at
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: tell the values under the pointer."""
        if self.shown:
            across, up = self._axes()
            metrics = QFontMetrics(font_of(self.font(), size=FONT.caption))
            plot = self._plot(metrics, up, 0)
            share = (event.position().x() - plot.left()) / max(1, plot.width())
            self._point_at(nearest(self._moments(), across.low + share * (across.high - across.low)))

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


def _placed(plot: QRect, across: Axis, up: Axis, point: tuple[float, float]) -> QPointF:
    return QPointF(
        plot.left() + across.share(point[0]) * plot.width(), plot.bottom() - up.share(point[1]) * plot.height()
    )
