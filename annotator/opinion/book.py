"""The list of differences while the demo is edited: one picture is compared anew when its elements change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from annotator.opinion.agreement import Agreement, Matches, agreement_of, matches
from annotator.opinion.differences import Difference, Kind, differences
from annotator.opinion.sources import Opinion
from demopack.domain.elements import Element

__all__ = ["Book"]


class Book:
    """Differences by picture, in the order in which the demo shows the pictures.

    Attributes:
        opinion: the other one's.
    """

    def __init__(self, opinion: Opinion, mine: Callable[[str], Sequence[Element]]) -> None:
        self.opinion = opinion
        self._mine = mine
        self._by_frame: dict[str, list[Difference]] = {}
        self._matches: dict[str, Matches] = {}
        for frame in opinion.elements:
            self.refresh(frame)

    def refresh(self, frame: str) -> bool:
        """Compare one picture anew; whether it is one of those that are compared."""
        theirs = self.opinion.elements.get(frame)
        if theirs is None:
            return False
        mine = self._mine(frame)
        self._by_frame[frame] = differences({frame: mine}, {frame: theirs}, told=self.opinion.told)
        self._matches.pop(frame, None)
        return True

    def all(self, kind: Kind | None = None) -> list[Difference]:
        """Every difference, or those of a kind."""
        found = [one for ones in self._by_frame.values() for one in ones]
        return found if kind is None else [one for one in found if one.kind == kind]

    def counts(self) -> dict[Kind, int]:
        """How many there are of each kind."""
        return dict(Counter(one.kind for one in self.all()))

    def agreement(self) -> Agreement:
        """How far both agree now."""
        for frame, theirs in self.opinion.elements.items():
            if frame not in self._matches:
                self._matches[frame] = matches(self._mine(frame), theirs)
        return agreement_of(self._matches.values())
