"""Merging of propagated elements with what is on a picture already. What a person said there wins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from annotator.commands import as_suggested
from annotator.propagate.carry import CONTAINERS, CarriedElement, How
from annotator.suggestions.confidence_filter import is_suggestion
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas, box_array, common_areas, iou_matrix
from demopack.domain.text_likeness import ratio

_SAME_PLACE_IOU = 0.6
"""Boxes that overlap more (IoU) are of the same thing."""
_SAME_FINDING_IOU = 0.85
"""A box that overlaps more with what a person corrected is that mistake again."""
_SAME_THING_IOU = 0.5
"""Boxes of one type that overlap more (IoU) are not both taken."""
_OTHER_TYPE_IOU = 0.75
"""The same for two types: an icon may fill half of its button."""
_INSIDE_SHARE = 0.8
"""So much of the smaller one of two boxes lies in the larger one."""
_MIN_TEXT_RATIO = 0.6


@dataclass(slots=True, kw_only=True)
class MergedElements:
    """What becomes of a picture's elements.

    Attributes:
        replaced: new values of elements that were there, by uid.
        added: elements that were not there, by uid.
        became: from the uid of the element that was carried to the uid of the one that stands for it here.
        doubtful: uids, here, of what is only suggested.
    """

    replaced: dict[str, Element] = field(default_factory=dict[str, Element])
    added: dict[str, Element] = field(default_factory=dict[str, Element])
    became: dict[str, str] = field(default_factory=dict[str, str])
    doubtful: list[str] = field(default_factory=list[str])

    @property
    def count(self) -> int:
        """How many elements are new or other than before, rejected ones aside."""
        changed = (*self.replaced.values(), *self.added.values())
        return sum(element.review != "rejected" for element in changed)

    def applied(self, existing: Iterable[Element]) -> tuple[Element, ...]:
        """The picture's elements afterwards."""
        return (*(self.replaced.get(element.uid, element) for element in existing), *self.added.values())


def merge(
    carried: Sequence[CarriedElement],
    existing: Sequence[Element],
    *,
    bound: Collection[str] = (),
    sparing: bool = False,
) -> MergedElements:
    """Join what was carried with what is there.

    An element that a person drew, approved, doubted or rejected stays as it is. A suggestion that nobody looked at yet
    becomes what was carried onto it, unless that is no better than a suggestion itself. No track is twice on a picture.

    Args:
        carried: in the order of the picture that they come from.
        existing: the elements of this picture.
        bound: uids of those that steps are bound to; only what is surely the same changes them, and nothing rejects.
        sparing: leave out what was found here already, in a somewhat other box or under another type.
    """
    merged = MergedElements()
    there = {element.uid: element for element in existing}
    pairs = _pairs(carried, list(existing))
    for one in carried:
        old = there.get(pairs.get(one.origin, ""))
        if old is None:
            continue
        merged.became[one.origin] = old.uid
        new = _joined(one, old, bound=old.uid in bound)
        if new != old:
            merged.replaced[old.uid] = new
    _add(merged, [one for one in carried if one.origin not in pairs], existing, sparing=sparing)
    _separate_tracks(merged, there, carried)
    return merged


def _add(merged: MergedElements, left: Sequence[CarriedElement], existing: Sequence[Element], *, sparing: bool) -> None:
    """Take over what is in nobody's place, the surest first where two may say the same."""
    here = _Boxes([merged.replaced.get(element.uid, element) for element in existing])
    taken: list[Element] = []
    for one in sorted(left, key=lambda one: get_args(How).index(one.how)):
        if sparing and (here.have(one.element) or (one.how != "same" and _Boxes(taken).have(one.element))):
            continue
        taken.append(one.element)
    chosen = {element.uid for element in taken}
    for one in left:
        if one.element.uid in chosen:
            merged.added[one.element.uid] = one.element
            merged.became[one.origin] = one.element.uid
            if one.how == "changed":
                merged.doubtful.append(one.element.uid)


def _pairs(carried: Sequence[CarriedElement], existing: Sequence[Element]) -> dict[str, str]:
    """From the origin of each carried element to the uid of what lies in its place; the best overlaps first."""
    if not existing:
        return {}
    pairs, used = _equal(carried, existing)
    boxes = _Boxes(existing)
    found: list[tuple[float, int, int]] = []
    for i, one in enumerate(carried):
        for j, share in () if one.origin in pairs else boxes.fitting(one.element):
            if _agree(one, existing[j]):
                found.append((-share - (0.2 if one.element.type == existing[j].type else 0.0), i, j))
    for _, i, j in sorted(found):
        if carried[i].origin not in pairs and j not in used:
            pairs[carried[i].origin] = existing[j].uid
            used.add(j)
    return pairs


def _equal(carried: Sequence[CarriedElement], existing: Sequence[Element]) -> tuple[dict[str, str], set[int]]:
    """What lies in exactly the same box and is of the same type: nothing fits better, so nothing else is asked."""
    places: dict[tuple[Rect, str], list[int]] = {}
    for j in reversed(range(len(existing))):
        places.setdefault((existing[j].box, existing[j].type), []).append(j)
    pairs: dict[str, str] = {}
    used: set[int] = set()
    for one in carried:
        here = places.get((one.element.box, one.element.type))
        if here and one.origin not in pairs and _agree(one, existing[here[-1]]):
            j = here.pop()
            pairs[one.origin] = existing[j].uid
            used.add(j)
    return pairs, used


def _agree(one: CarriedElement, old: Element) -> bool:
    """Whether the words do not speak against it: what was found elsewhere by its pixels may be another one's."""
    mine, theirs = (e.text or "" for e in (one.element, old))
    if one.how != "moved" or not mine or not theirs:
        return True
    return ratio(mine.casefold(), theirs.casefold()) >= _MIN_TEXT_RATIO


class _Boxes:
    """The boxes of a picture as arrays, so that thousands of them can be asked."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._boxes = box_array(e.box for e in elements)
        self._elements = elements
        self._open = np.array([is_suggestion(element) for element in elements])

    def fitting(self, carried: Element) -> list[tuple[int, float]]:
        """What lies in the place of a carried element, or is the suggestion that a person made it of; how well."""
        shares = self._shares(carried.box)
        best = np.where(shares >= _SAME_PLACE_IOU, shares, 0.0)
        for said in carried.evidence:
            if said.box is not None:
                again = self._shares(said.box)
                best = np.maximum(best, np.where(self._open & (again >= _SAME_FINDING_IOU), again, 0.0))
        return [(int(j), float(best[j])) for j in np.flatnonzero(best)]

    def have(self, carried: Element) -> bool:
        """Whether something says the same here: nearly its box, or around or in it with its type or its words."""
        common = common_areas(box_array([carried.box]), self._boxes)[0]
        inside = common / np.maximum(np.minimum(areas(self._boxes), carried.box.area), 1)
        overlap = self._shares(carried.box)
        for j in np.flatnonzero((overlap >= _SAME_THING_IOU) | (inside >= _INSIDE_SHARE)):
            old = self._elements[int(j)]
            if old.review == "rejected":
                continue
            alike = old.type == carried.type
            nearly = overlap[j] >= (_SAME_THING_IOU if alike else _OTHER_TYPE_IOU)
            nested = alike and old.type not in CONTAINERS and inside[j] >= _INSIDE_SHARE
            spoken = bool(old.text) and old.text == carried.text and inside[j] >= _INSIDE_SHARE
            if nearly or nested or spoken:
                return True
        return False

    def _shares(self, box: Rect) -> npt.NDArray[np.floating[Any]]:
        """Intersection over union with every box."""
        return np.asarray(iou_matrix(box_array([box]), self._boxes)[0])


def _joined(one: CarriedElement, old: Element, *, bound: bool) -> Element:
    """What stands in the place of an element that was there."""
    new = one.element
    if bound and (one.how != "same" or new.review == "rejected"):
        return old
    if not is_suggestion(old):
        return old if old.track_id is not None else old.model_copy(update={"track_id": new.track_id})
    if one.how == "changed" or is_suggestion(new):
        # Somebody has just looked there with better eyes; only who it is, is known better from before.
        return old if one.how == "changed" else old.model_copy(update={"track_id": new.track_id or old.track_id})
    # What was suggested here stays known, so that the same suggestion says nothing new.
    kept = {"uid": old.uid, "frame": old.frame, "parent": old.parent, "evidence": as_suggested(old)}
    return new.model_copy(update=kept)


def _separate_tracks(merged: MergedElements, there: Mapping[str, Element], carried: Sequence[CarriedElement]) -> None:
    """Take a track from where it should not be: what was carried with its pixels is surer than what was tracked."""
    after = {element.uid: element for element in merged.applied(there.values())}
    sure = {merged.became.get(one.origin, "") for one in carried if one.how != "changed"}
    owners: dict[str, str] = {}
    for uid in sorted(after, key=lambda uid: (uid not in there or is_suggestion(there[uid]), uid not in sure, uid)):
        track = after[uid].track_id
        if track is None:
            continue
        if track in owners:
            changed = merged.added if uid in merged.added else merged.replaced
            changed[uid] = after[uid].model_copy(update={"track_id": None})
        else:
            owners[track] = uid
