"""A picture view that follows the view state: it shows the frame that is asked for, and what was covered on it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent, QImage, QPainter
from PySide6.QtWidgets import QToolTip, QWidget

from annotator.capture_words import covered_words
from annotator.ui.canvas.covered import covers_point, paint_covered
from annotator.ui.canvas.layers import Screenshot
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.frames import Frame
from demopack.errors import DemopackError

__all__ = ["FrameView"]


class FrameView(PictureView):
    """The frame of the view state, loaded in the background; the last one stays until the next is there."""

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._view = view
        self._pictures = pictures
        self._shown_id: str | None = None
        self._ends: list[Callable[[], None]] = [view.frame_changed.connect(self._show_frame)]
        pictures.frame_ready.connect(self._on_frame_ready)

    def close_view(self) -> None:
        """Stop following; called before the document goes."""
        for end in self._ends:
            end()
        self._pictures.frame_ready.disconnect(self._on_frame_ready)
        self._theme.changed.disconnect(self.drop_layer)

    def begin_frame(self, frame: Frame | None) -> None:
        """For those who inherit: another frame is going to be shown, or none."""

    def paint_still(self, painter: QPainter) -> None:
        """What was covered lies under everything else."""
        frame = self._view.frame
        if frame is not None and frame.id == self._shown_id:
            paint_covered(painter, self._viewport, frame)

    def _show_frame(self) -> None:
        frame = self._view.frame
        if frame is None:
            self._shown_id = None
            self.begin_frame(None)
            empty = self._view.step is None
            sides = {
                "before": tr("There is no picture before this step."),
                "after": tr("There is no picture after this step."),
            }
            what = tr("This demo has no steps.") if empty else sides[self._view.side]
            self.show_shot(None, message=what)
            return
        self.look(self._viewport.showing(frame.size))
        if frame.id != self._shown_id:
            self._set_picture(frame.id)
        self.begin_frame(frame)

    def _set_picture(self, frame_id: str) -> None:
        found = self._pictures.frame(frame_id)
        self._shown_id = None if found is None else frame_id
        if isinstance(found, QImage):
            self.show_shot(Screenshot(found))
        elif isinstance(found, DemopackError):
            self.show_shot(None, message=f"{found.user_message}\n{found.hint}")
        else:
            # The last picture stays until the new one is there, which is calmer than a flash of grey.
            self.show_shot(self._shot)

    def _on_frame_ready(self, frame_id: str) -> None:
        frame = self._view.frame
        if frame is not None and frame.id == frame_id and self._shown_id != frame_id:
            self._set_picture(frame_id)

    def event(self, event: QEvent) -> bool:
        """Qt's hook: over a covered area a tooltip says what it is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            x, y = self._viewport.to_picture(event.pos().x(), event.pos().y())
            frame = self._view.frame
            if covers_point(frame, x, y):
                QToolTip.showText(event.globalPos(), covered_words(frame), self)
                return True
            QToolTip.hideText()
        return super().event(event)
