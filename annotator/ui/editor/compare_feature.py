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
from annotator.ui.controls import Bar, Segments, column, flat_button, label, on_escape, row, set_tip
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
        words: what differs.
        blinking: brings the other picture to the front.
        front: which one is shown while they blink.
    """

    def __init__(self, feature: CompareFeature) -> None:
        super().__init__("page")
        self._feature, self._context = feature, feature.context
        theme = self._context.theme
        self.setAccessibleName(tr("Comparison of before and after"))
        self.front: Side = "before"
        self._side: Side = self._context.view.side
        self._mirroring = False
        self._shown: tuple[str | None, ...] = ()
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
        on_escape(self, feature.leave)
        self._context.pictures.frame_ready.connect(self._on_ready)
        self._context.canvas.view_changed.connect(self._on_canvas)
        self._context.view.step_changed.connect(self._show)
        self._context.view.frame_changed.connect(self._on_side)

    def pane(self, side: Side) -> Pane:
        """One of the two."""
        return self._panes[side]

    def begin(self) -> None:
        """Show the pictures of the current step as the canvas lies."""
        self._shown = ()
        self._show()
        self._on_canvas()

    def show_mode(self) -> None:
        """Side by side, or in turn; in turn by themselves only where the system wants things to move."""
        blinks = self._feature.mode == "blink"
        self._modes.set_current(int(blinks))
        self.blinking.stop()
        if blinks:
            self._bring("before")
            if self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0:
                self.blinking.start()
            else:
                self._context.say(tr("The system asks for no motion: Space or B shows the other picture."))
        else:
            for pane in self._panes.values():
                pane.show()
        self._panes["before"].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the other picture with Space and let it stand, while they are shown in turn."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._stand(_OTHER[self.front])
        else:
            super().keyPressEvent(event)

    def _stand(self, side: Side) -> None:
        """Show this picture and let it stand; only while they are shown in turn."""
        if self._feature.mode == "blink":
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

    def _on_side(self) -> None:
        """B was pressed: the picture that was asked for stands."""
        side, self._side = self._side, self._context.view.side
        if side != self._side:
            self._stand(self._side)

    # What is shown --------------------------------------------------------------------------------------------

    def _frames(self) -> dict[Side, Frame | None]:
        step = self._context.view.step
        return {"before": None if step is None else step.before, "after": None if step is None else step.after}

    def _show(self) -> None:
        if self._feature.mode == "off":
            return
        step, frames = self._context.view.step, self._frames()
        action = None if step is None else mark_of(step, self._context.document)
        self._panes["before"].set_caption(tr("Before"), action=action)
        self._panes["after"].set_caption(tr("After"))
        shown = tuple(None if frame is None else frame.id for frame in frames.values())
        if shown == self._shown:
            # The step was edited; its pictures are the same.
            return
        self._shown = shown
        for side, frame in frames.items():
            pane = self._panes[side]
            if frame is None:
                pane.show_message(NO_PICTURE[side])
            else:
                pane.follow(pane.viewport.showing(frame.size))
                pane.show_picture(self._context.pictures.frame(frame.id))
        self._show_difference((), "")
        before, after = frames["before"], frames["after"]
        if before is not None and after is not None:
            self._compare(before.id, after.id)

    def _compare(self, before: str, after: str) -> None:
        library = self._context.session.library

        def show(comparison: PictureComparison) -> None:
            if self._shown == (before, after):
                self._show_difference(comparison.regions, difference_words(comparison))

        self._context.operations.start(
            lambda: compare(library.get_image(before), library.get_image(after)),
            on_result=show,
            # The pane of a damaged picture says so itself; what differs stays untold.
            on_error=lambda error: self._context.say(str(error)),
            lane="library",
            newest="compare",
        )

    def _show_difference(self, regions: tuple[Rect, ...], words: str) -> None:
        for pane in self._panes.values():
            pane.changed.show(regions)
            pane.update()
        self.words.setText(words)

    def _on_ready(self, frame_id: str) -> None:
        for side, frame in self._frames().items():
            if self._feature.mode != "off" and frame is not None and frame.id == frame_id:
                self._panes[side].show_picture(self._context.pictures.frame(frame_id))

    # One zoom -------------------------------------------------------------------------------------------------

    def _on_canvas(self) -> None:
        """Keys and buttons zoom the canvas, also while it is hidden: the panes do the same."""
        if self._feature.mode != "off" and not self._mirroring:
            for pane in self._panes.values():
                own = replace(self._context.canvas.viewport, picture=pane.viewport.picture)
                pane.follow(own.in_window(pane.width(), pane.height()))

    def _on_pushed(self, side: Side) -> None:
        """The user zoomed or panned one picture: the other lies as it does, and the canvas has the same middle."""
        viewport, other, canvas = self._panes[side].viewport, self._panes[_OTHER[side]], self._context.canvas
        other.follow(replace(viewport, picture=other.viewport.picture, width=other.width(), height=other.height()))
        if viewport.picture == canvas.viewport.picture:
            self._mirroring = True
            canvas.set_view(viewport.in_window(canvas.viewport.width, canvas.viewport.height))
            self._mirroring = False


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
        words = tr("Compare before and after")
        self._button = flat_button("compare", words, context.theme)
        self._button.clicked.connect(lambda: self.set_mode("split") if self._button.isChecked() else self.leave())
        set_tip(self._button, words, action="compare")
        self._button.setCheckable(True)
        context.foot.add_tool(self._button)

    def go_round(self) -> None:
        """Side by side, then in turn, then off."""
        if self.mode == "blink":
            self.leave()
        else:
            self.set_mode("split" if self.mode == "off" else "blink")

    def set_mode(self, mode: Mode) -> None:
        """Compare in this way."""
        self.context.leave()
        if self.view is None:
            self.view = BeforeAfterView(self)
            self.context.keyring.connect_buttons(self.view)
        begins, self.mode = self.mode == "off", mode
        self._button.setChecked(True)
        self.context.replace_canvas(self.view)
        self.view.show_mode()
        if begins:
            self.view.begin()

    def leave(self) -> None:
        """Back to editing."""
        self.mode = "off"
        self._button.setChecked(False)
        if self.view is not None:
            self.view.blinking.stop()
        self.context.replace_canvas(None)

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key("compare", tr("Compare before and after: side by side, blink, off (Space flips)"), ("=",), "View",
            call=go_round),
    )  # fmt: skip
