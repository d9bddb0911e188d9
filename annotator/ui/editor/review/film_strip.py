"""The film under the canvas: every picture of the demo in its order, to be walked through, played and used."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.film import Reel
from annotator.ui.controls import flat_button, label, push_button
from annotator.ui.editor.review.film_rail import FilmRail
from annotator.ui.icons import icon
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import ViewState
from annotator.words import tr

__all__ = ["FilmStrip"]

_LONGEST_MS = 3000
"""A picture that was seen for minutes is shown this long: what is played is what happened, not how long nothing did."""


class FilmStrip(QWidget):
    """Walks through the reel; what it shows, the canvas shows.

    Signals:
        use_wanted: ``before`` or ``after``: use the picture that is shown for the current step.
    """

    use_wanted = Signal(str)

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._view = view
        self._theme = theme
        self._reel = Reel()
        self._place = 0
        self._following = False
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._play_on)
        self._playing = False
        self._play = flat_button("play", tr("Play at the recorded speed"), theme, keys="Shift+K")
        self._play.clicked.connect(self.toggle_play)
        self._time = label("00:00.0", role="caption")
        self._time.setMinimumWidth(52)
        self._rail = FilmRail(pictures, theme)
        self._rail.wanted.connect(self._walked)
        before = push_button(
            tr("Use as before"), tr("Use this picture as the one before the step"), theme, keys="Shift+B"
        )
        before.clicked.connect(lambda: self.use_wanted.emit("before"))
        after = push_button(tr("Use as after"), tr("Use this picture as the one after the step"), theme, keys="Shift+A")
        after.clicked.connect(lambda: self.use_wanted.emit("after"))
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.s)
        for part in (self._play, self._time):
            row.addWidget(part)
        row.addWidget(self._rail, 1)
        for button in (before, after):
            row.addWidget(button)
        self._end = view.frame_changed.connect(self._follow)
        self.hide()

    # What it shows --------------------------------------------------------------------------------------------

    @property
    def reel(self) -> Reel:
        """The pictures."""
        return self._reel

    @property
    def place(self) -> int:
        """Which of them is shown."""
        return self._place

    @property
    def playing(self) -> bool:
        """Whether it runs."""
        return self._playing

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        self._stop()
        self._end()
        self._rail.close_view()

    def show_reel(self, reel: Reel) -> None:
        """Take other pictures, after steps changed or the film was read."""
        self._reel = reel
        marks: dict[int, str] = {}
        for number, step in enumerate(self._view.document.steps, start=1):
            place = reel.place_of(step.before)
            if place is not None:
                marks[place] = f"{marks[place]} {number}" if place in marks else str(number)
        self._rail.show_reel(reel, marks)
        self._follow()

    def step_by(self, offset: int) -> None:
        """One picture further, or back."""
        self._walked(min(max(self._place + offset, 0), max(len(self._reel) - 1, 0)))

    # Playing --------------------------------------------------------------------------------------------------

    def toggle_play(self) -> None:
        """Play from here, from the start when it is at its end; or stop."""
        if self._playing or not len(self._reel):
            self._stop()
            return
        self.show()
        if self._place + 1 >= len(self._reel):
            self._go(0)
        self._playing = True
        self._show_playing()
        self._wait()

    def _wait(self) -> None:
        pause = self._reel.pause_ms(self._place)
        if pause is None:
            self._stop()
        else:
            self._clock.start(min(pause, _LONGEST_MS))

    def _play_on(self) -> None:
        self._go(self._place + 1)
        self._wait()

    def _stop(self) -> None:
        self._clock.stop()
        if self._playing:
            self._playing = False
            self._show_playing()

    def _show_playing(self) -> None:
        words = tr("Stop playing") if self._playing else tr("Play at the recorded speed")
        self._play.setIcon(icon("pause" if self._playing else "play", self._theme))
        self._play.setAccessibleName(words)

    # Walking --------------------------------------------------------------------------------------------------

    def _walked(self, place: int) -> None:
        self._stop()
        self._go(place)

    def _go(self, place: int) -> None:
        if not 0 <= place < len(self._reel):
            return
        self._place = place
        self._following = True
        self._view.peek(self._reel[place].frame)
        self._following = False
        self._show_place()

    def _follow(self) -> None:
        """The canvas shows the step's own picture again: so does the film."""
        if self._following:
            return
        self._stop()
        place = self._reel.place_of(self._view.frame)
        if place is not None:
            self._place = place
        self._show_place()

    def _show_place(self) -> None:
        self._rail.show_place(self._place)
        seconds = self._reel.seconds(self._place) if len(self._reel) else 0.0
        self._time.setText(f"{int(seconds) // 60:02}:{seconds % 60:04.1f}")
