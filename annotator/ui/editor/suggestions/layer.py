"""A small mark on every suggestion about which its sources differ."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from annotator.spans import changed_span
from annotator.suggestions.statements import disputed
from annotator.ui.canvas.layer import CanvasLayer
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO
from annotator.viewport import Viewport
from demopack.domain.elements import Element

__all__ = ["DisputeLayer"]

_SIZE = 11
"""Pixels of the window."""


@cache
def _mark(colour: str, ratio: float) -> QPixmap:
    """A dot with a halo, sharp on every screen."""
    made = QPixmap(round(_SIZE * ratio), round(_SIZE * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for inset, shade in ((0.0, HALO), (1.5, colour)):
        painter.setBrush(QColor(shade))
        painter.drawEllipse(QRectF(inset, inset, _SIZE - 2 * inset, _SIZE - 2 * inset))
    painter.end()
    return made


class DisputeLayer(CanvasLayer):
    """Dots at the upper right corners; remembers what it made out about each element."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._elements: tuple[Element, ...] = ()
        self._disputed: dict[str, Element] = {}
        self._corners: list[tuple[int, int]] = []

    @property
    def corners(self) -> list[tuple[int, int]]:
        """Where the marks stand, in pixels of the picture."""
        return self._corners

    def set_elements(self, elements: tuple[Element, ...]) -> None:
        """The elements of another picture, or after an edit; only what differs is looked at again."""
        start, old_end, new_end = changed_span(self._elements, elements)
        old, new = self._elements[start:old_end], elements[start:new_end]
        self._elements = elements
        before, after = set(map(id, old)), set(map(id, new))
        for element in old:
            if id(element) not in after:
                self._disputed.pop(element.uid, None)
        for element in new:
            if element.evidence and id(element) not in before and disputed(element):
                self._disputed[element.uid] = element

    def show(self, shows: Callable[[Element], bool]) -> None:
        """Mark those that are shown."""
        self._corners = [(element.box.x2, element.box.y1) for element in self._disputed.values() if shows(element)]

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Those that can be seen."""
        if not self._corners:
            return
        mark = _mark(self._theme.palette.warning, painter.device().devicePixelRatioF())
        reach, scale, left, top = _SIZE / 2, viewport.scale, viewport.x, viewport.y
        width, height = viewport.width + reach, viewport.height + reach
        for x, y in self._corners:
            at_x, at_y = x * scale + left, y * scale + top
            if -reach < at_x < width and -reach < at_y < height:
                painter.drawPixmap(round(at_x - reach), round(at_y - reach), mark)
