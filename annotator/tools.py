"""What the pointer does on the picture: a state machine without a window.

Drag on empty ground draws a box, drag on a box moves it, drag on a handle of what is selected resizes it; Alt, or the
draw mode, draws anywhere; Shift selects what the drag encloses; Esc takes the gesture back. While it lasts there is a
preview; on release there is a command. A click selects the smallest box under it, a repeated click the next larger one.
A click that would have drawn points at something: who carries the outcome out may put a box around it.

Edges snap to those of the picture and of neighbours, unless Ctrl is held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement, Command, MoveElements, ResizeElement, within
from annotator.hit_testing import BoxIndex, Handle, handle_at, resized, scaled
from annotator.snapping import Grip, Guide, Snap, Snapper
from annotator.tighten import Image
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.records import new_id

__all__ = ["BoxTool", "Cursor", "Outcome", "PointerInput", "Preview"]

_SMALLEST = 3
"""Pixels of the frame; a box that is thinner was not meant."""
_SNAP = 0.8
"""Of the pointer's reach: so far an edge jumps."""

Cursor = Literal["arrow", "draw", "move", "size_h", "size_v", "size_down", "size_up"]


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
class Preview:
    """What the gesture would do if it ended now.

    Attributes:
        boxes: in place of the ones with these uids, "" for a new one.
        band: encloses what would be selected.
        guides: lines that something snapped to.
    """

    boxes: dict[str, Rect]
    band: Rect | None = None
    guides: tuple[Guide, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished gesture did.

    Attributes:
        command: to be carried out; None when nothing changes.
        selection: uids that are selected from now on.
        pointed: the place that was clicked where a drag would have drawn, in pixels of the frame; ``selection`` is for
            the case that nothing can be seen there.
    """

    command: Command | None
    selection: tuple[str, ...]
    pointed: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gesture:
    kind: Literal["draw", "move", "resize", "click", "band"]
    start: PointerInput
    now: PointerInput
    pressed: PointerInput
    uids: tuple[str, ...] = ()
    handle: Handle | None = None
    box: Rect | None = None
    moved: bool = False
    snapper: Snapper | None = None
    guides: tuple[Guide, ...] = ()


class BoxTool:
    """Selects, draws, moves and resizes boxes on one frame.

    Attributes:
        draw_mode: every drag draws.
        new_type: type of the next box that is drawn.
        snaps: whether edges snap at all.
        image: pixels of the frame, for edges to snap to; None while they are not there.
    """

    def __init__(self, *, frame_id: str, size: Size, boxes: BoxIndex) -> None:
        self.draw_mode = False
        self.new_type: ElementType = "button"
        self.snaps = True
        self.image: Image | None = None
        self._frame_id = frame_id
        self._size = size
        self._boxes = boxes
        self._gesture: _Gesture | None = None
        self._around: tuple[tuple[str, ...], Rect | None] = ((), None)

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    def set_boxes(self, boxes: BoxIndex) -> None:
        """Take other boxes of the same frame; a gesture under way goes on."""
        self._boxes = boxes
        self._around = ((), None)

    def press(self, at: PointerInput, *, selection: tuple[str, ...]) -> None:
        """The button goes down."""
        self._gesture = self._begun(at, selection)

    def _begun(self, at: PointerInput, selection: tuple[str, ...]) -> _Gesture:
        if at.force_draw or self.draw_mode:
            return self._snapping(_Gesture(kind="draw", start=self._on_edge(at), now=at, pressed=at))
        if at.gather:
            return _Gesture(kind="band", start=at, now=at, pressed=at)
        handle = self._handle(at, selection)
        if handle is not None:
            box = self.around(selection)
            return self._snapping(
                _Gesture(kind="resize", start=at, now=at, pressed=at, uids=selection, handle=handle, box=box)
            )
        under = self._boxes.at(at.x, at.y, tolerance=at.reach)
        if not under:
            return self._snapping(_Gesture(kind="draw", start=self._on_edge(at), now=at, pressed=at))
        if at.extend:
            return _Gesture(kind="click", start=at, now=at, pressed=at)
        # What is selected already is what a person wants to move, even where something smaller lies on it.
        moving = selection if any(uid in under for uid in selection) else (under[0],)
        around = self.around(moving)
        return self._snapping(_Gesture(kind="move", start=at, now=at, pressed=at, uids=moving, box=around))

    def _snapping(self, gesture: _Gesture) -> _Gesture:
        if not self.snaps:
            return gesture
        return replace(gesture, snapper=Snapper(self._boxes, self.image, without=gesture.uids))

    def _on_edge(self, at: PointerInput) -> PointerInput:
        """Where a new box begins: on a neighbour's edge, if that is near."""
        if not self.snaps or at.free:
            return at
        point = Rect.at_point(Point(round(at.x), round(at.y)))
        snap = Snapper(self._boxes, None).snap(point, Grip(x=1, y=1), reach=at.reach * _SNAP)
        return replace(at, x=at.x + snap.dx, y=at.y + snap.dy)

    def move(self, at: PointerInput) -> None:
        """The pointer moves with the button down; without a gesture nothing happens."""
        gesture = self._gesture
        if gesture is None:
            return
        # From where the button went down: where a box begins may lie beside it, on an edge.
        far = max(abs(at.x - gesture.pressed.x), abs(at.y - gesture.pressed.y)) > max(at.reach / 2, 0.5)
        gesture = replace(gesture, now=at, moved=gesture.moved or far, guides=())
        snap = self._snap(gesture) if gesture.moved and not at.free else Snap()
        now = replace(at, x=at.x + snap.dx, y=at.y + snap.dy)
        self._gesture = replace(gesture, now=now, guides=snap.guides)

    def _snap(self, gesture: _Gesture) -> Snap:
        reach = gesture.now.reach * _SNAP
        if gesture.snapper is None or reach < 1:
            return Snap()
        if gesture.kind == "draw":
            a, b = gesture.start, gesture.now
            grip = Grip(x=1 if b.x >= a.x else -1, y=1 if b.y >= a.y else -1)
            return gesture.snapper.snap(self._spanned(gesture), grip, reach=reach)
        if gesture.box is None:
            return Snap()
        if gesture.kind == "move":
            dx, dy = within([gesture.box], *_delta(gesture), self._size)
            return gesture.snapper.snap(gesture.box.moved(dx, dy), Grip(x=0, y=0), reach=reach)
        if gesture.handle is None:
            return Snap()
        x, y = gesture.handle.value
        box = resized(gesture.box, gesture.handle, *_delta(gesture))
        return gesture.snapper.snap(box, Grip(x=_WAYS[x], y=_WAYS[y]), reach=reach)

    def release(self, at: PointerInput, *, selection: tuple[str, ...]) -> Outcome:
        """The button goes up."""
        self.move(at)
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return Outcome(command=None, selection=selection)
        if not gesture.moved:
            pointing = gesture.kind == "draw" and (self.draw_mode or gesture.now.force_draw)
            return Outcome(
                command=None,
                selection=self._clicked(gesture.now, selection),
                pointed=(gesture.now.x, gesture.now.y) if pointing else None,
            )
        if gesture.kind == "draw":
            return self._drawn(gesture, selection)
        if gesture.kind == "band":
            found = self._enclosed(self._spanned(gesture))
            return Outcome(command=None, selection=(*selection, *(uid for uid in found if uid not in set(selection))))
        if gesture.kind == "resize" and gesture.box is not None:
            return Outcome(command=self._resizing(gesture), selection=gesture.uids)
        if gesture.kind == "move":
            dx, dy = _delta(gesture)
            return Outcome(
                command=MoveElements(uids=gesture.uids, dx=dx, dy=dy, frame_size=self._size), selection=gesture.uids
            )
        return Outcome(command=None, selection=selection)

    def _resizing(self, gesture: _Gesture) -> Command | None:
        boxes = self._resized(gesture)
        if any(box.width < 1 or box.height < 1 for box in boxes.values()):
            return None
        if len(boxes) == 1:
            return ResizeElement(uid=gesture.uids[0], box=boxes[gesture.uids[0]])
        return SetBoxes(boxes=boxes, frame_size=self._size)

    def cancel(self) -> bool:
        """Take the gesture back; returns whether there was one."""
        active, self._gesture = self.active, None
        return active

    def preview(self) -> Preview | None:
        """What the gesture would do; None while it is still a click."""
        gesture = self._gesture
        if gesture is None or not gesture.moved:
            return None
        if gesture.kind == "draw":
            return Preview(boxes={"": self._spanned(gesture)}, guides=gesture.guides)
        if gesture.kind == "band":
            return Preview(boxes={}, band=self._spanned(gesture))
        if gesture.kind == "resize" and gesture.box is not None:
            return Preview(boxes=self._resized(gesture), guides=gesture.guides)
        known = {uid: box for uid in gesture.uids if (box := self._boxes.box(uid)) is not None}
        if gesture.kind != "move" or not known:
            return None
        dx, dy = within(list(known.values()), *_delta(gesture), self._size)
        return Preview(boxes={uid: box.moved(dx, dy) for uid, box in known.items()}, guides=gesture.guides)

    def hover(self, at: PointerInput, *, selection: tuple[str, ...]) -> tuple[str | None, Cursor]:
        """The box under the pointer, and the shape that the pointer should have."""
        if at.force_draw or self.draw_mode:
            return None, "draw"
        under = self._boxes.at(at.x, at.y, tolerance=at.reach)
        first = under[0] if under else None
        handle = self._handle(at, selection)
        if handle is not None:
            return first, _HANDLE_CURSORS[handle]
        return first, "move" if any(uid in under for uid in selection) else ("arrow" if under else "draw")

    def around(self, selection: tuple[str, ...]) -> Rect | None:
        """The box around what is selected; None when nothing of it is here."""
        if self._around[0] is not selection:
            places = [place for uid in selection if (place := self._boxes.place(uid)) is not None]
            rows = self._boxes.boxes[places]
            low, high = (rows[:, :2].min(axis=0), rows[:, 2:].max(axis=0)) if places else ((), ())
            box = Rect(*(int(v) for v in (*low, *high))) if places else None
            self._around = (selection, box)
        return self._around[1]

    # ----------------------------------------------------------------------------------------------------------

    def _handle(self, at: PointerInput, selection: tuple[str, ...]) -> Handle | None:
        box = self.around(selection) if selection else None
        return None if box is None else handle_at(box, at.x, at.y, tolerance=at.reach)

    def _clicked(self, at: PointerInput, selection: tuple[str, ...]) -> tuple[str, ...]:
        current = selection[-1] if len(selection) == 1 and not at.extend else None
        uid = self._boxes.next_at(at.x, at.y, current, tolerance=at.reach)
        if uid is None:
            return selection if at.extend else ()
        if not at.extend:
            return (uid,)
        return tuple(u for u in selection if u != uid) if uid in selection else (*selection, uid)

    def _enclosed(self, band: Rect) -> list[str]:
        boxes = self._boxes.boxes
        inside = (boxes[:, 0] >= band.x1) & (boxes[:, 1] >= band.y1)
        inside &= (boxes[:, 2] <= band.x2) & (boxes[:, 3] <= band.y2)
        return [self._boxes.uids[int(place)] for place in inside.nonzero()[0]]

    def _drawn(self, gesture: _Gesture, selection: tuple[str, ...]) -> Outcome:
        box = self._spanned(gesture)
        if box.width < _SMALLEST or box.height < _SMALLEST:
            return Outcome(command=None, selection=selection)
        element = Element(
            uid=new_id("el"), frame=self._frame_id, type=self.new_type, box=box, source="human", review="approved"
        )
        return Outcome(command=AddElement(element=element), selection=(element.uid,))

    def _spanned(self, gesture: _Gesture) -> Rect:
        a, b = gesture.start, gesture.now
        return Rect.spanning(Point(round(a.x), round(a.y)), Point(round(b.x), round(b.y))).clamped(self._size)

    def _resized(self, gesture: _Gesture) -> dict[str, Rect]:
        """Every box of the gesture; several are scaled together with the box around them."""
        if gesture.box is None or gesture.handle is None:
            raise ValueError("not a resize")
        around = resized(gesture.box, gesture.handle, *_delta(gesture)).clamped(self._size)
        if len(gesture.uids) == 1:
            return {gesture.uids[0]: around}
        known = {uid: box for uid in gesture.uids if (box := self._boxes.box(uid)) is not None}
        return {uid: scaled(box, gesture.box, around) for uid, box in known.items()}


def _delta(gesture: _Gesture) -> tuple[int, int]:
    return round(gesture.now.x - gesture.start.x), round(gesture.now.y - gesture.start.y)


_WAYS: Mapping[int, Literal[-1, 1] | None] = {-1: -1, 0: None, 1: 1}
_HANDLE_CURSORS: dict[Handle, Cursor] = {
    Handle.TOP_LEFT: "size_down",
    Handle.BOTTOM_RIGHT: "size_down",
    Handle.TOP_RIGHT: "size_up",
    Handle.BOTTOM_LEFT: "size_up",
    Handle.LEFT: "size_h",
    Handle.RIGHT: "size_h",
    Handle.TOP: "size_v",
    Handle.BOTTOM: "size_v",
}
