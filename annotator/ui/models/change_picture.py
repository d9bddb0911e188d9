"""A screen with what two models see differently on it, in a hue for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from annotator.model_store import FrameChanges
from annotator.step_words import type_word
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.painting import faded, font_of
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, HUES, SPACE
from annotator.viewport import Viewport
from annotator.words import capital, tr
from models.training.differences import ScreenChange

FIRST_HUE: Final = HUES["group"]
SECOND_HUE: Final = HUES["press"]
_HOVER_PX = 3


def change_words(change: ScreenChange) -> str:
    """What is different, in words."""
    if change.kind == "appeared":
        return tr("Only the second sees: {after}").format(after=change.after)
    if change.kind == "vanished":
        return tr("Only the first sees: {before}").format(before=change.before)
    before, after = change.before or tr("nothing"), change.after or tr("nothing")
    return f"{capital(type_word(change.kind))}: {before} → {after}"


class _ChangeLayer(CanvasLayer):
    """All changes of one screen, and the chosen one with its words beside it.

    Attributes:
        changes: what is shown.
        chosen: place of the chosen one; negative for none.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.changes: Sequence[ScreenChange] = ()
        self.chosen = -1

    @property
    def current(self) -> ScreenChange | None:
        """The chosen change."""
        return self.changes[self.chosen] if 0 <= self.chosen < len(self.changes) else None

    def paint_cached(self, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Outline every change: dashed for the first model, solid for the second, both where they differ."""
        del area
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for change in self.changes:
            box = _placed(viewport, change)
            ways = {"vanished": (True, False), "appeared": (False, True)}.get(change.kind, (True, True))
            if ways[1]:
                _outline(painter, box, SECOND_HUE, Qt.PenStyle.SolidLine, fill=not ways[0])
            if ways[0]:
                inner = box.adjusted(3, 3, -3, -3) if ways[1] and min(box.width(), box.height()) > 8 else box
                _outline(painter, inner, FIRST_HUE, Qt.PenStyle.DashLine, fill=not ways[1])

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """Frame the chosen change, and write its words beside it."""
        change = self.current
        if change is None:
            return
        palette = self._theme.palette
        box = _placed(viewport, change).adjusted(-2, -2, 2, 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for line, colour in ((5, HALO), (2, palette.accent if not palette.dark else SECOND_HUE)):
            painter.setPen(QPen(QColor(colour), line))
            painter.drawRect(box)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        words, metrics = change_words(change), painter.fontMetrics()
        width = min(metrics.horizontalAdvance(words) + 2 * SPACE.s + 4, viewport.width - 2 * SPACE.s)
        height = metrics.height() + SPACE.xs
        top = box.bottom() + SPACE.xs
        if top + height > viewport.height:
            top = max(0.0, box.top() - SPACE.xs - height)
        place = QRectF(min(max(box.left(), SPACE.s), viewport.width - SPACE.s - width), top, width, height)
        painter.setPen(QPen(QColor(palette.on_toast), 1))
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(QColor(palette.on_toast))
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(width) - 2 * SPACE.s)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)

    def tooltip(self, at: LayerPointer, viewport: Viewport) -> str:
        """Words of the smallest few changes at a place."""
        near = [
            change
            for change in self.changes
            if _placed(viewport, change).adjusted(-_HOVER_PX, -_HOVER_PX, _HOVER_PX, _HOVER_PX).contains(at.window)
        ]
        return "\n".join(change_words(change) for change in sorted(near, key=lambda change: change.box.area)[:4])


class ChangePicture(PictureView):
    """Shows one screen; the arrows go from change to change, whose words are its accessible description."""

    def __init__(self, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__(theme)
        self._pictures = pictures
        self._found: FrameChanges | None = None
        self._layer = _ChangeLayer(theme)
        self.add_layer(self._layer)
        pictures.frame_ready.connect(self._on_ready)
        self.setAccessibleName(tr("What changed on the screen"))
        self.show_message(tr("Choose two models and a demo."))

    def show_changes(self, found: FrameChanges | None, *, message: str = "") -> None:
        """Show another screen, or a sentence in its place."""
        self._found = found
        self._layer.changes, self._layer.chosen = () if found is None else found.changes.changes, -1
        if found is None:
            self.setAccessibleDescription(message)
            self.show_message(message)
            return
        self.setAccessibleDescription(
            tr("{changes} changes on {shown}").format(changes=len(found.changes.changes), shown=found.shown)
        )
        self.set_view(self.viewport.showing(found.frame.size).fit())
        self._set_picture()

    def _set_picture(self) -> None:
        if self._found is None:
            return
        image = self._pictures.frame(self._found.frame.id)
        if image is not None:
            self.show_picture(image)

    def _on_ready(self, frame_id: str) -> None:
        if self._found is not None and self._found.frame.id == frame_id:
            self._set_picture()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the changes with the arrows, zoom with plus and minus, show everything with 0."""
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        layer = self._layer
        if key in steps and layer.changes:
            layer.chosen = (layer.chosen + steps[key]) % len(layer.changes) if layer.chosen >= 0 else 0
            self.setAccessibleDescription(change_words(layer.changes[layer.chosen]))
            self.update()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus}:
            self.zoom_by(1 / 1.2 if key == Qt.Key.Key_Minus else 1.2)
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)


def _placed(viewport: Viewport, change: ScreenChange) -> QRectF:
    box = change.box
    return QRectF(
        round(viewport.x + box.x1 * viewport.scale), round(viewport.y + box.y1 * viewport.scale),
        round(box.width * viewport.scale), round(box.height * viewport.scale)
    )  # fmt: skip


def _outline(painter: QPainter, box: QRectF, hue: str, style: Qt.PenStyle, *, fill: bool) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(faded(HALO, 200), 4))
    painter.drawRect(box)
    painter.setBrush(faded(hue, 36) if fill else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(hue), 2, style))
    painter.drawRect(box)
