"""Changes since a moment, thing by thing, with what it was and what it is, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from annotator.commands import targets_of
from annotator.document import Document
from annotator.step_words import describe_action, describe_step, name_element, type_word
from annotator.words import capital, tr
from demopack.domain.actions import Action, ActionBase
from demopack.domain.edits import Change
from demopack.domain.elements import Element
from demopack.domain.geometry import Rect
from demopack.domain.rationale import Rationale
from demopack.domain.records import Record
from demopack.domain.steps import Pointer, Step
from demopack.domain.words import shorten

Names: TypeAlias = Mapping[str, str]
"""What elements are called, by uid."""
_NOTHING: Final = tr("nothing")
_MAX_LENGTH: Final = 80
_REVIEWS: Final = {
    "unreviewed": tr("not reviewed"),
    "approved": tr("approved"),
    "rejected": tr("rejected"),
    "doubtful": tr("doubtful"),
}


def _value(value: object, _: Names) -> str:
    if value is None or value in ("", (), {}):
        return _NOTHING
    match value:
        case bool():
            return tr("yes") if value else tr("no")
        case Rect(width=width, height=height):
            return tr("{width} by {height} at {x}, {y}").format(width=width, height=height, x=value.x1, y=value.y1)
        case ActionBase():
            return describe_action(cast("Action", value))
        case Rationale():
            return _value(value.reasoning, {})
        case Pointer():
            return f"{value.x}, {value.y}"
        case _:
            return f"“{shorten(value, _MAX_LENGTH)}”" if isinstance(value, str) else shorten(str(value), _MAX_LENGTH)


def _kind(value: object, _: Names) -> str:
    """Values that are words of ours, not a person's."""
    return _NOTHING if value in (None, "") else _REVIEWS.get(str(value), str(value)).replace("_", " ")


def _element(uids: str | Sequence[str] | None, names: Names) -> str:
    if not uids:
        return tr("no element") if isinstance(uids, str | None) else _NOTHING
    return ", ".join(names.get(uid, tr("another element")) for uid in ([uids] if isinstance(uids, str) else uids))


class FieldWords(NamedTuple):
    """How a change of one field is told.

    Attributes:
        name: of the field, at the beginning of the line.
        words: of a value.
        same: the line where both values read the same.
    """

    name: str
    words: Callable[[Any, Names], str] = _value
    same: str = ""


FIELDS: Final[Mapping[str, Mapping[str, FieldWords | str]]] = {
    "element": {
        "type": FieldWords(tr("Type"), _kind),
        "subtype": FieldWords(tr("Subtype"), _kind),
        "box": FieldWords(tr("Box")),
        "text": FieldWords(tr("Text")),
        "review": FieldWords(tr("Review"), _kind),
        "source": FieldWords(tr("Found by"), _kind),
        "parent": FieldWords(tr("Lies in"), _element),
        "track_id": tr("Track: it counts as another element over the steps now"),
    },
    "step": {
        "action": FieldWords(tr("Action"), same=tr("Action: its details")),
        "target_uid": FieldWords(tr("Target"), _element),
        "end_uid": FieldWords(tr("Ends on"), _element),
        "alternatives": FieldWords(tr("As right as the target"), _element),
        "position": tr("Another place in the order"),
        "pointer": FieldWords(tr("Pointer")),
        "rationale": FieldWords(tr("Rationale"), same=tr("Rationale: its fields")),
        "review": FieldWords(tr("Review"), _kind),
        "note": FieldWords(tr("Note")),
        "variable": FieldWords(tr("Variable")),
        "before": tr("Another picture before it"),
        "after": tr("Another picture after it"),
        "started_ns": tr("Another time"),
        "window": tr("Another window"),
        "verdict": tr("What the judge says about it"),
    },
    "head": {
        "task": FieldWords(tr("Task")),
        "app": FieldWords(tr("Application")),
        "outcome": FieldWords(tr("Outcome"), _kind),
        "outcome_reason": FieldWords(tr("Why it failed")),
        "accepted": FieldWords(tr("Recording accepted")),
        "status": FieldWords(tr("Status"), _kind),
        "missing": FieldWords(tr("Missing")),
        "licence": FieldWords(tr("Licence")),
        "final_frame": tr("Another picture at the end"),
        "redaction": tr("What was decided about private values"),
        "verdict": tr("What the judge says about it"),
        "origin": tr("What the file it came from says"),
    },
}
"""By kind and field; a sentence where the values say nothing to a person. Other fields are told by their own names."""
_UNLISTED_FIELDS = {
    "schema_version", "uid", "id", "frame", "evidence", "events", "quality", "ended_ns", "counters",
}  # fmt: skip
"""What another line says, or what nobody asks for."""


Fate = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedRecord:
    """One thing that is not what it was.

    Attributes:
        change: what became of it.
        fate: the same in a word.
        title: its name as it is now, or was at last.
        place: which step it belongs to, from 1; 0 for the demo as a whole and for what no step shows.
        details: one line for each field: what it was, and what it is.
    """

    change: Change
    fate: Fate
    title: str
    place: int
    details: tuple[str, ...] = ()


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
    return sorted(found, key=lambda one: (one.place, order[one.change.kind], one.title))


def _changed(
    change: Change, names: Mapping[str, str], places: Mapping[str, int], elements: Mapping[str, Element]
) -> ChangedRecord:
    fate: Fate = "added" if change.before is None else "removed" if change.after is None else "changed"
    old, new = change.was, change.becomes
    place = places.get(change.key, 0)
    match new or old:
        case Element() as element:
            title, place = names.get(change.key, tr("An element")), places.get(element.frame, 0)
        case Step() as step:
            title = describe_step(step, elements.get(step.target_uid or ""), elements.get(step.end_uid or ""))
        case None if fate == "removed":
            title = tr("This picture counts as not searched")
        case None:
            title = tr("Elements were looked for on this picture")
        case _:
            title, place = tr("The demo as a whole"), 0
    details = _details(old, new, FIELDS.get(change.kind, {}), names)
    return ChangedRecord(change=change, fate=fate, title=title, place=place, details=details)


def _elements(changes: Iterable[Change], document: Document) -> dict[str, Element]:
    """The elements that changed or that changed steps speak of: as they are now, or were when they went."""
    found: dict[str, Element] = {}
    steps: list[Step] = []
    for entity in (entity for change in changes for entity in (change.was, change.becomes)):
        if isinstance(entity, Element):
            found[entity.uid] = entity
        elif isinstance(entity, Step):
            steps.append(entity)
    for element in document.present(targets_of(steps)):
        found.setdefault(element.uid, element)
    return found


def _places(changes: Iterable[Change], document: Document) -> dict[str, int]:
    """Numbers of the steps that there are, by step and by picture; a step that is gone stands where it was."""
    places: dict[str, int] = {}
    for number, step in enumerate(document.steps, start=1):
        places[step.id] = number
        for frame in step.frames:
            places.setdefault(frame.id, number)
    for gone in (change.was for change in changes if change.after is None):
        if isinstance(gone, Step):
            places[gone.id] = sum(step.position < gone.position for step in document.steps) + 1
    return places


def _details(
    old: Record | None, new: Record | None, words: Mapping[str, FieldWords | str], names: Names
) -> tuple[str, ...]:
    if old is None or new is None:
        return ()
    lines: list[str] = []
    for field in type(new).model_fields:
        before, after = getattr(old, field), getattr(new, field)
        if before == after or field in _UNLISTED_FIELDS:
            continue
        told = words.get(field, FieldWords(capital(field.replace("_", " "))))
        if field == "states":
            lines += _states(before, after)
        elif isinstance(told, str):
            lines.append(told)
        else:
            was, now = told.words(before, names), told.words(after, names)
            lines.append(told.same if told.same and was == now else f"{told.name}: {was} → {now}")
    return tuple(lines)


def _states(old: Mapping[str, bool], new: Mapping[str, bool]) -> list[str]:
    words = {True: tr("yes"), False: tr("no"), None: tr("not visible")}
    states = [state for state in {**old, **new} if old.get(state) != new.get(state)]
    return [f"{capital(type_word(state))}: {words[old.get(state)]} → {words[new.get(state)]}" for state in states]
