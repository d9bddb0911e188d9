"""The canvas: follows the view state, turns the pointer into tool input, and paints boxes and what the step did."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from annotator.hit_testing import BoxIndex
from annotator.tools import BoxTool, Cursor, PointerInput
from annotator.ui.canvas.layered_view import LayeredView
from annotator.ui.canvas.layers import BoxBatches
from annotator.ui.canvas.marks import mark_of
from annotator.ui.canvas.overlay import paint_action, paint_box, paint_handles, paint_tag
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from demopack.domain.elements import Element, ElementType
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect

__all__ = ["Canvas"]

_REACH_PX = 6.0
_EXTEND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

_CURSORS: dict[Cursor, Qt.CursorShape] = {
    "arrow": Qt.CursorShape.ArrowCursor,
    "draw": Qt.CursorShape.CrossCursor,
    "move": Qt.CursorShape.SizeAllCursor,
    "size_h": Qt.CursorShape.SizeHorCursor,
    "size_v": Qt.CursorShape.SizeVerCursor,
    "size_down": Qt.CursorShape.SizeFDiagCursor,
    "size_up": Qt.CursorShape.SizeBDiagCursor,
}


class Canvas(LayeredView):
    """The current screenshot with its boxes.

    Signals:
        commanded: a command to carry out.
        picked: uid of the element that was clicked while a target is picked.
        approved: Space was pressed and released without panning.
        opened: uid of an element that was double-clicked.
        mode_changed: draw mode or pick mode began or ended.
    """

    commanded = Signal(object)
    picked = Signal(str)
    approved = Signal()
    opened = Signal(str)
    mode_changed = Signal()

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(view, pictures, theme, parent)
        self._tool: BoxTool | None = None
        self._boxes: BoxBatches | None = None
        self._lifted: frozenset[str] = frozenset()
        self._hovered: str | None = None
        self._space = ""
        self._draw_mode = False
        self._pick_mode = False
        self._letters = False
        self._new_type: ElementType = "button"
        self.setAccessibleName("Screenshot")
        self.setAccessibleDescription("Drag to draw a box, click to select one, Tab for the next.")
        self._ends += [
            view.step_changed.connect(self.update),
            view.selection_changed.connect(self._on_selection),
            view.document.elements_changed.connect(self._on_elements),
            view.filters_changed.connect(self._on_filters),
        ]
        self._show_frame()

    # Modes ----------------------------------------------------------------------------------------------------

    @property
    def draw_mode(self) -> bool:
        """Whether every drag draws."""
        return self._draw_mode

    @property
    def pick_mode(self) -> bool:
        """Whether the next click chooses a target."""
        return self._pick_mode

    def set_mode(self, *, draw: bool = False, pick: bool = False) -> None:
        """Draw with every drag, or let the next click choose an element; both off by default."""
        self._draw_mode, self._pick_mode = draw, pick
        if self._tool is not None:
            self._tool.draw_mode = draw
        self.setCursor(self._resting_cursor())
        self.mode_changed.emit()

    def set_new_type(self, kind: ElementType) -> None:
        """Which type the next drawn box has."""
        self._new_type = kind
        if self._tool is not None:
            self._tool.new_type = kind

    def toggle_letters(self) -> None:
        """Show each box's letter, or no longer."""
        self._letters = not self._letters
        self.drop_layer()

    def box_on_screen(self, uid: str) -> QRect:
        """Where an element's box lies in the widget; empty when it is gone."""
        element = self._view.document.element(uid)
        if element is None:
            return QRect()
        x1, y1 = self._viewport.to_window(element.box.x1, element.box.y1)
        x2, y2 = self._viewport.to_window(element.box.x2, element.box.y2)
        return QRect(round(x1), round(y1), round(x2 - x1), round(y2 - y1))

    # Following ------------------------------------------------------------------------------------------------

    def begin_frame(self, frame: Frame | None) -> None:
        """Another picture: other boxes, and nothing under way."""
        self._hovered = None
        if frame is None:
            self._tool, self._boxes = None, None
            return
        self._tool = BoxTool(frame_id=frame.id, size=frame.size, boxes=BoxIndex([]))
        self._tool.draw_mode, self._tool.new_type = self._draw_mode, self._new_type
        self._on_elements(frame.id)

    def _on_elements(self, frame_id: str) -> None:
        frame = self._view.frame
        if frame is None or frame.id != frame_id:
            return
        if self._tool is not None:
            self._tool.set_boxes(BoxIndex(self._view.shown(frame_id)))
        hovered = self._view.document.element(self._hovered)
        if hovered is None or not self._view.shows(hovered):
            self._hovered = None
        self._boxes = None
        self.drop_layer()

    def _on_filters(self) -> None:
        frame = self._view.frame
        if frame is not None:
            self._on_elements(frame.id)

    def _on_selection(self) -> None:
        element = self._view.element
        if element is not None and self._tool is not None and not self._tool.active:
            self.look(self._viewport.revealing(element.box))
        self.update()

    # Painting -------------------------------------------------------------------------------------------------

    def paint_still(self, painter: QPainter) -> None:
        """What was covered, and all boxes but those that are being moved."""
        super().paint_still(painter)
        if self._boxes is None:
            frame = self._view.frame
            elements = () if frame is None else self._view.shown(frame.id)
            self._boxes = BoxBatches(elements, without=self._lifted)
        self._boxes.paint(painter, self._viewport)
        if self._letters:
            self._boxes.paint_letters(painter, self._viewport)

    def paint_things(self, painter: QPainter) -> None:
        """Hover, the step's action, the gesture under way, the selection."""
        document, palette, view = self._view.document, self._theme.palette, self._viewport
        preview = None if self._tool is None else self._tool.preview()
        boxes: dict[str, Rect] = {} if preview is None else preview.boxes
        hovered = None if boxes else document.element(self._hovered)
        if hovered is not None:
            paint_box(painter, view, hovered, hovered.box, fill=70, width=2)
        step = self._view.step
        if step is not None and self._view.shows_before:
            paint_action(painter, view, mark_of(step, document))
        for uid, box in boxes.items():
            element = document.element(uid) or Element(uid="new", frame="", type=self._new_type, box=box)
            paint_box(painter, view, element, box, fill=60, width=1)
            paint_handles(painter, view, box, handles=False)
        selected = [e for uid in self._view.selection if (e := document.element(uid)) is not None]
        for element in selected:
            paint_handles(painter, view, boxes.get(element.uid, element.box), handles=len(selected) == 1)
        tagged = hovered if hovered is not None else self._view.element
        if tagged is not None:
            paint_tag(painter, view, tagged, boxes.get(tagged.uid, tagged.box), palette)

    # Pointer --------------------------------------------------------------------------------------------------

    def _input(self, event: QMouseEvent) -> PointerInput:
        held = event.modifiers()
        x, y = self._viewport.to_picture(event.position().x(), event.position().y())
        return PointerInput(
            x=x,
            y=y,
            reach=_REACH_PX / self._viewport.scale,
            force_draw=bool(held & Qt.KeyboardModifier.AltModifier),
            extend=bool(held & _EXTEND),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: begin to pan, to pick or to edit."""
        left = event.button() == Qt.MouseButton.LeftButton
        if left and self._space:
            self._space = "used"
            self.begin_pan(event.position())
        elif self._shot is not None and self.layer_pressed(event):
            return
        elif not left:
            super().mousePressEvent(event)
        elif self._tool is not None and self._shot is not None:
            at = self._input(event)
            if self._pick_mode:
                self._pick(at)
            else:
                self._tool.press(at, selection=self._view.selection)

    def _pick(self, at: PointerInput) -> None:
        uid = None if self._tool is None else self._tool.hover(at, selection=())[0]
        if uid is not None:
            self.set_mode()
            self.picked.emit(uid)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: pan, go on with a gesture, or hover."""
        if self._pan_from is not None or self._tool is None:
            super().mouseMoveEvent(event)
            return
        if not self._tool.active and self.layer_moved(event):
            self._hover(None)
            return
        at = self._input(event)
        if self._tool.active:
            self._tool.move(at)
            preview = self._tool.preview()
            self._lift(frozenset() if preview is None else frozenset(preview.boxes))
            self.update()
            return
        uid, cursor = self._tool.hover(at, selection=() if self._pick_mode else self._view.selection)
        self.setCursor(self._resting_cursor(_CURSORS[cursor]))
        self._hover(uid)

    def _hover(self, uid: str | None) -> None:
        if uid != self._hovered:
            self._hovered = uid
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: end the gesture."""
        if self._pan_from is not None:
            super().mouseReleaseEvent(event)
            self.setCursor(self._resting_cursor())
            return
        if self.layer_released(event):
            return
        if event.button() != Qt.MouseButton.LeftButton or self._tool is None or not self._tool.active:
            return
        outcome = self._tool.release(self._input(event), selection=self._view.selection)
        self._lift(frozenset())
        if outcome.command is not None:
            self.commanded.emit(outcome.command)
        self._view.select(outcome.selection)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: a double click opens the element for writing."""
        element = self._view.element
        if element is not None and not self._pick_mode and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(element.uid)

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: nothing is hovered any more."""
        self._hover(None)
        super().leaveEvent(event)

    def _lift(self, uids: frozenset[str]) -> None:
        """Take boxes out of the still layer while they are moved over it."""
        if uids != self._lifted:
            self._lifted = uids
            self._boxes = None
            self.drop_layer()

    def _resting_cursor(self, otherwise: Qt.CursorShape = Qt.CursorShape.ArrowCursor) -> Qt.CursorShape:
        if self._space:
            return Qt.CursorShape.OpenHandCursor
        if self._pick_mode:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.CrossCursor if self._draw_mode else otherwise

    # Keys -----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Space pans while it is held, Esc takes back."""
        if event.key() == Qt.Key.Key_Space:
            self._space = self._space or "held"
            self.setCursor(self._resting_cursor())
        elif event.key() == Qt.Key.Key_Escape:
            self._escape()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: Space without panning approves."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            super().keyReleaseEvent(event)
            return
        unused, self._space = self._space == "held", ""
        self.setCursor(self._resting_cursor())
        if unused:
            self.approved.emit()

    def _escape(self) -> None:
        if self._tool is not None and self._tool.cancel():
            self._lift(frozenset())
            self.update()
        elif self.layer_escaped():
            return
        elif self._pick_mode or self._draw_mode:
            self.set_mode()
        elif self._view.peeked is not None:
            self._view.peek(None)
        else:
            self._view.select(())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Qt's hook: a held Space ends with the focus."""
        self._space = ""
        super().focusOutEvent(event)
