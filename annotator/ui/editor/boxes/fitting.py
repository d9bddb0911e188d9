"""Boxes fitted by a key: to what can be seen in them, and pressed again to what lies around, from thing to thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from annotator.box_commands import SetBoxes
from annotator.seen.nested import Kind, Nested, nested_in, next_of
from annotator.tighten import ALL_SIDES, Image, Side, tightened
from annotator.ui.editor.boxes.edges import SeenEdges
from annotator.ui.editor.boxes.nested_words import fitted_words
from annotator.ui.editor.feature import Desk
from annotator.words import tr
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.geometry import Rect
from demopack.domain.records import new_id

__all__ = ["Fitting"]

_MOST: Final = 20
"""Boxes; with more of them nobody follows what each becomes, and it would take a second."""


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What the key made of one box, and what else it could be."""

    box: Rect
    chain: tuple[Nested, ...]


class Fitting:
    """Fits the selected boxes."""

    def __init__(self, desk: Desk, edges: SeenEdges) -> None:
        self._desk, self._edges = desk, edges
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
            if sides == ALL_SIDES and len(chosen) <= _MOST:
                self._go_on(chosen, frame, back=False)
            else:
                self._desk.say(tr("The edges lie where they can be seen already."))
            return
        self._key = new_id("fit")
        self._fitted = {uid: _Fitted(box, ()) for uid, box in boxes.items()} if sides == ALL_SIDES else {}
        self._desk.do(SetBoxes(boxes=boxes, frame_size=frame.size, what="tighten", merge_key=self._key))

    def narrow(self) -> None:
        """The other way: from what lies around to what lies in it."""
        found = self._begin()
        if found is None:
            return
        chosen, _, frame = found
        if len(chosen) > _MOST:
            self._desk.say(tr("Select {count} boxes at most.").format(count=_MOST))
            return
        self._go_on(chosen, frame, back=True)

    # ----------------------------------------------------------------------------------------------------------

    def _begin(self) -> tuple[list[Element], Image, Frame] | None:
        desk = self._desk
        elements = (desk.document.element(uid) for uid in desk.view.selection)
        chosen = [element for element in elements if element is not None]
        pixels, frame = desk.canvas.pixels, desk.view.frame
        if not chosen:
            desk.say(tr("Select a box to tighten."))
            return None
        if pixels is None or frame is None:
            desk.say(tr("The picture is still being read. Try again in a moment."))
            return None
        return chosen, pixels, frame

    def _goes_on(self, chosen: Sequence[Element]) -> bool:
        """Whether all of them are as the key left them last."""
        known = (self._fitted.get(element.uid) for element in chosen)
        same = [one is not None and one.box == e.box for one, e in zip(known, chosen, strict=True)]
        return all(same) and len(chosen) <= _MOST

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
            self._desk.say(tr("The edges lie where they can be seen already, and nothing lies around."))
            return
        boxes = {uid: nested.box for uid, nested in found.items()}
        self._desk.do(SetBoxes(boxes=boxes, frame_size=frame.size, what="fit", merge_key=self._key))
        kinds: set[Kind] = {nested.kind for nested in found.values()}
        if len(kinds) == 1:
            self._desk.say(fitted_words(kinds.pop()))

    def _chain_of(self, element: Element) -> tuple[Nested, ...]:
        """What the box may be meant to be around; it stays the same from press to press."""
        known = self._fitted.get(element.uid)
        if known is not None and known.chain:
            return known.chain
        edges = self._edges.now()
        shown = self._desk.view.shown(element.frame)
        others = [one.box for one in shown if one.uid != element.uid and one.review != "rejected"]
        return () if edges is None else nested_in(edges, element.box, others=others)
