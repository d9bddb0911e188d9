"""Edits as values: what an entity was and what it became. The log of edits is append-only; undo is an entry too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from demopack.domain.provenance import Provenance
from demopack.domain.records import Record

__all__ = ["Change", "Edit", "EntityKind", "LogEntry", "net_changes"]

EntityKind = Literal["head", "step", "element", "parsed"]
"""``head``: the demo's head, key is the demo id. ``step`` and ``element``: keyed by id and uid. ``parsed``: keyed by
frame id; its presence says that elements were looked for on that frame."""


class Change(Record):
    """One entity before and after.

    Attributes:
        kind: which sort of entity.
        key: which one.
        before: its JSON; None when it did not exist.
        after: its JSON; None when it is removed.
    """

    kind: EntityKind
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None

    def reversed(self) -> Change:
        """The change that takes this one back."""
        return Change(kind=self.kind, key=self.key, before=self.after, after=self.before)


class Edit(Record):
    """What one command did.

    Attributes:
        id: its identity.
        label: a sentence for the history, for instance ``Move "Submit"``.
        changes: in order; taken back in reverse.
        provenance: who, when, why.
        merge_key: edits of one gesture share it and are undone together; None for an edit that stands alone.
    """

    id: str
    label: str
    changes: tuple[Change, ...] = Field(min_length=1)
    provenance: Provenance
    merge_key: str | None = None


class LogEntry(Record):
    """One line of the append-only log.

    Attributes:
        seq: position in the demo's log, from 1.
        op: ``do`` applies an edit, ``undo`` takes it back, ``redo`` applies it again.
        edit: the edit in question.
    """

    seq: int
    op: Literal["do", "undo", "redo"]
    edit: Edit

    @property
    def changes(self) -> tuple[Change, ...]:
        """What this entry did to the demo, in order."""
        if self.op != "undo":
            return self.edit.changes
        return tuple(change.reversed() for change in reversed(self.edit.changes))


def net_changes(changes: Iterable[Change]) -> list[Change]:
    """What a run of changes comes to: one change for each entity, and none for an entity that ends as it began.

    The run must be one that happened: each change begins with what the one before it left. As each entity then occurs
    once, the result may be applied in any order.
    """
    first: dict[tuple[str, str], Change] = {}
    last: dict[tuple[str, str], Change] = {}
    for change in changes:
        place = (change.kind, change.key)
        first.setdefault(place, change)
        last[place] = change
    ends = ((first[place], last[place]) for place in first)
    return [
        old if old is new else Change(kind=old.kind, key=old.key, before=old.before, after=new.after)
        for old, new in ends
        if old.before != new.after
    ]
