"""Compares the pictures before and after the current step; one key goes round."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

from PySide6.QtGui import QImage

from annotator.propagate.comparison import PictureComparison, compare, difference_words
from annotator.ui.canvas.action_mark import mark_of
from annotator.ui.controls import flat_button, set_tip
from annotator.ui.editor.compare_view import BeforeAfterView, Mode
from annotator.ui.editor.editor_context import EditorContext, Feature
from annotator.ui.keys.key import Key
from annotator.view_state import Side
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError
from demopack.store import Library


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
        self._button = flat_button("compare", words, context.theme, call=self._on_button)
        set_tip(self._button, words, action="compare")
        self._button.setCheckable(True)
        context.add_foot_tool(self._button)
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

    def set_mode(self, mode: str) -> None:
        """Compare in this way."""
        self.context.leave()
        view = self._opened()
        begins = self.mode == "off"
        self.mode = "blink" if mode == "blink" else "split"
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

    def _opened(self) -> BeforeAfterView:
        if self.view is None:
            self.view = BeforeAfterView(self.context.theme)
            self.context.keyring.connect_buttons(self.view)
            self.view.mode_chosen.connect(self.set_mode)
            self.view.left.connect(self.leave)
            self.view.pushed.connect(self._on_pane)
        return self.view

    def _on_button(self, on: bool) -> None:  # noqa: FBT001 - a slot; the signal has one argument
        if on:
            self.set_mode("split")
        else:
            self.leave()

    # What is shown --------------------------------------------------------------------------------------------

    def _frames(self) -> dict[Side, Frame | None]:
        step = self.context.view.step
        if step is None:
            return {"before": None, "after": None}
        return {"before": step.before, "after": step.after}

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
            if frame is not None:
                view.pane(side).show_size(frame.size)
            self._show_picture(side, frame)
        view.show_difference((), "")
        before, after = frames["before"], frames["after"]
        if before is not None and after is not None:
            self._compare(before.id, after.id)

    def _compare(self, before: str, after: str) -> None:
        self.context.operations.start(
            partial(_compared, self.context.session.library, before, after),
            on_result=partial(self._on_compared, before, after),
            on_error=self._on_failed,
            lane="library",
            newest="compare",
        )

    def _on_failed(self, error: Exception) -> None:
        """The pane of a damaged picture says so itself; what differs stays untold."""
        self.context.say(str(error))

    def _show_picture(self, side: Side, frame: Frame | None) -> None:
        if self.view is None:
            return
        pane = self.view.pane(side)
        if frame is None:
            before, after = tr("There is no picture before this step."), tr("There is no picture after this step.")
            pane.show_message(before if side == "before" else after)
            return
        found = self.context.pictures.frame(frame.id)
        if isinstance(found, QImage):
            pane.show_picture(found)
        elif isinstance(found, DemopackError):
            pane.show_message(f"{found.user_message}\n{found.hint}")

    def _on_ready(self, frame_id: str) -> None:
        if self.mode == "off":
            return
        for side, frame in self._frames().items():
            if frame is not None and frame.id == frame_id:
                self._show_picture(side, frame)

    def _on_compared(self, before: str, after: str, comparison: PictureComparison) -> None:
        if self.view is not None and self._shown == (before, after):
            self.view.show_difference(comparison.regions, difference_words(comparison))

    # One zoom -------------------------------------------------------------------------------------------------

    def _on_canvas(self) -> None:
        """Keys and buttons zoom the canvas, also while it is hidden: the panes do the same."""
        if self.view is not None and self.mode != "off" and not self._mirroring:
            self.view.follow(self.context.canvas.viewport)

    def _on_pane(self, viewport: Viewport) -> None:
        """Back on the canvas the same place is in the middle."""
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


def _compared(library: Library, before: str, after: str) -> PictureComparison:
    return compare(library.get_image(before), library.get_image(after))
