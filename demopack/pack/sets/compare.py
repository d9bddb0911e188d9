"""What differs between two packs: demos that came, went or changed, and the steps and fields that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from typing import Any

from demopack.domain.words import shorten
from demopack.pack.rows import DemoRow, StepRow
from demopack.pack.stream import DemoRows, DemoSource

__all__ = ["DemoChange", "PackDiff", "StepChange", "compare", "diff_text"]

_DEMO_FIELDS = ("task", "app", "status", "outcome", "outcome_reason", "licence")
_STEP_FIELDS = ("response", "recorded_action", "target_box", "end_box", "rationale", "review", "note", "variable",
                "description", "pointer", "doubts")  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChange:
    """One step that came, went or changed.

    Attributes:
        step: its id.
        index: position in the demo, from 0; the new one where it has both.
        what: ``added``, ``removed`` or ``changed``.
        fields: names of the fields that changed.
    """

    step: str
    index: int
    what: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoChange:
    """One demo that came, went or changed.

    Attributes:
        demo: its id.
        task: as it is now, or was.
        what: ``added``, ``removed`` or ``changed``.
        fields: names of the fields of the demo that changed.
        steps: that changed.
        pictures: pictures that came and went.
        elements: elements that came, went or changed.
    """

    demo: str
    task: str
    what: str
    fields: tuple[str, ...] = ()
    steps: tuple[StepChange, ...] = ()
    pictures: int = 0
    elements: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PackDiff:
    """What differs.

    Attributes:
        demos: that came, went or changed, in the order of the newer pack, then those that went.
        same: how many are equal.
    """

    demos: Sequence[DemoChange]
    same: int

    def to_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What must be kept of a demo to compare another with it: sums of its rows."""

    head: DemoRow
    steps: tuple[StepRow, ...]
    elements: frozenset[str]


def compare(old: DemoSource, new: DemoSource) -> PackDiff:
    """Compare two packs. The steps of the older one are kept in memory, the newer is read demo by demo.

    Raises:
        PackError: a pack cannot be read.
    """
    known = {demo.head.demo: _keep(demo) for demo in old.demos()}
    changes: list[DemoChange] = []
    same = 0
    for demo in new.demos():
        before = known.pop(demo.head.demo, None)
        if before is None:
            changes.append(DemoChange(demo=demo.head.demo, task=demo.head.task, what="added"))
            continue
        change = _change(before, _keep(demo))
        if change is None:
            same += 1
        else:
            changes.append(change)
    gone = [DemoChange(demo=key, task=one.head.task, what="removed") for key, one in known.items()]
    return PackDiff(demos=[*changes, *gone], same=same)


def _keep(demo: DemoRows) -> _Known:
    elements = frozenset(row.model_dump_json() for rows in demo.elements.values() for row in rows)
    return _Known(head=demo.head, steps=tuple(demo.steps), elements=elements)


def _change(old: _Known, new: _Known) -> DemoChange | None:
    fields = tuple(name for name in _DEMO_FIELDS if getattr(old.head, name) != getattr(new.head, name))
    steps = tuple(_steps({row.step: row for row in old.steps}, {row.step: row for row in new.steps}))
    pictures = {frame.id for frame in old.head.frames} ^ {frame.id for frame in new.head.frames}
    elements = len(old.elements ^ new.elements)
    if not (fields or steps or pictures or elements):
        return None
    return DemoChange(
        demo=new.head.demo,
        task=new.head.task,
        what="changed",
        fields=fields,
        steps=steps,
        pictures=len(pictures),
        elements=elements,
    )


def _steps(old: Mapping[str, StepRow], new: Mapping[str, StepRow]) -> Iterator[StepChange]:
    kept_old, kept_new = [key for key in old if key in new], [key for key in new if key in old]
    moved = {b for a, b in zip_longest(kept_old, kept_new) if a != b}
    for key, row in new.items():
        before = old.get(key)
        if before is None:
            yield StepChange(step=key, index=row.index, what="added")
            continue
        fields = [name for name in _STEP_FIELDS if getattr(before, name) != getattr(row, name)]
        fields += ["picture"] if _picture(before) != _picture(row) else []
        fields += ["order"] if key in moved else []
        if fields:
            yield StepChange(step=key, index=row.index, what="changed", fields=tuple(fields))
    for key, row in old.items():
        if key not in new:
            yield StepChange(step=key, index=row.index, what="removed")


def _picture(row: StepRow) -> str | None:
    return None if row.before is None else row.before.id


def diff_text(diff: PackDiff) -> Iterator[str]:
    """Line by line, for people; the same lines make a change list."""
    for change in diff.demos:
        task = shorten(change.task, 60) or "no task"
        yield f"{change.what}: {change.demo} ({task})"
        if change.fields:
            yield f"  {', '.join(change.fields)}"
        for step in change.steps:
            fields = f": {', '.join(step.fields)}" if step.fields else ""
            yield f"  step {step.index + 1} {step.what}{fields}"
        if change.pictures:
            yield f"  {change.pictures} pictures came or went"
        if change.elements:
            yield f"  {change.elements} elements came, went or changed"
    equal = "demo is" if diff.same == 1 else "demos are"
    yield f"{diff.same} {equal} the same"
