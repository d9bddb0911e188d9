"""Decisions of a person about suggestions, read out of the log: what models can learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from annotator.box_commands import Appearance
from demopack.domain.edits import Change, LogEntry
from demopack.domain.elements import Element, ElementSource, Evidence
from demopack.domain.records import Moment, Record

Verdict = Literal["accepted", "fixed", "rejected"]

_FIELDS: Final = ("type", "box", "text", "subtype", "states", "parent")
"""What a person corrects; the rest is bookkeeping."""


class Decision(Record):
    """One suggestion and what a person made of it.

    Attributes:
        schema_version: of this record.
        demo: id.
        frame: id of the picture, by its pixels.
        uid: of the element, in its library.
        track_id: of the element.
        source: who suggested it.
        confidence: how sure, 0..1; None where the source tells none.
        evidence: what each source said, where several were joined.
        suggested: what was suggested.
        verdict: accepted as it was, fixed, or rejected.
        changed: of what was fixed, the fields.
        became: what stands there now; None where nothing does.
        by: who decided last.
        at: when, UTC.
        words: the edit's sentence.
        together: how many suggestions were decided by that edit: one by one weighs more than a thousand at once.
    """

    schema_version: Literal[1] = 1
    demo: str
    frame: str
    uid: str
    track_id: str | None = None
    source: ElementSource
    confidence: float | None = None
    evidence: tuple[Evidence, ...] = ()
    suggested: Appearance
    verdict: Verdict
    changed: tuple[str, ...] = ()
    became: Appearance | None = None
    by: str
    at: Moment
    words: str
    together: int = 1


class _Case:
    """A suggestion that a person touched, while the log is read."""

    def __init__(self, suggested: Element) -> None:
        self.suggested = suggested
        self.now: Element | None = suggested
        self.last: list[LogEntry] = []


def decisions(demo_id: str, history: Iterable[LogEntry]) -> list[Decision]:
    """The decisions that stand at the end of a demo's log, in the order in which they were last made.

    Edits that were taken back leave no decision. What a program did to a suggestion before anybody looked at it, a
    later search for instance, only changes what was suggested.

    Args:
        demo_id: which demo.
        history: its log, oldest first (``Library.history``).
    """
    cases: dict[str, _Case] = {}
    for entry in history:
        for change in entry.changes:
            if change.kind == "element":
                _follow(cases, change, entry)
    made = [case for case in cases.values() if case.last]
    weight = Counter(case.last[-1].edit.id for case in made)
    made.sort(key=lambda case: (case.last[-1].seq, case.suggested.uid))
    return [_decision(demo_id, case, together=weight[case.last[-1].edit.id]) for case in made]


def _follow(cases: dict[str, _Case], change: Change, entry: LogEntry) -> None:
    """Take one change of an element into account."""
    before, after = (None if data is None else Element.model_validate(data) for data in (change.before, change.after))
    case = cases.get(change.key)
    if case is None:
        if before is None or not _is_open(before):
            return
        case = cases[change.key] = _Case(before)
    case.now = after
    if after is not None and _is_open(after):
        # Not decided, or not any more: the next decision is about what is suggested from here on.
        case.suggested = after
        case.last.clear()
    elif entry.op == "undo":
        case.last = [one for one in case.last if one.edit.id != entry.edit.id]
    elif entry.edit.provenance.kind == "human":
        case.last.append(entry)
    elif after is None:
        # A search found something else there.
        del cases[change.key]


def _is_open(element: Element) -> bool:
    return element.source != "human" and element.review in {"unreviewed", "doubtful"}


def _decision(demo_id: str, case: _Case, *, together: int) -> Decision:
    was, now, entry = case.suggested, case.now, case.last[-1]
    gone = now is None or now.review == "rejected"
    changed = () if now is None or gone else tuple(f for f in _FIELDS if getattr(was, f) != getattr(now, f))
    return Decision(
        demo=demo_id,
        frame=was.frame,
        uid=was.uid,
        track_id=was.track_id,
        source=was.source,
        confidence=was.confidence,
        evidence=was.evidence,
        suggested=Appearance.of(was),
        verdict="rejected" if gone else "fixed" if changed else "accepted",
        changed=changed,
        became=None if now is None or gone else Appearance.of(now),
        by=entry.edit.provenance.name,
        at=entry.edit.provenance.at,
        words=entry.edit.label,
        together=together,
    )
