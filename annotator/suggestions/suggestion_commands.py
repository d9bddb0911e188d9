"""Accept and reject suggestions, many at once in one edit; see :mod:`annotator.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from annotator.commands import checked, edit_each
from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptSuggestions:
    """A person says that these are right; what is reviewed already stays as it is.

    Attributes:
        uids: of the suggestions.
        type: all of them are of this type; None for any. It is told in the history.
        below: all of them are below this confidence, likewise; None where that was not asked.
    """

    uids: tuple[str, ...]
    type: ElementType | None = None
    below: float | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.uids, _accepted, lambda old: _words("accept", old, self.type, self.below))


def _accepted(element: Element) -> Element:
    decided = element.review in {"approved", "rejected"}
    return element if decided else element.but(**{**checked(element), "review": "approved"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectSuggestions:
    """A person says that nothing is there; it is remembered, so that no search brings them back.

    What a person drew is left alone: that is deleted. The fields are those of :class:`AcceptSuggestions`.
    """

    uids: tuple[str, ...]
    type: ElementType | None = None
    below: float | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.uids, _rejected, lambda old: _words("reject", old, self.type, self.below))


def _rejected(element: Element) -> Element:
    stays = element.review == "rejected" or element.source == "human"
    return element if stays else element.but(review="rejected")


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreSuggestions:
    """Suggestions that were rejected are open again."""

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(
            document,
            self.uids,
            lambda old: old.but(review="unreviewed") if old.review == "rejected" else old,
            lambda old: _BACK[len(old) > 1].format(name=name_element(old[0]), count=len(old)),
        )


_BACK = (tr("Bring back {name}"), tr("Bring back {count} suggestions that were rejected"))
_WORDS = {
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
}
"""For one, for those of a type, for those below a confidence, for any others."""


def _words(
    verb: Literal["accept", "reject"], found: list[Element], kind: ElementType | None, below: float | None
) -> str:
    of_one, of_type, of_below, of_many = _WORDS[verb]
    if len(found) == 1:
        return of_one.format(name=name_element(found[0]))
    words = of_type if kind is not None else of_below if below is not None else of_many
    return words.format(count=len(found), type=type_word(kind or ""), below=below)
