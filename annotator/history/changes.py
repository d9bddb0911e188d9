"""Changes since a moment, thing by thing, with what it was and what it is, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias, TypeVar

from annotator.document import Document
from annotator.step_words import describe_action, name_element, type_word
from annotator.words import capital, tr
from demopack.domain.actions import Action
from demopack.domain.demos import DemoHead
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.rationale import Rationale
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.domain.words import shorten

Names: TypeAlias = Mapping[str, str]
FieldWords: TypeAlias = Callable[[Any, Any, Names], list[str]]
"""From the old and the new value, and the names of elements by uid, to lines in words."""

_NOTHING: Final = tr("nothing")
_MAX_LENGTH: Final = 80
_REVIEWS: Final = {
    "unreviewed": tr("not reviewed"),
    "approved": tr("approved"),
    "rejected": tr("rejected"),
    "doubtful": tr("doubtful"),
}


def other_field(field: str) -> FieldWords:
    """Words for a field that has none of its own: its name and its values."""
    name = capital(field.replace("_", " "))
    return lambda old, new, _: [f"{name}: {_value(old)} → {_value(new)}"]


def _value(value: object) -> str:
    if value is None or value in ("", (), {}):
        return _NOTHING
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"“{shorten(value, _MAX_LENGTH)}”" if isinstance(value, str) else shorten(str(value), _MAX_LENGTH)


def _value_words(name: str) -> FieldWords:
    return lambda old, new, _: [f"{name}: {_value(old)} → {_value(new)}"]


def _kind(name: str) -> FieldWords:
    """Values that are words of ours, not a person's."""
    return lambda old, new, _: [f"{name}: {_plain(old)} → {_plain(new)}"]


def _plain(value: object) -> str:
    return _NOTHING if value in (None, "") else _REVIEWS.get(str(value), str(value)).replace("_", " ")


def _only(sentence: str) -> FieldWords:
    """Values that say nothing to a person."""
    return lambda _old, _new, _names: [sentence]


def _unsaid(*_: object) -> list[str]:
    """What another line says, or what nobody asks for."""
    return []


def _box(old: Rect, new: Rect, _: Names) -> list[str]:
    return [tr("Box: {old} → {new}").format(old=_box_words(old), new=_box_words(new))]


def _box_words(box: Rect) -> str:
    return tr("{width} by {height} at {x}, {y}").format(width=box.width, height=box.height, x=box.x1, y=box.y1)


def _states(old: Mapping[str, bool], new: Mapping[str, bool], _: Names) -> list[str]:
    words = {True: tr("yes"), False: tr("no"), None: tr("not visible")}
    states = [state for state in {**old, **new} if old.get(state) != new.get(state)]
    return [f"{capital(type_word(state))}: {words[old.get(state)]} → {words[new.get(state)]}" for state in states]


def _named(name: str) -> FieldWords:
    """A uid, said by the element's name."""

    def say(old: str | None, new: str | None, names: Names) -> list[str]:
        return [f"{name}: {_element(old, names)} → {_element(new, names)}"]

    return say


def _several(old: Sequence[str], new: Sequence[str], names: Names) -> list[str]:
    before, after = (", ".join(_element(uid, names) for uid in uids) or _NOTHING for uids in (old, new))
    return [tr("As right as the target: {old} → {new}").format(old=before, new=after)]


def _element(uid: str | None, names: Names) -> str:
    return tr("no element") if not uid else names.get(uid, tr("another element"))


def _action(old: Action, new: Action, _: Names) -> list[str]:
    before, after = describe_action(old), describe_action(new)
    if before == after:
        return [tr("Action: its details")]
    return [tr("Action: {old} → {new}").format(old=before, new=after)]


def _rationale(old: Rationale | None, new: Rationale | None, _: Names) -> list[str]:
    before, after = ("" if one is None else one.reasoning for one in (old, new))
    if before == after:
        return [tr("Rationale: its fields")]
    return [tr("Rationale: {old} → {new}").format(old=_value(before), new=_value(after))]


def _pointer(old: Any, new: Any, _: Names) -> list[str]:  # noqa: ANN401 - a pointer or None
    before, after = (_NOTHING if one is None else f"{one.x}, {one.y}" for one in (old, new))
    return [tr("Pointer: {old} → {new}").format(old=before, new=after)]


ELEMENT_FIELDS: Final[Mapping[str, FieldWords]] = {
    "type": _kind(tr("Type")),
    "subtype": _kind(tr("Subtype")),
    "box": _box,
    "text": _value_words(tr("Text")),
    "states": _states,
    "review": _kind(tr("Review")),
    "source": _kind(tr("Found by")),
    "parent": _named(tr("Lies in")),
    "track_id": _only(tr("Track: it counts as another element over the steps now")),
}
STEP_FIELDS: Final[Mapping[str, FieldWords]] = {
    "action": _action,
    "target_uid": _named(tr("Target")),
    "end_uid": _named(tr("Ends on")),
    "alternatives": _several,
    "position": _only(tr("Another place in the order")),
    "pointer": _pointer,
    "rationale": _rationale,
    "review": _kind(tr("Review")),
    "note": _value_words(tr("Note")),
    "variable": _value_words(tr("Variable")),
    "before": _only(tr("Another picture before it")),
    "after": _only(tr("Another picture after it")),
    "started_ns": _only(tr("Another time")),
    "ended_ns": _unsaid,
    "window": _only(tr("Another window")),
    "verdict": _only(tr("What the judge says about it")),
}
HEAD_FIELDS: Final[Mapping[str, FieldWords]] = {
    "task": _value_words(tr("Task")),
    "app": _value_words(tr("Application")),
    "outcome": _kind(tr("Outcome")),
    "outcome_reason": _value_words(tr("Why it failed")),
    "accepted": _value_words(tr("Recording accepted")),
    "status": _kind(tr("Status")),
    "missing": _value_words(tr("Missing")),
    "licence": _value_words(tr("Licence")),
    "final_frame": _only(tr("Another picture at the end")),
    "counters": _unsaid,
    "redaction": _only(tr("What was decided about private values")),
    "verdict": _only(tr("What the judge says about it")),
}


R = TypeVar("R", bound=Record)
Fate = Literal["added", "removed", "changed"]
_UNLISTED_FIELDS = {"schema_version", "uid", "id", "frame", "evidence", "events", "quality"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedRecord:
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


def things_changed(changes: Iterable[Change], document: Document) -> list[ChangedRecord]:
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
) -> ChangedRecord:
    fate: Fate = "added" if change.before is None else "removed" if change.after is None else "changed"
    make = partial(ChangedRecord, kind=change.kind, key=change.key, fate=fate)
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
        if before != after and field not in _UNLISTED_FIELDS:
            say: Callable[[Any, Any, Mapping[str, str]], list[str]] = words.get(field) or other_field(field)
            lines += say(before, after, names)
    return tuple(lines)
