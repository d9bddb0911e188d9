"""What a person can do to several boxes at once, or to the parts of one: each command is one edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from annotator.commands import checked, element_changes, make_edit
from annotator.document import Document
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import STATES, Element, State, reading_order
from demopack.domain.geometry import Rect, Size

__all__ = ["MergeElements", "PasteElements", "SetBoxes", "SplitElement", "placed", "split_words"]

_What = Literal["resize", "tighten", "paste", "draw", "fit"]


def _label(what: _What, elements: Sequence[Element]) -> str:
    one, several = {
        "resize": (tr("Resize {one}"), tr("Resize {count} elements")),
        "tighten": (tr("Tighten {one}"), tr("Tighten {count} elements")),
        "paste": (tr("Paste {one}"), tr("Paste {count} elements")),
        "draw": (tr("Draw {one}"), tr("Draw {count} elements")),
        "fit": (tr("Fit {one}"), tr("Fit {count} elements")),
    }[what]
    return one.format(one=name_element(elements[0])) if len(elements) == 1 else several.format(count=len(elements))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBoxes:
    """Boxes that got other places together: a group that was resized, boxes that were tightened or fitted.

    Attributes:
        boxes: from uid to box; boxes are cut at the frame, and those without area are left as they are.
        frame_size: pixels.
        what: for the history.
        merge_key: as everywhere.
    """

    boxes: Mapping[str, Rect]
    frame_size: Size
    what: Literal["resize", "tighten", "draw", "fit"] = "resize"
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        moved: list[Element] = []
        for uid, wanted in self.boxes.items():
            old, box = document.element(uid), wanted.clamped(self.frame_size)
            if old is None or box == old.box or box.area == 0:
                continue
            moved.append(old)
            replaced[uid] = old.changed(box=box, **checked(old))
        if not moved:
            return None
        return make_edit(_label(self.what, moved), element_changes(document, replaced), merge_key=self.merge_key)


def placed(
    box: Rect,
    size: Size,
    *,
    x: int | None = None,
    y: int | None = None,
    width: int | None = None,
    height: int | None = None,
) -> Rect:
    """The box at another place or of another size, on the frame: it is moved rather than cut, and never empty."""
    wide = min(max(box.width if width is None else width, 1), size.width)
    high = min(max(box.height if height is None else height, 1), size.height)
    left = min(max(box.x1 if x is None else x, 0), size.width - wide)
    top = min(max(box.y1 if y is None else y, 0), size.height - high)
    return Rect(left, top, left + wide, top + high)


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitElement:
    """One box cut into several; the first part stays the element that it was, the others are new.

    Attributes:
        uid: which element.
        across: ``x`` cuts from top to bottom, so that the parts lie side by side; ``y`` from left to right.
        cuts: for each cut, where the part before it ends and the next one begins, in pixels of the frame; what lies
            between belongs to neither.
        new_uids: of the parts after the first, as many as there are cuts.
    """

    uid: str
    across: Literal["x", "y"]
    cuts: tuple[tuple[int, int], ...]
    new_uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        old = document.element(self.uid)
        if old is None or not self.cuts:
            return None
        boxes = self.parts(old.box)
        if any(box.area == 0 for box in boxes):
            return None
        words = split_words(old.text or "", self._shares(old.box))
        first = old.changed(box=boxes[0], text=words[0] or None, **checked(old)).cleaned()
        fresh = {"source": "human", "confidence": None, "track_id": None, "review": "approved", "evidence": ()}
        made = [
            old.changed(uid=uid, box=box, text=text or None, **fresh).cleaned()
            for uid, box, text in zip(self.new_uids, boxes[1:], words[1:], strict=True)
        ]
        label = tr("Split {one} into {count}").format(one=name_element(old), count=len(boxes))
        return make_edit(label, element_changes(document, {self.uid: first}, made))

    def parts(self, box: Rect) -> list[Rect]:
        """The boxes of the parts; empty ones where a cut lies outside."""
        low, high = (box.x1, box.x2) if self.across == "x" else (box.y1, box.y2)
        inside = [min(max(edge, low), high) for cut in sorted(self.cuts) for edge in cut]
        edges = [low, *inside, high]
        spans = [(edges[i], max(edges[i + 1], edges[i])) for i in range(0, len(edges), 2)]
        if self.across == "x":
            return [Rect(a, box.y1, b, box.y2) for a, b in spans]
        return [Rect(box.x1, a, box.x2, b) for a, b in spans]

    def _shares(self, box: Rect) -> list[float]:
        low, length = (box.x1, box.width) if self.across == "x" else (box.y1, box.height)
        return [((a + b) / 2 - low) / max(length, 1) for a, b in sorted(self.cuts)]


def split_words(text: str, shares: Sequence[float]) -> list[str]:
    """Text over parts: each word goes to the part in which its middle lies, if letters were equally wide.

    Args:
        text: what was written on the whole.
        shares: where the cuts are, 0..1 of the length, in order.
    """
    parts: list[list[str]] = [[] for _ in range(len(shares) + 1)]
    at = 0
    for word in text.split():
        middle = (text.index(word, at) + len(word) / 2) / len(text)
        at = text.index(word, at) + len(word)
        parts[sum(share <= middle for share in shares)].append(word)
    return [" ".join(words) for words in parts]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeElements:
    """Several boxes of one frame become one around them all.

    Type and finder are those of the largest, text is joined in reading order, states stay where all that have them
    agree. The element that a step is done to survives, else the first; of the others, what was found is remembered as
    rejected.
    """

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        found = [e for uid in self.uids if (e := document.element(uid)) is not None and e.review != "rejected"]
        if len(found) < 2 or len({e.frame for e in found}) != 1:
            return None
        ordered = reading_order(found)
        kept = self.kept(document, ordered)
        largest = max(ordered, key=lambda e: e.box.area)
        box = largest.box
        for element in ordered:
            box = box.union(element.box)
        subtypes = {e.subtype for e in ordered if e.subtype is not None}
        new = kept.changed(
            type=largest.type,
            box=box,
            text=_joined(ordered) or None,
            subtype=subtypes.pop() if len(subtypes) == 1 else None,
            states=_agreed(ordered),
            **{"review": "approved", **checked(kept)},
        ).cleaned()
        replaced: dict[str, Element | None] = {kept.uid: new}
        for element in ordered:
            if element.uid != kept.uid:
                replaced[element.uid] = None if element.source == "human" else element.changed(review="rejected")
        label = tr("Merge {count} boxes into {one}").format(count=len(ordered), one=name_element(new))
        return make_edit(label, element_changes(document, replaced))

    def kept(self, document: Document, ordered: Sequence[Element]) -> Element:
        """Which element survives."""
        targets = {step.target_uid for step in document.steps_on(ordered[0].frame)}
        return next((element for element in ordered if element.uid in targets), ordered[0])


def _joined(ordered: Sequence[Element]) -> str:
    """Texts in reading order; one that repeats part of what is written around it is left out."""
    words: list[str] = []
    for element in ordered:
        text = element.text or ""
        around = (other for other in ordered if other is not element and other.box.encloses(element.box))
        if text and not any(text in (other.text or "") and other.box != element.box for other in around):
            words.append(text)
    return " ".join(words)


def _agreed(elements: Sequence[Element]) -> dict[State, bool]:
    agreed: dict[State, bool] = {}
    for state in STATES:
        values = {element.states[state] for element in elements if state in element.states}
        if len(values) == 1:
            agreed[state] = values.pop()
    return agreed


@dataclass(frozen=True, slots=True, kw_only=True)
class PasteElements:
    """Boxes that were copied, from this frame, another one, or another window.

    Attributes:
        elements: with uids of their own, on the frame that they go to.
    """

    elements: tuple[Element, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        fresh = [element for element in self.elements if document.element(element.uid) is None]
        if not fresh:
            return None
        return make_edit(_label("paste", fresh), element_changes(document, {}, fresh))
