"""What an icon means is written as soon as it is drawn, where the network that names icons is sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.commands import element_changes, make_edit
from annotator.document import Document
from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import Element

__all__ = ["FollowName"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowName:
    """Icons get the names that a network is sure of, where nobody gave them another one meanwhile.

    Attributes:
        names: from uid to the name; None where the network is not sure.
        seen: from uid to the element when it was looked at: where box, type or name are others by now nothing changes.
        drawn: the boxes were just drawn; one that was made larger loses the name of what it was around before.
        merge_key: of the edit that it belongs to.
    """

    names: Mapping[str, str | None]
    seen: Mapping[str, Element] = field(default_factory=dict[str, Element])
    drawn: bool = False
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        old: list[Element] = []
        for uid, name in self.names.items():
            element = document.element(uid)
            if element is not None and self._may_have(element, name):
                old.append(element)
                replaced[uid] = element.changed(subtype=name)
        if not old:
            return None
        return make_edit(self._label(old), element_changes(document, replaced), merge_key=self.merge_key)

    def _may_have(self, element: Element, name: str | None) -> bool:
        seen = self.seen.get(element.uid)
        if element.type != "icon" or element.review == "rejected" or element.subtype == name:
            return False
        if seen is not None and (seen.type, seen.box, seen.subtype) != (element.type, element.box, element.subtype):
            return False
        # A new box says nothing yet; of any other only what nobody named is named.
        return self.drawn or (name is not None and not element.subtype)

    def _label(self, old: list[Element]) -> str:
        if len(old) > 1:
            return tr("Name {count} icons by their looks").format(count=len(old))
        (one,) = old
        name = self.names[one.uid]
        if not self.drawn:
            return tr("Name {element} “{name}”, by its looks").format(element=name_element(one), name=name)
        if name is None:
            return tr("Draw a box ({kind})").format(kind=type_word(one.type))
        return tr("Draw a box ({kind}): “{name}”, by its looks").format(kind=type_word(one.type), name=name)
