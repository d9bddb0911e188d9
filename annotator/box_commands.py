"""Commands for several boxes at once, or for the parts of one: each is one edit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from annotator.commands import checked, deleted_element, edit_each, element_changes, make_edit, within
from annotator.document import Document
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import STATES, Box, Element, ElementType, State, reading_order
from demopack.domain.geometry import Rect, Size
from demopack.domain.records import Record, new_id

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
        boxes: from uid to box; those without area are left as they are.
        frame_size: pixels at which boxes are cut; None for boxes that lie on their frame.
        what: for the history.
        merge_key: as everywhere.
    """

    boxes: Mapping[str, Rect]
    frame_size: Size | None = None
    what: Literal["resize", "tighten", "draw", "fit"] = "resize"
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(
            document, self.boxes, self._moved, lambda old: _label(self.what, old), merge_key=self.merge_key
        )

    def _moved(self, old: Element) -> Element:
        box = self.boxes[old.uid] if self.frame_size is None else self.boxes[old.uid].clamped(self.frame_size)
        return old if box == old.box or box.area == 0 else old.changed(box=box, **checked(old))


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
        low, length = (old.box.x1, old.box.width) if self.across == "x" else (old.box.y1, old.box.height)
        words = split_words(old.text or "", [((a + b) / 2 - low) / max(length, 1) for a, b in sorted(self.cuts)])
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
        whole = box if self.across == "x" else box.turned
        inside = [min(max(edge, whole.x1), whole.x2) for cut in sorted(self.cuts) for edge in cut]
        edges = [whole.x1, *inside, whole.x2]
        found = [Rect(a, whole.y1, max(a, b), whole.y2) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        return found if self.across == "x" else [part.turned for part in found]


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
        found = [element for element in document.present(self.uids) if element.review != "rejected"]
        if len(found) < 2 or len({e.frame for e in found}) != 1:
            return None
        ordered = reading_order(found)
        targets = {step.target_uid for step in document.steps_on(ordered[0].frame)}
        kept = next((element for element in ordered if element.uid in targets), ordered[0])
        largest = max(ordered, key=lambda e: e.box.area)
        box = largest.box
        for element in ordered:
            box = box.union(element.box)
        subtypes = {e.subtype for e in ordered if e.subtype is not None}
        said = {state: {e.states[state] for e in ordered if state in e.states} for state in STATES}
        agreed = {state: values.pop() for state, values in said.items() if len(values) == 1}
        new = kept.changed(
            type=largest.type,
            box=box,
            text=_joined(ordered) or None,
            subtype=subtypes.pop() if len(subtypes) == 1 else None,
            states=agreed,
            **{"review": "approved", **checked(kept)},
        ).cleaned()
        replaced = {element.uid: new if element is kept else deleted_element(element) for element in ordered}
        label = tr("Merge {count} boxes into {one}").format(count=len(ordered), one=name_element(new))
        return make_edit(label, element_changes(document, replaced))


def _joined(ordered: Sequence[Element]) -> str:
    """Texts in reading order; one that repeats part of what is written around it is left out."""
    words: list[str] = []
    for element in ordered:
        text = element.text or ""
        around = (other for other in ordered if other is not element and other.box.encloses(element.box))
        if text and not any(text in (other.text or "") and other.box != element.box for other in around):
            words.append(text)
    return " ".join(words)


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


class Appearance(Record):
    """What a person sees of an element, without identity, finder and review: those belong to one element.

    Attributes:
        type: what it is.
        box: pixels of its frame.
        text: what is written on it.
        subtype: for icons and shapes.
        states: those that can be seen.
    """

    type: ElementType
    box: Box
    text: str | None = None
    subtype: str | None = None
    states: dict[State, bool] = Field(default_factory=dict[State, bool])

    @classmethod
    def of(cls, element: Element) -> Appearance:
        """How an element looks."""
        return cls.model_validate(element, from_attributes=True)


MIME = "application/x-demopack-boxes+json"

_MAX_BOXES = 20_000
_OFFSET_PX = 8
"""Pixels; copies on the frame that they come from would hide what they were copied from."""


class _Copied(BaseModel):
    demopack_boxes: Literal[1]
    boxes: list[dict[str, Any]]


def boxes_to_json(elements: Sequence[Element]) -> str:
    """How boxes look, for the clipboard."""
    boxes = [Appearance.of(element).model_dump(mode="json", exclude_none=True) for element in elements]
    return json.dumps({"demopack_boxes": 1, "boxes": boxes}, ensure_ascii=False)


def boxes_from_json(text: str) -> list[Element]:
    """The boxes of :func:`boxes_to_json`, on no frame yet; empty where the text is something else."""
    try:
        found = _Copied.model_validate_json(text)
        return [
            Element.model_validate({**box, "uid": "copied", "frame": ""}).cleaned() for box in found.boxes[:_MAX_BOXES]
        ]
    except ValueError:
        return []


def to_paste(copied: Sequence[Element], *, frame_id: str, size: Size, here: Sequence[Element]) -> tuple[Element, ...]:
    """New elements for a frame, in their old place; where the same boxes lie already, a little away.

    Args:
        copied: from :func:`boxes_from_json`.
        frame_id: where to.
        size: of that frame; boxes that would lie outside are moved onto it together, then cut.
        here: what lies on the frame now.
    """
    if not copied:
        return ()
    taken = {(element.type, element.box) for element in here if element.review != "rejected"}
    dx, dy = within([element.box for element in copied], 0, 0, size)
    boxes = [element.box.moved(dx, dy).clamped(size) for element in copied]
    step = 0
    while any((element.type, box) in taken for element, box in zip(copied, boxes, strict=True)) and step < 20:
        step += 1
        ax, ay = within([box.moved(_OFFSET_PX, _OFFSET_PX) for box in boxes], 0, 0, size)
        boxes = [box.moved(_OFFSET_PX + ax, _OFFSET_PX + ay) for box in boxes]
        if (ax, ay) == (-_OFFSET_PX, -_OFFSET_PX):
            break
    made = (
        element.model_copy(update={"uid": new_id("el"), "frame": frame_id, "box": box, "review": "approved"})
        for element, box in zip(copied, boxes, strict=True)
    )
    return tuple(element for element in made if element.box.area)
