"""Tools: what the pointer does on the picture, as state machines without a window.

A tool follows one gesture from press to release. Meanwhile it shows a preview; its outcome is a command, a selection,
or a place that was pointed at. A new tool is a subclass of :class:`Tool` and a line in :data:`TOOLS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement, Command, MoveElements, within
from annotator.hit_testing import BoxIndex, Handle, handle_at, resized, scaled
from annotator.snap.snapper import DraggedEdges, Snap, SnapLine, Snapper
from annotator.snap.tighten import Image
from annotator.words import tr
from demopack.domain.elements import ElementType
from demopack.domain.geometry import Point, Rect, Size

_MIN_SIDE_PX = 3
"""Pixels of the frame; a box that is thinner was not meant."""
_SNAP_SHARE = 0.8
"""Share of the pointer's reach that an edge jumps."""

Cursor = Literal["arrow", "draw", "move", "pick", "size_h", "size_v", "size_down", "size_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerInput:
    """One position of the pointer.

    Attributes:
        x: pixels of the frame; may lie outside.
        y: as ``x``.
        reach: how near counts as "on it", in pixels of the frame; the same distance on the screen at every zoom.
        force_draw: Alt is held.
        extend: Ctrl or Shift is held: add to the selection, or take out of it.
        gather: Shift is held: a drag selects what it encloses.
        free: Ctrl is held: nothing snaps.
    """

    x: float
    y: float
    reach: float = 0.0
    force_draw: bool = False
    extend: bool = False
    gather: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GesturePreview:
    """What a gesture would do if it ended now.

    Attributes:
        boxes: in place of the ones with these uids, "" for a new one.
        band: encloses what would be selected.
        guides: lines that something snapped to.
    """

    boxes: dict[str, Rect]
    band: Rect | None = None
    guides: tuple[SnapLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GestureOutcome:
    """What a finished gesture did.

    Attributes:
        selection: uids that are selected from now on.
        command: to be carried out; None when nothing changes.
        pointed: the place that was clicked where a drag would have drawn, in pixels of the frame; ``selection`` is for
            the case that nothing can be seen there.
        picked: uid of the element that was chosen; the tool has done its work.
    """

    selection: tuple[str, ...]
    command: Command | None = None
    pointed: tuple[float, float] | None = None
    picked: str | None = None


@dataclass(slots=True, kw_only=True)
class ToolContext:
    """State of the frame that tools work on; the canvas keeps it up to date.

    Attributes:
        frame_id: which frame.
        size: of the frame.
        boxes: those that are shown.
        selection: uids of the selected elements.
        image: pixels of the frame, for edges to snap to; None while they are not there.
        new_type: type of the next box that is drawn.
        snaps: whether edges snap at all.
    """

    frame_id: str
    size: Size
    boxes: BoxIndex
    selection: tuple[str, ...] = ()
    image: Image | None = None
    new_type: ElementType = "button"
    snaps: bool = True


class Tool:
    """Base of all tools: one way to use the pointer on one frame. It has no gesture by itself.

    While a gesture lasts, its preview is returned, None as long as there is nothing to show; its outcome ends it.

    Attributes:
        cursor: shape of the pointer before it moved.
        hint: words about how it is used; empty for what everybody knows.
    """

    cursor: Cursor = "arrow"
    hint: str = ""

    def __init__(self, context: ToolContext) -> None:
        self.context = context

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return False

    def press(self, at: PointerInput) -> GesturePreview | GestureOutcome | None:
        """Begin a gesture: the button goes down."""

    def move(self, at: PointerInput) -> GesturePreview | None:
        """Go on with the gesture: the pointer moves with the button down."""

    def release(self, at: PointerInput) -> GestureOutcome | None:
        """End the gesture: the button goes up. None without a gesture."""

    def cancel(self) -> bool:
        """Take the gesture back; returns whether there was one."""
        return False

    def hover(self, at: PointerInput) -> tuple[str | None, Cursor]:
        """The uid of the box under the pointer, and the shape that the pointer should have."""
        under = self.context.boxes.at(at.x, at.y, tolerance=at.reach)
        return (under[0] if under else None), self.cursor


_Kind = Literal["draw", "move", "resize", "click", "band"]


@dataclass(slots=True, kw_only=True)
class _Gesture:
    kind: _Kind
    start: PointerInput
    now: PointerInput
    pressed: PointerInput
    uids: tuple[str, ...] = ()
    handle: Handle | None = None
    box: Rect | None = None
    moved: bool = False
    snapper: Snapper | None = None
    guides: tuple[SnapLine, ...] = ()


class BoxTool(Tool):
    """Selects, draws, moves and resizes boxes.

    Drag on empty ground draws a box, drag on a box moves it, drag on a handle of what is selected resizes it; Alt draws
    anywhere; Shift selects what the drag encloses. A click selects the smallest box under it, a repeated click the next
    larger one. A click that would have drawn points at something: whoever gets the outcome may put a box around it.
    Edges snap to those of the picture and of neighbours, unless Ctrl is held.
    """

    def __init__(self, context: ToolContext, *, always_draws: bool = False) -> None:
        super().__init__(context)
        self._always_draws = always_draws
        self._gesture: _Gesture | None = None
        if always_draws:
            self.cursor, self.hint = "draw", tr("Drags and clicks draw boxes. Esc ends it.")

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    def press(self, at: PointerInput) -> None:
        """Begin a gesture; until the pointer has moved, it is a click."""
        context, handle = self.context, self._handle(at)
        under = context.boxes.at(at.x, at.y, tolerance=at.reach)
        kind: _Kind = "draw"
        uids: tuple[str, ...] = ()
        if at.force_draw or self._always_draws:
            handle = None
        elif at.gather:
            kind, handle = "band", None
        elif handle is not None:
            kind, uids = "resize", context.selection
        elif under and at.extend:
            kind = "click"
        elif under:
            # What is selected already is what a person wants to move, even where something smaller lies on it.
            kind, uids = "move", context.selection if any(uid in under for uid in context.selection) else (under[0],)
        snaps = context.snaps and kind in {"draw", "resize", "move"}
        self._gesture = _Gesture(
            kind=kind,
            start=self._on_edge(at) if kind == "draw" else at,
            now=at,
            pressed=at,
            uids=uids,
            handle=handle,
            box=context.boxes.around(uids),
            snapper=Snapper(context.boxes, context.image, without=uids) if snaps else None,
        )

    def _on_edge(self, at: PointerInput) -> PointerInput:
        """Where a new box begins: on a neighbour's edge, if that is near."""
        if not self.context.snaps or at.free:
            return at
        point = Rect.at_point(Point(round(at.x), round(at.y)))
        snap = Snapper(self.context.boxes, None).snap(point, (1, 1), reach=at.reach * _SNAP_SHARE)
        return replace(at, x=at.x + snap.dx, y=at.y + snap.dy)

    def move(self, at: PointerInput) -> GesturePreview | None:
        """Go on; None without a gesture, and while it is still a click."""
        gesture = self._gesture
        if gesture is None:
            return None
        # From where the button went down: where a box begins may lie beside it, on an edge.
        far = max(abs(at.x - gesture.pressed.x), abs(at.y - gesture.pressed.y)) > max(at.reach / 2, 0.5)
        gesture.now, gesture.moved = at, gesture.moved or far
        snap = self._snap(gesture) if gesture.moved and not at.free else Snap()
        gesture.now, gesture.guides = replace(at, x=at.x + snap.dx, y=at.y + snap.dy), snap.guides
        if not gesture.moved:
            return None
        if gesture.kind == "band":
            return GesturePreview(boxes={}, band=self._spanned(gesture))
        boxes = self._boxes(gesture)
        return GesturePreview(boxes=boxes, guides=gesture.guides) if boxes else None

    def _snap(self, gesture: _Gesture) -> Snap:
        reach = gesture.now.reach * _SNAP_SHARE
        if gesture.snapper is None or reach < 1:
            return Snap()
        if gesture.kind == "draw":
            a, b = gesture.start, gesture.now
            grip: DraggedEdges = (1 if b.x >= a.x else -1, 1 if b.y >= a.y else -1)
            return gesture.snapper.snap(self._spanned(gesture), grip, reach=reach)
        if gesture.box is None:
            return Snap()
        if gesture.handle is None:
            dx, dy = within([gesture.box], *_delta(gesture), self.context.size)
            return gesture.snapper.snap(gesture.box.moved(dx, dy), (0, 0), reach=reach)
        x, y = gesture.handle.value
        box = resized(gesture.box, gesture.handle, *_delta(gesture))
        return gesture.snapper.snap(box, (_EDGES[x], _EDGES[y]), reach=reach)

    def release(self, at: PointerInput) -> GestureOutcome | None:
        """End the gesture."""
        self.move(at)
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return None
        selection = self.context.selection
        if not gesture.moved:
            pointing = gesture.kind == "draw" and (self._always_draws or gesture.now.force_draw)
            pointed = (gesture.now.x, gesture.now.y) if pointing else None
            return GestureOutcome(selection=self._clicked(gesture.now), pointed=pointed)
        command: Command | None = None
        if gesture.kind == "draw":
            box = self._spanned(gesture)
            if box.width >= _MIN_SIDE_PX and box.height >= _MIN_SIDE_PX:
                drawn = AddElement.drawn(self.context.frame_id, self.context.new_type, box)
                command, selection = drawn, (drawn.element.uid,)
        elif gesture.kind == "band":
            found = self.context.boxes.enclosed_by(self._spanned(gesture))
            selection = (*selection, *(uid for uid in found if uid not in set(selection)))
        elif gesture.kind == "resize":
            boxes, selection = self._boxes(gesture), gesture.uids
            if all(box.width and box.height for box in boxes.values()):
                command = SetBoxes(boxes=boxes)
        elif gesture.kind == "move":
            (dx, dy), selection = _delta(gesture), gesture.uids
            command = MoveElements(uids=gesture.uids, dx=dx, dy=dy, frame_size=self.context.size)
        return GestureOutcome(command=command, selection=selection)

    def cancel(self) -> bool:
        """Take the gesture back; returns whether there was one."""
        active, self._gesture = self.active, None
        return active

    def hover(self, at: PointerInput) -> tuple[str | None, Cursor]:
        """The smallest box under the pointer, and what a press would do there."""
        if at.force_draw or self._always_draws:
            return None, "draw"
        context = self.context
        under = context.boxes.at(at.x, at.y, tolerance=at.reach)
        first = under[0] if under else None
        handle = self._handle(at)
        if handle is not None:
            x, y = handle.value
            return first, _CORNER_CURSORS.get(x * y, "size_h" if x else "size_v")
        return first, "move" if any(uid in under for uid in context.selection) else ("arrow" if under else "draw")

    # ----------------------------------------------------------------------------------------------------------

    def _handle(self, at: PointerInput) -> Handle | None:
        box = self.context.boxes.around(self.context.selection)
        return None if box is None else handle_at(box, at.x, at.y, tolerance=at.reach)

    def _clicked(self, at: PointerInput) -> tuple[str, ...]:
        selection = self.context.selection
        current = selection[-1] if len(selection) == 1 and not at.extend else None
        uid = self.context.boxes.next_at(at.x, at.y, current, tolerance=at.reach)
        if uid is None:
            return selection if at.extend else ()
        if not at.extend:
            return (uid,)
        return tuple(u for u in selection if u != uid) if uid in selection else (*selection, uid)

    def _spanned(self, gesture: _Gesture) -> Rect:
        a, b = gesture.start, gesture.now
        spanned = Rect.spanning(Point(round(a.x), round(a.y)), Point(round(b.x), round(b.y)))
        return spanned.clamped(self.context.size)

    def _boxes(self, gesture: _Gesture) -> dict[str, Rect]:
        """The boxes as the gesture leaves them, by uid, "" for a new one; several are scaled together."""
        size = self.context.size
        if gesture.kind == "draw":
            return {"": self._spanned(gesture)}
        known = {uid: box for uid in gesture.uids if (box := self.context.boxes.box(uid)) is not None}
        if not known or gesture.box is None:
            return {}
        if gesture.handle is None:
            dx, dy = within(list(known.values()), *_delta(gesture), size)
            return {uid: box.moved(dx, dy) for uid, box in known.items()}
        around = resized(gesture.box, gesture.handle, *_delta(gesture)).clamped(size)
        if len(gesture.uids) == 1:
            return {gesture.uids[0]: around}
        return {uid: scaled(box, gesture.box, around) for uid, box in known.items()}


class PickTool(Tool):
    """Chooses the element under the next press."""

    cursor: Cursor = "pick"
    hint: str = tr("Click the element. Esc ends it.")

    def press(self, at: PointerInput) -> GestureOutcome | None:
        """Choose the smallest box at the place; without one go on waiting."""
        uid = self.hover(at)[0]
        return None if uid is None else GestureOutcome(selection=self.context.selection, picked=uid)


def _delta(gesture: _Gesture) -> tuple[int, int]:
    return round(gesture.now.x - gesture.start.x), round(gesture.now.y - gesture.start.y)


_EDGES: Mapping[int, Literal[-1, 1] | None] = {-1: -1, 0: None, 1: 1}
_CORNER_CURSORS: Mapping[int, Cursor] = {1: "size_down", -1: "size_up"}

ToolName = Literal["select", "draw", "pick"]
TOOLS: Final[Mapping[ToolName, Callable[[ToolContext], Tool]]] = {
    "select": BoxTool,
    "draw": partial(BoxTool, always_draws=True),
    "pick": PickTool,
}
"""By name; the first one is used unless another is asked for."""
