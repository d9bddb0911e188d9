"""What changed since a moment, thing by thing, with what it was and what it is, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

from annotator.document import Document
from annotator.history.field_words import ELEMENT_FIELDS, HEAD_FIELDS, STEP_FIELDS, FieldWords, other_field
from annotator.step_words import describe_action, name_element
from annotator.words import tr
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.records import Record
from demopack.domain.steps import Step

__all__ = ["Changed", "Fate", "things_changed"]

R = TypeVar("R", bound=Record)
Fate = Literal["added", "removed", "changed"]
_SILENT = {"schema_version", "uid", "id", "frame", "evidence", "events", "quality"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One thing that is not what it was.

    Attributes:
        kind: which sort of entity.
        key: its id; the frame's for ``parsed``.
        fate: what became of it.
        title: its name as it is now, or was at last.
        place: which step it belongs to, from 1; 0 for the demo as a whole and for what no step shows.
        frame: the picture it lies on; empty for what is no element.
        details: one line for each field: what it was, and what it is.
    """

    kind: Literal["head", "step", "element", "parsed"]
    key: str
    fate: Fate
    title: str
    place: int
    frame: str = ""
    details: tuple[str, ...]


def things_changed(changes: Iterable[Change], document: Document) -> list[Changed]:
    """Net changes in words, in the order of the demo: the demo itself, then step by step.

    Args:
        changes: one for each entity, as :meth:`demopack.store.EditLog.changes_since` gives them.
        document: the demo as it is now.
    """
    kept = list(changes)
    elements = _elements(kept, document)
    names = {uid: name_element(element) for uid, element in elements.items()}
    places = _places(kept, document)
    found = [_changed(change, names, places, elements) for change in kept]
    order = {"head": 0, "parsed": 1, "step": 2, "element": 3}
    return sorted(found, key=lambda one: (one.place, order[one.kind], one.title))


def _changed(
    change: Change, names: Mapping[str, str], places: Mapping[str, int], elements: Mapping[str, Element]
) -> Changed:
    fate: Fate = "added" if change.before is None else "removed" if change.after is None else "changed"
    make = partial(Changed, kind=change.kind, key=change.key, fate=fate)
    if change.kind == "head":
        old, new = _pair(DemoHead, change)
        return make(title=tr("The demo as a whole"), place=0, details=_details(old, new, HEAD_FIELDS, names))
    if change.kind == "element":
        element, now = _pair(Element, change)
        shown = now or element
        place = places.get(shown.frame, 0) if shown is not None else 0
        title = names.get(change.key, tr("An element"))
        frame = "" if shown is None else shown.frame
        details = _details(element, now, ELEMENT_FIELDS, names)
        return make(title=title, place=place, frame=frame, details=details)
    if change.kind == "step":
        step, now_step = _pair(Step, change)
        shown_step = now_step or step
        title = tr("A step") if shown_step is None else _did(shown_step, elements)
        return make(title=title, place=places.get(change.key, 0), details=_details(step, now_step, STEP_FIELDS, names))
    searched, forgotten = tr("Elements were looked for on this picture"), tr("This picture counts as not searched")
    title = forgotten if fate == "removed" else searched
    return make(title=title, place=places.get(change.key, 0), details=())


def _pair(model: type[R], change: Change) -> tuple[R | None, R | None]:
    old = None if change.before is None else model.model_validate(change.before)
    new = None if change.after is None else model.model_validate(change.after)
    return old, new


def _elements(changes: Iterable[Change], document: Document) -> dict[str, Element]:
    """The elements that changed or that changed steps speak of: as they are now, or were when they went."""
    found: dict[str, Element] = {}
    spoken: set[str] = set()
    for change in changes:
        if change.kind == "element":
            found[change.key] = Element.model_validate(change.after or change.before)
        for values in (change.before, change.after) if change.kind == "step" else ():
            named = values or {}
            spoken.update(uid for uid in (named.get("target_uid"), named.get("end_uid")) if uid)
            spoken.update(named.get("alternatives", ()))
    for uid in spoken:
        element = document.element(uid)
        if element is not None:
            found.setdefault(uid, element)
    return found


def _places(changes: Iterable[Change], document: Document) -> dict[str, int]:
    """Numbers of the steps that there are, by step and by picture; a step that is gone stands where it was."""
    places: dict[str, int] = {}
    positions = [(step.position, number) for number, step in enumerate(document.steps, start=1)]
    for number, step in enumerate(document.steps, start=1):
        places[step.id] = number
        for frame in (step.before, step.after):
            if frame is not None:
                places.setdefault(frame.id, number)
    for change in changes:
        if change.kind == "step" and change.after is None and change.before is not None:
            place = int(change.before.get("position", 0))
            places[change.key] = sum(position < place for position, _ in positions) + 1
    return places


def _did(step: Step, elements: Mapping[str, Element]) -> str:
    return describe_action(step.action, elements.get(step.target_uid or ""), elements.get(step.end_uid or ""))


def _details(
    old: Record | None, new: Record | None, words: Mapping[str, FieldWords], names: Mapping[str, str]
) -> tuple[str, ...]:
    if old is None or new is None:
        return ()
    lines: list[str] = []
    for field in type(new).model_fields:
        before, after = getattr(old, field), getattr(new, field)
        if before != after and field not in _SILENT:
            say: Callable[[Any, Any, Mapping[str, str]], list[str]] = words.get(field) or other_field(field)
            lines += say(before, after, names)
    return tuple(lines)
