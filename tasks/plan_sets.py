"""Training set of the LAM paper's first phase: a task is asked for, its plan is the answer.

Rows are TRL's ``prompt`` and ``completion``: the loss falls on the plan alone. What belongs together is on one side: a
task and its harder forms, and tasks in the same words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
LEFT_OUT: Final = {
    "without_plan": "without a plan",
    "filtered_out": "filtered out",
    "twice": "the same as an earlier one",
    "not_done": "judged otherwise, or not at all",
    "without_demo": "of which the library has no demo",
    "no_word": "for which LAM has no words",
    "rejected": "left out by a person",
}
"""Why something is not in a set, for a person."""


@dataclass(slots=True, kw_only=True)
class SetReport:
    """What was written of a bank.

    Attributes:
        rows: of each side.
        left_out: how much was not written, by reason.
    """

    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    left_out: dict[str, int]

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        return {"rows": self.rows, "left_out": self.left_out}


def plan_row(task: Task, *, root: str) -> dict[str, Any]:
    """A task with its plan as a row; no field is ever absent or null, so that both sides have the same columns.

    Args:
        task: with a plan.
        root: id of the task that it is a harder form of, at whatever remove; its own where it is none.
    """
    program = " ".join(part for part in (task.app, task.app_version) if part)
    where = " on ".join(part for part in (program, task.platform) if part)
    asks = [_ASKS, "", f"Task: {one_line(task.task)}", *([f"Program: {where}"] if where else [])]
    written = task.written is not None and task.written.plan
    return {
        "prompt": [{"role": "user", "content": "\n".join(asks)}],
        "completion": [{"role": "assistant", "content": "\n".join(numbered([one_line(step) for step in task.plan]))}],
        "task_id": task.id,
        "source_kind": task.source.kind,
        "evolved_from": task.evolved_from or "",
        "root": root,
        "app": task.app,
        "platform": task.platform,
        "plan_by": "model" if written or task.provenance.kind == "model" else "source",
    }


def write_plan_set(
    bank: TaskBank, query: TaskQuery, out: Path, *, test: float = 0.1, seed: int = 0, control: JobControl | None = None
) -> SetReport:
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
    report = SetReport(left_out=dict.fromkeys(("without_plan", "filtered_out", "twice"), 0))
    families, total = Families.of(bank, control), bank.count()
    sides: dict[str, list[str]] = {side: [] for side in SIDES}
    seen: set[bytes] = set()
    one_file = is_one_file(out)
    for number, task in enumerate(bank.tasks(query)):
        control.step(total + number, 2 * total, "Writing plans")
        row = plan_row(task, root=families.root(task.id))
        said = fingerprint(row["prompt"], row["completion"])
        if not any(step.strip() for step in task.plan):
            report.left_out["without_plan"] += 1
        elif task.findings and not query.state:
            report.left_out["filtered_out"] += 1
        elif said in seen:
            report.left_out["twice"] += 1
        else:
            seen.add(said)
            side = "test" if not one_file and families.draw(task.id, seed) < test else "train"
            sides[side].append(dump_line(row))
            report.rows[side] += 1
    write_sides(out, sides)
    return report


class Families:
    """Which tasks belong together: with their harder forms, and with those in the same words, also once made concrete.

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
            made = (one.request for one in (task.instantiation, *(t.instantiation for t in task.earlier)) if one)
            told += ((task.id, one_line(words).casefold()) for words in (task.task, query, *made))
        for name, words in told:
            if words:
                self._join(f"id {self.root(name)}", f"words {words}")

    @classmethod
    def of(cls, bank: TaskBank, control: JobControl) -> Families:
        """Those of all tasks of a bank; the first half of the way to a set."""
        total = bank.count()

        def told() -> Iterator[Task]:
            for number, task in enumerate(bank.tasks()):
                control.step(number, 2 * total, "Reading tasks")
                yield task

        return cls(told())

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


def one_line(text: str) -> str:
    """A text without line ends and blanks that are too many."""
    return " ".join(text.split())


def fingerprint(*said: object) -> bytes:
    """Equal for rows that say the same."""
    return hashlib.sha256(repr(said).encode()).digest()


def is_one_file(out: Path) -> bool:
    """Whether a set goes into one file, which has no sides."""
    return out.suffix == ".jsonl"


def write_sides(out: Path, sides: Mapping[str, Sequence[str]]) -> None:
    """Write lines into ``train.jsonl`` and ``test.jsonl`` of a folder, or those for training into one file.

    Raises:
        DiskFullError: there is no room.
    """
    if is_one_file(out):
        write_text_atomic(out, "".join(sides["train"]))
        return
    for side, lines in sides.items():
        # Loaders of data sets stumble over empty files.
        if lines:
            write_text_atomic(out / f"{side}.jsonl", "".join(lines))
        else:
            (out / f"{side}.jsonl").unlink(missing_ok=True)


def left_out_lines(report: SetReport) -> Iterator[str]:
    """What was not written, for a person."""
    return (f"{count:8}  {LEFT_OUT[why]}" for why, count in report.left_out.items() if count)
