"""Hits of a search as rows in any order; made of arrays, so that thousands cost nothing."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import numpy as np

from annotator.document import Document
from annotator.finding.columns import Columns, Flags, Numbers, TextIndex
from annotator.finding.finder import Finder, Search
from annotator.finding.query import terms_of
from annotator.step_words import type_word
from annotator.words import tr
from demopack.domain.elements import ELEMENT_TYPES, REVIEWS, Element, State

if TYPE_CHECKING:
    import numpy.typing as npt

MAX_ORDERED_INLINE: Final = 800
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
        if len(elements) <= MAX_ORDERED_INLINE:
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
        return None if is_known or len(elements) <= MAX_ORDERED_INLINE else elements

    def put(self, frame_id: str, elements: Sequence[Element], ordered: Sequence[Element]) -> None:
        """Remember an order.

        Args:
            frame_id: of which frame.
            elements: what it was worked out for, the document's own tuple.
            ordered: these in reading order, rejected ones left out.
        """
        self._known[frame_id] = (elements, {e.uid: number for number, e in enumerate(ordered, start=1)})


Column: TypeAlias = Literal["number", "type", "text", "states", "confidence", "review"]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)

_OPPOSITES: Final[Mapping[State, str]] = {
    "checked": tr("unchecked"),
    "focused": "",
    "highlighted": "",
    "disabled": "",
    "expanded": tr("collapsed"),
}
_REJECTED: Final = REVIEWS.index("rejected")
_LAST_RANK: Final = 1 << 30
_BY_NAME: Final = np.argsort(np.argsort(np.array(ELEMENT_TYPES)))
"""The place of each type in the alphabet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One element in a list.

    Attributes:
        element: the element.
        step: the first step that shows it, from 1; 0 for none.
        number: its own on the frame, from 1; 0 where it is not known yet, or the element is rejected.
    """

    element: Element
    step: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameHits:
    """What was found on one frame.

    Attributes:
        frame_id: which.
        columns: everything on it.
        step: the first step that shows it; 0 for none.
        ranks: numbers in reading order, by place in the columns.
        places: what was found, in reading order.
    """

    frame_id: str
    columns: Columns
    step: int
    ranks: Numbers
    places: npt.NDArray[np.intp]


class SearchHits:
    """Rows in some order. A row is made when it is looked at."""

    def __init__(self, parts: Sequence[FrameHits], part: npt.NDArray[np.intp], place: npt.NDArray[np.intp]) -> None:
        self._parts = tuple(parts)
        self._part = part
        self._place = place

    def __len__(self) -> int:
        return len(self._place)

    def row(self, number: int) -> SearchHit:
        """One row.

        Raises:
            IndexError: there are not so many.
        """
        part, place = self._parts[int(self._part[number])], int(self._place[number])
        return SearchHit(element=part.columns.elements[place], step=part.step, number=int(part.ranks[place]))

    def element(self, number: int) -> Element:
        """The element of a row."""
        return self._parts[int(self._part[number])].columns.elements[int(self._place[number])]

    def elements(self) -> list[Element]:
        """All of them, in order."""
        tables = [part.columns.elements for part in self._parts]
        return [tables[part][place] for part, place in zip(self._part.tolist(), self._place.tolist(), strict=True)]

    def row_of(self, element: Element) -> int:
        """The row of an element; -1 when it is not there."""
        for number, part in enumerate(self._parts):
            if part.frame_id == element.frame:
                elements = part.columns.elements
                # The library's order is that of the uids.
                place = bisect.bisect_left(elements, element.uid, key=lambda e: e.uid)
                if place < len(elements) and elements[place].uid == element.uid:
                    rows = np.flatnonzero((self._part == number) & (self._place == place))
                    return int(rows[0]) if len(rows) else -1
        return -1

    def lists_the_same(self, other: SearchHits) -> bool:
        """Whether the rows are about the same elements in the same order, whatever their values are now."""
        if not (np.array_equal(self._part, other._part) and np.array_equal(self._place, other._place)):
            return False
        return len(self._parts) == len(other._parts) and all(
            mine.columns is theirs.columns
            or [e.uid for e in mine.columns.elements] == [e.uid for e in theirs.columns.elements]
            for mine, theirs in zip(self._parts, other._parts, strict=True)
        )

    def ordered(self, column: Column, words: TextIndex, *, descending: bool = False) -> SearchHits:
        """The same rows by a column; equal ones in reading order, what has no value always last."""
        if column == "number":
            order = np.arange(len(self))[::-1] if descending else np.arange(len(self))
        else:
            values = self._values(column, words)
            keys = np.where(np.isnan(values), np.inf, -values if descending else values)
            order = np.argsort(keys, kind="stable")
        return SearchHits(self._parts, self._part[order], self._place[order])

    def _values(self, column: Column, words: TextIndex) -> npt.NDArray[np.float64]:
        if column == "states":
            texts = [states_in_words(element) for element in self.elements()]
            known = {text: place for place, text in enumerate(sorted(set(texts)))}
            return np.array([known[text] if text else np.nan for text in texts], dtype=np.float64)
        made = [_VALUES[column](part.columns, words) for part in self._parts]
        found = [values[part.places] for values, part in zip(made, self._parts, strict=True)]
        return np.concatenate(found) if found else np.zeros(0)


NOTHING: Final = SearchHits((), np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))


def found_on(
    finder: Finder, search: Search, orders: Orders, frame_id: str, *, shown: Sequence[Element] | None = None
) -> FrameHits:
    """What fits on one frame, in reading order.

    Rejected elements are left out, unless the search says something about the review.

    Args:
        finder: reads the frame.
        search: what has to fit.
        orders: reading order.
        frame_id: which frame.
        shown: what further filters let through; None where there are none.
    """
    columns = finder.columns(frame_id)
    fits = finder.fits(search, frame_id)
    if not any(term.key == "review" for term in terms_of(search.node)):
        fits &= columns.review != _REJECTED
    if shown is not None and shown is not columns.elements:
        fits &= _among(columns, shown)
    ranks = orders.ranks(frame_id, columns.elements)
    places = np.flatnonzero(fits)
    number = np.where(ranks[places] > 0, ranks[places], _LAST_RANK)
    order = np.lexsort((columns.x[places], columns.y[places], number))
    steps = finder.place(frame_id).numbers
    return FrameHits(
        frame_id=frame_id, columns=columns, step=steps[0] if steps else 0, ranks=ranks, places=places[order]
    )


def joined(parts: Sequence[FrameHits]) -> SearchHits:
    """What was found on several frames, one after the other."""
    if not parts:
        return NOTHING
    numbers = np.repeat(np.arange(len(parts), dtype=np.intp), [len(part.places) for part in parts])
    return SearchHits(parts, numbers, np.concatenate([part.places for part in parts]))


def states_in_words(element: Element) -> str:
    """The states that hold, and those whose opposite has a word, for a narrow column."""
    words = [type_word(state) if value else _OPPOSITES[state] for state, value in element.states.items()]
    return ", ".join(word for word in words if word)


def _among(columns: Columns, shown: Sequence[Element]) -> Flags:
    uids = {element.uid for element in shown}
    return np.fromiter((e.uid in uids for e in columns.elements), dtype=np.bool_, count=len(columns.elements))


def _text(columns: Columns, words: TextIndex) -> npt.NDArray[np.float64]:
    number = np.where(columns.text > 0, columns.text, columns.subtype)
    return np.where(number > 0, words.ranks()[number], np.nan)


_VALUES: Final[Mapping[str, Callable[[Columns, TextIndex], npt.NDArray[np.float64]]]] = {
    "type": lambda columns, _: _BY_NAME[columns.type].astype(np.float64),
    "text": _text,
    "confidence": lambda columns, _: columns.confidence,
    "review": lambda columns, _: columns.review.astype(np.float64),
}
