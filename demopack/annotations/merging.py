"""Merges the boxes of a file with the elements of a frame; nothing that a person made changes unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from pydantic import ValidationError

from demopack.codecs.boxes.base import DecodedBox, FormatCapabilities
from demopack.codecs.boxes.input_files import refuse
from demopack.codecs.losses import LossCounts
from demopack.domain.elements import Element
from demopack.domain.frames import Frame
from demopack.domain.overlap import box_array, iou_matrix
from demopack.domain.records import new_id

SAME_ELEMENT_IOU = 0.5
"""Two boxes that overlap by more (IoU) are the same element, where nothing else tells."""
_VISIBLE = ("type", "text", "subtype", "states")
_TWICE = "boxes of which another picture with the same pixels says otherwise"


@dataclass(slots=True, kw_only=True)
class FrameMerge:
    """Changes that an import makes to one frame.

    Attributes:
        frame: its id.
        added: elements that the file has and the frame has not.
        changed: elements as they are and as the file has them.
        kept: likewise, but a person made the first, so it stays.
        same: how many are equal.
        only_here: how many the file does not have; they stay.
        met: uids of the elements that it has.
    """

    frame: str
    added: list[Element] = field(default_factory=list[Element])
    changed: list[tuple[Element, Element]] = field(default_factory=list[tuple[Element, Element]])
    kept: list[tuple[Element, Element]] = field(default_factory=list[tuple[Element, Element]])
    same: int = 0
    only_here: int = 0
    met: set[str] = field(default_factory=set[str])


def _element(box: DecodedBox, frame: Frame, lost: LossCounts) -> Element:
    """A box as an element of its own."""
    fields: dict[str, Any] = {"uid": new_id("el"), "type": "other", **box.fields}
    try:
        made = Element.model_validate({**fields, "frame": frame.id, "box": box.box(frame.size)})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        refuse(box.where, f"The field “{name}” is wrong: {first['msg']}.", "Correct it, or remove the box.")
    except ValueError as error:
        refuse(box.where, "The box's numbers are no pixels of a picture.", "Correct them.", details=str(error))
    if box.whole:
        return made
    plain = made.cleaned()
    if plain != made:
        lost.add("unfit", "attributes that an element of this type has not", box.where)
    return plain


def _wanted(old: Element, new: Element, box: DecodedBox, capabilities: FormatCapabilities) -> Element:
    """The element that is there, as the file has it."""
    if box.whole:
        fields = {name: getattr(new, name) for name in capabilities.fields if name != "uid"}
        if new.confidence is None and new.source == old.source:
            fields.pop("confidence", None)  # nobody changes it; some programs drop it
    else:
        # Of a stranger's box what is not told is not known, and who found the element does not change.
        fields = {name: getattr(new, name) for name in _VISIBLE if name in box.fields and name in capabilities.fields}
        if "states" in fields:
            fields["states"] = {**old.states, **new.states}
    for name in ("text", "subtype", "track_id"):
        if name in fields and not fields[name] and not getattr(old, name):
            fields.pop(name)  # an empty text and none are the same
    wanted = old.changed(box=new.box, **fields)
    if wanted.type != old.type:
        wanted = wanted.cleaned()
    seen = wanted.box != old.box or any(getattr(wanted, name) != getattr(old, name) for name in _VISIBLE)
    if seen and wanted.review == "unreviewed" and box.whole:
        # It went out, and somebody corrected it there: no later parse may replace it.
        wanted = wanted.changed(review="approved")
    return wanted


def _partners(existing: Sequence[Element], arrived: Sequence[Element]) -> list[Element | None]:
    """As :func:`match_elements`; by place a box is rather one that is shown than one that was rejected there."""
    uids = {element.uid for element in arrived}
    shown = [element for element in existing if element.review != "rejected" or element.uid in uids]
    found = match_elements(shown, arrived)
    open_ = [i for i, one in enumerate(found) if one is None]
    rejected = [element for element in existing if element.review == "rejected" and element.uid not in uids]
    for i, old in zip(open_, match_elements(rejected, [arrived[i] for i in open_]), strict=True):
        found[i] = old
    return found


def match_elements(existing: Sequence[Element], arrived: Sequence[Element]) -> list[Element | None]:
    """Match each element that arrived with an existing one: by identity, then by the best overlap.

    Overlaps of :data:`SAME_ELEMENT_IOU` or less are no match; None stands where there is none.
    """
    by_uid = {element.uid: element for element in existing}
    found: list[Element | None] = [by_uid.get(element.uid) for element in arrived]
    met = {element.uid for element in found if element is not None}
    left = [element for element in existing if element.uid not in met]
    open_ = [i for i, one in enumerate(found) if one is None]
    if not left or not open_:
        return found
    order = sorted(
        overlapping_pairs([arrived[i] for i in open_], left),
        key=lambda at: (-at[2], *_unlike(arrived[open_[at[0]]], left[at[1]]), at[:2]),
    )
    taken: set[int] = set()
    for row, column, _ in order:
        if found[open_[row]] is None and column not in taken:
            found[open_[row]] = left[column]
            taken.add(column)
    return found


def _unlike(a: Element, b: Element) -> tuple[bool, bool]:
    return (a.type != b.type, (a.text or "") != (b.text or ""))


def overlapping_pairs(a: Sequence[Element], b: Sequence[Element]) -> list[tuple[int, int, float]]:
    """Pairs that overlap by more than :data:`SAME_ELEMENT_IOU`, with how far.

    Boxes that share more than half are at most twice as wide as each other, so their left edges lie less than a width
    apart: only those are compared, and 5,000 boxes take a tenth of a second.
    """
    if not a or not b:
        return []
    boxes = box_array(e.box for e in b)
    order = np.argsort(boxes[:, 0], kind="stable")
    boxes = boxes[order]
    found: list[tuple[int, int, float]] = []
    for row, element in enumerate(a):
        box = element.box
        low, high = np.searchsorted(boxes[:, 0], (box.x1 - box.width, box.x1 + box.width), side="left").tolist()
        overlaps = iou_matrix(box_array([box]), boxes[low : high + 1])[0]
        hits = np.flatnonzero(overlaps > SAME_ELEMENT_IOU).tolist()
        found += [(row, int(order[low + place]), round(float(overlaps[place]), 6)) for place in hits]
    return found


@dataclass(slots=True, kw_only=True)
class DemoMerge:
    """Merges pictures into the frames of a demo, one after the other.

    Attributes:
        capabilities: what the file's format carries.
        taken: whether a uid is in use elsewhere in the demo.
        theirs: change also what a person made.
        left_out: counts boxes that were not taken.
        lost: counts what was taken less exactly.
        made: what the pictures do, frame by frame.
    """

    capabilities: FormatCapabilities
    taken: Callable[[str], bool]
    theirs: bool = False
    left_out: LossCounts = field(default_factory=LossCounts)
    lost: LossCounts = field(default_factory=LossCounts)
    made: dict[str, FrameMerge] = field(default_factory=dict[str, FrameMerge], init=False)

    def merge(
        self, frame: Frame, existing: Sequence[Element], boxes: Sequence[DecodedBox], *, where: str = ""
    ) -> FrameMerge:
        """Compare a file's boxes with a frame's elements; returns what all pictures so far do to the frame.

        Boxes are found again by the identity that our own files carry, else by where they lie. A box without an
        identity changes only what it tells; one that went out from here is the whole element as far as the format
        carries it. Of several pictures with the same pixels the first one that has an element says what becomes of it.

        Args:
            frame: that the picture shows.
            existing: the frame's elements in the demo.
            boxes: of the picture.
            where: the file that tells of it, for messages.

        Raises:
            BadInputError: a box holds a value that no element can have; file, entry and field are named.
        """
        arrived = self._arrived(frame, boxes)
        joined = self.made.setdefault(frame.id, FrameMerge(frame=frame.id))
        settled = joined.met | {element.uid for element in joined.added}
        pairs = _partners([*existing, *joined.added], [element for _, element in arrived])
        # What each is called here: parents are named by it.
        names: dict[str, str] = {}
        for (box, element), old in zip(arrived, pairs, strict=True):
            keeps = "uid" in box.fields and not self.taken(element.uid)
            names[element.uid] = old.uid if old is not None else element.uid if keeps else new_id("el")
        for (box, element), old in zip(arrived, pairs, strict=True):
            parent = names.get(element.parent or "", element.parent)
            here = element if parent == element.parent else element.changed(parent=parent)
            if old is None:
                joined.added.append(here.changed(uid=names[element.uid]))
                continue
            new = _wanted(old, here, box, self.capabilities)
            if old.uid in settled:
                if new != old:
                    self.left_out.add("twice", _TWICE, where)
            elif new == old:
                joined.same += 1
            elif old.made_by_person and not self.theirs:
                joined.kept.append((old, new))
            else:
                joined.changed.append((old, new))
        joined.met.update(old.uid for old in pairs if old is not None)
        joined.only_here = sum(one.review != "rejected" and one.uid not in joined.met for one in existing)
        return joined

    def _arrived(self, frame: Frame, boxes: Sequence[DecodedBox]) -> list[tuple[DecodedBox, Element]]:
        """The boxes that can be taken, each with its element; uids are unique."""
        arrived: list[tuple[DecodedBox, Element]] = []
        used: set[str] = set()
        for box in boxes:
            element = _element(box, frame, self.lost)
            if not element.box.area:
                self.left_out.add("no_area", "boxes without area, or beside their picture", box.where)
                continue
            if not box.whole_box(frame.size).inside(frame.size):
                self.lost.add("cut", "boxes that were cut at the picture's edge", box.where)
            if element.uid in used:
                # A box of ours that somebody copied there, with everything that we had written beside it.
                review = "approved" if element.review == "approved" else "unreviewed"
                element = element.changed(uid=new_id("el"), source="human", confidence=None, review=review)
            used.add(element.uid)
            arrived.append((box, element))
        return arrived
