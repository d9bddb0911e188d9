"""How the fields of elements, steps and demos are said when they change: ``Text: “OK” → “Save”``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from annotator.step_words import describe_action
from annotator.type_words import type_word
from annotator.words import capital, tr
from demopack.domain.actions import AgentAction
from demopack.domain.geometry import Rect
from demopack.domain.rationale import Rationale
from demopack.domain.words import shorten

__all__ = ["ELEMENT_FIELDS", "HEAD_FIELDS", "STEP_FIELDS", "FieldWords", "other_field"]

Names: TypeAlias = Mapping[str, str]
FieldWords: TypeAlias = Callable[[Any, Any, Names], list[str]]
"""From the old and the new value, and the names of elements by uid, to lines in words."""

_NOTHING: Final = tr("nothing")
_LIMIT: Final = 80
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
    return f"“{shorten(value, _LIMIT)}”" if isinstance(value, str) else shorten(str(value), _LIMIT)


def _said(name: str) -> FieldWords:
    return lambda old, new, _: [f"{name}: {_value(old)} → {_value(new)}"]


def _kind(name: str) -> FieldWords:
    """Values that are words of ours, not a person's."""
    return lambda old, new, _: [f"{name}: {_plain(old)} → {_plain(new)}"]


def _plain(value: object) -> str:
    return _NOTHING if value in (None, "") else _REVIEWS.get(str(value), str(value)).replace("_", " ")


def _only(sentence: str) -> FieldWords:
    """Values that say nothing to a person."""

    def say(old: object, new: object, names: Names) -> list[str]:
        del old, new, names
        return [sentence]

    return say


def _unsaid(old: object, new: object, names: Names) -> list[str]:
    """What another line says, or what nobody asks for."""
    del old, new, names
    return []


def _box(old: Rect, new: Rect, names: Names) -> list[str]:
    del names
    return [tr("Box: {old} → {new}").format(old=_box_words(old), new=_box_words(new))]


def _box_words(box: Rect) -> str:
    return tr("{width} by {height} at {x}, {y}").format(width=box.width, height=box.height, x=box.x1, y=box.y1)


def _states(old: Mapping[str, bool], new: Mapping[str, bool], names: Names) -> list[str]:
    del names
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


def _action(old: AgentAction, new: AgentAction, names: Names) -> list[str]:
    del names
    before, after = describe_action(old), describe_action(new)
    if before == after:
        return [tr("Action: its details")]
    return [tr("Action: {old} → {new}").format(old=before, new=after)]


def _rationale(old: Rationale | None, new: Rationale | None, names: Names) -> list[str]:
    del names
    before, after = ("" if one is None else one.reasoning for one in (old, new))
    if before == after:
        return [tr("Rationale: its fields")]
    return [tr("Rationale: {old} → {new}").format(old=_value(before), new=_value(after))]


def _pointer(old: Any, new: Any, names: Names) -> list[str]:  # noqa: ANN401 - a pointer or None
    del names
    before, after = (_NOTHING if one is None else f"{one.x}, {one.y}" for one in (old, new))
    return [tr("Pointer: {old} → {new}").format(old=before, new=after)]


ELEMENT_FIELDS: Final[Mapping[str, FieldWords]] = {
    "type": _kind(tr("Type")),
    "subtype": _kind(tr("Subtype")),
    "box": _box,
    "text": _said(tr("Text")),
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
    "note": _said(tr("Note")),
    "variable": _said(tr("Variable")),
    "before": _only(tr("Another picture before it")),
    "after": _only(tr("Another picture after it")),
    "started_ns": _only(tr("Another time")),
    "ended_ns": _unsaid,
    "window": _only(tr("Another window")),
    "verdict": _only(tr("What the judge says about it")),
}
HEAD_FIELDS: Final[Mapping[str, FieldWords]] = {
    "task": _said(tr("Task")),
    "app": _said(tr("Application")),
    "outcome": _kind(tr("Outcome")),
    "outcome_reason": _said(tr("Why it failed")),
    "accepted": _said(tr("Recording accepted")),
    "status": _kind(tr("Status")),
    "missing": _said(tr("Missing")),
    "licence": _said(tr("Licence")),
    "final_frame": _only(tr("Another picture at the end")),
    "counters": _unsaid,
    "redaction": _only(tr("What was decided about private values")),
    "verdict": _only(tr("What the judge says about it")),
}
