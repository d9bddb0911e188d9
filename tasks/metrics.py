"""Figures of what was done, as the LAM paper's table of online results has them, from what the bank keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from demopack.domain.tasks import Task, TaskState, TaskTry
from tasks.bank import TaskBank, TaskQuery

_TRIED: Final[tuple[TaskState, ...]] = (
    "complete", "incomplete", "unsure", "executed", "stage_failed", "infeasible", "instantiated",
)  # fmt: skip
"""States of tasks that may have been tried, if only earlier."""


@dataclass(slots=True, kw_only=True)
class RunFigures:
    """Sums over tries that were performed.

    Attributes:
        tries: how many.
        answers: of these, by what the judge said; ``""`` where nobody judged.
        told: tries of which the steps are known.
        steps: that were performed, or begun.
        right: of these, those that succeeded.
        timed: tries of which time and steps are known.
        seconds: of the timed ones, from choosing the document to the last step; judging is none of it.
        timed_steps: their steps.
    """

    tries: int = 0
    answers: dict[str, int] = field(default_factory=dict[str, int])
    told: int = 0
    steps: int = 0
    right: int = 0
    timed: int = 0
    seconds: float = 0.0
    timed_steps: int = 0

    def add(self, one: TaskTry, steps: int, right: int) -> None:
        """Count a try with so many steps, of which so many succeeded."""
        answer = "" if one.verdict is None else one.verdict.complete
        self.tries += 1
        self.answers[answer] = self.answers.get(answer, 0) + 1
        self.told += bool(steps)
        self.steps += steps
        self.right += right
        times = [one.seconds for stage, one in one.stages.items() if stage != "execute_eval"]
        execution = one.stages.get("execute")
        if execution is not None and execution.seconds is not None and steps:
            self.timed += 1
            self.seconds += sum(seconds or 0.0 for seconds in times)
            self.timed_steps += steps

    def to_json(self) -> dict[str, object]:
        """The figures; what cannot be told is None.

        Unsure and not judged is no success, as in the paper. ``seconds`` and ``steps`` are of a try, ``step_seconds``
        of a step.
        """
        return {
            "tries": self.tries,
            **{name: self.answers.get(name, 0) for name in ("yes", "no", "unsure")},
            "not_judged": self.answers.get("", 0),
            "task_success": _share(self.answers.get("yes", 0), self.tries),
            "step_success": _share(self.right, self.steps),
            "seconds": _share(self.seconds, self.timed),
            "steps": _share(self.steps, self.told),
            "step_seconds": _share(self.seconds, self.timed_steps),
        }


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


@dataclass(slots=True, kw_only=True)
class RunStatistics:
    """Figures of all tries, of those in each program, and of those that each planned: a model, a source, a person."""

    all: RunFigures = field(default_factory=RunFigures)
    apps: dict[str, RunFigures] = field(default_factory=dict[str, RunFigures])
    planners: dict[str, RunFigures] = field(default_factory=dict[str, RunFigures])

    def to_json(self) -> dict[str, object]:
        """For ``--json``."""
        groups = {"apps": self.apps, "plan_by": self.planners}
        named = {group: {name: one.to_json() for name, one in sorted(some.items())} for group, some in groups.items()}
        return {"all": self.all.to_json(), **named}


def run_statistics(bank: TaskBank, demo_steps: Mapping[str, int]) -> RunStatistics:
    """Figures of every try that was performed, earlier ones included.

    Args:
        bank: with the tasks.
        demo_steps: how many steps the demos of the library have that a person did, by id.

    Raises:
        LibraryError: a task is damaged.
    """
    found = RunStatistics()
    tasks = (task for state in _TRIED for task in bank.tasks(TaskQuery(state=state)))
    for task, one in _tries(tasks):
        done = [
            step.success for step in (one.instantiation.steps if one.instantiation else ()) if step.success is not None
        ]
        steps, right = len(done), sum(done)
        if not done and one.demo:
            # A person's steps are all meant.
            steps = right = demo_steps.get(one.demo, 0)
        elif not done and one.verdict is None:
            continue  # it ended before anything was done
        groups = ((found.apps, task.app), (found.planners, one.plan_by))
        for figures in (found.all, *(group.setdefault(name, RunFigures()) for group, name in groups)):
            figures.add(one, steps, right)
    return found


def _tries(tasks: Iterable[Task]) -> Iterable[tuple[Task, TaskTry]]:
    return ((task, one) for task in tasks for one in task.tries)


def statistics_lines(found: RunStatistics) -> list[str]:
    """A table for a person; empty where nothing was performed."""
    if not found.all.tries:
        return []
    lines = [
        f"{'done':28} {'tries':>6} {'yes':>6} {'success':>8} {'steps right':>12} {'s':>8} {'steps':>6} {'s/step':>7}"
    ]
    named = [
        ("all", found.all),
        *sorted(found.apps.items()),
        *((f"by {n}", f) for n, f in sorted(found.planners.items())),
    ]
    for name, figures in named:
        told = figures.to_json()
        cells = (_percent(told["task_success"]), _percent(told["step_success"]))
        times = [_number(told[key]) for key in ("seconds", "steps", "step_seconds")]
        lines.append(
            f"{(name or '-')[:28]:28} {figures.tries:6} {figures.answers.get('yes', 0):6} {cells[0]:>8} {cells[1]:>12} "
            f"{times[0]:>8} {times[1]:>6} {times[2]:>7}"
        )
    return lines


def _percent(share: object) -> str:
    return f"{share:.1%}" if isinstance(share, float) else "-"


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else "-"
