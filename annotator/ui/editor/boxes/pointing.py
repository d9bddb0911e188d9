"""Boxes by one click: around what lies under the pointer; the same place again takes the next larger thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QPointF, QTimer

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement
from annotator.seen.nested import Nested, nested_at, next_of, same_box
from annotator.ui.canvas.canvas import Pointed
from annotator.ui.canvas.layer import LayerPointer
from annotator.ui.editor.boxes.edges import SeenEdges
from annotator.ui.editor.boxes.ghost import Ghost
from annotator.ui.editor.boxes.nested_words import drawn_words
from annotator.ui.editor.feature import Desk
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id

__all__ = ["Pointing"]

_REST_MS: Final = 60
_SAME_PLACE: Final = 4.0
"""Pixels of the window; a click this near to the last one is at the same place."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A box that clicks made."""

    uid: str
    window: QPointF
    chain: tuple[Nested, ...]
    nested: Nested

    @property
    def key(self) -> str:
        """What its edits share, those of habits too."""
        return f"draw-{self.uid}"


class Pointing:
    """Makes boxes of clicks, and shows beforehand which one it would be.

    Attributes:
        ghost: what a click would make.
    """

    def __init__(self, desk: Desk, edges: SeenEdges) -> None:
        self._desk, self._edges = desk, edges
        self._made: _Made | None = None
        self._at: LayerPointer | None = None
        self.ghost = Ghost(desk.canvas, moved=self._on_moved, left=self._on_left, escaped=self.take_back)
        self._rest = QTimer(desk.canvas, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self.show_ghost)
        desk.canvas.add_layer(self.ghost)
        desk.canvas.pointed.connect(self.point)
        desk.canvas.mode_changed.connect(self._on_mode)
        desk.pictures.frame_ready.connect(self._on_ready)
        self._ends = [
            desk.view.frame_changed.connect(self._on_frame),
            desk.session.edited.connect(self._on_edited),
        ]

    @property
    def ready(self) -> bool:
        """Whether it is known where the edges of the picture are, so that nobody need wait for it."""
        return self._edges.known is not None

    def close(self) -> None:
        """Follow no longer."""
        for end in self._ends:
            end()
        self._rest.stop()
        self._desk.pictures.frame_ready.disconnect(self._on_ready)
        self._desk.canvas.pointed.disconnect(self.point)
        self._desk.canvas.mode_changed.disconnect(self._on_mode)
        self._desk.canvas.remove_layer(self.ghost)

    # Clicks ---------------------------------------------------------------------------------------------------

    def point(self, click: Pointed) -> None:
        """Put a box around what lies there, or make the one that was just made there larger."""
        desk = self._desk
        if self._edges.now() is None:
            desk.say(tr("The picture is still being read. Try again in a moment."))
            return
        again = self._again(click.window)
        if again is not None:
            self._widen(again)
        else:
            self._draw(click)
        self.ghost.show(None)
        self._rest.start()

    def _draw(self, click: Pointed) -> None:
        desk, frame = self._desk, self._desk.view.frame
        chain = self._chain(click.x, click.y)
        if frame is None or not chain:
            desk.view.select(click.selection)
            desk.say(tr("Nothing to put a box around can be seen there. Drag to draw one."))
            return
        element = Element(
            uid=new_id("el"),
            frame=frame.id,
            type=desk.canvas.new_type,
            box=chain[0].box,
            source="human",
            review="approved",
        )
        self._made = _Made(element.uid, click.window, chain, chain[0])
        desk.do(AddElement(element=element))
        self._select(element.uid)
        desk.say(drawn_words(chain[0].kind))

    def _widen(self, made: _Made) -> None:
        desk, frame = self._desk, self._desk.view.frame
        larger = next_of(made.chain, made.nested.box)
        if frame is None or larger is None:
            desk.say(tr("Nothing larger can be seen around it."))
            return
        self._made = replace(made, nested=larger)
        desk.do(SetBoxes(boxes={made.uid: larger.box}, frame_size=frame.size, what="draw", merge_key=made.key))
        self._select(made.uid)
        desk.say(drawn_words(larger.kind))

    def _select(self, uid: str) -> None:
        """Without bringing all of a large box into view: the next click is meant for the same place."""
        canvas = self._desk.canvas
        before = canvas.viewport
        self._desk.view.select((uid,))
        canvas.look(before)

    def take_back(self) -> bool:
        """Undo the box that was just made; False where nothing was."""
        made = self._made
        if made is None or self._desk.document.element(made.uid) is None:
            return False
        self._made = None
        self.ghost.show(None)
        self._desk.session.undo()
        return True

    def _again(self, window: QPointF) -> _Made | None:
        """The box that was made at this place, as long as it is what it was made."""
        made = self._made
        if made is None or (made.window - window).manhattanLength() > _SAME_PLACE:
            return None
        element = self._desk.document.element(made.uid)
        return made if element is not None and element.box == made.nested.box else None

    def _chain(self, x: float, y: float) -> tuple[Nested, ...]:
        """What may be meant at a place of the picture, what has a box already left out."""
        edges, frame = self._edges.known, self._desk.view.frame
        if edges is None or frame is None:
            return ()
        others = self._others(frame.id)
        found = nested_at(edges, int(x), int(y), others=others)
        return tuple(one for one in found if not any(same_box(one.box, other) for other in others))

    def _others(self, frame_id: str) -> Sequence[Rect]:
        return [one.box for one in self._desk.view.shown(frame_id) if one.review != "rejected"]

    # Following ------------------------------------------------------------------------------------------------

    def show_ghost(self) -> None:
        """Show what a click would make where the pointer rests."""
        at, canvas = self._at, self._desk.canvas
        if at is None or not canvas.draw_mode or self._edges.known is None:
            self.ghost.show(None)
            return
        again = self._again(at.window)
        if again is not None:
            larger = next_of(again.chain, again.nested.box)
            self.ghost.show(None if larger is None else larger.box)
            return
        chain = self._chain(at.x, at.y)
        self.ghost.show(chain[0].box if chain else None)

    def _on_moved(self, at: LayerPointer) -> None:
        self._at = at
        if self._desk.canvas.draw_mode:
            self.ghost.leave(at)
            self._rest.start()

    def _on_left(self) -> None:
        self._at = None
        self._rest.stop()
        self.ghost.show(None)

    def _on_mode(self) -> None:
        self.ghost.show(None)
        if self._desk.canvas.draw_mode:
            self._edges.prepare()
            self._rest.start()

    def _on_frame(self) -> None:
        self._made = None
        self.ghost.show(None)
        if self._desk.canvas.draw_mode:
            self._edges.prepare()

    def _on_ready(self, frame_id: str) -> None:
        frame = self._desk.view.frame
        if self._desk.canvas.draw_mode and frame is not None and frame.id == frame_id:
            self._edges.prepare()

    def _on_edited(self, edit: Edit, kind: str) -> None:
        """Whatever else is done, or taken back, ends the going on from box to box."""
        if self._made is not None and (kind != "done" or edit.merge_key != self._made.key):
            self._made = None
