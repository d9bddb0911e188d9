"""The bar under the canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from annotator.ui.controls import Segments, flat_button, push_button
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

__all__ = ["Foot"]


class _Hint(QLabel):
    """Takes the room that is left, and is cut where that is too little: a mode must not move the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "caption")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook."""
        room, words = self.contentsRect(), self.text()
        if self.fontMetrics().horizontalAdvance(words) <= room.width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        cut = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, self.alignment(), cut)


class Foot(QWidget):
    """Under the canvas: which picture, drawing, zoom.

    Signals:
        side_chosen: 0 for before, 1 for after.
        draw_toggled: draw with every drag.
        film_toggled: show the film, or no longer.
        zoom_wanted: by a factor.
        actual_wanted: actual size.
        fit_wanted: the whole picture.
    """

    side_chosen = Signal(int)
    draw_toggled = Signal(bool)
    film_toggled = Signal()
    zoom_wanted = Signal(float)
    actual_wanted = Signal()
    fit_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._side = Segments(
            tr("Picture"),
            (tr("Before"), tr("After")),
            tips=(tr("The screen before the step (B)"), tr("The screen after the step (B)")),
        )
        self._side.chosen.connect(self.side_chosen)
        self._draw = flat_button("draw", tr("Draw boxes, also on top of others"), theme, keys="R")
        self._draw.setCheckable(True)
        self._draw.clicked.connect(self.draw_toggled)
        self._film = flat_button("film", tr("Every picture of this demo, as a film"), theme, keys="K")
        self._film.setCheckable(True)
        self._film.clicked.connect(self.film_toggled)
        self._hint = _Hint()
        less = flat_button("zoom_out", tr("Zoom out"), theme, keys="Ctrl+-")
        less.clicked.connect(lambda: self.zoom_wanted.emit(1 / 1.25))
        self._zoom = push_button("100 %", tr("Actual size"), theme, keys="Ctrl+0", role="flat")
        self._zoom.setMinimumWidth(56)
        self._zoom.clicked.connect(self.actual_wanted)
        more = flat_button("zoom_in", tr("Zoom in"), theme, keys="Ctrl++")
        more.clicked.connect(lambda: self.zoom_wanted.emit(1.25))
        fit = flat_button("fit", tr("Whole picture"), theme, keys="F")
        fit.clicked.connect(self.fit_wanted)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.xs)
        row.addWidget(self._side)
        row.addSpacing(SPACE.s)
        row.addWidget(self._film)
        row.addWidget(self._draw)
        row.addWidget(self._hint, 1)
        self._tools = QHBoxLayout()
        self._tools.setSpacing(SPACE.xs)
        row.addLayout(self._tools)
        for button in (less, self._zoom, more, fit):
            row.addWidget(button)
        # What keys and the wheel do as well goes first where the foot is narrow.
        self._spare: tuple[QWidget, ...] = (less, more, self._draw, self._film, fit, self._zoom)

    def minimumSizeHint(self) -> QSize:
        """Qt's hook: it may be narrow; what does not fit is put away."""
        return QSize(self._needed(), super().minimumSizeHint().height())

    def _needed(self) -> int:
        """The width without anything that can be put away."""
        margins = self._row.contentsMargins()
        kept = [self._side, *_in_row(self._tools)]
        around = margins.left() + margins.right() + SPACE.s + 2 * SPACE.xs
        return around + sum(part.sizeHint().width() + SPACE.xs for part in kept)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt's hook: put away what does not fit."""
        super().resizeEvent(event)
        self._fit_in()

    def event(self, event: QEvent) -> bool:
        """Qt's hook: a tool was shown, hidden, or has other words."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_in()
        return done

    def _fit_in(self) -> None:
        room, kept = self.width() - self._needed(), 0
        for part in reversed(self._spare):
            room -= max(part.sizeHint().width(), part.minimumWidth()) + SPACE.xs
            if room < 0:
                break
            kept += 1
        for place, part in enumerate(self._spare):
            part.setVisible(place >= len(self._spare) - kept)
        self._row.activate()

    def add_tool(self, widget: QWidget) -> None:
        """Put a small button left of the zoom."""
        self._tools.addWidget(widget)

    def show_side(self, place: int, *, has_after: bool) -> None:
        """Which picture is shown."""
        self._side.set_current(place)
        self._side.button(1).setEnabled(has_after)

    def show_film(self, *, shown: bool) -> None:
        """Whether the film is shown."""
        self._film.setChecked(shown)

    def show_mode(self, hint: str, *, drawing: bool) -> None:
        """What a drag or a click does just now."""
        self._draw.setChecked(drawing)
        self._hint.setText(hint)
        self._hint.setToolTip(hint)

    def show_zoom(self, scale: float) -> None:
        """The zoom."""
        self._zoom.setText(f"{scale * 100:.0f} %")


def _in_row(row: QHBoxLayout) -> list[QWidget]:
    """The widgets of a row that are not hidden."""
    items = (row.itemAt(place) for place in range(row.count()))
    found = (None if item is None else item.widget() for item in items)
    return [widget for widget in found if widget is not None and not widget.isHidden()]
