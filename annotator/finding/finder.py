"""Search over the elements of an open demo; what was read is kept until it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from annotator.document import Document
from annotator.finding.columns import NOWHERE, Columns, Flags, FramePlace, TextIndex, columns_of, patched, places_of
from annotator.finding.element_keys import ELEMENT_KEYS, Question, free_text
from annotator.finding.query import AllOf, AnyOf, Node, Not, Term, parse_query
from annotator.finding.values import unknown_key
from demopack.domain.elements import Element

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search that was understood.

    Attributes:
        text: as it was typed.
        node: its tree.
        question: what is put to each frame.
    """

    text: str
    node: Node
    question: Question


class Finder:
    """The elements of a document as columns, frame by frame, read when they are first asked for.

    Attributes:
        words: every text of the frames that were read.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self.words = TextIndex()
        self._columns: dict[str, Columns] = {}
        self._places: dict[str, FramePlace] | None = None
        for changed in (document.step_inserted, document.step_removed, document.step_changed):
            changed.connect(self._forget_places)
        document.head_changed.connect(self._forget_places)

    def understand(self, text: str) -> Search:
        """Make a search of what was typed.

        Raises:
            QueryError: it cannot be understood; the error says where.
        """
        node = parse_query(text)
        return Search(text=text, node=node, question=self._question(node))

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames of the demo in order of first use."""
        return tuple(self._placed())

    def place(self, frame_id: str) -> FramePlace:
        """Where a frame stands in the demo."""
        return self._placed().get(frame_id, NOWHERE)

    def is_read(self, frame_id: str) -> bool:
        """Whether the columns of a frame are there, so that searching it takes no time."""
        found = self._columns.get(frame_id)
        # The document keeps the tuple until something in it changes.
        return found is not None and found.elements is self._document.elements(frame_id)

    def columns(self, frame_id: str) -> Columns:
        """The elements of a frame as columns; reading 5,000 takes some milliseconds, the second time nothing."""
        elements = self._document.elements(frame_id)
        old = self._columns.get(frame_id)
        found = columns_of(elements, self.words) if old is None else patched(old, elements, self.words)
        self._columns[frame_id] = found
        return found

    def fits(self, search: Search, frame_id: str) -> Flags:
        """Which elements of a frame fit, in the library's order."""
        return search.question(self.columns(frame_id), self.place(frame_id))

    def find(self, search: Search, frame_id: str) -> npt.NDArray[np.intp]:
        """The places of the elements that fit, among all of the frame."""
        return np.flatnonzero(self.fits(search, frame_id))

    def fits_one(self, search: Search, element: Element) -> bool:
        """Whether an element fits that the document does not have."""
        return bool(search.question(columns_of([element], self.words), self.place(element.frame))[0])

    def _question(self, node: Node) -> Question:
        if isinstance(node, Term):
            if not node.key:
                return free_text(node, self.words)
            key = ELEMENT_KEYS.get(node.key)
            if key is None:
                raise unknown_key(node, tuple(ELEMENT_KEYS))
            return key.make(node, self.words)
        if isinstance(node, Not):
            inner = self._question(node.node)
            return lambda columns, place: ~inner(columns, place)
        return _joined([self._question(part) for part in node.nodes], node)

    def _placed(self) -> dict[str, FramePlace]:
        if self._places is None:
            self._places = places_of(self._document)
        return self._places

    def _forget_places(self, *_: int) -> None:
        self._places = None


def _joined(questions: Sequence[Question], node: AllOf | AnyOf) -> Question:
    join = np.logical_or if isinstance(node, AnyOf) else np.logical_and
    start = isinstance(node, AllOf)

    def ask(columns: Columns, place: FramePlace) -> Flags:
        found = np.full(len(columns.elements), start, dtype=np.bool_)
        for question in questions:
            found = join(found, question(columns, place))
        return found

    return ask


class ElementFilter:
    """A search as a question about single elements, for :meth:`annotator.view_state.ViewState.set_filter`.

    A frame is searched as a whole when it is first asked about, and its answers are kept while its elements are the
    same; so asking about 5,000 elements one after the other costs 5,000 look-ups.
    """

    def __init__(self, finder: Finder, search: Search, document: Document) -> None:
        self._finder = finder
        self._search = search
        self._document = document
        self._answers: dict[str, tuple[tuple[Element, ...], dict[str, bool]]] = {}

    def __call__(self, element: Element) -> bool:
        """Whether the element fits."""
        elements = self._document.elements(element.frame)
        known = self._answers.get(element.frame)
        if known is None or known[0] is not elements:
            fits = self._finder.fits(self._search, element.frame).tolist()
            answers = {e.uid: fit for e, fit in zip(elements, fits, strict=True)}
            known = self._answers[element.frame] = (elements, answers)
        answer = known[1].get(element.uid)
        return self._finder.fits_one(self._search, element) if answer is None else answer
