"""What a list of elements shows: one row an element, and the orders in which the rows can stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

from annotator.finding.finder import Finder, Search
from annotator.finding.order import Orders
from annotator.finding.parser import terms_of
from demopack.domain.elements import REVIEWS, Element, State

__all__ = ["COLUMNS", "Column", "Row", "rows_of", "sorted_rows", "states_in_words"]

Column: TypeAlias = Literal["number", "type", "text", "states", "confidence", "review"]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)

_OPPOSITES: Final[Mapping[State, str]] = {
    "checked": "unchecked",
    "focused": "",
    "highlighted": "",
    "disabled": "",
    "expanded": "collapsed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One element in a list.

    Attributes:
        element: the element.
        frame: place of its frame among the frames of the demo, from 0.
        step: the first step that shows it, from 1; 0 for none.
        number: its own on the frame, from 1; 0 where it is not known yet, or the element is rejected.
    """

    element: Element
    frame: int
    step: int
    number: int


def rows_of(
    finder: Finder,
    search: Search,
    orders: Orders,
    frame_id: str,
    *,
    frame: int = 0,
    shows: Callable[[Element], bool] | None = None,
) -> list[Row]:
    """The rows of one frame, in reading order.

    Rejected elements are left out, unless the search says something about the review.

    Args:
        finder: reads the frame.
        search: what has to fit.
        orders: reading order.
        frame_id: of which frame.
        frame: its place in the demo.
        shows: further filters.
    """
    elements = finder.columns(frame_id).elements
    places: list[int] = finder.find(search, frame_id).tolist()
    numbers = orders.numbers(frame_id)
    steps = finder.place(frame_id).numbers
    rejected = any(term.key == "review" for term in terms_of(search.node))
    found = (elements[place] for place in places)
    rows = [
        Row(element=e, frame=frame, step=steps[0] if steps else 0, number=numbers.get(e.uid, 0))
        for e in found
        if (rejected or e.review != "rejected") and (shows is None or shows(e))
    ]
    rows.sort(key=_by_number)
    return rows


def sorted_rows(rows: Iterable[Row], column: Column, *, descending: bool = False) -> list[Row]:
    """The rows in the order of a column; equal ones in reading order, what has no value always last."""
    ordered = sorted(rows, key=_by_number)
    if column == "number":
        return ordered[::-1] if descending else ordered
    value = _VALUES[column]
    with_value = [row for row in ordered if value(row.element) is not None]
    without = [row for row in ordered if value(row.element) is None]
    return [*sorted(with_value, key=lambda row: value(row.element), reverse=descending), *without]


def states_in_words(element: Element) -> str:
    """The states that hold, and those whose opposite has a word, for a narrow column."""
    words = [state if value else _OPPOSITES[state] for state, value in element.states.items()]
    return ", ".join(word for word in words if word)


def _by_number(row: Row) -> tuple[int, int, int, int]:
    box = row.element.box
    return (row.frame, row.number or 1 << 30, box.y1, box.x1)


_VALUES: Final[Mapping[str, Callable[[Element], Any]]] = {
    "type": lambda e: e.type,
    "text": lambda e: (e.text or e.subtype or "").casefold() or None,
    "states": lambda e: states_in_words(e) or None,
    "confidence": lambda e: e.confidence,
    "review": lambda e: REVIEWS.index(e.review),
}
