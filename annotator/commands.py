"""What a person can do to the elements of a demo, as values. Each one knows the edit that it makes of a document.

A command changes nothing itself: :class:`annotator.editing.EditSession` applies its edit and writes it to the
library's log. The commands for steps are in :mod:`annotator.step_commands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotator.binding import rebound
from annotator.document import Document
from annotator.step_words import name_element
from annotator.type_words import type_word
from annotator.words import tr
from demopack.domain.edits import Change, Edit, Entity
from demopack.domain.elements import Element, ElementType, Evidence
from demopack.domain.geometry import Rect, Size
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step
from demopack.domain.words import shorten

__all__ = [
    "AddElement",
    "Command",
    "DeleteElements",
    "DuplicateElements",
    "MoveElements",
    "ResizeElement",
    "SetText",
    "SetType",
    "as_suggested",
    "changed_to",
    "checked",
    "element_changes",
    "make_edit",
]


class Command(Protocol):
    """Something that a person asked for."""

    def edit(self, document: Document) -> Edit | None:
        """The edit that does it; None where nothing would change, or what it was about is gone."""
        ...


def make_edit(label: str, changes: Sequence[Change], *, merge_key: str | None = None) -> Edit | None:
    """An edit by a person, now; None without changes."""
    if not changes:
        return None
    return Edit(id=new_id("edit"), label=label, changes=tuple(changes), provenance=by_human(), merge_key=merge_key)


def changed_to(old: Entity | None, new: Entity | None) -> Change:
    """The change from one value of an entity to another; None stands for "not there"."""
    entity = new if new is not None else old
    if isinstance(entity, Element):
        kind, key = "element", entity.uid
    elif isinstance(entity, Step):
        kind, key = "step", entity.id
    elif entity is not None:
        kind, key = "head", entity.id
    else:
        raise ValueError("a change needs one side")
    before = None if old is None else old.to_json()
    return Change(kind=kind, key=key, before=before, after=None if new is None else new.to_json())


def element_changes(
    document: Document, replaced: Mapping[str, Element | None], added: Iterable[Element] = (), *, rebinds: bool = True
) -> list[Change]:
    """Changes of elements, and of the steps whose target follows them; ``rebinds`` off for none of these."""
    changes: list[Change] = []
    frames: dict[str, set[str]] = {}
    for uid, new in replaced.items():
        old = document.element(uid)
        # Thousands may have another review at once: to compare all the rest of them would be for nothing.
        if old is None or (new is not None and old.review == new.review and old == new):
            continue
        changes.append(Change.of_element(old, new))
        if new is None or _bears_on_steps(old, new):
            gone = frames.setdefault(old.frame, set())
            if new is None or new.review == "rejected":
                gone.add(uid)
    extra = list(added)
    for element in extra:
        changes.append(Change.of_element(None, element))
        frames.setdefault(element.frame, set())
    for frame_id, gone in frames.items() if rebinds else ():
        before = document.elements(frame_id)
        after = [e for old in before if (e := replaced.get(old.uid, old)) is not None]
        after += [element for element in extra if element.frame == frame_id]
        if extra:
            # The library's order, in which ties are resolved.
            after.sort(key=lambda e: e.uid)
        for old_step, new_step in rebound(document.steps_on(frame_id), before, after, gone=gone):
            changes.append(changed_to(old_step, new_step))
    return changes


def _bears_on_steps(old: Element, new: Element) -> bool:
    """Whether a step may have another target now; where it may not, nobody looks through all elements of a frame."""
    if old.review != new.review or old.box != new.box:
        return True
    return old.states.get("focused") != new.states.get("focused")


def checked(element: Element) -> dict[str, Any]:
    """The fields by which a finder's element that a person corrects is approved, so that no later parse replaces it.

    What was suggested is kept as evidence: a later parse that says the same again says nothing new.
    """
    if element.review != "unreviewed":
        return {}
    if element.source == "human":
        return {"review": "approved"}
    return {"review": "approved", "evidence": as_suggested(element)}


def as_suggested(element: Element) -> tuple[Evidence, ...]:
    """What was said about an element, by its finder alone where no other source had a say."""
    if element.evidence:
        return element.evidence
    said = {"type": element.type, "box": element.box, "text": element.text, "confidence": element.confidence}
    # A rule's name stands in its evidence; where that is gone, as in a pack, it is not known.
    return (Evidence.trusted({"source": element.source, "rule": None, **said}),)


def _change_one(
    document: Document,
    uid: str,
    fields: Callable[[Element], dict[str, Any]],
    label: Callable[[Element, Element], str],
    *,
    merge_key: str | None = None,
) -> Edit | None:
    old = document.element(uid)
    if old is None:
        return None
    wanted = fields(old)
    if old.changed(**wanted).cleaned() == old:
        return None
    new = old.changed(**{**checked(old), **wanted}).cleaned()
    return make_edit(label(old, new), element_changes(document, {uid: new}), merge_key=merge_key)


def _several(elements: Sequence[Element]) -> str:
    return name_element(elements[0]) if len(elements) == 1 else tr("{elements} elements").format(elements=len(elements))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddElement:
    """A box that was drawn."""

    element: Element

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        if document.element(self.element.uid) is not None:
            return None
        kind = type_word(self.element.type)
        changes = element_changes(document, {}, [self.element])
        # What is filled in by habit right after the drawing is part of it.
        return make_edit(tr("Draw a box ({kind})").format(kind=kind), changes, merge_key=f"draw-{self.element.uid}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveElements:
    """Boxes that were dragged or nudged; they stop at the edges of the frame together."""

    uids: tuple[str, ...]
    dx: int
    dy: int
    frame_size: Size
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        moving = [e for uid in self.uids if (e := document.element(uid)) is not None]
        if not moving:
            return None
        dx, dy = within([e.box for e in moving], self.dx, self.dy, self.frame_size)
        if (dx, dy) == (0, 0):
            return None
        replaced: dict[str, Element | None] = {e.uid: e.changed(box=e.box.moved(dx, dy), **checked(e)) for e in moving}
        return make_edit(
            tr("Move {several}").format(several=_several(moving)),
            element_changes(document, replaced),
            merge_key=self.merge_key,
        )


def within(boxes: Sequence[Rect], dx: int, dy: int, size: Size) -> tuple[int, int]:
    """The part of a move that keeps every box on the frame."""
    left, top = min(box.x1 for box in boxes), min(box.y1 for box in boxes)
    right, bottom = max(box.x2 for box in boxes), max(box.y2 for box in boxes)
    return (
        max(min(dx, size.width - right), -left),
        max(min(dy, size.height - bottom), -top),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ResizeElement:
    """A box whose edges were moved."""

    uid: str
    box: Rect
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        return _change_one(
            document,
            self.uid,
            lambda _: {"box": self.box},
            lambda old, _: tr("Resize {name_element}").format(name_element=name_element(old)),
            merge_key=self.merge_key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetType:
    """What an element is; attributes that the new type cannot carry go."""

    uid: str
    type: ElementType

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        return _change_one(
            document,
            self.uid,
            lambda _: {"type": self.type},
            lambda old, new: tr("Turn {name_element} into {replace}").format(
                name_element=name_element(old), replace=type_word(new.type)
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SetText:
    """What is written on an element; empty means nothing is."""

    uid: str
    text: str
    merge_key: str | None = None

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        return _change_one(
            document,
            self.uid,
            lambda _: {"text": self.text or None},
            lambda old, new: (
                tr("Set the text of {name_element} to “{text}”").format(
                    name_element=name_element(old.changed(text=None)), text=shorten(new.text)
                )
                if new.text
                else tr("Clear the text of {name_element}").format(name_element=name_element(old))
            ),
            merge_key=self.merge_key,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteElements:
    """Boxes that are taken away. What a finder found stays as rejected, or the next search would bring it back."""

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        found = [e for uid in self.uids if (e := document.element(uid)) is not None and e.review != "rejected"]
        if not found:
            return None
        gone: dict[str, Element | None] = {
            element.uid: None if element.source == "human" else element.changed(review="rejected") for element in found
        }
        return make_edit(tr("Delete {several}").format(several=_several(found)), element_changes(document, gone))


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateElements:
    """Copies of boxes, a little to the right and below.

    Attributes:
        copies: from each uid to the uid of its copy, chosen beforehand so that the copies can be selected.
        frame_size: copies stay on the frame.
    """

    copies: Mapping[str, str]
    frame_size: Size

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        found = [e for uid in self.copies if (e := document.element(uid)) is not None]
        if not found:
            return None
        dx, dy = within([e.box for e in found], 8, 8, self.frame_size)
        fresh = {"source": "human", "confidence": None, "track_id": None, "parent": None, "review": "approved"}
        made = [e.changed(uid=self.copies[e.uid], box=e.box.moved(dx, dy), **fresh) for e in found]
        return make_edit(tr("Duplicate {several}").format(several=_several(found)), element_changes(document, {}, made))
