"""Commands on the elements of a demo, as values. Each one knows the edit that it makes of a document.

A command changes nothing itself: :class:`annotator.editing.EditSession` applies its edit and writes it to the
library's log. The commands for steps are in :mod:`annotator.step_commands`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from annotator.document import Document
from annotator.step_words import name_element, type_word
from annotator.words import tr
from demopack.domain.binding import bind
from demopack.domain.edits import Change, Edit, drawing_key
from demopack.domain.elements import Element, ElementType, Evidence
from demopack.domain.geometry import Rect, Size
from demopack.domain.provenance import by_human
from demopack.domain.records import new_id
from demopack.domain.steps import Step


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
        changes.append(Change.between(old, new))
        # Where no step may have another target, nobody looks through all elements of a frame.
        if new is None or (
            (old.review, old.box, old.states.get("focused")) != (new.review, new.box, new.states.get("focused"))
        ):
            gone = frames.setdefault(old.frame, set())
            if new is None or new.review == "rejected":
                gone.add(uid)
    extra = list(added)
    for element in extra:
        changes.append(Change.between(None, element))
        frames.setdefault(element.frame, set())
    for frame_id, gone in frames.items() if rebinds else ():
        before = document.elements(frame_id)
        after = [e for old in before if (e := replaced.get(old.uid, old)) is not None]
        after += [element for element in extra if element.frame == frame_id]
        if extra:
            # The library's order, in which ties are resolved.
            after.sort(key=lambda e: e.uid)
        for old_step, new_step in rebound(document.steps_on(frame_id), before, after, gone=gone):
            changes.append(Change.between(old_step, new_step))
    return changes


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


def edit_each(
    document: Document,
    uids: Iterable[str],
    change: Callable[[Element], Element | None],
    label: Callable[[list[Element]], str],
    *,
    merge_key: str | None = None,
) -> Edit | None:
    """One edit of all of these elements that change; None where none does.

    Args:
        document: what is edited.
        uids: of the elements; those that are gone are passed over.
        change: what becomes of an element: the very same where it stays, None where it goes.
        label: words about those that change, as they were.
        merge_key: of the gesture.
    """
    replaced: dict[str, Element | None] = {}
    old: list[Element] = []
    for element in document.present(uids):
        new = change(element)
        if new is not element:
            old.append(element)
            replaced[element.uid] = new
    return make_edit(label(old), element_changes(document, replaced), merge_key=merge_key) if old else None


def corrected(element: Element, **fields: Any) -> Element:  # noqa: ANN401 - each field is validated
    """The element with fields that a person gave it, which approves it; the very same where it has them already."""
    if element.changed(**fields).cleaned() == element:
        return element
    return element.changed(**{**checked(element), **fields}).cleaned()


def deleted_element(element: Element) -> Element | None:
    """What is left of an element that is deleted: nothing of a person's, a rejected one of a finder's.

    Otherwise the next search would bring it back.
    """
    return None if element.source == "human" else element.changed(review="rejected")


def several_words(elements: Sequence[Element]) -> str:
    """One element by its name, several by their number."""
    return name_element(elements[0]) if len(elements) == 1 else tr("{elements} elements").format(elements=len(elements))


@dataclass(frozen=True, slots=True, kw_only=True)
class AddElement:
    """A box that was drawn."""

    element: Element

    @classmethod
    def drawn(cls, frame_id: str, kind: ElementType, box: Rect) -> AddElement:
        """The command for a new box of a person on a frame."""
        uid = new_id("el")
        return cls(element=Element(uid=uid, frame=frame_id, type=kind, box=box, source="human", review="approved"))

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        if document.element(self.element.uid) is not None:
            return None
        kind = type_word(self.element.type)
        changes = element_changes(document, {}, [self.element])
        # What is filled in by habit right after the drawing is part of it.
        label = tr("Draw a box ({kind})").format(kind=kind)
        return make_edit(label, changes, merge_key=drawing_key(self.element.uid))


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
        moving = document.present(self.uids)
        if not moving:
            return None
        dx, dy = within([e.box for e in moving], self.dx, self.dy, self.frame_size)
        if (dx, dy) == (0, 0):
            return None
        replaced = {e.uid: e.changed(box=e.box.moved(dx, dy), **checked(e)) for e in moving}
        label = tr("Move {several}").format(several=several_words(moving))
        return make_edit(label, element_changes(document, replaced), merge_key=self.merge_key)


def within(boxes: Sequence[Rect], dx: int, dy: int, size: Size) -> tuple[int, int]:
    """The part of a move that keeps every box on the frame."""
    left, top = min(box.x1 for box in boxes), min(box.y1 for box in boxes)
    right, bottom = max(box.x2 for box in boxes), max(box.y2 for box in boxes)
    return max(min(dx, size.width - right), -left), max(min(dy, size.height - bottom), -top)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteElements:
    """Boxes that are taken away. What a finder found stays as rejected, or the next search would bring it back."""

    uids: tuple[str, ...]

    def edit(self, document: Document) -> Edit | None:
        """See :class:`Command`."""
        return edit_each(
            document,
            self.uids,
            lambda old: old if old.review == "rejected" else deleted_element(old),
            lambda old: tr("Delete {several}").format(several=several_words(old)),
        )


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
        found = document.present(self.copies)
        if not found:
            return None
        dx, dy = within([e.box for e in found], 8, 8, self.frame_size)
        fresh = {"source": "human", "confidence": None, "track_id": None, "parent": None, "review": "approved"}
        made = [e.changed(uid=self.copies[e.uid], box=e.box.moved(dx, dy), **fresh) for e in found]
        label = tr("Duplicate {several}").format(several=several_words(found))
        return make_edit(label, element_changes(document, {}, made))


def targets_of(steps: Iterable[Step]) -> frozenset[str]:
    """Uids of everything that steps are bound to: targets, ends of drags, and what would have been as right."""
    return frozenset(
        uid for step in steps for uid in (step.target_uid, step.end_uid, *step.alternatives) if uid is not None
    )


def implied(step: Step, elements: Sequence[Element]) -> Step:
    """The step with the targets that its pointer, or the focus, points at on these elements."""
    return bind(step.model_copy(update={"target_uid": None, "end_uid": None}), elements)


def rebound(
    steps: Iterable[Step], before: Sequence[Element], after: Sequence[Element], *, gone: Collection[str] = ()
) -> list[tuple[Step, Step]]:
    """Pairs (old, new) of the steps whose targets change when the elements of their frame do.

    A step follows the pointer (or the focus) until a person says otherwise. Whether a person did is read off the state
    itself: a step whose target is not the one that the elements on its frame imply was bound by hand, and stays. Only
    a target that is taken away lets such a step fall back to the pointer.

    Args:
        steps: those whose before-frame it is.
        before: its elements until now.
        after: its elements from now on.
        gone: uids that are removed; a target among them is never kept.
    """
    pairs: list[tuple[Step, Step]] = []
    for step in steps:
        old = implied(step, before)
        by_hand = (old.target_uid, old.end_uid) != (step.target_uid, step.end_uid)
        lost = step.target_uid in gone or step.end_uid in gone
        if by_hand and not lost:
            continue
        new = implied(step, after)
        if by_hand:
            # Only the half that was lost falls back; the other half is still the person's choice.
            chosen = {name: getattr(step, name) for name in ("target_uid", "end_uid")}
            kept = {name: uid for name, uid in chosen.items() if uid is not None and uid not in gone}
            new = new.model_copy(update=kept)
        if new != step:
            pairs.append((step, new))
    return pairs
