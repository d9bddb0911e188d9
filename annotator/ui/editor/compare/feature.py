"""Compares the pictures before and after the current step; one key goes round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar, Literal

from PySide6.QtGui import QImage

from annotator.across.comparison import Comparison, compare
from annotator.across.difference_words import difference_words
from annotator.ui.canvas.layers import Screenshot
from annotator.ui.canvas.marks import mark_of
from annotator.ui.controls import flat_button
from annotator.ui.editor.compare.view import CompareView, Mode
from annotator.ui.editor.feature import Desk, Feature
from annotator.ui.editor.keys import Key
from annotator.view_state import Side
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError
from demopack.store import Library

__all__ = ["CompareFeature"]


class CompareFeature(Feature):
    """The key, the button in the foot, and the view that takes the canvas's place.

    Attributes:
        view: the two pictures; made when it is first asked for.
    """

    KEYS: ClassVar[tuple[Key, ...]] = (
        Key(
            name="compare",
            words=tr("Compare before and after: side by side, blink, off (Space flips)"),
            keys=("=",),
            group="View",
        ),
    )

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.view: CompareView | None = None
        self._mode: Mode | Literal["off"] = "off"
        self._side: Side = desk.view.side
        self._mirroring = False
        self._shown: tuple[str | None, ...] = ()
        self._button = flat_button("compare", tr("Compare before and after"), desk.theme, keys="=")
        self._button.setCheckable(True)
        self._button.clicked.connect(self._on_button)
        desk.add_foot_tool(self._button)
        desk.pictures.frame_ready.connect(self._on_ready)
        desk.canvas.looked.connect(self._on_canvas)
        self._ends = [
            desk.view.step_changed.connect(self._show),
            desk.view.frame_changed.connect(self._on_side),
        ]

    @property
    def mode(self) -> Mode | Literal["off"]:
        """How the pictures are compared."""
        return self._mode

    def calls(self) -> Mapping[str, Callable[[], object]]:
        """See :class:`Feature`."""
        return {"compare": self.go_round}

    def close_view(self) -> None:
        """See :class:`Feature`."""
        self.desk.pictures.frame_ready.disconnect(self._on_ready)
        self.desk.canvas.looked.disconnect(self._on_canvas)
        if self.view is not None:
            self.view.stop()
        for end in self._ends:
            end()

    def go_round(self) -> None:
        """Side by side, then in turn, then off."""
        if self._mode == "off":
            self.set_mode("split")
        elif self._mode == "split":
            self.set_mode("blink")
        else:
            self.leave()

    def set_mode(self, mode: str) -> None:
        """Compare in this way."""
        self.desk.leave()
        view = self._opened()
        begins = self._mode == "off"
        self._mode = "blink" if mode == "blink" else "split"
        self._button.setChecked(True)
        self.desk.replace_canvas(view)
        view.set_mode(self._mode)
        if begins:
            self._shown = ()
            self._show()
            self._on_canvas()
        if self._mode == "blink" and not view.moves:
            self.desk.say(tr("The system asks for no motion: Space or B shows the other picture."))

    def leave(self) -> None:
        """Back to editing."""
        self._mode = "off"
        self._button.setChecked(False)
        if self.view is not None:
            self.view.stop()
        self.desk.replace_canvas(None)

    def _opened(self) -> CompareView:
        if self.view is None:
            self.view = CompareView(self.desk.theme)
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
        step = self.desk.view.step
        if step is None:
            return {"before": None, "after": None}
        return {"before": step.before, "after": step.after}

    def _show(self) -> None:
        view, step = self.view, self.desk.view.step
        if view is None or self._mode == "off":
            return
        frames = self._frames()
        action = None if step is None else mark_of(step, self.desk.document)
        view.pane("before").show_picture(tr("Before"), action=action)
        view.pane("after").show_picture(tr("After"))
        shown = tuple(None if frame is None else frame.id for frame in frames.values())
        if shown == self._shown:
            # The step was edited; its pictures are the same.
            return
        self._shown = shown
        for side, frame in frames.items():
            if frame is not None:
                view.pane(side).show_size(frame.size)
            self._show_shot(side, frame)
        view.show_difference((), "")
        before, after = frames["before"], frames["after"]
        if before is not None and after is not None:
            self._compare(before.id, after.id)

    def _compare(self, before: str, after: str) -> None:
        self.desk.runner.newest(
            f"compare-{id(self)}",
            partial(_compared, self.desk.session.library, before, after),
            on_result=partial(self._on_compared, before, after),
            on_error=self._on_failed,
        )

    def _on_failed(self, error: Exception) -> None:
        """The pane of a damaged picture says so itself; what differs stays untold."""
        if not self.desk.session.closed:
            self.desk.say(str(error))

    def _show_shot(self, side: Side, frame: Frame | None) -> None:
        if self.view is None:
            return
        if frame is None:
            self.view.show_shot(
                side,
                None,
                message=(
                    tr("There is no picture before this step.")
                    if side == "before"
                    else tr("There is no picture after this step.")
                ),
            )
            return
        found = self.desk.pictures.frame(frame.id)
        if isinstance(found, QImage):
            self.view.show_shot(side, Screenshot(found))
        elif isinstance(found, DemopackError):
            self.view.show_shot(side, None, message=f"{found.user_message}\n{found.hint}")

    def _on_ready(self, frame_id: str) -> None:
        if self._mode == "off":
            return
        for side, frame in self._frames().items():
            if frame is not None and frame.id == frame_id:
                self._show_shot(side, frame)

    def _on_compared(self, before: str, after: str, comparison: Comparison) -> None:
        if self.view is not None and self._shown == (before, after):
            self.view.show_difference(comparison.regions, difference_words(comparison))

    # One zoom -------------------------------------------------------------------------------------------------

    def _on_canvas(self) -> None:
        """Keys and buttons zoom the canvas, also while it is hidden: the panes do the same."""
        if self.view is not None and self._mode != "off" and not self._mirroring:
            self.view.follow(self.desk.canvas.viewport)

    def _on_pane(self, viewport: Viewport) -> None:
        """Back on the canvas the same place is in the middle."""
        canvas = self.desk.canvas
        if viewport.picture == canvas.viewport.picture:
            self._mirroring = True
            canvas.look(viewport.in_window(canvas.viewport.width, canvas.viewport.height))
            self._mirroring = False

    def _on_side(self) -> None:
        """B was pressed: the picture that was asked for stands."""
        side, self._side = self._side, self.desk.view.side
        if self.view is not None and self._mode == "blink" and side != self._side:
            self.view.show_side(self._side)


def _compared(library: Library, before: str, after: str) -> Comparison:
    return compare(library.get_image(before), library.get_image(after))
