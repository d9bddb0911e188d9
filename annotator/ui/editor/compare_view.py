"""Before and after in the canvas's place: side by side with one zoom, or one after the other in the same place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QStyle, QWidget

from annotator.ui.canvas.action_mark import ActionMark, paint_action
from annotator.ui.canvas.layers import CanvasLayer
from annotator.ui.canvas.outline_layer import OutlineLayer, OutlineStyle
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.controls import Bar, Segments, column, flat_button, label, row
from annotator.ui.painting import draw_tag
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, HUES, SPACE
from annotator.view_state import Side
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Rect, Size

_CHANGED: Final = OutlineStyle(pens=(QPen(QColor(HALO), 4), QPen(QColor(HUES["group"]), 2)), margin=2)


class _PaneLayer(CanvasLayer):
    """Marks what the step did, and writes a caption.

    Attributes:
        caption: which picture it is, in words.
        action: what the step did, if it was done on this picture.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.caption = ""
        self.action: ActionMark | None = None

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if self.action is not None:
            paint_action(painter, viewport, self.action)
        palette = self._theme.palette
        draw_tag(painter, self.caption, palette.toast, palette.on_toast)


class Pane(PictureView):
    """A picture with a caption, with what differs marked on it, and perhaps with what the step did.

    Signals:
        pushed: the user zoomed or panned; carries the viewport.
        left: Esc was pressed.
        flipped: Space was pressed, or the picture was clicked.

    Attributes:
        changed: what differs.
        marks: the caption, and what the step did.
    """

    pushed = Signal(object)
    left = Signal()
    flipped = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.changed, self.marks = OutlineLayer(lambda: _CHANGED), _PaneLayer(theme)
        self._following = False
        self.add_layer(self.changed)
        self.add_layer(self.marks)
        self.view_changed.connect(self._on_view)

    def set_caption(self, caption: str, *, action: ActionMark | None = None) -> None:
        """Say which picture it is, and what was done on it."""
        self.marks.caption, self.marks.action = caption, action
        self.setAccessibleName(caption)
        self.update()

    def show_regions(self, regions: tuple[Rect, ...]) -> None:
        """Mark what differs."""
        self.changed.show(regions)
        self.update()

    def show_size(self, size: Size) -> None:
        """Prepare for a picture of this size."""
        self._follow(self.viewport.showing(size))

    def follow(self, viewport: Viewport) -> None:
        """Lie as the picture beside this one lies, without telling anybody."""
        self._follow(replace(viewport, picture=self.viewport.picture, width=self.width(), height=self.height()))

    def show_middle(self, viewport: Viewport) -> None:
        """Show what a larger view of the picture has in its middle, without telling anybody."""
        self._follow(replace(viewport, picture=self.viewport.picture).in_window(self.width(), self.height()))

    def _on_view(self) -> None:
        if not self._following:
            self.pushed.emit(self.viewport)

    def _follow(self, viewport: Viewport) -> None:
        self._following = True
        self.set_view(viewport)
        self._following = False

    # Qt's events ----------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the place in a window of another size, each picture its own."""
        self._following = True
        super().resizeEvent(event)
        self._following = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pan with the left button too; there is nothing to edit here."""
        if event.button() in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            self.begin_pan(QPointF(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Esc, show the other picture with Space."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.flipped.emit()
        else:
            super().keyPressEvent(event)


Mode = Literal["split", "blink"]

_BLINK_MS = 250
"""Two pictures in half a second: 2 Hz, slow enough for everybody."""


class BeforeAfterView(Bar):
    """Two panes under a line that says what differs; in blink mode one of them has all the room.

    Signals:
        mode_chosen: ``split`` or ``blink``.
        left: back to the canvas.
        pushed: the user zoomed or pushed; carries the viewport.

    Attributes:
        mode: how the two are shown.
        front: which one is shown while they blink.
    """

    mode_chosen = Signal(str)
    left = Signal()
    pushed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__("page")
        self.setAccessibleName(tr("Comparison of before and after"))
        self.mode: Mode = "split"
        self.front: Side = "before"
        self._panes: dict[Side, Pane] = {"before": Pane(theme), "after": Pane(theme)}
        self.blinking = QTimer(self, interval=_BLINK_MS)
        self.blinking.timeout.connect(self._turn)
        for side, pane in self._panes.items():
            pane.pushed.connect(self._panes["after" if side == "before" else "before"].follow)
            pane.pushed.connect(self.pushed)
            pane.left.connect(self.left)
            pane.flipped.connect(self.flip)
        panes = row(*((pane, 1) for pane in self._panes.values()), spacing=1)
        column(self._bar(theme), (panes, 1), of=self, spacing=0)

    def _bar(self, theme: Theme) -> QWidget:
        bar = Bar("bar")
        tips = (tr("Both pictures beside each other"), tr("Both in the same place, in turn"))
        modes = (tr("Side by side"), tr("Blink"))
        self._modes = Segments(tr("Comparison"), modes, tips=tips, actions=("compare", "compare"))
        self._modes.chosen.connect(self._choose)
        self.words = label("", role="muted")
        close = flat_button("close", tr("Back to editing"), theme, keys="Esc", call=self.left)
        margins = (SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row(self._modes, (self.words, 1), close, of=bar, spacing=SPACE.m, margins=margins)
        return bar

    # What is shown --------------------------------------------------------------------------------------------

    def pane(self, side: Side) -> Pane:
        """One of the two."""
        return self._panes[side]

    def follow(self, viewport: Viewport) -> None:
        """Show on both what the canvas has in its middle, at its zoom."""
        for pane in self._panes.values():
            pane.show_middle(viewport)

    def show_difference(self, regions: tuple[Rect, ...], words: str) -> None:
        """What differs: marked on both, and in words."""
        for pane in self._panes.values():
            pane.show_regions(regions)
        self.words.setText(words)

    def set_mode(self, mode: Mode) -> None:
        """Side by side, or in turn; in turn by themselves only where the system wants things to move."""
        self.mode = mode
        self._modes.set_current(int(mode == "blink"))
        self.blinking.stop()
        if mode == "split":
            for pane in self._panes.values():
                pane.show()
        else:
            self._bring("before")
            if self.moves:
                self.blinking.start()
        self._panes["before"].setFocus()

    @property
    def moves(self) -> bool:
        """Whether the system wants things to move at all."""
        return self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0

    def _choose(self, place: int) -> None:
        self.mode_chosen.emit("blink" if place else "split")

    def flip(self) -> None:
        """Show the other picture and let it stand; only while they are shown in turn."""
        if self.mode == "blink":
            self.blinking.stop()
            self._turn()

    def show_side(self, side: Side) -> None:
        """Show this picture and let it stand; only while they are shown in turn."""
        if self.mode == "blink":
            self.blinking.stop()
            self._bring(side)

    def _turn(self) -> None:
        self._bring("after" if self.front == "before" else "before")

    def _bring(self, side: Side) -> None:
        had_focus = any(pane.hasFocus() for pane in self._panes.values())
        self.front = side
        # The new one first, or the column would have nothing to show for a moment.
        for pane in (self._panes[side], self._panes["after" if side == "before" else "before"]):
            pane.setVisible(pane is self._panes[side])
        if had_focus:
            self._panes[side].setFocus()
