"""Puts windows on a picture, one above the other, and asks what can be seen of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

from demopack.domain.frames import RgbImage
from demopack.domain.geometry import Rect
from lab.screens.qt.probe.mark import Mark
from lab.screens.qt.probe.walk import marks_of
from lab.screens.qt.settle import Placed, settle
from models.training.labelled_screens import GroundTruth


@dataclass(slots=True)
class Layer:
    """A picture with what is on it, at a place of the stage, in pixels of the picture.

    Attributes:
        image: what is painted; may be transparent.
        at: its left and top edge.
        marks: in logical pixels of the image.
        hides: the part that hides what is below, of the image; None when nothing is hidden.
    """

    image: QImage
    at: QPoint
    marks: Sequence[Mark]
    hides: QRectF | None


@dataclass(slots=True)
class Pane:
    """A widget at a place of the stage.

    Attributes:
        widget: shown; it may be hidden or moved between two moments.
        at: left and top edge of its client area, in pixels of the picture.
        frame: what is drawn around it, painted before it and just as large as it says.
    """

    widget: QWidget
    at: QPoint
    frame: Layer | None = None


@dataclass(slots=True)
class Stage:
    """A picture to be filled.

    Attributes:
        width: pixels.
        height: pixels.
        ratio: pixels of the picture for each logical one.
        ground: below everything, with marks of its own.
        panes: from the lowest to the highest.
    """

    width: int
    height: int
    ratio: float
    ground: Layer | None = None
    panes: list[Pane] = field(default_factory=list[Pane])

    def draw(self, above: Sequence[Pane] = ()) -> tuple[RgbImage, list[GroundTruth]]:
        """The picture as it stands, with its truth.

        Args:
            above: menus and lists that are open just now.
        """
        canvas = QImage(self.width, self.height, QImage.Format.Format_RGB32)
        canvas.fill(QColor("#808080"))
        painter = QPainter(canvas)
        placed: list[Placed] = []
        covers: list[tuple[int, Rect]] = []
        for number, layers in enumerate(self._stacked(above)):
            for layer in layers:
                layer.image.setDevicePixelRatio(1.0)
                painter.drawImage(layer.at, layer.image)
                placed.extend(self._placed(layer, number))
                if layer.hides is not None:
                    covers.append((number, self._rect(layer.hides, layer.at)))
        painter.end()
        image = pixels_of(canvas)
        return image, settle(image, placed, covers)

    def _stacked(self, above: Sequence[Pane]) -> list[list[Layer]]:
        stacked = [[self.ground]] if self.ground is not None else []
        for pane in (*self.panes, *above):
            if pane.widget.isVisible():
                image = picture_of(pane.widget, self.ratio)
                own = Layer(image, pane.at, marks_of(pane.widget), QRectF(pane.widget.rect()))
                stacked.append([own] if pane.frame is None else [pane.frame, own])
        return stacked

    def _placed(self, layer: Layer, number: int) -> list[Placed]:
        return [
            Placed(
                type=mark.type,
                rough=self._rect(mark.rough, layer.at),
                clip=self._rect(mark.clip, layer.at),
                window=number,
                way=mark.way,
                exact=None if mark.exact is None else self._rect(mark.exact, layer.at),
                text=mark.text,
                stops=tuple(layer.at.x() + stop * self.ratio for stop in mark.stops),
                words=None if mark.words is None else self._rect(mark.words, layer.at),
                subtype=mark.subtype,
                states=mark.states,
            )
            for mark in layer.marks
        ]

    def _rect(self, rect: QRectF, at: QPoint) -> Rect:
        x1, y1 = at.x() + _round(rect.left() * self.ratio), at.y() + _round(rect.top() * self.ratio)
        x2, y2 = at.x() + _round(rect.right() * self.ratio), at.y() + _round(rect.bottom() * self.ratio)
        return Rect(x1, y1, max(x1, x2), max(y1, y2))


def _round(value: float) -> int:
    return math.floor(value + 0.5)


def picture_of(widget: QWidget, ratio: float) -> QImage:
    """A widget as it looks, at a resolution."""
    width, height = math.ceil(widget.width() * ratio), math.ceil(widget.height() * ratio)
    image = QImage(max(1, width), max(1, height), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(0, 0, 0, 0))
    widget.render(image)
    return image


def pixels_of(image: QImage) -> RgbImage:
    """The pixels of a picture, shape (height, width, 3), uint8."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : plain.width() * 3].reshape(plain.height(), plain.width(), 3).copy()
