"""Progress of the review, the next open element, and the commands by which a person decides about elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Literal

from annotator.commands import checked, edit_each
from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.demos import DemoSummary
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType, Review
from models.vision.doubt import ElementDoubt, element_doubt


def is_open(element: Element) -> bool:
    """Whether nothing was said about an element."""
    return element.review == "unreviewed"


class DoubtCache:
    """A memory in front of :func:`models.vision.doubt.element_doubt`: elements are values, so one answer lasts."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Element, ElementDoubt]] = {}

    def of(self, element: Element) -> ElementDoubt:
        """The doubt about one element."""
        known = self._known.get(element.uid)
        if known is None or known[0] is not element:
            known = self._known[element.uid] = (element, element_doubt(element))
        return known[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProgress:
    """How many of something were reviewed.

    Attributes:
        total: all, rejected ones aside.
        approved: of these.
        doubtful: of these.
        rejected: beside them.
    """

    total: int = 0
    approved: int = 0
    doubtful: int = 0
    rejected: int = 0

    @property
    def todo(self) -> int:
        """Those about which nothing was said."""
        return self.total - self.approved - self.doubtful

    @property
    def words(self) -> str:
        """For instance ``12 of 34 approved, 2 doubtful``."""
        if not self.total:
            return tr("Nothing to review")
        plain, more = tr("{approved} of {total} approved"), tr("{approved} of {total} approved, {doubtful} doubtful")
        words = more if self.doubtful else plain
        return words.format(approved=self.approved, total=self.total, doubtful=self.doubtful)


def progress_of(elements: Iterable[Element]) -> ReviewProgress:
    """How far the review of some elements is."""
    return progress_from(Counter(map(attrgetter("review"), elements)))


def progress_from(count: Mapping[Any, int]) -> ReviewProgress:
    """The progress from how often each review occurs, all of them named or 0 by default."""
    return ReviewProgress(
        total=count["unreviewed"] + count["doubtful"] + count["approved"],
        approved=count["approved"],
        doubtful=count["doubtful"],
        rejected=count["rejected"],
    )


def library_progress(summaries: Iterable[DemoSummary]) -> ReviewProgress:
    """How far the review of a library's steps is."""
    steps = [(one.steps, one.approved, one.doubtful) for one in summaries]
    total, approved, doubtful = map(sum, zip(*steps, strict=True)) if steps else (0, 0, 0)
    return ReviewProgress(total=total, approved=approved, doubtful=doubtful)


def by_doubt(elements: Iterable[Element], doubts: DoubtCache) -> list[Element]:
    """Those that nobody has decided about, the least sure first.

    What a person marked as doubtful comes before everything else; equal ones stay in the order given.
    """
    waiting = [e for e in elements if e.review in {"unreviewed", "doubtful"}]
    return sorted(waiting, key=lambda e: -2.0 if e.review == "doubtful" else -doubts.of(e).score)


_VERBS: Final[dict[Review, tuple[str, str]]] = {
    "approved": (tr("Approve {name}"), tr("Approve {count} elements")),
    "doubtful": (tr("Doubt {name}"), tr("Doubt {count} elements")),
    "rejected": (tr("Reject {name}"), tr("Reject {count} elements")),
    "unreviewed": (tr("Take back the review of {name}"), tr("Take back the review of {count} elements")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewElements:
    """What a person says about one or several elements. A box that a person drew is removed when it is rejected."""

    uids: tuple[str, ...]
    review: Review

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.uids, self._reviewed, self._label)

    def _label(self, old: list[Element]) -> str:
        one, several = _VERBS[self.review]
        return one.format(name=name_element(old[0])) if len(old) == 1 else several.format(count=len(old))

    def _reviewed(self, element: Element) -> Element | None:
        if element.review == self.review:
            return element
        if self.review == "rejected" and element.source == "human":
            return None
        # What was suggested is kept beside it, as with every other way to approve.
        kept = checked(element) if self.review == "approved" else {}
        return element.model_copy(update={**kept, "review": self.review})


SuggestionDecision = Literal["accept", "reject", "restore"]

_BACK_WORDS: Final = tr("Bring back {count} suggestions that were rejected")
_WORDS: Final[dict[SuggestionDecision, tuple[str, str, str, str]]] = {
    "accept": (
        tr("Accept {name}"),
        tr("Accept {count} suggestions of type {type}"),
        tr("Accept {count} suggestions below {below:.2f}"),
        tr("Accept {count} suggestions"),
    ),
    "reject": (
        tr("Reject {name}"),
        tr("Reject {count} suggestions of type {type}"),
        tr("Reject {count} suggestions below {below:.2f}"),
        tr("Reject {count} suggestions"),
    ),
    "restore": (tr("Bring back {name}"), _BACK_WORDS, _BACK_WORDS, _BACK_WORDS),
}
"""For one, for those of a type, for those below a confidence, for any others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideSuggestions:
    """A person says something about suggestions.

    Accepted: they are right; what is reviewed already stays as it is. Rejected: nothing is there; it is remembered, so
    that no search brings them back, and what a person drew is left alone, because that is deleted. Restored: those that
    were rejected are open again.

    Attributes:
        decision: what is said.
        uids: of the suggestions.
        type: all of them are of this type; None for any. It is told in the history.
        below: all of them are below this confidence, likewise; None where that was not asked.
    """

    decision: SuggestionDecision
    uids: tuple[str, ...]
    type: ElementType | None = None
    below: float | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.uids, self._decided, self._label)

    def _decided(self, old: Element) -> Element:
        if self.decision == "accept":
            stays = old.review in {"approved", "rejected"}
            return old if stays else old.but(**{**checked(old), "review": "approved"})
        if self.decision == "reject":
            stays = old.review == "rejected" or old.source == "human"
            return old if stays else old.but(review="rejected")
        return old.but(review="unreviewed") if old.review == "rejected" else old

    def _label(self, old: list[Element]) -> str:
        of_one, of_type, of_below, of_many = _WORDS[self.decision]
        if len(old) == 1:
            return of_one.format(name=name_element(old[0]))
        words = of_type if self.type is not None else of_below if self.below is not None else of_many
        return words.format(count=len(old), type=type_word(self.type or ""), below=self.below)
