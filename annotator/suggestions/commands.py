"""Accept and reject suggestions, many at once in one edit; see :mod:`annotator.commands`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from annotator.commands import checked, element_changes, make_edit
from annotator.document import Document
from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element, ElementType

__all__ = ["AcceptSuggestions", "BringBack", "Group", "RejectSuggestions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What several suggestions have in common, for the history.

    Attributes:
        type: all of them are of this type; None for any.
        below: all of them are below this confidence; None where that was not asked.
    """

    type: ElementType | None = None
    below: float | None = None


_ANY = Group()


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptSuggestions:
    """A person says that these are right; what is reviewed already stays as it is."""

    uids: tuple[str, ...]
    group: Group = _ANY

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        found = [
            e
            for uid in self.uids
            if (e := document.element(uid)) is not None and e.review not in {"approved", "rejected"}
        ]
        replaced: dict[str, Element | None] = {e.uid: e.but(**{**checked(e), "review": "approved"}) for e in found}
        return make_edit(_words("accept", found, self.group), element_changes(document, replaced)) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RejectSuggestions:
    """A person says that nothing is there; it is remembered, so that no search brings them back.

    What a person drew is left alone: that is deleted.
    """

    uids: tuple[str, ...]
    group: Group = _ANY

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        found = [
            e
            for uid in self.uids
            if (e := document.element(uid)) is not None and e.review != "rejected" and e.source != "human"
        ]
        replaced: dict[str, Element | None] = {e.uid: e.but(review="rejected") for e in found}
        return make_edit(_words("reject", found, self.group), element_changes(document, replaced)) if found else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BringBack:
    """Suggestions that were rejected are open again."""

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        found = [e for uid in self.uids if (e := document.element(uid)) is not None and e.review == "rejected"]
        if not found:
            return None
        replaced: dict[str, Element | None] = {e.uid: e.but(review="unreviewed") for e in found}
        one, several = _BACK
        label = one.format(name=name_element(found[0])) if len(found) == 1 else several.format(count=len(found))
        return make_edit(label, element_changes(document, replaced))


_BACK = (tr("Bring back {name}"), tr("Bring back {count} suggestions that were rejected"))
_PLAIN = {"accept": tr("Accept {count} suggestions"), "reject": tr("Reject {count} suggestions")}
_OF_TYPE = {
    "accept": tr("Accept {count} suggestions of type {type}"),
    "reject": tr("Reject {count} suggestions of type {type}"),
}
_BELOW = {
    "accept": tr("Accept {count} suggestions below {below:.2f}"),
    "reject": tr("Reject {count} suggestions below {below:.2f}"),
}
_ONE = {"accept": tr("Accept {name}"), "reject": tr("Reject {name}")}


def _words(verb: Literal["accept", "reject"], found: list[Element], group: Group) -> str:
    if len(found) == 1:
        return _ONE[verb].format(name=name_element(found[0]))
    if group.type is not None:
        return _OF_TYPE[verb].format(count=len(found), type=type_word(group.type))
    if group.below is not None:
        return _BELOW[verb].format(count=len(found), below=group.below)
    return _PLAIN[verb].format(count=len(found))
