"""Filter of suggestions by confidence and by who found them; counts, and the way from one to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final, Literal, get_args

from annotator.document import FrameCounter
from demopack.domain.elements import ELEMENT_TYPES, Element, ElementSource, ElementType, Review

Origin = Literal["ocr", "detector", "rule", "accessibility", "propagated", "human"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)

_Kind = tuple[ElementSource, Review, ElementType]
_KIND: Final[Callable[[Element], _Kind]] = attrgetter("source", "review", "type")

STEP: Final = 0.05
"""How far one press of a key moves the slider."""

# The describer names boxes that the detector found.
_ORIGINS: Final[Mapping[ElementSource, Origin]] = {**{origin: origin for origin in ORIGINS}, "describer": "detector"}


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


class SuggestionCounter:
    """Counts the elements of a frame, again and again."""

    def __init__(self) -> None:
        self._kinds = FrameCounter(_KIND)

    def count(self, elements: tuple[Element, ...], limits: ConfidenceFilter) -> SuggestionCounts:
        """Count what a filter shows and hides of the elements of one frame."""
        hidden = filter(limits.is_below, elements) if limits.least > 0 else ()
        below: Counter[_Kind] = Counter(map(_KIND, hidden))
        by_origin: dict[Origin, int] = dict.fromkeys(ORIGINS, 0)
        by_type: Counter[ElementType] = Counter()
        suggestions = rejected = 0
        for kind, count in self._kinds.count(elements).items():
            source, review, type_ = kind
            if review == "rejected":
                rejected += count
                continue
            origin = _ORIGINS[source]
            by_origin[origin] += count
            if source != "human" and review == "unreviewed":
                suggestions += count
                if origin not in limits.hidden and count > below[kind]:
                    by_type[type_] += count - below[kind]
        return SuggestionCounts(
            suggestions=suggestions,
            shown=by_type.total(),
            below=below.total(),
            rejected=rejected,
            by_origin=by_origin,
            by_type=dict(sorted(by_type.items(), key=lambda item: (-item[1], ELEMENT_TYPES.index(item[0])))),
        )


def next_after(
    ordered: Sequence[Element], done: Collection[str], *, waits: Callable[[Element], bool] = is_suggestion
) -> Element | None:
    """The element that waits after the last of ``done``; at the end the search goes on at the beginning.

    Args:
        ordered: the shown elements of a frame in reading order.
        done: uids that are decided by now; they may still stand in ``ordered`` as if they waited.
        waits: whether an element waits for a decision, as far as ``ordered`` tells.

    Returns:
        None where no other one is left.
    """
    decided = frozenset(done)
    start = max((place + 1 for place, element in enumerate(ordered) if element.uid in decided), default=0)
    around = (*ordered[start:], *ordered[:start])
    return next((element for element in around if waits(element) and element.uid not in decided), None)
