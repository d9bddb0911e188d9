"""Takes the annotations of a file into the open demo, as one edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.commands import as_suggested, element_changes, make_edit
from annotator.document import Document
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element
from demopack.interchange.joining import Joined

__all__ = ["ImportAnnotations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportAnnotations:
    """What was read and compared beforehand, beside the window's thread.

    Attributes:
        joined: what changes on each frame. An element that was edited since it was compared stays as it is.
        title: of the format, for the history.
    """

    joined: Sequence[Joined]
    title: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        pairs = [pair for one in self.joined for pair in one.changed]
        replaced: dict[str, Element | None] = {
            old.uid: _remembering(old, new) for old, new in pairs if document.element(old.uid) == old
        }
        added = [
            element
            for one in self.joined
            if document.frame(one.frame) is not None
            for element in one.added
            if document.element(element.uid) is None
        ]
        words = tr("Import from {program}: {added} new, {changed} changed")
        label = words.format(program=self.title, added=len(added), changed=len(replaced))
        return make_edit(label, element_changes(document, replaced, added))


def _remembering(old: Element, new: Element) -> Element:
    """What a finder had suggested stays as evidence, as when a person corrects it here."""
    corrected = old.review == "unreviewed" and new.review == "approved" and old.source != "human"
    return new.changed(evidence=as_suggested(old)) if corrected else new
