"""Edits as values: what an entity was and what it became. The log of edits is append-only; undo is an entry too."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import core_schema

from demopack.domain.demos import DemoHead
from demopack.domain.elements import Element
from demopack.domain.provenance import Provenance
from demopack.domain.records import Record
from demopack.domain.steps import Step
from demopack.domain.tasks import Task

Entity: TypeAlias = Step | Element | DemoHead
Stored: TypeAlias = Entity | Task

EntityKind = Literal["head", "step", "element", "parsed", "task"]
"""``head``: the demo's head, key is the demo id. ``step`` and ``element``: keyed by id and uid. ``parsed``: keyed by
frame id; its presence says that elements were looked for on that frame. ``task``: of the task bank, keyed by id."""


_DRAWING: Final = "draw-"
MODELS: Final[dict[str, type[Stored]]] = {"head": DemoHead, "step": Step, "element": Element, "task": Task}
"""The model of each kind but ``parsed``, whose key says everything."""


class _AsItIs:
    """Takes a dictionary over instead of copying it key by key; from JSON it is read as ever."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Pydantic's hook."""
        return core_schema.json_or_python_schema(handler(source), core_schema.is_instance_schema(dict))


_Data: TypeAlias = Annotated[dict[str, Any], _AsItIs()]


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
    before: _Data | None
    after: _Data | None

    @classmethod
    def between(cls, old: Stored | None, new: Stored | None) -> Change:
        """The change from one value of an entity to another, at least one of which is there.

        Both are kept beside their JSON, so that nobody has to read it again; they equal what it says.
        """
        entity = new or old
        if entity is None:
            raise ValueError("a change needs one side")
        key = entity.uid if isinstance(entity, Element) else entity.id
        before, after = None if old is None else old.to_json(), None if new is None else new.to_json()
        both = {"was": old, "becomes": new}
        kind = next(kind for kind, model in MODELS.items() if isinstance(entity, model))
        return cls.trusted({"kind": kind, "key": key, "before": before, "after": after, **both})

    @classmethod
    def of_parsed(cls, frame: str, *, parsed: bool) -> Change:
        """The change that a frame is known from now on as looked through for elements, or not any more."""
        return cls(kind="parsed", key=frame, before=None if parsed else {}, after={} if parsed else None)

    @cached_property
    def was(self) -> Stored | None:
        """What ``before`` says, read once; None where there is nothing to read."""
        return self._read(self.before)

    @cached_property
    def becomes(self) -> Stored | None:
        """What ``after`` says, read once; None where there is nothing to read."""
        return self._read(self.after)

    def reversed(self) -> Change:
        """The change that takes this one back."""
        swapped = {"was": "becomes", "becomes": "was"}
        read = {swapped[side]: value for side, value in self.__dict__.items() if side in swapped}
        return Change.trusted({"kind": self.kind, "key": self.key, "before": self.after, "after": self.before, **read})

    def _read(self, data: dict[str, Any] | None) -> Stored | None:
        model = MODELS.get(self.kind)
        return None if model is None or data is None else model.model_validate(data)


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

    @property
    def drawn(self) -> str | None:
        """The uid of the element whose drawing this edit is part of; None for every other edit."""
        key = self.merge_key or ""
        return key.removeprefix(_DRAWING) if key.startswith(_DRAWING) else None


def drawing_key(uid: str) -> str:
    """The merge key of the edits that draw one element: the box itself, then its text, name and states."""
    return f"{_DRAWING}{uid}"


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
