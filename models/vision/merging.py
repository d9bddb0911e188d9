"""What a new search of a screen may add: nothing that a person has settled, right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from demopack.domain.elements import Element, ElementType
from demopack.domain.geometry import Rect
from models.vision.fusion import LINE_TYPES

__all__ = ["decided", "found_once", "new_to"]

_COVERED: Final = 0.7
"""A proposal that overlaps a person's element by more (IoU) says nothing new, whatever it takes it for."""
_SAME: Final = 0.5
"""The same for a proposal of the same type."""
_REJECTED_ALIKE: Final = 0.85
"""A proposal of another type is what was rejected under another name from here on; below, it is another thing."""
_NEVER: Final = 2.0
_DOUBLE: Final = 0.7
"""Of two proposals of one type that overlap by more (IoU) one is enough."""
_CHUNK: Final = 512
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
    boxes = _array([claim.box for claim in claims])
    same = np.array([claim.same for claim in claims])
    other = np.array([claim.other for claim in claims])
    result: list[Element] = []
    for start in range(0, len(proposals), _CHUNK):
        part = proposals[start : start + _CHUNK]
        overlap = _overlaps(_array([one.box for one in part]), boxes)
        for row, proposal in enumerate(part):
            near = np.flatnonzero(overlap[row] > _SAME)
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
    boxes = _array([one.box for one in proposals])
    gone: set[int] = set()
    for at in sorted(range(len(proposals)), key=lambda i: (_sureness(proposals[i]), -i), reverse=True):
        if at in gone:
            continue
        near = np.flatnonzero(_overlaps(boxes[at : at + 1], boxes)[0] > _DOUBLE).tolist()
        gone.update(i for i in near if i != at and proposals[i].type == proposals[at].type)
    return [one for i, one in enumerate(proposals) if i not in gone]


def _sureness(element: Element) -> tuple[bool, float]:
    told = any(said.source == "accessibility" for said in element.evidence)
    return (told, element.confidence or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A place that is settled.

    Attributes:
        box: where.
        type: what a source took it for; None for lines that were only read.
        same: least overlap of a proposal of that type.
        other: the same for any other type; above 1 for none.
    """

    box: Rect
    type: ElementType | None
    same: float
    other: float


def _claims(element: Element) -> list[_Claim]:
    is_out = element.review == "rejected"
    claim = _Claim(box=element.box, type=element.type, same=_SAME, other=_REJECTED_ALIKE if is_out else _COVERED)
    # What was said before a person moved the box or chose another type would be said again.
    said_before = (
        _Claim(box=said.box, type=said.type, same=_COVERED, other=_NEVER)
        for said in element.evidence
        if said.box is not None and (said.box, said.type) != (element.box, element.type)
    )
    return [claim, *said_before]


def _alike(known: ElementType | None, found: ElementType) -> bool:
    """Whether two types are one to a search; kinds of text change from one look to the next."""
    return known == found or (known in {None, *LINE_TYPES} and found in LINE_TYPES)


def _array(boxes: Sequence[Rect]) -> npt.NDArray[np.float64]:
    return np.array([(box.x1, box.y1, box.x2, box.y2) for box in boxes], dtype=np.float64)


def _overlaps(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """IoU of every pair, shape (len(a), len(b)); 0 where either box has no area."""
    width = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0])
    height = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1])
    common = np.clip(width, 0, None) * np.clip(height, 0, None)
    areas_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    areas_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    whole = areas_a[:, None] + areas_b[None, :] - common
    found: npt.NDArray[np.float64] = np.zeros_like(common)
    np.divide(common, whole, out=found, where=whole > 0)
    return found
