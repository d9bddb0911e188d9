"""Training set of the LAM paper's first phase: a task is asked for, its plan is the answer.

Rows are TRL's ``prompt`` and ``completion``: the loss falls on the plan alone. What belongs together is on one side: a
task and its harder forms, and tasks in the same words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from demopack.atomic import write_text_atomic
from demopack.codecs.tasks.records import numbered
from demopack.domain.tasks import Task
from demopack.jobs import JobControl
from demopack.json_lines import dump_line
from tasks.bank import TaskBank, TaskQuery

SIDES: Final = ("train", "test")
_ASKS: Final = "Say how this is done on a computer: the steps, numbered, one order a line."


@dataclass(slots=True, kw_only=True)
class PlanSetReport:
    """What was written of a bank.

    Attributes:
        rows: of each side.
        without_plan: tasks that have no plan.
        filtered_out: tasks that a filter left out.
        twice: tasks that say the same as an earlier one, plan included.
    """

    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    without_plan: int = 0
    filtered_out: int = 0
    twice: int = 0

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        left_out = {"without_plan": self.without_plan, "filtered_out": self.filtered_out, "twice": self.twice}
        return {"rows": self.rows, "left_out": left_out}


def plan_row(task: Task, *, root: str) -> dict[str, Any]:
    """A task with its plan as a row; no field is ever absent or null, so that both sides have the same columns.

    Args:
        task: with a plan.
        root: id of the task that it is a harder form of, at whatever remove; its own where it is none.
    """
    program = " ".join(part for part in (task.app, task.app_version) if part)
    where = " on ".join(part for part in (program, task.platform) if part)
    asks = [_ASKS, "", f"Task: {_line(task.task)}", *([f"Program: {where}"] if where else [])]
    written = task.written is not None and task.written.plan
    return {
        "prompt": [{"role": "user", "content": "\n".join(asks)}],
        "completion": [{"role": "assistant", "content": "\n".join(numbered([_line(step) for step in task.plan]))}],
        "task_id": task.id,
        "source_kind": task.source.kind,
        "evolved_from": task.evolved_from or "",
        "root": root,
        "app": task.app,
        "platform": task.platform,
        "plan_by": "model" if written or task.provenance.kind == "model" else "source",
    }


def _line(text: str) -> str:
    return " ".join(text.split())


def write_plan_set(
    bank: TaskBank, query: TaskQuery, out: Path, *, test: float = 0.1, seed: int = 0, control: JobControl | None = None
) -> PlanSetReport:
    """Write the plans of a bank: ``train.jsonl`` and ``test.jsonl`` in a folder, or one file with all of them.

    A task stays on its side however many others come in, unless one joins two families.

    Args:
        bank: with the tasks.
        query: which; without a state all that are not filtered out.
        out: a folder, or a file whose name ends with ``.jsonl``.
        test: share of the families that are for testing, 0..1; a small bank may have none. One file has no sides.
        seed: another seed, another division; the same seed, the same.
        control: progress and cancelling; nothing is written before all is read.

    Raises:
        CancelledError: it was stopped.
        DiskFullError: nothing was written.
    """
    control = control or JobControl()
    report, total = PlanSetReport(), bank.count()

    def all_tasks() -> Iterator[Task]:
        for number, task in enumerate(bank.tasks()):
            control.step(number, 2 * total, "Reading tasks")
            yield task

    families = _Families(all_tasks())
    sides: dict[str, list[str]] = {side: [] for side in SIDES}
    seen: set[bytes] = set()
    one_file = out.suffix == ".jsonl"
    for number, task in enumerate(bank.tasks(query)):
        control.step(total + number, 2 * total, "Writing plans")
        row = plan_row(task, root=families.root(task.id))
        said = hashlib.sha256(repr((row["prompt"], row["completion"])).encode()).digest()
        if not any(step.strip() for step in task.plan):
            report.without_plan += 1
        elif task.findings and not query.state:
            report.filtered_out += 1
        elif said in seen:
            report.twice += 1
        else:
            seen.add(said)
            side = "test" if not one_file and families.draw(task.id, seed) < test else "train"
            sides[side].append(dump_line(row))
            report.rows[side] += 1
    if one_file:
        write_text_atomic(out, "".join(sides["train"]))
        return report
    for side, lines in sides.items():
        # Loaders of data sets stumble over empty files.
        if lines:
            write_text_atomic(out / f"{side}.jsonl", "".join(lines))
        else:
            (out / f"{side}.jsonl").unlink(missing_ok=True)
    return report


class _Families:
    """Which tasks belong together: with their harder forms, and with those in the same words.

    A family is named by the first id of those that are no harder forms, so that new forms do not rename it.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._original: dict[str, str] = {}
        self._next: dict[str, str] = {}
        told: list[tuple[str, str]] = []
        for task in tasks:
            if task.evolved_from:
                self._original[task.id] = task.evolved_from
            query = "" if task.written is None else task.written.query
            told += ((task.id, " ".join(words.casefold().split())) for words in (task.task, query))
        for name, words in told:
            if words:
                self._join(f"id {self.root(name)}", f"words {words}")

    def root(self, name: str) -> str:
        """The original of a task, at whatever remove."""
        seen = {name}
        while (found := self._original.get(name)) is not None and found not in seen:
            seen.add(found)
            name = found
        return name

    def draw(self, name: str, seed: int) -> float:
        """The number that a family draws, 0 to below 1."""
        digest = hashlib.sha256(f"{seed}\0{self._head(f'id {self.root(name)}')}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64

    def _join(self, one: str, other: str) -> None:
        leads, follows = sorted((self._head(one), self._head(other)))
        if leads != follows:
            self._next[follows] = leads

    def _head(self, name: str) -> str:
        while (found := self._next.get(name)) is not None:
            # What is passed over on the way is looked up once.
            self._next[name] = self._next.get(found, found)
            name = found
        return name


def left_out_lines(report: PlanSetReport) -> Iterator[str]:
    """What was not written, for a person."""
    for count, why in (
        (report.without_plan, "without a plan"),
        (report.filtered_out, "filtered out"),
        (report.twice, "the same as an earlier one"),
    ):
        if count:
            yield f"{count:8}  {why}"
