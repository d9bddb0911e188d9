"""Search over the elements of an open demo: its keys, what fits on each frame, and rows in any order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias, get_args

from annotator.document import Document
from annotator.finding.query import Query, Term, Test, ValueTest
from annotator.finding.review import DoubtCache
from annotator.finding.search_keys import (
    SearchKey,
    as_number_test,
    as_text_test,
    choice_key,
    label_key,
    number_key,
    one_line,
    understood,
)
from annotator.step_words import type_word
from annotator.words import tr
from demopack.domain.actions import ACTION_TYPES
from demopack.domain.elements import ELEMENT_TYPES, REVIEWS, STATES, Element, ElementSource, Review, State

if TYPE_CHECKING:
    from annotator.finding.columns import Columns, Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class FramePlace:
    """One frame.

    Attributes:
        numbers: of the steps that show it, from 1: those that begin on it; where none does, those that end on it.
        apps: in front then; the demo's own where the system did not tell.
        targets: uids of elements that something was done to, and the kinds of action.
    """

    numbers: tuple[int, ...] = ()
    apps: tuple[str, ...] = ()
    targets: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


_NOWHERE: Final = FramePlace()


def _places_of(document: Document) -> dict[str, FramePlace]:
    """Every frame that the demo shows, in order of first use, the final one last."""
    begins: dict[str, list[int]] = {}
    ends: dict[str, list[int]] = {}
    targets: dict[str, dict[str, frozenset[str]]] = {}
    for number, step in enumerate(document.steps, start=1):
        for frame, found in ((step.before, begins), (step.after, ends)):
            if frame is not None:
                begins.setdefault(frame.id, [])
                found.setdefault(frame.id, []).append(number)
        for element in document.present(uid for uid in (step.target_uid, step.end_uid) if uid is not None):
            there = targets.setdefault(element.frame, {})
            there[element.uid] = there.get(element.uid, frozenset()) | {step.action.action_type}
    final = document.head.final_frame
    if final is not None:
        begins.setdefault(final.id, [])
    own = document.head.app
    fronts = [own if step.window is None else step.window.app or own for step in document.steps]
    places: dict[str, FramePlace] = {}
    for frame_id, beginning in begins.items():
        numbers = tuple(beginning or ends.get(frame_id, ()))
        apps = tuple(dict.fromkeys(fronts[number - 1] for number in numbers)) or (own,)
        places[frame_id] = FramePlace(numbers=numbers, apps=apps, targets=targets.get(frame_id, {}))
    return places


class SearchedElement(NamedTuple):
    """An element with what else a search may ask about.

    Attributes:
        element: the element.
        place: its frame in the demo.
        doubts: knows how unsure it is.
    """

    element: Element
    place: FramePlace
    doubts: DoubtCache


ElementQuery: TypeAlias = Query[SearchedElement]
_Test: TypeAlias = Test[SearchedElement]

_OPPOSITES: Final[Mapping[State, str]] = {
    "checked": "unchecked",
    "focused": "unfocused",
    "highlighted": "unhighlighted",
    "disabled": "enabled",
    "expanded": "collapsed",
}
_REVIEW_WORDS: Final[Mapping[Review, str]] = {
    "unreviewed": "todo",
    "doubtful": "doubtful",
    "approved": "approved",
    "rejected": "rejected",
}
_DOUBTS: Final = ("any", "unsure", "type", "text", "box", "unknown")


def _words_of(searched: SearchedElement) -> str:
    """The text and the subtype, each on a line of its own."""
    element = searched.element
    return "\n".join(one_line(said) for said in (element.text, element.subtype) if said is not None)


def _free_text(term: Term) -> _Test:
    """A word alone: in the text or the subtype."""
    fits = as_text_test(term, fold=one_line)
    if term.kind == "pattern":
        return ValueTest(_words_of, lambda said: any(map(fits, said.split("\n"))) if "\n" in said else fits(said))
    return ValueTest(_words_of, fits if one_line(term.value) else bool)


def _said_key(words: str, read: Callable[[Element], str | None], example: str) -> SearchKey[SearchedElement]:
    """A key whose values are texts that an element may lack, which ``none`` asks for."""

    def said(searched: SearchedElement) -> str | None:
        text = read(searched.element)
        return None if text is None else one_line(text)

    def make(term: Term) -> _Test:
        if term.kind == "word" and term.value.casefold() == "none":
            return ValueTest(said, lambda text: text is None)
        fits = as_text_test(term, fold=one_line)
        return ValueTest(said, lambda text: text is not None and fits(text))

    return SearchKey(words, make, example=example)


def _sureness_of(searched: SearchedElement) -> float | None:
    return searched.element.confidence


def _confidence(term: Term) -> _Test:
    if term.value.casefold() == "none":
        return ValueTest(_sureness_of, lambda sure: sure is None)
    fits = as_number_test(term, example="<0.6", slack=0.005)
    return ValueTest(_sureness_of, lambda sure: sure is not None and fits(sure))


def _numbers_of(searched: SearchedElement) -> tuple[int, ...]:
    return searched.place.numbers


def _step(term: Term) -> _Test:
    fits = as_number_test(term, example="3-7")
    return ValueTest(_numbers_of, lambda numbers: any(map(fits, numbers)))


def _apps_of(searched: SearchedElement) -> tuple[str, ...]:
    return tuple(app.casefold() for app in searched.place.apps)


def _app(term: Term) -> _Test:
    fits = as_text_test(term)
    return ValueTest(_apps_of, lambda apps: any(map(fits, apps)))


def _states_of(searched: SearchedElement) -> list[str]:
    states = searched.element.states
    return [state if value else _OPPOSITES[state] for state, value in states.items()] or ["none"]


def _doubts_of(searched: SearchedElement) -> tuple[str, ...]:
    reasons = searched.doubts.of(searched.element).reasons
    return (*reasons, "any") if reasons else ()


_HAS: Final[Mapping[str, _Test]] = {
    "text": lambda searched: searched.element.text is not None,
    "subtype": lambda searched: searched.element.subtype is not None,
    "states": lambda searched: bool(searched.element.states),
    "track": lambda searched: searched.element.track_id is not None,
    "evidence": lambda searched: len(searched.element.evidence) > 1,
    "confidence": lambda searched: searched.element.confidence is not None,
}
ELEMENT_KEYS: Final[Mapping[str, SearchKey[SearchedElement]]] = {
    "type": label_key(tr("What it is"), ELEMENT_TYPES, lambda s: (s.element.type,)),
    "text": _said_key(tr("What is written on it"), lambda e: e.text, example='"OK"'),
    "subtype": _said_key(tr("Which icon or shape"), lambda e: e.subtype, example="search"),
    "state": label_key(tr("A state that can be seen"), (*STATES, *_OPPOSITES.values(), "none"), _states_of),
    "unknown": label_key(
        tr("A state that cannot be seen"), STATES, lambda s: [one for one in STATES if one not in s.element.states]
    ),
    "conf": SearchKey(tr("How sure its finder is, 0 to 1"), _confidence, example="<0.6"),
    "source": label_key(tr("Who found it"), get_args(ElementSource), lambda s: (s.element.source,)),
    "review": label_key(
        tr("What you said about it"), tuple(_REVIEW_WORDS.values()), lambda s: (_REVIEW_WORDS[s.element.review],)
    ),
    "doubt": label_key(tr("Why it is unsure"), _DOUBTS, _doubts_of),
    "step": SearchKey(tr("Number of a step that shows it"), _step, example="3-7"),
    "action": label_key(tr("What was done to it"), ACTION_TYPES, lambda s: s.place.targets.get(s.element.uid, ())),
    "is": choice_key(tr("Something was done to it"), {"target": lambda s: s.element.uid in s.place.targets}),
    "has": choice_key(tr("It has such a value"), _HAS),
    "app": SearchKey(tr("The application in front"), _app, example="mail"),
    "track": _said_key(tr("The same element over steps"), lambda e: e.track_id, example="save_0"),
    "size": number_key(
        tr("Shorter side in pixels"), lambda s: min(s.element.box.width, s.element.box.height), example="<8"
    ),
    "width": number_key(tr("Width in pixels"), lambda s: s.element.box.width, example=">300"),
    "height": number_key(tr("Height in pixels"), lambda s: s.element.box.height, example="<8"),
}

_KEPT: Final[ValueTest[SearchedElement]] = ValueTest(lambda s: s.element.review, lambda review: review != "rejected")

MAX_ORDERED_INLINE: Final = 800
"""Up to so many elements the order is worked out while the user waits: a few milliseconds."""


class _FrameOrder(NamedTuple):
    """The order of a frame's elements.

    Attributes:
        elements: for which it was worked out, the document's own tuple.
        numbers: in reading order by uid, from 1; rejected ones have none.
        listed: all of them by these numbers; those without one behind, from the top.
        outdated: the numbers are of elements that were there before.
    """

    elements: tuple[Element, ...]
    numbers: Mapping[str, int]
    listed: Sequence[Element]
    outdated: bool


class DocumentFinder:
    """Searches a document frame by frame, and knows the reading order and the place of each frame.

    Attributes:
        doubts: what was worked out about single elements.
    """

    def __init__(self, document: Document) -> None:
        self.doubts = DoubtCache()
        self._document = document
        self._places: dict[str, FramePlace] | None = None
        self._orders: dict[str, _FrameOrder] = {}
        self._columns: dict[str, tuple[object, FramePlace, Columns[SearchedElement]]] = {}
        for changed in (document.step_inserted, document.step_removed, document.step_changed):
            changed.connect(self._forget_places)
        document.head_changed.connect(self._forget_places)

    def understand(self, text: str) -> ElementQuery:
        """Make a search of what was typed.

        Raises:
            QueryError: it cannot be understood; the error says where.
        """
        return understood(text, ELEMENT_KEYS, _free_text)

    # Places ---------------------------------------------------------------------------------------------------

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames of the demo in order of first use."""
        return tuple(self._placed())

    def step_of(self, element: Element) -> int:
        """The first step that shows an element, from 1; 0 for none."""
        return next(iter(self._placed().get(element.frame, _NOWHERE).numbers), 0)

    def _placed(self) -> dict[str, FramePlace]:
        if self._places is None:
            self._places = _places_of(self._document)
        return self._places

    def _forget_places(self, *_: int) -> None:
        self._places = None

    # Finding --------------------------------------------------------------------------------------------------

    def fits(self, query: ElementQuery, element: Element) -> bool:
        """Whether an element fits, also one that the document does not have."""
        place = self._placed().get(element.frame, _NOWHERE)
        return query.fits(SearchedElement(element, place, self.doubts))

    def find(self, query: ElementQuery, frame_id: str, *, shown: Sequence[Element] | None = None) -> list[Element]:
        """What fits on one frame, in reading order.

        Rejected elements are left out, unless the search says something about the review.

        Args:
            query: what has to fit.
            frame_id: which frame.
            shown: what further filters let through; None where there are none.
        """
        listed, columns = self._order(frame_id).listed, self._columns_of(frame_id)
        left: Mask | None = None
        if shown is not None and shown is not self._document.elements(frame_id):
            uids = {element.uid for element in shown}
            left = columns.all_but(element.uid not in uids for element in listed)
        if not any(term.key == "review" for term in query.terms):
            left = columns.fitting(_KEPT, left)
        return list(compress(listed, columns.fitting(query.fits, left).tolist()))

    def _columns_of(self, frame_id: str) -> Columns[SearchedElement]:
        from annotator.finding.columns import Columns  # arrays are not needed before somebody searches elements

        listed, place, doubts = self._order(frame_id).listed, self._placed().get(frame_id, _NOWHERE), self.doubts
        known = self._columns.get(frame_id)
        if known is None or known[0] is not listed or known[1] is not place:
            columns = Columns(
                lambda: (SearchedElement(element, place, doubts) for element in listed), count=len(listed)
            )
            known = self._columns[frame_id] = (listed, place, columns)
        return known[2]

    # Reading order --------------------------------------------------------------------------------------------

    def number_of(self, element: Element) -> int:
        """The number of an element on its frame, from 1; 0 where it is not known yet, or the element is rejected."""
        return self._order(element.frame).numbers.get(element.uid, 0)

    def unordered(self, frame_id: str) -> tuple[Element, ...] | None:
        """The elements whose order has to be worked out in the background; None where it is known."""
        order = self._order(frame_id)
        return order.elements if order.outdated else None

    def put_order(self, frame_id: str, elements: tuple[Element, ...], ordered: Sequence[Element]) -> None:
        """Remember an order.

        Args:
            frame_id: of which frame.
            elements: what it was worked out for, the document's own tuple.
            ordered: these in reading order, rejected ones left out.
        """
        numbers = {element.uid: number for number, element in enumerate(ordered, start=1)}
        self._hold(frame_id, elements, numbers, outdated=False)

    def _hold(
        self, frame_id: str, elements: tuple[Element, ...], numbers: Mapping[str, int], *, outdated: bool
    ) -> None:
        last = len(numbers) + 1
        listed = sorted(elements, key=lambda e: (numbers.get(e.uid, last), e.box.y1, e.box.x1))
        self._orders[frame_id] = _FrameOrder(elements, numbers, listed, outdated)

    def _order(self, frame_id: str) -> _FrameOrder:
        """The order of a frame; where it is crowded, the one from before stays in use until a new one is known."""
        elements = self._document.elements(frame_id)
        known = self._orders.get(frame_id)
        if known is None or known.elements is not elements:
            if len(elements) <= MAX_ORDERED_INLINE:
                self.put_order(frame_id, elements, self._document.ordered(frame_id))
            else:
                self._hold(frame_id, elements, {} if known is None else known.numbers, outdated=True)
        return self._orders[frame_id]


# Rows -------------------------------------------------------------------------------------------------------------

Column: TypeAlias = Literal["number", "type", "text", "states", "confidence", "review"]
COLUMNS: Final[tuple[Column, ...]] = get_args(Column)
_OPPOSITE_WORDS: Final[Mapping[State, str]] = {"checked": tr("unchecked"), "expanded": tr("collapsed")}


def states_in_words(element: Element) -> str:
    """The states that hold, and those whose opposite has a word, for a narrow column."""
    words = [type_word(state) if value else _OPPOSITE_WORDS.get(state) for state, value in element.states.items()]
    return ", ".join(word for word in words if word)


def _text(element: Element) -> str | None:
    said = element.subtype if element.text is None else element.text
    return None if said is None else one_line(said)


_SORT_KEYS: Final[Mapping[Column, Callable[[Element], Any]]] = {
    "type": lambda element: element.type,
    "text": _text,
    "states": lambda element: states_in_words(element) or None,
    "confidence": lambda element: element.confidence,
    "review": lambda element: REVIEWS.index(element.review),
}


def sorted_by(found: Sequence[Element], column: Column, *, descending: bool = False) -> list[Element]:
    """Elements by a column; equal ones as they were, what has no value always last."""
    if column == "number":
        return list(reversed(found)) if descending else list(found)
    values: list[Any] = list(map(_SORT_KEYS[column], found))
    known = [place for place, value in enumerate(values) if value is not None]
    known.sort(key=values.__getitem__, reverse=descending)
    without = [element for element, value in zip(found, values, strict=True) if value is None]
    return [found[place] for place in known] + without
