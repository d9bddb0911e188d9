"""Boxes by one click around what lies under the pointer, with a dashed preview; again takes the next larger thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QPainter, QPen

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement
from annotator.snap.nested import DRAWN_WORDS, Nested, nested_at, next_of, same_box
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.editor.boxes.box_fitting import EdgeCache
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.painting import faded
from annotator.ui.theme.tokens import HALO, SELECTION
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.edits import Edit, drawing_key
from demopack.domain.geometry import Rect

_PREVIEW_DELAY_MS: Final = 60
_SAME_PLACE_PX: Final = 4.0
"""Pixels of the window; a click this near to the last one is at the same place."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A box that clicks made."""

    uid: str
    window: QPointF
    chain: tuple[Nested, ...]
    nested: Nested


class ClickBoxes(QObject, CanvasLayer):
    """Makes boxes of clicks, and shows beforehand which one it would be.

    Attributes:
        box: preview of what a click would make, in pixels of the frame; None for nothing.
        at: where the pointer is; None beside the picture.
    """

    def __init__(self, context: EditorContext, edges: EdgeCache) -> None:
        super().__init__(context.page)
        self._context, self._edges = context, edges
        self._made: _Made | None = None
        self.box: Rect | None = None
        self.at: LayerPointer | None = None
        self._rest = QTimer(context.canvas, interval=_PREVIEW_DELAY_MS, singleShot=True)
        self._rest.timeout.connect(self.show_preview)
        context.canvas.add_layer(self)
        context.canvas.pointed.connect(self.point)
        context.canvas.tool_changed.connect(self._on_mode)
        context.canvas.loaded.connect(self._prepare)
        context.view.frame_changed.connect(self._on_frame)
        context.session.edited.connect(self._on_edited)

    @property
    def ready(self) -> bool:
        """Whether it is known where the edges of the picture are, so that nobody need wait for it."""
        return self._edges.known is not None

    # Clicks ---------------------------------------------------------------------------------------------------

    def point(self, at: LayerPointer, selection: tuple[str, ...]) -> None:
        """Put a box around what lies there, or make the one that was just made there larger."""
        context = self._context
        if self._edges.now() is None:
            context.say(tr("The picture is still being read. Try again in a moment."))
            return
        again = self._again(at.window)
        if again is not None:
            self._widen(again)
        else:
            self._draw(at, selection)
        self._show(None)
        self._rest.start()

    def _draw(self, at: LayerPointer, selection: tuple[str, ...]) -> None:
        context, frame = self._context, self._context.view.frame
        chain = self._chain(at.x, at.y)
        if frame is None or not chain:
            context.view.select(selection)
            context.say(tr("Nothing to put a box around can be seen there. Drag to draw one."))
            return
        command = AddElement.drawn(frame.id, context.canvas.new_type, chain[0].box)
        self._made = _Made(command.element.uid, at.window, chain, chain[0])
        context.do(command)
        self._select(command.element.uid)
        context.say(DRAWN_WORDS[chain[0].kind])

    def _widen(self, made: _Made) -> None:
        context, frame = self._context, self._context.view.frame
        larger = next_of(made.chain, made.nested.box)
        if frame is None or larger is None:
            context.say(tr("Nothing larger can be seen around it."))
            return
        self._made = replace(made, nested=larger)
        key = drawing_key(made.uid)
        context.do(SetBoxes(boxes={made.uid: larger.box}, frame_size=frame.size, what="draw", merge_key=key))
        self._select(made.uid)
        context.say(DRAWN_WORDS[larger.kind])

    def _select(self, uid: str) -> None:
        """Without bringing all of a large box into view: the next click is meant for the same place."""
        canvas = self._context.canvas
        before = canvas.viewport
        self._context.view.select((uid,))
        canvas.set_view(before)

    def escaped(self) -> bool:
        """Undo the box that was just made; False where nothing was."""
        made = self._made
        if made is None or self._context.document.element(made.uid) is None:
            return False
        self._made = None
        self._show(None)
        self._context.session.undo()
        return True

    def _again(self, window: QPointF) -> _Made | None:
        """The box that was made at this place, as long as it is what it was made."""
        made = self._made
        if made is None or (made.window - window).manhattanLength() > _SAME_PLACE_PX:
            return None
        element = self._context.document.element(made.uid)
        return made if element is not None and element.box == made.nested.box else None

    def _chain(self, x: float, y: float) -> tuple[Nested, ...]:
        """What may be meant at a place of the picture, what has a box already left out."""
        edges, frame = self._edges.known, self._context.view.frame
        if edges is None or frame is None:
            return ()
        others = self._others(frame.id)
        found = nested_at(edges, int(x), int(y), others=others)
        return tuple(one for one in found if not any(same_box(one.box, other) for other in others))

    def _others(self, frame_id: str) -> Sequence[Rect]:
        return [one.box for one in self._context.view.shown(frame_id) if one.review != "rejected"]

    # Following ------------------------------------------------------------------------------------------------

    def show_preview(self) -> None:
        """Show what a click would make where the pointer rests."""
        at, canvas = self.at, self._context.canvas
        if at is None or canvas.tool_name != "draw" or self._edges.known is None:
            self._show(None)
            return
        again = self._again(at.window)
        if again is not None:
            larger = next_of(again.chain, again.nested.box)
            self._show(None if larger is None else larger.box)
            return
        chain = self._chain(at.x, at.y)
        self._show(chain[0].box if chain else None)

    def _show(self, box: Rect | None) -> None:
        """Show another box, or none; only what changes is painted again."""
        canvas = self._context.canvas
        for one in (self.box, box) if box != self.box else ():
            if one is not None:
                canvas.update(_place(canvas.viewport, one).adjusted(-2, -2, 2, 2))
        self.box = box

    def paint(self, painter: QPainter, viewport: Viewport) -> None:
        """See :class:`CanvasLayer`."""
        if self.box is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, style in ((faded(HALO, 150), Qt.PenStyle.SolidLine), (faded(SELECTION, 200), Qt.PenStyle.DashLine)):
            painter.setPen(QPen(colour, 1, style))
            painter.drawRect(_place(viewport, self.box))

    def moved(self, at: LayerPointer) -> None:
        """See :class:`CanvasLayer`; the preview goes as soon as the pointer is no longer in it."""
        self.at, box = at, self.box
        if self._context.canvas.tool_name == "draw":
            if box is not None and not (box.x1 <= at.x < box.x2 and box.y1 <= at.y < box.y2):
                self._show(None)
            self._rest.start()

    def left(self) -> None:
        """See :class:`CanvasLayer`."""
        self.at = None
        self._rest.stop()
        self._show(None)

    def _on_mode(self) -> None:
        self._show(None)
        if self._context.canvas.tool_name == "draw":
            self._edges.prepare()
            self._rest.start()

    def _on_frame(self) -> None:
        self._made = None
        self._show(None)
        self._prepare()

    def _prepare(self) -> None:
        if self._context.canvas.tool_name == "draw":
            self._edges.prepare()

    def _on_edited(self, edit: Edit, kind: str) -> None:
        """Whatever else is done, or taken back, ends the going on from box to box."""
        if self._made is not None and (kind != "done" or edit.drawn != self._made.uid):
            self._made = None


def _place(viewport: Viewport, box: Rect) -> QRect:
    return window_rect(viewport, box).toAlignedRect().adjusted(0, 0, -1, -1)
