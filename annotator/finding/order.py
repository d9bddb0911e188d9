"""Reading order of frames for lists: at once where it is quick, in the background where thousands lie on a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from annotator.document import Document
from annotator.finding.columns import Numbers
from demopack.domain.elements import Element

__all__ = ["QUICK", "Orders"]

QUICK: Final = 800
"""Up to so many elements the order is worked out while the user waits: a few milliseconds."""

_NONE: Final[Mapping[str, int]] = {}


class Orders:
    """The numbers of elements on their frames, from 1; an old order stays in use until a new one is known."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, tuple[Sequence[Element], dict[str, int]]] = {}
        self._ranks: dict[str, tuple[Sequence[Element], Mapping[str, int], Numbers]] = {}

    def numbers(self, frame_id: str) -> Mapping[str, int]:
        """Number by uid; what is not in it has none, or none yet."""
        elements = self._document.elements(frame_id)
        known = self._known.get(frame_id)
        if known is not None and known[0] is elements:
            return known[1]
        if len(elements) <= QUICK:
            self.put(frame_id, elements, self._document.ordered(frame_id))
            return self._known[frame_id][1]
        return _NONE if known is None else known[1]

    def ranks(self, frame_id: str, elements: tuple[Element, ...]) -> Numbers:
        """The numbers of a frame's elements by their places; 0 where one is not known."""
        numbers = self.numbers(frame_id)
        kept = self._ranks.get(frame_id)
        if kept is None or kept[0] is not elements or kept[1] is not numbers:
            found = np.fromiter((numbers.get(e.uid, 0) for e in elements), dtype=np.int32, count=len(elements))
            kept = self._ranks[frame_id] = (elements, numbers, found)
        return kept[2]

    def lacking(self, frame_id: str) -> tuple[Element, ...] | None:
        """The elements whose order has to be worked out in the background; None where it is known."""
        elements = self._document.elements(frame_id)
        known = self._known.get(frame_id)
        is_known = known is not None and known[0] is elements
        return None if is_known or len(elements) <= QUICK else elements

    def put(self, frame_id: str, elements: Sequence[Element], ordered: Sequence[Element]) -> None:
        """Remember an order.

        Args:
            frame_id: of which frame.
            elements: what it was worked out for, the document's own tuple.
            ordered: these in reading order, rejected ones left out.
        """
        self._known[frame_id] = (elements, {e.uid: number for number, e in enumerate(ordered, start=1)})
