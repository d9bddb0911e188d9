"""Which suggestions are shown: by how sure their finder is, and by who found them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from demopack.domain.elements import ELEMENT_TYPES, Element, ElementSource, ElementType

__all__ = ["ORIGINS", "STEP", "Counts", "Origin", "Sieve", "Tally", "count", "is_suggestion", "origin_of"]

Origin = Literal["ocr", "detector", "accessibility", "human"]
ORIGINS: Final[tuple[Origin, ...]] = ("ocr", "detector", "accessibility", "human")

STEP: Final = 0.05
"""How far one press of a key moves the slider."""

_ORIGINS: Final[Mapping[ElementSource, Origin]] = {
    "ocr": "ocr",
    "detector": "detector",
    # It names boxes that the detector found.
    "describer": "detector",
    "accessibility": "accessibility",
    "human": "human",
}


def is_suggestion(element: Element) -> bool:
    """Whether a program found an element and no person has said anything about it."""
    return element.source != "human" and element.review == "unreviewed"


def origin_of(element: Element) -> Origin:
    """Who found an element, as the check boxes have it."""
    return _ORIGINS[element.source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sieve:
    """What is let through.

    Attributes:
        least: suggestions whose finder was less sure are hidden, 0..1; what a person made or reviewed never is.
        hidden: origins whose elements are hidden, reviewed or not.
    """

    least: float = 0.0
    hidden: frozenset[Origin] = frozenset()

    @property
    def open(self) -> bool:
        """Whether everything passes."""
        return self.least <= 0 and not self.hidden

    def passes(self, element: Element) -> bool:
        """Whether an element is shown."""
        if self.hidden and _ORIGINS[element.source] in self.hidden:
            return False
        return not self.is_below(element)

    def is_below(self, element: Element) -> bool:
        """Whether an element is a suggestion that the slider hides; one whose finder tells no number never is."""
        sure = element.confidence
        return sure is not None and sure < self.least and is_suggestion(element)

    def moved(self, steps: int) -> Sieve:
        """The slider this many steps further up, or down; it rests on whole steps."""
        place = round(self.least / STEP) + steps
        return replace(self, least=min(max(round(place * STEP, 2), 0.0), 1.0))

    def toggled(self, origin: Origin, *, shown: bool) -> Sieve:
        """With the elements of one origin shown or hidden."""
        return replace(self, hidden=self.hidden - {origin} if shown else self.hidden | {origin})


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many there are on a frame, rejected ones left out.

    Attributes:
        suggestions: all of them.
        shown: suggestions that pass.
        below: suggestions that the slider hides.
        by_origin: elements, reviewed or not.
        by_type: suggestions that pass, by type, the most frequent first.
    """

    suggestions: int = 0
    shown: int = 0
    below: int = 0
    by_origin: Mapping[Origin, int] = field(default_factory=dict[Origin, int])
    by_type: Mapping[ElementType, int] = field(default_factory=dict[ElementType, int])


class Tally:
    """Counts the elements of one frame, again and again while the slider moves; runs on arrays."""

    def __init__(self, elements: Iterable[Element]) -> None:
        live = [element for element in elements if element.review != "rejected"]
        open_ones = [element for element in live if is_suggestion(element)]
        self._by_origin: dict[Origin, int] = dict.fromkeys(ORIGINS, 0)
        for element in live:
            self._by_origin[_ORIGINS[element.source]] += 1
        # A finder that tells no number is never below any.
        sure = (1.0 if element.confidence is None else element.confidence for element in open_ones)
        self._sure = np.fromiter(sure, dtype=np.float64, count=len(open_ones))
        origins = (ORIGINS.index(_ORIGINS[element.source]) for element in open_ones)
        self._origins = np.fromiter(origins, dtype=np.int64, count=len(open_ones))
        present = {element.type for element in open_ones}
        self._kinds: tuple[ElementType, ...] = tuple(kind for kind in ELEMENT_TYPES if kind in present)
        kinds = {kind: place for place, kind in enumerate(self._kinds)}
        types = (kinds[element.type] for element in open_ones)
        self._types = np.fromiter(types, dtype=np.int64, count=len(open_ones))

    def counts(self, sieve: Sieve) -> Counts:
        """What a sieve lets through."""
        above = self._sure >= sieve.least
        hidden = [place for place, origin in enumerate(ORIGINS) if origin in sieve.hidden]
        shown = above & ~np.isin(self._origins, hidden)
        numbers = np.bincount(self._types[shown], minlength=len(self._kinds))
        by_type: dict[ElementType, int] = {}
        for place in np.argsort(-numbers, kind="stable"):
            if numbers[place]:
                by_type[self._kinds[int(place)]] = int(numbers[place])
        return Counts(
            suggestions=len(self._sure),
            shown=int(shown.sum()),
            below=int((~above).sum()),
            by_origin=self._by_origin,
            by_type=by_type,
        )


def count(elements: Iterable[Element], sieve: Sieve) -> Counts:
    """Count the elements of a frame once."""
    return Tally(elements).counts(sieve)
