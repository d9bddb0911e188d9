"""The film under the canvas: every picture of the demo in its order, to be walked through, played and used."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.frame_sequence import FrameSequence
from annotator.ui.controls import Bar, flat_button, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.icons import icon
from annotator.ui.painting import font_of, rounded_box, rounded_picture
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.words import tr

_HEIGHT = 64
_THUMB = QSize(84, 52)


class FilmRail(QWidget):
    """The pictures side by side, the one that is shown in the middle."""

    def __init__(self, strip: FilmStrip, pictures: ScreenshotCache, theme: Theme) -> None:
        super().__init__()
        self._strip = strip
        self._pictures = pictures
        self._theme = theme
        self._drag_from: tuple[float, int] | None = None
        self.setFixedHeight(_HEIGHT)
        self.setMinimumWidth(160)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Film"))
        self.setToolTip(tr("Every picture of this demo. Drag, use the wheel or the arrow keys to walk through it."))
        pictures.thumbnail_ready.connect(self._on_thumbnail)
        theme.changed.connect(self.update)

    def box_of(self, place: int) -> QRect:
        """Where a picture lies."""
        step = _THUMB.width() + SPACE.xs
        left = self.width() // 2 - _THUMB.width() // 2 + (place - self._strip.place) * step
        return QRect(left, (self.height() - _THUMB.height()) // 2, _THUMB.width(), _THUMB.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: only what shows."""
        del event
        painter, palette, strip = QPainter(self), self._theme.palette, self._strip
        ratio = self.devicePixelRatioF()
        reach = self.width() // (2 * _THUMB.width()) + 2
        for place in range(max(strip.place - reach, 0), min(strip.place + reach + 1, len(strip.reel))):
            box = self.box_of(place)
            found = self._pictures.thumbnail(strip.reel[place].frame.id, QSize(96, 64) * ratio)
            rounded_picture(painter, box, found if isinstance(found, QPixmap) else None, palette)
            if place in strip.marks:
                self._paint_mark(painter, box, strip.marks[place])
            if place == strip.place:
                width = 2 if self.hasFocus() else 1.5
                rounded_box(painter, QRectF(box).adjusted(1, 1, -1, -1), 4, edge=palette.accent, width=width)

    def _paint_mark(self, painter: QPainter, box: QRect, words: str) -> None:
        palette = self._theme.palette
        painter.setFont(font_of(painter.font(), size=10))
        width = painter.fontMetrics().horizontalAdvance(words) + 8
        tag = QRectF(box.left() + 3, box.top() + 3, width, 14)
        rounded_box(painter, tag, 3, ground=palette.toast)
        painter.setPen(QColor(palette.on_toast))
        painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, words)

    def _on_thumbnail(self) -> None:
        # A method, not a function of no object: Qt ends its connection with the film.
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: begin to drag; a click shows what is under it."""
        self._drag_from = (event.position().x(), self._strip.place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: the film follows the pointer."""
        if self._drag_from is not None:
            x, place = self._drag_from
            self._strip.walk(place - round((event.position().x() - x) / 28) - self._strip.place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: let go."""
        start, self._drag_from = self._drag_from, None
        if start is not None and abs(event.position().x() - start[0]) < 4:
            away = event.position().x() - self.width() / 2
            self._strip.walk(round(away / (_THUMB.width() + SPACE.xs)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Qt's hook: a notch is a picture."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        self._strip.walk(-1 if turned > 0 else 1)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: arrows walk."""
        ways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -(10**9), Qt.Key.Key_End: 10**9}
        way = ways.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            self._strip.walk(way)


_MAX_SHOWN_MS = 3000
"""A picture that was seen for minutes is shown this long: what is played is what happened, not how long nothing did."""


class FilmStrip(Bar):
    """Walks through the reel; what it shows, the canvas shows.

    Attributes:
        reel: the pictures.
        marks: numbers of the steps that begin with a picture, by its place.
        place: which of them is shown.
        playing: whether it runs.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__("footer", context.page)
        self._view, self._theme, self._button = context.view, context.theme, context.foot.film
        theme = context.theme
        self.reel = FrameSequence()
        self.marks: dict[int, str] = {}
        self.place = 0
        self._following = False
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(lambda: self._play(self.place + 1))
        self.playing = False
        self._play_button = flat_button("play", tr("Play at the recorded speed"), theme, action="play")
        self._time = label("00:00.0", role="caption")
        self._time.setMinimumWidth(52)
        self._rail = FilmRail(self, context.pictures, theme)
        before = push_button(
            tr("Use as before"), tr("Use this picture as the one before the step"), theme, action="use_before"
        )
        after = push_button(
            tr("Use as after"), tr("Use this picture as the one after the step"), theme, action="use_after"
        )
        row(
            self._play_button,
            self._time,
            (self._rail, 1),
            before,
            after,
            of=self,
            margins=(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs),
        )
        context.view.frame_changed.connect(self._follow)
        self.hide()

    def setVisible(self, visible: bool) -> None:  # noqa: FBT001 - Qt's own
        """Qt's hook: the button in the foot says whether the film is shown."""
        super().setVisible(visible)
        self._button.setChecked(visible)

    # What it shows --------------------------------------------------------------------------------------------

    def show_reel(self, reel: FrameSequence) -> None:
        """Take other pictures, after steps changed or the film was read."""
        self.reel = reel
        self.marks = {}
        for number, step in enumerate(self._view.document.steps, start=1):
            place = reel.place_of(step.before)
            if place is not None:
                self.marks[place] = f"{self.marks.get(place, '')} {number}".strip()
        self._follow()

    def walk(self, offset: int) -> None:
        """Show the film, and the picture that is so many further on, or back."""
        self.show()
        self._stop()
        self._go(min(max(self.place + offset, 0), max(len(self.reel) - 1, 0)))

    def toggle(self) -> None:
        """Show the film, or no longer; then the step's own picture is shown again."""
        self.setVisible(self.isHidden())
        if self.isHidden():
            self._view.peek(None)

    # Playing --------------------------------------------------------------------------------------------------

    def toggle_play(self) -> None:
        """Play from here, from the start when it is at its end; or stop."""
        if self.playing or not len(self.reel):
            self._stop()
            return
        self.show()
        self.playing = True
        self._show_playing()
        self._play(self.place if self.place + 1 < len(self.reel) else 0)

    def _play(self, place: int) -> None:
        """Show a picture, and the next one as long after it as it was recorded."""
        if place != self.place:
            self._go(place)
        pause = self.reel.pause_ms(self.place)
        if pause is None:
            self._stop()
        else:
            self._clock.start(min(pause, _MAX_SHOWN_MS))

    def _stop(self) -> None:
        self._clock.stop()
        if self.playing:
            self.playing = False
            self._show_playing()

    def _show_playing(self) -> None:
        words = tr("Stop playing") if self.playing else tr("Play at the recorded speed")
        self._play_button.setIcon(icon("pause" if self.playing else "play", self._theme))
        self._play_button.setAccessibleName(words)

    # Walking --------------------------------------------------------------------------------------------------

    def _go(self, place: int) -> None:
        if not 0 <= place < len(self.reel):
            return
        self.place = place
        self._following = True
        self._view.peek(self.reel[place].frame)
        self._following = False
        self._show_place()

    def _follow(self) -> None:
        """The canvas shows the step's own picture again: so does the film."""
        if self._following:
            return
        self._stop()
        place = self.reel.place_of(self._view.frame)
        if place is not None:
            self.place = place
        self._show_place()

    def _show_place(self) -> None:
        self._rail.update()
        seconds = self.reel.seconds(self.place) if len(self.reel) else 0.0
        self._time.setText(f"{int(seconds) // 60:02}:{seconds % 60:04.1f}")
