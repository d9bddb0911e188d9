"""Decisions about suggestions, many at once in one edit; see :mod:`annotator.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from annotator.commands import checked, edit_each
from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType

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
