"""Filter of suggestions by confidence and by who found them; counts, and the way from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, get_args

import numpy as np

from annotator.document import changed_span
from demopack.domain.elements import ELEMENT_TYPES, Element, ElementSource, ElementType

Origin = Literal["ocr", "detector", "rule", "accessibility", "propagated", "human"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)

STEP: Final = 0.05
"""How far one press of a key moves the slider."""

# The describer names boxes that the detector found.
_ORIGINS: Final[Mapping[ElementSource, Origin]] = {**{origin: origin for origin in ORIGINS}, "describer": "detector"}
_SOURCE_PLACES: Final[Mapping[ElementSource, int]] = {
    source: ORIGINS.index(origin) for source, origin in _ORIGINS.items()
}
_TYPE_PLACES: Final[Mapping[ElementType, int]] = {kind: place for place, kind in enumerate(ELEMENT_TYPES)}


def is_suggestion(element: Element) -> bool:
    """Whether a program found an element and no person has said anything about it."""
    return element.source != "human" and element.review == "unreviewed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceFilter:
    """What is let through.

    Attributes:
        least: suggestions whose finder was less sure are hidden, 0..1; what a person made or reviewed never is. Rules
            and propagated boxes are sorted in by their constants, see ``docs/adr/0035-honest-sources.md``.
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

    def moved(self, steps: int) -> ConfidenceFilter:
        """The slider this many steps further up, or down; it rests on whole steps."""
        place = round(self.least / STEP) + steps
        return replace(self, least=min(max(round(place * STEP, 2), 0.0), 1.0))

    def toggled(self, origin: Origin, *, shown: bool) -> ConfidenceFilter:
        """With the elements of one origin shown or hidden."""
        return replace(self, hidden=self.hidden - {origin} if shown else self.hidden | {origin})


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionCounts:
    """How many there are on a frame, rejected ones left out.

    Attributes:
        suggestions: all of them.
        shown: suggestions that pass.
        below: suggestions that the slider hides.
        rejected: what was found and rejected; counted nowhere else.
        by_origin: elements, reviewed or not.
        by_type: suggestions that pass, by type, the most frequent first.
    """

    suggestions: int = 0
    shown: int = 0
    below: int = 0
    rejected: int = 0
    by_origin: Mapping[Origin, int] = field(default_factory=dict[Origin, int])
    by_type: Mapping[ElementType, int] = field(default_factory=dict[ElementType, int])


class SuggestionTally:
    """Counts the elements of one frame, again and again while the slider moves and after each edit; runs on arrays."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self._elements: tuple[Element, ...] = ()
        # One row an element: open, origin, type, rejected.
        self._codes = np.zeros((0, 4), dtype=np.int64)
        self._sure = np.zeros(0, dtype=np.float64)
        self.take(tuple(elements))

    def take(self, elements: tuple[Element, ...]) -> None:
        """Count these from now on; only what differs from those before is looked at."""
        start, old_end, new_end = changed_span(self._elements, elements)
        fresh = elements[start:new_end]
        codes = np.array([_codes_of(element) for element in fresh], dtype=np.int64).reshape(-1, 4)
        # A finder that tells no number is never below any.
        sure = np.array([1.0 if e.confidence is None else e.confidence for e in fresh], dtype=np.float64)
        self._codes = np.concatenate([self._codes[:start], codes, self._codes[old_end:]])
        self._sure = np.concatenate([self._sure[:start], sure, self._sure[old_end:]])
        self._elements = elements

    def counts(self, limits: ConfidenceFilter) -> SuggestionCounts:
        """What a filter lets through."""
        is_open, origins, types, rejected = (self._codes[:, column] for column in range(4))
        above = self._sure >= limits.least
        hidden = [place for place, origin in enumerate(ORIGINS) if origin in limits.hidden]
        suggested = is_open == 1
        shown = suggested & above & ~np.isin(origins, hidden)
        numbers = np.bincount(types[shown], minlength=len(ELEMENT_TYPES))
        by_type: dict[ElementType, int] = {}
        for place in np.argsort(-numbers, kind="stable"):
            if numbers[place]:
                by_type[ELEMENT_TYPES[int(place)]] = int(numbers[place])
        found = np.bincount(origins[rejected == 0], minlength=len(ORIGINS))
        return SuggestionCounts(
            suggestions=int(suggested.sum()),
            shown=int(shown.sum()),
            below=int((suggested & ~above).sum()),
            rejected=int(rejected.sum()),
            by_origin={origin: int(found[place]) for place, origin in enumerate(ORIGINS)},
            by_type=by_type,
        )


def _codes_of(element: Element) -> tuple[int, int, int, int]:
    place, review = _SOURCE_PLACES[element.source], element.review
    return int(is_suggestion(element)), place, _TYPE_PLACES[element.type], int(review == "rejected")


def next_suggestion(ordered: Sequence[Element], done: Sequence[str]) -> str | None:
    """Uid of the suggestion after the last of ``done``; at the end the search goes on at the beginning.

    Args:
        ordered: the shown elements of a frame in reading order.
        done: uids that are decided by now; they may still stand in ``ordered`` as suggestions.

    Returns:
        None where no other suggestion is left.
    """
    decided = set(done)
    places = [place for place, element in enumerate(ordered) if element.uid in decided]
    start = places[-1] + 1 if places else 0
    for element in (*ordered[start:], *ordered[:start]):
        if is_suggestion(element) and element.uid not in decided:
            return element.uid
    return None
