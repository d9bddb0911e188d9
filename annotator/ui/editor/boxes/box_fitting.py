"""Boxes fitted to the edges that can be seen: by a key side by side or from thing to thing, or by one click."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QPushButton

from annotator.box_commands import SetBoxes
from annotator.commands import AddElement
from annotator.snap.nested import DRAWN_WORDS, FITTED_WORDS, Kind, Nested, nested_at, nested_in, next_of, same_box
from annotator.snap.tighten import ALL_SIDES, DEFAULT_LEVEL, Image, Side, tightened
from annotator.ui.canvas.box_painting import window_rect
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.canvas.layers import CanvasLayer, LayerPointer
from annotator.ui.controls import Segments, flat_button, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.editor.panels.panel_section import Overlay
from annotator.ui.painting import faded
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HALO, HIT, SELECTION, SPACE
from annotator.viewport import Viewport
from annotator.words import tr
from demopack.domain.edits import Edit, drawing_key
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id
from demopack.pixels.colours import edges_of
from demopack.pixels.masks import Mask


class EdgeCache:
    """Keeps the edges of one picture."""

    def __init__(self, context: EditorContext) -> None:
        self._context = context
        self._frame = ""
        self._edges: Mask | None = None
        self._asked = ""

    @property
    def known(self) -> Mask | None:
        """Those of the picture that is shown, where they are there already."""
        return self._edges if self._context.view.is_on(self._frame) else None

    def now(self) -> Mask | None:
        """As ``known``, found at once where need be; None while the picture is still being read."""
        frame, pixels = self._context.view.frame, self._context.canvas.pixels
        if self.known is None and frame is not None and pixels is not None:
            self._frame, self._edges = frame.id, edges_of(pixels)
        return self.known

    def prepare(self) -> None:
        """Find them in the background, so that a click or a resting pointer need not wait."""
        frame, pixels = self._context.view.frame, self._context.canvas.pixels
        if frame is None or pixels is None or frame.id in (self._frame, self._asked):
            return
        frame_id = self._asked = frame.id

        def end(edges: Mask | None) -> None:
            if edges is not None and self._context.view.is_on(frame_id):
                self._frame, self._edges = frame_id, edges
            if self._asked == frame_id:
                self._asked = ""

        # On an error they are found at the click, and what is wrong shows there.
        self._context.operations.start(lambda: _found(pixels), on_result=end, on_error=lambda _: end(None))


def _found(pixels: Image) -> Mask:
    edges = edges_of(pixels)
    with contextlib.suppress(IndexError):
        # The first time is the slow one: a library is loaded.
        nested_at(edges, edges.shape[1] // 2, edges.shape[0] // 2)
    return edges


_MAX_BOXES: Final = 20
"""Boxes; with more of them nobody follows what each becomes, and it would take a second."""


class BoxFitting:
    """Fits the selected boxes."""

    def __init__(self, context: EditorContext, edges: EdgeCache) -> None:
        self._context, self._edges = context, edges
        # What the key made of each box, and what else it could be.
        self._fitted: dict[str, tuple[Rect, tuple[Nested, ...]]] = {}
        self._key = ""

    def tighten(self, sides: frozenset[Side], *, level: int) -> None:
        """Fit the selected boxes to what can be seen; those that fit already go on to what lies around them."""
        found = self._begin()
        if found is None:
            return
        chosen, pixels, frame = found
        if sides == ALL_SIDES and self._goes_on(chosen):
            self._go_on(chosen, frame, back=False)
            return
        boxes = {e.uid: tightened(pixels, e.box, level=level, sides=sides) for e in chosen}
        if all(boxes[element.uid] == element.box for element in chosen):
            if sides == ALL_SIDES and len(chosen) <= _MAX_BOXES:
                self._go_on(chosen, frame, back=False)
            else:
                self._context.say(tr("The edges lie where they can be seen already."))
            return
        self._key = new_id("fit")
        self._fitted = {uid: (box, ()) for uid, box in boxes.items()} if sides == ALL_SIDES else {}
        self._context.do(SetBoxes(boxes=boxes, frame_size=frame.size, what="tighten", merge_key=self._key))

    def narrow(self) -> None:
        """The other way: from what lies around to what lies in it."""
        found = self._begin()
        if found is None:
            return
        chosen, _, frame = found
        if len(chosen) > _MAX_BOXES:
            self._context.say(tr("Select {count} boxes at most.").format(count=_MAX_BOXES))
            return
        self._go_on(chosen, frame, back=True)

    # ----------------------------------------------------------------------------------------------------------

    def _begin(self) -> tuple[list[Element], Image, Frame] | None:
        context = self._context
        chosen, pixels, frame = context.view.selected, context.canvas.pixels, context.view.frame
        if not chosen:
            context.say(tr("Select a box to tighten."))
            return None
        if pixels is None or frame is None:
            context.say(tr("The picture is still being read. Try again in a moment."))
            return None
        return chosen, pixels, frame

    def _goes_on(self, chosen: Sequence[Element]) -> bool:
        """Whether all of them are as the key left them last."""
        same = all(e.uid in self._fitted and self._fitted[e.uid][0] == e.box for e in chosen)
        return same and len(chosen) <= _MAX_BOXES

    def _go_on(self, chosen: Sequence[Element], frame: Frame, *, back: bool) -> None:
        if not self._goes_on(chosen):
            self._fitted, self._key = {}, new_id("fit")
        found: dict[str, Nested] = {}
        for element in chosen:
            chain = self._chain_of(element)
            following = next_of(chain, element.box, back=back)
            if following is not None:
                found[element.uid] = following
            box = element.box if following is None else following.box
            self._fitted[element.uid] = (box, chain)
        if not found:
            self._context.say(tr("The edges lie where they can be seen already, and nothing lies around."))
            return
        boxes = {uid: nested.box for uid, nested in found.items()}
        self._context.do(SetBoxes(boxes=boxes, frame_size=frame.size, what="fit", merge_key=self._key))
        kinds: set[Kind] = {nested.kind for nested in found.values()}
        if len(kinds) == 1:
            self._context.say(FITTED_WORDS[kinds.pop()])

    def _chain_of(self, element: Element) -> tuple[Nested, ...]:
        """What the box may be meant to be around; it stays the same from press to press."""
        _, known = self._fitted.get(element.uid, (None, ()))
        if known:
            return known
        edges = self._edges.now()
        shown = self._context.view.shown(element.frame)
        others = [one.box for one in shown if one.uid != element.uid and one.review != "rejected"]
        return () if edges is None else nested_in(edges, element.box, others=others)


_LEVELS: Final = (DEFAULT_LEVEL, 12)
_SIDES: Final[tuple[tuple[Side, str, Qt.Key, str], ...]] = (
    ("left", "←", Qt.Key.Key_Left, tr("Tighten the left side")),
    ("top", "↑", Qt.Key.Key_Up, tr("Tighten the top side")),
    ("bottom", "↓", Qt.Key.Key_Down, tr("Tighten the bottom side")),
    ("right", "→", Qt.Key.Key_Right, tr("Tighten the right side")),
)


class SidesBar(Overlay):
    """Has the keyboard while it is open: arrows tighten a side, T all of them, Esc closes it."""

    def __init__(self, canvas: Canvas, theme: Theme, *, tighten: Callable[[frozenset[Side]], None]) -> None:
        """Make it, hidden; ``tighten`` is called with the sides that are meant."""
        super().__init__(canvas, tr("Tighten one side"))
        self._tighten = tighten
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        buttons = [self._button(arrow, tip, theme, sides=frozenset({side})) for side, arrow, _, tip in _SIDES]
        buttons.append(self._button(tr("All"), tr("Tighten all sides"), theme, sides=ALL_SIDES, keys="T"))
        tips = (tr("Only clear edges count"), tr("Faint edges count too, as dark themes have them"))
        self._level = Segments(tr("Edges"), (tr("Clear"), tr("Faint")), tips=tips)
        self._level.set_current(0)
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.close_overlay)
        heading, margins = label(tr("Tighten"), role="caption"), (SPACE.m, SPACE.xs, SPACE.xs, SPACE.xs)
        row(heading, *buttons, SPACE.s, self._level, close, of=self, spacing=SPACE.xs, margins=margins)

    @property
    def level(self) -> int:
        """From which step between pixels on there is an edge."""
        return _LEVELS[max(self._level.current, 0)]

    def open_beside(self, box: QRect) -> None:
        """Show it below a box of the canvas, or above it where there is no room."""
        self.adjustSize()
        y = box.bottom() + SPACE.m
        if y + self.height() > self._over.height() - SPACE.s:
            y = box.top() - SPACE.xl - self.height()
        self.open_at(box.left(), y, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: the arrows, T, Esc."""
        sides: frozenset[Side] = frozenset(side for side, _, key, _ in _SIDES if key == event.key())
        if sides:
            self._tighten(sides)
        elif event.key() == Qt.Key.Key_T:
            self._tighten(ALL_SIDES)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close_overlay()
        else:
            super().keyPressEvent(event)

    def _button(self, text: str, tip: str, theme: Theme, *, sides: frozenset[Side], keys: str = "") -> QPushButton:
        made = push_button(text, tip, theme, keys=keys, call=lambda: self._tighten(sides))
        made.setAccessibleName(tip)
        made.setMinimumSize(HIT.tool + SPACE.s, HIT.tool)
        # The arrows belong to the bar, wherever in it the focus is.
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made


_PREVIEW_DELAY_MS: Final = 60
_SAME_PLACE_PX: Final = 4.0
"""Pixels of the window; a click this near to the last one is at the same place."""


@dataclass(frozen=True, slots=True)
class _Made:
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
        command = AddElement.drawn(frame.id, context.canvas.tools.new_type, chain[0].box)
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
        others = [one.box for one in self._context.view.shown(frame.id) if one.review != "rejected"]
        found = nested_at(edges, int(x), int(y), others=others)
        return tuple(one for one in found if not any(same_box(one.box, other) for other in others))

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
        self._prepare()
        if self._context.canvas.tool_name == "draw":
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
