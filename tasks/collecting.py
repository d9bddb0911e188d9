"""Collects tasks: from files of many kinds, and from recorded demos."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from demopack.codecs.files.json_object import BadRowError
from demopack.codecs.tasks.files import TaskFileOptions, TaskReading, read_tasks
from demopack.domain.demos import Demo
from demopack.domain.provenance import Provenance
from demopack.domain.tasks import Task, TaskSource
from demopack.domain.words import as_order, describe_step_in
from demopack.jobs import JobControl
from demopack.pack.import_demos import open_files
from demopack.store.library import Library
from tasks.bank import TaskBank

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionReport:
    """What became of what was to be collected.

    Attributes:
        added: ids of the new tasks.
        known: how many were in the bank already.
        ids: of all of them, as they are called in the bank.
        reading: what was read of files, and what was not.
    """

    added: tuple[str, ...]
    known: int
    ids: tuple[str, ...]
    reading: TaskReading

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        reading = self.reading
        return {
            "added": list(self.added),
            "known": self.known,
            "files": reading.files,
            "without_steps": reading.without_steps,
            "ignored": reading.ignored,
            "skipped": [{"place": one.place, "reason": one.why} for one in reading.skipped],
        }


def collect_files(
    paths: Sequence[Path],
    bank: TaskBank,
    options: TaskFileOptions,
    *,
    provenance: Provenance,
    control: JobControl | None = None,
) -> CollectionReport:
    """Add the tasks of files; all of one path are read before any of it is added.

    Args:
        paths: folders, zips or files.
        bank: where to.
        options: what the person says beyond the files.
        provenance: of whoever collects.
        control: progress and cancelling.

    Raises:
        BadRowError: something cannot be read, unless that is to be skipped; nothing of its path was added.
        BadInputError: there is no such path.
        CancelledError: it was stopped.
    """
    reading = TaskReading()
    added: list[str] = []
    ids: list[str] = []
    known = 0
    for path in paths:
        with open_files(path) as files:
            found = list(read_tasks(files, options, provenance=provenance, report=reading))
        done = bank.add(found, label=f"Import {path.name}", provenance=provenance, control=control)
        added += done.added
        ids += done.ids
        known += done.known
    return CollectionReport(added=tuple(added), known=known, ids=tuple(ids), reading=reading)


def collect_demos(demos: Iterable[Demo], bank: TaskBank, *, provenance: Provenance) -> CollectionReport:
    """Add the tasks of recorded demos, with what was done in them as the plan."""
    tasks = (task_of_demo(demo, provenance=provenance) for demo in demos)
    done = bank.add(tasks, label="Import recorded demos", provenance=provenance)
    return CollectionReport(added=done.added, known=done.known, ids=done.ids, reading=TaskReading())


def task_of_demo(demo: Demo, *, provenance: Provenance) -> Task:
    """The task of a demo and what was done, as orders; texts that are secrets stand in it as in the demo."""
    head = demo.head
    steps = [step for step in demo.steps if step.action.action_type != "finish_goal" and step.review != "rejected"]
    return Task(
        id=f"task_{head.id.removeprefix('demo_')}",
        task=head.task,
        plan=tuple(describe_step_in(demo, step, tr=as_order) for step in steps),
        app=head.app,
        platform=head.platform,
        source=TaskSource(kind="demo", name=head.id, id=head.id),
        provenance=provenance,
    )


def read_demos(library: Library, names: Sequence[str]) -> Iterator[Demo]:
    """The demos that are named, or all."""
    for name in [library.find(name) for name in names] or [one.head.id for one in library.demos()]:
        yield library.demo(name)


def reading_lines(reading: TaskReading) -> Iterator[str]:
    """What was not read, for a person."""
    for what, names in (
        ("no list of steps was found (`demopack tasks extract` asks a model)", reading.without_steps),
        ("of no known kind", reading.ignored),
    ):
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            yield f"{len(names)} files: {what}: {', '.join(names[:_SHOWN])}{more}"
    for error in reading.skipped[:_SHOWN]:
        yield f"Left out: {_short(error)}"
    if len(reading.skipped) > _SHOWN:
        yield f"Left out: {len(reading.skipped) - _SHOWN} more"


def _short(error: BadRowError) -> str:
    return f"{error.place}: {error.why}."
