"""The canvas: a picture view that shows the current frame with its boxes, and lets a tool work on them."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from annotator.hit_testing import BoxIndex
from annotator.snap.tighten import Image
from annotator.step_words import covered_words
from annotator.tools import TOOLS, Cursor, GestureOutcome, PointerInput, Tool, ToolContext, ToolName
from annotator.ui.canvas.box_layer import BoxLayer
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.canvas.picture_view import PictureView, pixels_of
from annotator.ui.screenshot_cache import ScreenshotCache
from annotator.ui.theme.manager import Theme
from annotator.view_state import Side, ViewState
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.geometry import Point, Size

# The same in every theme: it lies on a screenshot, whose colours no theme changes.
_GROUND, _LINES = QColor(128, 134, 146, 46), QColor(96, 102, 114, 150)


NO_PICTURE: Final[dict[Side, str]] = {
    "before": tr("There is no picture before this step."),
    "after": tr("There is no picture after this step."),
}


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
            empty = self._view.step is None
            self._shown_on.show_message(tr("This demo has no steps.") if empty else NO_PICTURE[self._view.side])
            return
        self._shown_on.set_view(self._shown_on.viewport.showing(frame.size))
        if frame.id == self._shown_id:
            return
        found = self._pictures.frame(frame.id)
        self._shown_id = None if found is None else frame.id
        self._shown_on.show_picture(found)

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


_REACH_PX = 6.0
_EXTEND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

_CURSORS: dict[Cursor, Qt.CursorShape] = {
    "arrow": Qt.CursorShape.ArrowCursor,
    "draw": Qt.CursorShape.CrossCursor,
    "move": Qt.CursorShape.SizeAllCursor,
    "pick": Qt.CursorShape.PointingHandCursor,
    "size_h": Qt.CursorShape.SizeHorCursor,
    "size_v": Qt.CursorShape.SizeVerCursor,
    "size_down": Qt.CursorShape.SizeFDiagCursor,
    "size_up": Qt.CursorShape.SizeBDiagCursor,
}


class Canvas(PictureView):
    """The current frame with its boxes, under a tool.

    Its parts: a :class:`FrameLayer` and a :class:`BoxLayer` that paint, the tool that has the pointer, and a
    :class:`ToolContext` that says what tools work on.

    Attributes:
        tools: what tools work on; the type of the next box, and whether edges snap.
        tool_name: which tool has the pointer.
        tool: that tool.

    Signals:
        commanded: a command to carry out.
        picked: uid of the element that was clicked while a target is picked.
        approved: Space was pressed and released without panning.
        pointed: a :class:`LayerPointer`, and what to select where nothing can be seen: a click that puts a box around
            what lies there.
        opened: uid of an element that was double-clicked.
        tool_changed: another tool has the pointer.
        loaded: the pixels of the frame that is shown were read.
    """

    commanded = Signal(object)
    picked = Signal(str)
    pointed = Signal(object, tuple)
    approved = Signal()
    opened = Signal(str)
    tool_changed = Signal()
    loaded = Signal()

    def __init__(self, view: ViewState, pictures: ScreenshotCache, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._view = view
        self.tools = ToolContext(frame_id="", size=Size(1, 1), boxes=BoxIndex(()))
        self.tool_name: ToolName = "select"
        self.tool: Tool = TOOLS["select"](self.tools)
        self._space: Literal["up", "held", "used"] = "up"
        self._frame = FrameLayer(self, view, pictures)
        self._boxes = BoxLayer(self, view, self.tools, theme)
        self.add_layer(self._frame)
        self.add_layer(self._boxes)
        view.frame_changed.connect(self._show_frame)
        view.selection_changed.connect(self._on_selection)
        pictures.frame_ready.connect(self._on_picture)
        self.setAccessibleName(tr("Screenshot"))
        self.setAccessibleDescription(tr("Drag to draw a box, click to select one, Tab for the next."))
        self._show_frame()

    # What is shown --------------------------------------------------------------------------------------------

    @property
    def pixels(self) -> Image | None:
        """The pixels of the frame that is shown, shape (height, width, 4), blue first; None until they are there."""
        picture = self.picture
        return None if picture is None or not self._frame.loaded else pixels_of(picture)

    def toggle_letters(self) -> None:
        """Show each box's letter, and its text where there is room, or no longer."""
        self._boxes.toggle_letters()

    def box_on_screen(self, uid: str) -> QRect:
        """The place of an element's box in the widget; empty when it is gone."""
        element = self._view.document.element(uid)
        return QRect() if element is None else window_rect(self.viewport, element.box).toRect()

    def uid_at(self, at: QPoint) -> str | None:
        """The smallest box at a place of the widget; None where none lies."""
        found = self._boxes.index.at(*self.viewport.to_picture(at.x(), at.y()))
        return found[0] if found else None

    def _show_frame(self) -> None:
        self.tool.cancel()
        self._frame.show_frame()
        self._boxes.show_frame()
        frame, context = self._view.frame, self.tools
        context.boxes, context.selection, context.image = self._boxes.index, self._view.selection, None
        if frame is not None:
            context.frame_id, context.size = frame.id, frame.size

    def _on_picture(self, frame_id: str) -> None:
        if self._view.is_on(frame_id):
            self._frame.show_frame()
            self.loaded.emit()

    def _on_selection(self) -> None:
        self.tools.selection = self._view.selection
        element = self._view.element
        if element is not None and not self.tool.active:
            self.set_view(self.viewport.revealing(element.box))

    # Tools ----------------------------------------------------------------------------------------------------

    def use_tool(self, name: ToolName) -> None:
        """Give another tool the pointer; a gesture under way is taken back."""
        self._cancel_gesture()
        self.tool_name, self.tool = name, TOOLS[name](self.tools)
        self._show_cursor()
        self.tool_changed.emit()

    def toggle_tool(self, name: ToolName) -> None:
        """Give a tool the pointer, or take it back; the canvas has the keyboard, so that Esc ends it."""
        self.use_tool("select" if self.tool_name == name else name)
        self.setFocus()

    def toggle_snaps(self) -> None:
        """Let edges snap while they are dragged, or no longer."""
        self.tools.snaps = not self.tools.snaps

    def _cancel_gesture(self) -> bool:
        cancelled = self.tool.cancel()
        if cancelled:
            self._boxes.show_preview(None)
        return cancelled

    def _finish(self, outcome: GestureOutcome, at: QPointF) -> None:
        self._boxes.show_preview(None)
        if outcome.picked is not None:
            self.use_tool("select")
            self.picked.emit(outcome.picked)
        elif outcome.pointed is not None:
            self.pointed.emit(self._layer_pointer(at), outcome.selection)
        else:
            if outcome.command is not None:
                self.commanded.emit(outcome.command)
            self._view.select(outcome.selection)

    # Pointer --------------------------------------------------------------------------------------------------

    def _input(self, event: QMouseEvent) -> PointerInput:
        held = event.modifiers()
        x, y = self.viewport.to_picture(event.position().x(), event.position().y())
        return PointerInput(
            x=x,
            y=y,
            reach=_REACH_PX / self.viewport.scale,
            force_draw=bool(held & Qt.KeyboardModifier.AltModifier),
            extend=bool(held & _EXTEND),
            gather=bool(held & Qt.KeyboardModifier.ShiftModifier),
            free=bool(held & Qt.KeyboardModifier.ControlModifier),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pan with the middle button or with Space; else begin a gesture of the tool."""
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        elif self._space != "up":
            self._space = "used"
            self.begin_pan(event.position())
        elif self.picture is not None and self._view.frame is not None:
            self.tools.image = self.pixels
            result = self.tool.press(self._input(event))
            if isinstance(result, GestureOutcome):
                self._finish(result, event.position())
            elif result is not None:
                self._boxes.show_preview(result)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan, go on with a gesture, or hover."""
        super().mouseMoveEvent(event)
        if self.panning or self._view.frame is None:
            return
        at = self._input(event)
        if self.tool.active:
            self._boxes.show_preview(self.tool.move(at))
            return
        uid, cursor = self.tool.hover(at)
        self._show_cursor(cursor)
        self._boxes.hover(uid)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End panning, or the gesture."""
        if self.panning:
            super().mouseReleaseEvent(event)
            self._show_cursor()
        elif event.button() == Qt.MouseButton.LeftButton and self.tool.active:
            outcome = self.tool.release(self._input(event))
            if outcome is not None:
                self._finish(outcome, event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the selected element for writing; without one, point at what can be seen.

        Only while boxes are selected: to other tools two quick clicks are two clicks.
        """
        if event.button() != Qt.MouseButton.LeftButton or self._space != "up" or self._view.frame is None:
            return
        if self.tool_name != "select" or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.mousePressEvent(event)
            return
        element = self._view.element
        if element is not None:
            self.opened.emit(element.uid)
        elif self.picture is not None and not event.modifiers() & _EXTEND:
            self.pointed.emit(self._layer_pointer(event.position()), ())

    def leaveEvent(self, event: QEvent) -> None:
        """Hover nothing any more."""
        self._boxes.hover(None)
        super().leaveEvent(event)

    def _show_cursor(self, cursor: Cursor | None = None) -> None:
        """The shape that the tool wants, None for its own at rest; an open hand while Space is held."""
        held = self._space != "up"
        self.setCursor(Qt.CursorShape.OpenHandCursor if held else _CURSORS[cursor or self.tool.cursor])

    # Keys -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Get ready to pan with Space; take back with Esc."""
        if event.key() == Qt.Key.Key_Space:
            self._space = "held" if self._space == "up" else self._space
            self._show_cursor()
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Approve with Space, unless it panned."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            super().keyReleaseEvent(event)
            return
        unused, self._space = self._space == "held", "up"
        self._show_cursor()
        if unused:
            self.approved.emit()

    def _escape(self) -> None:
        if self._cancel_gesture() or any(layer.escaped() for layer in self.layers):
            return
        if self.tool_name != "select":
            self.use_tool("select")
        elif self._view.peeked is not None:
            self._view.peek(None)
        else:
            self._view.select(())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Let go of a held Space."""
        self._space = "up"
        super().focusOutEvent(event)
