"""Figures over many steps, with intervals: tasks are drawn again and again, as steps of one task hang together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from demopack.domain.words import counted

METRICS: Final[Mapping[str, str]] = {
    "object": "Object accuracy: the target is an acceptable one",
    "kind": "Action type: the action is of the right type",
    "operation": "Operation accuracy: type and arguments are right",
    "status": "Status accuracy: the task is said to go on, or to be done, as it was",
    "step": "Step success: object, operation and status are right",
    "task": "Task success: every step is right",
    "precision": "Step precision: of the actions that were answered, those that belong to the task, in its order",
    "recall": "Step recall: of the task's actions, those that were answered, in their order",
    "inside": "Point in box: a given place lies in the target's box",
}
"""Name -> what it means."""

MetricCounts = Mapping[str, tuple[int, int]]
"""Name of a figure -> how often it was so, of how often it could have been."""

_DRAWS, _AT_ONCE, _MIN_TASKS = 2000, 200, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricValue:
    """One share.

    Attributes:
        hits: how often.
        of: of how often.
        value: the share, 0..1.
        low: lower end of the interval that holds it with 95 %, drawn by tasks; None for fewer than two tasks.
        high: upper end.
    """

    hits: int
    of: int
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricGroup:
    """The figures of some of the steps.

    Attributes:
        name: of the action type or the application.
        steps: how many.
        figures: by name; see ``METRICS``.
    """

    name: str
    steps: int
    figures: Mapping[str, MetricValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """The result.

    Attributes:
        predictions: name of the file.
        pack: name of the pack.
        dialect: how the answers were read.
        tasks: how many demos.
        steps: how many steps.
        answered: steps with an answer.
        unreadable: answers that could not be read, by the code of the mistake.
        unused: answers that belong to no step of the pack.
        figures: over everything.
        by_action: by type of the recorded action.
        by_app: by application.
        seed: of the draws for the intervals.
    """

    predictions: str
    pack: str
    dialect: str
    tasks: int
    steps: int
    answered: int
    unreadable: Mapping[str, int]
    unused: int
    figures: Mapping[str, MetricValue]
    by_action: Sequence[MetricGroup]
    by_app: Sequence[MetricGroup]
    seed: int

    def to_json(self) -> dict[str, Any]:
        """All fields as plain JSON."""
        return asdict(self)


def figures(tasks: Sequence[MetricCounts], *, seed: int) -> dict[str, MetricValue]:
    """The figures of some tasks.

    Args:
        tasks: the counts of each.
        seed: equal seeds give equal intervals.
    """
    names = [name for name in METRICS if any(task.get(name, (0, 0))[1] for task in tasks)]
    if not names:
        return {}
    counts = np.array([[task.get(name, (0, 0)) for name in names] for task in tasks], dtype=np.int64)
    low, high = _intervals(counts[:, :, 0], counts[:, :, 1], seed)
    return {
        name: MetricValue(hits=hits, of=of, value=hits / of, low=low[i], high=high[i])
        for i, (name, (hits, of)) in enumerate(zip(names, counts.sum(axis=0).tolist(), strict=True))
    }


def _intervals(
    hits: npt.NDArray[np.int64], of: npt.NDArray[np.int64], seed: int
) -> tuple[list[float | None], list[float | None]]:
    tasks, names = hits.shape
    if tasks < _MIN_TASKS:
        return [None] * names, [None] * names
    rng = np.random.default_rng(seed)
    shares = np.full((_DRAWS, names), np.nan)
    for start in range(0, _DRAWS, _AT_ONCE):
        # How often each task is drawn when as many are drawn as there are.
        times = rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=_AT_ONCE)
        drawn = times @ of
        np.divide(times @ hits, drawn, out=shares[start : start + _AT_ONCE], where=drawn > 0)
    low, high = np.nanquantile(shares, (0.025, 0.975), axis=0).tolist()
    return low, high


def report_lines(report: ScoreReport) -> Iterator[str]:
    """Line by line: what was scored, every figure with its interval, then by action and by application."""
    yield (
        f"{report.predictions} against {report.pack}: {counted(report.tasks, 'task')}, "
        f"{counted(report.steps, 'step')}, "
        f"{report.answered} answered"
    )
    for code, count in report.unreadable.items():
        yield f"  {count} unreadable: {code}"
    if report.unused:
        belong = "answer belongs" if report.unused == 1 else "answers belong"
        yield f"  {report.unused} {belong} to no step of the pack"
    yield ""
    for name, figure in report.figures.items():
        interval = (
            "" if figure.low is None or figure.high is None else f" [{_percent(figure.low)}, {_percent(figure.high)}]"
        )
        share = f"{_percent(figure.value)} %{interval}"
        yield f"  {METRICS[name].split(':')[0]:18} {share:24} {figure.hits} of {figure.of}"
    for title, groups in (("By action", report.by_action), ("By application", report.by_app)):
        yield f"\n{title:20} steps  object  operation  step"
        for group in groups:
            yield (
                f"  {group.name[:18]:18} {group.steps:5}  {_of(group.figures, 'object'):>6}  "
                f"{_of(group.figures, 'operation'):>9}  {_of(group.figures, 'step'):>4}"
            )


def _of(figures: Mapping[str, MetricValue], name: str) -> str:
    figure = figures.get(name)
    return "-" if figure is None else _percent(figure.value)


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"
