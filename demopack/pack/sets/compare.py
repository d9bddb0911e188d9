"""Differences between two packs, demo by demo, and ``CHANGES.md``, which says what each version brought."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import zip_longest
from typing import Any, Final

from demopack.domain.words import counted, shorten
from demopack.errors import BadInputError, PackError
from demopack.pack.reader import DemoLines, Pack
from demopack.pack.rows import StepRow
from demopack.pack.source import PackSource

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


def compare(old: Pack, new: Pack) -> PackDiff:
    """Compare two packs. The steps of the older one are kept in memory, the newer is read demo by demo.

    Raises:
        PackError: a pack cannot be read.
    """
    known = {demo.head.demo: (demo.head, _by_id(demo), _elements(demo)) for demo in old.lines()}
    changes: list[DemoChange] = []
    same = 0
    for demo in new.lines():
        head = demo.head
        if head.demo not in known:
            changes.append(DemoChange(demo=head.demo, task=head.task, what="added"))
            continue
        before, steps, elements = known.pop(head.demo)
        change = DemoChange(
            demo=head.demo,
            task=head.task,
            what="changed",
            fields=tuple(name for name in _DEMO_FIELDS if getattr(before, name) != getattr(head, name)),
            steps=tuple(_steps(steps, _by_id(demo))),
            pictures=len({frame.id for frame in before.frames} ^ {frame.id for frame in head.frames}),
            elements=len(elements ^ _elements(demo)),
        )
        if change.fields or change.steps or change.pictures or change.elements:
            changes.append(change)
        else:
            same += 1
    gone = [DemoChange(demo=key, task=head.task, what="removed") for key, (head, _, _) in known.items()]
    return PackDiff(demos=[*changes, *gone], same=same)


def _by_id(demo: DemoLines) -> dict[str, StepRow]:
    return {row.step: row for row in sorted(demo.steps, key=lambda row: row.index)}


def _elements(demo: DemoLines) -> frozenset[str]:
    return frozenset(row.model_dump_json() for row in demo.elements if row.number)


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
            yield f"  {counted(change.pictures, 'picture')} came or went"
        if change.elements:
            yield f"  {counted(change.elements, 'element')} came, went or changed"
    equal = "demo is" if diff.same == 1 else "demos are"
    yield f"{diff.same} {equal} the same"


CHANGES: Final = "CHANGES.md"
_HEAD = "# Changes\n"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_ENTRY = re.compile(r"^## (\d+\.\d+\.\d+) ", re.MULTILINE)
_MAX_CHANGES_BYTES = 4 << 20


def version_of(source: PackSource) -> str:
    """The newest version that a pack's change list names; empty where it has none.

    Raises:
        PackError: the list cannot be read.
    """
    found = _ENTRY.search(_list_of(source))
    return "" if found is None else found.group(1)


def _list_of(source: PackSource) -> str:
    if source.size(CHANGES) is None:
        return ""
    try:
        return source.read(CHANGES, limit=_MAX_CHANGES_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise PackError(f"{CHANGES} in {source.path} is not UTF-8.", hint="Write it again, or remove it.") from error


def change_list(old: PackSource, diff: PackDiff, *, version: str, day: date, note: str = "") -> str:
    """The list of the older pack with an entry for the new version on top.

    Args:
        old: the pack that the new one follows.
        diff: what differs.
        version: of the new pack, for instance ``1.2.0``.
        day: of its making.
        note: what a person wants to say about it.

    Raises:
        BadInputError: the version is none, or does not come after the older one.
        PackError: the older list cannot be read.
    """
    numbers = _numbers(version)
    last = version_of(old)
    if last and numbers <= _numbers(last):
        raise BadInputError(f"Version {version} does not come after {last}.", hint="Count one of the numbers up.")
    lines = [f"- {line}" if not line.startswith(" ") else f"  - {line.strip()}" for line in diff_text(diff)]
    entry = "\n".join([f"## {version} ({day:%Y-%m-%d})", "", *([note.strip(), ""] if note.strip() else []), *lines])
    rest = _list_of(old).removeprefix(_HEAD).strip()
    return "\n".join([_HEAD, entry, "", rest]).rstrip() + "\n"


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(version)
    if found is None:
        raise BadInputError(f"“{version}” is no version.", hint="Write three numbers, for instance 1.2.0.")
    return tuple(int(number) for number in found.groups())
