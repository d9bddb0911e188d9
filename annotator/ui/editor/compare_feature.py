"""Compares the pictures before and after the current step, in the canvas's place; one key goes round."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Final, Literal

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QStyle

from annotator.propagate.comparison import PictureComparison, compare, difference_words
from annotator.ui.canvas.action_mark import ActionMark, mark_of, paint_action
from annotator.ui.canvas.canvas import NO_PICTURE
from annotator.ui.canvas.layers import CanvasLayer, OutlineLayer, OutlineStyle
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.controls import Bar, Segments, column, flat_button, label, row, set_tip
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.ui.painting import draw_tag
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, HUES, SPACE
from annotator.view_state import Side
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect

_CHANGED: Final = OutlineStyle(pens=(QPen(QColor(HALO), 4), QPen(QColor(HUES["group"]), 2)), margin=2)


class _PaneLayer(CanvasLayer):
    """Marks what the step did, if it was done on this picture, and says in a caption which picture it is."""

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

    Attributes:
        changed: what differs.
        marks: the caption, and what the step did.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.changed, self.marks = OutlineLayer(lambda: _CHANGED), _PaneLayer(theme)
        self.add_layer(self.changed)
        self.add_layer(self.marks)

    def set_caption(self, caption: str, *, action: ActionMark | None = None) -> None:
        """Say which picture it is, and what was done on it."""
        self.marks.caption, self.marks.action = caption, action
        self.setAccessibleName(caption)
        self.update()

    def follow(self, viewport: Viewport) -> None:
        """Lie as another picture lies, without telling anybody."""
        with QSignalBlocker(self):
            self.set_view(viewport)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the place in a window of another size, each picture its own."""
        with QSignalBlocker(self):
            super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pan with the left button too; there is nothing to edit here."""
        if event.button() in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            self.begin_pan(QPointF(event.position()))


Mode = Literal["split", "blink"]

_OTHER: Final[dict[Side, Side]] = {"before": "after", "after": "before"}
_BLINK_MS = 250
"""Two pictures in half a second: 2 Hz, slow enough for everybody."""


class BeforeAfterView(Bar):
    """Two panes under a line that says what differs; in blink mode one of them has all the room.

    Attributes:
        mode: how the two are shown.
        front: which one is shown while they blink.
    """

    def __init__(self, feature: CompareFeature) -> None:
        super().__init__("page")
        self._feature = feature
        theme = feature.context.theme
        self.setAccessibleName(tr("Comparison of before and after"))
        self.mode: Mode = "split"
        self.front: Side = "before"
        self.blinking = QTimer(self, interval=_BLINK_MS)
        self.blinking.timeout.connect(lambda: self._bring(_OTHER[self.front]))
        self._panes: dict[Side, Pane] = {side: Pane(theme) for side in _OTHER}
        for side, pane in self._panes.items():
            pane.view_changed.connect(partial(self._on_pushed, side))
        panes = row(*((pane, 1) for pane in self._panes.values()), spacing=1)
        bar = Bar("bar")
        tips = (tr("Both pictures beside each other"), tr("Both in the same place, in turn"))
        modes = (tr("Side by side"), tr("Blink"))
        self._modes = Segments(tr("Comparison"), modes, tips=tips, actions=("compare", "compare"))
        self._modes.chosen.connect(lambda: feature.set_mode("blink" if self._modes.current else "split"))
        self.words = label("", role="muted")
        close = flat_button("close", tr("Back to editing"), theme, keys="Esc", call=feature.leave)
        margins = (SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row(self._modes, (self.words, 1), close, of=bar, spacing=SPACE.m, margins=margins)
        column(bar, (panes, 1), of=self, spacing=0)

    # What is shown --------------------------------------------------------------------------------------------

    def pane(self, side: Side) -> Pane:
        """One of the two."""
        return self._panes[side]

    def follow(self, viewport: Viewport) -> None:
        """Show on both what the canvas has in its middle, at its zoom."""
        for pane in self._panes.values():
            own = replace(viewport, picture=pane.viewport.picture)
            pane.follow(own.in_window(pane.width(), pane.height()))

    def show_difference(self, regions: tuple[Rect, ...], words: str) -> None:
        """What differs: marked on both, and in words."""
        for pane in self._panes.values():
            pane.changed.show(regions)
            pane.update()
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

    def _on_pushed(self, side: Side) -> None:
        """The user zoomed or panned one picture: the other lies as it does."""
        viewport, other = self._panes[side].viewport, self._panes[_OTHER[side]]
        other.follow(replace(viewport, picture=other.viewport.picture, width=other.width(), height=other.height()))
        self._feature.show_place(viewport)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave with Esc; with Space show the other picture and let it stand, while they are shown in turn."""
        if event.key() == Qt.Key.Key_Escape:
            self._feature.leave()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.show_side(_OTHER[self.front])
        else:
            super().keyPressEvent(event)

    def show_side(self, side: Side) -> None:
        """Show this picture and let it stand; only while they are shown in turn."""
        if self.mode == "blink":
            self.blinking.stop()
            self._bring(side)

    def _bring(self, side: Side) -> None:
        had_focus = any(pane.hasFocus() for pane in self._panes.values())
        self.front = side
        # The new one first, or the column would have nothing to show for a moment.
        for pane in (self._panes[side], self._panes[_OTHER[side]]):
            pane.setVisible(pane is self._panes[side])
        if had_focus:
            self._panes[side].setFocus()


class CompareFeature(Feature):
    """The key, the button in the foot, and the view that takes the canvas's place.

    Attributes:
        view: the two pictures; made when it is first asked for.
        mode: how the pictures are compared.
    """

    def __init__(self, context: EditorContext) -> None:
        super().__init__(context)
        self.view: BeforeAfterView | None = None
        self.mode: Mode | Literal["off"] = "off"
        self._side: Side = context.view.side
        self._mirroring = False
        self._shown: tuple[str | None, ...] = ()
        words = tr("Compare before and after")
        self._button = flat_button("compare", words, context.theme)
        self._button.clicked.connect(lambda: self.set_mode("split") if self._button.isChecked() else self.leave())
        set_tip(self._button, words, action="compare")
        self._button.setCheckable(True)
        context.foot.tools.addWidget(self._button)
        context.pictures.frame_ready.connect(self._on_ready)
        context.canvas.view_changed.connect(self._on_canvas)
        context.view.step_changed.connect(self._show)
        context.view.frame_changed.connect(self._on_side)

    def go_round(self) -> None:
        """Side by side, then in turn, then off."""
        if self.mode == "off":
            self.set_mode("split")
        elif self.mode == "split":
            self.set_mode("blink")
        else:
            self.leave()

    def set_mode(self, mode: Mode) -> None:
        """Compare in this way."""
        self.context.leave()
        if self.view is None:
            self.view = BeforeAfterView(self)
            self.context.keyring.connect_buttons(self.view)
        view, begins = self.view, self.mode == "off"
        self.mode = mode
        self._button.setChecked(True)
        self.context.replace_canvas(view)
        view.set_mode(self.mode)
        if begins:
            self._shown = ()
            self._show()
            self._on_canvas()
        if self.mode == "blink" and not view.moves:
            self.context.say(tr("The system asks for no motion: Space or B shows the other picture."))

    def leave(self) -> None:
        """Back to editing."""
        self.mode = "off"
        self._button.setChecked(False)
        if self.view is not None:
            self.view.blinking.stop()
        self.context.replace_canvas(None)

    # What is shown --------------------------------------------------------------------------------------------

    def _frames(self) -> dict[Side, Frame | None]:
        step = self.context.view.step
        return {"before": None if step is None else step.before, "after": None if step is None else step.after}

    def _show(self) -> None:
        view, step = self.view, self.context.view.step
        if view is None or self.mode == "off":
            return
        frames = self._frames()
        action = None if step is None else mark_of(step, self.context.document)
        view.pane("before").set_caption(tr("Before"), action=action)
        view.pane("after").set_caption(tr("After"))
        shown = tuple(None if frame is None else frame.id for frame in frames.values())
        if shown == self._shown:
            # The step was edited; its pictures are the same.
            return
        self._shown = shown
        for side, frame in frames.items():
            pane = view.pane(side)
            if frame is not None:
                pane.follow(pane.viewport.showing(frame.size))
            self._show_picture(pane, side, frame)
        view.show_difference((), "")
        before, after = frames["before"], frames["after"]
        if before is not None and after is not None:
            self._compare(before.id, after.id)

    def _compare(self, before: str, after: str) -> None:
        library = self.context.session.library

        def show(comparison: PictureComparison) -> None:
            if self.view is not None and self._shown == (before, after):
                self.view.show_difference(comparison.regions, difference_words(comparison))

        self.context.operations.start(
            lambda: compare(library.get_image(before), library.get_image(after)),
            on_result=show,
            # The pane of a damaged picture says so itself; what differs stays untold.
            on_error=lambda error: self.context.say(str(error)),
            lane="library",
            newest="compare",
        )

    def _show_picture(self, pane: Pane, side: Side, frame: Frame | None) -> None:
        if frame is None:
            pane.show_message(NO_PICTURE[side])
        else:
            pane.show_picture(self.context.pictures.frame(frame.id))

    def _on_ready(self, frame_id: str) -> None:
        for side, frame in self._frames().items():
            if self.view is not None and self.mode != "off" and frame is not None and frame.id == frame_id:
                self._show_picture(self.view.pane(side), side, frame)

    # One zoom -------------------------------------------------------------------------------------------------

    def _on_canvas(self) -> None:
        """Keys and buttons zoom the canvas, also while it is hidden: the panes do the same."""
        if self.view is not None and self.mode != "off" and not self._mirroring:
            self.view.follow(self.context.canvas.viewport)

    def show_place(self, viewport: Viewport) -> None:
        """A pane shows another part: back on the canvas the same place is in the middle."""
        canvas = self.context.canvas
        if viewport.picture == canvas.viewport.picture:
            self._mirroring = True
            canvas.set_view(viewport.in_window(canvas.viewport.width, canvas.viewport.height))
            self._mirroring = False

    def _on_side(self) -> None:
        """B was pressed: the picture that was asked for stands."""
        side, self._side = self._side, self.context.view.side
        if self.view is not None and self.mode == "blink" and side != self._side:
            self.view.show_side(self._side)

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("compare", tr("Compare before and after: side by side, blink, off (Space flips)"), ("=",), "View",
            call=go_round),
    )  # fmt: skip
