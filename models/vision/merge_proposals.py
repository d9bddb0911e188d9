"""What a new search of a screen may add: nothing that a person has settled, right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from demopack.domain.overlap import areas, box_array, common_areas, iou_matrix, iou_of
from models.vision.fusion import LINE_TYPES

_COVERED_IOU: Final = 0.7
"""A proposal that overlaps a person's element by more (IoU) says nothing new, whatever it takes it for."""
_SAME_IOU: Final = 0.5
"""The same for a proposal of the same type."""
_REJECTED_IOU: Final = 0.85
"""A proposal of another type is what was rejected under another name from here on; below, it is another thing."""
_NEVER: Final = 2.0
_DUPLICATE_IOU: Final = 0.7
"""Of two proposals of one type that overlap by more (IoU) one is enough."""
_CHUNK_SIZE: Final = 512
"""Proposals that are compared at once: memory stays small on screens of thousands of elements."""


def decided(elements: Sequence[Element]) -> list[Element]:
    """Those that a person drew, or said anything about: no search changes or replaces them."""
    return [element for element in elements if element.source == "human" or element.review != "unreviewed"]


def new_to(kept: Sequence[Element], proposals: Sequence[Element]) -> list[Element]:
    """The proposals that are about something else than all of ``kept``.

    A proposal is known by its place and type: what a person rejected does not come back, also where it was found a
    little larger or under another name; what a person corrected does not come back as it was before the correction,
    which its evidence tells.

    Args:
        kept: what :func:`decided` gave for the screen.
        proposals: what was found now.
    """
    claims = [claim for element in kept for claim in _claims(element)]
    if not claims or not proposals:
        return list(proposals)
    boxes = box_array(claim.box for claim in claims)
    same = np.array([claim.same for claim in claims])
    other = np.array([claim.other for claim in claims])
    result: list[Element] = []
    for start in range(0, len(proposals), _CHUNK_SIZE):
        part = proposals[start : start + _CHUNK_SIZE]
        overlap = iou_matrix(box_array(one.box for one in part), boxes)
        for row, proposal in enumerate(part):
            near = np.flatnonzero(overlap[row] > _SAME_IOU)
            known = any(
                overlap[row, i] > (same[i] if _alike(claims[i].type, proposal.type) else other[i]) for i in near
            )
            result += [] if known else [proposal]
    return result


def found_once(proposals: Sequence[Element]) -> list[Element]:
    """The proposals in their order, of those that are one thing the surest: what programs told comes before all else.

    Two looks at a screen, or a type that was told afterwards, may make one of two that were of different types before.
    """
    if len(proposals) < 2:
        return list(proposals)
    boxes = box_array(one.box for one in proposals)
    sizes = areas(boxes)
    gone: set[int] = set()
    told = [any(said.source == "accessibility" for said in one.evidence) for one in proposals]
    for at in sorted(range(len(proposals)), key=lambda i: (told[i], proposals[i].confidence or 0.0, -i), reverse=True):
        if at in gone:
            continue
        own = slice(at, at + 1)
        overlap = iou_of(common_areas(boxes[own], boxes), sizes[own], sizes)[0]
        near = np.flatnonzero(overlap > _DUPLICATE_IOU).tolist()
        gone.update(i for i in near if i != at and proposals[i].type == proposals[at].type)
    return [one for i, one in enumerate(proposals) if i not in gone]


class _Claim(NamedTuple):
    """A place that is settled: ``same`` is the least overlap of a proposal of its type, ``other`` of any other type."""

    box: Rect
    type: ElementType | None
    same: float
    other: float


def _claims(element: Element) -> list[_Claim]:
    is_out = element.review == "rejected"
    claim = _Claim(element.box, element.type, same=_SAME_IOU, other=_REJECTED_IOU if is_out else _COVERED_IOU)
    # What was said before a person moved the box or chose another type would be said again.
    said_before = (
        _Claim(said.box, said.type, same=_COVERED_IOU, other=_NEVER)
        for said in element.evidence
        if said.box is not None and (said.box, said.type) != (element.box, element.type)
    )
    return [claim, *said_before]


def _alike(known: ElementType | None, found: ElementType) -> bool:
    """Whether two types are one to a search; kinds of text change from one look to the next."""
    return known == found or (known in {None, *LINE_TYPES} and found in LINE_TYPES)
