"""The elements of a frame as columns of numbers, so that a search over a whole demo is a few operations on arrays."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Final, TypeAlias, get_args

import numpy as np

from annotator.document import Document
from annotator.finding.review import DoubtCache
from demopack.domain.elements import ELEMENT_TYPES, REVIEWS, STATES, Element, ElementSource
from demopack.domain.steps import Step

if TYPE_CHECKING:
    import numpy.typing as npt

SOURCES: Final[tuple[ElementSource, ...]] = get_args(ElementSource)
_TYPES: Final = {name: i for i, name in enumerate(ELEMENT_TYPES)}
_SOURCES: Final = {name: i for i, name in enumerate(SOURCES)}
_REVIEWS: Final = {name: i for i, name in enumerate(REVIEWS)}

Flags: TypeAlias = "npt.NDArray[np.bool_]"
"""Which ones, by place."""
Numbers: TypeAlias = "npt.NDArray[np.int32]"


class TextIndex:
    """Every text once, casefolded and on one line; what is asked about a text is asked once.

    Attributes:
        texts: by number; the first stands for "no text", in which nothing is found.
        doubts: what was worked out about single elements.
    """

    def __init__(self) -> None:
        self.doubts = DoubtCache()
        self.texts: list[str] = [""]
        self._numbers: dict[str | None, int] = {None: 0}
        self._ranks: Numbers = np.zeros(0, dtype=np.int32)
        self._asked: OrderedDict[str, Flags] = OrderedDict()

    def number(self, text: str | None) -> int:
        """The number of a text; 0 for none."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(" ".join((text or "").casefold().split()))
        return found

    def ranks(self) -> Numbers:
        """By number: the place of the text in the alphabet, none first; worked out again when texts were added."""
        if len(self._ranks) != len(self.texts):
            order = np.argsort(np.array(self.texts, dtype=object), kind="stable")
            self._ranks = np.empty(len(order), dtype=np.int32)
            self._ranks[order] = np.arange(len(order), dtype=np.int32)
        return self._ranks

    def holding(self, wanted: str) -> Flags:
        """By number: whether the text holds these letters, which are casefolded.

        Only texts are looked at that are new, or held a part of these letters before: one more letter costs little.
        """
        known = self._asked.get(wanted)
        start = 0 if known is None else len(known)
        if known is not None and start == len(self.texts):
            self._asked.move_to_end(wanted)
            return known
        fresh = np.zeros(len(self.texts), dtype=np.bool_)
        if known is not None:
            fresh[:start] = known
        texts = self.texts
        places = range(start, len(texts)) if start else self._candidates(wanted)
        fresh[[i for i in places if wanted in texts[i]]] = True
        fresh[0] = False
        self._asked[wanted] = fresh
        while len(self._asked) > _MAX_KEPT_ANSWERS:
            self._asked.popitem(last=False)
        return fresh

    def _candidates(self, wanted: str) -> Iterable[int]:
        """Texts that may hold it: all, or those that hold the longest part of it that was asked about."""
        parts = [part for part, known in self._asked.items() if part in wanted and len(known) == len(self.texts)]
        if not parts:
            return range(len(self.texts))
        return np.flatnonzero(self._asked[max(parts, key=len)]).tolist()


_MAX_KEPT_ANSWERS: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The elements of one frame.

    Attributes:
        elements: in the library's order; every column has their length.
        type: place in ``ELEMENT_TYPES``.
        source: place in ``SOURCES``.
        review: place in ``REVIEWS``.
        states: shape (n, 5), in the order of ``STATES``: 1 true, 0 false, -1 not visible.
        confidence: not a number where there is none.
        x: left edge in pixels of the frame.
        y: top edge.
        width: pixels.
        height: pixels.
        text: numbers of a :class:`TextIndex`.
        subtype: likewise.
        track: likewise.
        evidence: how many sources had a say.
    """

    elements: tuple[Element, ...]
    type: Numbers
    source: Numbers
    review: Numbers
    states: Numbers
    confidence: npt.NDArray[np.float64]
    x: Numbers
    y: Numbers
    width: Numbers
    height: Numbers
    text: Numbers
    subtype: Numbers
    track: Numbers
    evidence: Numbers


_COLUMNS: Final = tuple(field.name for field in fields(Columns) if field.name != "elements")


def columns_of(elements: Sequence[Element], words: TextIndex) -> Columns:
    """The columns of some elements, from nothing."""
    number = words.number
    rows = [
        (
            _TYPES[e.type], _SOURCES[e.source], _REVIEWS[e.review], e.box.x2 - e.box.x1, e.box.y2 - e.box.y1,
            number(e.text), number(e.subtype), number(e.track_id), len(e.evidence), e.box.x1, e.box.y1,
        )
        for e in elements
    ]  # fmt: skip
    table = np.array(rows, dtype=np.int32).reshape(len(rows), 11)
    states = np.full((len(elements), len(STATES)), -1, dtype=np.int32)
    for place, element in enumerate(elements):
        if element.states:
            for column, state in enumerate(STATES):
                states[place, column] = _tri(element.states.get(state))
    sure = [np.nan if e.confidence is None else e.confidence for e in elements]
    return Columns(
        elements=tuple(elements),
        type=table[:, 0],
        source=table[:, 1],
        review=table[:, 2],
        width=table[:, 3],
        height=table[:, 4],
        text=table[:, 5],
        subtype=table[:, 6],
        track=table[:, 7],
        evidence=table[:, 8],
        x=table[:, 9],
        y=table[:, 10],
        states=states,
        confidence=np.array(sure, dtype=np.float64),
    )


def patched(old: Columns, elements: tuple[Element, ...], words: TextIndex) -> Columns:
    """The columns of a frame after an edit: only what lies between the first and the last difference is read anew."""
    if elements is old.elements:
        return old
    before = old.elements
    shorter = min(len(before), len(elements))
    start = next((i for i in range(shorter) if before[i] is not elements[i]), shorter)
    room = shorter - start
    end = next((i for i in range(room) if before[-1 - i] is not elements[-1 - i]), room)
    middle = columns_of(elements[start : len(elements) - end], words)
    tail = len(before) - end
    parts = {
        name: np.concatenate([getattr(old, name)[:start], getattr(middle, name), getattr(old, name)[tail:]])
        for name in _COLUMNS
    }
    return Columns(elements=elements, **parts)


def _tri(value: bool | None) -> int:  # noqa: FBT001 - one value, not an option
    return -1 if value is None else int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class FramePlace:
    """One frame.

    Attributes:
        frame: its id.
        numbers: of the steps that show it, from 1: those that begin on it; where none does, those that end on it.
        apps: in front then, casefolded; the demo's own where the system did not tell.
        targets: uids of elements that something was done to, and the kinds of action.
    """

    frame: str
    numbers: tuple[int, ...] = ()
    apps: tuple[str, ...] = ()
    targets: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


NOWHERE = FramePlace(frame="")
"""A frame that no step shows."""


def places_of(document: Document) -> dict[str, FramePlace]:
    """Every frame that the demo shows, in order of first use, the final one last."""
    begins: dict[str, list[int]] = {}
    ends: dict[str, list[int]] = {}
    targets: dict[str, dict[str, frozenset[str]]] = {}
    for number, step in enumerate(document.steps, start=1):
        for frame, found in ((step.before, begins), (step.after, ends)):
            if frame is not None:
                begins.setdefault(frame.id, [])
                found.setdefault(frame.id, []).append(number)
        for uid in (step.target_uid, step.end_uid):
            element = document.element(uid)
            if element is not None:
                there = targets.setdefault(element.frame, {})
                there[element.uid] = there.get(element.uid, frozenset()) | {step.action.action_type}
    final = document.head.final_frame
    if final is not None:
        begins.setdefault(final.id, [])
    apps = [_app_of(document, step).casefold() for step in document.steps]
    own = document.head.app.casefold()
    places: dict[str, FramePlace] = {}
    for frame_id, beginning in begins.items():
        numbers = tuple(beginning or ends.get(frame_id, ()))
        fronts = tuple(dict.fromkeys(apps[number - 1] for number in numbers)) or (own,)
        places[frame_id] = FramePlace(frame=frame_id, numbers=numbers, apps=fronts, targets=targets.get(frame_id, {}))
    return places


def _app_of(document: Document, step: Step) -> str:
    told = "" if step.window is None else step.window.app
    return told or document.head.app
