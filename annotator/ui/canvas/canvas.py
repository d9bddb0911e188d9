"""The canvas: follows the view state, turns the pointer into tool input, and paints boxes and what the step did."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from annotator.tools import Cursor, PointerInput
from annotator.ui.canvas.box_view import BoxView
from annotator.ui.pictures import Pictures
from annotator.ui.theme.manager import Theme
from annotator.view_state import ViewState
from annotator.words import tr
from demopack.domain.elements import ElementType
from demopack.domain.frames import Frame

__all__ = ["Canvas", "Pointed"]

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed:
    """A click that put a box around what lies there, if somebody sees what that is.

    Attributes:
        x: pixels of the frame.
        y: as ``x``.
        window: the same in pixels of the canvas.
        selection: what to select where nothing can be seen.
    """

    x: float
    y: float
    window: QPointF
    selection: tuple[str, ...]


class Canvas(BoxView):
    """The current screenshot with its boxes.

    Signals:
        commanded: a command to carry out.
        picked: uid of the element that was clicked while a target is picked.
        approved: Space was pressed and released without panning.
        pointed: a :class:`Pointed`: somebody clicked where a drag would have drawn.
        opened: uid of an element that was double-clicked.
        mode_changed: draw mode or pick mode began or ended.
    """

    commanded = Signal(object)
    picked = Signal(str)
    pointed = Signal(object)
    approved = Signal()
    opened = Signal(str)
    mode_changed = Signal()

    def __init__(self, view: ViewState, pictures: Pictures, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(view, pictures, theme, parent)
        self._space = ""
        self._draw_mode = False
        self._pick_mode = False
        self._snaps = True
        self.setAccessibleName(tr("Screenshot"))
        self.setAccessibleDescription(tr("Drag to draw a box, click to select one, Tab for the next."))
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

    @property
    def new_type(self) -> ElementType:
        """Which type the next drawn box has."""
        return self._new_type

    def set_new_type(self, kind: ElementType) -> None:
        """Which type the next drawn box has."""
        self._new_type = kind
        if self._tool is not None:
            self._tool.new_type = kind

    @property
    def snaps(self) -> bool:
        """Whether edges snap while they are dragged."""
        return self._snaps

    def set_snaps(self, on: bool) -> None:  # noqa: FBT001 - a slot; the signal has one argument
        """Let edges snap while they are dragged, or not."""
        self._snaps = on
        if self._tool is not None:
            self._tool.snaps = on

    def begin_frame(self, frame: Frame | None) -> None:
        """Another picture: the modes stay."""
        super().begin_frame(frame)
        if self._tool is not None:
            self._tool.draw_mode, self._tool.new_type, self._tool.snaps = self._draw_mode, self._new_type, self._snaps

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
            gather=bool(held & Qt.KeyboardModifier.ShiftModifier),
            free=bool(held & Qt.KeyboardModifier.ControlModifier),
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
                self._tool.image = self.pixels
                self._tool.press(at, selection=self._view.selection)

    def _pick(self, at: PointerInput) -> None:
        uid = None if self._tool is None else self._tool.hover(at, selection=())[0]
        if uid is not None:
            self.set_mode()
            self.picked.emit(uid)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: pan, go on with a gesture, or hover."""
        self.tell_layers(event)
        if self._pan_from is not None or self._tool is None:
            super().mouseMoveEvent(event)
            return
        if not self._tool.active and self.layer_moved(event):
            self.hover(None)
            return
        at = self._input(event)
        if self._tool.active:
            self._tool.move(at)
            self.follow_gesture()
            return
        uid, cursor = self._tool.hover(at, selection=() if self._pick_mode else self._view.selection)
        self.setCursor(self._resting_cursor(_CURSORS[cursor]))
        self.hover(uid)

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
        self.lift(frozenset())
        if outcome.pointed is not None:
            self._point(event, outcome.selection)
            return
        if outcome.command is not None:
            self.commanded.emit(outcome.command)
        self._view.select(outcome.selection)
        self.update()

    def _point(self, event: QMouseEvent, selection: tuple[str, ...]) -> None:
        x, y = self._viewport.to_picture(event.position().x(), event.position().y())
        self.pointed.emit(Pointed(x=x, y=y, window=event.position(), selection=selection))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's hook: a double click opens the element for writing; where none is, it points at what can be seen."""
        if event.button() != Qt.MouseButton.LeftButton or self._pick_mode or self._space or self._tool is None:
            return
        if self._draw_mode or event.modifiers() & Qt.KeyboardModifier.AltModifier:
            # Two quick clicks are two clicks there: each goes on to the next larger box.
            self.mousePressEvent(event)
            return
        element = self._view.element
        if element is not None:
            self.opened.emit(element.uid)
        elif self._shot is not None and not event.modifiers() & _EXTEND:
            self._point(event, ())

    def leaveEvent(self, event: QEvent) -> None:
        """Qt's hook: nothing is hovered any more."""
        self.hover(None)
        super().leaveEvent(event)

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
            self.lift(frozenset())
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
