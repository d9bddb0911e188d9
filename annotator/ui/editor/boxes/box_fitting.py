"""Boxes fitted by a key to the edges that can be seen: side by side, or pressed again from thing to thing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton

from annotator.box_commands import SetBoxes
from annotator.snap.nested import FITTED_WORDS, Kind, Nested, nested_at, nested_in, next_of
from annotator.snap.tighten import ALL_SIDES, DEFAULT_LEVEL, Image, Side, tightened
from annotator.ui.canvas.canvas import Canvas
from annotator.ui.controls import Segments, flat_button, label, push_button, row
from annotator.ui.editor.editor_context import EditorContext
from annotator.ui.theme.manager import Theme
from annotator.ui.theme.tokens import HIT, SPACE
from annotator.words import tr
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
            self._take(frame.id, edges_of(pixels))
        return self.known

    def prepare(self) -> None:
        """Find them in the background, so that a click or a resting pointer need not wait."""
        frame, pixels = self._context.view.frame, self._context.canvas.pixels
        if frame is None or pixels is None or frame.id in (self._frame, self._asked):
            return
        frame_id = self._asked = frame.id
        self._context.operations.start(
            lambda: _found(pixels), on_result=lambda edges: self._take(frame_id, edges), on_error=self._forget_asked
        )

    def _forget_asked(self, _: Exception) -> None:
        # They are found at the click then, and what is wrong shows there.
        self._asked = ""

    def _take(self, frame_id: str, edges: Mask) -> None:
        if self._context.view.is_on(frame_id):
            self._frame, self._edges = frame_id, edges
        if self._asked == frame_id:
            self._asked = ""


def _found(pixels: Image) -> Mask:
    edges = edges_of(pixels)
    with contextlib.suppress(IndexError):
        # The first time is the slow one: a library is loaded.
        nested_at(edges, edges.shape[1] // 2, edges.shape[0] // 2)
    return edges


_MAX_BOXES: Final = 20
"""Boxes; with more of them nobody follows what each becomes, and it would take a second."""


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What the key made of one box, and what else it could be."""

    box: Rect
    chain: tuple[Nested, ...]


class BoxFitting:
    """Fits the selected boxes."""

    def __init__(self, context: EditorContext, edges: EdgeCache) -> None:
        self._context, self._edges = context, edges
        self._fitted: dict[str, _Fitted] = {}
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
        self._fitted = {uid: _Fitted(box, ()) for uid, box in boxes.items()} if sides == ALL_SIDES else {}
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
        known = (self._fitted.get(element.uid) for element in chosen)
        same = [one is not None and one.box == e.box for one, e in zip(known, chosen, strict=True)]
        return all(same) and len(chosen) <= _MAX_BOXES

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
            self._fitted[element.uid] = _Fitted(box, chain)
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
        known = self._fitted.get(element.uid)
        if known is not None and known.chain:
            return known.chain
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


class SidesBar(QFrame):
    """Has the keyboard while it is open: arrows tighten a side, T all of them, Esc closes it."""

    def __init__(self, canvas: Canvas, theme: Theme, *, tighten: Callable[[frozenset[Side]], None]) -> None:
        """Make it, hidden; ``tighten`` is called with the sides that are meant."""
        super().__init__(canvas)
        self._tighten = tighten
        self.setObjectName("overlay")
        self.setAccessibleName(tr("Tighten one side"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._canvas = canvas
        buttons = [self._button(arrow, tip, theme, sides=frozenset({side})) for side, arrow, _, tip in _SIDES]
        buttons.append(self._button(tr("All"), tr("Tighten all sides"), theme, sides=ALL_SIDES, keys="T"))
        tips = (tr("Only clear edges count"), tr("Faint edges count too, as dark themes have them"))
        self._level = Segments(tr("Edges"), (tr("Clear"), tr("Faint")), tips=tips)
        self._level.set_current(0)
        close = flat_button("close", tr("Close"), theme, keys="Esc", call=self.close_bar)
        heading, margins = label(tr("Tighten"), role="caption"), (SPACE.m, SPACE.xs, SPACE.xs, SPACE.xs)
        row(heading, *buttons, SPACE.s, self._level, close, of=self, spacing=SPACE.xs, margins=margins)
        self.hide()

    @property
    def level(self) -> int:
        """From which step between pixels on there is an edge."""
        return _LEVELS[max(self._level.current, 0)]

    def open_at(self, box: QRect) -> None:
        """Show it above or below a box of the canvas."""
        self.adjustSize()
        room = self._canvas.rect().adjusted(SPACE.s, SPACE.s, -SPACE.s, -SPACE.s)
        y = box.bottom() + SPACE.m
        if y + self.height() > room.bottom():
            y = box.top() - SPACE.xl - self.height()
        x = min(max(box.left(), room.left()), max(room.right() - self.width(), room.left()))
        self.move(x, min(max(y, room.top()), max(room.bottom() - self.height(), room.top())))
        self.show()
        self.raise_()
        self.setFocus()

    def close_bar(self) -> None:
        """Put it away and give the keyboard back to the picture."""
        if self.isVisible():
            self.hide()
            self._canvas.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's hook: the arrows, T, Esc."""
        sides: frozenset[Side] = frozenset(side for side, _, key, _ in _SIDES if key == event.key())
        if sides:
            self._tighten(sides)
        elif event.key() == Qt.Key.Key_T:
            self._tighten(ALL_SIDES)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _button(self, text: str, tip: str, theme: Theme, *, sides: frozenset[Side], keys: str = "") -> QPushButton:
        made = push_button(text, tip, theme, keys=keys, call=lambda: self._tighten(sides))
        made.setAccessibleName(tip)
        made.setMinimumSize(HIT.tool + SPACE.s, HIT.tool)
        # The arrows belong to the bar, wherever in it the focus is.
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return made
