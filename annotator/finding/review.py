"""How far the review is, what comes next in it, and the command that says something about several elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from annotator.commands import checked, element_changes, make_edit
from annotator.document import Document
from annotator.finding.doubts import Doubts
from annotator.spans import changed_span
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.demos import DemoSummary
from demopack.domain.edits import Edit
from demopack.domain.elements import REVIEWS, Element, Review

if TYPE_CHECKING:
    from annotator.finding.columns import Columns

__all__ = [
    "Progress",
    "ProgressTally",
    "ReviewElements",
    "by_doubt",
    "library_progress",
    "next_open",
    "progress_in",
    "progress_of",
]

_REVIEW: Final[Callable[[Element], Review]] = attrgetter("review")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
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
        if self.doubtful:
            return tr("{approved} of {total} approved, {doubtful} doubtful").format(
                approved=self.approved, total=self.total, doubtful=self.doubtful
            )
        return tr("{approved} of {total} approved").format(approved=self.approved, total=self.total)


class ProgressTally:
    """How far the review of one frame is, again and again: after an edit only what differs is counted."""

    def __init__(self) -> None:
        self._elements: tuple[Element, ...] = ()
        self._count: Counter[Review] = Counter()

    def of(self, elements: tuple[Element, ...]) -> Progress:
        """The progress of a frame's elements as they are now, or of another frame's."""
        start, old_end, new_end = changed_span(self._elements, elements)
        self._count.subtract(map(_REVIEW, self._elements[start:old_end]))
        self._count.update(map(_REVIEW, elements[start:new_end]))
        self._elements = elements
        return _progress(self._count)


def progress_of(elements: Iterable[Element]) -> Progress:
    """How far the review of some elements is."""
    return _progress(Counter(map(_REVIEW, elements)))


def _progress(count: Counter[Review]) -> Progress:
    return Progress(
        total=count["unreviewed"] + count["doubtful"] + count["approved"],
        approved=count["approved"],
        doubtful=count["doubtful"],
        rejected=count["rejected"],
    )


def progress_in(columns: Iterable[Columns]) -> Progress:
    """As :func:`progress_of`, from columns: a whole demo at once."""
    import numpy as np  # here, because the first window shows a progress long before anything is counted

    count = np.zeros(len(REVIEWS), dtype=np.int64)
    for one in columns:
        count += np.bincount(one.review, minlength=len(REVIEWS))
    reviews = dict(zip(REVIEWS, count.tolist(), strict=True))
    return Progress(
        total=sum(reviews.values()) - reviews["rejected"],
        approved=reviews["approved"],
        doubtful=reviews["doubtful"],
        rejected=reviews["rejected"],
    )


def library_progress(summaries: Iterable[DemoSummary]) -> tuple[Progress, Progress]:
    """How far the review of a library is: its steps, and its elements."""
    steps = [0, 0, 0]
    elements = [0, 0, 0, 0]
    for one in summaries:
        for place, number in enumerate((one.steps, one.approved, one.doubtful)):
            steps[place] += number
        found = (one.elements, one.elements_approved, one.elements_doubtful, one.elements_rejected)
        for place, number in enumerate(found):
            elements[place] += number
    return (
        Progress(total=steps[0], approved=steps[1], doubtful=steps[2]),
        Progress(total=elements[0], approved=elements[1], doubtful=elements[2], rejected=elements[3]),
    )


def next_open(ordered: Sequence[Element], after: str | None) -> Element | None:
    """The next element about which nothing was said, from one on and around; None where there is none left."""
    start = next((place + 1 for place, e in enumerate(ordered) if e.uid == after), 0)
    return next((e for e in [*ordered[start:], *ordered[:start]] if e.review == "unreviewed" and e.uid != after), None)


def by_doubt(elements: Iterable[Element], doubts: Doubts) -> list[Element]:
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
        found = [e for uid in self.uids if (e := document.element(uid)) is not None and e.review != self.review]
        if not found:
            return None
        one, several = _VERBS[self.review]
        label = one.format(name=name_element(found[0])) if len(found) == 1 else several.format(count=len(found))
        make = self._made
        return make_edit(label, element_changes(document, {e.uid: make(e) for e in found}))

    def _made(self, element: Element) -> Element | None:
        if self.review == "rejected" and element.source == "human":
            return None
        # What was suggested is kept beside it, as with every other way to approve.
        kept = checked(element) if self.review == "approved" else {}
        return element.model_copy(update={**kept, "review": self.review})
