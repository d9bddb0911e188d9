"""Before and after in the canvas's place: side by side with one zoom, or one after the other in the same place."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStyle, QVBoxLayout, QWidget

from annotator.ui.canvas.layers import Screenshot
from annotator.ui.controls import Segments, flat_button, label
from annotator.ui.editor.compare.pane import Pane
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import SPACE
from annotator.view_state import Side
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Rect

__all__ = ["CompareView", "Mode"]

Mode = Literal["split", "blink"]

_BLINK_MS = 250
"""Two pictures in half a second: 2 Hz, slow enough for everybody."""


class CompareView(QWidget):
    """Two panes under a line that says what differs; in blink mode one of them has all the room.

    Signals:
        mode_chosen: ``split`` or ``blink``.
        left: back to the canvas.
        pushed: the user zoomed or pushed; carries the viewport.
    """

    mode_chosen = Signal(str)
    left = Signal()
    pushed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Comparison of before and after"))
        self._mode: Mode = "split"
        self._front: Side = "before"
        self._panes: dict[Side, Pane] = {"before": Pane(theme), "after": Pane(theme)}
        self._blinking = QTimer(self, interval=_BLINK_MS)
        self._blinking.timeout.connect(self._turn)
        for side, pane in self._panes.items():
            pane.pushed.connect(self._panes["after" if side == "before" else "before"].follow)
            pane.pushed.connect(self.pushed)
            pane.left.connect(self.left)
            pane.flipped.connect(self.flip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar(theme))
        row = QHBoxLayout()
        row.setSpacing(1)
        for pane in self._panes.values():
            row.addWidget(pane, 1)
        column.addLayout(row, 1)

    def _bar(self, theme: Theme) -> QWidget:
        bar = QWidget()
        bar.setObjectName("bar")
        bar.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._modes = Segments(
            tr("Comparison"),
            (tr("Side by side"), tr("Blink")),
            tips=(tr("Both pictures beside each other (=)"), tr("Both in the same place, in turn (=)")),
        )
        self._modes.chosen.connect(self._choose)
        self._words = label("", role="muted")
        close = flat_button("close", tr("Back to editing"), theme, keys="Esc")
        close.clicked.connect(self.left)
        row = QHBoxLayout(bar)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.m)
        row.addWidget(self._modes)
        row.addWidget(self._words, 1)
        row.addWidget(close)
        return bar

    # What is shown --------------------------------------------------------------------------------------------

    @property
    def mode(self) -> Mode:
        """How the two are shown."""
        return self._mode

    @property
    def front(self) -> Side:
        """Which one is shown while they blink."""
        return self._front

    @property
    def blinking(self) -> bool:
        """Whether they change by themselves."""
        return self._blinking.isActive()

    @property
    def words(self) -> str:
        """What differs, in words."""
        return self._words.text()

    def pane(self, side: Side) -> Pane:
        """One of the two."""
        return self._panes[side]

    def follow(self, viewport: Viewport) -> None:
        """Show on both what the canvas has in its middle, at its zoom."""
        for pane in self._panes.values():
            pane.show_middle(viewport)

    def show_shot(self, side: Side, shot: Screenshot | None, *, message: str = "") -> None:
        """One of the pictures, or why there is none."""
        self._panes[side].show_shot(shot, message=message)

    def show_difference(self, regions: tuple[Rect, ...], words: str) -> None:
        """What differs: marked on both, and in words."""
        for pane in self._panes.values():
            pane.show_regions(regions)
        self._words.setText(words)

    def set_mode(self, mode: Mode) -> None:
        """Side by side, or in turn; in turn by themselves only where the system wants things to move."""
        self._mode = mode
        self._modes.set_current(int(mode == "blink"))
        self._blinking.stop()
        if mode == "split":
            for pane in self._panes.values():
                pane.show()
        else:
            self._bring("before")
            if self.moves:
                self._blinking.start()
        self._panes["before"].setFocus()

    @property
    def moves(self) -> bool:
        """Whether the system wants things to move at all."""
        return self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0

    def _choose(self, place: int) -> None:
        self.mode_chosen.emit("blink" if place else "split")

    def stop(self) -> None:
        """Nothing changes by itself any more."""
        self._blinking.stop()

    def flip(self) -> None:
        """Show the other picture and let it stand; only while they are shown in turn."""
        if self._mode == "blink":
            self._blinking.stop()
            self._turn()

    def show_side(self, side: Side) -> None:
        """Show this picture and let it stand; only while they are shown in turn."""
        if self._mode == "blink":
            self._blinking.stop()
            self._bring(side)

    def _turn(self) -> None:
        self._bring("after" if self._front == "before" else "before")

    def _bring(self, side: Side) -> None:
        had_focus = any(pane.hasFocus() for pane in self._panes.values())
        self._front = side
        # The new one first, or the column would have nothing to show for a moment.
        for pane in (self._panes[side], self._panes["after" if side == "before" else "before"]):
            pane.setVisible(pane is self._panes[side])
        if had_focus:
            self._panes[side].setFocus()
