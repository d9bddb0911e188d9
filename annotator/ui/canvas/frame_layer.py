"""The frame of the view state on a picture view: loaded in the background, with a hatch over what was painted over."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from annotator.step_words import covered_words
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.canvas.picture_view import PictureView
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.view_state import ViewState
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Point
from demopack.errors import DemopackError

# The same in every theme: it lies on a screenshot, whose colours no theme changes.
_GROUND, _LINES = QColor(128, 134, 146, 46), QColor(96, 102, 114, 150)


class FrameLayer(CanvasLayer):
    """Shows the frame that is asked for; the last one stays until the next is there."""

    def __init__(self, shown_on: PictureView, view: ViewState, pictures: ScreenshotCache) -> None:
        self._shown_on = shown_on
        self._view = view
        self._pictures = pictures
        self._shown_id: str | None = None

    @property
    def loaded(self) -> bool:
        """Whether the picture that is shown is that of the current frame."""
        frame = self._view.frame
        return frame is not None and frame.id == self._shown_id

    def show_frame(self) -> None:
        """Show the picture of the current frame, or say why there is none."""
        frame = self._view.frame
        if frame is None:
            self._shown_id = None
            sides = {
                "before": tr("There is no picture before this step."),
                "after": tr("There is no picture after this step."),
            }
            empty = self._view.step is None
            self._shown_on.show_message(tr("This demo has no steps.") if empty else sides[self._view.side])
            return
        self._shown_on.set_view(self._shown_on.viewport.showing(frame.size))
        if frame.id != self._shown_id:
            self._set_picture(frame.id)

    def _set_picture(self, frame_id: str) -> None:
        found = self._pictures.frame(frame_id)
        self._shown_id = None if found is None else frame_id
        if isinstance(found, QImage):
            self._shown_on.show_picture(found)
        elif isinstance(found, DemopackError):
            self._shown_on.show_message(f"{found.user_message}\n{found.hint}")
        else:
            self._shown_on.keep_picture()

    def show_loaded(self, frame_id: str) -> None:
        """Show a picture that can be had now, if it is the one that is waited for."""
        frame = self._view.frame
        if frame is not None and frame.id == frame_id and not self.loaded:
            self._set_picture(frame_id)

    def paint_cached(self, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Hatch every covered box, in window pixels, so that the hatch is as fine at every zoom."""
        del area
        frame = self._view.frame
        if frame is None or not frame.covered or not self.loaded:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for box in frame.covered:
            # On whole pixels of the window: the frame is crisp, and nothing beside the box is touched.
            left, top = map(round, viewport.to_window(box.x1, box.y1))
            right, bottom = map(round, viewport.to_window(box.x2, box.y2))
            place = QRectF(left, top, right - left, bottom - top)
            painter.fillRect(place, _GROUND)
            painter.fillRect(place, QBrush(_LINES, Qt.BrushStyle.BDiagPattern))
            painter.setPen(QPen(_LINES, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5))

    def tooltip(self, at: LayerPointer, viewport: Viewport) -> str:
        """Reason why pixels were painted over."""
        del viewport
        frame, pixel = self._view.frame, Point(int(at.x), int(at.y))
        covered = frame is not None and any(box.contains(pixel) for box in frame.covered)
        return covered_words(frame) if covered else ""
