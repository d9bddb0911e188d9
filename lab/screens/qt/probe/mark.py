"""What a widget says about one element, and where a widget stands in its window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QImage
from PySide6.QtWidgets import QApplication, QWidget

from demopack.domain.elements import ElementType, State
from lab.screens.qt.settle import Way

_INKED = 40
"""Alpha from which on a pixel can be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One element in logical pixels of its window; the fields are those of ``settle.Placed``."""

    type: ElementType
    rough: QRectF
    clip: QRectF
    way: Way = "rect"
    exact: QRectF | None = None
    text: str | None = None
    stops: tuple[float, ...] = ()
    words: QRectF | None = None
    subtype: str | None = None
    states: dict[State, bool] = field(default_factory=dict[State, bool])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a widget stands in its window, and what of it its parents let through."""

    origin: QPoint
    clip: QRectF

    def rect(self, rect: QRect | QRectF) -> QRectF:
        """A rectangle of the widget, in its window."""
        return QRectF(rect).translated(QPointF(self.origin))

    def inner(self, rect: QRect | QRectF) -> Place:
        """The same place, clipped to a part of the widget."""
        return Place(self.origin, self.clip.intersected(self.rect(rect)))

    def of(self, child: QWidget) -> Place:
        """The place of a child of the widget that stands here."""
        origin = self.origin + child.pos()
        return Place(origin, self.clip.intersected(QRectF(QRect(origin, child.size()))))

    def text(
        self,
        rect: QRectF,
        text: str,
        font: QFont,
        *,
        type: ElementType = "text",
        states: dict[State, bool] | None = None,
        pen: float | None = None,
        baseline: float | None = None,
    ) -> Iterator[Mark]:
        """A line of text, unless it is empty.

        Args:
            rect: of the widget; holds the line and nothing else.
            text: as it is shown.
            font: it is drawn with.
            type: of the element.
            states: where the type has more than ``highlighted``.
            pen: where the first character begins, of the widget; the left edge of ``rect`` when left out.
            baseline: where the glyphs stand, of the widget, when it is known.
        """
        if not text.strip():
            return
        start = rect.x() if pen is None else pen
        exact = None if baseline is None else self.rect(exact_glyphs(text, font, QPointF(start, baseline)))
        yield Mark(
            type=type,
            rough=self.rect(rect),
            clip=self.clip,
            way="ink",
            exact=exact,
            text=" ".join(text.split()) if exact is None else text,
            stops=tuple(stop + self.origin.x() for stop in stops_of(text, font, start)) if exact is not None else (),
            states={"highlighted": False} if states is None else states,
        )


def words_in(rect: QRectF, text: str, font: QFont, *, centred: bool = False, indent: float = 0.0) -> QRectF:
    """Where the words of a control stand: in its middle, or at its left."""
    width = min(rect.width(), QFontMetricsF(font).horizontalAdvance(text))
    x = rect.x() + ((rect.width() - width) / 2 if centred else min(indent, rect.width() - width))
    return QRectF(x, rect.y(), width, rect.height())


def stops_of(text: str, font: QFont, start: float) -> tuple[float, ...]:
    """The left edge of each character and the right edge of the last one."""
    metrics = QFontMetricsF(font)
    return tuple(start + metrics.horizontalAdvance(text, count) for count in range(len(text) + 1))


def exact_glyphs(text: str, font: QFont, pen: QPointF) -> QRectF:
    """The box of the glyphs when they are drawn at a place."""
    return QFontMetricsF(font).tightBoundingRect(text).translated(pen)


def inked_part(picture: QImage) -> QRectF:
    """The part of a picture that is not transparent, in its own pixels."""
    alpha = picture.convertToFormat(QImage.Format.Format_Alpha8)
    rows = np.frombuffer(alpha.constBits(), dtype=np.uint8).reshape(alpha.height(), alpha.bytesPerLine())
    inked = rows[:, : alpha.width()] > _INKED
    ys, xs = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not ys.size:
        return QRectF(picture.rect())
    return QRectF(float(xs[0]), float(ys[0]), float(xs[-1] - xs[0] + 1), float(ys[-1] - ys[0] + 1))


def plain(text: str) -> str:
    """A label as it is shown: without the marks of its shortcut."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").split("\t", maxsplit=1)[0]


def style_sheet() -> str:
    """The application's style sheet; empty for Qt's own styles."""
    app = QApplication.instance()
    return app.styleSheet() if isinstance(app, QApplication) else ""
