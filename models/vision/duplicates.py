"""Two finds of one thing: which one stays, and what it takes over of the other.

Detector, rules and OCR look at the same pixels, the describer renames what they found, a second look sees again what
the first one saw, and programs tell about it once more. Measured on real programs: half of the duplicates are a sign
that was read on a detected icon.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from demopack.domain.elements import ATTRIBUTES, ElementSource, ElementType, Evidence
from demopack.domain.geometry import Rect
from demopack.domain.marks import MARKS
from demopack.domain.overlap import areas, box_array, common_areas, iou_of
from models.vision.detection import Detection
from models.vision.fusion import CONTROLS, LINE_TYPES, ROWS, evidence_of

_SAME_IOU: Final = 0.5
_SAME_AROUND_IOU: Final = 0.7
"""The same for two windows, and for two that a program told."""
_INSIDE: Final = 0.8
"""Share of the smaller of two that lies in the larger."""
_LONGER: Final = 1.25
"""Times the area of a line, from which on another one in its place holds more words."""
_MAX_SIGN_LETTERS: Final = 2
"""So few letters on an icon are the icon."""
_PLAIN: Final[frozenset[ElementType]] = frozenset({"icon", "slider"})
_SMALL: Final[frozenset[ElementType]] = (LINE_TYPES | MARKS | CONTROLS | _PLAIN) - {"text_area"}
"""Types in which no other elements lie, so that two in one place are one."""
_NEVER_NESTED: Final[frozenset[ElementType]] = _SMALL - {"menu"}
"""Types of which none lies in another of its own."""


_WINDOWS: Final[frozenset[ElementType]] = frozenset({"window", "dialog", "image"})
"""Types of which one may cover most of another: a dialog its window."""


class Found(Protocol):
    """A detection, or an element that was made of one."""

    @property
    def type(self) -> ElementType:
        """What it is taken for."""
        ...

    @property
    def box(self) -> Rect:
        """Where it is."""
        ...

    @property
    def text(self) -> str | None:
        """What is written on it."""
        ...

    @property
    def source(self) -> ElementSource:
        """Who found it."""
        ...

    @property
    def confidence(self) -> float | None:
        """How sure it is, 0..1."""
        ...

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What each source said."""
        ...


def duplicates_among(found: Sequence[Found]) -> dict[int, int]:
    """The places of finds that stand for the same as another one, with the place of the one that stays.

    What a program told stays before all else, then the surer one; of two lines the longer one. What a person said
    something about must not be among them.
    """
    boxes = box_array(one.box for one in found)
    sizes = areas(boxes)
    told = [any(said.source == "accessibility" for said in one.evidence) for one in found]
    gone: dict[int, int] = {}
    order = sorted(range(len(found)), key=lambda i: (told[i], *_surety(found[i]), -i), reverse=True)
    for at in order:
        if at in gone:
            continue
        own = slice(at, at + 1)
        common = common_areas(boxes[own], boxes)
        overlap, shares = iou_of(common, sizes[own], sizes)[0], common[0] / np.maximum(np.minimum(sizes, sizes[at]), 1)
        for other in np.flatnonzero((overlap > _SAME_IOU) | (shares >= _INSIDE)).tolist():
            if other == at or other in gone or at in gone:
                continue
            one, two = found[at], found[other]
            if told[at] and told[other]:
                if one.type == two.type and overlap[other] > _SAME_AROUND_IOU:
                    gone[other] = at
            elif _are_one(one, two, overlap=float(overlap[other])):
                goes = at if not told[at] and _says_more(two, one) else other
                gone[goes] = at + other - goes
    return gone


def _surety(one: Found) -> tuple[bool, float]:
    """How sure a find is; the letters that a mark or an icon was read as say little."""
    return one.type in LINE_TYPES or one.source != "ocr", one.confidence or 0.0


def _are_one(one: Found, two: Found, *, overlap: float) -> bool:
    """Whether two that overlap, or lie in each other, are one thing."""
    types = {one.type, two.type}
    alike = len(types) == 1 or types <= LINE_TYPES
    if overlap > _SAME_IOU and (types <= _SMALL or types == {"icon", "image"}):
        return True
    if alike and overlap > (_SAME_AROUND_IOU if types <= _WINDOWS else _SAME_IOU):
        return True
    if _mark_on_control(one, two) is not None:
        return True
    return alike and one.type in _NEVER_NESTED


def _mark_on_control(one: Found, two: Found) -> Found | None:
    """The one of two that is no mark but the icon before the words of a control."""
    for mark, control in ((one, two), (two, one)):
        if control.type in CONTROLS and _is_mark_by_place(mark) and _shares_words(mark, control):
            return mark
    return None


def _is_mark_by_place(one: Found) -> bool:
    """Whether nothing but the words behind it says that it is a mark."""
    rules = {said.rule for said in one.evidence if said.source == "rule"}
    return one.type in MARKS and "labelled_mark" in rules and "mark_outline" not in rules


def _shares_words(mark: Found, other: Found) -> bool:
    return bool(mark.text) and mark.text == other.text and mark.box.share_in(other.box) >= _INSIDE


def _says_more(two: Found, one: Found) -> bool:
    """Whether the less sure of two says more: the whole of a line, words that hardly can be an icon."""
    if _mark_on_control(one, two) is one:
        return True
    if {one.type, two.type} <= LINE_TYPES:
        return bool(two.text) and two.box.area > _LONGER * one.box.area
    if one.type in LINE_TYPES and two.type in CONTROLS | MARKS:
        return True
    return one.type == "icon" and two.type in LINE_TYPES and len(two.text or "") > _MAX_SIGN_LETTERS


def without_duplicates(found: Sequence[Detection]) -> list[Detection]:
    """The finds in their order, each thing once; words that only a duplicate had are taken over."""
    kept = [_unmarked(one, found) for one in found]
    gone = duplicates_among(kept)
    for other, stays in gone.items():
        one, two = kept[stays], kept[other]
        if two.type in LINE_TYPES and two.text and not one.text and ATTRIBUTES[one.type].text:
            said = (*evidence_of(one), *evidence_of(two))
            kept[stays] = dataclasses.replace(one, text=two.text, evidence=said)
    return [one for i, one in enumerate(kept) if i not in gone]


def _unmarked(one: Detection, found: Sequence[Detection]) -> Detection:
    """A find as it is; the icon at the beginning of a row as such, where only the row's words make it a mark."""
    if not _is_mark_by_place(one) or not any(row.type in ROWS and _shares_words(one, row) for row in found):
        return one
    if any(said.source == "describer" and said.type in MARKS for said in one.evidence):
        return one
    return dataclasses.replace(one, type="icon", text=None, states={})


_BARS: Final[frozenset[ElementType]] = frozenset({"slider"})
_NEVER_HOLDING: Final[frozenset[ElementType]] = MARKS | CONTROLS | _BARS
"""Types in which no other of them lies, but for one that stands on it, as the button that clears a field."""
_MANY: Final = 3
_HELD: Final = 0.9
_PART: Final = 0.3
"""Share of a control that another in it takes at most; what takes more is the same, seen twice."""


def without_pages(found: Sequence[Detection], beside: Sequence[Detection] = ()) -> list[Detection]:
    """What was found, without controls that would hold a whole page of others.

    Args:
        found: in a picture, or in a part of one.
        beside: what is known to be there, too.
    """
    able = [one for one in found if one.type in _NEVER_HOLDING]
    known = [*able, *(one for one in beside if one.type in _NEVER_HOLDING)]
    if len(known) <= _MANY:
        return list(found)
    outer, inner = (box_array(one.box for one in some) for some in (able, known))
    wide, small = areas(outer)[:, None], areas(inner)[None, :]
    held = (common_areas(outer, inner) >= _HELD * small) & (small <= _PART * wide)
    pages = {id(one) for one, count in zip(able, held.sum(axis=1).tolist(), strict=True) if count >= _MANY}
    return [one for one in found if id(one) not in pages]
