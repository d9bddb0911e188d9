"""The keys of a search over elements: each makes a term into a question that is put to the columns of a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from annotator.finding.columns import SOURCES, Columns, Flags, FramePlace, Numbers, TextIndex
from annotator.finding.query import Term
from annotator.finding.values import SearchKey, as_bounds, as_choices, as_text_test
from annotator.words import tr
from demopack.domain.actions import ACTION_TYPES
from demopack.domain.elements import ELEMENT_TYPES, REVIEWS, STATES

if TYPE_CHECKING:
    import numpy.typing as npt

Question: TypeAlias = Callable[[Columns, FramePlace], Flags]
"""Which elements of a frame fit."""

_OPPOSITES: Final = {
    "unchecked": "checked",
    "unfocused": "focused",
    "unhighlighted": "highlighted",
    "enabled": "disabled",
    "collapsed": "expanded",
}
_REVIEW_WORDS: Final = ("todo", "doubtful", "approved", "rejected")
_DOUBTS: Final = ("any", "unsure", "type", "text", "box", "unknown")
_HAS: Final = ("text", "subtype", "states", "track", "evidence", "confidence")
_IS: Final = ("target",)


def free_text(term: Term, words: TextIndex) -> Question:
    """A word alone: in the text or the subtype."""
    text = _TextTest(term, words)
    return lambda columns, _: text.of(columns.text) | text.of(columns.subtype)


class _TextTest:
    """Asks about each text of the vocabulary once, also about those that come later.

    A pattern is put to the texts of one frame after the other: to all of a demo at once would hold the window up.
    """

    def __init__(self, term: Term, words: TextIndex) -> None:
        self._fits = as_text_test(term)
        self._plain = None if term.kind == "pattern" else " ".join(term.value.casefold().split())
        self._words = words
        self._known: Flags = np.zeros(0, dtype=np.bool_)

    def of(self, numbers: Numbers) -> Flags:
        """Which of these texts fit."""
        if self._plain is not None:
            return self._words.holding(self._plain)[numbers]
        start, end = len(self._known), int(numbers.max(initial=0)) + 1
        if start < end:
            fits, texts = self._fits, self._words.texts[start:end]
            more = np.fromiter((fits(text) for text in texts), dtype=np.bool_, count=end - start)
            self._known = np.concatenate([self._known, more])
            self._known[0] = False  # no text at all holds nothing
        return self._known[numbers]


def _text(column: str) -> Callable[[Term, TextIndex], Question]:
    def make(term: Term, words: TextIndex) -> Question:
        if term.kind == "word" and term.value.casefold() == "none":
            return lambda columns, _: getattr(columns, column) == 0
        test = _TextTest(term, words)
        return lambda columns, _: test.of(getattr(columns, column))

    return make


def _place_in(column: str, known: tuple[str, ...], names: Mapping[str, str] | None = None) -> Callable[..., Question]:
    def make(term: Term, _: TextIndex) -> Question:
        chosen = as_choices(term, tuple(names) if names else known)
        places = np.array([known.index(names[name] if names else name) for name in chosen], dtype=np.int32)
        return lambda columns, _: np.isin(getattr(columns, column), places)

    return make


def _states(term: Term, _: TextIndex) -> Question:
    chosen = as_choices(term, (*STATES, *_OPPOSITES, "none"))

    def ask(columns: Columns, _: FramePlace) -> Flags:
        found = np.zeros(len(columns.elements), dtype=np.bool_)
        for name in chosen:
            if name == "none":
                found |= ~_in_any(columns.states >= 0)
            else:
                state = STATES.index(_OPPOSITES.get(name, name))
                found |= columns.states[:, state] == (0 if name in _OPPOSITES else 1)
        return found

    return ask


def _unknown(term: Term, _: TextIndex) -> Question:
    places = [STATES.index(name) for name in as_choices(term, STATES)]
    return lambda columns, _: _in_any(columns.states[:, places] < 0)


def _measured(
    measure: Callable[[Columns], Numbers | npt.NDArray[np.float64]], example: str = "<8", *, slack: float = 0.0
) -> Callable[..., Question]:
    def make(term: Term, _: TextIndex) -> Question:
        if slack and term.value.casefold() == "none":
            return lambda columns, _: np.isnan(measure(columns))
        bounds = as_bounds(term, example=example, slack=slack)
        return lambda columns, _: bounds.holds(measure(columns))

    return make


def _step(term: Term, _: TextIndex) -> Question:
    bounds = as_bounds(term, example="3-7")
    return lambda columns, place: _whole(columns, any(bounds.holds(number) for number in place.numbers))


def _app(term: Term, _: TextIndex) -> Question:
    fits = as_text_test(term)
    return lambda columns, place: _whole(columns, any(fits(app) for app in place.apps))


def _action(term: Term, _: TextIndex) -> Question:
    chosen = frozenset(as_choices(term, ACTION_TYPES))
    return lambda columns, place: _named(columns, {uid for uid, kinds in place.targets.items() if kinds & chosen})


def _is(term: Term, _: TextIndex) -> Question:
    as_choices(term, _IS)
    return lambda columns, place: _named(columns, set(place.targets))


def _has(term: Term, _: TextIndex) -> Question:
    chosen = as_choices(term, _HAS)
    tests: dict[str, Callable[[Columns], Flags]] = {
        "text": lambda c: c.text > 0,
        "subtype": lambda c: c.subtype > 0,
        "track": lambda c: c.track > 0,
        "evidence": lambda c: c.evidence > 1,
        "states": lambda c: _in_any(c.states >= 0),
        "confidence": lambda c: ~np.isnan(c.confidence),
    }
    return lambda columns, _: np.logical_or.reduce([tests[name](columns) for name in chosen])


def _doubt(term: Term, words: TextIndex) -> Question:
    chosen, doubts = frozenset(as_choices(term, _DOUBTS)), words.doubts

    def fits(reasons: tuple[str, ...]) -> bool:
        return bool(reasons) if "any" in chosen else not chosen.isdisjoint(reasons)

    def ask(columns: Columns, _: FramePlace) -> Flags:
        found = (fits(doubts.of(element).reasons) for element in columns.elements)
        return np.fromiter(found, dtype=np.bool_, count=len(columns.elements))

    return ask


def _in_any(flags: Flags) -> Flags:
    """Of a table: the rows in which any flag is set."""
    found: Flags = np.logical_or.reduce(flags, axis=1)
    return found


def _whole(columns: Columns, fits: bool) -> Flags:  # noqa: FBT001 - the value itself
    return np.full(len(columns.elements), fits, dtype=np.bool_)


def _named(columns: Columns, uids: set[str]) -> Flags:
    if not uids:
        return _whole(columns, fits=False)
    return np.fromiter((e.uid in uids for e in columns.elements), dtype=np.bool_, count=len(columns.elements))


ELEMENT_KEYS: Final[Mapping[str, SearchKey[Callable[[Term, TextIndex], Question]]]] = {
    "type": SearchKey(tr("What it is"), _place_in("type", ELEMENT_TYPES), values=ELEMENT_TYPES),
    "text": SearchKey(tr("What is written on it"), _text("text"), example='"OK"'),
    "subtype": SearchKey(tr("Which icon or shape"), _text("subtype"), example="search"),
    "state": SearchKey(tr("A state that can be seen"), _states, values=(*STATES, *_OPPOSITES, "none")),
    "unknown": SearchKey(tr("A state that cannot be seen"), _unknown, values=STATES),
    "conf": SearchKey(
        tr("How sure its finder is, 0 to 1"), _measured(lambda c: c.confidence, "<0.6", slack=0.005), example="<0.6"
    ),
    "source": SearchKey(tr("Who found it"), _place_in("source", SOURCES), values=SOURCES),
    "review": SearchKey(
        tr("What you said about it"),
        _place_in("review", REVIEWS, dict(zip(_REVIEW_WORDS, REVIEWS, strict=True))),
        values=_REVIEW_WORDS,
    ),
    "doubt": SearchKey(tr("Why it is unsure"), _doubt, values=_DOUBTS),
    "step": SearchKey(tr("Number of a step that shows it"), _step, example="3-7"),
    "action": SearchKey(tr("What was done to it"), _action, values=ACTION_TYPES),
    "is": SearchKey(tr("Something was done to it"), _is, values=_IS),
    "has": SearchKey(tr("It has such a value"), _has, values=_HAS),
    "app": SearchKey(tr("The application in front"), _app, example="mail"),
    "track": SearchKey(tr("The same element over steps"), _text("track"), example="save_0"),
    "size": SearchKey(tr("Shorter side in pixels"), _measured(lambda c: np.minimum(c.width, c.height)), example="<8"),
    "width": SearchKey(tr("Width in pixels"), _measured(lambda c: c.width), example=">300"),
    "height": SearchKey(tr("Height in pixels"), _measured(lambda c: c.height), example="<8"),
}
