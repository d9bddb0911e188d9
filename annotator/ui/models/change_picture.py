"""A screen with what two models see differently on it, in a hue for each of them."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip

from annotator.model_shelf import FrameChanges
from annotator.type_words import type_word
from annotator.ui.canvas.layers import Screenshot
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.painting import font_of
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import FONT, HALO, HUES, SPACE
from annotator.words import capital, tr
from demopack.errors import DemopackError
from models.training.differences import ScreenChange

__all__ = ["FIRST_HUE", "SECOND_HUE", "ChangePicture", "change_words"]

FIRST_HUE: Final = HUES["group"]
SECOND_HUE: Final = HUES["press"]
_NEAR = 3


def change_words(change: ScreenChange) -> str:
    """What is different, in words."""
    if change.kind == "appeared":
        return tr("Only the second sees: {after}").format(after=change.after)
    if change.kind == "vanished":
        return tr("Only the first sees: {before}").format(before=change.before)
    before, after = change.before or tr("nothing"), change.after or tr("nothing")
    return f"{capital(type_word(change.kind))}: {before} → {after}"


class ChangePicture(PictureView):
    """Shows one screen; the arrows go from change to change.

    Signals:
        change_chosen: what the chosen change is, in words; empty for none.
    """

    change_chosen = Signal(str)

    def __init__(self, pictures: Pictures, theme: Theme) -> None:
        super().__init__(theme)
        self._pictures = pictures
        self._found: FrameChanges | None = None
        self._chosen = -1
        pictures.frame_ready.connect(self._on_ready)
        self.setAccessibleName(tr("What changed on the screen"))
        self.show_shot(None, message=tr("Choose two models and a demo."))

    @property
    def chosen(self) -> ScreenChange | None:
        """The change that the arrows stand on."""
        changes = () if self._found is None else self._found.changes.changes
        return changes[self._chosen] if 0 <= self._chosen < len(changes) else None

    def show_changes(self, found: FrameChanges | None, *, message: str = "") -> None:
        """Show another screen, or a sentence in its place."""
        self._found = found
        self._chosen = -1
        self.change_chosen.emit("")
        if found is None:
            self.setAccessibleDescription(message)
            self.show_shot(None, message=message)
            return
        self.setAccessibleDescription(
            tr("{changes} changes on {shown}").format(changes=len(found.changes.changes), shown=found.shown)
        )
        self.look(self.viewport.showing(found.frame.size).fit())
        self._set_picture()

    def _set_picture(self) -> None:
        if self._found is None:
            return
        image = self._pictures.frame(self._found.frame.id)
        if isinstance(image, QImage):
            self.show_shot(Screenshot(image))
        elif isinstance(image, DemopackError):
            self.show_shot(None, message=f"{image.user_message}\n{image.hint}")

    def _on_ready(self, frame_id: str) -> None:
        if self._found is not None and self._found.frame.id == frame_id:
            self._set_picture()

    def paint_still(self, painter: QPainter) -> None:
        """Every change: dashed for the first model, solid for the second, both where they see it differently."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for change in () if self._found is None else self._found.changes.changes:
            box = self._placed(change)
            ways = {"vanished": (True, False), "appeared": (False, True)}.get(change.kind, (True, True))
            if ways[1]:
                _outline(painter, box, SECOND_HUE, Qt.PenStyle.SolidLine, fill=not ways[0])
            if ways[0]:
                inner = box.adjusted(3, 3, -3, -3) if ways[1] and min(box.width(), box.height()) > 8 else box
                _outline(painter, inner, FIRST_HUE, Qt.PenStyle.DashLine, fill=not ways[1])

    def paint_moving(self, painter: QPainter) -> None:
        """The chosen change, with its words beside it."""
        change = self.chosen
        if change is None:
            return
        palette = self._theme.palette
        box = self._placed(change).adjusted(-2, -2, 2, 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for width, colour in ((5, HALO), (2, palette.accent if not palette.dark else SECOND_HUE)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRect(box)
        painter.setFont(font_of(painter.font(), size=FONT.caption))
        words, metrics = change_words(change), painter.fontMetrics()
        width = min(metrics.horizontalAdvance(words) + 2 * SPACE.s + 4, self.width() - 2 * SPACE.s)
        height = metrics.height() + SPACE.xs
        top = box.bottom() + SPACE.xs
        if top + height > self.height():
            top = max(0.0, box.top() - SPACE.xs - height)
        place = QRectF(min(max(box.left(), SPACE.s), self.width() - SPACE.s - width), top, width, height)
        painter.setPen(QPen(QColor(palette.on_toast), 1))
        painter.setBrush(QColor(palette.toast))
        painter.drawRoundedRect(place, 4, 4)
        painter.setPen(QColor(palette.on_toast))
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(width) - 2 * SPACE.s)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: the arrows go through the changes, plus and minus zoom, 0 shows everything."""
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        count = 0 if self._found is None else len(self._found.changes.changes)
        if key in steps and count:
            self._chosen = (self._chosen + steps[key]) % count if self._chosen >= 0 else 0
            chosen = self.chosen
            words = "" if chosen is None else change_words(chosen)
            self.setAccessibleDescription(words)
            self.change_chosen.emit(words)
            self.update()
        elif key in {Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus}:
            self.zoom_by(1 / 1.2 if key == Qt.Key.Key_Minus else 1.2)
        elif key == Qt.Key.Key_0:
            self.fit()
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: over a change a tooltip says what it is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self._under(QPointF(event.pos()))
            if words:
                QToolTip.showText(event.globalPos(), words, self)
                return True
            QToolTip.hideText()
        return super().event(event)

    def _under(self, at: QPointF) -> str:
        changes = () if self._found is None else self._found.changes.changes
        near = [c for c in changes if self._placed(c).adjusted(-_NEAR, -_NEAR, _NEAR, _NEAR).contains(at)]
        return "\n".join(change_words(change) for change in sorted(near, key=lambda change: change.box.area)[:4])

    def _placed(self, change: ScreenChange) -> QRectF:
        view, box = self.viewport, change.box
        return QRectF(
            round(view.x + box.x1 * view.scale), round(view.y + box.y1 * view.scale),
            round(box.width * view.scale), round(box.height * view.scale),
        )  # fmt: skip


def _outline(painter: QPainter, box: QRectF, hue: str, style: Qt.PenStyle, *, fill: bool) -> None:
    halo = QColor(HALO)
    halo.setAlpha(200)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(halo, 4))
    painter.drawRect(box)
    ground = QColor(hue)
    ground.setAlpha(36)
    painter.setBrush(ground if fill else Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(hue), 2, style))
    painter.drawRect(box)
