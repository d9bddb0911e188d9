"""Edits as values: what an entity was and what it became. The log of edits is append-only; undo is an entry too."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from demopack.domain.provenance import Provenance
from demopack.domain.records import Record

__all__ = ["Change", "Edit", "EntityKind", "LogEntry"]

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
