"""What the pointer does on the picture: a state machine without a window.

Drag on empty ground draws a box, drag on a box moves it, drag on a handle of the selected box resizes it; Alt, or the
draw mode, draws anywhere; Esc takes the gesture back. While it lasts there is a preview; on release there is a command.
A click selects the smallest box under it, a repeated click the next larger one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from annotator.commands import AddElement, Command, MoveElements, ResizeElement, within
from annotator.hit_testing import BoxIndex, Handle, handle_at, resized
from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Point, Rect, Size
from demopack.domain.records import new_id

__all__ = ["BoxTool", "Cursor", "Outcome", "PointerInput", "Preview"]

_SMALLEST = 3
"""Pixels of the frame; a box that is thinner was not meant."""

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
    """

    x: float
    y: float
    reach: float = 0.0
    force_draw: bool = False
    extend: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What the gesture would do if it ended now: boxes in place of the ones with these uids, "" for a new one."""

    boxes: dict[str, Rect]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a finished gesture did.

    Attributes:
        command: to be carried out; None when nothing changes.
        selection: uids that are selected from now on.
    """

    command: Command | None
    selection: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gesture:
    kind: Literal["draw", "move", "resize", "click"]
    start: PointerInput
    now: PointerInput
    uids: tuple[str, ...] = ()
    handle: Handle | None = None
    box: Rect | None = None
    moved: bool = False


class BoxTool:
    """Selects, draws, moves and resizes boxes on one frame.

    Attributes:
        draw_mode: every drag draws.
        new_type: type of the next box that is drawn.
    """

    def __init__(self, *, frame_id: str, size: Size, boxes: BoxIndex) -> None:
        self.draw_mode = False
        self.new_type: ElementType = "button"
        self._frame_id = frame_id
        self._size = size
        self._boxes = boxes
        self._gesture: _Gesture | None = None

    @property
    def active(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None

    def set_boxes(self, boxes: BoxIndex) -> None:
        """Take other boxes of the same frame; a gesture under way goes on."""
        self._boxes = boxes

    def press(self, at: PointerInput, *, selection: tuple[str, ...]) -> None:
        """The button goes down."""
        if at.force_draw or self.draw_mode:
            self._gesture = _Gesture(kind="draw", start=at, now=at)
            return
        handle = self._handle(at, selection)
        if handle is not None:
            box = self._boxes.box(selection[0])
            self._gesture = _Gesture(kind="resize", start=at, now=at, uids=selection, handle=handle, box=box)
            return
        under = self._boxes.at(at.x, at.y, tolerance=at.reach)
        if not under:
            self._gesture = _Gesture(kind="draw", start=at, now=at)
        elif at.extend:
            self._gesture = _Gesture(kind="click", start=at, now=at)
        else:
            # What is selected already is what a person wants to move, even where something smaller lies on it.
            moving = selection if any(uid in under for uid in selection) else (under[0],)
            self._gesture = _Gesture(kind="move", start=at, now=at, uids=moving)

    def move(self, at: PointerInput) -> None:
        """The pointer moves with the button down; without a gesture nothing happens."""
        if self._gesture is None:
            return
        start = self._gesture.start
        far = max(abs(at.x - start.x), abs(at.y - start.y)) > max(at.reach / 2, 0.5)
        self._gesture = replace(self._gesture, now=at, moved=self._gesture.moved or far)

    def release(self, at: PointerInput, *, selection: tuple[str, ...]) -> Outcome:
        """The button goes up."""
        self.move(at)
        gesture, self._gesture = self._gesture, None
        if gesture is None:
            return Outcome(command=None, selection=selection)
        if not gesture.moved:
            return Outcome(command=None, selection=self._clicked(gesture.start, selection))
        if gesture.kind == "draw":
            return self._drawn(gesture, selection)
        if gesture.kind == "resize" and gesture.box is not None:
            box = self._resized(gesture)
            usable = box.width >= 1 and box.height >= 1
            command = ResizeElement(uid=gesture.uids[0], box=box) if usable else None
            return Outcome(command=command, selection=gesture.uids)
        if gesture.kind == "move":
            dx, dy = _delta(gesture)
            return Outcome(
                command=MoveElements(uids=gesture.uids, dx=dx, dy=dy, frame_size=self._size), selection=gesture.uids
            )
        return Outcome(command=None, selection=selection)

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
            return Preview(boxes={"": self._spanned(gesture)})
        if gesture.kind == "resize" and gesture.box is not None:
            return Preview(boxes={gesture.uids[0]: self._resized(gesture)})
        known = {uid: box for uid in gesture.uids if (box := self._boxes.box(uid)) is not None}
        if gesture.kind != "move" or not known:
            return None
        dx, dy = within(list(known.values()), *_delta(gesture), self._size)
        return Preview(boxes={uid: box.moved(dx, dy) for uid, box in known.items()})

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

    # ----------------------------------------------------------------------------------------------------------

    def _handle(self, at: PointerInput, selection: tuple[str, ...]) -> Handle | None:
        box = self._boxes.box(selection[0]) if len(selection) == 1 else None
        return None if box is None else handle_at(box, at.x, at.y, tolerance=at.reach)

    def _clicked(self, at: PointerInput, selection: tuple[str, ...]) -> tuple[str, ...]:
        current = selection[-1] if len(selection) == 1 and not at.extend else None
        uid = self._boxes.next_at(at.x, at.y, current, tolerance=at.reach)
        if uid is None:
            return selection if at.extend else ()
        if not at.extend:
            return (uid,)
        return tuple(u for u in selection if u != uid) if uid in selection else (*selection, uid)

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

    def _resized(self, gesture: _Gesture) -> Rect:
        if gesture.box is None or gesture.handle is None:
            raise ValueError("not a resize")
        return resized(gesture.box, gesture.handle, *_delta(gesture)).clamped(self._size)


def _delta(gesture: _Gesture) -> tuple[int, int]:
    return round(gesture.now.x - gesture.start.x), round(gesture.now.y - gesture.start.y)


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
