"""Widgets that Qt does not have."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from lab.screens.qt.looks import Scheme, mixed


class Switch(QAbstractButton):
    """A knob on a track, to the right when it is on."""

    SHAPES: ClassVar = ("round", "square", "thin")

    def __init__(self, colours: Scheme, shape: str) -> None:
        super().__init__()
        self._colours = colours
        self._shape = shape
        self.setCheckable(True)
        self.setProperty("truth", "toggle")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as a line of text."""
        height = max(16, self.fontMetrics().height())
        return QSize(round(height * 1.85), height)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw track, knob and focus ring."""
        c = self._colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        if self._shape == "thin":
            track.adjust(0, track.height() * 0.22, 0, -track.height() * 0.22)
        on = c.accent if self.isEnabled() else mixed(c.accent, c.window, 0.6)
        off = mixed(c.border, c.window, 0.0 if self.isEnabled() else 0.6)
        painter.setPen(QPen(QColor(c.text if self.hasFocus() else (on if self.isChecked() else off)), 1.5))
        painter.setBrush(QColor(on if self.isChecked() else off))
        radius = 3.0 if self._shape == "square" else track.height() / 2
        painter.drawRoundedRect(track, radius, radius)
        size = self.height() - (7 if self._shape != "thin" else 3)
        left = track.right() - size - 2 if self.isChecked() else track.left() + 2
        knob = QRectF(left, (self.height() - size) / 2, size, size)
        painter.setPen(QPen(QColor(mixed(c.text, c.window, 0.5)), 0.8))
        painter.setBrush(QColor("#ffffff" if self.isEnabled() else mixed("#ffffff", c.window, 0.5)))
        if self._shape == "square":
            painter.drawRoundedRect(knob, 2, 2)
        else:
            painter.drawEllipse(knob)
        painter.end()
