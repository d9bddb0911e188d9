"""Suggestions are named as other elements of the same look are: what is learned from, and what gets a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from annotator.alike.known import KnownLooks, Name, look_of
from annotator.commands import element_changes
from annotator.document import Document
from annotator.words import tr
from demopack.domain.edits import Edit
from demopack.domain.elements import ATTRIBUTES, Element
from demopack.domain.frames import RgbImage
from demopack.domain.provenance import by_program
from demopack.domain.records import new_id

__all__ = ["PROGRAM", "NameKnown", "learn_from", "lesson_of", "names_for", "rebuilt"]

PROGRAM: Final = "known looks"
"""Who names elements, in the history."""
_UNSURE: Final = 0.6
"""A finder that was less sure of a type may be corrected."""
_FRAMES: Final = 40
"""A table is made anew from so many pictures at most."""


def lesson_of(element: Element) -> Name | None:
    """What an approved element teaches: the subtype of an icon, or a type that a person corrected."""
    if element.review != "approved":
        return None
    if element.type == "icon" and element.subtype:
        return Name("icon", element.subtype)
    said = {one.type for one in element.evidence if one.type is not None}
    corrected = element.source != "human" and bool(said) and element.type not in said
    return Name(element.type, element.subtype or "") if corrected and element.type != "icon" else None


def learn_from(looks: KnownLooks, image: RgbImage, elements: Iterable[Element]) -> bool:
    """Take over what elements of one picture teach; whether anything is new.

    Args:
        looks: gets the lessons.
        image: the frame's pixels, shape (height, width, 3 or more).
        elements: of that frame.
    """
    learned = False
    for element in elements:
        name = lesson_of(element)
        look = None if name is None else look_of(image, element.box)
        if name is not None and look is not None:
            learned = looks.learn(element.uid, look, name) or learned
    return learned


def names_for(
    looks: KnownLooks, image: RgbImage, elements: Iterable[Element], *, ours: Mapping[str, Name] | None = None
) -> dict[str, Name]:
    """What the suggestions of a picture are called, by uid; only those that would change.

    A suggestion gets a subtype where it is an icon without one, and another type where its finder was not sure.
    Whatever a person reviewed stays, and so does what was named and taken back.

    Args:
        looks: what is known.
        image: the frame's pixels, shape (height, width, 3 or more).
        elements: of that frame.
        ours: names that were given before: they may be changed.
    """
    found: dict[str, Name] = {}
    for element in elements:
        if element.uid in looks.refused or not _may_be_named(element, (ours or {}).get(element.uid)):
            continue
        look = look_of(image, element.box)
        name = None if look is None else looks.name_of(look)
        if name is not None and _helps(element, name):
            found[element.uid] = name
    return found


def _may_be_named(element: Element, ours: Name | None) -> bool:
    if element.review != "unreviewed" or element.source == "human":
        return False
    if ours is not None and (element.type, element.subtype or "") == ours:
        return True
    return (element.type == "icon" and not element.subtype) or _is_unsure(element)


def _is_unsure(element: Element) -> bool:
    return element.confidence is not None and element.confidence < _UNSURE


def _helps(element: Element, name: Name) -> bool:
    if name.type == element.type:
        return bool(name.subtype) and name.subtype != (element.subtype or "")
    return _is_unsure(element)


def rebuilt(elements: Iterable[Element], pixels: Callable[[str], RgbImage | None]) -> KnownLooks:
    """A table from approved elements of a library; reads pictures, so it belongs off the GUI thread.

    Args:
        elements: the newest first.
        pixels: the picture of a frame; None where it cannot be had.
    """
    frames: dict[str, list[Element]] = {}
    for element in elements:
        if lesson_of(element) is not None and (element.frame in frames or len(frames) < _FRAMES):
            frames.setdefault(element.frame, []).append(element)
    looks = KnownLooks()
    for frame_id, found in frames.items():
        image = pixels(frame_id)
        if image is not None:
            learn_from(looks, image, found)
    return looks


@dataclass(frozen=True, slots=True, kw_only=True)
class NameKnown:
    """Suggestions get the names of what looks like them; they stay suggestions.

    Attributes:
        names: by uid.
        seen: the elements as they were when they were named; what changed meanwhile stays.
    """

    names: Mapping[str, Name]
    seen: Mapping[str, Element]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`annotator.commands.Command`."""
        replaced: dict[str, Element | None] = {}
        for uid, name in self.names.items():
            element = document.element(uid)
            if element is not None and element == self.seen.get(uid):
                subtype = name.subtype if ATTRIBUTES[name.type].subtype else ""
                replaced[uid] = element.changed(type=name.type, subtype=subtype or None).cleaned()
        changes = element_changes(document, replaced)
        if not changes:
            return None
        one, several = tr("Known icons: 1 named"), tr("Known icons: {count} named")
        label = one if len(replaced) == 1 else several.format(count=len(replaced))
        by = by_program("template", PROGRAM, reason="as elements of the same look")
        return Edit(id=new_id("edit"), label=label, changes=tuple(changes), provenance=by)
