"""Decides differences: theirs or mine, one or all of a kind, always as one edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from annotator.commands import checked, element_changes, make_edit
from annotator.document import Document
from annotator.opinion.differences import Difference, Kind, opinion_as_evidence
from annotator.step_words import name_element
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.domain.records import new_id

__all__ = ["KIND_WORDS", "Adjudicate", "Choice"]

Choice = Literal["theirs", "mine"]

KIND_WORDS: Final[Mapping[Kind, str]] = {
    "missing": tr("only theirs"),
    "extra": tr("only mine"),
    "moved": tr("other place"),
    "type": tr("other type"),
    "text": tr("other text"),
    "subtype": tr("other kind"),
    "states": tr("other states"),
}
"""What kinds of differences are called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicate:
    """Who was right about some differences.

    Taking theirs makes my element like theirs. Keeping mine approves it and remembers the other opinion as evidence, so
    that the same difference is not asked about again.

    Attributes:
        differences: what is decided; what is gone meanwhile is passed over.
        choice: whose.
    """

    differences: Sequence[Difference]
    choice: Choice

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        if not self.differences:
            return None
        work = _Work(document)
        for one in self.differences:
            (work.take if self.choice == "theirs" else work.keep)(one)
        return make_edit(self._label(), element_changes(document, work.replaced, work.added.values()))

    def _label(self) -> str:
        number, theirs = len(self.differences), self.choice == "theirs"
        if number == 1:
            words = tr("Take their opinion of {name}") if theirs else tr("Keep my opinion of {name}")
            return words.format(name=name_element(self.differences[0].shown))
        kinds: set[Kind] = {one.kind for one in self.differences}
        if len(kinds) > 1:
            words = tr("Take their opinion on {number} things") if theirs else tr("Keep my opinion on {number} things")
            return words.format(number=number)
        words = (
            tr("Take their opinion on {number} things ({kind})")
            if theirs
            else tr("Keep my opinion on {number} things ({kind})")
        )
        return words.format(number=number, kind=KIND_WORDS[kinds.pop()])


class _Work:
    """The elements as they become; several differences may be about one."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.replaced: dict[str, Element | None] = {}
        self.added: dict[str, Element] = {}

    def _now(self, one: Difference) -> Element | None:
        if one.mine is None:
            return None
        uid = one.mine.uid
        return self.replaced[uid] if uid in self.replaced else self._document.element(uid)

    def take(self, one: Difference) -> None:
        """Make mine like theirs."""
        now = self._now(one)
        if one.kind == "missing":
            assert one.theirs is not None
            if now is not None:
                self.replaced[now.uid] = one.theirs.changed(uid=now.uid, frame=now.frame, review="approved")
            elif one.mine is None:
                self._add(one, review="approved")
            return
        if now is None:
            return
        if one.kind == "extra":
            self.replaced[now.uid] = None if now.source == "human" else now.changed(review="rejected")
            return
        assert one.theirs is not None
        self.replaced[now.uid] = now.changed(**checked(now), **_TAKEN[one.kind](one.theirs)).cleaned()

    def keep(self, one: Difference) -> None:
        """Approve mine, and remember what the other one says."""
        now = self._now(one)
        said = opinion_as_evidence(one.theirs)
        if one.kind == "missing" and one.mine is None:
            # Rejected elements are remembered like those that a person rejects: no later search brings them back.
            self._add(one, review="rejected", evidence=(said,))
            return
        if now is None:
            return
        fields = checked(now) if one.kind != "missing" else {}
        known = fields.get("evidence", now.evidence)
        # Several differences about one element are one other opinion.
        self.replaced[now.uid] = now.changed(**{**fields, "evidence": known if said in known else (*known, said)})

    def _add(self, one: Difference, **fields: Any) -> None:  # noqa: ANN401 - each is validated
        assert one.theirs is not None
        theirs = one.theirs
        uid = theirs.uid if self._document.element(theirs.uid) is None else new_id("el")
        if self._document.frame(one.frame) is not None:
            self.added[theirs.uid] = theirs.changed(uid=uid, frame=one.frame, **fields)


_TAKEN: Final[Mapping[Kind, Callable[[Element], dict[str, Any]]]] = {
    "moved": lambda theirs: {"box": theirs.box},
    "type": lambda theirs: {"type": theirs.type},
    "text": lambda theirs: {"text": theirs.text},
    "subtype": lambda theirs: {"subtype": theirs.subtype},
    "states": lambda theirs: {"states": theirs.states},
}
