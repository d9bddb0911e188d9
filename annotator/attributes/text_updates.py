"""Texts and icon names that are read again after an edit of boxes, and written as part of that edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from annotator.commands import Command, as_suggested, edit_each
from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element, Evidence
from demopack.domain.words import shorten

_MAX_READ_ELEMENTS: Final = 60
"""Of an edit of more elements none is read: it was about something else, and reading would take too long."""


def is_text_said(element: Element) -> bool:
    """Whether a person wrote an element's text, or took it away: nothing that is read may take its place.

    What sources read stands in the evidence; a text that is none of theirs was written by a person, or may have been.
    A finder's element that nobody has reviewed says what its finder read.
    """
    if element.review == "unreviewed" and element.source != "human":
        return False
    read = {_words(one.text) for one in element.evidence if one.text}
    return _words(element.text) not in read if element.text else bool(read)


def texts_to_read(edit: Edit) -> tuple[Element, ...]:
    """The elements of an edit whose text is to be read now, as the edit leaves them.

    Those are boxes that were drawn, moved or resized, and parts of boxes that were cut or joined, unless a person wrote
    a text on one of them; and elements without a text that became something that may have one. Elements that came by
    other ways, carried over or pasted for instance, are left as they are.
    """
    pairs = _pairs(edit)
    parts = _is_recut(pairs)
    if parts and any(old is not None and is_text_said(old) for old, _ in pairs):
        return ()
    fresh = parts or edit.drawn is not None
    found = (new for old, new in pairs if new is not None and _is_open(old, new, part=parts, fresh=fresh))
    return tuple(new for new in found if ATTRIBUTES[new.type].text)


def icons_to_name(edit: Edit) -> tuple[Element, ...]:
    """The icons of an edit whose name is to be found now, as the edit leaves them.

    Those are icons without a name that were drawn or cut off, and elements that became one; and an icon whose box the
    same gesture made larger, for its name was given to what it was around before.
    """
    pairs, drawn = _pairs(edit), edit.drawn is not None
    fresh = drawn or _is_recut(pairs)
    icons = [(old, new) for old, new in pairs if new is not None and new.type == "icon" and new.review != "rejected"]
    found: list[Element] = []
    for old, new in icons:
        renamed = old is not None and old.box != new.box and drawn
        nameless = not new.subtype and (fresh if old is None else old.type != "icon" or (fresh and old.box != new.box))
        if renamed or nameless:
            found.append(new)
    return tuple(found)


def _pairs(edit: Edit) -> list[tuple[Element | None, Element | None]]:
    """Each element of an edit as it was and as it becomes; none of an edit of too many."""
    changes = [change for change in edit.changes if change.kind == "element"]
    if len(changes) > _MAX_READ_ELEMENTS:
        return []
    return [(cast("Element | None", change.was), cast("Element | None", change.becomes)) for change in changes]


def _is_recut(pairs: list[tuple[Element | None, Element | None]]) -> bool:
    """Whether an edit cut one box or joined several: what belongs together is judged together."""
    changed = any(old is not None and new is not None and old.box != new.box for old, new in pairs)
    made = any(old is None for old, _ in pairs)
    gone = any(old is not None and (new is None or new.review == "rejected") for old, new in pairs)
    return changed and (made or gone)


def _is_open(old: Element | None, new: Element, *, part: bool, fresh: bool) -> bool:
    if new.review == "rejected":
        return False
    if old is None:
        return part or (fresh and not new.text)
    if old.box != new.box:
        return part or not is_text_said(old)
    became = old.type != new.type
    return became and not new.text and not ATTRIBUTES[old.type].text and not is_text_said(new)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableEdit:
    """A command whose edit gets a key of its own where texts are read after it, so that both are undone together."""

    command: Command
    key: str

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        made = self.command.edit(document)
        if made is None or made.merge_key is not None or not (texts_to_read(made) or icons_to_name(made)):
            return made
        return made.model_copy(update={"merge_key": self.key})


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowText:
    """What was read is written on elements that nobody wrote a text on; it is remembered as read.

    Attributes:
        texts: from uid to what was read.
        seen: from uid to the element when it was read: where box or text are others by now nothing is written.
        drawn: the boxes were just drawn.
        merge_key: of the edit that it belongs to.
    """

    texts: Mapping[str, str]
    seen: Mapping[str, Element] = field(default_factory=dict[str, Element])
    drawn: bool = False
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        return edit_each(document, self.texts, self._read, self._label, merge_key=self.merge_key)

    def _read(self, element: Element) -> Element:
        text, seen = self.texts[element.uid], self.seen.get(element.uid)
        if not text or not ATTRIBUTES[element.type].text or element.review == "rejected" or element.text == text:
            return element
        if seen is not None and (seen.box, seen.text) != (element.box, element.text):
            return element
        before = as_suggested(element) if element.source != "human" else element.evidence
        read = Evidence(source="ocr", box=element.box, text=text)
        # What was read in a box that a person made has no confidence; finders are sure to some degree.
        kept = tuple(one for one in before if (one.source, one.type, one.confidence) != ("ocr", None, None))
        return element.changed(text=text, evidence=(*kept, read))

    def _label(self, old: list[Element]) -> str:
        if len(old) > 1:
            return tr("Write what was read on {count} elements").format(count=len(old))
        (one,) = old
        text = shorten(self.texts[one.uid])
        if self.drawn:
            return tr("Draw a box ({kind}) with “{text}”, as read").format(kind=type_word(one.type), text=text)
        return tr("Write “{text}” on {element}, as read").format(element=name_element(one), text=text)


def _words(text: str | None) -> str:
    return " ".join((text or "").split())


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
        return edit_each(document, self.names, self._named, self._label, merge_key=self.merge_key)

    def _named(self, element: Element) -> Element:
        name, seen = self.names[element.uid], self.seen.get(element.uid)
        if element.type != "icon" or element.review == "rejected" or element.subtype == name:
            return element
        if seen is not None and (seen.type, seen.box, seen.subtype) != (element.type, element.box, element.subtype):
            return element
        # A new box says nothing yet; of any other only what nobody named is named.
        may = self.drawn or (name is not None and not element.subtype)
        return element.changed(subtype=name) if may else element

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
